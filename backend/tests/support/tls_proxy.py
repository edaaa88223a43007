"""A door to a PostgreSQL server that speaks TLS with a certificate of the test's own, or refuses to."""

import asyncio
import contextlib
import datetime
import ipaddress
import ssl
import struct
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_SSL_REQUEST = struct.pack("!ii", 8, 80877103)


class Authority:
    """Signs certificates; `pem` is its own."""

    def __init__(self, name: str = "Test authority") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self._certificate = self._signed(self._name, self._key.public_key(), authority=True, names=[])
        self.pem = self._certificate.public_bytes(serialization.Encoding.PEM).decode()

    def context(self, folder: Path, names: list[str]) -> ssl.SSLContext:
        """What a server of these names speaks TLS with."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
        certificate = self._signed(subject, key.public_key(), authority=False, names=names)
        path = folder / f"{names[0]}.pem".replace(":", "_")
        path.write_bytes(
            certificate.public_bytes(serialization.Encoding.PEM)
            + key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context

    def _signed(
        self, subject: x509.Name, key: ec.EllipticCurvePublicKey, *, authority: bool, names: list[str]
    ) -> x509.Certificate:
        now = datetime.datetime.now(datetime.UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=2))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        )
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName([_alternative(name) for name in names]), False)
        return builder.sign(self._key, hashes.SHA256())


def _alternative(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


class _Door:
    def __init__(self, host: str, port: int, context: ssl.SSLContext | None) -> None:
        self._place = (host, port)
        self._context = context
        self.plain = 0

    async def enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readexactly(8)
        if head == _SSL_REQUEST:
            writer.write(b"S" if self._context else b"N")
            await writer.drain()
            if self._context is None:
                head = await reader.readexactly(8)
            else:
                await writer.start_tls(self._context)
                head = b""
        if self._context is None or head:
            self.plain += 1
        inner_reader, inner_writer = await asyncio.open_connection(*self._place)
        inner_writer.write(head)
        try:
            await asyncio.gather(_carry(reader, inner_writer), _carry(inner_reader, writer))
        finally:
            inner_writer.transport.abort()

    async def greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, ssl.SSLError):
            try:
                await self.enter(reader, writer)
            finally:
                writer.transport.abort()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError, ssl.SSLError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


@contextmanager
def tls_proxy(host: str, port: int, context: ssl.SSLContext | None) -> Generator[tuple[int, _Door]]:
    """The port of a door to the server, on a thread of its own, and the door, which counts who came in plain."""
    door = _Door(host, port, context)
    started = threading.Event()
    ports: list[int] = []
    ends: list[Callable[[], object]] = []

    async def serve() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        ends.append(lambda: loop.call_soon_threadsafe(stop.set))
        server = await asyncio.start_server(door.greet, "127.0.0.1", 0)
        ports.append(server.sockets[0].getsockname()[1])
        started.set()
        await stop.wait()
        server.close()
        visitors = asyncio.all_tasks() - {asyncio.current_task()}
        for task in visitors:
            task.cancel()
        await asyncio.gather(*visitors, return_exceptions=True)
        await asyncio.sleep(0)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert started.wait(10)
    try:
        yield ports[0], door
    finally:
        ends[0]()
        thread.join(10)
