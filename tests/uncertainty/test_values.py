"""Means, ratios of sums, quantiles and bounded means beside other people's numbers."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, ttest_1samp
from scipy.stats import t as student

from steelyard.errors import CountsError, RequestError
from steelyard.uncertainty import (
    StudentEstimate,
    bca_mean_interval,
    betting_interval,
    cluster_freedom,
    cluster_quantile_interval,
    empirical_bernstein_interval,
    estimate_mean,
    estimate_ratio,
    items_for_quantile,
    maurer_pontil_interval,
    mean_interval,
    mean_of_ratios,
    quantile_interval,
    ratio_of_sums_interval,
    skewness,
    value_caveats,
)
from tests.golden.values_cases import cluster_sums, named

EDGE = 1e-9


def code_of(call):
    with pytest.raises(CountsError) as refused:
        call()
    return refused.value.code


@pytest.mark.parametrize(("name", "data", "expected"), named("ratio"))
def test_a_ratio_of_sums_has_the_limits_of_linearisation(name, data, expected):
    columns = [("x", "w", "items")] + ([("x2", "w2", "second_items")] if "x2" in data else [])
    for x, w, said in columns:
        found = estimate_ratio(data[x], data.get(w, data["w"]))
        golden = expected[said]
        assert found.value == pytest.approx(golden["ratio"], abs=EDGE)
        assert found.error == pytest.approx(golden["se"], abs=EDGE)
        assert found.interval() == pytest.approx(golden["ci95_log_t"], abs=EDGE)
        plain = ratio_of_sums_interval(data[x], data.get(w, data["w"]), scale="plain")
        assert plain == pytest.approx(golden["ci95_plain_t"], abs=EDGE)
    grouped = [cluster_sums(data[column], data["cluster"]) for column in ("x", "w")]
    held = estimate_ratio(*grouped)
    assert (held.units, held.freedom) == (expected["clusters"]["units"], expected["clusters"]["df"])
    assert ratio_of_sums_interval(*grouped, scale="plain") == pytest.approx(
        expected["clusters"]["ci95_plain_t"], abs=EDGE
    )
    assert ratio_of_sums_interval(*grouped) == pytest.approx(
        expected["clusters"]["ci95_log_t"], abs=EDGE
    )
    assert mean_of_ratios(data["x"], data["w"]) == pytest.approx(
        expected["mean_of_ratios_not_wanted"], abs=EDGE
    )


@pytest.mark.parametrize(("name", "data", "expected"), named("cluster-mean"))
def test_a_mean_over_clusters_has_the_limits_of_statsmodels(name, data, expected):
    sizes = cluster_sums(np.ones(len(data["x"])), data["cluster"])
    for column in ("x", "y"):
        totals = cluster_sums(data[column], data["cluster"])
        found, golden = estimate_ratio(totals, sizes, scale="plain"), expected[column]
        assert found.error == pytest.approx(golden["se_cluster"], abs=EDGE)
        assert found.interval() == pytest.approx(golden["ci95"], abs=EDGE)
        assert found.p_value() == pytest.approx(golden["p"], abs=EDGE)
        assert found.freedom == golden["df"]


@pytest.mark.parametrize(("name", "data", "expected"), named("quantile"))
@pytest.mark.parametrize("which", ["median", "p95"])
def test_a_quantile_has_the_order_statistics_of_scipy(name, data, expected, which):
    golden = expected[which]
    found = quantile_interval(data["x"], share=golden["q"])
    assert (found.low_rank, found.high_rank) == (golden["lower_rank"], golden["upper_rank"])
    assert (found.low, found.high) == (golden["lower"], golden["upper"])
    assert found.value == golden["sample_quantile_inverse_cdf"]
    assert found.coverage == pytest.approx(golden["coverage_exact"], abs=1e-10)
    ends = [golden["scipy_quantile_test_ci"][at] for at in range(2)]
    assert (found.low, found.high) == tuple(None if e is None or np.isnan(e) else e for e in ends)
    alone = quantile_interval(data["x"], share=golden["q"], one_sided=True)
    assert (alone.high_rank, alone.high) == (
        golden["upper_one_sided_95_rank"],
        golden["upper_one_sided_95"],
    )


@pytest.mark.parametrize(("name", "data", "expected"), named("betting"))
def test_bernstein_limits_are_those_of_confseq_and_of_maurer_and_pontil(name, data, expected):
    bounds = tuple(data["range"])
    for seen, golden in expected["at"].items():
        values = np.array(data["x"][: int(seen)])
        assert empirical_bernstein_interval(values, bounds=bounds) == pytest.approx(
            golden["fixed_n_empirical_bernstein_predmix_as_returned"], abs=EDGE
        )
        assert empirical_bernstein_interval(values, bounds=bounds, anytime=True) == pytest.approx(
            golden["empirical_bernstein_cs_as_returned"], abs=EDGE
        )
        found = maurer_pontil_interval(
            values.size, float(values.mean()), float(values.var(ddof=1)), bounds=bounds
        )
        assert found == pytest.approx(golden["maurer_pontil_two_sided"], abs=EDGE)
        low, high = betting_interval(values, bounds=bounds)
        assert low < golden["mean"] < high


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=30).filter(lambda x: len(set(x)) > 1))
def test_a_mean_is_that_of_scipy_and_interval_test_and_confidence_agree(values):
    found = estimate_mean(len(values), sum(values), sum(v * v for v in values))
    theirs = ttest_1samp(values, 1.5)
    assert found.p_value(1.5) == pytest.approx(theirs.pvalue, abs=1e-12)
    assert found.interval() == pytest.approx(theirs.confidence_interval(), abs=1e-10)
    low, high = found.interval(level=0.9)
    for end in (low, high):
        assert found.p_value(end) == pytest.approx(0.1, abs=1e-9)
    assert found.chance_above(low) == pytest.approx(0.95, abs=1e-9)
    assert found.chance_below(low) == pytest.approx(0.05, abs=1e-9)


def test_the_spread_of_large_values_does_not_cancel():
    values = [10**9 + k for k in range(5)]
    exact = estimate_mean(5, sum(values), sum(v * v for v in values))
    assert exact.error == pytest.approx(estimate_mean(5, 10, 30).error, rel=1e-15)
    floats = [float(v) for v in values]
    lost = code_of(lambda: estimate_mean(5, sum(floats), sum(v * v for v in floats)))
    assert lost in {"spread-lost", "no-spread"}


def test_no_spread_gives_no_interval():
    assert code_of(lambda: mean_interval(1, 3, 9)) == "one-item"
    assert code_of(lambda: mean_interval(3, 0.1 + 0.1 + 0.1, 3 * 0.1 * 0.1)) == "no-spread"
    assert code_of(lambda: mean_interval(4, Fraction(2, 5), Fraction(1, 25))) == "no-spread"
    assert code_of(lambda: estimate_ratio([0.1, 0.2, 0.3], [1, 2, 3])) == "no-spread"
    assert code_of(lambda: estimate_ratio([0, 0, 0], [5, 6, 7])) == "no-spread"
    with pytest.raises(CountsError, match=r"At most 4\.87%"):
        estimate_ratio([0] * 60, [10] * 60)
    rng = np.random.default_rng(1)
    assert code_of(lambda: bca_mean_interval([2.0, 2.0], rng=rng)) == "no-spread"
    # A stated range says something even of equal values, and of one.
    low, high = betting_interval([0.5] * 50, bounds=(0, 1))
    assert low < 0.5 < high
    assert betting_interval([0.5], bounds=(0, 1)) == (0.0, 1.0)


def test_impossible_sums_and_denominators_are_refused_by_name():
    assert code_of(lambda: mean_interval(4, 10, 20)) == "sums-contradict"
    assert code_of(lambda: mean_interval(4, np.inf, np.inf)) == "value-not-finite"
    assert code_of(lambda: estimate_ratio([1, np.nan], [1, 2])) == "value-not-finite"
    assert code_of(lambda: estimate_ratio([1, 2], [1, -2])) == "denominator-not-positive"
    assert code_of(lambda: estimate_ratio([1, 2, 1], [1, 0, 4])) == "denominator-not-positive"
    assert code_of(lambda: estimate_ratio([1, 2, 1], [1, 1])) == "value-shape"
    assert code_of(lambda: betting_interval([0.5, 1.2], bounds=(0, 1))) == "value-range"
    # An empty utterance without errors adds nothing.
    assert estimate_ratio([1, 0, 0], [4, 0, 4]) == estimate_ratio([1, 0], [4, 4])


def test_a_log_scale_ratio_keeps_its_pivot():
    found = estimate_ratio([1, 0, 2, 1], [10, 8, 12, 10])
    low, high = found.interval()
    assert 0 < low < found.value < high
    assert found.p_value(low) == pytest.approx(0.05, abs=1e-9)
    assert found.chance_above(0.0) == 1.0
    assert (
        StudentEstimate(value=1e-9, error=1.0, freedom=2, units=3, scale="log").interval()[0] == 0
    )
    with pytest.raises(RequestError):
        estimate_ratio([-1, 3], [1, 1], scale="log")


@given(
    st.integers(1, 60), st.sampled_from([0.05, 0.3, 0.5, 0.9, 0.95]), st.sampled_from([0.8, 0.95])
)
def test_no_closer_order_statistics_hold_both_tails(n, share, level):
    found = quantile_interval(np.arange(1.0, n + 1), share=share, level=level)
    tail = (1 - level) / 2 * (1 + 1e-12)
    law = binom(n, share)
    assert found.low_rank == sum(law.cdf(rank - 1) <= tail for rank in range(1, n + 1))
    assert found.high_rank == n + 1 - sum(law.sf(rank - 1) <= tail for rank in range(1, n + 1))
    assert found.coverage == pytest.approx(
        law.cdf(found.high_rank - 1) - law.cdf(found.low_rank - 1), abs=1e-12
    )
    assert (found.high is None) == (found.high_rank == n + 1)


def test_ties_and_counts_are_the_same_as_the_items():
    values = [3.0, 1.0, 2.0, 2.0, 2.0, 5.0] * 20
    table, counts = np.unique(values, return_counts=True)
    assert quantile_interval(values) == quantile_interval(table, counts)
    assert skewness(values) == pytest.approx(skewness(table, counts))
    assert items_for_quantile(0.95) == 72
    big = quantile_interval(np.arange(1e6), share=0.99)
    assert big.low < big.value < big.high


def test_skew_and_few_items_are_said_as_codes():
    assert value_caveats(27, 0.0) == ("few-items",)
    assert value_caveats(60, 1.2) == ("strong-skew",)
    assert value_caveats(65, 1.2) == ()
    assert value_caveats(65, None) == ()


def test_bca_follows_the_long_tail():
    values = np.random.default_rng(3).lognormal(0, 1, 200)
    low, high = bca_mean_interval(values, rng=np.random.default_rng(1))
    plain = mean_interval(200, float(values.sum()), float((values**2).sum()))
    assert low > plain[0] and high > plain[1]
    # scipy 1.17.1, bootstrap(method="BCa"), same values, 40,000 resamples; both are drawn.
    assert (low, high) == pytest.approx((1.5209, 2.3176), abs=0.03)


def test_limits_of_a_quantile_of_clusters_are_the_outermost_values_not_rejected():
    # Against the definition: at each value Student's t of the sums over clusters, one more added.
    rng = np.random.default_rng(5)
    codes = np.repeat(np.arange(25), rng.integers(2, 9, 25))
    values = np.round(rng.normal(size=25)[codes] + rng.normal(size=codes.size), 1)
    found = cluster_quantile_interval(values, codes, share=0.6)
    sizes = np.bincount(codes)
    critical = student.ppf(0.975, min(24, cluster_freedom(sizes)))

    def statistic(x: float, beyond: float) -> float:
        sums = np.bincount(codes, weights=values <= x) - 0.6 * sizes
        sums = np.append(sums, (beyond - 0.6) * sizes.mean())
        return float(sums.mean() / (sums.std(ddof=1) / np.sqrt(sums.size)))

    seen = np.unique(values)
    assert found.low == min(x for x in seen if statistic(x, 1) > -critical)
    assert found.high == min(x for x in seen if statistic(x, 0) >= critical)


def test_a_quantile_of_clusters_is_never_surer_than_that_of_single_items():
    rng = np.random.default_rng(6)
    values = rng.normal(size=120)
    plain = quantile_interval(values, share=0.3)
    found = cluster_quantile_interval(values, np.arange(120) % 40, share=0.3)
    assert found.low <= plain.low < plain.high <= found.high
    # Twenty clusters that agree say nothing of p95 beyond them.
    alike = cluster_quantile_interval(
        np.repeat(values[:20], 10), np.repeat(range(20), 10), share=0.95
    )
    assert alike.high is None
