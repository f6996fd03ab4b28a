"""How does a system trade detections against false alarms?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.journey.opening import RoleArguments, checked_seed, opened, provenance_of
from steelyard.journey.roc_averages import AVERAGES, averaged_curve
from steelyard.journey.roc_reading import Lookup, place_on, read_lookups
from steelyard.journey.roc_thresholds import Generated, generated_curve, read_generation
from steelyard.journey.scored import Scored, ignored_clusters, open_scored
from steelyard.measures import (
    Number,
    RocCurve,
    Rounding,
    auc,
    auc_grade,
    average_precision,
    equal_error_rate,
    exact_auc,
    exact_number,
    exact_share,
    hand_till,
    iso_performance,
    measure_names,
    one_against_rest,
    partial_auc,
    roc_hull,
)
from steelyard.results import (
    ClassAreas,
    CostLine,
    CurveBand,
    CurvePoint,
    Estimate,
    RocCurves,
    SystemRoc,
)
from steelyard.sources import Predictions, System
from steelyard.tally import tally_class_scores
from steelyard.uncertainty import RESAMPLES, roc_band

__all__ = ["roc"]

WHY = "the points of a curve count whole items"
USUAL = ("recall", "false_alarm_rate", "precision", "accuracy", "kappa")
BANDS = ("kolmogorov", "bootstrap", "none")
POINTS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The question, checked."""

    generation: Generated
    lookups: tuple[Lookup, ...]
    measures: tuple[str, ...]
    partial: tuple[str, tuple[Number, Number]] | None
    average: tuple[str, ...]
    average_at: tuple[Number, ...] | None
    band: str
    cost: Mapping[str, Number] | None
    prevalence: Number | None
    points: int
    level: float
    seed: int
    resamples: int

    def rng(self) -> np.random.Generator | None:
        """Start the random numbers anew for each number, so that none depends on another."""
        return np.random.default_rng(self.seed) if self.resamples else None


