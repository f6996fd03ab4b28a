"""The OpenAPI document of what machines can ask, made from the list of operations."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from steelyard._version import __version__
from steelyard.results.reading import schema_of

if TYPE_CHECKING:
    from steelyard.surfaces.web.campaign_api import Operation

__all__ = ["openapi_document"]

TEXT = {"type": "string"}
RECORD = {
    "type": "object",
    "required": ["item", "system", "right"],
    "additionalProperties": False,
    "properties": {
        "item": {"type": ["string", "integer"], "description": "Id of the item."},
        "system": {**TEXT, "description": "A system that the protocol names."},
        "right": {"enum": [True, False, 0, 1], "description": "Was the system right?"},
    },
}
BATCH = {
    "type": "object",
    "required": ["results"],
    "additionalProperties": False,
    "properties": {
        "results": {
            "type": "array",
            "minItems": 1,
            "items": {"$ref": "#/components/schemas/Record"},
        },
        "key": {**TEXT, "description": "Instead of the header Idempotency-Key."},
        "repeated": {
            "enum": ["error", "skip"],
            "default": "error",
            "description": "What to do with results that are in the ledger already.",
        },
    },
}
RECORDED = {
    "type": "object",
    "required": ["sentence", "recorded", "go_on", "winner", "items", "entries", "head_hash"],
    "properties": {
        "sentence": {**TEXT, "description": "Go on or stop, and why."},
        "recorded": {**TEXT, "description": "What was recorded, or that it was there already."},
        "go_on": {"type": "boolean"},
        "winner": {"type": ["string", "null"]},
        "items": {"type": "integer", "description": "Items that count towards the decision."},
        "entries": {"type": "integer"},
        "head_hash": {**TEXT, "description": "Hash of the last entry, to note down."},
    },
}
REFUSED = {
    "type": "object",
    "required": ["refused"],
    "properties": {
        "refused": {**TEXT, "description": "What was found, what was expected, what to do next."},
        "code": {**TEXT, "description": "Stable; may be tested against."},
        "status": {"type": "integer"},
    },
}
NAME: dict[str, Any] = {
    "name": "name",
    "in": "path",
    "required": True,
    "schema": TEXT,
    "description": "Name under which the campaign is served.",
}
KEY: dict[str, Any] = {
    "name": "Idempotency-Key",
    "in": "header",
    "schema": TEXT,
    "description": "Key of this batch. The hash of its content unless given.",
}


def openapi_document(operations: "Sequence[Operation]") -> dict[str, Any]:
    """Describe the operations (OpenAPI 3.1)."""
    paths: dict[str, Any] = {}
    schemas: dict[str, Any] = {
        "Record": RECORD,
        "Batch": BATCH,
        "Recorded": RECORDED,
        "Refusal": REFUSED,
    }
    for one in operations:
        paths.setdefault(one.path, {})[one.method.lower()] = _describe(one)
        if one.kind is not None:
            schemas |= _schemas(one.kind)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Steelyard campaigns",
            "version": __version__,
            "description": "Report test results as they come, and hear whether to go on.",
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "steelyard serve --issue-token campaign:NAME",
                }
            },
            "schemas": schemas,
        },
    }


def _describe(one: "Operation") -> dict[str, Any]:
    described: dict[str, Any] = {"operationId": one.name, "summary": one.summary}
    parameters = [NAME] if "{name}" in one.path else []
    if one.method == "POST":
        parameters = [*parameters, KEY]
        body = {"schema": {"$ref": "#/components/schemas/Batch"}}
        described["requestBody"] = {"required": True, "content": {"application/json": body}}
    if parameters:
        described["parameters"] = parameters
    refused = {
        str(code): {"description": words, **_json({"$ref": "#/components/schemas/Refusal"})}
        for code, words in sorted(one.refusals.items())
    }
    described["responses"] = {"200": {"description": one.summary, **_json(_answer(one))}} | refused
    return described


def _answer(one: "Operation") -> dict[str, Any]:
    if one.kind is not None:
        result = {"$ref": f"#/components/schemas/{one.kind}"}
        properties = {"sentence": TEXT, "result": result}
        return {"type": "object", "required": ["sentence", "result"], "properties": properties}
    if one.method == "POST":
        return {"$ref": "#/components/schemas/Recorded"}
    return {"type": "object"}


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema}}}


def _schemas(kind: str) -> dict[str, Any]:
    """Take the published schema of a result apart, as OpenAPI keeps schemas in one place."""
    text = json.dumps(schema_of(kind)).replace('"#/$defs/', '"#/components/schemas/')
    whole: dict[str, Any] = json.loads(text)
    whole.pop("$schema")
    return {kind: whole, **whole.pop("$defs")}
