"""What stands under the pointer: the points of a drawing that have words, and where they lie."""

import re
from typing import Any, NamedTuple
from xml.etree import ElementTree

from steelyard.display.figures.svg import frame_of

__all__ = ["Hint", "find_hints", "number_hints"]

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
    for layer in spec.get("layer", ()):
        tips = layer.get("encoding", {}).get("tooltip")
        if not tips or "data" not in layer:
            continue
        rows = []
        for row in layer["data"]["values"]:
            rows.append({**row, "hint": f"{MARK}{len(words)}"})
            words.append(_told(row, tips))
        layer["data"] = {"values": rows}
        layer["encoding"]["description"] = {"field": "hint", "type": "nominal"}
    return words


def _told(row: dict[str, Any], tips: list[dict[str, str]]) -> str:
    said = [(one["title"].strip(), row.get(one["field"])) for one in tips]
    return "\n".join(f"{title}: {text}" if title else f"{text}" for title, text in said if text)


def find_hints(drawn: str, words: list[str]) -> list[Hint]:
    """Find where numbered marks lie in a drawing; the same words twice are one point."""
    if not words:
        return []
    left, top, wide, high = frame_of(drawn)
    found: dict[str, Hint] = {}
    for element, (x, y) in _placed(ElementTree.fromstring(drawn), (0.0, 0.0)):
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


def _placed(
    element: ElementTree.Element, at: tuple[float, float]
) -> list[tuple[ElementTree.Element, tuple[float, float]]]:
    moved = MOVE.match(element.get("transform", ""))
    here = (at[0] + float(moved[1]), at[1] + float(moved[2])) if moved else at
    return [(element, here), *(one for child in element for one in _placed(child, here))]


def _centre(element: ElementTree.Element) -> tuple[float, float]:
    """Find the middle of a line or a bar, beside its own place; a symbol lies around its place."""
    if element.get("x2") is not None:
        return float(element.get("x2", 0)) / 2, float(element.get("y2", 0)) / 2
    box = re.match(r"M([-\d.e]+),([-\d.e]+)h([-\d.e]+)v([-\d.e]+)", element.get("d", ""))
    if box is None:
        return _rounded(element.get("d", ""))
    x, y, wide, high = map(float, box.groups())
    return x + wide / 2, y + high / 2


def _rounded(path: str) -> tuple[float, float]:
    """Find the middle of a bar with round corners; a symbol lies around its own place."""
    start = re.match(r"M(-?[\d.]+),(-?[\d.]+)L", path)
    if start is None:
        return 0.0, 0.0
    pairs = [tuple(map(float, NUMBER.findall(part)[-2:])) for part in re.split("[MLC]", path)[1:]]
    xs, ys = [one[0] for one in pairs if len(one) == 2], [one[1] for one in pairs if len(one) == 2]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