def roc(  # noqa: PLR0913 - one argument for each thing that can be read off a curve
    data: Any,  # noqa: ANN401
    *,
    thresholds: str | Sequence[Number] | None = None,
    rounding: Rounding | None = None,
    at: str | Sequence[str] | Mapping[str, Number] = (),
    measures: Sequence[str] = USUAL,
    partial: str | None = None,
    average: str | Sequence[str] = (),
    average_at: Sequence[Number] | None = None,
    band: str = "kolmogorov",
    cost: Mapping[str, Number] | None = None,
    prevalence: Number | None = None,
    points: int = POINTS,
    unweighted: bool = False,
    level: float = 0.95,
    rng: int = 0,
    resamples: int = RESAMPLES,
    **roles: Unpack[RoleArguments],
) -> RocCurves:
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
        Around the whole curve: ``kolmogorov``, ``bootstrap`` or ``none``.
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

    Examples
    --------
    >>> import steelyard as sy
    >>> table = sy.ScoreTable.from_scores([0.9, 0.4], [0.4, 0.1], positive="ship")
    >>> found = sy.roc(table, at="pd=0.9", resamples=0)
    >>> found.systems[0].area.value, found.systems[0].places[0].threshold
    (0.875, 0.4)
    """
    if not 0 < level < 1:
        raise RequestError.for_level(name="level", given=level)
    if band not in BANDS:
        raise RequestError.for_choice(name="band", given=band, choices=BANDS)
    named = (average,) if isinstance(average, str) else tuple(average)
    for one in named:
        if one not in AVERAGES:
            raise RequestError.for_choice(name="average", given=one, choices=AVERAGES)
    asked = Asked(
        generation=read_generation(thresholds, rounding),
        lookups=read_lookups(at),
        measures=_measures(measures),
        partial=_partial(partial),
        average=named,
        average_at=None if average_at is None else tuple(average_at),
        band=band,
        cost=cost,
        prevalence=prevalence,
        points=points,
        level=level,
        seed=checked_seed(rng),
        resamples=resamples,
    )
    if roles.get("positive") is None and _may_hold_vectors(data):
        predictions = opened(data, roles)
        if predictions.positive is None and predictions.holding("vector"):
            return _of_vectors(predictions, asked)
        data, roles = predictions, {}
    scored = open_scored(data, roles, why=WHY, unweighted=unweighted)
    return RocCurves(
        positive=scored.positive,
        systems=tuple(
            _system(name, table, asked, _folds(scored, name, asked))
            for name, table in scored.tables.items()
        ),
        classes=(),
        generated=asked.generation.words,
        level=level,
        provenance=scored.record(_settings(asked), seed=asked.seed if resamples else None),
        caveats=scored.caveats,
    )


def _may_hold_vectors(data: object) -> bool:
    if isinstance(data, ScoreTable):
        return False
    tables = isinstance(data, Mapping) and any(isinstance(v, ScoreTable) for v in data.values())
    return not tables and not hasattr(data, "score_table")


def _measures(measures: Sequence[str]) -> tuple[str, ...]:
    for name in measures:
        if name not in measure_names():
            raise RequestError.for_choice(name="measures", given=name, choices=measure_names())
    return tuple(measures)


def _partial(partial: str | None) -> tuple[str, tuple[Number, Number]] | None:
    if partial is None:
        return None
    name, *ends = partial.split(":")
    axes = {"pfa": "false_alarm_rates", "pd": "detection_rates"}
    if name not in axes or len(ends) != 2:
        message = f"partial={partial!r} is not of the form pfa:0:0.1 or pd:0.8:1."
        raise RequestError(message)
    low, high = (exact_share(end, name) for end in ends)
    return axes[name], (low, high)


def _settings(asked: Asked) -> dict[str, object]:
    cost = asked.cost
    return {
        "thresholds": asked.generation.said,
        "at": " ".join(one.asked for one in asked.lookups) or None,
        "partial": asked.partial
        and f"{asked.partial[0]} {float(asked.partial[1][0]):g} to {float(asked.partial[1][1]):g}",
        "average": ",".join(asked.average) or None,
        "band": asked.band,
        "cost": None if cost is None else ",".join(f"{k}={v}" for k, v in cost.items()),
        "prevalence": asked.prevalence,
        "level": asked.level,
        "resamples": asked.resamples,
    }


def _folds(scored: Scored, name: str, asked: Asked) -> Grouped[ScoreTable] | None:
    if not asked.average:
        return None
    folds = scored.folds(name)
    if folds is None:
        message = "Averaging needs folds: name their column, fold='fold' (--fold fold)."
        raise NotComparable(message, code="no-folds")
    return folds


def _system(
    name: str, table: ScoreTable, asked: Asked, folds: Grouped[ScoreTable] | None = None
) -> SystemRoc:
    full = RocCurve.of(table)
    curve = generated_curve(table, asked.generation, full)
    hull = roc_hull(full)
    area = auc(table, level=asked.level)
    exact = exact_auc(table)
    return SystemRoc(
        system=name,
        of=table.positive,
        items=table.total,
        positives=table.positive_total,
        negatives=table.negative_total,
        area=area,
        grade=None if exact is None else auc_grade(exact),
        curve_area=float(curve.area()),
        points=int(curve.thresholds.size),
        curve=_points(curve, asked.points),
        hull=tuple(_finite(one) for one in hull.thresholds.tolist()),
        hull_area=float(hull.area()),
        partial=_part(table, asked),
        equal_error=equal_error_rate(table),
        average_precision=average_precision(table, level=asked.level),
        places=tuple(
            place_on(
                full, table, lookup, measures=asked.measures, level=asked.level, rng=asked.rng(),
                resamples=asked.resamples,
            )
            for lookup in asked.lookups
        ),
        cost_line=_cost_line(full, asked),
        band=_band(table, asked),
        averages=()
        if folds is None
        else tuple(
            averaged_curve(folds, by, at=asked.average_at, level=asked.level)
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


def _part(table: ScoreTable, asked: Asked) -> Estimate | None:
    if asked.partial is None:
        return None
    axis, ends = asked.partial
    options: dict[str, Any] = {axis: ends}
    return partial_auc(
        table, level=asked.level, rng=asked.rng(), resamples=asked.resamples or 1, **options
    )


def _cost_line(curve: RocCurve, asked: Asked) -> CostLine | None:
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
    alarm, miss = exact_number(cost.get("fp", 1), "fp"), exact_number(cost.get("fn", 1), "fn")
    best = iso_performance(curve, fp=alarm, fn=miss, prevalence=asked.prevalence)
    share = curve.positive_total / (curve.positive_total + curve.negative_total)
    if asked.prevalence is not None:
        share = float(exact_share(asked.prevalence, "prevalence"))
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


def _band(table: ScoreTable, asked: Asked) -> CurveBand | None:
    if asked.band == "none":
        return None
    options: dict[str, Any] = {"method": asked.band, "level": asked.level}
    if asked.band == "bootstrap":
        options |= {"rng": asked.rng(), "resamples": asked.resamples}
    found = roc_band(table, **options)
    return CurveBand(
        method=found.method,
        meaning=found.meaning,
        level=found.level,
        false_alarm_rates=tuple(found.false_alarm_rates.tolist()),
        low=tuple(found.low.tolist()),
        high=tuple(found.high.tolist()),
    )


def _of_vectors(predictions: Predictions, asked: Asked) -> RocCurves:
    """Draw a curve for each class against the rest, and give the areas over all classes."""
    if predictions.weighted:
        message = f"These rows carry weights, and {WHY}. Leave the column of weights out."
        raise NotComparable(message, code="weighted")
    systems, classes = [], []
    plain = replace(asked, average=())
    for system in predictions.holding("vector"):
        tables = tally_class_scores(predictions, system)
        systems += [_system(system.name, table, plain) for table in tables.values()]
        classes.append(ClassAreas(system=system.name, areas=_areas(predictions, system, tables)))
    return RocCurves(
        positive=None,
        systems=tuple(systems),
        classes=tuple(classes),
        generated=asked.generation.words,
        level=asked.level,
        provenance=provenance_of(predictions, _settings(asked), seed=asked.seed),
        caveats=(*predictions.caveats, *ignored_clusters(predictions)),
    )


def _areas(
    predictions: Predictions, system: System, tables: Mapping[str, ScoreTable]
) -> tuple[Estimate, ...]:
    equal, _ = one_against_rest(tables)
    by_items, _ = one_against_rest(tables, weighing="prevalence")
    columns = predictions.table.arrays(
        f"SELECT truth, {', '.join(system.vector)} FROM {{t}} WHERE {system.column} IS NOT NULL"
    )
    vectors = np.column_stack([columns[name] for name in system.vector])
    return (
        hand_till(columns["truth"].astype(str), vectors, classes=predictions.classes),
        equal,
        by_items,
    )
