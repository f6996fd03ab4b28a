from itertools import product

import numpy as np
import pytest

from steelyard.comparison.sequential.wald import paired_wald_test, wald_decision, wald_test
from steelyard.comparison.sequential.wald_properties import wald_exact_properties, wald_properties
from steelyard.errors import RequestError


@pytest.mark.parametrize(
    ("win", "expected", "take"), [(0.5, 102.8885, 0.046465), (0.6, 123.5925, 0.908614)]
)
def test_the_paired_test_has_its_exact_numbers(win, expected, take):
    answer = wald_exact_properties(paired_wald_test(0.5, 0.6, alpha=0.05, beta=0.1), win=win)
    assert round(answer.expected_pairs, 4) == expected
    assert round(answer.take, 6) == take
    assert answer.keep + answer.take == pytest.approx(1, abs=1e-12)
    assert answer.error < 1e-12


@pytest.mark.parametrize("win", [0.3, 0.5, 0.7])
def test_every_path_of_twelve_pairs_is_counted(win):
    test = wald_test(1, 2.5, ratio="u")
    keep = take = pairs = 0.0
    for path in product((0, 1), repeat=12):
        chance = float(np.prod([win if won else 1 - win for won in path]))
        for length in range(1, 13):
            said = wald_decision(test, pairs=length, second_wins=sum(path[:length]))
            if said != "continue" or length == 12:
                keep += chance * (said == "keep first")
                take += chance * (said == "take second")
                pairs += chance * length
                break
    answer = wald_exact_properties(test, win=win, cap=12)
    assert answer.keep == pytest.approx(keep, abs=1e-12)
    assert answer.take == pytest.approx(take, abs=1e-12)
    assert answer.open == pytest.approx(1 - keep - take, abs=1e-12)
    assert answer.expected_pairs == pytest.approx(pairs, abs=1e-11)


def test_the_errors_hold_walds_inequality_and_the_length_exceeds_his_formula():
    test = wald_test(1, 2.5, ratio="u")
    for win, wrong in ((0.5, "take"), (2.5 / 3.5, "keep")):
        exact, formula = wald_exact_properties(test, win=win), wald_properties(test, win=win)
        assert getattr(exact, wrong) < getattr(formula, wrong)
        assert exact.expected_pairs > formula.expected_pairs


def test_simulation_agrees():
    test, rng = wald_test(1, 2.5, ratio="u"), np.random.default_rng(3)
    wins = (rng.random((4000, 400)) < 0.6).cumsum(axis=1)
    pairs = np.arange(1, 401)
    out = (wins <= test.keep_intercept + test.slope * pairs) | (
        wins >= test.take_intercept + test.slope * pairs
    )
    first = out.argmax(axis=1)
    took = wins[np.arange(4000), first] > test.slope * (first + 1)
    answer = wald_exact_properties(test, win=0.6)
    assert took.mean() == pytest.approx(answer.take, abs=4 * 0.5 / 4000**0.5)
    spread = first.std() / 4000**0.5
    assert (first + 1).mean() == pytest.approx(answer.expected_pairs, abs=4 * spread)


def test_sure_wins_end_at_the_line():
    test = wald_test(1, 2.5, ratio="u")
    answer = wald_exact_properties(test, win=1.0)
    assert (answer.take, answer.expected_pairs) == (1.0, 9.0)


def test_strange_requests_are_refused():
    test = wald_test(1, 2.5, ratio="u")
    with pytest.raises(RequestError, match="not a probability"):
        wald_exact_properties(test, win=-0.1)
    with pytest.raises(RequestError, match="at least 1"):
        wald_exact_properties(test, win=0.5, cap=0)
