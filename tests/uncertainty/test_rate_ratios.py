from math import inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from steelyard.errors import CountsError
from steelyard.uncertainty import (
    discordant_odds_interval,
    odds_ratio_score_interval,
    paired_ratio_interval,
    ratio_interval,
)
from steelyard.uncertainty.shares.rate_ratios import paired_ratio_score, ratio_score

SAMPLES = [((36, 40), (16, 80)), ((5, 50), (9, 40)), ((7, 1000), (3, 1200))]
samples = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
cells = st.integers(0, 500)


@pytest.mark.parametrize(("first", "second"), SAMPLES)
@pytest.mark.parametrize(
    ("interval", "compare"), [(ratio_interval, "ratio"), (odds_ratio_score_interval, "odds-ratio")]
)
def test_independent_score_intervals_agree_with_statsmodels(interval, compare, first, second):
    theirs = confint_proportions_2indep(
        *first, *second, compare=compare, method="score", correction=False
    )
    assert interval(first, second) == pytest.approx(theirs, rel=1e-9)


@given(samples, samples)
def test_limits_of_a_ratio_solve_the_score_equation(first, second):
    low, high = ratio_interval(first, second)
    if low > 0:
        assert ratio_score(first, second, ratio=low) == pytest.approx(1.959963984540054, abs=1e-6)
    if high is not None and first[0] > 0:
        assert ratio_score(first, second, ratio=high) == pytest.approx(-1.959963984540054, abs=1e-6)


@given(samples, samples)
def test_exchanging_independent_samples_inverts_the_limits(first, second):
    for interval in (ratio_interval, odds_ratio_score_interval):
        low, high = interval(first, second)
        turned_low, turned_high = interval(second, first)
        assert turned_low == pytest.approx(0 if high is None else 1 / high, rel=1e-7)
        if low > 0:
            assert turned_high == pytest.approx(1 / low, rel=1e-7)
        else:
            assert turned_high is None


@given(cells, cells, cells)
def test_the_paired_score_uses_the_shares_of_largest_likelihood(both, first, second):
    for ratio in (0.6, 1.0, 1.7):
        seen = both + first + second
        score = paired_ratio_score(both, first, second, ratio=ratio)
        gap = both + first - ratio * (both + second)
        if min(both, first, second) == 0 or gap == 0:
            continue

        def loss(alone, *, ratio=ratio):
            parts = ((1 - alone) / ratio - alone, (alone + ratio - 1) / ratio, alone)
            if min(parts) <= 0:
                return inf
            rows = (both, first, second)
            return -sum(n * log(p) for n, p in zip(rows, parts, strict=True))

        ends = (max(0.0, 1 - ratio), 1 / (1 + ratio))
        found = minimize_scalar(loss, bounds=ends, method="bounded", options={"xatol": 1e-12}).x
        discordant = found + (found + ratio - 1) / ratio
        assert score == pytest.approx(gap / np.sqrt(seen * ratio * discordant), rel=1e-4)


@given(cells, cells, cells, cells)
def test_exchanging_paired_systems_inverts_the_limits(both, first, second, neither):
    if both + first + second + neither == 0:
        return
    low, high = paired_ratio_interval(both, first, second, neither)
    other_low, other_high = paired_ratio_interval(both, second, first, neither)
    assert other_low == pytest.approx(0 if high is None else 1 / high, rel=1e-7)
    assert other_high is None if low == 0 else other_high == pytest.approx(1 / low, rel=1e-7)


@given(cells, cells, cells)
def test_one_lies_outside_exactly_when_mcnemar_rejects(both, first, second):
    if both + first == 0 or both + second == 0 or first == second:
        return
    low, high = paired_ratio_interval(both, first, second, 3)
    statistic = (first - second) ** 2 / (first + second)
    assert (low > 1 or (high is not None and high < 1)) == (statistic > 1.959963984540054**2)


@given(st.integers(0, 200), st.integers(0, 200))
def test_the_odds_of_discordant_items_are_those_of_an_exact_share(first, second):
    if first + second == 0:
        assert discordant_odds_interval(0, 0) == (0.0, None)
        return
    low, high = proportion_confint(first, first + second, method="beta")
    ours = discordant_odds_interval(first, second)
    assert ours[0] == pytest.approx(0 if first == 0 else low / (1 - low), rel=1e-9)
    if second:
        assert ours[1] == pytest.approx(high / (1 - high), rel=1e-9)
    else:
        assert ours[1] is None


def test_counts_at_their_ends_have_one_sided_limits_and_none_at_all_without_successes():
    assert ratio_interval((0, 30), (0, 30)) == (0.0, None)
    assert ratio_interval((0, 30), (5, 30))[0] == 0
    assert ratio_interval((5, 30), (0, 30))[1] is None
    low, high = ratio_interval((30, 30), (30, 30))
    assert low == pytest.approx(1 / high, rel=1e-9)
    assert low < 1 < high
    assert odds_ratio_score_interval((30, 30), (30, 30)) == (0.0, None)
    assert paired_ratio_interval(0, 0, 0, 9) == (0.0, None)
    low, high = paired_ratio_interval(9, 0, 0, 0)
    assert low < 1 < high


def test_an_empty_table_and_too_many_successes_are_refused():
    with pytest.raises(CountsError, match="empty"):
        paired_ratio_interval(0, 0, 0, 0)
    with pytest.raises(CountsError, match="31 successes"):
        ratio_interval((31, 30), (2, 30))
    with pytest.raises(CountsError):
        odds_ratio_score_interval((1, 0), (2, 30))
