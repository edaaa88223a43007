"""Errors become application/problem+json here and nowhere else (RFC 9457)."""

from typing import Any, cast

import structlog
from litestar import Request, Response
from litestar.exceptions import ClientException, HTTPException, ValidationException

from knowledgestack.core.contract import Contract
from knowledgestack.core.errors import AppError, InvalidRequest, RateLimited, Unavailable
from knowledgestack.db.engine import database_failure
from knowledgestack.http.field_words import field_words
from knowledgestack.http.request_id import request_id

_log = structlog.get_logger(__name__)

PROBLEM_MEDIA_TYPE = "application/problem+json"

_MISSING = "Missing required"

_HTTP_PROBLEMS: dict[int, tuple[str, str, str]] = {
    400: ("invalid_request", "The request is not valid", "The request is not valid."),
    401: ("not_signed_in", "Not signed in", "Sign in first."),
    403: ("forbidden", "Not allowed", "This is not allowed."),
    404: ("not_found", "Not found", "There is nothing here."),
    405: ("method_not_allowed", "Method not allowed", "This address does not take that method."),
    413: ("too_large", "Too large", "The request is larger than what is accepted."),
    415: ("unsupported_media_type", "Unsupported content", "This kind of content is not accepted here."),
    503: ("unavailable", "Not available now", "This does not answer now. Try again in a few seconds."),
}


class ProblemField(Contract):
    """One wrong field: where it is and what is wrong with it."""

    path: str
    message: str


class Problem(Contract):
    """The body of every error."""

    title: str
    status: int
    detail: str
    code: str
    request_id: str
    type: str = "about:blank"
    errors: list[ProblemField] = []


def problem_response(
    request: Request[Any, Any, Any], error: AppError, headers: dict[str, str] | None = None
) -> Response[Problem]:
    problem = Problem(
        title=error.title,
        status=error.status,
        detail=error.detail,
        code=error.code,
        request_id=request_id(request.scope),
        errors=[ProblemField(path=field.path, message=field.message) for field in error.errors],
    )
    sent = dict(headers or {})
    if isinstance(error, RateLimited | Unavailable):
        sent["Retry-After"] = str(error.retry_after)
    return Response(problem, status_code=error.status, media_type=PROBLEM_MEDIA_TYPE, headers=sent, type_encoders=None)


def _on_app_error(request: Request[Any, Any, Any], error: AppError) -> Response[Problem]:
    if error.status >= 500:
        _log.warning("request_failed", code=error.code, detail=error.detail)
    return problem_response(request, error)


def _on_http_exception(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    status = error.status_code if error.status_code in _HTTP_PROBLEMS else (400 if error.status_code < 500 else 500)
    if status == 500:
        return _on_unexpected(request, error)
    code, title, detail = _HTTP_PROBLEMS[status]
    fields = _fields(error) if isinstance(error, ValidationException | ClientException) else []
    if error.detail.startswith(_MISSING):
        detail = error.detail
    if fields:
        detail = f"{fields[0].path} {fields[0].message}.".lstrip()
    problem = Problem(
        title=title, status=status, detail=detail, code=code, request_id=request_id(request.scope), errors=fields
    )
    allowed = {name: value for name, value in (error.headers or {}).items() if name.lower() in {"allow", "retry-after"}}
    return Response(problem, status_code=status, media_type=PROBLEM_MEDIA_TYPE, headers=allowed)


def _fields(error: HTTPException) -> list[ProblemField]:
    if not isinstance(error.extra, list):
        return []
    items = [cast(dict[str, Any], item) for item in error.extra if isinstance(item, dict)]
    return [_field(str(item.get("key", "")), str(item.get("message", ""))) for item in items]


def _field(key: str, message: str) -> ProblemField:
    path, words = field_words(key, message)
    return ProblemField(path=path, message=words)


def _on_unexpected(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    translated = database_failure(error)
    if isinstance(error, RecursionError):
        translated = InvalidRequest("The request is nested too deeply to be read.")
    if translated is not None:
        return _on_app_error(request, translated)
    _log.error("unexpected_error", exc_info=error)
    return problem_response(request, AppError("Something failed on the server. Try again; if it stays, report the id."))


EXCEPTION_HANDLERS = cast(
    dict[int | type[Exception], Any],
    {AppError: _on_app_error, HTTPException: _on_http_exception, Exception: _on_unexpected},
)

__all__ = ["EXCEPTION_HANDLERS", "PROBLEM_MEDIA_TYPE", "Problem", "ProblemField", "problem_response"]
