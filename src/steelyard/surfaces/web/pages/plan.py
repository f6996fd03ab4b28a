"""Plan: how many samples a question takes, with every number of it under a slider."""

from collections.abc import Mapping
from typing import Any

from starlette.datastructures import QueryParams

from steelyard.display.figures import Chart
from steelyard.display.numbers import show_count, show_number
from steelyard.errors import SteelyardError
from steelyard.journey import plan
from steelyard.journey.options import Option, options_of
from steelyard.results import Acceptance, Plan
from steelyard.surfaces.report.page import Tile
from steelyard.surfaces.web.app_state import AppState
from steelyard.surfaces.web.asking import State, dials, read_state
from steelyard.surfaces.web.jobs import Progress
from steelyard.surfaces.web.pages.served_views import refuse
from steelyard.surfaces.web.pages.templating import chart_data, render
from steelyard.surfaces.web.reproduce import as_command, as_python

__all__ = ["asks_something", "controls", "find", "refuse", "show"]

SUPPOSED = {"A": 0.9, "B": 0.88, "C": 0.86}
QUESTIONS = {
    "best": "Which is the best?",
    "ranking": "What is their whole order?",
    "pair": "Are two of them different?",
    "width": "How wide is the interval of one rate?",
    "select": "Pick the best, whatever the rates",
    "accept": "Does one meet a limit? Accept or reject",
}


def controls(app_state: AppState, query: QueryParams) -> dict[str, Any]:
    """Fill the controls from the link; a link that cannot be read starts afresh."""
    del app_state
    try:
        given = dict(read_state("plan", query.multi_items()).arguments)
    except SteelyardError:
        given = {}
    rates = given.get("rates", SUPPOSED)
    if isinstance(rates, list):
        rates = {chr(ord("A") + place): rate for place, rate in enumerate(rates[:26])}
    needs = {name: [row.name for row in dials("plan") if _needs(row, name)] for name in QUESTIONS}
    return {
        "rates": rates,
        "given": given,
        "questions": list(QUESTIONS.items()),
        "needs": needs,
        "dials": dials("plan"),
        "dialled": {name for names in needs.values() for name in names},
    }


def _needs(row: Option, question: str) -> bool:
    """Tell whether a question can be told this; the other controls are put away."""
    shown_for = row.page.questions if row.page else ()
    always = set(QUESTIONS) <= set(row.questions)
    return not always and question in (shown_for or row.questions)


def asks_something(state: State) -> bool:
    """Tell whether rates were given, and the limit that is to be kept."""
    limited = state.arguments.get("question") != "accept" or "claim" in state.arguments
    return "rates" in state.arguments and limited


def find(app_state: AppState, state: State, progress: Progress) -> Plan | Acceptance:
    """Call the journey."""
    del app_state
    progress.what = "Computing the plan"
    made: Plan | Acceptance = plan(**dict(state.arguments))
    return made


def show(app_state: AppState, state: State, found: Any, width: int) -> dict[str, Any]:  # noqa: ANN401
    """Write the answer: the number first, then what other numbers buy."""
    del app_state
    if not isinstance(found, Plan | Acceptance):
        return {"html": "", "understood": "", "charts": []}
    charts: dict[str, Chart] = {name: draw() for name, draw in found.charts().items()}
    html = render(
        "plan_answer.html",
        result=found,
        tables=found.tables(),
        tiles=_tiles(found) if isinstance(found, Plan) else _accepting(found),
        pictures=list(charts.items()),
    )
    return {
        "html": html,
        "understood": "",
        "charts": [chart_data(name, chart, width) for name, chart in charts.items()],
        "slider": None,
        "command": _command(state.arguments),
        "python": as_python("plan", None, state.arguments),
    }


def _command(arguments: Mapping[str, Any]) -> str:
    """Write what to type: the question is the command, and takes what it looks at."""
    question = str(arguments.get("question", "best"))
    known = options_of("plan", "cli", question=question)
    typed = {name: value for name, value in arguments.items() if name in known}
    return as_command("plan", (question,), typed)


def _accepting(found: Acceptance) -> list[Tile]:
    fixed = found.way("fixed size")
    if fixed is None:
        return []
    unit = f"{found.unit or 'trial'}s".capitalize()
    failures = "Events" if found.unit else "Failures"
    most = show_count(int(fixed.most)) if found.unit is None else show_number(fixed.most)
    return [
        Tile(name=unit, value=most, note="in a test of fixed size"),
        Tile(name=failures, value=show_count(fixed.failures), note="at most, to accept"),
    ]


def _tiles(found: Plan) -> list[Tile]:
    each = "for each system" if found.design == "independent" else "common to all systems"
    if found.samples is None:
        return []
    tiles = [Tile(name="Items", value=show_count(found.samples), note=each)]
    spent = next((one.cost for one in found.steps if one.samples == found.samples), None)
    if spent is not None:
        tiles.append(Tile(name="Cost", value=show_number(spent), note="of all these items"))
    if found.next_point is not None:
        note = "for one more point of confidence"
        tiles.append(Tile(name="Further items", value=show_count(found.next_point), note=note))
    return tiles
