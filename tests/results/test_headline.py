"""Laws of the first sentence of a comparison."""

import json
import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.results.comparison.words import rank_systems


@st.composite
def compared(draw):
    """Three or four systems, with items of their own or common ones, sometimes few, many, alike."""
    systems = draw(st.integers(3, 4))
    names = tuple("ABCD"[:systems])
    sizes = st.sampled_from([2, 5, 10, 30, 100, 1000])
    margin = draw(st.sampled_from([None, None, 0.02, 0.2]))
    rates = draw(st.lists(st.floats(0.3, 1), min_size=systems, max_size=systems))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    if draw(st.booleans()):
        tested = draw(st.lists(sizes, min_size=systems, max_size=systems))
        right = rng.binomial(tested, rates).tolist()
        data = sy.Trials(
            correct=dict(zip(names, right, strict=True)),
            tested=dict(zip(names, tested, strict=True)),
            pairing="independent",
        )
        return sy.compare(data, margin=margin)
    items = draw(sizes)
    seen = rng.random((items, 1 if draw(st.booleans()) else systems)) < np.array(rates)
    codes, counts = np.unique(seen @ (1 << np.arange(systems)), return_counts=True)
    patterns = dict(zip(codes.tolist(), counts.tolist(), strict=True))
    return sy.compare(sy.Outcomes.from_patterns(patterns, systems=names), margin=margin)


def pairs_of(result):
    return {frozenset((pair.first, pair.second)): pair for pair in result.pairs}


def whoever_is_named_best_has_the_highest_probability_and_no_open_test(result):
    named = re.match(r"(\w) is the best of", result.sentence())
    leader = rank_systems(result)[0]
    if named is None:
        return
    assert named[1] == leader.system
    assert leader.best == max(one.best for one in result.systems)
    for other in result.systems:
        if other.system != leader.system:
            pair = pairs_of(result)[frozenset((leader.system, other.system))]
            assert pair.verdict == "same" or pair.winner == leader.system


def no_set_called_not_told_apart_holds_a_pair_that_is_decided(result):
    said, pairs = result.sentence(), pairs_of(result)
    everybody = [one.system for one in result.systems]
    for clause in re.split(r"[.:;] ?", said):
        together = re.match(r"(.*) (?:cannot be told apart|are right on exactly)", clause)
        if together is not None:
            whole = together[1].startswith("The ")
            names = everybody if whole else re.findall(r"\b[A-D]\b", together[1])
            assert len(names) > 1
            for pair in combinations(names, 2):
                assert pairs[frozenset(pair)].verdict == "undecided", said
        apart = re.match(r"(\w) is not told apart from (.*)", clause)
        if apart is not None:
            for name in re.findall(r"\b[A-D]\b", apart[2]):
                assert pairs[frozenset((apart[1], name))].verdict == "undecided", said


def the_leader_heads_sentence_table_tiers_and_matrix_alike(result):
    leader = rank_systems(result)[0]
    assert result.tables()[0].rows[0][0] == leader.system
    assert "a" in leader.tier
    assert leader.rank_low == 1
    beaten = {
        pair.second if pair.winner == pair.first else pair.first
        for pair in result.pairs
        if pair.winner is not None
    }
    assert leader.system not in beaten
    for other in result.systems:
        assert leader.best >= other.best or other.system in beaten


@given(compared())
def test_the_first_sentence_keeps_its_laws(result):
    """A comparison is dear to draw, so one serves all laws."""
    whoever_is_named_best_has_the_highest_probability_and_no_open_test(result)
    no_set_called_not_told_apart_holds_a_pair_that_is_decided(result)
    the_leader_heads_sentence_table_tiers_and_matrix_alike(result)


def test_the_likeliest_best_leads_although_smaller_sets_have_higher_rates():
    correct = {"big": 995, "a": 10, "b": 10, "c": 3, "d": 10, "e": 10}
    tested = {"big": 1000, "a": 10, "b": 10, "c": 10, "d": 10, "e": 10}
    result = sy.compare(sy.Trials(correct=correct, tested=tested, pairing="independent"))
    said = result.sentence()
    assert said.startswith("big, a, b, d and e cannot be told apart yet: big has accuracy 99.5%")
    assert "although a, b, d and e have a higher accuracy on fewer items" in said
    assert "it is better than c" in said
    assert rank_systems(result)[0].system == "big"
    assert result.tables()[0].rows[0][0] == "big"


def test_of_two_systems_the_likelier_better_one_is_spoken_of():
    trials = sy.Trials(
        correct={"S": 10, "T": 995}, tested={"S": 10, "T": 1000}, pairing="independent"
    )
    said = sy.compare(trials).sentence()
    assert said.startswith("T and S cannot be told apart yet: 99.5% against 100.0% right")
    assert (
        "T is the better one with probability 0.799 if the systems are alike, otherwise 0.936"
        in said
    )
    assert "although S has a higher accuracy on fewer items" in said


def test_a_set_with_a_decided_pair_is_not_called_untold():
    # The leader is open against both, but one of them is better than the other.
    trials = sy.Trials(
        correct={"A": 19, "B": 880, "C": 800}, tested={"A": 20, "B": 1000, "C": 1000},
        pairing="independent",
    )  # fmt: skip
    result = sy.compare(trials)
    assert "cannot be told apart" not in result.sentence()
    assert result.sentence().startswith("A is not told apart from B and C yet")


@pytest.mark.parametrize("open_p", [0.2, 0.06])
def test_a_probability_that_the_tests_do_not_bear_out_names_nobody_best(open_p):
    outcomes = sy.Outcomes.from_patterns({0: 10, 1: 19, 2: 4, 3: 7, 6: 5, 7: 65}, systems=[*"ABC"])
    found = sy.compare(outcomes)
    systems = tuple(
        replace(one, best=float(one.system == "A"), best_alike=None) for one in found.systems
    )
    pairs = tuple(replace(pair, verdict="undecided", adjusted_p=open_p) for pair in found.pairs)
    said = replace(found, systems=systems, pairs=pairs).sentence()
    assert "is the best" not in said
    assert "not borne out by the tests" in said


def test_a_comparison_saved_without_the_second_probability_and_ranges_is_read():
    trials = sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
    saved = json.loads(sy.compare(trials).to_json())
    for one in saved["systems"]:
        for name in ("best_alike", "best_low", "best_high"):
            del one[name]
    for pair in saved["pairs"]:
        del pair["overlaps"]
    read = sy.read_result(json.dumps(saved))
    assert all(one.best_alike is None for one in read.systems)
    assert "with probability 0.839" in read.sentence()
