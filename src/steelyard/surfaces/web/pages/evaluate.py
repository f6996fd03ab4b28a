"""Evaluate: what was understood, how good each system is, and every threshold under a slider."""

from typing import Any

from starlette.datastructures import QueryParams

from steelyard.counts import Confusion
from steelyard.display.figures import Chart, score_histogram
from steelyard.display.numbers import show_count, show_threshold
from steelyard.display.text import clean_text
from steelyard.errors import SteelyardError
from steelyard.journey import evaluate
from steelyard.journey.exploring import Exploration, ExploredScores, ThresholdPoint, explore
from steelyard.journey.options import options_of
from steelyard.journey.roc_curves.drawing import FIRST
from steelyard.results import Evaluation
from steelyard.results.evaluation.tables import confusions_of
from steelyard.results.measured import show_ends, show_value, sort_by_value
from steelyard.surfaces.report import (
    areas_of,
    begin_words,
    corner_roc,
    draw_confusions,
    draw_roc_with_band,
    row_percents,
)
from steelyard.surfaces.web.app_state import AppState
from steelyard.surfaces.web.asking import State, page_options
from steelyard.surfaces.web.jobs import Progress
from steelyard.surfaces.web.pages.file_panel import file_controls, refuse_file, understand_html
from steelyard.surfaces.web.pages.templating import chart_data, render
from steelyard.surfaces.web.reproduce import as_command, as_python, write_value
from steelyard.surfaces.web.uploads import OfferedFile, rename

__all__ = ["asks_something", "controls", "find", "mark", "refuse", "show"]

MOST_CURVES = 8
WISHES = ("sensitivity", "specificity", "false_alarm_rate", "cost", "prevalence")
"""What recipes for a threshold can be told."""
AT = 0.123456789012
"""Stands for the threshold in what to type, until one is chosen."""


def controls(app_state: AppState, query: QueryParams) -> dict[str, Any]:
    """List the files."""
    return {
        **file_controls(app_state, query, "evaluate"),
        "confusion": query.get("confusion", ""),
    }


def asks_something(state: State) -> bool:
    """Tell whether there is a file, or a table of counts, to answer from."""
    return bool(state.data or state.viewed.get("confusion"))


def find(app_state: AppState, state: State, progress: Progress) -> Exploration | Evaluation:
    """Call the journey."""
    if not state.data:
        said = _without_wishes(state)
        classes = said.pop("classes", None)
        return evaluate(Confusion.from_text(state.viewed["confusion"], classes=classes), **said)
    offered = app_state.uploads.find(state.data)
    asked = _without_wishes(state)
    return explore(
        offered.data,
        most_rows=app_state.most_rows,
        wanted=_wishes(state),
        observe=progress,
        shown=state.viewed.get("shown"),
        **asked,
    )


def mark(app_state: AppState, state: State) -> str:
    """Name the system that is looked at, if the answer that is there lacks its thresholds."""
    shown = state.viewed.get("shown", "")
    job = app_state.jobs.find([app_state.key(state), ""]) if shown else None
    if job is None or not job.future.done() or job.future.cancelled() or job.future.exception():
        return ""
    found = job.future.result()
    return shown if isinstance(found, Exploration) and found.lacks(shown) else ""


def _wishes(state: State) -> dict[str, Any]:
    """Give what recipes are told; all else is about the rows."""
    return {name: value for name, value in state.arguments.items() if name in WISHES}


def _without_wishes(state: State) -> dict[str, Any]:
    return {name: value for name, value in state.arguments.items() if name not in WISHES}


def show(app_state: AppState, state: State, found: Any, width: int) -> dict[str, Any]:  # noqa: ANN401
    """Write the answer: words and tables as HTML, pictures and stops of the slider as data."""
    if isinstance(found, Evaluation):
        return _show_counts(state, found, width)
    if not isinstance(found, Exploration):
        return {"html": "", "understood": "", "charts": []}
    offered = app_state.uploads.find(state.data)
    evaluation = rename(found.evaluation, offered)
    shown = _show(found, state)
    charts = {**_curves(found, shown), **_pictures(found)}
    html = render(
        "evaluate_answer.html",
        title=offered.name,
        evaluation=evaluation,
        tables=evaluation.tables(),
        refusals=found.refusals,
        systems=found.scored,
        shown=shown,
        thinning=_thinning(shown),
        methods=[] if shown is None else shown.choice.methods,
        wishes=[page_options("evaluate")[name] for name in WISHES if name != "cost"],
        given=_wishes(state),
        measures=[] if shown is None else _measure_names(shown),
        pictures=[(name, chart) for name, chart in charts.items() if chart is not None],
    )
    return {
        "html": html,
        "understood": understand_html(app_state, state, evaluation.provenance),
        "charts": [
            chart_data(name, chart, width) for name, chart in charts.items() if chart is not None
        ],
        "slider": None
        if shown is None
        else {**_slider(shown, state), **_say_chosen(shown, offered, state)},
        "command": as_command("evaluate", offered.typed, offered.say(_without_wishes(state))),
        "python": as_python("evaluate", offered.python(), offered.say(_without_wishes(state))),
    }


def refuse(app_state: AppState, state: State, error: SteelyardError) -> dict[str, Any]:
    """Say what the command line would say, with the fields of counts where these were typed."""
    refused = refuse_file(app_state, state, error)
    typed = state.viewed.get("confusion") and not state.data
    return {**refused, "understood": _counted(state)} if typed else refused


def _counted(state: State) -> str:
    """Show what can be said of typed counts: their classes, and the positive one."""
    said = state.arguments
    classes = write_value("classes", said.get("classes", ""))
    return render("counted.html", classes=classes, positive=said.get("positive", ""))


