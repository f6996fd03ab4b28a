from hypothesis import given
from hypothesis import strategies as st

from steelyard.display.bars import interval_bars

shares = st.lists(st.floats(0, 1), min_size=3, max_size=3).map(lambda ends: tuple(sorted(ends)))


@given(st.lists(st.none() | shares, max_size=8))
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


def test_a_narrow_scale_shows_more_digits():
    assert interval_bars([(0.991, 0.992, 0.993)])[0].split() == ["0.9910", "0.9930"]


def test_a_number_outside_its_interval_is_drawn_at_the_edge():
    _, bars = interval_bars([(0.2, 0.9, 0.4), (0.2, 0.0, 0.4)])
    assert bars[0].endswith("●")
    assert bars[1].startswith("●")
