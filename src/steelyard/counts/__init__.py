"""All that is kept of the rows: frozen, validated, mergeable with ``+``."""

from steelyard.counts.confusion import Binary, Confusion
from steelyard.counts.exclusions import Exclusion, merge_exclusions
from steelyard.counts.grouped import Grouped
from steelyard.counts.joint_calls import JointCalls
from steelyard.counts.labels import canonical_label, lookalike_classes, sorted_classes
from steelyard.counts.outcomes import Outcomes, PairTable
from steelyard.counts.scores.joint import JointScores
from steelyard.counts.scores.placement_sums import ClusterPlacements, PlacementSums
from steelyard.counts.scores.table import PairSums, ScoreTable
from steelyard.counts.trials import Pairing, Trials
from steelyard.counts.vector_scores import VECTOR_RULES, VectorRule, VectorScores, WeightedVectors
from steelyard.counts.weights import SCALE, WeightSums

__all__ = [
    "SCALE",
    "VECTOR_RULES",
    "Binary",
    "ClusterPlacements",
    "Confusion",
    "Exclusion",
    "Grouped",
    "JointCalls",
    "JointScores",
    "Outcomes",
    "PairSums",
    "PairTable",
    "Pairing",
    "PlacementSums",
    "ScoreTable",
    "Trials",
    "VectorRule",
    "VectorScores",
    "WeightSums",
    "WeightedVectors",
    "canonical_label",
    "lookalike_classes",
    "merge_exclusions",
    "sorted_classes",
]
