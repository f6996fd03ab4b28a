"""Absolute claims held against one-sided limits: of a measure, or of events over an exposure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, inf, log10
from typing import Any

from steelyard import planning, tally, uncertainty
from steelyard.counts import Confusion, Exposure, JointCalls, Outcomes, ScoreTable, Trials
from steelyard.errors import NotComparable, RequestError, listing, switch
from steelyard.journey.evaluation.evaluate import evaluate
from steelyard.journey.evaluation.exposures import (
    Watched,
    event_limits,
    false_alarm_exposures,
    table_exposure,
)
from steelyard.journey.evaluation.measures import (
    ask_with,
    from_accuracy,
    measure_table,
    say_right_alone,
)
from steelyard.journey.evaluation.question import EvaluationQuestion
from steelyard.journey.evaluation.unknown import shares_beside_unknown
from steelyard.journey.gates.advantages import UNCOUNTED, usual_measure
from steelyard.journey.gates.unseen_clusters import (
    UNSEEN_CLUSTER,
    reach_of_unseen,
    unseen_items,
)
from steelyard.measures.catalogue.asked import AskedMeasure, read_measures
from steelyard.measures.catalogue.listing import is_area
from steelyard.planning.tests.more_samples import more_for_claim
from steelyard.results.claims import AbsoluteClaim, check_limit, counts_false_alarms
from steelyard.results.estimates import Proportion
from steelyard.results.gate import ClaimCheck, GateOutcome
from steelyard.results.measured import Measured, items_of
from steelyard.sources import Predictions
from steelyard.uncertainty.special import ndtri

__all__ = ["ClaimLimits", "Counted", "check_claims"]

Counted = Outcomes | JointCalls | Confusion | ScoreTable | Trials | Exposure

EXACT = "clopper-pearson"
POWER = 0.8
"""Chance wanted that the items still needed settle the claim."""
MOST_SCORES = 20_000
"""Scores up to which one unseen item is tried."""
NO_INTERVAL = "it has no interval to check a claim against"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimLimits:
    """What was measured, with the limits that a pass and a failure are held against.

    ``share`` is, of a quantile, which one, and ``below`` how many items keep the claimed limit.
    ``whole`` counts all items of the system, of which the measure looks at ``total``.
    """

    measure: str
    of: str | None
    value: float | None
    low: float | None
    high: float | None
    method: str
    count: int | None = None
    total: int | None = None
    reason: str | None = None
    caveats: tuple[str, ...] = ()
    share: float | None = None
    below: int | None = None
    whole: int | None = None
    bounds: tuple[float | None, float | None] = (None, None)

    def with_more(
        self, needed: tuple[float | None, str | None]
    ) -> tuple[float | None, float | None, str | None]:
        """Give further items of all kinds, and those among them that the measure looks at."""
        among, reason = needed
        if among is None or not self.total or not self.whole or self.whole <= self.total:
            return among, None, reason
        return float(ceil(among * self.whole / self.total)), among, reason


def check_claims(
    data: Predictions | Counted,
    system: str,
    claims: Sequence[AbsoluteClaim],
    *,
    alpha: float,
    exposure: Watched | None = None,
    positive: str | None = None,
    unknown: str | None = None,
) -> tuple[ClaimCheck, ...]:
    """Hold each claim against the limits of its measure.

    All claims must hold, so that each may pass wrongly with ``alpha`` and the gate does so no more
    often; any one that fails closes it, so that each fails wrongly with ``alpha`` over their
    number.
    """
    wrong = (alpha, alpha / len(claims))
    if unknown is not None:
        return tuple(_check_answered(data, system, claim, wrong, unknown) for claim in claims)
    if isinstance(data, Predictions) and data.values is not None:
        return tuple(_check_value(data, system, claim, wrong) for claim in claims)
    return tuple(
        _check_events(data, system, claim, (exposure, positive), wrong)
        if claim.per is not None or isinstance(data, Exposure)
        else _check_measure(data, system, claim, positive, wrong)
        for claim in claims
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """One claim about a measure of one system, and the chances to judge it wrongly."""

    data: Predictions | Counted
    system: str
    claim: AbsoluteClaim
    measure: AskedMeasure
    positive: str | None
    wrong: tuple[float, float]

    def measure_at(self, level: float) -> Measured:
        """Measure with an interval of this level; exact where the measure is a plain share."""
        return self.measure_among(level)[0]

    def measure_among(self, level: float) -> tuple[Measured, int]:
        """Measure as :meth:`measure_at` does, and count all items of the system."""
        data, name = self.data, self.measure.measure.name
        right_alone = isinstance(data, Outcomes | Trials)
        if right_alone and not self.measure.measure.counts_right:
            message = (
                f"Only right and wrong are known, and {name} needs the classes. "
                f"{say_right_alone(self.measure.measure)}"
            )
            raise NotComparable(message, code="gate-classes")
        asked: dict[str, Any] = {"measure": self.claim.measure or usual_measure(data)}
        if isinstance(data, Predictions):
            data = replace(data, systems=(data.system(self.system),))
        elif self.positive is not None:
            asked["positive"] = self.positive
        clustered = isinstance(data, Predictions) and "cluster" in data.splits
        _refuse_weights(data)
        if not clustered:  # clusters have limits of their own, which no method of shares gives
            asked["method"] = EXACT
        if right_alone:
            del asked["measure"]
        if self.data is not data and isinstance(data, Predictions) and data.crossed:
            del asked["method"]
        found = evaluate(data, level=level, **asked)
        one = next((one for one in found.systems if one.system == self.system), found.systems[0])
        measured = one.accuracy if right_alone else one.further[0]
        assert measured is not None
        if right_alone:
            measured = from_accuracy(measured, self.measure.measure)
        return replace(measured, caveats=measured.caveats or one.caveats), one.items

    def guard(self, low: float, high: float, *, level: float) -> tuple[float, float]:
        """Draw limits out to those with one more item that counts against, or for, the claim.

        Slopes at what was seen are too sure of measures that depend on few items of a class: of 80
        items, a tenth of them positive, kappa on its limit would pass in 7.7 % instead of 5 %, and
        average precision with five positives in 9 %.
        """
        data = self.data
        if isinstance(data, Predictions):
            system = data.system(self.system)
            called = system.holds in ("called", "vector") or system.threshold is not None
            if (
                data.crossed
                or "cluster" in data.splits
                or self.measure.measure.counts != "Confusion"
                or not called
            ):
                return low, high
            table = tally.tally_confusion(data, system)
        elif isinstance(data, JointCalls):
            table = data.confusion(self.system)
        elif isinstance(data, Confusion):
            table = data
        else:
            return low, high
        if table.weights is not None:
            return low, high
        positive = data.positive if isinstance(data, Predictions) else self.positive
        given = ask_with(EvaluationQuestion(level=level, method=EXACT), positive)
        for truth, call in unseen_items(table, self.measure.of or positive):
            more = table + Confusion.from_cells({(truth, call): 1}, classes=table.classes)
            (found,) = measure_table(more, (self.measure,), given)
            if found.interval is not None:
                low, high = min(low, found.interval.low), max(high, found.interval.high)
        return low, high

    def guard_scores(self, low: float, high: float, *, level: float) -> tuple[float, float]:
        """Draw limits out to those with one more positive or negative, below or above all seen."""
        data = self.data
        if isinstance(data, Predictions):
            if data.crossed or "cluster" in data.splits or data.weighted:
                return low, high
            data = tally.tally_score_table(data, data.system(self.system))
        # Areas allow for an unseen item by themselves, and of many no single one tells.
        area = is_area(self.measure.measure)
        if not isinstance(data, ScoreTable) or area or data.total > MOST_SCORES:
            return low, high
        for score in (float(data.scores[0]), float(data.scores[-1])):
            for more_positives, more_negatives in ((1, 0), (0, 1)):
                unseen = ScoreTable.from_scores(
                    [score] * more_positives, [score] * more_negatives, positive=data.positive
                )
                more = replace(self, data=data + unseen).measure_at(level)
                if more.interval is not None:
                    low, high = min(low, more.interval.low), max(high, more.interval.high)
        return low, high

    def ends(self, chance: float) -> tuple[float, float] | None:
        """Measure, and give the limits."""
        return self.ends_of(self.measure_at(1 - chance), chance)

    def ends_of(self, found: Measured, chance: float) -> tuple[float, float] | None:
        """Give the limits of which each errs with this chance at most.

        A plain share has exact limits of each side alone; of all others coverage of both sides
        together is certified, and one side errs with what is left of it at most.
        """
        if found.interval is None:
            return None
        if isinstance(found, Proportion) and found.interval.method == EXACT:
            return uncertainty.clopper_pearson_interval(
                found.successes, found.trials, level=1 - 2 * chance
            )
        scored = self.measure.measure.counts == "ScoreTable"
        guard = self.guard_scores if scored else self.guard
        low, high = guard(found.interval.low, found.interval.high, level=1 - chance)
        data = self.data
        if isinstance(data, Predictions) and "cluster" in data.splits:
            # Naming clusters makes no claim easier than the same items taken singly.
            splits = tuple(role for role in data.splits if role != "cluster")
            alone = replace(self, data=replace(data, splits=splits))
            single = alone.ends(chance)
            if single is not None:
                low, high = min(low, single[0]), max(high, single[1])
            unseen = reach_of_unseen(data, data.system(self.system), self.measure, chance=chance)
            if unseen is not None:
                low, high = min(low, unseen[0]), max(high, unseen[1])
        return low, high

    def limits(self) -> ClaimLimits:
        """Find the limits that a pass and a failure are held against."""
        passing, failing = self.wrong
        first, whole = self.measure_among(1 - passing)
        ends = self.ends_of(first, passing)
        others = ends if failing == passing else self.ends(failing)
        low, high = _sides(self.claim, (ends, others)) if ends and others else (None, None)
        reason = NO_INTERVAL if low is None else None
        return ClaimLimits(
            measure=first.measure,
            of=first.of,
            value=first.value,
            low=low,
            high=high,
            method=first.interval.method if first.interval else "",
            count=first.successes if isinstance(first, Proportion) else None,
            total=items_of(first),
            whole=whole,
            bounds=self.measure.measure.bounds,
            reason=first.reason if first.value is None else reason,
            caveats=(*first.caveats, *(self.doubts() if low is not None else ())),
        )

    def doubts(self) -> tuple[str, ...]:
        """Say that limits allow for a cluster that was not seen."""
        data = self.data
        if not isinstance(data, Predictions) or "cluster" not in data.splits:
            return ()
        system, chance = data.system(self.system), self.wrong[0]
        unseen = reach_of_unseen(data, system, self.measure, chance=chance)
        return () if unseen is None else (UNSEEN_CLUSTER,)


def _refuse_weights(data: Predictions | Counted) -> None:
    if getattr(data, "weighted", False) or getattr(data, "weights", None) is not None:
        message = (
            "These rows carry weights, and limits of weighted rows are not known to hold on one "
            f"side alone. Leave the weights out ({switch('weight', '')}), or see what they give: "
            "steelyard evaluate."
        )
        raise NotComparable(message, code="gate-weights")


def _check_measure(
    data: Predictions | Counted,
    system: str,
    claim: AbsoluteClaim,
    positive: str | None,
    wrong: tuple[float, float],
) -> ClaimCheck:
    (measure,) = read_measures(claim.measure or usual_measure(data))
    check_limit(claim, measure.measure.name, measure.measure.bounds)
    limits = _Asked(
        data=data, system=system, claim=claim, measure=measure, positive=positive, wrong=wrong
    ).limits()
    outcome = _judge(claim, limits)
    if outcome == "undecided" and isinstance(data, Predictions) and "cluster" in data.splits:
        limits = replace(limits, reason=limits.reason or UNCOUNTED)
    return _make_open(claim, limits, outcome, wrong[0])


def _make_open(
    claim: AbsoluteClaim, limits: ClaimLimits, outcome: GateOutcome, alpha: float
) -> ClaimCheck:
    """Make the check, with the items still needed where it is undecided."""
    more, among, reason = None, None, limits.reason
    if outcome == "undecided" and reason is None:
        more, among, reason = limits.with_more(_more(claim, limits, alpha))
    return _make_check(claim, limits, outcome, alpha, more=more, more_of=among, reason=reason)


def _check_value(
    data: Predictions, system: str, claim: AbsoluteClaim, wrong: tuple[float, float]
) -> ClaimCheck:
    """Hold a claim against the mean, the ratio of sums, or a quantile of a number."""
    from steelyard.journey.values.gate import value_limits

    limits = value_limits(data, system, claim, wrong)
    outcome = _judge(claim, limits)
    more, reason = None, limits.reason
    if outcome == "undecided" and limits.share is not None and limits.below is not None:
        assert limits.total is not None
        more, reason = _more_items(
            replace(claim, side="at least", limit=limits.share)
            if claim.side == "at most"
            else replace(claim, side="at most", limit=limits.share),
            limits.below / limits.total,
            limits.total,
            wrong[0],
        )
    elif outcome == "undecided" and reason is None:
        more, reason = _more(claim, limits, wrong[0])
    return _make_check(claim, limits, outcome, wrong[0], more=more, reason=reason)


def _check_answered(
    data: Predictions | Counted,
    system: str,
    claim: AbsoluteClaim,
    wrong: tuple[float, float],
    unknown: str,
) -> ClaimCheck:
    """Hold a claim about how much is answered, or right, where one call is no answer."""
    if not isinstance(data, Predictions):
        message = "unknown= (--unknown) is about calls: give rows, not counts."
        raise NotComparable(message, code="unknown")
    shares = {
        name: (won, trials)
        for name, won, trials in shares_beside_unknown(data, data.system(system), unknown)
    }
    for whole, lost in (("accuracy", "error rate"), ("selective accuracy", "selective risk")):
        won, trials = shares[whole]
        shares[lost] = (trials - won, trials)
    name = (claim.measure or "accuracy").lower()
    name = {"risk": "selective risk", "errors": "error rate"}.get(name, name)
    if name not in shares or claim.per is not None:
        message = (
            f"{claim.text!r}: beside unknown= (--unknown) a claim is about {listing(list(shares))}."
        )
        raise RequestError(message, code="unknown")
    check_limit(claim, name, (0.0, 1.0))
    won, trials = shares[name]
    low, high = None, None
    if trials:
        low, high = _sides(
            claim,
            [uncertainty.clopper_pearson_interval(won, trials, level=1 - 2 * one) for one in wrong],
        )
    limits = ClaimLimits(
        measure=name,
        of=None,
        value=won / trials if trials else None,
        low=low,
        high=high,
        method=EXACT,
        count=won,
        total=trials,
        whole=shares["accuracy"][1],
        reason=None if trials else "nothing was answered",
        caveats=(),
    )
    return _make_open(claim, limits, _judge(claim, limits), wrong[0])


def _sides(claim: AbsoluteClaim, ends: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Take the limit of a pass from the first pair and that of a failure from the second."""
    (low, high), (least, most) = ends
    return (low, most) if claim.side == "at least" else (least, high)


