"""Reads a target's system catalogue in a few statements. Each answers one JSON text, so no codec is needed."""

from collections import defaultdict
from typing import Any, TypeAlias

import asyncpg
import msgspec

from knowledgestack.catalogue.contracts import TableKind
from knowledgestack.catalogue.schema import ColumnFacts, ForeignKeyFacts, Snapshot, TableFacts

MOST_TABLES = 5_000
"""A catalogue holds no more than this; further tables are left out, and the status says so."""

_COMMENT_CHARACTERS = 2_000
_KINDS: dict[str, TableKind] = {
    "r": "table",
    "p": "partitioned_table",
    "v": "view",
    "m": "materialized_view",
    "f": "foreign_table",
}

# What belongs to PostgreSQL, to an extension or to one session is nobody's table to ask about.
_RELATIONS = """
    SELECT c.oid, c.xmin, c.relname, c.relkind, c.reltuples, c.relispartition, n.nspname, n.oid AS nspoid
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relpersistence <> 't'
      AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_class'::regclass
                      AND d.objid = c.oid AND d.deptype = 'e')
"""

# A changed row of a system table is a new row with a new xmin; VACUUM and ANALYZE write in place.
_FINGERPRINT = f"""
    WITH rel AS MATERIALIZED ({_RELATIONS}),
    seen AS (
        SELECT 'class' AS place, xmin::text::numeric AS version, oid::bigint::numeric AS id FROM rel
        UNION ALL SELECT 'attribute', a.xmin::text::numeric, a.attrelid::bigint::numeric * 2000 + a.attnum
            FROM pg_catalog.pg_attribute a JOIN rel ON rel.oid = a.attrelid WHERE a.attnum > 0
        UNION ALL SELECT 'constraint', k.xmin::text::numeric, k.oid::bigint::numeric
            FROM pg_catalog.pg_constraint k JOIN rel ON rel.oid = k.conrelid
        UNION ALL SELECT 'comment', d.xmin::text::numeric, d.objoid::bigint::numeric * 2000 + d.objsubid
            FROM pg_catalog.pg_description d JOIN rel ON rel.oid = d.objoid
            WHERE d.classoid = 'pg_catalog.pg_class'::regclass
        UNION ALL SELECT 'enum', e.xmin::text::numeric, e.oid::bigint::numeric FROM pg_catalog.pg_enum e
        UNION ALL SELECT 'namespace', n.xmin::text::numeric, n.oid::bigint::numeric FROM pg_catalog.pg_namespace n
            WHERE n.nspname NOT LIKE 'pg\\_%'
        UNION ALL SELECT 'member', m.xmin::text::numeric, m.roleid::bigint::numeric FROM pg_catalog.pg_auth_members m
        UNION ALL SELECT 'inherits', i.xmin::text::numeric, i.inhrelid::bigint::numeric
            FROM pg_catalog.pg_inherits i JOIN rel ON rel.oid = i.inhrelid)
    SELECT md5(concat_ws('|', current_user, string_agg(line, ',' ORDER BY place)))
    FROM (SELECT place, concat_ws(':', place, count(*), sum(version), sum(id), sum(version * id)) AS line
          FROM seen GROUP BY place) AS counted
"""  # noqa: S608  fixed parts of this module alone

_TABLES = f"""
    SELECT coalesce(json_agg(json_build_object(
        'oid', oid::bigint, 'schema', nspname, 'name', relname, 'kind', relkind, 'comment', comment,
        'rows', CASE WHEN relkind IN ('v', 'f') THEN NULL WHEN reltuples >= 0 THEN reltuples::bigint
                     ELSE nullif(pg_catalog.pg_stat_get_live_tuples(oid), 0) END,
        'whole', usable AND pg_catalog.has_table_privilege(oid, 'SELECT'),
        'part', usable AND pg_catalog.has_any_column_privilege(oid, 'SELECT'))
        ORDER BY nspname, relname), '[]')::text
    FROM (SELECT rel.*, pg_catalog.left(pg_catalog.obj_description(oid, 'pg_class'), {_COMMENT_CHARACTERS}) AS comment,
                 pg_catalog.has_schema_privilege(nspoid, 'USAGE') AS usable
          FROM ({_RELATIONS}) AS rel WHERE NOT relispartition
          ORDER BY nspname, relname LIMIT {MOST_TABLES + 1}) AS kept
"""  # noqa: S608  fixed parts of this module alone

_COLUMNS = f"""
    SELECT coalesce(json_agg(json_build_array(
        a.attrelid::bigint, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnum,
        NOT (a.attnotnull OR (t.typtype = 'd' AND t.typnotnull)),
        pg_catalog.left(pg_catalog.pg_get_expr(d.adbin, d.adrelid), 500),
        pg_catalog.left(w.description, {_COMMENT_CHARACTERS}), e.labels,
        CASE WHEN a.attrelid = ANY($2::oid[])
             THEN pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT') ELSE NULL END)
        ORDER BY a.attrelid, a.attnum), '[]')::text
    FROM pg_catalog.pg_attribute a
    JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    LEFT JOIN pg_catalog.pg_description w
        ON w.classoid = 'pg_catalog.pg_class'::regclass AND w.objoid = a.attrelid AND w.objsubid = a.attnum
    LEFT JOIN (SELECT enumtypid, json_agg(enumlabel ORDER BY enumsortorder) AS labels
               FROM pg_catalog.pg_enum GROUP BY enumtypid) AS e
        ON e.enumtypid = CASE WHEN t.typelem <> 0 THEN t.typelem WHEN t.typtype = 'd' THEN t.typbasetype
                              ELSE t.oid END
    WHERE a.attrelid = ANY($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
"""  # noqa: S608  fixed parts of this module alone

