"""The same quantities in 70-digit arithmetic, from their definitions and not from our code.

Sums run over all outcomes, limits solve their defining equation, tails are continued fractions:
slow, and sharing no formula with what they judge.
"""

from fractions import Fraction
from math import comb

import mpmath as mp

__all__ = ["beta_cdf", "root"]

mp.mp.dps = 70


def beta_cdf(a, b, x):
    """I_x(a, b) by its continued fraction (modified Lentz), on the side where it converges."""
    a, b, x = mp.mpf(a), mp.mpf(b), mp.mpf(x)
    if x <= 0 or x >= 1:
        return mp.mpf(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf_upper_side(b, a, 1 - x)
    return beta_cdf_upper_side(a, b, x)


def beta_cdf_upper_side(a, b, x):
    """Sum the continued fraction where x is below the mean."""
    tiny = mp.mpf(10) ** -2000
    front = mp.exp(
        mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b) + a * mp.log(x) + b * mp.log1p(-x)
    )
    c, d = mp.mpf(1), 1 - (a + b) * x / (a + 1)
    d = 1 / (d or tiny)
    h, m = d, 0
    while True:
        m += 1
        for top in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / ((1 + top * d) or tiny)
            c = (1 + top / c) or tiny
            h *= d * c
        if abs(d * c - 1) < mp.mpf(10) ** -66:
            return front * h / a


def beta_tail(a, b, x):
    """1 - I_x(a, b), without the loss that the subtraction would bring."""
    return beta_cdf(b, a, 1 - mp.mpf(x))


def root(function, low, high):
    """Find the argument between low and high at which a function is 0 (secants, Anderson-Björck)."""  # noqa: E501
    low, high = mp.mpf(low), mp.mpf(high)
    at_low, at_high = function(low), function(high)
    for turn in range(400):
        if at_high == at_low:
            return high
        middle = high - at_high * (high - low) / (at_high - at_low)
        if turn % 4 == 3:
            middle = (low + high) / 2
        found = function(middle)
        if found == 0 or abs(high - low) < mp.mpf(10) ** -40 * min(abs(middle), abs(1 - middle)):
            return middle
        if found * at_high < 0:
            low, at_low = high, at_high
        else:
            left = 1 - found / at_high
            at_low *= left if left > 0 else mp.mpf(1) / 2
        high, at_high = middle, found
        if abs(at_high) < mp.mpf(10) ** -45:
            return high
    raise ArithmeticError


def normal_tail(z):
    """P(Z > z)."""
    return mp.erfc(mp.mpf(z) / mp.sqrt(2)) / 2


def quantile(level):
    """Z with P(|Z| <= z) = level, the level being the double that was handed over."""
    return mp.sqrt(2) * mp.erfinv(mp.mpf(level))


def chi_square_tail(x, freedom):
    """P(chi square > x)."""
    return mp.gammainc(mp.mpf(freedom) / 2, mp.mpf(x) / 2, mp.inf, regularized=True)


def wilson(x, n, level):
    """Score limits of one rate."""
    z2, p, n = quantile(level) ** 2, mp.mpf(x) / n, mp.mpf(n)
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    spread = mp.sqrt(z2 * (p * (1 - p) + z2 / (4 * n)) / n) / (1 + z2 / n)
    low, high = centre - spread, centre + spread
    return (mp.mpf(0) if x == 0 else low), (mp.mpf(1) if x == n else high)


def agresti_coull(x, n, level):
    """Wald limits around the centre of Wilson's interval."""
    z2 = quantile(level) ** 2
    m = n + z2
    p = (x + z2 / 2) / m
    spread = mp.sqrt(z2 * p * (1 - p) / m)
    return max(mp.mpf(0), p - spread), min(mp.mpf(1), p + spread)


def beta_limits(a_low, b_low, a_high, b_high, level, ends):
    """Quantiles of two beta distributions, each the root of its tail."""
    tail = (1 - mp.mpf(level)) / 2
    low, high = ends
    if low is None:
        low = beta_root(a_low, b_low, tail, upper=False)
    if high is None:
        high = beta_root(a_high, b_high, tail, upper=True)
    return low, high


