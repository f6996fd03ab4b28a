"""Targeting of items in clusters: values of the whole; single items come near the plain limits."""

import numpy as np
import pytest

from steelyard.counts import Grouped, ScoreTable
from steelyard.measures import (
    clustered_benefits,
    clustered_gains,
    clustered_gini,
    clustered_ks_distance,
    decision_curve,
    gain_curve,
    gini,
    ks_distance,
)

DEPTHS = [0.1, 0.5, 0.3, 1.0]


def clusters(copies=1, number=200):
    rng = np.random.default_rng(2)
    truth = rng.random(number) < 0.3
    scores = np.round(1 / (1 + np.exp(-rng.normal(truth * 1.0))), 2)  # many are tied
    parts = {
        str(g): ScoreTable.from_scores([s] * (copies * y), [s] * (copies * (not y)))
        for g, (s, y) in enumerate(zip(scores.tolist(), truth.tolist(), strict=True))
    }
    return Grouped.from_parts("cluster", parts)


def test_values_are_those_of_all_clusters_together():
    parts = clusters()
    whole = parts.merged()
    for one, two in zip(
        clustered_gains(parts, DEPTHS), gain_curve(whole, depths=DEPTHS).points, strict=True
    ):
        assert (one.captured.value, one.precision.value) == (
            two.captured.value, two.precision.value,
        )  # fmt: skip
    assert clustered_gini(parts).value == gini(whole).value
    rng = np.random.default_rng(0)
    assert clustered_ks_distance(parts, rng=rng, resamples=50).value == ks_distance(whole).value
    benefits = [one.benefit.value for one in decision_curve(whole, [0.2, 0.5])]
    assert [one.benefit.value for one in clustered_benefits(parts, [0.2, 0.5])] == benefits


def test_single_items_are_no_surer_than_plain_ones_and_copies_change_nothing():
    once, often = clusters(), clusters(copies=5)
    plain = gain_curve(once.merged(), depths=[0.3]).points[0]
    one, = clustered_gains(once, [0.3])  # fmt: skip
    for ours, theirs in ((one.captured, plain.captured), (one.precision, plain.precision)):
        assert theirs.interval.low - 0.06 < ours.interval.low < theirs.interval.low + 0.02
        assert theirs.interval.high - 0.02 < ours.interval.high < theirs.interval.high + 0.06
    many, = clustered_gains(often, [0.3])  # fmt: skip
    wide = many.precision.interval.high - many.precision.interval.low
    assert wide > 1.5 * (lambda ends: ends.high - ends.low)(
        gain_curve(often.merged(), depths=[0.3]).points[0].precision.interval
    )


def test_one_cluster_has_no_interval():
    alone = Grouped.from_parts("cluster", {"a": clusters().merged()})
    (one,) = clustered_gains(alone, [0.3])
    assert one.captured.interval is None
    assert clustered_ks_distance(alone, rng=np.random.default_rng(0)).interval is None
    assert clustered_benefits(alone, [0.3])[0].benefit.interval is None


def test_names_of_clusters_do_not_matter_where_scores_tie():
    parts = {
        "a": ScoreTable.from_scores([3, 2, 2, 2], [1]),
        "b": ScoreTable.from_scores([3, 1], [2, 2, 2, 2, 1]),
        "c": ScoreTable.from_scores([1], [3, 2, 1, 1]),
    }
    given = Grouped.from_parts("cluster", parts)
    renamed = dict(zip("cba", parts.values(), strict=True))
    turned = Grouped.from_parts("cluster", renamed)
    depths = [0.1, 0.35, 0.7]
    for one, other in zip(
        clustered_gains(given, depths), clustered_gains(turned, depths), strict=True
    ):
        for name in ("captured", "precision", "lift"):
            ends, same = (getattr(point, name).interval for point in (one, other))
            assert (ends.low, ends.high) == pytest.approx((same.low, same.high), rel=1e-12)
