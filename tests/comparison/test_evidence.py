from itertools import combinations
from math import comb, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betaln

from steelyard.comparison.sequential.evidence import (
    closed_by_averaging,
    discordant_evidence,
    log_evidence,
    win_sequence,
)
from steelyard.errors import CountsError, RequestError

wins = st.integers(0, 400)


def test_the_worked_example_has_its_digits():
    # w = 36, l = 27, a = 1, from the closed forms.
    answer = discordant_evidence(36, 27, prior=1)
    assert answer.different == pytest.approx(0.2944359054, abs=5e-11)
    assert answer.first_better == pytest.approx(0.5121902555, abs=5e-11)
    ends = win_sequence(36, 27)
    assert (round(ends.low, 6), round(ends.high, 6)) == (0.377159, 0.751659)
    assert ends.difference_if_discordant == (2 * ends.low - 1, 2 * ends.high - 1)


@given(wins, wins, st.sampled_from([0.5, 1.0, 10.0]))
def test_the_two_one_sided_values_average_to_the_two_sided_one(won, lost, prior):
    answer = discordant_evidence(won, lost, prior=prior)
    mean = np.logaddexp(answer.log_first, answer.log_second) - log(2)
    assert mean == pytest.approx(answer.log_different, abs=1e-9)
    other = discordant_evidence(lost, won, prior=prior)
    assert other.log_first == pytest.approx(answer.log_second, abs=1e-9)


@pytest.mark.parametrize("prior", [0.5, 1.0, 10.0])
@pytest.mark.parametrize("total", [1, 2, 7])
def test_it_is_a_fair_game_under_equal_systems(prior, total):
    # The expected value after one more item is the value before it: a martingale.
    for won in range(total):
        lost = total - 1 - won
        before = discordant_evidence(won, lost, prior=prior).different
        after = [discordant_evidence(won + k, lost + 1 - k, prior=prior).different for k in (0, 1)]
        assert sum(after) / 2 == pytest.approx(before, rel=1e-12)


@pytest.mark.parametrize("win", [0.5, 0.4, 0.1])
def test_the_one_sided_value_never_gains_under_its_null(win):
    for won in range(12):
        for lost in range(12):
            before = discordant_evidence(won, lost).first_better
            up = discordant_evidence(won + 1, lost).first_better
            down = discordant_evidence(won, lost + 1).first_better
            assert win * up + (1 - win) * down <= before * (1 + 1e-12)


@pytest.mark.parametrize(("won", "lost"), [(0, 3000), (3000, 0), (100, 4000), (1500, 3500)])
def test_hopeless_sides_keep_their_small_value(won, lost):
    # Exact integers: the incomplete Beta integral at 1/2 is a binomial tail. In plain floats the
    # product is infinity times zero here.
    n = won + lost + 1
    way = comb(n, lost + 1)
    tail = 0
    for k in range(lost + 1, n + 1):
        tail += way
        way = way * (n - k) // (k + 1)
    exact = log(tail) - log(n) - log(comb(n - 1, won))
    assert discordant_evidence(won, lost).log_first == pytest.approx(exact, rel=1e-9, abs=1e-8)


@given(wins, wins, st.sampled_from([0.01, 0.05, 0.3]))
def test_the_ends_of_the_sequence_solve_its_equation(won, lost, alpha):
    ends = win_sequence(won, lost, alpha=alpha)
    for q, inside in ((ends.low, won), (ends.high, lost)):
        if inside:
            ratio = betaln(1 + won, 1 + lost) - won * np.log(q) - lost * np.log1p(-q)
            assert ratio == pytest.approx(-log(alpha), abs=1e-7)
    if won + lost:
        assert ends.low <= won / (won + lost) <= ends.high
    else:
        assert (ends.low, ends.high) == (0, 1)


def test_the_sequence_excludes_one_half_when_the_evidence_is_large():
    for won in range(40):
        answer, ends = discordant_evidence(won, 5), win_sequence(won, 5)
        assert (answer.different >= 20) == (not ends.low < 0.5 < ends.high)


def test_looking_after_every_item_does_not_spoil_the_error_rate():
    # Short form: 4,000 campaigns of 300 discordant items; the limit is 0.05.
    rng = np.random.default_rng(17)
    won = (rng.random((4000, 300)) < 0.5).cumsum(axis=1)
    lost = np.arange(1, 301) - won
    different, first, _ = log_evidence(won, lost)
    for logs in (different, first):
        ever = (logs >= log(20)).any(axis=1).mean()
        assert 0.005 < ever < 0.05


def test_the_sequence_covers_at_all_times_together():
    rng = np.random.default_rng(23)
    won = (rng.random((3000, 200)) < 0.7).cumsum(axis=1)
    lost = np.arange(1, 201) - won
    ratio = betaln(1 + won, 1 + lost) - won * log(0.7) - lost * log(0.3)
    missed = (ratio >= log(20)).any(axis=1).mean()
    assert 0.005 < missed < 0.05


@given(st.lists(st.floats(0, 100), min_size=1, max_size=6))
def test_averaging_is_closed_testing_over_all_subsets(values):
    places = range(len(values))
    brute = [
        min(
            np.mean([values[k] for k in group])
            for size in range(1, len(values) + 1)
            for group in combinations(places, size)
            if place in group
        )
        for place in places
    ]
    assert closed_by_averaging(values) == pytest.approx(brute, abs=1e-9)


def test_strange_numbers_are_refused():
    with pytest.raises(RequestError, match="not an e-value"):
        closed_by_averaging([1.0, -1.0])
    with pytest.raises(RequestError, match="prior"):
        discordant_evidence(1, 2, prior=0)
    with pytest.raises(CountsError, match="whole number"):
        discordant_evidence(-1, 2)
    with pytest.raises(RequestError, match="alpha"):
        win_sequence(1, 2, alpha=5)


def test_very_large_evidence_is_kept_as_a_logarithm():
    answer = discordant_evidence(0, 5000)
    assert answer.log_second > 3000
    assert answer.second_better == answer.different == np.exp(700)
    assert answer.first_better < 1e-3
