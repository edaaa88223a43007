"""Whatever does more than read is refused, and leaves nothing behind."""

import asyncpg
import pytest

from knowledgestack.databases.errors import SqlFailed, SqlRejected, SqlTimeout
from tests.support.sql_target import Fence, SqlTarget

STATEMENTS = """
INSERT INTO shop.written VALUES ('x')
UPDATE shop.orders SET total = 0
DELETE FROM shop.orders
MERGE INTO shop.written w USING shop.customers c ON true WHEN NOT MATCHED THEN INSERT VALUES ('x')
TRUNCATE shop.written
CREATE TABLE shop.made (a int)
CREATE TEMP TABLE made (a int)
CREATE TABLE made AS SELECT 1
DROP TABLE shop.written
ALTER TABLE shop.written ADD b int
SELECT 1 INTO shop.made
SELECT * FROM shop.orders FOR UPDATE
SELECT * FROM shop.orders FOR KEY SHARE
SELECT * FROM (SELECT * FROM shop.orders FOR UPDATE) AS o
REFRESH MATERIALIZED VIEW shop.totals
COMMENT ON TABLE shop.written IS 'x'
WITH w AS (INSERT INTO shop.written VALUES ('x') RETURNING *) SELECT * FROM w
SELECT * FROM (WITH w AS (DELETE FROM shop.orders RETURNING *) SELECT * FROM w) AS w
SELECT 1; DELETE FROM shop.orders
COMMIT; BEGIN READ WRITE; INSERT INTO shop.written VALUES ('x')
SET TRANSACTION READ WRITE; INSERT INTO shop.written VALUES ('x')
SELECT g FROM generate_series(1,5000) g) AS q --
SELECT 1) AS q, (SELECT 2
COMMIT
ROLLBACK
BEGIN
SET statement_timeout = 0
SET LOCAL standard_conforming_strings = off
RESET ALL
SHOW data_directory
LISTEN x
NOTIFY x
UNLISTEN *
LOCK TABLE shop.orders
LOAD 'auto_explain'
CHECKPOINT
VACUUM
ANALYZE shop.orders
COPY shop.orders TO '/tmp/orders'
COPY (SELECT 1) TO PROGRAM 'true'
COPY shop.written FROM PROGRAM 'echo x'
DO $$ BEGIN PERFORM 1; END $$
CALL public.write_row()
EXPLAIN ANALYZE SELECT 1
EXPLAIN SELECT 1
PREPARE p AS SELECT 1
EXECUTE p
DECLARE c CURSOR WITH HOLD FOR SELECT 1
DISCARD ALL
GRANT SELECT ON shop.secrets TO PUBLIC
SECURITY LABEL ON TABLE shop.orders IS 'x'
SELECT $1
SELECT
""".strip().splitlines()[:-1]

