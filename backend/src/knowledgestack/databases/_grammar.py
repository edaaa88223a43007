"""PostgreSQL's own grammar: is this text one SELECT, and which functions, operators, types and relations does it name?

The only module that knows the parser. Names come out as the server will look them up: quotes, unicode escapes and
upper case are resolved. Pure; no statement is sent anywhere.
"""

import re
import threading
from typing import Never, cast

import msgspec
import pgparse

from knowledgestack.databases._nodes import (
    ALLOWED,
    BETWEEN_OPERATORS,
    CALLS_OF_OLDER_SERVERS,
    EMBEDDED,
    EMBEDDED_IN,
)
from knowledgestack.databases._outputs import Name, Node, Outputs, outputs_of
from knowledgestack.databases.contracts import SQL_MAX_BYTES
from knowledgestack.databases.errors import SqlRejected

ANY_COUNT = -1
_SAMPLE_METHODS = frozenset({"system", "bernoulli", "system_rows", "system_time"})
_TOO_DEEP = "The statement is nested too deeply to be checked. Write it with fewer chained operators or subqueries."


class FunctionUse(msgspec.Struct, frozen=True):
    """A call as written. `arguments` is `ANY_COUNT` where the count does not tell which overload is meant."""

    schema: str | None
    name: str
    arguments: int


class ParsedStatement(msgspec.Struct, frozen=True):
    """What one SELECT names. `sql` is exactly the statement, without the semicolon and what surrounds it.

    `attributes` are `(qualifier, name)` of what may be a column or, in PostgreSQL's attribute notation, a call.
    `sources` maps each name that may qualify a column to the relations behind it, None for anything else.
    """

    sql: str
    functions: frozenset[FunctionUse]
    attributes: frozenset[Name]
    operators: frozenset[Name]
    types: frozenset[Name]
    relations: frozenset[Name]
    tables: frozenset[Name]
    columns: frozenset[Name]
    sources: dict[str, list[Name | None]]
    outputs: Outputs


def parse(sql: str) -> ParsedStatement:
    """The one SELECT of this text. Raises SqlRejected."""
    encoded = _encoded(sql)
    if len(encoded) > SQL_MAX_BYTES:
        _refuse(f"The statement is longer than {SQL_MAX_BYTES // 1024} KB. Shorten it.")
    statements = _tree(sql)
    if not statements:
        _refuse("There is no statement in this text. Write one SELECT.")
    if len(statements) > 1:
        _refuse(f"The text holds {len(statements)} statements. Write one SELECT.")
    raw = statements[0]
    start = raw.get("stmt_location", 0)
    length = raw.get("stmt_len", 0) or len(encoded) - start
    text = encoded[start : start + length].decode()
    return _Walk(body=False).of(_select_of(raw), text)


def parse_body(sql: str) -> list[ParsedStatement]:
    """The SELECTs of a view or of a function's body, which may use parameters. Raises SqlRejected."""
    _encoded(sql)
    return [_Walk(body=True).of(_select_of(raw), "") for raw in _tree(sql)]


def parse_constants(expressions: list[str]) -> list[ParsedStatement]:
    """What of these expressions of a table depends on no column, each as a SELECT of its own. Raises SqlRejected."""
    found: list[ParsedStatement] = []
    for expression in expressions:
        (raw,) = _tree(f"SELECT {expression}")
        nodes: list[Node] = list(_select_of(raw).get("targetList", []))
        while nodes:
            node = nodes.pop()
            if _names_a_column(node):
                nodes += [child for value in node.values() for child in _children_of(value)]
            else:
                target = node if "ResTarget" in node else {"ResTarget": {"val": node}}
                found.append(_Walk(body=True).of({"targetList": [target]}, ""))
    return found


def _names_a_column(node: Node) -> bool:
    nodes = [node]
    while nodes:
        one = nodes.pop()
        if "ColumnRef" in one:
            return True
        nodes += [child for value in one.values() for child in _children_of(value)]
    return False


def _children_of(value: object) -> list[Node]:
    """The nodes right below a field's value; a node is a mapping of its kind to its fields."""
    if isinstance(value, dict):
        fields = cast("Node", value)
        return [fields] if any(key[:1].isupper() for key in fields) else _below(fields)
    if isinstance(value, list):
        return [child for item in cast("list[object]", value) for child in _children_of(item)]
    return []


def _below(fields: Node) -> list[Node]:
    return [child for value in fields.values() for child in _children_of(value)]


def _encoded(sql: str) -> bytes:
    if "\0" in sql:
        _refuse("The statement holds a NUL character. Remove it.")
    try:
        return sql.encode()
    except UnicodeEncodeError:
        _refuse("The statement is not valid Unicode text. Remove the broken characters.")


def _select_of(raw: Node) -> Node:
    ((kind, node),) = raw.get("stmt", {"Nothing": {}}).items()
    if kind != "SelectStmt":
        _refuse(f"Only a SELECT is run here, and this is {_spoken(kind)}. Write one SELECT.")
    return node


