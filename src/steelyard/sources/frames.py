"""Frames and arrays that live in this process: pandas, polars, pyarrow, numpy, lists."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from steelyard.counts.row_names import refuse_other_rows
from steelyard.engines.local import LocalEngine
from steelyard.errors import (
    ExtraMissing,
    Fault,
    SourceError,
    UnusableRows,
    listing,
    need,
    printable,
)
from steelyard.sources.origins import Choose, Origin, all_columns, refuse_repeated_columns
from steelyard.sources.roles.declared import ASIDE, NamedColumns, RoledColumns

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["as_numpy", "is_frame", "open_frame", "plain_columns", "plain_numbers"]

NAMED = ("collect_schema", "columns", "column_names")
"""How a frame says the names of its columns; a stream says them when it is read."""

BAD_VALUES = (
    ArithmeticError, AttributeError, LookupError, NotImplementedError, RuntimeError, TypeError,
    ValueError,
)  # fmt: skip
"""What a conversion to Arrow raises, and what columns that work themselves out then fail with."""


def is_frame(data: object) -> bool:
    """Tell whether data is a frame or a mapping of columns."""
    # The class is asked, not the object: a lazy frame would start to work out its columns.
    doors = ("__arrow_c_stream__", "to_arrow", "collect_schema", "columns")
    return isinstance(data, Mapping) or any(hasattr(type(data), door) for door in doors)


def open_frame(engine: LocalEngine, data: object, choose: Choose = all_columns) -> Origin:
    """Hand a frame, or a mapping of names to equally long columns, to the engine as Arrow."""
    is_mapping = isinstance(data, Mapping)
    name = "columns" if is_mapping else f"{type(data).__module__.split('.')[0]} frame"
    if isinstance(data, NamedColumns):
        name = data.name
    if not is_mapping and not any(hasattr(type(data), one) for one in NAMED):
        need("pyarrow", f"Reading a {name}")
        data = _arrow(data, name, None)
    names = _names(data)
    refuse_repeated_columns(name, names)
    chosen = choose(names)
    frame = _arrow(data, name, chosen) if _has_arrow() else _arrays(data, name, chosen)
    if _rows(frame) == 0:
        found = "there are columns, but not one row."
        fault = Fault(code="no-items", where=name, found=found, fix="Expected one row per item.")
        raise UnusableRows.of([fault])
    unread = tuple(one for one in names if one not in set(chosen))
    carries = ASIDE if isinstance(data, RoledColumns) else ()
    return Origin(name=name, table=engine.register(frame), unread=unread, carries=carries)


def _names(data: Any) -> list[str]:  # noqa: ANN401
    """List the columns without working out a single value."""
    if isinstance(data, Mapping):
        return [str(name) for name in data]
    if hasattr(data, "collect_schema"):
        return list(map(str, _work_out(data, lambda: data.collect_schema().names())))
    names = getattr(data, "column_names", None)
    return [str(name) for name in (data.columns if names is None else names)]


def _work_out(data: Any, work: Callable[[], Any]) -> Any:  # noqa: ANN401
    """Let a lazy frame work; what it fails with is not ours, and is reported in its own words."""
    try:
        return work()
    except Exception as error:
        message = (
            f"The {type(data).__name__} could not be worked out ({_first_line(error)}). Correct "
            "it, or collect it yourself and pass the result."
        )
        raise SourceError(message, code="not-a-table") from error


def _arrow(data: Any, name: str, chosen: Sequence[str] | None) -> "pa.Table":  # noqa: ANN401
    import pyarrow as pa

    if chosen is None:
        return _work_out(data, lambda: pa.table(data))
    wanted = set(chosen)
    if isinstance(data, Mapping):
        refuse_other_rows(data)
        return _from_columns({key: part for key, part in data.items() if str(key) in wanted})
    if isinstance(data, pa.Table):
        return plain_columns(data.select(list(chosen)))
    if hasattr(data, "collect") and hasattr(data, "collect_schema"):
        frame = data
        data = _work_out(frame, lambda: frame.select(list(chosen)).collect())
    if type(data).__module__.startswith("pandas"):
        kept = [column for column in data.columns if str(column) in wanted]
        return _from_columns({str(column): data[column] for column in kept})
    try:
        if type(data).__module__.startswith("polars"):
            data = _plain_polars(data.select(list(chosen)))
        return plain_columns(pa.table(data).select(list(chosen)))
    except BAD_VALUES as error:
        message = (
            f"The {name} cannot be read as a table ({_first_line(error)}). Give each column one "
            "type that others know: text, numbers or true/false."
        )
        raise SourceError(message, code="not-a-table") from error


def _plain_polars(frame: Any) -> Any:  # noqa: ANN401
    """Hand on what polars alone knows as what others know: wide whole numbers as text.

    Objects of Python would be handed on as where they lie in memory, which says nothing of them.
    """
    kinds = {name: str(kind) for name, kind in frame.schema.items()}
    for name, kind in kinds.items():
        if "Object" in kind:
            raise _explain_mixture(name, TypeError("objects of Python"))
    wide = [name for name, kind in kinds.items() if kind in {"Int128", "UInt128"}]
    return frame.with_columns([frame[name].cast(str) for name in wide])


def _has_arrow() -> bool:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return False
    return True


def _rows(frame: Any) -> int:  # noqa: ANN401
    if isinstance(frame, dict):
        return max((len(column) for column in frame.values()), default=0)
    return int(frame.num_rows)


def _arrays(data: Any, name: str, chosen: Sequence[str]) -> dict[str, Any]:  # noqa: ANN401
    """Lay out a mapping of columns without Arrow; frames of other libraries need it."""
    if not isinstance(data, Mapping):
        need("pyarrow", f"Reading a {name}")
    refuse_other_rows(data)
    wanted = set(chosen)
    columns = {str(key): _array(str(key), one) for key, one in data.items() if str(key) in wanted}
    _refuse_other_lengths(columns)
    return columns


def _array(name: str, values: Any) -> Any:  # noqa: ANN401
    import numpy as np

    from steelyard.engines.arrays import array_of

    try:
        if isinstance(values, str | bytes):
            raise TypeError(values)
        if not isinstance(values, list | tuple):
            values = _unmask(values) if isinstance(values, np.ma.MaskedArray) else values
            values = plain_numbers(as_numpy(values))
        if len(values) and (isinstance(values[0], list | tuple) or np.ndim(values[0])):
            need("pyarrow", "A column with a list of numbers for each item")
        return array_of(values)
    except ExtraMissing:
        raise
    except BAD_VALUES as error:
        raise _explain_mixture(name, error) from error


def _refuse_other_lengths(columns: Mapping[str, Any]) -> None:
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        said = listing([f"{name} has {length:,}" for name, length in lengths.items()])
        message = f"Columns differ in length: {said}. Each needs one entry per item."
        raise SourceError(message, code="lengths-differ")


def _explain_mixture(name: str, error: Exception) -> SourceError:
    message = (
        f"Column {printable(name)!r} mixes types, or holds values that are not text, numbers "
        f"or true/false ({_first_line(error)}). Give each column one type, for example with "
        ".astype(str)."
    )
    return SourceError(message, code="mixed-column")


def _from_columns(data: Mapping[Any, Any]) -> "pa.Table":
    import pyarrow as pa

    columns = {str(name): _column(str(name), values) for name, values in data.items()}
    _refuse_other_lengths(columns)
    return plain_columns(pa.table(columns))


def _column(name: str, values: Any) -> Any:  # noqa: ANN401
    """Turn one column into Arrow; NaN and None become "nothing there"."""
    import numpy as np
    import pyarrow as pa

    try:
        if isinstance(values, str | bytes):
            raise TypeError(values)
        if type(values).__module__.startswith("pandas"):
            return pa.Array.from_pandas(values)
        if hasattr(values, "__arrow_c_stream__"):
            return pa.chunked_array(values)
        if not isinstance(values, list | tuple | pa.Array):
            values = _unmask(values) if isinstance(values, np.ma.MaskedArray) else values
            values = plain_numbers(as_numpy(values))
            if values.ndim != 1:
                values = list(values)
        return pa.array(values, from_pandas=True)
    except BAD_VALUES as error:
        raise _explain_mixture(name, error) from error


def as_numpy(values: Any) -> Any:  # noqa: ANN401
    """Take tensors of other libraries through the doors they have; none of them is imported."""
    import numpy as np

    if hasattr(values, "detach"):  # a tensor that keeps its history for learning
        values = values.detach()
    if hasattr(values, "cpu"):  # from wherever it lives to this machine
        values = values.cpu()
    elif hasattr(values, "__cuda_array_interface__") and hasattr(values, "get"):  # CuPy
        values = values.get()
    if not hasattr(values, "__array__") and hasattr(values, "__dlpack__"):
        return np.from_dlpack(values)
    return np.asarray(values)


def plain_numbers(values: Any) -> Any:  # noqa: ANN401
    """Bring numbers into the order of bytes, and the width, that every library reads.

    >>> import numpy as np
    >>> plain_numbers(np.array([1.5], dtype=">f8")).dtype == np.dtype(float)
    True
    """
    import numpy as np

    if values.dtype.kind in "iufb" and not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    if values.dtype == np.float16:
        return values.astype(np.float32)
    if values.dtype.kind == "f" and values.dtype.itemsize > np.dtype(float).itemsize:
        narrow = values.astype(np.float64)
        if np.unique(narrow).size != np.unique(values).size:
            message = f"numbers of {values.dtype} differ only in digits that are not kept"
            raise ValueError(message)
        return narrow
    return values


def _unmask(values: Any) -> Any:  # noqa: ANN401
    import numpy as np

    return np.where(np.ma.getmaskarray(values), None, values.data.astype(object))


def plain_columns(frame: "pa.Table") -> "pa.Table":
    """Unpack categories, so that a class is one text whatever table of codes stands behind it.

    Decimals that the database does not know become text, and numbers of 16 bits wider ones.
    """
    import pyarrow as pa

    for place, field in enumerate(frame.schema):
        if pa.types.is_dictionary(field.type):
            column = frame.column(place)
            chunks = [_decode(chunk) for chunk in column.chunks]
            frame = frame.set_column(place, field.name, pa.chunked_array(chunks))
        elif pa.types.is_decimal256(field.type):
            # The database would round these to floating point; as text they keep their digits.
            frame = frame.set_column(place, field.name, frame.column(place).cast(pa.string()))
        elif pa.types.is_float16(field.type):  # which the database does not know, either
            frame = frame.set_column(place, field.name, frame.column(place).cast(pa.float32()))
    return frame


def _decode(chunk: Any) -> Any:  # noqa: ANN401
    import pyarrow as pa

    names = chunk.dictionary
    if pa.types.is_string_view(names.type):  # which Arrow cannot unpack yet
        names = names.cast(pa.large_string())
    return pa.DictionaryArray.from_arrays(chunk.indices, names).dictionary_decode()


def _first_line(error: Exception) -> str:
    text = str(error.args[0]) if error.args else type(error).__name__
    return printable(text.splitlines()[0][:120] if text else type(error).__name__)
