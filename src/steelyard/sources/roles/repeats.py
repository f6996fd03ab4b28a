"""Ids that appear twice, ids that are missing, and facts of one item that disagree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from steelyard.counts.exclusions import Exclusion
from steelyard.counts.trials import Pairing
from steelyard.engines.dialect import quote_name
from steelyard.errors import Fault, NotComparable, RequestError, counted, listing, printable, switch
from steelyard.sources.faults import RowFinder
from steelyard.sources.origins import Origin
from steelyard.sources.roles.declared import CONVENTIONAL, TRIES, Duplicates, Roles, say_role
from steelyard.sources.roles.name_words import says_call, says_probability, says_truth

__all__ = [
    "Matched",
    "disagreements",
    "match_items",
    "own_items",
    "unusable_keys",
    "without_repeats",
]

FEW_NAMES, MOST_NAMING = 300, 6
"""More names than these are no systems; so many columns may name them."""

# --- ids that appear twice, ids that are missing, and facts of one item that disagree ------------


def without_repeats(
    origin: Origin, duplicates: Duplicates, keys: Sequence[str]
) -> tuple[Origin, tuple[Fault, ...]]:
    """Find keys that appear twice, or keep their first row when that was asked for.

    Rows without a key are no repeats; they are another fault.
    """
    texts = [_text(key) for key in keys]
    # Whole numbers differ where their texts do, and are counted in half the time.
    plain = [
        quote_name(key) if origin.table.columns.get(key) == "integer" else _text(key)
        for key in keys
    ]
    named = " AND ".join(f"{one} IS NOT NULL" for one in plain)
    key = plain[0] if len(plain) == 1 else f"({', '.join(plain)})"
    ((rows, distinct),) = origin.table.query(
        f"SELECT COUNT(*), COUNT(DISTINCT {key}) FROM {{t}} WHERE {named}"
    )
    if rows == distinct:
        return origin, ()
    if duplicates == "first":
        return _first_rows(origin, texts, named, rows - distinct), ()
    names = [f"k{place}" for place in range(len(texts))]
    listed = ", ".join(names)
    asked = ", ".join(f"{text} AS {name}" for text, name in zip(texts, names, strict=True))
    twice = (
        f"SELECT {listed}, COUNT(*) AS times FROM (SELECT {asked} FROM {{t}} WHERE {named}) AS "
        f"keyed GROUP BY {listed} HAVING COUNT(*) > 1"
    )
    examples = origin.table.query(f"{twice} ORDER BY {listed} LIMIT 3")
    count = _how_many(origin, twice)
    what = "id" if len(keys) == 1 else "pair of item and system"
    said = f"{count:,} pairs of item and system appear" if count > 1 and len(keys) > 1 else ""
    fault = Fault(
        code="duplicate-id",
        where=printable(f"{origin.name}, {' and '.join(f'column {key!r}' for key in keys)}"),
        found=f"{said or counted(count, what, 'appear')} more than once.",
        fix=_what_repeats(keys, _find_number(origin, keys, rows), _find_owners(origin, keys, rows)),
        count=count,
        examples=tuple(f"{listing(row[:-1])} ({row[-1]} times)" for row in examples),
    )
    return origin, (fault,)


def _find_number(origin: Origin, keys: Sequence[str], rows: int) -> str | None:
    """Find the column that tells the rows of one item apart, by its name and values."""
    likely = [name for name in origin.columns if name not in keys and TRIES.fullmatch(name)]
    for name in likely:
        every = ", ".join(_text(key) for key in (*keys, name))
        ((different,),) = origin.table.query(f"SELECT COUNT(DISTINCT ({every})) FROM {{t}}")
        if different == rows:
            return name
    return None


def _find_owners(origin: Origin, keys: Sequence[str], rows: int) -> str | None:
    """Find the one or two columns of names that tell the rows of an id apart: whose they may be."""
    if len(keys) > 1:
        return None
    likely = [name for name in origin.names if name not in keys and _may_say_whose(origin, name)]
    likely = likely[:MOST_NAMING]
    for whose in [*((name,) for name in likely), *combinations(likely, 2)]:
        every = ", ".join(_text(name) for name in (*keys, *whose))
        ((different,),) = origin.table.query(f"SELECT COUNT(DISTINCT ({every})) FROM {{t}}")
        if different == rows:
            return ",".join(whose)
    return None


def _may_say_whose(origin: Origin, name: str) -> bool:
    """Tell a column of a few names, which are no numbers and no classes."""
    if TRIES.fullmatch(name) or says_truth(name) or says_call(name) or says_probability(name):
        return False
    known = {column for names in CONVENTIONAL.values() for column in names}
    if name in known or origin.table.columns.get(name) != "text":
        return False
    own = _text(name)
    ((named, others),) = origin.table.query(
        f"SELECT COUNT(DISTINCT {own}), COUNT(CASE WHEN {own} IS NULL OR "
        f"TRY_CAST({own} AS DOUBLE) IS NOT NULL THEN 1 END) FROM {{t}}"
    )
    return bool(1 < named <= FEW_NAMES and not others)


def _what_repeats(keys: Sequence[str], number: str | None, whose: str | None) -> str:
    """Ask why ids come again, and offer each answer with its flag."""
    if len(keys) > 1 and number is not None:
        tries = (
            f"Several tries, turns or folds of an item by one system, which {number!r} tells "
            f"apart: {switch('item', f'{keys[0]},{number}')} and {switch('cluster', keys[0])}. "
            f"Several readers of a case: compare with {switch('reader', 'COLUMN')}."
        )
    elif len(keys) > 1:
        tries = (
            "Several tries of an item by one system: give every try an item id of its own, and "
            f"the ids of now as {switch('cluster', 'COLUMN')}. Several readers of a case: compare "
            f"with {switch('reader', 'COLUMN')}."
        )
    elif whose is not None:
        tries = (
            f"A row for each system, which {whose!r} tells apart: {switch('system', whose)}. "
            "Several tries, folds or epochs of an item: "
            f"{switch('cluster', keys[0])}, which counts them all and knows that they belong "
            "together."
        )
    else:
        tries = (
            f"Several tries, folds or epochs of an item: {switch('cluster', keys[0])}, which "
            "counts them all and knows that they belong together. A row for each system: "
            f"{switch('system', 'COLUMN')}."
        )
    return (
        f"What repeats? {tries} The same row by mistake, or only the first counts: "
        f"{switch('duplicates', 'first')}."
    )


def unusable_keys(origin: Origin, column: str, *, what: str) -> tuple[Fault, ...]:
    """Find rows without an id (or system), and ids that are floating-point numbers."""
    where = printable(f"{origin.name}, column {column!r}")
    if origin.table.columns[column] == "real":
        fault = Fault(
            code="id-float",
            where=where,
            found=f"the column is to name each {what} and holds floating-point numbers.",
            fix="Write them as text or whole numbers: 7.0 and 7 would be two names of one.",
        )
        return (fault,)
    count = _how_many(origin, f"SELECT 1 AS gone FROM {{t}} WHERE {_text(column)} IS NULL")
    if not count:
        return ()
    numbered = origin.numbered and origin.table.dialect.ordered
    fault = Fault(
        code="missing-id" if what == "item" else f"missing-{what}",
        where=where,
        found=f"{counted(count, 'row', 'name')} no {what}.",
        fix=f"Fill it in: every row says which {what} it is about.",
        count=count,
        examples=_first_without(origin, column) if numbered else (),
    )
    return (fault,)


def disagreements(origin: Origin, item: str, carried: Mapping[str, str]) -> tuple[Fault, ...]:
    """Find items whose rows do not agree on the truth, the weight or another fact of the item."""
    faults = []
    for role, column in carried.items():
        name = quote_name(column)
        several = (
            f"SELECT item, MIN(fact) AS one, MAX(fact) AS two FROM (SELECT {_text(item)} AS item, "
            f"{name} AS fact FROM {{t}}) AS facts GROUP BY item HAVING COUNT(DISTINCT fact) > 1"
        )
        rows = origin.table.query(f"{several} ORDER BY item LIMIT 3")
        if rows:
            count = _how_many(origin, several)
            faults.append(
                Fault(
                    code=f"{say_role(role)}-disagrees",
                    where=printable(f"{origin.name}, column {column!r}"),
                    found=f"{counted(count, 'item', 'have')} more than one {say_role(role)}.",
                    fix=f"An item has one {say_role(role)}, the same in all its rows: correct the "
                    "file.",
                    count=count,
                    examples=tuple(f"item {i!r}: {a!r} and {b!r}" for i, a, b in rows),
                )
            )
    return tuple(faults)


def _how_many(origin: Origin, sql: str) -> int:
    ((count,),) = origin.table.query(f"SELECT COUNT(*) FROM ({sql}) AS found")
    return int(count)


def _first_without(origin: Origin, column: str) -> tuple[str, ...]:
    rows = origin.table.query(
        "SELECT place FROM (SELECT ROW_NUMBER() OVER () AS place, "
        f"{_text(column)} AS name FROM {{t}}) AS named WHERE name IS NULL ORDER BY place LIMIT 3"
    )
    return tuple(f"row {place}" for (place,) in rows)


def _first_rows(origin: Origin, texts: Sequence[str], named: str, lost: int) -> Origin:
    if not origin.table.dialect.ordered:
        message = (
            f"{printable(origin.name)}: the rows of a cluster have no order, so no row of an id is "
            "its first. Leave repeated ids out before you hand the frame in."
        )
        raise RequestError(message, code="no-order")
    # Rows without a key stay, each with a turn of its own: they are refused later.
    parts = ", ".join([*texts, f"CASE WHEN {named} THEN 0 ELSE place END"])
    places = "SELECT *, ROW_NUMBER() OVER () AS place FROM {t}"
    turns = f"SELECT *, ROW_NUMBER() OVER (PARTITION BY {parts} ORDER BY place) AS turn"
    columns = ", ".join(quote_name(name) for name in origin.columns)
    made = f"SELECT {columns} FROM ({turns} FROM ({places}) AS a) AS b WHERE turn = 1"
    note = f"{counted(lost, 'row')} of {origin.name} repeated an id; the first of each was kept"
    kept = origin.derive(made, keep=True)
    left_out = Exclusion(reason="repeated id", rows=lost)
    return replace(
        kept, notes=(*kept.notes, note), excluded=(*kept.excluded, left_out), numbered=False
    )


def _text(column: str) -> str:
    return f"NULLIF(CAST({quote_name(column)} AS VARCHAR), '')"


# --- whether all systems have all items, and what becomes of items that only some have -----------


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
            raise _contradict(finder.origin, len(systems), rows)
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
    return Matched(
        pairing="common", faults=(_describe_unmatched(finder, everywhere, rows, missing),)
    )


def own_items(roles: Roles, origin: Origin, left_out: Sequence[int], rows: int) -> bool:
    """Tell whether the systems of a wide table were declared to have items of their own.

    An empty cell then means that the system was not tested on the item; without one, all systems
    have the same items, which contradicts the declaration.
    """
    if roles.pairing != "independent" or origin.present or len(left_out) < 2:
        return False
    if not any(left_out):
        raise _contradict(origin, len(left_out), rows)
    return True


def _contradict(origin: Origin, systems: int, rows: int) -> NotComparable:
    message = (
        f"{printable(origin.name)}: all {systems} systems have the same {counted(rows, 'item')}, "
        "so they are common, not independent. Leave pairing out, or give each system its own items."
    )
    return NotComparable(message, code="pairing-contradicted")


def _describe_unmatched(
    finder: RowFinder, everywhere: str, rows: int, missing: Sequence[str]
) -> Fault:
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
