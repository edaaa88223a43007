"""The wire of /api/sources, on the whole application."""

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.app import RunningApp, running_app

LIMIT = 200_000
GUIDE = b"# Warranty\n\nRefurbished machines carry a warranty of twelve months.\n"


@dataclass
class Opened:
    app: RunningApp
    browser: httpx.AsyncClient


@pytest.fixture
def opened(database_url: str, tmp_path: Path) -> AbstractAsyncContextManager[Opened]:
    """The application with a browser in a workspace; entered by the test, whose task has to leave it too."""

    @asynccontextmanager
    async def enter() -> AsyncGenerator[Opened]:
        async with running_app(database_url, tmp_path, KS_UPLOAD_MAX_BYTES=str(LIMIT)) as app:
            browser = await app.sign_in()
            await app.open_workspace(browser)
            yield Opened(app, browser)

    return enter()


async def upload(browser: httpx.AsyncClient, *files: tuple[str, bytes]) -> httpx.Response:
    parts: list[Any] = [("files", (name, data, "application/octet-stream")) for name, data in files]
    return await browser.post("/api/sources/uploads", files=parts)


async def test_files_are_taken_and_listed_as_waiting(opened: AbstractAsyncContextManager[Opened]) -> None:
    async with opened as running:
        browser = running.browser
        answer = await upload(
            browser, ("warranty.md", GUIDE), ("policies/travel.md", GUIDE + b"x"), ("a.pdf", b"%PDF-1.7")
        )

        assert answer.status_code == 202, answer.text
        body = answer.json()
        assert [(one["name"], one["state"], one["replaced"]) for one in body["documents"]] == [
            ("warranty.md", "queued", False),
            ("policies/travel.md", "queued", False),
        ]
        assert [(one["name"], one["code"]) for one in body["rejected"]] == [("a.pdf", "unsupported_file")]
        documents = (await browser.get(f"/api/sources/{body['sourceId']}/documents")).json()
        assert {one["id"] for one in documents["items"]} == {one["id"] for one in body["documents"]}
        assert {one["state"] for one in documents["items"]} == {"queued"}
        sources = (await browser.get("/api/sources")).json()["items"]
        assert [(one["id"], one["provider"], one["documentCount"]) for one in sources] == [
            (body["sourceId"], "upload", 2)
        ]
        assert sources[0]["pass"]["state"] == "queued"
        assert set(sources[0]["pass"]) == {
            *("id", "state", "found", "new", "changed", "unchanged", "failed", "deleted"),
            *("startedAt", "finishedAt", "message"),
        }


@pytest.mark.parametrize(
    ("name", "data", "status", "code"),
    [
        ("large.md", b"a" * (LIMIT + 1), 413, "too_large"),
        ("picture.md", b"\x89PNG\r\n\x1a\n\x00\x00", 415, "unsupported_file"),
        ("report.pdf", b"%PDF-1.7", 415, "unsupported_file"),
        ("empty.md", b"", 400, "empty_file"),
        ("../secret.md", GUIDE, 400, "invalid_name"),
    ],
)
async def test_a_file_that_is_refused_alone_is_the_answer(
    opened: AbstractAsyncContextManager[Opened], name: str, data: bytes, status: int, code: str
) -> None:
    async with opened as running:
        browser = running.browser
        answer = await upload(browser, (name, data))

        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert answer.headers["content-type"] == "application/problem+json"
        assert (await browser.get("/api/sources")).json()["items"] == []


async def test_the_limit_is_that_of_each_file(opened: AbstractAsyncContextManager[Opened]) -> None:
    async with opened as running:
        whole = [(f"{number}.md", b"a" * LIMIT) for number in range(60)]
        answer = await upload(running.browser, whole[0], ("large.md", b"a" * (LIMIT + 1)), *whole[1:])

        assert answer.status_code == 202, answer.text
        assert [one["name"] for one in answer.json()["documents"]] == [name for name, _ in whole]
        assert [(one["name"], one["code"]) for one in answer.json()["rejected"]] == [("large.md", "too_large")]


