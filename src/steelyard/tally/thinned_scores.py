"""Score tables of more distinct scores than can be held: counted in ranges, with the exact area."""

from collections.abc import Sequence

import numpy as np

from steelyard.counts import ClusterPlacements, ScoreTable, sort_classes
from steelyard.engines.local import LocalTable
from steelyard.engines.table import Table
from steelyard.errors import NotComparable, switch
from steelyard.sources.predictions import Predictions, System
from steelyard.tally.calls import check_complete
from steelyard.tally.placed_rows import Placed, Unit, place_by, place_sums, place_within
from steelyard.tally.streamed_scores import limit_scores

__all__ = [
    "give_sql",
    "positive_class",
    "tables_of_ranges",
    "thin_clusters",
    "thin_table",
    "thin_tables_by",
    "too_many_scores",
]

SURELY = 1.5
"""An approximate count of so many times the most is not counted again; it errs by a few percent."""


def too_many_scores(predictions: Predictions, system: System, part: str | None = None) -> bool:
    """Say whether a system has more distinct scores, in each part, than may be handed over."""
    table = predictions.table
    most = _most(table)
    if most is None or predictions.rows <= most or (_here(table) and predictions.weighted):
        return False
    ((about,),) = table.query(f"SELECT APPROX_COUNT_DISTINCT({system.column}) FROM {{t}}")
    if int(about) > SURELY * most:
        return True
    listed = system.column if part is None else f"{part}, {system.column}"
    ((distinct,),) = table.query(
        f"SELECT COUNT(*) FROM (SELECT {listed} FROM {{t}} WHERE {system.column} IS NOT NULL "
        f"GROUP BY {listed}) AS distinct_scores"
    )
    return int(distinct) > most


def _here(table: Table) -> bool:
    return isinstance(table, LocalTable)


def _most(table: Table) -> int | None:
    return limit_scores(table.engine) if isinstance(table, LocalTable) else table.most_rows


def thin_table(predictions: Predictions, system: System) -> ScoreTable:
    """Count the scores of a system in ranges."""
    _refuse_weights(predictions, system)
    given = give_sql(predictions, [system])
    placed = place_sums(predictions.table, given, ["c0"], rows=predictions.rows)
    (table,) = tables_of_ranges(predictions, placed, systems=[system])
    check_complete(predictions, [system], table.total)
    return table


def thin_tables_by(predictions: Predictions, system: System, part: str) -> dict[str, ScoreTable]:
    """Count the scores of each part in ranges, which are the same for all parts."""
    _refuse_weights(predictions, system)
    given = give_sql(predictions, [system], part=part)
    placed = place_within(predictions.table, given, ["c0"], rows=predictions.rows)
    found = {
        name: tables_of_ranges(predictions, one, systems=[system])[0]
        for name, one in placed.items()
    }
    check_complete(predictions, [system], sum(one.total for one in found.values()))
    return found


def thin_clusters(
    predictions: Predictions, system: System, part: str
) -> dict[str, ClusterPlacements]:
    """Sum the placements of each cluster among the items of each part."""
    _refuse_weights(predictions, system)
    given = give_sql(predictions, [system], part=part, unit=predictions.split_column("cluster"))
    found = {
        name: _clusters(tables_of_ranges(predictions, placed, systems=[system])[0], units)
        for name, (placed, units) in place_by(
            predictions.table, given, "c0", rows=predictions.rows
        ).items()
    }
    check_complete(predictions, [system], sum(one.table.total for one in found.values()))
    return {name: found[name] for name in sort_classes(list(found))}


def give_sql(
    predictions: Predictions,
    systems: Sequence[System],
    *,
    part: str | None = None,
    unit: str | None = None,
) -> str:
    """Write the rows that all the given systems answered: truth, and scores ``c0``, ``c1``..."""
    # Adding nothing turns -0.0 into 0.0: they tie, and engines differ in whether they join.
    asked = [f"CAST({one.column} AS DOUBLE) + 0e0 AS c{n}" for n, one in enumerate(systems)]
    named = [f"{sql} AS {name}" for name, sql in (("part", part), ("unit", unit)) if sql]
    answered = " AND ".join(f"{one.column} IS NOT NULL" for one in systems)
    return f"SELECT {', '.join([*named, 'positive', *asked])} FROM {{t}} WHERE {answered}"


def tables_of_ranges(
    predictions: Predictions, placed: Placed, *, systems: Sequence[System]
) -> tuple[ScoreTable, ...]:
    """Build thinned tables from scores that were cut into ranges."""
    return tuple(
        ScoreTable(
            positive=positive_class(predictions),
            scores=np.array([one.low for one in ranges], dtype=np.float64),
            positives=np.array([one.positives for one in ranges], dtype=np.int64),
            negatives=np.array([one.negatives for one in ranges], dtype=np.int64),
            excluded=predictions.exclusions_for(systems),
            pair_sums=sums,
        )
        for ranges, sums in zip(placed.ranges, placed.pair_sums, strict=True)
    )


def positive_class(predictions: Predictions) -> str:
    """Give the class that the high scores indicate."""
    if predictions.positive is None:
        message = f"Scores are about one class; name it: {switch('positive', 'CLASS')}."
        raise NotComparable(message, code="no-positive")
    return predictions.positive


def _refuse_weights(predictions: Predictions, system: System) -> None:
    if predictions.weighted:
        message = (
            f"{system.name} has more distinct scores than can be handed over, and its rows are "
            "weighted. Round the scores, or leave the weights out."
        )
        raise NotComparable(message, code="too-many-scores")


def _clusters(table: ScoreTable, units: dict[str, Unit]) -> ClusterPlacements:
    names = sort_classes(list(units))
    positives, beaten, negatives, beating = zip(*(units[name] for name in names), strict=True)
    return ClusterPlacements(
        by="cluster", names=names, table=table, positives=positives, negatives=negatives,
        beaten=beaten, beating=beating,
    )  # fmt: skip
