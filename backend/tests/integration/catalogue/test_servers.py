"""The system catalogue is read alike on each server that is here, as an ordinary role and as a superuser."""

from collections.abc import AsyncGenerator, Generator

import asyncpg
import pytest

from knowledgestack.catalogue._reading import read_fingerprint, read_snapshot
from knowledgestack.catalogue.schema import TableFacts
from tests.support.catalogue import SHOP
from tests.support.database import postgres_server
from tests.support.sql_target import POSTGRES_15, postgres_15
from tests.support.target import TargetDatabase, target_database


@pytest.fixture(scope="module", params=["own", "15"])
def server(request: pytest.FixtureRequest) -> Generator[str]:
    if request.param == "15" and not POSTGRES_15.exists():
        pytest.skip("PostgreSQL 15 is not installed here.")
    with postgres_15() if request.param == "15" else postgres_server() as url:
        yield url


@pytest.fixture
async def shop(server: str) -> AsyncGenerator[TargetDatabase]:
    async with target_database(server) as target:
        await target.run(*SHOP, f"GRANT SELECT (tno, nm) ON tchm TO {target.reader}")
        yield target


async def read(target: TargetDatabase, *, superuser: bool) -> tuple[str, dict[str, TableFacts]]:
    """The fingerprint and the tables by name, in the kind of transaction that they are read in."""
    user, password = target.superuser if superuser else (target.reader, target.password)
    connection = await asyncpg.connect(
        host=target.host, port=target.port, user=user, password=password, database=target.database
    )
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            await connection.execute("SET LOCAL search_path = pg_catalog, public, pg_temp")
            snapshot = await read_snapshot(connection)
            assert await read_fingerprint(connection) == snapshot.fingerprint
            return snapshot.fingerprint, {table.name: table for table in snapshot.tables}
    finally:
        await connection.close()


async def test_both_roles_see_the_same_tables_and_their_own_rights(shop: TargetDatabase) -> None:
    _, ordinary = await read(shop, superuser=False)
    _, everything = await read(shop, superuser=True)
    assert set(ordinary) == set(everything) == {
        "customers", "gold_orders", "ledger", "moves", "ordh", "region", "tchm",
    }  # fmt: skip
    assert [column.readable for column in ordinary["tchm"].columns] == [True, True, False]
    assert [column.readable for column in everything["tchm"].columns] == [True, True, True]
    assert (ordinary["region"].readable, everything["region"].readable) == (False, True)
    assert everything["ordh"].primary_key == ["ono"]
    assert [key.table for key in everything["ordh"].foreign_keys] == ["region"]


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE region ADD COLUMN x int",
        "ALTER TABLE region RENAME COLUMN nm TO name",
        "ALTER TABLE ordh ALTER COLUMN net_m TYPE numeric",
        "ALTER TABLE ordh DROP COLUMN net_m",
        "CREATE TABLE extra (id int)",
        "DROP TABLE tchm",
        "CREATE SCHEMA extra",
        "COMMENT ON TABLE region IS 'Regions'",
        "COMMENT ON COLUMN region.nm IS 'Name'",
        "ALTER TABLE tchm ADD PRIMARY KEY (nm)",
        "ALTER TABLE ordh DROP CONSTRAINT ordh_rgc_fkey",
        "ALTER TYPE rank ADD VALUE 'lost'",
        "ALTER TABLE ordh ALTER COLUMN st SET DEFAULT 'B'",
        "GRANT SELECT (hm_tel) ON tchm TO {reader}",
        "REVOKE SELECT (nm) ON tchm FROM {reader}",
        "GRANT SELECT ON region TO {reader}",
        "GRANT pg_read_all_data TO {reader}",
        "CREATE TABLE moves_2027 PARTITION OF moves FOR VALUES FROM ('2027-01-01') TO ('2028-01-01')",
        "CREATE OR REPLACE VIEW gold_orders AS SELECT ono, rgc FROM ordh",
    ],
)
async def test_whatever_a_catalogue_keeps_changes_the_fingerprint(shop: TargetDatabase, statement: str) -> None:
    if "PRIMARY KEY (nm)" in statement:
        await shop.run("ALTER TABLE tchm DROP CONSTRAINT tchm_pkey")
    before, _ = await read(shop, superuser=False)
    await shop.run(statement.format(reader=shop.reader))
    after, _ = await read(shop, superuser=False)
    assert before != after


async def test_rows_statistics_and_temporary_tables_do_not_change_it(shop: TargetDatabase) -> None:
    before, _ = await read(shop, superuser=False)
    await shop.run(
        "INSERT INTO region VALUES (90, 'Internal')", "ANALYZE", "VACUUM", "DELETE FROM region WHERE rgc = 90"
    )
    connection = await asyncpg.connect(shop.admin_url)
    await connection.execute("CREATE TEMP TABLE mine (id int)")
    after, tables = await read(shop, superuser=False)
    await connection.close()
    assert before == after
    assert "mine" not in tables


async def test_what_an_extension_brought_is_no_table_of_the_database(shop: TargetDatabase) -> None:
    try:
        await shop.run("CREATE EXTENSION pg_stat_statements")
    except asyncpg.PostgresError:
        pytest.skip("The server has no extension with a view.")
    _, tables = await read(shop, superuser=True)
    assert "pg_stat_statements" not in tables
