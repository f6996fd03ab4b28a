"""More than two classes, against scikit-learn's four averages."""

import csv
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import steelyard.counts
from steelyard.counts import ScoreTable
from steelyard.errors import CountsError, RequestError
from steelyard.measures import auc, hand_till, one_against_rest, rest_areas

DATA = Path(steelyard.counts.__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def digits():
    with (DATA / "digits_scores_logreg.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    vectors = np.array([[float(row[f"p{k}"]) for k in range(10)] for row in rows])
    return np.array([int(row["truth"]) for row in rows]), vectors


def normalised(vectors):
    return vectors / vectors.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(("weighing", "average"), [("equal", "macro"), ("prevalence", "weighted")])
def test_one_against_rest_agrees_with_scikit_learn(digits, weighing, average):
    truth, vectors = digits[0], normalised(digits[1])
    tables = {
        str(k): ScoreTable.from_scores(vectors[truth == k, k], vectors[truth != k, k])
        for k in range(10)
    }
    mean, single = one_against_rest(tables, weighing=weighing)
    expected = roc_auc_score(truth, vectors, multi_class="ovr", average=average)
    assert mean.value == pytest.approx(expected, abs=1e-12)
    assert len(single) == 10
    assert all(one.interval is not None for one in single)


@pytest.mark.parametrize(("weighing", "average"), [("equal", "macro"), ("prevalence", "weighted")])
def test_hand_and_till_agree_with_scikit_learn(digits, weighing, average):
    truth, vectors = digits[0], normalised(digits[1])
    found = hand_till(truth, vectors, classes=range(10), weighing=weighing)
    expected = roc_auc_score(truth, vectors, multi_class="ovo", average=average)
    assert found.value == pytest.approx(expected, abs=1e-12)


def test_hand_and_till_do_not_depend_on_how_common_a_class_is(digits):
    truth, vectors = digits[0][:200], digits[1][:200]
    twice = np.flatnonzero(truth == 3)
    more = np.concatenate([np.arange(200), twice, twice])
    one = hand_till(truth, vectors, classes=range(10)).value
    assert hand_till(truth[more], vectors[more], classes=range(10)).value == pytest.approx(one)
    by_size = hand_till(truth[more], vectors[more], classes=range(10), weighing="prevalence").value
    assert by_size != pytest.approx(one, abs=1e-9)


def test_two_classes_are_one_area():
    vectors = [[0.9, 0.1], [0.4, 0.6], [0.3, 0.7], [0.2, 0.8]]
    found = hand_till(["n", "n", "y", "y"], vectors, classes=["n", "y"])
    assert found.value == roc_auc_score([0, 0, 1, 1], [v[1] for v in vectors])


def test_what_cannot_be_computed_says_why():
    one = ScoreTable.from_scores([1], [0])
    mean, _ = one_against_rest({"a": one, "b": ScoreTable.from_scores([], [1])})
    assert mean.value is None
    assert "no area for b" in mean.reason
    assert (
        "no item is of class c"
        in hand_till(["a", "b"], np.eye(3)[:2], classes=["a", "b", "c"]).reason
    )
    assert hand_till(["a"], [[1]], classes=["a"]).reason == "there is a single class"
    with pytest.raises(CountsError, match="No class"):
        one_against_rest({})
    with pytest.raises(CountsError, match="a row for each item"):
        hand_till(["a", "b"], [[1, 2]], classes=["a", "b"])
    with pytest.raises(CountsError, match="none of the classes"):
        hand_till(["a", "x"], np.eye(2), classes=["a", "b"])
    with pytest.raises(RequestError, match="weighing='macro'"):
        hand_till(["a", "b"], np.eye(2), classes=["a", "b"], weighing="macro")


def test_of_two_classes_the_interval_is_that_of_the_area():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 60)
    score = np.round(rng.normal(truth), 1)
    vectors = np.column_stack([-score, score])
    plain = auc(ScoreTable.from_scores(score[truth == 1], score[truth == 0]), level=0.9)
    for found in (
        hand_till(truth, vectors, classes=[0, 1], level=0.9),
        rest_areas(truth, vectors, classes=[0, 1], level=0.9),
    ):
        assert found.value == pytest.approx(plain.value, abs=1e-12)
        assert found.standard_error == pytest.approx(plain.standard_error, abs=1e-12)
        assert found.interval.low == pytest.approx(plain.interval.low, abs=1e-12)
        assert found.interval.high == pytest.approx(plain.interval.high, abs=1e-12)


@pytest.mark.parametrize("area", [hand_till, rest_areas])
@pytest.mark.parametrize("weighing", ["equal", "prevalence"])
def test_the_error_is_that_of_resampled_classes(area, weighing):
    rng = np.random.default_rng(5)
    truth = np.repeat([0, 1, 2], [60, 40, 50])
    vectors = rng.normal(size=(150, 3)) + 0.8 * np.eye(3)[truth]
    found = area(truth, vectors, classes=[0, 1, 2], weighing=weighing)
    drawn = []
    for _ in range(300):
        rows = np.concatenate(
            [rng.choice(np.flatnonzero(truth == k), (truth == k).sum()) for k in range(3)]
        )
        drawn.append(area(truth[rows], vectors[rows], classes=[0, 1, 2], weighing=weighing).value)
    assert found.standard_error == pytest.approx(np.std(drawn), rel=0.15)
    assert found.interval.low < found.value < found.interval.high


def test_classes_that_are_parted_fully_keep_a_lower_limit():
    vectors = np.eye(3)[[0, 0, 1, 1, 2, 2]]
    found = hand_till([0, 0, 1, 1, 2, 2], vectors, classes=[0, 1, 2])
    assert (found.value, found.interval.high) == (1, 1)
    assert 0 <= found.interval.low < 0.5
    alone = hand_till([0, 0, 1, 1, 2], vectors[[0, 1, 2, 4, 5]], classes=[0, 1, 2])
    assert alone.interval.high - alone.interval.low > 0.9
    assert "single item" in alone.caveats[0]
    alike = rest_areas([0, 0, 1, 1], np.ones((4, 2)), classes=[0, 1])
    assert alike.value == 0.5
    assert alike.interval.low < 0.2 < 0.8 < alike.interval.high
