"""The wire of database connections, their statements and results. Every value of a result is text, null is NULL."""

from datetime import datetime
from typing import Literal
from uuid import UUID

import msgspec

from knowledgestack.core.contract import Contract

TlsMode = Literal["off", "require", "verify"]
ConnectionState = Literal["reachable", "unreachable"]
RoleVerdict = Literal["read_only", "may_write", "privileged"]
Severity = Literal["info", "warning", "danger"]
TruncatedReason = Literal["rows", "bytes", "cells"]
StatementOrigin = Literal["person", "agent", "export", "verified_query"]
StatementOutcome = Literal["running", "answered", "rejected", "failed", "timeout", "cancelled"]
ExportFormat = Literal["csv", "xlsx"]

NAME_MAX = 100
DESCRIPTION_MAX = 2_000
SQL_MAX_BYTES = 64 * 1024


class RoleFinding(Contract):
    """One thing that the role may do and a reader should not; `code` is a stable word."""

    code: str
    severity: Severity
    detail: str


class RoleAudit(Contract):
    """What the connection's role may do. `grant_script` makes a role that may only read, exactly as written.

    `writable_tables` names the first of them, `writable_table_count` counts all.
    """

    checked_at: datetime
    role: str
    verdict: RoleVerdict
    findings: list[RoleFinding]
    writable_tables: list[str]
    writable_table_count: int
    grant_script: str


class DatabaseHoldings(Contract):
    """What the catalogue last saw in the database; `row_estimate` is the server's own estimate."""

    table_count: int
    row_estimate: int
    taken_at: datetime


class DatabaseConnection(Contract):
    """A database that may be read. The password is never part of it.

    `state_message` says why the last check failed. `denied_columns` are `schema.table.column`: left out of samples,
    of the search for values and of notes. `holdings` is null until the catalogue was read.
    """

    id: UUID
    name: str
    description: str
    engine: Literal["postgresql"]
    host: str
    port: int
    database: str
    username: str
    tls: TlsMode
    has_ca_certificate: bool
    state: ConnectionState
    state_message: str | None
    last_checked_at: datetime
    last_reached_at: datetime
    latency_ms: int | None
    server_version: str | None
    audit: RoleAudit | None
    denied_columns: list[str]
    holdings: DatabaseHoldings | None
    created_at: datetime


class DatabaseConnectionPage(Contract):
    items: list[DatabaseConnection]
    next_cursor: str | None


class NewDatabaseConnection(Contract):
    """Registering a name that exists replaces that connection's settings."""

    name: str
    host: str
    database: str
    username: str
    password: str
    description: str = ""
    port: int = 5432
    tls: TlsMode = "verify"
    ca_certificate: str | None = None

    def __repr__(self) -> str:
        return f"NewDatabaseConnection(name={self.name!r})"


class DatabaseConnectionChange(Contract):
    """What is left out stays. A change of the address, the role or TLS is opened before it is stored."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    description: str | msgspec.UnsetType = msgspec.UNSET
    host: str | msgspec.UnsetType = msgspec.UNSET
    port: int | msgspec.UnsetType = msgspec.UNSET
    database: str | msgspec.UnsetType = msgspec.UNSET
    username: str | msgspec.UnsetType = msgspec.UNSET
    password: str | msgspec.UnsetType = msgspec.UNSET
    tls: TlsMode | msgspec.UnsetType = msgspec.UNSET
    ca_certificate: str | msgspec.UnsetType | None = msgspec.UNSET
    denied_columns: list[str] | msgspec.UnsetType = msgspec.UNSET

    def __repr__(self) -> str:
        given = [name for name in self.__struct_fields__ if getattr(self, name) is not msgspec.UNSET]
        return f"DatabaseConnectionChange({', '.join(given)})"


class DatabaseConnectionSaved(Contract):
    """`success` is false when the allowed address did not open: nothing was stored, and `message` says why."""

    success: bool
    database_connection: DatabaseConnection | None = None
    audit: RoleAudit | None = None
    message: str | None = None


class DatabaseConnectionTested(Contract):
    database_connection: DatabaseConnection
    message: str
    audit: RoleAudit | None


class QueryColumn(Contract):
    """`type` is PostgreSQL's own name of the type, such as `numeric(10,2)`."""

    name: str
    type: str


class QueryReceipt(Contract):
    """What a statement read and how. `cost_estimate` is the planner's, `today` is the date the server worked with.

    `columns` are `schema.table.column` of what the statement names, as far as its text tells.
    """

    statement_id: UUID
    database: str
    role: str
    tables: list[str]
    columns: list[str]
    cost_estimate: float | None
    time_zone: str
    today: str
    started_at: datetime


class QueryResult(Contract):
    """`row_count` counts `rows`. `truncated_reason`: `rows` more than 1,000, `bytes` more than 1 MB, `cells` a cell
    was cut at 10,000 characters."""

    columns: list[QueryColumn]
    rows: list[list[str | None]]
    row_count: int
    truncated: bool
    truncated_reason: TruncatedReason | None
    duration_ms: int
    receipt: QueryReceipt


class ResultOrder(Contract):
    """Orders the whole result in the database; `column` counts from 0."""

    column: int
    descending: bool = False


class NewQuery(Contract):
    sql: str
    order_by: ResultOrder | None = None


class NewExport(Contract):
    sql: str
    format: ExportFormat
    order_by: ResultOrder | None = None


class Statement(Contract):
    """One line of the log of statements. `database` is the name the connection had, also after it was deleted."""

    id: UUID
    database_connection_id: UUID | None
    database: str
    user_id: UUID | None
    user_name: str | None
    chat_id: UUID | None
    turn_id: UUID | None
    origin: StatementOrigin
    sql: str
    tables: list[str]
    started_at: datetime
    duration_ms: int | None
    row_count: int | None
    outcome: StatementOutcome
    detail: str | None


class StatementPage(Contract):
    items: list[Statement]
    next_cursor: str | None
