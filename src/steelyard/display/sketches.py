"""Pictures made of letters, for a terminal: densities, curves, intervals in a line, paths."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import isfinite

from steelyard.display.numbers import show_count, show_number
from steelyard.display.text import clean_text, display_width, shorten_all

__all__ = ["curve_sketch", "density_sketch", "interval_bars", "path_text"]

BLOCKS = " ▁▂▃▄▅▆▇█"
LONGEST_NAME = 16
BRAILLE = 0x2800
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each dot in a cell of braille, by row and column."""
Curve = tuple[Sequence[float], Sequence[float]]
Ends = tuple[float, float, float]
"""Low, value and high."""
LARGE = 10
"""From here on all labels have one decimal, so that they stand under one another."""
POINT, BOUND, STOP = "●", "─", "┊"


def density_sketch(densities: Mapping[str, Curve], *, width: int = 80) -> str:
    """Draw each density as a row of blocks over one common axis; the tallest row is full height.

    Examples
    --------
    >>> rows = density_sketch({"S": ([0.8, 0.85, 0.9], [0, 9, 0]), "T": ([0.84, 0.9], [4, 4])},
    ...                       width=30)
    >>> print(rows)
    S   ▁▂▂▃▃▄▅▅▆▆▇██▇▆▆▅▅▄▃▃▂▂▁
    T            ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
       0.800                0.900
    """
    clean = {name: clean_text(name) for name in densities}
    cut = shorten_all(clean.values(), LONGEST_NAME) or {}
    names = {name: cut.get(clean[name], clean[name]) for name in densities}
    margin = max(map(display_width, names.values())) + 2
    wide = max(10, width - margin - 1)
    low = min(xs[0] for xs, _ in densities.values())
    high = max(xs[-1] for xs, _ in densities.values())
    tallest = max(max(ys) for _, ys in densities.values()) or 1.0
    lines = []
    for name, (xs, ys) in densities.items():
        at = [low + (high - low) * (place + 0.5) / wide for place in range(wide)]
        row = "".join(_block(_height(xs, ys, x) / tallest) for x in at)
        lines.append((_pad(names[name], margin) + row).rstrip())
    first, last = show_number(low), show_number(high)
    space = " " * max(1, wide - len(first) - len(last))
    return "\n".join([*lines, " " * margin + first + space + last])


def curve_sketch(curve: Curve, *, width: int = 36, height: int = 12) -> str:
    """Draw a curve inside the unit square with dots of braille, and the line of chance.

    Examples
    --------
    >>> print(curve_sketch(([0, 0.1, 1], [0, 0.8, 1]), width=8, height=3))
    1 ⢀⠤⠤⠒⠒⠒⠍⠉
      ⢸  ⡀⠈
    0 ⡇⠐
      0      1
    """
    dots: set[tuple[int, int]] = set()
    across, down = 2 * width - 1, 4 * height - 1
    for place in range(0, across + 1, 3):
        dots.add((place, round(down * (1 - place / across))))
    points = [(x * across, (1 - y) * down) for x, y in zip(*curve, strict=True)]
    for (x1, y1), (x2, y2) in pairwise(points):
        steps = max(1, round(max(abs(x2 - x1), abs(y2 - y1))))
        for step in range(steps + 1):
            share = step / steps
            dots.add((round(x1 + (x2 - x1) * share), round(y1 + (y2 - y1) * share)))
    rows = [
        "".join(_cell(dots, column, row) for column in range(width)).rstrip()
        for row in range(height)
    ]
    marks = {0: "1 ", height - 1: "0 "}
    lines = [marks.get(place, "  ") + row for place, row in enumerate(rows)]
    return "\n".join([*lines, f"  0{' ' * (width - 2)}1"])


def _block(share: float) -> str:
    return BLOCKS[min(8, max(0, round(share * 8)))]


def _height(xs: Sequence[float], ys: Sequence[float], x: float) -> float:
    """Read the height between two points of a curve; 0 outside."""
    if not xs[0] <= x <= xs[-1]:
        return 0.0
    place = next(one for one in range(1, len(xs)) if xs[one] >= x)
    left, right = xs[place - 1], xs[place]
    share = (x - left) / (right - left) if right > left else 1.0
    return ys[place - 1] + share * (ys[place] - ys[place - 1])


