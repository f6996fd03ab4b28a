"""Pictures of plain values: every function returns a Chart, one Vega-Lite specification."""

from steelyard.display.figures.calibration import Bin, calibration_chart
from steelyard.display.figures.chances import best_chart, posterior_chart, rank_chart
from steelyard.display.figures.chart import SUFFIXES, Chart
from steelyard.display.figures.curves import (
    Area,
    Band,
    corner_of,
    det_chart,
    precision_recall_chart,
    roc_chart,
)
from steelyard.display.figures.layers import Curve
from steelyard.display.figures.matrices import agreement_chart, confusion_chart
from steelyard.display.figures.pairs import Pair, forest_chart, pair_matrix_chart
from steelyard.display.figures.plans import (
    characteristic_chart,
    confidence_chart,
    discrimination_chart,
    items_chart,
    lead_chart,
    trajectory_chart,
)
from steelyard.display.figures.ranks import critical_difference_chart
from steelyard.display.figures.scores import (
    score_density_chart,
    score_histogram,
    score_scatter,
    sort_scores_chart,
)
from steelyard.display.figures.systems import Measurement, front_chart, interval_chart, slice_chart
from steelyard.display.figures.targeting import decision_chart, gain_chart, lift_chart
from steelyard.display.figures.theme import Look
from steelyard.display.figures.thresholds import cost_chart, threshold_chart

__all__ = [
    "SUFFIXES",
    "Area",
    "Band",
    "Bin",
    "Chart",
    "Curve",
    "Look",
    "Measurement",
    "Pair",
    "agreement_chart",
    "best_chart",
    "calibration_chart",
    "characteristic_chart",
    "confidence_chart",
    "confusion_chart",
    "corner_of",
    "cost_chart",
    "critical_difference_chart",
    "decision_chart",
    "det_chart",
    "discrimination_chart",
    "forest_chart",
    "front_chart",
    "gain_chart",
    "interval_chart",
    "items_chart",
    "lead_chart",
    "lift_chart",
    "pair_matrix_chart",
    "posterior_chart",
    "precision_recall_chart",
    "rank_chart",
    "roc_chart",
    "score_density_chart",
    "score_histogram",
    "score_scatter",
    "slice_chart",
    "sort_scores_chart",
    "threshold_chart",
    "trajectory_chart",
]
