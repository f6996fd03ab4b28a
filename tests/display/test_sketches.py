"""Pictures of letters: they fit, and say what the curve says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.display.sketches import (
    BRAILLE,
    curve_sketch,
    density_sketch,
    interval_bars,
    path_text,
)
from steelyard.display.text import display_width

names = st.text(min_size=1, max_size=30)


@given(st.dictionaries(names, st.floats(0.01, 0.9), min_size=1, max_size=5), st.integers(40, 120))
def test_every_row_fits_whatever_the_names_are(starts, width):
    densities = {name: ([x, x + 0.05, x + 0.1], [0.0, 5.0, 0.0]) for name, x in starts.items()}
    lines = density_sketch(densities, width=width).split("\n")
    assert len(lines) == len(densities) + 1
    assert all(display_width(line) <= width for line in lines)


def test_the_block_is_full_where_the_density_is_highest():
    row = density_sketch({"S": ([0.0, 0.5, 1.0], [0.0, 1.0, 0.0])}, width=44).split("\n")[0]
    blocks = row[3:]
    assert blocks.index("█") == pytest.approx(20, abs=2)
    assert blocks.strip() == blocks.strip()[::-1]


def test_a_perfect_curve_runs_along_the_edges():
    lines = curve_sketch(([0, 0, 1], [0, 1, 1]), width=10, height=4).split("\n")
    top, left = lines[0][2:], [line[2] for line in lines[:4]]
    assert len(top) == 10
    assert all(ord(letter) & 0x09 for letter in top)
    assert all((ord(letter) - BRAILLE) & 0x47 for letter in left)
    assert lines[-1] == "  0        1"


shares = st.lists(st.floats(0, 1), min_size=3, max_size=3).map(lambda ends: tuple(sorted(ends)))
anything = st.floats(allow_nan=False, allow_infinity=False)
wild = st.lists(anything, min_size=3, max_size=3).map(lambda ends: tuple(sorted(ends)))


@given(st.lists(st.none() | shares | wild, max_size=8))
def test_every_bar_lies_within_the_scale_and_has_its_point(rows):
    scale, bars = interval_bars(rows)
    assert len(bars) == len(rows)
    for row, bar in zip(rows, bars, strict=True):
        if bar is not None:
            assert row is not None
            assert len(bar) == len(scale)
            assert bar.count("●") == 1


def test_bars_stand_where_their_numbers_are():
    _, bars = interval_bars([(0.0, 0.5, 1.0), (0.0, 0.1, 0.2), (0.9, 0.95, 1.0)])
    assert bars[0].startswith("├") and bars[0].endswith("┤")
    assert bars[1].index("●") < bars[2].index("●")


def test_nothing_is_drawn_of_nothing_and_of_no_width():
    assert interval_bars([]) == ("", [])
    assert interval_bars([None]) == ("", [None])
    assert interval_bars([(0.5, 0.5, 0.5)]) == ("", [None])
    assert interval_bars([(0.0, 0.0, 5e-324)]) == ("", [None])
    assert interval_bars([(-1e308, 0.0, 1e308)]) == ("", [None])


def test_a_narrow_scale_shows_more_digits():
    assert interval_bars([(0.991, 0.992, 0.993)])[0].split() == ["0.9910", "0.9930"]


def test_a_number_outside_its_interval_is_drawn_at_the_edge():
    _, bars = interval_bars([(0.2, 0.9, 0.4), (0.2, 0.0, 0.4)])
    assert bars[0].endswith("●")
    assert bars[1].startswith("●")


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
