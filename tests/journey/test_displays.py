"""Displays as scikit-learn has them, and tensors of libraries that are not imported."""

import sys

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import steelyard as sy
from steelyard.errors import RequestError

CURVES = (sy.RocCurveDisplay, sy.PrecisionRecallDisplay, sy.DetCurveDisplay, sy.CalibrationDisplay)


class Tensor:
    """A tensor that asks to be detached, and has nothing but DLPack."""

    def __init__(self, values, *, attached=True):
        self.values, self.attached = np.asarray(values), attached

    def detach(self):
        return Tensor(self.values, attached=False)

    def __dlpack__(self, **asked):
        assert not self.attached
        return self.values.__dlpack__(**asked)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


@pytest.fixture(scope="module")
def fitted():
    X, y = load_breast_cancer(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X[::2], y[::2])
    return model, X[1::2], y[1::2]


@pytest.mark.parametrize("display", CURVES, ids=lambda one: one.__name__)
def test_an_estimator_is_drawn_as_its_predictions_are(display, fitted):
    model, X, y = fitted
    scores = (
        model.predict_proba(X)[:, 1]
        if display is sy.CalibrationDisplay
        else model.decision_function(X)
    )
    shown = display.from_estimator(model, X, y, name="logistic")
    same = display.from_predictions(y, scores, name="logistic")
    assert shown.result.rows() == same.result.rows()
    assert "<svg" in shown._repr_html_()
    assert shown.chart.spec() == shown.plot().spec()


def test_the_area_is_that_of_scikit_learn_for_either_class(fitted):
    model, X, y = fitted
    for positive in (0, 1):
        shown = sy.RocCurveDisplay.from_estimator(model, X, y, pos_label=positive)
        truth = (y == positive).astype(int)
        sign = 1 if positive else -1
        expected = metrics.roc_auc_score(truth, sign * model.decision_function(X))
        assert shown.result.systems[0].area.value == pytest.approx(expected, abs=1e-12)


def test_probabilities_of_the_other_class_are_mirrored(fitted):
    model, X, y = fitted
    first = sy.CalibrationDisplay.from_estimator(model, X, y, pos_label=0)
    expected = metrics.brier_score_loss(y == 0, model.predict_proba(X)[:, 0])
    brier = next(row["value"] for row in first.result.rows() if row["measure"] == "Brier score")
    assert brier == pytest.approx(expected, abs=1e-12)


def test_a_confusion_table_is_that_of_scikit_learn(fitted):
    model, X, y = fitted
    shown = sy.ConfusionMatrixDisplay.from_estimator(model, X, y)
    expected = metrics.confusion_matrix(y, model.predict(X))
    assert np.array_equal(shown.result.systems[0].confusion.matrix(), expected)
    assert "<svg" in shown._repr_html_()
    labelled = sy.ConfusionMatrixDisplay.from_predictions(["a"], ["b"], labels=["a", "b", "c"])
    assert labelled.result.systems[0].confusion.classes == ("a", "b", "c")


def test_weights_count(fitted):
    model, X, y = fitted
    weights = np.where(y == 1, 2.0, 1.0)
    shown = sy.ConfusionMatrixDisplay.from_predictions(y, model.predict(X), sample_weight=weights)
    expected = metrics.accuracy_score(y, model.predict(X), sample_weight=weights)
    assert shown.result.systems[0].accuracy.value == pytest.approx(expected, abs=1e-9)


def test_what_cannot_be_known_must_be_said(fitted):
    _, X, y = fitted
    with pytest.raises(RequestError, match="pos_label"):
        sy.RocCurveDisplay.from_predictions(["ill", "well"], [0.2, 0.1])
    with pytest.raises(RequestError, match="no predict_proba"):
        sy.CalibrationDisplay.from_estimator(SVC().fit(X, y), X, y)
    with pytest.raises(RequestError, match="has a role"):
        sy.RocCurveDisplay.from_predictions([0, 1], [0.2, 0.1], name="truth")


def test_tensors_come_through_dlpack_and_torch_is_not_imported():
    truth, scores = [0, 1, 1, 0, 1], [0.1, 0.9, 0.4, 0.5, 0.8]
    plain = sy.RocCurveDisplay.from_predictions(truth, scores).result
    tensors = sy.RocCurveDisplay.from_predictions(Tensor(truth), Tensor(scores)).result
    assert tensors.systems == plain.systems
    columns = sy.evaluate({"truth": Tensor(truth), "m": Tensor(truth)})
    assert columns.systems[0].accuracy.successes == 5
    assert "torch" not in sys.modules


def test_estimators_may_answer_with_tensors():
    class Model:
        def predict(self, X):
            return Tensor([0, 1, 1])

    columns = sy.from_estimators({"m": Model()}, [[0], [1], [2]], Tensor([0, 1, 0]))
    assert columns["truth"] == [0, 1, 0]
    assert columns["m"] == [0, 1, 1]