_KEYS = """
    SELECT coalesce(json_agg(json_build_array(
        k.conrelid::bigint, k.contype, k.conkey, n.nspname, c.relname,
        (SELECT json_agg(a.attname ORDER BY u.place)
         FROM pg_catalog.unnest(k.confkey) WITH ORDINALITY AS u (number, place)
         JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.number))
        ORDER BY k.conrelid, k.conname), '[]')::text
    FROM pg_catalog.pg_constraint k
    LEFT JOIN pg_catalog.pg_class c ON c.oid = k.confrelid
    LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE k.conrelid = ANY($1::oid[]) AND k.contype IN ('p', 'u', 'f')
"""

_PARTITIONS = """
    WITH RECURSIVE tree AS (
        SELECT i.inhparent AS root, i.inhrelid AS oid FROM pg_catalog.pg_inherits i WHERE i.inhparent = ANY($1::oid[])
        UNION ALL SELECT tree.root, i.inhrelid FROM tree JOIN pg_catalog.pg_inherits i ON i.inhparent = tree.oid)
    SELECT coalesce(json_agg(json_build_array(tree.root::bigint, n.nspname || '.' || c.relname,
                             CASE WHEN c.relkind = 'r' THEN greatest(c.reltuples, 0)::bigint ELSE 0 END)
                    ORDER BY n.nspname, c.relname), '[]')::text
    FROM tree JOIN pg_catalog.pg_class c ON c.oid = tree.oid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
"""


class _Relation(msgspec.Struct):
    oid: int
    schema: str
    name: str
    kind: str
    comment: str | None
    rows: int | None
    whole: bool
    part: bool


Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


async def read_fingerprint(connection: Connection) -> str:
    """A short text that differs after anything that a catalogue keeps was created, altered, granted or dropped."""
    return str(await connection.fetchval(_FINGERPRINT))


async def read_snapshot(connection: Connection) -> Snapshot:
    """All tables with columns, keys, comments, enums, partitions, estimates and rights.

    The fingerprint is taken first: what changes meanwhile is noticed by the next look at it.
    """
    fingerprint = await read_fingerprint(connection)
    relations = msgspec.json.decode(await connection.fetchval(_TABLES), type=list[_Relation])
    kept = relations[:MOST_TABLES]
    oids = [relation.oid for relation in kept]
    partly = [relation.oid for relation in kept if relation.part and not relation.whole]
    columns = msgspec.json.decode(await connection.fetchval(_COLUMNS, oids, partly), type=list[list[Any]])
    keys = msgspec.json.decode(await connection.fetchval(_KEYS, oids), type=list[list[Any]])
    roots = [relation.oid for relation in kept if relation.kind == "p"]
    partitions = (
        msgspec.json.decode(await connection.fetchval(_PARTITIONS, roots), type=list[list[Any]]) if roots else []
    )
    return Snapshot(fingerprint, _tables(kept, columns, keys, partitions), len(relations) <= MOST_TABLES)


def _tables(
    relations: list[_Relation], columns: list[list[Any]], keys: list[list[Any]], partitions: list[list[Any]]
) -> list[TableFacts]:
    columns_of, keys_of, parts_of = _by_first(columns), _by_first(keys), _by_first(partitions)
    return [
        _table(relation, columns_of[relation.oid], keys_of[relation.oid], parts_of[relation.oid])
        for relation in relations
    ]


def _table(
    relation: _Relation, columns: list[list[Any]], keys: list[list[Any]], partitions: list[list[Any]]
) -> TableFacts:
    names = {row[3]: row[1] for row in columns}
    plain: dict[str, list[list[str]]] = {"p": [], "u": []}
    foreign: list[ForeignKeyFacts] = []
    for _, kind, numbers, schema, table, referenced in keys:
        own = [names[number] for number in numbers]
        if kind == "f":
            foreign.append(ForeignKeyFacts(columns=own, schema=schema, table=table, referenced_columns=referenced))
        else:
            plain[kind].append(own)
    rows = relation.rows
    if relation.kind == "p":
        rows = sum(part[2] for part in partitions)
    return TableFacts(
        schema=relation.schema,
        name=relation.name,
        kind=_KINDS[relation.kind],
        row_estimate=rows,
        comment=relation.comment,
        readable=relation.part,
        columns=[_column(relation, row) for row in columns],
        primary_key=plain["p"][0] if plain["p"] else [],
        unique_keys=plain["u"],
        foreign_keys=foreign,
        partitions=[part[1] for part in partitions],
    )


def _column(relation: _Relation, row: list[Any]) -> ColumnFacts:
    _, name, kind, position, nullable, default, comment, labels, granted = row
    return ColumnFacts(
        name=name,
        type=kind,
        position=position,
        nullable=nullable,
        default=default,
        comment=comment,
        enum_values=labels,
        readable=relation.whole or bool(granted),
    )


def _by_first(rows: list[list[Any]]) -> defaultdict[int, list[list[Any]]]:
    grouped: defaultdict[int, list[list[Any]]] = defaultdict(list)
    for row in rows:
        grouped[row[0]].append(row)
    return grouped
