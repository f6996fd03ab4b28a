"""Do probabilities mean what they say?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Unpack

import numpy as np

from steelyard import measures, tally
from steelyard.counts import Grouped, JointScores, ScoreTable, VectorRule
from steelyard.errors import NotComparable, RequestError, check_share
from steelyard.journey.arguments import refuse_excess
from steelyard.journey.evaluation.vectors import VectorSums, sum_vectors
from steelyard.journey.opening import RoleArguments, open_data, provenance_of
from steelyard.journey.option_types import CalibrationOptions, CalibrationSettings
from steelyard.journey.options import settle, takes
from steelyard.journey.scored import Scored, cluster_notes, may_hold_vectors, open_scored
from steelyard.measures import Binning, ProperRule
from steelyard.results import (
    Calibration,
    CalibrationGroup,
    ClassCalibration,
    Estimate,
    ScoreDifference,
    SystemScores,
)
from steelyard.sources import Predictions, System

__all__ = ["calibration"]

WHY = "forecasts are counted item by item"
NO_CURVES = (
    "the scores of vectors are weighted; calibration curves of single classes count every row "
    "once and are left out: unweighted=True (--unweighted) shows them"
)
UNWEIGHTED = "every row counts once, although the rows carry weights"
NO_PAIRS = (
    "the systems are not compared item by item: {rows:,} items beside each other are more than can "
    "be held"
)
MOST_OFF = 1e-4
"""Forecasts that are further off than this on average are not judged."""

RULES: tuple[ProperRule, ...] = ("brier", "log")
SCORE_RULES: tuple[VectorRule, ...] = ("spherical", "winner")
PROBABILITY_RULES: tuple[VectorRule, ...] = ("brier", "log")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The question: how the curve is binned, how classes weigh, the coverage."""

    bins: int
    binning: Binning
    class_weights: Mapping[str, float] | None
    level: float

    def settings(self) -> dict[str, object]:
        """List what was asked, for the record."""
        weights = self.class_weights
        return {
            "bins": self.bins,
            "binning": self.binning,
            "class_weights": weights
            and ",".join(f"{name}={weight:g}" for name, weight in weights.items()),
            "level": self.level,
        }


@refuse_excess
@takes("calibration")
def calibration(data: Any, **options: Unpack[CalibrationOptions]) -> Calibration:  # noqa: ANN401
    """Say whether the probabilities of each system mean what they say.

    For one class: calibration curve with intervals, expected calibration error with its bias,
    intercept and slope, Brier score with its parts, log score, and the difference of every two
    systems on common items. For vectors without a positive class: the spherical (MeasTex),
    winner-take-all, Brier and log scores over all classes, their differences, and the calibration
    of each class against the rest.

    Parameters
    ----------
    data
        Whatever :func:`steelyard.sources.open_predictions` takes, a ``ScoreTable``, a mapping of
        system names to such tables, or ``JointScores``. Scores are probabilities in [0, 1].
    bins, binning
        How many bins at most, of about as many items (``quantile``) or of equal ``width``.
    class_weights
        For vectors: one weight for each class, adding up to 1; by its items unless told.
    unweighted
        Count every row once, although the rows carry weights.
    level
        Coverage of the intervals.
    **roles
        What the columns mean; see :class:`steelyard.journey.opening.RoleArguments`.

    Returns
    -------
    Calibration
        Scores, slope, intercept and calibration error of each system, and the difference of every
        pair of systems.

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
    >>> table = sy.ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1], positive="rain")
    >>> round(sy.calibration(table, bins=2).classes[0].brier.value, 4)
    0.18
    """
    own: CalibrationSettings
    roles: RoleArguments
    own, roles = settle("calibration", options)
    bins, binning, level = own["bins"], own["binning"], own["level"]
    class_weights, unweighted = own["class_weights"], own["unweighted"]
    check_share("level", level)
    asked = Asked(bins=bins, binning=binning, class_weights=class_weights, level=level)
    if roles.get("positive") is None and may_hold_vectors(data):
        predictions = open_data(data, roles)
        if predictions.positive is None and predictions.holding("vector"):
            return _of_vectors(predictions, asked, unweighted=unweighted)
        data, roles = predictions, {}
    if class_weights is not None:
        message = "class_weights= weighs the classes of vectors; here one class is looked at."
        raise RequestError(message)
    scored = open_scored(data, roles, why=WHY, verb="calibration", unweighted=unweighted)
    kept = _coarse_notes(scored.tables)
    clusters = {name: scored.clusters(name) for name in scored.tables}
    joint, refused = _joint(scored)
    return Calibration(
        positive=scored.positive,
        bins=bins,
        binning=binning,
        classes=tuple(
            _class(name, table, asked, clusters[name]) for name, table in scored.tables.items()
        ),
        vectors=(),
        pairs=_pairs(joint, level, clusters),
        level=level,
        provenance=scored.record(asked.settings()),
        caveats=(*scored.caveats, *kept, *refused, *cluster_notes(next(iter(clusters.values())))),
    )


def _coarse_notes(tables: Mapping[str, ScoreTable]) -> tuple[str, ...]:
    """Say how far off forecasts are that count as the next one below; refuse what would be seen."""
    found = []
    for name, table in tables.items():
        if table.pair_sums is None:
            continue
        gaps = np.diff(table.scores, append=table.scores[-1])
        off = float(gaps @ (table.positives + table.negatives - 1)) / table.total
        kept = (
            f"of {table.pair_sums.distinct:,} distinct forecasts {len(table.scores):,} are kept, "
            f"and the others count as the next one below, on average at most {off:.1g} away"
        )
        if off > MOST_OFF:
            message = (
                f"Calibration needs the forecasts of {name} themselves: {kept}. Round them to four "
                "digits before you hand them in, or judge a random part of the items: with so "
                "many, it tells as much."
            )
            raise NotComparable(message, code="too-many-scores")
        found.append(f"{name}: {kept}")
    return tuple(found)


