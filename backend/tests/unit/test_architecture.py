"""Rules of the house that no general linter knows."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "knowledgestack"
FRONTEND = Path(__file__).parents[3] / "frontend" / "src"
MAX_PYTHON_LINES = 400
MAX_TSX_LINES = 250

# What builds a statement without the scope of a workspace.
_BUILDERS = {"select", "insert", "update", "delete", "text"}
_SCOPE_OF_AN_INSERT = ("workspace_id=self.workspace_id", "'workspace_id': self.workspace_id")


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def classes_of(tree: ast.AST, base: str) -> Iterator[ast.ClassDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(ast.unparse(parent) == base for parent in node.bases):
            yield node


def builds_statement(call: ast.Call) -> bool:
    """Whether the call makes a statement by SQLAlchemy itself, not by a repository's `self`."""
    if isinstance(call.func, ast.Attribute):
        owner = ast.unparse(call.func.value)
        return call.func.attr == "exec_driver_sql" or (call.func.attr in _BUILDERS and owner in {"sa", "sqlalchemy"})
    return isinstance(call.func, ast.Name) and call.func.id in _BUILDERS


def unscoped_statements(repository: ast.AST) -> list[str]:
    """Statements of a workspace's repository that do not start from the scoped helper.

    An upsert has no helper: it may be built by hand where it names the workspace that it writes to.
    """
    found: list[str] = []
    for function in ast.walk(repository):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        scoped_insert = any(scope in ast.unparse(function) for scope in _SCOPE_OF_AN_INSERT)
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and builds_statement(call):
                name = ast.unparse(call.func)
                if not (scoped_insert and name.endswith("insert")):
                    found.append(f"line {call.lineno}: {name}")
    return found


def test_every_statement_on_a_workspace_starts_from_the_scoped_helper() -> None:
    wrong: list[str] = []
    for path in modules():
        if path == SOURCE / "db" / "repository.py":
            continue
        for repository in classes_of(ast.parse(path.read_text()), "WorkspaceRepository"):
            wrong += [f"{path.relative_to(SOURCE)} {item}" for item in unscoped_statements(repository)]
    assert wrong == []


def test_statements_are_built_in_repositories_only() -> None:
    """Services open transactions and hand them on; statements stand where the rule above can see them."""
    wrong: list[str] = []
    for path in modules():
        if path.parent.name in {"db", "app", "jobs"}:
            continue
        tree = ast.parse(path.read_text())
        if not any(
            isinstance(node, ast.Import | ast.ImportFrom) and "sqlalchemy" in ast.unparse(node)
            for node in ast.walk(tree)
        ):
            continue
        inside = {
            id(node)
            for base in ("WorkspaceRepository", "InstanceRepository")
            for repository in classes_of(tree, base)
            for node in ast.walk(repository)
        }
        wrong += [
            f"{path.relative_to(SOURCE)} line {call.lineno}: {ast.unparse(call.func)}"
            for call in ast.walk(tree)
            if isinstance(call, ast.Call)
            and id(call) not in inside
            and builds_statement(call)
            and path.name != "_models.py"
        ]
    assert wrong == []


def test_a_statement_without_scope_is_noticed() -> None:
    bad = ast.parse("class R(WorkspaceRepository):\n  async def f(self):\n    await self.tx.execute(sa.select(T))\n")
    good = ast.parse("class R(WorkspaceRepository):\n  async def f(self):\n    await self.tx.execute(self.select(T))\n")
    assert unscoped_statements(bad)
    assert not unscoped_statements(good)


@pytest.mark.parametrize(
    ("folder", "suffix", "limit"),
    [
        (SOURCE, ".py", MAX_PYTHON_LINES),
        (Path(__file__).parents[1], ".py", MAX_PYTHON_LINES),
        (FRONTEND, ".tsx", MAX_TSX_LINES),
    ],
)
def test_files_stay_short(folder: Path, suffix: str, limit: int) -> None:
    long = {
        str(path.relative_to(folder)): lines
        for path in folder.rglob(f"*{suffix}")
        if (lines := len(path.read_text().splitlines())) > limit
    }
    assert long == {}


def test_names_of_wire_structs_are_unique() -> None:
    """The schema names a shape by its Struct, so two of one name would be one shape to a client."""
    places: dict[str, list[str]] = {}
    for path in SOURCE.rglob("contracts.py"):
        for contract in classes_of(ast.parse(path.read_text()), "Contract"):
            places.setdefault(contract.name, []).append(str(path.relative_to(SOURCE)))
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}
