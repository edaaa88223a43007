"""Every fault a model can make in a call comes back as words it can act on."""

import asyncio
from uuid import uuid4

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.agent.session import ToolSession
from knowledgestack.agent.tool import Correction, PreparedCall, ToolRegistry, argument_schema
from knowledgestack.core.errors import NotFound
from knowledgestack.core.identity import Actor, Role


class Filters(msgspec.Struct, forbid_unknown_fields=True):
    year: int


class FindArguments(msgspec.Struct, forbid_unknown_fields=True):
    query: str
    limit: float | None = None
    filters: Filters | None = None


class Find:
    name = "find"
    description = "Finds things."
    arguments = FindArguments

    def __init__(self) -> None:
        self.queries: list[str] = []

    def display_text(self, arguments: FindArguments) -> str:
        return f"Finding {arguments.query}"

    async def run(self, arguments: FindArguments, session: ToolSession[None]) -> str:
        self.queries.append(arguments.query)
        match arguments.query:
            case "missing":
                raise NotFound("There is no such thing.")
            case "bug":
                raise ZeroDivisionError
            case "slow":
                await asyncio.sleep(30)
            case "long":
                return "x" * 100_000
        return f"found {arguments.query}"


def make_session() -> ToolSession[None]:
    actor = Actor(user_id=uuid4(), session_id=uuid4(), instance_owner=False, workspace_id=uuid4(), role=Role.MEMBER)
    return ToolSession(actor, "question", None)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ('{"query": ', "cannot be used"),
        ("not json", "cannot be used"),
        ('{"query": 3}', "Expected `str`, got `int`"),
        ('["query"]', "Expected `object`, got `array`"),
        ("{}", "missing required field `query`"),
        ("", "missing required field `query`"),
        ('{"query": "a", "other": 1}', "unknown field `other`"),
        ('{"query": "a", "filters": {"year": "2026"}}', "$.filters.year"),
        ('{"query": "' + "a" * 1_000_000 + '"}', "longer than"),
        ('{"query": "a", "limit": NaN}', "NaN"),
        ('{"query": "a", "limit": Infinity}', "Infinity"),
        ('{"query": "a", "query": "b"}', "twice"),
        ('{"query": "a", "filters": {"year": 1, "year": 2}}', "twice"),
        ('{"query": "a\\u0000b"}', "NUL"),
        ('{"query": "\ud800"}', "cannot be used"),
        ("[" * 50_000, "cannot be used"),
        ('{"query": ' * 20_000, "cannot be used"),
    ],
)
def test_unusable_arguments_become_a_correction_with_the_schema(raw: str, said: str) -> None:
    tool = Find()
    prepared = ToolRegistry([tool]).prepare("find", raw)
    assert isinstance(prepared, Correction)
    assert said in prepared.text
    assert '"query"' in prepared.text
    assert len(prepared.text) < 2_000
    assert tool.queries == []


@given(st.text() | st.recursive(st.none() | st.floats() | st.text(), st.lists).map(str))
def test_no_argument_text_raises(raw: str) -> None:
    assert isinstance(ToolRegistry([Find()]).prepare("find", raw), Correction | PreparedCall)


async def test_an_unknown_tool_is_answered_with_the_names_of_the_known_ones() -> None:
    registry = ToolRegistry([Find()])
    outcome = await registry.call("delete_everything", "{}", make_session())
    assert not outcome.ok
    assert "find" in outcome.text
    assert registry.has("find")
    assert not registry.has("delete_everything")


async def test_a_sound_call_runs() -> None:
    registry = ToolRegistry([Find()])
    prepared = registry.prepare("find", '{"query": "refund", "filters": {"year": 2026}}')
    assert isinstance(prepared, PreparedCall)
    assert prepared.display_text == "Finding refund"
    outcome = await registry.run(prepared, make_session())
    assert (outcome.text, outcome.ok) == ("found refund", True)


@pytest.mark.parametrize(
    ("query", "said"), [("missing", "There is no such thing."), ("bug", "failed"), ("slow", "longer than 0.05 seconds")]
)
async def test_a_failing_tool_becomes_words_for_the_model(query: str, said: str) -> None:
    registry = ToolRegistry([Find()])
    prepared = registry.prepare("find", msgspec.json.encode({"query": query}).decode())
    assert isinstance(prepared, PreparedCall)
    outcome = await registry.run(prepared, make_session(), seconds=0.05)
    assert not outcome.ok
    assert said in outcome.text
    assert "ZeroDivision" not in outcome.text


async def test_a_long_result_is_cut_and_says_so() -> None:
    outcome = await ToolRegistry([Find()]).call("find", '{"query": "long"}', make_session())
    assert len(outcome.text) < 41_000
    assert "100,000 characters in all" in outcome.text


def test_the_schema_is_an_object_at_its_top() -> None:
    schema = argument_schema(FindArguments)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert schema["$defs"]["Filters"]["properties"] == {"year": {"type": "integer"}}
    assert ToolRegistry([Find()]).specs()[0].parameters == schema


def test_a_registry_refuses_tools_that_could_hide_a_fault() -> None:
    class Loose(msgspec.Struct):
        query: str

    class LooseFind(Find):
        arguments = Loose

    with pytest.raises(ValueError, match="unknown fields"):
        ToolRegistry([LooseFind()])
    with pytest.raises(ValueError, match="same name"):
        ToolRegistry([Find(), Find()])


def test_a_session_numbers_sources_once_and_drains_events_once() -> None:
    session = make_session()
    assert [session.cite(key, key) for key in ("a", "b", "a", "c")] == [1, 2, 1, 3]
    assert session.citations == ["a", "b", "c"]
    session.emit("first")
    session.emit("second")
    assert session.drain() == ["first", "second"]
    assert session.drain() == []
