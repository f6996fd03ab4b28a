from itertools import permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.comparison import (
    BetaPosteriors,
    probability_best,
    probability_better,
    probability_of_rank,
    probability_of_ranking,
    ranking_probability_by_product,
)
from steelyard.errors import RequestError


def betas(a, b):
    systems = tuple(f"s{i}" for i in range(len(a)))
    return BetaPosteriors(systems=systems, a=tuple(map(float, a)), b=tuple(map(float, b)))


parameters = st.one_of(st.floats(0.1, 5), st.integers(1, 10**8).map(float))
posteriors = st.lists(st.tuples(parameters, parameters), min_size=1, max_size=4).map(
    lambda pairs: betas(*zip(*pairs, strict=True))
)


@given(posteriors)
def test_rows_and_columns_of_the_rank_table_add_up_to_one(given_posteriors):
    table = np.array(probability_of_rank(given_posteriors).rank)
    assert np.allclose(table.sum(axis=0), 1, rtol=0, atol=3e-12)
    assert np.allclose(table.sum(axis=1), 1, rtol=0, atol=3e-12)
    assert table.min() > -1e-13


@given(posteriors)
def test_rank_one_is_being_best_and_the_mean_rank_follows_from_the_pairs(given_posteriors):
    table = np.array(probability_of_rank(given_posteriors).rank)
    best = probability_best(given_posteriors).best
    better = np.array(probability_better(given_posteriors).better)
    size = table.shape[0]
    mean_rank = table @ np.arange(1, size + 1)
    above = better.sum(axis=0) - 0.5
    assert np.allclose(table[:, 0], best, rtol=0, atol=3e-12)
    assert np.allclose(mean_rank, 1 + above, rtol=0, atol=1e-11)


@given(posteriors)
def test_all_rankings_together_are_certain(given_posteriors):
    total = sum(
        probability_of_ranking(given_posteriors, ranking=order).probability
        for order in permutations(given_posteriors.systems)
    )
    assert total == pytest.approx(1, rel=0, abs=5e-12)


def test_all_120_rankings_of_five_are_certain_and_hold_the_rank_table():
    five = betas([81, 79, 85, 70, 83], [21, 23, 17, 32, 19])
    table = np.zeros((5, 5))
    for order in permutations(range(5)):
        names = [five.systems[k] for k in order]
        share = probability_of_ranking(five, ranking=names).probability
        for rank, k in enumerate(order):
            table[k, rank] += share
    assert np.allclose(table, probability_of_rank(five).rank, rtol=0, atol=1e-13)


@pytest.mark.parametrize("m", [1, 2, 3, 6, 12])
@pytest.mark.parametrize(("a", "b"), [(1, 1e8), (0.5, 3.5), (80_000_001, 20_000_001)])
def test_identical_systems_give_exactly_one_over_m_factorial(m, a, b):
    same = betas([a] * m, [b] * m)
    assert probability_of_ranking(same).probability == 1 / factorial(m)
    assert probability_of_rank(same).rank == ((1 / m,) * m,) * m


def test_swapping_twins_in_a_ranking_changes_no_bit():
    three = betas([81, 81, 70], [21, 21, 32])
    one = probability_of_ranking(three, ranking=["s0", "s1", "s2"]).probability
    two = probability_of_ranking(three, ranking=["s1", "s0", "s2"]).probability
    assert one == two
    bottom = probability_of_rank(three).rank[2][2]
    assert one + two == pytest.approx(bottom, rel=0, abs=1e-13)


def test_fifty_ranks_at_a_hundred_million_add_up():
    rng = np.random.default_rng(5)
    right = np.round(8e7 + 4000 * rng.normal(size=50))
    table = np.array(probability_of_rank(betas(right + 1, 1e8 - right + 1)).rank)
    assert np.abs(table.sum(axis=0) - 1).max() < 1e-11
    assert np.abs(table.sum(axis=1) - 1).max() < 1e-11


def test_the_default_ranking_is_that_of_the_means():
    three = betas([70, 85, 81], [32, 17, 21])
    assert probability_of_ranking(three).ranking == ("s1", "s2", "s0")
    assert ranking_probability_by_product(three).ranking == ("s1", "s2", "s0")


def test_two_systems_have_no_product_to_get_wrong():
    pair = betas([81, 85], [21, 17])
    product = ranking_probability_by_product(pair).probability
    assert product == pytest.approx(probability_of_ranking(pair).probability, abs=1e-13)


def test_a_ranking_must_name_each_system_once():
    pair = betas([81, 85], [21, 17])
    for wrong in (["s0"], ["s0", "s0"], ["s0", "x"]):
        with pytest.raises(RequestError, match="best first"):
            probability_of_ranking(pair, ranking=wrong)
