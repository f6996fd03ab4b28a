from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.comparison import rank_sets
from steelyard.errors import RequestError

NAMES = ("A", "B", "C", "D")
RATES = (0.9, 0.8, 0.7, 0.6)


def decided(*different):
    return {pair: pair in different for pair in combinations(NAMES, 2)}


def spans(decisions, names=NAMES, rates=RATES):
    sets = rank_sets(names, rates, decisions=decisions)
    return {one.system: (one.lowest, one.highest) for one in sets}


def test_without_decisions_every_rank_is_open():
    assert spans(decided()) == dict.fromkeys(NAMES, (1, 4))


def test_with_all_decisions_every_rank_is_known():
    every = decided(*combinations(NAMES, 2))
    assert spans(every) == {"A": (1, 1), "B": (2, 2), "C": (3, 3), "D": (4, 4)}


def test_one_decision_closes_one_end_of_two_systems():
    assert spans(decided(("A", "D"))) == {"A": (1, 3), "B": (1, 4), "C": (1, 4), "D": (2, 4)}


@given(st.sets(st.sampled_from(list(combinations(NAMES, 2)))), st.permutations(NAMES))
def test_the_order_of_systems_and_of_names_in_a_pair_does_not_matter(different, order):
    rates = [dict(zip(NAMES, RATES, strict=True))[name] for name in order]
    turned = {pair[::-1]: flag for pair, flag in decided(*different).items()}
    assert spans(turned, order, rates) == spans(decided(*different))


@given(st.sets(st.sampled_from(list(combinations(NAMES, 2)))))
def test_the_observed_rank_is_never_excluded(different):
    for rank, name in enumerate(NAMES, 1):
        low, high = spans(decided(*different))[name]
        assert low <= rank <= high


def test_contradictions_are_refused():
    with pytest.raises(RequestError, match="decide every pair"):
        rank_sets(NAMES, RATES, decisions={})
    with pytest.raises(RequestError, match="not a pair of"):
        rank_sets(NAMES, RATES, decisions={**decided(), ("A", "X"): True})
    with pytest.raises(RequestError, match="decided twice"):
        rank_sets(NAMES, RATES, decisions={**decided(), ("B", "A"): True})
    with pytest.raises(RequestError, match="equal rates"):
        rank_sets(NAMES, (0.9, 0.9, 0.7, 0.6), decisions=decided(("A", "B")))
    with pytest.raises(RequestError, match="one rate"):
        rank_sets(NAMES, RATES[:3], decisions=decided())
