"""The counting itself, on numpy arrays: pure functions, whole numbers, one topic a file."""

from steelyard.counts.scores.counting import score_counts
from steelyard.tally.kernels.cells import (
    count_pairs,
    distinct_rows,
    joint_cells,
    pair_matrix,
    pattern_counts,
    pattern_places,
)
from steelyard.tally.kernels.scores import count_won_pairs
from steelyard.tally.kernels.sums import exact_sums, round_to_scale
from steelyard.tally.kernels.vectors import VectorSums, item_scores, vector_sums

__all__ = [
    "VectorSums",
    "count_pairs",
    "count_won_pairs",
    "distinct_rows",
    "exact_sums",
    "item_scores",
    "joint_cells",
    "pair_matrix",
    "pattern_counts",
    "pattern_places",
    "round_to_scale",
    "score_counts",
    "vector_sums",
]
