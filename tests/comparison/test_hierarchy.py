import pytest
from scipy import stats

from steelyard.comparison import pool_differences
from steelyard.counts import PairTable
from steelyard.errors import NotComparable

WON, LOST, ITEMS = (12, 30, 9, 25, 4), (6, 5, 11, 7, 8), (98, 160, 80, 120, 90)
TABLES = [
    PairTable(both=0, first=b, second=c, neither=n - b - c)
    for b, c, n in zip(WON, LOST, ITEMS, strict=True)
]


def test_pooling_agrees_with_metafor():
    # R metafor 3.8.1: rma(yi, vi, method="DL", test="adhoc"), blup().
    found = pool_differences(TABLES)
    assert (found.mean, found.low, found.high, found.p_value, found.between) == pytest.approx(
        (0.061979673302, -0.059108762079, 0.183068108684, 0.228323203026, 0.086970022833), abs=1e-11
    )
    assert found.shrunken == pytest.approx(
        (0.061376198573, 0.142980693380, 0.000819855209, 0.131079610068, -0.026357990718), abs=1e-11
    )


def test_a_new_group_is_less_sure_than_the_mean():
    found = pool_differences(TABLES)
    error = (found.high - found.low) / 2 / stats.t.ppf(0.975, 4)
    half = stats.t.ppf(0.975, 3) * (found.between**2 + error**2) ** 0.5
    assert (found.new_low, found.new_high) == pytest.approx((found.mean - half, found.mean + half))
    assert found.new_low < found.low
    assert pool_differences(TABLES[:2]).new_low is None


def test_groups_that_agree_are_pooled_wholly_and_each_is_pulled_to_the_mean():
    alike = [PairTable(both=50, first=12, second=6, neither=32)] * 6
    found = pool_differences(alike)
    assert found.between == 0
    assert found.shrunken == pytest.approx([found.mean] * 6)
    assert found.low < found.mean < found.high


def test_no_discordant_item_leaves_width_and_one_group_is_refused():
    none = [PairTable(both=50, first=0, second=0, neither=5)] * 3
    found = pool_differences(none)
    assert (found.mean, found.p_value) == (0, 1)
    assert found.low < 0 < found.high
    with pytest.raises(NotComparable, match="1 group with items"):
        pool_differences(none[:1])
