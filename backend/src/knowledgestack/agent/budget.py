"""The one budget of a turn: model calls, wall clock, tokens, repeated calls, unknown tools (decision 19)."""

import msgspec


class BudgetLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of a run, from the settings KS_AGENT_*. Seconds and tokens are for the whole run."""

    model_calls: int = 50
    seconds: float = 600
    tokens: int = 2_000_000
    tool_seconds: float = 60


class Budget:
    """What is left of one turn. Made anew for each turn."""

    def __init__(self, limits: BudgetLimits) -> None:
        self.limits = limits
