"""Compare: who is better and how sure that is, with the prior, the margin and the level at hand."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from steelyard.counts import Outcomes, RoundedTrials, Trials
from steelyard.display.figures import Chart, posterior_chart
from steelyard.display.figures.labels import labels
from steelyard.display.tables import Column, Table
from steelyard.display.text import show_name
from steelyard.errors import PublishedTable, RequestError, SteelyardError, once, printable
from steelyard.journey import compare
from steelyard.journey.comparison.items import EVERYBODY, NOBODY, item_answers
from steelyard.journey.comparison.posterior_curves import posterior_densities
from steelyard.journey.exploring import open_within
from steelyard.results import Comparison, DatasetComparison, Result, ValueComparison
from steelyard.results.comparison.words import find_standing, rank_systems
from steelyard.sources import Predictions, is_reader_study
from steelyard.surfaces.report import comparison_tiles
from steelyard.surfaces.web.app_state import AppState
from steelyard.surfaces.web.asking import TYPED, State, dials, page_options
from steelyard.surfaces.web.jobs import Progress
from steelyard.surfaces.web.pages.file_panel import file_controls, refuse_file, understand_html
from steelyard.surfaces.web.pages.templating import chart_data, render
from steelyard.surfaces.web.reproduce import as_command, as_python, write_value
from steelyard.surfaces.web.uploads import rename

__all__ = ["Compared", "asks_something", "controls", "find", "refuse", "result_of", "show"]

MOST_LISTED = 300
"""Items that are listed; of more those come first that tell systems apart."""
MOST_READ = 20_000
"""Rows up to which a page looks for them."""

MOST_CURVES = 8
MOST_MATRIX = 12
OF_FILES = {"reader", "layout", "certainty", "accuracy", "tested"}
"""What is asked of a file as it is, not of the rows of a table of answers."""
LEAST = 0.01
"""The least rate that the page of a plan has a slider for."""


def controls(app_state: AppState, query: QueryParams) -> dict[str, Any]:
    """Fill the controls from the link, and from the settings beside its file."""
    saved = _settings(app_state, query)
    shown = dials("compare")
    given = {
        name: query.get(name, "") or saved.get(name, "")
        for name in (*(row.name for row in shown), *TYPED)
    }
    return {**file_controls(app_state, query, "compare"), "given": given, "dials": shown}


def asks() -> set[str]:
    """Name what is asked of the data; the rest of a state is about its columns."""
    return {row.name for row in page_options("compare").values() if not row.role}


def _settings(app_state: AppState, query: QueryParams) -> dict[str, str]:
    viewed = {"data": query.get("data", "")}
    try:
        found = app_state.settle(State(page="compare", arguments={}, viewed=viewed)).arguments
    except SteelyardError:
        return {}  # the answer says what is wrong
    return {name: write_value(name, one) for name, one in found.items() if name in asks()}


def asks_something(state: State) -> bool:
    """Tell whether there is a file, or counts, to answer from."""
    return bool(state.data or state.viewed.get("correct") or state.viewed.get("paired"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The answer, and the items behind it where there are answers to list."""

    result: Result
    items: Table | None = None


def result_of(found: Compared) -> Result:
    """Give the answer alone."""
    return found.result


def find(app_state: AppState, state: State, progress: Progress) -> Compared:
    """Call the journey."""
    if not state.data:
        return Compared(result=compare(_typed(state), **_only_asks(state)))
    offered = app_state.uploads.find(state.data)
    roles = {name: one for name, one in state.arguments.items() if name not in asks()}
    asked = {**_only_asks(state), **_about_board(state)}
    if asked.keys() & OF_FILES or is_reader_study(offered.data):
        # These read the file in ways of their own.
        return Compared(result=compare(offered.data, **roles, **asked))
    try:
        rows = open_within(offered.data, app_state.most_rows, observe=progress, **roles)
    except PublishedTable:
        return Compared(result=compare(offered.data, **roles, **asked))
    if "cost" in asked or (rows.values is not None and len(rows.systems) == 1):
        # Columns that are no system's are looked at again: those of costs, or of systems' names.
        return Compared(result=compare(offered.data, **roles, **asked))
    return Compared(result=compare(rows, **asked), items=_items(rows))


