"""How good: what counts say of one system, each number with its interval and its doubts."""

from steelyard.measures.agreement import cohen_kappa, exact_kappa, landis_koch
from steelyard.measures.detection import (
    accuracy,
    balanced_accuracy,
    f1,
    no_information_rate,
    npv,
    precision,
    recall,
    specificity,
    warn_if_useless,
)
from steelyard.measures.roc import RocPoints, auc, auc_grade, exact_auc, roc_points
from steelyard.measures.vectors import UNIFORM_SCORES, vector_difference, vector_score

__all__ = [
    "UNIFORM_SCORES",
    "RocPoints",
    "accuracy",
    "auc",
    "auc_grade",
    "balanced_accuracy",
    "cohen_kappa",
    "exact_auc",
    "exact_kappa",
    "f1",
    "landis_koch",
    "no_information_rate",
    "npv",
    "precision",
    "recall",
    "roc_points",
    "specificity",
    "vector_difference",
    "vector_score",
    "warn_if_useless",
]
