"""The incomplete beta function and quantiles for single numbers, without any library.

For the parameters of short questions only; :mod:`steelyard.uncertainty.special` sends others to
scipy. Factors that would cancel are taken as distances from the mean, so that at least
twelve digits are right, and mostly fifteen, for parameters up to :data:`LARGEST`.
"""

from math import erfc, exp, inf, lgamma, log, log1p, nan, pi, sqrt

__all__ = [
    "LARGEST",
    "SMALLEST",
    "BetaNumbers",
    "beta_quantile_of",
    "normal_chance",
    "normal_deviate",
    "t_quantile",
]

SMALLEST, LARGEST = 0.5, 2e4
"""Parameters that are taken here."""
TINY = 1e-300
"""In the place of a 0 by which a continued fraction would divide."""
NEAR = 1e-16
"""Half the distance of floats from one another, in proportion."""
SETTLED = 1e-9
"""Steps that shrink like their squares have come to their end when they are this small."""
STEPS, ROUNDS = 100, 100_000
SERIES = (1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)
"""Stirling's series for the logarithm of the gamma function, from its end."""

# --- the normal distribution ---------------------------------------------------------------------


def normal_chance(deviate: float) -> float:
    """Chance that a standard normal variable is below.

    Examples
    --------
    >>> normal_chance(0.0)
    0.5
    """
    return 0.5 * erfc(-deviate * sqrt(0.5))


# fmt: off
MIDDLE = (
    (-5.99633501014107895267e1, 9.80010754185999661536e1, -5.66762857469070293439e1,
     1.39312609387279679503e1, -1.23916583867381258016e0),
    (1.0, 1.95448858338141759834e0, 4.67627912898881538453e0, 8.63602421390890590575e1,
     -2.25462687854119370527e2, 2.00260212380060660359e2, -8.20372256168333339912e1,
     1.59056225126211695515e1, -1.18331621121330003142e0),
)
NEARER = (
    (4.05544892305962419923e0, 3.15251094599893866154e1, 5.71628192246421288162e1,
     4.40805073893200834700e1, 1.46849561928858024014e1, 2.18663306850790267539e0,
     -1.40256079171354495875e-1, -3.50424626827848203418e-2, -8.57456785154685413611e-4),
    (1.0, 1.57799883256466749731e1, 4.53907635128879210584e1, 4.13172038254672030440e1,
     1.50425385692907503408e1, 2.50464946208309415979e0, -1.42182922854787788574e-1,
     -3.80806407691578277194e-2, -9.33259480895457427372e-4),
)
FARTHER = (
    (3.23774891776946035970e0, 6.91522889068984211695e0, 3.93881025292474443415e0,
     1.33303460815807542389e0, 2.01485389549179081538e-1, 1.23716634817820021358e-2,
     3.01581553508235416007e-4, 2.65806974686737550832e-6, 6.23974539184983293730e-9),
    (1.0, 6.02427039364742014255e0, 3.67983563856160859403e0, 1.37702099489081330271e0,
     2.16236993594496635890e-1, 1.34204006088543189037e-2, 3.28014464682127739104e-4,
     2.89247864745380683936e-6, 6.79019408009981274425e-9),
)
# fmt: on
ROOT_OF_TWO_PI = 2.50662827463100050242
TAIL = 0.13533528323661269189
"""exp(-2), below which the tail has approximations of its own."""


def normal_deviate(share: float) -> float:
    """Standard normal quantile, by Cephes' approximations, as scipy has it.

    References
    ----------
    .. [1] Moshier, Cephes Mathematical Library, ndtri.c, https://www.netlib.org/cephes/.

    Examples
    --------
    >>> normal_deviate(0.5), round(normal_deviate(0.975), 6)
    (0.0, 1.959964)
    """
    if not 0 < share < 1:
        return {0.0: -inf, 1.0: inf}.get(share, nan)
    upper = share > 1 - TAIL
    tail = 1.0 - share if upper else share
    if tail > TAIL:
        away = tail - 0.5
        square = away * away
        return (away + away * (square * _ratio(MIDDLE, square))) * ROOT_OF_TWO_PI
    x = sqrt(-2.0 * log(tail))
    z = 1.0 / x
    found = x - log(x) / x - z * _ratio(NEARER if x < 8.0 else FARTHER, z)
    return found if upper else -found


def _ratio(of: tuple[tuple[float, ...], tuple[float, ...]], x: float) -> float:
    above, below = of
    top = bottom = 0.0
    for one in above:
        top = top * x + one
    for one in below:
        bottom = bottom * x + one
    return top / bottom


# --- the beta distribution and Student's t -------------------------------------------------------


