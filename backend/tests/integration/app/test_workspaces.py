from pathlib import Path
from uuid import uuid4

import pytest

from tests.support.app import running_app


async def test_who_makes_a_workspace_owns_it_and_others_do_not_see_it(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        lena, omar = await app.sign_in("lena@example.com"), await app.sign_in("omar@example.com")
        created = (await lena.post("/api/workspaces", json={"name": "  Acme   Pumps "})).json()
        assert (created["name"], created["role"], created["memberCount"]) == ("Acme Pumps", "owner", 1)
        assert len(created["joinCode"]) == 8
        assert (await omar.get("/api/workspaces")).json() == {"items": [], "nextCursor": None}
        refused = await omar.post(f"/api/workspaces/{created['id']}/select")
        unknown = await omar.post(f"/api/workspaces/{uuid4()}/select")
        assert refused.status_code == unknown.status_code == 404
        assert refused.json()["detail"] == unknown.json()["detail"]


async def test_creating_opens_the_new_workspace_only_where_none_is_open(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        client = await app.sign_in()
        first = (await client.post("/api/workspaces", json={"name": "First"})).json()
        await client.post("/api/workspaces", json={"name": "Second"})
        assert (await client.get("/api/auth/session")).json()["activeWorkspace"]["id"] == first["id"]


async def test_the_next_sign_in_opens_the_workspace_last_open(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        client = await app.sign_in()
        await client.post("/api/workspaces", json={"name": "First"})
        second = (await client.post("/api/workspaces", json={"name": "Second"})).json()
        await client.post(f"/api/workspaces/{second['id']}/select")
        later = await app.sign_in()
        assert (await later.get("/api/auth/session")).json()["activeWorkspace"]["id"] == second["id"]


async def test_the_same_name_gets_a_slug_of_its_own_and_pages_go_on(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        client = await app.sign_in()
        made = [(await client.post("/api/workspaces", json={"name": "Twin"})).json() for _ in range(3)]
        assert len({workspace["slug"] for workspace in made}) == 3
        first = (await client.get("/api/workspaces?limit=2")).json()
        rest = (await client.get("/api/workspaces", params={"cursor": first["nextCursor"]})).json()
        listed = [workspace["id"] for workspace in [*first["items"], *rest["items"]]]
        assert listed == [workspace["id"] for workspace in made]
        assert rest["nextCursor"] is None


@pytest.mark.parametrize(
    "body",
    [{}, {"name": ""}, {"name": "   "}, {"name": "a\u202eb"}, {"name": "x" * 101}, {"name": 3}, {"name": "a", "b": 1}],
)
async def test_a_bad_name_is_refused_in_a_sentence(database_url: str, tmp_path: Path, body: dict[str, object]) -> None:
    async with running_app(database_url, tmp_path) as app:
        answer = await (await app.sign_in()).post("/api/workspaces", json=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
        assert answer.json()["errors"]


async def test_a_page_that_believes_in_another_workspace_is_told(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        client = await app.sign_in()
        assert (await client.get("/api/sources")).json()["code"] == "no_active_workspace"
        await app.open_workspace(client)
        answer = await client.get("/api/sources", headers={"X-Workspace-Id": str(uuid4())})
        assert (answer.status_code, answer.json()["code"]) == (409, "workspace_changed")
