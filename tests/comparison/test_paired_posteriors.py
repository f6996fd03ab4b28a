import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from steelyard.comparison import (
    BetaPosteriors,
    marginal_posteriors,
    pair_posterior,
    paired_better,
    paired_posterior,
    probability_best,
)
from steelyard.counts import Outcomes, PairTable, WeightSums
from steelyard.errors import NotComparable, RequestError

cells = st.integers(0, 10**6)
WORKED = PairTable(both=60, first=18, second=10, neither=12)


def table(both, first, second, neither):
    return PairTable(both=both, first=first, second=second, neither=neither)


def rng(seed=0):
    return np.random.default_rng(seed)


def test_the_worked_example_with_prior_one_half_per_cell():
    answer = pair_posterior(WORKED)
    assert answer.first_better == pytest.approx(0.9354449825, abs=5e-11)
    assert answer.loss_first == pytest.approx(0.00149340483, abs=5e-12)
    assert answer.loss_second == pytest.approx(0.07992477738, abs=5e-12)


def test_ignoring_the_pairing_would_hide_what_the_pairs_show():
    pair = table(160, 18, 5, 17)
    apart = BetaPosteriors(systems=("A", "B"), a=(179.0, 166.0), b=(23.0, 36.0))
    assert pair_posterior(pair).first_better == pytest.approx(0.997, abs=5e-4)
    assert probability_best(apart).best[0] == pytest.approx(0.968, abs=5e-4)


@given(cells, cells, cells, cells)
def test_swapping_systems_swaps_the_answer_to_the_bit(both, first, second, neither):
    one = pair_posterior(table(both, first, second, neither))
    two = pair_posterior(table(both, second, first, neither))
    assert (one.first_better, one.second_better) == (two.second_better, two.first_better)
    assert one.loss_first == pytest.approx(two.loss_second, rel=1e-12, abs=0)
    assert one.first_better + one.second_better == pytest.approx(1, abs=1e-15)


@given(cells, cells, cells, cells)
def test_losses_differ_by_the_difference_of_the_mean_rates(both, first, second, neither):
    answer = pair_posterior(table(both, first, second, neither))
    gap = (first - second) / (both + first + second + neither + 2)
    assert answer.loss_second - answer.loss_first == pytest.approx(gap, rel=1e-9, abs=1e-13)


def test_the_smaller_direction_keeps_its_digits():
    answer = pair_posterior(table(0, 700, 0, 0))
    # The leading term of I_1/2(700.5, 0.5) and mpmath give the same 1e-213; scipy's sf agrees.
    true = stats.beta.cdf(0.5, 700.5, 0.5)
    assert 0 < answer.second_better < 1e-200
    assert answer.second_better == pytest.approx(true, rel=1e-10, abs=0)
    assert 0 < answer.loss_first < 1e-200


def test_equal_evidence_is_exactly_even():
    for count in (0, 1, 10**8):
        answer = pair_posterior(table(5, count, count, 5))
        assert answer.first_better == answer.second_better == 0.5


THREE = Outcomes.from_patterns(
    {0: 10, 1: 9, 2: 4, 3: 7, 4: 2, 5: 3, 6: 5, 7: 60}, systems=("A", "B", "C")
)


def dirichlet_answer(outcomes, draws=400_000):
    """Every pattern drawn as a Gamma weight, by another road than the library's."""
    size = len(outcomes.systems)
    shape = np.full(1 << size, 2.0 ** (1 - size))
    for pattern, rows in outcomes.patterns:
        shape[pattern] += rows
    weight = rng(99).gamma(shape, size=(draws, shape.size))
    weight /= weight.sum(axis=1, keepdims=True)
    bits = (np.arange(1 << size)[:, None] >> np.arange(size)) & 1
    rates = weight @ bits
    best = np.bincount(rates.argmax(axis=1), minlength=size) / draws
    loss = (rates.max(axis=1, keepdims=True) - rates).mean(axis=0)
    return best, loss


SPARSE = Outcomes.from_patterns({0: 2, 31: 9, 1: 3, 6: 2, 17: 1}, systems=tuple("ABCDE"))


@pytest.mark.parametrize("outcomes", [THREE, SPARSE], ids=["all patterns", "few patterns"])
def test_simulation_agrees_with_the_whole_dirichlet_distribution(outcomes):
    answer = paired_posterior(outcomes, rng=rng(1))
    best, loss = dirichlet_answer(outcomes)
    for got, error, true in zip(answer.best, answer.best_error, best, strict=True):
        assert abs(got - true) < 5 * error * np.sqrt(1.25)
    for got, error, true in zip(answer.loss, answer.loss_error, loss, strict=True):
        assert abs(got - true) < 5 * error * np.sqrt(1.25)


def test_simulated_pairs_agree_with_their_closed_form():
    # A pair's order can be read off the rank table when a third system is never best or second.
    outcomes = Outcomes.from_patterns({0: 5, 1: 12, 2: 6, 3: 77, 7: 0}, systems=("A", "B", "C"))
    answer = paired_posterior(outcomes, rng=rng(2))
    pair = pair_posterior(outcomes.pair("A", "B"))
    assert answer.rank[2][2] == 1.0
    assert abs(answer.best[0] - pair.first_better) < 5 * answer.best_error[0]
    assert answer.better[0][1] == pair.first_better


