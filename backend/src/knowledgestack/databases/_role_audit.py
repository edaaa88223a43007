"""What the role of a connection may do, read from the server itself, and the script of a role that may only read."""

from datetime import datetime
from typing import Any

import asyncpg

from knowledgestack.databases.contracts import RoleAudit, RoleFinding, RoleVerdict, Severity
from knowledgestack.databases.errors import RoleRefused
from knowledgestack.databases.identifiers import quoted

_NAMED_TABLES = 20
_READER = "knowledgestack_reader"
_REFUSAL = (
    "The role {role} is a superuser or may reach files and programs of the server. Connect as a role that may only "
    "read; the script makes one."
)

_PRIVILEGED = """
SELECT pg_catalog.quote_ident(current_user) AS role FROM pg_catalog.pg_roles AS r
WHERE pg_catalog.pg_has_role(current_user, r.oid, 'MEMBER')
  AND (r.rolsuper OR r.rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'))
LIMIT 1
"""
_ATTRIBUTES = """
SELECT current_user::text AS role, pg_catalog.current_database()::text AS database,
    pg_catalog.now() AS checked_at,
    bool_or(r.rolsuper) AS superuser, bool_or(r.rolbypassrls) AS bypass_rls,
    bool_or(r.rolcreaterole) AS create_role, bool_or(r.rolcreatedb) AS create_database,
    bool_or(r.rolreplication) AS replication,
    array_agg(r.rolname::text ORDER BY r.rolname) AS member_of
FROM pg_catalog.pg_roles AS r WHERE pg_catalog.pg_has_role(current_user, r.oid, 'MEMBER')
"""
_RELATIONS = """
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'f', 'm') AND c.relpersistence <> 't'
  AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_toast%'
"""
_WRITABLE = f"""
SELECT pg_catalog.format('%I.%I', n.nspname, c.relname) AS name, count(*) OVER () AS total {_RELATIONS}
  AND c.relkind <> 'm'
  AND (pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
    OR pg_catalog.has_any_column_privilege(c.oid, 'INSERT, UPDATE'))
ORDER BY n.nspname, c.relname LIMIT {_NAMED_TABLES}
"""
_SCHEMAS = f"""
SELECT n.nspname::text AS name, pg_catalog.has_schema_privilege(n.oid, 'CREATE') AS may_create
FROM pg_catalog.pg_namespace AS n
WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
  AND (EXISTS (SELECT 1 {_RELATIONS} AND c.relnamespace = n.oid)
    OR pg_catalog.has_schema_privilege(n.oid, 'CREATE'))
ORDER BY n.nspname
"""  # noqa: S608 (constants of this module)
_SECRETS = """
SELECT c.relname::text AS name FROM pg_catalog.pg_class AS c
WHERE c.relnamespace = 'pg_catalog'::pg_catalog.regnamespace
  AND c.relname IN ('pg_authid', 'pg_shadow', 'pg_user_mapping', 'pg_subscription', 'pg_largeobject',
    'pg_hba_file_rules', 'pg_file_settings')
  AND CASE c.relname WHEN 'pg_subscription'
    THEN pg_catalog.has_column_privilege(c.oid, 'subconninfo', 'SELECT')
    ELSE pg_catalog.has_table_privilege(c.oid, 'SELECT') END
ORDER BY c.relname
"""

_SERVER_ROLES: dict[str, tuple[Severity, str]] = {
    "pg_read_server_files": ("danger", "It may read files of the server."),
    "pg_write_server_files": ("danger", "It may write files of the server."),
    "pg_execute_server_program": ("danger", "It may run programs on the server."),
    "pg_signal_backend": ("warning", "It may end the sessions of others."),
    "pg_write_all_data": ("warning", "It may write every table."),
    "pg_maintain": ("warning", "It may lock and rebuild every table."),
    "pg_create_subscription": ("warning", "It may subscribe to other servers."),
    "pg_checkpoint": ("warning", "It may force checkpoints."),
    "pg_read_all_data": ("info", "It may read every table, also those that are made later."),
    "pg_read_all_settings": ("info", "It may read every setting of the server."),
    "pg_read_all_stats": ("info", "It may see what others run."),
}
_FILE_ROLES = ("pg_read_server_files", "pg_write_server_files", "pg_execute_server_program")
_ATTRIBUTE_FINDINGS: dict[str, tuple[Severity, str]] = {
    "superuser": ("danger", "It is a superuser, or may become one: nothing is closed to it."),
    "bypass_rls": ("warning", "It sees every row, whatever row security says."),
    "create_role": ("danger", "It may make roles and give them rights."),
    "create_database": ("warning", "It may make databases."),
    "replication": ("danger", "It may copy the whole server by replication."),
}


