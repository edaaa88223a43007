"""Opens sockets to registered databases: a checked address, the chosen TLS, the password, and who is there."""

import asyncio
import ssl
from collections.abc import Mapping
from typing import Any

import asyncpg
import structlog

from knowledgestack.core.crypto import DecryptionFailed, KeyRing
from knowledgestack.core.errors import AppError, Unavailable
from knowledgestack.databases._role_audit import refuse_privileged_role
from knowledgestack.databases.own_database import OwnDatabase
from knowledgestack.databases.targets import Target
from knowledgestack.http.outbound import HostPort, HostUnknown, MemberGuard

_log = structlog.get_logger(__name__)

CONNECT_SECONDS = 10.0
_ALL_ADDRESSES_SECONDS = 20.0

_NO_ANSWER = (
    "The database did not answer. Check host, port and TLS mode, and that its firewall lets this installation in."
)
_CERTIFICATE = (
    "The certificate of the server was not accepted: it is signed by nobody that is trusted here, has run out, or "
    "belongs to another name. Give the certificate of its authority, or check the host."
)
_SENTENCES = (
    (asyncpg.InvalidPasswordError, "The user name or the password was not accepted."),
    (asyncpg.InvalidAuthorizationSpecificationError, "The server does not let this user in from here."),
    (asyncpg.InvalidCatalogNameError, "The server has no database of this name."),
    (asyncpg.TooManyConnectionsError, "The server has no free connection now. Try again in a moment."),
    (asyncpg.CannotConnectNowError, "The server is starting or stopping. Try again in a moment."),
    (asyncpg.InsufficientPrivilegeError, "This user may not connect to this database."),
    (ssl.SSLCertVerificationError, _CERTIFICATE),
)


class _NamedContext(ssl.SSLContext):
    """Checks the name of the host although the socket was opened to its address."""

    server_name = ""

    def wrap_bio(
        self,
        incoming: ssl.MemoryBIO,
        outgoing: ssl.MemoryBIO,
        server_side: bool = False,
        server_hostname: str | bytes | None = None,
        session: ssl.SSLSession | None = None,
    ) -> ssl.SSLObject:
        return super().wrap_bio(incoming, outgoing, server_side, self.server_name, session)


class DatabaseOpener:
    """Opens a connection of a target. The one place where its password is in the clear."""

    def __init__(
        self, keys: KeyRing, guard: MemberGuard, own_database: OwnDatabase, *, allow_privileged_roles: bool
    ) -> None:
        self._keys = keys
        self._guard = guard
        self._own_database = own_database
        self.allow_privileged_roles = allow_privileged_roles

    async def check(self, host: str, port: int, database: str) -> list[str]:
        """The addresses that may be opened; raises `AddressRefused` without opening a socket."""
        place = HostPort(host, port)
        addresses = await self._guard.addresses(place)
        await self._own_database.refuse_address(place, addresses, database)
        return [str(address) for address in addresses]

    async def open(
        self, target: Target, server_settings: Mapping[str, str], *, any_role: bool = False
    ) -> asyncpg.Connection:
        """A connection that is not the application's own and whose role may be used; `any_role` leaves the role out.

        Raises `AddressRefused`, `RoleRefused`, and `Unavailable` with a sentence that tells neither the driver's
        text nor what listens at the address.
        """
        try:
            addresses = await self.check(target.host, target.port, target.database)
        except HostUnknown as error:
            raise Unavailable(error.detail) from error
        try:
            async with asyncio.timeout(_ALL_ADDRESSES_SECONDS):
                connection = await self._open_first(target, addresses, server_settings)
        except TimeoutError as error:
            raise _unavailable(target, error) from error
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._own_database.refuse_session(connection)
                if not (any_role or self.allow_privileged_roles):
                    await refuse_privileged_role(connection)
        except AppError:
            await _drop(connection)
            raise
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            await _drop(connection)
            raise _unavailable(target, error) from error
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _open_first(
        self, target: Target, addresses: list[str], server_settings: Mapping[str, str]
    ) -> asyncpg.Connection:
        for address in addresses[:-1]:
            try:
                return await self._open_at(target, address, server_settings)
            except Unavailable as error:
                # Only what did not answer at all is tried elsewhere: a refusal is the answer of this database.
                if not isinstance(error.__cause__, OSError) or isinstance(error.__cause__, ssl.SSLError):
                    raise
        return await self._open_at(target, addresses[-1], server_settings)

    async def _open_at(self, target: Target, address: str, server_settings: Mapping[str, str]) -> asyncpg.Connection:
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await asyncpg.connect(
                    host=address,
                    port=target.port,
                    database=target.database,
                    user=target.username,
                    password=self._keys.open(target.sealed_password, target.password_place),
                    ssl=tls_context(target),
                    direct_tls=False,
                    server_settings=dict(server_settings),
                    statement_cache_size=0,
                )
        except DecryptionFailed as error:
            raise Unavailable("The stored password cannot be opened. Give the password again.") from error
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
            raise _unavailable(target, error) from error


def tls_context(target: Target) -> Any:
    """The TLS of a target: False without, else a context. `require` checks the authority where one was given, never
    the name; `verify` checks both. Raises ssl.SSLError for a certificate that cannot be read."""
    if target.tls == "off":
        return False
    context = _NamedContext(ssl.PROTOCOL_TLS_CLIENT)
    context.server_name = target.host
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = target.tls == "verify"
    if target.ca_certificate is not None:
        context.load_verify_locations(cadata=target.ca_certificate)
    elif target.tls == "verify":
        context.load_default_certs()
    else:
        context.verify_mode = ssl.CERT_NONE
    return context


def _unavailable(target: Target, error: Exception) -> Unavailable:
    """What may be said of a failure. Silence, a refused socket and a stranger at the port sound the same."""
    _log.info("database_unreachable", connection_id=str(target.connection_id), error=type(error).__name__)
    for kind, sentence in _SENTENCES:
        if isinstance(error, kind):
            return Unavailable(sentence)
    return Unavailable(_NO_ANSWER)


async def _drop(connection: asyncpg.Connection) -> None:
    """Close politely within a moment, else at once."""
    try:
        await connection.close(timeout=1)
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
        return
    finally:
        connection.terminate()
