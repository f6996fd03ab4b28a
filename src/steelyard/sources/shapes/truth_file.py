"""The truth in a file of its own, joined to the answers by the item's id."""

from dataclasses import replace
from pathlib import Path

from steelyard.engines.dialect import quote_name
from steelyard.errors import Fault, RolesUnclear, UnusableRows, counted, listing, printable, switch
from steelyard.sources.files.formats import is_file
from steelyard.sources.origins import Origin
from steelyard.sources.roles.declared import Roles
from steelyard.sources.roles.layout import RESERVED, Wide, find_roles, need_item
from steelyard.sources.roles.name_words import find_paired_truth
from steelyard.sources.roles.repeats import unusable_keys, without_repeats

__all__ = ["join_truth", "split_truth"]

TRUTH = f"{RESERVED}truth elsewhere"
ROW = f"{RESERVED}row"
"""The place of a row, where it is its id."""


def split_truth(roles: Roles) -> tuple[Roles, Path | None, str | None]:
    """Tell a truth that is declared as FILE or FILE:COLUMN from the name of a column.

    Where it is a file, the roles of the answers have no truth, and none is proposed.
    """
    declared = roles.truth
    if not declared:
        return roles, None, None
    name, mark, column = declared.rpartition(":")
    for path, of in ((Path(declared), None), (Path(name), column)):
        if (of is None or mark) and is_file(path):
            return replace(roles, truth=None, truth_elsewhere=True), path, of
    return roles, None, None


def join_truth(wide: Wide, truths: Origin, roles: Roles, column: str | None) -> Wide:
    """Give every answered item the truth that the other file names for it."""
    if roles.pairing == "rows":
        wide, truths = _number_rows(wide, truths)
        roles = replace(roles, item=ROW)
    if "item" not in wide.roles:
        _ask_about_order(wide.origin, truths)
        why = "needs the item's id, to find its truth in the other file"
        raise need_item(wide.origin, roles, why)
    own = replace(Roles(), truth=column, item=roles.item if roles.item in truths.columns else None)
    found = find_roles(truths, own)
    if "item" not in found:
        _ask_about_order(wide.origin, truths)
        why = "needs the item's id, to say whose truth it holds"
        raise need_item(truths, roles, why)
    truth = found.get("truth") or _only_other(wide, truths, found["item"])
    keys = unusable_keys(truths, found["item"], what="item")
    table, repeated = without_repeats(truths, roles.duplicates, [found["item"]])
    if keys or repeated:
        raise UnusableRows.of([*keys, *repeated])
    item = f"CAST(a.{quote_name(wide.roles['item'])} AS VARCHAR)"
    facts = (
        f"SELECT CAST({quote_name(found['item'])} AS VARCHAR) AS of_item, "
        f"CAST({quote_name(truth)} AS VARCHAR) AS of_truth FROM {table.local_name()}"
    )
    joined = wide.origin.derive(
        f"SELECT a.*, f.of_truth AS {quote_name(TRUTH)} FROM {{t}} AS a LEFT JOIN ({facts}) AS f "
        f"ON f.of_item = {item}",
        keep=True,
    )
    joined = replace(joined, files=(*wide.origin.files, *truths.files), text=True)
    known = int(joined.table.query(f"SELECT COUNT({quote_name(TRUTH)}) FROM {{t}}")[0][0])
    if not known:
        raise _strangers(wide, truths, found["item"])
    ((items,),) = table.table.query("SELECT COUNT(*) FROM {t}")
    left = int(items) - known
    how = "row by row" if roles.pairing == "rows" else "by item id"
    note = f"the truth comes from {printable(truths.name)}, joined {how}"
    if left > 0:
        said = (
            f"{counted(left, 'item')} of {printable(truths.name)} {'was' if left == 1 else 'were'} "
            "not answered, and left out"
        )
        joined = replace(joined, caveats=(*joined.caveats, said))
    return replace(
        wide,
        origin=joined,
        roles={"truth": TRUTH, **wide.roles},
        titles={**wide.titles, TRUTH: f"column {truth!r} of {truths.name}"},
        notes=(*wide.notes, note),
    )


def _number_rows(wide: Wide, truths: Origin) -> tuple[Wide, Origin]:
    """Let the place of a row be its id, in both files, which have as many rows."""
    counts = [_count(one) for one in (wide.origin, truths)]
    if counts[0] != counts[1]:
        fault = Fault(
            code="rows-uneven",
            where=printable(f"{wide.origin.name} and {truths.name}"),
            found="rows are to be paired by their place, and there are not as many: "
            f"{counts[0]:,} and {counts[1]:,}.",
            fix="Give every row the id of its item, or name such a column: "
            f"{switch('item', 'COLUMN')}.",
        )
        raise UnusableRows.of([fault])
    place = f"SELECT *, CAST(ROW_NUMBER() OVER () AS VARCHAR) AS {quote_name(ROW)} FROM {{t}}"
    origin = wide.origin
    if wide.roles.get("item") != RESERVED + "item":
        origin = origin.derive(place, keep=True)
        wide = replace(wide, origin=origin, roles={**wide.roles, "item": ROW})
    return replace(wide, titles={**wide.titles, ROW: "the number of the row"}), truths.derive(
        place, keep=True
    )


def _ask_about_order(answers: Origin, truths: Origin) -> None:
    each = _count(answers) / max(1, len(answers.files))  # several files are not joined yet
    if each == _count(truths):
        from steelyard.sources.shapes.named_lists import ask_about_order

        raise ask_about_order(answers.name, truths.name, _count(truths))


def _count(origin: Origin) -> int:
    ((rows,),) = origin.table.query("SELECT COUNT(*) FROM {t}")
    return int(rows)


def _only_other(wide: Wide, truths: Origin, item: str) -> str:
    """Give the only column beside the id, or the one that the answers are called after."""
    others = [name for name in truths.columns if name != item]
    if len(others) == 1:
        return others[0]
    paired = find_paired_truth([*others, *(name for name in wide.values if name not in others)])
    if paired in others:
        return str(paired)
    message = (
        f"{printable(truths.name)}: which column says what is true? Found: {listing(others)}. "
        f"Name it: {switch('truth', f'{truths.name}:COLUMN')}."
    )
    raise RolesUnclear(message, code="truth-unclear")


def _strangers(wide: Wide, truths: Origin, item: str) -> UnusableRows:
    fault = Fault(
        code="no-items",
        where=printable(f"{wide.origin.name} and {truths.name}"),
        found="not one item of the answers is among those of the truth.",
        fix=f"Both are matched by id: here {wide.roles['item']!r}, there {item!r}.",
    )
    return UnusableRows.of([fault])
