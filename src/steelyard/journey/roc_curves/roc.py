"""How does a system trade detections against false alarms?"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

from steelyard import measures, tally
from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.journey.arguments import check_arguments
from steelyard.journey.declared_roles import Verb
from steelyard.journey.opening import RoleArguments, check_seed, opened, provenance_of
from steelyard.journey.option_types import RocOptions, RocSettings
from steelyard.journey.options import settle, takes
from steelyard.journey.roc_curves.answers import roc_of_system
from steelyard.journey.roc_curves.averages import AVERAGES
from steelyard.journey.roc_curves.question import RocAsked, read_measures, read_partial
from steelyard.journey.roc_curves.reading import read_generation, read_lookups
from steelyard.journey.scored import Scored, cluster_notes, ignore_clusters, open_scored
from steelyard.results import (
    ClassAreas,
    Estimate,
    RocCurves,
)
from steelyard.sources import Predictions
from steelyard.sources.shapes.measured_vectors import MANY_CLASSES
from steelyard.tally.class_scores import ClassNumbers

__all__ = [
    "roc",
    "rocs_of_vectors",
]

# --- curves of vectors: each class against the rest, and the areas over all classes --------------


CLASSES_WHY = "the points of a curve count whole items"
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
            f"These rows carry weights, and {CLASSES_WHY}. "
            "To count every row once: unweighted=True (--unweighted)."
        )
        raise NotComparable(message, code="weighted")
    systems, classes = [], []
    many = len(predictions.classes) > MANY_CLASSES
    plain = replace(asked, average=(), resamples=0 if many else asked.resamples)
    for system in predictions.holding("vector"):
        held = tally.read_class_numbers(predictions, system)
        tables = tally.each_class_scores(predictions, system, held)
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
            *ignore_clusters(predictions),
        ),
    )


def _areas(predictions: Predictions, held: ClassNumbers, level: float) -> tuple[Estimate, ...]:
    options: dict[str, Any] = {"classes": range(len(predictions.classes)), "level": level}
    return (
        measures.hand_till(held.truth, held.numbers, **options),
        measures.rest_areas(held.truth, held.numbers, **options),
        measures.rest_areas(held.truth, held.numbers, weighing="prevalence", **options),
    )


# --- how does a system trade detections against false alarms? ------------------------------------


WHY = "the points of a curve count whole items"
BANDS = ("kolmogorov", "bootstrap", "none")


@check_arguments
@takes("roc")
def roc(data: Any, **options: Unpack[RocOptions]) -> RocCurves:  # noqa: ANN401
    """Draw the ROC curve of each system, and read anything off it.

    AUC with its letter, equal error rate, average precision, hull and band are always there.
    Vectors without a positive class give a curve for each class, and Hand and Till's area.

    Parameters
    ----------
    data
        Whatever :func:`steelyard.sources.open_predictions` takes, a ``ScoreTable``, a mapping of
        system names to such tables, or ``JointScores``.
    thresholds
        Where the curve has points: at every distinct score unless told; ``"linear:50"`` or
        ``"log:50"`` steps, ``"every:10"`` (each N-th score), ``"pfa:0.01,0.1"`` or ``"pd:0.5,0.9"``
        (given rates), or a list of numbers.
    rounding
        For given rates: ``floor``, ``ceil`` or ``round`` items; floor for ``pfa``, ceil for ``pd``
        unless told.
    at
        Points to look up: ``"threshold=0.5"``, ``"pfa=0.1"``, ``"pd=0.9"``, ``"precision=0.8"``,
        ``"flagged=100"``; one, several, or a mapping.
    measures
        What to measure there; any of :func:`steelyard.measures.measure_names`.
    partial
        Part of the area: ``"pfa:0:0.1"`` or ``"pd:0.8:1"``, corrected as by McClish.
    average
        With a column of folds: ``false-alarm-rate`` (vertical), ``detection-rate``, ``threshold``
        (with ``average_at``) or ``pooled``; one or several.
    average_at
        Rates or thresholds at which folds are averaged.
    band
        Around the whole curve: ``kolmogorov``, ``bootstrap`` or ``none``. With a column of
        clusters the band is always that of resampled clusters.
    cost, prevalence
        Costs such as ``{"fn": 5, "fp": 1}`` and the share of positives where the system will work,
        for the line of equal cost; the tested share unless told.
    points
        Points of the curve that are kept in the result; 0 keeps all.
    unweighted
        Count every row once, although the rows carry weights.
    level
        Coverage of the intervals and of the band.
    rng, resamples
        Seed and number of bootstrap resamples, for what is read off; 0 for none.
    **roles
        What the columns mean; see :class:`steelyard.journey.opening.RoleArguments`.

    Returns
    -------
    RocCurves
        The curve of each system with its areas, and what was read off it.

    Raises
    ------
    RefusedData
        The data cannot answer the question; the message says what was found, what was expected and
        what to type next.
    RequestError
        An argument is unknown, lies outside its domain or does not fit the others.

    Examples
    --------
    >>> import steelyard as sy
    >>> table = sy.ScoreTable.from_scores([0.9, 0.4], [0.4, 0.1], positive="ship")
    >>> found = sy.roc(table, at="pd=0.9", resamples=0)
    >>> found.systems[0].area.value, found.systems[0].places[0].threshold
    (0.875, 0.4)
    """
    own: RocSettings
    roles: RoleArguments
    own, roles = settle("roc", options)
    level, band, average = own["level"], own["band"], own["average"]
    if not 0 < level < 1:
        raise RequestError.for_level(name="level", given=level)
    if band not in BANDS:
        raise RequestError.for_choice(name="band", given=band, choices=BANDS)
    named = (average,) if isinstance(average, str) else tuple(average)
    for one in named:
        if one not in AVERAGES:
            raise RequestError.for_choice(name="average", given=one, choices=AVERAGES)
    asked = RocAsked(
        generation=read_generation(own["thresholds"], own["rounding"]),
        lookups=read_lookups(own["at"]),
        measures=read_measures(own["measures"]),
        partial=read_partial(own["partial"]),
        average=named,
        average_at=None if (at := own["average_at"]) is None else tuple(at),
        band=band,
        cost=own["cost"],
        prevalence=own["prevalence"],
        points=own["points"],
        level=level,
        seed=check_seed(own["rng"]),
        resamples=own["resamples"],
    )
    if roles.get("positive") is None and _may_hold_vectors(data):
        predictions = opened(data, roles)
        if predictions.positive is None and predictions.holding("vector"):
            return rocs_of_vectors(predictions, asked, unweighted=own["unweighted"])
        data, roles = predictions, {}
    verb: Verb = "roc over folds" if named else "roc"
    scored = open_scored(data, roles, why=WHY, verb=verb, unweighted=own["unweighted"])
    clusters = {name: scored.clusters(name) for name in scored.tables}
    return RocCurves(
        positive=scored.positive,
        systems=tuple(
            roc_of_system(name, table, asked, _folds(scored, name, asked), clusters[name])
            for name, table in scored.tables.items()
        ),
        classes=(),
        generated=_words(scored, asked),
        level=level,
        provenance=scored.record(asked.settings(), seed=asked.seed if asked.resamples else None),
        caveats=(*scored.caveats, *cluster_notes(next(iter(clusters.values())))),
    )


def _may_hold_vectors(data: object) -> bool:
    if isinstance(data, ScoreTable):
        return False
    tables = isinstance(data, Mapping) and any(isinstance(v, ScoreTable) for v in data.values())
    return not tables and not hasattr(data, "score_table")


def _words(scored: Scored, asked: RocAsked) -> str:
    whole = asked.generation.made is None
    thinned = any(table.thinned for table in scored.tables.values())
    return "the distinct scores that were kept" if whole and thinned else asked.generation.words


def _folds(scored: Scored, name: str, asked: RocAsked) -> Grouped[ScoreTable] | None:
    if not asked.average:
        return None
    folds = scored.folds(name)
    if folds is None:
        message = "Averaging needs folds: name their column, fold='fold' (--fold fold)."
        raise NotComparable(message, code="no-folds")
    return folds
