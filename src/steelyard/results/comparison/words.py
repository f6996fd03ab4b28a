"""The sentences of a comparison: who leads, the decision first, and how it was found."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from steelyard.display.numbers import (
    QUADRATURE,
    show_count,
    show_p_value,
    show_percent,
    show_probability,
)
from steelyard.display.text import join_names, show_name
from steelyard.results.estimates import Estimate, Proportion
from steelyard.results.measured import (
    Measured,
    count_shared_digits,
    interval_name,
    say_count,
    show_signed,
    show_value,
    sort_by_value,
)
from steelyard.results.more import ask_again_lines, settling
from steelyard.results.shortfalls import SHORTFALLS

if TYPE_CHECKING:
    from steelyard.results.comparison import (
        ComparedPair,
        ComparedSystem,
        Comparison,
        OverlapRange,
        SliceComparison,
    )

__all__ = [
    "Standing",
    "are_twins",
    "comparison_sentence",
    "decide_lines",
    "find_standing",
    "is_level",
    "more_lines",
    "rank_places",
    "rank_systems",
    "say_alike",
    "show_chances",
    "show_p_range",
]

MOST_NAMES = 4
MOST_OPEN = 3
LONGEST = 320
MOST_MORE = 1_000_000
DIFFERS = 0.02
"""Two probabilities of being the best that lie this far apart are both said."""
ALIKE_ERROR = 1e-3
"""Digits beyond this are not claimed for the probability under a prior that is learned."""
AKAIKE = (
    "ΔAIC, shown where there is room, is the AIC of one common rate minus that of two: above 1 "
    "different, below -1 same, each pair taken alone."
)
ALIKE = (
    "P(best) assumes nothing beforehand; the column beside it assumes that the systems are alike, "
    "with a spread between them learned from the data (half-Cauchy, scale the sampling error)."
)
ALONE = "Each interval is for its own system or pair alone; adj. p holds for all pairs together."
AREAS = (
    "ΔAIC and expected loss are not defined for AUC: there is no likelihood of an area to weigh, "
    "and no item on which a wrong choice would cost a right answer."
)
BELIEF = SHORTFALLS["chance-of-same"]


def rank_places(
    names: Sequence[str],
    rates: Sequence[Measured],
    best: Sequence[float | None],
    pairs: Sequence["ComparedPair"],
    *,
    lower: bool = False,
) -> list[int]:
    """Put the leader first, the others from the highest rate (or lowest number) down.

    The leader is the system with the highest probability of being the best. With test sets of
    different sizes that need not be the one of the highest rate: 10 of 10 says less than 995 of
    1,000. A system that another is found better than never leads; without probabilities the
    highest rate does.
    """
    order = sort_by_value(rates, lower=lower)
    beaten = {
        name
        for pair in pairs
        for name in (pair.first, pair.second)
        if pair.winner not in {None, name}
    }
    known = [place for place in order if best[place] is not None and names[place] not in beaten]
    if len(known) < 1:
        return order
    # max() keeps the first of equals, which is the one of the higher rate.
    leader = max(known, key=lambda place: best[place] or 0.0)
    return [leader, *(place for place in order if place != leader)]


def rank_systems(comparison: "Comparison | SliceComparison") -> list["ComparedSystem"]:
    """Put the systems in order, the leader first."""
    systems = comparison.systems
    places = rank_places(
        [one.system for one in systems],
        [one.rate for one in systems],
        [one.best for one in systems],
        comparison.pairs,
        lower=getattr(comparison, "lower", False),
    )
    return [systems[place] for place in places]


def comparison_sentence(comparison: "Comparison") -> str:
    """Say who is best, who is beaten and who cannot be told apart."""
    ranked = rank_systems(comparison)
    if len(ranked) < 2:
        return "There is nothing to compare: name at least two systems."
    if len(ranked) == 2 and comparison.pairs:
        return _two_systems(comparison, ranked)
    said = _many_systems(comparison, ranked)
    tails = [_others_open(comparison, ranked, most=most) for most in (MOST_OPEN, 0)]
    fitting = [tail for tail in tails if len(said) + len(tail) <= LONGEST]
    return f"{said}{fitting[0] if fitting else ''}"


def _two_systems(comparison: "Comparison", ranked: Sequence["ComparedSystem"]) -> str:
    pair, (high, low) = comparison.pairs[0], ranked
    names = f"{show_name(high.system)} and {show_name(low.system)}"
    if pair.table is not None and pair.table.discordant == 0:
        both = f"{pair.table.both:,d} of {say_count(pair.table.total, 'item')}"
        return (
            f"{names} are right on exactly the same items ({both}); nothing here tells them apart."
        )
    overlaps = None if pair.overlaps is None else pair.overlaps.verdict
    unknown = comparison.unknown
    known = "rounded shares" if comparison.rounded else "totals"
    found = {
        ("different", None): f"{show_name(high.system)} is better than {show_name(low.system)}",
        ("different", "different"): (
            f"{show_name(high.system)} is better than {show_name(low.system)} whatever the "
            f"{unknown}"
        ),
        ("same", None): f"{names} count as the same{_within(comparison)}",
        ("undecided", None): f"{names} cannot be told apart yet",
        ("undecided", "not different"): f"{names} cannot be told apart, whatever the {unknown}",
        ("undecided", "depends"): (
            f"{names} cannot be told apart by their {known}: it depends on the {unknown}"
            + ("" if comparison.rounded else ", on who was right together")
        ),
    }[pair.verdict, overlaps]
    rates = _against(comparison, high.rate, low.rate)
    said = "; " if overlaps == "depends" else ": "
    evidence = f"{found}{said}{rates}{_evidence(comparison, high)}.{_better(comparison, high)}"
    if overlaps == "depends":
        wanted = "the outcome of each item" if comparison.pairing == "common" else "the counts"
        return f"{evidence} Give {wanted}."
    return f"{evidence}{_settle(comparison, high, [low.system])}"


def _against(comparison: "Comparison", high: Measured, low: Measured) -> str:
    if high.value is None or low.value is None:
        undefined = high if high.value is None else low
        return f"{undefined.measure} is undefined ({undefined.reason or 'no items'})"
    if comparison.measure != "accuracy":
        shown = [show_value(one, digits=count_shared_digits([high, low])) for one in (high, low)]
        said = f"{comparison.measure_name} {shown[0]} against {shown[1]}"
    else:
        said = f"{show_percent(high.value)} against {show_percent(low.value)} right"
    return f"{said}{_where(comparison)}"


def _where(comparison: "Comparison") -> str:
    if comparison.pairing == "independent":
        return ", each on items of its own"
    return "" if comparison.items is None else f" on {comparison.items_name}"


def _evidence(comparison: "Comparison", high: "ComparedSystem") -> str:
    """Say the difference, the higher rate minus the lower, with its interval and p-value."""
    pair = comparison.pairs[0]
    value, ends = show_signed(
        pair.difference if pair.first == high.system else _turn(pair.difference)
    )
    if value is None:
        return ""
    widest = "" if pair.overlaps is None else " at its widest"
    facts = [] if ends is None else [f"{interval_name(comparison.level)}{widest} {ends}"]
    if pair.overlaps is not None:
        facts.append(f"p {show_p_range(pair.overlaps, alpha=comparison.alpha)}")
    elif pair.p_value is not None:
        shown = show_p_value(pair.p_value, alpha=comparison.alpha)
        facts.append(f"p {shown[0]} {shown[1:]}" if shown[0] in "<>" else f"p = {shown}")
    brackets = f" ({'; '.join(facts)})" if facts else ""
    return f", a difference of {value}{brackets}"


def _turn(difference: Estimate) -> Estimate:
    """Give the second minus the first."""
    ends, value = difference.interval, difference.value
    return replace(
        difference,
        value=None if value is None else -value,
        interval=None if ends is None else replace(ends, low=-ends.high, high=-ends.low),
    )


def _better(comparison: "Comparison", high: "ComparedSystem") -> str:
    pair = comparison.pairs[0]
    if pair.verdict == "same" and pair.equivalent is not None and comparison.margin is not None:
        near = show_probability(pair.equivalent, error=QUADRATURE)
        return f" They differ by less than {comparison.margin:g} with probability {near}."
    if pair.better is None:
        return ""
    name, though = show_name(high.system), _though(comparison, high)
    if pair.overlaps is not None:
        low, high_end = pair.overlaps.better_low, pair.overlaps.better_high
        if pair.first != high.system:
            low, high_end = 1 - high_end, 1 - low
        return f" {name} is the better one with probability {show_chances(low, high_end)}."
    return f" {name} is the better one with probability {_chance(comparison, high)}{though}."


def show_p_range(overlaps: "OverlapRange", *, alpha: float, adjusted: bool = False) -> str:
    """Write the least and the largest p-value over all overlaps."""
    ends = (overlaps.p_least, overlaps.p_largest)
    if adjusted:
        ends = (overlaps.adjusted_least, overlaps.adjusted_largest)
    return show_range(*(show_p_value(one, alpha=alpha) for one in ends))


def show_chances(low: float, high: float) -> str:
    """Write the least and the largest probability; neither end is ever certain."""
    return show_range(*(show_probability(one, error=QUADRATURE) for one in (low, high)))


def show_range(low: str, high: str) -> str:
    """Write two numbers as a range, and equal ones as one.

    Examples
    --------
    >>> show_range("0.031", "0.4"), show_range("0.5", "0.5")
    ('0.031 to 0.4', '0.5')
    """
    return low if low == high else f"{low} to {high}"


def _though(comparison: "Comparison", leader: "ComparedSystem") -> str:
    """Say plainly that others had a higher rate than the likeliest best."""
    value = leader.rate.value
    above = [
        one
        for one in comparison.systems
        if value is not None
        and one.rate.value is not None
        and (one.rate.value < value if comparison.lower else one.rate.value > value)
    ]
    if not above:
        return ""
    has = "has" if len(above) == 1 else "have"
    fewer = ""
    if isinstance(leader.rate, Proportion) and all(
        isinstance(one.rate, Proportion) and one.rate.trials < leader.rate.trials for one in above
    ):
        fewer = " on fewer items"
    what = comparison.measure_name
    way = "lower" if comparison.lower else "higher"
    return f", although {_names([one.system for one in above])} {has} a {way} {what}{fewer}"


def _many_systems(comparison: "Comparison", ranked: Sequence["ComparedSystem"]) -> str:
    leader, standing = ranked[0], find_standing(comparison, ranked)
    name = show_name(leader.system)
    beaten = _beaten(comparison, ranked, standing)
    chance = _chance(comparison, leader)
    if standing.clear or (_sure(comparison, leader) and not standing.undecided):
        probability = f" with probability {chance}" if chance else ""
        rest = [*(f"It is {one}" for one in beaten), *_same(comparison, leader, standing.same)]
        return f"{name} is the best of {len(ranked)}{probability}. {_join(rest)}".rstrip()
    lead = _lead(comparison, leader)
    rest = [*(f"it is {one}" for one in beaten), *_same(comparison, leader, standing.same)]
    if not standing.undecided:
        return _join([lead, *rest])
    tied = _name_ties(comparison, ranked, standing)
    more = _settle(comparison, leader, standing.undecided)
    if are_twins(comparison, leader.system, standing.undecided):
        rest = [*(f"{name} is {one}" for one in beaten), *_same(comparison, leader, standing.same)]
        rate = _rate(comparison, leader).replace(", ", " ")
        return _join([f"{tied} ({rate})", *rest])
    said = f"{tied}: {_join([lead, *rest])}{_by_overlap(comparison)}"
    # Long names leave no room: what further items may bring stands with the pairs as well.
    return f"{said}{more}" if len(said) + len(more) <= LONGEST else said


def _lead(comparison: "Comparison", leader: "ComparedSystem") -> str:
    """Say why the leader leads: by its rate, and by its probability of being the best."""
    name, chance = show_name(leader.system), _chance(comparison, leader)
    though = _though(comparison, leader)
    best = "lowest" if comparison.lower else "highest"
    rate = f"{name} has the {best} {_rate(comparison, leader)}"
    if not chance:
        return rate
    if though:
        rate = f"{name} has {_rate(comparison, leader).replace(', ', ' ')}"
    if _sure(comparison, leader):
        # The tests leave somebody open, or the leader would have been called the best above.
        return (
            f"{rate}, and its probability of being the best, {chance}, is not borne out by the "
            f"tests{though}"
        )
    return f"{rate}, and is the best with probability {chance}{though}"


def _sure(comparison: "Comparison", leader: "ComparedSystem") -> bool:
    """Tell whether the probability of being the best reaches the level, by either prior."""
    known = [share for share in (leader.best, leader.best_alike) if share is not None]
    return bool(known) and min(known) >= comparison.level


def _by_overlap(comparison: "Comparison") -> str:
    """Say how many open pairs the outcome of each item could decide."""
    if not comparison.by_totals:
        return ""
    found = [pair for pair in comparison.pairs if pair.overlaps is not None]
    left = [pair for pair in found if pair.verdict == "undecided"]
    depends = sum(pair.overlaps.verdict == "depends" for pair in left if pair.overlaps)
    if not depends:
        what = "counts that fit" if comparison.rounded else "overlap"
        return f" No {what} would tell more apart."
    of = f"{depends} of {say_count(len(left), 'open pair')}" if len(left) > 1 else "The open pair"
    verb = "depends" if depends == 1 or len(left) == 1 else "depend"
    what, wanted = "who was right together", "the outcome of each item"
    if comparison.rounded:
        what = f"the {comparison.unknown}"
        wanted = "the counts" if comparison.pairing == "independent" else wanted
    return f" {of} {verb} on {what}: give {wanted}."


def _settle(comparison: "Comparison", leader: "ComparedSystem", others: Sequence[str]) -> str:
    """Say how many more items would tell the leader from these, where that can be said."""
    if not others:
        return ""
    found = [
        one
        for one in comparison.more
        if one.second is not None
        and leader.system in {one.first, one.second}
        and not {one.first, one.second}.isdisjoint(others)
    ]
    each = " each" if comparison.pairing == "independent" else ""
    known = [one for one in found if one.samples is not None]
    if any(one.beyond for one in found):
        over = f"over {show_count(MOST_MORE)} more items{each}"
        return f" It takes {over} to settle it if the difference seen is true."
    if not known or len(known) < len(others):
        return ""
    most = max(known, key=lambda one: one.samples or 0)
    return f" {settling(most.samples or 0, most.least, each=each)}"


def _others_open(comparison: "Comparison", ranked: Sequence["ComparedSystem"], *, most: int) -> str:
    """Name the open pairs below the leader, each with the items that would settle it."""
    tied = {ranked[0].system, *find_standing(comparison, ranked).undecided}
    place = {one.system: rank for rank, one in enumerate(ranked)}
    pairs = sorted(
        sorted((pair.first, pair.second), key=place.__getitem__)
        for pair in comparison.pairs
        if pair.verdict == "undecided" and not {pair.first, pair.second} <= tied
    )
    if not pairs:
        return ""
    pairs.sort(key=lambda names: [place[name] for name in names])
    if len(pairs) > most:
        verb = "are" if len(pairs) > 1 else "is"
        return f" Among the others {say_count(len(pairs), 'pair')} {verb} not told apart yet."
    said = "; ".join(_open_pair(comparison, names) for names in pairs)
    return f" Not told apart yet among the others: {said}."


def _open_pair(comparison: "Comparison", names: Sequence[str]) -> str:
    pair = " and ".join(show_name(name) for name in names)
    each = " each" if comparison.pairing == "independent" else ""
    for one in comparison.more:
        if {one.first, one.second} == set(names) and one.samples is not None:
            return f"{pair} ({one.said()} more items{each})"
        if {one.first, one.second} == set(names) and one.beyond:
            return f"{pair} (over {show_count(MOST_MORE)} more items{each})"
    return pair


def more_lines(comparison: "Comparison") -> list[str]:
    """Say what the numbers of further items suppose."""
    known = [one for one in comparison.more if one.samples is not None or one.beyond]
    if not known:
        return []
    names = list(dict.fromkeys(name for one in known for name in (one.first, one.second) if name))
    needed = max((one.samples or 0 for one in known), default=0)
    # Campaigns count right answers.
    common = comparison.pairing == "common" and comparison.measure in {"accuracy", "auc"}
    return [
        "Further items are what an adjusted test would take to tell a pair apart with 80% power, "
        "if the rates seen are the true ones: an order of magnitude. Equal systems are never told "
        "apart, so there is no upper limit.",
        *ask_again_lines(names, needed, common=common),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The others by what is known of them against the leader."""

    beaten: tuple[str, ...]
    same: tuple[str, ...]
    undecided: tuple[str, ...]

    @property
    def clear(self) -> bool:
        """Whether the leader is found better than everybody else."""
        return bool(self.beaten) and not self.same and not self.undecided


