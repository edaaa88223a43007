"""What the tools of verified queries say besides their text."""

import msgspec


class NearestQuestions(msgspec.Struct, frozen=True):
    """No verified query answers the question; these are the questions of the nearest, best first."""

    questions: tuple[str, ...]


class VerifiedQueryRan(msgspec.Struct, frozen=True):
    """The words that people gave the query whose result was just read: an answer may repeat them."""

    question: str
    description: str
