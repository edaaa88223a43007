"""What went wrong at a model's server, in a sentence for a person. The key never appears in one."""

import re
import ssl
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import cast

import httpx2
import openai

from knowledgestack.core.errors import AddressRefused
from knowledgestack.models.chat import ModelFailed

# What speaking to a server can raise: its errors, broken answers, and answers of another shape than declared.
CALL_ERRORS = (
    ModelFailed,
    AddressRefused,
    openai.OpenAIError,
    httpx2.HTTPError,
    httpx2.InvalidURL,
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    RecursionError,
)

_MAX_WORDS = 300
_QUOTA_CODES = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}
_OVERFLOW_WORDS = ("context_length_exceeded", "context length", "context window", "maximum context")
_BUSY_CODES = {"rate_limit_exceeded", "rate_limit_error", "rate_limit", "429"}
_BROKEN_CODES = {"server_error", "internal_error", "internal_server_error", "overloaded_error", "overloaded", "503"}
_BUSY = "The model's server is busy. Try again in a moment."
_KEY_WORDS = "The model's server does not accept the key. Check it in Settings."
_STATUS_WORDS = {
    401: ("model_unauthorized", _KEY_WORDS),
    403: ("model_unauthorized", _KEY_WORDS),
    404: ("model_unknown", "The server does not know this model or address. Check both in Settings."),
}
_KEY_LIKE = re.compile(r"\b(?:sk|pk|key|Bearer)[-_ ][\w*.-]{6,}", re.IGNORECASE)


def model_failure(error: Exception, secret: str | None) -> ModelFailed:
    """Say in our own words what one of `CALL_ERRORS` means; `secret` is removed from what the server wrote."""
    match error:
        case ModelFailed():
            failure = error
        case AddressRefused():
            failure = ModelFailed(error.detail, code="model_refused")
        case openai.APIStatusError():
            failure = _status_failure(error, secret)
        case openai.APIConnectionError():
            failure = _connection_failure(error)
        case openai.APIError() if not isinstance(error, openai.APIResponseValidationError):
            failure = reported_failure(error.code or error.type, error.message, secret)
        case httpx2.HTTPError():
            failure = cut()
        case _:
            failure = ModelFailed("The model's server sent an answer that cannot be read.", code="model_malformed")
    return failure


def reported_failure(code: str | None, words: str | None, secret: str | None) -> ModelFailed:
    """A failure that the server reported inside its stream."""
    said = words or ""
    if code in _QUOTA_CODES:
        return _quota()
    if code in _BUSY_CODES:
        return ModelFailed(_BUSY, code="model_rate_limited")
    if _is_overflow(code, said):
        return _overflow()
    if code in _BROKEN_CODES:
        return ModelFailed("The model's server failed. Try again in a moment.", code="model_unreachable")
    return ModelFailed(f"The model's server ended the answer{_quoted(said, secret)}", code="model_refused")


def silence(seconds: float) -> ModelFailed:
    return ModelFailed(f"The model said nothing for {seconds:g} seconds, so the call was ended.", code="model_silent")


def cut() -> ModelFailed:
    return ModelFailed("The model's answer broke off before its end.", code="model_cut")


def incomplete(why: str | None) -> ModelFailed:
    if why == "content_filter":
        return ModelFailed("The model's server withheld the rest of the answer.", code="model_refused")
    return ModelFailed("The model stopped at its output limit before the answer was whole.", code="model_incomplete")


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds to wait, from a number or an HTTP date (RFC 9110 10.2.3); None where it is neither."""
    if not value:
        return None
    text = value.strip()
    if re.fullmatch(r"\d{1,9}(\.\d+)?", text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now.timestamp())


def _status_failure(error: openai.APIStatusError, secret: str | None) -> ModelFailed:
    status = error.status_code
    if status == 429 and {error.code, error.type} & _QUOTA_CODES:
        return _quota()
    if status in {408, 429} or status >= 500:
        retry_after = parse_retry_after(error.response.headers.get("retry-after"), datetime.now(UTC))
        if status == 429:
            return ModelFailed(_BUSY, code="model_rate_limited", retry_after=retry_after)
        words = f"The model's server failed (status {status}). Try again in a moment."
        return ModelFailed(words, code="model_unreachable", retry_after=retry_after)
    said = _words_of(error)
    if _is_overflow(error.code, said):
        return _overflow()
    code, words = _STATUS_WORDS.get(status, ("model_refused", None))
    if 300 <= status < 400:
        words = "The model's server sends calls elsewhere, which is not followed."
    return ModelFailed(words or f"The model's server refused the call{_quoted(said, secret)}", code=code)


def _words_of(error: openai.APIStatusError) -> str:
    """The message of an error body in OpenAI's shape; nothing of a page in another."""
    body = error.body
    words = cast("dict[str, object]", body).get("message") if isinstance(body, dict) else None
    return words if isinstance(words, str) else ""


def _connection_failure(error: openai.APIConnectionError) -> ModelFailed:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, AddressRefused):
            return ModelFailed(cause.detail, code="model_refused")
        if isinstance(cause, ssl.SSLError):
            return ModelFailed("The certificate of the model's server is not valid.", code="model_unreachable")
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, openai.APITimeoutError):
        return ModelFailed("The model's server does not answer in time.", code="model_unreachable")
    return ModelFailed("The model's server cannot be reached.", code="model_unreachable")


def _is_overflow(code: str | None, words: str) -> bool:
    text = f"{code or ''} {words}".lower()
    return any(part in text for part in _OVERFLOW_WORDS)


def _quota() -> ModelFailed:
    return ModelFailed("The account at the model's provider has no credit left.", code="model_quota")


def _overflow() -> ModelFailed:
    return ModelFailed("The conversation is longer than this model can read.", code="model_context_overflow")


def _quoted(words: str, secret: str | None) -> str:
    """The server's own words, cut and without anything that looks like a key."""
    text = " ".join(words.split())
    if secret:
        text = text.replace(secret, "…")
    text = _KEY_LIKE.sub("…", text)[:_MAX_WORDS].strip()
    return f': "{text}"' if text else "."
