"""What a search tool hands to the chat through the agent's session."""

import msgspec

from knowledgestack.retrieval.contracts import Citation
from knowledgestack.retrieval.search import NearestHeading


class CitedChunk(msgspec.Struct, frozen=True):
    """A chunk that was read. `content_hash` is that of the document's content it was cut from."""

    citation: Citation
    content_hash: str | None


class NothingFound(msgspec.Struct, frozen=True):
    """A search whose gate let nothing through; `nearest` names where its words came closest."""

    query: str
    source_count: int
    nearest: tuple[NearestHeading, ...]
