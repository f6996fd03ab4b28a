"""Templates of the pages: everything that comes from data is escaped."""

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from steelyard.display.figures import Chart
from steelyard.display.numbers import show_count
from steelyard.display.text import clean_text
from steelyard.surfaces.report import mark_breaks
from steelyard.surfaces.report.first_lines import first_lines
from steelyard.surfaces.web.pages.page_words import link_words

__all__ = ["chart_data", "render"]

HERE = Path(__file__).parents[1]
NARROW, WIDE = 300, 760
ALONE = 960
"""The widest drawing that has its row for itself."""
BESIDE = 60
"""Between two drawings that stand beside one another."""


@cache
def _environment() -> Environment:
    environment = Environment(
        # The macros of tables are those of the report.
        loader=FileSystemLoader([HERE / "templates", HERE.parent / "report/templates"]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["clean"] = clean_text
    environment.filters["coded"] = link_words
    environment.filters["breakable"] = mark_breaks
    environment.filters["count"] = show_count
    environment.filters["first_lines"] = first_lines
    return environment


def render(template: str, /, **values: Any) -> str:  # noqa: ANN401
    """Fill a template."""
    return _environment().get_template(template).render(**values)


def _height_of_rows(spec: dict[str, Any]) -> int:
    """Write out a height that is given by row; the compiler in the browser would warn of it."""
    rows = [layer["encoding"]["y"] for layer in spec["layer"] if "y" in layer.get("encoding", {})]
    names = next(one["scale"]["domain"] for one in rows if "domain" in one.get("scale", {}))
    high: int = spec["height"]["step"] * len(names)
    return high


def chart_data(name: str, chart: Chart, width: int) -> dict[str, Any]:
    """Give what the browser needs to draw: the specification, and words for who cannot see it.

    Names beside rows are cut to the width, and panels are laid out for it: with them comes what is
    drawn where the drawing has its row for itself.
    """
    wide = max(NARROW, min(width, WIDE))
    alone = min(2 * wide + BESIDE, ALONE)
    return {
        "name": name,
        "title": chart.title,
        "notes": list(chart.notes),
        "label": chart.summary,
        "spec": _spec(chart, wide),
        **({"alone": _spec(chart, alone)} if chart.rows is not None or chart.broad else {}),
    }


def _spec(chart: Chart, width: int) -> dict[str, Any]:
    spec = chart.spec(look="page", width=width, titled=False)
    if not isinstance(spec.get("height", 0), int):  # small multiples are sized each
        spec["height"] = _height_of_rows(spec)
    return spec
