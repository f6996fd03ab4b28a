"""The one place where a number becomes text."""

from math import floor, isfinite, log10

from steelyard.errors import RequestError

__all__ = [
    "FEWEST_DIGITS",
    "QUADRATURE",
    "digits_for",
    "show_cell",
    "show_count",
    "show_difference",
    "show_estimate",
    "show_interval",
    "show_level",
    "show_number",
    "show_p_value",
    "show_percent",
    "show_probability",
    "show_share",
    "show_threshold",
]

QUADRATURE = 1e-11
"""Error of an integrated probability, for which 0 and 1 are never certain."""
FEWEST_DIGITS = 3
MOST_DIGITS = 6
UNIT_SCALE = 10.0
"""From here on a number is not a share, a kappa or a loss, and needs no three decimals."""
FEWEST_FIGURES = 3
MOST_FIGURES = 17
PLAIN = range(-6, 16)
"""Powers of ten that are written without an exponent."""


def show_share(value: float, *, digits: int = FEWEST_DIGITS) -> str:
    """Write a number with fixed decimals, and never round it onto 0 or 1 when it is neither.

    Examples
    --------
    >>> show_share(0.9785), show_share(0.99997), show_share(0.00001), show_share(1.0)
    ('0.979', '>0.999', '<0.001', '1.000')
    """
    value = _finite(value)
    step = 10.0**-digits
    if value < 1 and _rounds_onto(value, 1.0, digits=digits):
        return f">{1 - step:.{digits}f}"
    if _rounds_onto(value, 0.0, digits=digits):
        return f"<{step:.{digits}f}" if value > 0 else f">{-step:.{digits}f}"
    return f"{value + 0.0:.{digits}f}"


def show_number(value: float, *, digits: int | None = None) -> str:
    """Write a number of any size: three decimals near 1, fewer for large ones.

    Examples
    --------
    >>> show_number(0.61234), show_number(-0.25), show_number(1234.567)
    ('0.612', '-0.250', '1,234.6')
    """
    value = _finite(value)
    if abs(value) < UNIT_SCALE:
        return show_share(value, digits=FEWEST_DIGITS if digits is None else digits)
    return f"{value:,.{1 if digits is None else digits}f}"


def digits_for(low: float, high: float) -> int:
    """Count the decimals which an interval allows: two figures of its width, at least three.

    Numbers from 10 on are not shares, and may have fewer.

    Examples
    --------
    >>> digits_for(0.967, 0.986), digits_for(0.97701, 0.97742), digits_for(1200.0, 1260.0)
    (3, 5, 0)
    """
    width = _finite(high) - _finite(low)
    fewest = FEWEST_DIGITS if max(abs(low), abs(high)) < UNIT_SCALE else 0
    if width <= 0:
        return FEWEST_DIGITS
    return min(max(1 - floor(log10(width)), fewest), MOST_DIGITS)


def show_interval(low: float, high: float, *, digits: int | None = None) -> str:
    """Write both ends, with as many decimals as their distance allows.

    Examples
    --------
    >>> show_interval(0.4901625, 0.9433178), show_interval(0.99962, 1.0)
    ('[0.490, 0.943]', '[0.99962, 1.00000]')
    """
    places = digits_for(low, high) if digits is None else digits
    return f"[{show_number(low, digits=places)}, {show_number(high, digits=places)}]"


def show_estimate(value: float, low: float, high: float) -> str:
    """Write a number and its interval with the same decimals.

    Examples
    --------
    >>> show_estimate(0.97886, 0.96711, 0.98646)
    '0.979 [0.967, 0.986]'
    """
    places = digits_for(low, high)
    return f"{show_number(value, digits=places)} {show_interval(low, high, digits=places)}"


def show_percent(share: float, *, digits: int = 1) -> str:
    """Write a share as a percentage, and never round it onto 0 or 100 when it is neither.

    Examples
    --------
    >>> show_percent(0.97886), show_percent(0.99999), show_percent(0.00001), show_percent(1.0)
    ('97.9%', '>99.9%', '<0.1%', '100.0%')
    """
    share = _finite(share)
    step = 10.0**-digits
    if _rounds_onto(share * 100, 100.0, digits=digits) and share < 1:
        return f">{100 - step:.{digits}f}%"
    if _rounds_onto(share * 100, 0.0, digits=digits) and share > 0:
        return f"<{step:.{digits}f}%"
    return f"{share * 100 + 0.0:.{digits}f}%"