def beta_root(a, b, tail, *, upper):
    """Find x with P(X < x) = tail, or P(X > x) = tail; Newton on the logarithm of the tail."""
    chance = beta_tail if upper else beta_cdf
    mean = mp.mpf(a) / (a + b)
    spread = mp.sqrt(mean * (1 - mean) / (a + b + 1))
    x = mean + (2 if upper else -2) * spread
    x = min(max(x, mean / 50), 1 - (1 - mean) / 50)
    sign = -1 if upper else 1
    for _ in range(200):
        p = chance(a, b, x)
        slope = sign * mp.exp(
            (a - 1) * mp.log(x) + (b - 1) * mp.log1p(-x)
            + mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b)
        )  # fmt: skip
        step = p * mp.log(p / tail) / slope
        moved = x - step
        moved = moved if 0 < moved < 1 else (x / 2 if moved <= 0 else (x + 1) / 2)
        if abs(moved - x) < mp.mpf(10) ** -42 * abs(min(x, 1 - x)):
            return moved
        x = moved
    raise ArithmeticError


def clopper_pearson(x, n, level):
    """Limits at which a one-sided binomial test just rejects."""
    ends = (mp.mpf(0) if x == 0 else None, mp.mpf(1) if x == n else None)
    return beta_limits(x, n - x + 1, x + 1, n - x, level, ends)


def jeffreys(x, n, level):
    """Quantiles of the posterior under Jeffreys' prior, but 0 and 1 at the ends."""
    ends = (mp.mpf(0) if x == 0 else None, mp.mpf(1) if x == n else None)
    half = mp.mpf(1) / 2
    return beta_limits(x + half, n - x + half, x + half, n - x + half, level, ends)


def binomial_tail(x, n, p):
    """P(X >= x) for a whole x above 0."""
    return beta_cdf(x, n - x + 1, p)


def binomial_mass(x, n, p):
    """P(X = x)."""
    return mp.exp(
        mp.loggamma(n + 1) - mp.loggamma(x + 1) - mp.loggamma(n - x + 1)
        + x * mp.log(p) + (n - x) * mp.log1p(-p)
    )  # fmt: skip


def midp(x, n, level):
    """Limits at which P(X > x) + P(X = x)/2 is half of what is left."""
    tail = (1 - mp.mpf(level)) / 2

    def above(p):
        beyond = binomial_tail(x + 1, n, p) if x < n else mp.mpf(0)
        return mp.log((beyond + binomial_mass(x, n, p) / 2) / tail)

    def below(p):
        beyond = beta_tail(x, n - x + 1, p) if x > 0 else mp.mpf(0)
        return mp.log((beyond + binomial_mass(x, n, p) / 2) / tail)

    (low, high), share = clopper_pearson(x, n, level), mp.mpf(x) / n
    near = mp.mpf(10) ** -9
    if 0 < x < n:
        low = root(above, low * (1 - near), share)
        high = root(below, share, 1 - (1 - high) * (1 - near))
    elif x == 0:
        high = -mp.expm1(mp.log(2 * tail) / n)
    else:
        low = mp.exp(mp.log(2 * tail) / n)
    return low, high


def newcombe(x, m, y, n, level):
    """Square-and-add limits of p1 - p2 from two Wilson intervals."""
    p, q = mp.mpf(x) / m, mp.mpf(y) / n
    (l1, u1), (l2, u2) = wilson(x, m, level), wilson(y, n, level)
    return (
        p - q - mp.sqrt((p - l1) ** 2 + (u2 - q) ** 2),
        p - q + mp.sqrt((u1 - p) ** 2 + (q - l2) ** 2),
    )


