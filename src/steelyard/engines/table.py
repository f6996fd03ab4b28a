"""What the other rooms may ask of a table, wherever it is scanned."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from steelyard.engines.dialect import Dialect

__all__ = ["ColumnKind", "Statement", "Table"]

ColumnKind = Literal["text", "integer", "real", "boolean", "list", "struct", "other"]
"""What the type of a column says about its values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One SQL text that was run, and how long it took."""

    sql: str
    seconds: float


class Table(Protocol):
    """Rows that stay where they are; only answers to SQL leave the engine.

    In every SQL text, ``{t}`` stands for this table.
    """

    @property
    def columns(self) -> Mapping[str, ColumnKind]:
        """Column names in their order, with what their types say."""

    @property
    def dialect(self) -> Dialect:
        """The words in which engines differ, as this one says them."""

    @property
    def most_rows(self) -> int | None:
        """How many rows an answer may have at most; None where there is no limit."""

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a query and fetch its rows."""

    def arrays(self, sql: str) -> dict[str, NDArray[np.generic]]:
        """Run a query and fetch its columns as arrays."""

    def derive(self, sql: str, *, keep: bool = False) -> Self:
        """Name the rows of a query as a table of their own; ``keep`` computes them once."""

    def keys(self, column: str) -> tuple[str, list[str]]:
        """List the keys of a column of objects, and say whether it is a struct or a map."""
