"""The report as one HTML file: opens anywhere, asks nobody, runs nothing from data."""

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any

from steelyard.errors import ExtraMissing

try:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup
except ImportError as error:
    what = "A report"
    raise ExtraMissing.for_module(what, "jinja2") from error

from steelyard.display.figures import Area, Chart, corner_of, roc_chart, score_histogram
from steelyard.display.figures.document import script_hash, script_json
from steelyard.display.figures.theme import COLOURINGS, Colouring
from steelyard.display.html import breakable_text, code_text
from steelyard.display.numbers import (
    QUADRATURE,
    digits_for,
    show_count,
    show_interval,
    show_level,
    show_number,
    show_percent,
    show_probability,
    show_threshold,
)
from steelyard.display.text import clean_text, join_names, show_name
from steelyard.journey.reporting import ReportContent
from steelyard.journey.roc_curves.drawing import OperatingStop, ScoreCurve
from steelyard.results import Comparison, DatasetComparison
from steelyard.results.comparison.words import rank_systems, say_alike, show_chances
from steelyard.results.evaluation.tables import confusions_of
from steelyard.results.measured import area_of, interval_name, show_ends, show_value
from steelyard.surfaces.report.first_lines import first_lines
from steelyard.surfaces.report.methods import methods_of
from steelyard.surfaces.report.pictures import Picture, picture

__all__ = [
    "ICON",
    "Tile",
    "areas_of",
    "begin_words",
    "comparison_tiles",
    "corner_roc",
    "default_title",
    "draw_confusions",
    "draw_roc_with_band",
    "mark_breaks",
    "mark_code",
    "merge_notes",
    "page_style",
    "render_page",
    "report_html",
    "row_percents",
    "slider_data",
    "versions",
]

HERE = Path(__file__).parent
PACKAGES = ("steelyard", "numpy", "scipy", "duckdb", "vl-convert-python")
MOST_CONFUSIONS = 3
MOST_CURVES = 8
MOST_MATRIX = 12
ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E"
    "%3Crect width='32' height='32' rx='7' fill='%230b5fa5'/%3E%3Cpath d='M5 11h22M10 11v-4M10 11"
    "l-4 9h8zM23 11v5M20 16h6v6h-6z' fill='none' stroke='white' stroke-width='2' "
    "stroke-linejoin='round' stroke-linecap='round'/%3E%3C/svg%3E"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One large number, what it is, and what stands behind it."""

    name: str
    value: str
    note: str


def report_html(content: ReportContent, *, title: str | None = None, command: str = "") -> str:
    """Write the report; the same content gives the same bytes."""
    heading = title or default_title(content)
    saved = content.to_dict() | {"title": heading, "command": command, "versions": versions()}
    # Markup: JSON that is escaped for script elements.
    stops = slider_data(content.curves)
    sliders = Markup(script_json(stops)) if stops else ""
    names = [curve.system for curve in content.curves]
    place = names.index(content.shown) if content.shown in names else 0
    return render_page(
        "report.html",
        saved=saved,
        scripts=["hints.js", *(["report.js"] if content.curves else [])],
        title=heading,
        sliders=sliders,
        first=_first(stops, place),
        taken=first_lines(content.parts[0]),
        command=command,
        **_words(content),
        **_pictures(content),
    )


def default_title(content: ReportContent) -> str:
    """Name the report after its files."""
    names = [record.name for record in content.parts[0].provenance.inputs]
    return ", ".join(clean_text(name) for name in names[:3]) or "Report"


def versions() -> dict[str, str]:
    """Give the versions of what computed and drew."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def render_page(
    template: str,
    *,
    saved: dict[str, Any],
    scripts: Sequence[str] = ("hints.js",),
    **values: Any,  # noqa: ANN401
) -> str:
    """Write one file that asks nobody: style and scripts inside, each allowed by its hash.

    ``saved`` is the data that :func:`steelyard.surfaces.report.save_content` finds again.
    """
    style = page_style()
    texts = [_template_text(name) for name in scripts]
    policy = (
        "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"style-src {script_hash(style)}; script-src {' '.join(map(script_hash, texts))}"
    )
    return (
        _environment()
        .get_template(template)
        .render(
            policy=policy,
            icon=ICON,
            # Markup: our own files, and JSON that is escaped for script elements.
            style=Markup(style),
            scripts=[Markup(text) for text in texts],
            saved=Markup(script_json(saved)),
            **{
                "taken": [],
                "tiles": [],
                "sliders": "",
                "versions": versions(),
                "headline": "",
                **values,
            },
        )
    )


