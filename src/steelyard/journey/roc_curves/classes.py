"""Curves of vectors: each class against the rest, and the areas over all classes."""

from dataclasses import replace
from typing import Any

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
from steelyard.sources import Predictions
from steelyard.sources.shapes.measured_vectors import MANY_CLASSES
from steelyard.tally import each_class_scores, read_class_numbers
from steelyard.tally.class_scores import ClassNumbers

__all__ = ["rocs_of_vectors"]

WHY = "the points of a curve count whole items"
FEW_DRAWN = (
    f"what is read off the curve of one class has no interval, because there are more than "
    f"{MANY_CLASSES} classes; name one for it: positive='CLASS' (--positive CLASS)"
)
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
    many = len(predictions.classes) > MANY_CLASSES
    plain = replace(asked, average=(), resamples=0 if many else asked.resamples)
    for system in predictions.holding("vector"):
        held = read_class_numbers(predictions, system)
        tables = each_class_scores(predictions, system, held)
        systems += [roc_of_system(system.name, table, plain) for _, table in tables]
        classes.append(ClassAreas(system=system.name, areas=_areas(predictions, held, asked.level)))
    return RocCurves(
        positive=None,
        systems=tuple(systems),
        classes=tuple(classes),
        generated=asked.generation.words,
        level=asked.level,
        provenance=provenance_of(predictions, asked.settings(), seed=asked.seed),
        caveats=(
            *((UNWEIGHTED,) if predictions.weighted else ()),
            *((FEW_DRAWN,) if many and asked.resamples else ()),
            *predictions.caveats,
            *ignored_clusters(predictions),
        ),
    )


def _areas(predictions: Predictions, held: ClassNumbers, level: float) -> tuple[Estimate, ...]:
    options: dict[str, Any] = {"classes": range(len(predictions.classes)), "level": level}
    return (
        hand_till(held.truth, held.numbers, **options),
        rest_areas(held.truth, held.numbers, **options),
        rest_areas(held.truth, held.numbers, weighing="prevalence", **options),
    )
