"""Wald-MSRB in simulated campaigns: the same verdicts as the test itself, item by item."""

import numpy as np
import pytest

from steelyard.comparison import all_pairs_test
from steelyard.errors import RequestError
from steelyard.planning import DoubleRule, all_pairs_properties, paired_rates, stopping_properties
from steelyard.planning.all_pairs_rules import _named, unrelated_patterns
from steelyard.planning.all_pairs_walks import AllPairsWalks

WORDS = ["open", "first", "second", "no winner", "dropped"]


@pytest.mark.parametrize("rule", ["two-sided", "lead"])
def test_every_campaign_ends_as_the_test_itself_does_also_beside_others(rule):
    names = ["A", "B", "C", "D"]
    kinds = [(scheme, sharing) for scheme in "AB" for sharing in ("msrb", "bonferroni")]
    tests = [
        all_pairs_test(names, smallest=1.6, rule=rule, scheme=scheme, sharing=sharing)
        for scheme, sharing in kinds
    ]
    chances = unrelated_patterns([0.8, 0.7, 0.68, 0.5])
    drawn = np.random.default_rng(4).choice(chances.size, p=chances, size=(250, 12 * len(tests)))
    walks = AllPairsWalks(tests, 12)
    for pattern in drawn:
        walks.see(pattern)
    for at, test in enumerate(tests):
        ended = walks.ended()[at]
        for campaign in range(12):
            alone = test.run(int(pattern) for pattern in drawn[:, 12 * at + campaign])
            verdicts = [WORDS[code] for code in ended.verdict[campaign]]
            assert verdicts == [race.verdict for race in alone.races]
            assert ended.items[campaign] == alone.items
            for place, name in enumerate(names):
                assert _named(ended, test, place)[campaign] == (alone.best == name)


def test_of_two_systems_it_is_the_double_test():
    rates = [0.85, 0.75]
    pair = paired_rates(*rates, discordance=0.85 * 0.25 + 0.75 * 0.15)
    exact = stopping_properties(DoubleRule(win=0.65), pair, cap=600)
    test = all_pairs_test(["A", "B"], smallest=0.65 / 0.35)
    found = all_pairs_properties(test, rates, cap=600, rng=np.random.default_rng(1))
    assert abs(found.best - exact.right) < 4 * found.error
    assert found.expected == pytest.approx(exact.expected, abs=4 * 120 / np.sqrt(1000))


def test_equal_systems_rarely_get_a_winner():
    test = all_pairs_test(["A", "B", "C"], smallest=1.6)
    found = all_pairs_properties(
        test, [0.8, 0.8, 0.8], cap=600, rng=np.random.default_rng(2), campaigns=800
    )
    assert found.wrong < 0.05 + 4 * found.error


@pytest.mark.parametrize(
    ("rates", "cap"), [([0.9, 0.8], 100), ([0.9, 0.8, 0.7], 0), ([0.9, 0.8, 1.2], 10)]
)
def test_what_does_not_fit_is_refused(rates, cap):
    test = all_pairs_test(["A", "B", "C"], smallest=1.6)
    with pytest.raises(RequestError):
        all_pairs_properties(test, rates, cap=cap, rng=np.random.default_rng(0))
