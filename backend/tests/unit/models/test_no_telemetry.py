"""The runtime of the local model keeps no identifier of the machine and records nothing to upload."""

import os
import subprocess
import sys
from pathlib import Path

EMBED = """
import asyncio, sys
from uuid import uuid4
from knowledgestack.models.local_embedding import LocalMiniLM
asyncio.run(LocalMiniLM(uuid4()).embed(["a few words"]))
"""


def test_embedding_writes_nothing_under_home(tmp_path: Path) -> None:
    environ = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    environ |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environ.pop("CI", None)  # where it is set, the runtime records nothing by itself
    subprocess.run([sys.executable, "-c", EMBED], env=environ, check=True, timeout=120)
    assert list(tmp_path.rglob("*")) == []
