"""What a failure of the target says to a person and to the model. Hosts, passwords and driver text stay here."""

import asyncpg

from knowledgestack.core.errors import AppError, Unavailable
from knowledgestack.databases.errors import SqlFailed, SqlTimeout

# What asyncpg and the socket raise when the connection, not the statement, is at fault.
LOST = (asyncpg.InterfaceError, asyncpg.PostgresConnectionError, asyncpg.InternalClientError, OSError, EOFError)
_LOST_STATES = ("08", "57P")
_MESSAGE_MAX = 1_000
_UNDEFINED_TABLE = "42P01"


def timed_out(seconds: float) -> SqlTimeout:
    return SqlTimeout(
        f"The statement was stopped after {seconds:g} seconds. Read fewer rows: filter, aggregate or join on keys."
    )


def lost(name: str) -> Unavailable:
    return Unavailable(f"The connection to the database “{name}” was lost. Try again.")


def busy(name: str) -> Unavailable:
    return Unavailable(f"All connections to the database “{name}” are in use. Try again in a moment.")


def undecodable() -> SqlFailed:
    return SqlFailed("A value is not valid text in the encoding of the database. Leave its column out, or encode() it.")


def flooded() -> SqlFailed:
    return SqlFailed("The database answered with far more than a result may hold. Shorten long values with left().")


def described(error: asyncpg.PostgresError, sql: str, elsewhere: list[str]) -> AppError | None:
    """What the server says against the text alone, None if the text is not at fault.

    `elsewhere` are the full names of tables that may be meant where one was not found.
    """
    state = error.sqlstate or ""
    if isinstance(error, asyncpg.QueryCanceledError) or state.startswith(_LOST_STATES):
        return None
    failure = spoken(error, 0, "", sql)
    if state != _UNDEFINED_TABLE or not elsewhere:
        return failure
    return SqlFailed(f"{failure.detail} Write {' or '.join(elsewhere[:3])}.", sqlstate=state)


def spoken(error: asyncpg.PostgresError, seconds: float, database: str, sql: str | None = None) -> AppError:
    """The error of the application for an error of the server. `sql` is the text that the position counts in."""
    state = error.sqlstate or "XX000"
    if isinstance(error, asyncpg.QueryCanceledError):
        return timed_out(seconds)
    if state.startswith(_LOST_STATES):
        return lost(database)
    sentence = _sentence(str(getattr(error, "message", None) or "The statement failed"))
    parts = [f"{sentence} (SQLSTATE {state}{_line(error, sql)})."]
    parts += [f"{_sentence(text)}." for text in (error.detail, error.hint) if text]
    return SqlFailed(" ".join(parts), sqlstate=state)


def _line(error: asyncpg.PostgresError, sql: str | None) -> str:
    position = str(getattr(error, "position", None) or "")
    if sql is None or not position.isdigit():
        return ""
    return f", line {sql[: int(position) - 1].count(chr(10)) + 1}"


def _sentence(text: str) -> str:
    text = " ".join(text.split())[:_MESSAGE_MAX].rstrip(".")
    return text[:1].upper() + text[1:]
