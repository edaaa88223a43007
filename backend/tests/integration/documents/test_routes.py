from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from knowledgestack.core.ids import new_id
from tests.support.app import RunningApp, running_app

PAGE = b"# Returns\n\n<script>alert(1)</script>\n\nA couch can be returned within thirty days of delivery.\n"


@dataclass
class Uploaded:
    running: RunningApp
    client: httpx.AsyncClient
    source_id: str
    document_id: str


# Not a fixture: the app's lifespan has to end in the task that it began in.
@asynccontextmanager
async def uploading(database_url: str, tmp_path: Path) -> AsyncGenerator[Uploaded]:
    # Nothing listens at the embedder's address, as when the worker is down.
    async with running_app(database_url, tmp_path, KS_EMBEDDER_ADDRESS="127.0.0.1:9") as running:
        client = await running.sign_in()
        await running.open_workspace(client)
        answer = await client.post("/api/sources/uploads", files=[("files", ("how to/returns.md", PAGE))])
        assert answer.status_code == 202, answer.text
        body = answer.json()
        yield Uploaded(running, client, body["sourceId"], body["documents"][0]["id"])


def lose_originals(folder: Path) -> None:
    [kept] = [path for path in folder.rglob("*") if path.is_file() and path.read_bytes() == PAGE]
    kept.unlink()


async def test_a_document_waits_after_its_upload_and_names_its_author(database_url: str, tmp_path: Path) -> None:
    async with uploading(database_url, tmp_path) as uploaded:
        document = (await uploaded.client.get(f"/api/documents/{uploaded.document_id}")).json()
        assert (document["state"], document["sourceId"]) == ("queued", uploaded.source_id)
        assert document["author"]
        assert document["failure"] is None
        assert document["updatedAt"].endswith("Z")


async def test_an_original_is_handed_out_as_an_attachment_that_cannot_run(database_url: str, tmp_path: Path) -> None:
    async with uploading(database_url, tmp_path) as uploaded:
        answer = await uploaded.client.get(f"/api/documents/{uploaded.document_id}/original")
        assert answer.status_code == 200
        assert answer.content == PAGE
        assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''returns.md"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in answer.headers["content-security-policy"]


async def test_an_original_that_is_lost_is_said_to_be(database_url: str, tmp_path: Path) -> None:
    async with uploading(database_url, tmp_path) as uploaded:
        lose_originals(tmp_path)
        answer = await uploaded.client.get(f"/api/documents/{uploaded.document_id}/original")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_documents_of_others_look_like_none(database_url: str, tmp_path: Path) -> None:
    async with uploading(database_url, tmp_path) as uploaded:
        stranger = await uploaded.running.sign_in("stranger@example.com")
        await uploaded.running.open_workspace(stranger, "Elsewhere")
        for document_id in (uploaded.document_id, new_id()):
            for path in ("", "/text", "/chunks", "/original"):
                answer = await stranger.get(f"/api/documents/{document_id}{path}")
                assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
            assert (await stranger.delete(f"/api/documents/{document_id}")).status_code == 404
            assert (await stranger.post(f"/api/documents/{document_id}/retry")).status_code == 404
        assert (await uploaded.client.get(f"/api/documents/{uploaded.document_id}")).status_code == 200


async def test_deleting_a_document_takes_it_out_of_the_list(database_url: str, tmp_path: Path) -> None:
    async with uploading(database_url, tmp_path) as uploaded:
        answer = await uploaded.client.delete(f"/api/documents/{uploaded.document_id}")
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
        listing = await uploaded.client.get(f"/api/sources/{uploaded.source_id}/documents")
        assert listing.json() == {"items": [], "nextCursor": None}


async def test_an_id_that_is_none_is_not_found(database_url: str, tmp_path: Path) -> None:
    async with uploading(database_url, tmp_path) as uploaded:
        assert (await uploaded.client.get("/api/documents/returns")).status_code == 404


async def test_search_answers_over_http(database_url: str, tmp_path: Path) -> None:
    async with uploading(database_url, tmp_path) as uploaded:
        assert (await uploaded.client.get("/api/search", params={"q": "couch"})).json()["items"] == []
        empty = await uploaded.client.get("/api/search", params={"q": "  "})
        assert (empty.status_code, empty.json()["code"]) == (400, "invalid_request")
        assert (await uploaded.client.get("/api/search")).status_code == 400
        wrong = await uploaded.client.get("/api/search", params={"q": "couch", "sourceId": "x"})
        assert wrong.status_code == 400