class BetaNumbers:
    r"""The beta distribution with two parameters: its function and its height.

    Every place is handed over as x and y = 1 - x, so that neither end loses digits.

    Examples
    --------
    >>> round(BetaNumbers(2.0, 3.0).chance(0.4, 0.6), 12)
    0.5248
    """

    __slots__ = ("a", "b", "lead", "total")

    def __init__(self, a: float, b: float) -> None:
        self.a, self.b, self.total = a, b, a + b
        self.lead = 0.5 * log(a / self.total * b / (2 * pi)) + (
            _beyond_stirling(self.total) - _beyond_stirling(a) - _beyond_stirling(b)
        )

    def height(self, x: float, y: float) -> float:
        r"""Give :math:`x^a y^b / B(a, b)`, by the distance from the mean."""
        a, b, total = self.a, self.b, self.total
        gap = x - a / total if x < y else b / total - y
        over, under = gap * total / a, -gap * total / b
        # Far from the mean a distance says little of what is left.
        first = (log1p(over) if -0.5 < over < 0.5 else log(x * total / a)) - over
        second = (log1p(under) if -0.5 < under < 0.5 else log(y * total / b)) - under
        return exp(a * first + b * second + self.lead)

    def chance(self, x: float, y: float) -> float:
        r"""Regularised incomplete beta function :math:`I_x(a, b)`.

        By its continued fraction, on the side of the mean where that converges soon.

        References
        ----------
        .. [1] NIST Digital Library of Mathematical Functions, 8.17.22, https://dlmf.nist.gov/8.17.
        """
        return self.chance_and_height(x, y)[0]

    def chance_and_height(self, x: float, y: float) -> tuple[float, float]:
        """Give both, of which the function needs the height anyway."""
        if x <= 0 or y <= 0:
            return (0.0 if x <= 0 else 1.0), 0.0
        height = self.height(x, y)
        if x * (self.total + 2) < self.a + 1:
            return height * _fraction(self.a, self.b, x) / self.a, height
        return 1.0 - height * _fraction(self.b, self.a, y) / self.b, height


def beta_quantile_of(a: float, b: float, below: float) -> float:
    """Share with so much of the chance of a beta distribution below it.

    Newton's steps between two limits that close in, from a start that is close where a and b pass
    1 [1]_.

    References
    ----------
    .. [1] Abramowitz & Stegun (1964), Handbook of Mathematical Functions, 26.5.22.

    Examples
    --------
    >>> round(beta_quantile_of(2.0, 3.0, 0.5248), 12)
    0.4
    """
    numbers = BetaNumbers(a, b)
    share, low, high = _start(a, b, -normal_deviate(below)), 0.0, 1.0
    for _ in range(STEPS):
        if not low < share < high:
            share = (low + high) / 2
        rest = 1 - share
        found, height = numbers.chance_and_height(share, rest)
        low, high = (share, high) if found < below else (low, share)
        # On the logarithm, whose slope says far out as much as near the middle.
        step = inf
        if found > 0 < height:
            step = found * log(found / below) * share * rest / height
        if high - low <= 4 * NEAR * low:
            break
        if abs(step) <= SETTLED * share and 0 < share - step < 1:
            return share - step
        share -= step
    return share


def _start(a: float, b: float, deviate: float) -> float:
    if a <= 1 or b <= 1:
        mean = a / (a + b)
        return mean - deviate * sqrt(mean * (1 - mean) / (a + b + 1))
    wide = (deviate * deviate - 3) / 6
    s, t = 1 / (2 * a - 1), 1 / (2 * b - 1)
    h = 2 / (s + t)
    w = deviate * sqrt(max(h + wide, 0.0)) / h - (t - s) * (wide + 5 / 6 - 2 / (3 * h))
    return a / (a + b * exp(min(2 * w, 700.0)))


def t_quantile(freedom: float, below: float) -> float:
    """Quantile of Student's t.

    Examples
    --------
    >>> round(t_quantile(10.0, 0.025), 6), t_quantile(3.0, 0.5)
    (-2.228139, 0.0)
    """
    if below >= 0.5:
        return -t_quantile(freedom, 1 - below) if below > 0.5 else 0.0
    numbers = BetaNumbers(freedom / 2, 0.5)
    z = -normal_deviate(below)
    # Cornish and Fisher's first term.
    low, high, away = 0.0, inf, z + z * (z * z + 1) / (4 * freedom)
    for _ in range(STEPS):
        square = away * away
        whole = freedom + square
        twice, height = numbers.chance_and_height(freedom / whole, square / whole)
        found = twice / 2
        low, high = (away, high) if found > below else (low, away)
        step = found * log(found / below) * away / height if found > 0 < height else inf
        if high - low <= 4 * NEAR * low:
            break
        if abs(step) <= SETTLED * away:
            return -(away + step)
        away += step
        if not low < away < high:
            away = 4 * low if high == inf else (low + high) / 2
    return -away


def _beyond_stirling(z: float) -> float:
    """Logarithm of the gamma function beyond Stirling's formula."""
    if z < 12:
        return lgamma(z) - (z - 0.5) * log(z) + z - 0.5 * log(2 * pi)
    square, total = 1 / (z * z), 0.0
    for one in SERIES:
        total = total * square + one
    return total / z


def _fraction(a: float, b: float, x: float) -> float:
    """Continued fraction of the incomplete beta function, by Lentz' method."""
    total = a + b
    value = below = 1 / ((1 - total * x / (a + 1)) or TINY)
    above = 1.0
    place = a
    for k in range(1, ROUNDS):
        place += 2
        even = k * (b - k) * x / ((place - 1) * place)
        below = 1 / ((1 + even * below) or TINY)
        above = (1 + even / above) or TINY
        value *= below * above
        odd = -(a + k) * (total + k) * x / (place * (place + 1))
        below = 1 / ((1 + odd * below) or TINY)
        above = (1 + odd / above) or TINY
        change = below * above
        value *= change
        if -NEAR <= change - 1 <= NEAR:
            break
    return value
