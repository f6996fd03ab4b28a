"""What is still open after a comparison, and how many more items would settle it."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from steelyard import planning
from steelyard.results import ComparedPair, MoreSamples

if TYPE_CHECKING:
    from steelyard.journey.plans.data import Areas
    from steelyard.planning import MoreNeeded

__all__ = ["more_of_areas", "more_of_common", "more_of_independent", "open_pairs", "say_more"]

Sample = tuple[int, int]
MOST_OPEN = 10
Pair = TypeVar("Pair", bound=ComparedPair)


def more_of_common(
    pairs: Sequence[ComparedPair], *, leader: str | None, alpha: float, power: float = 0.8
) -> tuple[MoreSamples, ...]:
    """Further common items for each open pair; of many those of the leader only."""

    def need(pair: ComparedPair, share: float) -> "MoreNeeded":
        assert pair.table is not None
        return planning.more_common(pair.table, alpha=share, power=power)

    return open_pairs(pairs, need, leader=leader, alpha=alpha)


def more_of_independent(
    pairs: Sequence[ComparedPair],
    samples: Mapping[str, Sample],
    *,
    leader: str | None,
    alpha: float,
    power: float = 0.8,
) -> tuple[MoreSamples, ...]:
    """Further items of each system for each open pair; of many those of the leader only."""

    def need(pair: ComparedPair, share: float) -> "MoreNeeded":
        return planning.more_independent(
            samples[pair.first], samples[pair.second], alpha=share, power=power
        )

    return open_pairs(pairs, need, leader=leader, alpha=alpha)


def more_of_areas(
    pairs: Sequence[ComparedPair],
    areas: "Areas",
    *,
    alpha: float,
    power: float = 0.8,
) -> tuple[MoreSamples, ...]:
    """Further items for each open pair of areas."""

    def need(pair: ComparedPair, share: float) -> "MoreNeeded":
        first, second = areas.systems.index(pair.first), areas.systems.index(pair.second)
        return planning.more_placed_areas(
            areas.spreads, first, second, tested=areas.tested, alpha=share, power=power
        )

    return open_pairs(pairs, need, leader=None, alpha=alpha)


def open_pairs(
    pairs: Sequence[Pair],
    needed: Callable[[Pair, float], "MoreNeeded"],
    *,
    leader: str | None,
    alpha: float,
) -> tuple[MoreSamples, ...]:
    """Ask it of every open pair; of many, where a leader is named, of those of the leader only."""
    undecided = [pair for pair in pairs if pair.verdict == "undecided"]
    if not undecided:
        return ()
    raw = {
        (pair.first, pair.second): 1.0 if pair.p_value is None else pair.p_value for pair in pairs
    }
    systems = {name for pair in raw for name in pair}
    shares = planning.open_alphas(raw, systems=len(systems), alpha=alpha)
    if len(undecided) > MOST_OPEN and leader is not None:
        undecided = [pair for pair in undecided if leader in {pair.first, pair.second}]
    return tuple(
        say_more(pair.first, pair.second, needed(pair, shares[pair.first, pair.second]))
        for pair in undecided
    )


def say_more(first: str, second: str | None, found: "MoreNeeded") -> MoreSamples:
    """Put what was found into words for a result."""
    return MoreSamples(
        first=first,
        second=second,
        samples=found.more,
        reason=found.reason,
        beyond=found.beyond,
        least=found.least,
    )
