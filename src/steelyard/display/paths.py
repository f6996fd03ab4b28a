"""A path of numbers drawn with characters, for a terminal."""

from collections.abc import Sequence

from steelyard.display.numbers import show_count, show_number

__all__ = ["path_text"]

LARGE = 10
"""From here on all labels have one decimal, so that they stand under one another."""
POINT, BOUND, STOP = "●", "─", "┊"


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
