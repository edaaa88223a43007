"""What the tools of one turn share: who asks, the sources cited so far, and events on their way out."""

from collections import Counter
from collections.abc import Hashable
from typing import Generic, TypeVar

from knowledgestack.core.identity import Actor

Scope = TypeVar("Scope")


class ToolSession(Generic[Scope]):
    """One turn's session. Knows no domain: tools and chat agree on what scope, payloads and events are."""

    def __init__(self, actor: Actor, question: str, scope: Scope) -> None:
        self.actor = actor
        self.question = question
        self.scope = scope
        self.citations: list[object] = []
        self._numbers: dict[Hashable, int] = {}
        self._series: Counter[str] = Counter()
        self._events: list[object] = []

    def cite(self, key: Hashable, payload: object) -> int:
        """Return the number of this source, from 1; the same key always gets the same number."""
        number = self._numbers.get(key)
        if number is None:
            self.citations.append(payload)
            number = self._numbers[key] = len(self.citations)
        return number

    def next_mark(self, series: str) -> str:
        """The next mark of a series, such as `Q1`; a mark is never given twice."""
        self._series[series] += 1
        return f"{series}{self._series[series]}"

    def emit(self, event: object) -> None:
        self._events.append(event)

    def drain(self) -> list[object]:
        """Return the events emitted since the last call, each exactly once."""
        events, self._events = self._events, []
        return events
