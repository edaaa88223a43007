"""How alike two names are, by the trigrams that they share, as pg_trgm counts them."""

from collections.abc import Iterable

LEAST_ALIKE = 0.3


def similarity(left: str, right: str) -> float:
    """From 0 to 1; case does not matter."""
    ours, theirs = _trigrams(left), _trigrams(right)
    both = len(ours & theirs)
    return both / (len(ours) + len(theirs) - both) if both else 0.0


def most_alike(word: str, names: Iterable[str], limit: int) -> list[str]:
    """The names most like `word`, best first; none that has little in common with it."""
    folded = word.casefold()
    scored = [(_score(folded, name), name) for name in dict.fromkeys(names)]
    return [
        name for score, name in sorted(scored, key=lambda item: (-item[0], item[1]))[:limit] if score >= LEAST_ALIKE
    ]


def _score(folded: str, name: str) -> float:
    other = name.casefold()
    score = similarity(folded, other)
    if len(folded) > 2 and (folded in other or other in folded):
        score = max(score, 0.5 + 0.5 * min(len(folded), len(other)) / max(len(folded), len(other)))
    return score


def _trigrams(text: str) -> set[str]:
    padded = [f"  {word} " for word in text.casefold().replace("_", " ").split()]
    return {word[index : index + 3] for word in padded for index in range(len(word) - 2)}
