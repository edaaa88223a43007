"""The environment of the competitors, made at first use from requirements-bench.lock, and a run inside it."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from knowledgestack.lexicon._vendored import CL100K_RANKS, read_vendored

_HERE = Path(__file__).parent
_LOCK = _HERE / "requirements-bench.lock"
_ENVIRONMENT = _HERE / ".venv"
_PYTHON = _ENVIRONMENT / "bin" / "python"
_RANKS_ADDRESS = b"https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"


def install_competitors() -> str | None:
    """Make the environment where it is missing or older than the lock; the reason where that cannot be done."""
    stamp = _ENVIRONMENT / "lock.sha256"
    wanted = hashlib.sha256(_LOCK.read_bytes()).hexdigest()
    if _PYTHON.exists() and stamp.exists() and stamp.read_text() == wanted:
        return None
    commands = (
        [sys.executable, "-m", "venv", "--clear", str(_ENVIRONMENT)],
        [str(_PYTHON), "-m", "pip", "install", "-q", "--require-hashes", "-r", str(_LOCK)],
    )
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return (done.stderr.strip().splitlines() or [f"{command[0]} failed"])[-1]
    stamp.write_text(wanted)
    return None


def run_competitor(name: str, texts: Sequence[str]) -> dict[str, Any]:
    """CPU seconds and number of chunks of one splitter over the texts, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        # Both competitors count with tiktoken, which finds its ranks here and downloads nothing.
        ranks = Path(folder) / hashlib.sha1(_RANKS_ADDRESS, usedforsecurity=False).hexdigest()
        ranks.write_bytes(read_vendored(CL100K_RANKS))
        corpus = Path(folder) / "corpus.json"
        corpus.write_text(json.dumps(list(texts)))
        done = subprocess.run(
            [str(_PYTHON), str(_HERE / "competitor_run.py"), name, str(corpus)],
            env={**os.environ, "TIKTOKEN_CACHE_DIR": folder},
            capture_output=True,
            text=True,
            check=True,
        )
    return json.loads(done.stdout.strip().splitlines()[-1])
