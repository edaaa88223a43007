"""Tools of the agent: the protocol, and the registry that turns every fault of the model into a correction."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any, Protocol

import msgspec
import structlog

from knowledgestack.agent.session import ToolSession
from knowledgestack.core.errors import AppError
from knowledgestack.models.chat import ToolSpec

_log = structlog.get_logger(__name__)

MAX_ARGUMENT_CHARACTERS = 100_000
MAX_OUTPUT_CHARACTERS = 40_000
DEFAULT_TOOL_SECONDS = 60.0
_MAX_FAULT_CHARACTERS = 400


class Tool(Protocol):
    """Something the model may call. `arguments` is a Struct that refuses unknown fields; its schema is what the
    model sees."""

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
    """The text for the model; `ok` is false when it is a correction or the tool failed."""

    text: str
    ok: bool


class PreparedCall(msgspec.Struct, frozen=True):
    """A call whose tool exists and whose arguments fit."""

    tool: Tool
    arguments: msgspec.Struct
    display_text: str


class Correction(msgspec.Struct, frozen=True):
    """What the model has to do otherwise, in words it can act on."""

    text: str


class ToolRegistry:
    """The tools of the agent, declared once."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        if len(self._tools) != len(tools):
            raise ValueError("two tools have the same name")
        for tool in tools:
            if not tool.arguments.__struct_config__.forbid_unknown_fields:
                raise ValueError(f"the arguments of {tool.name} have to refuse unknown fields")
        self._specs = tuple(ToolSpec(tool.name, tool.description, argument_schema(tool.arguments)) for tool in tools)

    def has(self, name: str) -> bool:
        return name in self._tools

    def specs(self) -> tuple[ToolSpec, ...]:
        return self._specs

    def prepare(self, name: str, raw_arguments: str) -> PreparedCall | Correction:
        """Check a call as the model wrote it; nothing runs yet."""
        tool = self._tools.get(name)
        if tool is None:
            known = ", ".join(self._tools) or "none"
            return Correction(f"There is no tool named {name[:100]!r}. The tools are: {known}. Nothing was run.")
        try:
            arguments = _decode(raw_arguments, tool.arguments)
        except _BadArguments as error:
            schema = json.dumps(argument_schema(tool.arguments))
            return Correction(
                f"The arguments of {name} cannot be used: {error}. Nothing was run."
                f" Call it again with JSON of this schema: {schema}"
            )
        return PreparedCall(tool, arguments, tool.display_text(arguments))

    async def run(
        self, call: PreparedCall, session: ToolSession[Any], *, seconds: float = DEFAULT_TOOL_SECONDS
    ) -> ToolOutcome:
        """Run a checked call; a failure or a tool slower than `seconds` becomes text for the model."""
        name = call.tool.name
        try:
            async with asyncio.timeout(seconds):
                text = await call.tool.run(call.arguments, session)
        except TimeoutError:
            return ToolOutcome(f"{name} took longer than {seconds:g} seconds and was ended. Ask for less.", ok=False)
        except AppError as error:
            return ToolOutcome(f"{name} failed: {error.detail}", ok=False)
        except Exception:  # noqa: BLE001 (whatever a tool raises, the turn goes on and the log has the cause)
            _log.exception("tool_failed", tool=name)
            return ToolOutcome(f"{name} failed. Go on without it, and say what is missing.", ok=False)
        return ToolOutcome(_shortened(text), ok=True)

    async def call(self, name: str, raw_arguments: str, session: ToolSession[Any]) -> ToolOutcome:
        """Check and run in one step; faults come back as text, never as exceptions."""
        prepared = self.prepare(name, raw_arguments)
        if isinstance(prepared, Correction):
            return ToolOutcome(prepared.text, ok=False)
        return await self.run(prepared, session)


def argument_schema(arguments: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON schema of a tool's arguments, an object at its top as model servers demand."""
    (reference,), parts = msgspec.json.schema_components([arguments], ref_template="#/$defs/{name}")
    top = parts.pop(str(reference["$ref"]).rpartition("/")[2])
    return {**top, "$defs": parts} if parts else top


class _BadArguments(Exception):
    pass


def _decode(raw: str, kind: type[msgspec.Struct]) -> msgspec.Struct:
    text = raw.strip() or "{}"
    if len(text) > MAX_ARGUMENT_CHARACTERS:
        raise _BadArguments(f"they are longer than {MAX_ARGUMENT_CHARACTERS:,} characters")
    try:
        # msgspec checks types and refuses NaN but keeps the last of two equal names; the first pass refuses them.
        json.loads(text, object_pairs_hook=_unique_names, parse_constant=_refuse_constant)
        decoded = msgspec.json.decode(text.encode(), type=kind)
    except _BadArguments:
        raise
    except (ValueError, RecursionError) as error:
        raise _BadArguments(str(error)[:_MAX_FAULT_CHARACTERS].rstrip(".")) from error
    if "\\u0000" in text or "\0" in text:
        raise _BadArguments("they hold a NUL character")
    return decoded


def _unique_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
    names = dict(pairs)
    if len(names) != len(pairs):
        raise _BadArguments("a name stands in them twice")
    return names


def _refuse_constant(name: str) -> object:
    raise _BadArguments(f"{name} is not JSON")


def _shortened(text: str) -> str:
    if len(text) <= MAX_OUTPUT_CHARACTERS:
        return text
    return f"{text[:MAX_OUTPUT_CHARACTERS]}\n[The rest was cut: {len(text):,} characters in all.]"
