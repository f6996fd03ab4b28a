"""Rows become exact sums of vector scores."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from steelyard.counts import (
    SCALE,
    VECTOR_RULES,
    Grouped,
    VectorRule,
    VectorScores,
    WeightedVectors,
)
from steelyard.engines.dialect import quote_literal
from steelyard.engines.local import LocalTable
from steelyard.errors import NotComparable
from steelyard.sources.predictions import Predictions, SplitRole, System
from steelyard.sources.shapes.measured_vectors import BATCH_BYTES, list_rows
from steelyard.tally.calls import WHOLE, check_complete
from steelyard.tally.kernels.vectors import item_scores

__all__ = [
    "tally_vector_scores",
    "tally_vector_scores_by",
    "tally_weighted_vectors",
    "tally_weighted_vectors_by",
]


Label = tuple[str, ...]


def tally_vector_scores(
    predictions: Predictions, systems: Sequence[System] | None = None
) -> VectorScores:
    """Sum the scores of the vectors of all systems, by true class."""
    return _parts(predictions, systems, None)[WHOLE]


def tally_vector_scores_by(
    predictions: Predictions, role: SplitRole, systems: Sequence[System] | None = None
) -> Grouped[VectorScores]:
    """Sum the vector scores of each cluster, group or fold apart."""
    return Grouped.from_parts(role, _parts(predictions, systems, role))


def tally_weighted_vectors(
    predictions: Predictions, systems: Sequence[System] | None = None
) -> WeightedVectors:
    """Sum the weighted scores of the vectors of all systems, by true class."""
    return _weigh_parts(predictions, systems, None)[WHOLE]


def tally_weighted_vectors_by(
    predictions: Predictions, role: SplitRole, systems: Sequence[System] | None = None
) -> Grouped[WeightedVectors]:
    """Sum the weighted vector scores of each cluster, group or fold apart."""
    return Grouped.from_parts(role, _weigh_parts(predictions, systems, role))


def _weigh_parts(
    predictions: Predictions, systems: Sequence[System] | None, role: SplitRole | None
) -> dict[str, WeightedVectors]:
    chosen = _choose(predictions, systems)
    part = predictions.split_column(role) if role else quote_literal(WHOLE)
    labels, asked = _write_sums(chosen)
    rows = _sum_rows(predictions, chosen, part, asked, carried=("w", "w2"))
    check_complete(predictions, chosen, sum(row[2] for row in rows))
    found: dict[str, dict[Label, int]] = {}
    for name, truth, *values in rows:
        sums = found.setdefault(name, {})
        for label, value in zip(labels, values, strict=True):
            sums[*label, truth] = int(value or 0)
    names = [system.name for system in chosen]
    return {
        name: WeightedVectors.from_sums(systems=names, classes=predictions.classes, sums=sums)
        for name, sums in found.items()
    }


def _write_sums(systems: Sequence[System]) -> tuple[list[Label], list[str]]:
    """Name the weighted sums and write them; ``w`` and ``w2`` are times SCALE already."""
    asked: dict[Label, str] = {
        ("rows",): "COUNT(*)",
        ("held",): "COUNT(CASE WHEN w > 0 THEN 1 END)",
        ("weight",): "SUM(CAST(w AS HUGEINT))",
        ("square",): "SUM(w2)",
    }
    for rule in VECTOR_RULES:
        for place, one in enumerate(systems):
            score = f"{one.column}_{rule}"
            asked["sum", rule, one.name] = _round_sql(f"{score} * w")
            asked["first", rule, one.name] = _round_sql(f"{score} * w2")
            for two in systems[place:]:
                both = f"{score} * {two.column}_{rule} * w2"
                asked["product", rule, one.name, two.name] = _round_sql(both)
    for system in systems:
        missed = f"COUNT(CASE WHEN {system.column}_log IS NULL AND w > 0 THEN 1 END)"
        asked["infinite", system.name] = missed
    return list(asked), list(asked.values())


def _round_sql(expression: str) -> str:
    return f"SUM(CAST(FLOOR({expression} + 0.5) AS HUGEINT))"


def _choose(predictions: Predictions, systems: Sequence[System] | None) -> Sequence[System]:
    chosen = predictions.holding("vector") if systems is None else systems
    wrong = [system.name for system in chosen if system.holds != "vector"]
    apart = predictions.pairing == "independent" and len(chosen) > 1
    if wrong or not chosen or apart:
        message = (
            "Vector scores need systems that give one number per class on common items; "
            f"{wrong[0] if wrong else 'here there are none'}."
        )
        raise NotComparable(message, code="no-vectors")
    return chosen


def _parts(
    predictions: Predictions, systems: Sequence[System] | None, role: SplitRole | None
) -> dict[str, VectorScores]:
    chosen = _choose(predictions, systems)
    part = predictions.split_column(role) if role else quote_literal(WHOLE)
    labels, asked = _sums(chosen)
    rows = _sum_rows(predictions, chosen, part, ["COUNT(*)", *asked])
    check_complete(predictions, chosen, sum(row[2] for row in rows))
    grouped: dict[str, list[tuple[Any, ...]]] = {}
    for name, *rest in rows:
        grouped.setdefault(name, []).append(tuple(rest))
    return {name: _build(predictions, chosen, labels, rest) for name, rest in grouped.items()}


def _sum_rows(
    predictions: Predictions,
    systems: Sequence[System],
    part: str,
    asked: Sequence[str],
    *,
    carried: Sequence[str] = (),
) -> list[tuple[Any, ...]]:
    """Add the scores of rows up by part and true class, in SQL or, of many classes, from arrays."""
    table = predictions.table
    if isinstance(table, LocalTable) and all(system.numbers for system in systems):
        table = _score_rows(predictions, table, systems, part, carried)
        scored = "SELECT * FROM {t}"
    else:
        scored = _score_sql(predictions, systems, part, "".join(f", {one}" for one in carried))
    return table.query(
        f"SELECT part, truth, {', '.join(asked)} FROM ({scored}) AS scored GROUP BY part, truth"
    )


def _score_rows(
    predictions: Predictions,
    table: LocalTable,
    systems: Sequence[System],
    part: str,
    carried: Sequence[str],
) -> LocalTable:
    """Score the lists of every row by the kernel of arrays, some rows at a time."""
    named = ", ".join(quote_literal(of) for of in predictions.classes)
    lists = [system.numbers for system in systems]
    kept = ["part", "truth", *carried]
    asked = [f"{part} AS part", "truth", *carried, *lists]
    asked.append(f"list_position([{named}], truth) - 1 AS code")
    answered = " AND ".join(f"{system.column} IS NOT NULL" for system in systems)
    rows = max(1, BATCH_BYTES // (8 * len(predictions.classes) * len(systems)))
    batches = table.arrow_batches(f"SELECT {', '.join(asked)} FROM {{t}} WHERE {answered}", rows)
    return table.engine.hold(
        _score_batch(batch, kept, systems, len(predictions.classes)) for batch in batches
    )


def _score_batch(
    batch: Any,  # noqa: ANN401
    kept: Sequence[str],
    systems: Sequence[System],
    size: int,
) -> Any:  # noqa: ANN401
    import pyarrow as pa

    columns = {name: batch.column(name) for name in kept}
    truth = batch.column("code").to_numpy().astype(np.intp)
    for system in systems:
        scores = item_scores(truth, list_rows(batch.column(system.numbers), size))
        for rule, values in scores.items():
            # An infinite score is left out of the sums and counted on its own.
            gone = ~np.isfinite(values)
            columns[f"{system.column}_{rule}"] = pa.array(values, mask=gone)
    return pa.record_batch(columns)


def _score_sql(
    predictions: Predictions, systems: Sequence[System], part: str, carried: str = ""
) -> str:
    """Score every row under every rule.

    The arithmetic runs class by class from the first to the last, as the array kernel does, so
    that both round alike and the sums agree to the last bit.
    """
    first, second, third = [], [], []
    for system in systems:
        name, numbers = system.column, system.vector
        cases = " ".join(
            f"WHEN {quote_literal(of)} THEN {x}"
            for of, x in zip(predictions.classes, numbers, strict=True)
        )
        top = numbers[0] if len(numbers) == 1 else f"GREATEST({', '.join(numbers)})"
        first += [
            f"{top} AS {name}_top",
            f"{' + '.join(numbers)} AS {name}_sum",
            f"CASE truth {cases} END AS {name}_true",
        ]
        second += [
            " + ".join(f"({x} / {name}_top) * ({x} / {name}_top)" for x in numbers)
            + f" AS {name}_squares",
            " + ".join(
                f"({miss}) * ({miss})"
                for miss in (
                    f"{x} / {name}_sum - "
                    f"CASE WHEN truth = {quote_literal(of)} THEN 1e0 ELSE 0e0 END"
                    for of, x in zip(predictions.classes, numbers, strict=True)
                )
            )
            + f" AS {name}_brier",
            " + ".join(f"CASE WHEN {x} = {name}_top THEN 1 ELSE 0 END" for x in numbers)
            + f" AS {name}_ties",
            f"{name}_true / {name}_sum AS {name}_share",
        ]
        third += [
            f"({name}_true / {name}_top) / SQRT({name}_squares) AS {name}_spherical",
            f"CASE WHEN {name}_true = {name}_top THEN 1e0 / {name}_ties ELSE 0e0 END"
            f" AS {name}_winner",
            f"{name}_brier",
            f"CASE WHEN {name}_share > 0 THEN -LN({name}_share) END AS {name}_log",
        ]
    answered = " AND ".join(f"{system.column} IS NOT NULL" for system in systems)
    return (
        f"SELECT part, truth{carried}, {', '.join(third)} FROM "
        f"(SELECT *, {', '.join(second)} FROM "
        f"(SELECT *, {part} AS part, {', '.join(first)} FROM {{t}} WHERE {answered}) AS a) AS b"
    )


def _sums(systems: Sequence[System]) -> tuple[list[Label], list[str]]:
    """Name the sums and write them; each addend is a whole number of 1/SCALE."""
    labels: list[Label] = []
    asked = []
    for rule in VECTOR_RULES:
        for place, one in enumerate(systems):
            labels.append(("sum", rule, one.name))
            asked.append(_scale_sql(f"{one.column}_{rule}"))
            for two in systems[place:]:
                labels.append(("product", rule, one.name, two.name))
                asked.append(_scale_sql(f"{one.column}_{rule} * {two.column}_{rule}"))
    for system in systems:
        labels.append(("infinite", system.name))
        asked.append(f"COUNT(CASE WHEN {system.column}_log IS NULL THEN 1 END)")
    return labels, asked


def _scale_sql(expression: str) -> str:
    return f"SUM(CAST(FLOOR(({expression}) * {SCALE} + 0.5) AS DECIMAL(20, 0)))"


def _build(
    predictions: Predictions,
    systems: Sequence[System],
    labels: Sequence[Label],
    rows: Sequence[tuple[Any, ...]],
) -> VectorScores:
    items: dict[str, int] = {}
    sums: dict[tuple[VectorRule, str, str], int] = {}
    products: dict[tuple[VectorRule, str, str, str], int] = {}
    infinite: dict[tuple[str, str], int] = {}
    for truth, count, *values in rows:
        items[truth] = int(count)
        for label, value in zip(labels, values, strict=True):
            whole = int(value or 0)
            match label:
                case ("sum", rule, system):
                    sums[rule, system, truth] = whole  # type: ignore[index]
                case ("product", rule, one, two):
                    products[rule, one, two, truth] = whole  # type: ignore[index]
                case (_, system):
                    infinite[system, truth] = whole
    return VectorScores.from_sums(
        systems=[system.name for system in systems],
        classes=predictions.classes,
        items=items,
        sums=sums,
        products=products,
        infinite=infinite,
        excluded=predictions.exclusions_for(systems),
    )
