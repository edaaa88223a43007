"""Which relations a statement may read, judged by what the target's catalogue says of them."""

import msgspec

from knowledgestack.databases._functions import FIRST_USER_OID, words

# Of PostgreSQL's own catalogue what describes tables; the rest holds secrets, sources, samples or other sessions.
_CATALOGUE = words(
    """
    pg_am pg_attribute pg_class pg_collation pg_constraint pg_description pg_enum pg_index pg_indexes pg_inherits
    pg_language pg_namespace pg_partitioned_table pg_range pg_sequence pg_tables pg_timezone_abbrevs
    pg_timezone_names pg_type
    """
)
_SECRET_INFORMATION = ("_pg_", "foreign_", "routines", "user_mapping")


class RelationFact(msgspec.Struct, frozen=True, array_like=True):
    """One row of pg_class. `view` is the text of a view; `types` are those of `columns`, as PostgreSQL spells them.

    `type_schemas` and `type_names` are where the types of `columns` are defined. `expressions` are those of its
    indexes, statistics and partition keys, and of its parts: the planner evaluates what is constant in them.
    """

    oid: int
    schema: str
    name: str
    kind: str
    reaches_foreign: bool
    columns: list[str]
    types: list[str]
    view: str | None
    type_schemas: list[str]
    type_names: list[str]
    expressions: list[str]

    @property
    def value_types(self) -> set[tuple[str, str]]:
        """Schema and name of the types of its columns, and of its row, which is a value too."""
        return {(self.schema, self.name), *zip(self.type_schemas, self.type_names, strict=True)}

    @property
    def full_name(self) -> str:
        return f"{self.schema}.{self.name}"


def refusal(fact: RelationFact) -> str | None:
    """Why this relation may not be read, as a sentence; None if it may, the text of a view aside."""
    if fact.schema == "pg_catalog" and fact.oid < FIRST_USER_OID:
        if fact.name not in _CATALOGUE:
            return f"{fact.full_name} is not readable here. information_schema describes tables and columns."
        return None
    if fact.schema.startswith(("pg_toast", "pg_temp")):
        return f"{fact.full_name} is internal to the server. Read the table it belongs to."
    if fact.schema == "information_schema" and fact.name.startswith(_SECRET_INFORMATION):
        return f"{fact.full_name} is not readable here. information_schema.columns describes tables and columns."
    if fact.kind == "f" or fact.reaches_foreign:
        return f"{fact.full_name} is read from another server, which this connection cannot guard. Leave it out."
    return None
