"""Labels on a GPU become codes of named classes there, and codes become counts of cells."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steelyard.tally.array_columns import LabelColumn, label_column
from steelyard.tally.device.libraries import Library

__all__ = ["DeviceLabels", "count_cells", "read_labels"]

DENSE = 1 << 24
"""Up to here a table of all cells is counted by index; beyond it cells are sorted."""

SPAN = 1 << 20
"""Whole-number labels that lie this close together are looked up instead of sorted."""

Array = Any


class DeviceLabels(NamedTuple):
    """The distinct labels as a column of this machine reads them, and the place of every row."""

    distinct: LabelColumn
    places: Array

    def codes(self, library: Library, number: Mapping[str, int]) -> Array:
        """Give every row the number of its class."""
        numbers = [number[self.distinct.classes[code]] for code in self.distinct.codes]
        return library.put(np.array(numbers, dtype=np.int64), self.places)[self.places]


def read_labels(library: Library, labels: Array, where: str) -> DeviceLabels:
    """Read a column of labels: the few distinct ones are named as everywhere, the rows stay."""
    kind = str(labels.dtype)
    if len(labels) and ("int" in kind or "bool" in kind):
        rows = library.whole(labels)
        (low, high), _ = library.gather([rows.min(), rows.max()])
        if high - low < SPAN:
            counts = library.host(library.histogram(rows - low, high - low + 1))
            occurring = np.flatnonzero(counts)
            values = (occurring + low).astype(np.bool_ if "bool" in kind else np.int64)
            place = np.zeros(counts.size, dtype=np.int64)
            place[occurring] = np.arange(occurring.size)
            return DeviceLabels(label_column(values, where), library.put(place, rows)[rows - low])
    found = library.distinct(labels)
    return DeviceLabels(
        label_column(library.host(found.values), where), library.below(found.values, labels)
    )


def count_cells(
    library: Library, codes: Sequence[Array], sizes: Sequence[int]
) -> dict[tuple[int, ...], int]:
    """Count rows by the codes of several columns together, leaving out what never occurs."""
    # What the number of a cell stands for: a known list of codes, and then the columns since.
    known: NDArray[np.int64] = np.arange(sizes[0])[:, None]
    since: list[int] = []
    cell, size = codes[0], sizes[0]
    for column, wide in zip(codes[1:], sizes[1:], strict=True):
        cell, size = cell * wide + column, size * wide
        since.append(wide)
        if size > DENSE:
            # Only what occurs goes on, so that no number of columns is too large for 64 bits.
            found = library.distinct(cell).values
            cell = library.below(found, cell)
            known, since = _decode(library.host(found), known, since), []
            size = len(known)
    counts = library.host(library.histogram(cell, size))
    cells = np.flatnonzero(counts)
    names = map(tuple, _decode(cells, known, since).tolist())
    return dict(zip(names, counts[cells].tolist(), strict=True))


def _decode(
    cells: NDArray[np.int64], known: NDArray[np.int64], since: Sequence[int]
) -> NDArray[np.int64]:
    first, *rest = np.unravel_index(cells, (len(known), *since))
    return np.column_stack([known[first], *rest])
