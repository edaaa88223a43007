"""The tools of the agent, built for one turn.

No tool writes, and none calls out to a place that the model chooses: one turn may read documents and rows that
strangers wrote, and what they wrote may try to steer it.
"""

from collections.abc import Callable

import msgspec

from knowledgestack.agent.reach import TurnReach
from knowledgestack.agent.tool import Tool, ToolRegistry
from knowledgestack.catalogue.facts import CatalogueFacts
from knowledgestack.databases.facts import DatabaseFacts
from knowledgestack.databases.queries import QueryService
from knowledgestack.retrieval.passages import PassageReader
from knowledgestack.retrieval.search import Retrieval
from knowledgestack.tools.databases import ListDatabases, ListTables
from knowledgestack.tools.documents import SearchDocumentChunks
from knowledgestack.tools.naming import TurnDatabases
from knowledgestack.tools.results import TurnResults
from knowledgestack.tools.sql import ExecuteSql
from knowledgestack.tools.tables import DescribeTables, FindValues
from knowledgestack.tools.verified_queries import FindVerifiedQueries, RunVerifiedQuery, VerifiedQuestionList
from knowledgestack.tools.wording import WORDINGS
from knowledgestack.verified_queries.facts import VerifiedQueryFacts


class ToolServices(msgspec.Struct, frozen=True, kw_only=True):
    """What the tools of every turn work with."""

    retrieval: Retrieval
    passages: PassageReader
    databases: DatabaseFacts
    catalogue: CatalogueFacts
    queries: QueryService
    verified: VerifiedQueryFacts


def agent_tools(services: ToolServices) -> Callable[[TurnReach], ToolRegistry]:
    """Builds the tools of each turn; those of databases where the turn may look at one."""

    def registry(reach: TurnReach) -> ToolRegistry:
        tools: list[Tool] = [SearchDocumentChunks(services.retrieval, reach)]
        if reach.database_count:
            tools += _database_tools(services, reach)
        return ToolRegistry(tools)

    return registry


def _database_tools(services: ToolServices, reach: TurnReach) -> list[Tool]:
    wording, results = WORDINGS[reach.language], TurnResults()
    databases, catalogue = TurnDatabases(services.databases), services.catalogue
    return [
        ListDatabases(databases, catalogue, VerifiedQuestionList(services.verified), wording),
        FindVerifiedQueries(databases, services.verified, catalogue, reach),
        RunVerifiedQuery(databases, services.verified, services.queries, results, reach),
        ListTables(databases, catalogue, wording),
        DescribeTables(databases, catalogue, services.passages, wording),
        FindValues(databases, catalogue, wording),
        ExecuteSql(databases, services.queries, catalogue, results, reach),
    ]
