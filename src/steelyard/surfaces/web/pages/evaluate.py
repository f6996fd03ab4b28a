"""Evaluate: what was understood, how good each system is, and every threshold under a slider."""

from typing import Any

from steelyard.display.figures import Chart, score_histogram
from steelyard.display.numbers import show_count, show_threshold
from steelyard.display.text import clean_text
from steelyard.journey.exploring import Exploration, ExploredScores, ThresholdPoint, explore
from steelyard.results.evaluation import confusions_of
from steelyard.results.measured import shown_interval, shown_value, sorted_by_value
from steelyard.surfaces.report import banded_roc
from steelyard.surfaces.web.app_state import AppState
from steelyard.surfaces.web.asking import State
from steelyard.surfaces.web.jobs import Progress
from steelyard.surfaces.web.pages.file_panel import file_controls, refused_file, understood_html
from steelyard.surfaces.web.pages.templating import chart_data, rendered
from steelyard.surfaces.web.reproduce import as_command, as_python
from steelyard.surfaces.web.uploads import renamed

__all__ = ["asked", "controls", "find", "refuse", "show"]

MOST_CURVES = 8
MOST_CONFUSIONS = 3
FIRST = "max-kappa"

controls = file_controls
refuse = refused_file


def asked(state: State) -> bool:
    """Tell whether there is a file to answer from."""
    return bool(state.data)


def find(app_state: AppState, state: State, progress: Progress) -> Exploration:
    """Call the journey."""
    offered = app_state.uploads.find(state.data)
    return explore(
        offered.data, most_rows=app_state.most_rows, observe=progress, **dict(state.arguments)
    )


def show(app_state: AppState, state: State, found: Any, width: int) -> dict[str, Any]:  # noqa: ANN401
    """Write the answer: words and tables as HTML, pictures and stops of the slider as data."""
    if not isinstance(found, Exploration):
        return {"html": "", "understood": "", "charts": []}
    offered = app_state.uploads.find(state.data)
    evaluation = renamed(found.evaluation, offered)
    shown = _shown(found, state)
    charts = {**_curves(found, shown), **_pictures(found)}
    html = rendered(
        "evaluate_answer.html",
        title=offered.name,
        evaluation=evaluation,
        tables=evaluation.tables(),
        refusals=found.refusals,
        systems=[one.curve.system for one in found.scores],
        shown=shown,
        thinning=_thinning(shown),
        methods=[] if shown is None else shown.choice.methods,
        measures=[] if shown is None else _measure_names(shown),
        pictures=[(name, chart) for name, chart in charts.items() if chart is not None],
    )
    return {
        "html": html,
        "understood": understood_html(app_state, state, evaluation.provenance),
        "charts": [
            chart_data(name, chart, width) for name, chart in charts.items() if chart is not None
        ],
        "slider": None if shown is None else _slider(shown, state),
        "command": as_command("evaluate", offered.typed, state.arguments),
        "python": as_python("evaluate", offered.python(), state.arguments),
    }


def _shown(found: Exploration, state: State) -> ExploredScores | None:
    wanted = state.viewed.get("shown")
    known = {one.curve.system: one for one in found.scores}
    first = found.scores[0] if found.scores else None
    return known.get(wanted, first) if wanted is not None else _highest(found) or first


def _highest(found: Exploration) -> ExploredScores | None:
    """Begin with the system whose area is the highest."""
    areas = {one.system: one.area.value or 0.0 for one in found.evaluation.systems if one.area}
    ranked = sorted(found.scores, key=lambda one: -areas.get(one.curve.system, 0.0))
    return ranked[0] if ranked else None


def _curves(found: Exploration, shown: ExploredScores | None) -> dict[str, Chart | None]:
    if shown is None:
        return {}
    areas = {
        one.system: one.area.value
        for one in found.evaluation.systems
        if one.area is not None and one.area.value is not None
    }
    others = sorted(
        (one.curve for one in found.scores if one is not shown),
        key=lambda curve: -areas.get(curve.system, 0.0),
    )
    drawn = [shown.curve, *others[: MOST_CURVES - 1]]
    curve = shown.curve
    return {
        "roc": banded_roc(drawn, areas, level=found.evaluation.level),
        "scores": score_histogram(
            curve.scores,
            {curve.positive: curve.positive_counts, "the rest": curve.negative_counts},
            title=f"Scores of {curve.system}",
        ),
        "thresholds": shown.choice.chart(),
    }


def _pictures(found: Exploration) -> dict[str, Chart | None]:
    systems = found.evaluation.systems
    order = sorted_by_value([one.accuracy for one in systems])
    confusions = [confusions_of(systems[place]) for place in order]
    drawn = [draw() for draw in confusions[:MOST_CONFUSIONS] if draw is not None]
    return {
        "systems": found.evaluation.chart(),
        **{f"confusions-{place}": chart for place, chart in enumerate(drawn, 1)},
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
    return {
        "system": clean_text(shown.curve.system),
        "start": _start(shown, state, methods),
        "methods": methods,
        "stops": [_stop(point) for point in shown.points],
    }


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
        "values": [
            [shown_value(one) or "undefined", shown_interval(one) or (one.reason or "")]
            for one in point.measures
        ],
    }
