"""Answers in the shape of what they quote: a row, a whole list, two sides, two versions, or up to three sentences."""

import re
from collections.abc import Iterable, Sequence

import msgspec

from knowledgestack.lexicon.blocks import BlockKind, heading_text
from knowledgestack.lexicon.terms import content_terms
from knowledgestack.models._local_passages import NearestPlace, SearchReply
from knowledgestack.models._local_question import Kind, Question
from knowledgestack.models._local_scoring import Ranking, Scored, is_stale
from knowledgestack.models._local_units import Group, Unit
from knowledgestack.models._local_words import FrameWords, frame_words

_MOST_SENTENCES = 3
_MOST_ROWS = 10
_MOST_NEAREST = 3
# Evidence weaker than this share of the headline's score is noise to a reader.
_EVIDENCE_SHARE = 0.5
_LIST_SHARE = 0.72
_ROW_SHARE = 0.93
_EXCEPTION_SHARE = 0.4
_TITLE_SHARE = 0.85
# The sentence after the headline often ends its thought; it is preferred to a stray one a little better in words.
_NEXT_BONUS = 0.15
_MOST_FOLLOWING_WORDS = 30

_EXCEPTION = re.compile(
    r"\b(?:exceptions?|except|unless|eccezion[ei]|tranne|salvo|a meno che|ausnahmen?|außer)\b", re.IGNORECASE
)
_VERSION_TOKENS = re.compile(
    r"\((?:[^()]*)\)|\b(?:version|versione|edition|revision|rev|v)\.?\s*[\w.]+|\bFY\s?\d\d\b|\b(?:19|20)\d\d\b|[,:\u2013\u2014-]",
    re.IGNORECASE,
)
_DATE_WORDS = r"(?:\d{1,2}(?:st|nd|rd|th)?\s+[^\W\d_]{3,10}\s+\d{4}|[^\W\d_]{3,10}\s+\d{1,2},?\s+\d{4}|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{4})"
_FROM_DATE = re.compile(
    rf"\b(?:in force since|valid since|in force from|valid from|valid for [^.]*? from|effective(?: from)?|in vigore dal"
    rf"|valid[oa] dal|superseded on|replaced [^.]*? on|sostituit[oa] il|superat[oa] il)\s+{_DATE_WORDS}",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(r"\*\*|__|^\*|\*$")


class Draft(msgspec.Struct):
    """Lines of the answer so far, and what has been quoted."""

    lines: list[str] = []
    used: set[str] = set()

    def add(self, line: str) -> None:
        self.lines.append(line)

    def text(self) -> str:
        return "\n".join(self.lines).strip() + "\n"


def compose(question: Question, ranking: Ranking) -> str:
    """The answer to a question whose ranking is confident; every quote carries its [n]."""
    words = frame_words(question.language)
    draft = Draft()
    if not ranking.dense:
        draft.add(f"{words.closest}\n")
    shapes = (_two_sides, _versions, _whole_list, _titled, _rows)
    if not any(shape(draft, question, ranking.units, words) for shape in shapes):
        _sentences(draft, ranking.units, words)
    _exception(draft, question, ranking.units, words)
    return draft.text()


def not_found(question: Question, replies: Sequence[SearchReply]) -> str:
    """A useful no: what was searched, and where the nearest headings are with those who own them."""
    words = frame_words(question.language)
    sources = max((reply.source_count for reply in replies), default=0)
    template = words.searched_one if sources == 1 else words.searched
    lines = [f"{words.not_found} {template.format(sources=sources, query=_short(question.asked))}"]
    places = list(_nearest_places(replies))[:_MOST_NEAREST]
    if places:
        lines += ["", words.nearest, ""]
    for place in places:
        owner = f" ({words.owner.format(author=place.author)})" if place.author else ""
        lines.append(f"- {_place(place)}{owner}")
    return "\n".join(lines) + "\n"


def _nearest_places(replies: Sequence[SearchReply]) -> Iterable[NearestPlace]:
    seen: set[tuple[str, str]] = set()
    for reply in replies:
        found = [*reply.nearest, *(NearestPlace(one.title, one.heading, one.author) for one in reply.passages)]
        for place in found:
            if (place.title, place.heading) not in seen:
                seen.add((place.title, place.heading))
                yield place


def _place(place: NearestPlace) -> str:
    heading = place.heading.removeprefix(place.title).strip(" ›")
    return f"*{place.title}* › {heading}" if heading else f"*{place.title}*"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 160 else f"{line[:160].rstrip()}…"


def _mark(unit: Unit) -> str:
    return f"[{unit.number}]"


def _quote(scored: Scored, words: FrameWords) -> str:
    """A unit as a line of text with its mark; what says that it is out of date is flagged."""
    unit = scored.unit
    if unit.cells:
        text = _row_in_words(unit)
    elif unit.group.kind is BlockKind.CODE:
        return f"{unit.shown}\n{_mark(unit)}"
    else:
        text = unit.shown
    flag = f" *({words.superseded})*" if scored.stale else ""
    return f"{text} {_mark(unit)}{flag}"


def _row_in_words(unit: Unit) -> str:
    header = unit.group.header
    key = heading_text(unit.cells[0])
    rest = [
        (header[index] if index < len(header) else "", cell) for index, cell in enumerate(unit.cells) if index and cell
    ]
    if len(rest) == 1:
        return f"**{key}** — {rest[0][1]}" if key else rest[0][1]
    named = "; ".join(f"{heading_text(name)}: {cell}" if name else cell for name, cell in rest)
    return f"**{key}** — {named}" if key else named


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    width = len(header)
    lines = [f"| {' | '.join(header)} |", "|" + " --- |" * width]
    for row in rows:
        cells = [*row, *([""] * width)][:width]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _best(units: Sequence[Scored]) -> Scored:
    return units[0]


def _two_sides(draft: Draft, question: Question, units: Sequence[Scored], words: FrameWords) -> bool:
    """The two things of "difference between A and B" beside each other: their table, or the best quote for each."""
    if question.kind is not Kind.DIFFERENCE or question.sides is None:
        return False
    first, second = (frozenset(content_terms(side, "en")) for side in question.sides)
    only_first, only_second = first - second, second - first
    if not only_first or not only_second:
        return False
    for scored in units:
        group = scored.unit.group
        columns = frozenset(content_terms(" ".join(group.header), "en"))
        if scored.unit.cells and columns & only_first and columns & only_second:
            _whole_table(draft, group, units, words)
            return True
    left = _best_for(only_first, only_second, units)
    right = _best_for(only_second, only_first, units)
    if left is None or right is None or left.unit is right.unit:
        return False
    cells = [f"{_cell(one)} {_mark(one.unit)}" for one in (left, right)]
    draft.lines += _table([question.sides[0], question.sides[1]], [cells])
    draft.used |= {left.unit.plain, right.unit.plain}
    return True


def _cell(scored: Scored) -> str:
    text = _row_in_words(scored.unit) if scored.unit.cells else scored.unit.shown
    return text.replace("|", "\\|").replace("\n", " ")


def _best_for(wanted: frozenset[str], unwanted: frozenset[str], units: Sequence[Scored]) -> Scored | None:
    def fit(scored: Scored) -> float:
        terms = frozenset(content_terms(scored.unit.plain, "en"))
        around = frozenset(content_terms(f"{scored.unit.group.heading} {scored.unit.group.passage.title}", "en"))
        own = len(terms & wanted) + 0.7 * len((around - terms) & wanted)
        return own / len(wanted) - 0.5 * bool(terms & unwanted) + 0.2 * scored.score if own else -1.0

    best = max(units, key=fit, default=None)
    return best if best is not None and fit(best) > 0 else None


def _whole_table(draft: Draft, group: Group, units: Sequence[Scored], words: FrameWords) -> None:
    rows = sorted((one.unit for one in units if one.unit.group is group), key=lambda unit: unit.position)
    draft.add(f"**{group.heading or group.passage.title}** [{group.passage.number}]\n")
    draft.lines += _table(group.header, [row.cells for row in rows[:_MOST_ROWS]])
    if len(rows) > _MOST_ROWS:
        draft.add(f"\n{words.more.format(count=len(rows) - _MOST_ROWS)}")
    draft.used |= {row.plain for row in rows}


def _versions(draft: Draft, question: Question, units: Sequence[Scored], words: FrameWords) -> bool:
    """Documents that differ by their version alone: what each says, its date, and which one is superseded."""
    if question.kind is Kind.HOW_TO:
        return False
    best = _best(units)
    base = _base_title(best.unit.group.passage.title)
    if base is None:
        return False
    per_document: dict[str, Scored] = {}
    for scored in units:
        passage = scored.unit.group.passage
        if _base_title(passage.title) == base and passage.document not in per_document:
            per_document[passage.document] = _same_row(best, passage.document, units) or scored
    versions = [one for one in per_document.values() if one.score >= _EVIDENCE_SHARE * best.score]
    if len(versions) < 2 or not any(_superseded(one) for one in versions):
        return False
    versions.sort(key=lambda one: (_superseded(one), -one.score))
    draft.add(f"{_quote(versions[0], words)}\n\n{words.versions.format(count=len(versions))}\n")
    for one in versions:
        draft.add(f"- *{one.unit.group.passage.title}* ({_version_note(one, units, words)}): {_quote_plain(one)}")
        draft.used.add(one.unit.plain)
    return True


def _quote_plain(scored: Scored) -> str:
    text = _row_in_words(scored.unit) if scored.unit.cells else scored.unit.shown
    return f"{text} {_mark(scored.unit)}"


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
    base = " ".join(_VERSION_TOKENS.sub(" ", title).split()).casefold()
    return base if base and base != title.casefold() else None


def _superseded(scored: Scored) -> bool:
    passage = scored.unit.group.passage
    return is_stale(scored.unit) or "superseded" in f"{passage.title} {passage.heading}".casefold()


def _version_note(scored: Scored, units: Sequence[Scored], words: FrameWords) -> str:
    """The date from which a version holds or ended as its own text says it, else the day it was last changed."""
    passage = scored.unit.group.passage
    superseded = _superseded(scored)
    found = [
        match.group()
        for one in units
        if one.unit.group.passage.document == passage.document
        for match in _FROM_DATE.finditer(_EMPHASIS.sub("", one.unit.plain))
    ]
    endings = [text for text in found if text.casefold().startswith(("supers", "repl", "sost", "super"))]
    beginnings = [text for text in found if text not in endings]
    chosen = (endings or beginnings) if superseded else beginnings
    date = chosen[0][:1].lower() + chosen[0][1:] if chosen else ""
    if not date and passage.updated:
        date = words.updated.format(date=passage.updated[:10])
    if superseded and not date.startswith(words.superseded):
        return f"**{words.superseded}**; {date}" if date else f"**{words.superseded}**"
    return f"**{date}**" if superseded else date


def _whole_list(draft: Draft, question: Question, units: Sequence[Scored], words: FrameWords) -> bool:
    """All steps of the list that a "how do I" asks for."""
    if question.kind is not Kind.HOW_TO:
        return False
    best = _best(units)
    chosen: Group | None = None
    top = 0.0
    for group, score in _list_scores(units):
        if group.ordered and score > top:
            chosen, top = group, score
    if chosen is None or top < _LIST_SHARE * best.score:
        return False
    _add_list(draft, chosen, units)
    return True


def _list_scores(units: Sequence[Scored]) -> list[tuple[Group, float]]:
    """Each list with the score of its best item and a share of what the others add."""
    scores: dict[Group, list[float]] = {}
    for one in units:
        if one.unit.group.kind is BlockKind.LIST:
            scores.setdefault(one.unit.group, []).append(one.score)
    return [(group, max(found) + 0.1 * (sum(found) / len(found))) for group, found in scores.items()]


def _add_list(draft: Draft, group: Group, units: Sequence[Scored]) -> None:
    items = sorted((one.unit for one in units if one.unit.group is group), key=lambda unit: unit.position)
    heading = group.lead.rstrip(":") if group.lead else group.heading or group.passage.title
    draft.add(f"**{heading_text(heading).rstrip('.?:')}** [{group.passage.number}]\n")
    for index, item in enumerate(items, start=1):
        draft.add(f"{index}. {item.shown}" if group.ordered else f"- {item.shown}")
        draft.used.add(item.plain)


def _titled(draft: Draft, question: Question, units: Sequence[Scored], words: FrameWords) -> bool:
    """The one table or list of a passage whose titles already say what the question says."""
    best = max(units, key=lambda one: (one.titled, one.score))
    if best.titled < _TITLE_SHARE or best.stale:
        return False
    passage = best.unit.group.passage
    groups = {one.unit.group: None for one in units if one.unit.group.passage is passage and _is_set(one.unit.group)}
    if len(groups) != 1:
        return False
    group = next(iter(groups))
    if sum(one.unit.group is group for one in units) > _MOST_ROWS:
        return False
    said = [one for one in units if one.unit.group.passage is passage and not _is_set(one.unit.group)]
    if said and not said[0].stale:
        draft.add(f"{_quote(said[0], words)}\n")
        draft.used.add(said[0].unit.plain)
    if group.kind is BlockKind.TABLE:
        _whole_table(draft, group, units, words)
    else:
        _add_list(draft, group, units)
    return True


def _is_set(group: Group) -> bool:
    return group.kind in {BlockKind.TABLE, BlockKind.LIST}


def _rows(draft: Draft, question: Question, units: Sequence[Scored], words: FrameWords) -> bool:
    """A row as a headline, and where it has more than two columns or companions as a small card."""
    best = _best(units)
    if not best.unit.cells:
        return False
    _card(draft, best, units, words)
    others = [one for one in units if one.unit.group is not best.unit.group]
    _evidence(draft, best, others, words)
    return True


def _card(draft: Draft, row: Scored, units: Sequence[Scored], words: FrameWords) -> None:
    """A row, with those of its table that hold as much of the question as it does."""
    group, cells = row.unit.group, row.unit.cells
    same = [one for one in units if one.unit.group is group and one.own >= _ROW_SHARE * row.own]
    if len(same) > _MOST_ROWS:
        same = [row]
    draft.used |= {one.unit.plain for one in same}
    if len(same) == 1 and len(cells) <= 2:
        draft.add(_quote(row, words))
        return
    key = heading_text(cells[0])
    second = next((cell for cell in cells[1:] if cell), "")
    title = f"**{key}** — {second}" if len(same) == 1 and key and second else f"**{group.heading or group.passage.title}**"
    draft.add(f"{title} {_mark(row.unit)}\n")
    draft.lines += _table(group.header, [one.unit.cells for one in sorted(same, key=lambda one: one.unit.position)])


def _sentences(draft: Draft, units: Sequence[Scored], words: FrameWords) -> None:
    best = _best(units)
    draft.add(_quote(best, words))
    draft.used.add(best.unit.plain)
    opened = _opened_list(best, units)
    if opened is None:
        _evidence(draft, best, units, words)
        return
    draft.add("")
    for item in opened:
        draft.add(f"- {item.shown}")
        draft.used.add(item.plain)


def _opened_list(best: Scored, units: Sequence[Scored]) -> list[Unit] | None:
    """The items of the list that a headline ending in a colon announces."""
    if not best.unit.plain.endswith(":"):
        return None
    passage = best.unit.group.passage
    items = [one.unit for one in units if one.unit.group.passage is passage and one.unit.group.lead == best.unit.shown]
    return sorted(items, key=lambda unit: unit.position) or None


def _evidence(draft: Draft, best: Scored, units: Sequence[Scored], words: FrameWords) -> None:
    """Up to two more quotes that are worth reading beside the headline."""

    def worth(one: Scored) -> float:
        return one.score + (_NEXT_BONUS if _follows(one.unit, best.unit) else 0.0)

    added = 0
    cards: list[Scored] = []
    for one in sorted(units, key=worth, reverse=True):
        if added == _MOST_SENTENCES - 1 or worth(one) < _EVIDENCE_SHARE * best.score:
            break
        if one.unit is best.unit or one.unit.plain in draft.used or one.unit.plain.endswith(":"):
            continue
        if any(one.unit.group is card.unit.group for card in cards):
            continue
        if one.unit.cells:
            cards.append(one)
        else:
            draft.add(f"{'' if added - len(cards) else chr(10)}- {_quote(one, words)}")
            draft.used.add(one.unit.plain)
        added += 1
    for card in cards:
        draft.add("")
        _card(draft, card, units, words)


def _follows(unit: Unit, other: Unit) -> bool:
    return unit.group is other.group and unit.position == other.position + 1


def _exception(draft: Draft, question: Question, units: Sequence[Scored], words: FrameWords) -> None:
    """The exception that the same page makes to the rule just quoted, with the sentence that ends its thought."""
    if question.kind is not Kind.POLICY:
        return
    best = _best(units)
    for one in units:
        unit = one.unit
        if one.score < _EXCEPTION_SHARE * best.score:
            return
        same_page = unit.group.passage.document == best.unit.group.passage.document
        names_one = _EXCEPTION.search(f"{unit.group.heading} {unit.plain}") is not None
        if same_page and names_one and not one.stale and unit.plain not in draft.used and not unit.plain.endswith(":"):
            following = next((other.unit for other in units if _follows(other.unit, unit) and not other.unit.cells), None)
            draft.add(f"\n{words.exception} {_quote(one, words)}")
            if following is not None and len(following.plain.split()) <= _MOST_FOLLOWING_WORDS:
                draft.lines[-1] += f" {following.shown} {_mark(following)}"
            return
