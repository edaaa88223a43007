"""Slugs and join codes."""

import re
import secrets
import unicodedata

JOIN_CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""32 letters that are not mistaken for each other: 8 of them hold 40 bits."""

JOIN_CODE_LENGTH = 8
_MAX_SLUG_LENGTH = 80


def new_join_code() -> str:
    return "".join(secrets.choice(JOIN_CODE_ALPHABET) for _ in range(JOIN_CODE_LENGTH))


def slug_of(name: str) -> str:
    """Lower-case ASCII words joined by hyphens; `workspace` where nothing of the name is left."""
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", ascii_name.lower()).strip("-")
    return slug[:_MAX_SLUG_LENGTH].strip("-") or "workspace"
