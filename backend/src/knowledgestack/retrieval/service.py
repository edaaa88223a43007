"""Search as the Search page shows it."""

from uuid import UUID

from knowledgestack.core.identity import Actor
from knowledgestack.retrieval.contracts import SearchResults


class SearchService:
    async def search(
        self, actor: Actor, text: str, *, limit: int | None = None, source_id: UUID | None = None, type: str | None = None
    ) -> SearchResults:
        raise NotImplementedError
