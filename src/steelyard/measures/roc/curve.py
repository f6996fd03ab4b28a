"""One curve, made once, that answers every question about thresholds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isnan
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import ScoreTable
from steelyard.errors import CountsError, NotComparable, RequestError
from steelyard.measures.rounding import Number, exact_share, whole_number, whole_part
from steelyard.measures.tables.at_thresholds import Costs, exact_value, values

__all__ = ["OperatingPoint", "RocCurve", "one_class"]

USUAL = ("recall", "false_alarm_rate", "precision", "accuracy", "kappa")
MOST_PAIRS = 2**62
"""Below this many pairs twice their number still fits an int64."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatingPoint:
    """The four counts when everything from ``threshold`` up is called positive.

    ``measures`` holds what was asked for; None where it is undefined.
    """

    threshold: float
    tp: int
    fp: int
    fn: int
    tn: int
    measures: tuple[tuple[str, float | None], ...] = ()

    def __getattr__(self, name: str) -> float | None:
        """Give a measure that was asked for by its name."""
        if not name.startswith("_"):
            for known, value in self.measures:
                if known == name:
                    return value
        raise AttributeError(name)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RocCurve:
    """Operating points from calling nothing positive to calling everything so.

    An item is called positive when its score is at least the threshold. ``false_alarms`` and
    ``detections`` count negatives and positives called so; as thresholds fall from +inf (read as
    above every score) to -inf, neither can fall, and that is checked. ``complete`` says that
    every distinct score is a threshold: choose thresholds on such a curve only.

    Examples
    --------
    >>> curve = RocCurve.of(ScoreTable.from_scores([0.9, 0.4], [0.4, 0.1]))
    >>> curve.thresholds.tolist()
    [inf, 0.9, 0.4, 0.1, -inf]
    >>> curve.false_alarms.tolist(), curve.detections.tolist()
    ([0, 0, 1, 2, 2], [0, 1, 2, 2, 2])
    """

    positive: str
    positive_total: int
    negative_total: int
    thresholds: NDArray[np.float64]
    false_alarms: NDArray[np.int64]
    detections: NDArray[np.int64]
    complete: bool = True

    def __post_init__(self) -> None:
        steps = [np.diff(one) for one in (self.false_alarms, self.detections)]
        falling = self.thresholds[1:] > self.thresholds[:-1]
        if falling.any() or any((step < 0).any() for step in steps):
            message = (
                "As the threshold falls, neither detections nor false alarms may fall; here they "
                "do. Build the curve with RocCurve.of(table)."
            )
            raise CountsError(message, code="curve-not-monotone")
        for column in (self.thresholds, self.false_alarms, self.detections):
            column.setflags(write=False)

    @classmethod
    def of(cls, table: ScoreTable) -> Self:
        """Make the full curve: every distinct score is a threshold, no point is thinned out.

        Only a thinned table, of more scores than can be held, gives a curve of fewer points.

        Rows count once each, whatever their weights. One class alone is refused.

        References
        ----------
        .. [1] Fawcett (2006), Pattern Recognition Letters 27, 861-874,
           doi:10.1016/j.patrec.2005.10.010.
        """
        reason = one_class(table)
        if reason:
            message = f"A ROC curve needs both classes: {reason}."
            raise NotComparable(message, code="one-class")
        return cls(
            positive=table.positive,
            positive_total=table.positive_total,
            negative_total=table.negative_total,
            thresholds=np.concatenate([[np.inf], table.scores[::-1], [-np.inf]]),
            false_alarms=_running(table.negatives),
            detections=_running(table.positives),
            complete=not table.thinned,
        )

    @property
    def false_alarm_rates(self) -> NDArray[np.float64]:
        """False alarms as a share of all negatives, P_FA."""
        rates: NDArray[np.float64] = self.false_alarms / self.negative_total
        return rates

    @property
    def detection_rates(self) -> NDArray[np.float64]:
        """Detections as a share of all positives, P_D."""
        rates: NDArray[np.float64] = self.detections / self.positive_total
        return rates

    def area(self) -> Fraction:
        """Area under the straight lines between the points, exactly; 1/2 is chance.

        On a complete curve it is the AUC; a thinned one has lost some of it, or won some.

        Examples
        --------
        >>> RocCurve.of(ScoreTable.from_scores([0.9, 0.2], [0.2, 0.1])).area()
        Fraction(7, 8)
        """
        widths = np.diff(self.false_alarms)
        heights = self.detections[1:] + self.detections[:-1]
        pairs = self.positive_total * self.negative_total
        if 2 * pairs < MOST_PAIRS:
            return Fraction(int(np.dot(widths, heights)), 2 * pairs)
        twice = sum(w * h for w, h in zip(widths.tolist(), heights.tolist(), strict=True))
        return Fraction(twice, 2 * pairs)

    def measure(
        self, name: str, *, costs: Costs | None = None
    ) -> "np.ma.MaskedArray[Any, np.dtype[np.float64]]":
        """Compute a measure at every threshold at once; masked where it is undefined.

        Examples
        --------
        >>> curve = RocCurve.of(ScoreTable.from_scores([0.9, 0.4], [0.4, 0.1]))
        >>> curve.measure("precision").tolist()
        [None, 1.0, 0.6666666666666666, 0.5, 0.5]
        """
        tp, fp = self.detections, self.false_alarms
        return values(name, tp, fp, self.positive_total - tp, self.negative_total - fp, costs=costs)

    def at(
        self,
        *,
        threshold: float | None = None,
        false_alarm_rate: Number | None = None,
        detection_rate: Number | None = None,
        precision: Number | None = None,
        flagged: int | None = None,
        measures: Sequence[str] = USUAL,
        costs: Costs | None = None,
    ) -> OperatingPoint:
        """Find the operating point of one given number, and what it measures there.

        ``threshold``: everything from it up is called. ``false_alarm_rate``: the most detections
        with at most this P_FA (the top of the step). ``detection_rate``: the fewest false alarms
        with at least this P_D. ``precision``: the most detections with at least this precision.
        ``flagged``: the most items called, but not more than so many. Shares are compared as
        typed, in whole numbers; nothing is interpolated.

        Examples
        --------
        >>> curve = RocCurve.of(ScoreTable.from_scores([0.9, 0.4], [0.4, 0.1]))
        >>> point = curve.at(detection_rate=0.9, measures=["fpr", "kappa"])
        >>> point.threshold, point.tp, point.fpr, point.kappa
        (0.4, 2, 0.5, 0.5)
        """
        given = {
            "threshold": threshold,
            "false_alarm_rate": false_alarm_rate,
            "detection_rate": detection_rate,
            "precision": precision,
            "flagged": flagged,
        }
        asked = {name: value for name, value in given.items() if value is not None}
        if len(asked) != 1:
            message = (
                f"{len(asked)} of {', '.join(given)} were given; a point is found from exactly one."
            )
            raise RequestError(message)
        ((name, value),) = asked.items()
        found = self.point(LOOKUPS[name](self, value), measures=measures, costs=costs)
        return found if threshold is None else replace(found, threshold=float(threshold))

    def point(
        self, place: int, *, measures: Sequence[str] = USUAL, costs: Costs | None = None
    ) -> OperatingPoint:
        """Describe the point at a place of the arrays."""
        tp, fp = int(self.detections[place]), int(self.false_alarms[place])
        counts = (tp, fp, self.positive_total - tp, self.negative_total - fp)
        found = []
        for name in measures:
            exact = exact_value(name, counts, costs=costs)
            found.append((name, None if exact is None else float(exact)))
        return OperatingPoint(
            threshold=float(self.thresholds[place]),
            tp=tp,
            fp=fp,
            fn=counts[2],
            tn=counts[3],
            measures=tuple(found),
        )


