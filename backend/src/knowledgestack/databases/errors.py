"""Why a statement gave no rows. `detail` is the sentence that a person and the model read."""

from knowledgestack.core.errors import AppError


class SqlRejected(AppError):
    """The fence did not let the statement through; it never ran."""

    status, code, title = 422, "sql_rejected", "The statement was not run"


class SqlFailed(AppError):
    """The database refused or could not finish the statement; `sqlstate` is PostgreSQL's code."""

    status, code, title = 422, "sql_failed", "The statement failed"

    def __init__(self, detail: str, *, sqlstate: str | None = None) -> None:
        super().__init__(detail)
        self.sqlstate = sqlstate


class SqlTimeout(AppError):
    """The statement took longer than it may and was cancelled on the server."""

    status, code, title = 422, "sql_timeout", "The statement took too long"


class RoleRefused(AppError):
    """The connection's role may do what a reader never needs: nothing runs as it."""

    status, code, title = 422, "role_refused", "This role is not allowed"
