"""Which ranks remain possible for each system after all pairwise decisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from steelyard.errors import RequestError, listing

__all__ = ["RankSet", "compact_letters", "rank_sets"]

# --- which ranks remain possible for each system after all pairwise decisions --------------------


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
            message = f"A decision names {pair!r}, which is not a pair of {listing(list(systems))}."
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


# --- compact letters: systems that share one cannot be told apart --------------------------------


ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def compact_letters(
    systems: Sequence[str], *, decisions: Mapping[tuple[str, str], bool]
) -> dict[str, str]:
    """Letters for a table of systems, from the pairwise decisions.

    Two systems share a letter exactly when they are not called different. Columns are split at
    every difference and absorbed when another column holds them (insert and absorb), so that none
    is idle; the letters go in the order of ``systems``, so hand these over best first.

    Parameters
    ----------
    systems
        Names in the order of the table.
    decisions
        For every pair, in either order, whether it is called different.

    Notes
    -----
    Letters show what was *not* shown to differ, which readers take for equality. Decisions need
    not be transitive, so a system may have several letters. Past z they go on as aa, ab, in
    which case letters of one system are separated by a space.

    References
    ----------
    .. [1] Piepho (2004), Journal of Computational and Graphical Statistics 13, 456-466,
       doi:10.1198/1061860043515.

    Examples
    --------
    >>> decided = {("A", "B"): False, ("A", "C"): True, ("B", "C"): False}
    >>> compact_letters(["A", "B", "C"], decisions=decided)
    {'A': 'a', 'B': 'ab', 'C': 'b'}
    """
    different = _check(systems, decisions)
    columns: list[frozenset[int]] = [frozenset(range(len(systems)))] if systems else []
    for one, two in different:
        split: list[frozenset[int]] = []
        for column in columns:
            split += [column - {one}, column - {two}] if {one, two} <= column else [column]
        kept = sorted(set(split), key=len, reverse=True)
        columns = []
        for column in kept:
            if not any(column <= other for other in columns):
                columns.append(column)
    columns.sort(key=sorted)
    names = [_letter(k) for k in range(len(columns))]
    gap = " " if len(columns) > len(ALPHABET) else ""
    return {
        system: gap.join(name for name, column in zip(names, columns, strict=True) if k in column)
        for k, system in enumerate(systems)
    }


def _check(
    systems: Sequence[str], decisions: Mapping[tuple[str, str], bool]
) -> list[tuple[int, int]]:
    """Pairs of places that are called different, once every pair is known to be decided."""
    if len(set(systems)) != len(systems):
        message = f"systems={list(systems)!r}; name each system once."
        raise RequestError(message)
    given = {frozenset(pair): called for pair, called in decisions.items()}
    wanted = {frozenset(pair): pair for pair in combinations(systems, 2)}
    missing = [pair for key, pair in wanted.items() if key not in given]
    strange = [tuple(sorted(key)) for key in given if key not in wanted]
    if missing or strange:
        message = (
            f"Decisions are missing for {listing(missing) or 'no pair'} and name "
            f"{listing(strange) or 'no pair'} besides; decide every pair of "
            f"{listing(list(systems))} once."
        )
        raise RequestError(message)
    place = {system: k for k, system in enumerate(systems)}
    return [(place[one], place[two]) for key, (one, two) in wanted.items() if given[key]]


def _letter(place: int) -> str:
    first, last = divmod(place, len(ALPHABET))
    return (_letter(first - 1) if first else "") + ALPHABET[last]
