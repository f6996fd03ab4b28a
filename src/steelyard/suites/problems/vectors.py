"""Vectors an algorithm gave, checked: every item once, one non-negative number for each class."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import RefusedData, counted, listing
from steelyard.sources.shapes.vectors import VECTOR_FAULTS, VECTOR_FIX
from steelyard.suites.problems.item_files import SUFFIXES, read_table, write_table

__all__ = ["Vectors", "check_vectors", "parse_lines", "read_vectors", "write_vectors"]

Vectors = NDArray[np.float64]

MOST_SHOWN = 8
"""So many numbers of a vector are shown."""


def parse_lines(output: bytes, *, items: int, classes: int) -> Vectors:
    r"""Read vectors as MeasTex programs write them: a line of numbers for each image, in order.

    Examples
    --------
    >>> parse_lines(b"0.9 0.1\n0.2 0.8\n", items=2, classes=2).tolist()
    [[0.9, 0.1], [0.2, 0.8]]
    """
    lines = [line.split() for line in output.splitlines() if line.strip()]
    for place, line in enumerate(lines[: items + 1], 1):
        if len(line) != classes:
            message = f"line {place} has {len(line)} numbers, expected {classes}"
            raise _invalid(message)
    if len(lines) != items:
        message = f"{len(lines)} lines of vectors for {items} items"
        raise _invalid(message)
    odd = next((word for line in lines for word in line if b"_" in word), None)
    if odd is not None:  # which only Python takes for a number
        message = f"a vector holds what is not a number ({odd.decode(errors='replace')!r})"
        raise _invalid(message)
    try:
        return np.array([[float(word) for word in line] for line in lines])
    except ValueError as error:
        message = f"a vector holds what is not a number ({error})"
        raise _invalid(message) from None


def read_vectors(folder: Path, name: str, *, ids: Sequence[str], classes: Sequence[str]) -> Vectors:
    """Read ``name.csv`` or ``name.parquet``: a column id, and one for each class."""
    found = [path for suffix in SUFFIXES if (path := folder / f"{name}{suffix}").is_file()]
    if not found:
        message = f"wrote neither {name}.csv nor {name}.parquet"
        raise _invalid(message)
    if found[0].is_symlink():
        message = f"{found[0].name} is a link; write the table itself"
        raise _invalid(message)
    try:
        table = read_table(found[0], texts={"id": "item"}, numbers=classes, finite=False)
    except RefusedData as error:
        raise _invalid(str(error)) from None
    given, lost = table.get("id"), [head for head in classes if head not in table]
    if not isinstance(given, list) or lost:
        message = f"{found[0].name} has no column {listing(lost) or 'id'}"
        raise _invalid(message)
    place = {name: at for at, name in enumerate(given)}
    missing = [name for name in ids if name not in place]
    if missing or len(place) != len(given) or len(given) != len(ids):
        message = f"{found[0].name} has {len(given)} rows for {len(ids)} items" + (
            f", none for {listing(missing, most=3)}" if missing else ""
        )
        raise _invalid(message)
    columns = np.column_stack([np.asarray(table[head], dtype=np.float64) for head in classes])
    return np.asarray(columns[[place[name] for name in ids]])


def check_vectors(vectors: Vectors) -> Vectors:
    """Refuse vectors that cannot be scored; nothing is squashed silently."""
    wrong = {
        ("have", "no number for some class"): np.isnan(vectors).any(axis=1),
        VECTOR_FAULTS["vector-negative"]: (vectors < 0).any(axis=1),
        VECTOR_FAULTS["vector-infinite"]: np.isinf(vectors).any(axis=1),
        VECTOR_FAULTS["vector-zero"]: (vectors == 0).all(axis=1),
    }
    for (verb, what), rows in wrong.items():
        if rows.any():
            place = int(rows.argmax())
            shown = ", ".join(map(str, vectors[place][:MOST_SHOWN].tolist()))
            said = f"{counted(int(rows.sum()), 'row', verb)} {what}"
            message = f"{said}. First: row {place + 1}: '[{shown}]'. {VECTOR_FIX}"
            raise _invalid(message)
    with np.errstate(over="ignore"):
        endless = np.isinf(vectors.sum(axis=1))
    if endless.any():
        said = counted(int(endless.sum()), "row", "have")
        message = f"{said} numbers whose sum is beyond any number. Divide them by one number."
        raise _invalid(message)
    return vectors


def write_vectors(path: Path, ids: Sequence[str], classes: Sequence[str], vectors: Vectors) -> None:
    """Write checked vectors as the harness keeps them."""
    columns = {name: vectors[:, place] for place, name in enumerate(classes)}
    write_table(path, {"id": list(ids), **columns})


def _invalid(message: str) -> RefusedData:
    return RefusedData(message, code="vectors")
