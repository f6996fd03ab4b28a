"""pass@k and pass^k against their definitions, and what their intervals cover."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import CountsError, RequestError
from steelyard.measures import all_of_k, any_of_k, asked_again_interval, tries_estimate
from steelyard.uncertainty import coverage_of

CHANCES = np.random.default_rng(0).beta(1.2, 1, 60)


@st.composite
def tries(draw):
    n = draw(st.integers(1, 9))
    return draw(st.integers(0, n)), n, draw(st.integers(1, n))


@given(tries())
def test_both_are_shares_of_all_sets_of_k_tries(one):
    right, tried, k = one
    answers = [1] * right + [0] * (tried - right)
    sets = list(combinations(answers, k))
    assert any_of_k(right, tried, k) == pytest.approx(sum(map(any, sets)) / len(sets), abs=1e-12)
    assert all_of_k(right, tried, k) == pytest.approx(sum(map(all, sets)) / len(sets), abs=1e-12)


@given(tries())
def test_any_of_right_is_not_all_of_wrong(one):
    right, tried, k = one
    mirrored = 1 - all_of_k(tried - right, tried, k)
    assert any_of_k(right, tried, k) == pytest.approx(mirrored, abs=1e-12)


@given(tries())
def test_one_try_is_the_share_and_more_tries_only_help(one):
    right, tried, k = one
    assert any_of_k(right, tried, 1) == pytest.approx(right / tried, abs=1e-12)
    assert all_of_k(right, tried, k) <= right / tried + 1e-12
    assert any_of_k(right, tried, k) >= right / tried - 1e-12


@pytest.mark.parametrize("chance", [0.1, 0.5, 0.83])
@pytest.mark.parametrize(("n", "k"), [(5, 2), (8, 4)])
def test_both_are_unbiased(chance, n, k):
    from math import comb

    weights = [comb(n, c) * chance**c * (1 - chance) ** (n - c) for c in range(n + 1)]
    some = sum(w * any_of_k(c, n, k) for c, w in enumerate(weights))
    every = sum(w * all_of_k(c, n, k) for c, w in enumerate(weights))
    assert some == pytest.approx(1 - (1 - chance) ** k, abs=1e-12)
    assert every == pytest.approx(chance**k, abs=1e-12)


def test_the_jackknife_of_one_try_is_the_variance_of_a_share():
    found = tries_estimate([1, 3, 5], [6, 6, 6], 1, estimand="items")
    shares = np.array([1, 3, 5]) / 6
    assert found.standard_error == pytest.approx(
        float(np.sqrt((shares * (1 - shares) / 5).sum()) / 3), abs=1e-12
    )
    interval = asked_again_interval([1, 3, 5], [6, 6, 6])
    assert (interval.low, interval.high) == pytest.approx(
        (found.interval.low, found.interval.high), abs=1e-12
    )


def ends(found):
    return None if found.interval is None else (found.interval.low, found.interval.high)


@pytest.mark.parametrize(
    ("n", "k", "rule", "truth"),
    [
        (8, 1, "any", float(CHANCES.mean())),
        (8, 4, "any", float((1 - (1 - CHANCES) ** 4).mean())),
        (8, 4, "all", float((CHANCES**4).mean())),
    ],
)
def test_on_these_very_items_the_interval_covers_another_run(n, k, rule, truth):
    found = coverage_of(
        lambda right: ends(
            tries_estimate(right.tolist(), [n] * 60, k, rule=rule, estimand="items")
        ),
        lambda rng: rng.binomial(n, CHANCES),
        truth,
        repetitions=500,
        seed=3,
    )
    assert found.within(0.94, 0.98)


def test_for_items_like_these_the_interval_covers_the_population():
    # The mean of 1 - (1 - p)^4 for p of Beta(1.2, 1) is 1 - 1.2 B(1.2, 5).
    from scipy.special import beta

    found = coverage_of(
        lambda right: ends(tries_estimate(right.tolist(), [8] * 60, 4)),
        lambda rng: rng.binomial(8, rng.beta(1.2, 1, 60)),
        1 - 1.2 * float(beta(1.2, 5)),
        repetitions=500,
        seed=4,
    )
    assert found.within(0.91, 0.95)


def test_repeats_taken_for_items_would_cover_far_too_little():
    from steelyard.uncertainty import wilson_interval

    found = coverage_of(
        lambda right: wilson_interval(int(right.sum()), 240),
        lambda rng: rng.binomial(8, rng.beta(0.6, 0.4, 30)),
        0.6,
        repetitions=500,
        seed=5,
    )
    assert found.share < 0.75


def test_too_few_tries_are_refused_with_the_largest_k():
    with pytest.raises(CountsError, match="Choose k up to 2"):
        tries_estimate([1, 1], [4, 2], 3)
    with pytest.raises(RequestError, match="k=0"):
        any_of_k(1, 2, 0)
    with pytest.raises(CountsError, match="3 right of 2"):
        all_of_k(3, 2, 1)


def test_without_a_way_to_know_there_is_no_interval_and_the_reason_is_said():
    assert tries_estimate([1, 0], [2, 2], 2, estimand="items").interval is None
    assert tries_estimate([1], [2], 1).caveats == (
        "no interval: one item does not show how items vary",
    )
    assert asked_again_interval([1, 0], [1, 1]) is None
