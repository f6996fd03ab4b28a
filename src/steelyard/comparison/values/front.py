"""Quality against cost: which systems no other one beats on both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal, TypeAlias

from steelyard.comparison.values.means import MeanDifference
from steelyard.errors import RequestError, check_share
from steelyard.uncertainty import holm

__all__ = ["FrontPlace", "FrontState", "quality_cost_front"]

FrontState: TypeAlias = Literal["on", "off", "undecided"]
Pairs: TypeAlias = Mapping[tuple[int, int], MeanDifference]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontPlace:
    """Where a system stands: ``on`` the front, ``off`` it, or ``undecided``.

    ``beaten_by`` names the systems shown to be better and not dearer; ``open_against`` those that
    might be and might not.
    """

    system: str
    state: FrontState
    beaten_by: tuple[str, ...]
    open_against: tuple[str, ...]


def quality_cost_front(
    systems: Sequence[str],
    quality: Pairs,
    cost: Pairs | Sequence[float],
    *,
    alpha: float = 0.05,
) -> tuple[FrontPlace, ...]:
    r"""Sort systems into those on the front, those off it, and those the data do not decide.

    For every ordered pair two one-sided claims are tested, "s has the higher quality" and "s costs
    less", all of them together by Holm's procedure: the chance that any claim made is false is at
    most ``alpha``. A system is *off* when another one is claimed to have the higher quality and to
    cost less; it is *on* when against each other one it is claimed to have the higher quality or
    to cost less; else undecided. If all claims are true, so are all states.

    Parameters
    ----------
    systems : sequence of str
        Names.
    quality : mapping of (i, j) to MeanDifference
        First minus second for i before j; higher is better. Where lower is, hand the pair over
        with the sign turned.
    cost : mapping of (i, j) to MeanDifference, or sequence of float
        Likewise, lower is better; or known costs, which need no test: equal ones are not dearer.

    Notes
    -----
    Two systems of truly equal cost that is measured, not known, stay open: no data show that
    something is equal.

    References
    ----------
    .. [1] Holm (1979), Scandinavian Journal of Statistics 6, 65-70, stable id jstor.org/4615733.

    Examples
    --------
    >>> from steelyard.comparison.values.means import paired_mean_difference
    >>> ahead = paired_mean_difference(100, 50, 125)
    >>> front = quality_cost_front(["big", "small"], {(0, 1): ahead}, [3.0, 1.0])
    >>> [place.state for place in front]
    ['on', 'on']
    >>> [p.state for p in quality_cost_front(["new", "old"], {(0, 1): ahead}, [1.0, 1.0])]
    ['on', 'off']
    """
    check_share("alpha", alpha)
    size = len(systems)
    known = None if isinstance(cost, Mapping) else [float(one) for one in cost]
    if known is not None and len(known) != size:
        message = f"{len(known)} costs for {size} systems; give one for each."
        raise RequestError(message)
    order = list(permutations(range(size), 2))
    chances = [_chance_not_higher(quality, pair) for pair in order]
    if isinstance(cost, Mapping):
        # Cheaper is the other one's cost being higher.
        chances += [_chance_not_higher(cost, (j, i)) for i, j in order]
    claimed = [p <= alpha for p in holm(chances)]
    higher = dict(zip(order, claimed, strict=False))
    cheaper = (
        {(i, j): known[i] < known[j] for i, j in order}
        if known is not None
        else dict(zip(order, claimed[len(order) :], strict=True))
    )
    no_dearer = cheaper if known is None else {(i, j): known[i] <= known[j] for i, j in order}
    return tuple(_place(systems, at, higher, cheaper, no_dearer) for at in range(size))


def _place(
    systems: Sequence[str],
    at: int,
    higher: Mapping[tuple[int, int], bool],
    cheaper: Mapping[tuple[int, int], bool],
    no_dearer: Mapping[tuple[int, int], bool],
) -> FrontPlace:
    others = [other for other in range(len(systems)) if other != at]
    beaten = [other for other in others if higher[other, at] and no_dearer[other, at]]
    safe = {other for other in others if higher[at, other] or cheaper[at, other]}
    open_ones = [other for other in others if other not in safe and other not in beaten]
    state: FrontState = "off" if beaten else "undecided" if open_ones else "on"
    return FrontPlace(
        system=systems[at],
        state=state,
        beaten_by=tuple(systems[other] for other in beaten),
        open_against=tuple(systems[other] for other in open_ones),
    )


def _chance_not_higher(pairs: Pairs, order: tuple[int, int]) -> float:
    """One-sided p-value of the claim that the first mean is the higher one."""
    i, j = order
    try:
        pair = pairs[min(i, j), max(i, j)]
    except KeyError:
        message = f"No difference for the systems {i} and {j}; give every pair, the first first."
        raise RequestError(message) from None
    half = pair.p_value / 2
    ahead = pair.difference > 0 if i < j else pair.difference < 0
    return half if ahead else 1 - half
