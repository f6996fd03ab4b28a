from math import erf

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.comparison import BetaPosteriors, paired_equivalence, probability_equivalent
from steelyard.counts import PairTable
from steelyard.errors import RequestError


def betas(a, b):
    systems = tuple(f"s{i}" for i in range(len(a)))
    return BetaPosteriors(systems=systems, a=tuple(map(float, a)), b=tuple(map(float, b)))


def ahead(a, b, c, d, margin):
    """P(Beta(a, b) > Beta(c, d) + margin) by tanh-sinh quadrature in 25 digits."""
    with mpmath.workdps(25):
        a, b, margin = mpmath.mpf(a), mpmath.mpf(b), mpmath.mpf(margin)

        def part(x):
            density = x ** (a - 1) * (1 - x) ** (b - 1) / mpmath.beta(a, b)
            return density * mpmath.betainc(c, d, 0, x - margin, regularized=True)

        return float(mpmath.quad(part, mpmath.linspace(margin, 1, 9)))


@pytest.mark.parametrize(
    ("a", "b", "c", "d", "margin"),
    [
        (19, 3, 17, 5, 0.05),
        (1, 11, 3, 1, 0.1),
        (0.5, 10.5, 10.5, 0.5, 0.02),
        (60, 41, 1, 101, 0.6),
        (30, 1, 1, 30, 0.9),
    ],
)
def test_both_directions_agree_with_tanh_sinh_quadrature(a, b, c, d, margin):
    got = probability_equivalent(betas([a, c], [b, d]), "s0", "s1", margin=margin)
    first, second = ahead(a, b, c, d, margin), ahead(c, d, a, b, margin)
    assert got.first_better == pytest.approx(first, rel=0, abs=1e-12)
    assert got.second_better == pytest.approx(second, rel=0, abs=1e-12)
    assert got.equivalent == pytest.approx(1 - first - second, rel=0, abs=1e-12)


def test_a_hundred_million_items_follow_the_normal_limit():
    got = probability_equivalent(
        betas([8e7, 8e7 + 3000], [2e7, 2e7 - 3000]), "s0", "s1", margin=5e-5
    )
    spread = np.sqrt(2 * 0.16 / 1e8)

    def normal(z):
        return 0.5 * (1 + erf(z / np.sqrt(2)))

    assert got.first_better == pytest.approx(normal((-3e-5 - 5e-5) / spread), abs=1e-5)
    assert got.second_better == pytest.approx(normal((3e-5 - 5e-5) / spread), abs=1e-5)


# P(|d| < .05) of the cells (60, 18, 10, 12): mpmath 1.3, 30 digits, by the decomposition
# p1 ~ Beta(18.5, 83.5), p2/(1 - p1) ~ Beta(10.5, 73), which is not the one used here.
WORKED = 0.28403323951178468


def test_the_worked_paired_example():
    got = paired_equivalence(PairTable(both=60, first=18, second=10, neither=12), margin=0.05)
    assert got.equivalent == pytest.approx(WORKED, rel=0, abs=1e-12)


@pytest.mark.parametrize(
    "cells", [(60, 18, 10, 12), (0, 0, 0, 0), (0, 3, 0, 0), (5, 0, 0, 5), (900, 40, 30, 30)]
)
@pytest.mark.parametrize("margin", [0.01, 0.3])
def test_paired_draws_agree_within_their_error(cells, margin):
    pair = PairTable(both=cells[0], first=cells[1], second=cells[2], neither=cells[3])
    got = paired_equivalence(pair, margin=margin)
    rng = np.random.default_rng(3)
    weight = rng.dirichlet(np.array(cells) + 0.5, size=100_000)
    gap = weight[:, 1] - weight[:, 2]
    assert got.first_better == pytest.approx((gap > margin).mean(), abs=0.008)
    assert got.second_better == pytest.approx((gap < -margin).mean(), abs=0.008)


cells = st.integers(0, 10**6)


@given(cells, cells, cells, cells, st.floats(0.001, 0.9))
def test_swapping_paired_systems_swaps_the_answer(both, first, second, neither, margin):
    one = paired_equivalence(
        PairTable(both=both, first=first, second=second, neither=neither), margin=margin
    )
    two = paired_equivalence(
        PairTable(both=both, first=second, second=first, neither=neither), margin=margin
    )
    assert (one.first_better, one.second_better) == (two.second_better, two.first_better)
    assert one.first_better + one.equivalent + one.second_better == pytest.approx(1, abs=1e-12)


def test_a_wider_margin_holds_more():
    pair = PairTable(both=60, first=18, second=10, neither=12)
    shares = [paired_equivalence(pair, margin=m).equivalent for m in (0.01, 0.05, 0.1, 0.3, 0.9)]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("margin", [0, 1, -0.1, float("nan"), 5])
def test_a_margin_lies_between_nothing_and_everything(margin):
    with pytest.raises(RequestError, match="margin"):
        paired_equivalence(PairTable(both=1, first=1, second=1, neither=1), margin=margin)
    with pytest.raises(RequestError, match="margin"):
        probability_equivalent(betas([1, 2], [2, 1]), "s0", "s1", margin=margin)
