"""Every check that needs no test: each runs to its end, and the failures are listed last."""

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BACKEND, FRONTEND = ROOT / "backend", ROOT / "frontend"
BIN = Path(sys.executable).parent
MIGRATION_TEST = "tests/integration/platform/test_migrations.py"
SOURCES = ("src", "tests", "migrations", "scripts", "bench", "bootstrap.py")


def checks() -> list[tuple[str, Path, list[str]]]:
    """Name, folder and command of each."""
    return [
        ("format", BACKEND, [f"{BIN}/ruff", "format", "--check", "--quiet", *SOURCES]),
        ("lint", BACKEND, [f"{BIN}/ruff", "check", "--quiet", *SOURCES]),
        ("types", BACKEND, [f"{BIN}/basedpyright", "--warnings"]),
        ("imports", BACKEND, [f"{BIN}/lint-imports"]),
        ("dependencies", BACKEND, [f"{BIN}/deptry", "src"]),
        (
            "migrations",
            BACKEND,
            [sys.executable, "-m", "pytest", "-q", MIGRATION_TEST],
        ),
        ("contract", ROOT, [sys.executable, "backend/scripts/contract_drift.py"]),
        ("compose", ROOT, [f"{BIN}/check-jsonschema", "--builtin-schema", "vendor.compose-spec", "docker-compose.yml"]),
        ("client", FRONTEND, ["npm", "run", "--silent", "check"]),
        ("client tests", FRONTEND, ["npm", "run", "--silent", "test"]),
    ]


def main() -> None:
    failed: list[str] = []
    for name, folder, command in checks():
        began = time.monotonic()
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        verdict = "ok" if done.returncode == 0 else "FAILED"
        print(f"{name:<14}{verdict:<8}{time.monotonic() - began:6.1f} s", flush=True)
        if done.returncode != 0:
            failed.append(name)
            print(done.stdout.decode(errors="replace"), flush=True)
    if failed:
        sys.exit(f"These checks failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
