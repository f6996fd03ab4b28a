import json
from fractions import Fraction
from itertools import permutations
from math import comb, erf
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.comparison import (
    BetaPosteriors,
    expected_loss,
    probability_best,
    probability_better,
)
from steelyard.comparison.posterior.quadrature import Panels

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "posterior.json").read_text(encoding="utf-8")
)


def betas(a, b):
    systems = tuple(f"s{i}" for i in range(len(a)))
    return BetaPosteriors(systems=systems, a=tuple(map(float, a)), b=tuple(map(float, b)))


parameters = st.one_of(
    st.floats(0.05, 5), st.floats(1, 1e4), st.integers(1, 10**8).map(float), st.just(1.0)
)
posteriors = st.lists(st.tuples(parameters, parameters), min_size=1, max_size=6).map(
    lambda pairs: betas(*zip(*pairs, strict=True))
) | st.lists(st.sampled_from([(1.0, 8.0), (1807.0, 1.0), (3e7, 2e7), (0.5, 0.5)]), min_size=2).map(
    lambda pairs: betas(*zip(*pairs[:6], strict=True))
)
whole = st.tuples(st.integers(1, 40), st.integers(1, 40))


def exact_better(a, b, c, d):
    """P(Beta(a, b) > Beta(c, d)) for whole parameters, as a fraction.

    Beta(a, b) is the a-th smallest of a + b - 1 uniform numbers, so this counts orderings.
    """
    first, second = a + b - 1, c + d - 1
    ways = sum(
        comb(a - 1 + k, k) * comb(first - a + second - k, second - k) for k in range(c, second + 1)
    )
    return Fraction(ways, comb(first + second, second))


@given(whole, whole)
def test_two_whole_posteriors_agree_with_exact_fractions(one, two):
    table = probability_better(betas([one[0], two[0]], [one[1], two[1]])).better
    exact = exact_better(*one, *two)
    assert table[0][1] == pytest.approx(float(exact), rel=1e-12, abs=0)
    assert table[1][0] == pytest.approx(float(1 - exact), rel=1e-12, abs=0)


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["name"])
def test_arithmetic_with_many_digits_agrees(case):
    answer = probability_best(betas(case["a"], case["b"]))
    for got, true in zip(answer.best, map(float, case["best"]), strict=False):
        assert got == pytest.approx(true, rel=0, abs=1e-12)
    if case["not_best_of_first"]:
        true = float(case["not_best_of_first"])
        assert answer.not_best[0] == pytest.approx(true, rel=1e-10, abs=0)
    assert case["best"] or case["not_best_of_first"]


def test_a_leader_who_surely_wins_keeps_the_digits_of_its_doubt():
    # 101 and 901 of 1000 right: below the smallest normal double, but not lost.
    assert 0 < probability_best(betas([901, 101], [101, 901])).not_best[0] < 1e-320


@given(posteriors)
def test_probabilities_of_being_best_add_up_to_one(given_posteriors):
    answer = probability_best(given_posteriors)
    assert sum(answer.best) == pytest.approx(1, rel=0, abs=2e-12)
    assert all(0 <= share <= 1 for share in answer.best)
    for best, rest in zip(answer.best, answer.not_best, strict=True):
        assert best + rest == pytest.approx(1, rel=0, abs=1e-15)


@given(posteriors, st.randoms(use_true_random=False))
def test_the_order_in_which_systems_are_named_changes_no_bit(given_posteriors, random):
    order = list(given_posteriors.systems)
    random.shuffle(order)
    moved = given_posteriors.only(order)
    for question in (probability_best, expected_loss):
        before, after = question(given_posteriors), question(moved)
        values = "best" if question is probability_best else "loss"
        one = dict(zip(before.systems, getattr(before, values), strict=True))
        two = dict(zip(after.systems, getattr(after, values), strict=True))
        assert one == two


