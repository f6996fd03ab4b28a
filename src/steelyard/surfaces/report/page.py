"""The report as one HTML file: opens anywhere, asks nobody, runs nothing from data."""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from steelyard.display.figures import Chart, roc_chart, score_histogram
from steelyard.display.figures.document import script_hash, script_json
from steelyard.display.figures.theme import COLOURINGS, Colouring
from steelyard.display.html import coded_text
from steelyard.display.numbers import (
    QUADRATURE,
    digits_for,
    show_count,
    show_interval,
    show_level,
    show_number,
    show_probability,
    show_threshold,
)
from steelyard.display.text import clean_text, show_name
from steelyard.journey.reporting import ReportContent
from steelyard.journey.roc_curves.drawing import OperatingStop, ScoreCurve
from steelyard.results import Comparison
from steelyard.results.comparison.words import ranked_systems, said_alike, shown_chances
from steelyard.results.evaluation import confusions_of
from steelyard.results.measured import interval_name, shown_interval, shown_value
from steelyard.surfaces.report.first_lines import first_lines
from steelyard.surfaces.report.methods import methods_of
from steelyard.surfaces.report.pictures import Picture, picture

__all__ = [
    "ICON",
    "Tile",
    "banded_roc",
    "coded",
    "comparison_tiles",
    "default_title",
    "page_style",
    "rendered_page",
    "report_html",
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
    sliders = Markup(script_json(slider_data(content.curves))) if content.curves else ""
    return rendered_page(
        "report.html",
        saved=saved,
        scripts=["hints.js", *(["report.js"] if content.curves else [])],
        title=heading,
        sliders=sliders,
        taken=first_lines(content.evaluation),
        command=command,
        **_words(content),
        **_pictures(content),
    )


def default_title(content: ReportContent) -> str:
    """Name the report after its files."""
    names = [record.name for record in content.evaluation.provenance.inputs]
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


def rendered_page(
    template: str,
    *,
    saved: dict[str, Any],
    scripts: Sequence[str] = ("hints.js",),
    **values: Any,  # noqa: ANN401
) -> str:
    """Write one file that asks nobody: style and scripts inside, each allowed by its hash.

    ``saved`` is the data that :func:`steelyard.surfaces.report.saved_content` finds again.
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
            **{"taken": [], "tiles": [], "sliders": "", "versions": versions(), **values},
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
    environment.filters["coded"] = coded
    return environment


def coded(text: str) -> Markup:
    """Mark what stands between backticks as code; everything else is escaped."""
    return Markup(coded_text(text))


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
    tables = evaluation.tables()
    notes = [*evaluation.notes(), *(comparison.notes() if comparison else [])]
    record = evaluation.provenance if comparison is None else comparison.provenance
    systems = len(evaluation.systems)
    rows = [] if record.rows is None else [f"{show_count(record.rows)} rows"]
    return {
        "subtitle": " · ".join([*rows, f"{systems} system{'' if systems == 1 else 's'}"]),
        "answer": (comparison or evaluation).sentence(),
        "tiles": [] if comparison is None else comparison_tiles(comparison),
        "compared": comparison is not None,
        "system_tables": tables[:1],
        "class_tables": tables[1:],
        "pair_tables": [] if comparison is None else comparison.tables(),
        "notes": list(dict.fromkeys(notes)),
        "refusals": content.refusals,
        "excluded": [str(one) for one in record.excluded],
        "methods": methods_of(evaluation, comparison),
        "sources": _sources(content),
        "record": record,
        "versions": versions(),
        "curves": content.curves,
        "systems": [clean_text(curve.system) for curve in content.curves],
    }


def _sources(content: ReportContent) -> list[str]:
    found = methods_of(content.evaluation, content.comparison)
    return list(dict.fromkeys(source for one in found for source in one.sources))


def comparison_tiles(comparison: Comparison) -> list[Tile]:
    """Give the large numbers of a comparison."""
    leader = ranked_systems(comparison)[0]
    name = show_name(leader.system)
    measure = comparison.measure_name
    ends = shown_interval(leader.rate)
    around = f", {interval_name(comparison.level)} {ends}" if ends else ""
    value = shown_value(leader.rate) or "undefined"
    above = [one.rate.value for one in comparison.systems if one.rate.value is not None]
    top = leader.rate.value is None or leader.rate.value >= max(above)
    which = f"Highest {measure}" if top else f"{measure.capitalize()} of the likeliest best"
    tiles = [Tile(name=which, value=value, note=f"{name}{around}")]
    if leader.best_low is not None and leader.best_high is not None:
        chance = shown_chances(leader.best_low, leader.best_high)
        note = f"that {name} is the best of {len(comparison.systems)}, by who was right together"
        tiles.append(Tile(name="Probability", value=chance, note=note))
    elif leader.best is not None:
        chance = show_probability(leader.best, error=comparison.monte_carlo_error or QUADRATURE)
        note = f"that {name} is the best of {len(comparison.systems)}"
        if leader.best_alike is not None and said_alike(comparison):
            note += f"; {show_probability(leader.best_alike, error=0.001)} if they are alike"
        tiles.append(Tile(name="Probability", value=chance, note=note))
    told = sum(pair.verdict == "different" for pair in comparison.pairs)
    pairs = len(comparison.pairs)
    note = f"at an error rate of {comparison.alpha:g} for all pairs together"
    tiles.append(Tile(name="Pairs told apart", value=f"{told} of {pairs}", note=note))
    if comparison.items is not None:
        items = show_count(comparison.items)
        tiles.append(Tile(name="Common items", value=items, note="answered by every system"))
    return tiles


def _pictures(content: ReportContent) -> dict[str, Any]:
    evaluation, comparison = content.evaluation, content.comparison
    first = evaluation.chart()
    pairs: list[tuple[str, Chart | None]] = []
    if comparison is not None:
        kinds = ["best", "differences", "ranks", "matrix"]
        if len(comparison.systems) == 2:
            kinds = ["best", "differences"]
        if len(comparison.systems) > MOST_MATRIX:
            kinds.remove("matrix")
        known = comparison.charts()
        pairs = [(kind, known[kind]()) for kind in kinds if kind in known]
    drawn = [
        picture(f"confusions-{place}", draw())
        for place, draw in enumerate(map(confusions_of, _ranked(content)), 1)
        if draw is not None
    ]
    return {
        "system_pictures": [] if first is None else [picture("systems", first)],
        "pair_pictures": [picture(kind, chart) for kind, chart in pairs if chart is not None],
        "class_pictures": drawn[:MOST_CONFUSIONS],
        **_curve_pictures(content),
    }


def _ranked(content: ReportContent) -> list[Any]:
    """Put the evaluated systems in the order of the first table, and take the first few."""
    systems = list(content.evaluation.systems)
    if content.comparison is not None:
        order = [one.system for one in ranked_systems(content.comparison)]
        systems.sort(key=lambda one: order.index(one.system) if one.system in order else len(order))
    return systems[:MOST_CONFUSIONS]


def banded_roc(
    curves: Sequence[ScoreCurve],
    areas: Mapping[str, float],
    *,
    level: float,
    title: str = "ROC curves",
) -> Chart:
    """Draw the curves, and around the first of them the band that holds it as a whole."""
    first = curves[0]
    chart = roc_chart(
        {one.system: (one.false_alarm_rates, one.detection_rates) for one in curves},
        bands={first.system: first.band},
        areas=areas,
        title=title,
    )
    note = (
        f"The band holds the whole true curve of {show_name(first.system)} with a probability of "
        f"at least {show_level(level)}, whatever the scores are."
    )
    return replace(chart, notes=(*chart.notes, note))


def _curve_pictures(content: ReportContent) -> dict[str, Any]:
    areas = {
        one.system: one.area.value
        for one in content.evaluation.systems
        if one.area is not None and one.area.value is not None
    }
    curves = content.curves
    shown = sorted(curves, key=lambda one: -areas.get(one.system, 0.0))[:MOST_CURVES]
    roc: Picture | None = None
    if shown:
        chart = banded_roc(
            shown,
            areas,
            level=content.evaluation.level,
            title="ROC curves"
            if len(shown) == len(curves)
            else f"ROC curves of the best {len(shown)}",
        )
        roc = picture("roc", chart)
    scores = [
        picture(
            f"scores-{place}",
            score_histogram(
                one.scores,
                {one.positive: one.positive_counts, "the rest": one.negative_counts},
                title=f"Scores of {one.system}",
            ),
        )
        for place, one in enumerate(curves[:MOST_CURVES])
    ]
    return {"roc": roc, "score_pictures": scores}


def slider_data(curves: tuple[ScoreCurve, ...]) -> list[dict[str, Any]]:
    """Give for each system its stops: places on the curve, and texts to show there."""
    return [
        {
            "system": clean_text(curve.system),
            "range": [min(curve.scores), max(curve.scores)],
            "start": _start(curve),
            "stops": [_stop(one) for one in curve.stops],
        }
        for curve in curves
    ]


def _start(curve: ScoreCurve) -> int:
    """Begin where about as many items are called positive as there are positives."""
    calls = [abs(one.tp + one.fp - curve.positives) for one in curve.stops]
    return calls.index(min(calls))


def _stop(one: OperatingStop) -> dict[str, Any]:
    at_rates = (one.false_alarm_rate, one.recall)
    return {
        "at": one.threshold,
        "said": show_threshold(one.threshold, one.below),
        "x": round(at_rates[0][0], 5) if at_rates[0] else 0,
        "y": round(at_rates[1][0], 5) if at_rates[1] else 0,
        "counts": [show_count(count) for count in (one.tp, one.fn, one.fp, one.tn)],
        "shares": [
            _written(share)
            for share in (one.recall, one.false_alarm_rate, one.precision, one.accuracy)
        ],
    }


def _written(share: tuple[float, float, float] | None) -> list[str]:
    if share is None:
        return ["undefined", ""]
    value, low, high = share
    return [show_number(value, digits=digits_for(low, high)), show_interval(low, high)]
