"""Checks what people write about a connection, once, where it enters."""

import ssl
import unicodedata

from msgspec import UNSET, UnsetType

from knowledgestack.core.errors import FieldError, InvalidRequest
from knowledgestack.databases.contracts import (
    DESCRIPTION_MAX,
    NAME_MAX,
    DatabaseConnectionChange,
    NewDatabaseConnection,
)

_HOST_MAX = 253
_POSTGRES_NAME_MAX = 63
_PASSWORD_MAX = 1_000
_CERTIFICATE_MAX = 64 * 1024
_DENIED_MAX = 2_000
_HOST_FORBIDDEN = set("/\\@,:%?#[]")


def checked_new(new: NewDatabaseConnection) -> NewDatabaseConnection:
    """The connection with its fields trimmed; raises `InvalidRequest` naming the first field that is wrong."""
    return NewDatabaseConnection(
        name=_words("name", new.name, NAME_MAX),
        description=_description(new.description),
        host=_host(new.host),
        port=_port(new.port),
        database=_postgres_name("database", new.database),
        username=_postgres_name("username", new.username),
        password=_password(new.password),
        tls=new.tls,
        ca_certificate=_certificate(new.ca_certificate),
    )


def checked_change(change: DatabaseConnectionChange) -> DatabaseConnectionChange:
    """The change with its fields trimmed; raises `InvalidRequest` naming the first field that is wrong."""
    return DatabaseConnectionChange(
        name=change.name if change.name is UNSET else _words("name", change.name, NAME_MAX),
        description=change.description if change.description is UNSET else _description(change.description),
        host=change.host if change.host is UNSET else _host(change.host),
        port=change.port if change.port is UNSET else _port(change.port),
        database=change.database if change.database is UNSET else _postgres_name("database", change.database),
        username=change.username if change.username is UNSET else _postgres_name("username", change.username),
        password=change.password if change.password is UNSET else _password(change.password),
        tls=change.tls,
        ca_certificate=UNSET if change.ca_certificate is UNSET else _certificate(change.ca_certificate),
        denied_columns=_denied(change.denied_columns),
    )


def _wrong(path: str, message: str) -> InvalidRequest:
    return InvalidRequest(f"{path} {message}.", errors=(FieldError(path, message),))


def _words(path: str, raw: str, most: int) -> str:
    text = unicodedata.normalize("NFC", raw.strip())
    if not text or len(text) > most or not text.isprintable():
        raise _wrong(path, f"has to have 1 to {most} characters, none of them a line break")
    return text


def _description(raw: str) -> str:
    text = raw.strip()
    if len(text) > DESCRIPTION_MAX or "\0" in text:
        raise _wrong("description", f"has to have at most {DESCRIPTION_MAX:,} characters")
    return text


def _host(raw: str) -> str:
    host = raw.strip().lower().removeprefix("[").removesuffix("]").removesuffix(".")
    numeric_v6 = ":" in host and all(character in "0123456789abcdef:." for character in host)
    clean = host.isprintable() and not any(character.isspace() for character in host)
    if not host or len(host) > _HOST_MAX or not clean or (not numeric_v6 and _HOST_FORBIDDEN & set(host)):
        raise _wrong("host", "has to be the name or address of a server and nothing else")
    return host


def _port(port: int) -> int:
    if not 1 <= port <= 65535:
        raise _wrong("port", "has to be a number from 1 to 65535")
    return port


def _postgres_name(path: str, raw: str) -> str:
    name = raw.strip()
    if not name or len(name.encode()) > _POSTGRES_NAME_MAX or "\0" in name:
        raise _wrong(path, f"has to have 1 to {_POSTGRES_NAME_MAX} bytes")
    return name


def _password(raw: str) -> str:
    if len(raw) > _PASSWORD_MAX or "\0" in raw:
        raise _wrong("password", f"has to have at most {_PASSWORD_MAX:,} characters")
    return raw


def _certificate(raw: str | None) -> str | None:
    text = (raw or "").strip()
    if not text:
        return None
    if "PRIVATE KEY" in text:
        raise _wrong("caCertificate", "holds a private key, which belongs on the server alone; give the certificate")
    try:
        if len(text) > _CERTIFICATE_MAX:
            raise ValueError("too long")
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=text)
    except (ssl.SSLError, ValueError) as error:
        raise _wrong("caCertificate", "has to be certificates in PEM, as in a .crt or .pem file") from error
    return text + "\n"


def _denied(columns: list[str] | UnsetType) -> list[str] | UnsetType:
    if columns is UNSET:
        return columns
    names = sorted({column.strip() for column in columns})
    if len(names) > _DENIED_MAX or any(name.count(".") < 2 or "\0" in name or len(name) > 200 for name in names):
        raise _wrong("deniedColumns", f"has to be at most {_DENIED_MAX:,} names, each schema.table.column")
    return names
