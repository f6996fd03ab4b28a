"""Forecasts of items in clusters: values of the whole; laws that tie intervals to plain ones."""

import numpy as np
import pytest
from scipy.special import expit

from steelyard.counts import Grouped, JointScores, ScoreTable
from steelyard.measures import (
    calibration_curve,
    calibration_error,
    clustered_proper_difference,
    clustered_proper_score,
    clustered_recalibration,
    proper_difference,
    proper_score,
    recalibration,
)
from steelyard.uncertainty import cluster_share_interval


def items(number=60, seed=1):
    rng = np.random.default_rng(seed)
    odds = rng.normal(size=number)
    return expit(odds), rng.random(number) < expit(0.8 * odds)


def clusters(shares, truth, names):
    parts = {}
    for name in dict.fromkeys(names):
        held = np.array([one == name for one in names])
        parts[str(name)] = ScoreTable.from_scores(shares[held & truth], shares[held & ~truth])
    return Grouped.from_parts("cluster", parts)


def test_single_items_have_students_interval_of_the_score():
    shares, truth = items()
    alone = clusters(shares, truth, range(60))
    for rule in ("brier", "log"):
        found, plain = clustered_proper_score(alone, rule), proper_score(alone.merged(), rule)
        assert found.value == plain.value
        assert found.standard_error == pytest.approx(plain.standard_error, rel=1e-9)


def test_copies_of_an_item_in_its_cluster_change_no_limit():
    shares, truth = items()
    once, often, oftener = (
        clusters(np.repeat(shares, n), np.repeat(truth, n), np.repeat(range(60), n))
        for n in (1, 7, 9)
    )
    for measure, alone in (
        (
            lambda parts: clustered_proper_score(parts, "brier"),
            lambda all_: proper_score(all_, "brier"),
        ),
        (
            lambda parts: clustered_recalibration(parts).slope,
            lambda all_: recalibration(all_).slope,
        ),
        (
            lambda parts: clustered_recalibration(parts).in_the_large,
            lambda all_: recalibration(all_).in_the_large,
        ),
        (
            lambda parts: calibration_error(parts.merged(), clusters=parts).error,
            lambda all_: calibration_error(all_).error,
        ),
    ):
        one, many, more = (measure(parts).interval for parts in (once, often, oftener))
        assert (more.low, more.high) == pytest.approx((many.low, many.high), rel=1e-6)
        # Clusters make nothing surer: without copies the interval of single items may reach on.
        plain = alone(once.merged()).interval
        ends = min(many.low, plain.low), max(many.high, plain.high)
        assert (one.low, one.high) == pytest.approx(ends, rel=1e-6)


def test_the_sandwich_is_that_of_statsmodels():
    from statsmodels.api import GLM, add_constant
    from statsmodels.genmod.families import Binomial

    shares, truth = items(120)
    names = np.repeat(range(24), 5)
    parts = clusters(shares, truth, names)
    odds = np.log(shares / (1 - shares))
    fit = GLM(truth.astype(float), add_constant(odds), family=Binomial()).fit(
        cov_type="cluster", cov_kwds={"groups": names, "use_correction": False}
    )
    found = clustered_recalibration(parts)
    assert found.slope.value == recalibration(parts.merged()).slope.value
    ours = (found.intercept.standard_error, found.slope.standard_error)
    assert ours == pytest.approx((fit.bse * (24 / 23) ** 0.5).tolist(), rel=1e-6)


def test_bins_have_the_interval_of_their_shares_over_clusters():
    shares, truth = items()
    names = np.repeat(range(12), 5)
    parts = clusters(shares, truth, names)
    for one in calibration_curve(parts.merged(), bins=3, clusters=parts):
        inside = (shares >= one.low) & (shares <= one.high)
        won, tried = (
            np.bincount(names[held], minlength=12).tolist() for held in (inside & truth, inside)
        )
        ends = cluster_share_interval(won, tried)
        assert (one.observed.interval.low, one.observed.interval.high) == pytest.approx(ends)


def test_a_difference_counts_clusters_and_refuses_other_items():
    shares, truth = items()
    other = expit(np.log(shares / (1 - shares)) * 1.5)
    names = np.repeat(range(12), 5)
    one, two = clusters(shares, truth, names), clusters(other, truth, names)
    plain = proper_difference(
        JointScores.from_arrays(truth, {"A": shares, "B": other}), "brier", "A", "B"
    )
    found = clustered_proper_difference(plain, one, two, "brier")
    assert found.value == plain.value
    assert found.interval.method == "cluster-robust"
    fewer = clusters(other[:-1], truth[:-1], names[:-1])
    assert clustered_proper_difference(plain, one, fewer, "brier").interval is None


def test_one_cluster_has_no_interval():
    shares, truth = items()
    alone = clusters(shares, truth, [0] * 60)
    for found in (
        clustered_proper_score(alone, "brier"),
        clustered_recalibration(alone).slope,
        calibration_error(alone.merged(), clusters=alone).error,
    ):
        assert found.interval is None
        assert any("only one cluster" in said for said in found.caveats)
