import json

from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.http.sse import encode_event


@given(st.text())
def test_an_event_is_one_event_whatever_its_text(text: str) -> None:
    event = encode_event("delta", 7, json.dumps({"text": text}).encode())
    head, data, *rest = event.decode().split("\ndata: ")
    assert (head, rest) == ("event: delta\nid: 7", [])
    assert data.endswith("\n\n")
    assert json.loads(data) == {"text": text}
    assert event.count(b"\n\n") == 1
