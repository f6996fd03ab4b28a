"""The model of cluster means: definitions, limits, and what it never does."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import t as student

from steelyard.comparison import mcnemar
from steelyard.counts import PairTable
from steelyard.errors import CountsError
from steelyard.uncertainty import (
    cluster_contrast,
    cluster_freedom,
    cluster_share_interval,
    jackknife_variance,
    tango_interval,
    wilson_interval,
)

WON, LOST, HELD = [6, 5, 7, 5, 6, 0], [1, 0, 1, 0, 1, 3], [20, 15, 30, 12, 20, 25]


def test_the_variance_is_that_of_leaving_each_cluster_out():
    totals, sizes = np.subtract(WON, LOST).astype(float), np.array(HELD, float)
    left = [(totals.sum() - t) / (sizes.sum() - n) for t, n in zip(totals, sizes, strict=True)]
    whole = totals.sum() / sizes.sum()
    expected = 5 / 6 * sum((one - whole) ** 2 for one in left)
    assert jackknife_variance(totals, sizes) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("together", [False, True])
def test_the_jackknife_is_never_too_small_on_average(together):
    """Exact expectation of the form, for independent items and for clusters of one mind."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        sizes = rng.integers(1, 200, rng.integers(2, 9)).astype(float)
        share = sizes / sizes.sum()
        spread = np.diag(sizes**2 if together else sizes)
        centre = np.eye(len(sizes)) - np.outer(share, np.ones(len(sizes)))
        kept = np.diag(1 / (sizes.sum() - sizes)) @ centre
        expected = (len(sizes) - 1) / len(sizes) * np.trace(kept @ spread @ kept.T)
        assert expected >= spread.sum() / sizes.sum() ** 2 * (1 - 1e-12)


def test_degrees_of_freedom_are_those_of_the_whole_matrix():
    sizes = np.array(HELD, float)
    share = sizes / sizes.sum()
    centre = np.eye(6) - np.outer(share, np.ones(6))
    kept = np.diag(1 / (1 - share)) @ centre
    found = []
    for spread in (share, share**2):
        form = kept @ np.diag(spread) @ kept.T
        found.append(np.trace(form) ** 2 / np.trace(form @ form))
    assert cluster_freedom(sizes) == pytest.approx(min(found), rel=1e-12)
    assert cluster_freedom([7] * 12) == pytest.approx(11, rel=1e-12)
    assert cluster_freedom([10**6, 1, 1, 1]) == pytest.approx(1, abs=1e-3)


def test_interval_p_value_and_probability_agree_at_every_level():
    found = cluster_contrast(WON, LOST, HELD)
    for level in (0.5, 0.8, 0.9, 0.95, 0.99, 0.999):
        low, high = found.interval(level)
        for edge in (low, high):
            if abs(edge) < 1:
                assert found.tail(edge) == pytest.approx((1 - level) / 2, rel=1e-9)
        assert (low <= 0 <= high) == (found.p_value >= 1 - level)
        assert (found.better > (1 + level) / 2) == (low > 0)
    assert found.p_value == pytest.approx(
        2 * student.sf(found.difference / found.error, found.freedom)
    )
    assert found.better == pytest.approx(1 - found.p_value / 2)


def test_the_nearer_the_margin_the_less_probable():
    found = cluster_contrast(WON, LOST, HELD)
    chances = [found.chance_within(margin) for margin in (0.01, 0.05, 0.1, 0.3, 0.6, 0.99)]
    assert all(one <= two for one, two in pairwise(chances))
    assert found.chance_within(0.3) == pytest.approx(
        found.chance_above(-0.3) - found.chance_above(0.3)
    )


def test_turning_the_systems_round_mirrors_everything():
    one, two = cluster_contrast(WON, LOST, HELD), cluster_contrast(LOST, WON, HELD)
    assert two.interval() == pytest.approx(tuple(-end for end in reversed(one.interval())))
    assert (two.p_value, two.better) == pytest.approx((one.p_value, 1 - one.better))


def test_clusters_without_items_change_nothing():
    more = cluster_contrast([*WON, 0, 0], [*LOST, 0, 0], [*HELD, 0, 0])
    assert more == cluster_contrast(WON, LOST, HELD)
    share = cluster_share_interval([*WON, 0], [*HELD, 0])
    assert share == cluster_share_interval(WON, HELD)


@pytest.mark.parametrize("clusters", [2, 3, 5, 20])
def test_clusters_of_one_mind_leave_an_interval_with_width(clusters):
    for won, lost in ((20, 0), (0, 0), (5, 5), (4, 1)):
        found = cluster_contrast([won] * clusters, [lost] * clusters, [20] * clusters)
        low, high = found.interval()
        assert high - low > 1 / (20 * clusters)
        low, high = cluster_share_interval([won] * clusters, [20] * clusters)
        assert high - low > 1 / (20 * clusters)


def test_two_clusters_of_one_mind_prove_nothing():
    assert cluster_contrast([20, 20], [0, 0], [20, 20]).p_value > 0.2
    assert cluster_contrast([20] * 3, [0] * 3, [20] * 3).p_value > 0.1


@pytest.mark.parametrize("number", [1, 2, 5, 12, 40])
def test_single_items_are_never_surer_than_the_tests_of_single_items(number):
    for wins in range(number + 1):
        losses, rest = number - wins, 30
        won = [1] * wins + [0] * (losses + rest)
        lost = [0] * wins + [1] * losses + [0] * rest
        found = cluster_contrast(won, lost, [1] * (number + rest))
        table = PairTable(both=rest, first=wins, second=losses, neither=0)
        assert found.p_value >= mcnemar(table).p_value
        low, high = tango_interval(rest, wins, losses, 0)
        assert found.interval()[0] <= low <= high <= found.interval()[1]
        ends = cluster_share_interval(won, [1] * (number + rest))
        wilson = wilson_interval(wins, number + rest)
        assert ends[0] <= wilson[0] <= wilson[1] <= ends[1]


def test_one_cluster_is_refused_in_words():
    with pytest.raises(CountsError, match="one cluster does not show how clusters vary"):
        cluster_contrast([1], [0], [4])
    with pytest.raises(CountsError, match="0 <= successes <= trials"):
        cluster_share_interval([5, 1], [4, 4])
