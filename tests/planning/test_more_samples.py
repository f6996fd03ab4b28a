"""More samples from here on."""

import pytest

from steelyard.counts import PairTable
from steelyard.planning import (
    LIMIT,
    more_common,
    more_independent,
    more_until_best,
    open_alphas,
    paired_power,
    pilot_rates,
)


def test_with_that_many_more_the_test_has_its_power():
    table = PairTable(both=160, first=12, second=5, neither=23)
    found = more_common(table, alpha=0.02)
    assert found.total == table.total + found.more
    assert paired_power(pilot_rates(table), found.total, alpha=0.02).power >= 0.8
    assert paired_power(pilot_rates(table), found.total - 1, alpha=0.02).power < 0.8


def test_large_plans_come_from_the_formula_and_agree_with_the_search():
    table = PairTable(both=1500, first=55, second=45, neither=400)
    found = more_common(table)
    assert found.total > 5000
    power = paired_power(pilot_rates(table), found.total).power
    assert power == pytest.approx(0.8, abs=0.002)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (PairTable(both=90, first=3, second=2, neither=5), "only 5 of 100 items"),
        (PairTable(both=70, first=9, second=9, neither=12), "no difference"),
        (PairTable(both=0, first=500_500, second=500_000, neither=0), "over 1,000,000"),
    ],
)
def test_where_nothing_sensible_can_be_said_the_reason_is(table, reason):
    found = more_common(table)
    assert found.more is None
    assert reason in found.reason


def test_independent_sets_count_from_the_smaller_one():
    even = more_independent((180, 200), (160, 200))
    uneven = more_independent((180, 200), (800, 1000))
    assert even == uneven
    assert more_independent((90, 100), (45, 50)).reason == "no difference was observed"
    assert "always right" in more_independent((50, 50), (45, 50)).reason
    assert more_independent((90_000, 100_000), (89_990, 100_000)).reason == f"over {LIMIT:,d} more"


def test_the_best_may_be_known_already_or_not_at_all():
    sure = PairTable(both=160, first=18, second=5, neither=17)
    close = PairTable(both=160, first=10, second=7, neither=23)
    assert more_until_best([sure]).more == 0
    assert more_until_best([sure, close]).more > more_until_best([close]).more - 5
    tied = PairTable(both=160, first=7, second=7, neither=26)
    assert more_until_best([sure, tied]).more is None


def test_shares_of_alpha_follow_the_order_of_p_values():
    found = open_alphas({("A", "B"): 0.9, ("A", "C"): 0.01, ("B", "C"): 0.3}, systems=3, alpha=0.06)
    assert found == {("A", "C"): 0.02, ("B", "C"): 0.06, ("A", "B"): 0.06}
