"""The rates, areas and counts that a plan starts from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from steelyard import measures, tally, uncertainty
from steelyard.counts import JointCalls, JointScores, Outcomes, PlacementSums, Trials
from steelyard.errors import NotComparable, RequestError, switch
from steelyard.journey.arguments import refuse_columns
from steelyard.journey.declared_roles import settle_roles
from steelyard.journey.opening import RoleArguments, open_data, provenance_of, record_of_counts
from steelyard.journey.plans.request import PilotAreas
from steelyard.planning.rates import check_rates
from steelyard.results import Provenance
from steelyard.sources import Predictions
from steelyard.uncertainty import AreaSpreads

__all__ = ["Areas", "Rates", "Supposed", "count", "suppose_rates"]

Rates = Mapping[str, float] | Sequence[float]
Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Areas:
    """Areas under ROC curves of scored systems, with DeLong's covariance after these items."""

    systems: tuple[str, ...]
    areas: Floats
    covariance: Floats
    spreads: AreaSpreads
    tested: int
    positives: float
    common: bool

    def between(self, first: int, second: int) -> PilotAreas:
        """Give the difference of two areas and its variance."""
        s = self.covariance
        return PilotAreas(
            difference=float(self.areas[first] - self.areas[second]),
            variance=float(s[first, first] + s[second, second] - 2 * s[first, second]),
            tested=self.tested,
        )


Counts = Outcomes | Trials | Areas


@dataclass(frozen=True, slots=True, kw_only=True)
class Supposed:
    """Names, rates and the counts they came from, if from any."""

    names: tuple[str, ...]
    rates: tuple[float, ...]
    counts: Counts | None
    record: Provenance
    caveats: tuple[str, ...] = ()

    @property
    def outcomes(self) -> Outcomes | None:
        """The patterns of a pilot on common items."""
        return self.counts if isinstance(self.counts, Outcomes) else None

    @property
    def common(self) -> bool:
        """Whether the counts are of common items."""
        return isinstance(self.counts, Outcomes) or (
            isinstance(self.counts, Areas) and self.counts.common
        )


def suppose_rates(
    rates: Rates | None,
    pilot: Any,  # noqa: ANN401
    roles: RoleArguments,
    settings: Mapping[str, object],
    *,
    seed: int,
    among: int | None,
    areas: bool,
) -> Supposed:
    """Take rates as they are given, or from a pilot; a selection may name only how many."""
    given = [one is not None for one in (rates, pilot, among)]
    if sum(given) != 1:
        message = (
            "A plan starts from rates assumed for the systems, such as "
            "rates=[0.90, 0.88] (--rates 0.90,0.88), or from a pilot; give one of them."
        )
        raise RequestError(message)
    if pilot is not None:
        return _pilot(pilot, roles, settings, seed=seed, areas=areas)
    refuse_columns(roles, "Rates")
    record = record_of_counts(settings, seed=seed)
    if among is not None:
        if among < 2:
            message = f"among={among!r}; a selection is made among 2 or more (--among 2)."
            raise RequestError(message)
        names = tuple(name for name, _ in _letter([0.5] * among))
        return Supposed(names=names, rates=(), counts=None, record=record)
    assert rates is not None
    named = dict(rates) if isinstance(rates, Mapping) else dict(_letter(rates))
    known = check_rates(tuple(named.values()), least=1)
    return Supposed(names=tuple(named), rates=known, counts=None, record=record)


def _pilot(
    pilot: Any,  # noqa: ANN401
    roles: RoleArguments,
    settings: Mapping[str, object],
    *,
    seed: int,
    areas: bool,
) -> Supposed:
    counts, record, said = count(pilot, roles, settings, seed, areas=areas)
    if isinstance(counts, Areas):
        shares = [float(area) for area in counts.areas]
    else:
        if isinstance(counts, Trials):
            tested, right = counts.tested, counts.correct
        else:
            tested, right = (counts.total,) * len(counts.systems), counts.correct()
        shares = [x / n for x, n in zip(right, tested, strict=True)]
    known = check_rates(shares, least=1)
    return Supposed(names=counts.systems, rates=known, counts=counts, record=record, caveats=said)


