"""Intervals for one share: against their equations, statsmodels and one another."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from steelyard.errors import CountsError, RequestError
from steelyard.uncertainty import (
    PROPORTION_INTERVALS,
    midp_interval,
    normal_quantile,
    proportion_interval,
    wald_interval,
    wilson_interval,
    wilson_interval_effective,
)

HONEST = sorted(set(PROPORTION_INTERVALS) - {"wald"})
trials = st.integers(1, 400)
levels = st.sampled_from([0.5, 0.8, 0.95, 0.999])


@st.composite
def samples(draw):
    n = draw(trials)
    return draw(st.integers(0, n)), n


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("wilson", "wilson"), ("clopper-pearson", "beta"), ("agresti-coull", "agresti_coull")],
)
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_limits_agree_with_statsmodels(ours, theirs, level):
    for n in (1, 2, 7, 40, 1000):
        for x in sorted({0, 1, n // 3, n - 1, n}):
            low, high = proportion_interval(x, n, level=level, method=ours)
            expected = proportion_confint(x, n, alpha=1 - level, method=theirs)
            assert (low, high) == pytest.approx(
                (max(0.0, expected[0]), min(1.0, expected[1])), abs=1e-12
            )


@given(samples(), levels)
def test_jeffreys_limits_are_quantiles_of_the_posterior_away_from_the_edges(sample, level):
    x, n = sample
    low, high = proportion_interval(x, n, level=level, method="jeffreys")
    posterior = stats.beta(x + 0.5, n - x + 0.5)
    assert low == 0 if x == 0 else posterior.cdf(low) == pytest.approx((1 - level) / 2, rel=1e-9)
    assert high == 1 if x == n else posterior.sf(high) == pytest.approx((1 - level) / 2, rel=1e-9)


@given(samples(), levels)
def test_wilson_limits_solve_the_score_equation(sample, level):
    x, n = sample
    z = normal_quantile(level)
    for limit in wilson_interval(x, n, level=level):
        gap = n * (x / n - limit) ** 2 - z**2 * limit * (1 - limit)
        assert gap == pytest.approx(0, abs=1e-12 * n)


@given(samples(), levels)
def test_midp_limits_leave_half_alpha_in_each_tail(sample, level):
    x, n = sample
    low, high = midp_interval(x, n, level=level)
    half = (1 - level) / 2
    if x > 0:
        tail = stats.binom.sf(x, n, low) + stats.binom.pmf(x, n, low) / 2
        assert tail == pytest.approx(half, rel=1e-9)
    if x < n:
        tail = stats.binom.cdf(x, n, high) - stats.binom.pmf(x, n, high) / 2
        assert tail == pytest.approx(half, rel=1e-9)


@pytest.mark.parametrize("method", HONEST)
@given(sample=samples(), level=levels)
def test_the_interval_has_width_and_holds_the_share(method, sample, level):
    x, n = sample
    low, high = proportion_interval(x, n, level=level, method=method)
    assert 0 <= low < high <= 1
    if method != "jeffreys" or 0 < x < n:
        assert low <= x / n + 1e-12
        assert high >= x / n - 1e-12


@pytest.mark.parametrize("method", sorted(PROPORTION_INTERVALS))
@given(sample=samples(), level=levels)
def test_mirrored_counts_give_the_mirrored_interval(method, sample, level):
    x, n = sample
    low, high = proportion_interval(x, n, level=level, method=method)
    mirrored = proportion_interval(n - x, n, level=level, method=method)
    assert (1 - high, 1 - low) == pytest.approx(mirrored, abs=1e-12)


@pytest.mark.parametrize("method", HONEST)
@given(n=trials)
def test_outer_limits_are_exact_when_nothing_or_everything_succeeded(method, n):
    assert proportion_interval(0, n, method=method)[0] == 0.0
    assert proportion_interval(n, n, method=method)[1] == 1.0


@pytest.mark.parametrize("method", HONEST)
@given(sample=samples())
def test_the_same_share_from_more_items_is_narrower(method, sample):
    x, n = sample
    few = proportion_interval(x, n, method=method)
    many = proportion_interval(4 * x, 4 * n, method=method)
    assert many[1] - many[0] < few[1] - few[0]


def test_wald_has_no_width_at_the_edges_which_is_why_it_is_not_the_default():
    assert wald_interval(30, 30) == (1.0, 1.0)
    assert proportion_interval(30, 30) == wilson_interval(30, 30)


@given(samples(), levels)
def test_equal_weights_change_nothing(sample, level):
    x, n = sample
    weighted = wilson_interval_effective(x / n, float(n), level=level)
    assert weighted == pytest.approx(wilson_interval(x, n, level=level), abs=1e-12)


def test_very_many_trials_keep_their_digits():
    low, high = wilson_interval(1, 10**15)
    z = normal_quantile(0.95)
    poisson = [1 + z * z / 2 + sign * z * (1 + z * z / 4) ** 0.5 for sign in (-1, 1)]
    assert [low * 1e15, high * 1e15] == pytest.approx(poisson, rel=1e-12)


@pytest.mark.parametrize(
    ("successes", "tried", "words"),
    [
        (3, 2, "3 successes among 2 trials"),
        (0, 0, "0 trials"),
        (-1, 5, "not a count"),
        (2.0, 5, "wilson_interval_effective"),
    ],
)
def test_impossible_counts_are_refused(successes, tried, words):
    for interval in PROPORTION_INTERVALS.values():
        with pytest.raises(CountsError, match=words):
            interval(successes, tried)


@pytest.mark.parametrize(("share", "number"), [(1.2, 5), (-0.1, 5), (0.5, 0), (0.5, float("nan"))])
def test_impossible_weighted_shares_are_refused(share, number):
    with pytest.raises(CountsError):
        wilson_interval_effective(share, number)


def test_a_level_in_percent_is_refused_with_the_level_to_type():
    for interval, level in itertools.product(PROPORTION_INTERVALS.values(), [95, 0, 1]):
        with pytest.raises(RequestError, match="not strictly between 0 and 1"):
            interval(8, 10, level=level)
    with pytest.raises(RequestError, match=r"type level=0\.95"):
        wilson_interval(8, 10, level=95)


def test_an_unknown_method_is_refused_with_the_nearest_name():
    with pytest.raises(RequestError, match="method='wilson'"):
        proportion_interval(8, 10, method="wilsn")
