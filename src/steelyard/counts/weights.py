"""Sums of weights as whole numbers, so that every engine and order of rows gives the same bits."""

from typing import NamedTuple, Self

__all__ = ["LARGEST_WEIGHT", "SCALE", "SMALLEST_LARGEST", "WeightSums"]

SCALE = 2**30
"""Weights and scores are rounded to multiples of 1/SCALE before they are summed."""

LARGEST_WEIGHT = 2**32
"""No row may weigh more: the sum of 2^32 squares, times SCALE, still fits in 128 bits."""


SMALLEST_LARGEST = 2**-8
"""Some row must weigh as much: the squares of smaller weights, times SCALE, have few digits."""


class WeightSums(NamedTuple):
    """Sum of the weights and of their squares over some rows, each times ``SCALE``.

    A weight ``w`` enters as ``floor(w * SCALE + 0.5)`` and ``floor(w * w * SCALE + 0.5)``. Two sums
    are enough for a weighted share and for its variance, so nothing else of the weights is kept.

    Examples
    --------
    >>> three_rows = WeightSums(3 * SCALE, 3 * SCALE)
    >>> three_rows.total, three_rows.effective
    (3.0, 3.0)
    """

    scaled: int
    scaled_squares: int

    @property
    def total(self) -> float:
        """The sum of the weights."""
        return self.scaled / SCALE

    @property
    def effective(self) -> float:
        """Kish's effective number of rows, (sum w)^2 / sum w^2; 0 when nothing weighs anything."""
        if self.scaled_squares == 0:
            return 0.0
        return self.scaled * self.scaled / (SCALE * self.scaled_squares)

    def merged(self, other: Self) -> "WeightSums":
        """Add the sums of another set of rows.

        >>> WeightSums(1, 1).merged(WeightSums(2, 4))
        WeightSums(scaled=3, scaled_squares=5)
        """
        return WeightSums(self.scaled + other.scaled, self.scaled_squares + other.scaled_squares)
