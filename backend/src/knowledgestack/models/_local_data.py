"""Sentences over a result and over tables: figures copied from cells, and what the documents say of columns."""

import re
from collections.abc import Sequence

import msgspec

from knowledgestack.models._local_data_reply import ResultReply, TableNote, VerifiedReply
from knowledgestack.models._local_numbers import with_written_numbers, written
from knowledgestack.models._local_question import Question
from knowledgestack.models._local_units import one_line

_MOST_COLUMNS = 6
_MOST_FOLLOWING = 2
_MOST_NOTES = 3
_LONGEST_CELL = 80
_LONGEST_NOTE = 200
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~#])")
_PLAIN_NUMBER = re.compile(r"[-+]?[0-9][0-9.,:%-]*\Z")


class DataWords(msgspec.Struct, frozen=True):
    no_rows: str
    first: str
    only_first: str
    from_query: str
    no_value: str
    more: str
    failed: str
    no_query: str
    stale: str
    tables: str
    said: str
    editor: str


_ENGLISH = DataWords(
    no_rows="The query found no row",
    first="first of {count} rows",
    only_first="first of the {count} rows that were read; there are more",
    from_query="This is the verified query “{question}” on *{database}*.",
    no_value="no value",
    more="All rows stand in the table.",
    failed="The verified query “{question}” could not be run: {reason}",
    no_query="No verified query answers this from the data, and I write no SQL of my own.",
    stale="The verified query “{question}” is out of date: {reason}",
    tables="The tables of *{database}* that come nearest: {tables}.",
    said="What your documents say of them:",
    editor="Whoever may run SQL can query them in the editor on the Databases page.",
)
_ITALIAN = DataWords(
    no_rows="La query non ha trovato righe",
    first="prima di {count} righe",
    only_first="prima delle {count} righe lette; ce ne sono altre",
    from_query="È la query verificata «{question}» su *{database}*.",
    no_value="nessun valore",
    more="Tutte le righe sono nella tabella.",
    failed="Non è stato possibile eseguire la query verificata «{question}»: {reason}",
    no_query="Nessuna query verificata risponde a questo dai dati, e da solo non scrivo SQL.",
    stale="La query verificata «{question}» non è più aggiornata: {reason}",
    tables="Le tabelle di *{database}* più vicine: {tables}.",
    said="Che cosa ne dicono i tuoi documenti:",
    editor="Chi può eseguire SQL le interroga nell'editor della pagina Database.",
)


def data_words(language: str) -> DataWords:
    """Italian for Italian questions, English for all others."""
    return _ITALIAN if language == "it" else _ENGLISH


def compose_result(question: Question, result: ResultReply) -> str:
    """What the first rows say with the mark of the result, and which verified query it is."""
    words, mark = data_words(question.language), f"[{result.mark}]"
    result = with_written_numbers(result, question.language)
    lines: list[str] = []
    if not result.rows:
        lines.append(f"{words.no_rows} {mark}.")
    elif result.row_count == 1:
        lines.append(f"{_told(result.columns, result.rows[0], words)} {mark}.")
    else:
        place = (words.only_first if result.cut else words.first).format(
            count=written(str(result.row_count), question.language)
        )
        lines.append(f"{_keyed(result, 0, words)} {mark} ({place}).")
        following = range(1, min(len(result.rows), 1 + _MOST_FOLLOWING))
        lines += ["", *(f"- {_keyed(result, row, words)} {mark}" for row in following)]
        if result.row_count > 1 + _MOST_FOLLOWING:
            lines += ["", words.more]
    lines += ["", words.from_query.format(question=_text(result.query.question), database=_text(result.query.database))]
    if result.query.description:
        lines[-1] += f" {_text(result.query.description)}"
    return "\n".join(lines).strip() + "\n"


def failed_line(question: Question, query: str, reason: str) -> str:
    return data_words(question.language).failed.format(question=_text(query), reason=_text(reason))


def data_half(question: Question, reply: VerifiedReply, notes: Sequence[TableNote]) -> str:
    """What a useful no says of the data; empty where no table fits either."""
    words = data_words(question.language)
    if not reply.tables and not any(query.stale for query in reply.queries):
        return ""
    lines = ["", words.no_query]
    lines += [
        words.stale.format(question=_text(query.question), reason=_text(query.stale))
        for query in reply.queries[:1]
        if query.stale
    ]
    for database in dict.fromkeys(table.database for table in reply.tables):
        names = ", ".join(f"`{table.name.replace('`', '')}`" for table in reply.tables if table.database == database)
        lines += ["", words.tables.format(database=_text(database), tables=names)]
    told = list({(note.table, note.thing): note for note in notes}.values())[:_MOST_NOTES]
    if told:
        lines += ["", words.said, ""]
        lines += [
            f"- `{_thing(note)}` — {one_line(note.quote)[:_LONGEST_NOTE].rstrip()} [{note.number}]" for note in told
        ]
    if reply.tables:
        lines += ["", words.editor]
    return "\n".join(lines) + "\n"


def _thing(note: TableNote) -> str:
    thing = note.table if note.thing == "the table" else f"{note.table}.{note.thing}"
    return thing.replace("`", "")


def _keyed(result: ResultReply, row: int, words: DataWords) -> str:
    """A row as the cell that tells it from the others and what the other columns say of it."""
    key = _key_column(result)
    cells = [
        (name, cell) for at, (name, cell) in enumerate(zip(result.columns, result.rows[row], strict=False)) if at != key
    ]
    shown = f"**{_shown(result.rows[row][key], words)}**"
    if key:
        shown = f"{_text(result.columns[key].replace('_', ' '))} {shown}"
    told = _told([name for name, _ in cells], [cell for _, cell in cells], words, bold=False)
    return f"{shown} — {told}" if told else shown


def _key_column(result: ResultReply) -> int:
    """The first column whose values all differ; the first of all where none is so."""
    for at in range(len(result.columns)):
        values = [row[at] for row in result.rows if at < len(row)]
        if len(set(values)) == len(values) == len(result.rows):
            return at
    return 0


def _told(columns: Sequence[str], cells: Sequence[str | None], words: DataWords, *, bold: bool = True) -> str:
    mark = "**" if bold else ""
    pairs = list(zip(columns, cells, strict=False))[:_MOST_COLUMNS]
    return "; ".join(f"{_text(name.replace('_', ' '))}: {mark}{_shown(cell, words)}{mark}" for name, cell in pairs)


def _shown(cell: str | None, words: DataWords) -> str:
    if cell is None or not cell.strip():
        return words.no_value
    line = " ".join(cell.split())
    return _text(line if len(line) <= _LONGEST_CELL else f"{line[: _LONGEST_CELL - 1].rstrip()}…")


def _text(text: str) -> str:
    """Text of others as plain words of Markdown: it makes no mark, no link and no emphasis."""
    return text if _PLAIN_NUMBER.match(text) else _SPECIAL.sub(r"\\\1", one_line(text))
