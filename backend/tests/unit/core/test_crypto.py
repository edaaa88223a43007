import os
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.core.crypto import DecryptionFailed, KeyRing, Place, decode_key, encode_key
from knowledgestack.core.ids import new_id

ROW = UUID("01920000-0000-7000-8000-000000000001")
PLACE = Place("chat_model_servers", "api_key", ROW)


@given(st.text())
def test_a_sealed_secret_opens_again(secret: str) -> None:
    ring = KeyRing(b"k" * 32)
    assert ring.open(ring.seal(secret, PLACE), PLACE) == secret


def test_flipping_any_byte_makes_it_fail() -> None:
    ring = KeyRing(b"k" * 32)
    envelope = ring.seal("sk-secret", PLACE)
    for position in range(len(envelope)):
        changed = bytearray(envelope)
        changed[position] ^= 1
        with pytest.raises(DecryptionFailed):
            ring.open(bytes(changed), PLACE)


@pytest.mark.parametrize(
    "other",
    [
        Place("other_table", "api_key", ROW),
        Place("chat_model_servers", "other_column", ROW),
        Place("chat_model_servers", "api_key", new_id()),
        Place("chat_model_servers", "api_key", ROW, workspace_id=new_id()),
    ],
)
def test_a_ciphertext_copied_to_another_cell_does_not_open(other: Place) -> None:
    ring = KeyRing(b"k" * 32)
    with pytest.raises(DecryptionFailed):
        ring.open(ring.seal("secret", PLACE), other)


def test_a_rotated_ring_opens_old_envelopes_and_seals_with_the_new_key() -> None:
    old, new = os.urandom(32), os.urandom(32)
    envelope = KeyRing(old).seal("secret", PLACE)
    rotated = KeyRing(new, previous=(old,))
    assert rotated.open(envelope, PLACE) == "secret"
    assert KeyRing(new).open(rotated.seal("secret", PLACE), PLACE) == "secret"
    with pytest.raises(DecryptionFailed):
        KeyRing(new).open(envelope, PLACE)


def test_nonces_do_not_repeat() -> None:
    ring = KeyRing(b"k" * 32)
    nonces = {ring.seal("", PLACE)[5:17] for _ in range(20_000)}
    assert len(nonces) == 20_000


@pytest.mark.parametrize("text", ["", "short", "A" * 42, "A" * 44, "!" * 43, "é" * 43])
def test_a_key_that_is_not_32_bytes_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_key(text)


def test_a_key_survives_its_text_form() -> None:
    key = os.urandom(32)
    assert decode_key(encode_key(key)) == key
