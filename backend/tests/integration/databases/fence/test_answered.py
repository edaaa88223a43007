"""What an analyst writes is answered, and every value arrives as text without loss."""

import pytest

from knowledgestack.databases.contracts import ResultOrder
from knowledgestack.databases.errors import AppError, SqlFailed, SqlRejected
from knowledgestack.databases.runner import Caps
from tests.support.sql_target import SCHEMA, Fence

READABLE = SCHEMA.with_name("sql_answered.sql").read_text().removesuffix("\n").split("\n-- next\n")
DEEP = [
    "SELECT 1" + " + 1" * 300,
    "SELECT 'a'" + " || 'a'" * 300,
    "SELECT 1" + " UNION SELECT 1" * 300,
    "SELECT n FROM " + "(SELECT n FROM " * 60 + "(SELECT 1 AS n) AS base" + ") AS sub" * 60,
    "SELECT 1 WHERE " + " AND ".join(f"{n} = {n}" for n in range(300)),
    "SELECT 1 WHERE 1 IN (" + ", ".join(str(n) for n in range(5000)) + ")",
]

VALUES = [
    ("'infinity'::timestamp", "infinity"),
    ("'-infinity'::timestamptz", "-infinity"),
    ("'infinity'::date", "infinity"),
    ("'0044-03-15 BC'::date", "0044-03-15 BC"),
    ("'4713-01-01 BC'::timestamp", "4713-01-01 00:00:00 BC"),
    ("'294276-12-31'::timestamp", "294276-12-31 00:00:00"),
    ("'99999-01-01'::date", "99999-01-01"),
    ("'24:00'::time", "24:00:00"),
    ("'24:00+02'::timetz", "24:00:00+02"),
    ("'NaN'::float8", "NaN"),
    ("'-Infinity'::float4", "-Infinity"),
    ("'NaN'::numeric", "NaN"),
    ("'Infinity'::numeric", "Infinity"),
    ("0.1::float8 + 0.2::float8", "0.30000000000000004"),
    ("1.10::numeric(10,2)", "1.10"),
    ("9223372036854775807", "9223372036854775807"),
    ("123456789012345678901234567890.123456789", "123456789012345678901234567890.123456789"),
    ("interval '1 month'", "1 mon"),
    ("interval '-1 mon +30 days'", "-1 mons +30 days"),
    ("'0/16B3748'::pg_lsn", "0/16B3748"),
    ("int4range(1, 5)", "[1,5)"),
    ("'{[1,3),[5,7)}'::int4multirange", "{[1,3),[5,7)}"),
    ("tsrange('2026-01-01', 'infinity')", '["2026-01-01 00:00:00",infinity)'),
    ("ARRAY[1, NULL, 3]", "{1,NULL,3}"),
    ("ARRAY['a,b', '\"', '']", '{"a,b","\\"",""}'),
    ("ARRAY[[1, 2], [3, 4]]", "{{1,2},{3,4}}"),
    ("'[0:1]={1,2}'::int[]", "[0:1]={1,2}"),
    ("ROW(1, NULL, 'a b')", '(1,,"a b")'),
    ("ROW(NULL, NULL)", "(,)"),
    ("ROW('Main St', NULL)::shop.address", '("Main St",)'),
    ("ROW(NULL, NULL)::shop.address", "(,)"),
    ("ARRAY[ROW('a', 'b')::shop.address]", '{"(a,b)"}'),
    ("'open'::shop.state", "open"),
    ("5::shop.amount", "5.00"),
    ("'\\xdeadBEEF'::bytea", "\\xdeadbeef"),
    ("''::bytea", "\\x"),
    ('\'{"b": 1, "a": [1, null]}\'::jsonb', '{"a": [1, null], "b": 1}'),
    ('\'{"b":1,  "a":2}\'::json', '{"b":1,  "a":2}'),
    ("'null'::jsonb", "null"),
    ("B'101'", "101"),
    ("B'1'::bit(4)", "1000"),
    ("B'101'::varbit", "101"),
    ("'192.168.1.0/24'::inet", "192.168.1.0/24"),
    ("'10.0.0.1'::inet", "10.0.0.1/32"),
    ("'08:00:2b:01:02:03'::macaddr", "08:00:2b:01:02:03"),
    ("point(1, 2)", "(1,2)"),
    ("'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    ("'12.34'::money::numeric", "12.34"),
    ("true", "true"),
    ("'ab'::char(4)", "ab  "),
    ("'x'::\"char\"", "x"),
    ("''::text", ""),
    ("' '::text", " "),
    ("E'a\\nb\\tc'", "a\nb\tc"),
    ("'🎈é'", "🎈é"),
    ("'a b'::tsvector", "'a' 'b'"),
    ("'shop.orders'::regclass", "shop.orders"),
    ("'a=>1'::hstore", '"a"=>"1"'),
    ("nothing()", None),
    ("NULL", None),
    ("NULL::int", None),
    ("NULL::shop.address", None),
    ("NULL::char(3)", None),
    ("NULL::bytea", None),
]


async def test_what_an_analyst_writes_is_answered(fence: Fence) -> None:
    failed: list[str] = []
    for sql in READABLE + DEEP:
        try:
            await fence.runner.run(fence.target, sql)
        except AppError as error:
            failed.append(f"{sql[:120]}: {error.detail}")
    assert failed == []
    assert await fence.left_behind() == []


async def test_values_arrive_as_text_without_loss(fence: Fence) -> None:
    answer = await fence.runner.run(fence.target, "SELECT " + ", ".join(f"{sql} AS v" for sql, _ in VALUES))
    assert list(zip([sql for sql, _ in VALUES], answer.rows[0], strict=True)) == VALUES
    assert {column.name for column in answer.columns} == {"v"}
    streamed: list[list[str | None]] = []
    async with fence.runner.stream(fence.target, "SELECT " + ", ".join(sql for sql, _ in VALUES)) as stream:
        async for batch in stream:
            streamed += batch
    assert streamed == answer.rows


async def test_xml_is_answered_where_the_server_knows_it(ordinary: Fence) -> None:
    for sql, text in (
        ("SELECT xmlelement(name a, 1), xmlserialize(content xmlelement(name b) AS text)", "<a>1</a>"),
        ("SELECT * FROM xmltable('/a/b' PASSING ('<a><b>1</b></a>'::xml) COLUMNS b int PATH '.')", "1"),
    ):
        if await ordinary.value("SELECT count(*) FROM pg_config WHERE name = 'CONFIGURE' AND setting ~ 'libxml'"):
            assert (await ordinary.runner.run(ordinary.target, sql)).rows[0][0] == text
        else:
            with pytest.raises(SqlFailed, match="0A000"):
                await ordinary.runner.run(ordinary.target, sql)


async def test_null_stays_null_and_an_empty_string_stays_empty(ordinary: Fence) -> None:
    answer = await ordinary.runner.run(ordinary.target, "SELECT id, name, note FROM shop.customers ORDER BY id")
    assert answer.rows == [["1", "Ada", None], ["2", "Bo", ""], ["3", "", "x"]]


async def test_no_column_and_very_many_and_equal_names(ordinary: Fence) -> None:
    nothing = await ordinary.runner.run(ordinary.target, "SELECT FROM generate_series(1, 3)")
    assert (nothing.columns, nothing.rows) == ([], [[], [], []])
    wide = "SELECT " + ", ".join(f"{n}" for n in range(1500))
    many = await ordinary.runner.run(ordinary.target, wide, caps=Caps(seconds=60))
    assert many.rows == [[str(n) for n in range(1500)]]
    equal = await ordinary.runner.run(ordinary.target, 'SELECT 1 AS a, 2 AS a, 3 AS "c0", 4 AS "A b"')
    assert [column.name for column in equal.columns] == ["a", "a", "c0", "A b"]
    assert equal.rows == [["1", "2", "3", "4"]]


async def test_columns_carry_postgresqls_own_type_names(ordinary: Fence) -> None:
    answer = await ordinary.runner.run(
        ordinary.target, "SELECT 1, 'a'::varchar, 1.5, now(), ARRAY['a'], 'open'::shop.state, ROW(1), NULL"
    )
    assert [column.type for column in answer.columns] == [
        "integer",
        "character varying",
        "numeric",
        "timestamp with time zone",
        "text[]",
        "shop.state",
        "record",
        "text",
    ]


async def test_a_column_of_a_table_carries_its_declaration(ordinary: Fence) -> None:
    await ordinary.value("CREATE TABLE shop.declared (a numeric(10,2), b varchar(20), c timestamp(3), d shop.amount)")
    await ordinary.value(f'GRANT SELECT ON shop.declared TO "{ordinary.target.username}"')
    exact = ["numeric(10,2)", "character varying(20)", "timestamp(3) without time zone", "numeric"]
    bare = ["numeric", "character varying", "timestamp without time zone", "numeric"]
    for sql, types in (
        ("SELECT * FROM shop.declared", exact),
        ("SELECT x.*, 1 AS n FROM shop.declared x", [*exact, "integer"]),
        ("SELECT x.a AS renamed, b FROM shop.declared x JOIN shop.customers c ON true", exact[:2]),
        ("SELECT a + 1 AS a, upper(b) AS b FROM shop.declared", ["numeric", "text"]),
        ("SELECT * FROM (SELECT a * 2 AS a FROM shop.declared) AS s", ["numeric"]),
        ("SELECT a, b, c, d FROM shop.declared UNION ALL SELECT 1, 'b', now()::timestamp, 1", bare),
        ("WITH declared AS (SELECT 1.5 AS a) SELECT a FROM declared", ["numeric"]),
    ):
        answer = await ordinary.runner.run(ordinary.target, sql)
        assert [column.type for column in answer.columns] == types, sql
    await ordinary.value("DROP TABLE shop.declared")


async def test_a_result_can_be_ordered_as_a_whole(ordinary: Fence) -> None:
    sql = "SELECT id, note FROM shop.customers ORDER BY id"
    down = await ordinary.runner.run(ordinary.target, sql, order_by=ResultOrder(column=0, descending=True))
    assert [row[0] for row in down.rows] == ["3", "2", "1"]
    last = await ordinary.runner.run(ordinary.target, sql, order_by=ResultOrder(column=1))
    assert [row[1] for row in last.rows] == ["", "x", None]
    with pytest.raises(SqlRejected, match="2 columns"):
        await ordinary.runner.run(ordinary.target, sql, order_by=ResultOrder(column=2))


async def test_a_receipt_says_what_was_read_and_how(ordinary: Fence) -> None:
    answer = await ordinary.runner.run(
        ordinary.target,
        "WITH customers AS (SELECT 1)"
        " SELECT o.total, p.* FROM shop.orders o JOIN shop.paid p USING (id) WHERE state = 'paid'",
    )
    assert answer.tables == ["shop.orders", "shop.paid"]
    assert answer.read_columns == [
        "shop.orders.id",
        "shop.orders.state",
        "shop.orders.total",
        "shop.paid.doubled",
        "shop.paid.id",
        "shop.paid.total",
    ]
    assert answer.cost_estimate is not None
    assert answer.cost_estimate > 1
    assert answer.time_zone == "UTC"
    assert answer.today == str(await ordinary.value("SELECT (now() AT TIME ZONE 'UTC')::date"))


async def test_errors_of_the_database_are_sentences_with_their_sqlstate(ordinary: Fence) -> None:
    for sql, state, words in (
        ("SELECT nam FROM shop.customers", "42703", "line 1"),
        ("SELECT *\nFROM shop.custmers", "42P01", "line 2"),
        ("SELECT 1 / 0", "22012", "Division by zero"),
        ("SELECT 'x'::int", "22P02", "invalid input syntax"),
        ("SELECT * FROM shop.unknown_thing()", "42883", "does not exist"),
        ("SELECT 1 UNION SELECT 'a'", "22P02", "invalid input syntax"),
        ("SELECT (SELECT id FROM shop.orders)", "21000", "more than one row"),
    ):
        with pytest.raises(SqlFailed) as failure:
            await ordinary.runner.run(ordinary.target, sql)
        assert failure.value.sqlstate == state
        assert state in failure.value.detail
        assert words.lower() in failure.value.detail.lower()
        assert await ordinary.left_behind() == []


async def test_a_table_without_its_schema_is_named_with_it(ordinary: Fence) -> None:
    with pytest.raises(SqlFailed, match=r"42P01.*Write shop\.orders\."):
        await ordinary.runner.run(ordinary.target, "SELECT count(*) FROM orders")


async def test_what_the_role_may_not_read_is_the_databases_refusal(ordinary: Fence) -> None:
    await _revoke(ordinary)
    with pytest.raises(SqlFailed, match="42501"):
        await ordinary.runner.run(ordinary.target, "SELECT * FROM shop.secrets")


async def _revoke(fence: Fence) -> None:
    await fence.value(f'REVOKE SELECT ON shop.secrets FROM "{fence.target.username}"')


async def test_tables_with_code_that_no_reading_runs_are_read(fence: Fence) -> None:
    assert (await fence.runner.run(fence.target, "SELECT name FROM shop.tidied WHERE id = 1")).rows == [["Lakes"]]
    answer = await fence.runner.run(fence.target, "SELECT s, b FROM shop.spans ORDER BY s")
    assert answer.rows == [["[1,3)", "7"]]
