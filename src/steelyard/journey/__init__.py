"""The whole walk, from what a user has in hand to an answer."""

from steelyard.journey.comparison import compare
from steelyard.journey.evaluation import evaluate
from steelyard.journey.model_ranking import rank_models
from steelyard.journey.plans import plan
from steelyard.journey.threshold_choice import threshold

__all__ = ["compare", "evaluate", "plan", "rank_models", "threshold"]
