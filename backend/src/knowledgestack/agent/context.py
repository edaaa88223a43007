"""How full a conversation's context is (requirement 113), and what is left out when it does not fit (140)."""

from collections.abc import Callable, Sequence

import msgspec

from knowledgestack.lexicon.tokens import count_tokens
from knowledgestack.models.chat import AssistantMessage, Message, ToolResult, UserMessage

MAX_TURNS = 100
MAX_TOKENS = 256_000
_RESERVE_TOKENS = 32_000
_MESSAGE_OVERHEAD = 4
_DROPPED = "[This result was left out to save space. Call the tool again if you need it.]"


TokenCount = Callable[[Message], int]


class ContextMeasure(msgspec.Struct, frozen=True):
    """`fraction` is the larger of turns and tokens over their limits; from 1 on the conversation is compacted."""

    turn_count: int
    max_turn_count: int
    token_count: int
    max_token_count: int
    fraction: float


def measure_context(
    messages: Sequence[Message],
    *,
    summary: str | None = None,
    instructions: str = "",
    context_window: int | None = None,
    count: TokenCount | None = None,
) -> ContextMeasure:
    """Measure a conversation; `context_window` is the model's own in tokens, None where unknown.

    Each user message is a turn. Tokens are those of cl100k_base, which other models' counts stay close to.
    """
    turns = sum(isinstance(message, UserMessage) for message in messages)
    tokens = sum(map(count or message_tokens, messages)) + count_tokens(instructions) + count_tokens(summary or "")
    limit = min(MAX_TOKENS, window_limit(context_window))
    return ContextMeasure(
        turn_count=turns,
        max_turn_count=MAX_TURNS,
        token_count=tokens,
        max_token_count=limit,
        fraction=max(turns / MAX_TURNS, tokens / limit),
    )


def window_limit(context_window: int | None) -> int:
    """Tokens of input a window takes when room is kept for the answer and for what tools will add."""
    if context_window is None:
        return MAX_TOKENS
    return max(1, context_window - min(_RESERVE_TOKENS, context_window // 4))


def message_tokens(message: Message) -> int:
    tokens = count_tokens(message.text) + _MESSAGE_OVERHEAD
    if isinstance(message, AssistantMessage):
        tokens += sum(count_tokens(call.name) + count_tokens(call.arguments) for call in message.tool_calls)
    return tokens


class MessageTokens:
    """Counts each message of a run once: a long conversation is measured before every model call."""

    def __init__(self) -> None:
        self._known: dict[Message, int] = {}

    def __call__(self, message: Message) -> int:
        tokens = self._known.get(message)
        if tokens is None:
            tokens = self._known[message] = message_tokens(message)
        return tokens


def fit_context(
    history: Sequence[Message], turn: Sequence[Message], *, limit: int, count: TokenCount = message_tokens
) -> tuple[Message, ...] | None:
    """What is sent when all of it would not fit `limit` tokens; None when even the question does not.

    First the oldest tool results of this turn lose their text (the newest stays), then the oldest turns of the
    history go. The question, and the order of all that stays, are never touched.
    """
    kept_turn, kept_history = list(turn), list(history)
    tokens = sum(map(count, [*kept_history, *kept_turn]))
    results = [(index, result) for index, result in enumerate(kept_turn) if isinstance(result, ToolResult)]
    for index, result in results[:-1]:
        shorter = ToolResult(result.call_id, _DROPPED)
        if tokens > limit and count(shorter) < count(result):
            tokens += count(shorter) - count(result)
            kept_turn[index] = shorter
    while tokens > limit and kept_history:
        tokens -= count(kept_history.pop(0))
        while kept_history and not isinstance(kept_history[0], UserMessage):
            tokens -= count(kept_history.pop(0))
    return (*kept_history, *kept_turn) if tokens <= limit else None
