"""Pages that say different things: two sides of a question, and two versions of a rule."""

import re
from collections.abc import Sequence

from knowledgestack.lexicon.blocks import heading_text
from knowledgestack.lexicon.terms import content_terms
from knowledgestack.models._local_lines import Draft, in_words, mark, quote, table
from knowledgestack.models._local_question import Kind, Question
from knowledgestack.models._local_scoring import Scored, is_stale

# A version whose best quote is weaker than this share of the headline's says nothing about the question.
_VERSION_SHARE = 0.5

_VERSION_TOKENS = re.compile(
    r"\([^()]*\)|\b(?:version|versione|edition|revision|rev|v)\.?\s*[\w.]+|\bFY\s?\d\d\b|\b(?:19|20)\d\d\b"
    r"|[,:\u2013\u2014-]",
    re.IGNORECASE,
)
_DATE = (
    r"(?:\d{1,2}(?:st|nd|rd|th)?\s+[^\W\d_]{3,10}\s+\d{4}|[^\W\d_]{3,10}\s+\d{1,2},?\s+\d{4}|\d{4}-\d\d-\d\d"
    r"|\d{1,2}[./]\d{1,2}[./]\d{4})"
)
_BEGINNING = re.compile(
    r"\b(?:in force since|valid since|in force from|valid from|valid for [^.]*? from|effective(?: from)?"
    rf"|in vigore dal|valid[oa] dal)\s+{_DATE}",
    re.IGNORECASE,
)
_ENDING = re.compile(
    rf"\b(?:superseded on|replaced [^.]*? on|sostituit[oa] [^.]*?il|superat[oa] il)\s+{_DATE}", re.IGNORECASE
)


def add_two_sides(draft: Draft, question: Question, units: Sequence[Scored], language: str) -> bool:
    """The two things of "difference between A and B" beside each other: their table, or the best quote for each."""
    if question.kind is not Kind.DIFFERENCE or question.sides is None:
        return False
    first, second = (frozenset(content_terms(side, language)) for side in question.sides)
    only_first, only_second = first - second, second - first
    if not only_first or not only_second:
        return False
    for scored in units:
        columns = frozenset(content_terms(" ".join(scored.unit.group.header), language))
        if columns & only_first and columns & only_second:
            draft.add_table(scored.unit.group, units)
            return True
    left = _best_for(only_first, only_second, units, language)
    right = _best_for(only_second, only_first, units, language)
    if left is None or right is None or left is right:
        return False
    draft.lines += table(question.sides, [[f"{_cell(one)} {mark(one.unit)}" for one in (left, right)]])
    draft.used |= {left.unit.plain, right.unit.plain}
    return True


def _cell(scored: Scored) -> str:
    return in_words(scored.unit).replace("|", "\\|").replace("\n", " ")


def _best_for(
    wanted: frozenset[str], unwanted: frozenset[str], units: Sequence[Scored], language: str
) -> Scored | None:
    """The unit that speaks of one side and not of the other."""

    def fit(scored: Scored) -> float:
        group = scored.unit.group
        terms = frozenset(content_terms(scored.unit.plain, language))
        around = frozenset(content_terms(f"{group.heading} {group.passage.title}", language))
        held = len(terms & wanted) + 0.7 * len((around - terms) & wanted)
        return held / len(wanted) - 0.5 * bool(terms & unwanted) + 0.2 * scored.score if held else -1.0

    best = max(units, key=fit, default=None)
    return best if best is not None and fit(best) > 0 else None


def add_versions(draft: Draft, question: Question, units: Sequence[Scored]) -> bool:
    """Documents that differ by their version alone: what each says, its date, and which one is superseded."""
    best = units[0]
    base = _base_title(best.unit.group.passage.title)
    if base is None or question.kind is Kind.HOW_TO:
        return False
    found: dict[str, Scored] = {}
    for scored in units:
        passage = scored.unit.group.passage
        if _base_title(passage.title) == base and passage.document not in found:
            found[passage.document] = _same_row(best, passage.document, units) or scored
    versions = [one for one in found.values() if one.score >= _VERSION_SHARE * best.score]
    if len(versions) < 2 or not any(_superseded(one) for one in versions):
        return False
    versions.sort(key=lambda one: (_superseded(one), -one.score))
    draft.add(f"{draft.quote(versions[0])}\n\n{draft.words.versions.format(count=len(versions))}\n")
    for one in versions:
        note = _version_note(one, units, draft)
        draft.add(f"- *{one.unit.group.passage.title}* ({note}): {quote(one.unit)}", one.unit)
    return True


def _same_row(best: Scored, document: str, units: Sequence[Scored]) -> Scored | None:
    """The row of another version that has the same first cell, so that like stands beside like."""
    if not best.unit.cells:
        return None
    key = heading_text(best.unit.cells[0]).casefold()
    for scored in units:
        unit = scored.unit
        same_place = unit.group.passage.document == document and unit.group.heading == best.unit.group.heading
        if unit.cells and same_place and heading_text(unit.cells[0]).casefold() == key:
            return scored
    return None


def _base_title(title: str) -> str | None:
    """The title without what names its version; None where nothing does."""
    base = " ".join(_VERSION_TOKENS.sub(" ", title).split()).casefold()
    return base if base and base != title.casefold() else None


def _superseded(scored: Scored) -> bool:
    return is_stale(scored.unit)


def _version_note(scored: Scored, units: Sequence[Scored], draft: Draft) -> str:
    """The date from which a version holds, or on which it ended, as its own text says it; else its last change."""
    passage = scored.unit.group.passage
    own = [heading_text(one.unit.shown) for one in units if one.unit.group.passage.document == passage.document]
    superseded = _superseded(scored)
    patterns = (_ENDING, _BEGINNING) if superseded else (_BEGINNING,)
    matches = (match for pattern in patterns for text in own for match in pattern.finditer(text))
    match = next(matches, None)
    date = f"{match.group()[:1].lower()}{match.group()[1:]}" if match else ""
    if not date and passage.updated:
        date = draft.words.updated.format(date=passage.updated)
    if not superseded or date.startswith(draft.words.superseded):
        return f"**{date}**" if superseded else date
    return f"**{draft.words.superseded}**; {date}" if date else f"**{draft.words.superseded}**"
