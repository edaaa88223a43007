from knowledgestack.catalogue.schema import ColumnFacts, TableFacts
from knowledgestack.verified_queries._schema import completed, difference, used_by


def table(name: str, **columns: str) -> TableFacts:
    facts = [ColumnFacts(name=column, type=kind, position=at) for at, (column, kind) in enumerate(columns.items(), 1)]
    return TableFacts(schema="public", name=name, kind="table", columns=facts)


FACTS = {"public.orders": table("orders", id="integer", st="text")}


def test_what_a_statement_uses_is_kept_with_its_types() -> None:
    used = used_by(
        ["public.orders", "pg_catalog.pg_class", "public.new"],
        ["public.orders.st", "pg_catalog.pg_class.oid", "public.new.x"],
        FACTS,
    )
    assert used == {"public.orders": {"st": "text"}, "public.new": {"x": None}}


def test_only_what_is_used_counts() -> None:
    used = used_by(["public.orders"], ["public.orders.st"], FACTS)
    assert difference(used, FACTS) is None
    assert difference(used, {"public.orders": table("orders", st="text", note="text")}) is None
    gone = {"public.orders": table("orders", id="integer")}
    assert difference(used, gone) == "The column public.orders.st is gone."
    other = {"public.orders": table("orders", st="character(1)")}
    assert difference(used, other) == "The column public.orders.st was text and is character(1)."
    assert difference(used, {}) == "The table public.orders is gone."


def test_a_column_that_the_role_may_no_longer_read_is_gone() -> None:
    hidden = TableFacts(
        schema="public",
        name="orders",
        kind="table",
        columns=[ColumnFacts(name="st", type="text", position=1, readable=False)],
    )
    used = used_by(["public.orders"], ["public.orders.st"], FACTS)
    assert difference(used, {"public.orders": hidden}) == "The column public.orders.st is gone."


def test_types_that_were_unknown_are_learned_once() -> None:
    used = used_by(["public.orders"], ["public.orders.st"], {})
    assert difference(used, FACTS) is None
    assert completed(used, FACTS) == {"public.orders": {"st": "text"}}
    assert completed({"public.orders": {"st": "character(1)"}}, FACTS) == {"public.orders": {"st": "character(1)"}}
