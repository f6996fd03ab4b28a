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
    if "item" not in wide.roles:
        why = "needs the item's id, to find its truth in the other file"
        raise need_item(wide.origin, roles, why)
    own = replace(Roles(), truth=column, item=roles.item if roles.item in truths.columns else None)
    found = find_roles(truths, own)
    if "item" not in found:
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
    note = f"the truth comes from {printable(truths.name)}, joined by item id"
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
