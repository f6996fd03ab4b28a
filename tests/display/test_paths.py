"""A path drawn with characters fits its terminal and shows its ends."""

from hypothesis import given
from hypothesis import strategies as st

from steelyard.display.paths import path_text

values = st.floats(-1e6, 1e6)


@given(
    st.lists(st.tuples(st.integers(1, 10**6), values), min_size=1, max_size=30),
    st.lists(values, max_size=2),
    st.integers(30, 100),
    st.integers(3, 20),
)
def test_every_line_fits(points, bounds, width, height):
    path = sorted((float(items), value) for items, value in points)
    lines = path_text(path, bounds=bounds, stopped=path[0][0], width=width, height=height)
    assert len(lines.split("\n")) == height + 1
    assert "●" in lines
    assert max(map(len, lines.split("\n"))) <= width + 2


def test_the_labels_of_a_large_scale_stand_under_one_another():
    drawn = path_text([(1, 0.5), (10, 3.0)], bounds=[20.0], width=40, height=6).split("\n")
    labels = [line.split()[0] for line in drawn[:-1]]
    assert labels == ["20.0", "16.1", "12.2", "8.3", "4.4", "0.5"]


def test_nothing_is_drawn_of_nothing():
    assert path_text([]) == ""