def _class(
    name: str, table: ScoreTable, asked: Asked, clusters: Grouped[ScoreTable] | None = None
) -> ClassCalibration:
    options: dict[str, Any] = {"bins": asked.bins, "binning": asked.binning}
    parts = measures.brier_decomposition(table, **options)
    options |= {"level": asked.level, "clusters": clusters}
    error = measures.calibration_error(table, **options)
    fitted = (
        measures.recalibration(table, level=asked.level)
        if clusters is None
        else measures.clustered_recalibration(clusters, level=asked.level)
    )
    brier, log = (_proper(table, rule, asked.level, clusters) for rule in RULES)
    return ClassCalibration(
        system=name,
        of=table.positive,
        items=table.total,
        positives=table.positive_total,
        groups=tuple(
            CalibrationGroup(
                low=one.low, high=one.high, forecast=one.forecast, observed=one.observed
            )
            for one in measures.calibration_curve(table, **options)
        ),
        error=error.error,
        error_by_chance=error.if_calibrated,
        error_debiased=error.debiased,
        intercept=fitted.intercept,
        slope=fitted.slope,
        in_the_large=fitted.in_the_large,
        brier=brier,
        log=log,
        reliability=parts.reliability,
        resolution=parts.resolution,
        uncertainty=parts.uncertainty,
        within=parts.within,
    )


def _proper(
    table: ScoreTable, rule: ProperRule, level: float, clusters: Grouped[ScoreTable] | None
) -> Estimate:
    if clusters is None:
        return measures.proper_score(table, rule, level=level)
    return measures.clustered_proper_score(clusters, rule, level=level)


def _joint(scored: Scored) -> tuple[JointScores | None, tuple[str, ...]]:
    """Align the forecasts of several systems; where they do not fit, say so instead."""
    try:
        return scored.joint(), ()
    except NotComparable as error:
        if error.code != "memory":
            raise
        return None, (NO_PAIRS.format(rows=scored.predictions.rows if scored.predictions else 0),)


def _pairs(
    joint: JointScores | None, level: float, clusters: Mapping[str, Grouped[ScoreTable] | None]
) -> tuple[ScoreDifference, ...]:
    if joint is None:
        return ()

    def apart(rule: ProperRule, one: str, two: str) -> Estimate:
        plain = measures.proper_difference(joint, rule, one, two, level=level)
        first, second = clusters[one], clusters[two]
        if first is None or second is None:
            return plain
        return measures.clustered_proper_difference(plain, first, second, rule, level=level)

    return tuple(
        ScoreDifference(
            first=one,
            second=two,
            scores=tuple(apart(rule, one, two) for rule in RULES),
        )
        for one, two in combinations(joint.systems, 2)
    )


def _of_vectors(predictions: Predictions, asked: Asked, *, unweighted: bool) -> Calibration:
    systems = predictions.holding("vector")
    weighed = predictions.weighted and not unweighted
    every = all(system.probabilities for system in systems)
    rules = (*SCORE_RULES, *(PROBABILITY_RULES if every else ()))
    common = predictions.pairing == "common"
    sums = sum_vectors(predictions, systems, unweighted=unweighted) if common else None
    each = [sums or sum_vectors(predictions, [one], unweighted=unweighted) for one in systems]
    told = [measures.cluster_caveats(one.clusters, one.items) for one in each if one.clusters]
    caveats = (
        *(() if every else ("the vectors are scores, so Brier and log scores have no meaning",)),
        *((NO_CURVES,) if weighed else ()),
        *((UNWEIGHTED,) if predictions.weighted and unweighted else ()),
        *dict.fromkeys(note for notes in told for note in notes),
    )
    return Calibration(
        positive=None,
        bins=asked.bins,
        binning=asked.binning,
        classes=tuple(
            one
            for system in systems
            if system.probabilities and not weighed
            for one in _curves(predictions, system, asked)
        ),
        vectors=tuple(
            _scores(one, system.name, rules, asked)
            for one, system in zip(each, systems, strict=True)
        ),
        pairs=() if sums is None else _vector_pairs(sums, systems, rules, asked),
        level=asked.level,
        provenance=provenance_of(predictions, asked.settings()),
        caveats=(*caveats, *predictions.caveats),
    )


def _curves(predictions: Predictions, system: System, asked: Asked) -> Iterator[ClassCalibration]:
    """Judge the number that a vector gives each class, against the rest."""
    clusters: dict[str, Grouped[ScoreTable]] = {}
    if "cluster" in predictions.splits:
        clusters = tally.tally_class_scores_by(predictions, system, "cluster")
    for name, table in tally.each_class_scores(predictions, system):
        yield _class(system.name, table, asked, clusters.get(name))


def _scores(
    sums: VectorSums, system: str, rules: tuple[VectorRule, ...], asked: Asked
) -> SystemScores:
    options = {"class_weights": asked.class_weights, "level": asked.level}
    return SystemScores(
        system=system,
        scores=tuple(sums.score(rule, system, **options) for rule in rules),  # type: ignore[arg-type]
    )


def _vector_pairs(
    sums: VectorSums, systems: Sequence[System], rules: tuple[VectorRule, ...], asked: Asked
) -> tuple[ScoreDifference, ...]:
    options = {"class_weights": asked.class_weights, "level": asked.level}
    return tuple(
        ScoreDifference(
            first=one,
            second=two,
            scores=tuple(sums.difference(rule, (one, two), **options) for rule in rules),  # type: ignore[arg-type]
        )
        for one, two in combinations([system.name for system in systems], 2)
    )