def _letter(rates: Sequence[float]) -> list[tuple[str, float]]:
    """Name systems A, B, C, ... (or by number when there are many)."""
    if len(rates) <= 26:
        return [(chr(ord("A") + place), rate) for place, rate in enumerate(rates)]
    return [(str(place + 1), rate) for place, rate in enumerate(rates)]


def count(
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    settings: Mapping[str, object],
    seed: int,
    *,
    areas: bool,
) -> tuple[Counts, Provenance, tuple[str, ...]]:
    """Count right answers, together where the items are common; or find areas from scores.

    Also give the record, and the words for columns that a plan does not look at.
    """
    if isinstance(data, JointCalls):
        data = data.outcomes()
    if isinstance(data, Outcomes | Trials | JointScores):
        refuse_columns(roles, "Counts")
        record = record_of_counts(settings, seed=seed)
        return (_joint(data) if isinstance(data, JointScores) else _usable(data)), record, ()
    predictions = open_data(data, roles)
    if predictions.values is not None:
        message = (
            "A number for each item is planned by a question of its own: question='value' "
            "(steelyard plan value --pilot FILE, with the same columns)."
        )
        raise NotComparable(message, code="plan-value")
    said = settle_roles("plan", predictions)
    record = provenance_of(predictions, settings, seed=seed)
    answering = len(predictions.with_answers())
    if areas or not answering:
        return _areas(predictions), record, said
    if answering < len(predictions.systems):
        message = (
            "A plan counts right and wrong answers, and some systems give scores only. "
            f"{switch('threshold', '0.5')} turns scores into calls."
        )
        raise NotComparable(message, code="mixed-holdings")
    if predictions.pairing == "independent":
        return _usable(tally.tally_trials(predictions)), record, said
    return _usable(tally.tally_outcomes(predictions)), record, said


def _areas(predictions: Predictions) -> Areas:
    scored = predictions.holding("score")
    if len(scored) < len(predictions.systems):
        message = (
            "Areas under ROC curves need scores, and some systems give none. Name the scored ones: "
            f"{switch('systems', 'NAME')}."
        )
        raise NotComparable(message, code="mixed-holdings")
    if predictions.pairing != "independent":
        return _joint(tally.tally_joint_areas(predictions))
    tables = [tally.tally_score_table(predictions, system) for system in scored]
    found = [measures.auc(table).value for table in tables]
    return Areas(
        systems=tuple(system.name for system in scored),
        areas=np.array(found, dtype=np.float64),
        covariance=np.diag([uncertainty.delong_variance(table) for table in tables]),
        spreads=uncertainty.own_area_spreads(tables),
        tested=min(table.total for table in tables),
        positives=tables[0].positive_total / tables[0].total,
        common=False,
    )


def _joint(joint: JointScores | PlacementSums) -> Areas:
    areas, covariance = uncertainty.delong_covariance(joint)
    table = joint.score_table(joint.systems[0])
    return Areas(
        systems=joint.systems,
        areas=areas,
        covariance=covariance,
        spreads=uncertainty.joint_area_spreads(joint),
        tested=joint.total,
        positives=table.positive_total / table.total,
        common=True,
    )


def _usable(counts: Outcomes | Trials) -> Outcomes | Trials:
    if isinstance(counts, Outcomes) and counts.weights is not None:
        message = "These outcomes carry weights, and a plan counts whole items. Leave them out."
        raise NotComparable(message, code="weighted")
    if isinstance(counts, Trials) and counts.pairing == "common":
        message = (
            "The totals of a common test set do not say who was right together. Give the outcome "
            "of every item, or rates and a discordance."
        )
        raise NotComparable(message)
    empty = counts.total == 0 if isinstance(counts, Outcomes) else 0 in counts.tested
    if empty:
        message = "There are no items to take rates from."
        raise NotComparable(message, code="no-items")
    return counts
