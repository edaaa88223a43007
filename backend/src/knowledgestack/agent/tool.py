"""Tools of the agent: the protocol, and the registry that turns every fault of the model into a correction."""

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from knowledgestack.agent.session import ToolSession
from knowledgestack.models.chat import ToolSpec


class Tool(Protocol):
    """Something the model may call. `arguments` is a Struct; its schema and docstrings are what the model sees."""

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def arguments(self) -> type[msgspec.Struct]: ...

    def display_text(self, arguments: Any) -> str:
        """One line for the person who waits, such as `Searching documents for "refund"`."""
        ...

    async def run(self, arguments: Any, session: ToolSession[Any]) -> str:
        """Do the work and return the text the model reads. Sources are numbered by `session.cite`."""
        ...


class ToolOutcome(msgspec.Struct, frozen=True):
    """The text for the model; `ok` is false when it is a correction."""

    text: str
    ok: bool


class ToolRegistry:
    """The tools of the agent, declared once."""

    def __init__(self, tools: Sequence[Tool]) -> None: ...

    def has(self, name: str) -> bool:
        raise NotImplementedError

    def specs(self) -> tuple[ToolSpec, ...]:
        raise NotImplementedError

    async def call(self, name: str, raw_arguments: str, session: ToolSession[Any]) -> ToolOutcome:
        raise NotImplementedError
