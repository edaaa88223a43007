import pytest

from knowledgestack.core.config import Profile, SettingsError, load_settings
from knowledgestack.core.crypto import encode_key

KEY = encode_key(b"k" * 32)
LOCAL = {"DATABASE_URL": "postgresql://localhost/x", "TOKEN_ENCRYPTION_KEY": KEY}


def test_the_local_profile_needs_a_database_and_a_key_alone() -> None:
    settings = load_settings(LOCAL)
    assert settings.profile is Profile.LOCAL
    assert settings.web_app_url == "http://localhost:8400"
    assert settings.object_store_url.startswith("file:///")


def test_a_server_start_names_every_missing_variable_at_once() -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings({"KS_PROFILE": "server"})
    text = "\n".join(caught.value.problems)
    for name in ("DATABASE_URL", "TOKEN_ENCRYPTION_KEY", "WEB_APP_URL", "KS_OBJECT_STORE_URL"):
        assert name in text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KS_PROFILE", "laptop"),
        ("KS_PORT", "0"),
        ("KS_PORT", "65536"),
        ("KS_PORT", "84.00"),
        ("DATABASE_URL", "mysql://x"),
        ("TOKEN_ENCRYPTION_KEY", "c2hvcnQ"),
        ("TOKEN_ENCRYPTION_PREVIOUS_KEYS", f"{KEY},short"),
        ("WEB_APP_URL", "ftp://x"),
        ("WEB_APP_URL", "https://x.example/path"),
        ("OPENAI_BASE_URL", "not an address"),
        ("KS_CHAT_WIRE", "grpc"),
        ("KS_AGENT_MODEL_CALLS", "-1"),
        ("KS_LOG_LEVEL", "loud"),
        ("KS_OUTBOUND_ALLOW", "db.example.com,10.0.0.5/24"),
        ("KS_SQL_TIMEOUT_SECONDS", "0"),
        ("KS_SQL_ALLOW_PRIVILEGED_ROLES", "yes"),
    ],
)
def test_a_malformed_value_stops_the_boot_and_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings({**LOCAL, name: value})
    assert any(problem.startswith(name) for problem in caught.value.problems)


def test_no_secret_shows_in_the_repr() -> None:
    settings = load_settings({**LOCAL, "OPENAI_API_KEY": "sk-canary"})
    assert "canary" not in repr(settings)
    assert KEY not in repr(settings)
