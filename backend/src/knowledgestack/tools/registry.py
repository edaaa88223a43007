"""The tools of the agent, built for one turn."""

from collections.abc import Callable

from knowledgestack.agent.tool import ToolRegistry
from knowledgestack.retrieval.search import Retrieval
from knowledgestack.tools.documents import SearchDocumentChunks
from knowledgestack.tools.wording import WORDINGS


def document_tools(retrieval: Retrieval) -> Callable[[str, int, int, bool], ToolRegistry]:
    """Builds the registry of a turn: the person's language, sources in its scope, documents named in its scope, and
    whether weak passages are kept from the answer."""

    def registry(language: str, source_count: int, document_count: int, gated: bool) -> ToolRegistry:
        wording = WORDINGS[language]
        return ToolRegistry(
            (
                SearchDocumentChunks(
                    retrieval, wording, source_count=source_count, document_count=document_count, gated=gated
                ),
            )
        )

    return registry