def _beaten(
    comparison: "Comparison", ranked: Sequence["ComparedSystem"], standing: Standing
) -> list[str]:
    if not standing.beaten:
        return []
    everybody = len(standing.beaten) == len(ranked) - 1 > MOST_NAMES
    others = "each of the others" if everybody else _names(standing.beaten)
    return [f"better than {others}{_test(comparison, ranked[0].system, standing.beaten)}"]


def find_standing(comparison: "Comparison", ranked: Sequence["ComparedSystem"]) -> Standing:
    """Sort the others by their verdict against the leader."""
    leader = ranked[0].system
    pairs = {frozenset((pair.first, pair.second)): pair for pair in comparison.pairs}
    known = [
        (other.system, pairs[frozenset((leader, other.system))])
        for other in ranked[1:]
        if frozenset((leader, other.system)) in pairs
    ]
    beaten = tuple(name for name, pair in known if pair.winner == leader)
    same = tuple(name for name, pair in known if pair.verdict == "same")
    left = {*beaten, *same}
    return Standing(
        beaten=beaten, same=same, undecided=tuple(name for name, _ in known if name not in left)
    )


def _name_ties(
    comparison: "Comparison", ranked: Sequence["ComparedSystem"], standing: Standing
) -> str:
    """Say whom the leader is not told apart from; of a set, only if no two of it are decided."""
    leader, yet = ranked[0].system, "" if comparison.by_totals else " yet"
    together = {leader, *standing.undecided}
    names = _names([leader, *standing.undecided])
    if len(together) == len(ranked) > 2:
        names = f"The {len(ranked)} systems"
    if are_twins(comparison, leader, standing.undecided):
        return f"{names} are right on exactly the same items, so nothing here tells them apart"
    if is_level(comparison, together):
        return f"{names} cannot be told apart{yet}"
    return f"{show_name(leader)} is not told apart from {_names(standing.undecided)}{yet}"


