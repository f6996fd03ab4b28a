"""Scores with a threshold call classes, and are compared as calls are."""

import pytest

import steelyard as sy
from steelyard.errors import NotComparable

ROWS = [
    ("ship", 0.9, 0.8), ("ship", 0.7, 0.2), ("ship", 0.6, 0.4), ("ship", 0.3, 0.9),
    ("bird", 0.2, 0.1), ("bird", 0.8, 0.3), ("bird", 0.1, 0.7), ("bird", 0.4, 0.2),
] * 6  # fmt: skip


@pytest.fixture
def files(tmp_path):
    scored, called = tmp_path / "scored.csv", tmp_path / "called.csv"
    words = {True: "ship", False: "bird"}
    scored.write_text(
        "item,truth,A,B\n" + "".join(f"{k},{t},{a},{b}\n" for k, (t, a, b) in enumerate(ROWS)),
        encoding="utf-8",
    )
    called.write_text(
        "item,truth,A,B\n"
        + "".join(
            f"{k},{t},{words[a >= 0.5]},{words[b >= 0.5]}\n" for k, (t, a, b) in enumerate(ROWS)
        ),
        encoding="utf-8",
    )
    return scored, called


@pytest.mark.parametrize(
    "asked",
    [
        {"method": "sensitivity-specificity"},
        {"method": "predictive-values"},
        {"method": "bowker"},
        {"method": "bootstrap", "measure": "f1"},
        {"method": "permutation", "measure": "mcc"},
    ],
)
def test_scores_with_a_threshold_are_compared_as_the_classes_they_call(files, asked):
    scored, called = files
    one = sy.compare(scored, positive="ship", threshold=0.5, **asked)
    two = sy.compare(called, positive="ship", **asked)
    assert one.answer == two.answer
    assert one.sheets == two.sheets


def test_a_measure_of_right_and_wrong_alone_is_still_refused():
    outcomes = sy.Outcomes.from_pair(both=9, first=3, second=1, neither=2, systems=("A", "B"))
    with pytest.raises(NotComparable, match="right and wrong answers only"):
        sy.compare(outcomes, measure="f1")
