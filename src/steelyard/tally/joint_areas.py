"""Areas of several systems on more items than can be held: reduced to sums where the rows are."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from steelyard.counts import (
    ClusterPlacements,
    Grouped,
    JointScores,
    PlacementSums,
    ScoreTable,
    sorted_classes,
)
from steelyard.engines.local import LocalTable
from steelyard.engines.memory import said_bytes
from steelyard.engines.table import Table
from steelyard.errors import CountsError, NotComparable
from steelyard.sources.predictions import Predictions, System
from steelyard.tally.binned_scores import cut, placed_sql
from steelyard.tally.count_by import check_complete
from steelyard.tally.scores import (
    fits_aligned,
    table_of_ranges,
    tally_joint_scores,
    tally_score_table_by,
)

__all__ = ["tally_cluster_areas", "tally_joint_areas", "tally_placement_sums"]

POSITIVES = "COUNT(CASE WHEN positive THEN 1 END) AS pos"
NEGATIVES = "COUNT(CASE WHEN NOT positive THEN 1 END) AS neg"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """The score table of one system, and a query of its distinct scores with their placements."""

    table: ScoreTable
    sql: str


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

    Every row finds the placement of its score in the table of its system, by a join, and only sums
    leave the engine. All of it is portable SQL over whole numbers, so that every engine gives the
    same sums.
    """
    if predictions.pairing == "independent":
        message = "These systems were tested on items of their own; their scores cannot be aligned."
        raise NotComparable(message, code="not-paired")
    _tell_plan(predictions, systems)
    asked = ", ".join(_score(system.column, place) for place, system in enumerate(systems))
    common = predictions.table.derive(
        f"SELECT positive, {asked} FROM {{t}} WHERE {_answered(systems)}"
    )
    placed = [_placed(predictions, common, place, systems) for place in range(len(systems))]
    rows = common.query(_products_sql(placed))
    sums = _sums_of(rows, tuple(system.name for system in systems), placed)
    check_complete(predictions, systems, sums.total)
    return sums


def tally_cluster_areas(
    predictions: Predictions, system: System
) -> Grouped[ScoreTable] | ClusterPlacements:
    """Count the scores of each cluster where they fit; else sum the placements of each cluster."""
    if predictions.weighted or fits_aligned(predictions, 1):
        return tally_score_table_by(predictions, system, "cluster")
    _tell_plan(predictions, [system])
    table = predictions.table.derive(
        f"SELECT positive, {predictions.split_column('cluster')} AS part, "
        f"{_score(system.column, 0)} FROM {{t}} WHERE {_answered([system])}"
    )
    placed = _placed(predictions, table, 0, [system])
    beaten = "SUM(CASE WHEN positive THEN CAST(below AS HUGEINT) ELSE 0 END)"
    beating = "SUM(CASE WHEN positive THEN 0 ELSE CAST(above AS HUGEINT) END)"
    rows = table.query(
        f"SELECT part, {POSITIVES}, {NEGATIVES}, {beaten}, {beating} FROM {{t}} AS given "
        f"JOIN ({placed.sql}) AS placed ON given.c0 = placed.score GROUP BY part"
    )
    sums = _clusters_of(rows, placed.table)
    check_complete(predictions, [system], sums.table.total)
    return sums


def _tell_plan(predictions: Predictions, systems: Sequence[System]) -> None:
    table = predictions.table
    if isinstance(table, LocalTable):
        names = ", ".join(system.name for system in systems)
        table.engine.tell_plan(
            f"{names}: {predictions.rows:,} rows, placed by joins in the database and summed "
            f"there; memory {said_bytes(table.engine.memory)}"
        )


def _score(column: str, place: int) -> str:
    # Adding nothing turns -0.0 into 0.0: they tie, and engines differ in whether they join.
    return f"CAST({column} AS DOUBLE) + 0e0 AS c{place}"


def _answered(systems: Sequence[System]) -> str:
    return " AND ".join(f"{system.column} IS NOT NULL" for system in systems)


def _placed(
    predictions: Predictions, table: Table, place: int, systems: Sequence[System]
) -> _Placed:
    made = cut(
        table, f"SELECT c{place} AS score, {POSITIVES}, {NEGATIVES} FROM {{t}} GROUP BY c{place}"
    )
    return _Placed(
        table=table_of_ranges(predictions, table, made, systems=systems), sql=placed_sql(made)
    )


def _products_sql(placed: Sequence[_Placed]) -> str:
    """Write the sums of placements and of their products over the rows of each class."""
    places = range(len(placed))
    joins = " ".join(
        f"JOIN ({one.sql}) AS d{place} ON given.c{place} = d{place}.score"
        for place, one in enumerate(placed)
    )
    found = ", ".join(
        f"CAST(CASE WHEN given.positive THEN d{place}.below ELSE d{place}.above END AS HUGEINT) "
        f"AS p{place}"
        for place in places
    )
    sums = [f"SUM(p{place})" for place in places]
    sums += [f"SUM(p{one} * p{two})" for one, two in combinations_with_replacement(places, 2)]
    return (
        f"SELECT positive, COUNT(*), {', '.join(sums)} FROM "
        f"(SELECT given.positive AS positive, {found} FROM {{t}} AS given {joins}) AS placed "
        "GROUP BY positive"
    )


def _sums_of(
    rows: Sequence[tuple[int, ...]], systems: tuple[str, ...], placed: Sequence[_Placed]
) -> PlacementSums:
    width = len(placed)
    products = {}
    for positive, counted, *sums in rows:
        whole = [int(one) for one in sums]
        products[bool(positive)] = _square(whole[width:], width)
        for one, won in zip(placed, whole[:width], strict=True):
            held = one.table.positive_total if positive else one.table.negative_total
            pairs = one.table.pair_sums
            if int(counted) != held or pairs is None or won != pairs.won_twice:
                raise _lost()
    nothing = _square([0] * (width * (width + 1) // 2), width)
    return PlacementSums(
        systems=systems,
        tables=tuple(one.table for one in placed),
        positive_products=products.get(True, nothing),
        negative_products=products.get(False, nothing),
    )


def _square(values: Sequence[int], width: int) -> tuple[tuple[int, ...], ...]:
    """Fill a symmetric table from its upper half."""
    known = dict(zip(combinations_with_replacement(range(width), 2), values, strict=True))
    return tuple(
        tuple(known[min(one, two), max(one, two)] for two in range(width)) for one in range(width)
    )


def _clusters_of(rows: Sequence[tuple[object, ...]], table: ScoreTable) -> ClusterPlacements:
    known = {str(name): [int(str(one)) for one in sums] for name, *sums in rows}
    names = sorted_classes(list(known))
    positives, negatives, beaten, beating = (
        tuple(known[name][at] for name in names) for at in range(4)
    )
    if table.pair_sums is None or sum(beaten) != table.pair_sums.won_twice:
        raise _lost()
    return ClusterPlacements(
        by="cluster", names=names, table=table, positives=positives, negatives=negatives,
        beaten=beaten, beating=beating,
    )  # fmt: skip


def _lost() -> CountsError:
    message = (
        "The sums over the rows are not those over their scores. This is a fault of Steelyard, not "
        "of your data: no answer is given."
    )
    return CountsError(message, code="rows-lost")
