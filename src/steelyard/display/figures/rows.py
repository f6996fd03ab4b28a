"""Charts with a row for each name: what fits left of the plot, and the numbers at its right."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from steelyard.display.figures.labels import drawable, labels

__all__ = ["Rows", "band_axis", "band_side", "write_sides"]

LETTER = 7.2
"""About the width of a letter beside a row, in pixels."""
BETWEEN = " − "
BROKEN = " −\n"
NARROWEST = 7
ROOMY = 440
"""From this width on intervals stand beside the values."""
TINY, SHORT, FEW = 2, 11, 8
"""Names stand above the columns of a matrix if they are tiny, or short and few."""
BESIDE = "\N{EN SPACE}"
SHARE, NARROW_SHARE = 0.33, 0.42
"""Names take a third of a picture, of a narrow one more, and never more than this."""
MOST = 300
MARK = "\x1f"
"""Parts labels; none of them holds it, since names are shown as plain text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What is written at both sides of rows: one name or a pair of names, and numbers as text.

    ``values`` are short, ``intervals`` go beside them where there is room; both may be empty.
    """

    names: tuple[tuple[str, ...], ...]
    values: tuple[str, ...] = ()
    intervals: tuple[str, ...] = ()

    def left(self, width: int) -> list[str]:
        """Write the names as long as a picture of this width has room for, no two alike.

        A pair that does not fit into one line stands in two.
        """
        share = SHARE if width >= ROOMY else NARROW_SHARE
        letters = int(min(MOST, width * share) / LETTER)
        whole = [BETWEEN.join(map(drawable, row)) for row in self.names]
        if max(map(len, self.names), default=1) == 1 or max(map(len, whole)) <= letters:
            between, most = BETWEEN, letters
        else:
            between, most = BROKEN, letters - len(BROKEN.rstrip("\n"))
        shown = labels((name for row in self.names for name in row), width=max(NARROWEST, most))
        return [between.join(shown[name] for name in row) for row in self.names]

    def right(self, width: int) -> list[str]:
        """Write the numbers, with their intervals where there is room."""
        if width < ROOMY or not self.intervals:
            return list(self.values)
        return [
            f"{value}  {ends}".rstrip()
            for value, ends in zip(self.values, self.intervals, strict=True)
        ]


def write_sides(layers: Sequence[dict[str, Any]], rows: Rows, width: int) -> dict[str, Any]:
    """Write the sides of rows into a layered specification, whose rows are the field ``row``.

    The numbers are the labels of an axis of their own, so that the renderer leaves room for them.
    """
    left = rows.left(width)
    written: list[dict[str, Any]] = []
    for layer in layers:
        encoding = layer["encoding"]
        if encoding.get("y", {}).get("field") == "row":
            # One axis for all layers: each of its own would be drawn over the others.
            first = all("axis" not in one["encoding"].get("y", {}) for one in written)
            side = _axis(encoding["y"].get("axis") or {}, left) if first else None
            encoding = {**encoding, "y": {**encoding["y"], "axis": side}}
        written.append({**layer, "encoding": encoding})
    if not rows.values:
        return {"layer": written, "resolve": {"axis": {"y": "independent"}}}
    place = next(one["encoding"]["y"] for one in written if one["encoding"].get("y"))
    right = _axis({"grid": False, "domain": False, "orient": "right"}, rows.right(width))
    numbers = {
        "data": {"values": [{"row": name} for name in place["scale"]["domain"]]},
        "mark": {"type": "text", "text": ""},
        "encoding": {"y": {**place, "axis": right}},
    }
    return {"layer": [*written, numbers], "resolve": {"axis": {"y": "independent"}}}


def band_axis(order: Sequence[str], side: str) -> dict[str, Any]:
    """Name the bands of a matrix: where names are long, by a letter above and beside its name.

    Examples
    --------
    >>> band_axis(["svm", "knn"], "top")["labelAngle"]
    0
    >>> "A" in band_axis(["meta-llama/Llama-3.1", "svm"], "top")["labelExpr"]
    True
    """
    own = {"orient": side, "domain": False, "grid": False, "labelOverlap": "greedy"}
    own |= {"labelAngle": 0} if side == "top" else {}
    longest = max(map(len, order), default=0)
    if longest <= TINY or (longest <= SHORT and len(order) <= FEW):
        return {**own, "labelLimit": 140}
    letters = ascii_uppercase if len(order) <= len(ascii_uppercase) else range(1, len(order) + 1)
    keyed = [(f"{letter}", name) for letter, name in zip(letters, order, strict=False)]
    return _axis(
        own, [letter if side == "top" else f"{name} {BESIDE}{letter}" for letter, name in keyed]
    )


def band_side(field: str, order: Sequence[str], side: str, *, padding: float) -> dict[str, Any]:
    """Lay names along one side of a grid of cells."""
    return {
        "field": field,
        "type": "nominal",
        "title": None,
        "sort": list(order),
        "scale": {"domain": list(order), "paddingInner": padding},
        "axis": band_axis(order, side),
    }


def _axis(own: dict[str, Any], texts: Sequence[str]) -> dict[str, Any]:
    """Label an axis with texts in the order of its rows; none of them is cut again."""
    # One literal for all: an expression would look up a name that JavaScript or Vega know.
    listed = json.dumps("".join(f"{MARK}{text}" for text in texts))
    wide = max((len(line) for text in texts for line in text.split("\n")), default=1)
    place = f"1 + round(datum.index * {max(1, len(texts) - 1)})"
    broken = any("\n" in text for text in texts)
    return {
        **own,
        "labelLimit": max(40, round(wide * 10)),
        **({"labelOffset": -7} if broken else {}),
        "labelExpr": f"split({_nth(listed, place)}, '\\n')" if broken else _nth(listed, place),
    }


def _nth(listed: str, place: str) -> str:
    return f"split({listed}, {json.dumps(MARK)})[{place}]"
