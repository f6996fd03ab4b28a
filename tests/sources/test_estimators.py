"""Estimators of scikit-learn as columns, and tensors of libraries that are not imported."""

import sys

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedKFold,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import steelyard as sy
from steelyard.errors import ExtraMissing, RequestError, SourceError
from steelyard.sources import Roles, from_estimators, open_predictions

X, Y = load_iris(return_X_y=True)
TWO_X, TWO_Y = make_classification(n_samples=80, random_state=1)
MODELS = {"tree": DecisionTreeClassifier(random_state=0), "bayes": GaussianNB()}


def test_fitted_estimators_are_evaluated_on_the_items_given():
    fitted = {name: model.fit(X[::2], Y[::2]) for name, model in MODELS.items()}
    result = sy.evaluate(from_estimators(fitted, X[1::2], Y[1::2]))
    for one in result.systems:
        own = fitted[one.system].score(X[1::2], Y[1::2])
        assert one.accuracy.value == pytest.approx(own, abs=1e-12)


def test_scores_are_those_of_the_second_class():
    model = LogisticRegression().fit(TWO_X[::2], TWO_Y[::2])
    columns = from_estimators({"logreg": model}, TWO_X[1::2], TWO_Y[1::2], scores=True)
    from sklearn.metrics import roc_auc_score

    own = roc_auc_score(TWO_Y[1::2], model.decision_function(TWO_X[1::2]))
    result = sy.evaluate(columns, positive=1)
    assert result.systems[0].area.value == pytest.approx(own, abs=1e-12)
    bayes = GaussianNB().fit(TWO_X, TWO_Y)
    found = from_estimators([bayes], TWO_X, TWO_Y, scores=True)["GaussianNB"]
    assert found == bayes.predict_proba(TWO_X)[:, 1].tolist()


def test_a_cross_validation_says_what_cross_val_predict_says():
    folds = KFold(5, shuffle=True, random_state=0)
    columns = from_estimators(MODELS, X, Y, cv=folds)
    order = np.argsort(columns["item"])
    for name, model in MODELS.items():
        own = cross_val_predict(model, X, Y, cv=folds)
        assert np.array(columns[name])[order].tolist() == own.tolist()


def test_the_folds_have_the_scores_that_cross_validate_gives():
    folds = KFold(5, shuffle=True, random_state=0)
    columns = from_estimators(MODELS, X, Y, cv=folds)
    right = np.array(columns["tree"]) == np.array(columns["truth"])
    fold = np.array(columns["fold"])
    found = [right[fold == place].mean() for place in range(5)]
    own = cross_validate(MODELS["tree"], X, Y, cv=folds)["test_score"]
    assert found == pytest.approx(own.tolist(), abs=1e-12)


def test_items_that_are_tested_again_are_clusters():
    columns = from_estimators(
        MODELS, X, Y, cv=RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)
    )
    predictions = open_predictions(columns, Roles.of())
    ((clusters, folds),) = predictions.table.query(
        "SELECT COUNT(DISTINCT cluster), COUNT(DISTINCT fold) FROM {t}"
    )
    assert (predictions.rows, clusters, folds) == (300, 150, 6)


def test_groups_reach_the_splitter_and_are_clusters():
    groups = np.arange(len(Y)) // 10
    columns = from_estimators(MODELS, X, Y, cv=GroupKFold(3), groups=groups)
    held = {}
    for group, fold in zip(columns["cluster"], columns["fold"], strict=True):
        held.setdefault(group, set()).add(fold)
    assert all(len(folds) == 1 for folds in held.values())


def test_a_frame_is_cut_by_rows():
    import pandas as pd

    plain = from_estimators(MODELS, X, Y, cv=3)
    framed = from_estimators(MODELS, pd.DataFrame(X), pd.Series(Y), cv=3)
    assert plain == framed


def test_what_is_no_estimator_is_refused():
    with pytest.raises(RequestError, match="not fitted"):
        from_estimators({"tree": DecisionTreeClassifier()}, X, Y)
    with pytest.raises(RequestError, match="expected estimators"):
        from_estimators({"tree": "oak"}, X, Y)
    with pytest.raises(RequestError, match="has a role"):
        from_estimators({"truth": GaussianNB()}, X, Y)
    with pytest.raises(RequestError, match="of one class"):
        from_estimators([GaussianNB(), GaussianNB()], X, Y)
    with pytest.raises(RequestError, match="cv='many'"):
        from_estimators(MODELS, X, Y, cv="many")
    with pytest.raises(SourceError, match="2 dimensions"):
        from_estimators(MODELS, X, X)
    with pytest.raises(RequestError, match="tells 3 classes apart"):
        from_estimators([GaussianNB().fit(X, Y)], X, Y, scores=True)


def test_without_the_extra_the_line_to_type_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.model_selection", None)
    with pytest.raises(ExtraMissing, match=r'pip install "steelyard\[sklearn\]"'):
        from_estimators(MODELS, X, Y, cv=3)


class OnlyDlpack:
    """A tensor as the array API asks for it: no __array__."""

    def __init__(self, values):
        self._values = np.asarray(values)
        self.dtype = self._values.dtype
        self.shape = self._values.shape

    def __dlpack__(self, **asked):
        return self._values.__dlpack__(**asked)

    def __dlpack_device__(self):
        return self._values.__dlpack_device__()


class Learning:
    """A tensor that refuses to become an array until it is detached, as torch's do."""

    def __init__(self, values):
        self._values = np.asarray(values)
        self.dtype = self._values.dtype

    def __array__(self, dtype=None, copy=None):
        message = "Can't call numpy() on Tensor that requires grad."
        raise RuntimeError(message)

    def detach(self):
        return self._values


@pytest.mark.parametrize("tensor", [OnlyDlpack, Learning])
def test_tensors_are_read_without_importing_their_library(tensor):
    columns = {"truth": tensor([0, 1, 1]), "a": tensor([0, 1, 0])}
    assert sy.evaluate(columns).systems[0].accuracy.successes == 2
    assert "torch" not in sys.modules
