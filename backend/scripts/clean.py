"""Deletes what this checkout installed, built and stored. Runs on the standard library alone."""

import fcntl
import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (
    ".venv",
    "backend/bench/.venv",
    "frontend/node_modules",
    "frontend/dist",
    "frontend/src/api/generated",
    "frontend/test-results",
    "backend/dist",
    "backend/.pytest_cache",
    "backend/.ruff_cache",
    "backend/.hypothesis",
    "backend/.import_linter_cache",
)


def main() -> None:
    data = Path(os.environ.get("KS_DATA_DIR") or ROOT / ".data")
    if data.exists():
        remove_data(data)
    for name in FOLDERS:
        shutil.rmtree(ROOT / name, ignore_errors=True)
    for cache in (ROOT / "backend").rglob("__pycache__"):
        shutil.rmtree(cache, ignore_errors=True)


def remove_data(data: Path) -> None:
    lock = data / "lock"
    if lock.exists():
        with lock.open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                sys.exit("KnowledgeStack runs here. End it first with Ctrl-C.")
    cluster = data / "postgres"
    if cluster.is_symlink():  # started as root: the cluster lies outside, in a folder of its own
        shutil.rmtree(cluster.readlink().parent, ignore_errors=True)
    shutil.rmtree(data)


if __name__ == "__main__":
    main()
