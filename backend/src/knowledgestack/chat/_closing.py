"""How a run ends: what its row keeps and which frame closes its stream."""

import asyncio
from typing import Any, Literal

import msgspec
import structlog

from knowledgestack.agent.budget import Budget
from knowledgestack.chat._repository import RunRepository
from knowledgestack.chat._task import TurnTask
from knowledgestack.chat.contracts import DoneFrame, EndReason, ErrorFrame, TurnUsage
from knowledgestack.chat.transcript import Transcript
from knowledgestack.core.errors import AppError, Unavailable
from knowledgestack.db.engine import Database

_log = structlog.get_logger(__name__)

StopCause = Literal["stopped", "orphaned", "server_stopping", "row_lost"]

SERVER_STOPPING = (
    "server_stopping",
    "The server was stopped while it wrote this answer. What was written is kept; ask again for the rest.",
)
SERVER_LOST = (
    "server_lost",
    "The server that wrote this answer ended before it was done. What was written is kept; ask again for the rest.",
)
_TURN_GONE = ("turn_gone", "This chat was deleted while its answer was being written.")
_NOT_STORED = ("unavailable", "The answer could not be stored, because the database does not answer. Ask again.")
_INTERNAL = ("internal_error", "Something failed while the answer was written. What was written is kept; ask again.")
_NO_END = ("model_cut", "The model stopped in the middle of the answer. What was written is kept; ask again.")

_STORE_WAITS = (0.0, 0.5, 1.0, 2.0, 4.0)


class Closing(msgspec.Struct, frozen=True):
    """The end of a run; `error` is (code, sentence) of a turn that failed."""

    state: Literal["done", "stopped", "failed"]
    reason: EndReason | None = None
    error: tuple[str, str] | None = None


def closing_of(answering: asyncio.Task[None], cause: StopCause | None, transcript: Transcript) -> Closing:
    """Read the end off the task that answered; `cause` is why it was told to stop, if it was."""
    if cause == "row_lost":
        # The row, where there is one, was failed by another process; where there is none, storing this finds it out.
        return Closing("failed", error=SERVER_LOST)
    finished = answering.done() and not answering.cancelled()
    failure = answering.exception() if finished else None
    if failure is not None:
        return Closing("failed", error=_error_of(failure))
    if transcript.ended is not None:
        return Closing("done", reason=transcript.ended.reason)
    if cause == "server_stopping":
        return Closing("failed", error=SERVER_STOPPING)
    return Closing("stopped", reason="stopped") if cause else Closing("failed", error=_NO_END)


def _error_of(failure: BaseException) -> tuple[str, str]:
    if isinstance(failure, AppError):
        return failure.code, failure.detail
    _log.error("turn_failed", exc_info=failure)
    return _INTERNAL


async def close_run(
    database: Database, task: TurnTask, transcript: Transcript, closing: Closing, spent: Budget
) -> None:
    """Store the end of the turn, then send the one frame that ends its stream."""
    transcript.close_text()
    ending = await _store(database, task, transcript, closing, spent)
    if ending.error is not None:
        transcript.log.add(ErrorFrame, code=ending.error[0], message=ending.error[1])
        return
    ended = transcript.ended
    transcript.log.add(
        DoneFrame,
        reason=ending.reason,
        model_used=ended.model_used if ended else task.model.id,
        provider_used=ended.provider_used if ended else task.model.provider,
        usage=_usage(spent),
        not_found=transcript.not_found,
        follow_ups=transcript.follow_ups,
    )


async def _store(
    database: Database, task: TurnTask, transcript: Transcript, closing: Closing, spent: Budget
) -> Closing:
    """The end that the turn's row now holds, or the error to tell where it could not be stored."""
    values = _row_values(task, transcript, closing, spent)
    for wait in _STORE_WAITS:
        await asyncio.sleep(wait)
        try:
            async with database.transaction() as tx:
                return await _store_once(RunRepository(tx, task.actor.workspace_id), task, closing, values)
        except Unavailable:
            _log.warning("turn_not_stored_yet", turn_id=str(task.started.turn_id))
        except AppError as error:
            return Closing("failed", error=(error.code, error.detail))
        except Exception:  # noqa: BLE001 (whatever happens here, the stream still has to get its closing frame)
            _log.exception("turn_not_stored", turn_id=str(task.started.turn_id))
            break
    return Closing("failed", error=_NOT_STORED)


async def _store_once(runs: RunRepository, task: TurnTask, closing: Closing, values: dict[str, Any]) -> Closing:
    turn_id = task.started.turn_id
    finished = await runs.finish(turn_id, **values)
    # A commit whose answer was lost has stored both: then the end stands in the row, and the tokens are counted.
    if finished or not await runs.is_counted(turn_id, "answer"):
        await runs.add_usage(
            user_id=task.actor.user_id,
            turn_id=turn_id,
            purpose="answer",
            model=values["model_used"],
            provider=values["provider_used"],
            input_tokens=values["usage"]["inputTokens"],
            output_tokens=values["usage"]["outputTokens"],
        )
    return closing if finished else _closing_of_row(await runs.find_end(turn_id))


def _closing_of_row(row: Any) -> Closing:
    if row is None:
        return Closing("failed", error=_TURN_GONE)
    error = (row["error_code"], row["error_message"]) if row["state"] == "failed" else None
    return Closing(row["state"], reason=row["reason"], error=error)


def _row_values(task: TurnTask, transcript: Transcript, closing: Closing, spent: Budget) -> dict[str, Any]:
    ended = transcript.ended
    values = transcript.row_values()
    return {
        **values,
        # The closing frame follows when this is stored.
        "last_seq": values["last_seq"] + 1,
        "state": closing.state,
        "reason": closing.reason,
        "error_code": closing.error[0] if closing.error else None,
        "error_message": closing.error[1] if closing.error else None,
        "model_used": ended.model_used if ended else task.model.id,
        "provider_used": ended.provider_used if ended else task.model.provider,
        "usage": msgspec.to_builtins(_usage(spent)),
    }


def _usage(spent: Budget) -> TurnUsage:
    return TurnUsage(input_tokens=spent.input_tokens, output_tokens=spent.output_tokens, model_calls=spent.model_calls)
