"""The wall clock. Leases and expiries compare with the database's clock instead."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    return datetime.now(UTC)
