"""DeLong: against the definition by pairs, and the limits at the edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from steelyard.counts import JointScores, ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.uncertainty import (
    auc_interval,
    delong_covariance,
    delong_variance,
    newcombe_area_interval,
    normal_quantile,
    pairs_won_twice,
)

scores = st.lists(st.integers(0, 6), min_size=2, max_size=25)


def by_pairs(positives, negatives):
    """Placements of DeLong, DeLong and Clarke-Pearson (1988), straight from their definition."""
    won = np.sign(np.subtract.outer(np.array(positives), np.array(negatives))) / 2 + 0.5
    return won.mean(axis=1), won.mean(axis=0)


@given(scores, scores)
def test_variance_is_that_of_the_placements_by_pairs(positives, negatives):
    of_positives, of_negatives = by_pairs(positives, negatives)
    expected = of_positives.var(ddof=1) / len(positives) + of_negatives.var(ddof=1) / len(negatives)
    table = ScoreTable.from_scores(positives, negatives)
    assert delong_variance(table) == pytest.approx(expected, abs=1e-14)
    assert pairs_won_twice(table) == round(2 * of_positives.sum() * len(negatives))


@given(st.integers(0, 2**32 - 1))
def test_covariance_is_that_of_the_placements_by_pairs(seed):
    rng = np.random.default_rng(seed)
    truth = np.concatenate([[0, 0, 1, 1], rng.integers(0, 2, 30)])
    columns = {name: rng.integers(0, 9, truth.size) + truth for name in "ABC"}
    areas, covariance = delong_covariance(JointScores.from_arrays(truth, columns))
    ten, one = zip(*(by_pairs(c[truth == 1], c[truth == 0]) for c in columns.values()), strict=True)
    expected = np.cov(ten) / (truth == 1).sum() + np.cov(one) / (truth == 0).sum()
    assert covariance == pytest.approx(expected, abs=1e-14)
    assert areas == pytest.approx([roc_auc_score(truth, c) for c in columns.values()], abs=1e-14)


def test_the_diagonal_is_the_variance_of_each_score_table():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 200)
    joint = JointScores.from_arrays(truth, {n: rng.integers(0, 30, 200) + 5 * truth for n in "AB"})
    _, covariance = delong_covariance(joint)
    diagonal = [delong_variance(joint.score_table(name)) for name in "AB"]
    assert np.diag(covariance) == pytest.approx(diagonal, rel=1e-12)


def test_identical_systems_have_a_difference_without_variance():
    joint = JointScores.from_arrays([0, 1, 0, 1, 1], {n: [1, 2, 3, 4, 2] for n in "AB"})
    _, c = delong_covariance(joint)
    assert c[0, 0] + c[1, 1] - 2 * c[0, 1] == 0


def test_huge_counts_do_not_overflow():
    table = ScoreTable.from_counts([0, 1], [0, 4 * 10**9], [4 * 10**9, 0], positive="x")
    assert pairs_won_twice(table) == 2 * 16 * 10**18


def test_logit_limits_are_symmetric_on_the_logit_scale():
    low, high = auc_interval(0.84, 0.0192, positives=5, negatives=5).limits
    assert low * high / ((1 - low) * (1 - high)) == pytest.approx((0.84 / 0.16) ** 2, rel=1e-12)
    spread = normal_quantile(0.95) * 0.0192**0.5 / (0.84 * 0.16)
    assert np.log(high / (1 - high)) - np.log(0.84 / 0.16) == pytest.approx(spread, rel=1e-12)


def test_wald_limits_are_cut_to_the_unit_interval():
    found = auc_interval(0.95, 0.01, positives=9, negatives=9, method="wald")
    assert found.limits == pytest.approx((0.95 - normal_quantile(0.95) / 10, 1.0))


@pytest.mark.parametrize(("area", "edge"), [(0.0, 0), (1.0, 1)])
def test_full_separation_still_leaves_doubt(area, edge):
    found = auc_interval(area, 0.0, positives=15, negatives=15)
    assert found.method == "newcombe"
    assert found.limits[edge] == area
    assert 0 < found.limits[1] - found.limits[0] < 0.5


def test_constant_scores_have_no_interval_but_a_reason():
    table = ScoreTable.from_scores([1, 1, 1], [1, 1])
    found = auc_interval(0.5, delong_variance(table), positives=3, negatives=2)
    assert found.limits is None
    assert "same score" in found.reason


@given(st.floats(0, 1), st.integers(1, 500), st.integers(1, 500))
def test_newcombe_limits_solve_their_equation_and_hold_the_area(area, positives, negatives):
    low, high = newcombe_area_interval(area, positives=positives, negatives=negatives)
    extra = (positives + negatives) / 2 - 1
    z2 = normal_quantile(0.95) ** 2
    assert 0 <= low <= area <= high <= 1
    assert low < high
    for limit in (low, high):
        inner = 2 + extra + (1 + 2 * extra) * limit * (1 - limit)
        right = z2 * limit * (1 - limit) * inner
        left = positives * negatives * (area - limit) ** 2 * (2 - limit) * (1 + limit)
        assert left == pytest.approx(right, rel=1e-6, abs=1e-9 * positives * negatives)


@given(st.floats(0, 1), st.integers(1, 50), st.integers(1, 50))
def test_newcombe_limits_mirror(area, positives, negatives):
    low, high = newcombe_area_interval(area, positives=positives, negatives=negatives)
    mirrored = newcombe_area_interval(1 - area, positives=negatives, negatives=positives)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_too_few_items_are_refused_with_the_way_out():
    with pytest.raises(NotComparable, match="newcombe_area_interval"):
        delong_variance(ScoreTable.from_scores([1], [2, 3]))
    with pytest.raises(NotComparable, match="both classes"):
        newcombe_area_interval(0.5, positives=0, negatives=3)
    with pytest.raises(RequestError):
        auc_interval(1.5, 0.1, positives=3, negatives=3)
    with pytest.raises(RequestError, match="Choose one of: logit, wald"):
        auc_interval(0.5, 0.1, positives=3, negatives=3, method="probit")
