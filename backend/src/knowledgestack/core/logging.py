"""Structured logs: one JSON object a line on standard output, with secrets taken out."""

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any, cast

import structlog

_SECRET_NAMES = re.compile(r"password|secret|token|api_?key|authorization|cookie|encryption|credential", re.IGNORECASE)
_SECRET_VALUES = re.compile(
    r"(?:sk|ks)[-_][A-Za-z0-9_-]{16,}|Bearer\s+[A-Za-z0-9._~+/=-]+|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)|#[A-Za-z0-9_-]{40,}"
)
_HIDDEN = "[hidden]"
_MAX_DEPTH = 6


def configure_logging(level: str) -> None:
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            hide_secrets,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stdout),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stdout, format="%(message)s", force=True)


def hide_secrets(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Hide values whose name or shape says that they are secret, at any depth."""
    return cast(MutableMapping[str, Any], _clean(event, _MAX_DEPTH))


def _clean(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return _SECRET_VALUES.sub(_HIDDEN, value)
    if isinstance(value, bytes | bytearray):
        return _HIDDEN
    if depth == 0:
        return _HIDDEN if isinstance(value, Mapping | list | tuple) else value
    if isinstance(value, Mapping):
        items = cast(Mapping[Any, Any], value).items()
        return {name: _HIDDEN if _is_secret(name, item) else _clean(item, depth - 1) for name, item in items}
    if isinstance(value, list | tuple):
        return [_clean(item, depth - 1) for item in cast(list[Any], value)]
    return value


def _is_secret(name: Any, value: Any) -> bool:
    return isinstance(value, str | bytes) and bool(_SECRET_NAMES.search(str(name)))