@pytest.mark.parametrize("m", [1, 2, 3, 7, 50])
@pytest.mark.parametrize(("a", "b"), [(1, 1e8), (0.5, 10.5), (80_000_001, 20_000_001), (9, 3)])
def test_identical_systems_share_exactly_alike(m, a, b):
    answer = probability_best(betas([a] * m, [b] * m))
    assert answer.best == (1 / m,) * m
    better = probability_better(betas([a] * m, [b] * m)).better
    assert {share for row in better for share in row} == {0.5}


def test_twins_beside_others_have_equal_bits():
    answer = probability_best(betas([81, 90, 81, 90, 70], [21, 12, 21, 12, 32]))
    assert answer.best[0] == answer.best[2]
    assert answer.best[1] == answer.best[3] < 0.5


def test_twins_far_ahead_of_the_rest_have_one_half_each():
    answer = probability_best(betas([1, 1807, 1807], [8, 1, 1]))
    assert answer.best == pytest.approx((0, 0.5, 0.5), abs=1e-14)
    assert answer.not_best == pytest.approx((1, 0.5, 0.5), abs=1e-14)


@given(posteriors)
def test_mirrored_posteriors_turn_every_pair_round(given_posteriors):
    mirrored = BetaPosteriors(
        systems=given_posteriors.systems, a=given_posteriors.b, b=given_posteriors.a
    )
    one = np.array(probability_better(given_posteriors).better)
    two = np.array(probability_better(mirrored).better)
    assert np.allclose(one, two.T, rtol=1e-9, atol=1e-12)
    assert np.allclose(one + one.T, 1, rtol=0, atol=1e-15)


@given(st.tuples(parameters, parameters), st.tuples(parameters, parameters))
def test_for_two_systems_best_and_better_are_one_question(one, two):
    pair = betas([one[0], two[0]], [one[1], two[1]])
    best = probability_best(pair)
    better = probability_better(pair).better
    assert best.best[0] == pytest.approx(better[0][1], rel=0, abs=2e-12)
    assert best.not_best[0] == pytest.approx(better[1][0], rel=0, abs=2e-12)


@pytest.mark.parametrize(
    ("a", "b"),
    [((145125091, 123), (37368508, 11)), ((46461453, 1543), (51236756, 1453)),
     ((28, 7912511), (3, 6735834))],
)  # fmt: skip
def test_a_small_chance_keeps_its_digits_where_one_test_is_far_larger(a, b):
    posteriors = BetaPosteriors(systems=("S", "T"), a=a, b=b)
    one, two = probability_best(posteriors).best
    better = probability_better(posteriors).better
    # Integrated another way, from the pooled counts of the two.
    assert min(one, two) == pytest.approx(min(better[0][1], better[1][0]), rel=1e-12, abs=0)


def test_fifty_near_ties_at_a_hundred_million_add_up_to_one_within_1e_11():
    rng = np.random.default_rng(50)
    right = np.round(8e7 + 4000 * rng.normal(size=50))
    answer = probability_best(betas(right + 1, 1e8 - right + 1))
    assert sum(answer.best) == pytest.approx(1, rel=0, abs=1e-11)


def test_near_ties_at_a_hundred_million_follow_the_normal_limit():
    one = probability_best(betas([8e7 + 1, 8e7 + 4001], [2e7 + 1, 2e7 - 3999])).best[0]
    normal = 0.5 * (1 - erf(4000 / np.sqrt(2 * 1e8 * 0.16) / np.sqrt(2)))
    assert one == pytest.approx(normal, abs=1e-5)