def _judge(claim: AbsoluteClaim, limits: ClaimLimits) -> GateOutcome:
    low = -inf if limits.low is None else limits.low
    high = inf if limits.high is None else limits.high
    if claim.keeps(low, high):
        return "passes"
    return "fails" if claim.breaks(low, high) else "undecided"


def _more(
    claim: AbsoluteClaim, limits: ClaimLimits, alpha: float
) -> tuple[float | None, str | None]:
    """Count the items that would settle it with a chance of 80 %, if what was seen is true."""
    value, low, high = limits.value, limits.low, limits.high
    assert value is not None
    assert low is not None
    assert high is not None
    if limits.method == EXACT and limits.total:
        return _more_items(claim, value, limits.total, alpha)
    # An end of the range is no limit that shrinks with the root of the items.
    end, edge = (low, limits.bounds[0]) if value > claim.limit else (high, limits.bounds[1])
    if edge is not None and end == edge:
        return None, "these items leave nothing out on that side, so nothing can be reckoned"
    error = (high - low) / 2 / float(ndtri(1 - alpha / 2))
    needed = more_for_claim(abs(value - claim.limit), error, limits.total or 0, alpha=alpha / 2)
    return (None if needed.more is None else float(needed.more)), needed.reason


def _more_items(
    claim: AbsoluteClaim, value: float, items: int, alpha: float
) -> tuple[float | None, str | None]:
    """Count further items for a claim about a share that has exact limits."""
    least = claim.side == "at least"
    limit, seen = (1 - claim.limit, 1 - value) if least else (claim.limit, value)
    if seen > limit:  # then what would be shown is that the claim does not hold
        limit, seen = 1 - limit, 1 - seen
    if seen == limit:
        return None, "what was seen lies on the limit itself"
    plan = planning.acceptance_plan(limit, seen, alpha=alpha, beta=1 - POWER)
    if plan is None:
        return None, "it would take more than 1,000,000 items"
    return float(max(1, plan.trials - items)), None


