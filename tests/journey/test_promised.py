"""Thresholds with a promise, through the verb."""

import numpy as np
import pytest

import steelyard as sy
from steelyard.errors import SteelyardError
from steelyard.journey.thresholds.promised import find_promised
from steelyard.measures import ThresholdQuestion, promised_threshold

RNG = np.random.default_rng(8)
SCORE = RNG.random(800).round(3)
TRUTH = RNG.random(800) < 0.3 + 0.68 * SCORE
DATA = {"truth": TRUTH.tolist(), "net": SCORE.tolist()}


def test_the_promised_threshold_is_that_of_the_fixed_sequence():
    grid = [0.9, 0.8, 0.7, 0.6, 0.5]
    found = sy.threshold(DATA, score="net", promise="precision at least 0.75", grid=grid)
    wanted = promised_threshold(SCORE, TRUTH, target=0.75, grid=grid)
    assert found.threshold == wanted.threshold
    chosen = found.chosen
    held = SCORE >= wanted.threshold
    assert (chosen.precision.successes, chosen.precision.trials) == (
        int((held & TRUTH).sum()), int(held.sum()),
    )  # fmt: skip
    assert chosen.precision.interval.low >= 0.75
    assert "although these items chose it" in found.sentence()
    assert sy.results.read_result(found.to_json()) == found


def test_risk_and_precision_are_two_ways_to_promise_one_thing():
    one = sy.threshold(DATA, score="net", promise="precision at least 0.8")
    two = sy.threshold(DATA, score="net", promise="risk at most 0.2")
    assert one.threshold == two.threshold
    assert one.threshold is not None


def test_a_promise_on_the_limit_is_broken_in_five_percent_at_most():
    # Above 0.5 every call is right with 0.8 exactly: a threshold below must not be promised.
    rng, broken = np.random.default_rng(2), 0
    for _ in range(150):
        score = rng.random(300)
        truth = rng.random(300) < np.where(score >= 0.5, 0.82, 0.6)
        table = sy.ScoreTable.from_scores(score[truth].tolist(), score[~truth].tolist())
        found = find_promised(
            table, "precision at least 0.8", None, level=0.95, question=ThresholdQuestion(),
            clusters=None,
        ).threshold  # fmt: skip
        broken += found is not None and 0.6 + 0.22 * 0.5 / (1 - min(found, 0.5)) < 0.8
    assert broken <= 0.05 * 150


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"promise": "recall at least 0.9"}, "how many of its calls are right"),
        ({"promise": "precision at most 0.9"}, "how many of its calls are right"),
        ({"promise": "precision at least 1"}, "certainty is never shown"),
        ({"grid": [0.5]}, "are thresholds for promise="),
        ({"promise": "precision at least 0.9", "cluster": "c"}, "counts independent items"),
        ({"promise": "precision at least 0.9", "grid": ["x"]}, "grid"),
    ],
)
def test_promises_that_cannot_be_made_are_refused(asked, words):
    data = {**DATA, "c": (np.arange(800) // 4).tolist()}
    with pytest.raises(SteelyardError, match=words):
        sy.threshold(data, score="net", **asked)


def test_scores_that_are_no_probabilities_need_a_grid():
    data = {"truth": TRUTH.tolist(), "s": (SCORE * 9 - 3).tolist()}
    with pytest.raises(SteelyardError, match="fixed beforehand"):
        sy.threshold(data, score="s", promise="precision at least 0.7")


def test_a_promise_that_no_threshold_keeps_says_what_to_do():
    found = sy.threshold(DATA, score="net", promise="precision at least 0.999")
    assert found.threshold is None
    assert "romise less" in found.sentence()


def test_answers_are_promised_from_a_certainty_up():
    right, sure = TRUTH.astype(int), SCORE * 9 + 1
    rows = {"item": list(range(800)), "a": right.tolist(), "conf": sure.tolist()}
    asked = {"outcome": "a", "certainty": "conf", "promise": "risk at most 0.2"}
    found = sy.threshold(rows, grid=["9", 8, 7, 6], **asked)
    wanted = promised_threshold(sure, TRUTH, target=0.8, grid=[9, 8, 7, 6])
    assert found.threshold == wanted.threshold is not None
    answered = int((sure >= found.threshold).sum())
    assert f"it answers {answered} of 800 items" in found.sentence()
    assert found.sentence().startswith("Answer from a certainty of")
    assert [table.title for table in found.tables()] == ["Chosen by promised"]
    assert sy.results.read_result(found.to_json()) == found


def test_the_largest_probability_is_how_sure_a_system_was():
    rng = np.random.default_rng(3)
    numbers = rng.dirichlet([0.3] * 3, 600)
    truth = [rng.choice(["x", "y", "z"], p=row) for row in numbers]
    rows = {"truth": truth, "px": numbers[:, 0], "py": numbers[:, 1], "pz": numbers[:, 2]}
    found = sy.threshold(rows, vector="m=p{class}", promise="precision at least 0.85")
    right = np.array(truth) == np.array(["x", "y", "z"])[numbers.argmax(1)]
    held = numbers.max(1) >= found.threshold
    calls = found.chosen.precision
    assert (calls.successes, calls.trials) == (int((held & right).sum()), int(held.sum()))


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, "name the risk that you accept"),
        ({"outcome": ["a", "b"], "promise": "risk at most 0.2"}, "set for one of them"),
        ({"cluster": "b", "promise": "risk at most 0.2"}, "independent items"),
    ],
)
def test_answers_that_cannot_be_promised_are_refused(asked, words):
    rows = {
        "item": list(range(40)),
        "a": [1] * 40,
        "b": [0, 1] * 20,
        "c": [0.5] * 40,
        "d": [0.4] * 40,
    }
    certainty = ["c", "d"][: np.size(asked.get("outcome", "a"))]
    with pytest.raises(SteelyardError, match=words):
        sy.threshold(rows, **{"outcome": "a", "certainty": certainty, **asked})
