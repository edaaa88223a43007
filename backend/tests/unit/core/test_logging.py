from typing import Any

import pytest

from knowledgestack.core.logging import hide_secrets


@pytest.mark.parametrize(
    "event",
    [
        {"password": "canary"},
        {"outer": {"api_key": "canary"}},
        {"items": [{"Authorization": "canary"}]},
        {"event": "calling with Bearer canary"},
        {"event": "postgresql://someone:canary@host/db"},
        {"exception": "Traceback …\nHeaders: Bearer canary"},
        {"event": "http://localhost:8400/enter#canarycanarycanarycanarycanarycanarycanary"},
        {"key": "sk-canarycanarycanarycanary"},
        {"body": b"canary"},
        {"deep": {"a": {"b": {"c": {"d": {"e": {"f": {"token": "canary"}}}}}}}},
    ],
)
def test_secrets_are_hidden_at_any_depth(event: dict[str, Any]) -> None:
    assert "canary" not in str(hide_secrets(None, "info", event))


def test_counts_of_tokens_are_no_secrets() -> None:
    assert hide_secrets(None, "info", {"tokens": 12, "event": "turn ended"}) == {"tokens": 12, "event": "turn ended"}
