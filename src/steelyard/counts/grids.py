"""Numbers as whole numbers of steps, so that every engine and order of rows gives the same sums."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import frexp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["DIGITS", "LARGEST_VALUE", "Grid", "Span", "exact_products"]

DIGITS = (0, 3, 6, 9)
"""Values that all have so many decimals, or fewer, are summed as the decimals that they are."""

LARGEST_STEPS = 2**51
"""Up to here ``floor(x * 10^d + 0.5)`` finds the decimal behind a floating-point number for sure:
the product errs by less than half a step."""

MOST_BITS = 180
"""Of values that differ by more than this in size, what lies below it is cut off."""

LARGEST_VALUE = 1e100
"""Squares of values beyond this leave the range of floating point."""

WIDTH = 20
ROWS = 1 << 13
"""Products of two parts of 20 bits, summed over 2^13 rows, are exact in floating point."""


class Span(NamedTuple):
    """What is known of a column before it is summed.

    ``smallest`` is the least size of a value that is not 0 (0 where all are), ``off`` the number
    of values that have more decimals than each of :data:`DIGITS`.
    """

    least: float
    largest: float
    smallest: float
    off: tuple[int, ...]

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "Span":
        """Look at an array; the same is asked of an engine in SQL.

        >>> Span.of(np.array([0.5, -2.0])).off
        (1, 0, 0, 0)
        """
        size = np.abs(values)
        filled = size[size > 0]
        return cls(
            least=float(values.min()),
            largest=float(values.max()),
            smallest=float(filled.min()) if filled.size else 0.0,
            off=tuple(
                int(np.count_nonzero(np.floor(size * 10.0**d + 0.5) / 10.0**d != size))
                for d in DIGITS
            ),
        )

    @property
    def size(self) -> float:
        """The largest size of a value."""
        return max(abs(self.least), abs(self.largest))


@dataclass(frozen=True, slots=True)
class Grid:
    """Steps of 10^-digits, or (where ``digits`` is None) of 2^-places, and the bits they take."""

    digits: int | None
    places: int
    bits: int

    @classmethod
    def of(cls, span: Span) -> "Grid":
        """Choose the coarsest steps on which every value lies.

        Decimals are taken for what was written: 0.1 is a tenth, not the floating-point number
        next to it. So equal differences of decimals are equal, and a constant one has no spread.

        >>> Grid.of(Span.of(np.array([0.25, 3.5])))
        Grid(digits=3, places=0, bits=12)
        >>> Grid.of(Span.of(np.array([1 / 3, 3.0]))).digits is None
        True
        """
        for digits, off in zip(DIGITS, span.off, strict=True):
            steps = int(span.size * 10.0**digits + 1)
            if off == 0 and steps < LARGEST_STEPS:
                return cls(digits=digits, places=0, bits=steps.bit_length())
        top = frexp(span.size)[1]
        bits = min(top - (frexp(span.smallest)[1] - 53), MOST_BITS)
        return cls(digits=None, places=bits - top, bits=bits)

    @property
    def scale(self) -> Fraction:
        """How many steps make 1."""
        return Fraction(10**self.digits) if self.digits is not None else Fraction(2) ** self.places

    def parts(self, width: int) -> int:
        """Count the parts of so many bits that a value is cut into."""
        return -(-self.bits // width)

    def lower(self, width: int) -> int:
        """Give the power of two by which a size comes down to its first part."""
        return self.places - width * (self.parts(width) - 1)

    def split(self, values: NDArray[np.float64], width: int) -> Iterator[NDArray[np.float64]]:
        """Cut values into whole numbers of ``width`` bits, the highest first, with their signs."""
        steps = values
        if self.digits is not None:
            steps = np.copysign(np.floor(np.abs(values) * 10.0**self.digits + 0.5), values)
        # Scaling by powers of two and taking the whole part away lose nothing.
        left = np.ldexp(steps, self.lower(width))
        for _ in range(self.parts(width)):
            whole = np.trunc(left)
            yield whole
            left -= whole
            left *= 2.0**width

    def join(self, parts: Sequence[int], width: int) -> int:
        """Add the sums of parts up to the sum of steps.

        >>> Grid(digits=0, places=0, bits=40).join([1, 2], 20)
        1048578
        """
        total = 0
        for part in parts:
            total = (total << width) + int(part)
        return total


def exact_products(
    columns: Sequence[NDArray[np.float64]], grids: Sequence[Grid]
) -> tuple[list[int], list[list[int]]]:
    """Sum columns and their products without any error, in steps of their grids.

    >>> grid = Grid.of(Span.of(np.array([0.1, 0.2])))
    >>> exact_products([np.array([0.1, 0.2])], [grid])
    ([300], [[50000]])
    """
    starts = np.cumsum([0, *(grid.parts(WIDTH) for grid in grids)])
    size = int(starts[-1])
    totals: list[list[int]] = [[0] * (size + 1) for _ in range(size + 1)]
    for at in range(0, len(columns[0]), ROWS):
        cut = [
            part
            for column, grid in zip(columns, grids, strict=True)
            for part in grid.split(column[at : at + ROWS], WIDTH)
        ]
        cut.append(np.ones(len(cut[0])))
        matrix = np.stack(cut)
        for total, row in zip(totals, (matrix @ matrix.T).tolist(), strict=True):
            for place, number in enumerate(row):
                total[place] += int(number)
    spans = list(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True))
    sums = [
        grid.join(totals[size][low:high], WIDTH)
        for grid, (low, high) in zip(grids, spans, strict=True)
    ]
    products = [
        [
            one.join([two.join(totals[i][a:b], WIDTH) for i in range(low, high)], WIDTH)
            for two, (a, b) in zip(grids, spans, strict=True)
        ]
        for one, (low, high) in zip(grids, spans, strict=True)
    ]
    return sums, products
