"""A registered database as the code that speaks to it knows it."""

from uuid import UUID

import msgspec

from knowledgestack.databases.contracts import TlsMode


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """Where one connection leads and as whom. `revision` rises when any of it changes, so that old sockets are left.

    `sealed_password` is opened only while a socket is opened.
    """

    workspace_id: UUID
    connection_id: UUID
    revision: int
    name: str
    host: str
    port: int
    database: str
    username: str
    sealed_password: bytes
    tls: TlsMode
    ca_certificate: str | None
    denied_columns: frozenset[str]
