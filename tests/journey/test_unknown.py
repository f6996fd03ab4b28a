"""A call that means "don't know", declared by name."""

import pytest

import steelyard as sy
from steelyard.errors import RequestError, SteelyardError
from steelyard.uncertainty import clopper_pearson_interval

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
    assert "is not an answer" in shy.caveats[0]


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


def test_a_gate_holds_claims_of_how_much_is_answered_and_right():
    truth = ["a", "b"] * 100
    said = ["unknown"] * 40 + [*truth[40:196], "b", "a", "b", "a"]
    claims = ["coverage at least 0.7", "selective accuracy at least 0.9", "accuracy at least 0.8"]
    found = sy.gate({"truth": truth, "s": said}, claim=claims, unknown="unknown")
    counts = [(160, 200), (156, 160), (156, 200)]
    assert [(one.count, one.total) for one in found.claims] == counts
    for one, (won, trials) in zip(found.claims, counts, strict=True):
        assert one.low == clopper_pearson_interval(won, trials, level=0.9)[0]
    assert [one.outcome for one in found.claims] == ["passes", "passes", "undecided"]
    with pytest.raises(RequestError, match="accuracy, coverage, selective accuracy"):
        sy.gate({"truth": truth, "s": said}, claim="recall of a at least 0.5", unknown="unknown")


def test_a_system_that_never_answers_has_a_coverage_of_nothing():
    truth = ["a", "b"] * 30
    rows = {"truth": truth, "mute": ["unknown"] * 60, "s": truth}
    found = sy.evaluate(rows, unknown="unknown").systems[0]
    coverage, selective = found.further
    assert (coverage.successes, coverage.trials) == (0, 60)
    assert selective.value is None
    assert selective.reason == "nothing was answered"
    gated = sy.gate(
        rows, candidate="mute", claim="selective accuracy at least 0.5", unknown="unknown"
    )
    assert gated.outcome == "undecided"
