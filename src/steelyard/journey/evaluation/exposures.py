"""False alarms over an exposure: typed as an amount, or held by a column of the rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isfinite
from typing import TYPE_CHECKING, Any

from steelyard import tally, uncertainty
from steelyard.counts import Confusion, Exposure
from steelyard.counts.exposure import AMOUNT, read_amount, read_unit
from steelyard.errors import NotComparable, RequestError, check_share, listing, switch
from steelyard.journey.opening import RoleArguments, record_of_counts
from steelyard.results.estimates import Estimate, Interval
from steelyard.sources import Predictions, System

if TYPE_CHECKING:
    from steelyard.results.evaluation.exposure import EventRates, RateRatio

__all__ = [
    "FEW_PERIODS",
    "Watched",
    "event_limits",
    "event_rate",
    "event_rates",
    "false_alarm_exposures",
    "split_exposure",
    "table_exposure",
]

FEW_PERIODS = (
    "{periods} periods do not show well how events come: kinds that make up to {unseen:.1%} of all "
    "periods may not be among them, and where events come in bursts, limits of fewer than 40 "
    "periods hold in about 9 cases of 10 instead of 19 of 20"
)
SINGLY = (
    "false alarms are taken to come singly and independently; where they come in bursts, name what "
    "holds them together (--cluster COLUMN) and the exposure of each row (--exposure COLUMN)"
)
IN_BURSTS = (
    "events come in bursts: their numbers vary {times:.1f} times as much as single events would; "
    "the more uneven the bursts, the more periods it takes for the limits to hold"
)
ENOUGH_PERIODS = 40
BURSTS = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """An exposure as it was given: an amount, or a column, and the unit of both."""

    unit: str
    amount: float | None = None
    column: str | None = None


def split_exposure(
    given: Any,  # noqa: ANN401
    roles: RoleArguments,
) -> tuple[Watched | None, RoleArguments]:
    """Tell an amount from a column, which becomes a role; ``duration:min`` names its unit.

    >>> split_exposure("12h", {})[0]
    Watched(unit='hour', amount=12.0, column=None)
    >>> split_exposure("hours", {})[1]
    {'exposure': 'hours'}
    """
    if given is None:
        return None, roles
    text = str(given)
    if AMOUNT.fullmatch(text):
        amount, unit = read_amount(text)
        # Refuses what nothing could have happened in, before any row is read.
        Exposure(events=0, amount=amount, unit=unit)
        return Watched(unit=unit, amount=amount), roles
    column, _, unit = text.partition(":")
    told: Any = {**roles, "exposure": column}
    return Watched(unit=read_unit(unit or column), column=column), told


def false_alarm_exposures(
    predictions: Predictions,
    systems: Sequence[System],
    watched: Watched,
    *,
    of: str | None = None,
) -> dict[str, Exposure]:
    """Count the calls of the positive class where it was not, and the exposure behind them."""
    positive = of or predictions.positive
    if positive is None or positive not in predictions.classes:
        classes = listing(predictions.classes) or "none"
        message = (
            "False alarms are calls of one class where it was not. Which one? Classes: "
            f"{classes}. Name it: {switch('positive', 'CLASS')}."
        )
        raise RequestError(message, code="exposure")
    found = {}
    for system in systems:
        if system not in predictions.with_answers() or system.holds == "outcome":
            message = (
                f"{system.name} calls no class, so that it gives no false alarms. Scores call with "
                f"a threshold: {switch('threshold', '0.5')}."
            )
            raise NotComparable(message, code="no-calls")
        found[system.name] = _count_exposure(predictions, system, watched, positive)
    return found


def table_exposure(table: Confusion | None, positive: str | None, watched: Watched) -> Exposure:
    """Count the false alarms of a table over an amount."""
    if table is None or positive is None or watched.amount is None:
        message = (
            "False alarms over an exposure need a table of calls, its positive class and an "
            "amount: positive='ship', exposure='12 h' (--positive ship --exposure 12h)."
        )
        raise RequestError(message, code="exposure")
    events = _false_alarms(table, positive)
    return Exposure(events=events, amount=watched.amount, unit=watched.unit)


def _count_exposure(
    predictions: Predictions, system: System, watched: Watched, positive: str
) -> Exposure:
    if predictions.crossed:
        message = "False alarms over an exposure take one column of clusters, as periods. Name one."
        raise NotComparable(message, code="crossed")
    if watched.column is None:
        assert watched.amount is not None
        events = _false_alarms(tally.tally_confusion(predictions, system), positive)
        return Exposure(events=events, amount=watched.amount, unit=watched.unit)
    if "exposure" not in predictions.table.columns:
        message = (
            f"These rows were opened without {watched.column!r}, which holds the exposure. Give "
            "the file or the table itself."
        )
        raise RequestError(message, code="exposure")
    clustered = "cluster" in predictions.splits
    part = predictions.split_column("cluster") if clustered else "''"
    rows = predictions.table.query(
        f"SELECT {part} AS part, SUM(exposure) AS amount FROM {{t}} "
        f"WHERE {system.column} IS NOT NULL GROUP BY {part}"
    )
    amounts = {str(name): float(amount) for name, amount in rows}
    if not clustered:
        events = _false_alarms(tally.tally_confusion(predictions, system), positive)
        return Exposure(events=events, amount=sum(amounts.values()), unit=watched.unit)
    counted = {
        str(name): _false_alarms(table, positive)
        for name, table in tally.tally_confusion_by(predictions, system, "cluster")
    }
    periods = tuple((counted.get(name, 0), amount) for name, amount in sorted(amounts.items()))
    return Exposure(
        events=sum(events for events, _ in periods),
        amount=sum(amount for _, amount in periods),
        unit=watched.unit,
        periods=tuple(period for period in periods if period[1] > 0),
    )


def _false_alarms(table: Confusion, positive: str) -> int:
    if table.weights is not None:
        message = "False alarms over an exposure are whole events; leave the weights out."
        raise NotComparable(message, code="weighted")
    return sum(
        rows for truth, called, rows in table.cells if called == positive and truth != positive
    )


def event_limits(
    counted: Exposure, *, level: float, periods_level: float | None = None
) -> tuple[tuple[float, float], str, tuple[str, ...]]:
    """Limits of a rate of events, how they were found, and what to doubt."""
    low, high = uncertainty.exposure_interval(counted.events, counted.amount, level=level)
    if len(counted.periods) < 2:
        return (low, high), "garwood", (SINGLY,)
    events, amounts = zip(*counted.periods, strict=True)
    least, most = uncertainty.periods_interval(events, amounts, level=periods_level or level)
    number = len(counted.periods)
    doubts: tuple[str, ...] = ()
    if number < ENOUGH_PERIODS:
        doubts = (FEW_PERIODS.format(periods=number, unseen=1 - 0.05 ** (1 / number)),)
    rate = counted.events / counted.amount
    spread = sum((x - rate * time) ** 2 for x, time in counted.periods) * number / (number - 1)
    if counted.events and spread > BURSTS * counted.events:
        doubts = (*doubts, IN_BURSTS.format(times=spread / counted.events))
    return (min(low, least), max(high, most)), "periods", doubts


def event_rates(counted: Mapping[str, Exposure], *, level: float) -> "EventRates":
    """Measure the rates of several systems, and the ratio of every two."""
    from steelyard.results.evaluation.exposure import EventRates, SystemEvents

    check_share("level", level)
    first = next(iter(counted.values()))
    same = {name: one.per(first.unit) for name, one in counted.items()}
    systems = tuple(
        SystemEvents(
            system=name,
            events=one.events,
            exposure=one.amount,
            rate=event_rate(one, level=level, measure="events"),
        )
        for name, one in same.items()
    )
    return EventRates(
        unit=first.unit,
        systems=systems,
        ratios=tuple(_ratio(same, *pair, level=level) for pair in combinations(same, 2)),
        level=level,
        provenance=record_of_counts({"level": level}),
        caveats=tuple(dict.fromkeys(doubt for one in systems for doubt in one.rate.caveats)),
    )


def _ratio(
    counted: Mapping[str, Exposure], first: str, second: str, *, level: float
) -> "RateRatio":
    from steelyard.results.evaluation.exposure import RateRatio

    found, method = _weigh_ratio(counted[first], counted[second], level)
    return RateRatio(
        first=first,
        second=second,
        value=found.ratio if found.ratio is not None and isfinite(found.ratio) else None,
        low=found.low,
        high=found.high if isfinite(found.high) else None,
        p=found.p,
        level=level,
        method=method,
    )


def _weigh_ratio(
    one: Exposure, two: Exposure, level: float
) -> "tuple[uncertainty.ExposureRatio, str]":
    """Weigh two rates by their periods where both have some, else by single events."""
    if min(len(one.periods), len(two.periods)) > 1:
        first, second = (
            ([events for events, _ in each.periods], [amount for _, amount in each.periods])
            for each in (one, two)
        )
        return uncertainty.periods_ratio(first, second, level=level), "periods"
    sides = [(each.events, each.amount) for each in (one, two)]
    return uncertainty.exposure_ratio(*sides, level=level), "conditional binomial"


def event_rate(counted: Exposure, *, level: float, measure: str = "false alarms") -> Estimate:
    """Measure a rate of events with its interval."""
    (low, high), method, doubts = event_limits(counted, level=level)
    return Estimate(
        measure=f"{measure} per {counted.unit}",
        value=counted.events / counted.amount,
        interval=Interval(low=low, high=high, level=level, method=method),
        items=None,
        caveats=doubts,
    )
