"""Sources, uploads and passes on the wire."""

from datetime import datetime
from typing import Literal
from uuid import UUID

import msgspec

from knowledgestack.core.contract import Contract
from knowledgestack.documents.contracts import DocumentState

SourceState = Literal["active", "error", "reauth_required", "paused"]
SyncPassState = Literal["queued", "running", "completed", "completed_with_errors", "failed", "cancelled"]


class SyncPass(Contract):
    """One run of a sync and its counts so far. `message` is a sentence for a person."""

    id: UUID
    state: SyncPassState
    found: int
    new: int
    changed: int
    unchanged: int
    failed: int
    deleted: int
    started_at: datetime | None
    finished_at: datetime | None
    message: str | None


class SyncPassPage(Contract):
    items: list[SyncPass]
    next_cursor: str | None


class Source(Contract):
    """A source with its newest pass."""

    id: UUID
    provider: str
    name: str
    state: SourceState
    last_synced_at: datetime | None
    document_count: int
    chunk_count: int
    newest_pass: SyncPass | None = msgspec.field(name="pass")


class SourcePage(Contract):
    items: list[Source]
    next_cursor: str | None


class SourceChange(Contract):
    """What of a source may be changed; what is left out stays."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    paused: bool | msgspec.UnsetType = msgspec.UNSET


class SyncStarted(Contract):
    pass_id: UUID


class UploadRules(Contract):
    """What an upload may be. Extensions begin with a dot; `max_bytes` holds for each file."""

    file_extensions: list[str]
    max_bytes: int


class ProviderOffer(Contract):
    """A provider that can be connected, and the settings that are still missing for it."""

    provider: str
    label: str
    missing_variables: list[str]


class ConnectorCatalogue(Contract):
    uploads: UploadRules
    providers: list[ProviderOffer]


class UploadedDocument(Contract):
    """A file that was taken.

    `replaced`: the name had other content before. `unchanged`: the name had these very bytes, nothing is done again.
    `same_as`: another file has these bytes too.
    """

    id: UUID
    name: str
    state: DocumentState
    replaced: bool
    unchanged: bool
    same_as: str | None


class RejectedFile(Contract):
    """A file that was refused, with the reason in a sentence."""

    name: str
    code: str
    detail: str


class UploadOutcome(Contract):
    source_id: UUID
    documents: list[UploadedDocument]
    rejected: list[RejectedFile]