def constrained(x, m, y, n, delta):
    """Most likely q with p = q + delta, by halving the derivative of the likelihood."""
    low, high = max(mp.mpf(0), -delta), min(mp.mpf(1), 1 - delta)

    def slope(q):
        total = mp.mpf(0)
        for count, rate, sign in (
            (x, q + delta, 1),
            (m - x, 1 - q - delta, -1),
            (y, q, 1),
            (n - y, 1 - q, -1),
        ):
            if count:
                total += sign * count / rate
        return total

    for _ in range(130):
        middle = (low + high) / 2
        if slope(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def difference_score(x, m, y, n, delta, factor):
    """Score of p1 - p2 = delta."""
    q = constrained(x, m, y, n, delta)
    p = q + delta
    variance = (p * (1 - p) / m + q * (1 - q) / n) * factor
    gap = mp.mpf(x) / m - mp.mpf(y) / n - delta
    return gap / mp.sqrt(variance) if variance > 0 else (mp.inf if gap else mp.mpf(0))


def score_limits(score, seen, level, ends=(-1, 1)):
    """Halve towards the two values that a score test just rejects."""
    z = quantile(level)
    found = []
    for end, wanted in ((ends[0], z), (ends[1], -z)):
        near, far = mp.mpf(seen), mp.mpf(end)
        for _ in range(120):
            middle = (near + far) / 2
            beyond = abs(score(middle)) > abs(wanted)
            near, far = (near, middle) if beyond else (middle, far)
        found.append((near + far) / 2)
    return tuple(found)


def miettinen_nurminen(x, m, y, n, level):
    """Score limits of p1 - p2 with the factor N/(N-1)."""
    factor = mp.mpf(m + n) / (m + n - 1)
    seen = mp.mpf(x) / m - mp.mpf(y) / n
    return score_limits(lambda d: difference_score(x, m, y, n, d, factor), seen, level)


def mee(x, m, y, n, level):
    """The same without the factor."""
    seen = mp.mpf(x) / m - mp.mpf(y) / n
    return score_limits(lambda d: difference_score(x, m, y, n, d, 1), seen, level)


def tango_score(both, b, c, neither, delta):
    """Score of a paired difference; the rate of the second kind of discordance by its likelihood."""  # noqa: E501
    n = both + b + c + neither
    big = -b - c + (2 * n - b + c) * delta
    small = -c * delta * (1 - delta)
    q = (mp.sqrt(big**2 - 8 * n * small) - big) / (4 * n)
    gap, variance = b - c - n * delta, n * (2 * q + delta * (1 - delta))
    return gap / mp.sqrt(variance) if variance > 0 else (mp.inf if gap else mp.mpf(0))


def tango(both, b, c, neither, level):
    """Score limits of a paired difference."""
    seen = mp.mpf(b - c) / (both + b + c + neither)
    return score_limits(lambda d: tango_score(both, b, c, neither, d), seen, level)


def mcnemar_exact(b, c):
    """Twice the smaller binomial tail, summed over whole numbers."""
    n, k = b + c, min(b, c)
    total = Fraction(2 * sum(comb(n, i) for i in range(k + 1)), 2**n)
    return exact(min(Fraction(1), total))


def mcnemar_midp(b, c):
    """The same with half of the chance of what was seen, of a tie too (Fagerland et al., 2013)."""
    n, k = b + c, min(b, c)
    if n == 0:
        return mp.mpf(1)
    if b == c:
        return exact(1 - Fraction(comb(n, k), 2 ** (n + 1)))
    tail = sum(comb(n, i) for i in range(k + 1))
    return exact(Fraction(2 * tail - comb(n, k), 2**n))


def exact(fraction):
    """Turn a fraction into 50 digits."""
    return mp.mpf(fraction.numerator) / fraction.denominator


def fisher(x, m, y, n):
    """Sum the tables that are no more probable than the one seen, as whole numbers."""
    right, total = x + y, m + n
    weights = [comb(m, i) * comb(n, right - i) for i in range(max(0, right - n), min(m, right) + 1)]
    seen = comb(m, x) * comb(n, y)
    return exact(Fraction(sum(w for w in weights if w <= seen), comb(total, right)))


def better(a, b, c, d):
    """P(X > Y) of two beta posteriors with whole a: a finite sum of positive terms."""
    total = mp.mpf(0)
    base = -(mp.loggamma(c) + mp.loggamma(d) - mp.loggamma(c + d))
    for i in range(int(a)):
        log_term = (
            mp.loggamma(c + i) + mp.loggamma(b + d) - mp.loggamma(b + c + d + i)
            - mp.log(b + i)
            - (mp.loggamma(1 + i) + mp.loggamma(b) - mp.loggamma(1 + i + b))
        )  # fmt: skip
        total += mp.exp(log_term + base)
    return total


def log_evidence(b, c, prior):
    """Natural logarithm of the e-value of the beta mixture against one half."""
    return mp.log(mp.beta(b + prior, c + prior) / mp.beta(prior, prior)) + (b + c) * mp.log(2)


def log_likelihood(x, n):
    """Of x right out of n at the most likely rate."""
    return sum(k * mp.log(mp.mpf(k) / n) for k in (x, n - x) if k)


def akaike(x, m, y, n):
    """AIC of one rate less AIC of two, independent test sets."""
    one = log_likelihood(x + y, m + n)
    return 2 * (log_likelihood(x, m) + log_likelihood(y, n) - one) - 2


def delong(wins, positives, negatives):
    """Variance of the area from the definition: a matrix of pairs won, as fractions."""
    m, n = len(positives), len(negatives)
    kernel = [[Fraction(2 * (p > q) + (p == q), 2) for q in negatives] for p in positives]
    area = sum(map(sum, kernel)) / Fraction(m * n)
    rows = [sum(row) / n for row in kernel]
    columns = [sum(column) / m for column in zip(*kernel, strict=True)]
    s10 = sum((one - area) ** 2 for one in rows) / (m - 1)
    s01 = sum((one - area) ** 2 for one in columns) / (n - 1)
    return exact(s10 / m + s01 / n)


def kappa_error(table):
    """Standard error of kappa of Fleiss, Cohen and Everitt (1969), as fractions up to the root."""
    n = sum(map(sum, table))
    p = [[Fraction(cell, n) for cell in row] for row in table]
    rows, columns = [sum(row) for row in p], [sum(column) for column in zip(*p, strict=True)]
    size = range(len(p))
    agreed, chance = sum(p[i][i] for i in size), sum(rows[i] * columns[i] for i in size)
    kappa = (agreed - chance) / (1 - chance)
    first = sum(p[i][i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2 for i in size)
    second = (1 - kappa) ** 2 * sum(
        p[i][j] * (columns[i] + rows[j]) ** 2 for i in size for j in size if i != j
    )
    third = (kappa - chance * (1 - kappa)) ** 2
    return mp.sqrt(exact((first + second - third) / (n * (1 - chance) ** 2)))


def range_probability(width, size):
    """P(range of k normal values <= w), by its integral over the smallest of them."""

    def inside(z):
        between = normal_tail(z) - normal_tail(z + width)
        return size * mp.npdf(z) * between ** (size - 1)

    return mp.quad(inside, [mp.mpf(k) for k in range(-14, 15, 2)])


def correct_selection(n, k, lead, rate):
    """P(the best of k has most right answers), ties shared; the k - 1 others are ``lead`` behind."""  # noqa: E501
    p, q = mp.mpf(rate), mp.mpf(rate) - mp.mpf(lead)
    top = [mp.binomial(n, x) * p**x * (1 - p) ** (n - x) for x in range(n + 1)]
    low = [mp.binomial(n, x) * q**x * (1 - q) ** (n - x) for x in range(n + 1)]
    total, below = mp.mpf(0), mp.mpf(0)
    for x in range(n + 1):
        for ties in range(k):
            share = mp.binomial(k - 1, ties) * low[x] ** ties * below ** (k - 1 - ties)
            total += top[x] * share / (ties + 1)
        below += low[x]
    return total


def wilson_width(rate, n, level):
    """Width of the score interval at a rate, n need not be whole times it."""
    z2, p, n = quantile(level) ** 2, mp.mpf(rate), mp.mpf(n)
    return 2 * mp.sqrt(z2 * (p * (1 - p) + z2 / (4 * n)) / n) / (1 + z2 / n)


def chi_square(samples):
    """P-value of equal rates in k samples."""
    right, tested = sum(x for x, _ in samples), sum(n for _, n in samples)
    p = Fraction(right, tested)
    statistic = sum((x - n * p) ** 2 / (n * p * (1 - p)) for x, n in samples)
    return chi_square_tail(exact(statistic), len(samples) - 1)


def boschloo(x, m, y, n):
    """Largest chance, over the common rate, of tables whose Fisher p-value is no larger."""
    ours = fisher(x, m, y, n) * (1 + mp.mpf(10) ** -30)
    region = [(i, j) for i in range(m + 1) for j in range(n + 1) if fisher(i, m, j, n) <= ours]
    counts = {}
    for i, j in region:
        counts[i + j] = counts.get(i + j, 0) + comb(m, i) * comb(n, j)

    def chance(p):
        return sum(w * p**s * (1 - p) ** (m + n - s) for s, w in counts.items())

    grid = [mp.mpf(k) / 400 for k in range(1, 400)]
    peak = max(grid, key=chance)
    low, high = peak - mp.mpf(1) / 400, peak + mp.mpf(1) / 400
    for _ in range(200):
        one, two = low + (high - low) / 3, high - (high - low) / 3
        low, high = (one, high) if chance(one) < chance(two) else (low, two)
    return chance((low + high) / 2)
