"""Identifiers: UUIDv7, so that keys rise with time and indexes stay compact."""

from uuid import UUID

from uuid_utils.compat import uuid7

__all__ = ["UUID", "new_id"]


def new_id() -> UUID:
    return uuid7()
