"""Encryption at rest: AES-256-GCM with a key id in the envelope and the row bound as associated data.

Envelope: version (1 byte) | key id (4 bytes) | nonce (12 bytes) | ciphertext with its tag. The key id is
the start of the SHA-256 of the key, so that old envelopes name the key that opens them.
"""

import base64
import binascii
import hashlib
import hmac
import os
from dataclasses import dataclass
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_VERSION = b"\x01"
_KEY_ID_BYTES = 4
_NONCE_BYTES = 12
KEY_BYTES = 32


class DecryptionFailed(Exception):
    """The envelope was changed, moved to another row, or sealed with a key that is not here."""


def decode_key(text: str) -> bytes:
    """Return the 32 bytes of a base64url key; raise ValueError when it is anything else."""
    try:
        key = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("not base64url") from error
    if len(key) != KEY_BYTES:
        raise ValueError(f"decodes to {len(key)} bytes, {KEY_BYTES} are needed")
    return key


def encode_key(key: bytes) -> str:
    return base64.urlsafe_b64encode(key).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class Place:
    """The cell that a secret belongs to. A ciphertext copied to another cell does not open."""

    table: str
    column: str
    row_id: UUID
    workspace_id: UUID | None = None

    def associated_data(self) -> bytes:
        return "\x1f".join((self.table, self.column, str(self.row_id), str(self.workspace_id or ""))).encode()


class KeyRing:
    """Seals with the current key and opens with any key it holds."""

    def __init__(self, current: bytes, previous: tuple[bytes, ...] = ()) -> None:
        self._current = current
        self._keys = {_key_id(key): AESGCM(key) for key in (*previous, current)}

    def seal(self, plaintext: str, place: Place) -> bytes:
        nonce = os.urandom(_NONCE_BYTES)
        key_id = _key_id(self._current)
        sealed = self._keys[key_id].encrypt(nonce, plaintext.encode(), place.associated_data())
        return _VERSION + key_id + nonce + sealed

    def open(self, envelope: bytes, place: Place) -> str:
        """Return the plaintext; raise `DecryptionFailed` when the envelope does not verify."""
        head = 1 + _KEY_ID_BYTES
        key = self._keys.get(envelope[1:head])
        if envelope[:1] != _VERSION or key is None:
            raise DecryptionFailed("unknown envelope version or key")
        nonce, sealed = envelope[head : head + _NONCE_BYTES], envelope[head + _NONCE_BYTES :]
        try:
            return key.decrypt(nonce, sealed, place.associated_data()).decode()
        except (InvalidTag, ValueError) as error:
            raise DecryptionFailed("the stored secret does not verify") from error

    def derive(self, purpose: str) -> str:
        """A token that every process with the same key computes alike, one for each purpose."""
        return hmac.new(self._current, purpose.encode(), hashlib.sha256).hexdigest()


def _key_id(key: bytes) -> bytes:
    return hashlib.sha256(key).digest()[:_KEY_ID_BYTES]