async def refuse_privileged_role(connection: asyncpg.Connection) -> None:
    """Raise `RoleRefused` for a superuser and for a role that reaches the server's files or programs."""
    role = await connection.fetchval(_PRIVILEGED)
    if role is not None:
        raise RoleRefused(_REFUSAL.format(role=role))


async def audit_role(connection: asyncpg.Connection) -> RoleAudit:
    """Read what the session's role may do. Raises asyncpg's errors."""
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        await connection.execute("SET LOCAL statement_timeout = '10s'")
        await connection.execute("SET LOCAL search_path = pg_catalog")
        row = await connection.fetchrow(_ATTRIBUTES)
        writable = await connection.fetch(_WRITABLE)
        schemas = await connection.fetch(_SCHEMAS)
        secrets = [record["name"] for record in await connection.fetch(_SECRETS)]
    assert row is not None
    count = int(writable[0]["total"]) if writable else 0
    created_in = [record["name"] for record in schemas if record["may_create"]]
    checked_at: datetime = row["checked_at"]
    return RoleAudit(
        checked_at=checked_at,
        role=row["role"],
        verdict=_verdict(row, writes=bool(count or created_in)),
        findings=[*_attribute_findings(row), *_grant_findings(count, created_in, secrets)],
        writable_tables=[record["name"] for record in writable],
        writable_table_count=count,
        grant_script=grant_script(row["database"], [record["name"] for record in schemas]),
    )


def is_refused_role(audit: RoleAudit) -> bool:
    """Whether the role is one that only the operator's switch lets in."""
    return any(finding.code in {"superuser", *_FILE_ROLES} for finding in audit.findings)


def grant_script(database: str, schemas: list[str]) -> str:
    """The statements that make a role that may read these schemas and nothing else, for an administrator to run."""
    names = ", ".join(quoted(schema) for schema in schemas) or "public"
    return "\n".join(
        (
            "-- Run this as an administrator, connected to the database that is read.",
            f"CREATE ROLE {_READER} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;",
            f"ALTER ROLE {_READER} SET default_transaction_read_only = on;",
            f"GRANT CONNECT ON DATABASE {quoted(database)} TO {_READER};",
            f"GRANT USAGE ON SCHEMA {names} TO {_READER};",
            f"GRANT SELECT ON ALL TABLES IN SCHEMA {names} TO {_READER};",
            "-- So that tables that you make later are readable too:",
            f"ALTER DEFAULT PRIVILEGES IN SCHEMA {names} GRANT SELECT ON TABLES TO {_READER};",
            f"-- Then give it a password of its own, in psql: \\password {_READER}",
        )
    )


def _verdict(row: Any, *, writes: bool) -> RoleVerdict:
    members: list[str] = row["member_of"]
    if row["superuser"] or row["create_role"] or row["replication"] or any(role in members for role in _FILE_ROLES):
        return "privileged"
    return "may_write" if writes or "pg_write_all_data" in members else "read_only"


def _attribute_findings(row: Any) -> list[RoleFinding]:
    found = [
        RoleFinding(code=name, severity=severity, detail=detail)
        for name, (severity, detail) in _ATTRIBUTE_FINDINGS.items()
        if row[name]
    ]
    if row["superuser"]:
        return found
    return found + [
        RoleFinding(code=name, severity=severity, detail=detail)
        for name, (severity, detail) in _SERVER_ROLES.items()
        if name in row["member_of"]
    ]


def _grant_findings(writable: int, created_in: list[str], secrets: list[str]) -> list[RoleFinding]:
    found: list[RoleFinding] = []
    if writable:
        tables = "1 table" if writable == 1 else f"{writable:,} tables"
        found.append(RoleFinding(code="write_grants", severity="warning", detail=f"It may write {tables}."))
    if created_in:
        detail = f"It may make tables in {_listed(created_in)}."
        found.append(RoleFinding(code="create_in_schema", severity="warning", detail=detail))
    if secrets:
        detail = f"It may read secrets of the server: {_listed(secrets)}. The fence refuses them all the same."
        found.append(RoleFinding(code="visible_secrets", severity="danger", detail=detail))
    return found


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_NAMED_TABLES]) + (" and others" if len(names) > _NAMED_TABLES else "")
