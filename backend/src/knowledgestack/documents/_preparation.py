"""From bytes to chunks that are ready to be embedded and stored. Pure, and run off the event loop."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from knowledgestack.documents.chunking import Chunk, create_chunks
from knowledgestack.documents.parsers import parse
from knowledgestack.lexicon.language import detect

# Two thousand letters tell a language as surely as a whole page, in half the time.
_LANGUAGE_CHARACTERS = 3_000


@dataclass(frozen=True, slots=True)
class PreparedChunk:
    """A chunk with the text that is embedded and the SHA-256 of that text."""

    heading_path: tuple[str, ...]
    text: str
    kind: str
    blocks: Sequence[object]
    start: int
    end: int
    token_count: int
    embedded_text: str
    embedded_hash: bytes


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A parsed document; `language` is ISO 639-1 or "und"."""

    type: str
    title: str
    text: str
    language: str
    notes: tuple[str, ...]
    chunks: tuple[PreparedChunk, ...]


def prepare(name: str, data: bytes) -> PreparedDocument:
    """Parse and chunk. Raises `UnsupportedFile` and `ParseFailed` as the parsers do."""
    parsed = parse(name, data)
    title = parsed.title or name.rsplit("/", 1)[-1]
    return PreparedDocument(
        type=parsed.type.value,
        title=title,
        text=parsed.text,
        language=detect(parsed.text[:_LANGUAGE_CHARACTERS]),
        notes=tuple(parsed.notes),
        chunks=tuple(_prepare_chunk(title, chunk) for chunk in create_chunks(parsed)),
    )


def embedded_text(title: str, heading_path: Sequence[str], text: str) -> str:
    """Title, heading path and text: what a model needs to know what a chunk is about."""
    return "\n".join((" › ".join(dict.fromkeys((title, *heading_path))), text))


def _prepare_chunk(title: str, chunk: Chunk) -> PreparedChunk:
    to_embed = embedded_text(title, chunk.heading_path, chunk.text)
    return PreparedChunk(
        heading_path=chunk.heading_path,
        text=chunk.text,
        kind=chunk.kind,
        blocks=chunk.blocks,
        start=chunk.start,
        end=chunk.end,
        token_count=chunk.token_count,
        embedded_text=to_embed,
        embedded_hash=hashlib.sha256(to_embed.encode()).digest(),
    )
