"""Arithmetic in 70 digits: tails, quantiles and roots that all references share.

Tails are continued fractions, quantiles solve their defining equation, integrals are sums over an
even grid: slow, and sharing no formula with what they judge.
"""

import mpmath as mp

__all__ = [
    "beta_cdf",
    "beta_cdf_upper_side",
    "beta_root",
    "beta_tail",
    "binomial_mass",
    "binomial_tail",
    "chi_square_tail",
    "even_sum",
    "exact",
    "f_tail",
    "log_odds_integrals",
    "multinomial_error",
    "normal_tail",
    "quantile",
    "root",
    "score_limits",
    "slopes_at",
    "student_quantile",
    "student_tail",
]

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
        if abs(d * c - 1) < mp.mpf(10) ** (4 - mp.mp.dps):
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


def exact(fraction):
    """Turn a fraction into 50 digits."""
    return mp.mpf(fraction.numerator) / fraction.denominator


def binomial_tail(x, n, p):
    """P(X >= x) for a whole x above 0."""
    return beta_cdf(x, n - x + 1, p)


def binomial_mass(x, n, p):
    """P(X = x)."""
    return mp.exp(
        mp.loggamma(n + 1) - mp.loggamma(x + 1) - mp.loggamma(n - x + 1)
        + x * mp.log(p) + (n - x) * mp.log1p(-p)
    )  # fmt: skip


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


def student_tail(t, freedom):
    """P(T > t) of Student's distribution, for t of 0 or more."""
    t, freedom = mp.mpf(t), mp.mpf(freedom)
    return beta_cdf(freedom / 2, mp.mpf(1) / 2, freedom / (freedom + t * t)) / 2


def student_quantile(tail, freedom):
    """Find t with P(T > t) = tail below one half, by Newton's steps from a normal start."""
    tail, freedom = mp.mpf(tail), mp.mpf(freedom)
    if freedom == 1:
        return mp.cot(mp.pi * tail)
    low, high = mp.mpf(0), mp.mpf(1)
    while student_tail(high, freedom) > tail:
        low, high = high, high * 2
    return root(lambda t: mp.log(student_tail(t, freedom) / tail), low, high)


def f_tail(ratio, top, bottom):
    """P(F > ratio) of Fisher's distribution."""
    ratio, top, bottom = mp.mpf(ratio), mp.mpf(top), mp.mpf(bottom)
    return beta_cdf(bottom / 2, top / 2, bottom / (bottom + top * ratio))


def even_sum(function, low, high, step):
    """Integrate over an even grid, which converges fastest for what fades at both ends."""
    low, high, step = mp.mpf(low), mp.mpf(high), mp.mpf(step)
    count = int(mp.ceil((high - low) / step))
    return step * mp.fsum(function(low + k * step) for k in range(count + 1))


def log_odds_integrals(function, low, high, step):
    """Integrate several functions of x and 1 - x over an even grid of log-odds, in 55 digits."""
    totals = None
    with mp.workdps(55):
        for k in range(int(mp.ceil((high - low) / step)) + 1):
            y = low + k * step
            x, rest = 1 / (1 + mp.exp(-y)), 1 / (1 + mp.exp(y))
            values = [one * x * rest * step for one in function(x, rest)]
            totals = values if totals is None else list(map(sum, zip(totals, values, strict=True)))
    return tuple(totals)


def slopes_at(measure, shares):
    """Numerical slopes of a smooth function of shares, less their mean: what each share adds."""
    h, slopes = mp.mpf(10) ** -22, []
    for place in range(len(shares)):
        ends = []
        for side in (-1, 1):
            moved = list(shares)
            moved[place] += side * h
            ends.append(measure(moved))
        slopes.append((ends[1] - ends[0]) / (2 * h))
    mean = sum(p * g for p, g in zip(shares, slopes, strict=True))
    return [g - mean for g in slopes]


def multinomial_error(measure, counts):
    """Standard error of a smooth function of multinomial shares, by numerical slopes."""
    n = mp.mpf(sum(counts))
    shares = [mp.mpf(one) / n for one in counts]
    slopes = slopes_at(measure, shares)
    return mp.sqrt(sum(p * g**2 for p, g in zip(shares, slopes, strict=True)) / n)
