"""The embedded PostgreSQL of the local profile."""

from pathlib import Path


class EmbeddedPostgres:
    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir

    def start(self) -> str:
        raise NotImplementedError

    def stop(self) -> None: ...
    def remove(self) -> None: ...
