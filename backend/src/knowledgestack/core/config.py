"""Settings: every environment variable is read and checked once, at boot."""

import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec

from knowledgestack.core.allow_list import AllowEntry, parse_allow_entry
from knowledgestack.core.crypto import decode_key


class Profile(StrEnum):
    LOCAL = "local"
    SERVER = "server"


class ChatWire(StrEnum):
    """How the chat model's server is spoken to; AUTO probes once."""

    AUTO = "auto"
    RESPONSES = "responses"
    CHAT_COMPLETIONS = "chat_completions"


OPENAI_BASE_URL = "https://api.openai.com/v1"
OPENAI_CHAT_MODELS = ("gpt-5-mini", "gpt-5")
DEFAULT_UPLOAD_MAX_BYTES = 100 * 1024 * 1024


_Choice = TypeVar("_Choice", bound=StrEnum)


class SettingsError(Exception):
    """One or more variables are missing or malformed; `problems` holds a sentence for each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the environment says. Secrets have no place in the repr."""

    profile: Profile
    port: int
    data_dir: Path
    database_url: str
    encryption_key: bytes
    previous_encryption_keys: tuple[bytes, ...]
    web_app_url: str
    object_store_url: str
    openai_api_key: str | None
    openai_base_url: str
    chat_models: tuple[str, ...]
    chat_wire: ChatWire
    embedding_model: str | None
    embedder_address: str
    upload_max_bytes: int
    run_orphan_seconds: int
    agent_model_calls: int
    agent_seconds: int
    agent_tokens: int
    agent_tool_seconds: int
    outbound_allow: tuple[AllowEntry, ...]
    sql_timeout_seconds: int
    sql_allow_privileged_roles: bool
    log_level: str
    frontend_dist: Path | None

    def __repr__(self) -> str:
        return f"Settings(profile={self.profile}, port={self.port})"

    @property
    def secure_cookies(self) -> bool:
        return self.web_app_url.startswith("https://")


