"""Steelyard weighs recognition systems against each other.

From files of predictions, or from bare counts, it answers in plain sentences: how good is each
system, which one is better, and how sure that is.

Examples
--------
>>> import steelyard as sy
>>> trials = sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
>>> print(sy.compare(trials).systems[1].system)
T
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from steelyard._version import __version__

if TYPE_CHECKING:
    from steelyard.counts import (
        Confusion,
        Exposure,
        Grouped,
        JointCalls,
        JointScores,
        Outcomes,
        ScoreTable,
        Trials,
        VectorScores,
    )
    from steelyard.errors import RefusedData, RequestError, SteelyardError
    from steelyard.journey import (
        CalibrationDisplay,
        Campaign,
        ConfusionMatrixDisplay,
        DetCurveDisplay,
        PrecisionRecallDisplay,
        RocCurveDisplay,
        agreement,
        calibration,
        compare,
        evaluate,
        gate,
        plan,
        rank_models,
        roc,
        run_suite,
        targeting,
        threshold,
        to_arrow,
        to_pandas,
    )
    from steelyard.results import read_result
    from steelyard.sources import from_estimators
    from steelyard.suites import Suite

__all__ = [
    "CalibrationDisplay",
    "Campaign",
    "Confusion",
    "ConfusionMatrixDisplay",
    "DetCurveDisplay",
    "Exposure",
    "Grouped",
    "JointCalls",
    "JointScores",
    "Outcomes",
    "PrecisionRecallDisplay",
    "RefusedData",
    "RequestError",
    "RocCurveDisplay",
    "ScoreTable",
    "SteelyardError",
    "Suite",
    "Trials",
    "VectorScores",
    "__version__",
    "agreement",
    "calibration",
    "compare",
    "evaluate",
    "from_estimators",
    "gate",
    "plan",
    "rank_models",
    "read_result",
    "roc",
    "run_suite",
    "targeting",
    "threshold",
    "to_arrow",
    "to_pandas",
]

ROOMS = {
    "steelyard.counts": (
        "Confusion",
        "Exposure",
        "Grouped",
        "JointCalls",
        "JointScores",
        "Outcomes",
        "ScoreTable",
        "Trials",
        "VectorScores",
    ),
    "steelyard.errors": ("RefusedData", "RequestError", "SteelyardError"),
    "steelyard.journey": (
        "agreement",
        "calibration",
        "compare",
        "evaluate",
        "gate",
        "plan",
        "rank_models",
        "run_suite",
        "Campaign",
        "CalibrationDisplay",
        "ConfusionMatrixDisplay",
        "DetCurveDisplay",
        "PrecisionRecallDisplay",
        "RocCurveDisplay",
        "roc",
        "targeting",
        "threshold",
        "to_arrow",
        "to_pandas",
    ),
    "steelyard.results": ("read_result",),
    "steelyard.sources": ("from_estimators",),
    "steelyard.suites": ("Suite",),
}


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Load a room when one of its names is first used, so that the import itself is cheap."""
    for room, names in ROOMS.items():
        if name in names:
            value = _load(room, name)
            globals()[name] = value
            return value
    message = f"module 'steelyard' has no attribute {name!r}"
    raise AttributeError(message)


def _load(room: str, name: str) -> Any:  # noqa: ANN401
    from steelyard.errors import ExtraMissing, stand_in

    try:
        return getattr(import_module(room), name)
    except ExtraMissing as missing:
        return stand_in(name, missing)


def __dir__() -> list[str]:
    return sorted(__all__)