@pytest.mark.parametrize("sizes", [(1, 1e8), (1, 100, 1e4, 1e6, 1e8), (3, 1e7, 10, 1e5)])
@pytest.mark.parametrize("prior", [1.0, 0.5])
@pytest.mark.parametrize("rate", [0.0, 1.0, 0.8])
def test_mixed_sizes_with_rates_at_the_edges_add_up(sizes, prior, rate):
    right = [round(rate * n) for n in sizes]
    answer = probability_best(
        betas(
            [x + prior for x in right], [n - x + prior for x, n in zip(right, sizes, strict=True)]
        )
    )
    assert sum(answer.best) == pytest.approx(1, rel=0, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_draws_agree_within_their_error(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(0.5, 30, 4), rng.uniform(0.5, 30, 4)
    answer = probability_best(betas(a, b))
    rates = rng.beta(a[:, None], b[:, None], size=(4, 200_000))
    shares = np.bincount(rates.argmax(axis=0), minlength=4) / 200_000
    assert np.abs(shares - answer.best).max() < 5 * np.sqrt(0.25 / 200_000)
    losses = (rates.max(axis=0) - rates).mean(axis=1)
    assert np.abs(losses - expected_loss(betas(a, b)).loss).max() < 0.003


def test_the_highest_mean_need_not_be_the_likeliest_best():
    # 2 of 2 against 79 of 100 (METHODS erratum): lower posterior mean, higher P(best).
    pair = betas([3, 80], [1, 22])
    assert pair.means()[0] < pair.means()[1]
    assert probability_best(pair).best[0] == pytest.approx(0.5137, abs=5e-5)


@given(posteriors)
def test_losses_differ_by_the_differences_of_the_means(given_posteriors):
    loss = expected_loss(given_posteriors).loss
    means = given_posteriors.means()
    assert min(loss) >= 0
    for one, mean in zip(loss, means, strict=True):
        assert one - loss[0] == pytest.approx(means[0] - mean, rel=1e-9, abs=1e-12)


def test_the_loss_of_two_agrees_with_the_closed_form_for_whole_parameters():
    # E(max) - E(x1) = E(x2 - x1)^+; E(x2; x2 > x1) is a mean times a shifted probability.
    a, b, c, d = 7, 5, 3, 8
    gain = Fraction(c, c + d) * exact_better(c + 1, d, a, b)
    cost = Fraction(a, a + b) * (1 - exact_better(a + 1, b, c, d))
    assert expected_loss(betas([a, c], [b, d])).loss[0] == pytest.approx(
        float(gain - cost), rel=1e-12
    )


def test_a_tiny_loss_keeps_its_digits():
    # By exact fractions; the difference of the two means would cancel in doubles.
    a, b, c, d = 180, 20, 20, 180
    gain = Fraction(c, c + d) * exact_better(c + 1, d, a, b)
    cost = Fraction(a, a + b) * (1 - exact_better(a + 1, b, c, d))
    exact = float(gain - cost)
    assert exact < 1e-50
    assert expected_loss(betas([a, c], [b, d])).loss[0] == pytest.approx(exact, rel=1e-10, abs=0)


def test_one_system_alone_loses_nothing():
    assert expected_loss(betas([3], [4])).loss == (0.0,)
    assert probability_best(betas([3], [4])).best == (1.0,)


def test_all_orders_of_three_give_the_same_pairs():
    base = betas([81, 85, 70], [21, 17, 32])
    table = np.array(probability_better(base).better)
    for order in permutations(range(3)):
        moved = probability_better(base.only([base.systems[k] for k in order])).better
        assert np.array_equal(np.array(moved), table[np.ix_(order, order)])


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([1, 3.1, 7622], [1, 4650, 51_631_692]),
        ([0.5, 9e7, 1e8], [0.5, 1e7, 1]),
        ([1, 95_440_594, 4600, 4], [1830, 1, 1, 1]),
    ],
)
def test_a_wide_leader_beside_narrow_rivals_asks_for_no_endless_grid(a, b, monkeypatch):
    sizes = []
    between = Panels.between
    monkeypatch.setattr(Panels, "between", lambda edges: sizes.append(edges.size) or between(edges))
    probability_best(betas(a, b))
    probability_better(betas(a, b))
    expected_loss(betas(a, b))
    assert 0 < max(sizes) < 3_000


