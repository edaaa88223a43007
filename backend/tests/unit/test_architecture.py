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
_UNSCOPED = {"select", "insert", "update", "delete", "text"}
_EXECUTING = {"execute", "scalar", "scalars", "stream", "exec_driver_sql"}


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py"))


def classes_of(tree: ast.AST, base: str) -> Iterator[ast.ClassDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(ast.unparse(parent) == base for parent in node.bases):
            yield node


def unscoped_statements(node: ast.AST) -> list[str]:
    """Calls in a workspace's repository that build a statement by any way but `self`."""
    found: list[str] = []
    for call in ast.walk(node):
        if not isinstance(call, ast.Call):
            continue
        function = call.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        owner = ast.unparse(function.value) if isinstance(function, ast.Attribute) else ""
        builds = name in _UNSCOPED and (owner in {"sa", "sqlalchemy"} or not owner)
        if builds or name == "exec_driver_sql":
            found.append(f"line {call.lineno}: {ast.unparse(function)}")
    return found


def test_every_statement_on_a_workspace_starts_from_the_scoped_helper() -> None:
    wrong: list[str] = []
    for path in modules():
        if path == SOURCE / "db" / "repository.py":
            continue
        for repository in classes_of(ast.parse(path.read_text()), "WorkspaceRepository"):
            wrong += [f"{path.relative_to(SOURCE)} {item}" for item in unscoped_statements(repository)]
    assert wrong == []


def test_statements_are_run_in_repositories_only() -> None:
    """A transaction is opened by services and handed on; its statements stand where the rule above can see them."""
    wrong: list[str] = []
    for path in modules():
        if path.name.endswith("_repository.py") or path.parent.name in {"db", "app", "jobs"}:
            continue
        tree = ast.parse(path.read_text())
        inside = {
            id(node)
            for base in ("WorkspaceRepository", "InstanceRepository")
            for repository in classes_of(tree, base)
            for node in ast.walk(repository)
        }
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or id(call) in inside:
                continue
            owner = ast.unparse(call.func.value)
            if call.func.attr in _EXECUTING and owner.split(".")[-1] in {"tx", "connection", "transaction"}:
                wrong.append(f"{path.relative_to(SOURCE)} line {call.lineno}: {ast.unparse(call.func)}")
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