def _environment() -> Environment:
    """Give the templates, which escape everything that is not marked as our own."""
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["clean"] = clean_text
    environment.filters["coded"] = mark_code
    environment.filters["breakable"] = mark_breaks
    return environment


def mark_code(text: str) -> Markup:
    """Mark what stands between backticks as code; everything else is escaped."""
    return Markup(code_text(text))


def mark_breaks(text: str) -> Markup:
    """Let a long name be broken into lines; everything else is escaped."""
    return Markup(breakable_text(text))


def _template_text(name: str) -> str:
    return (HERE / "templates" / name).read_text(encoding="utf-8")


def page_style() -> str:
    """Write the style sheet: the colours of each look, then what stands where."""
    light, dark, paper = (_variables(COLOURINGS[look]) for look in ("light", "dark", "print"))
    return (
        f":root{{{light}}}\n@media(prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
        f"@media print{{:root{{{paper}}}}}\n{_template_text('report.css')}"
    )


def _variables(colours: Colouring) -> str:
    named = {
        "card": colours.hole,
        "ink": colours.ink,
        "soft": colours.soft,
        "line": colours.line,
        "accent": colours.accent,
        "warm": colours.warm,
        "good": colours.good,
        "on-accent": colours.on_accent,
        **{f"series-{place}": colour for place, colour in enumerate(colours.series, 1)},
    }
    return ";".join(f"--{name}:{colour}" for name, colour in named.items())


def _words(content: ReportContent) -> dict[str, Any]:
    evaluation, comparison = content.evaluation, content.comparison
    tables = [] if evaluation is None else evaluation.tables()
    notes = [note for part in content.parts for note in part.notes()]
    record = content.answer.provenance
    systems = len(content.systems)
    rows = [] if record.rows is None else [f"{show_count(record.rows)} rows"]
    return {
        "subtitle": " · ".join([*rows, f"{systems} system{'' if systems == 1 else 's'}"]),
        "headline": content.answer.headline(),
        "answer": content.answer.sentence(),
        "tiles": comparison_tiles(comparison) if isinstance(comparison, Comparison) else [],
        "evaluated": evaluation is not None,
        "compared": comparison is not None,
        "system_tables": tables[:1],
        "class_tables": tables[1:],
        "of_values": evaluation is not None and evaluation.kind == "value-evaluation",
        "pair_tables": [] if comparison is None else comparison.tables(),
        "notes": merge_notes(notes, content.systems),
        "refusals": content.refusals,
        "excluded": [str(one) for one in record.excluded],
        "methods": methods_of(evaluation, comparison),
        "sources": _sources(content),
        "record": record,
        "versions": versions(),
        "curves": content.curves,
        "systems": [clean_text(curve.system) for curve in content.curves],
    }


def merge_notes(notes: Sequence[str], systems: Sequence[str]) -> list[str]:
    """Say every doubt once: of all systems without a name, of some with all their names.

    Examples
    --------
    >>> merge_notes(["a: few items", "b: few items", "few items", "a: odd"], ["a", "b"])
    ['few items', 'a: odd']
    """
    said: dict[str, list[str]] = {}
    for note in notes:
        name, colon, text = note.partition(": ")
        known = bool(colon) and name in systems
        said.setdefault(text if known else note, []).extend([name] if known else systems)
    return [
        text if set(systems) <= set(names) else f"{join_names(list(dict.fromkeys(names)))}: {text}"
        for text, names in said.items()
    ]


def _sources(content: ReportContent) -> list[str]:
    found = methods_of(content.evaluation, content.comparison)
    return list(dict.fromkeys(source for one in found for source in one.sources))


