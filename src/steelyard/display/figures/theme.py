"""How every chart looks: one theme in four colourings, safe for the colour-blind and in grey."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from steelyard.errors import RequestError

__all__ = ["COLOURINGS", "DASHES", "FONT", "SHAPES", "Colouring", "Look", "theme"]

Look = Literal["light", "dark", "print", "page"]
"""``page`` leaves the colours to the style sheet around the picture, by CSS variables."""

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
TEXT = 13
TITLE = 16

DASHES = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [10, 3, 2, 3, 2, 3], [4, 2])
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
"""Six of each, against seven colours: the first forty-two series all look different."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Colouring:
    """The colours of one look; ``series`` follow Okabe and Ito, darkened where paper needs it."""

    paper: str
    hole: str
    ink: str
    soft: str
    line: str
    accent: str
    warm: str
    good: str
    on_accent: str
    series: tuple[str, ...]


COLOURINGS: Mapping[Look, Colouring] = {
    "light": Colouring(
        paper="#ffffff",
        hole="#ffffff",
        ink="#14181f",
        soft="#55606e",
        line="#dde2e9",
        accent="#0b5fa5",
        warm="#b84a00",
        good="#00755a",
        on_accent="#ffffff",
        series=("#0b5fa5", "#c65102", "#00805f", "#a3437b", "#8f6a00", "#2b8fc4", "#4b5563"),
    ),
    "dark": Colouring(
        paper="#171c23",
        hole="#171c23",
        ink="#e9edf2",
        soft="#a3aebb",
        line="#2f3844",
        accent="#6cb6ff",
        warm="#ffa657",
        good="#4fd1a5",
        on_accent="#0f1318",
        series=("#6cb6ff", "#ff9a52", "#4fd1a5", "#f0a3cd", "#f2d16b", "#a5dcff", "#c3ccd6"),
    ),
    "print": Colouring(
        paper="#ffffff",
        hole="#ffffff",
        ink="#000000",
        soft="#333333",
        line="#cccccc",
        accent="#004c8c",
        warm="#9c3f00",
        good="#005c47",
        on_accent="#ffffff",
        series=("#004c8c", "#b04600", "#009070", "#8c3568", "#755700", "#1f7fb3", "#333333"),
    ),
    "page": Colouring(
        paper="transparent",
        hole="var(--card)",
        ink="var(--ink)",
        soft="var(--soft)",
        line="var(--line)",
        accent="var(--accent)",
        warm="var(--warm)",
        good="var(--good)",
        on_accent="var(--on-accent)",
        series=tuple(f"var(--series-{number})" for number in range(1, 8)),
    ),
}


def theme(
    look: Look, *, legend_columns: int = 3, label_limit: int = 210, legend_limit: int = 260
) -> dict[str, Any]:
    """Write the Vega-Lite configuration of a look.

    Specifications name styles (``curve``, ``chance``, ``value``, ...), never colours, so that one
    specification serves every look.

    Examples
    --------
    >>> theme("light")["background"], theme("dark")["background"]
    ('#ffffff', '#171c23')
    """
    if look not in COLOURINGS:
        raise RequestError.for_choice(name="look", given=look, choices=get_args(Look))
    colours = COLOURINGS[look]
    return {
        "background": colours.paper,
        "font": FONT,
        "padding": {"left": 12, "right": 18, "top": 8, "bottom": 8},
        "view": {"stroke": None},
        "range": {"category": list(colours.series)},
        "axis": _axis(colours, label_limit),
        "legend": _legend(colours, legend_columns, legend_limit),
        "header": {
            "labelColor": colours.ink,
            "labelFontSize": TEXT,
            "labelFontWeight": 600,
            "labelLimit": label_limit,
        },
        "title": _title(colours),
        "style": _styles(colours),
        "text": {"fontSize": TEXT, "color": colours.ink},
    }


def _axis(colours: Colouring, label_limit: int) -> dict[str, Any]:
    return {
        "domainColor": colours.soft,
        "domainOpacity": 0.6,
        "gridColor": colours.line,
        "labelColor": colours.ink,
        "labelFontSize": TEXT,
        "labelLimit": label_limit,
        "labelPadding": 6,
        "labelSeparation": 6,
        "ticks": False,
        "titleColor": colours.soft,
        "titleFontSize": TEXT,
        "titleFontWeight": 500,
        "titlePadding": 10,
    }


def _legend(colours: Colouring, columns: int, limit: int) -> dict[str, Any]:
    return {
        "columnPadding": 18,
        "columns": columns,
        "direction": "horizontal",
        "labelColor": colours.ink,
        "labelFontSize": TEXT,
        "labelLimit": limit,
        "offset": 12,
        "orient": "bottom",
        "rowPadding": 5,
        "symbolSize": 280,
        "symbolStrokeWidth": 2.5,
        "title": None,
    }


def _title(colours: Colouring) -> dict[str, Any]:
    return {
        "anchor": "start",
        "color": colours.ink,
        "fontSize": TITLE,
        "fontWeight": 600,
        "frame": "bounds",
        "offset": 14,
        "subtitleColor": colours.soft,
        "subtitleFontSize": TEXT,
        "subtitlePadding": 6,
    }


def _styles(colours: Colouring) -> dict[str, dict[str, Any]]:
    return {
        "curve": {"strokeWidth": 2.5, "strokeJoin": "round", "strokeCap": "butt"},
        "band": {"opacity": 0.16},
        "chance": {"color": colours.soft, "strokeDash": [3, 5], "strokeWidth": 1.2},
        "zero": {"color": colours.soft, "strokeWidth": 1.2},
        "mark": {"color": colours.warm, "strokeDash": [5, 3], "strokeWidth": 1.6},
        "marked": {"color": colours.ink, "fontSize": TEXT, "fontWeight": 500},
        "interval": {"color": colours.accent, "strokeWidth": 3, "strokeCap": "round"},
        "interval-soft": {"color": colours.soft, "strokeWidth": 3, "strokeCap": "round"},
        "foot": {"color": colours.soft, "strokeWidth": 7, "opacity": 0.25},
        "dot": {"color": colours.accent, "size": 95, "opacity": 1},
        "dot-soft": {"color": colours.soft, "size": 95, "opacity": 1, "strokeWidth": 2.5},
        "hole": {"color": colours.hole, "size": 95, "opacity": 1},
        "item": {"size": 26, "opacity": 0.55},
        "column": {"color": colours.accent, "cornerRadiusEnd": 3},
        "heat": {"color": colours.accent},
        "better": {"color": colours.good, "cornerRadius": 4, "opacity": 0.28},
        "worse": {"color": colours.warm, "cornerRadius": 4, "opacity": 0.28},
        "open": {"color": colours.soft, "cornerRadius": 4, "opacity": 0.12},
        "value": {"color": colours.ink, "fontSize": TEXT},
        "value-on": {"color": colours.on_accent, "fontSize": TEXT, "fontWeight": 600},
        "value-strong": {"color": colours.ink, "fontSize": 15, "fontWeight": 600},
        "value-soft": {"color": colours.soft, "fontSize": TEXT},
        "clique": {"color": colours.ink, "strokeWidth": 5, "strokeCap": "round"},
        "leader": {"color": colours.soft, "strokeWidth": 1.2},
    }
