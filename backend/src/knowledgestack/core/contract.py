"""The base of every Struct that crosses the wire."""

from typing import Literal, dataclass_transform

import msgspec


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class Contract(msgspec.Struct, rename="camel", frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A JSON object with camelCase names; unknown fields are refused when it is decoded."""


class StatusOk(Contract):
    """The answer of a write that has no result."""

    status: Literal["ok"] = "ok"