def _make_check(
    claim: AbsoluteClaim,
    limits: ClaimLimits,
    outcome: GateOutcome,
    alpha: float,
    *,
    more: float | None,
    reason: str | None,
    more_of: float | None = None,
    unit: str | None = None,
) -> ClaimCheck:
    return ClaimCheck(
        claim=claim.text,
        measure=limits.measure,
        of=limits.of,
        side=claim.side,
        limit=claim.limit,
        value=limits.value,
        low=limits.low,
        high=limits.high,
        confidence=1 - alpha,
        method=limits.method,
        count=limits.count,
        total=limits.total,
        outcome=outcome,
        unit=unit,
        more=more,
        more_of=more_of,
        reason=reason,
        caveats=limits.caveats,
    )


def _check_events(
    data: Predictions | Counted,
    system: str,
    claim: AbsoluteClaim,
    watched: tuple[Watched | None, str | None],
    wrong: tuple[float, float],
) -> ClaimCheck:
    if not isinstance(data, Exposure) and not counts_false_alarms(claim):
        message = (
            f"{claim.text!r}: what calls have over an exposure are false alarms. Claim 'false "
            f"alarms {claim.side} {claim.limit:g} per {claim.per or 'hour'}'."
        )
        raise RequestError(message, code="claim")
    check_limit(claim, "a rate of events", (0.0, None))
    counted = _find_exposure(data, system, claim, *watched)
    unit = claim.per or counted.unit
    counted = counted.per(unit)
    # Garwood's limits are exact on each side; those over periods are certified for both together.
    found = [event_limits(counted, level=1 - 2 * one, periods_level=1 - one) for one in wrong]
    low, high = _sides(claim, [ends for ends, _, _ in found])
    _, method, doubts = found[0]
    rate = counted.events / counted.amount
    limits = ClaimLimits(
        measure=claim.measure or "events",
        of=None,
        value=rate,
        low=low,
        high=high,
        method=method,
        count=counted.events,
        caveats=doubts,
    )
    outcome = _judge(claim, limits)
    more, reason = None, None
    if outcome == "undecided":
        more, reason = _more_exposure(claim, counted, wrong[0])
    return replace(
        _make_check(claim, limits, outcome, wrong[0], more=more, reason=reason, unit=unit),
        exposure=counted.amount,
    )


