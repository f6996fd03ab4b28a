"""Thinning: fewer points, the same line."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from steelyard.display.figures import roc_chart
from steelyard.display.figures.thinning import TOLERANCE, thin

steps = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=60)


def distance(point, line):
    """How far a point is from a line of many parts."""
    best = float("inf")
    for (ax, ay), (bx, by) in pairwise(line):
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        along = ((point[0] - ax) * dx + (point[1] - ay) * dy) / length if length else 0.0
        along = min(1.0, max(0.0, along))
        away = ((point[0] - ax - along * dx) ** 2 + (point[1] - ay - along * dy) ** 2) ** 0.5
        best = min(best, away)
    return best


@given(steps)
def test_no_point_is_farther_from_the_drawn_line_than_the_tolerance(points):
    rising = list(zip(sorted(x for x, _ in points), sorted(y for _, y in points), strict=True))
    kept = thin(rising)
    assert kept[0] == rising[0]
    assert kept[-1] == rising[-1]
    assert set(kept) <= set(rising)
    assert all(distance(point, kept) <= TOLERANCE for point in rising)


def test_a_large_curve_is_drawn_with_few_points_and_says_so():
    rates = [place / 50_000 for place in range(50_001)]
    chart = roc_chart({"svm": (rates, [rate**0.3 for rate in rates])})
    rows = chart.body["layer"][1]["data"]["values"]
    assert len(rows) < 200
    assert chart.notes == (
        f"Drawn with {len(rows)} of 50,001 points, which no eye can tell apart.",
    )
    assert roc_chart({"svm": ([0, 1], [0, 1])}).notes == ()