def show_level(level: float) -> str:
    """Write a coverage as people say it.

    Examples
    --------
    >>> show_level(0.95), show_level(0.999)
    ('95%', '99.9%')
    """
    return f"{_finite(level) * 100:g}%"


def show_probability(value: float, *, error: float | None = None) -> str:
    """Write a probability with a fourth decimal where certainty is at stake.

    ``error`` is the simulation error of the number: with one of 0.0001 or more there is no fourth
    decimal, and 0 and 1 are never certain.

    Examples
    --------
    >>> [show_probability(p) for p in (0.98123, 0.99982, 0.0003, 0.999999, 0.000001, 1.0)]
    ['0.981', '0.9998', '0.0003', '>0.9999', '<0.0001', '1.000']
    >>> [show_probability(p, error=0.002) for p in (0.98123, 0.99982, 1.0, 0.0)]
    ['0.981', '>0.999', '>0.999', '<0.001']
    >>> [show_probability(p, error=0.00005) for p in (0.99998, 1.0, 0.0)]
    ['>0.9999', '>0.9999', '<0.0001']
    """
    value = _finite(value)
    certain = value in {0.0, 1.0}
    near_an_end = not 0.001 <= value <= 0.999
    if error is None:
        return show_share(value, digits=4 if near_an_end and not certain else FEWEST_DIGITS)
    digits = 4 if near_an_end and error < 0.0001 else FEWEST_DIGITS
    step = 10.0**-digits
    if certain:
        return f"<{step:.{digits}f}" if value == 0 else f">{1 - step:.{digits}f}"
    return show_share(value, digits=digits)


def show_p_value(value: float, *, alpha: float = 0.05) -> str:
    """Write a p-value, never as 0, and never rounded across ``alpha``.

    Examples
    --------
    >>> [show_p_value(p) for p in (0.0321, 0.00002, 0.04996, 0.0502, 1.0)]
    ['0.032', '<0.001', '0.04996', '0.0502', '1.000']
    """
    value = _finite(value)
    if value == 0:
        return "<0.001"
    for digits in range(FEWEST_DIGITS, MOST_DIGITS):
        shown = show_share(value, digits=digits)
        if shown[0] in "<>" or float(shown) != alpha or value == alpha:
            return shown
    return show_share(value, digits=MOST_DIGITS)


def show_count(count: int) -> str:
    """Write a whole number with a comma between thousands.

    Examples
    --------
    >>> show_count(1234567)
    '1,234,567'
    """
    return f"{count:,d}"


def show_difference(value: float, *, digits: int = FEWEST_DIGITS) -> str:
    """Write a difference with its sign, and with as many decimals as show that it is not 0.

    Examples
    --------
    >>> show_difference(0.0123), show_difference(-0.25), show_difference(0.0), show_difference(2e-5)
    ('+0.012', '-0.250', '0.000', '+0.00002')
    """
    value = _finite(value)
    if value == 0:
        return f"{0:.{digits}f}"
    for places in range(digits, max(digits, MOST_DIGITS) + 1):
        shown = f"{value:+.{places}f}"
        if float(shown) != 0:
            return shown
    return f"{value:+.1e}"


def show_cell(value: str | float | bool | None) -> str | None:  # noqa: FBT001
    """Write one cell of a table of raw values; None stays None.

    Examples
    --------
    >>> show_cell(0.125), show_cell(1200), show_cell(True), show_cell(None)
    ('0.125', '1200', 'true', None)
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return f"{_finite(value):.6g}"


def _finite(value: float) -> float:
    if not isfinite(value):
        message = (
            f"{value!r} cannot be shown as a number. Undefined is None with a reason; "
            "pass a finite number."
        )
        raise RequestError(message, code="not-finite")
    return float(value)


def _rounds_onto(value: float, end: float, *, digits: int) -> bool:
    near = value != end and abs(value - end) <= 10.0**-digits  # writing it out is the dear part
    return near and float(f"{value:.{digits}f}") == end


def show_threshold(value: float, below: float | None = None) -> str:
    """Write a threshold with so many figures that it calls the same items.

    ``below`` is the next lower score: what is written lies above it and not above the threshold.

    Examples
    --------
    >>> show_threshold(0.42), show_threshold(0.419999, 0.2), show_threshold(0.419999, 0.41999)
    ('0.42', '0.419', '0.419999')
    """
    # Most answers show no threshold: they need not wait for decimal numbers.
    from decimal import ROUND_FLOOR, Decimal

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