def _tree(sql: str) -> list[Node]:
    try:
        return _parsed(sql)
    except RecursionError:
        return _parsed_on_a_fresh_stack(sql)


def _parsed(sql: str) -> list[Node]:
    try:
        return pgparse.parse(sql)
    except RecursionError:
        raise
    except pgparse.PGQueryError as error:
        _refuse(f"The statement is not valid PostgreSQL: {_reason(sql, error)}.")
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        _refuse("The statement could not be read as PostgreSQL. Write it more simply.")


def _parsed_on_a_fresh_stack(sql: str) -> list[Node]:
    """Python counts the frames of the caller too: how deep a statement may be must not depend on who asks."""
    answers: list[list[Node]] = []
    refusals: list[SqlRejected] = [SqlRejected(_TOO_DEEP)]

    def work() -> None:
        try:
            answers.append(_parsed(sql))
        except RecursionError:
            pass
        except SqlRejected as refusal:
            refusals.append(refusal)

    thread = threading.Thread(target=work, name="parse")
    thread.start()
    thread.join()
    if not answers:
        raise refusals[-1]
    return answers[0]


def _reason(sql: str, error: Exception) -> str:
    message = str(error).strip().rstrip(".")
    found = re.search(r"\s+at position (\d+)$", message)
    if not found:
        return message
    line = sql.encode()[: int(found.group(1))].count(b"\n") + 1
    return f"{message[: found.start()]} (line {line})"


def _spoken(kind: str) -> str:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind.removesuffix("Stmt")).upper()
    return f"{'an' if words[0] in 'AEIOU' else 'a'} {words} statement"


def _refuse(sentence: str) -> Never:
    raise SqlRejected(sentence)