def comparison_tiles(comparison: Comparison) -> list[Tile]:
    """Give the large numbers of a comparison."""
    leader = rank_systems(comparison)[0]
    name = show_name(leader.system)
    measure = comparison.measure_name
    ends = show_ends(leader.rate)
    around = f", {interval_name(comparison.level)} {ends}" if ends else ""
    value = show_value(leader.rate) or "undefined"
    above = [one.rate.value for one in comparison.systems if one.rate.value is not None]
    best, word = (min, "Lowest") if comparison.lower else (max, "Highest")
    top = leader.rate.value in {None, best(above, default=None)}
    which = f"{word} {measure}" if top else f"{measure.capitalize()} of the most probable best"
    tiles = [Tile(name=which, value=value, note=f"{name}{around}")]
    if leader.best_low is not None and leader.best_high is not None:
        chance = show_chances(leader.best_low, leader.best_high)
        note = f"that {name} is the best of {len(comparison.systems)}, by who was right together"
        tiles.append(Tile(name="Probability", value=chance, note=note))
    elif leader.best is not None:
        chance = show_probability(leader.best, error=comparison.monte_carlo_error or QUADRATURE)
        note = f"that {name} is the best of {len(comparison.systems)}"
        if leader.best_alike is not None and say_alike(comparison):
            note += f"; {show_probability(leader.best_alike, error=0.001)} if they are alike"
        tiles.append(Tile(name="Probability", value=chance, note=note))
    told = sum(pair.verdict == "different" for pair in comparison.pairs)
    pairs = len(comparison.pairs)
    note = f"at an error rate of {comparison.alpha:g} for all pairs together"
    tiles.append(Tile(name="Pairs told apart", value=f"{told} of {pairs}", note=note))
    if comparison.items is not None:
        name, note = "Common items", "answered by every system"
        if judged := getattr(comparison, "judged", ()):
            name, note = "Labelled items", f"of {show_count(judged[0].items)} common ones"
        tiles.append(Tile(name=name, value=show_count(comparison.items), note=note))
    return tiles


def _pictures(content: ReportContent) -> dict[str, Any]:
    evaluation, comparison = content.evaluation, content.comparison
    first = None if evaluation is None else evaluation.chart()
    pairs: list[tuple[str, Chart | None]] = []
    if isinstance(comparison, DatasetComparison):
        pairs = [(kind, draw()) for kind, draw in comparison.charts().items()]
    elif comparison is not None:
        kinds = ["best", "front", "differences", "ranks", "matrix"]
        if len(comparison.systems) == 2:
            kinds = ["best", "front", "differences"]
        if len(comparison.systems) > MOST_MATRIX:
            kinds.remove("matrix")
        known = comparison.charts()
        pairs = [(kind, known[kind]()) for kind in kinds if kind in known]
    confusions = [draw for draw in map(confusions_of, _rank(content)) if draw is not None]
    drawn = [
        picture(f"confusions-{place}", chart)
        for place, chart in enumerate(draw_confusions(confusions), 1)
    ]
    sliced = None if evaluation is None else evaluation.charts().get("slices")
    drawn += [] if sliced is None else [picture("slices", sliced())]
    return {
        "system_pictures": [] if first is None else [picture("systems", first)],
        "pair_pictures": [picture(kind, chart) for kind, chart in pairs if chart is not None],
        "class_pictures": drawn,
        **_curve_pictures(content),
    }


def draw_confusions(known: Sequence[Callable[[], Chart]]) -> list[Chart]:
    """Draw the first few tables of confusions; the last one says how many there are."""
    drawn = [draw() for draw in known[:MOST_CONFUSIONS]]
    last = [drawn[-1].showing(len(drawn), len(known), "tables of confusions")] if drawn else []
    return [*drawn[:-1], *last]


def _rank(content: ReportContent) -> list[Any]:
    """Put the evaluated systems in the order of the first table."""
    systems = [] if content.evaluation is None else list(content.evaluation.systems)
    if isinstance(content.comparison, Comparison):
        order = [one.system for one in rank_systems(content.comparison)]
        systems.sort(key=lambda one: order.index(one.system) if one.system in order else len(order))
    return systems


def draw_roc_with_band(
    curves: Sequence[ScoreCurve],
    areas: Mapping[str, Area],
    *,
    level: float,
) -> Chart:
    """Draw the curves, and around the first of them the band that holds it as a whole."""
    first = curves[0]
    chart = roc_chart(
        {one.system: (one.false_alarm_rates, one.detection_rates) for one in curves},
        bands={first.system: first.band},
        areas=areas,
    )
    note = (
        f"The band holds the whole true curve of {show_name(first.system)} with a probability of "
        f"at least {show_level(level)}, whatever the scores are."
    )
    return replace(chart, notes=(*chart.notes, note))


