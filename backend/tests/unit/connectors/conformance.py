"""What every connector has to keep: run it over each entry of `CONNECTORS`.

A subclass of `ConnectorConformance` says how to make a connector over given documents.
"""

from abc import abstractmethod

from knowledgestack.connectors.protocol import Connector, ListedDocument


class ConnectorConformance:
    """Each test makes a source of its own; `names` are the external ids of its documents."""

    @abstractmethod
    def make(self, names: list[str]) -> Connector: ...

    async def test_pages_hold_every_document_once_in_a_stable_order(self) -> None:
        names = [f"page-{number:03}.md" for number in range(7)]
        connector = self.make(names)
        first = await listed(connector, limit=3)
        assert sorted(document.external_id for document in first) == names
        assert first == await listed(connector, limit=3)
        assert len(first) == len(await listed(connector, limit=100))

    async def test_a_page_that_is_exactly_full_ends(self) -> None:
        assert len(await listed(self.make(["a.md", "b.md", "c.md"]), limit=3)) == 3

    async def test_an_empty_source_has_one_empty_page(self) -> None:
        page = await self.make([]).list_page(None, 100)
        assert (list(page.documents), page.next_cursor) == ([], None)

    async def test_a_listed_document_can_be_fetched_and_is_not_gone(self) -> None:
        connector = self.make(["a.md"])
        content = await connector.fetch("a.md")
        assert content is not None
        assert content.data
        assert content.name.endswith(".md")
        assert not await connector.confirm_gone("a.md")

    async def test_what_was_never_there_is_gone(self) -> None:
        connector = self.make(["a.md"])
        assert await connector.fetch("b.md") is None
        assert await connector.confirm_gone("b.md")


async def listed(connector: Connector, limit: int) -> list[ListedDocument]:
    """All pages; fails where the listing does not end."""
    documents: list[ListedDocument] = []
    cursor: str | None = None
    for _ in range(100):
        page = await connector.list_page(cursor, limit)
        assert len(page.documents) <= limit
        documents.extend(page.documents)
        cursor = page.next_cursor
        if cursor is None:
            return documents
    raise AssertionError("the listing does not end")
