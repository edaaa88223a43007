"""Builds every service once, by plain constructor calls."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from knowledgestack.agent.budget import BudgetLimits
from knowledgestack.agent.loop import AgentLoop
from knowledgestack.app.readiness import Readiness
from knowledgestack.auth.service import SESSION_LIFETIME, AuthService, open_workspace
from knowledgestack.catalogue.facts import CatalogueFacts
from knowledgestack.catalogue.jobs import SCHEDULES, catalogue_handlers
from knowledgestack.catalogue.linking import DocumentLinker
from knowledgestack.catalogue.links import LinkService
from knowledgestack.catalogue.reading import CatalogueReader
from knowledgestack.catalogue.service import CatalogueService, LoadedCatalogues
from knowledgestack.chat.process import RunServices, TurnRuns
from knowledgestack.chat.service import ChatService
from knowledgestack.connectors.protocol import Connector
from knowledgestack.connectors.registry import create_connector
from knowledgestack.core.config import Profile, Settings
from knowledgestack.core.crypto import KeyRing
from knowledgestack.core.ids import new_id
from knowledgestack.databases.connecting import DatabaseOpener
from knowledgestack.databases.facts import DatabaseFacts
from knowledgestack.databases.own_database import OwnDatabase
from knowledgestack.databases.queries import QueryService
from knowledgestack.databases.runner import StatementRunner
from knowledgestack.databases.service import ConnectionService
from knowledgestack.databases.statements import StatementLog
from knowledgestack.databases.targets import TargetLoader
from knowledgestack.databases.watching import WatchedOpener
from knowledgestack.db.engine import Database
from knowledgestack.db.guard_pool import GuardPool
from knowledgestack.documents.embedding_sets import EmbeddingSets
from knowledgestack.documents.facts import DocumentFacts
from knowledgestack.documents.indexing import DocumentIndexer
from knowledgestack.documents.jobs import document_handlers
from knowledgestack.documents.service import DocumentService
from knowledgestack.http.cookies import SessionCookie
from knowledgestack.http.outbound import MemberGuard, own_listeners
from knowledgestack.jobs.port import JobHandler
from knowledgestack.jobs.queue import PgJobQueue
from knowledgestack.jobs.schedule import JobSchedule
from knowledgestack.models.embedder_client import RemoteEmbedder
from knowledgestack.models.embedding import EmbeddingModel
from knowledgestack.models.local import LocalAnswerer
from knowledgestack.models.service import ModelService
from knowledgestack.retrieval.passages import PassageReader
from knowledgestack.retrieval.search import Retrieval
from knowledgestack.retrieval.service import SearchService
from knowledgestack.sources.facts import SourceFacts
from knowledgestack.sources.jobs import SourceJobs
from knowledgestack.sources.originals import PassReindexing, SourceFiles, UploadOriginals
from knowledgestack.sources.passes import Passes
from knowledgestack.sources.service import SourceService
from knowledgestack.sources.sync import SyncRunner
from knowledgestack.sources.uploads import UploadService
from knowledgestack.storage.objects import ObjectStore
from knowledgestack.tools.registry import ToolServices, agent_tools
from knowledgestack.verified_queries.facts import VerifiedQueryFacts
from knowledgestack.verified_queries.service import VerifiedQueryService
from knowledgestack.verified_queries.staleness import mark_stale
from knowledgestack.workspaces.service import WorkspaceService

LocalEmbedding = Callable[[UUID], EmbeddingModel]
"""The bundled model under the id of its row: in the worker the model itself, elsewhere the way to a worker."""


@dataclass(frozen=True, kw_only=True)
class Container:
    """Every service of one process. `injected` names those that routes take."""

    settings: Settings
    database: Database
    guard_pool: GuardPool
    session_cookie: SessionCookie
    readiness: Readiness
    auth_service: AuthService
    workspace_service: WorkspaceService
    model_service: ModelService
    document_service: DocumentService
    source_service: SourceService
    upload_service: UploadService
    search_service: SearchService
    catalogue_service: CatalogueService
    link_service: LinkService
    verified_query_service: VerifiedQueryService
    chat_service: ChatService
    connection_service: ConnectionService
    query_service: QueryService
    statement_log: StatementLog
    targets: TargetLoader
    opener: DatabaseOpener
    statement_runner: StatementRunner
    catalogue_facts: CatalogueFacts
    catalogue_reader: CatalogueReader
    document_linker: DocumentLinker
    retrieval: Retrieval
    indexer: DocumentIndexer
    embedding_sets: EmbeddingSets
    source_jobs: SourceJobs
    turn_runs: TurnRuns

    def injected(self) -> dict[str, Any]:
        return {
            "session_cookie": self.session_cookie,
            "readiness": self.readiness,
            "auth_service": self.auth_service,
            "workspace_service": self.workspace_service,
            "model_service": self.model_service,
            "document_service": self.document_service,
            "source_service": self.source_service,
            "upload_service": self.upload_service,
            "search_service": self.search_service,
            "catalogue_service": self.catalogue_service,
            "link_service": self.link_service,
            "verified_query_service": self.verified_query_service,
            "chat_service": self.chat_service,
            "connection_service": self.connection_service,
            "query_service": self.query_service,
            "statement_log": self.statement_log,
        }

    def job_handlers(self) -> tuple[JobHandler, ...]:
        return (
            *self.source_jobs.handlers(),
            *document_handlers(self.embedding_sets),
            *catalogue_handlers(self.catalogue_reader, self.document_linker),
        )

    def job_schedules(self) -> tuple[JobSchedule, ...]:
        return SCHEDULES

    async def start_runs(self) -> None:
        """What the API process does besides answering: its own turns, and those that a dead process left."""
        await self.statement_log.recover()
        await self.turn_runs.open()

    async def close(self) -> None:
        await self.turn_runs.close()
        await self.statement_runner.close()
        await self.model_service.close()
        await self.guard_pool.close()
        await self.database.close()


def build_container(settings: Settings, local_embedding: LocalEmbedding | None = None) -> Container:
    """Build it without opening a connection. The worker passes the bundled model, which it alone loads."""
    keys = KeyRing(settings.encryption_key, settings.previous_encryption_keys)
    embed_locally = local_embedding or _embedding_by_worker(settings, keys)
    database = Database(settings.database_url)
    queue = PgJobQueue()

    async def start_embedding_change(model_id: UUID) -> None:
        await embedding_sets.start_change(model_id)

    async def count_building_workspaces() -> int:
        return await embedding_sets.count_building()

    models = ModelService(
        database,
        keys,
        settings,
        local_answerer=LocalAnswerer(embed_locally(new_id())),
        local_embedding=embed_locally,
        embedding_change=start_embedding_change,
        building_workspaces=count_building_workspaces,
    )
    embedding_sets = EmbeddingSets(database, models, queue)
    store = ObjectStore(settings.object_store_url)
    passes = Passes(queue)
    linker = DocumentLinker(database, queue)
    indexer = DocumentIndexer(database, models, linker.on_indexed)
    retrieval = Retrieval(database, models)
    documents, sources = DocumentFacts(database), SourceFacts(database)

    def connect(provider: str, workspace_id: UUID, source_id: UUID) -> Connector:
        return create_connector(provider, SourceFiles(database, store, workspace_id, source_id))

    targets = TargetLoader(database)
    opener = DatabaseOpener(
        keys,
        MemberGuard(settings.outbound_allow, private_hosts=settings.profile is Profile.LOCAL),
        OwnDatabase(database, own_listeners(settings)),
        allow_privileged_roles=settings.sql_allow_privileged_roles,
    )
    statement_runner = StatementRunner(
        WatchedOpener(database, opener).open, seconds=settings.sql_timeout_seconds, pool_size=4, per_workspace=8
    )
    catalogues = LoadedCatalogues(database)
    catalogue_facts = CatalogueFacts(database, targets, statement_runner, catalogues)
    catalogue_reader = CatalogueReader(database, targets, statement_runner, queue, mark_stale)
    database_facts = DatabaseFacts(database)
    query_service = QueryService(database, targets, statement_runner)
    verified_query_facts = VerifiedQueryFacts(database, models)
    turn_runs = TurnRuns(
        RunServices(
            database=database,
            agent=AgentLoop(),
            registry_for=agent_tools(
                ToolServices(
                    retrieval=retrieval,
                    passages=PassageReader(database),
                    databases=database_facts,
                    catalogue=catalogue_facts,
                    queries=query_service,
                    verified=verified_query_facts,
                )
            ),
            documents=documents,
            limits=BudgetLimits(
                model_calls=settings.agent_model_calls,
                seconds=settings.agent_seconds,
                tokens=settings.agent_tokens,
                tool_seconds=settings.agent_tool_seconds,
            ),
            orphan_seconds=settings.run_orphan_seconds,
        )
    )
    workspace_service = WorkspaceService(database, open_workspace)
    return Container(
        settings=settings,
        database=database,
        guard_pool=GuardPool(database.dsn),
        session_cookie=SessionCookie(secure=settings.secure_cookies, lifetime=SESSION_LIFETIME),
        readiness=Readiness(database),
        auth_service=AuthService(database, workspace_service, settings.profile),
        workspace_service=workspace_service,
        model_service=models,
        document_service=DocumentService(database, UploadOriginals(database, store, passes), PassReindexing(queue)),
        source_service=SourceService(database, passes, upload_max_bytes=settings.upload_max_bytes),
        upload_service=UploadService(database, store, indexer, passes, max_bytes=settings.upload_max_bytes),
        search_service=SearchService(retrieval),
        catalogue_service=CatalogueService(database, targets, statement_runner, catalogue_reader, catalogues),
        link_service=LinkService(database, targets, catalogues),
        verified_query_service=VerifiedQueryService(database, query_service, verified_query_facts),
        chat_service=ChatService(database, models, documents, sources, database_facts, turn_runs),
        connection_service=ConnectionService(
            database,
            keys,
            opener,
            forget=statement_runner.forget,
            holdings=catalogue_facts,
            on_connected=catalogue_reader.request,
        ),
        query_service=query_service,
        statement_log=StatementLog(database),
        targets=targets,
        opener=opener,
        statement_runner=statement_runner,
        catalogue_facts=catalogue_facts,
        catalogue_reader=catalogue_reader,
        document_linker=linker,
        retrieval=retrieval,
        indexer=indexer,
        embedding_sets=embedding_sets,
        source_jobs=SourceJobs(database, store, passes, SyncRunner(database, indexer, passes, connect)),
        turn_runs=turn_runs,
    )


def _embedding_by_worker(settings: Settings, keys: KeyRing) -> LocalEmbedding:
    token = keys.derive("embedder")
    return lambda model_id: RemoteEmbedder(model_id, settings.embedder_address, token)