def test_one_and_two_systems_need_no_draws():
    pair = Outcomes.from_pair(both=60, first=18, second=10, neither=12, systems=("A", "B"))
    answer = paired_posterior(pair, rng=rng())
    closed = pair_posterior(WORKED)
    assert answer.draws == 0
    assert answer.best == (closed.first_better, closed.second_better)
    assert answer.rank == (answer.best, answer.best[::-1])
    assert answer.loss == (closed.loss_first, closed.loss_second)
    assert (answer.ranking, answer.ranking_probability) == (("A", "B"), closed.first_better)
    alone = paired_posterior(Outcomes.from_patterns({0: 1, 1: 3}, systems=("A",)), rng=rng())
    assert (alone.best, alone.rank, alone.loss) == ((1.0,), ((1.0,),), (0.0,))


def test_systems_alike_on_every_item_share_alike():
    outcomes = Outcomes.from_patterns({0: 20, 15: 60, 3: 9, 12: 4}, systems=tuple("ABCD"))
    answer = paired_posterior(outcomes, rng=rng(3), draws=20_000)
    assert answer.best[0] == answer.best[1]
    assert answer.best[2] == answer.best[3]
    assert answer.rank[0] == answer.rank[1]
    assert answer.loss[2] == answer.loss[3]
    assert answer.better[0][1] == 0.5
    assert sum(answer.best) == pytest.approx(1, abs=1e-12)


def test_all_alike_means_nobody_is_known_to_be_best():
    outcomes = Outcomes.from_patterns({0: 20, 7: 80}, systems=("A", "B", "C"))
    answer = paired_posterior(outcomes, rng=rng(4), draws=5_000)
    assert answer.best == pytest.approx((1 / 3,) * 3, abs=1e-15)
    assert answer.ranking_probability == pytest.approx(1 / 6, abs=1e-15)


def test_the_same_generator_gives_the_same_answer_and_another_a_near_one():
    one = paired_posterior(SPARSE, rng=rng(5), draws=5_000)
    assert one == paired_posterior(SPARSE, rng=rng(5), draws=5_000)
    other = paired_posterior(SPARSE, rng=rng(6), draws=5_000)
    assert one.best != other.best
    assert np.allclose(one.best, other.best, atol=0.05)


@settings(max_examples=20)
@given(st.dictionaries(st.integers(0, 2**7 - 1), st.integers(1, 30), min_size=1, max_size=12))
def test_ranks_are_shared_out_completely(rows):
    outcomes = Outcomes.from_patterns(rows, systems=tuple("ABCDEFG"))
    answer = paired_posterior(outcomes, rng=rng(7), draws=500)
    ranks = np.array(answer.rank)
    assert np.allclose(ranks.sum(axis=0), 1, atol=1e-12)
    assert np.allclose(ranks.sum(axis=1), 1, atol=1e-12)
    assert min(answer.loss) >= 0
    assert min(answer.best_error) > 0


def test_many_systems_fit_in_memory_and_time():
    names = tuple(f"s{i}" for i in range(70))
    items = rng(8).random((40, 70)) < np.linspace(0.5, 0.9, 70)
    rows = {}
    for item in items:
        pattern = sum(1 << int(k) for k in np.flatnonzero(item))
        rows[pattern] = rows.get(pattern, 0) + 1
    answer = paired_posterior(Outcomes.from_patterns(rows, systems=names), rng=rng(9), draws=1_000)
    assert sum(answer.best) == pytest.approx(1, abs=1e-9)


def test_each_rate_alone_has_the_beta_posterior_of_a_uniform_prior():
    posteriors = marginal_posteriors(THREE)
    assert posteriors.a == tuple(x + 1.0 for x in THREE.correct())
    assert posteriors.b == tuple(100 - x + 1.0 for x in THREE.correct())


def test_posterior_odds_are_calibrated_when_the_prior_is_true():
    # Draw rates from the prior, then items; among answers near 0.8 about 80 % must be right.
    source = rng(10)
    stated, right = [], []
    for _ in range(1_500):
        share = source.dirichlet([0.5] * 4)
        counts = source.multinomial(20, share)
        better = pair_posterior(table(*(int(c) for c in counts))).first_better
        stated.append(better)
        right.append(share[1] > share[2])
    stated, right = np.array(stated), np.array(right)
    for low, high in ((0.0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.0)):
        some = (stated >= low) & (stated < high) | ((high == 1.0) & (stated == 1.0))
        error = np.sqrt(0.25 / some.sum())
        assert abs(right[some].mean() - stated[some].mean()) < 4 * error


def test_weights_and_senseless_draws_are_refused():
    weighted = Outcomes.from_patterns(
        {0: 1, 1: 2}, systems=("A", "B"), weights={0: WeightSums(1, 1), 1: WeightSums(2, 2)}
    )
    for question in (paired_better, marginal_posteriors):
        with pytest.raises(NotComparable, match="weights"):
            question(weighted)
    with pytest.raises(NotComparable, match="weights"):
        paired_posterior(weighted, rng=rng())
    with pytest.raises(RequestError, match="draws=0"):
        paired_posterior(THREE, rng=rng(), draws=0)
