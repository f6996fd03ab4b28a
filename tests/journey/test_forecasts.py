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


WEIGHED = {
    "truth": list("abab"),
    "m": [[0.3, 0.7], [0.2, 0.8], [0.9, 0.1], [0.4, 0.6]],
    "k": [[0.6, 0.4], [0.3, 0.7], [0.5, 0.5], [0.4, 0.6]],
    "weight": [1, 2, 3, 4],
}


def _brier(found, system):
    (one,) = [one for one in found.vectors if one.system == system]
    return next(score for score in one.scores if score.measure == "brier score")


def test_weighted_vectors_have_weighted_scores_and_say_what_is_left_out():
    roles = {"vector": ["m", "k"], "classes": ["a", "b"]}
    found = sy.calibration(WEIGHED, **roles)
    each = {"m": [0.98, 0.08, 0.02, 0.32], "k": [0.32, 0.18, 0.5, 0.32]}
    for system, scores in each.items():
        expected = np.average(scores, weights=[1, 2, 3, 4])
        assert _brier(found, system).value == pytest.approx(expected, abs=1e-8)
        (shown,) = [s for s in sy.evaluate(WEIGHED, **roles).systems if s.system == system]
        assert _brier(found, system) in shown.vector
    apart = next(one for one in found.pairs[0].scores if one.measure.startswith("brier"))
    gaps = np.subtract(each["m"], each["k"])
    assert apart.value == pytest.approx(np.average(gaps, weights=[1, 2, 3, 4]), abs=1e-8)
    assert found.classes == ()
    assert any("--unweighted" in note for note in found.notes())
    plain = sy.calibration(WEIGHED, unweighted=True, **roles)
    assert _brier(plain, "m").value == pytest.approx(np.mean(each["m"]), abs=1e-8)
    assert len(plain.classes) == 4
    assert any("every row counts once" in note for note in plain.notes())


def test_vectors_in_clusters_count_clusters():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 60)
    vectors = rng.dirichlet([1, 1, 1], 60)
    columns = {
        "truth": [str(one) for one in truth],
        "m": vectors.tolist(),
        "cluster": [str(place // 5) for place in range(60)],
    }
    options = {"vector": "m", "classes": ["0", "1", "2"]}
    shares = {"0": 0.5, "1": 0.25, "2": 0.25}
    score = ((vectors - np.eye(3)[truth]) ** 2).sum(axis=1)
    for given, strata in (
        (None, [(1.0, np.ones(60, bool))]),
        (shares, [(share, truth == int(name)) for name, share in shares.items()]),
    ):
        found = sy.calibration(columns, class_weights=given, **options)
        added = sum(
            share * held * (score - score[held].mean()) / held.sum() for share, held in strata
        )
        # The jackknife by slopes: a cluster moves the score by more, the more of it it holds.
        size = sum(share * held / held.sum() for share, held in strata).reshape(12, 5).sum(axis=1)
        moved = added.reshape(12, 5).sum(axis=1) / (1 - size)
        error = np.sqrt(11 / 12 * (moved**2).sum())
        one = _brier(found, "m")
        assert one.interval.method == "cluster-robust"
        assert one.standard_error == pytest.approx(error, rel=1e-6)
        assert all(part.brier.interval.method == "cluster-robust" for part in found.classes)
        assert any("60 items come in 12 clusters" in note for note in found.notes())


def test_vectors_of_systems_with_items_of_their_own_have_scores_and_no_differences(tmp_path):
    lines = {
        "a": "id,truth,p_x,p_y\n1,x,0.9,0.1\n2,y,0.4,0.6\n3,y,0.7,0.3\n",
        "b": "id,truth,p_x,p_y\n4,x,0.8,0.2\n5,y,0.5,0.5\n",
    }
    for name, text in lines.items():
        (tmp_path / f"{name}.csv").write_text(text)
    data = {name: tmp_path / f"{name}.csv" for name in lines}
    roles = {"vector": ["a=p_{class}", "b=p_{class}"], "pairing": "independent"}
    expected = {"a": (0.02 + 0.32 + 0.98) / 3, "b": (0.08 + 0.5) / 2}
    found = sy.calibration(data, **roles)
    assert found.pairs == ()
    for name, value in expected.items():
        assert _brier(found, name).value == pytest.approx(value, abs=1e-8)
        (shown,) = [one for one in sy.evaluate(data, **roles).systems if one.system == name]
        assert _brier(found, name) in shown.vector
