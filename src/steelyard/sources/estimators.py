"""Fitted estimators, or estimators and a cross-validation: what they say becomes columns."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import ExtraMissing, RequestError, SourceError, listing, printable
from steelyard.sources.frames import as_numpy
from steelyard.sources.roles.declared import ASIDE, CONVENTIONAL, RoledColumns

__all__ = ["from_estimators"]

Columns = dict[str, list[Any]]
Split = tuple[NDArray[np.int64], NDArray[np.int64]]
SCORERS = ("decision_function", "predict_proba")


def from_estimators(
    estimators: Mapping[str, Any] | Sequence[Any],
    X: Any,  # noqa: ANN401
    y: Any,  # noqa: ANN401
    *,
    cv: Any = None,  # noqa: ANN401
    groups: Any = None,  # noqa: ANN401
    scores: bool = False,
) -> Columns:
    """Make the columns of predictions out of estimators that have ``fit`` and ``predict``.

    Every verb takes the columns: ``compare(from_estimators(models, X, y), ...)``.

    Parameters
    ----------
    estimators
        Named estimators, or a list of them, which are then named after their classes. Without
        ``cv`` they are fitted already, on other items than these.
    X, y
        The items, and what they are.
    cv
        A number of folds, or a splitter with ``split``: every estimator is cloned and fitted on
        the same splits, and says something about each item it was not fitted on. The column
        ``fold`` names the split. An item that is tested several times is one cluster.
    groups
        Items that belong together; handed to the splitter, and the column ``cluster``.
    scores
        Scores of the second class instead of called classes: ``decision_function``, else
        ``predict_proba``.

    Notes
    -----
    Folds share their training data. The pooled answers are about these fitted models on items like
    these; whether one way of training is better than another is asked of the folds, by tests that
    know that they overlap.

    Returns
    -------
    dict
        Columns: ``item``, ``truth``, one for each estimator, and with ``cv`` ``fold``.

    Raises
    ------
    RefusedData
        The data cannot answer the question; the message says what was found, what was expected and
        what to type next.
    RequestError
        An argument is unknown, lies outside its domain or does not fit the others.

    Examples
    --------
    >>> class Always:
    ...     def __init__(self, name):
    ...         self.name = name
    ...     def predict(self, X):
    ...         return [self.name] * len(X)
    >>> from_estimators({"cat": Always("cat")}, [[0], [1]], ["cat", "dog"])["cat"]
    ['cat', 'cat']
    """
    named = _name(estimators)
    truth = as_numpy(y)
    if truth.ndim != 1:
        message = f"y has {truth.ndim} dimensions; expected one class for each item."
        raise SourceError(message, code="lengths-differ")
    if cv is None:
        columns: Columns = {"item": list(range(len(truth))), "truth": truth.tolist()}
        if groups is not None:
            columns["cluster"] = as_numpy(groups).tolist()
        said = {name: _say(name, one, X, scores=scores) for name, one in named.items()}
        return RoledColumns(columns | said)
    return _cross_validate(named, X, truth, cv=cv, groups=groups, scores=scores)


def _name(estimators: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    if isinstance(estimators, Mapping):
        named = {str(name): one for name, one in estimators.items()}
    else:
        named = {type(one).__name__: one for one in estimators}
        if len(named) < len(estimators):
            message = "Two estimators are of one class. Name them: {'small': ..., 'large': ...}."
            raise RequestError(message)
    taken = {*ASIDE, *(name for names in CONVENTIONAL.values() for name in names)}
    wrong = [name for name in named if name in taken]
    if wrong:
        message = f"{listing(wrong)}: a column of that name has a role. Rename the estimator."
        raise RequestError(message)
    silent = [name for name, one in named.items() if not hasattr(one, "predict")]
    if silent or not named:
        message = f"{listing(silent) or 'Nothing'}: expected estimators with fit and predict."
        raise RequestError(message)
    return named


def _say(name: str, estimator: Any, X: Any, *, scores: bool) -> list[Any]:  # noqa: ANN401
    try:
        said = _scores(name, estimator, X) if scores else estimator.predict(X)
    except Exception as error:
        if type(error).__name__ != "NotFittedError":
            raise
        message = f"{printable(name)} is not fitted. Fit it on other items, or pass cv=5."
        raise RequestError(message, code="not-fitted") from error
    return list(as_numpy(said).tolist())


def _scores(name: str, estimator: Any, X: Any) -> Any:  # noqa: ANN401
    door = next((one for one in SCORERS if hasattr(estimator, one)), None)
    if door is None:
        message = (
            f"{printable(name)} gives no scores: it has neither {' nor '.join(SCORERS)}. Leave "
            "scores= out to use what it calls."
        )
        raise RequestError(message, code="no-scores")
    found = as_numpy(getattr(estimator, door)(X))
    if found.ndim == 2 and found.shape[1] == 2:
        found = found[:, 1]
    if found.ndim != 1:
        message = f"{printable(name)} tells {found.shape[1]} classes apart; scores are of two."
        raise RequestError(message, code="no-scores")
    return found


def _cross_validate(
    named: Mapping[str, Any],
    X: Any,  # noqa: ANN401
    truth: NDArray[Any],
    *,
    cv: Any,  # noqa: ANN401
    groups: Any,  # noqa: ANN401
    scores: bool,
) -> Columns:
    splits = _splits(cv, X, truth, groups)
    tested = np.concatenate([test for _, test in splits])
    turns = _turns(tested)
    repeated = bool(turns.max(initial=0))
    columns: Columns = {
        "item": [f"{n} #{t}" for n, t in zip(tested, turns, strict=True)]
        if repeated
        else tested.tolist(),
        "fold": [place for place, (_, test) in enumerate(splits) for _ in test],
        "truth": truth[tested].tolist(),
    }
    if groups is not None:
        columns["cluster"] = as_numpy(groups)[tested].tolist()
    elif repeated:
        columns["cluster"] = tested.tolist()
    for name, one in named.items():
        columns[name] = [
            value
            for train, test in splits
            for value in _say(
                name, _clone(one).fit(_rows(X, train), truth[train]), _rows(X, test), scores=scores
            )
        ]
    return RoledColumns(columns)


def _splits(cv: Any, X: Any, truth: NDArray[Any], groups: Any) -> list[Split]:  # noqa: ANN401
    """Take the splits once, so that every estimator has the same ones."""
    if isinstance(cv, int) and not isinstance(cv, bool):
        selection = _sklearn("model_selection")
        cv = selection.StratifiedKFold(n_splits=cv)
    if isinstance(cv, str) or not hasattr(cv, "split"):
        message = f"cv={cv!r}; expected a number of folds or a splitter with split()."
        raise RequestError(message)
    return [(np.asarray(a), np.asarray(b)) for a, b in cv.split(X, truth, groups)]


def _turns(tested: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count for each test of an item how often it was tested before."""
    seen: dict[int, int] = {}
    turns = []
    for item in tested.tolist():
        turns.append(seen.get(item, 0))
        seen[item] = turns[-1] + 1
    return np.array(turns, dtype=np.int64)


def _rows(X: Any, places: NDArray[np.int64]) -> Any:  # noqa: ANN401
    if hasattr(X, "iloc"):
        return X.iloc[places]
    return X[places] if hasattr(X, "shape") else [X[place] for place in places]


def _clone(estimator: Any) -> Any:  # noqa: ANN401
    return _sklearn("base").clone(estimator)


def _sklearn(part: str) -> Any:  # noqa: ANN401
    from importlib import import_module

    try:
        return import_module(f"sklearn.{part}")
    except ImportError:
        what = "Cross-validating estimators"
        raise ExtraMissing.for_part(what, "sklearn") from None
