"""Files are read out of a form as it arrives."""

from collections.abc import AsyncGenerator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.core.errors import InvalidRequest, TooLarge
from knowledgestack.sources._multipart import read_files

BOUNDARY = "xyz"
HEADERS = {"content-type": f"multipart/form-data; boundary={BOUNDARY}"}


def form(*files: tuple[str, bytes], field: str = "files") -> bytes:
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n\r\n'.encode()
        + data
        + b"\r\n"
        for name, data in files
    ]
    return b"".join(parts) + f"--{BOUNDARY}--\r\n".encode()


async def cut(body: bytes, size: int) -> AsyncGenerator[bytes]:
    for start in range(0, len(body), size):
        yield body[start : start + size]
    yield b""


async def collect(
    body: bytes, *, headers: dict[str, str] = HEADERS, size: int = 7, limit: int = 10_000
) -> list[tuple[str, bytes]]:
    files = read_files(headers, cut(body, size), limit)
    return [(file.name, b"".join([chunk async for chunk in file.chunks])) async for file in files]


@given(
    st.lists(st.tuples(st.from_regex(r"[a-z]{1,8}\.md", fullmatch=True), st.binary(max_size=200)), min_size=1),
    st.integers(1, 64),
)
async def test_any_files_in_any_pieces_come_out_whole(files: list[tuple[str, bytes]], size: int) -> None:
    if any(f"--{BOUNDARY}".encode() in data for _, data in files):
        return
    assert await collect(form(*files), size=size) == files


async def test_a_folder_and_another_script_stay_in_the_name() -> None:
    assert await collect(form(("politik/städte.md", b"x"))) == [("politik/städte.md", b"x")]


async def test_a_file_that_is_left_alone_does_not_spoil_the_next() -> None:
    files = read_files(HEADERS, cut(form(("a.md", b"aaa" * 50), ("b.md", b"bb")), 5), 10_000)
    first = await anext(files)
    async for chunk in first.chunks:
        assert chunk
        break
    second = await anext(files)
    assert (second.name, b"".join([chunk async for chunk in second.chunks])) == ("b.md", b"bb")


@pytest.mark.parametrize("body", [b"", b"garbage", form(("a.md", b"x"))[:-20], form(("a.md", b"x"), field="other")])
async def test_a_body_without_files_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidRequest):
        await collect(body)


@pytest.mark.parametrize("content_type", ["", "application/json", "multipart/form-data", "multipart/mixed; boundary=x"])
async def test_another_content_type_is_refused(content_type: str) -> None:
    with pytest.raises(InvalidRequest):
        await collect(form(("a.md", b"x")), headers={"content-type": content_type})


async def test_an_announced_length_beyond_the_limit_is_refused_unread() -> None:
    async def never() -> AsyncGenerator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    with pytest.raises(TooLarge):
        await anext(read_files({**HEADERS, "content-length": "10001"}, never(), 10_000))


async def test_a_body_that_grows_beyond_the_limit_is_cut_off() -> None:
    with pytest.raises(TooLarge):
        await collect(form(("a.md", b"x" * 20_000)), size=1_000)
