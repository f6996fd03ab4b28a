"""A chart: one Vega-Lite specification that shows itself, saves itself and names itself."""

import os
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from xml.etree import ElementTree

from steelyard.display.figures.document import chart_document
from steelyard.display.figures.labels import plain_line
from steelyard.display.figures.rows import Rows, write_sides
from steelyard.display.figures.svg import frame_of, tidy_svg
from steelyard.display.figures.theme import Look, theme
from steelyard.display.interchange import json_text
from steelyard.display.saving import write_whole
from steelyard.display.text import wrap_sentence
from steelyard.errors import ExtraMissing, RequestError, need

if TYPE_CHECKING:
    import altair

__all__ = [
    "SCHEMA",
    "SNIPPET",
    "SUFFIXES",
    "Chart",
    "Hint",
    "drawing_script",
    "find_hints",
    "number_hints",
]

# --- what stands under the pointer: the points of a drawing that have words, and where they lie --


MARK = "steelyard-hint-"
MOVE = re.compile(r"translate\((-?[\d.]+),(-?[\d.]+)\)")
NUMBER = re.compile(r"-?\d+\.?\d*")
EDGE = 0.02
"""So far outside of the plot, as a share of it, a point may lie and still be drawn."""


class Hint(NamedTuple):
    """A place as shares of the plot, from its left and its top, and the words for it."""

    x: float
    y: float
    words: str


def number_hints(spec: dict[str, Any]) -> list[str]:
    """Number every row that has words under the pointer, and give the words by number.

    The number goes into the description of its mark, which the renderer writes out.
    """
    words: list[str] = []
    panels = spec.get("spec", {}).get("layer", ())
    told = [one for one in panels if one.get("encoding", {}).get("tooltip")]
    for layer in told[:1]:
        # Panels share their rows, which are those of the whole.
        whole = {"data": spec["data"], "encoding": layer["encoding"]}
        words = number_hints({"layer": [whole]})
        spec["data"] = whole["data"]
    for layer in spec.get("layer", ()):
        tips = layer.get("encoding", {}).get("tooltip")
        if not tips or "data" not in layer:
            continue
        rows = []
        for row in layer["data"]["values"]:
            rows.append({**row, "hint": f"{MARK}{len(words)}"})
            words.append(_tell(row, tips))
        layer["data"] = {"values": rows}
        layer["encoding"]["description"] = {"field": "hint", "type": "nominal"}
    return words


def _tell(row: dict[str, Any], tips: list[dict[str, str]]) -> str:
    said = [(one["title"].strip(), row.get(one["field"])) for one in tips]
    return "\n".join(f"{title}: {text}" if title else f"{text}" for title, text in said if text)


def find_hints(drawn: str, words: list[str]) -> list[Hint]:
    """Find where numbered marks lie in a drawing; the same words twice are one point."""
    if not words:
        return []
    left, top, wide, high = frame_of(drawn)
    found: dict[str, Hint] = {}
    for element, (x, y) in _place(ElementTree.fromstring(drawn), (0.0, 0.0)):
        label = element.get("aria-label", "")
        if not label.startswith(MARK):
            continue
        said = words[int(label.removeprefix(MARK))]
        across, down = _centre(element)
        hint = Hint(
            x=round((x + across - left) / wide, 4), y=round((y + down - top) / high, 4), words=said
        )
        if -EDGE <= min(hint.x, hint.y) and max(hint.x, hint.y) <= 1 + EDGE:
            found[said] = hint
    return list(found.values())


def _place(
    element: ElementTree.Element, at: tuple[float, float]
) -> list[tuple[ElementTree.Element, tuple[float, float]]]:
    moved = MOVE.match(element.get("transform", ""))
    here = (at[0] + float(moved[1]), at[1] + float(moved[2])) if moved else at
    return [(element, here), *(one for child in element for one in _place(child, here))]


