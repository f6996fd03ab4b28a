"""Curves of vectors: each class against the rest, and the areas over all classes."""

from dataclasses import replace
from typing import Any

import numpy as np

from steelyard.errors import NotComparable
from steelyard.journey.opening import provenance_of
from steelyard.journey.roc_curves.answers import roc_of_system
from steelyard.journey.roc_curves.question import RocAsked
from steelyard.journey.scored import ignored_clusters
from steelyard.measures import (
    hand_till,
    rest_areas,
)
from steelyard.results import (
    ClassAreas,
    Estimate,
    RocCurves,
)
from steelyard.sources import Predictions, System
from steelyard.tally import tally_class_scores

__all__ = ["rocs_of_vectors"]

WHY = "the points of a curve count whole items"
UNWEIGHTED = "every row counts once, although the rows carry weights"


def rocs_of_vectors(
    predictions: Predictions, asked: RocAsked, *, unweighted: bool = False
) -> RocCurves:
    """Draw a curve for each class against the rest, and give the areas over all classes."""
    if predictions.weighted and not unweighted:
        message = (
            f"These rows carry weights, and {WHY}. To count every row once: unweighted=True "
            "(--unweighted)."
        )
        raise NotComparable(message, code="weighted")
    systems, classes = [], []
    plain = replace(asked, average=())
    for system in predictions.holding("vector"):
        tables = tally_class_scores(predictions, system)
        systems += [roc_of_system(system.name, table, plain) for table in tables.values()]
        classes.append(
            ClassAreas(system=system.name, areas=_areas(predictions, system, asked.level))
        )
    return RocCurves(
        positive=None,
        systems=tuple(systems),
        classes=tuple(classes),
        generated=asked.generation.words,
        level=asked.level,
        provenance=provenance_of(predictions, asked.settings(), seed=asked.seed),
        caveats=(
            *((UNWEIGHTED,) if predictions.weighted else ()),
            *predictions.caveats,
            *ignored_clusters(predictions),
        ),
    )


def _areas(predictions: Predictions, system: System, level: float) -> tuple[Estimate, ...]:
    asked = [f"{one} AS n{place}" for place, one in enumerate(system.vector)]
    columns = predictions.table.arrays(
        f"SELECT truth, {', '.join(asked)} FROM {{t}} WHERE {system.column} IS NOT NULL"
    )
    vectors = np.column_stack([columns[f"n{place}"] for place in range(len(asked))])
    truth = columns["truth"].astype(str)
    options: dict[str, Any] = {"classes": predictions.classes, "level": level}
    return (
        hand_till(truth, vectors, **options),
        rest_areas(truth, vectors, **options),
        rest_areas(truth, vectors, weighing="prevalence", **options),
    )
