"""Compact letters: systems that share one cannot be told apart."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from steelyard.errors import RequestError, listing

__all__ = ["compact_letters"]

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
    different = _checked(systems, decisions)
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


def _checked(
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
