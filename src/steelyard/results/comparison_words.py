"""The sentences of a comparison: the decision first."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from steelyard.display.numbers import show_count, show_p_value, show_percent, show_probability
from steelyard.display.text import join_names, show_name
from steelyard.results.estimates import Estimate
from steelyard.results.measured import (
    Measured,
    interval_name,
    said_count,
    shown_difference,
    shown_value,
    sorted_by_value,
)
from steelyard.results.more import ask_again_lines, settling

if TYPE_CHECKING:
    from steelyard.results.comparison import ComparedSystem, Comparison

__all__ = ["comparison_sentence", "more_lines", "ranked_systems"]

MOST_NAMES = 4
MOST_OPEN = 3
LONGEST = 320
MOST_MORE = 1_000_000


def ranked_systems(comparison: "Comparison") -> list["ComparedSystem"]:
    """Put the systems in order, the highest rate first."""
    systems = comparison.systems
    return [systems[place] for place in sorted_by_value([one.rate for one in systems])]


def comparison_sentence(comparison: "Comparison") -> str:
    """Say who is best, who is beaten and who cannot be told apart."""
    ranked = ranked_systems(comparison)
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
        both = f"{pair.table.both:,d} of {said_count(pair.table.total, 'item')}"
        return (
            f"{names} are right on exactly the same items ({both}); nothing here tells them apart."
        )
    found = {
        "different": f"{show_name(high.system)} is better than {show_name(low.system)}",
        "same": f"{names} count as the same{_within(comparison)}",
        "undecided": f"{names} cannot be told apart yet",
    }[pair.verdict]
    rates = _against(comparison, high.rate, low.rate)
    evidence = f"{found}: {rates}{_evidence(comparison, high)}.{_better(comparison, high)}"
    return f"{evidence}{_settled(comparison, high, [low.system])}"


def _against(comparison: "Comparison", high: Measured, low: Measured) -> str:
    if high.value is None or low.value is None:
        undefined = high if high.value is None else low
        return f"{undefined.measure} is undefined ({undefined.reason or 'no items'})"
    if comparison.measure == "auc":
        said = f"AUC {shown_value(high)} against {shown_value(low)}"
    else:
        said = f"{show_percent(high.value)} against {show_percent(low.value)} right"
    return f"{said}{_where(comparison)}"


def _where(comparison: "Comparison") -> str:
    if comparison.pairing == "independent":
        return ", each on items of its own"
    return "" if comparison.items is None else f" on {said_count(comparison.items, 'common item')}"


def _evidence(comparison: "Comparison", high: "ComparedSystem") -> str:
    """Say the difference, the higher rate minus the lower, with its interval and p-value."""
    pair = comparison.pairs[0]
    value, ends = shown_difference(
        pair.difference if pair.first == high.system else _turned(pair.difference)
    )
    if value is None:
        return ""
    facts = [] if ends is None else [f"{interval_name(comparison.level)} {ends}"]
    if pair.p_value is not None:
        shown = show_p_value(pair.p_value, alpha=comparison.alpha)
        facts.append(f"p {shown[0]} {shown[1:]}" if shown[0] in "<>" else f"p = {shown}")
    brackets = f" ({'; '.join(facts)})" if facts else ""
    return f", a difference of {value}{brackets}"


def _turned(difference: Estimate) -> Estimate:
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
        near = show_probability(pair.equivalent)
        return f" They differ by less than {comparison.margin:g} with probability {near}."
    if pair.better is None:
        return ""
    chance = pair.better if pair.first == high.system else 1 - pair.better
    shown = show_probability(chance, error=comparison.monte_carlo_error)
    return f" {show_name(high.system)} is the better one with probability {shown}."


def _many_systems(comparison: "Comparison", ranked: Sequence["ComparedSystem"]) -> str:
    leader, standing = ranked[0], _standing(comparison, ranked)
    name = show_name(leader.system)
    beaten = _beaten(comparison, ranked, standing)
    chance = _chance(comparison, leader)
    sure = leader.best is not None and leader.best >= comparison.level
    if standing.clear or sure:
        probability = f" with probability {chance}" if chance else ""
        rest = [*(f"It is {one}" for one in beaten), *_apart(comparison, leader, standing)]
        said = f"{name} is the best of {len(ranked)}{probability}. {_joined(rest)}".rstrip()
        return f"{said}{_settled(comparison, leader, standing.undecided)}"
    rate = f"{name} has the highest {_rate(comparison, leader)}"
    lead = f"{rate}, and is the best with probability {chance}" if chance else rate
    rest = [*(f"it is {one}" for one in beaten), *_same(comparison, leader, standing.same)]
    if not standing.undecided:
        return _joined([lead, *rest])
    tied = _tied(comparison, ranked, standing)
    more = _settled(comparison, leader, standing.undecided)
    if _twins(comparison, leader.system, standing.undecided):
        rest = [*(f"{name} is {one}" for one in beaten), *_same(comparison, leader, standing.same)]
        rate = _rate(comparison, leader).replace(", ", " ")
        return _joined([f"{tied} ({rate})", *rest])
    return f"{tied}: {_joined([lead, *rest])}{more}"


def _settled(comparison: "Comparison", leader: "ComparedSystem", others: Sequence[str]) -> str:
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
    tied = {ranked[0].system, *_standing(comparison, ranked).undecided}
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
        return f" Among the others {said_count(len(pairs), 'pair')} {verb} not told apart yet."
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
    common = comparison.pairing == "common"
    return [
        "Further items are what an adjusted test would take to tell a pair apart with 80% power, "
        "if the rates seen are the true ones: an order of magnitude. Equal systems are never told "
        "apart, so there is no upper limit.",
        *ask_again_lines(names, needed, common=common),
    ]


def _beaten(
    comparison: "Comparison", ranked: Sequence["ComparedSystem"], standing: "_Standing"
) -> list[str]:
    if not standing.beaten:
        return []
    everybody = len(standing.beaten) == len(ranked) - 1 > MOST_NAMES
    others = "each of the others" if everybody else _names(standing.beaten)
    return [f"better than {others}{_test(comparison, ranked[0].system, standing.beaten)}"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """The others by what is known of them against the leader."""

    beaten: tuple[str, ...]
    same: tuple[str, ...]
    undecided: tuple[str, ...]

    @property
    def clear(self) -> bool:
        return bool(self.beaten) and not self.same and not self.undecided


def _standing(comparison: "Comparison", ranked: Sequence["ComparedSystem"]) -> _Standing:
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
    return _Standing(
        beaten=beaten, same=same, undecided=tuple(name for name, _ in known if name not in left)
    )


def _tied(comparison: "Comparison", ranked: Sequence["ComparedSystem"], standing: _Standing) -> str:
    names = _names([ranked[0].system, *standing.undecided])
    if all(pair.verdict == "undecided" for pair in comparison.pairs):
        names = f"The {len(ranked)} systems"
    return _untold(comparison, names, ranked[0], standing)


def _apart(comparison: "Comparison", leader: "ComparedSystem", standing: _Standing) -> list[str]:
    clauses = _same(comparison, leader, standing.same)
    if not standing.undecided:
        return clauses
    names = _names([leader.system, *standing.undecided])
    return [*clauses, _untold(comparison, names, leader, standing)]


def _untold(
    comparison: "Comparison", names: str, leader: "ComparedSystem", standing: _Standing
) -> str:
    if _twins(comparison, leader.system, standing.undecided):
        return f"{names} are right on exactly the same items, so nothing here tells them apart"
    return f"{names} cannot be told apart yet"


def _same(comparison: "Comparison", leader: "ComparedSystem", same: Sequence[str]) -> list[str]:
    names = _names([leader.system, *same])
    return [f"{names} count as the same{_within(comparison)}"] if same else []


def _within(comparison: "Comparison") -> str:
    return "" if comparison.margin is None else f" within {comparison.margin:g}"


def _twins(comparison: "Comparison", leader: str, others: Sequence[str]) -> bool:
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
    if leader.best is None:
        return ""
    return show_probability(leader.best, error=comparison.monte_carlo_error)


def _rate(comparison: "Comparison", leader: "ComparedSystem") -> str:
    if leader.rate.value is None:
        return "rate, undefined"
    if comparison.measure == "auc":
        return f"AUC, {shown_value(leader.rate)}"
    return f"accuracy, {show_percent(leader.rate.value)}"


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


def _joined(clauses: Sequence[str]) -> str:
    return f"{'; '.join(clauses)}." if clauses else ""
