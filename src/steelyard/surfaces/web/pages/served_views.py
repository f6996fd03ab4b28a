"""What the pages about campaigns and suites share: words when there is nothing, or no answer."""

from typing import Any, TypeVar

from steelyard.errors import RequestError, SteelyardError
from steelyard.surfaces.web.app_state import AppState
from steelyard.surfaces.web.asking import State

__all__ = ["refuse", "view_of"]

View = TypeVar("View")


def refuse(app_state: AppState, state: State, error: SteelyardError) -> dict[str, Any]:
    """Say what the command line would say."""
    del app_state, state
    return {"refused": str(error), "code": error.code, "understood": ""}


def view_of(found: object, kind: type[View], *, typed: str) -> View:
    """Give what was found, or say what to type so that there is something."""
    if isinstance(found, kind):
        return found
    message = f"There is nothing to take along yet. Type: {typed}"
    raise RequestError(message)
