"""Clusters: the ratio estimator by hand, agreement with statsmodels, whole clusters resampled."""

from math import sqrt

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from steelyard.counts import Confusion, Grouped
from steelyard.errors import CountsError
from steelyard.uncertainty import (
    cluster_resamples,
    cluster_robust_interval,
    cluster_variance,
    percentile_interval,
    wilson_interval,
)

WON = [9, 5, 10, 7, 3]
TRIED = [10, 10, 12, 8, 5]


def test_the_variance_is_that_of_a_ratio_and_the_limits_students():
    share, size = sum(WON) / sum(TRIED), sum(TRIED)
    residuals = [y - share * m for y, m in zip(WON, TRIED, strict=True)]
    variance = 5 / 4 * sum(r * r for r in residuals) / size**2
    half = stats.t.ppf(0.975, 4) * sqrt(variance)
    expected = (max(0, share - half), min(1, share + half))
    assert cluster_robust_interval(WON, TRIED) == pytest.approx(expected, abs=1e-12)
    assert cluster_variance([r / size for r in residuals]) == pytest.approx(variance, rel=1e-12)


def test_it_is_the_cluster_robust_error_of_a_regression_on_a_constant():
    outcomes = np.concatenate([[1] * y + [0] * (m - y) for y, m in zip(WON, TRIED, strict=True)])
    groups = np.repeat(np.arange(5), TRIED)
    fit = sm.OLS(outcomes, np.ones(len(outcomes))).fit(
        cov_type="cluster",
        cov_kwds={"groups": groups, "use_correction": False, "df_correction": True},
        use_t=True,
    )
    half = stats.t.ppf(0.975, 4) * fit.bse[0] * sqrt(5 / 4)
    low, _ = cluster_robust_interval(WON, TRIED)
    assert low == pytest.approx(fit.params[0] - half, abs=1e-12)


def test_clusters_without_spread_count_as_one_item_each():
    low, high = cluster_robust_interval([20] * 6, [20] * 6)
    assert (low, high) == pytest.approx(wilson_interval(6, 6), abs=1e-12)
    assert low < 1


def test_single_clusters_and_impossible_counts_are_refused():
    with pytest.raises(CountsError, match="1 cluster"):
        cluster_robust_interval([3, 0], [4, 0])
    with pytest.raises(CountsError, match="successes <= trials"):
        cluster_robust_interval([3, 5], [4, 4])
    with pytest.raises(CountsError, match="does not show how clusters vary"):
        cluster_variance([1.0])
    alone = Grouped.from_parts("cluster", {"a": Confusion.from_matrix([[1]])})
    with pytest.raises(CountsError, match="needs 2"):
        next(cluster_resamples(alone, rng=np.random.default_rng(1), repetitions=1))


def test_resampling_moves_whole_clusters():
    parts = {
        "a": Confusion.from_matrix([[3, 0], [0, 0]]),
        "b": Confusion.from_matrix([[0, 0], [50, 0]]),
    }
    grouped = Grouped.from_parts("cluster", parts)
    rng = np.random.default_rng(3)
    totals = {t.total for t in cluster_resamples(grouped, rng=rng, repetitions=50)}
    assert totals == {6, 53, 100}


def test_the_bootstrap_agrees_with_the_formula_when_clusters_are_many():
    rng = np.random.default_rng(4)
    rates = rng.beta(6, 2, 80)
    won = rng.binomial(10, rates)
    parts = {
        str(g): Confusion.from_matrix([[int(w), 10 - int(w)], [0, 0]]) for g, w in enumerate(won)
    }
    grouped = Grouped.from_parts("cluster", parts)
    shares = [t.right / t.total for t in cluster_resamples(grouped, rng=rng, repetitions=600)]
    ends = cluster_robust_interval(won.tolist(), [10] * 80)
    assert percentile_interval(shares) == pytest.approx(ends, abs=0.01)
