"""From bytes to text, with the encoding that was found and a note where it was a guess."""

import codecs
import re
from typing import NamedTuple

from charset_normalizer import from_bytes

from knowledgestack.documents.parsers._base import ParseFailed
from knowledgestack.lexicon.language import detect

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    # The mark of UTF-32 begins with that of UTF-16, so it is asked first.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE_BYTES = 256 * 1024
_LATIN_ENCODINGS = (
    *("cp1250", "cp1252", "cp1254", "cp1257", "cp1258", "cp775", "cp850", "cp852", "cp857", "cp858", "hp_roman8"),
    *("iso8859_10", "iso8859_13", "iso8859_14", "iso8859_15", "iso8859_16", "iso8859_2", "iso8859_3", "iso8859_4"),
    *("iso8859_9", "latin_1", "mac_iceland", "mac_latin2", "mac_roman", "mac_turkish"),
)
# Languages in Latin letters that Windows Western cannot write.
_OTHER_LATIN_LANGUAGES = frozenset(("bs", "cs", "eo", "hr", "hu", "lt", "lv", "mt", "pl", "ro", "sk", "sl", "tr", "vi"))
_REPLACEMENT = "\ufffd"
# Controls that no text has: C0 without tab, line ends, form feed and escape, and C1.
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x9f]")
_MOST_CONTROLS = 0.005
_UNDECODABLE = "The character encoding of this file could not be recognised. Save it as UTF-8 and upload it again."


class Decoded(NamedTuple):
    """`text` has "\\n" as line ends, no NUL and no byte order mark."""

    text: str
    encoding: str
    notes: tuple[str, ...]


def utf16_without_mark(data: bytes) -> str | None:
    """ "utf-16-le" or "utf-16-be" where every other byte of Latin text is NUL, else None."""
    sample = data[:4096]
    half = len(sample) // 2
    if half == 0 or len(data) % 2:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > half * 0.4 and even < half * 0.05:
        return "utf-16-le"
    if even > half * 0.4 and odd < half * 0.05:
        return "utf-16-be"
    return None


def has_unicode_mark(data: bytes) -> bool:
    """Whether the bytes begin with a byte order mark."""
    return any(data.startswith(mark) for mark, _ in _BOMS)


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """Decode by byte order mark, UTF-8, the declared encoding, and last by detection.

    Raises `ParseFailed` (`undecodable`) where none of them gives text.
    """
    text, encoding, notes = _decode(data, declared)
    sample = text[:_SAMPLE_BYTES]
    if len(_CONTROLS.findall(sample)) > len(sample) * _MOST_CONTROLS:
        raise ParseFailed("undecodable", _UNDECODABLE)
    cleaned = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    return Decoded(cleaned, encoding, notes)


def _decode(data: bytes, declared: str | None) -> Decoded:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _replacing(data[len(mark) :], encoding)
    try:
        return Decoded(data.decode("utf-8"), "utf-8", ())
    except UnicodeDecodeError as error:
        first_fault = error.start
    if (utf16 := utf16_without_mark(data)) is not None:
        return _replacing(data, utf16)
    return _mostly_utf8(data) or _declared(data, declared) or _detected(data, first_fault)


def _replacing(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, errors="replace")
    lost = text.count(_REPLACEMENT) - data.count(_REPLACEMENT.encode(encoding))
    notes = (f"{lost} characters could not be read as {encoding.upper()} and were replaced.",) if lost > 0 else ()
    if lost * 20 > len(text):
        raise ParseFailed("undecodable", _UNDECODABLE)
    return Decoded(text, encoding, notes)


def _mostly_utf8(data: bytes) -> Decoded | None:
    """A UTF-8 file with a few broken bytes: to guess another encoding would garble all the rest."""
    text = data.decode("utf-8", errors="replace")
    lost = text.count(_REPLACEMENT)
    wide = sum(1 for character in text[:_SAMPLE_BYTES] if character > "\x7f" and character != _REPLACEMENT)
    if wide < lost * 4:
        return None
    return Decoded(text, "utf-8", (f"{lost} broken characters were replaced; the rest is UTF-8.",))


def _declared(data: bytes, declared: str | None) -> Decoded | None:
    if declared is None:
        return None
    try:
        name = codecs.lookup(declared).name
        return Decoded(data.decode(name), name, ())
    except (LookupError, UnicodeDecodeError):
        return None


def _detected(data: bytes, first_fault: int) -> Decoded:
    # The sample holds the first byte that is not UTF-8: without it everything looks like ASCII.
    start = max(0, first_fault - _SAMPLE_BYTES // 2)
    encoding = _best_encoding(data[start : start + _SAMPLE_BYTES])
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise ParseFailed("undecodable", _UNDECODABLE) from None
    note = f"This file is not UTF-8; it was read as {encoding}. If letters look wrong, save it as UTF-8."
    return Decoded(text, encoding, (note,))


def _best_encoding(sample: bytes) -> str:
    """The detected encoding; among the Latin ones, which detection confuses, the one that the language writes in."""
    best = from_bytes(sample).best()
    if best is None:
        raise ParseFailed("undecodable", _UNDECODABLE)
    if best.encoding not in _LATIN_ENCODINGS:
        return best.encoding
    western = sample.decode("cp1252", errors="replace")
    if _REPLACEMENT in western or detect(western) in _OTHER_LATIN_LANGUAGES:
        return best.encoding
    return "cp1252"
