"""Fixed items, each asked again: the spread of their answers, and of one more."""

import numpy as np
import pytest
from scipy.stats import chi2

from steelyard.errors import CountsError
from steelyard.uncertainty import draw_strata

VALUES = (1.0, 0.0, -1.0)


def low(counts, values=VALUES, *, seed=1, share=0.05):
    drawn = draw_strata(counts, values, rng=np.random.default_rng(seed), draws=100_000)
    return float(np.quantile(drawn, share))


def test_answers_that_never_differ_still_leave_room_for_one():
    # Exp(1) at 95 %: three answers of 1 in 40.
    assert low([[0, 2, 0]] * 20) == pytest.approx(np.log(0.05) / 40, rel=0.02)
    assert low([[2, 0, 0]] * 20) == pytest.approx(1 + 2 * np.log(0.05) / 40, rel=0.01)


@pytest.mark.parametrize("lost", [1, 4, 12])
def test_rare_losses_have_the_exact_upper_limit_of_a_poisson_count(lost):
    counts = [[0, 1, 1]] * lost + [[0, 2, 0]] * (60 - lost)
    # chi-square form of Garwood's limit for a Poisson mean
    assert low(counts) == pytest.approx(-chi2.ppf(0.95, 2 * lost + 2) / 2 / 120, rel=0.02)


def test_the_spread_is_the_unbiased_variance_of_strata_and_one_unseen_answer():
    rng = np.random.default_rng(5)
    counts = rng.multinomial(7, [0.3, 0.4, 0.3], size=40)
    drawn = draw_strata(counts, VALUES, rng=rng, draws=200_000)
    gaps = [np.repeat(VALUES, row) for row in counts]
    expected = sum(7 * np.var(one, ddof=1) for one in gaps) + 2**2
    assert float(drawn.var()) * 280**2 == pytest.approx(expected, rel=0.03)
    assert float(drawn.mean()) == pytest.approx(np.mean(gaps) - 2 / 280, abs=1e-3)


def test_nothing_lies_below_the_smallest_value():
    assert low([[0, 0, 3]] * 4) == -1
    assert low([[1, 1], [2, 0]], (1.0, 0.0)) >= 0


def test_an_item_that_was_asked_once_is_refused():
    with pytest.raises(CountsError, match="two answers"):
        draw_strata([[1, 0, 0]], VALUES, rng=np.random.default_rng(1))
