import pytest
from litestar.datastructures import Headers

from knowledgestack.core.errors import Forbidden
from knowledgestack.http.security import require_body_type, require_same_origin

ORIGINS = frozenset({"https://wiki.example"})


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://wiki.example"},
        {"sec-fetch-site": "same-origin"},
        {"origin": "https://wiki.example", "sec-fetch-site": "same-origin"},
    ],
)
def test_own_pages_pass(headers: dict[str, str]) -> None:
    require_same_origin(Headers(headers), ORIGINS, cookie_signed_in=True)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "null"},
        {"origin": "https://evil.example"},
        {"origin": "https://wiki.example.evil.example"},
        {"origin": "https://wiki.example", "sec-fetch-site": "cross-site"},
        {"origin": "https://evil.example", "sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "none"},
    ],
)
def test_other_origins_are_refused(headers: dict[str, str]) -> None:
    with pytest.raises(Forbidden):
        require_same_origin(Headers(headers), ORIGINS, cookie_signed_in=True)


def test_without_a_cookie_an_unstated_origin_passes_and_a_foreign_one_does_not() -> None:
    require_same_origin(Headers({}), ORIGINS, cookie_signed_in=False)
    with pytest.raises(Forbidden):
        require_same_origin(Headers({"origin": "https://evil.example"}), ORIGINS, cookie_signed_in=False)


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "application/json", "content-length": "2"},
        {"content-type": "application/json; charset=utf-8", "content-length": "2"},
        {"content-length": "0"},
        {},
    ],
)
def test_json_and_no_body_pass(headers: dict[str, str]) -> None:
    require_body_type(Headers(headers), "application/json")


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "text/plain", "content-length": "2"},
        {"content-type": "text/plain; x=application/json", "content-length": "2"},
        {"content-type": "application/x-www-form-urlencoded", "content-length": "2"},
        {"content-type": "multipart/form-data; boundary=x", "content-length": "2"},
        {"content-length": "2"},
        {"transfer-encoding": "chunked"},
    ],
)
def test_any_other_body_is_refused(headers: dict[str, str]) -> None:
    with pytest.raises(Forbidden):
        require_body_type(Headers(headers), "application/json")
