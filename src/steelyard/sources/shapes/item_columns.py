"""Tables of items as suites keep them: ids, classes and numbers, checked as all other rows are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from steelyard.engines.dialect import quote_name
from steelyard.engines.local import LocalEngine
from steelyard.errors import Fault, RolesUnclear, UnusableRows, listing, printable
from steelyard.sources.faults import RowFinder, missing_value, wrong_value
from steelyard.sources.files.files import FileOptions, open_file
from steelyard.sources.origins import Origin, refuse_repeated_columns
from steelyard.sources.roles.columns import Column, is_infinite, look_at_columns
from steelyard.sources.roles.other_roles import check_other_roles
from steelyard.sources.roles.repeats import without_repeats
from steelyard.sources.roles.truth import describe_unlabelled, read_truth
from steelyard.sources.understanding import count_rows

__all__ = ["ItemColumns", "read_item_columns"]

FIXES = {
    "duplicate-id": "Give every item an id of its own.",
    "missing-label": "Fill it in: every item has a class.",
    "label-fraction": "Classes are text, whole numbers or true/false.",
    "missing-group": "Fill it in: every item belongs to one group.",
    "missing-number": "Fill the gaps on purpose: nothing is made up.",
}
"""Ways out where no switch can leave rows out: a suite has all its items or is mended."""

PLAIN = "Expected a finite number such as 0.25 for every item."


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemColumns:
    """The columns of one table; ``faults`` is everything that is wrong with its rows."""

    texts: Mapping[str, tuple[str, ...]]
    numbers: Mapping[str, NDArray[np.float64]]
    faults: tuple[Fault, ...] = ()


def read_item_columns(
    path: Path,
    *,
    texts: Mapping[str, str],
    wanted: Sequence[str] | None = None,
    finite: bool = True,
    options: FileOptions | None = None,
) -> ItemColumns:
    """Read a table by the reader of all predictions, and check its rows in the same words.

    Parameters
    ----------
    path
        CSV, Parquet, Arrow or JSON lines, told by its content.
    texts
        Role of each column that holds names: item, truth, group or file.
    wanted
        Columns of numbers to read; all others by default.
    finite
        Whether a missing or infinite number is a fault; it is left as it is otherwise.
    options
        Delimiter, decimal mark and encoding, when they should not be detected.
    """
    engine = LocalEngine()
    origin = open_file(engine, path, options or FileOptions())
    if origin.repeated:
        refuse_repeated_columns(origin.name, origin.repeated)
    count_rows(origin)
    roles = {role: name for name, role in texts.items() if name in origin.columns}
    if wanted is None:
        _refuse_unnamed(origin)
        wanted = [name for name in origin.columns if name not in texts]
    named = list(roles.values())
    known = look_at_columns(origin, named, names_only=named, titles={})
    role = {one: known[name] for one, name in roles.items()}
    finder = RowFinder(origin=origin, item=role.get("item"))
    faults, read = _texts(finder, role)
    numbers, odd = _numbers(finder, [name for name in wanted if name in origin.columns], finite)
    for file in origin.files:
        replace(file, identity=engine.noted.get(file.path or path.resolve())).refuse_change()
    return ItemColumns(
        texts={roles[one]: column for one, column in read.items()},
        numbers=numbers,
        faults=tuple(replace(one, fix=FIXES.get(one.code, one.fix)) for one in (*faults, *odd)),
    )


def _refuse_unnamed(origin: Origin) -> None:
    if origin.unnamed:
        message = (
            f"{printable(origin.name)}: {listing(origin.unnamed)} has no name of its own, and no "
            "column is read by its position. Name it, or leave it out."
        )
        raise RolesUnclear(message, code="no-header")


def _texts(
    finder: RowFinder, role: Mapping[str, Column]
) -> tuple[list[Fault], dict[str, tuple[str, ...]]]:
    """Read ids, classes, groups and files as text, and list what is wrong with them."""
    faults: list[Fault] = []
    if "item" in role:
        faults += without_repeats(finder.origin, "error", [role["item"].name])[1]
    faults += check_other_roles(
        finder, {one: role[one] for one in ("item", "group") if one in role}
    )
    selected = {one: column.identifier_sql() for one, column in role.items()}
    if "truth" in role:
        try:
            truth = read_truth(finder, role["truth"])
        except UnusableRows as refused:
            faults += refused.faults
        else:
            faults += describe_unlabelled(finder, truth, sum(truth.names.values()) + truth.missing)
            selected["truth"] = truth.sql()
    asked = ", ".join(f"COALESCE({sql}, '')" for sql in selected.values())
    rows = finder.origin.table.query(f"SELECT {asked} FROM {{t}}") if selected else []
    columns = zip(selected, zip(*rows, strict=True), strict=True)
    return faults, {one: tuple(map(str, column)) for one, column in columns}


def _numbers(
    finder: RowFinder,
    names: Sequence[str],
    finite: bool,  # noqa: FBT001
) -> tuple[dict[str, NDArray[np.float64]], list[Fault]]:
    """Read columns of numbers; where some value is none, list every column that has such."""
    if not names:
        return {}, []
    origin = finder.origin
    columns = [_as_numbers(origin, name) for name in names]
    nothing = "CAST('nan' AS DOUBLE)"
    asked = ", ".join(
        f"COALESCE({column.number_sql()}, {nothing}) AS {quote_name(f'n{place}')}"
        for place, column in enumerate(columns)
    )
    arrays = origin.table.arrays(f"SELECT {asked} FROM {{t}}")
    read = {
        name: np.asarray(arrays[f"n{place}"], dtype=np.float64) for place, name in enumerate(names)
    }
    odd = [one for one in columns if not np.isfinite(read[one.name]).all()]
    return read, [fault for one in odd for fault in _number_faults(finder, one, finite=finite)]


def _as_numbers(origin: Origin, name: str) -> Column:
    """Take a column for numbers; a decimal comma is looked for where it can be one."""
    if origin.table.columns[name] in {"list", "struct", "other"}:
        message = f"{printable(origin.name)}, column {name!r}: its values are not numbers. {PLAIN}"
        raise RolesUnclear(message, code="holds-other")
    if origin.text and origin.delimiter in {",", None} and origin.decimal is None:
        return Column(name=name, title=f"column {name!r}", kind="real", stored_as_text=True)
    return look_at_columns(origin, [name], titles={})[name]


def _number_faults(finder: RowFinder, column: Column, *, finite: bool) -> list[Fault]:
    unreadable, number = column.unreadable_number_sql(), column.number_sql()
    missing = f"(NOT {unreadable} AND {column.no_number_sql()})"
    odd, lost, endless, rows = finder.count(unreadable, missing, is_infinite(number), "TRUE")
    faults = []
    if odd:
        found = ("hold", "no number that can be read")
        faults.append(
            wrong_value(
                finder, column, condition=unreadable, count=odd, code="number-value",
                found=found, fix=PLAIN,
            )
        )  # fmt: skip
    if lost and finite:
        faults.append(
            missing_value(finder, column, condition=missing, count=lost, rows=rows, role="number")
        )
    if endless and finite:
        found = ("hold", "an infinite number")
        faults.append(
            wrong_value(
                finder, column, condition=is_infinite(number), count=endless,
                code="number-infinite", found=found, fix=PLAIN,
            )
        )  # fmt: skip
    return faults
