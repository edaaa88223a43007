"""Answers in the shape of what they quote: a row, a whole list, two sides, two versions, or up to three sentences."""

import re
from collections.abc import Sequence

from knowledgestack.lexicon.blocks import BlockKind
from knowledgestack.models._local_lines import MOST_ROWS, Draft, follows, mark, members
from knowledgestack.models._local_question import Kind, Question
from knowledgestack.models._local_scoring import Ranking, Scored
from knowledgestack.models._local_units import Group, Unit
from knowledgestack.models._local_versions import add_two_sides, add_versions
from knowledgestack.models._local_words import frame_words

_MOST_EVIDENCE = 2
# Evidence weaker than this share of the headline's score is noise to a reader.
_EVIDENCE_SHARE = 0.5
_LIST_SHARE = 0.72
_EXCEPTION_SHARE = 0.4
_TITLE_SHARE = 0.85
# The sentence after the headline often ends its thought; it is preferred to a stray one a little better in words.
_NEXT_BONUS = 0.15
_MOST_FOLLOWING_WORDS = 30
# Below these log odds the answer says that it is not sure: 5 % of the questions that are answered rightly with the
# model of the embedding, and a quarter of those answered by words alone.
_SURE_BY_MEANING = 1.5
_SURE_BY_WORDS = 3.2

_EXCEPTION = re.compile(
    r"\b(?:exceptions?|except|unless|eccezion[ei]|tranne|salvo|a meno che|ausnahmen?|außer)\b", re.IGNORECASE
)


def compose(question: Question, ranking: Ranking) -> str:
    """The answer to a question whose ranking is confident; every quote carries its [n]."""
    draft = Draft(frame_words(question.language), ranking.terms, ranking.language)
    units = ranking.units
    exception = _find_exception(units) if question.kind is Kind.POLICY else None
    if exception is not None:
        draft.used.add(exception.unit.plain)
    if ranking.confidence < (_SURE_BY_MEANING if ranking.dense else _SURE_BY_WORDS):
        draft.add(f"{draft.words.closest}\n")
    if (
        add_two_sides(draft, question, units, ranking.language)
        or add_versions(draft, question, units)
        or _add_steps(draft, question, units)
        or _add_titled(draft, units)
    ):
        pass
    elif units[0].unit.cells:
        draft.add_card(units[0], units)
        _add_evidence(draft, units[0], units)
    else:
        _add_sentences(draft, units)
    if exception is not None:
        _add_exception(draft, exception, units)
    return draft.text()


def _add_steps(draft: Draft, question: Question, units: Sequence[Scored]) -> bool:
    """All steps of the list that a "how do I" asks for."""
    if question.kind is not Kind.HOW_TO:
        return False
    scores: dict[Group, list[float]] = {}
    for one in units:
        if one.unit.group.ordered:
            scores.setdefault(one.unit.group, []).append(one.score)
    # The best item counts, and a little how well the others fit.
    totals = {group: max(found) + 0.1 * sum(found) / len(found) for group, found in scores.items()}
    chosen = max(totals, key=lambda group: totals[group], default=None)
    if chosen is None or totals[chosen] < _LIST_SHARE * units[0].score:
        return False
    draft.add_list(chosen, units)
    return True


def _add_titled(draft: Draft, units: Sequence[Scored]) -> bool:
    """The one table or list of a passage whose titles already say what the question says, below its best sentence."""
    best = max(units, key=lambda one: (one.titled, one.score))
    if best.titled < _TITLE_SHARE or best.stale:
        return False
    within = [one for one in units if one.unit.group.passage is best.unit.group.passage]
    sets = {one.unit.group: None for one in within if _is_set(one.unit.group)}
    if len(sets) != 1:
        return False
    group = next(iter(sets))
    if len(members(group, units)) > MOST_ROWS:
        return False
    said = next((one for one in within if not _is_set(one.unit.group)), None)
    if said is not None and not said.stale:
        draft.add(f"{draft.quote(said)}\n", said.unit)
    if group.kind is BlockKind.TABLE:
        draft.add_table(group, units)
    else:
        draft.add_list(group, units)
    return True


def _is_set(group: Group) -> bool:
    return group.kind in {BlockKind.TABLE, BlockKind.LIST}


def _add_sentences(draft: Draft, units: Sequence[Scored]) -> None:
    """The best sentence; below it the list that it announces, or more evidence."""
    best = units[0]
    draft.add(draft.quote(best), best.unit)
    announced = [
        one.unit.group
        for one in units
        if best.unit.plain.endswith(":")
        and one.unit.group.passage is best.unit.group.passage
        and one.unit.group.lead == best.unit.shown
    ]
    if not announced:
        _add_evidence(draft, best, units)
        return
    draft.add("")
    for item in members(announced[0], units):
        draft.add(f"- {item.shown}", item)


def _add_evidence(draft: Draft, best: Scored, units: Sequence[Scored]) -> None:
    """Up to two more quotes that are worth reading beside the headline: sentences first, then rows as cards."""

    def worth(one: Scored) -> float:
        return one.score + (_NEXT_BONUS if follows(one.unit, best.unit) else 0.0)

    chosen: list[Scored] = []
    shown_tables = _same_key_groups(best.unit, units)
    for one in sorted(units, key=worth, reverse=True):
        if len(chosen) == _MOST_EVIDENCE or worth(one) < _EVIDENCE_SHARE * best.score:
            break
        unit = one.unit
        if unit.plain in draft.used or unit.plain.endswith(":"):
            continue
        if unit.group in shown_tables:
            continue
        shown_tables |= _same_key_groups(unit, units)
        chosen.append(one)
    sentences = [one for one in chosen if not one.unit.cells]
    if sentences:
        draft.add("")
    for one in sentences:
        draft.add(f"- {draft.quote(one)}", one.unit)
    for one in chosen:
        if one.unit.cells:
            draft.add("")
            draft.add_card(one, units)


def _same_key_groups(row: Unit, units: Sequence[Scored]) -> set[Group]:
    """The row's table, and those where the same key means another thing."""
    if not row.cells:
        return set()
    key = row.cells[0].casefold()
    return {one.unit.group for one in units if one.unit.cells and one.unit.cells[0].casefold() == key}


def _find_exception(units: Sequence[Scored]) -> Scored | None:
    """The exception that the page of the rule makes to it."""
    best = units[0].unit
    for one in units[1:]:
        unit = one.unit
        if one.score < _EXCEPTION_SHARE * units[0].score:
            return None
        names_one = _EXCEPTION.search(f"{unit.group.heading} {unit.shown}") is not None
        same_page = unit.group.passage.document == best.group.passage.document
        beside = bool(unit.cells) and unit.group is best.group
        if names_one and same_page and not beside and not one.stale and not unit.plain.endswith(":"):
            return one
    return None


def _add_exception(draft: Draft, exception: Scored, units: Sequence[Scored]) -> None:
    """The exception, with the sentence that ends its thought."""
    draft.add(f"\n{draft.words.exception} {draft.quote(exception)}")
    if exception.unit.group.kind is not BlockKind.PARAGRAPH:
        return
    after = next((one.unit for one in units if follows(one.unit, exception.unit)), None)
    if after is not None and after.plain not in draft.used and len(after.plain.split()) <= _MOST_FOLLOWING_WORDS:
        draft.lines[-1] += f" {after.shown} {mark(after)}"
