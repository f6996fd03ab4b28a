"""Whether all systems have all items, and what becomes of items that only some have."""

from collections.abc import Sequence
from dataclasses import dataclass

from steelyard.counts.exclusions import Exclusion
from steelyard.counts.trials import Pairing
from steelyard.errors import Fault, NotComparable, counted, listing, printable, switch
from steelyard.sources.faults import RowFinder
from steelyard.sources.origins import Origin
from steelyard.sources.roles.declared import Roles

__all__ = ["Matched", "match_items", "own_items"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """How systems are paired, which rows that keeps, and what it leaves out."""

    pairing: Pairing
    keep: str = "TRUE"
    faults: tuple[Fault, ...] = ()
    excluded: tuple[Exclusion, ...] = ()
    caveats: tuple[str, ...] = ()


def match_items(
    finder: RowFinder, roles: Roles, systems: Sequence[str], has: Sequence[str], rows: int
) -> Matched:
    """Compare the items of the systems; ``has`` is true where a system has a row for the item."""
    if not finder.origin.present:
        return Matched(pairing="common")
    everywhere = "(" + " AND ".join(has) + ")"
    unmatched, *lacking = finder.count(f"NOT {everywhere}", *(f"NOT {flag}" for flag in has))
    if roles.pairing == "independent":
        if not unmatched and len(systems) > 1:
            raise _contradicted(finder.origin, len(systems), rows)
        return Matched(pairing="independent" if unmatched else "common")
    if not unmatched:
        return Matched(pairing="common")
    matched = rows - unmatched
    if roles.join == "inner" and matched:
        note = (
            f"compared on the {counted(matched, 'item')} that every system has; "
            f"{counted(unmatched, 'item')} left out (join=inner)"
        )
        left_out = (Exclusion(reason="item not in every system", rows=unmatched),)
        return Matched(pairing="common", keep=everywhere, excluded=left_out, caveats=(note,))
    missing = [
        f"{printable(name)} lacks {count:,}"
        for name, count in zip(systems, lacking, strict=True)
        if count
    ]
    return Matched(pairing="common", faults=(_unmatched(finder, everywhere, rows, missing),))


def own_items(roles: Roles, origin: Origin, left_out: Sequence[int], rows: int) -> bool:
    """Tell whether the systems of a wide table were declared to have items of their own.

    An empty cell then means that the system was not tested on the item; without one, all systems
    have the same items, which contradicts the declaration.
    """
    if roles.pairing != "independent" or origin.present or len(left_out) < 2:
        return False
    if not any(left_out):
        raise _contradicted(origin, len(left_out), rows)
    return True


def _contradicted(origin: Origin, systems: int, rows: int) -> NotComparable:
    message = (
        f"{printable(origin.name)}: all {systems} systems have the same {counted(rows, 'item')}, "
        "so they are common, not independent. Leave pairing out, or give each system its own items."
    )
    return NotComparable(message, code="pairing-contradicted")


def _unmatched(finder: RowFinder, everywhere: str, rows: int, missing: Sequence[str]) -> Fault:
    (count,) = finder.count(f"NOT {everywhere}")
    shared = rows - count
    own = f"If each system was meant to have its own items: {switch('pairing', 'independent')}."
    fix = f"To compare on the {counted(shared, 'item')} they share: {switch('join', 'inner')}. "
    item = finder.item.sql if finder.item else "NULL"
    are = "is" if count == 1 else "are"
    return Fault(
        code="unmatched-ids",
        where=printable(finder.origin.name),
        found=(
            f"{count:,} of {counted(rows, 'item')} {are} not in every system: {listing(missing)}."
        ),
        fix=(fix if shared else "They share no item at all: are the ids written alike? ") + own,
        count=count,
        examples=tuple(
            example.partition(":")[0] for example in finder.first(f"NOT {everywhere}", item)
        ),
    )
