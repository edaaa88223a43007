"""Lines of an answer: quotes with their marks, tables, lists, and the places where nothing was found."""

import re
from collections.abc import Iterable, Sequence

import msgspec

from knowledgestack.lexicon.blocks import BlockKind, heading_text
from knowledgestack.lexicon.terms import content_terms
from knowledgestack.models._local_passages import NearestPlace, SearchReply
from knowledgestack.models._local_question import Question
from knowledgestack.models._local_scoring import Scored
from knowledgestack.models._local_units import Group, Unit
from knowledgestack.models._local_words import FrameWords, frame_words

MOST_ROWS = 10
_MOST_NEAREST = 3
_LONGEST_QUESTION = 160
# A row holds as much of the question as another when it has this share of the other's words.
_ROW_SHARE = 0.93
# A cell of so many words is a text of its own, not a figure.
_TELLING_WORDS = 3
_WORD = re.compile(r"[^\W\d_]{2,}")


class Draft(msgspec.Struct):
    """The answer so far, and what has been quoted in it. `terms` are the question's, in the documents' `language`."""

    words: FrameWords
    terms: frozenset[str]
    language: str
    lines: list[str] = []
    used: set[str] = set()

    def add(self, line: str, *quoted: Unit) -> None:
        self.lines.append(line)
        self.used |= {unit.plain for unit in quoted}

    def text(self) -> str:
        return "\n".join(self.lines).strip() + "\n"

    def quote(self, scored: Scored) -> str:
        """A unit as a line of text with its mark; what says that it is out of date is flagged."""
        flag = f" *({self.words.superseded})*" if scored.stale else ""
        return f"{quote(scored.unit)}{flag}"

    def add_list(self, group: Group, units: Sequence[Scored]) -> None:
        """A whole list below its heading or the line that leads to it."""
        heading = group.lead or group.heading or group.passage.title
        self.add(f"**{heading_text(heading).rstrip('.?:')}** [{group.passage.number}]\n")
        for index, item in enumerate(members(group, units), start=1):
            self.add(f"{index}. {item.shown}" if group.ordered else f"- {item.shown}", item)

    def add_table(self, group: Group, units: Sequence[Scored]) -> None:
        """A whole table below its heading, cut after the first rows."""
        rows = members(group, units)
        self.add(f"**{group.heading or group.passage.title}** [{group.passage.number}]\n", *rows)
        self.lines += table(group.header, [row.cells for row in rows[:MOST_ROWS]])
        if len(rows) > MOST_ROWS:
            self.add(f"\n{self.words.more.format(count=len(rows) - MOST_ROWS)}")

    def add_card(self, row: Scored, units: Sequence[Scored]) -> None:
        """A row as a headline and a small table, with the rows that hold as much of the question as it does."""
        group = row.unit.group
        same = [one.unit for one in units if one.unit.group is group and one.own >= _ROW_SHARE * row.own]
        if len(same) > MOST_ROWS or row.in_range:
            same = [row.unit]
        headline = self._headline(row.unit) if len(same) == 1 else None
        if len(same) == 1 and headline is None:
            self.add(self.quote(row), row.unit)
            return
        title = headline or f"**{group.heading or group.passage.title}**"
        self.add(f"{title} {mark(row.unit)}\n", *same)
        self.lines += table(group.header, [unit.cells for unit in sorted(same, key=lambda unit: unit.position)])

    def _headline(self, row: Unit) -> str | None:
        """The row's key and what the question asks of it; None where the row in words says it better than a card."""
        if len(row.cells) <= 2:
            return None
        asked = [len(self.terms.intersection(content_terms(cell, self.language))) for cell in row.cells]
        place = asked.index(max(asked))
        key = heading_text(row.cells[place])
        if not place and len(_WORD.findall(row.cells[1])) >= _TELLING_WORDS:
            return f"**{key}** — {row.cells[1]}"
        told = [
            f"{heading_text(name)}: {cell}"
            for index, (name, cell) in enumerate(zip(row.group.header, row.cells, strict=False))
            if index != place and cell and self.terms.intersection(content_terms(name, self.language))
        ]
        return f"**{key}** — {'; '.join(told)}" if key and told else None


def mark(unit: Unit) -> str:
    return f"[{unit.number}]"


def quote(unit: Unit) -> str:
    """A unit in its own words with its mark."""
    if unit.group.kind is BlockKind.CODE:
        return f"{unit.shown}\n{mark(unit)}"
    return f"{in_words(unit)} {mark(unit)}"


def in_words(unit: Unit) -> str:
    """The unit as Markdown text; a row becomes its first cell and what its columns say of it."""
    if not unit.cells:
        return unit.shown
    header = unit.group.header
    key = heading_text(unit.cells[0])
    rest = [(header[index] if index < len(header) else "", cell) for index, cell in enumerate(unit.cells)][1:]
    told = [(heading_text(name), cell) for name, cell in rest if cell]
    named = [f"{name}: {cell}" if name else cell for name, cell in told]
    text = told[0][1] if len(told) == 1 else "; ".join(named)
    return f"**{key}** — {text}" if key else text


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    width = len(header)
    lines = [f"| {' | '.join(header)} |", "|" + " --- |" * width]
    for row in rows:
        cells = [*row, *([""] * width)][:width]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def members(group: Group, units: Iterable[Scored]) -> list[Unit]:
    """The units of one block in reading order."""
    return sorted((one.unit for one in units if one.unit.group is group), key=lambda unit: unit.position)


def follows(unit: Unit, other: Unit) -> bool:
    return unit.group is other.group and unit.position == other.position + 1


def not_found(question: Question, replies: Sequence[SearchReply]) -> str:
    """A useful no: what was searched, and where the nearest headings are with those who own them."""
    words = frame_words(question.language)
    sources = max((reply.source_count for reply in replies), default=0)
    template = words.searched_one if sources == 1 else words.searched
    lines = [f"{words.not_found} {template.format(sources=sources, query=_shortened(question.asked))}"]
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


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_QUESTION else f"{line[:_LONGEST_QUESTION].rstrip()}…"
