"""A provider in memory, whose listing can be told to misbehave."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from knowledgestack.connectors.protocol import Connector, DocumentContent, ListedDocument, ListedPage


@dataclass
class FakeProvider:
    """Pages by number. `hidden` are left out of listings although they live; `on_fetch` runs before each fetch."""

    pages: dict[str, str]
    provider: str = "test"
    deletes_are_explicit: bool = False
    hidden: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    cursors: list[str | None] = field(default_factory=list)
    endless: bool = False
    on_fetch: Callable[[str], None] | None = None
    edited_at: datetime = datetime(2026, 11, 2, tzinfo=UTC)

    async def list_page(self, cursor: str | None, limit: int) -> ListedPage:
        self.cursors.append(cursor)
        names = sorted(name for name in self.pages if name not in self.hidden)
        start = int(cursor or 0)
        rest = names[start + limit :]
        documents = [
            ListedDocument(external_id=name, title=name, edited_at=self.edited_at)
            for name in names[start : start + limit]
        ]
        return ListedPage(documents=documents, next_cursor=str(start + limit) if rest or self.endless else None)

    async def fetch(self, external_id: str) -> DocumentContent | None:
        if self.on_fetch is not None:
            self.on_fetch(external_id)
        text = self.pages.get(external_id)
        return None if text is None else DocumentContent(data=text.encode(), name=external_id, edited_at=self.edited_at)

    async def confirm_gone(self, external_id: str) -> bool:
        self.asked.append(external_id)
        return external_id not in self.pages

    def connect(self, provider: str, workspace_id: UUID, source_id: UUID) -> Connector:
        return self
