from pathlib import Path

import msgspec
import pytest
from litestar.routes import HTTPRoute

from knowledgestack.http.openapi import openapi_document
from tests.support.app import running_app

PUBLIC_ROUTES = {
    ("GET", "/api/auth/providers"),
    ("POST", "/api/auth/enter"),
    ("GET", "/api/health"),
    ("GET", "/api/health/ready"),
    ("GET", "/api/openapi.json"),
}
COMMITTED = Path(__file__).resolve().parents[3] / "openapi.json"


async def test_only_the_listed_routes_are_public(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        public: set[tuple[str, str]] = set()
        for route in app.app.routes:
            if isinstance(route, HTTPRoute) and not route.path.startswith("/api/openapi/"):
                for handler in route.route_handlers:
                    if handler.opt.get("public"):
                        public |= {(str(method), route.path_format) for method in handler.http_methods - {"OPTIONS"}}
        assert public == PUBLIC_ROUTES


async def test_every_other_route_answers_401_to_a_stranger(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        for path, item in openapi_document(app.app)["paths"].items():
            for method in item:
                if (method.upper(), path) in PUBLIC_ROUTES:
                    continue
                address = path
                while "{" in address:
                    start, end = address.index("{"), address.index("}")
                    address = address[:start] + "01920000-0000-7000-8000-000000000001" + address[end + 1 :]
                answer = await app.client().request(method.upper(), address)
                assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in"), (method, path)


async def test_the_committed_schema_is_the_one_that_the_code_makes(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        made = msgspec.json.decode(msgspec.json.encode(openapi_document(app.app)))
        assert msgspec.json.decode(COMMITTED.read_bytes()) == made, "run `make contract`"


async def test_every_operation_is_named_and_describes_its_problems(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        names: list[str] = []
        for item in openapi_document(app.app)["paths"].values():
            for operation in item.values():
                names.append(operation["operationId"])
                assert set(operation["responses"]) - {"200", "201", "202", "204"} == {"default"}
        assert len(names) == len(set(names))
        assert all(name.isalnum() and name[0].islower() for name in names)


async def test_errors_of_every_kind_share_one_shape(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        client = await app.sign_in()
        answers = [
            await client.get("/api/nothing"),
            await client.delete("/api/workspaces"),
            await client.post("/api/workspaces", content=b"{", headers={"Content-Type": "application/json"}),
            await client.post(
                "/api/workspaces", content=b"x" * 9_000_000, headers={"Content-Type": "application/json"}
            ),
            await client.get("/api/documents/not-a-uuid"),
        ]
        assert [answer.status_code for answer in answers] == [404, 405, 400, 413, 404]
        for answer in answers:
            assert answer.headers["content-type"].startswith("application/problem+json")
            assert set(answer.json()) == {"type", "title", "status", "detail", "code", "requestId", "errors"}
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (b'{"name": 3}', "name"),
        (b'{"name": "a", "colour": "red"}', "colour"),
        (b"{}", "name"),
        (b'{"name": ' + b"[" * 100_000, None),
        (b"\xff\xfe", None),
    ],
)
async def test_a_body_that_cannot_be_read_is_refused_and_the_field_named(
    database_url: str, tmp_path: Path, body: bytes, path: str | None
) -> None:
    async with running_app(database_url, tmp_path) as app:
        client = await app.sign_in()
        answer = await client.post("/api/workspaces", content=body, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
        assert path is None or [field["path"] for field in answer.json()["errors"]] == [path]


async def test_a_missing_parameter_is_named(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        client = await app.sign_in()
        await app.open_workspace(client)
        answer = await client.get("/api/search")
        assert answer.status_code == 400
        assert "'q'" in answer.json()["detail"]


async def test_a_chat_is_made_without_a_body_too(database_url: str, tmp_path: Path) -> None:
    async with running_app(database_url, tmp_path) as app:
        client = await app.sign_in()
        await app.open_workspace(client)
        assert (await client.post("/api/chat")).status_code == 201
        assert (await client.post("/api/chat", json={"title": "Rules"})).json()["title"] == "Rules"
        refused = await client.post("/api/workspaces")
        assert refused.json()["detail"] == "Send a JSON body with this request."
