"""Curves and tables by the names under which users of scikit-learn look for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar, Self

import numpy as np

from steelyard.counts.row_names import refuse_other_rows
from steelyard.display.figures.chart import Chart
from steelyard.errors import RequestError, listing, switch
from steelyard.journey.evaluation.evaluate import evaluate
from steelyard.journey.forecasts import calibration
from steelyard.journey.roc_curves.roc import roc
from steelyard.results import Result
from steelyard.sources.estimators import from_estimators
from steelyard.sources.frames import as_numpy

__all__ = [
    "CalibrationDisplay",
    "ConfusionMatrixDisplay",
    "DetCurveDisplay",
    "PrecisionRecallDisplay",
    "RocCurveDisplay",
]

CONVENTIONS = ({0, 1}, {-1, 1})
"""Classes of which scikit-learn takes 1 as the positive one."""


@dataclass(frozen=True, slots=True)
class Display:
    """One picture of one system, with the result it was drawn from."""

    result: Result
    kind: ClassVar[str]

    @property
    def chart(self) -> Chart:
        """The picture: shows itself in notebooks, saves to SVG, PNG, PDF, HTML."""
        drawn = self.result.chart(kind=self.kind)
        assert drawn is not None
        return drawn

    def plot(self) -> Chart:
        """Draw it; there are no axes to hand in, a chart stands for itself."""
        return self.chart

    def __str__(self) -> str:
        return str(self.result)

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.result.sentence())}</p>{self.chart._repr_html_() or ''}"


class _OfScores(Display):
    """What is drawn from scores of a positive class."""

    __slots__ = ()

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,  # noqa: ANN401
        y_score: Any,  # noqa: ANN401
        *,
        pos_label: Any = None,  # noqa: ANN401
        sample_weight: Any = None,  # noqa: ANN401
        name: str = "classifier",
    ) -> Self:
        """Draw from the true classes and the scores of the positive one.

        Parameters
        ----------
        y_true, y_score
            Truth and scores of the items: arrays, lists, or tensors of other libraries.
        pos_label
            The positive class; 1 where the classes are 0 and 1, or -1 and 1, as in scikit-learn.
        sample_weight
            How much each item counts.
        name
            What the system is called in the picture.
        """
        columns = _columns(y_true, y_score, sample_weight, name)
        return cls(cls._ask(columns, name, _positive(columns["truth"], pos_label)))

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,  # noqa: ANN401
        X: Any,  # noqa: ANN401
        y: Any,  # noqa: ANN401
        *,
        pos_label: Any = None,  # noqa: ANN401
        sample_weight: Any = None,  # noqa: ANN401
        name: str | None = None,
    ) -> Self:
        """Draw from a fitted classifier of two classes, on items it was not fitted on."""
        named = name or type(estimator).__name__
        y_score = cls._scores(named, estimator, X, y)
        positive = _positive(as_numpy(y), pos_label)
        known = [str(one) for one in getattr(estimator, "classes_", [])]
        if len(known) == 2 and str(positive) == known[0]:
            y_score = [cls._mirror(score) for score in y_score]
        return cls.from_predictions(
            y, y_score, pos_label=positive, sample_weight=sample_weight, name=named
        )

    @staticmethod
    def _scores(named: str, estimator: Any, X: Any, y: Any) -> list[float]:  # noqa: ANN401
        return from_estimators({named: estimator}, X, y, scores=True)[named]

    @staticmethod
    def _mirror(score: float) -> float:
        return -score

    @classmethod
    def _ask(cls, columns: Mapping[str, Any], name: str, positive: object) -> Result:
        return roc(columns, positive=positive, score=name, truth="truth")


class RocCurveDisplay(_OfScores):
    """The ROC curve of one system, with its area.

    Examples
    --------
    >>> shown = RocCurveDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> shown.result.systems[0].area.value
    0.75
    """

    __slots__ = ()
    kind = "roc"


class PrecisionRecallDisplay(_OfScores):
    """Precision against recall of one system.

    Examples
    --------
    >>> shown = PrecisionRecallDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> shown.chart.title
    'Precision and recall'
    """

    __slots__ = ()
    kind = "precision-recall"


class DetCurveDisplay(_OfScores):
    """Misses against false alarms of one system, on normal deviates.

    Examples
    --------
    >>> shown = DetCurveDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> shown.chart.title
    'Detection error trade-off'
    """

    __slots__ = ()
    kind = "det"


class CalibrationDisplay(_OfScores):
    """Observed share against forecast probability, for probabilities of the positive class.

    Examples
    --------
    >>> shown = CalibrationDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> shown.chart.title
    'Calibration'
    """

    __slots__ = ()
    kind = "calibration"

    @staticmethod
    def _scores(named: str, estimator: Any, X: Any, y: Any) -> list[float]:  # noqa: ANN401
        if not hasattr(estimator, "predict_proba"):
            message = f"{named} gives no probabilities: it has no predict_proba."
            raise RequestError(message, code="no-scores")
        only = _Probabilities(estimator)
        return from_estimators({named: only}, X, y, scores=True)[named]

    @staticmethod
    def _mirror(score: float) -> float:
        return 1 - score

    @classmethod
    def _ask(cls, columns: Mapping[str, Any], name: str, positive: object) -> Result:
        return calibration(columns, positive=positive, score=name, truth="truth")


class ConfusionMatrixDisplay(Display):
    """What was called, for every true class.

    Examples
    --------
    >>> shown = ConfusionMatrixDisplay.from_predictions(["cat", "dog"], ["cat", "cat"])
    >>> shown.chart.title
    'Confusions of classifier'
    """

    __slots__ = ()
    kind = "confusions"

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,  # noqa: ANN401
        y_pred: Any,  # noqa: ANN401
        *,
        labels: Any = None,  # noqa: ANN401
        sample_weight: Any = None,  # noqa: ANN401
        name: str = "classifier",
    ) -> Self:
        """Draw from the true classes and the called ones; ``labels`` lists all classes."""
        columns = _columns(y_true, y_pred, sample_weight, name)
        classes = None if labels is None else [str(one) for one in as_numpy(labels).tolist()]
        return cls(evaluate(columns, called=name, truth="truth", classes=classes))

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,  # noqa: ANN401
        X: Any,  # noqa: ANN401
        y: Any,  # noqa: ANN401
        *,
        labels: Any = None,  # noqa: ANN401
        sample_weight: Any = None,  # noqa: ANN401
        name: str | None = None,
    ) -> Self:
        """Draw from a fitted classifier, on items it was not fitted on."""
        named = name or type(estimator).__name__
        called = from_estimators({named: estimator}, X, y)[named]
        return cls.from_predictions(
            y, called, labels=labels, sample_weight=sample_weight, name=named
        )


class _Probabilities:
    """An estimator of which only the probabilities are asked."""

    def __init__(self, estimator: Any) -> None:  # noqa: ANN401
        self.predict, self.predict_proba = estimator.predict, estimator.predict_proba


def _columns(truth: Any, said: Any, weight: Any, name: str) -> dict[str, Any]:  # noqa: ANN401
    if name in {"truth", "weight"}:
        message = f"name={name!r}: a column of that name has a role. Choose another."
        raise RequestError(message)
    refuse_other_rows({"truth": truth, name: said, "weight": weight})
    columns = {"truth": as_numpy(truth), name: as_numpy(said)}
    return columns if weight is None else {**columns, "weight": as_numpy(weight)}


def _positive(truth: Any, given: object) -> Any:  # noqa: ANN401
    """Take 1 of 0 and 1, or of -1 and 1, as scikit-learn does; otherwise it must be said."""
    if given is not None:
        return given
    found = np.unique(truth).tolist()
    if any(set(found) <= both for both in CONVENTIONS):
        return 1 if truth.dtype != np.bool_ else "true"
    message = (
        f"Which class is the positive one? Found: {listing(found)}. Pass "
        f"{switch('pos_label', str(found[-1]))}."
    )
    raise RequestError(message, code="no-positive")
