"""Pages of one question each about a file: calibration, targeting, agreement, gate."""

from collections.abc import Callable, Mapping
from typing import Any

from starlette.datastructures import QueryParams

from steelyard.errors import RequestError, SteelyardError, printable
from steelyard.journey import agreement, calibration, gate, targeting
from steelyard.journey.exploring import open_within
from steelyard.results import Result
from steelyard.surfaces.web.app_state import AppState
from steelyard.surfaces.web.asking import State, dials, page_options
from steelyard.surfaces.web.jobs import Progress
from steelyard.surfaces.web.pages.file_panel import file_controls, refuse_file, understand_html
from steelyard.surfaces.web.pages.templating import chart_data, render
from steelyard.surfaces.web.reproduce import as_command, as_python, write_value
from steelyard.surfaces.web.uploads import rename

__all__ = ["asks_something", "controls", "find", "refuse", "show"]

VERBS: Mapping[str, Callable[..., Result]] = {
    "calibration": calibration,
    "targeting": targeting,
    "agreement": agreement,
    "gate": gate,
}
LISTED = ("net_benefit", "order")
"""Lists that are typed into one field, with commas."""
WEIGHTS = ("unweighted", "linear", "quadratic")
MOST_CHARTS = 6


def controls(app_state: AppState, query: QueryParams, verb: str) -> dict[str, Any]:
    """Fill the controls from the link."""
    shown = dials(verb)
    given = {
        row.name: "\n".join(query.getlist(row.name))
        if row.kind == "each"
        else query.get(row.name, "")
        for row in shown
    }
    return {**file_controls(app_state, query, verb), "given": given, "dials": shown}


def asks_something(state: State) -> bool:
    """Tell whether there is a file; a gate also needs to know what is required."""
    required = state.page != "gate" or {"require", "claim"} & set(state.arguments)
    return bool(state.data and required)


def find(app_state: AppState, state: State, progress: Progress) -> Result:
    """Call the journey."""
    offered = app_state.uploads.find(state.data)
    roles, asked = _roles(state), _gather_question(state)
    if state.page == "agreement":  # raters may have no truth among them, so that it opens rows
        return agreement(offered.data, **asked, **roles)
    rows = open_within(
        offered.data,
        app_state.most_rows,
        observe=progress,
        exposure=asked.get("exposure"),
        **roles,
    )
    if "baseline" in asked:
        _check_system(asked["baseline"], [one.name for one in rows.systems])
    return VERBS[state.page](rows, **asked)


def _check_system(name: str, known: list[str]) -> None:
    """Take the baseline from this file alone: in Python the word may also name another one."""
    if name not in known:
        raise RequestError.for_choice(name="baseline", given=name, choices=known)


def _roles(state: State) -> dict[str, Any]:
    known = page_options(state.page)
    return {name: one for name, one in state.arguments.items() if known[name].role}


def _gather_question(state: State) -> dict[str, Any]:
    known = page_options(state.page)
    asked = {name: one for name, one in state.arguments.items() if not known[name].role}
    for name in set(LISTED) & set(asked):
        asked[name] = [part.strip() for one in asked[name] for part in one.split(",")]
    if asked.get("weights", WEIGHTS[0]) not in WEIGHTS:
        raise RequestError.for_choice(
            name="weights", given=printable(asked["weights"]), choices=WEIGHTS
        )
    return asked


def show(app_state: AppState, state: State, found: Any, width: int) -> dict[str, Any]:  # noqa: ANN401
    """Write the answer: the headline, the sentence, tables and pictures."""
    if not isinstance(found, Result):
        understood = understand_html(app_state, state, None) if state.data else ""
        return {"html": "", "understood": understood, "charts": []}
    offered = app_state.uploads.find(state.data)
    result = rename(found, offered)
    drawn = list(result.charts().items())[:MOST_CHARTS]
    charts = [(name, draw()) for name, draw in drawn]
    said = offered.say({**_roles(state), **_gather_question(state)})
    html = render(
        "question_answer.html", title=offered.name, result=result, tables=result.tables(),
        pictures=charts,
    )  # fmt: skip
    return {
        "html": html,
        "understood": understand_html(app_state, state, getattr(result, "provenance", None)),
        "charts": [chart_data(name, chart, width) for name, chart in charts],
        "slider": None,
        "command": as_command(state.page, offered.typed, _write_lists(said)),  # type: ignore[arg-type]
        "python": as_python(state.page, offered.python(), said),
    }


def _write_lists(said: Mapping[str, Any]) -> dict[str, Any]:
    """Write lists of one text as that text, which may hold commas of its own."""
    return {
        name: one[0]
        if isinstance(one, list) and len(one) == 1
        else write_value(name, one)
        if isinstance(one, float)
        else one
        for name, one in said.items()
    }


def refuse(app_state: AppState, state: State, error: SteelyardError) -> dict[str, Any]:
    """Say what the command line would say."""
    return refuse_file(app_state, state, error)
