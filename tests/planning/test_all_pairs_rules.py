"""Wald-MSRB in simulated campaigns: the same verdicts as the test itself, item by item."""

import numpy as np
import pytest

from steelyard.comparison import all_pairs_test
from steelyard.errors import RequestError
from steelyard.planning import (
    AllPairsRace,
    DoubleRule,
    all_pairs_properties,
    paired_rates,
    raced_all_pairs,
    stopping_properties,
)
from steelyard.planning.stopping.all_pairs_rules import _name, chance_of_patterns
from steelyard.planning.stopping.all_pairs_walks import AllPairsWalks

WORDS = ["open", "first", "second", "no winner", "dropped"]


@pytest.mark.parametrize("rule", ["two-sided", "lead"])
def test_every_campaign_ends_as_the_test_itself_does_also_beside_others(rule):
    names = ["A", "B", "C", "D"]
    kinds = [(scheme, sharing) for scheme in "AB" for sharing in ("msrb", "bonferroni")]
    tests = [
        all_pairs_test(names, smallest=1.6, rule=rule, scheme=scheme, sharing=sharing)
        for scheme, sharing in kinds
    ]
    chances = chance_of_patterns([0.8, 0.7, 0.68, 0.5])
    drawn = np.random.default_rng(4).choice(chances.size, p=chances, size=(250, 12 * len(tests)))
    walks = AllPairsWalks(tests, 12)
    for pattern in drawn:
        walks.see(pattern)
    for at, test in enumerate(tests):
        ended = walks.list_ended()[at]
        for campaign in range(12):
            alone = test.run(int(pattern) for pattern in drawn[:, 12 * at + campaign])
            verdicts = [WORDS[code] for code in ended.verdict[campaign]]
            assert verdicts == [race.verdict for race in alone.races]
            assert ended.items[campaign] == alone.items
            for place, name in enumerate(names):
                assert _name(ended, test, place)[campaign] == (alone.best == name)


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


@pytest.mark.parametrize("every", [8, 64, 100])
def test_campaigns_looked_at_more_rarely_name_the_same_winners_a_little_later(every):
    test = all_pairs_test(["A", "B", "C"], smallest=1.5)
    race = AllPairsRace(test=test, rates=(0.9, 0.8, 0.6))
    rng = np.random.default_rng(6)
    (often,) = raced_all_pairs([race], cap=2000, rng=rng, campaigns=600)
    (rarely,) = raced_all_pairs([race], cap=2000, rng=rng, campaigns=600, every=every)
    assert abs(often.best - rarely.best) < 4 * (often.error + rarely.error)
    assert rarely.wrong <= 0.05 + 4 * rarely.error
    assert often.expected - 30 < rarely.expected < often.expected + every + 60
    assert rarely.late % every == 0 or rarely.late == 2000


@pytest.mark.parametrize("every", [8, 64])
def test_items_of_a_look_follow_the_patterns_given(every):
    # A and B are right together on every item, and C never: only C loses, and soon.
    chances = np.zeros(8)
    chances[0b011], chances[0b000] = 0.7, 0.3
    test = all_pairs_test(["A", "B", "C"], smallest=1.5)
    races = [
        AllPairsRace(test=test, rates=(0.7, 0.7, 0.001), patterns=chances),
        AllPairsRace(test=test, rates=(0.999, 0.999, 0.001)),
    ]
    rng = np.random.default_rng(2)
    together, sure = raced_all_pairs(races, cap=128, rng=rng, campaigns=200, every=every)
    assert (together.best, together.wrong, together.decided) == (0.0, 0.0, 0.0)
    assert (sure.best, sure.wrong, sure.expected) == (0.0, 0.0, 128.0)


def test_looks_after_no_item_are_refused():
    race = AllPairsRace(test=all_pairs_test(["A", "B"], smallest=1.5), rates=(0.9, 0.8))
    with pytest.raises(RequestError, match="every=0; all are at least 1"):
        raced_all_pairs([race], cap=10, rng=np.random.default_rng(0), every=0)
