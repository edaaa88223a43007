"""Files that nobody but their owner may read."""

import os
import tempfile
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Replace the file in one step; nobody but its owner can read it at any moment."""
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    with os.fdopen(handle, "w") as file:
        file.write(text)
    Path(partial).replace(path)