FUNCTIONS = """
nextval('shop.s')
setval('shop.s', 1)
lastval()
set_config('statement_timeout', '0', false)
set_config('default_transaction_read_only', 'off', false)
set_config('standard_conforming_strings', 'off', true)
set_config('search_path', 'shop', false)
set_config('transaction_read_only', 'off', false)
current_setting('data_directory')
current_setting('shop.customer', true)
pg_sleep(1)
pg_sleep_for('1 second')
pg_sleep_until(now() + interval '1 second')
pg_advisory_lock(1)
pg_try_advisory_lock(1)
pg_try_advisory_lock_shared(1)
pg_advisory_xact_lock(1)
pg_advisory_unlock_all()
lo_create(0)
lo_creat(-1)
lo_from_bytea(0, 'x')
lo_import('/etc/hostname')
lo_export(1, '/tmp/x')
lo_get(1)
lo_unlink(1)
pg_notify('a', 'b')
txid_current()
pg_current_xact_id()
pg_logical_emit_message(true, 'a', 'b')
pg_export_snapshot()
pg_terminate_backend(1)
pg_cancel_backend(1)
pg_backend_pid()
pg_read_file('PG_VERSION')
pg_read_binary_file('PG_VERSION')
pg_ls_dir('.')
pg_ls_waldir()
pg_stat_file('PG_VERSION')
pg_current_logfile()
pg_file_write('x', 'y', false)
pg_switch_wal()
pg_create_restore_point('x')
pg_create_physical_replication_slot('x')
pg_create_logical_replication_slot('x', 'pgoutput')
pg_drop_replication_slot('x')
pg_replication_origin_create('x')
pg_backup_start('x')
pg_reload_conf()
pg_rotate_logfile()
pg_promote()
pg_import_system_collations('pg_catalog')
pg_hba_file_rules()
pg_show_all_settings()
pg_stat_get_activity(NULL)
pg_stat_get_backend_activity(1)
pg_stat_reset()
pg_prepared_statement()
pg_cursor()
pg_lock_status()
pg_get_functiondef('public.write_row'::regproc)
pg_get_function_sqlbody('public.thrice'::regproc)
pg_get_ruledef(1)
pg_get_viewdef('shop.slow')
pg_mcv_list_items(NULL)
pg_relation_filepath('shop.orders')
pg_tablespace_location(1663)
pg_config()
inet_server_addr()
inet_client_addr()
query_to_xml('select pg_sleep(1)', true, true, '')
query_to_xml_and_xmlschema('select 1', true, true, '')
table_to_xml('shop.secrets', true, true, '')
schema_to_xml('shop', true, true, '')
database_to_xml(true, true, '')
cursor_to_xml('c', 1, true, true, '')
ts_stat('select to_tsvector(what) from shop.secrets')
ts_rewrite('a'::tsquery, 'select ''a''::tsquery, ''b''::tsquery')
crosstab('select 1, 2, 3')
connectby('shop.orders', 'id', 'customer_id', '1', 0)
dblink('dbname=postgres', 'select 1')
dblink_connect('dbname=postgres')
dblink_exec('dbname=postgres', 'select 1')
postgres_fdw_disconnect_all()
binary_upgrade_set_next_pg_type_oid(1)
fmgr_sql_validator(1)
int4in('1')
"RI_FKey_check_ins"()
public.write_row()
write_row()
public.feign()
public.read_secret()
public.lock_it(7)
lock_it(7)
public.lock_deeper(7)
public.with_settings()
public.many(1)
public.many_of(1)
shop."Größe"()
pg_catalog.pg_sleep(1)
"pg_catalog"."pg_sleep"(1)
U&"pg\\005fsleep"(1)
PG_SLEEP(1)
pg_sleep/**/(1)
treat(1.0::float8 AS pg_sleep)
""".strip().splitlines()

