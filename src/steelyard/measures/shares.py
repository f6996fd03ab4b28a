"""A share of the rows of a confusion table, weighted or not, with its interval."""

from collections.abc import Callable
from dataclasses import dataclass

from steelyard.counts import Confusion, WeightSums
from steelyard.results.estimates import Estimate, Interval, Proportion
from steelyard.results.measured import Measured
from steelyard.uncertainty import normal_quantile, wilson_interval, wilson_interval_effective

__all__ = ["KISH_CAVEAT", "Part", "RowShare", "effective_rows", "row_share", "row_sums"]

Part = Callable[[str, str], bool]
"""Does the cell of this truth and this called class belong?"""

KISH_CAVEAT = (
    "rows are weighted: the interval uses Kish's effective number of rows, {effective:.1f}, in "
    "place of {rows}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowShare:
    """What a share is called and what it is out of."""

    measure: str
    won: Part
    among: Part
    nothing: str
    of: str | None = None


def row_sums(confusion: Confusion, part: Part) -> WeightSums:
    """Add up the weights of some cells; an empty sum when the table has no weights."""
    sums = WeightSums(0, 0)
    for truth, called, weights in confusion.weights or ():
        if part(truth, called):
            sums = sums.merged(weights)
    return sums


def effective_rows(confusion: Confusion, part: Part) -> float:
    """Kish's effective number of rows in some cells; their plain number without weights."""
    if confusion.weights is not None:
        return row_sums(confusion, part).effective
    return float(_rows(confusion, part))


def row_share(
    confusion: Confusion, wanted: RowShare, *, level: float, caveats: tuple[str, ...] = ()
) -> Measured:
    """Share of ``among`` that is also ``won``, with Wilson's interval."""
    normal_quantile(level)  # refuses a level outside (0, 1), also where nothing is defined
    trials = _rows(confusion, wanted.among)
    if confusion.weights is not None:
        return _weighted_share(confusion, wanted, trials, level=level, caveats=caveats)
    successes = _rows(confusion, lambda t, c: wanted.among(t, c) and wanted.won(t, c))
    interval = None
    if trials:
        low, high = wilson_interval(successes, trials, level=level)
        interval = Interval(low=low, high=high, level=level, method="wilson")
    return Proportion(
        measure=wanted.measure,
        successes=successes,
        trials=trials,
        interval=interval,
        reason=None if trials else wanted.nothing,
        of=wanted.of,
        caveats=caveats,
    )


def _weighted_share(
    confusion: Confusion,
    wanted: RowShare,
    trials: int,
    *,
    level: float,
    caveats: tuple[str, ...],
) -> Estimate:
    among = row_sums(confusion, wanted.among)
    if among.scaled == 0:
        reason = wanted.nothing if trials == 0 else "every row that counts here has weight 0"
        return Estimate(
            measure=wanted.measure,
            value=None,
            reason=reason,
            of=wanted.of,
            items=trials,
            caveats=caveats,
        )
    won = row_sums(confusion, lambda t, c: wanted.among(t, c) and wanted.won(t, c))
    share = won.scaled / among.scaled
    low, high = wilson_interval_effective(share, among.effective, level=level)
    return Estimate(
        measure=wanted.measure,
        value=share,
        interval=Interval(low=low, high=high, level=level, method="wilson-effective"),
        of=wanted.of,
        items=trials,
        caveats=(KISH_CAVEAT.format(effective=among.effective, rows=trials), *caveats),
    )


def _rows(confusion: Confusion, part: Part) -> int:
    return sum(rows for truth, called, rows in confusion.cells if part(truth, called))