def is_level(comparison: "Comparison", systems: Collection[str]) -> bool:
    """Tell whether no two of these systems are told apart."""
    found = sum(
        pair.verdict == "undecided" and {pair.first, pair.second} <= set(systems)
        for pair in comparison.pairs
    )
    return found == len(systems) * (len(systems) - 1) // 2


def _same(comparison: "Comparison", leader: "ComparedSystem", same: Sequence[str]) -> list[str]:
    names = _names([leader.system, *same])
    return [f"{names} count as the same{_within(comparison)}"] if same else []


def _within(comparison: "Comparison") -> str:
    return "" if comparison.margin is None else f" within {comparison.margin:g}"


def are_twins(comparison: "Comparison", leader: str, others: Sequence[str]) -> bool:
    """Tell whether every one of the others is right on exactly the items of the leader."""
    equal = {
        name
        for pair in comparison.pairs
        if pair.table is not None and pair.table.discordant == 0
        for name in (pair.first, pair.second)
        if leader in {pair.first, pair.second}
    }
    return equal.issuperset(others)


def _names(names: Sequence[str]) -> str:
    return join_names(names, most=MOST_NAMES, room=60)


def _chance(comparison: "Comparison", leader: "ComparedSystem") -> str:
    """Say the probability of being the best: its range, or by both priors where they differ."""
    if leader.best_low is not None and leader.best_high is not None:
        return show_chances(leader.best_low, leader.best_high)
    if leader.best is None:
        return ""
    shown = show_probability(leader.best, error=comparison.monte_carlo_error or QUADRATURE)
    if leader.best_alike is None or not _differ(leader):
        return shown
    alike = show_probability(leader.best_alike, error=ALIKE_ERROR)
    return f"{alike} if the systems are alike, otherwise {shown}"


