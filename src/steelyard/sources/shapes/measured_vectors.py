"""Vectors of many classes: a list for each row, measured once as arrays of numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from steelyard.engines.dialect import quote_literal, quote_name
from steelyard.engines.local import LocalTable
from steelyard.sources.roles.columns import Column
from steelyard.sources.roles.readings import Numbers

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["BATCH_BYTES", "MANY_CLASSES", "MOST_SHOWN", "Written", "list_rows", "measure_vectors"]

MANY_CLASSES = 64
"""Up to so many classes, each has a column of its own and is spoken of in SQL."""

MOST_SHOWN = 8
"""So many numbers of a vector are shown."""

BATCH_BYTES = 1 << 26
"""Vectors are measured so many bytes at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A vector as it stands in the table: an expression per class, or one for them all.

    ``texts`` lists the numbers of a row as they are written, ``parts`` the columns they come from.
    """

    column: Column
    each: tuple[str, ...]
    texts: str
    parts: tuple[Column, ...]
    listed: str = ""
    unreadable: str = "FALSE"
    uneven_length: str = "FALSE"

    def list_sql(self) -> str:
        """All numbers of a row as one list."""
        return self.listed or f"[{', '.join(self.each)}]"


def measure_vectors(
    table: LocalTable,
    written: Mapping[str, Written],
    *,
    mark: str,
    classes: Sequence[str],
    replaced: Sequence[str],
) -> tuple[LocalTable, dict[str, Numbers]]:
    """Hand over the rows with a list for each vector, and what was measured of it.

    The columns in ``replaced`` are left behind, but for those whose form is still asked for. No
    statement names a number by itself, so that text, time and memory are linear in the classes.
    """
    kept = [name for name in table.columns if name not in set(replaced)]
    tests = {
        f"{mark} {what} {place}": sql
        for place, one in enumerate(written.values())
        for what, sql in (("odd", one.unreadable), ("uneven", one.uneven_length))
    }
    asked = [quote_name(name) for name in kept]
    asked += [f"{sql} AS {quote_name(name)}" for name, sql in tests.items()]
    lists = [f"{mark} {place}" for place in range(len(written))]
    asked += [
        f"{one.list_sql()} AS {quote_name(name)}"
        for name, one in zip(lists, written.values(), strict=True)
    ]
    size = len(classes)
    rows = max(1, BATCH_BYTES // (8 * size * len(written)))
    batches = table.arrow_batches(f"SELECT {', '.join(asked)} FROM {{t}}", rows)
    made = table.engine.hold(_with_measures(batches, lists, size))
    return made, {
        system: _numbers(one.column, name, mark=f"{mark} {{}} {place}", classes=classes)
        for place, (name, (system, one)) in enumerate(zip(lists, written.items(), strict=True))
    }


def _numbers(column: Column, name: str, *, mark: str, classes: Sequence[str]) -> Numbers:
    quoted = {
        what: quote_name(mark.format(what))
        for what in ("lost", "total", "low", "top", "sharing", "place", "odd", "uneven")
    }
    low, top = quoted["low"], quoted["top"]
    endless = "CAST('inf' AS DOUBLE)"
    named = ", ".join(quote_literal(one) for one in classes)
    return Numbers(
        column=column,
        size=len(classes),
        numbers=quote_name(name),
        lost=quoted["lost"],
        total=quoted["total"],
        negative=f"({low} < 0)",
        infinite=f"({top} = {endless} OR {low} = -{endless})",
        zero=f"({low} = 0 AND {top} = 0)",
        sharing=quoted["sharing"],
        first=f"list_extract([{named}], {quoted['place']})",
        shown=f"CAST(list_slice({quote_name(name)}, 1, {MOST_SHOWN}) AS VARCHAR)",
        unreadable=quoted["odd"],
        uneven_length=quoted["uneven"],
    )


def _with_measures(
    batches: Iterator["pa.RecordBatch"], lists: Sequence[str], size: int
) -> Iterator["pa.RecordBatch"]:
    for batch in batches:
        columns = dict(zip(batch.schema.names, batch.columns, strict=True))
        for name in lists:
            mark, _, place = name.rpartition(" ")
            table = list_rows(columns[name], size)
            for what, values in _measures(table).items():
                columns[f"{mark} {what} {place}"] = _arrow(values)
        yield _batch(columns)


def _measures(table: NDArray[np.float64]) -> dict[str, NDArray[Any]]:
    top = table.max(axis=1)
    return {
        "lost": np.isnan(top),  # one number that is none makes the largest none, too
        "total": table.sum(axis=1),
        "low": table.min(axis=1),
        "top": top,
        "sharing": np.count_nonzero(table == top[:, None], axis=1),
        "place": table.argmax(axis=1) + 1,
    }


def list_rows(column: "pa.Array", size: int) -> NDArray[np.float64]:
    """Lay out lists as a table of numbers; NaN where there is none, or a list is not so long."""
    starts = column.offsets.to_numpy()
    lengths = np.diff(starts)
    values = column.values.to_numpy(zero_copy_only=False)
    there = np.asarray(column.is_valid()) & (lengths == size)
    if there.all():
        rows: NDArray[np.float64] = values[starts[0] : starts[-1]].reshape(-1, size)
        return rows
    rows = np.full((len(column), size), np.nan)
    for place in np.flatnonzero(there).tolist():
        rows[place] = values[starts[place] : starts[place + 1]]
    return rows


def _arrow(values: NDArray[Any]) -> Any:  # noqa: ANN401
    import pyarrow as pa

    return pa.array(values)


def _batch(columns: Mapping[str, Any]) -> Any:  # noqa: ANN401
    import pyarrow as pa

    return pa.record_batch(columns)
