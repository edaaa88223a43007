from pathlib import Path

import asyncpg
import pytest

from tests.support.app import ORIGIN, running_app


async def test_a_link_signs_in_once(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        token = await app.container.auth_service.create_link(None)
        first, second = app.client(), app.client()
        entered = await first.post("/api/auth/enter", json={"token": token})
        cookie = entered.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=lax" in cookie.lower()
        again = await second.post("/api/auth/enter", json={"token": token})
        assert (again.status_code, again.json()["code"]) == (401, "link_used")
        session = (await first.get("/api/auth/session")).json()
        assert session["user"]["instanceOwner"] is True
        assert session["activeWorkspace"] is None


async def test_an_account_made_by_address_owns_nothing(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        client = await app.sign_in("Lena@example.com")
        same = await app.sign_in("lena@example.com")
        session = (await client.get("/api/auth/session")).json()
        assert session["user"]["instanceOwner"] is False
        assert (await same.get("/api/auth/session")).json()["user"]["id"] == session["user"]["id"]


async def test_signing_out_ends_the_session(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        client = await app.sign_in()
        cookie = client.cookies["ks_session"]
        assert (await client.post("/api/auth/signout")).json() == {"status": "ok"}
        stale = app.client()
        stale.cookies.set("ks_session", cookie)
        assert (await stale.get("/api/auth/session")).status_code == 401


@pytest.mark.parametrize("cookie", ["", "x", "é" * 20, "a" * 10_000, "../../etc"])
async def test_a_cookie_that_is_not_ours_is_not_signed_in(database_url: str, tmp_path: Path, cookie: str) -> None:
    async with running_app(database_url, tmp_path) as app:
        answer = await app.client().get("/api/auth/session", headers={"Cookie": f"ks_session={cookie}".encode()})
        assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
        assert answer.headers["content-type"].startswith("application/problem+json")
        assert answer.json()["requestId"] == answer.headers["x-request-id"]


async def test_an_expired_or_idle_session_is_not_signed_in(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        for change in ("expires_at = now() - interval '1 second'", "last_seen_at = now() - interval '15 days'"):
            client = await app.sign_in()
            connection = await asyncpg.connect(database_url)
            await connection.execute(f"UPDATE user_sessions SET {change}")
            await connection.close()
            assert (await client.get("/api/auth/session")).status_code == 401


async def test_a_dump_of_the_tables_signs_nobody_in(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        token = await app.container.auth_service.create_link(None)
        client = await app.sign_in()
        connection = await asyncpg.connect(database_url)
        rows = [
            *await connection.fetch("SELECT s::text FROM user_sessions s"),
            *await connection.fetch("SELECT l::text FROM sign_in_links l"),
        ]
        await connection.close()
        dump = "\n".join(row[0] for row in rows)
        assert token not in dump
        assert client.cookies["ks_session"] not in dump


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": ORIGIN, "Sec-Fetch-Site": "cross-site"},
        {"Content-Type": "text/plain"},
    ],
)
async def test_another_site_changes_nothing(database_url: str, tmp_path: Path, headers: dict[str, str]) -> None:
    async with running_app(database_url, tmp_path) as app:
        client = await app.sign_in()
        answer = await client.post("/api/workspaces", content=b'{"name": "Stolen"}', headers=headers)
        assert answer.status_code == 403
        assert (await client.get("/api/workspaces")).json()["items"] == []
        assert "access-control-allow-origin" not in answer.headers


async def test_a_request_that_states_no_origin_is_refused(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        client = await app.sign_in()
        del client.headers["Origin"]
        assert (await client.post("/api/auth/signout")).status_code == 403
        stated = await client.post("/api/auth/signout", headers={"Sec-Fetch-Site": "same-origin"})
        assert stated.status_code == 200
