"""Areas of several systems on more items than can be held: reduced to sums where the rows are."""

from collections.abc import Sequence

from steelyard.counts import (
    ClusterPlacements,
    Grouped,
    JointScores,
    PlacementSums,
    ScoreTable,
)
from steelyard.engines.dialect import quote_literal
from steelyard.engines.local import LocalTable
from steelyard.engines.memory import said_bytes
from steelyard.errors import NotComparable
from steelyard.sources.predictions import Predictions, System
from steelyard.tally.count_by import WHOLE, check_complete
from steelyard.tally.placed_rows import placed_sums
from steelyard.tally.scores import (
    fits_aligned,
    tally_joint_scores,
    tally_score_table_by,
)
from steelyard.tally.thinned_scores import given_sql, tables_of_ranges, thinned_clusters

__all__ = ["tally_cluster_areas", "tally_joint_areas", "tally_placement_sums"]


def tally_joint_areas(
    predictions: Predictions, systems: Sequence[System] | None = None
) -> JointScores | PlacementSums:
    """Align the scores of several systems where they fit; else sum up what their areas need."""
    chosen = predictions.holding("score") if systems is None else systems
    if fits_aligned(predictions, len(chosen)):
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
    given = given_sql(predictions, systems)
    placed = placed_sums(predictions.table, given, columns, rows=predictions.rows)
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
    if predictions.weighted or fits_aligned(predictions, 1):
        return tally_score_table_by(predictions, system, "cluster")
    _tell_plan(predictions, [system])
    (found,) = thinned_clusters(predictions, system, quote_literal(WHOLE)).values()
    return found


def _tell_plan(predictions: Predictions, systems: Sequence[System]) -> None:
    table = predictions.table
    if isinstance(table, LocalTable):
        names = ", ".join(system.name for system in systems)
        table.engine.tell_plan(
            f"{names}: {predictions.rows:,} rows, ranked in ranges by the database and summed "
            f"there; memory {said_bytes(table.engine.memory)}"
        )
