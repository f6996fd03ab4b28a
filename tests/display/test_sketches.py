"""Pictures of letters: they fit, and say what the curve says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.display.sketches import BRAILLE, curve_sketch, density_sketch
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
