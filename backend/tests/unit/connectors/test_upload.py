"""The upload connector over files in memory."""

import hashlib
from datetime import UTC, datetime

import pytest

from knowledgestack.connectors.registry import CONNECTORS, UnknownProvider, create_connector
from knowledgestack.connectors.upload import UploadConnector, UploadedFile
from tests.unit.connectors.conformance import ConnectorConformance


class MemoryFiles:
    def __init__(self, names: list[str]) -> None:
        self.data = {name: f"# {name}\n".encode() for name in names}

    async def page(self, after: str | None, limit: int) -> list[UploadedFile]:
        return [self._file(name) for name in sorted(self.data) if name > (after or "")][:limit]

    async def read(self, file_name: str) -> tuple[UploadedFile, bytes] | None:
        data = self.data.get(file_name)
        return None if data is None else (self._file(file_name), data)

    async def exists(self, file_name: str) -> bool:
        return file_name in self.data

    def _file(self, name: str) -> UploadedFile:
        return UploadedFile(
            file_name=name,
            content_hash=hashlib.sha256(self.data[name]).hexdigest(),
            uploaded_at=datetime(2026, 11, 2, tzinfo=UTC),
            uploader="Ada",
            uploader_id=None,
        )


class TestUploadConnector(ConnectorConformance):
    def make(self, names: list[str]) -> UploadConnector:
        return UploadConnector(MemoryFiles(names))

    async def test_a_file_is_listed_with_who_uploaded_it_and_what_it_holds(self) -> None:
        page = await self.make(["policies/travel.md"]).list_page(None, 100)

        document = page.documents[0]
        assert (document.external_id, document.title, document.author) == ("policies/travel.md",) * 2 + ("Ada",)
        assert document.content_hash == hashlib.sha256(b"# policies/travel.md\n").hexdigest()


def test_each_provider_has_one_connector() -> None:
    providers = [connector.provider for connector in CONNECTORS]

    assert len(set(providers)) == len(providers)
    assert all(create_connector(provider, MemoryFiles([])).provider == provider for provider in providers)


def test_an_unknown_provider_is_refused() -> None:
    with pytest.raises(UnknownProvider):
        create_connector("carrier-pigeon", MemoryFiles([]))
