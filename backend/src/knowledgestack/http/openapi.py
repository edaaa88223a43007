"""The schema of the API as clients see it: Litestar's own, with every error described by `Problem`."""

import re
from typing import Any

import msgspec
from litestar import Litestar

from knowledgestack.http.problems import PROBLEM_MEDIA_TYPE, Problem

_SCHEMAS = "#/components/schemas/"


def openapi_document(app: Litestar) -> dict[str, Any]:
    """The schema as plain data. Litestar's stock 4xx answers are replaced by `default: Problem`."""
    document = app.openapi_schema.to_schema()
    _, problem_schemas = msgspec.json.schema_components([Problem], ref_template=_SCHEMAS + "{name}")
    document.setdefault("components", {}).setdefault("schemas", {}).update(problem_schemas)
    document["paths"] = {_camel_case(path): item for path, item in document["paths"].items()}
    for item in document["paths"].values():
        for operation in item.values():
            _describe_errors(operation["responses"])
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "path":
                    parameter["name"] = _camel_case(parameter["name"])
    return document


def _camel_case(text: str) -> str:
    """Names of path parameters are camelCase on the wire like every other name; addresses hold no underscore else."""
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), text)


def _describe_errors(responses: dict[str, Any]) -> None:
    for status in [status for status in responses if status.startswith(("4", "5"))]:
        del responses[status]
    responses["default"] = {
        "description": "A problem",
        "content": {PROBLEM_MEDIA_TYPE: {"schema": {"$ref": _SCHEMAS + "Problem"}}},
    }
