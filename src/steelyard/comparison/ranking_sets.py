"""Which ranks remain possible for each system after all pairwise decisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from steelyard.errors import RequestError, listing

__all__ = ["RankSet", "rank_sets"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankSet:
    """The ranks ``lowest`` to ``highest`` are not excluded for this system; rank 1 is the best."""

    system: str
    lowest: int
    highest: int


def rank_sets(
    systems: Sequence[str],
    rates: Sequence[float],
    *,
    decisions: Mapping[tuple[str, str], bool],
) -> tuple[RankSet, ...]:
    """Range of ranks of each system that the pairwise decisions leave open.

    The lowest rank is 1 + the number of systems significantly better, the highest is m - the
    number significantly worse. If the decisions hold their family-wise level, so do all
    these ranges together.

    Parameters
    ----------
    systems, rates
        Names and observed rates; the sign of a difference is taken from the rates.
    decisions
        For every pair, named in either order, whether its adjusted p-value calls it different.

    References
    ----------
    .. [1] Mogstad, Romano, Shaikh & Wilhelm (2024), Review of Economic Studies 91, 476-518,
       doi:10.1093/restud/rdad006.

    Examples
    --------
    >>> decided = {("A", "B"): False, ("A", "C"): True, ("B", "C"): False}
    >>> [(s.lowest, s.highest) for s in rank_sets("ABC", [0.9, 0.8, 0.7], decisions=decided)]
    [(1, 2), (1, 3), (2, 3)]
    """
    if len(set(systems)) != len(systems) or len(rates) != len(systems):
        message = (
            f"{len(rates)} rates for the systems {listing(list(systems))}; "
            "give each system once, with one rate."
        )
        raise RequestError(message)
    different = _by_pair(systems, decisions)
    better = dict.fromkeys(systems, 0)
    worse = dict.fromkeys(systems, 0)
    rate = dict(zip(systems, rates, strict=True))
    for one, two in combinations(systems, 2):
        if not different[frozenset((one, two))]:
            continue
        if rate[one] == rate[two]:
            message = f"{one} and {two} are called different at equal rates {rate[one]:g}."
            raise RequestError(message)
        winner, loser = (one, two) if rate[one] > rate[two] else (two, one)
        better[loser] += 1
        worse[winner] += 1
    size = len(systems)
    return tuple(
        RankSet(system=system, lowest=1 + better[system], highest=size - worse[system])
        for system in systems
    )


def _by_pair(
    systems: Sequence[str], decisions: Mapping[tuple[str, str], bool]
) -> dict[frozenset[str], bool]:
    wanted = {frozenset(pair): pair for pair in combinations(systems, 2)}
    given: dict[frozenset[str], bool] = {}
    for pair, different in decisions.items():
        key = frozenset(pair)
        if key not in wanted:
            message = f"A decision names {pair!r}, which is no pair of {listing(list(systems))}."
            raise RequestError(message)
        if given.get(key, different) != different:
            message = f"The pair {pair!r} is decided twice, in different ways."
            raise RequestError(message)
        given[key] = different
    missing = [pair for key, pair in wanted.items() if key not in given]
    if missing:
        message = f"No decision for {listing(missing)}; decide every pair."
        raise RequestError(message)
    return given
