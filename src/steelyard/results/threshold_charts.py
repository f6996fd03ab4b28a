"""The pictures of a threshold."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from steelyard.display.figures import Chart, cost_chart, threshold_chart

if TYPE_CHECKING:
    from steelyard.results.threshold_choice import ThresholdChoice

__all__ = ["threshold_charts"]


def threshold_charts(choice: "ThresholdChoice") -> dict[str, Callable[[], Chart]]:
    """Name what can be drawn: the measures first."""
    if len(choice.sweep) < 2:
        return {}
    return {"thresholds": lambda: _measures(choice), "cost": lambda: _costs(choice)}


def _measures(choice: "ThresholdChoice") -> Chart:
    sweep = choice.sweep
    lines = {
        "recall": [one.recall for one in sweep],
        "specificity": [one.specificity for one in sweep],
        "kappa": [one.kappa for one in sweep],
    }
    return threshold_chart([one.threshold for one in sweep], lines, marks=_marks(choice))


def _costs(choice: "ThresholdChoice") -> Chart:
    sweep = choice.sweep
    lines = {"cost": [one.cost for one in sweep]}
    return cost_chart([one.threshold for one in sweep], lines, marks=_marks(choice))


def _marks(choice: "ThresholdChoice") -> dict[str, float]:
    """Mark the threshold that was asked for; all of them would hide the lines."""
    return {} if choice.threshold is None else {choice.by: choice.threshold}