HIDDEN = """
SELECT left_out()
SELECT gives_checked(3)
SELECT takes_checked(3)
SELECT c.label FROM shop.customers c
SELECT (c).label FROM shop.customers c
SELECT label(c) FROM shop.customers c
SELECT customers.label FROM shop.customers
SELECT g.pg_sleep FROM generate_series(1, 1) g
SELECT (1.0).pg_sleep
SELECT (g).pg_sleep FROM generate_series(1, 1) g
SELECT x.lock_it FROM generate_series(1, 2) x
SELECT ### 1
SELECT OPERATOR(public.###) 1
SELECT 1::shop.odd
SELECT CAST(1 AS shop.odd)
SELECT shop.odd(1)
SELECT take(1)
SELECT odd::text FROM shop.odds
SELECT odd::int FROM shop.odds
SELECT o::text FROM shop.quoted_odds
SELECT (h).f::text FROM shop.odd_holders
SELECT o::text FROM shop.odd_domains
SELECT cast_rows::text FROM shop.cast_rows
SELECT upper(cast_rows) FROM shop.cast_rows
SELECT r FROM shop.ranks ORDER BY r
SELECT DISTINCT r FROM shop.ranks
SELECT greatest(r, r) FROM shop.ranks
SELECT id FROM shop.indexed
SELECT id FROM shop.partly_indexed
SELECT id FROM shop.counted WHERE id = 1 AND b = 2
SELECT id FROM shop.parted
SELECT id FROM shop.parent
SELECT id FROM shop.child
SELECT 1::shop.checked
SELECT 1::shop.sleepy
SELECT '{1}'::shop.sleepy[]
SELECT '{1}'::shop._sleepy
SELECT 1::shop.sleepier
SELECT '(1)'::shop.holder
SELECT ROW(1)::shop.held
SELECT '[1,2)'::shop.sleepy_range
SELECT * FROM jsonb_populate_record(NULL::shop.held, '{"n": 1}')
SELECT jsonb_populate_record(h, '{"n": 1}') FROM shop.held h
SELECT * FROM json_to_record('{"n": 1}') AS r(n shop.sleepy)
SELECT json_value('1', '$')
SELECT json_scalar('1')
SELECT U&"pg!005fsleep" UESCAPE '!' (1)
SELECT * FROM shop.slow
SELECT * FROM shop.slow_again
SELECT * FROM shop.locking
SELECT * FROM shop.sessions
SELECT * FROM shop.passwords
SELECT * FROM shop.far
SELECT * FROM shop.parts
SELECT * FROM shop.parts_far
SELECT 1 WHERE EXISTS (SELECT pg_sleep(1))
SELECT * FROM pg_sleep(1)
SELECT * FROM ROWS FROM (pg_sleep(1), generate_series(1, 2))
SELECT * FROM shop.orders o, LATERAL pg_sleep(o.id)
SELECT 1 ORDER BY pg_sleep(1)
SELECT 1 LIMIT (SELECT pg_backend_pid())
SELECT count(*) FILTER (WHERE pg_sleep(1) IS NULL) FROM shop.orders
SELECT sum(id) OVER (ORDER BY pg_sleep(1)) FROM shop.orders
SELECT CASE WHEN true THEN pg_sleep(1) END
SELECT ARRAY[pg_sleep(1)]
SELECT (ARRAY[1])[pg_backend_pid()]
VALUES (pg_sleep(1))
SELECT 1 UNION SELECT pg_backend_pid()
WITH a AS (SELECT pg_sleep(1)) SELECT 1 FROM a
SELECT xmlelement(name a, pg_sleep(1))
SELECT json_object('a': pg_sleep(1))
SELECT json_array(SELECT pg_backend_pid())
SELECT * FROM shop.orders TABLESAMPLE system (pg_backend_pid())
SELECT count(*) FROM shop.orders GROUP BY GROUPING SETS ((pg_sleep(1)))
SELECT DISTINCT ON (pg_sleep(1)) 1 FROM shop.orders
SELECT 1 FROM shop.orders HAVING pg_sleep(1) IS NULL
SELECT 1 FROM shop.orders a JOIN shop.orders b ON pg_sleep(1) IS NULL
""".strip().splitlines()

SECRETS = [
    "pg_authid",
    "pg_shadow",
    "pg_user",
    "pg_roles",
    "pg_auth_members",
    "pg_hba_file_rules",
    "pg_ident_file_mappings",
    "pg_file_settings",
    "pg_settings",
    "pg_db_role_setting",
    "pg_largeobject",
    "pg_largeobject_metadata",
    "pg_stat_activity",
    "pg_stat_all_tables",
    "pg_stat_replication",
    "pg_stat_ssl",
    "pg_stats",
    "pg_stats_ext",
    "pg_statistic",
    "pg_statistic_ext_data",
    "pg_proc",
    "pg_foreign_server",
    "pg_foreign_table",
    "pg_user_mapping",
    "pg_user_mappings",
    "pg_locks",
    "pg_cursors",
    "pg_prepared_statements",
    "pg_prepared_xacts",
    "pg_replication_slots",
    "pg_subscription",
    "pg_config",
    "pg_rules",
    "pg_rewrite",
    "pg_trigger",
    "pg_policy",
    "pg_seclabels",
    "pg_shmem_allocations",
    "pg_backend_memory_contexts",
    "information_schema.routines",
    "information_schema.user_mapping_options",
    "information_schema.foreign_server_options",
    "information_schema._pg_user_mappings",
]

