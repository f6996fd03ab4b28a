"""Rows become tables of scores, of one system and of several together, and their areas."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import (
    ClusterPlacements,
    Grouped,
    JointScores,
    PlacementSums,
    ScoreTable,
)
from steelyard.engines.dialect import quote_literal
from steelyard.engines.local import LocalTable
from steelyard.engines.memory import say_bytes
from steelyard.errors import NotComparable, switch
from steelyard.sources.predictions import Predictions, SplitRole, System
from steelyard.tally.calls import WHOLE, check_complete
from steelyard.tally.placed_rows import place_sums
from steelyard.tally.streamed_scores import stream_score_table
from steelyard.tally.thinned_scores import (
    give_sql,
    positive_class,
    tables_of_ranges,
    thin_clusters,
    thin_table,
    thin_tables_by,
    too_many_scores,
)

__all__ = [
    "Columns",
    "build_score_table",
    "fits_in_memory",
    "score_tables_by",
    "split_scores_sql",
    "tally_cluster_areas",
    "tally_joint_areas",
    "tally_joint_scores",
    "tally_joint_scores_by",
    "tally_placement_sums",
    "tally_score_table",
    "tally_score_table_by",
]

Columns = dict[str, NDArray[Any]]

BYTES_ALIGNED = 40
BYTES_AN_ITEM = 160
"""Measured: what an item takes while scores are aligned and placed, for each system and beside."""


def tally_score_table(predictions: Predictions, system: System) -> ScoreTable:
    """Count positives and negatives at every distinct score of one system.

    Where there are more distinct scores than memory or the engine allows, the table is thinned: it
    counts in ranges of scores, and carries what the exact area needs. Rows of files on this
    machine are ranked here, in one pass; those of a cluster, and weighted ones, are counted there.
    """
    local = predictions.table
    if isinstance(local, LocalTable) and system.holds == "score" and not predictions.weighted:
        table = stream_score_table(predictions, system, local, positive_class(predictions))
        check_complete(predictions, [system], table.total)
        return table
    if too_many_scores(predictions, system):
        return thin_table(predictions, system)
    columns = predictions.table.arrays(split_scores_sql(predictions, system, quote_literal(WHOLE)))
    table = build_score_table(predictions, system, columns)
    check_complete(predictions, [system], table.total)
    return table


def tally_score_table_by(
    predictions: Predictions, system: System, role: SplitRole
) -> Grouped[ScoreTable]:
    """Count the scores of each cluster, group or fold apart.

    Groups and folds of more distinct scores than can be held are thinned, each with its exact area.
    """
    part = predictions.split_column(role)
    if role != "cluster" and too_many_scores(predictions, system, part):
        return Grouped.from_parts(role, thin_tables_by(predictions, system, part))
    columns = predictions.table.arrays(split_scores_sql(predictions, system, part))
    parts = {
        name: build_score_table(predictions, system, held)
        for name, held in score_tables_by(columns, "part")
    }
    check_complete(predictions, [system], sum(part.total for part in parts.values()))
    return Grouped.from_parts(role, parts)


def score_tables_by(columns: Columns, by: str) -> Iterator[tuple[str, Columns]]:
    """Take rows apart by one column; sorted once, so that many parts cost little more than few."""
    names, place = np.unique(columns[by].astype(str), return_inverse=True)
    order = np.argsort(place, kind="stable")
    ends = np.cumsum(np.bincount(place, minlength=names.size))
    for name, rows in zip(names.tolist(), np.split(order, ends[:-1]), strict=True):
        yield name, {key: column[rows] for key, column in columns.items()}


def tally_joint_scores(
    predictions: Predictions, systems: Sequence[System] | None = None
) -> JointScores:
    """Align the scores of several systems on their common items."""
    chosen = predictions.holding("score") if systems is None else systems
    if predictions.pairing == "independent":
        message = "These systems were tested on items of their own; their scores cannot be aligned."
        raise NotComparable(message, code="not-paired")
    _check_room(predictions, len(chosen))
    answered = " AND ".join(f"{system.column} IS NOT NULL" for system in chosen)
    asked = ", ".join(system.column for system in chosen)
    columns = predictions.table.arrays(f"SELECT positive, {asked} FROM {{t}} WHERE {answered}")
    joint = JointScores.from_arrays(
        columns["positive"].astype(np.bool_),
        {system.name: columns[system.column] for system in chosen},
        positive=positive_class(predictions),
        excluded=predictions.exclusions_for(chosen),
    )
    check_complete(predictions, chosen, joint.total)
    return joint


def fits_in_memory(predictions: Predictions, systems: int) -> bool:
    """Say whether the scores of so many systems fit in memory, or may come to the driver."""
    table = predictions.table
    if isinstance(table, LocalTable):
        return _count_bytes(predictions, systems) <= table.engine.memory
    return table.most_rows is None or predictions.rows <= table.most_rows


def _count_bytes(predictions: Predictions, systems: int) -> int:
    return predictions.rows * (systems * BYTES_ALIGNED + BYTES_AN_ITEM)


def _check_room(predictions: Predictions, systems: int) -> None:
    """Refuse scores that would not fit beside one another, before any is read."""
    if fits_in_memory(predictions, systems):
        return
    table = predictions.table
    what = f"the scores of {systems} systems on {predictions.rows:,} common items beside each other"
    if isinstance(table, LocalTable):
        needed = say_bytes(_count_bytes(predictions, systems))
        allow = switch("memory", needed.replace(" ", ""))
        why = f"takes about {needed}, and {say_bytes(table.engine.memory)} may be used"
        ways = f"Allow more: {allow}. Or ask"
    else:
        why = f"and at most {table.most_rows:,} rows come to the driver of a cluster"
        ways = "Ask"
    message = (
        f"This needs {what}, {'which ' if isinstance(table, LocalTable) else ''}{why}. {ways} "
        "about fewer systems at a time, or about a random part of the items: with so many, it "
        "tells as much. Areas under ROC curves are compared at any size "
        f"({switch('method', 'delong')})."
    )
    raise NotComparable(message, code="memory")


def tally_joint_scores_by(predictions: Predictions, role: SplitRole) -> Grouped[JointScores]:
    """Align the scores of all systems on the common items of each cluster, group or fold apart."""
    chosen = predictions.holding("score")
    answered = " AND ".join(f"{system.column} IS NOT NULL" for system in chosen)
    asked = ", ".join(system.column for system in chosen)
    part = predictions.split_column(role)
    columns = predictions.table.arrays(
        f"SELECT {part} AS part, positive, {asked} FROM {{t}} WHERE {answered}"
    )
    names, places = np.unique(columns["part"].astype(np.str_), return_inverse=True)
    order = np.argsort(places, kind="stable")
    ends = np.cumsum(np.bincount(places, minlength=names.size))[:-1]
    parts = {
        str(name): JointScores.from_arrays(
            columns["positive"][rows].astype(np.bool_),
            {system.name: columns[system.column][rows] for system in chosen},
            positive=positive_class(predictions),
        )
        for name, rows in zip(names, np.split(order, ends), strict=True)
    }
    check_complete(predictions, chosen, sum(one.total for one in parts.values()))
    return Grouped.from_parts(role, parts)


def split_scores_sql(
    predictions: Predictions, system: System, part: str, inner: str = quote_literal(WHOLE)
) -> str:
    """Write the count of positives and negatives at each score of each part, and part of it."""
    if system.holds != "score":
        message = f"{system.name} holds {system.holds}; a score table needs scores."
        raise NotComparable(message, code="no-scores")
    weights = (
        ", CAST(SUM(CASE WHEN positive THEN w ELSE 0 END) AS BIGINT) AS wpos"
        ", CAST(SUM(CASE WHEN positive THEN 0 ELSE w END) AS BIGINT) AS wneg"
        if predictions.weighted
        else ""
    )
    return (
        "SELECT part, inner_part, score, COUNT(CASE WHEN positive THEN 1 END) AS pos, "
        f"COUNT(CASE WHEN NOT positive THEN 1 END) AS neg{weights} FROM "
        f"(SELECT {part} AS part, {inner} AS inner_part, {system.column} AS score, positive"
        f"{', w' if predictions.weighted else ''} FROM {{t}} WHERE {system.column} IS NOT NULL) "
        "AS scored GROUP BY part, inner_part, score"
    )


def build_score_table(predictions: Predictions, system: System, columns: Columns) -> ScoreTable:
    """Build the table from columns of scores and counts."""
    weighted = predictions.weighted
    return ScoreTable.from_counts(
        columns["score"],
        columns["pos"],
        columns["neg"],
        positive=positive_class(predictions),
        positive_weights=columns["wpos"].astype(np.int64) if weighted else None,
        negative_weights=columns["wneg"].astype(np.int64) if weighted else None,
        excluded=predictions.exclusions_for([system]),
    )


def tally_joint_areas(
    predictions: Predictions, systems: Sequence[System] | None = None
) -> JointScores | PlacementSums:
    """Align the scores of several systems where they fit; else sum up what their areas need."""
    chosen = predictions.holding("score") if systems is None else systems
    if fits_in_memory(predictions, len(chosen)):
        return tally_joint_scores(predictions, chosen)
    return tally_placement_sums(predictions, chosen)


def tally_placement_sums(predictions: Predictions, systems: Sequence[System]) -> PlacementSums:
    """Sum the placements of common items and their products, class by class.

    Every row is placed inside a range of scores of each system, and only sums leave the engine. All
    of it is portable SQL over whole numbers, so that every engine gives the same sums.
    """
    if predictions.pairing == "independent":
        message = "These systems were tested on items of their own; their scores cannot be aligned."
        raise NotComparable(message, code="not-paired")
    _tell_plan(predictions, systems)
    columns = [f"c{place}" for place in range(len(systems))]
    given = give_sql(predictions, systems)
    placed = place_sums(predictions.table, given, columns, rows=predictions.rows)
    sums = PlacementSums(
        systems=tuple(system.name for system in systems),
        tables=tables_of_ranges(predictions, placed, systems=systems),
        positive_products=placed.positive_products,
        negative_products=placed.negative_products,
    )
    check_complete(predictions, systems, sums.total)
    return sums


def tally_cluster_areas(
    predictions: Predictions, system: System
) -> Grouped[ScoreTable] | ClusterPlacements:
    """Count the scores of each cluster where they fit; else sum the placements of each cluster."""
    if predictions.weighted or fits_in_memory(predictions, 1):
        return tally_score_table_by(predictions, system, "cluster")
    _tell_plan(predictions, [system])
    (found,) = thin_clusters(predictions, system, quote_literal(WHOLE)).values()
    return found


def _tell_plan(predictions: Predictions, systems: Sequence[System]) -> None:
    table = predictions.table
    if isinstance(table, LocalTable):
        names = ", ".join(system.name for system in systems)
        table.engine.tell_plan(
            f"{names}: {predictions.rows:,} rows, ranked in ranges by the database and summed "
            f"there; memory {say_bytes(table.engine.memory)}"
        )
