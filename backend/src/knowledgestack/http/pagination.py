"""Keyset pages: a cursor is the sort key of the last row, opaque to clients."""

import base64
import binascii
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar.params import QueryParameter

from knowledgestack.core.errors import FieldError, InvalidRequest

Cursor = Annotated[str | None, QueryParameter(name="cursor", required=False)]
Limit = Annotated[int | None, QueryParameter(name="limit", required=False)]
DEFAULT_LIMIT = 50
MAX_LIMIT = 200
_MAX_CURSOR_LENGTH = 2_000


def clamp_limit(limit: int | None) -> int:
    """The page size to use; raises `InvalidRequest` for less than one."""
    if limit is None:
        return DEFAULT_LIMIT
    if limit < 1:
        raise InvalidRequest(
            "The page size has to be at least 1.", errors=(FieldError("limit", "has to be at least 1"),)
        )
    return min(limit, MAX_LIMIT)


def encode_cursor(values: tuple[datetime | UUID | str | int | float | None, ...]) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(values)).decode().rstrip("=")


def decode_cursor(cursor: str, kinds: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values of a cursor, converted to `kinds`; raises `InvalidRequest` for anything not made by us."""
    try:
        if len(cursor) > _MAX_CURSOR_LENGTH:
            raise ValueError("too long")
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        values: list[Any] = msgspec.json.decode(raw, type=list[Any])
        if len(values) != len(kinds):
            raise ValueError("not this many values")
        return tuple(msgspec.convert(value, kind) for value, kind in zip(values, kinds, strict=True))
    except (binascii.Error, ValueError, msgspec.DecodeError) as error:
        raise InvalidRequest(
            "This page does not exist. Start again from the first one.", errors=(FieldError("cursor", "is not valid"),)
        ) from error
