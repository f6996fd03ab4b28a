"""How does a system trade detections against false alarms?"""

from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from steelyard import measures, tally, uncertainty
from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import NotComparable, RequestError, check_share
from steelyard.journey.arguments import refuse_excess
from steelyard.journey.declared_roles import Verb
from steelyard.journey.opening import (
    RoleArguments,
    check_seed,
    lives_on_device,
    open_data,
    provenance_of,
)
from steelyard.journey.option_types import RocOptions, RocSettings
from steelyard.journey.options import settle, takes
from steelyard.journey.roc_curves.averages import AVERAGES, average_curve
from steelyard.journey.roc_curves.question import RocAsked, read_measures, read_partial
from steelyard.journey.roc_curves.reading import (
    generate_curve,
    place_on,
    read_generation,
    read_lookups,
)
from steelyard.journey.scored import (
    Scored,
    cluster_notes,
    enough_clusters,
    ignore_clusters,
    may_hold_vectors,
    open_scored,
)
from steelyard.measures import RocCurve
from steelyard.results import (
    ClassAreas,
    CostLine,
    CurveBand,
    CurvePoint,
    Estimate,
    RocCurves,
    SystemRoc,
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


@refuse_excess
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
    if lives_on_device(data):
        from steelyard.journey.on_device import answer_there

        return answer_there(roc, data, options)
    level, band, average = own["level"], own["band"], own["average"]
    check_share("level", level)
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
    if roles.get("positive") is None and may_hold_vectors(data):
        predictions = open_data(data, roles)
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


def roc_of_system(
    name: str,
    table: ScoreTable,
    asked: RocAsked,
    folds: Grouped[ScoreTable] | None = None,
    clusters: Grouped[ScoreTable] | None = None,
) -> SystemRoc:
    """Draw the curve of one system and read off what was asked."""
    full = RocCurve.of(table)
    curve = generate_curve(table, asked.generation, full)
    hull = measures.roc_hull(full)
    units = clusters if clusters is not None and enough_clusters(clusters) else None
    alone = clusters is not None and units is None
    rng = (lambda: None) if alone else asked.rng
    area = (
        measures.auc(table, level=asked.level)
        if clusters is None
        else measures.clustered_auc(clusters, level=asked.level)
    )
    drawn: dict[str, Any] = {"level": asked.level, "resamples": asked.resamples, "clusters": units}
    exact = measures.exact_auc(table)
    return SystemRoc(
        system=name,
        of=table.positive,
        items=table.total,
        positives=table.positive_total,
        negatives=table.negative_total,
        area=area,
        grade=None if exact is None else measures.auc_grade(exact),
        curve_area=float(curve.area()),
        points=int(curve.thresholds.size),
        curve=_points(curve, asked.points),
        hull=tuple(_finite(one) for one in hull.thresholds.tolist()),
        hull_area=float(hull.area()),
        partial=_part(table, asked, rng(), units),
        equal_error=measures.equal_error_rate(table, rng=rng(), **drawn),
        average_precision=_precision(table, asked, clusters, units),
        places=tuple(
            place_on(
                full, table, lookup, measures=asked.measures, level=asked.level, rng=rng(),
                resamples=asked.resamples, clusters=clusters,
            )
            for lookup in asked.lookups
        ),
        cost_line=_cost_line(full, asked),
        band=None if alone else _band(table, asked, units),
        averages=()
        if folds is None
        else tuple(
            average_curve(folds, by, whole=table, at=asked.average_at, level=asked.level)
            for by in asked.average
        ),
    )  # fmt: skip


def _finite(threshold: float) -> float | None:
    return threshold if np.isfinite(threshold) else None


def _points(curve: RocCurve, most: int) -> tuple[CurvePoint, ...]:
    """Keep so many points, spread evenly over the items called; both ends always."""
    places = np.arange(curve.thresholds.size)
    if 0 < most < places.size:
        called = curve.detections + curve.false_alarms
        spread = np.searchsorted(called, np.linspace(0, called[-1], most - 2))
        places = np.unique(np.concatenate([[0], spread, [places.size - 1]]))
    return tuple(
        CurvePoint(threshold=_finite(threshold), false_alarms=alarms, detections=found)
        for threshold, alarms, found in zip(
            curve.thresholds[places].tolist(),
            curve.false_alarms[places].tolist(),
            curve.detections[places].tolist(),
            strict=True,
        )
    )


def _precision(
    table: ScoreTable,
    asked: RocAsked,
    clusters: Grouped[ScoreTable] | None,
    units: Grouped[ScoreTable] | None,
) -> Estimate:
    """Average precision: Boyd's interval for single items, resamples for clusters."""
    if clusters is None:
        return measures.average_precision(table, level=asked.level)
    rng = asked.rng() if units is not None else None
    return measures.average_precision(
        table, level=asked.level, rng=rng, resamples=asked.resamples, clusters=clusters
    )


def _part(
    table: ScoreTable,
    asked: RocAsked,
    rng: np.random.Generator | None,
    clusters: Grouped[ScoreTable] | None,
) -> Estimate | None:
    if asked.partial is None:
        return None
    axis, ends = asked.partial
    options: dict[str, Any] = {axis: ends}
    return measures.partial_auc(
        table,
        level=asked.level,
        rng=rng,
        resamples=asked.resamples or 1,
        clusters=clusters,
        **options,
    )


def _cost_line(curve: RocCurve, asked: RocAsked) -> CostLine | None:
    if asked.cost is None and asked.prevalence is None:
        return None
    cost = asked.cost or {}
    strange = sorted(set(cost) - {"fn", "fp"})
    if strange:
        message = (
            f"cost of {strange[0]}: the line of equal cost has a cost of misses (fn) and of false "
            "alarms (fp). For right calls that cost use threshold, by='min-cost'."
        )
        raise RequestError(message)
    alarm, miss = (
        measures.exact_number(cost.get("fp", 1), "fp"),
        measures.exact_number(cost.get("fn", 1), "fn"),
    )
    best = measures.iso_performance(curve, fp=alarm, fn=miss, prevalence=asked.prevalence)
    share = curve.positive_total / (curve.positive_total + curve.negative_total)
    if asked.prevalence is not None:
        share = float(measures.exact_share(asked.prevalence, "prevalence"))
    first = best.points[0]
    return CostLine(
        fp=float(alarm),
        fn=float(miss),
        prevalence=share,
        slope=best.slope,
        intercept=best.intercept,
        cost=best.cost,
        thresholds=tuple(_finite(point.threshold) for point in best.points),
        false_alarm_rate=first.fp / curve.negative_total,
        detection_rate=first.tp / curve.positive_total,
    )


def _band(
    table: ScoreTable, asked: RocAsked, clusters: Grouped[ScoreTable] | None
) -> CurveBand | None:
    if asked.band == "none" or (clusters is not None and not asked.resamples):
        return None
    options: dict[str, Any] = {"method": asked.band, "level": asked.level, "clusters": clusters}
    if asked.band == "bootstrap" or clusters is not None:
        options |= {"rng": asked.rng(), "resamples": asked.resamples}
    found = uncertainty.roc_band(table, **options)
    return CurveBand(
        method=found.method,
        meaning=found.meaning,
        level=found.level,
        false_alarm_rates=tuple(found.false_alarm_rates.tolist()),
        low=tuple(found.low.tolist()),
        high=tuple(found.high.tolist()),
    )
