"""A batch that a person adds to a campaign on the page: a dropped file, or pasted rows."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from steelyard.errors import RequestError, SteelyardError
from steelyard.surfaces.web.app_state import Desk
from steelyard.surfaces.web.asking import State, read_state

__all__ = ["ADDS", "add_batch"]

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
    desk: Desk = request.app.state.desk
    state = read_state("campaigns", pairs)
    shelved = desk.shelf.find(state.data)
    try:
        said = await run_in_threadpool(_recorded, desk, state, adds)
    except SteelyardError as error:
        refused = {"refused": shelved.in_words(str(error)), "code": error.code}
        return JSONResponse(refused, status_code=422)
    return JSONResponse({"recorded": said})


def _recorded(desk: Desk, state: State, adds: str) -> str:
    served = desk.campaigns.find(state.viewed.get("campaign", ""))
    if served is None:
        message = "This campaign is not served here. Load the page again."
        raise RequestError(message, code="no-campaign")
    shelved = desk.shelf.find(state.data)
    roles: dict[str, Any] = {**state.arguments, "most_rows": desk.most_rows}
    campaign = served.campaign
    if adds == "correct":
        status = campaign.correct(shelved.data, **roles)
    else:
        choice: Any = adds
        status = campaign.add(shelved.data, repeated=choice, **roles)
    return status.recorded or ""
