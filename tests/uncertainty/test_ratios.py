"""Ratios of shares and odds, against statsmodels, and where a cell is 0."""

import pytest
from statsmodels.stats.contingency_tables import Table2x2
from statsmodels.stats.proportion import confint_proportions_2indep

from steelyard.errors import CountsError
from steelyard.uncertainty import odds_ratio_interval, share_ratio_interval


@pytest.mark.parametrize("cells", [(8, 1, 2, 9), (56, 48, 14, 32), (3, 2, 40, 50)])
def test_limits_agree_with_statsmodels(cells):
    a, b, c, d = cells
    ours = share_ratio_interval((a, a + c), (b, b + d))
    theirs = confint_proportions_2indep(a, a + c, b, b + d, compare="ratio", method="log")
    assert ours == pytest.approx(theirs, rel=1e-9)
    table = Table2x2([[a, b], [c, d]])
    assert odds_ratio_interval(cells) == pytest.approx(table.oddsratio_confint(), rel=1e-9)


def test_zero_cells_leave_one_limit_open_and_the_other_finite():
    low, high = share_ratio_interval((9, 10), (0, 20))
    assert high is None
    assert low > 1
    assert share_ratio_interval((0, 10), (5, 20))[0] == 0
    assert share_ratio_interval((0, 10), (5, 20))[1] < 5
    low, high = share_ratio_interval((10, 10), (20, 20))
    assert low < 1 < high
    low, high = odds_ratio_interval((10, 0, 0, 10))
    assert (high, low > 5) == (None, True)
    assert odds_ratio_interval((0, 10, 10, 0))[0] == 0


def test_the_half_is_added_to_every_cell():
    ours = odds_ratio_interval((9, 0, 3, 7))[0]
    assert ours == pytest.approx(odds_ratio_interval((9.5, 0.5, 3.5, 7.5))[0], rel=1e-12)


def test_impossible_samples_are_refused():
    with pytest.raises(CountsError, match="successes <= trials"):
        share_ratio_interval((3, 2), (1, 2))
    with pytest.raises(CountsError, match="0 or more"):
        odds_ratio_interval((-1, 2, 3, 4))
