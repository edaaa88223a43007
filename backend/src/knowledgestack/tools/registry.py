"""The tools of the agent, built for one turn."""

from collections.abc import Callable

from knowledgestack.agent.reach import TurnReach
from knowledgestack.agent.tool import ToolRegistry
from knowledgestack.retrieval.search import Retrieval
from knowledgestack.tools.documents import SearchDocumentChunks


def document_tools(retrieval: Retrieval) -> Callable[[TurnReach], ToolRegistry]:
    """Builds the tools of each turn that reads documents alone."""

    def registry(reach: TurnReach) -> ToolRegistry:
        return ToolRegistry((SearchDocumentChunks(retrieval, reach),))

    return registry
