"""Routes of workspaces, and the session route."""

from uuid import UUID

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from knowledgestack.auth.session import SignedIn
from knowledgestack.core.contract import StatusOk
from knowledgestack.core.identity import Person
from knowledgestack.workspaces.contracts import NewWorkspace, Session, Workspace, WorkspacePage
from knowledgestack.workspaces.service import WorkspaceService, session_of


class SessionController(Controller):
    path = "/api/auth/session"
    tags = ("auth",)

    @get(operation_id="readSession", sync_to_thread=False)
    def read_session(self, signed_in: NamedDependency[SignedIn]) -> Session:
        return session_of(signed_in)


class WorkspaceController(Controller):
    path = "/api/workspaces"
    tags = ("workspaces",)

    @get(operation_id="listWorkspaces")
    async def list_workspaces(
        self,
        person: NamedDependency[Person],
        workspace_service: NamedDependency[WorkspaceService],
        cursor: FromQuery[str | None] = None,
        limit: FromQuery[int | None] = None,
    ) -> WorkspacePage:
        return await workspace_service.list_workspaces(person, cursor, limit)

    @post(operation_id="createWorkspace")
    async def create_workspace(
        self,
        data: JSONBody[NewWorkspace],
        signed_in: NamedDependency[SignedIn],
        workspace_service: NamedDependency[WorkspaceService],
    ) -> Workspace:
        return await workspace_service.create(signed_in.person(), data, has_active=signed_in.workspace is not None)

    @post("/{workspace_id:uuid}/select", operation_id="selectWorkspace", status_code=200)
    async def select_workspace(
        self,
        workspace_id: FromPath[UUID],
        person: NamedDependency[Person],
        workspace_service: NamedDependency[WorkspaceService],
    ) -> StatusOk:
        await workspace_service.select(person, workspace_id)
        return StatusOk()
