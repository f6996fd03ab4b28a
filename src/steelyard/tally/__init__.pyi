from .arrays import (
    area_of,
    confusion_of,
    joint_calls_of,
    joint_scores_of,
    outcomes_of,
    score_table_of,
    trials_of,
    vector_scores_of,
)
from .class_scores import (
    each_class_scores,
    read_class_numbers,
    tally_class_scores,
    tally_class_scores_by,
)
from .clustered_slices import (
    tally_confusion_by_slice,
    tally_outcomes_by_slice,
    tally_right_by_slice,
    tally_score_table_by_slice,
)
from .confusion import tally_confusion, tally_confusion_by
from .joint_areas import tally_cluster_areas, tally_joint_areas
from .joint_calls import calling_systems, tally_joint_calls, tally_joint_calls_by
from .outcomes import tally_outcomes, tally_outcomes_by
from .ratings import tally_ratings
from .scores import (
    tally_joint_scores,
    tally_joint_scores_by,
    tally_score_table,
    tally_score_table_by,
)
from .sequences import tally_sequence
from .trials import tally_trials, tally_trials_by
from .vectors import (
    tally_vector_scores,
    tally_vector_scores_by,
    tally_weighted_vectors,
    tally_weighted_vectors_by,
)

__all__ = [
    "area_of",
    "calling_systems",
    "confusion_of",
    "each_class_scores",
    "joint_calls_of",
    "joint_scores_of",
    "outcomes_of",
    "read_class_numbers",
    "score_table_of",
    "tally_class_scores",
    "tally_class_scores_by",
    "tally_cluster_areas",
    "tally_confusion",
    "tally_confusion_by",
    "tally_confusion_by_slice",
    "tally_joint_areas",
    "tally_joint_calls",
    "tally_joint_calls_by",
    "tally_joint_scores",
    "tally_joint_scores_by",
    "tally_outcomes",
    "tally_outcomes_by",
    "tally_outcomes_by_slice",
    "tally_ratings",
    "tally_right_by_slice",
    "tally_score_table",
    "tally_score_table_by",
    "tally_score_table_by_slice",
    "tally_sequence",
    "tally_trials",
    "tally_trials_by",
    "tally_vector_scores",
    "tally_vector_scores_by",
    "tally_weighted_vectors",
    "tally_weighted_vectors_by",
    "trials_of",
    "vector_scores_of",
]
