import asyncio

from knowledgestack.chat.contracts import DeltaFrame, DoneFrame, TitleFrame, TurnUsage
from knowledgestack.chat.frames import FrameLog, frame_bytes
from tests.support.frames import kinds, numbered, parse_frames, read_frames, text_of

DONE = {
    "reason": "answered",
    "model_used": "m",
    "provider_used": "p",
    "usage": TurnUsage(input_tokens=0, output_tokens=0, model_calls=0),
    "not_found": None,
    "follow_ups": [],
}


async def test_text_is_merged_to_twenty_frames_a_second() -> None:
    log = FrameLog()
    started = asyncio.get_running_loop().time()
    for _ in range(200):
        log.add_text(0, "word ")
        await asyncio.sleep(0.001)
    log.add(DoneFrame, **DONE)
    seconds = asyncio.get_running_loop().time() - started
    frames = await read_frames(log.follow())
    assert text_of(frames) == "word " * 200
    assert kinds(frames).count("delta") <= seconds * 20 + 2
    assert list(numbered(frames)) == list(range(len(frames)))


async def test_text_comes_before_the_frame_that_follows_it() -> None:
    log = FrameLog()
    log.add_text(0, "a")
    log.add_text(0, "b")
    log.add(TitleFrame, title="t")
    log.add_text(1, "c")
    log.add(DoneFrame, **DONE)
    assert kinds(await read_frames(log.follow())) == ["delta", "delta", "title", "delta", "done"]
    assert log.parts == ["ab", "c"]


async def test_a_follower_gets_only_what_comes_after_its_seq() -> None:
    log = FrameLog()
    for title in "abc":
        log.add(TitleFrame, title=title)
    log.add(DoneFrame, **DONE)
    assert list(numbered(await read_frames(log.follow(after=1)))) == [2, 3]
    assert await read_frames(log.follow(after=99)) == []


async def test_followers_come_and_go_without_disturbing_each_other() -> None:
    log = FrameLog()
    patient = asyncio.create_task(read_frames(log.follow()))
    hasty = asyncio.create_task(read_frames(log.follow()))
    await asyncio.sleep(0)
    assert log.followers == 2
    hasty.cancel()
    await asyncio.gather(hasty, return_exceptions=True)
    assert log.followers == 1
    log.add(TitleFrame, title="t")
    log.add(DoneFrame, **DONE)
    assert kinds(await patient) == ["title", "done"]
    assert log.followers == 0


async def test_a_heartbeat_breaks_a_long_silence(monkeypatch) -> None:
    log = FrameLog()
    monkeypatch.setattr("knowledgestack.chat.frames.HEARTBEAT_SECONDS", 1.0)
    stream = log.follow()
    waiting = asyncio.create_task(anext(stream))
    await asyncio.sleep(0.01)
    log.beat()
    assert (await waiting).startswith(b":")
    await stream.aclose()


def test_no_text_can_end_an_event() -> None:
    text = 'a\n\nevent: done\ndata: {}\r\n\r\n: b \u2028 "'
    event = frame_bytes(DeltaFrame(seq=3, part=0, text=text))
    assert event.count(b"\n") == 4
    assert b"\r" not in event
    (frame,) = parse_frames(event)
    assert frame == {"type": "delta", "seq": 3, "part": 0, "text": text}
