"""A call that means "don't know", declared by name."""

import pytest

import steelyard as sy
from steelyard.errors import SteelyardError

TRUTH = ["cat"] * 6 + ["dog"] * 6
DATA = {
    "item": list(range(12)),
    "truth": TRUTH,
    "shy": ["cat", "cat", "cat", "?", "?", "dog", "dog", "dog", "dog", "dog", "?", "?"],
    "bold": ["cat", "cat", "cat", "cat", "dog", "dog", "dog", "dog", "dog", "dog", "cat", "cat"],
}


def test_coverage_and_what_is_right_among_the_answered_are_measured():
    shy = sy.evaluate(DATA, unknown="?").systems[0]
    found = {one.measure: (one.successes, one.trials) for one in (shy.accuracy, *shy.further)}
    assert found == {"accuracy": (7, 12), "coverage": (8, 12), "selective accuracy": (7, 8)}
    assert all(one.interval is not None for one in (shy.accuracy, *shy.further))
    assert "is no answer" in shy.caveats[0]


def test_a_comparison_counts_it_as_wrong_and_says_who_answered_how_much():
    found = sy.compare(DATA, unknown="?")
    rates = {one.system: one.rate.value for one in found.systems}
    assert rates == {"shy": pytest.approx(7 / 12), "bold": pytest.approx(8 / 12)}
    assert any("shy answered 66.7%" in note for note in found.caveats)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"unknown": "dunno"}, "Name that: unknown='\\?'"),
        ({"unknown": "cat"}, "is a true class too"),
        ({"unknown": "?", "measure": "recall of cat"}, "leave measure="),
    ],
)
def test_a_call_that_cannot_be_meant_is_refused(asked, words):
    with pytest.raises(SteelyardError, match=words):
        sy.evaluate(DATA, **asked)
