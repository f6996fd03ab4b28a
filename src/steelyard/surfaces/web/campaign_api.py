"""Campaigns over HTTP: a test rig reports results with a token of its own, a person adds a file.

Every route of a rig stands in ``OPERATIONS``; from it come both the routes and the OpenAPI
document.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from steelyard._version import __version__
from steelyard.errors import FileUnreadable, RequestError, SteelyardError, printable
from steelyard.results.reading import schema_of
from steelyard.surfaces.web.app_state import AppState
from steelyard.surfaces.web.asking import State, read_state
from steelyard.surfaces.web.door.guard import Refusal
from steelyard.surfaces.web.served import ServedCampaign, ServedCampaigns

if TYPE_CHECKING:
    from steelyard.results import Result
    from steelyard.results.campaign.data import CampaignStatus

__all__ = [
    "ADDS",
    "KEY_HEADER",
    "MOST_BATCH",
    "OPERATIONS",
    "START",
    "Operation",
    "add_batch",
    "campaign_routes",
    "openapi_document",
    "refusal_state",
]

# Campaigns over HTTP: a test rig reports results with a token of its own, a person adds a file


START = "/api/campaigns/"
KEY_HEADER = "Idempotency-Key"
MOST_BATCH = 16 << 20
"""Bytes of one batch; some 200,000 results."""
FIELDS = {"results", "key", "repeated"}
STATES = {"key-reused": 409, "busy": 503, "unreachable": 503, "disk-full": 507, "read-only": 503}
"""Refusals that are not the fault of what was sent, or not of it alone; others are 422."""
EXAMPLE = '{"results": [{"item": "7", "system": "cnn", "right": true}], "key": "rig-3-0001"}'

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing that can be asked: its address, what it does, and the kind of its answer."""

    name: str
    method: str
    path: str
    summary: str
    endpoint: Endpoint
    kind: str | None = None
    refusals: Mapping[int, str]


async def _report(request: Request) -> Response:
    """Record a batch of results, whole or not at all."""
    served = _find_served(request)
    given = _batch(await request.body())
    key = _key(request.headers.get(KEY_HEADER), given.get("key"))
    status: CampaignStatus = await run_in_threadpool(
        served.campaign.report,
        given["results"],
        key=key,
        repeated=given.get("repeated", "error"),
    )
    return JSONResponse(
        {
            "sentence": status.sentence(),
            "recorded": status.recorded,
            "go_on": status.stop is None,
            "winner": None if status.stop is None else status.stop.winner,
            "items": status.items,
            "entries": status.entries,
            "head_hash": status.head_hash,
        }
    )


async def _status(request: Request) -> Response:
    return _respond(await run_in_threadpool(_find_served(request).status))


async def _history(request: Request) -> Response:
    return _respond(await run_in_threadpool(_find_served(request).campaign.history))


async def _next(request: Request) -> Response:
    return _respond(await run_in_threadpool(_find_served(request).campaign.next))


async def _describe(request: Request) -> Response:

    del request
    return JSONResponse(await run_in_threadpool(openapi_document, OPERATIONS))


def _respond(result: "Result") -> Response:
    return JSONResponse({"sentence": result.sentence(), "result": result.to_dict()})


def _find_served(request: Request) -> ServedCampaign:
    book: ServedCampaigns = request.app.state.app_state.campaigns
    name = request.path_params["name"]
    found = book.find(name)
    if found is None:
        message = (
            f"No campaign {printable(name)!r} is served here. Start with: steelyard serve "
            "--campaign NAME=LEDGER"
        )
        raise Refusal(404, message)
    return found


