"""The first layer alone: one SELECT or nothing, and the names as the server will look them up."""

import contextlib
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.databases._grammar import FunctionUse, parse
from knowledgestack.databases.errors import SqlRejected


def names(sql: str) -> set[str]:
    return {use.name for use in parse(sql).functions}


def test_names_are_resolved_as_the_server_resolves_them() -> None:
    assert names('SELECT U&"pg\\005fsleep"(1)') == {"pg_sleep"}
    assert names("SELECT PG_Sleep(1)") == {"pg_sleep"}
    assert names('SELECT "PG_Sleep"(1)') == {"PG_Sleep"}
    assert names("SELECT pg_sleep /* x */ (1)") == {"pg_sleep"}
    assert parse("SELECT pg_catalog.pg_sleep(1)").functions == {FunctionUse("pg_catalog", "pg_sleep", 1)}
    assert parse("SELECT db.pg_catalog.pg_sleep(1)").functions == {FunctionUse("pg_catalog", "pg_sleep", 1)}
    assert names(f"SELECT {'a' * 70}(1)") == {"a" * 63}
    assert names("SELECT 'pg_sleep(1)', $$pg_sleep(1)$$, \"pg_sleep(1)\" -- pg_sleep(1)") == set()


def test_calls_are_found_wherever_they_stand() -> None:
    for sql in (
        "SELECT * FROM f()",
        "SELECT * FROM ROWS FROM (f(), g()) AS x",
        "SELECT * FROM t TABLESAMPLE system (f())",
        "SELECT 1 LIMIT f() OFFSET g()",
        "SELECT sum(a) OVER (PARTITION BY f() ORDER BY g() ROWS BETWEEN f() PRECEDING AND CURRENT ROW)",
        "SELECT 1 WINDOW w AS (ORDER BY f())",
        "VALUES (1), (f())",
        "SELECT DISTINCT ON (f()) 1",
        "SELECT a[f():g()]",
        "SELECT CASE f() WHEN g() THEN 1 END",
        "SELECT json_value(a, '$' PASSING f() AS x)",
        "SELECT * FROM xmltable(f() PASSING a COLUMNS b int DEFAULT g())",
        "SELECT * FROM json_table(f(), '$' COLUMNS (a int PATH '$'))",
        "WITH RECURSIVE r AS (SELECT f()) SEARCH DEPTH FIRST BY a SET b SELECT 1",
        "SELECT 1 UNION (SELECT f() ORDER BY 1)",
        "SELECT 1 GROUP BY CUBE (f(), 2)",
        "SELECT EXISTS (SELECT f())",
        'SELECT f() COLLATE "C" IS NOT NULL AND NOT (g())::bool',
        "SELECT count(*) FILTER (WHERE f())",
        "SELECT string_agg(a, b ORDER BY f())",
        "SELECT interval '1 day' * f()",
        "SELECT ARRAY(SELECT f())",
        "SELECT a.b[f()].c",
        "SELECT (f()).*",
        "SELECT x(n => f(), VARIADIC g())",
    ):
        assert "f" in names(sql), sql


def test_what_may_be_a_call_in_attribute_notation_is_named() -> None:
    assert parse("SELECT c.func FROM t c").attributes == {("c", "func")}
    assert parse("SELECT (c).func, (f()).g.h FROM t c").attributes == {(None, "func"), (None, "g"), (None, "h")}
    assert parse("SELECT c.func FROM t c").sources == {"c": [(None, "t")]}
    assert parse("SELECT c.func FROM t, LATERAL (SELECT 1) c").sources["c"] == [None]
    assert parse("WITH t AS (SELECT 1) SELECT t.func FROM t").sources["t"] == [None]


def test_a_name_of_with_hides_a_table_only_where_it_is_seen() -> None:
    assert parse("WITH a AS (SELECT 1) SELECT * FROM a").tables == set()
    assert parse("SELECT * FROM (WITH a AS (SELECT 1) SELECT 1) x, a").tables == {(None, "a")}
    assert parse("WITH a AS (SELECT * FROM a) SELECT * FROM a").tables == {(None, "a")}
    assert parse("WITH RECURSIVE a AS (SELECT * FROM a) SELECT * FROM a").tables == set()
    assert parse("WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT 1").tables == {(None, "b")}
    assert parse("WITH a AS (SELECT 1) SELECT * FROM s.a").tables == {("s", "a")}
    assert parse("WITH pg_authid AS (SELECT 1) SELECT * FROM pg_authid").relations == {(None, "pg_authid")}