def _cell(dots: set[tuple[int, int]], column: int, row: int) -> str:
    code = sum(
        DOTS[down][across]
        for down in range(4)
        for across in range(2)
        if (2 * column + across, 4 * row + down) in dots
    )
    return chr(BRAILLE + code) if code else " "


def _pad(text: str, width: int) -> str:
    return text + " " * (width - display_width(text))


def interval_bars(rows: Sequence[Ends | None], *, width: int = 18) -> tuple[str, list[str | None]]:
    """Draw each interval between the lowest and the highest end of all; give the scale too.

    Examples
    --------
    >>> scale, bars = interval_bars([(0.8, 0.85, 0.9), (0.6, 0.7, 0.8), None])
    >>> scale
    '0.60          0.90'
    >>> bars
    ['           ├──●──┤', '├─────●────┤      ', None]
    """
    known = [row for row in rows if row is not None]
    if not known:
        return "", [None for _ in rows]
    low, high = min(row[0] for row in known), max(row[2] for row in known)
    span = high - low
    digits = 2 if span >= 0.02 else 4
    left, right = f"{low:.{digits}f}", f"{high:.{digits}f}"
    # Ends that are printed alike, or fill the line, are no scale; a span so small has no inverse.
    if left == right or len(left) + len(right) > 2 * width or not isfinite(span):
        return "", [None for _ in rows]
    scale = left + " " * max(1, width - len(left) - len(right)) + right
    return scale, [None if row is None else _bar(row, low, span, len(scale)) for row in rows]


def _bar(row: Ends, low: float, span: float, width: int) -> str:
    start, middle, end = (
        min(max(round((one - low) / span * (width - 1)), 0), width - 1) for one in row
    )
    drawn = [" "] * width
    for place in range(start, end + 1):
        drawn[place] = "─"
    drawn[start], drawn[end] = "├", "┤"
    drawn[middle] = "●"
    return "".join(drawn)


def path_text(
    path: Sequence[tuple[float, float]],
    *,
    bounds: Sequence[float] = (),
    stopped: float | None = None,
    width: int = 72,
    height: int = 12,
) -> str:
    """Draw values against items: a dot a column, lines for the bounds, and for the stop.

    Examples
    --------
    >>> print(path_text([(1, 0.5), (10, 0.8), (20, 0.96)], bounds=[0.95], width=30, height=4))
      0.960 ────────────────────●
      0.807          ●
      0.653
      0.500 ●
            1 item       20 items
    """
    if not path:
        return ""
    values = [y for _, y in path] + list(bounds)
    low, high = min(values), max(values)
    room = high - low or 1.0
    digits = 1 if max(abs(low), abs(high)) >= LARGE else None
    step = room / max(1, height - 1)
    labels = [show_number(high - row * step, digits=digits) for row in range(height)]
    left = max(max(map(len, labels)), 6) + 1
    columns = max(8, width - left - 2)
    first, last = path[0][0], path[-1][0]

    def row_of(value: float) -> int:
        return round((high - value) / room * (height - 1))

    def column_of(items: float) -> int:
        return round((items - first) / ((last - first) or 1.0) * (columns - 1))

    grid = [[" "] * columns for _ in range(height)]
    for bound in bounds:
        grid[row_of(bound)] = [BOUND] * columns
    if stopped is not None and first <= stopped <= last:
        for line in grid:
            line[column_of(stopped)] = STOP
    for items, value in path:
        grid[row_of(value)][column_of(items)] = POINT
    lines = [
        f"{label:>{left}} {''.join(line)}".rstrip()
        for label, line in zip(labels, grid, strict=True)
    ]
    start, end = _items(first), _items(last)
    room_left = columns - len(start)
    foot = f"{start}{end:>{room_left}}" if room_left > len(end) else f"{end:>{columns}}"
    return "\n".join([*lines, f"{'':>{left}} {foot}"])


def _items(number: float) -> str:
    return f"{show_count(round(number))} item{'' if round(number) == 1 else 's'}"
