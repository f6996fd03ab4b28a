"""Columns of raters: what people or systems said of items, with or without a truth."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from steelyard.counts.labels import sort_classes
from steelyard.engines.dialect import quote_name
from steelyard.engines.table import Statement
from steelyard.errors import (
    ColumnMissing,
    Fault,
    NotComparable,
    RequestError,
    RolesUnclear,
    UnusableRows,
    counted,
    listing,
    printable,
    switch,
    switch_list,
)
from steelyard.sources.faults import RowFinder, class_not_whole
from steelyard.sources.files.files import FileOptions
from steelyard.sources.opening import arrange
from steelyard.sources.predictions import Predictions, System
from steelyard.sources.roles.columns import (
    Column,
    Levels,
    class_caveats,
    look_at_columns,
    read_levels,
    say_alike,
)
from steelyard.sources.roles.declared import EVERY_CLASS, IDLE_COLUMNS, LEFT_ASIDE, Roles
from steelyard.sources.roles.layout import Wide
from steelyard.sources.roles.other_roles import check_other_roles
from steelyard.sources.roles.proposals import ID_NAME
from steelyard.sources.shapes.rating_rows import RatingRows, find_rating_rows
from steelyard.sources.understanding import count_rows

__all__ = ["open_raters"]

OFTEN = 10
"""So many times as many different values as another column has are no ratings on one scale."""

FEW_ROWS = 5

FLAGS_AND_DIGITS = frozenset({"boolean", "integer", "real"})


def open_raters(
    data: Any,  # noqa: ANN401
    roles: Roles,
    *,
    options: FileOptions | None = None,
    observe: Callable[[Statement], None] | None = None,
    memory: str | int | None = None,
) -> Predictions:
    """Open files, frames or columns whose columns are raters of the same items.

    Takes what :func:`~steelyard.sources.open_predictions` takes. Nobody is right or wrong here: a
    declared truth is one more rater, any other column of a system too, and a null means that the
    rater said nothing of the item.
    """
    roles = replace(_name_raters(roles), proposals=False)  # a rater may be called label, or pred
    wide = arrange(data, roles, options=options, observe=observe, memory=memory)
    if roles.systems is not None or not roles.names_no_column():
        return _open_wide(wide, roles)
    rows = find_rating_rows(wide.origin)
    if rows is None:
        return _open_wide(wide, roles)
    if not rows.named or len(rows.answers) > 1:
        raise _ask_rating(wide, rows)
    said = replace(roles, system=rows.rater, item=rows.item, called=rows.answers)
    return _open_wide(
        arrange(data, said, options=options, observe=observe, memory=memory), said, rows
    )


def _ask_rating(wide: Wide, rows: RatingRows) -> RolesUnclear:
    """Name the roles of a row for each rating, where names alone do not say them."""
    several = len(rows.answers) > 1
    answers = f" and {switch('called', rows.answers[0])}" if several else ""
    others = f" Other columns that may hold it: {listing(rows.answers[1:])}." if several else ""
    message = (
        f"{printable(wide.origin.name)} has a row for each rating, it seems: {rows.rater!r} says "
        f"who rated, {rows.item!r} what, and {rows.answers[0]!r} what was said.{others} Say so: "
        f"{switch('system', rows.rater)} and {switch('item', rows.item)}{answers}; or, if columns "
        f"are raters, name them: {switch('raters', 'NAMES')}."
    )
    return RolesUnclear(message, code="rating-rows")


def _open_wide(wide: Wide, roles: Roles, rows: RatingRows | None = None) -> Predictions:
    count_rows(wide.origin)
    faults = [*wide.faults, *_id_faults(wide)]
    if faults:
        raise UnusableRows.of(faults)
    raters = _raters(wide, roles)
    raters, ids = (raters, []) if roles.systems is not None else _without_ids(wide, raters)
    columns = look_at_columns(wide.origin, list(raters.values()), titles=wide.titles)
    finder = RowFinder(origin=wide.origin, item=None)
    kinds = {column.kind for column in columns.values()}
    digits = "boolean" in kinds and len(kinds) > 1 and kinds <= FLAGS_AND_DIGITS
    _refuse_fractions(finder, {name: columns[column] for name, column in raters.items()})
    levels = {
        name: _levels(finder, columns[column], digits=digits) for name, column in raters.items()
    }
    strange = [] if roles.systems is not None else _strangers(levels, roles)
    for name in strange:
        del levels[name]
    left = [*map(_say_id, ids), *map(_say_stranger, strange)]
    found = _assemble(wide, roles, levels, left)
    return found if rows is None else _say_rows(found, rows)


def _say_rows(found: Predictions, rows: RatingRows) -> Predictions:
    """Say what was taken by name, and how columns of raters are named instead."""
    said = (
        f"a row for each rating, by names: {rows.rater} says who rated, {rows.item} what, "
        f"{rows.answers[0]} what was said; if columns are raters, name them: "
        f"{switch('raters', 'NAMES')}"
    )
    return replace(
        found,
        understood=(("layout", said), *found.understood),
        caveats=(f"taken as {said}", *found.caveats),
    )


def _name_raters(roles: Roles) -> Roles:
    """Take declared columns of categories for the raters, and refuse those of anything else."""
    others = {kind: getattr(roles, kind) for kind in ("score", "vector", "value", "per")}
    given = next((kind for kind, columns in others.items() if columns), None)
    if given is not None:
        message = (
            f"Raters name categories, and {given}= (--{given}) says that a column holds numbers "
            "of another kind. Leave it out, and name the raters: "
            f"{switch('raters', 'NAMES')}; whole numbers are categories, too."
        )
        raise RequestError(message, code="rated-numbers")
    said = (*roles.called, *roles.outcome)
    return replace(roles, systems=said) if said and roles.systems is None else roles


def _strangers(levels: dict[str, Levels], roles: Roles) -> list[str]:
    """Find columns that say nothing any other says, where others do rate on one scale.

    A feature such as a site, a patient or a weight is no rater; counted as one it would halve the
    agreement of those who are.
    """
    alone = [
        name
        for name, level in levels.items()
        if name != roles.truth
        and all(
            level.names.keys().isdisjoint(other.names)
            for key, other in levels.items()
            if key != name
        )
    ]
    return alone if len(levels) - len(alone) >= 2 else []


def _say_id(name: str) -> str:
    return f"{name} looks like ids of the items"


def _say_stranger(name: str) -> str:
    return f"{name} says nothing that any other rater says"


def _id_faults(wide: Wide) -> list[Fault]:
    """Check the ids, where there are any: each item is rated once."""
    name = wide.roles.get("item")
    if name is None:
        return []
    item = look_at_columns(wide.origin, [name], names_only=[name], titles=wide.titles)[name]
    return check_other_roles(RowFinder(origin=wide.origin, item=item), {"item": item})


def _raters(wide: Wide, roles: Roles) -> dict[str, str]:
    """Find the column of every rater, the truth first where it was declared."""
    vectors = [name for name, columns in wide.values.items() if "" not in columns]
    known = {name: columns[""] for name, columns in wide.values.items() if "" in columns}
    if roles.truth is not None:
        known = {roles.truth: wide.roles["truth"], **known}
    asked = roles.systems
    if asked is not None:
        if len({*asked}) < len(asked):
            message = f"raters names one twice: {listing(asked)}. Name each once."
            raise RequestError(message)
        missing = [name for name in asked if name not in known]
        if missing:
            raise ColumnMissing.for_role(
                role="raters", wanted=missing[0], present=list(known), among=asked
            )
        first = [roles.truth] if roles.truth is not None else []
        known = {name: known[name] for name in dict.fromkeys([*first, *asked])}
    if len(known) < 2:
        found = listing(list(known)) or "none"
        left = f" {listing(vectors)} hold vectors." if vectors else ""
        truth = ""
        if roles.truth is None and "truth" in wide.roles:
            truth = f" To take the truth as one of them: {switch('truth', wide.roles['truth'])}."
        message = f"Agreement needs two raters or more. Found: {found}.{left}{truth}"
        raise NotComparable(message, code="one-rater")
    return known


def _without_ids(wide: Wide, raters: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    """Leave out columns that name the rows: their values hardly ever come again, ratings do."""
    names = [quote_name(column) for column in raters.values()]
    asked = ", ".join(f"COUNT({name}), APPROX_COUNT_DISTINCT({name})" for name in names)
    (found,) = wide.origin.table.query(f"SELECT {asked} FROM {{t}}")
    filled = dict(zip(raters, found[::2], strict=True))
    distinct = dict(zip(raters, found[1::2], strict=True))
    few = min(distinct.values())
    ids = [
        name
        for name in raters
        if (distinct[name] > few and ID_NAME.search(name))
        or (distinct[name] >= OFTEN * few and distinct[name] > filled[name] / 2)
        or (filled[name] > FEW_ROWS and distinct[name] > 0.9 * filled[name] > 1.5 * few)
    ]
    kept = {name: column for name, column in raters.items() if name not in ids}
    if len(kept) < 2:
        message = (
            f"Agreement needs two raters or more. Found: {listing(list(kept)) or 'none'}; "
            f"{listing(ids)} looks like ids. If it is a rater, say so: "
            f"{switch_list('raters', list(raters))}."
        )
        raise NotComparable(message, code="one-rater")
    return kept, ids


def _say_aside(left: Sequence[str]) -> tuple[tuple[str, str], ...]:
    how = f"if it is a rater, name all raters: {switch('raters', 'NAMES')}"
    return tuple((LEFT_ASIDE, f"{one}; {how}") for one in left)


def _no_scale(levels: dict[str, Levels]) -> tuple[str, ...]:
    """Say that two raters never use the same word, so that they cannot agree."""
    first, *others = levels.values()
    if len(others) != 1 or not first.names.keys().isdisjoint(others[0].names):
        return ()
    one, two = levels
    return (
        f"{one} and {two} have no category in common and agree nowhere: are both on one scale, "
        "and written alike?",
    )


def _levels(finder: RowFinder, column: Column, *, digits: bool) -> Levels:
    if column.kind in {"list", "struct", "other"}:
        message = (
            f"{finder.where(column)}: its values cannot name categories. Choose the columns of "
            f"raters: {switch('raters', 'NAMES')}."
        )
        raise RolesUnclear(message, code="holds-other")
    return read_levels(finder.origin, column, digits=digits)


def _refuse_fractions(finder: RowFinder, raters: dict[str, Column]) -> None:
    """Refuse ratings that are fractions, and propose the raters whose ratings are none."""
    broken = {
        name: rows
        for name, column in raters.items()
        if column.kind == "real"
        for rows in finder.count(column.no_class_sql())
        if rows
    }
    if not broken:
        return
    whole = [name for name in raters if name not in broken]
    fix = (
        f"Leave such columns out: {switch_list('raters', whole)}."
        if len(whole) > 1
        else "Grades such as 2.5 are whole once all are multiplied by 2."
    )
    raise UnusableRows.of(
        [class_not_whole(finder, raters[name], rows, fix) for name, rows in broken.items()]
    )


def _assemble(
    wide: Wide, roles: Roles, levels: dict[str, Levels], left: Sequence[str]
) -> Predictions:
    names = list(levels)
    chosen = ", ".join(f"{level.sql()} AS s{place}" for place, level in enumerate(levels.values()))
    origin = wide.origin
    ((rows,),) = origin.table.query("SELECT COUNT(*) FROM {t}")
    used: dict[str, int] = {}
    for level in levels.values():
        for name, count in level.names.items():
            used[name] = used.get(name, 0) + count
    return Predictions(
        table=origin.table.derive(f"SELECT {chosen} FROM {{t}}"),
        systems=tuple(
            System(name=name, holds="called", column=f"s{place}")
            for place, name in enumerate(names)
        ),
        rows=int(rows),
        pairing="common",
        classes=_categories(used, roles),
        excluded=origin.excluded,
        files=origin.files,
        understood=(*_say_aside(left), *_say(wide, names, used)),
        settings=roles.settings(),
        caveats=(
            *(f"{LEFT_ASIDE}: {said}" for _, said in _say_aside(left)),
            *_no_scale(levels),
            *say_alike("raters", names),
            *class_caveats(used),
            *_ignore(wide),
        ),
    )


def _categories(used: dict[str, int], roles: Roles) -> tuple[str, ...]:
    if roles.classes is None or roles.classes == EVERY_CLASS:
        return sort_classes(used)
    strange = sorted(set(used) - set(roles.classes))
    if strange:
        message = (
            f"Raters said {listing(strange)}, which was not declared. Declared: "
            f"{listing(roles.classes)}."
        )
        raise NotComparable(message, code="class-unknown")
    return roles.classes


def _say(wide: Wide, names: Sequence[str], used: dict[str, int]) -> tuple[tuple[str, str], ...]:
    said = [("layout", note) for note in wide.notes]
    said.append(("raters", f"{len(names)}: {listing(names, most=20)}"))
    said.append(("categories", f"{len(used)}: {listing(sort_classes(used), most=20)}"))
    idle = [name for name in wide.values if name not in names]
    if "truth" in wide.roles and wide.roles["truth"] not in names:
        idle.append(wide.roles["truth"])
    if idle and not wide.origin.present:
        said.append(("not used", listing(idle)))
    return tuple(said)


def _ignore(wide: Wide) -> tuple[str, ...]:
    caveats = [words for role, words in IDLE_COLUMNS.items() if role in wide.roles]
    if wide.origin.excluded:
        rows = sum(one.rows for one in wide.origin.excluded)
        caveats.append(f"{counted(rows, 'row', 'were')} left out before the raters were read")
    return tuple(caveats)
