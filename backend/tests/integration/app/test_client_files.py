from pathlib import Path

import pytest

from tests.support.app import running_app


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>client</title>")
    (folder / "assets" / "index-1a2b.js").write_text("export {}")
    (tmp_path / "secret.txt").write_text("outside")
    return folder


@pytest.mark.parametrize("address", ["/", "/signin", "/chat/01920000-0000-7000-8000-000000000001", "/no/such/page"])
async def test_every_page_of_the_client_opens_without_a_session(
    database_url: str, tmp_path: Path, dist: Path, address: str
) -> None:
    async with running_app(database_url, tmp_path, KS_FRONTEND_DIST=str(dist)) as app:
        page = await app.client().get(address)
        assert (page.status_code, page.headers["content-type"].split(";")[0]) == (200, "text/html")
        assert "client" in page.text
        assert page.headers["cache-control"] == "no-cache"
        assert "frame-ancestors 'none'" in page.headers["content-security-policy"]


async def test_hashed_files_are_kept_and_nothing_outside_is_served(
    database_url: str, tmp_path: Path, dist: Path
) -> None:
    async with running_app(database_url, tmp_path, KS_FRONTEND_DIST=str(dist)) as app:
        client = app.client()
        script = await client.get("/assets/index-1a2b.js")
        assert "javascript" in script.headers["content-type"]
        assert "immutable" in script.headers["cache-control"]
        for address in ("/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "//etc/passwd"):
            assert "outside" not in (await client.get(address)).text
        assert (await client.get("/api/nothing")).status_code == 404
        assert (await client.get("/api")).status_code == 404
