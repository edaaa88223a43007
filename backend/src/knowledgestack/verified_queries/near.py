"""What a search for verified queries says besides its text."""

import msgspec


class NearestQuestions(msgspec.Struct, frozen=True):
    """No verified query answers the question; these are the questions of the nearest, best first."""

    questions: tuple[str, ...]
