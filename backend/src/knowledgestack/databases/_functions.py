"""Which functions a statement may call, judged by what the target's catalogue says of them."""

import re

import msgspec

FIRST_USER_OID = 16384


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# PostgreSQL calls these VOLATILE, and they only read.
_VOLATILE_THAT_READ = words(
    """
    array_sample array_shuffle clock_timestamp gen_random_uuid pg_database_size pg_indexes_size
    pg_partition_ancestors pg_partition_tree pg_relation_size pg_table_size pg_total_relation_size
    random random_normal setseed timeofday uuidv4 uuidv7
    """
)
# Of the functions whose names begin with pg_ only these: what later versions add is refused until somebody read it.
_PG_THAT_READ = words(
    """
    pg_basetype pg_client_encoding pg_collation_for pg_column_size pg_encoding_to_char pg_get_constraintdef
    pg_get_expr pg_get_function_arguments pg_get_function_identity_arguments pg_get_function_result pg_get_indexdef
    pg_get_keywords pg_get_partition_constraintdef pg_get_partkeydef pg_get_serial_sequence pg_get_userbyid
    pg_has_role pg_input_error_info pg_input_is_valid pg_lsn pg_partition_root
    pg_relation_is_updatable pg_size_bytes pg_size_pretty pg_table_is_visible pg_timezone_abbrevs
    pg_timezone_abbrevs_abbrevs pg_timezone_abbrevs_zone pg_timezone_names pg_type_is_visible pg_typeof
    """
)
# Not VOLATILE, and still no plain reading: SQL in a string, settings and addresses of the server, transaction ids.
_REFUSED = re.compile(
    r"(query|table|schema|database|cursor)_to_xml.*|current_setting|txid_.*|lo_.*|inet_(server|client)_.*"
    r"|fmgr_.*|binary_upgrade_.*|postgresql_fdw_validator|currtid.*"
)
_ALLOWED_IN_VIEWS = frozenset({"current_setting"})
_INTERNAL_TYPES = words(
    """
    cstring _cstring internal trigger event_trigger language_handler fdw_handler index_am_handler table_am_handler
    tsm_handler pg_ddl_command
    """
)
# A name of a table or a configuration that the function then reads by itself.
_INDIRECT_TYPES = frozenset({"regclass", "regproc", "regprocedure", "_regclass"})

_EVERYTHING = re.compile(".*")
_EXTENSIONS: dict[str, re.Pattern[str]] = {
    **dict.fromkeys(
        words(
            """
        btree_gin btree_gist citext cube earthdistance fuzzystrmatch hstore intarray isn ltree pg_trgm seg unaccent
        uuid-ossp vector
        """
        ),
        _EVERYTHING,
    ),
    # The rest of its functions administer tables that they are given by name.
    "postgis": re.compile(r"(?!st_(estimated|find)_?extent)(st_|geometry|geography|box[23]d|spheroid|_st_).*"),
    "timescaledb": re.compile(r"time_bucket(_gapfill)?|first|last|histogram|locf|interpolate"),
}


class FunctionFact(msgspec.Struct, frozen=True, array_like=True):
    """One row of pg_proc. `body` is the text of an SQL function, `parts` the functions that make an aggregate,
    `default_values` the expressions of arguments that may be left out."""

    oid: int
    schema: str
    name: str
    volatility: str
    security_definer: bool
    language: str
    kind: str
    arguments: int
    defaults: int
    variadic: bool
    configured: bool
    extension: str | None
    types: list[str]
    body: str | None
    parts: list[int] | None
    default_values: str | None = None

    @property
    def built_in(self) -> bool:
        return self.oid < FIRST_USER_OID

    def takes(self, arguments: int) -> bool:
        """Whether a call with so many arguments may mean this overload; a negative count means any."""
        if arguments < 0:
            return True
        fewest = self.arguments - self.defaults - (1 if self.variadic else 0)
        return fewest <= arguments and (self.variadic or arguments <= self.arguments)


def refusal(fact: FunctionFact, *, in_view: bool) -> str | None:
    """Why this function may not be called, as a sentence; None if it may, its body and parts aside."""
    if fact.built_in:
        return _refusal_of_built_in(fact, in_view=in_view)
    sentence: str | None = None
    if fact.volatility == "v":
        sentence = f"The function {fact.name} is VOLATILE: it may do more than read."
    elif fact.security_definer:
        sentence = f"The function {fact.name} runs with the rights of its owner."
    elif fact.extension is not None:
        sentence = _refusal_of_extension(fact)
    elif fact.kind != "a" and (fact.language != "sql" or fact.configured or fact.body is None):
        sentence = f"The function {fact.name} is not plain SQL, so it cannot be checked."
    return f"{sentence} Write the query without it." if sentence else None


def refusal_of_part(fact: FunctionFact) -> str | None:
    """The same for a function that an operator, a cast or an aggregate stands for; it takes no name of ours."""
    trusted = fact.built_in or (fact.extension is not None and fact.language in ("c", "internal", "sql"))
    if trusted and fact.volatility != "v" and not fact.security_definer:
        return None
    return refusal(fact, in_view=False)


def _refusal_of_built_in(fact: FunctionFact, *, in_view: bool) -> str | None:
    name = fact.name
    sentence = f"The function {name} is not allowed: it does more than read rows. Write the query without it."
    if name in _VOLATILE_THAT_READ:
        return None
    if in_view and name in _ALLOWED_IN_VIEWS:
        return None
    if fact.volatility == "v" or _REFUSED.fullmatch(name) or not _INTERNAL_TYPES.isdisjoint(fact.types):
        return sentence
    if name.startswith("pg_") and name not in _PG_THAT_READ:
        return sentence
    return None


def _refusal_of_extension(fact: FunctionFact) -> str | None:
    known = _EXTENSIONS.get(fact.extension or "")
    risky = _INTERNAL_TYPES | _INDIRECT_TYPES
    if known is None or not known.fullmatch(fact.name) or not risky.isdisjoint(fact.types):
        return f"The function {fact.name} of the extension {fact.extension} is not allowed."
    return None
