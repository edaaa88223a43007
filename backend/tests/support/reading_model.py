"""What a plain model would do with the documents tool: search once, then say what the first passage says."""

import json
import re
from typing import Any

from tests.support.fake_model import Reply, call, say

_PASSAGE = re.compile(r'<passage n="(\d+)"[^>]*>\n(.*?)\n</passage>', re.DOTALL)


def read_documents(body: dict[str, Any]) -> Reply:
    """The reply to a request of either wire: a tool call, an answer with a mark, or a title."""
    if not body.get("tools"):
        return say("A question about the handbook")
    items: list[dict[str, Any]] = body.get("input") or body.get("messages") or []
    outputs = [item for item in items if item.get("type") == "function_call_output" or item.get("role") == "tool"]
    if not outputs:
        return call("search_document_chunks", {"query": last_question(body)})
    passage = _PASSAGE.search(str(outputs[-1].get("output") or outputs[-1].get("content")))
    if passage is None:
        return say("The documents do not answer this.")
    sentence = re.split(r"(?<=[.!?])\s|\n\n", passage.group(2).strip())[0].replace("\n", " ")
    return say(f"The handbook says: {sentence} [{passage.group(1)}]")


def last_question(body: dict[str, Any]) -> str:
    """What the person asked last, in a request of either wire."""
    items: list[dict[str, Any]] = body.get("input") or body.get("messages") or []
    content = next(item["content"] for item in reversed(items) if item.get("role") == "user")
    return content if isinstance(content, str) else json.dumps(content)
