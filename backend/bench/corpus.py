"""The text that speed is measured on: Markdown of installed packages, about 5 MB, taken twice."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_FOLDERS = (_ROOT / ".venv", _ROOT / "frontend" / "node_modules")
_BYTES = 5_000_000
_LEAST_BYTES = 2_000
_HEADING = re.compile(r"^(#{1,6} )", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class BenchFile:
    name: str
    data: bytes


def load_corpus() -> list[BenchFile]:
    """Each file once as it is and once with numbered headings, so that no text but the headings' repeats its hash."""
    once: list[BenchFile] = []
    total = 0
    for path in sorted(path for folder in _FOLDERS for path in folder.rglob("*.md")):
        data = path.read_bytes()
        if len(data) >= _LEAST_BYTES and total < _BYTES:
            once.append(BenchFile(f"{len(once):04}-{path.name}", data))
            total += len(data)
    return once + [BenchFile(f"again-{file.name}", _renumbered(file.data)) for file in once]


def corpus_sha256(files: Sequence[BenchFile]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.data).digest())
    return digest.hexdigest()


def _renumbered(data: bytes) -> bytes:
    count = 0

    def number(match: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f"{match.group(1)}{count} "

    return _HEADING.sub(number, data.decode("utf-8", errors="replace")).encode()
