from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.comparison.ranking_sets import compact_letters
from steelyard.errors import RequestError


def decided(size, flags):
    names = [f"s{k}" for k in range(size)]
    return names, dict(zip(combinations(names, 2), flags, strict=True))


tables = st.integers(1, 8).flatmap(
    lambda k: st.tuples(
        st.just(k),
        st.lists(st.booleans(), min_size=k * (k - 1) // 2, max_size=k * (k - 1) // 2),
    )
)


@given(tables)
def test_two_systems_share_a_letter_exactly_when_they_are_not_told_apart(case):
    names, decisions = decided(*case)
    letters = compact_letters(names, decisions=decisions)
    assert all(letters.values())
    for (one, two), different in decisions.items():
        assert bool(set(letters[one]) & set(letters[two])) == (not different)


@given(tables)
def test_no_letter_is_held_by_another(case):
    names, decisions = decided(*case)
    letters = compact_letters(names, decisions=decisions)
    held = {
        letter: {n for n in names if letter in letters[n]} for letter in "".join(letters.values())
    }
    for one, two in combinations(held.values(), 2):
        assert not one <= two
        assert not two <= one


def test_the_best_system_has_the_first_letter():
    names, decisions = decided(4, [False, True, True, True, True, False])
    assert compact_letters(names, decisions=decisions) == {
        "s0": "a",
        "s1": "a",
        "s2": "b",
        "s3": "b",
    }


def test_after_z_letters_go_on_in_twos():
    names, decisions = decided(28, [True] * (28 * 27 // 2))
    letters = compact_letters(names, decisions=decisions)
    assert [letters[n] for n in names[24:]] == ["y", "z", "aa", "ab"]


def test_decisions_may_name_a_pair_in_either_order():
    assert compact_letters(["A", "B"], decisions={("B", "A"): True}) == {"A": "a", "B": "b"}


def test_missing_and_strange_decisions_are_refused():
    with pytest.raises(RequestError, match="missing"):
        compact_letters(["A", "B", "C"], decisions={("A", "B"): True})
    with pytest.raises(RequestError, match="besides"):
        compact_letters(["A", "B"], decisions={("A", "B"): True, ("A", "X"): True})
    with pytest.raises(RequestError, match="once"):
        compact_letters(["A", "A"], decisions={})