def _centre(element: ElementTree.Element) -> tuple[float, float]:
    """Find the middle of a line or a bar, beside its own place; a symbol lies around its place."""
    if element.get("x2") is not None:
        return float(element.get("x2", 0)) / 2, float(element.get("y2", 0)) / 2
    box = re.match(r"M([-\d.e]+),([-\d.e]+)h([-\d.e]+)v([-\d.e]+)", element.get("d", ""))
    if box is None:
        return _round(element.get("d", ""))
    x, y, wide, high = map(float, box.groups())
    return x + wide / 2, y + high / 2


def _round(path: str) -> tuple[float, float]:
    """Find the middle of a bar with round corners; a symbol lies around its own place."""
    start = re.match(r"M(-?[\d.]+),(-?[\d.]+)L", path)
    if start is None:
        return 0.0, 0.0
    pairs = [tuple(map(float, NUMBER.findall(part)[-2:])) for part in re.split("[MLC]", path)[1:]]
    xs, ys = [one[0] for one in pairs if len(one) == 2], [one[1] for one in pairs if len(one) == 2]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


# --- a chart: one Vega-Lite specification that shows itself, saves itself and names itself -------


SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
VERSION = "6.4"
MIME = "application/vnd.vegalite.v6+json"
WIDTH = 640
LETTER = 7.4
"""About the width of a letter of the legend, in pixels."""
USUAL_ROWS = 2
"""Rows of a legend for which a chart has room; each further one makes it higher."""
SCALE = 2.0
LONG_NAME = 24
"""Beside a row a longer name leaves little of half a page to draw in."""
LEGEND_ROW = 21
LEGEND_LIMIT = 260
LOWEST = 250
NARROWEST_PANEL = 260
PANEL_MARGIN = 60
PANEL_GAP = 26
SNIPPET = "window.steelyardEmbed = vegaEmbed;"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One picture as plain data: no colours (the look has them), no address to load from.

    ``body`` is the specification without size, title and theme, of layers or of panels (``facet``,
    ``columns``, ``spec``); ``height`` is a number, or a
    mapping such as ``{"step": 34}`` for a row per system. ``summary`` says in a sentence what is
    drawn, for those who cannot see it; ``notes`` are drawn under the title; ``names`` are the
    entries of the legend, ``rows`` what stands beside the rows.
    """

    title: str
    summary: str
    body: Mapping[str, Any]
    height: int | Mapping[str, int]
    width: int = WIDTH
    names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    rows: Rows | None = None

    def __post_init__(self) -> None:
        for name in ("title", "summary"):
            object.__setattr__(self, name, plain_line(getattr(self, name)))
        object.__setattr__(self, "notes", tuple(map(plain_line, self.notes)))

    @property
    def broad(self) -> bool:
        """Whether it wants a row for itself: small multiples, and rows with long names."""
        names = () if self.rows is None else self.rows.names
        long = any(len(name) > LONG_NAME for row in names for name in row)
        return long or len(self.body.get("facet", {}).get("sort", ())) > 1

    def showing(self, drawn: int, whole: int, what: str, which: str = "") -> Self:
        """Say under the title that not all is drawn, and which; the same chart where all is."""
        note = f"{drawn:,d} of {whole:,d} {what} are drawn{which and f', {which}'}."
        return self if drawn == whole else replace(self, notes=(*self.notes, note))

    def spec(
        self, *, look: Look = "light", width: int | None = None, titled: bool = True
    ) -> dict[str, Any]:
        """Give the whole Vega-Lite specification; ``width`` makes room for a phone or a poster."""
        wide = self.width if width is None else width
        if "spec" in self.body:
            return self._panels(wide, look=look, titled=titled)
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
                look,
                legend_columns=self._columns(wide),
                label_limit=min(210, wide // 3),
                legend_limit=self._legend_limit(wide),
            ),
            **_as_data(self._body_at(wide)),
        }

    def _body_at(self, wide: int) -> dict[str, Any]:
        """Give the body, with names and numbers beside its rows that fit the width."""
        body = dict(self.body)
        return body if self.rows is None else body | write_sides(body["layer"], self.rows, wide)

    def _panels(self, wide: int, *, look: Look, titled: bool) -> dict[str, Any]:
        """Give a specification of small multiples: as many columns as find room, each square."""
        body = dict(self.body)
        columns = max(1, min(int(body["columns"]), wide // NARROWEST_PANEL))
        side = max(140, (wide - PANEL_MARGIN) // columns - PANEL_GAP)
        return {
            "$schema": SCHEMA,
            "description": self.summary,
            **({"title": self._title(wide)} if titled else {}),
            "config": theme(look, legend_columns=1, label_limit=min(210, wide // 3)),
            **_as_data(
                body | {"columns": columns, "spec": {**body["spec"], "width": side, "height": side}}
            ),
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
        drawn = _draw(self.spec(look=look, width=width, titled=titled))
        return tidy_svg(drawn, label=self.summary, prefix=prefix)

    def hinted_svg(
        self, *, look: Look = "light", width: int | None = None, prefix: str = "chart"
    ) -> tuple[str, list[Hint]]:
        """Draw without a title, and tell what stands under the pointer where."""
        spec = self.spec(look=look, width=width, titled=False)
        words = number_hints(spec)
        drawn = _draw(spec)
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

    def to_altair(self, *, look: Look = "light") -> "altair.LayerChart | altair.FacetChart":
        """Give the chart to Altair, to change it further."""
        try:
            import altair
        except ImportError:
            raise ExtraMissing.for_part(what="A chart for Altair", extra="notebook") from None
        if "spec" in self.body:
            return altair.FacetChart.from_dict(self.spec(look=look), validate=False)
        return altair.LayerChart.from_dict(self.spec(look=look), validate=False)

    def _title(self, width: int) -> dict[str, Any]:
        lines = [line for note in self.notes for line in _fold(note, int(width / 6.6))]
        return {
            "text": _fold(self.title, int(width / 9)),
            **({"subtitle": lines} if lines else {}),
        }

    def _height(self, width: int) -> int | dict[str, int]:
        """Keep the proportions, but leave room for the legend and for eyes."""
        if not isinstance(self.height, int):
            return dict(self.height)
        usual = min(USUAL_ROWS, self._legend_rows(self.width))
        legend = LEGEND_ROW * (self._legend_rows(width) - usual)
        return max(round(self.height * width / self.width), min(self.height, LOWEST)) + legend

    def _legend_limit(self, width: int) -> int:
        """Cut an entry of the legend only where it would not fit into a row of its own."""
        return max(LEGEND_LIMIT, width - 80)

    def _legend_rows(self, width: int) -> int:
        return -(-len(self.names) // self._columns(width))

    def _columns(self, width: int) -> int:
        longest = max((len(name) for name in self.names), default=1)
        entry = longest * LETTER + 52
        return max(1, min(len(self.names) or 1, int((width - 60) / entry)))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        del include, exclude
        shown = {MIME: self.spec(), "text/plain": self.summary}
        drawn = self._repr_html_()
        return shown if drawn is None else {**shown, "text/html": drawn}

    def _repr_html_(self) -> str | None:
        """Draw it; where the part that draws is missing the notebook draws by itself."""
        try:
            return self.svg()
        except ExtraMissing:
            return None


INHERITED = frozenset(
    "constructor toString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable "
    "toLocaleString __proto__ __defineGetter__ __defineSetter__ __lookupGetter__ "
    "__lookupSetter__ if".split()
)
"""What every object of JavaScript has already, where a class of that name would be looked up; and
a word of Vega's that it takes for its own even in quotes."""

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


def _draw(spec: dict[str, Any]) -> str:
    drawn: str = _renderer().vegalite_to_svg(spec, vl_version=VERSION, allowed_base_urls=[])
    return drawn


def _fold(text: str, columns: int) -> list[str]:
    """Break a text into lines; the renderer would cut it."""
    return wrap_sentence(text, max(12, columns)).split("\n")


def _renderer() -> Any:  # noqa: ANN401
    need("vl_convert", "A chart as a picture")
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
