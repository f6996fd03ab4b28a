from .confusion import Binary, Confusion
from .exclusions import Exclusion, merge_exclusions
from .exposure import Exposure
from .grouped import Grouped
from .joint_calls import JointCalls
from .labels import canonical_label, lookalike_classes, sort_classes
from .moments import Linearised, Moments
from .outcomes import Outcomes, PairTable
from .rounded import RoundedTrials
from .scores.joint import JointScores
from .scores.placement_sums import ClusterPlacements, PlacementSums
from .scores.table import PairSums, ScoreTable
from .trials import Pairing, Trials
from .value_table import ValueTable
from .vector_scores import VECTOR_RULES, VectorRule, VectorScores, WeightedVectors
from .weights import SCALE, WeightSums

__all__ = [
    "SCALE",
    "VECTOR_RULES",
    "Binary",
    "ClusterPlacements",
    "Confusion",
    "Exclusion",
    "Exposure",
    "Grouped",
    "JointCalls",
    "JointScores",
    "Linearised",
    "Moments",
    "Outcomes",
    "PairSums",
    "PairTable",
    "Pairing",
    "PlacementSums",
    "RoundedTrials",
    "ScoreTable",
    "Trials",
    "ValueTable",
    "VectorRule",
    "VectorScores",
    "WeightSums",
    "WeightedVectors",
    "canonical_label",
    "lookalike_classes",
    "merge_exclusions",
    "sort_classes",
]
