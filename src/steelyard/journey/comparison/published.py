"""Published shares weighed: every verdict holds for each count that the rounding allows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, TypeAlias

from steelyard import comparison, measures, uncertainty
from steelyard.counts import Pairing, RoundedTrials, Trials
from steelyard.errors import (
    NotComparable,
    RequestError,
    RolesUnclear,
    counted,
    listing,
    printable,
)
from steelyard.journey.comparison.answers import MEASURE, span_overlaps
from steelyard.journey.comparison.question import (
    MOST_COMPARED,
    Question,
    Rate,
    Weighed,
    assemble,
    couples,
    priors_for,
)
from steelyard.journey.comparison.refusals import need_no_prior, need_two
from steelyard.results import ComparedPair, Comparison, Estimate, Interval
from steelyard.sources import InputFile
from steelyard.sources.files.databases import is_database

if TYPE_CHECKING:
    from steelyard.sources.leaderboards import Leaderboard

__all__ = ["compare_published", "count_published", "find_published"]

ONE_BENCHMARK = (
    "systems of one table with one number of items are assumed to be tested on the same items; "
    "--pairing independent if each had items of its own"
)
COLUMN_ROLES = frozenset({"truth", "item", "system", "called", "score", "outcome"})
HIGHEST = 5
"""So many of a long table are proposed."""
FEW = 36
"""Up to so many pairs of counts are all tried; of more, those at the edge, which are the ends."""

Counts: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bounds:
    """What a pair may show over all counts (and overlaps) that fit what was published."""

    p_least: float
    p_largest: float
    better_low: float
    better_high: float
    low: float
    high: float


def compare_published(rounded: RoundedTrials, question: Question) -> Comparison:
    """Compare systems of which rounded shares are known."""
    need_two(rounded.systems)
    if question.margin is not None:
        message = (
            "These shares were rounded, and how near two systems are depends on counts that are "
            "not known. Leave margin= (--margin) out, or give the counts: --correct S=190,T=194."
        )
        raise NotComparable(message, code="rounded")
    common = rounded.pairing == "common"
    if common:
        need_no_prior(question, "common items")
    unknown = "counts and overlaps" if common else "counts"
    tests = "McNemar tests" if common else "tests of two rates"
    overlap = " and whoever was right together" if common else ""
    caveats = (
        f"the shares were rounded: {rounded.said()}; verdicts and intervals hold for every count "
        f"that fits{overlap}",
    )
    return assemble(
        question,
        _weigh_pairs(rounded, question),
        measure="accuracy",
        pairing=rounded.pairing,
        items=rounded.tested[0] if common else None,
        primary=f"{tests} at their largest over all {unknown} that fit, Shaffer-adjusted",
        caveats=caveats,
        rounded=True,
    )


def _weigh_pairs(rounded: RoundedTrials, question: Question) -> Weighed:
    r"""Weigh every pair by the counts that speak least for a difference.

    Shaffer's procedure never lowers an adjusted value when a raw one rises, so that a pair which
    is called different here is so with whatever counts are the true ones.
    """
    names, places = rounded.systems, couples(len(rounded.systems))
    common = rounded.pairing == "common"
    bound, method = (_bound_common, "tango") if common else (_bound_apart, "miettinen-nurminen")
    bounds = [bound(rounded, i, j, question) for i, j in places]
    largest = uncertainty.shaffer_static([one.p_largest for one in bounds], systems=len(names))
    least = uncertainty.shaffer_static([one.p_least for one in bounds], systems=len(names))
    rates = [_rate(rounded, place, question.level) for place in range(len(names))]
    low = [[0.5] * len(names) for _ in names]
    high = [[0.5] * len(names) for _ in names]
    pairs = []
    for (i, j), one, q, lowest in zip(places, bounds, largest, least, strict=True):
        low[i][j], high[i][j] = one.better_low, one.better_high
        low[j][i], high[j][i] = 1 - one.better_high, 1 - one.better_low
        verdict = question.verdict(q)
        pairs.append(
            ComparedPair(
                first=names[i],
                second=names[j],
                difference=_difference(
                    rates[i], rates[j], one, level=question.level, method=method
                ),
                p_value=one.p_largest,
                adjusted_p=q,
                better=min(max(0.5, one.better_low), one.better_high),  # what is nearest to 1/2
                verdict=verdict,
                overlaps=span_overlaps(one, lowest, q, question),
            )
        )
    ranges: Sequence[tuple[float, float]] = comparison.bound_best(low, high)
    if not common:
        ranges = _best_apart(rounded, question)
    best: list[float | None] = [None] * len(names)
    if len(pairs) == 1 and pairs[0].better is not None:
        best = [pairs[0].better, 1 - pairs[0].better]
    return Weighed(rates=rates, best=best, pairs=pairs, best_range=ranges)


def _rate(rounded: RoundedTrials, place: int, level: float) -> Rate:
    """Give the middle count, with the interval that covers those of all counts."""
    total = rounded.tested[place]
    shown = measures.counted_accuracy(rounded.middle[place], total, level=level)
    low, high = (
        measures.counted_accuracy(count[place], total, level=level).interval
        for count in (rounded.least, rounded.most)
    )
    if low is None or high is None or shown.interval is None:
        return rounded.systems[place], shown
    ends = replace(shown.interval, low=low.low, high=high.high)
    return rounded.systems[place], replace(shown, interval=ends)


def _difference(
    first: Rate, second: Rate, bounds: _Bounds, *, level: float, method: str
) -> Estimate:
    # Of each count by this method; the caveat says that the interval covers all of them.
    return Estimate(
        measure=MEASURE,
        value=(first[1].value or 0.0) - (second[1].value or 0.0),
        interval=Interval(low=bounds.low, high=bounds.high, level=level, method=method),
    )


def _list_counts(rounded: RoundedTrials, i: int, j: int) -> list[Counts]:
    """List the counts of a pair of independent samples at which its largest p-value may be.

    A test says less the nearer two shares are, so that they lie on the two edges next to equality.
    Exact tests are not quite monotone, for which reason few counts are all tried.
    """
    first = range(rounded.least[i], rounded.most[i] + 1)
    second = range(rounded.least[j], rounded.most[j] + 1)
    if len(first) * len(second) <= FEW:
        return [(x, y) for x in first for y in second]
    corners = [(x, y) for x in (first[0], first[-1]) for y in (second[0], second[-1])]
    above = first[0] * rounded.tested[j] > second[-1] * rounded.tested[i]
    below = first[-1] * rounded.tested[j] < second[0] * rounded.tested[i]
    if not above and not below:
        return corners
    x, y = (first[0], second[-1]) if above else (first[-1], second[0])
    return [*corners, *((x, one) for one in second), *((one, y) for one in first)]


def _may_be_equal(rounded: RoundedTrials, i: int, j: int) -> bool:
    m, n = rounded.tested[i], rounded.tested[j]
    return rounded.least[i] * n <= rounded.most[j] * m and rounded.least[j] * m <= (
        rounded.most[i] * n
    )


def _bound_common(rounded: RoundedTrials, i: int, j: int, question: Question) -> _Bounds:
    r"""Bound a pair on common items, over all counts and overlaps that fit.

    Both ends are at corners. One right answer more for the first raises the difference d by one and
    the largest number t of discordant items by one or lowers it by one. A walk of t + 1 fair steps
    that ends at d + 1 or above was at d or above one step before, so that
    :math:`P(W_{t+1} \ge d+1) \le P(W_t \ge d)`: no p-value is larger than where the counts are
    nearest, and P(better) moves the same way, since only one discordant count grows.
    """
    tested = rounded.tested[0]
    tried = [(rounded.least[i], rounded.most[j]), (rounded.most[i], rounded.least[j])]
    if _may_be_equal(rounded, i, j):
        same = max(rounded.least[i], rounded.least[j])
        tried = [*tried, (same, same)]
    found = [comparison.bound_overlaps(x, y, tested=tested) for x, y in dict.fromkeys(tried)]
    ends = [
        comparison.common_interval(one.apart, level=question.level, p_value=one.p_largest)
        for one in found
    ]
    return _Bounds(
        p_least=min(one.p_least for one in found),
        p_largest=max(one.p_largest for one in found),
        better_low=min(one.better_low for one in found),
        better_high=max(one.better_high for one in found),
        low=min(one.low for one in ends),
        high=max(one.high for one in ends),
    )


def _bound_apart(rounded: RoundedTrials, i: int, j: int, question: Question) -> _Bounds:
    m, n = rounded.tested[i], rounded.tested[j]
    corners = [
        (rounded.least[i], rounded.most[j]),
        (rounded.most[i], rounded.least[j]),
    ]
    tests = [comparison.independent_test((x, m), (y, n)).p_value for x, y in corners]
    largest = 1.0
    if not _may_be_equal(rounded, i, j):
        # The test's p-value never falls as Fisher's rises, so that the worst count is found by it.
        worst = max(
            _list_counts(rounded, i, j),
            key=lambda one: comparison.fisher_exact((one[0], m), (one[1], n)).p_value,
        )
        largest = max(*tests, comparison.independent_test((worst[0], m), (worst[1], n)).p_value)
    ends = [
        comparison.independent_interval((x, m), (y, n), level=question.level) for x, y in corners
    ]
    low, high = min(one.low for one in ends), max(one.high for one in ends)
    if largest > 1 - question.level:  # interval and test are on one side of 0
        low, high = min(low, 0.0), max(high, 0.0)
    priors = priors_for(question.prior, rounded.systems)
    names = (rounded.systems[i], rounded.systems[j])
    shares = [
        comparison.probability_better(
            comparison.beta_posteriors(
                Trials(systems=names, correct=one, tested=(m, n), pairing="independent"),
                priors={name: priors[name] for name in names if name in priors},
            )
        ).better[0][1]
        for one in corners
    ]
    return _Bounds(
        p_least=min(tests),
        p_largest=largest,
        better_low=min(shares),
        better_high=max(shares),
        low=low,
        high=high,
    )


def _best_apart(rounded: RoundedTrials, question: Question) -> Sequence[tuple[float, float]]:
    """Bound who is best: a posterior moves up with its own count and down with all others."""
    return tuple(zip(*_best_ends(rounded, question), strict=True))


def _best_ends(rounded: RoundedTrials, question: Question) -> Iterator[list[float]]:
    priors = priors_for(question.prior, rounded.systems)
    for own, others in ((rounded.least, rounded.most), (rounded.most, rounded.least)):
        shares = []
        for place in range(len(rounded.systems)):
            correct = [*others[:place], own[place], *others[place + 1 :]]
            trials = Trials(
                systems=rounded.systems,
                correct=correct,
                tested=rounded.tested,
                pairing="independent",
            )
            shares.append(
                comparison.probability_best(comparison.beta_posteriors(trials, priors=priors)).best[
                    place
                ]
            )
        yield shares


def find_published(data: object, *, column: str | None, roles: Mapping[str, Any]) -> "Leaderboard":
    """Read the table of published results that somebody says a file is."""
    from steelyard.sources.leaderboards import read_leaderboard

    board = None
    asked = {name for name, value in roles.items() if value is not None}
    if isinstance(data, str | Path) and not asked & COLUMN_ROLES and not is_database(data):
        board = read_leaderboard(Path(data), column=column, sheet=roles.get("table"))
    if board is not None:
        return board
    name = "tested" if column is None else "accuracy"
    message = (
        f"{name}= (--{name}) is about published shares, and these data are not a table of two or "
        "more names with shares up to 100 %. Leave it out; or type them: "
        "--accuracy S=87.3%,T=85.1% --tested 2000."
    )
    raise RequestError(message)


def count_published(
    board: "Leaderboard",
    *,
    tested: Mapping[str, int] | int | None,
    pairing: Pairing | None,
    systems: Sequence[str] | None = None,
) -> tuple[RoundedTrials, tuple[str, ...], InputFile]:
    """Give the counts that a table of published results allows, and what is to be said of it.

    ``systems`` are the rows that are meant, where not all of them are.
    """
    whole = len(board.shares) + len(board.correct)
    if systems:
        board = board.keep(systems)
    elif whole > MOST_COMPARED:
        raise _too_many(board, tested)
    items: Mapping[str, int] = board.tested
    names = [*board.shares, *board.correct]
    if tested is not None:
        items = tested if isinstance(tested, Mapping) else dict.fromkeys(names, tested)
    if {*items} != {*names}:
        raise _no_items(board)
    alike = len({*items.values()}) == 1
    said = (ONE_BENCHMARK,) if alike and pairing is None else ()
    if len(names) < whole:
        said = (
            *said,
            f"{len(names):,} of {whole:,} rows were named; error rates are those of their pairs, "
            "as if they were chosen without a look at the results",
        )
    if board.left_out:
        said = (*said, f"without a number, and left out: {listing(board.left_out)}")
    record = InputFile(
        name=board.path.name,
        path=board.path,
        identity=board.identity,
        read_as=f"published results, column {board.column!r}: {counted(len(names), 'system')}",
    )
    pairing = pairing or ("common" if alike else "independent")
    return _trials_of(board, items, pairing), said, record


def _trials_of(board: "Leaderboard", items: Mapping[str, int], pairing: Pairing) -> RoundedTrials:
    parts = []
    if board.shares:
        own = {name: items[name] for name in board.shares}
        parts.append(
            RoundedTrials.of(board.shares, tested=own, pairing="independent", percent=board.percent)
        )
    if board.correct:
        right = tuple(board.correct.values())
        parts.append(
            RoundedTrials(
                systems=tuple(board.correct),
                published=tuple(map(str, right)),
                least=right,
                most=right,
                middle=right,
                tested=tuple(items[name] for name in board.correct),
                pairing="independent",
            )
        )
    joined = {
        field: tuple(value for part in parts for value in getattr(part, field))
        for field in ("systems", "published", "least", "most", "middle", "tested")
    }
    return RoundedTrials(**joined, pairing=pairing)


def _too_many(board: "Leaderboard", tested: Mapping[str, int] | int | None) -> NotComparable:
    """Say how to name the rows that are meant, and begin with the highest."""
    names = board.names()
    highest = [name for name in names if "," not in name][:HIGHEST]
    known = "" if tested is None and board.tested else " --tested N"
    if isinstance(tested, int):
        known = f" --tested {tested}"
    rows = f"--systems {quote(','.join(highest))}"
    message = (
        f"{printable(board.path.name)}: {len(names):,} systems, and more than {MOST_COMPARED} are "
        f"not compared at once. Name the rows that you mean, such as the highest {len(highest)}. "
        f"Type: steelyard compare {quote(str(board.path))}{known} {rows}"
    )
    return NotComparable(message, code="too-many-systems")


def _no_items(board: "Leaderboard") -> RolesUnclear:
    message = (
        f"{printable(board.path.name)}: a table of published results "
        f"({counted(len(board.shares) + len(board.correct), 'system')}, column {board.column!r}), "
        "which does not say how many items were tested. Type it: steelyard compare "
        f"{quote(str(board.path))} --tested N"
    )
    return RolesUnclear(message, code="no-tested")