class _Walk:
    """Visits every node once, without recursion."""

    def __init__(self, *, body: bool) -> None:
        self._body = body
        self._functions: set[FunctionUse] = set()
        self._attributes: set[Name] = set()
        self._operators: set[Name] = set()
        self._types: set[Name] = set()
        self._relations: set[Name] = set()
        self._tables: set[Name] = set()
        self._columns: set[Name] = set()
        self._sources: dict[str, list[Name | None]] = {}
        self._stack: list[tuple[str, Node, frozenset[str]]] = []

    def of(self, select: Node, text: str) -> ParsedStatement:
        self._stack.append(("SelectStmt", select, frozenset()))
        while self._stack:
            kind, node, scope = self._stack.pop()
            if kind not in ALLOWED:
                self._refuse_kind(kind)
            note = _NOTES.get(kind)
            if note is not None:
                note(self, node, scope)
            for name in CALLS_OF_OLDER_SERVERS.get(kind, ()):
                self._functions.add(FunctionUse(None, name, ANY_COUNT))
            if kind == "SelectStmt" and "withClause" in node:
                scope = self._with(node["withClause"], scope)
            self._children(kind, node, scope)
        return ParsedStatement(
            sql=text,
            functions=frozenset(self._functions),
            attributes=frozenset(self._attributes),
            operators=frozenset(self._operators),
            types=frozenset(self._types),
            relations=frozenset(self._relations),
            tables=frozenset(self._tables),
            columns=frozenset(self._columns),
            sources=self._sources,
            outputs=outputs_of(select),
        )

    def _children(self, kind: str, node: Node, scope: frozenset[str]) -> None:
        for field, value in node.items():
            if isinstance(value, dict):
                if field != "withClause":
                    self._push(kind, field, cast("Node", value), scope)
            elif isinstance(value, list):
                for item in cast("list[object]", value):
                    if not isinstance(item, dict):
                        _refuse("The statement holds something that cannot be checked. Write it more simply.")
                    self._push(kind, "", cast("Node", item), scope)

    def _push(self, parent: str, field: str, value: Node, scope: frozenset[str]) -> None:
        if not value:
            return
        if len(value) == 1:
            (key,) = value
            if key[0].isupper():
                self._stack.append((key, value[key], scope))
                return
        kind = EMBEDDED_IN.get((parent, field)) or EMBEDDED.get(field)
        if kind is None:
            self._refuse_kind(field)
        self._stack.append((kind, value, scope))

    def _with(self, clause: Node, scope: frozenset[str]) -> frozenset[str]:
        """Pushes the parts of WITH, each with the names that it sees; answers with what the query itself sees."""
        parts = [item["CommonTableExpr"] for item in clause.get("ctes", [])]
        whole = scope | {part["ctename"] for part in parts}
        seen = whole if clause.get("recursive") else scope
        for part in parts:
            self._stack.append(("CommonTableExpr", part, seen))
            seen = seen | {part["ctename"]}
        return whole

    def _refuse_kind(self, kind: str) -> Never:
        if kind.endswith("Stmt"):
            _refuse(f"Only a SELECT is run here, and a part of this is {_spoken(kind)}. Write one SELECT.")
        if kind == "SetToDefault":
            _refuse("DEFAULT has no meaning in a SELECT. Write the value.")
        _refuse(f"The statement uses syntax that is not allowed here ({kind}). Write a plain SELECT.")

    # What single kinds say

    def select(self, node: Node, scope: frozenset[str]) -> None:
        del scope
        if "intoClause" in node:
            _refuse("SELECT INTO makes a table, and this connection only reads. Remove INTO.")
        if "lockingClause" in node:
            _refuse("FOR UPDATE and FOR SHARE lock rows, and this connection only reads. Remove the clause.")

    def relation(self, node: Node, scope: frozenset[str]) -> None:
        name: Name = (node.get("schemaname"), node["relname"])
        self._relations.add(name)
        is_table = name[0] is not None or name[1] not in scope
        if is_table:
            self._tables.add(name)
        alias = node.get("alias", {}).get("aliasname", name[1])
        renames = bool(node.get("alias", {}).get("colnames"))
        self._sources.setdefault(alias, []).append(name if is_table and not renames else None)

    def other_source(self, node: Node, scope: frozenset[str]) -> None:
        del scope
        for field in ("alias", "join_using_alias"):
            if field in node:
                self._sources.setdefault(node[field].get("aliasname", ""), []).append(None)
        if "usingClause" in node or node.get("isNatural"):
            self._operators.add((None, "="))
        for item in node.get("usingClause", []):
            self._columns.add((None, item["String"]["sval"]))

    def sample(self, node: Node, scope: frozenset[str]) -> None:
        del scope
        if _strings(node.get("method", []))[-1] not in _SAMPLE_METHODS:
            _refuse("This TABLESAMPLE method is not allowed. Use SYSTEM or BERNOULLI.")

    def function(self, node: Node, scope: frozenset[str]) -> None:
        del scope
        *schema, name = _strings(node["funcname"])
        unclear = node.get("func_variadic") or node.get("agg_within_group")
        count = ANY_COUNT if unclear else len(node.get("args", []))
        self._functions.add(FunctionUse(schema[-1] if schema else None, name, count))
        self._sources.setdefault(name, []).append(None)

    def column(self, node: Node, scope: frozenset[str]) -> None:
        del scope
        fields = node.get("fields", [])
        qualifier = fields[-2]["String"]["sval"] if len(fields) > 1 else None
        if "String" not in fields[-1]:
            self._columns.add((qualifier, "*"))
            return
        name = fields[-1]["String"]["sval"]
        self._columns.add((qualifier, name))
        if qualifier is not None:
            self._attributes.add((qualifier, name))

    def indirection(self, node: Node, scope: frozenset[str]) -> None:
        del scope
        self._attributes.update((None, name) for name in _strings(node.get("indirection", [])))

    def expression(self, node: Node, scope: frozenset[str]) -> None:
        del scope
        *schema, name = _strings(node.get("name", []))
        for operator in BETWEEN_OPERATORS.get(name, (name,)):
            self._operators.add((schema[-1] if schema else None, operator))

    def used_operator(self, node: Node, scope: frozenset[str]) -> None:
        del scope
        names = _strings(node.get("operName", []) or node.get("useOp", []))
        if names:
            self._operators.add((names[-2] if len(names) > 1 else None, names[-1]))
        if "testexpr" in node or "arg" in node:
            self._operators.add((None, "="))

    def type_name(self, node: Node, scope: frozenset[str]) -> None:
        del scope
        names = _strings(node.get("names", []))
        if node.get("setof") or node.get("pct_type") or not names:
            _refuse("SETOF and %TYPE are not allowed here. Name the type.")
        self._types.add((names[-2] if len(names) > 1 else None, names[-1]))

    def parameter(self, node: Node, scope: frozenset[str]) -> None:
        del scope
        if not self._body:
            _refuse(f"${node.get('number', 0)} is a parameter without a value. Write the value itself.")


_NOTES = {
    "SelectStmt": _Walk.select,
    "RangeVar": _Walk.relation,
    "RangeSubselect": _Walk.other_source,
    "RangeFunction": _Walk.other_source,
    "RangeTableFunc": _Walk.other_source,
    "JsonTable": _Walk.other_source,
    "JoinExpr": _Walk.other_source,
    "RangeTableSample": _Walk.sample,
    "FuncCall": _Walk.function,
    "ColumnRef": _Walk.column,
    "A_Indirection": _Walk.indirection,
    "A_Expr": _Walk.expression,
    "SubLink": _Walk.used_operator,
    "SortBy": _Walk.used_operator,
    "CaseExpr": _Walk.used_operator,
    "TypeName": _Walk.type_name,
    "ParamRef": _Walk.parameter,
}


def _strings(nodes: list[Node]) -> list[str]:
    return [node["String"].get("sval", "") for node in nodes if "String" in node]
