"""Rows become counts for each slice, and within it for each cluster."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from steelyard.counts import ClusterPlacements, Confusion, Grouped, Outcomes, ScoreTable
from steelyard.counts.grouped import Mergeable
from steelyard.counts.labels import sort_classes
from steelyard.sources.predictions import Predictions, System
from steelyard.tally.calls import (
    Counted,
    build_confusion,
    build_outcomes,
    check_complete,
    choose_systems,
    confusion_keys,
    count_by,
    outcome_words,
)
from steelyard.tally.scores import (
    build_score_table,
    fits_in_memory,
    score_tables_by,
    split_scores_sql,
)
from steelyard.tally.thinned_scores import thin_clusters

__all__ = [
    "tally_confusion_by_slice",
    "tally_outcomes_by_slice",
    "tally_right_by_slice",
    "tally_score_table_by_slice",
]

Held = TypeVar("Held", bound=Mergeable)


def tally_confusion_by_slice(
    predictions: Predictions, system: System
) -> dict[str, Grouped[Confusion]]:
    """Count what one system called, for each cluster of each slice."""
    return _by_slice(predictions, [system], confusion_keys(predictions, system), build_confusion)


def tally_outcomes_by_slice(predictions: Predictions) -> dict[str, Grouped[Outcomes]]:
    """Count the outcome patterns of all systems, for each cluster of each slice."""
    chosen = choose_systems(predictions, None)
    return _by_slice(predictions, chosen, outcome_words(chosen), build_outcomes)


def tally_right_by_slice(
    predictions: Predictions, system: System
) -> dict[str, dict[str, tuple[int, int]]]:
    """Count right and tested items of one system, for each cluster of each slice."""
    sliced = _count(predictions, [system], [system.outcome_sql()])
    return {
        name: {
            cluster: (counted.rows.get((True,), 0), counted.total)
            for cluster, counted in clusters.items()
        }
        for name, clusters in sliced.items()
    }


def tally_score_table_by_slice(
    predictions: Predictions, system: System
) -> dict[str, Grouped[ScoreTable] | ClusterPlacements]:
    """Count positives and negatives at every score, for each cluster of each slice.

    Where that does not fit, the placements within the slice are summed for each cluster.
    """
    outer, inner = (predictions.split_column(role) for role in ("group", "cluster"))
    if not predictions.weighted and not fits_in_memory(predictions, 1):
        return dict(thin_clusters(predictions, system, outer))
    columns = predictions.table.arrays(split_scores_sql(predictions, system, outer, inner))
    found: dict[str, Grouped[ScoreTable] | ClusterPlacements] = {}
    for name, rows in score_tables_by(columns, "part"):
        parts = {
            cluster: build_score_table(predictions, system, held)
            for cluster, held in score_tables_by(rows, "inner_part")
        }
        found[name] = Grouped.from_parts("cluster", parts)
    counted = int(np.sum(columns["pos"]) + np.sum(columns["neg"]))
    check_complete(predictions, [system], counted)
    return {name: found[name] for name in sort_classes(found)}


def _by_slice(
    predictions: Predictions,
    systems: Sequence[System],
    keys: list[str],
    build: Callable[[Predictions, Sequence[System], Counted], Held],
) -> dict[str, Grouped[Held]]:
    sliced = _count(predictions, systems, keys)
    return {
        name: Grouped.from_parts(
            "cluster",
            {of: build(predictions, systems, counted) for of, counted in clusters.items()},
        )
        for name, clusters in sliced.items()
    }


def _count(
    predictions: Predictions, systems: Sequence[System], keys: list[str]
) -> dict[str, dict[str, Counted]]:
    """Count by key with the cluster as the last key, and take that key apart again."""
    cluster = predictions.split_column("cluster")
    parts = count_by(predictions, [*keys, cluster], systems=systems, split="group")
    check_complete(predictions, systems, sum(counted.total for counted in parts.values()))
    found: dict[str, dict[str, Counted]] = {}
    for name in sort_classes(parts):
        counted, clusters = parts[name], found.setdefault(name, {})
        for (*key, of), rows in counted.rows.items():
            weighted = counted.weights is not None
            into = clusters.setdefault(of, Counted(weights={} if weighted else None))
            into.rows[tuple(key)] = rows
            if counted.weights is not None and into.weights is not None:
                into.weights[tuple(key)] = counted.weights[(*key, of)]
    return found
