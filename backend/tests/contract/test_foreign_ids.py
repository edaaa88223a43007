"""Whose is it: every route that takes an id, asked with an id of another workspace and with one of nobody."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

from knowledgestack.http.openapi import openapi_document
from tests.support.app import RunningApp, running_app
from tests.support.connections import registered
from tests.support.database import Databases
from tests.support.target import target_database

BODIES: dict[tuple[str, str], Any] = {
    ("patch", "/api/sources/{sourceId}"): {"name": "Mine now"},
    ("patch", "/api/chat/{chatId}"): {"title": "Mine now"},
    ("put", "/api/chat/{chatId}/path"): {"turnId": str(uuid4())},
    ("post", "/api/chat/{chatId}/turns"): {"question": "Whose is this?"},
    ("post", "/api/chat/{chatId}/turns/{turnId}/feedback"): {"rating": "up"},
    ("patch", "/api/database-connections/{connectionId}"): {"name": "Mine now"},
    ("post", "/api/database-connections/{connectionId}/queries"): {"sql": "SELECT 1"},
    ("post", "/api/database-connections/{connectionId}/queries/export"): {"sql": "SELECT 1", "format": "csv"},
    ("patch", "/api/database-connections/{connectionId}/tables/{schema}/{table}/description"): {"description": "Mine"},
    ("patch", "/api/database-connections/{connectionId}/tables/{schema}/{table}/columns/{column}/description"): {
        "description": "Mine"
    },
    ("put", "/api/database-connections/{connectionId}/descriptions"): {"items": []},
    ("patch", "/api/verified-queries/{verifiedQueryId}"): {"question": "Mine now"},
    ("patch", "/api/document-links/{linkId}"): {"state": "confirmed"},
}
"""Bodies that are valid but for the ids; a new route with a body and an id in its address needs a line here."""


def routes_with_ids(app: RunningApp) -> Iterator[tuple[str, str, bool]]:
    for path, item in openapi_document(app.app)["paths"].items():
        if "{" in path:
            for method, operation in item.items():
                yield method, path, "requestBody" in operation


async def upload(client: httpx.AsyncClient) -> tuple[str, str]:
    files = [("files", ("rules.md", b"# Rules\n\nNobody else may read this page of ours."))]
    answer = await client.post("/api/sources/uploads", files=files)
    assert answer.status_code == 202, answer.text
    return answer.json()["sourceId"], answer.json()["documents"][0]["id"]


async def save_query(client: httpx.AsyncClient, connection_id: str) -> str:
    body = {"databaseConnectionId": connection_id, "question": "How much is one?", "sql": "SELECT 1"}
    return (await client.post("/api/verified-queries", json=body)).json()["id"]


async def test_foreign_and_unknown_ids_look_the_same_and_nothing_changes(
    database_url: str, tmp_path: Path, databases: Databases
) -> None:
    async with running_app(database_url, tmp_path) as app, target_database(databases.server_url) as target:
        lena, omar = await app.sign_in("lena@example.com"), await app.sign_in("omar@example.com")
        workspace_id = await app.open_workspace(lena, "Lena's")
        await app.open_workspace(omar, "Omar's")
        source_id, document_id = await upload(lena)
        chat_id = (await lena.post("/api/chat", json={})).json()["id"]
        connection_id = (await registered(lena, target))["id"]
        foreign = {
            "workspaceId": workspace_id,
            "sourceId": source_id,
            "documentId": document_id,
            "chatId": chat_id,
            "turnId": str(uuid4()),
            "connectionId": connection_id,
            "linkId": str(uuid4()),
            "verifiedQueryId": await save_query(lena, connection_id),
            "schema": "public",
            "table": "orders",
            "column": "id",
        }
        before = await seen_by(lena, foreign)
        for method, path, has_body in routes_with_ids(app):
            assert not has_body or (method, path) in BODIES, f"{method} {path} needs a body in this test"
            answers = [
                await omar.request(method, filled(path, ids), json=BODIES.get((method, path)))
                for ids in (foreign, dict.fromkeys(foreign, str(uuid4())))
            ]
            seen = [(answer.status_code, answer.json()["code"], answer.json()["detail"]) for answer in answers]
            assert seen[0][:2] == (404, "not_found"), (method, path, seen)
            assert seen[0] == seen[1], (method, path)
        assert await seen_by(lena, foreign) == before
        ran = await lena.post(f"/api/database-connections/{foreign['connectionId']}/queries", json={"sql": "SELECT 1"})
        assert ran.status_code == 200
        lena_id = (await lena.get("/api/auth/session")).json()["user"]["id"]
        for asked in ({"databaseConnectionId": foreign["connectionId"]}, {"userId": lena_id}):
            assert (await omar.get("/api/database-statements", params=asked)).json()["items"] == []


async def test_another_person_of_the_same_workspace_does_not_see_ones_chats(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        lena, omar = await app.sign_in("lena@example.com"), await app.sign_in("omar@example.com")
        workspace_id = await app.open_workspace(lena, "Shared")
        omar_id = (await omar.get("/api/auth/session")).json()["user"]["id"]
        async with app.container.database.transaction() as tx:
            await tx.exec_driver_sql(
                "INSERT INTO workspace_memberships (workspace_id, user_id, role) VALUES ($1, $2, 'member')",
                (workspace_id, omar_id),
            )
        await omar.post(f"/api/workspaces/{workspace_id}/select")
        chat_id = (await lena.post("/api/chat", json={})).json()["id"]
        assert (await omar.get("/api/chat")).json()["items"] == []
        for method, path, _ in routes_with_ids(app):
            if path.startswith("/api/chat/"):
                ids = {"chatId": chat_id, "turnId": str(uuid4())}
                answer = await omar.request(method, filled(path, ids), json=BODIES.get((method, path)))
                assert answer.status_code == 404, (method, path)
        source_id, document_id = await upload(lena)
        assert (await omar.get(f"/api/documents/{document_id}")).status_code == 200
        assert (await omar.delete(f"/api/documents/{document_id}")).status_code == 403
        assert (await omar.delete(f"/api/sources/{source_id}")).status_code == 403


async def seen_by(client: httpx.AsyncClient, ids: dict[str, str]) -> list[Any]:
    addresses = [
        "/api/workspaces",
        f"/api/sources/{ids['sourceId']}/passes",
        f"/api/documents/{ids['documentId']}",
        f"/api/chat/{ids['chatId']}",
        f"/api/database-connections/{ids['connectionId']}",
        f"/api/verified-queries/{ids['verifiedQueryId']}",
        "/api/database-statements",
    ]
    return [(await client.get(address)).json() for address in addresses]


def filled(path: str, ids: dict[str, str]) -> str:
    for name, value in ids.items():
        path = path.replace(f"{{{name}}}", value)
    assert "{" not in path, path
    return path
