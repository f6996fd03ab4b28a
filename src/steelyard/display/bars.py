"""Intervals drawn in a line of text, all on one scale."""

from collections.abc import Sequence

__all__ = ["interval_bars"]

Ends = tuple[float, float, float]
"""Low, value and high."""


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
    if not span > 0:
        return "", [None for _ in rows]
    digits = 2 if span >= 0.02 else 4
    left, right = f"{low:.{digits}f}", f"{high:.{digits}f}"
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