class _Reader:
    """Collects every problem, so that one start names all of them."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.problems: list[str] = []

    def text(self, name: str, default: str | None = None) -> str | None:
        return self.environ.get(name, "").strip() or default

    def required(self, name: str, why: str) -> str:
        value = self.text(name)
        if value is None:
            self.problems.append(f"{name} is missing: {why}.")
        return value or ""

    def integer(self, name: str, default: int, *, low: int, high: int) -> int:
        raw = self.text(name)
        if raw is None:
            return default
        if not raw.isascii() or not raw.isdigit() or not low <= int(raw) <= high:
            self.problems.append(f"{name} has to be a whole number from {low} to {high}.")
            return default
        return int(raw)

    def choice(self, name: str, kind: type[_Choice], default: _Choice) -> _Choice:
        raw = self.text(name, default.value)
        try:
            return kind(raw)
        except ValueError:
            self.problems.append(f"{name} has to be one of {', '.join(kind)}.")
            return default

    def flag(self, name: str, *, default: bool) -> bool:
        raw = self.text(name, str(default).lower())
        if raw not in {"true", "false"}:
            self.problems.append(f"{name} has to be true or false.")
        return raw == "true"

    def allow_list(self, name: str) -> tuple[AllowEntry, ...]:
        entries: list[AllowEntry] = []
        for raw in (self.text(name) or "").split(","):
            if raw.strip():
                try:
                    entries.append(parse_allow_entry(raw.strip()))
                except ValueError as error:
                    self.problems.append(f"{name} has an entry that cannot be read, {raw.strip()}: {error}.")
        return tuple(entries)

    def key(self, name: str, raw: str) -> bytes:
        try:
            return decode_key(raw)
        except ValueError as error:
            if raw:
                self.problems.append(f"{name} has to be 32 bytes in base64url ({error}).")
            return b"\0" * 32

    def http_address(self, name: str, raw: str, *, origin: bool) -> str:
        parts = urlsplit(raw)
        wrong = parts.scheme not in {"http", "https"} or not parts.hostname or parts.username is not None
        if raw and (wrong or (origin and parts.path not in {"", "/"})):
            kind = "origin such as https://wiki.example.com" if origin else "address"
            self.problems.append(f"{name} has to be an http or https {kind}.")
        return raw.rstrip("/")


def load_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the environment; raise `SettingsError` naming every missing or malformed variable."""
    read = _Reader(os.environ if environ is None else environ)
    profile = read.choice("KS_PROFILE", Profile, Profile.LOCAL)
    data_dir = Path(read.text("KS_DATA_DIR", ".data") or ".data").resolve()
    port = read.integer("KS_PORT", 8400, low=1, high=65535)
    chat_models = read.text("KS_CHAT_MODELS") or ""
    dist = read.text("KS_FRONTEND_DIST")
    database_url = read.required("DATABASE_URL", "the PostgreSQL address of the application")
    if database_url and urlsplit(database_url).scheme not in {"postgresql", "postgres"}:
        read.problems.append("DATABASE_URL has to begin with postgresql://.")
    raw_key = read.required("TOKEN_ENCRYPTION_KEY", "32 bytes in base64url that encrypt stored secrets")
    local_origin = f"http://localhost:{port}" if profile is Profile.LOCAL else ""
    web_app_url = read.text("WEB_APP_URL") or local_origin or read.required("WEB_APP_URL", "the origin people open")
    store = read.text("KS_OBJECT_STORE_URL")
    if store is None and profile is Profile.SERVER:
        store = read.required("KS_OBJECT_STORE_URL", "where originals are kept, a folder (file:///…) or s3://bucket")
    settings = Settings(
        profile=profile,
        port=port,
        data_dir=data_dir,
        database_url=database_url.replace("postgres://", "postgresql://", 1),
        encryption_key=read.key("TOKEN_ENCRYPTION_KEY", raw_key),
        previous_encryption_keys=tuple(
            read.key("TOKEN_ENCRYPTION_PREVIOUS_KEYS", raw.strip())
            for raw in (read.text("TOKEN_ENCRYPTION_PREVIOUS_KEYS") or "").split(",")
            if raw.strip()
        ),
        web_app_url=read.http_address("WEB_APP_URL", web_app_url, origin=True),
        object_store_url=store or (data_dir / "objects").as_uri(),
        openai_api_key=read.text("OPENAI_API_KEY"),
        openai_base_url=read.http_address(
            "OPENAI_BASE_URL", read.text("OPENAI_BASE_URL") or OPENAI_BASE_URL, origin=False
        ),
        chat_models=tuple(name.strip() for name in chat_models.split(",") if name.strip()),
        chat_wire=read.choice("KS_CHAT_WIRE", ChatWire, ChatWire.AUTO),
        embedding_model=read.text("KS_EMBEDDING_MODEL"),
        embedder_address=read.text("KS_EMBEDDER_ADDRESS", f"127.0.0.1:{min(port + 1, 65535)}") or "",
        upload_max_bytes=read.integer("KS_UPLOAD_MAX_BYTES", DEFAULT_UPLOAD_MAX_BYTES, low=1, high=10 * 1024**3),
        run_orphan_seconds=read.integer("KS_RUN_ORPHAN_SECONDS", 600, low=0, high=86_400),
        agent_model_calls=read.integer("KS_AGENT_MODEL_CALLS", 50, low=1, high=1_000),
        agent_seconds=read.integer("KS_AGENT_SECONDS", 600, low=1, high=86_400),
        agent_tokens=read.integer("KS_AGENT_TOKENS", 2_000_000, low=1_000, high=1_000_000_000),
        agent_tool_seconds=read.integer("KS_AGENT_TOOL_SECONDS", 60, low=1, high=3_600),
        outbound_allow=read.allow_list("KS_OUTBOUND_ALLOW"),
        sql_timeout_seconds=read.integer("KS_SQL_TIMEOUT_SECONDS", 60, low=1, high=3_600),
        sql_allow_privileged_roles=read.flag("KS_SQL_ALLOW_PRIVILEGED_ROLES", default=False),
        log_level=(read.text("KS_LOG_LEVEL", "info") or "info").lower(),
        frontend_dist=Path(dist).resolve() if dist else None,
    )
    if settings.log_level not in {"debug", "info", "warning", "error"}:
        read.problems.append("KS_LOG_LEVEL has to be one of debug, info, warning, error.")
    if read.problems:
        raise SettingsError(read.problems)
    return settings
