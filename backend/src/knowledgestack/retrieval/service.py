"""Search as the Search page shows it."""

from uuid import UUID

from knowledgestack.core.errors import FieldError, InvalidRequest
from knowledgestack.core.identity import Actor
from knowledgestack.retrieval.contracts import SearchItem, SearchResults
from knowledgestack.retrieval.hits import SearchHit, SearchQuery
from knowledgestack.retrieval.search import Retrieval
from knowledgestack.retrieval.snippets import snippet

_DEFAULT_LIMIT = 10
_MAX_LIMIT = 50


class SearchService:
    """Shows what is found, weak hits too: a person who reads a list judges for themselves."""

    def __init__(self, retrieval: Retrieval) -> None:
        self._retrieval = retrieval

    async def search(
        self,
        actor: Actor,
        text: str,
        *,
        limit: int | None = None,
        source_id: UUID | None = None,
        document_type: str | None = None,
    ) -> SearchResults:
        """Raises `InvalidRequest` for an empty question or a limit below one."""
        if not text.strip():
            raise InvalidRequest("Type what you are looking for.", errors=(FieldError("q", "is empty"),))
        if limit is not None and limit < 1:
            raise InvalidRequest("The limit has to be at least 1.", errors=(FieldError("limit", "is below 1"),))
        query = SearchQuery(
            text=text.strip(),
            limit=min(limit or _DEFAULT_LIMIT, _MAX_LIMIT),
            source_ids=(source_id,) if source_id is not None else (),
            types=(document_type,) if document_type is not None else (),
            gated=False,
        )
        outcome = await self._retrieval.search(actor, query)
        return SearchResults(items=[_item(hit) for hit in outcome.hits], dense=outcome.dense)


def _item(hit: SearchHit) -> SearchItem:
    text, highlights = snippet(hit)
    return SearchItem(
        chunk_id=hit.chunk_id,
        document_id=hit.document_id,
        source_id=hit.source_id,
        title=hit.title,
        url=hit.url,
        provider=hit.provider,
        type=hit.type,
        heading_path=list(hit.heading_path),
        snippet=text,
        match_kind=hit.match_kind,
        score=hit.score,
        range=hit.range,
        author=hit.author,
        updated_at=hit.updated_at,
        highlights=highlights,
    )