def corner_roc(curves: Sequence[ScoreCurve], areas: Mapping[str, Area]) -> Chart | None:
    """Draw the best corner larger where every curve comes near to it."""
    lines = {one.system: (one.false_alarm_rates, one.detection_rates) for one in curves}
    corner = corner_of(lines) if lines else None
    if corner is None:
        return None
    return roc_chart(lines, areas=areas, title="ROC curves, the best corner", corner=corner)


def areas_of(evaluation: Any) -> dict[str, Area]:  # noqa: ANN401
    """Give the area of every system that has one, with its interval."""
    known = {one.system: area_of(one.area) for one in evaluation.systems}
    return {system: area for system, area in known.items() if area is not None}


def _curve_pictures(content: ReportContent) -> dict[str, Any]:
    curves, evaluation = content.curves, content.evaluation
    evaluated = () if evaluation is None or not curves else evaluation.systems
    areas = areas_of(evaluation) if curves else {}
    ranks = {one.system: one.area.value or 0.0 for one in evaluated if one.area is not None}
    drawn = sorted(
        curves, key=lambda one: (one.system != content.shown, -ranks.get(one.system, 0.0))
    )[:MOST_CURVES]
    roc: Picture | None = None
    if drawn and evaluation is not None:
        chart = draw_roc_with_band(drawn, areas, level=evaluation.level)
        roc = picture("roc", chart.showing(len(drawn), len(curves), "curves"))
    near = corner_roc(drawn, areas)
    scores = [
        (
            place,
            picture(
                f"scores-{place}",
                score_histogram(
                    one.scores,
                    {one.positive: one.positive_counts, "the rest": one.negative_counts},
                    title=f"Scores of {one.system}",
                ),
            )
            if one in drawn
            else None,
        )
        for place, one in enumerate(curves)
    ]
    return {
        "roc": roc,
        "corner": None if near is None else picture("corner", near),
        "score_pictures": scores,
        "most_curves": MOST_CURVES,
    }


def slider_data(curves: tuple[ScoreCurve, ...]) -> list[dict[str, Any]]:
    """Give for each system its stops: places on the curve, and texts to show there."""
    return [
        {
            "system": clean_text(curve.system),
            "range": [min(curve.scores), max(curve.scores)],
            "start": curve.first,
            "why": begin_words(curve.stops[curve.first].threshold, chosen=curve.chosen),
            "stops": [_stop(one) for one in curve.stops],
        }
        for curve in curves
    ]


def _first(stops: Sequence[dict[str, Any]], place: int) -> dict[str, Any]:
    """Give what is shown before anybody moves the slider, and on paper."""
    if not stops:
        return {}
    shown = stops[place]
    stop = shown["stops"][shown["start"]]
    return {**stop, "place": place, "system": shown["system"], "why": shown["why"]}


def begin_words(threshold: float, *, chosen: bool) -> str:
    """Say why a slider begins where it does.

    Examples
    --------
    >>> begin_words(0.25, chosen=True)
    'The slider begins at the threshold that was chosen, 0.25.'
    """
    if chosen:
        return f"The slider begins at the threshold that was chosen, {show_threshold(threshold)}."
    return "The slider begins where kappa is largest; no threshold was chosen."


def _stop(one: OperatingStop) -> dict[str, Any]:
    at_rates = (one.false_alarm_rate, one.recall)
    return {
        "at": one.threshold,
        "said": show_threshold(one.threshold, one.below),
        "x": round(at_rates[0][0], 5) if at_rates[0] else 0,
        "y": round(at_rates[1][0], 5) if at_rates[1] else 0,
        "counts": [show_count(count) for count in (one.tp, one.fn, one.fp, one.tn)],
        "parts": row_percents(one.tp, one.fn, one.fp, one.tn),
        "shares": [
            _write(share)
            for share in (one.recall, one.false_alarm_rate, one.precision, one.accuracy)
        ],
    }


def row_percents(tp: int, fn: int, fp: int, tn: int) -> list[str]:
    """Write the share of its true class that each cell holds; nothing of an empty class.

    >>> row_percents(9, 1, 0, 0)
    ['90%', '10%', '', '']
    """
    cells = ((tp, tp + fn), (fn, tp + fn), (fp, fp + tn), (tn, fp + tn))
    return [show_percent(count / whole, digits=0) if whole else "" for count, whole in cells]


def _write(share: tuple[float, float, float] | None) -> list[str]:
    if share is None:
        return ["undefined", ""]
    value, low, high = share
    return [show_number(value, digits=digits_for(low, high)), show_interval(low, high)]
