"""Compaction: the oldest nine tenths of a long conversation become a summary (requirement 112)."""

import re
from collections.abc import Sequence
from contextlib import aclosing

import msgspec
import structlog

from knowledgestack.agent.budget import Budget, WallClockReached
from knowledgestack.agent.instructions import SUMMARY_INSTRUCTIONS
from knowledgestack.models.chat import (
    LOCAL_ANSWERER_ID,
    ChatModel,
    Completed,
    Message,
    ModelFailed,
    ModelRequest,
    TextDelta,
    UserMessage,
    events_of,
)

_log = structlog.get_logger(__name__)

_KEPT_SHARE = 10
# Numbers in brackets point into answers that the reader of a summary does not have.
_RESULT_NUMBERS = re.compile(r"\s*\[\s*Q?\d+(?:\s*[,;–-]\s*Q?\d+)*\s*\]")


class CompactedHistory(msgspec.Struct, frozen=True):
    """`summary` tells the first `turn_count` turns (and what an earlier summary told); `kept` is the rest, verbatim."""

    summary: str
    turn_count: int
    kept: tuple[Message, ...]


def split_history(history: Sequence[Message]) -> tuple[list[Message], list[Message], int] | None:
    """Split at a turn's border: (oldest nine tenths, newest tenth, turns in the first); None when too short."""
    starts = [index for index, message in enumerate(history) if isinstance(message, UserMessage)]
    kept = -(-len(starts) // _KEPT_SHARE)
    told = len(starts) - kept
    if told < 1:
        return None
    border = starts[told]
    return list(history[:border]), list(history[border:]), told


async def compact_history(
    model: ChatModel, history: Sequence[Message], summary: str | None, budget: Budget
) -> CompactedHistory | None:
    """Have the model summarise the oldest turns.

    None when the history is too short, when the model cannot summarise, or when the call fails: the turn goes on
    without. The local answerer reads the question alone, so a summary would help nobody.
    """
    split = split_history(history)
    if split is None or model.id == LOCAL_ANSWERER_ID:
        return None
    oldest, kept, told = split
    try:
        text = await _summarise(model, oldest, summary, budget)
    except (ModelFailed, WallClockReached) as error:
        _log.warning("compaction_failed", code=getattr(error, "code", "wall_clock"))
        return None
    return CompactedHistory(text, told, tuple(kept)) if text else None


async def _summarise(model: ChatModel, oldest: Sequence[Message], summary: str | None, budget: Budget) -> str:
    earlier = [f"Summary of what came before:\n{summary}"] if summary else []
    lines = [f"{'Person' if isinstance(message, UserMessage) else 'Assistant'}: {message.text}" for message in oldest]
    transcript = _RESULT_NUMBERS.sub("", "\n\n".join([*earlier, *lines]))
    request = ModelRequest(instructions=SUMMARY_INSTRUCTIONS, messages=(UserMessage(transcript),))
    pieces: list[str] = []
    budget.count_model_call()
    async with aclosing(events_of(model, request)) as events:
        async for event in budget.within_time(events):
            if isinstance(event, TextDelta):
                pieces.append(event.text)
            elif isinstance(event, Completed):
                budget.count_tokens(event.input_tokens, event.output_tokens)
    return _RESULT_NUMBERS.sub("", "".join(pieces)).strip()