def _items(rows: Predictions) -> Table | None:
    """List the items: those first that only some systems had right."""
    if rows.rows > MOST_READ or rows.values is not None or not rows.with_answers():
        return None
    if rows.weighted or rows.crossed:
        return None
    found = item_answers(rows)
    who = found.columns.index("who was right")
    apart = [row for row in found.rows if row[who] not in (NOBODY, EVERYBODY)]
    rest = [row for row in found.rows if row[who] in (NOBODY, EVERYBODY)]
    shown = [place for place, name in enumerate(found.columns) if name not in found.marks]
    columns = tuple(Column(name=found.columns[place]) for place in shown)
    chosen = [*apart, *rest][:MOST_LISTED]
    many = f"{len(apart):,} of {len(found.rows):,} items tell systems apart"
    more = ""
    if len(chosen) < len(apart):
        more = f"; {len(chosen):,} of them are listed"
    elif len(chosen) < len(found.rows):
        more = f"; they come first among the {len(chosen):,} listed"
    return Table(
        title="Which items",
        columns=columns,
        rows=tuple(
            tuple(None if row[place] is None else str(row[place]) for place in shown)
            for row in chosen
        ),
        note=f"{many}{more}.",
    )


def show(app_state: AppState, state: State, found: Any, width: int) -> dict[str, Any]:  # noqa: ANN401
    """Write the answer: the verdict, the systems, the pairs, the posterior."""
    if not isinstance(found, Compared):
        return {"html": "", "understood": "", "charts": []}
    title, understood, result = "Typed counts", "", found.result
    if state.data:
        offered = app_state.uploads.find(state.data)
        result = rename(found.result, offered)
        title = offered.name
        understood = understand_html(app_state, state, result.provenance)
    charts = _charts(result)
    html = render(
        "compare_answer.html",
        title=title,
        result=result,
        tables=result.tables(),
        tiles=comparison_tiles(result) if isinstance(result, Comparison) else [],
        methods=result.methods() if isinstance(result, DatasetComparison) else "",
        plan=_plan_link(result) if isinstance(result, Comparison) else None,
        items=found.items,
        pictures=list(charts.items()),
    )
    return {
        "html": html,
        "understood": understood,
        "charts": [chart_data(name, chart, width) for name, chart in charts.items()],
        "slider": None,
        "hidden": _hide(result),
        **_say(app_state, state),
    }


def _hide(result: Result) -> list[str]:
    """Name the controls that have no part in the answer."""
    if isinstance(result, DatasetComparison):
        return ["prior", "level", "cost"]
    hidden = [] if isinstance(result, ValueComparison) else ["cost"]
    return hidden + ["prior"] * (getattr(result, "pairing", "common") == "common")


def _plan_link(result: Comparison) -> dict[str, str] | None:
    """Lead from the closest open pair to a plan that supposes its rates."""
    ranked = rank_systems(result)
    first = ranked[0]
    found = find_standing(result, ranked).undecided if len(ranked) > 1 else ()
    second = next((one for one in ranked if one.system in found), None)
    rates = [one.rate.value for one in (first, second) if one is not None]
    usable = len(rates) == 2 and all(rate is not None and LEAST <= rate < 1 for rate in rates)
    if result.measure != "accuracy" or second is None or not usable:
        return None
    names = [show_name(one.system).replace(",", " ").replace("=", " ") for one in (first, second)]
    said = {
        "question": "pair",
        "rates": ",".join(f"{name}={rate:.3f}" for name, rate in zip(names, rates, strict=True)),
    }
    both = {first.system, second.system}
    pair = next(one for one in result.pairs if {one.first, one.second} == both)
    if pair.table is not None:
        apart = pair.table.discordant / pair.table.total
        said |= {"design": "paired", "discordance": f"{apart:.3f}"}
    return {
        "path": f"/plan?{urlencode(said)}",
        "words": "Plan a test of {} and {}".format(*labels(names).values()),
    }


def refuse(app_state: AppState, state: State, error: SteelyardError) -> dict[str, Any]:
    """Say what the command line would say."""
    return refuse_file(app_state, state, error)


