"""The plain line above an answer: it follows the verdicts and says no more than they do."""

from importlib.resources import files
from pathlib import Path

import pytest

import steelyard as sy

DATA = Path(str(files("steelyard") / "data"))
EQUAL = [1, 1, 0, 1] * 10


def of_trials(correct, tested, **asked):
    return sy.compare(sy.Trials(correct=correct, tested=tested, pairing="independent"), **asked)


@pytest.mark.parametrize(
    ("result", "line"),
    [
        (
            lambda: of_trials({"cnn": 190, "svm": 150}, 200),
            "Ship cnn: it is better than svm.",
        ),
        (
            lambda: of_trials({"cnn": 190, "svm": 188}, 200),
            "Ship neither yet: cnn and svm are tied.",
        ),
        (
            lambda: of_trials({"a": 190, "b": 188, "c": 187, "d": 100}, 200),
            "Ship none yet: three are tied.",
        ),
        (
            lambda: of_trials({"a": 190, "b": 100, "c": 90}, 200),
            "Ship a: it is better than the two others.",
        ),
        (
            lambda: of_trials({"a": 60, "b": 980, "c": 960}, {"a": 60, "b": 1000, "c": 1000}),
            "Ship none yet: a is not told apart from two others.",
        ),
        (
            lambda: of_trials({"a": 9000, "b": 9001}, 10_000, margin=0.02),
            "Ship either: b and a count as the same within 0.02.",
        ),
        (
            lambda: of_trials({"a": 90_000, "b": 90_001, "c": 90_002}, 100_000, margin=0.02),
            "Ship any of three: c, b and a count as the same within 0.02.",
        ),
        (
            lambda: sy.compare({"a": EQUAL, "b": EQUAL, "c": EQUAL}, outcome=["a", "b", "c"]),
            "No reason to choose: a, b and c are right on exactly the same items.",
        ),
        (lambda: sy.evaluate(DATA / "digits_labels.csv"), ""),
        (lambda: sy.plan(rates={"A": 0.9, "B": 0.8}), "Test 154 items each."),
    ],
)
def test_the_line_says_what_the_verdicts_allow(result, line):
    assert result().headline() == line


def test_the_line_stands_first_wherever_an_answer_is_shown():
    found = of_trials({"cnn": 190, "svm": 150}, 200)
    line, sentence = found.headline(), found.sentence()
    assert found.text(width=400).startswith(f"{line}\n\n{sentence}\n")
    assert found.to_markdown().startswith(f"**{line}**\n\n{sentence[:20]}")
    assert found.to_latex().startswith(line)
    assert list(found.to_dict())[:4] == ["kind", "schema", "headline", "sentence"]
    assert sy.read_result(found.to_json()) == found
    html = found._repr_html_()
    assert html.index(line) < html.index(sentence[:20])
    # Nothing is decided by an evaluation, so that nothing is said.
    assert "headline" not in sy.evaluate(DATA / "digits_labels.csv", systems=["svm"]).to_dict()
