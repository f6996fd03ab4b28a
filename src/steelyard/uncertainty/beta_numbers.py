"""The incomplete beta function and two quantiles for single numbers, without any library.

For the parameters of short questions only; :mod:`steelyard.uncertainty.special` sends others to
scipy. Factors that would cancel are taken as distances from the mean, so that at least
twelve digits are right, and mostly fifteen, for parameters up to :data:`LARGEST`.
"""

from math import erfc, exp, fsum, inf, lgamma, log, log1p, pi, sqrt

__all__ = ["LARGEST", "SMALLEST", "beta_chance", "beta_quantile_of", "normal_chance", "t_quantile"]

SMALLEST, LARGEST = 0.5, 2e4
"""Parameters that are taken here."""
TINY = 1e-300
NEAR = 4e-16
STEPS = 100
SERIES = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
"""Stirling's series for the logarithm of the gamma function."""


def normal_chance(deviate: float) -> float:
    """Chance that a standard normal variable is below.

    Examples
    --------
    >>> normal_chance(0.0)
    0.5
    """
    return 0.5 * erfc(-deviate * sqrt(0.5))


def beta_chance(a: float, b: float, x: float, y: float) -> float:
    r"""Regularised incomplete beta function :math:`I_x(a, b)`, with y = 1 - x handed over.

    By its continued fraction, on the side of the mean where that converges soon.

    References
    ----------
    .. [1] NIST Digital Library of Mathematical Functions, 8.17.22, https://dlmf.nist.gov/8.17.

    Examples
    --------
    >>> round(beta_chance(2.0, 3.0, 0.4, 0.6), 12)
    0.5248
    """
    if x <= 0:
        return 0.0
    if y <= 0:
        return 1.0
    front = exp(_log_height(a, b, x, y))
    if x * (a + b + 2) < a + 1:
        return front * _fraction(a, b, x) / a
    return 1.0 - front * _fraction(b, a, y) / b


def beta_quantile_of(a: float, b: float, below: float) -> float:
    """Share with so much of the chance of a beta distribution below it.

    Newton's steps between two limits that close in, from what a normal distribution would say.

    Examples
    --------
    >>> round(beta_quantile_of(2.0, 3.0, 0.5248), 12)
    0.4
    """
    mean = a / (a + b)
    share = mean - 2 * (1 - 2 * below) * sqrt(mean * (1 - mean) / (a + b + 1))
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        if not low < share < high:
            share = (low + high) / 2
        found = beta_chance(a, b, share, 1 - share)
        low, high = (share, high) if found < below else (low, share)
        # On the logarithm, whose slope says far out as much as near the middle.
        density = exp(_log_height(a, b, share, 1 - share)) / (share * (1 - share))
        step = found * log(found / below) / density if found > 0 < density else inf
        if abs(step) <= NEAR * share or high - low <= NEAR * low:
            break
        share -= step
    return share


def t_quantile(freedom: float, below: float) -> float:
    """Quantile of Student's t.

    Examples
    --------
    >>> round(t_quantile(10.0, 0.025), 6), t_quantile(3.0, 0.5)
    (-2.228139, 0.0)
    """
    if below >= 0.5:
        return -t_quantile(freedom, 1 - below) if below > 0.5 else 0.0
    a, b = freedom / 2, 0.5
    low, high, away = 0.0, inf, 2.0
    for _ in range(STEPS):
        square = away * away
        x, y = freedom / (freedom + square), square / (freedom + square)
        found = beta_chance(a, b, x, y) / 2
        low, high = (away, high) if found > below else (low, away)
        density = exp(_log_height(a, b, x, y)) / away
        step = found * log(found / below) / density if found > 0 < density else inf
        if abs(step) <= NEAR * away or high - low <= NEAR * low:
            break
        away += step
        if not low < away < high:
            away = 4 * low if high == inf else (low + high) / 2
    return -away


def _log_height(a: float, b: float, x: float, y: float) -> float:
    r"""Give :math:`\ln(x^a y^b / B(a, b))`, by the distance from the mean."""
    total = a + b
    gap = x - a / total if x < y else b / total - y
    return fsum(
        (
            a * _log_beyond(gap * total / a, x * total / a),
            b * _log_beyond(-gap * total / b, y * total / b),
            0.5 * log(a / total * b / (2 * pi)),
            _beyond_stirling(total),
            -_beyond_stirling(a),
            -_beyond_stirling(b),
        )
    )


def _log_beyond(part: float, whole: float) -> float:
    """Give ln(1 + v) - v, with 1 + v handed over for where v says little of it."""
    return (log1p(part) if abs(part) < 0.5 else log(whole)) - part


def _beyond_stirling(z: float) -> float:
    """Logarithm of the gamma function beyond Stirling's formula."""
    if z < 12:
        return lgamma(z) - (z - 0.5) * log(z) + z - 0.5 * log(2 * pi)
    square, total = 1 / (z * z), 0.0
    for one in reversed(SERIES):
        total = total * square + one
    return total / z


def _fraction(a: float, b: float, x: float) -> float:
    """Continued fraction of the incomplete beta function, by Lentz' method."""
    above = 1.0
    below = 1 / _not_zero(1 - (a + b) * x / (a + 1))
    value = below
    k = 0
    while True:
        k += 1
        even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k))
        below, above = 1 / _not_zero(1 + even * below), _not_zero(1 + even / above)
        value *= below * above
        odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1))
        below, above = 1 / _not_zero(1 + odd * below), _not_zero(1 + odd / above)
        change = below * above
        value *= change
        if abs(change - 1) < NEAR or k > 100_000:
            return value


def _not_zero(value: float) -> float:
    return value if abs(value) > TINY else TINY