def say_alike(comparison: "Comparison") -> bool:
    """Tell whether taking the systems for alike changes a probability enough to be shown."""
    return any(_differ(one) for one in comparison.systems)


def _differ(one: "ComparedSystem") -> bool:
    if one.best is None or one.best_alike is None:
        return False
    return abs(one.best_alike - one.best) >= DIFFERS


def _rate(comparison: "Comparison", leader: "ComparedSystem") -> str:
    if leader.rate.value is None:
        return "rate, undefined"
    shown = show_percent(leader.rate.value)
    if comparison.measure != "accuracy":
        shown = show_value(leader.rate) or "undefined"
    return f"{comparison.measure_name}, {shown}"


def _test(comparison: "Comparison", leader: str, beaten: Sequence[str]) -> str:
    """Name the test that all the pairs passed; nothing when it cannot be named."""
    pairs = [
        pair
        for pair in comparison.pairs
        if pair.winner == leader and not {pair.first, pair.second}.isdisjoint(beaten)
    ]
    for name, values in (
        ("adjusted p", [pair.adjusted_p for pair in pairs]),
        ("p", [pair.p_value for pair in pairs]),
    ):
        if all(value is not None and value < comparison.alpha for value in values):
            return f" ({name} < {comparison.alpha:g})"
    return ""