def one_class(table: ScoreTable) -> str | None:
    """Say why a table with a single class, or none, has no curve.

    >>> one_class(ScoreTable.from_scores([1.0], [0.0])) is None
    True
    """
    if table.total == 0:
        return "the table holds no items"
    if table.positive_total == 0:
        return f"no item is truly {table.positive!r}, so there was nothing to detect"
    if table.negative_total == 0:
        return f"every item is truly {table.positive!r}, so there was nothing to tell it from"
    return None


def _running(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add up counts from the highest score down, between nothing and everything."""
    reached = np.cumsum(counts[::-1])
    return np.concatenate([[0], reached, reached[-1:]]).astype(np.int64)


def _by_threshold(curve: RocCurve, threshold: float) -> int:
    if isnan(threshold):
        message = "threshold=nan has no place among scores."
        raise RequestError(message)
    if threshold == np.inf and curve.thresholds[1] != np.inf:
        return 0
    # The last of the falling thresholds that is not below the one asked for.
    reached = int(np.searchsorted(-curve.thresholds, -threshold, side="right")) - 1
    return _first_alike(curve, reached)


def _by_false_alarms(curve: RocCurve, rate: Number) -> int:
    most = whole_part(exact_share(rate, "false_alarm_rate"), curve.negative_total, rounding="floor")
    return _first_alike(curve, int(np.searchsorted(curve.false_alarms, most, side="right")) - 1)


def _by_detections(curve: RocCurve, rate: Number) -> int:
    least = whole_part(exact_share(rate, "detection_rate"), curve.positive_total, rounding="ceil")
    return int(np.searchsorted(curve.detections, least, side="left"))


def _by_precision(curve: RocCurve, rate: Number) -> int:
    share = exact_share(rate, "precision")
    reached = curve.measure("precision").filled(-1.0)
    places = np.flatnonzero(reached >= float(share) - 1e-12)[::-1]
    for place in places.tolist():  # the first one or two decide; only rounding needs a second look
        tp, fp = int(curve.detections[place]), int(curve.false_alarms[place])
        if tp + fp and Fraction(tp, tp + fp) >= share:
            return _first_alike(curve, place)
    message = (
        f"precision={rate!r} is reached at no threshold; the highest is {reached.max():.4g}. "
        "Ask for less."
    )
    raise NotComparable(message, code="never-reached")


def _place_of_flagged(curve: RocCurve, most: int) -> int:
    most = whole_number(most, "flagged", least=0)
    called = curve.detections + curve.false_alarms
    return _first_alike(curve, int(np.searchsorted(called, most, side="right")) - 1)


def _first_alike(curve: RocCurve, place: int) -> int:
    """Step back to the highest threshold that makes the same calls (the last two may do so)."""
    called = curve.detections + curve.false_alarms
    return int(np.searchsorted(called, called[place], side="left"))


LOOKUPS: dict[str, Any] = {
    "threshold": _by_threshold,
    "false_alarm_rate": _by_false_alarms,
    "detection_rate": _by_detections,
    "precision": _by_precision,
    "flagged": _place_of_flagged,
}
"""How each given number finds its place on the curve."""