def test_exactly_the_statement_is_kept_also_after_wide_characters() -> None:
    assert parse("SELECT 'é🎈' ; ").sql.strip() == "SELECT 'é🎈'"
    assert parse("/* 🎈 */ SELECT 1 -- end").sql.strip().startswith("/* 🎈 */ SELECT 1")
    assert parse(";;SELECT 'ü';;").sql.strip() == "SELECT 'ü'"


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("", "no statement"),
        ("-- nothing", "no statement"),
        (";", "no statement"),
        ("SELECT 1; SELECT 2", "2 statements"),
        ("SELECT 1\0; DROP TABLE x", "NUL"),
        ("SELECT '\ud800'", "Unicode"),
        ("SELECT '" + "x" * 65536 + "'", "64 KB"),
        ("SELEC 1", "syntax error"),
        ("SELECT 1\nFROM\nWHERE", r"line 3"),
        ("DELETE FROM x", "DELETE"),
        ("CREATE TABLE x AS SELECT 1", "CREATE TABLE AS"),
        ("SELECT 1 INTO x", "INTO"),
        ("SELECT 1 FROM x FOR SHARE", "FOR SHARE"),
        ("WITH a AS (UPDATE x SET a = 1 RETURNING a) SELECT 1", "an UPDATE"),
        ("SELECT $1", "parameter"),
        ("VALUES (DEFAULT)", "DEFAULT"),
        ("SELECT * FROM x TABLESAMPLE own (1)", "TABLESAMPLE"),
        ("SELECT 1" + "+1" * 20_000, "nested"),
        ("SELECT " + "(" * 20_000 + "1" + ")" * 20_000, "memory exhausted"),
        ("SELECT 1" + "::int" * 10_000, "nested"),
        ("SELECT * FROM " + "(SELECT * FROM " * 2_000 + "a" + ") x" * 2_000, "."),
        ("SELECT" + " NOT" * 15_000 + " true", "memory exhausted"),
        ("SELECT 1" + " UNION SELECT 1" * 4_000, "nested"),
    ],
)
def test_what_is_no_single_select_is_refused_in_one_sentence(sql: str, words: str) -> None:
    with pytest.raises(SqlRejected) as refusal:
        parse(sql)
    assert words in refusal.value.detail
    assert refusal.value.detail.endswith(".")
    assert len(refusal.value.detail) < 300


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1" + " + 1" * 300,
        "SELECT 1" + " UNION SELECT 1" * 300,
        "SELECT 1 WHERE " + " OR ".join(["a = 1"] * 300),
        "SELECT n FROM " + "(SELECT n FROM " * 60 + "t" + ") AS s" * 60,
    ],
)
def test_ordinary_depth_is_accepted_however_deep_the_caller_stands(sql: str) -> None:
    def deep(frames: int) -> None:
        if frames:
            deep(frames - 1)
        else:
            parse(sql)

    deep(600)
    thread = threading.Thread(target=deep, args=(600,))
    thread.start()
    thread.join()


WORDS = r"""
SELECT select FROM WHERE WITH RECURSIVE AS UNION ALL VALUES TABLE INSERT INTO UPDATE SET DELETE DROP CREATE
COPY TO PROGRAM BEGIN COMMIT ROLLBACK DO CALL LOCK FOR SHARE RETURNING LIMIT ORDER BY GROUP HAVING
( ) , ; * . = + - 1 'x' "y" $$ $a$ ' " -- /* */ \ E'\'' U&"\0061" t a.b pg_sleep(1) x::int $1 NULL é 🎈
"""
TOKENS = st.sampled_from([*WORDS.split(), "\n", "\0", "\u00a0"])


@given(st.lists(TOKENS, max_size=25).map(" ".join))
def test_whatever_is_written_is_one_select_or_a_refusal(sql: str) -> None:
    with contextlib.suppress(SqlRejected):
        statement = parse(sql)
        assert parse(statement.sql).sql == statement.sql
        assert "\0" not in statement.sql


@given(st.text(max_size=200))
def test_any_text_is_one_select_or_a_refusal(sql: str) -> None:
    with contextlib.suppress(SqlRejected):
        parse(sql)