def _charts(result: Result) -> dict[str, Chart]:
    known = result.charts()
    if not isinstance(result, Comparison):
        return {name: draw() for name, draw in known.items()}
    densities = posterior_densities(result)
    leading = [one.system for one in rank_systems(result) if one.system in densities][:MOST_CURVES]
    posterior = posterior_chart({name: densities[name] for name in leading})
    posterior = posterior.showing(len(leading), len(densities), "systems")
    drawn = {"posterior": posterior} if leading else {}
    several = len(result.systems) > 2
    kinds = ["best", "front", "differences", *(["ranks"] if several else [])]
    if several and len(result.systems) <= MOST_MATRIX:
        kinds.append("matrix")
    return drawn | {kind: known[kind]() for kind in kinds if kind in known}


def _say(app_state: AppState, state: State) -> dict[str, str]:
    if state.data:
        offered = app_state.uploads.find(state.data)
        said = offered.say({**state.arguments, **_about_board(state)})
        return {
            "command": as_command("compare", offered.typed, said),
            "python": as_python("compare", offered.python(), said),
        }
    given = {
        name: _typed_values(name, state.viewed[name])
        for name in ("correct", "tested", "paired")
        if name in state.viewed
    }
    made, asks = _write_typed(given), _only_asks(state)
    code = as_python("compare", None, asks).replace("sy.compare(", f"sy.compare({made}, ", 1)
    if "sy.RoundedTrials" in made:
        code = code.replace("sy.RoundedTrials", "RoundedTrials", 1)
        code = code.replace("\n", "\nfrom steelyard.counts import RoundedTrials\n", 1)
    typed = given if "paired" in given else {**given, "pairing": "independent"}
    return {
        "command": as_command("compare", (), {**typed, **asks}),
        "python": code.replace(", )", ")"),
    }


def _write_typed(given: dict[str, Any]) -> str:
    """Write how Python makes the counts that were typed."""
    if "paired" in given:
        code = as_python("Outcomes.from_cells", given["paired"], {})
    elif _are_shares(given["correct"]):
        more = {"tested": given["tested"], "pairing": "independent"}
        code = as_python("RoundedTrials.of", given["correct"], more)
    else:
        code = as_python("Trials", None, {**given, "pairing": "independent"})
    return code.split("result = ")[1].split("\n")[0]


def _only_asks(state: State) -> dict[str, Any]:
    """Leave out what is said about columns: counts have none."""
    return {name: value for name, value in state.arguments.items() if name in asks()}


def _about_board(state: State) -> dict[str, Any]:
    """Give what is said of a table of published results."""
    said = {name: state.viewed[name] for name in ("accuracy", "tested") if name in state.viewed}
    return {name: _typed_values(name, text) if name == "tested" else text
            for name, text in said.items()}  # fmt: skip


def _typed(state: State) -> Trials | RoundedTrials | Outcomes:
    """Read counts or shares that were typed, as the command line takes them."""
    if "paired" in state.viewed:
        return Outcomes.from_cells(_typed_values("paired", state.viewed["paired"]))
    correct = _typed_values("correct", state.viewed.get("correct", ""))
    tested = _typed_values("tested", state.viewed.get("tested", ""))
    if not isinstance(correct, dict) or tested is None:
        message = "Give both: right answers such as S=190,T=194, and items tested such as 200."
        raise RequestError(message)
    if _are_shares(correct):
        return RoundedTrials.of(correct, tested=tested, pairing="independent")
    return Trials(correct=correct, tested=tested, pairing="independent")


def _are_shares(correct: Any) -> bool:  # noqa: ANN401
    return isinstance(correct, dict) and any(isinstance(one, str) for one in correct.values())


def _typed_values(name: str, text: str) -> Any:  # noqa: ANN401
    """Read whole numbers; of right answers also shares, which stay as they were rounded."""
    if not text:
        return None
    try:
        if "=" not in text:
            return int(text)
        pairs = [part.rpartition("=") for part in text.split(",")]
        named = once(text, ((system.strip(), number.strip()) for system, _, number in pairs))
        if name == "correct" and any(mark in text for mark in "%."):
            return named
        return {system: int(number) for system, number in named.items()}
    except RequestError:
        raise
    except ValueError:
        message = f"{name}={printable(text)!r} is not a list such as S=190,T=194 of whole numbers."
        raise RequestError(message) from None