EVERYTHING = (
    STATEMENTS + [f"SELECT {call}" for call in FUNCTIONS] + HIDDEN + [f"SELECT * FROM {name}" for name in SECRETS]
)


async def test_everything_that_does_more_than_read_is_refused_by_the_fence(fence: Fence) -> None:
    passed: list[str] = []
    for sql in EVERYTHING:
        try:
            await fence.runner.run(fence.target, sql)
        except SqlRejected as refusal:
            if not refusal.detail.endswith(".") or "\n" in refusal.detail:
                passed.append(f"not a sentence: {refusal.detail}")
        except SqlFailed as failure:
            # What this server does not have cannot be refused by name; it never ran either.
            if failure.sqlstate not in {"42883", "42P01", "42704", "42601", "42703", "3F000"}:
                passed.append(f"{sql}: {failure.detail}")
        else:
            passed.append(sql)
    assert passed == []
    assert await fence.left_behind() == []


async def test_a_refused_statement_never_reaches_the_server_where_the_grammar_refuses_it(fence: Fence) -> None:
    for sql in STATEMENTS:
        with pytest.raises(SqlRejected):
            await fence.runner.run(fence.target, sql)
    assert fence.opened == []


async def test_what_cannot_be_refused_is_stopped_in_time(fence: Fence) -> None:
    for sql in (
        "SELECT count(*) FROM generate_series(1, 1000000000)",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
    ):
        with pytest.raises((SqlTimeout, SqlFailed)):
            await fence.runner.run(fence.target, sql)
        assert await fence.left_behind() == []
        assert (await fence.runner.run(fence.target, "SELECT 1")).rows == [["1"]]


# Only a superuser can make these; they touch statements that name nothing of the target.
EVERYWHERE = (
    (
        (
            "CREATE FUNCTION shop.int_of_text(t text) RETURNS int LANGUAGE plpgsql IMMUTABLE AS"
            " $$ BEGIN PERFORM pg_advisory_lock(9); RETURN 1; END $$"
        ),
        "CREATE CAST (text AS int) WITH FUNCTION shop.int_of_text(text) AS IMPLICIT",
        "DROP FUNCTION shop.int_of_text(text) CASCADE",
    ),
    (
        (
            "CREATE FUNCTION shop.compare_json(a json, b json) RETURNS int LANGUAGE plpgsql IMMUTABLE AS"
            " $$ BEGIN PERFORM pg_advisory_lock(9); RETURN 0; END $$"
        ),
        (
            "CREATE OPERATOR CLASS shop.json_order DEFAULT FOR TYPE json USING btree AS"
            " FUNCTION 1 shop.compare_json(json, json)"
        ),
        "DROP OPERATOR FAMILY shop.json_order USING btree; DROP FUNCTION shop.compare_json(json, json)",
    ),
)


@pytest.mark.parametrize(("function", "use", "drop"), EVERYWHERE)
async def test_code_behind_postgresqls_own_types_is_refused_in_every_statement(
    sql_target: SqlTarget, function: str, use: str, drop: str
) -> None:
    admin = await asyncpg.connect(sql_target.admin_url)
    fence = Fence(sql_target, superuser=False)
    try:
        await admin.execute(function)
        await admin.execute(use)
        for sql in ("SELECT word::int FROM (VALUES ('1')) AS v(word)", "SELECT id FROM shop.orders"):
            with pytest.raises(SqlRejected):
                await fence.runner.run(fence.target, sql)
    finally:
        await admin.execute(drop)
        await admin.close()
        await fence.runner.close()
