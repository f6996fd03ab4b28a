from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from steelyard.comparison.selection import (
    items_needed,
    least_favourable,
    probability_correct_selection,
    smallest_lead,
    subset_allowance,
    subset_with_best,
)
from steelyard.counts import Trials
from steelyard.errors import NotComparable, RequestError

shares = st.integers(0, 64).map(lambda k: k / 64)


def enumerated(tested, systems, lead, best_rate):
    best = binom.pmf(range(tested + 1), tested, best_rate)
    rival = binom.pmf(range(tested + 1), tested, best_rate - lead)
    total = 0.0
    for counts in product(range(tested + 1), repeat=systems):
        if counts[0] == max(counts):
            chance = best[counts[0]] * np.prod(rival[list(counts[1:])])
            total += chance / counts.count(counts[0])
    return total


@pytest.mark.parametrize(("tested", "value"), [(82, 0.900059370319), (81, 0.898672828037)])
def test_two_systems_a_tenth_apart_have_the_known_probability(tested, value):
    # Exact sums, 12 digits; n_min = 82 for k = 2, lead .1, P* = .9.
    worst = least_favourable(tested, 2, lead=0.1)
    assert worst.probability == pytest.approx(value, abs=1e-12)
    assert worst.best_rate == pytest.approx(0.55, abs=1e-4)
    assert items_needed(2, lead=0.1, confidence=0.9).tested == 82


@settings(max_examples=40)
@given(st.integers(1, 5), st.integers(2, 4), shares, shares)
def test_every_outcome_of_small_tests_is_counted(tested, systems, best_rate, share):
    lead = share * best_rate
    found = probability_correct_selection(tested, systems, lead=lead, best_rate=best_rate)
    assert found == pytest.approx(enumerated(tested, systems, lead, best_rate), abs=1e-12)


def test_the_least_favourable_rate_is_the_lowest_of_a_fine_grid():
    for tested, systems, lead in ((10, 3, 0.2), (40, 5, 0.1), (3, 2, 0.5)):
        worst = least_favourable(tested, systems, lead=lead)
        grid = [
            probability_correct_selection(tested, systems, lead=lead, best_rate=p)
            for p in np.linspace(lead, 1, 2001)
        ]
        assert worst.probability <= min(grid) + 1e-12
        assert worst.probability >= min(grid) - 1e-6
        if systems > 2:
            assert worst.best_rate > (1 + lead) / 2


@pytest.mark.parametrize(
    ("systems", "lead", "confidence"),
    [(2, 0.3, 0.8), (3, 0.2, 0.9), (4, 0.25, 0.95), (2, 0.9, 0.6)],
)
def test_items_needed_is_the_first_number_that_keeps_the_promise(systems, lead, confidence):
    answer = items_needed(systems, lead=lead, confidence=confidence)
    promised = [
        least_favourable(n, systems, lead=lead).probability for n in range(1, answer.tested + 1)
    ]
    assert promised[-1] == answer.probability >= confidence
    assert all(value < confidence for value in promised[:-1])
    assert answer.one_less < confidence


def test_many_items_are_found_quickly():
    answer = items_needed(5, lead=0.02, confidence=0.95)
    assert answer.one_less < 0.95 <= answer.probability + 1e-10
    assert 5000 < answer.tested < 6000


def test_the_lead_resolved_and_the_items_needed_are_inverse():
    lead = smallest_lead(60, 3, confidence=0.9)
    assert least_favourable(60, 3, lead=lead).probability == pytest.approx(0.9, abs=1e-9)
    assert items_needed(3, lead=lead + 1e-6, confidence=0.9).tested <= 60
    assert items_needed(3, lead=lead - 1e-4, confidence=0.9).tested >= 60


def test_the_allowance_is_the_smallest_that_keeps_the_best():
    for tested, systems, confidence in ((12, 2, 0.9), (8, 3, 0.8), (20, 4, 0.95)):
        allowance, guarantee = subset_allowance(tested, systems, confidence=confidence)

        def kept(d, n=tested, k=systems):
            j = np.arange(n + 1)
            return min(
                float(binom.pmf(j, n, p) @ binom.cdf(j + d, n, p) ** (k - 1))
                for p in np.linspace(0.001, 0.999, 999)
            )

        assert kept(allowance) >= confidence > kept(allowance - 1)
        assert guarantee == pytest.approx(kept(allowance), abs=1e-5)


def test_the_best_is_kept_least_often_when_all_rates_are_equal():
    # Brute force over unequal rates of three systems: the guarantee holds everywhere.
    tested, allowance = 6, subset_allowance(6, 3, confidence=0.9)[0]
    guarantee = subset_allowance(6, 3, confidence=0.9)[1]
    j = np.arange(tested + 1)
    rates = np.linspace(0.05, 0.95, 10)
    for best in rates:
        for one, two in product(rates[rates <= best], repeat=2):
            reach = binom.cdf(j + allowance, tested, one) * binom.cdf(j + allowance, tested, two)
            assert float(binom.pmf(j, tested, best) @ reach) >= guarantee - 1e-9


def test_the_subset_holds_the_leader_and_those_close_to_it():
    trials = Trials(correct={"A": 45, "B": 37, "C": 36}, tested=50, pairing="independent")
    found = subset_with_best(trials, confidence=0.9)
    assert found.systems == ("A", "B")
    assert found.allowance == 8


def test_common_or_unequal_test_sets_are_refused():
    for trials in (
        Trials(correct={"A": 4, "B": 3}, tested=5, pairing="common"),
        Trials(correct={"A": 4, "B": 3}, tested={"A": 5, "B": 6}, pairing="independent"),
    ):
        with pytest.raises(NotComparable, match="independent test sets of one size"):
            subset_with_best(trials)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: probability_correct_selection(0, 2, lead=0.1, best_rate=0.5),
        lambda: probability_correct_selection(5, 2, lead=0.6, best_rate=0.5),
        lambda: least_favourable(5, 2, lead=0),
        lambda: items_needed(3, lead=0.1, confidence=0.3),
        lambda: items_needed(3, lead=10, confidence=0.9),
        lambda: smallest_lead(5, 1, confidence=0.9),
        lambda: subset_allowance(5, 2, confidence=95),
    ],
)
def test_arguments_outside_their_domain_are_refused(ask):
    with pytest.raises(RequestError):
        ask()


@pytest.mark.parametrize(("systems", "lead", "confidence"), [(30, 0.3, 0.99), (2, 0.4, 0.51)])
def test_the_first_guess_may_be_too_large_or_too_small(systems, lead, confidence):
    answer = items_needed(systems, lead=lead, confidence=confidence)
    assert answer.one_less < confidence <= answer.probability + 1e-10
