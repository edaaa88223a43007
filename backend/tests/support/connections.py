"""What people do with databases over the wire, for tests that need one connected."""

from typing import Any

import httpx

from tests.support.app import RunningApp
from tests.support.target import TargetDatabase

PATH = "/api/database-connections"


async def owner(app: RunningApp) -> httpx.AsyncClient:
    """A browser of somebody who owns the workspace that is open."""
    client = await app.sign_in()
    await app.open_workspace(client)
    return client


async def joined(app: RunningApp, client: httpx.AsyncClient, email: str, role: str) -> httpx.AsyncClient:
    """A browser of somebody else in the same workspace."""
    workspace_id = (await client.get("/api/auth/session")).json()["activeWorkspace"]["id"]
    other = await app.sign_in(email)
    user_id = (await other.get("/api/auth/session")).json()["user"]["id"]
    async with app.container.database.transaction() as tx:
        await tx.exec_driver_sql(
            "INSERT INTO workspace_memberships (workspace_id, user_id, role) VALUES ($1, $2, $3)",
            (workspace_id, user_id, role),
        )
    selected = await other.post(f"/api/workspaces/{workspace_id}/select")
    assert selected.status_code == 200, selected.text
    return other


async def register(client: httpx.AsyncClient, target: TargetDatabase, **changed: Any) -> dict[str, Any]:
    answer = await client.post(PATH, json=target.registration(**changed))
    assert answer.status_code == 200, answer.text
    return answer.json()


async def registered(client: httpx.AsyncClient, target: TargetDatabase, **changed: Any) -> dict[str, Any]:
    saved = await register(client, target, **changed)
    assert saved["success"], saved
    return saved["databaseConnection"]