def _show_counts(state: State, found: Evaluation, width: int) -> dict[str, Any]:
    """Write the answer from a table of counts, which has no rows to look at."""
    drawn = [(name, draw()) for name, draw in found.charts().items()]
    said = _without_wishes(state)
    typed = {"confusion": state.viewed["confusion"], **said}
    made = {name: one for name, one in typed.items() if name in ("confusion", "classes")}
    rest = {name: one for name, one in said.items() if name != "classes"}
    text = made.pop("confusion")
    counts = as_python("Confusion.from_text", text, made).split("result = ")[1].split("\n")[0]
    code = as_python("evaluate", None, rest).replace("sy.evaluate(", f"sy.evaluate({counts}, ", 1)
    return {
        "html": render(
            "question_answer.html",
            title="Typed counts",
            result=found,
            tables=found.tables(),
            pictures=drawn,
        ),
        "understood": _counted(state),
        "charts": [chart_data(name, chart, width) for name, chart in drawn],
        "slider": None,
        "command": as_command("evaluate", (), typed),
        "python": code.replace(", )", ")"),
    }


def _show(found: Exploration, state: State) -> ExploredScores | None:
    wanted = state.viewed.get("shown")
    known = {one.curve.system: one for one in found.scores}
    return known.get(wanted or "", next(iter(found.scores), None))  # the highest area is first


def _curves(found: Exploration, shown: ExploredScores | None) -> dict[str, Chart | None]:
    if shown is None:
        return {}
    areas = areas_of(found.evaluation)
    others = [one.curve for one in found.scores if one is not shown]
    drawn = [shown.curve, *others[: MOST_CURVES - 1]]
    curve = shown.curve
    return {
        "roc": draw_roc_with_band(drawn, areas, level=found.evaluation.level).showing(
            len(drawn), len(found.scored), "curves", "the highest areas first"
        ),
        "corner": corner_roc(drawn, areas),
        "scores": score_histogram(
            curve.scores,
            {curve.positive: curve.positive_counts, "the rest": curve.negative_counts},
            title=f"Scores of {curve.system}",
        ),
        "thresholds": shown.choice.chart(kind=None if shown.cheapest is None else "cost"),
    }


def _pictures(found: Exploration) -> dict[str, Chart | None]:
    systems = found.evaluation.systems
    order = sort_by_value([one.accuracy for one in systems])
    confusions = [confusions_of(systems[place]) for place in order]
    drawn = draw_confusions([draw for draw in confusions if draw is not None])
    sliced = found.evaluation.charts().get("slices")
    return {
        "systems": found.evaluation.chart(),
        **{f"confusions-{place}": chart for place, chart in enumerate(drawn, 1)},
        "slices": None if sliced is None else sliced(),
    }


def _thinning(shown: ExploredScores | None) -> str:
    if shown is None or not shown.thinned:
        return ""
    return (
        f"The slider stops at {show_count(len(shown.points))} of "
        f"{show_count(shown.curve.thresholds)} thresholds, spread evenly over the calls; the "
        "recipes look among all of them."
    )


def _measure_names(shown: ExploredScores) -> list[str]:
    return [one.measure for one in shown.points[0].measures]


def _slider(shown: ExploredScores, state: State) -> dict[str, Any]:
    """Write every stop out: the browser looks up, it does not compute."""
    places = {point.threshold: place for place, point in enumerate(shown.points)}
    methods = {
        one.method: places[one.threshold]
        for one in shown.choice.methods
        if one.threshold is not None
    }
    start = _start(shown, state, methods)
    chosen = not {"at", "by"}.isdisjoint(state.viewed)
    return {
        "system": clean_text(shown.curve.system),
        "start": start,
        "why": begin_words(shown.points[start].threshold, chosen=chosen),
        "methods": methods,
        "stops": [_stop(point) for point in shown.points],
    }


def _say_chosen(shown: ExploredScores, offered: OfferedFile, state: State) -> dict[str, Any]:
    """Write what to type for a chosen threshold, as the texts before and after its number."""
    about = offered.say(_about_rows(state))
    said = {**about, "systems": [shown.curve.system], "by": "fixed"}
    said = {name: value for name, value in said.items() if name != "threshold"}
    texts = {
        "command": as_command("threshold", offered.typed, {**said, "threshold": AT}),
        "python": as_python("threshold", offered.python(), {**said, "threshold": AT}),
    }
    return {name: text.rpartition(repr(AT))[::2] for name, text in texts.items()}


def _about_rows(state: State) -> dict[str, Any]:
    known = options_of("threshold", "python")
    return {name: value for name, value in state.arguments.items() if name in known}


def _start(shown: ExploredScores, state: State, methods: dict[str, int]) -> int:
    """Begin where the link says, else where kappa is largest."""
    try:
        return shown.nearest(float(state.viewed["at"]))
    except (KeyError, ValueError):
        first = methods.get(FIRST, shown.middle())
        return methods.get(state.viewed.get("by", FIRST), first)


def _stop(point: ThresholdPoint) -> dict[str, Any]:
    return {
        "at": point.threshold,
        "said": show_threshold(point.threshold, point.below),
        "x": round(point.false_alarm_rate, 6),
        "y": round(point.detection_rate, 6),
        "counts": [show_count(count) for count in (point.tp, point.fn, point.fp, point.tn)],
        "parts": row_percents(point.tp, point.fn, point.fp, point.tn),
        "values": [
            [show_value(one) or "undefined", show_ends(one) or (one.reason or "")]
            for one in point.measures
        ],
    }
