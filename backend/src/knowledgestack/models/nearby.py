"""Model servers on this machine, found by asking the ports they use by default."""

import asyncio

import httpx2
import msgspec

from knowledgestack.core.errors import AddressRefused
from knowledgestack.http.outbound import HostPort, operator_client
from knowledgestack.models.contracts import NearbyServer

_ASK_SECONDS = 0.5
_MAX_BYTES = 1_000_000
NEARBY_PORTS = {
    11434: "Ollama",
    1234: "LM Studio",
    8000: "Model server on port 8000",
    8080: "Model server on port 8080",
}


class _ListedModel(msgspec.Struct):
    id: str


class _ModelList(msgspec.Struct):
    data: list[_ListedModel]


async def find_nearby_servers(ports: dict[int, str], own: frozenset[HostPort]) -> list[NearbyServer]:
    """The servers that answer with a list of models within half a second; our own places are never asked."""
    found = await asyncio.gather(*(_ask(port, label, own) for port, label in ports.items()))
    return [server for server in found if server is not None]


async def _ask(port: int, label: str, own: frozenset[HostPort]) -> NearbyServer | None:
    base_url = f"http://127.0.0.1:{port}/v1"
    client = operator_client(base_url, read_seconds=_ASK_SECONDS, max_response_bytes=_MAX_BYTES, own=own)
    try:
        async with asyncio.timeout(2 * _ASK_SECONDS), client:
            response = await client.get(f"{base_url}/models")
        listed = msgspec.json.decode(response.content, type=_ModelList)
    except (TimeoutError, OSError, httpx2.HTTPError, AddressRefused, msgspec.DecodeError):
        return None
    models = [model.id for model in listed.data][:100]
    return NearbyServer(base_url=base_url, label=label, models=models) if response.is_success and models else None
