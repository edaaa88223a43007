"""Errors that a caller can act on. `http.problems` turns each into problem+json, in one place."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FieldError:
    path: str
    message: str


class AppError(Exception):
    """A failure with a stable code, an HTTP status and a sentence for a person.

    `detail` is shown to people: it says what happened and what to do, and never holds a secret.
    """

    status: int = 500
    code: str = "internal_error"
    title: str = "Something failed"

    def __init__(self, detail: str, *, code: str | None = None, errors: tuple[FieldError, ...] = ()) -> None:
        super().__init__(detail)
        self.detail = detail
        self.errors = errors
        if code is not None:
            self.code = code


class InvalidRequest(AppError):
    status, code, title = 400, "invalid_request", "The request is not valid"


class NotSignedIn(AppError):
    status, code, title = 401, "not_signed_in", "Not signed in"


class Forbidden(AppError):
    status, code, title = 403, "forbidden", "Not allowed"


class NoActiveWorkspace(AppError):
    status, code, title = 403, "no_active_workspace", "No workspace is open"


class NotFound(AppError):
    """The thing does not exist, or belongs to somebody else: both look the same."""

    status, code, title = 404, "not_found", "Not found"


class Conflict(AppError):
    status, code, title = 409, "conflict", "This conflicts with the present state"


class TooLarge(AppError):
    status, code, title = 413, "too_large", "Too large"


class UnsupportedFile(AppError):
    status, code, title = 415, "unsupported_file", "This kind of file is not supported"


class AddressRefused(AppError):
    status, code, title = 422, "address_refused", "This address is not allowed"


class RateLimited(AppError):
    """Too many requests; `retry_after` is in seconds."""

    status, code, title = 429, "rate_limited", "Too many requests"

    def __init__(self, detail: str, *, retry_after: int) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class Unavailable(AppError):
    """Something this needs does not answer now; `retry_after` is in seconds."""

    status, code, title = 503, "unavailable", "Not available now"

    def __init__(self, detail: str, *, retry_after: int = 5) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class InsufficientStorage(AppError):
    status, code, title = 507, "insufficient_storage", "No space left"
