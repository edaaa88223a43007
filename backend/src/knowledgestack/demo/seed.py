"""Puts the handbook of the demo company into a workspace of the instance owner."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable

from knowledgestack.auth.service import AuthService
from knowledgestack.core.identity import Actor, Person, Role
from knowledgestack.core.ids import new_id
from knowledgestack.db.engine import Database
from knowledgestack.demo._repository import DemoPageRepository
from knowledgestack.demo.handbook_pages import HandbookPage, read_handbook
from knowledgestack.documents.service import DocumentService
from knowledgestack.sources.uploads import IncomingFile, UploadService
from knowledgestack.workspaces.contracts import NewWorkspace, Workspace
from knowledgestack.workspaces.service import WorkspaceService

WORKSPACE_NAME = "Quillmoor Machines"

_SETTLED_STATES = frozenset({"ready", "failed", "needs_ocr"})
_PAGE_LIMIT = 200


class DemoSeeder:
    """Uploads the pages as a person would. A run that finds them as they are does nothing."""

    def __init__(
        self,
        database: Database,
        workspaces: WorkspaceService,
        uploads: UploadService,
        documents: DocumentService,
        auth: AuthService,
    ) -> None:
        self._database = database
        self._workspaces = workspaces
        self._uploads = uploads
        self._documents = documents
        self._auth = auth

    async def seed(self) -> Actor:
        """Upload the pages that are new or changed since they were last seeded; the others stay as people left them.

        Answers the owner of the demo workspace.
        """
        person = await self._owner()
        workspace = await self._find_workspace(person)
        if workspace is None:
            workspace = await self._workspaces.create(person, NewWorkspace(name=WORKSPACE_NAME), has_active=True)
        actor = _owner_of(person, workspace)
        async with self._database.transaction() as tx:
            seeded = await DemoPageRepository(tx, actor.workspace_id).seeded()
        changed = [page for page in read_handbook() if seeded.get(page.name, ("",))[0] != page.content_hash]
        if not changed:
            return actor
        outcome = await self._uploads.upload(actor, _incoming(changed))
        async with self._database.transaction() as tx:
            await DemoPageRepository(tx, actor.workspace_id).record(
                outcome.source_id, {page.name: page.content_hash for page in changed}
            )
        return actor

    async def progress(self) -> tuple[int, int, int]:
        """Pages that were seeded and are still there, those of them waiting to be indexed, and those that failed."""
        person = await self._owner()
        workspace = await self._find_workspace(person)
        if workspace is None:
            return 0, 0, 0
        actor = _owner_of(person, workspace)
        async with self._database.transaction() as tx:
            seeded = await DemoPageRepository(tx, actor.workspace_id).seeded()
        states = [
            document.state
            for source_id in {source_id for _, source_id in seeded.values()}
            for document in (await self._documents.list_for_source(actor, source_id, limit=_PAGE_LIMIT)).items
            if document.name in seeded
        ]
        waiting = sum(state not in _SETTLED_STATES for state in states)
        return len(states), waiting, sum(state == "failed" for state in states)

    async def _owner(self) -> Person:
        return Person(user_id=await self._auth.instance_owner_id(), session_id=new_id(), instance_owner=True)

    async def _find_workspace(self, person: Person) -> Workspace | None:
        cursor: str | None = None
        while True:
            page = await self._workspaces.list_workspaces(person, cursor, _PAGE_LIMIT)
            for workspace in page.items:
                if workspace.name == WORKSPACE_NAME and workspace.role is Role.OWNER:
                    return workspace
            cursor = page.next_cursor
            if cursor is None:
                return None


def _owner_of(person: Person, workspace: Workspace) -> Actor:
    return Actor(
        user_id=person.user_id,
        session_id=person.session_id,
        instance_owner=True,
        workspace_id=workspace.id,
        role=workspace.role,
    )


async def _incoming(pages: Iterable[HandbookPage]) -> AsyncIterator[IncomingFile]:
    for page in pages:
        yield IncomingFile(name=page.name, chunks=_chunks(page.data))


async def _chunks(data: bytes) -> AsyncGenerator[bytes]:
    yield data