def _find_exposure(
    data: Predictions | Counted,
    system: str,
    claim: AbsoluteClaim,
    exposure: Watched | None,
    positive: str | None,
) -> Exposure:
    if isinstance(data, Exposure):
        return data
    if isinstance(data, Confusion | JointCalls) and exposure is not None:
        table = data.confusion(system) if isinstance(data, JointCalls) else data
        return table_exposure(table, positive, exposure)
    if isinstance(data, Predictions) and exposure is not None:
        _, _, of = (claim.measure or "").partition(" of ")
        return false_alarm_exposures(data, (data.system(system),), exposure, of=of or None)[system]
    message = (
        f"{claim.text!r} needs the exposure: the column that holds it for each row, "
        f"{switch('exposure', 'COLUMN')}, or the amount of all rows, such as '12 h'."
    )
    raise RequestError(message, code="exposure")


def _more_exposure(
    claim: AbsoluteClaim, counted: Exposure, alpha: float
) -> tuple[float | None, str | None]:
    seen = counted.events / counted.amount
    if seen == claim.limit:
        return None, "what was seen lies on the limit itself"
    needed: float | None
    if seen > claim.limit:
        needed = planning.excess_exposure(claim.limit, seen, alpha=alpha, beta=1 - POWER)
    else:
        plan = planning.exposure_plan(claim.limit, seen, alpha=alpha, beta=1 - POWER)
        needed = None if plan is None else plan.exposure
    if needed is None or log10(needed / counted.amount) > 6:
        return None, "it would take more than can be watched"
    return max(needed - counted.amount, 0.01 * needed), None