def _batch(body: bytes) -> dict[str, Any]:
    """Read a body; what is not understood is never guessed."""
    try:
        given = json.loads(body, object_pairs_hook=_once)
    except FileUnreadable:
        raise
    except (ValueError, RecursionError):
        message = f"The body is not JSON. Expected: {EXAMPLE}"
        raise Refusal(400, message) from None
    if not isinstance(given, dict) or not isinstance(given.get("results"), list):
        message = f"The body has no list of results. Expected: {EXAMPLE}"
        raise RequestError(message, code="record")
    strange = sorted(set(given) - FIELDS)
    if strange:
        message = (
            f"The body holds {printable(strange[0])!r}, which is not known. Expected: {EXAMPLE}"
        )
        raise RequestError(message, code="record")
    repeated = given.get("repeated", "error")
    if repeated not in ("error", "skip"):
        raise RequestError.for_choice(name="repeated", given=repeated, choices=("error", "skip"))
    return given


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object that says one thing twice, in the words that files of JSON meet."""
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            where = "The body"
            raise FileUnreadable.for_repeated_key(where, key)
        seen[key] = value
    return seen


def _key(header: str | None, inside: object) -> str | None:
    """Take the key of the batch from the header or from the body; both must agree."""
    if inside is not None and not isinstance(inside, str):
        message = f"The key of the batch is {printable(inside)}; expected a text."
        raise RequestError(message, code="key")
    if header is not None and inside is not None and header != inside:
        message = (
            f"The header {KEY_HEADER} says {printable(header)!r}, the body "
            f"{printable(inside)!r}. Give one key."
        )
        raise RequestError(message, code="key")
    return header if header is not None else inside


def refusal_state(error: SteelyardError) -> int:
    """Find the status code of a refusal.

    >>> from steelyard.errors import LedgerError
    >>> refusal_state(LedgerError("The key was used.", code="key-reused"))
    409
    """
    return STATES.get(error.code, 422)


DOOR = {401: "No token, or one that was revoked.", 403: "The token is for another campaign."}
THERE = {
    **DOOR,
    404: "No such campaign is served.",
    503: "The database is busy or away; try again.",
}
OPERATIONS: tuple[Operation, ...] = (
    Operation(
        name="reportResults",
        method="POST",
        path=f"{START}{{name}}/results",
        summary="Record a batch of results, whole or not at all; sent twice it counts once.",
        endpoint=_report,
        refusals={
            400: "The body is not JSON.",
            **THERE,
            409: "The key was used for another batch.",
            413: "The batch is too large; send smaller ones.",
            422: "The batch is refused, in the words of the command line; nothing was recorded.",
            507: "The disk is full; nothing was recorded.",
        },
    ),
    Operation(
        name="getStatus",
        method="GET",
        path=f"{START}{{name}}/status",
        summary="Go on or stop, and why.",
        endpoint=_status,
        kind="campaign",
        refusals=THERE,
    ),
    Operation(
        name="getHistory",
        method="GET",
        path=f"{START}{{name}}/history",
        summary="Every entry of the ledger in its order.",
        endpoint=_history,
        kind="campaign-history",
        refusals=THERE,
    ),
    Operation(
        name="getNext",
        method="GET",
        path=f"{START}{{name}}/next",
        summary="What to test next: which systems, and which items wait for whom.",
        endpoint=_next,
        kind="campaign-next",
        refusals=THERE,
    ),
    Operation(
        name="getDescription",
        method="GET",
        path="/api/openapi.json",
        summary="This document. The owner's token opens it, or a browser that was let in.",
        endpoint=_describe,
        refusals=DOOR,
    ),
)


def campaign_routes() -> list[BaseRoute]:
    """Give the routes of all operations."""
    return [Route(one.path, one.endpoint, methods=[one.method]) for one in OPERATIONS]


ADDS = ("error", "skip", "correct")
"""What to do with results that are in the ledger already."""


async def add_batch(request: Request) -> Response:
    """Record a file that was uploaded before, and say what was recorded."""
    try:
        given = await request.json()
        pairs = [(str(name), str(value)) for name, value in given["state"]]
        adds = str(given.get("adds", "error"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        message = "This request was not understood."
        raise RequestError(message) from None
    if adds not in ADDS:
        raise RequestError.for_choice(name="adds", given=adds, choices=ADDS)
    app_state: AppState = request.app.state.app_state
    state = app_state.with_truth(read_state("campaigns", pairs))
    offered = app_state.uploads.find(state.data)
    try:
        said = await run_in_threadpool(_record_file, app_state, state, adds)
    except SteelyardError as error:
        refused = {"refused": offered.in_words(str(error)), "code": error.code}
        return JSONResponse(refused, status_code=422)
    return JSONResponse({"recorded": said})


def _record_file(app_state: AppState, state: State, adds: str) -> str:
    served = app_state.campaigns.find(state.viewed.get("campaign", ""))
    if served is None:
        message = "This campaign is not served here. Load the page again."
        raise RequestError(message, code="no-campaign")
    offered = app_state.uploads.find(state.data)
    roles: dict[str, Any] = {**state.arguments, "most_rows": app_state.most_rows}
    campaign = served.campaign
    if adds == "correct":
        status = campaign.correct(offered.data, **roles)
    else:
        choice: Any = adds
        status = campaign.add(offered.data, repeated=choice, **roles)
    return status.recorded or ""


# --- the OpenAPI document of what machines can ask, made from the list of operations -------------


TEXT = {"type": "string"}
RECORD = {
    "type": "object",
    "required": ["item", "system"],
    "oneOf": [{"required": ["right"]}, {"required": ["value"]}],
    "additionalProperties": False,
    "properties": {
        "item": {"type": ["string", "integer"], "description": "Id of the item."},
        "system": {**TEXT, "description": "A system that the protocol names."},
        "right": {"enum": [True, False, 0, 1], "description": "Was the system right?"},
        "value": {"type": "number", "description": "Its number, where the rule is about such."},
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
        paths.setdefault(one.path, {})[one.method.lower()] = _openapi_describe(one)
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


def _openapi_describe(one: "Operation") -> dict[str, Any]:
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
