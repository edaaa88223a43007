"""The third layer's rules alone, on rows of pg_proc as a target could have them."""

import pytest
from msgspec import structs

from knowledgestack.databases._functions import FunctionFact, refusal, refusal_of_part


def fact(
    name: str,
    *,
    built_in: bool = False,
    volatility: str = "s",
    security_definer: bool = False,
    language: str = "sql",
    kind: str = "f",
    configured: bool = False,
    extension: str | None = None,
    types: tuple[str, ...] = ("int4", "int4"),
    body: str | None = "SELECT 1",
) -> FunctionFact:
    return FunctionFact(
        oid=100 if built_in else 20_000,
        schema="pg_catalog" if built_in else "public",
        name=name,
        volatility=volatility,
        security_definer=security_definer,
        language="internal" if built_in else language,
        kind=kind,
        arguments=len(types) - 1,
        defaults=0,
        variadic=False,
        configured=configured,
        extension=extension,
        types=list(types),
        body=None if built_in else body,
        parts=None,
    )


@pytest.mark.parametrize(
    "allowed",
    [
        fact("lower", built_in=True, volatility="i"),
        fact("now", built_in=True),
        fact("random", built_in=True, volatility="v"),
        fact("pg_total_relation_size", built_in=True, volatility="v", types=("regclass", "int8")),
        fact("pg_typeof", built_in=True),
        fact("own"),
        fact("first_of", kind="a", body=None, volatility="i", language="internal"),
        fact("similarity", extension="pg_trgm", language="c", volatility="i", types=("text", "text", "float4")),
        fact("st_area", extension="postgis", language="c", volatility="i", types=("geometry", "float8")),
        fact("time_bucket", extension="timescaledb", language="c", volatility="i"),
    ],
    ids=lambda each: each.name,
)
def test_what_only_reads_is_allowed(allowed: FunctionFact) -> None:
    assert refusal(allowed, in_view=False) is None


@pytest.mark.parametrize(
    "refused",
    [
        fact("pg_sleep", built_in=True, volatility="v"),
        fact("a_function_of_a_later_version", built_in=True, volatility="v"),
        fact("pg_something_new", built_in=True, volatility="i"),
        fact("current_setting", built_in=True),
        fact("table_to_xml", built_in=True),
        fact("txid_current", built_in=True),
        fact("int4in", built_in=True, volatility="i", types=("cstring", "int4")),
        fact("own", volatility="v"),
        fact("own", security_definer=True),
        fact("own", language="plpgsql", volatility="i"),
        fact("own", language="c", volatility="i", body=None),
        fact("own", configured=True),
        fact("crosstab", extension="tablefunc", language="c"),
        fact("dblink", extension="dblink", language="c"),
        fact("set_limit", extension="pg_trgm", language="c", volatility="v"),
        fact("unaccent_init", extension="unaccent", language="c", types=("internal", "internal")),
        fact("st_estimatedextent", extension="postgis", language="c", types=("text", "text", "box2d")),
        fact("postgis_constraint_srid", extension="postgis", language="sql"),
        fact("hypertable_size", extension="timescaledb", language="sql", types=("regclass", "int8")),
    ],
    ids=lambda each: f"{each.name}-{each.language}",
)
def test_what_may_do_more_is_refused_in_a_sentence(refused: FunctionFact) -> None:
    sentence = refusal(refused, in_view=False)
    assert sentence is not None
    assert refused.name in sentence
    assert sentence.endswith(".")


def test_a_view_may_ask_for_a_setting_but_not_wait() -> None:
    assert refusal(fact("current_setting", built_in=True), in_view=True) is None
    assert refusal(fact("pg_sleep", built_in=True, volatility="v"), in_view=True) is not None


def test_what_an_operator_stands_for_may_be_code_of_any_extension_but_not_volatile() -> None:
    assert refusal_of_part(fact("ip4_eq", extension="ip4r", language="c", volatility="i")) is None
    assert refusal_of_part(fact("ip4_eq", extension="ip4r", language="c", volatility="v")) is not None
    assert refusal_of_part(fact("own", language="plpgsql", volatility="v")) is not None
    assert refusal_of_part(fact("array_append", built_in=True, types=("internal", "internal"))) is None


@pytest.mark.parametrize(
    ("arguments", "defaults", "variadic", "fits"),
    [(2, 0, False, {2}), (3, 2, False, {1, 2, 3}), (1, 0, True, {0, 1, 2, 9}), (0, 0, False, {0})],
)
def test_a_call_is_compared_with_the_overloads_that_it_may_mean(
    arguments: int, defaults: int, variadic: bool, fits: set[int]
) -> None:
    overload = structs.replace(fact("f"), arguments=arguments, defaults=defaults, variadic=variadic)
    taken = {count for count in range(10) if overload.takes(count)}
    assert taken >= fits if variadic else taken == fits
    assert overload.takes(-1)
