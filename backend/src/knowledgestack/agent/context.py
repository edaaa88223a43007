"""How full a conversation's context is (requirement 113)."""

import msgspec


class ContextMeasure(msgspec.Struct, frozen=True):
    """`fraction` is the larger of turns and tokens over their limits; from 1 on the conversation is compacted."""

    turn_count: int
    max_turn_count: int
    token_count: int
    max_token_count: int
    fraction: float
