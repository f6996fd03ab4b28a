"""Answers to take along: as JSON, as CSV, as a picture, as one file to mail."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.responses import Response

from steelyard.errors import RequestError
from steelyard.journey.exploring import Exploration
from steelyard.journey.options import options_of
from steelyard.journey.reporting import report_content
from steelyard.results import Result
from steelyard.surfaces.report import campaign_html, leaderboard_html, report_html
from steelyard.surfaces.web.app_state import AppState
from steelyard.surfaces.web.asking import State, page_options, read_number
from steelyard.surfaces.web.pages.frame import PAGES, begin
from steelyard.surfaces.web.reproduce import as_command
from steelyard.surfaces.web.uploads import rename

__all__ = ["download"]


def download(app_state: AppState, state: State, name: str) -> Response:
    """Write a file; its name is one of a closed list."""
    if name not in WRITERS:
        raise HTTPException(404)
    write, kind = WRITERS[name]
    content = write(app_state, state)
    file = name.replace("result", state.page)
    return Response(
        content,
        media_type=kind,
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{quote(file)}"},
    )


def _result(app_state: AppState, state: State) -> Result:
    job = begin(app_state, state)
    if job is None:
        message = "There is nothing to take along yet. Choose a file, or type numbers."
        raise RequestError(message)
    found: Any = job.future.result()
    result = (
        found.evaluation if isinstance(found, Exploration) else PAGES[state.page].result_of(found)
    )
    taken: Result = rename(result, app_state.uploads.find(state.data)) if state.data else result
    return taken


def _json(app_state: AppState, state: State) -> str:
    return _result(app_state, state).to_json() + "\n"


def _csv(app_state: AppState, state: State) -> str:
    return _result(app_state, state).to_csv()


def _svg(app_state: AppState, state: State) -> str:
    chart = _result(app_state, state).chart()
    if chart is None:
        message = "There is no picture of this."
        raise RequestError(message)
    return chart.svg()


def _report(app_state: AppState, state: State) -> str:
    """Write the report of a file, as ``steelyard report`` does."""
    if not state.data:
        message = "A report is written about a file of predictions; choose one."
        raise RequestError(message)
    offered = app_state.uploads.find(state.data)
    known = options_of("report", "python")
    here = page_options(state.page)
    asked = {
        name: value
        for name, value in state.arguments.items()
        # Costs of mistakes have the name of the costs of systems, and are of another kind.
        if name in known and known[name].kind == here[name].kind
    }
    arguments = {**asked, **_begin_slider(state)}
    content = report_content(offered.data, **arguments)
    parts = ("evaluation", "comparison")
    named = {name: rename(getattr(content, name), offered) for name in parts}
    command = as_command("report", offered.typed, offered.say(arguments))
    return report_html(replace(content, **named), command=command)


def _begin_slider(state: State) -> dict[str, Any]:
    """Begin the slider of the report at the system and the threshold that the page shows."""
    viewed = state.viewed if state.page == "evaluate" else {}
    at = {"at": read_number("at", [viewed["at"]])} if "at" in viewed else {}
    return at | ({"shown": viewed["shown"]} if "shown" in viewed else {})


def _campaign(app_state: AppState, state: State) -> str:
    """Write the report of a campaign, as ``steelyard campaign report`` does."""
    job = begin(app_state, state) if state.page == "campaigns" else None
    found: Any = None if job is None else job.future.result()
    if found is None:
        message = "A report of a campaign is taken from the page of a campaign."
        raise RequestError(message)
    return campaign_html(found.status, found.history, found.rule)


def _suite(app_state: AppState, state: State) -> str:
    """Write the report of a run, as ``steelyard suite report`` does."""
    job = begin(app_state, state) if state.page == "suites" else None
    found: Any = None if job is None else job.future.result()
    if found is None:
        message = "A report of a suite is taken from the page of a suite."
        raise RequestError(message)
    return leaderboard_html(found.board, run=found.run)


WRITERS: dict[str, tuple[Callable[[AppState, State], str], str]] = {
    "result.json": (_json, "application/json"),
    "result.csv": (_csv, "text/csv"),
    "chart.svg": (_svg, "image/svg+xml"),
    "report.html": (_report, "text/html"),
    "campaign.html": (_campaign, "text/html"),
    "suite.html": (_suite, "text/html"),
}
