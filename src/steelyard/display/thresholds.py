"""Thresholds on paper: short, and never rounded across a score."""

from decimal import ROUND_FLOOR, Decimal

from steelyard.errors import RequestError

__all__ = ["show_threshold"]

FEWEST_FIGURES = 3
MOST_FIGURES = 17
PLAIN = range(-6, 16)
"""Powers of ten that are written without an exponent."""


def show_threshold(value: float, below: float | None = None) -> str:
    """Write a threshold with so many figures that it calls the same items.

    ``below`` is the next lower score: what is written lies above it and not above the threshold.

    Examples
    --------
    >>> show_threshold(0.42), show_threshold(0.419999, 0.2), show_threshold(0.419999, 0.41999)
    ('0.42', '0.419', '0.419999')
    """
    exact = Decimal(repr(float(value)))
    if not exact.is_finite():
        message = f"{value!r} cannot be shown as a threshold; pass a finite number."
        raise RequestError(message, code="not-finite")
    written = exact
    for figures in range(FEWEST_FIGURES, MOST_FIGURES + 1):
        step = Decimal(1).scaleb(exact.adjusted() - figures + 1)
        written = exact.quantize(step, rounding=ROUND_FLOOR)
        if below is None or float(written) > below:
            break
    short = written.normalize()
    return f"{short:f}" if short.adjusted() in PLAIN else f"{short:e}"