async def test_a_body_far_beyond_the_limit_is_refused_before_it_is_read(
    opened: AbstractAsyncContextManager[Opened],
) -> None:
    async with opened as running:
        browser = running.browser
        sent = 0

        async def body() -> AsyncGenerator[bytes]:
            nonlocal sent
            for _ in range(100):
                sent += 1_000_000
                yield b"x" * 1_000_000

        headers = {"content-type": "multipart/form-data; boundary=b", "content-length": "100000000"}
        answer = await browser.post("/api/sources/uploads", content=body(), headers=headers)

        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("body", [{}, {"json": {"files": []}}, {"data": {"files": "text"}}])
async def test_a_body_that_is_no_form_with_files_is_refused(
    opened: AbstractAsyncContextManager[Opened], body: dict[str, Any]
) -> None:
    async with opened as running:
        browser = running.browser
        answer = await browser.post("/api/sources/uploads", **body)

        assert 400 <= answer.status_code < 500


async def test_a_second_sync_is_a_conflict_until_the_first_is_stopped(
    opened: AbstractAsyncContextManager[Opened],
) -> None:
    async with opened as running:
        browser = running.browser
        source_id = (await upload(browser, ("warranty.md", GUIDE))).json()["sourceId"]

        again = await browser.post(f"/api/sources/{source_id}/sync")
        assert (again.status_code, again.json()["code"]) == (409, "already_running")
        assert (await browser.post(f"/api/sources/{source_id}/cancel")).json() == {"status": "ok"}
        started = await browser.post(f"/api/sources/{source_id}/sync")
        assert started.status_code == 202
        passes = (await browser.get(f"/api/sources/{source_id}/passes")).json()["items"]
        assert [one["state"] for one in passes] == ["queued", "cancelled"]
        assert passes[0]["id"] == started.json()["passId"]


async def test_a_source_can_be_renamed_and_deleted(opened: AbstractAsyncContextManager[Opened]) -> None:
    async with opened as running:
        browser = running.browser
        source_id = (await upload(browser, ("warranty.md", GUIDE))).json()["sourceId"]

        changed = await browser.patch(f"/api/sources/{source_id}", json={"name": "Handbook"})
        assert changed.json()["name"] == "Handbook"
        assert (await browser.patch(f"/api/sources/{source_id}", json={"colour": "red"})).status_code == 400
        assert (await browser.delete(f"/api/sources/{source_id}")).json() == {"status": "ok"}
        assert (await browser.get("/api/sources")).json()["items"] == []
        assert (await browser.get(f"/api/sources/{source_id}/documents")).status_code == 404


async def test_the_catalogue_says_what_can_be_uploaded(opened: AbstractAsyncContextManager[Opened]) -> None:
    async with opened as running:
        browser = running.browser
        catalogue = (await browser.get("/api/sources/connectors")).json()

        assert ".md" in catalogue["uploads"]["fileExtensions"]
        assert catalogue["uploads"]["maxBytes"] == LIMIT
        assert catalogue["providers"] == []


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "sync"),
        ("POST", "cancel"),
        ("GET", "passes"),
        ("GET", "documents"),
        ("PATCH", ""),
        ("DELETE", ""),
    ],
)
async def test_the_source_of_another_workspace_looks_like_none(
    opened: AbstractAsyncContextManager[Opened], method: str, path: str
) -> None:
    async with opened as running:
        browser = running.browser
        source_id = (await upload(browser, ("warranty.md", GUIDE))).json()["sourceId"]
        stranger = await running.app.sign_in("eve@example.com")
        if True:
            await running.app.open_workspace(stranger, "Elsewhere")
            address = f"/api/sources/{source_id}/{path}".rstrip("/")
            body = {"name": "Mine"} if method == "PATCH" else None
            answer = await stranger.request(method, address, json=body)

        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
        assert len((await browser.get("/api/sources")).json()["items"]) == 1


async def test_the_schema_describes_the_form(opened: AbstractAsyncContextManager[Opened]) -> None:
    async with opened as running:
        browser = running.browser
        operation = (await browser.get("/api/openapi.json")).json()["paths"]["/api/sources/uploads"]["post"]

        form = operation["requestBody"]["content"]["multipart/form-data"]["schema"]
        assert form["properties"]["files"] == {"type": "array", "items": {"type": "string", "format": "binary"}}
        assert "202" in operation["responses"]
