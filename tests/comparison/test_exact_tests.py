import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from steelyard.comparison.exact.unconditional import fisher_exact, unconditional_exact
from steelyard.errors import CountsError, RequestError

sample = st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
small = st.integers(1, 12).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def table(first, second):
    return [[first[0], second[0]], [first[1] - first[0], second[1] - second[0]]]


@given(sample, sample)
def test_fisher_is_that_of_scipy(first, second):
    theirs = stats.fisher_exact(table(first, second)).pvalue
    assert fisher_exact(first, second).p_value == pytest.approx(theirs, rel=1e-9)


def test_fisher_stays_exact_for_large_samples():
    theirs = stats.fisher_exact(table((45_200, 90_000), (50_900, 100_000))).pvalue
    found = fisher_exact((45_200, 90_000), (50_900, 100_000)).p_value
    assert found == pytest.approx(theirs, rel=1e-6)


def dense(region, n1, n2):
    rates = np.linspace(0, 1, 4001)
    one = stats.binom.pmf(np.arange(n1 + 1), n1, rates[:, None])
    two = stats.binom.pmf(np.arange(n2 + 1), n2, rates[:, None])
    return float(((one @ region) * two).sum(axis=1).max())


@settings(max_examples=15)
@given(small, small)
def test_boschloo_is_the_largest_chance_of_a_fisher_p_value_so_small(first, second):
    (x1, n1), (x2, n2) = first, second
    fisher = np.array(
        [
            [stats.fisher_exact(table((i, n1), (j, n2))).pvalue for j in range(n2 + 1)]
            for i in range(n1 + 1)
        ]
    )
    brute = dense(fisher <= fisher[x1, x2] * (1 + 1e-7), n1, n2)
    answer = unconditional_exact(first, second)
    assert answer.p_value == pytest.approx(min(1, brute), abs=1e-4)
    assert answer.p_value >= min(1, brute) - 1e-12
    assert answer.p_value <= fisher[x1, x2] + 1e-9


@settings(max_examples=15)
@given(small, small)
def test_barnard_is_the_largest_chance_of_a_score_so_large(first, second):
    (x1, n1), (x2, n2) = first, second
    i, j = np.arange(n1 + 1)[:, None], np.arange(n2 + 1)[None, :]
    pooled = (i + j) / (n1 + n2)
    spread = pooled * (1 - pooled) * (1 / n1 + 1 / n2)
    score = np.where(spread > 0, (i / n1 - j / n2) ** 2 / np.where(spread > 0, spread, 1), 0)
    brute = dense(score >= score[x1, x2] * (1 - 1e-9) - 1e-12, n1, n2)
    answer = unconditional_exact(first, second, order="barnard")
    assert answer.p_value == pytest.approx(min(1, brute), abs=1e-4)
    assert answer.p_value >= min(1, brute) - 1e-12


@pytest.mark.parametrize("order", ["boschloo", "barnard"])
def test_its_error_rate_is_kept_at_every_common_rate(order):
    n = 9
    p_values = np.array(
        [
            [unconditional_exact((i, n), (j, n), order=order).p_value for j in range(n + 1)]
            for i in range(n + 1)
        ]
    )
    assert dense(p_values <= 0.05, n, n) <= 0.05 + 1e-9
    assert dense(p_values <= 0.05, n, n) > 0.03


def test_samples_of_two_hundred_are_answered():
    answer = unconditional_exact((150, 200), (168, 200))
    assert fisher_exact((150, 200), (168, 200)).p_value > answer.p_value > 0.02
    assert 0 < answer.rate < 1


def test_no_variation_is_no_evidence():
    assert fisher_exact((0, 4), (0, 9)).p_value == 1
    assert unconditional_exact((0, 4), (0, 9)).p_value == 1
    assert unconditional_exact((4, 4), (9, 9), order="barnard").p_value == 1


def test_strange_requests_are_refused():
    with pytest.raises(CountsError, match="5 right of 4"):
        fisher_exact((5, 4), (1, 4))
    with pytest.raises(RequestError, match="order"):
        unconditional_exact((3, 4), (1, 4), order="fisher")
    with pytest.raises(RequestError, match="score_test"):
        unconditional_exact((3, 9000), (1, 9000))
