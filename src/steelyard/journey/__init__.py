"""The whole walk, from what a user has in hand to an answer.

Each verb takes what it was given apart (``options``), opens it, lets it be counted, asks the
rooms below and puts one result together. Only here do rows, counts and results meet.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from steelyard.journey.campaigns.campaign import Campaign
    from steelyard.journey.comparison.compare import compare
    from steelyard.journey.comparison.models import rank_models
    from steelyard.journey.contacts import targeting
    from steelyard.journey.displays import (
        CalibrationDisplay,
        ConfusionMatrixDisplay,
        DetCurveDisplay,
        PrecisionRecallDisplay,
        RocCurveDisplay,
    )
    from steelyard.journey.evaluation.evaluate import evaluate
    from steelyard.journey.forecasts import calibration
    from steelyard.journey.frame_exports import to_arrow, to_pandas
    from steelyard.journey.gates.gate import gate
    from steelyard.journey.plans.plan import plan
    from steelyard.journey.raters import agreement
    from steelyard.journey.roc_curves.roc import roc
    from steelyard.journey.suite_runs import (
        compare_suite_runs,
        leaderboard,
        run_suite,
        show_cell,
    )
    from steelyard.journey.thresholds.threshold import threshold

__all__ = [
    "CalibrationDisplay",
    "Campaign",
    "ConfusionMatrixDisplay",
    "DetCurveDisplay",
    "PrecisionRecallDisplay",
    "RocCurveDisplay",
    "agreement",
    "calibration",
    "compare",
    "compare_suite_runs",
    "evaluate",
    "gate",
    "leaderboard",
    "plan",
    "rank_models",
    "roc",
    "run_suite",
    "show_cell",
    "targeting",
    "threshold",
    "to_arrow",
    "to_pandas",
]

VERBS = {
    "CalibrationDisplay": "displays",
    "ConfusionMatrixDisplay": "displays",
    "DetCurveDisplay": "displays",
    "PrecisionRecallDisplay": "displays",
    "RocCurveDisplay": "displays",
    "Campaign": "campaigns.campaign",
    "agreement": "raters",
    "calibration": "forecasts",
    "compare": "comparison.compare",
    "evaluate": "evaluation.evaluate",
    "gate": "gates.gate",
    "plan": "plans.plan",
    "rank_models": "comparison.models",
    "compare_suite_runs": "suite_runs",
    "leaderboard": "suite_runs",
    "run_suite": "suite_runs",
    "show_cell": "suite_runs",
    "roc": "roc_curves.roc",
    "targeting": "contacts",
    "threshold": "thresholds.threshold",
    "to_arrow": "frame_exports",
    "to_pandas": "frame_exports",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Load a verb when it is first used: none pays for the rooms that only another one walks."""
    if name not in VERBS:
        message = f"module 'steelyard.journey' has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(f"steelyard.journey.{VERBS[name]}"), name)
    globals()[name] = value
    return value
