"""A chart: one Vega-Lite specification that shows itself, saves itself and names itself."""

import os
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from steelyard.display.figures.document import chart_document
from steelyard.display.figures.hints import Hint, find_hints, number_hints
from steelyard.display.figures.labels import plain_line
from steelyard.display.figures.svg import tidy_svg
from steelyard.display.figures.theme import Look, theme
from steelyard.display.json_text import json_text
from steelyard.display.saving import write_whole
from steelyard.display.text import wrap_sentence
from steelyard.errors import ExtraMissing, RequestError

if TYPE_CHECKING:
    import altair

__all__ = ["SCHEMA", "SNIPPET", "SUFFIXES", "Chart", "drawing_script"]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
VERSION = "6.4"
MIME = "application/vnd.vegalite.v6+json"
WIDTH = 640
LETTER = 7.4
"""About the width of a letter of the legend, in pixels."""
SCALE = 2.0
LEGEND_ROW = 21
LOWEST = 250
SNIPPET = "window.steelyardEmbed = vegaEmbed;"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One picture as plain data: no colours (the look has them), no address to load from.

    ``body`` is the specification without size, title and theme; ``height`` is a number, or a
    mapping such as ``{"step": 34}`` for a row per system. ``summary`` says in a sentence what is
    drawn, for those who cannot see it; ``notes`` are drawn under the title; ``names`` are the
    entries of the legend.
    """

    title: str
    summary: str
    body: Mapping[str, Any]
    height: int | Mapping[str, int]
    width: int = WIDTH
    names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("title", "summary"):
            object.__setattr__(self, name, plain_line(getattr(self, name)))
        object.__setattr__(self, "notes", tuple(map(plain_line, self.notes)))

    def spec(
        self, *, look: Look = "light", width: int | None = None, titled: bool = True
    ) -> dict[str, Any]:
        """Give the whole Vega-Lite specification; ``width`` makes room for a phone or a poster."""
        wide = self.width if width is None else width
        step = not isinstance(self.height, int)
        head = {"title": self._title(wide)} if titled else {}
        return {
            "$schema": SCHEMA,
            "description": self.summary,
            **head,
            "width": wide,
            "height": self._height(wide),
            "autosize": {"type": "fit-x" if step else "fit", "contains": "padding"},
            "config": theme(
                look, legend_columns=self._columns(wide), label_limit=min(210, wide // 3)
            ),
            **_as_data(dict(self.body)),
        }

    def sized(self, width: int) -> Self:
        """Give the same chart at another width, with the same proportions."""
        return replace(self, width=width, height=self._height(width))

    def svg(
        self,
        *,
        look: Look = "light",
        width: int | None = None,
        titled: bool = True,
        prefix: str = "chart",
    ) -> str:
        """Draw as SVG, in which text stays text; the same chart gives the same bytes."""
        drawn = _drawn(self.spec(look=look, width=width, titled=titled))
        return tidy_svg(drawn, label=self.summary, prefix=prefix)

    def hinted_svg(
        self, *, look: Look = "light", width: int | None = None, prefix: str = "chart"
    ) -> tuple[str, list[Hint]]:
        """Draw without a title, and tell what stands under the pointer where."""
        spec = self.spec(look=look, width=width, titled=False)
        words = number_hints(spec)
        drawn = _drawn(spec)
        hints = find_hints(drawn, words)
        return tidy_svg(drawn, label=self.summary, prefix=prefix), hints

    def html(self, *, look: Look = "light") -> str:
        """Write a page that opens without a network and shows values under the pointer."""
        return chart_document(self.title, self.summary, self.spec(look=look), drawing_script())

    def save(self, path: str | os.PathLike[str], *, look: Look = "light") -> Path:
        """Write the chart; the ending of the name says how (.svg .png .pdf .html .json).

        A file that is there is replaced whole or not at all.
        """
        target = Path(path)
        write = WRITERS.get(target.suffix.lower())
        if write is None:
            endings = ", ".join(SUFFIXES)
            message = (
                f"{target.name}: a chart can be saved as {endings}. Give one of these endings."
            )
            raise RequestError(message, code="chart-format")
        write_whole(target, write(self, look))
        return target

    def to_altair(self, *, look: Look = "light") -> "altair.LayerChart":
        """Give the chart to Altair, to change it further."""
        try:
            import altair
        except ImportError:
            raise ExtraMissing.for_part(what="A chart for Altair", extra="notebook") from None
        return altair.LayerChart.from_dict(self.spec(look=look), validate=False)

    def _title(self, width: int) -> dict[str, Any]:
        lines = [line for note in self.notes for line in _folded(note, int(width / 6.6))]
        return {
            "text": _folded(self.title, int(width / 9)),
            **({"subtitle": lines} if lines else {}),
        }

    def _height(self, width: int) -> int | dict[str, int]:
        """Keep the proportions, but leave room for the legend and for eyes."""
        if not isinstance(self.height, int):
            return dict(self.height)
        legend = LEGEND_ROW * (self._legend_rows(width) - self._legend_rows(self.width))
        return max(round(self.height * width / self.width), min(self.height, LOWEST)) + legend

    def _legend_rows(self, width: int) -> int:
        return -(-len(self.names) // self._columns(width))

    def _columns(self, width: int) -> int:
        longest = max((len(name) for name in self.names), default=1)
        entry = min(longest * LETTER, 260) + 52
        return max(1, min(len(self.names) or 1, int((width - 60) / entry)))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        del include, exclude
        return {MIME: self.spec(), "text/html": self._repr_html_(), "text/plain": self.summary}

    def _repr_html_(self) -> str:
        return self.svg()


INHERITED = frozenset(
    "constructor toString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable "
    "toLocaleString __proto__ __defineGetter__ __defineSetter__ __lookupGetter__ "
    "__lookupSetter__".split()
)
"""What every object of JavaScript has already: a class of that name would be looked up there."""

INVISIBLE = "\u2060"


def _as_data(part: Any) -> Any:  # noqa: ANN401
    """Copy a specification; a name that JavaScript knows gets a mark that nobody sees."""
    if isinstance(part, dict):
        return {key: _as_data(value) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return [_as_data(one) for one in part]
    if isinstance(part, str):
        return f"{INVISIBLE}{part}" if part in INHERITED else part
    return deepcopy(part)


def drawing_script() -> str:
    """Give the JavaScript that draws a specification in a browser: ``window.steelyardEmbed``."""
    script: str = _renderer().javascript_bundle(SNIPPET, vl_version=VERSION)
    return script


def _drawn(spec: dict[str, Any]) -> str:
    drawn: str = _renderer().vegalite_to_svg(spec, vl_version=VERSION, allowed_base_urls=[])
    return drawn


def _folded(text: str, columns: int) -> list[str]:
    """Break a text into lines; the renderer would cut it."""
    return wrap_sentence(text, max(12, columns)).split("\n")


def _renderer() -> Any:  # noqa: ANN401
    import vl_convert

    return vl_convert


def _svg(chart: Chart, look: Look) -> bytes:
    return (chart.svg(look=look) + "\n").encode()


def _png(chart: Chart, look: Look) -> bytes:
    drawn: bytes = _renderer().svg_to_png(chart.svg(look=look), scale=SCALE)
    return drawn


def _pdf(chart: Chart, look: Look) -> bytes:
    drawn: bytes = _renderer().svg_to_pdf(chart.svg(look=look))
    return drawn


def _html(chart: Chart, look: Look) -> bytes:
    return chart.html(look=look).encode()


def _json(chart: Chart, look: Look) -> bytes:
    return f"{json_text(chart.spec(look=look), indent=1)}\n".encode()


WRITERS: dict[str, Callable[[Chart, Look], bytes]] = {
    ".svg": _svg,
    ".png": _png,
    ".pdf": _pdf,
    ".html": _html,
    ".json": _json,
}
SUFFIXES = tuple(WRITERS)
"""What a chart can be saved as."""
