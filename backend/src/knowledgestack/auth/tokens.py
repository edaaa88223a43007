"""Session and link tokens: 256 random bits, stored only as their SHA-256."""

import hashlib
import secrets

_TOKEN_BYTES = 32
_MAX_LENGTH = 200


def new_token() -> str:
    return secrets.token_urlsafe(_TOKEN_BYTES)


def hash_token(token: str) -> bytes | None:
    """The stored form of a token; None for text that no token of ours can be."""
    if not 0 < len(token) <= _MAX_LENGTH:
        return None
    return hashlib.sha256(token.encode()).digest()
