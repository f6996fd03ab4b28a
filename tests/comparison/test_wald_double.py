from itertools import product

import numpy as np
import pytest

from steelyard.comparison.sequential.wald_double import (
    double_test,
    double_test_properties,
    run_double_test,
)
from steelyard.errors import RequestError


def test_its_error_and_power_are_those_stated_for_the_double_test():
    # Simulated over campaigns of at most 1,000 items with 20 % discordance: error 0.042-0.049,
    # power .90, 354 items with a difference of 6 points and 370 without.
    level = double_test_properties(double_test(0.65), win=0.5)
    assert 0.042 < level.first_better + level.second_better < 0.049
    power = double_test_properties(double_test(0.65), win=0.65, cap=200)
    assert 0.89 < power.first_better < 0.92
    assert power.expected_pairs / 0.2 == pytest.approx(354, abs=10)
    capped = double_test_properties(double_test(0.65), win=0.5, cap=200)
    assert capped.expected_pairs / 0.2 == pytest.approx(370, abs=10)


@pytest.mark.parametrize("win", [0.5, 0.8])
def test_every_path_of_eleven_items_is_counted(win):
    test = double_test(0.8, alpha=0.2, beta=0.2)
    chances = dict.fromkeys(("first better", "second better", "no difference", "continue"), 0.0)
    pairs = 0.0
    for path in product(("first", "second"), repeat=11):
        chance = float(np.prod([win if winner == "first" else 1 - win for winner in path]))
        ended = run_double_test(path, test=test)
        chances[ended.verdict] += chance
        pairs += chance * (ended.first_wins + ended.second_wins)
    answer = double_test_properties(test, win=win, cap=11)
    found = (answer.first_better, answer.second_better, answer.no_difference, answer.open)
    assert found == pytest.approx(tuple(chances.values()), abs=1e-12)
    assert answer.expected_pairs == pytest.approx(pairs, abs=1e-11)
    assert min(found) > 0


def test_exchanging_the_systems_exchanges_the_verdicts():
    one = double_test_properties(double_test(), win=0.6)
    other = double_test_properties(double_test(), win=0.4)
    assert one.first_better == pytest.approx(other.second_better, abs=1e-12)
    assert one.no_difference == pytest.approx(other.no_difference, abs=1e-12)


def test_a_refuted_side_cannot_win_later():
    test = run_double_test(["second"] * 8, test=double_test())
    assert test.first_refuted
    assert test.verdict == "continue"
    turned = run_double_test(["first"] * 400, test=test)
    assert turned.verdict == "no difference"


def test_an_ended_test_stays_as_it_is():
    ended = run_double_test(["second"] * 30, test=double_test())
    assert ended.verdict == "second better"
    assert ended.second_wins < 30
    assert ended.update("first") is ended


@pytest.mark.parametrize(
    "ask",
    [
        lambda: double_test(0.5),
        lambda: double_test(alpha=0),
        lambda: double_test(alpha=0.9, beta=0.6),
        lambda: double_test_properties(double_test(), win=2),
    ],
)
def test_arguments_outside_their_domain_are_refused(ask):
    with pytest.raises(RequestError):
        ask()
