"""Whether probabilities mean what they say, from files to tables."""

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import steelyard as sy
from steelyard.errors import NotComparable, RequestError
from steelyard.measures import calibration_error, recalibration, vector_score
from steelyard.tally import vector_scores_of

DATA = Path(str(files("steelyard") / "data"))
JOINT = sy.JointScores.from_arrays(
    [1, 1, 1, 1, 0, 0, 0, 0, 0],
    {
        "cnn": [0.9, 0.8, 0.3, 0.6, 0.7, 0.2, 0.1, 0.15, 0.4],
        "svm": [0.8, 0.7, 0.4, 0.55, 0.6, 0.3, 0.2, 0.1, 0.5],
    },
)


def test_every_number_is_that_of_its_measure():
    found = sy.calibration(JOINT, bins=3)
    for one in found.classes:
        table = JOINT.score_table(one.system)
        assert one.slope == recalibration(table).slope
        assert one.error == calibration_error(table, bins=3).error
        parts = one.reliability - one.resolution + one.uncertainty + one.within
        assert parts == pytest.approx(one.brier.value, abs=1e-12)
    (pair,) = found.pairs
    cnn, svm = (one.brier.value for one in found.classes)
    assert pair.scores[0].value == pytest.approx(cnn - svm, abs=1e-12)


def test_tables_without_alignment_have_no_pairs():
    tables = {name: JOINT.score_table(name) for name in JOINT.systems}
    assert sy.calibration(tables).pairs == ()
    assert sy.calibration(JOINT).pairs


def test_vectors_without_a_positive_class_are_scored_as_a_whole():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 60)
    vectors = rng.dirichlet([1, 1, 1], 60)
    columns = {"truth": truth.tolist()} | {f"p{k}": vectors[:, k].tolist() for k in range(3)}
    weights = {"0": 0.2, "1": 0.3, "2": 0.5}
    found = sy.calibration(columns, vector="m=p{class}", class_weights=weights)
    sums = vector_scores_of(truth, {"m": vectors}, labels=[0, 1, 2])
    for score, rule in zip(found.vectors[0].scores, ("spherical", "winner", "brier"), strict=False):
        expected = vector_score(sums, rule, "m", class_weights=weights)
        assert score.value == pytest.approx(expected.value, abs=1e-9)
    assert [one.of for one in found.classes] == ["0", "1", "2"]
    assert sum(one.positives for one in found.classes) == 60


def test_two_systems_with_vectors_are_compared_on_common_items():
    found = sy.calibration(
        {"a": DATA / "digits_scores_logreg.csv", "b": DATA / "digits_scores_rf.csv"},
        vector="p{class}",
    )
    (pair,) = found.pairs
    one, two = ({s.measure: s.value for s in system.scores} for system in found.vectors)
    for score in pair.scores:
        name = score.measure.removesuffix(" difference")
        assert score.value == pytest.approx(one[name] - two[name], abs=1e-9)
    assert list(found.charts()) == ["calibration", "brier"]
    assert found.chart().svg()


def test_vectors_that_are_scores_have_no_brier_score():
    found = sy.calibration(
        {"truth": list("abab"), "m": [[3, 1], [1, 4], [5, 1], [0, 2]]},
        score="m",
        classes=["a", "b"],
    )
    assert [score.measure for score in found.vectors[0].scores] == [
        "spherical score",
        "winner score",
    ]
    assert found.classes == ()


def test_scores_that_are_no_probabilities_are_refused():
    with pytest.raises(NotComparable, match="probabilities"):
        sy.calibration(sy.ScoreTable.from_scores([2, 3], [0, 1]))


def test_class_weights_are_for_vectors():
    with pytest.raises(RequestError, match="vectors"):
        sy.calibration(JOINT, class_weights={"a": 1.0})


def test_weighted_vectors_are_refused_with_a_reason():
    columns = {"truth": list("ab"), "m": [[0.3, 0.7], [0.2, 0.8]], "weight": [1, 2]}
    with pytest.raises(NotComparable, match="weights"):
        sy.calibration(columns, vector="m", classes=["a", "b"])
