"""Fewer points for drawing: a curve that looks the same with a few hundred of them."""

from collections.abc import Sequence

__all__ = ["Points", "thin", "thinning_note"]

Points = Sequence[tuple[float, float]]

TOLERANCE = 0.0005
"""Of the length of an axis: a third of a pixel on a chart 640 pixels wide."""


def thin(points: Points, *, width: float = 1.0, height: float = 1.0) -> list[tuple[float, float]]:
    """Leave out points that lie on the line between their neighbours, as far as eyes can tell.

    No point of the curve is farther from the line that is drawn than 0.0005 of the ranges of the
    axes, ``width`` and ``height``. For drawing only: nothing is computed from what is left.

    References
    ----------
    .. [1] Douglas & Peucker (1973), Cartographica 10, 112-122, doi:10.3138/FM57-6770-U75U-7727.

    Examples
    --------
    >>> thin([(0.0, 0.0), (0.25, 0.25), (0.5, 0.5), (1.0, 0.5)])
    [(0.0, 0.0), (0.5, 0.5), (1.0, 0.5)]
    """
    scaled = [(x / width, y / height) for x, y in points]
    if len(scaled) < 3:
        return list(points)
    places = _apart(scaled)
    kept = _corners([scaled[place] for place in places])
    return [points[places[place]] for place in kept]


def thinning_note(drawn: int, given: int) -> tuple[str, ...]:
    """Say that a curve was thinned for drawing; nothing when it was not."""
    if drawn >= given:
        return ()
    return (f"Drawn with {drawn:,d} of {given:,d} points, which no eye can tell apart.",)


def _apart(points: Points) -> list[int]:
    """Skip points that fall together with the last one kept; what is left is a few thousand."""
    near = TOLERANCE / 4
    kept = [0]
    last = points[0]
    for place, point in enumerate(points):
        if abs(point[0] - last[0]) > near or abs(point[1] - last[1]) > near:
            if kept[-1] != place - 1:
                kept.append(place - 1)  # the last one before a jump is a corner
            kept.append(place)
            last = point
    if kept[-1] != len(points) - 1:
        kept.append(len(points) - 1)
    return kept


def _corners(points: Points) -> list[int]:
    kept = {0, len(points) - 1}
    waiting = [(0, len(points) - 1)]
    while waiting:
        first, last = waiting.pop()
        far, place = _farthest(points, first, last)
        if far > TOLERANCE / 2:
            kept.add(place)
            waiting += [(first, place), (place, last)]
    return sorted(kept)


def _farthest(points: Points, first: int, last: int) -> tuple[float, int]:
    (ax, ay), (bx, by) = points[first], points[last]
    dx, dy = bx - ax, by - ay
    length = (dx * dx + dy * dy) ** 0.5
    best, found = 0.0, first
    for place in range(first + 1, last):
        px, py = points[place][0] - ax, points[place][1] - ay
        away = abs(px * dy - py * dx) / length if length else (px * px + py * py) ** 0.5
        if away > best:
            best, found = away, place
    return best, found