def _join(clauses: Sequence[str]) -> str:
    return f"{'; '.join(clauses)}." if clauses else ""


def _margin_lines(comparison: "Comparison") -> list[str]:
    """Say when pairs count as the same, and what that does not promise."""
    if comparison.margin is None:
        return []
    rule = (
        f"Pairs count as the same when they differ by less than {comparison.margin:g} with "
        f"probability {comparison.level:g} or more."
    )
    # The posterior of means errs at the margin as its tests do; that of rates was measured.
    measured = comparison.measure in {"mean", "ratio"}
    called = not measured and any(pair.verdict == "same" for pair in comparison.pairs)
    return [rule, BELIEF] if called else [rule]


def decide_lines(comparison: "Comparison") -> list[str]:
    """Say by which rule pairs were called different or the same."""
    rule = "" if comparison.by_akaike else f", alpha {comparison.alpha:g}"
    method = f"Verdicts by {comparison.primary}{rule}."
    if comparison.monte_carlo_error is not None:
        error = show_probability(comparison.monte_carlo_error)
        method += f" Probabilities carry a simulation error of {error}."
    lines = [method]
    if say_alike(comparison):
        lines.append(ALIKE)
    if len(comparison.pairs) > 1 and any(pair.adjusted_p is not None for pair in comparison.pairs):
        lines.append(ALONE)
    lines += _margin_lines(comparison)
    if any(pair.aic_difference is not None for pair in comparison.pairs):
        lines.append(AKAIKE)
    if comparison.measure == "auc":
        lines.append(AREAS)
    if comparison.slices:
        lines.append(
            "Verdicts within slices are adjusted over all slices and pairs by Shaffer's procedure; "
            "those over all items are a family of their own."
        )
    return lines
