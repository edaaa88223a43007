"""What the bytes themselves say: a name and a browser are never trusted."""

import puremagic

from knowledgestack.core.errors import UnsupportedFile
from knowledgestack.documents.parsers._base import base_name
from knowledgestack.documents.parsers._decoding import has_unicode_mark, utf16_without_mark

# First bytes that no text file has, with what a person calls the format.
_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"8BPS", "a Photoshop image"),
    (b"%PDF-", "a PDF file"),
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    (b"{\\rtf", "an RTF document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\x7fELF", "a program"),
    (b"\xcf\xfa\xed\xfe", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\x00asm", "a program"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"ID3", "an audio file"),
    (b"OggS", "an audio file"),
    (b"fLaC", "an audio file"),
    (b"\x1aE\xdf\xa3", "a video file"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"\x00\x01\x00\x00\x00", "a font"),
    (b"PAR1", "a Parquet file"),
)
# Containers that name their content a few bytes in: (offset, bytes, words).
_INNER_SIGNATURES = (
    (8, b"WEBP", "a WebP image"),
    (8, b"WAVE", "an audio file"),
    (8, b"AVI ", "a video file"),
    (4, b"ftyp", "a video or photo file"),
    (257, b"ustar", "a TAR archive"),
)


def refuse_binary(name: str, data: bytes) -> None:
    """Raise `UnsupportedFile` with what the file really is where its bytes are not text."""
    found = _signature(data)
    if found is None and b"\x00" in data and not has_unicode_mark(data) and utf16_without_mark(data) is None:
        found = _guess(data)
    if found is not None:
        raise UnsupportedFile(f"{base_name(name)} is {found}, not a text file, whatever its name says.")


def _signature(data: bytes) -> str | None:
    for signature, words in _SIGNATURES:
        if data.startswith(signature):
            return words
    if data.startswith(b"MZ") and b"\x00" in data[:64]:
        return "a program"
    for offset, signature, words in _INNER_SIGNATURES:
        if data[offset : offset + len(signature)] == signature and b"\x00" in data[:512]:
            return words
    return None


def _guess(data: bytes) -> str:
    try:
        extension = puremagic.from_string(data[:4096])
    except (puremagic.PureError, ValueError):
        return "binary data (it holds NUL bytes)"
    return f"binary data (it looks like {extension or 'an unknown format'})"
