"""A share of the rows of a confusion table, weighted or not, with its interval."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from steelyard.counts import Binary, Confusion, WeightSums
from steelyard.errors import CountsError, RequestError, listing
from steelyard.measures.catalogue.listing import CATALOGUE
from steelyard.measures.catalogue.measure import Measure, say_reason
from steelyard.results.estimates import Caveat, Estimate, Interval, Proportion
from steelyard.results.measured import Measured
from steelyard.uncertainty import (
    PROPORTION_INTERVALS,
    normal_quantile,
    proportion_interval,
    weighted_share_interval,
)

__all__ = [
    "CLASS_SHARES",
    "NO_ITEMS",
    "Part",
    "RowShare",
    "check_class",
    "count_share",
    "declare_share",
    "effective_binary",
    "effective_cells",
    "effective_rows",
    "row_share",
    "row_sums",
    "say_effective",
    "weight_caveats",
]

Part = Callable[[str, str], bool]
"""Does the cell of this truth and this called class belong?"""

NO_ITEMS = say_reason("no-items")
NO_WEIGHT = say_reason("no-weight")
CELLS = {(True, True): "tp", (True, False): "fn", (False, True): "fp", (False, False): "tn"}
"""The cell of an item, by whether it is, and was called, of the class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowShare:
    """What a share is called and what it is out of."""

    measure: str
    won: Part
    among: Part
    nothing: str
    of: str | None = None


def declare_share(measure: Measure, of: str | None = None, *, name: str | None = None) -> RowShare:
    """Say which rows a declared share counts, and out of which.

    >>> from steelyard.measures.catalogue.listing import CATALOGUE
    >>> found = declare_share(CATALOGUE["recall"], "cat")
    >>> found.among("cat", "dog"), found.won("cat", "dog")
    (True, False)
    """
    assert measure.parts is not None
    won, lost = (frozenset(side) for side in measure.parts)
    (edge,) = measure.edges

    def cell(truth: str, called: str) -> str:
        if of is None:
            return "right" if truth == called else "wrong"
        return CELLS[truth == of, called == of]

    return RowShare(
        measure=name or measure.name,
        won=lambda truth, called: cell(truth, called) in won,
        among=lambda truth, called: cell(truth, called) in won | lost,
        nothing=say_reason(edge, of=of),
        of=of,
    )


CLASS_SHARES: dict[str, Callable[[str], RowShare]] = {
    measure.public.replace("_", "-"): partial(declare_share, measure)
    for measure in CATALOGUE.values()
    if measure.parts is not None and measure.of_class
}
"""Every plain share of one class, by name: what it counts, and out of what."""


def check_class(confusion: Confusion, of: str) -> None:
    """Refuse a class that the table does not have."""
    if of not in confusion.classes:
        message = f"No class {of!r} in this table. Classes: {listing(confusion.classes)}."
        raise CountsError(message, code="class-unknown")


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


def effective_cells(confusion: Confusion) -> dict[tuple[str, str], float]:
    """Give the rows of each cell; of weighted rows, shares of the effective number of all rows.

    >>> effective_cells(Confusion.from_matrix([[8, 2], [1, 9]]))["0", "1"]
    2.0
    """
    if confusion.weights is None:
        return {(truth, called): float(rows) for truth, called, rows in confusion.cells}
    sums = row_sums(confusion, _everything)
    if sums.scaled == 0:
        return {}
    unit = sums.effective / sums.scaled
    return {(truth, called): unit * w.scaled for truth, called, w in confusion.weights if w.scaled}


def effective_binary(confusion: Confusion, of: str) -> tuple[float, float, float, float]:
    """Fold effective cells to tp, fp, fn, tn of one class against the rest."""
    check_class(confusion, of)
    if confusion.weights is None:
        plain: Binary = confusion.against_rest(of)
        return float(plain.tp), float(plain.fp), float(plain.fn), float(plain.tn)
    folded = {(one, two): 0.0 for one in (True, False) for two in (True, False)}
    for (truth, called), rows in effective_cells(confusion).items():
        folded[truth == of, called == of] += rows
    return folded[True, True], folded[False, True], folded[True, False], folded[False, False]


def weight_caveats(confusion: Confusion, part: Part | None = None) -> tuple[str, ...]:
    """Say which number of rows the interval counts on, when rows are weighted."""
    if confusion.weights is None:
        return ()
    chosen = _everything if part is None else part
    effective = effective_rows(confusion, chosen)
    return (say_effective(effective, _rows(confusion, chosen)),)


def say_effective(effective: float, rows: int) -> Caveat:
    """Say on how many rows the interval of weighted ones counts; not of clusters, which count."""
    words = (
        f"rows are weighted: the interval uses Kish's effective number of rows, {effective:.1f}, "
        f"instead of {rows}"
    )
    return Caveat(words, code="effective-rows")


def row_share(
    confusion: Confusion,
    wanted: RowShare,
    *,
    level: float,
    method: str = "wilson",
    caveats: tuple[str, ...] = (),
) -> Measured:
    """Share of ``among`` that is also ``won``, with its interval by a named method."""
    normal_quantile(level)  # refuses a level outside (0, 1), also where nothing is defined
    if method not in PROPORTION_INTERVALS:
        raise RequestError.for_choice("method", method, tuple(PROPORTION_INTERVALS))  # noqa: EM101
    trials = _rows(confusion, wanted.among)
    if confusion.weights is not None:
        if method != "wilson":
            message = f"method={method!r} needs whole counts, and these rows are weighted."
            message += " Leave the method out: Wilson's takes effective numbers."
            raise RequestError(message)
        return _share_of_weights(confusion, wanted, trials, level=level, caveats=caveats)
    successes = _rows(confusion, lambda t, c: wanted.among(t, c) and wanted.won(t, c))
    return count_share(wanted, successes, trials, level=level, method=method, caveats=caveats)


def count_share(
    wanted: RowShare,
    successes: int,
    trials: int,
    *,
    level: float,
    method: str = "wilson",
    caveats: tuple[str, ...] = (),
) -> Proportion:
    """Give a share whose two whole numbers are known already its words and its interval."""
    interval = None
    if trials:
        low, high = proportion_interval(successes, trials, level=level, method=method)
        interval = Interval(low=low, high=high, level=level, method=method)
    return Proportion(
        measure=wanted.measure,
        successes=successes,
        trials=trials,
        interval=interval,
        reason=None if trials else wanted.nothing,
        of=wanted.of,
        caveats=caveats,
    )


def _everything(truth: str, called: str) -> bool:
    return True


def _share_of_weights(
    confusion: Confusion,
    wanted: RowShare,
    trials: int,
    *,
    level: float,
    caveats: tuple[str, ...],
) -> Estimate:
    among = row_sums(confusion, wanted.among)
    if among.scaled == 0:
        return Estimate(
            measure=wanted.measure,
            value=None,
            reason=wanted.nothing if trials == 0 else NO_WEIGHT,
            of=wanted.of,
            items=trials,
            caveats=caveats,
        )
    won = row_sums(confusion, lambda t, c: wanted.among(t, c) and wanted.won(t, c))
    share = won.scaled / among.scaled
    low, high = weighted_share_interval(won, among, trials, level=level)
    return Estimate(
        measure=wanted.measure,
        value=share,
        interval=Interval(low=low, high=high, level=level, method="wilson-effective"),
        of=wanted.of,
        items=trials,
        caveats=(say_effective(among.effective, trials), *caveats),
    )


def _rows(confusion: Confusion, part: Part) -> int:
    return sum(rows for truth, called, rows in confusion.cells if part(truth, called))
