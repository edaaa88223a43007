"""What the tools of verified queries say besides their text."""

import msgspec


class NearestQuestions(msgspec.Struct, frozen=True):
    """Verified questions near the one that was asked, without the one that answers it, best first."""

    questions: tuple[str, ...]


class VerifiedQueryRan(msgspec.Struct, frozen=True):
    """The words that people gave the query whose result was just read: an answer may repeat them."""

    question: str
    description: str
