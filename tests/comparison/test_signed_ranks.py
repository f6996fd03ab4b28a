from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata, wilcoxon

from steelyard.comparison.datasets.signed_ranks import bayesian_signed_rank, signed_rank
from steelyard.errors import NotComparable, RequestError

# Demšar (2006), table 2: C4.5+m minus C4.5 on 14 data sets.
DEMSAR = [
    0.005, -0.008, 0.017, 0.033, 0.006, -0.005, 0.007, 0.0, 0.063, 0.0, 0.022, 0.047, 0.009, 0.021,
]  # fmt: skip


def test_the_published_example_has_its_rank_sums():
    # Printed: R+ = 93, R- = 12, with the ranks 1.5 + 1.5 of two zeros split between them.
    answer = signed_rank(DEMSAR)
    assert (answer.positive + 1.5, answer.negative + 1.5) == (93, 12)
    assert answer.p_value < 0.05


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9), st.sampled_from(["pratt", "drop"]))
def test_every_pattern_of_signs_is_counted(values, zeros):
    differences = np.array(values, dtype=float)
    kept = differences if zeros == "pratt" else differences[differences != 0]
    ranks = rankdata(np.abs(kept))[kept != 0]
    balance = abs((ranks * np.sign(kept[kept != 0])).sum())
    signs = list(product((-1, 1), repeat=ranks.size))
    beyond = sum(abs(float(np.dot(s, ranks))) >= balance - 1e-9 for s in signs)
    assert signed_rank(values, zeros=zeros).p_value == pytest.approx(beyond / len(signs), abs=1e-12)


def test_without_ties_it_is_the_exact_test_of_scipy():
    values = np.random.default_rng(3).normal(0.3, 1, 40)
    theirs = wilcoxon(values, method="exact").pvalue
    assert signed_rank(values).p_value == pytest.approx(theirs, abs=1e-12)


def test_many_differences_take_the_normal_test_of_scipy():
    values = np.random.default_rng(4).integers(-9, 14, 300).astype(float)
    theirs = wilcoxon(values, method="approx", correction=False, zero_method="pratt").pvalue
    answer = signed_rank(values)
    assert answer.method == "normal"
    assert answer.p_value == pytest.approx(theirs, abs=1e-12)


def test_equal_differences_are_ties_though_floats_differ():
    # 0.3 - 0.2 and 0.2 - 0.1 differ in the last bit.
    one = signed_rank([0.3 - 0.2, -(0.2 - 0.1), 0.5])
    assert one == signed_rank([0.1, -0.1, 0.5])


def test_nothing_but_zeros_is_no_evidence():
    assert signed_rank([0.0, 0.0]).p_value == 1.0
    assert signed_rank([0.0, 0.0], zeros="drop").used == 0


def plain_draws(differences, rope, strength, draws, rng):
    """Follow Benavoli et al. (2017) draw by draw, as their published code does."""
    z = np.append(differences, 0.0)
    winners = np.zeros(3)
    for _ in range(draws):
        w = rng.dirichlet(np.append(np.ones(len(differences)), strength))
        shares = np.zeros(3)
        for i in range(z.size):
            for j in range(z.size):
                total = z[i] + z[j]
                place = 2 if total > 2 * rope else 0 if total < -2 * rope else 1
                shares[place] += w[i] * w[j]
        winners[shares.argmax()] += 1
    return winners / draws


def test_it_agrees_with_a_plain_loop_within_the_stated_error():
    differences = [0.02, 0.035, -0.01, 0.004, 0.012, -0.03]
    answer = bayesian_signed_rank(
        differences, rope=0.01, strength=0.6, rng=np.random.default_rng(1), draws=40_000
    )
    loop = plain_draws(differences, 0.01, 0.6, 1500, np.random.default_rng(2))
    found = (answer.below, answer.inside, answer.above)
    assert found == pytest.approx(loop, abs=4 * 0.5 / 1500**0.5)
    assert sum(found) == pytest.approx(1)
    assert 0 < answer.error <= 0.5 / 40_000**0.5


def test_it_agrees_with_the_reference_implementation():
    # baycomp 1.0.3, SignedRankTest(x, 0, rope=.01, random_state=1), 50,000 draws, prior .5.
    differences = np.random.default_rng(3).normal(0.02, 0.04, 12)
    answer = bayesian_signed_rank(differences, rope=0.01, rng=np.random.default_rng(0))
    found = (answer.above, answer.inside, answer.below)
    assert found == pytest.approx((0.69736, 0.14086, 0.16178), abs=5 * answer.error)


def test_the_seed_decides_the_draws_and_a_mirror_the_sides():
    differences = [0.02, 0.035, -0.01]
    one = bayesian_signed_rank(differences, rope=0.01, rng=np.random.default_rng(1), draws=3000)
    two = bayesian_signed_rank(differences, rope=0.01, rng=np.random.default_rng(1), draws=3000)
    mirror = bayesian_signed_rank(
        [-d for d in differences], rope=0.01, rng=np.random.default_rng(1), draws=3000
    )
    assert one == two
    assert (mirror.below, mirror.above) == (one.above, one.below)


def test_clear_cases_are_clear():
    rng = np.random.default_rng(5)
    assert bayesian_signed_rank([0.1] * 20, rope=0.01, rng=rng, draws=2000).above > 0.999
    assert bayesian_signed_rank([0.001] * 20, rope=0.01, rng=rng, draws=2000).inside == 1.0


def test_strange_requests_are_refused():
    rng = np.random.default_rng(5)
    for ask in (lambda: signed_rank([]), lambda: signed_rank([float("inf")])):
        with pytest.raises(NotComparable, match="finite"):
            ask()
    for ask in (
        lambda: signed_rank([1.0], zeros="wilcox"),
        lambda: bayesian_signed_rank([1.0], rope=-1, rng=rng),
        lambda: bayesian_signed_rank([1.0], rope=1, rng=rng, strength=0),
    ):
        with pytest.raises(RequestError):
            ask()