@pytest.mark.parametrize(
    ("right", "tested", "chances"),
    [
        # Trapezoid rule with 400 points; tails by continued fractions; logarithms with 40 digits.
        ([80, 90, 60], 100, [0.02482694981016, 0.97517298827132, 6.1918518215992e-8]),
        ([800, 900, 300], 1000, [None, None, 3.8789809630504e-209]),
        ([0, 50, 100], 100, [1.4323283841222e-60, 8.3499610057808e-20, None]),
    ],
)
def test_a_hopeless_system_among_three_keeps_its_digits(right, tested, chances):
    answer = probability_best(betas([x + 1 for x in right], [tested - x + 1 for x in right]))
    for got, true in zip(answer.best, chances, strict=True):
        if true is not None:
            assert got == pytest.approx(true, rel=1e-11, abs=0)


@pytest.mark.parametrize("m", [3, 10, 50])
@pytest.mark.parametrize("n", [20.0, 1e4, 1e8])
@pytest.mark.parametrize("rate", [0.0, 0.8, 1.0])
def test_hopeless_twins_split_what_one_pair_would_have(m, n, rate):
    # Among m - 1 equal leaders the last one must beat the best of them all.
    x = round(rate * n)
    lead, last = (x + 1.0, n - x + 1.0), (0.5 * x + 1.0, n - 0.5 * x + 2.0 + 3 * n**0.5)
    answer = probability_best(
        betas([lead[0]] * (m - 1) + [last[0]], [lead[1]] * (m - 1) + [last[1]])
    )
    pair = probability_best(betas([lead[0], last[0]], [lead[1], last[1]]))
    assert answer.best[-1] <= pair.best[-1]
    assert answer.best[0] == pytest.approx((1 - answer.best[-1]) / (m - 1), rel=1e-13)


@pytest.mark.parametrize("order", [(3, 5), (2, 9), (7, 4)])
def test_a_hopeless_system_agrees_with_exact_fractions(order):
    # P(z > max(x, y)) for whole parameters, as a sum over the polynomials of the Beta functions.
    c, d = order
    systems = [(60, 3), (58, 4), (c, d + 60)]
    exact = _exact_best(systems)
    answer = probability_best(betas(*zip(*systems, strict=True)))
    assert exact < 1e-25
    assert answer.best[2] == pytest.approx(float(exact), rel=1e-12, abs=0)


def _exact_best(systems):
    """P(the last is the highest): the integral of a polynomial in its rate, as a fraction."""
    (a1, b1), (a2, b2), (c, d) = systems
    total = Fraction(0)
    n1, n2, n3 = a1 + b1 - 1, a2 + b2 - 1, c + d - 1
    for j in range(a1, n1 + 1):  # F(p) is the chance of a or more successes in a + b - 1 trials
        for k in range(a2, n2 + 1):
            up, down = j + k + c - 1, (n1 - j) + (n2 - k) + d - 1
            total += Fraction(comb(n1, j) * comb(n2, k), (up + down + 1) * comb(up + down, up))
    return total * n3 * comb(n3 - 1, c - 1)


def test_systems_that_no_double_can_tell_from_certain_are_certain():
    answer = probability_best(betas([9e7, 1e7], [1e7, 9e7]))
    assert (answer.best, answer.not_best) == ((1.0, 0.0), (0.0, 1.0))


def test_priors_of_almost_nothing_agree_with_arithmetic_of_many_digits():
    # Beta(1e-3, 1e-3) before 0 of 0, 0 of 4 and 3 of 5. mpmath, 30 digits, log-odds to ±60,000.
    answer = probability_best(betas([0.001, 0.001, 3.001], [0.001, 4.001, 2.001]))
    true = [0.4997505278576741, 2.261110854634789e-05, 0.5002268610337794]
    assert answer.best == pytest.approx(true, rel=0, abs=1e-12)
    assert answer.best[1] == pytest.approx(true[1], rel=1e-10)
