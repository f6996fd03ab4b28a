"""Likelihood ratios and predictive values: scikit-learn, statsmodels, zero cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import class_likelihood_ratios
from statsmodels.stats.proportion import confint_proportions_2indep

from steelyard.counts import Confusion
from steelyard.errors import RequestError
from steelyard.measures import (
    diagnostic_odds_ratio,
    likelihood_ratio_negative,
    likelihood_ratio_positive,
    npv,
    npv_at,
    ppv_at,
    precision,
)

cell = st.integers(1, 30)
RATIOS = (likelihood_ratio_positive, likelihood_ratio_negative, diagnostic_odds_ratio)


def test_the_interval_is_that_of_a_ratio_of_shares_by_statsmodels():
    table = Confusion.from_binary(tp=59, fp=20, fn=15, tn=54)
    found = likelihood_ratio_positive(table, of="positive")
    assert found.value == pytest.approx(2.95, abs=1e-12)
    theirs = confint_proportions_2indep(
        59, 74, 20, 74, compare="ratio", method="score", correction=False
    )
    assert (found.interval.low, found.interval.high) == pytest.approx(theirs, rel=1e-6)


def test_few_items_of_the_class_do_not_make_the_limits_short():
    """One positive, found: the log interval (0.7 to 6) would rule out what two draws may show."""
    found = likelihood_ratio_positive(
        Confusion.from_binary(tp=1, fp=150, fn=0, tn=149), of="positive"
    )
    assert found.interval.low < 0.45
    assert found.interval.high < 2.5


@given(cell, cell, cell, cell)
def test_values_are_those_of_scikit_learn(tp, fp, fn, tn):
    table = Confusion.from_binary(tp=tp, fp=fp, fn=fn, tn=tn)
    truth = [1] * (tp + fn) + [0] * (fp + tn)
    calls = [1] * tp + [0] * fn + [1] * fp + [0] * tn
    plus, minus = class_likelihood_ratios(truth, calls)
    one, two, three = (ratio(table, of="positive") for ratio in RATIOS)
    assert one.value == pytest.approx(plus, rel=1e-12)
    assert two.value == pytest.approx(minus, rel=1e-12)
    assert three.value == pytest.approx(plus / minus, rel=1e-12)
    for found in (one, two, three):
        assert found.interval.low < found.value < found.interval.high
    methods = [found.interval.method for found in (one, two, three)]
    assert methods == ["ratio-score", "ratio-score", "log"]


def test_an_infinite_ratio_is_undefined_with_its_lower_limit_in_words():
    table = Confusion.from_binary(tp=9, fp=0, fn=1, tn=20)
    found = likelihood_ratio_positive(table, of="positive")
    assert (found.value, found.interval) == (None, None)
    assert "infinite" in found.reason
    assert "95% lower limit" in found.caveats[0]
    odds = diagnostic_odds_ratio(table, of="positive")
    assert odds.value is None
    assert "half" in odds.caveats[1]


def test_a_ratio_of_zero_keeps_an_upper_limit():
    table = Confusion.from_binary(tp=10, fp=2, fn=0, tn=18)
    found = likelihood_ratio_negative(table, of="positive")
    assert (found.value, found.interval.low) == (0, 0)
    assert 0 < found.interval.high < 1
    assert found.interval.method == "ratio-score"


def test_nothing_to_divide_is_said():
    never = Confusion.from_binary(tp=0, fp=0, fn=5, tn=5)
    assert "0/0" in likelihood_ratio_positive(never, of="positive").reason
    assert "0/0" in diagnostic_odds_ratio(never, of="positive").reason
    alone = Confusion.from_binary(tp=5, fp=0, fn=5, tn=0)
    for ratio in RATIOS:
        assert "every item is truly" in ratio(alone, of="positive").reason
    assert (
        "nothing to find"
        in ppv_at(
            Confusion.from_binary(tp=0, fp=1, fn=0, tn=5), of="positive", prevalence=0.1
        ).reason
    )


@given(cell, cell, cell, cell)
def test_at_its_own_prevalence_a_predictive_value_is_the_plain_one(tp, fp, fn, tn):
    table = Confusion.from_binary(tp=tp, fp=fp, fn=fn, tn=tn)
    share = (tp + fn) / table.total
    for shifted, plain in ((ppv_at, precision), (npv_at, npv)):
        found = shifted(table, of="positive", prevalence=share)
        assert found.value == pytest.approx(plain(table, of="positive").value, abs=1e-12)
        assert 0 < found.interval.low < found.value < found.interval.high < 1


def test_the_classic_screening_example():
    # Sensitivity and specificity 0.99 at prevalence 0.001: nine of ten alarms are false.
    table = Confusion.from_binary(tp=990, fp=10, fn=10, tn=990)
    assert ppv_at(table, of="positive", prevalence=0.001).value == pytest.approx(
        0.99 * 0.001 / (0.99 * 0.001 + 0.01 * 0.999), rel=1e-12
    )


def test_a_perfect_system_keeps_a_lower_limit_below_one():
    table = Confusion.from_binary(tp=10, fp=0, fn=0, tn=10)
    for shifted in (ppv_at, npv_at):
        found = shifted(table, of="positive", prevalence=0.2)
        assert (found.value, found.interval.high) == (1, 1)
        assert found.interval.low < 1


@pytest.mark.parametrize("share", [0, 1, 5, -0.1])
def test_a_prevalence_outside_its_range_is_refused(share):
    table = Confusion.from_binary(tp=1, fp=1, fn=1, tn=1)
    for shifted in (ppv_at, npv_at):
        with pytest.raises(RequestError, match="prevalence"):
            shifted(table, of="positive", prevalence=share)
