"""What the local profile keeps in its data directory, and the environment made from it for every process."""

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

import msgspec

from knowledgestack.app._files import write_private
from knowledgestack.core.config import Profile
from knowledgestack.core.crypto import KEY_BYTES, encode_key
from knowledgestack.core.errors import Unavailable

_REPOSITORY = Path(__file__).resolve().parents[4]


class RunState(msgspec.Struct, frozen=True, kw_only=True):
    """What a running supervisor tells others, and its successor where it was killed."""

    pid: int
    port: int
    embedder_address: str
    children: tuple[int, ...] = ()
    stopping: bool = False


class DataDirectory:
    """The files of one installation of the local profile."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.logs = self.path / "logs"
        self.lock = self.path / "lock"
        self._database_url = self.path / "database-url"
        self._encryption_key = self.path / "encryption-key"
        self._run_state = self.path / "run.json"

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "DataDirectory":
        return cls(Path(environ.get("KS_DATA_DIR", "").strip() or ".data"))

    def create(self) -> None:
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.logs.mkdir(exist_ok=True)

    def encryption_key(self) -> str:
        """The key that seals stored secrets, in base64url; made once."""
        if not self._encryption_key.exists():
            write_private(self._encryption_key, encode_key(secrets.token_bytes(KEY_BYTES)) + "\n")
        return self._encryption_key.read_text().strip()

    def database_url(self) -> str | None:
        return self._database_url.read_text().strip() if self._database_url.exists() else None

    def run_state(self) -> RunState | None:
        try:
            return msgspec.json.decode(self._run_state.read_bytes(), type=RunState)
        except (FileNotFoundError, msgspec.MsgspecError):
            return None

    def write_run_state(self, state: RunState) -> None:
        write_private(self._run_state, msgspec.json.encode(state).decode())

    def forget_run(self) -> None:
        self._run_state.unlink(missing_ok=True)


def local_environment(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a command beside a running supervisor: its database, key and port where none is set.

    The server profile's environment is returned as it is. Raises `Unavailable` where nothing was started yet.
    """
    completed = dict(os.environ if environ is None else environ)
    if completed.get("KS_PROFILE", Profile.LOCAL) != Profile.LOCAL:
        return completed
    data = DataDirectory.of(completed)
    url = completed.get("DATABASE_URL") or data.database_url()
    if not url:
        raise Unavailable("KnowledgeStack was not started here yet. Start it first: make run")
    completed["DATABASE_URL"] = url
    completed["TOKEN_ENCRYPTION_KEY"] = completed.get("TOKEN_ENCRYPTION_KEY") or data.encryption_key()
    state = data.run_state()
    if state is not None:
        completed["KS_PORT"] = str(state.port)
        completed["KS_EMBEDDER_ADDRESS"] = completed.get("KS_EMBEDDER_ADDRESS") or state.embedder_address
    return completed


def built_client() -> Path | None:
    """The folder of the built web client in a checkout; None where it was not built."""
    dist = _REPOSITORY / "frontend/dist"
    return dist if (dist / "index.html").exists() else None
