"""The score interval of a ratio: Wilson as a special case, and its defining equation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from steelyard.errors import CountsError
from steelyard.uncertainty import normal_quantile, ratio_score_interval, wilson_interval

counts = st.lists(st.integers(0, 40), min_size=3, max_size=3).filter(any)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_one_share_has_wilsons_interval(sample):
    won, tried = sample
    ends = ratio_score_interval([won, tried - won], [1, 0], [1, 1])
    assert ends == pytest.approx(wilson_interval(won, tried), abs=1e-12)


@given(counts)
def test_three_cells_of_two_kinds_have_wilsons_interval_of_the_kind(cells):
    low, high = wilson_interval(cells[0], sum(cells))
    ends = ratio_score_interval(cells, [2, 0, 0], [2, 1, 1])
    assert ends == pytest.approx((2 * low / (1 + low), 2 * high / (1 + high)), abs=1e-12)


@given(counts)
def test_the_limits_lie_around_the_estimate_and_have_width(cells):
    hit, alarm, miss = cells
    found = 5 * hit / (5 * hit + alarm + 4 * miss)
    low, high = ratio_score_interval(cells, [5, 0, 0], [5, 1, 4])
    assert 0 <= low <= found <= high <= 1
    assert high - low > 1e-3


def restricted(cells, slope):
    """The likeliest shares with mean slope 0, by a general optimiser."""
    cells = np.asarray(cells, float)

    def loss(p):
        return -float((cells * np.log(np.maximum(p, 1e-300))).sum()) / cells.sum()

    found = minimize(
        loss,
        np.full(len(cells), 1 / len(cells)),
        method="SLSQP",
        bounds=[(1e-12, 1)] * len(cells),
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ slope},
        ],
        options={"maxiter": 500, "ftol": 1e-15},
    )
    return found.x


@pytest.mark.parametrize("cells", [(20, 5, 3), (10, 0, 4), (12, 0, 0), (0, 6, 2)])
def test_at_each_limit_the_score_test_is_just_not_rejected(cells):
    top, bottom = np.array([5.0, 0, 0]), np.array([5.0, 1, 4])
    for limit in ratio_score_interval(cells, top, bottom):
        if limit in {0.0, 1.0}:
            continue
        slope = top - limit * bottom
        shares = restricted(cells, slope)
        gap = abs(slope @ np.asarray(cells))
        # The optimiser is good to about 1e-5, and so is the comparison.
        assert gap / np.sqrt(sum(cells) * (slope**2 @ shares)) == pytest.approx(
            normal_quantile(0.95), rel=2e-3
        )


def test_a_cell_that_was_never_seen_holds_the_limit_up():
    without = ratio_score_interval([90, 8, 2], [0, 1, 5], [1, 1, 1])
    held = ratio_score_interval([90, 8, 2, 0], [0, 1, 5, 1000], [1, 1, 1, 1])
    assert held[0] == pytest.approx(without[0], abs=1e-9)
    assert held[1] > 30 > without[1]


def test_what_is_no_table_is_refused():
    with pytest.raises(CountsError, match="No item lies"):
        ratio_score_interval([0, 0], [1, 0], [1, 1])
    with pytest.raises(CountsError, match="0 or more"):
        ratio_score_interval([3, -1], [1, 0], [1, 1])
    with pytest.raises(CountsError, match="denominators above 0"):
        ratio_score_interval([3, 1], [1, 1], [1, 0])
