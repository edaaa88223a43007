"""The agent's look at which databases and tables there are."""

from typing import Annotated, Protocol

import msgspec

from knowledgestack.catalogue.contracts import TableSummary
from knowledgestack.catalogue.facts import CatalogueFacts
from knowledgestack.databases.facts import KnownDatabase
from knowledgestack.tools.naming import DatabaseSession, TurnDatabases, limits_documents, sql_name
from knowledgestack.tools.results import attributes, data_text
from knowledgestack.tools.wording import Wording, shortened

_MOST_TABLES = 60
_MOST_QUESTIONS = 30
_LONGEST_SUMMARY = 240

DatabaseName = Annotated[
    str, msgspec.Meta(max_length=200, description="The name of the database, as list_databases gives it.")
]


class VerifiedQuestions(Protocol):
    """The questions that verified queries of these databases answer."""

    async def questions(self, session: DatabaseSession, databases: list[KnownDatabase]) -> list[tuple[str, str]]:
        """(database, question), the questions asked or changed last first."""
        ...


class ListDatabasesArguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing: all databases of the workspace are listed."""


class ListDatabases:
    name = "list_databases"
    description = (
        "Lists the databases that can be read: name, what it holds, whether it answers, how many tables it has, and "
        "the questions that verified queries answer. Call it first when a question needs figures or records."
    )
    arguments = ListDatabasesArguments

    def __init__(
        self, databases: TurnDatabases, catalogue: CatalogueFacts, verified: VerifiedQuestions | None, wording: Wording
    ) -> None:
        self._databases = databases
        self._catalogue = catalogue
        self._verified = verified
        self._wording = wording

    def display_text(self, arguments: ListDatabasesArguments) -> str:
        return self._wording.list_databases

    async def run(self, arguments: ListDatabasesArguments, session: DatabaseSession) -> str:
        databases = await self._databases.all(session)
        if not databases:
            return "No database is connected in this workspace. Answer from the documents, and say what is missing."
        holdings = await self._catalogue.holdings(session.actor.workspace_id, [database.id for database in databases])
        lines = [f'<databases count="{len(databases)}">']
        for database in databases:
            held = holdings.get(database.id)
            head = attributes(
                name=database.name,
                state=database.state,
                tables=None if held is None else held.table_count,
                rows=None if held is None else held.row_estimate,
            )
            words = [data_text(database.description) if database.description else "", database.state_message or ""]
            lines.append(f"<database {head}>{' '.join(filter(None, words))}</database>")
        lines.append("</databases>")
        questions = await self._verified.questions(session, databases) if self._verified else []
        if questions:
            lines.append("Questions that verified queries answer (find_verified_queries gives their SQL):")
            lines += [f"- {data_text(question)} ({database})" for database, question in questions[:_MOST_QUESTIONS]]
        return "\n".join(lines)


class ListTablesArguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`search` is left out for a small database."""

    database: DatabaseName
    search: (
        Annotated[
            str,
            msgspec.Meta(max_length=500, description="What the tables are about, in words. Left out: all by name."),
        ]
        | None
    ) = None


class ListTables:
    name = "list_tables"
    description = (
        "Lists tables of a database: name as SQL writes it, kind, rows, columns, what people or documents say of it. "
        "Give `search` words to find those on a subject; large databases are only ever shown in part."
    )
    arguments = ListTablesArguments

    def __init__(self, databases: TurnDatabases, catalogue: CatalogueFacts, wording: Wording) -> None:
        self._databases = databases
        self._catalogue = catalogue
        self._wording = wording

    def display_text(self, arguments: ListTablesArguments) -> str:
        database = shortened(arguments.database)
        if arguments.search:
            return self._wording.find_tables.format(database=database, words=shortened(arguments.search))
        return self._wording.list_tables.format(database=database)

    async def run(self, arguments: ListTablesArguments, session: DatabaseSession) -> str:
        database = await self._databases.named(session, arguments.database)
        count = await self._catalogue.table_count(session.actor, database.id)
        if not count:
            return (
                f"No table of “{database.name}” is known: its catalogue is still being read, or its role may see none."
            )
        words = arguments.search or ""
        found = await self._catalogue.search_tables(
            session.actor, database.id, words, _MOST_TABLES, quoting=not limits_documents(session)
        )
        if not found:
            return f"No table of “{database.name}” fits “{words}”. It has {count:,} tables: search with other words."
        head = attributes(database=database.name, count=count, shown=len(found), search=arguments.search)
        text = "\n".join([f"<tables {head}>", *map(table_line, found), "</tables>"])
        if len(found) == _MOST_TABLES < count:
            text += f"\nThere are {count:,} tables in all: search for those on a subject."
        return text


def table_line(table: TableSummary) -> str:
    """One table on one line, its name as a statement has to write it."""
    facts = [table.kind.replace("_", " ")]
    if table.row_estimate is not None:
        facts.append(f"about {table.row_estimate:,} rows")
    facts.append(f"{table.column_count} columns")
    if not table.readable:
        facts.append("may not be read")
    summary = " ".join((table.summary or "").split())
    if len(summary) > _LONGEST_SUMMARY:
        summary = summary[: _LONGEST_SUMMARY - 1].rstrip() + "…"
    told = f": {summary}" if summary else ""
    return data_text(f"{sql_name(table.schema, table.name)} ({', '.join(facts)}){told}")
