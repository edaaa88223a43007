"""The agent's loop with a server behind it: the same run over both wires."""

from uuid import uuid4

import msgspec
import pytest

from knowledgestack.agent.budget import Budget, BudgetLimits
from knowledgestack.agent.instructions import answer_instructions
from knowledgestack.agent.loop import AgentLoop, AnswerDelta, Ended, StepEnded, StepStarted
from knowledgestack.agent.session import ToolSession
from knowledgestack.agent.tool import ToolRegistry
from knowledgestack.core.clock import utc_now
from knowledgestack.core.config import ChatWire
from knowledgestack.core.identity import Actor, Role
from knowledgestack.models.server_model import CHAT_WIRES, ServerModel, open_client
from tests.support.fake_model import Say, call, fake_model, say


class LookArguments(msgspec.Struct, forbid_unknown_fields=True):
    query: str


class Look:
    name = "look"
    description = "Looks something up."
    arguments = LookArguments

    def display_text(self, arguments: LookArguments) -> str:
        return f"Looking up {arguments.query}"

    async def run(self, arguments: LookArguments, session: ToolSession[None]) -> str:
        return f"[{session.cite(arguments.query, None)}] Two years."


@pytest.mark.parametrize("wire", list(CHAT_WIRES))
async def test_a_question_is_looked_up_corrected_and_answered(wire: ChatWire) -> None:
    actor = Actor(user_id=uuid4(), session_id=uuid4(), instance_owner=False, workspace_id=uuid4(), role=Role.MEMBER)
    session: ToolSession[None] = ToolSession(actor, "How long is the warranty?", None)
    with fake_model() as fake:
        client = open_client(fake.base_url, "key")
        model = ServerModel("fake-large", "compatible", True, 32_000, CHAT_WIRES[wire], client)
        fake.plan(
            Say(("I will look.",), (("look", '{"query": 5}'),)),
            call("look", {"query": "warranty"}),
            say("Two years [1]."),
        )
        instructions = answer_instructions(workspace_name="Acme", today=utc_now().date())
        events = [
            event
            async for event in AgentLoop().run(
                model, (), ToolRegistry([Look()]), session, Budget(BudgetLimits()), instructions=instructions
            )
        ]
        await client.close()
    assert [event.part for event in events if isinstance(event, StepStarted)] == [0, 1]
    assert [event.state for event in events if isinstance(event, StepEnded)] == ["failed", "done"]
    assert "".join(event.text for event in events if isinstance(event, AnswerDelta) and event.part == 2) == (
        "Two years [1]."
    )
    ended = events[-1]
    assert isinstance(ended, Ended)
    assert (ended.reason, ended.model_used, ended.usage.model_calls) == ("answered", "fake-large", 3)
    assert "[1] Two years." in str(fake.received[-1].body)
    assert "cannot be used" in str(fake.received[1].body)
