"""Limits of shares, differences, ratios and areas in 70 digits, from their definitions."""

from fractions import Fraction
from itertools import product
from math import comb

import mpmath as mp

from accuracy.arithmetic import (
    beta_root,
    beta_tail,
    binomial_mass,
    binomial_tail,
    exact,
    quantile,
    root,
    score_limits,
    student_quantile,
)

__all__ = ["delong", "wilson"]


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


def clopper_pearson(x, n, level):
    """Limits at which a one-sided binomial test just rejects."""
    ends = (mp.mpf(0) if x == 0 else None, mp.mpf(1) if x == n else None)
    return beta_limits(x, n - x + 1, x + 1, n - x, level, ends)


def jeffreys(x, n, level):
    """Quantiles of the posterior under Jeffreys' prior, but 0 and 1 at the ends."""
    ends = (mp.mpf(0) if x == 0 else None, mp.mpf(1) if x == n else None)
    half = mp.mpf(1) / 2
    return beta_limits(x + half, n - x + half, x + half, n - x + half, level, ends)


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


def delong(positives, negatives):
    """Variance of the area from the definition: a matrix of pairs won, as fractions."""
    m, n = len(positives), len(negatives)
    kernel = [[Fraction(2 * (p > q) + (p == q), 2) for q in negatives] for p in positives]
    area = sum(map(sum, kernel)) / Fraction(m * n)
    rows = [sum(row) / n for row in kernel]
    columns = [sum(column) / m for column in zip(*kernel, strict=True)]
    s10 = sum((one - area) ** 2 for one in rows) / (m - 1)
    s01 = sum((one - area) ** 2 for one in columns) / (n - 1)
    return exact(s10 / m + s01 / n)


def wald(x, n, level):
    """Textbook limits of one rate, cut to [0, 1]."""
    p = mp.mpf(x) / n
    spread = quantile(level) * mp.sqrt(p * (1 - p) / n)
    return max(mp.mpf(0), p - spread), min(mp.mpf(1), p + spread)


def wilson_effective(share, trials, level):
    """Score limits of a share of an effective number of trials, the doubles that were given."""
    z2, p, n = quantile(level) ** 2, mp.mpf(share), mp.mpf(trials)
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    spread = mp.sqrt(z2 * (p * (1 - p) + z2 / (4 * n)) / n) / (1 + z2 / n)
    return (mp.mpf(0) if p == 0 else centre - spread), (mp.mpf(1) if p == 1 else centre + spread)


def wald_difference(x, m, y, n, level):
    """Textbook limits of a difference, cut to [-1, 1]."""
    p, q = mp.mpf(x) / m, mp.mpf(y) / n
    spread = quantile(level) * mp.sqrt(p * (1 - p) / m + q * (1 - q) / n)
    return max(mp.mpf(-1), p - q - spread), min(mp.mpf(1), p - q + spread)


def agresti_caffo(x, m, y, n, level):
    """The same after a right and a wrong answer more in each sample."""
    return wald_difference(x + 1, m + 2, y + 1, n + 2, level)


def paired_wald(both, b, c, neither, level, added=0):
    """Textbook limits of a paired difference, cut to [-1, 1]."""
    b, c, n = b + added, c + added, both + b + c + neither + 2 * added
    d = mp.mpf(b - c) / n
    spread = quantile(level) * mp.sqrt((mp.mpf(b + c) / n - d * d) / n)
    return max(mp.mpf(-1), d - spread), min(mp.mpf(1), d + spread)


def bonett_price(both, b, c, neither, level):
    """The same after one item more in each discordant cell."""
    return paired_wald(both, b, c, neither, level, added=1)


def newcombe_paired(a, b, c, d, level):
    """Wilson's limits of both shares joined with their corrected correlation (method 10)."""
    n = a + b + c + d
    p, q = mp.mpf(a + b) / n, mp.mpf(a + c) / n
    (l1, u1), (l2, u2) = wilson(a + b, n, level), wilson(a + c, n, level)
    margins, cross = (a + b) * (c + d) * (a + c) * (b + d), a * d - b * c
    above = cross if cross < 0 else max(mp.mpf(0), cross - mp.mpf(n) / 2)
    phi = above / mp.sqrt(margins) if margins else mp.mpf(0)

    def joined(one, two):
        return mp.sqrt(max(mp.mpf(0), one**2 + two**2 - 2 * phi * one * two))

    return (
        max(mp.mpf(-1), p - q - joined(p - l1, u2 - q)),
        min(mp.mpf(1), p - q + joined(u1 - p, q - l2)),
    )


def log_scale_limits(score, x, y, level):
    """Halve on the logarithm of a ratio towards what a score test just rejects."""
    z = quantile(level)
    if x == 0 and y == 0:
        return mp.mpf(0), mp.inf
    found = []
    for wanted, there in ((z, x), (-z, y)):
        if not there:
            found.append(mp.mpf(0) if wanted > 0 else mp.inf)
            continue
        low, high = mp.mpf(-60), mp.mpf(60)
        for _ in range(180):
            middle = (low + high) / 2
            low, high = (middle, high) if score(mp.exp(middle)) > wanted else (low, middle)
        found.append(mp.exp((low + high) / 2))
    return tuple(found)


def most_likely(cells, rates, low, high):
    """Halve the slope of a log likelihood in one unknown rate; each cell has a rate and a slope."""
    for _ in range(240):
        middle = (low + high) / 2
        slope = sum(n * d / r for n, (r, d) in zip(cells, rates(middle), strict=True) if n)
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2


def ratio(x, m, y, n, level):
    """Koopman's limits of p1/p2: the rates of largest likelihood given the ratio."""

    def score(theta):
        q = most_likely(
            (x, m - x, y, n - y),
            lambda q: ((theta * q, theta), (1 - theta * q, -theta), (q, 1), (1 - q, -1)),
            mp.mpf(0),
            min(mp.mpf(1), 1 / theta),
        )
        p = theta * q
        variance = p * (1 - p) / m + theta**2 * q * (1 - q) / n
        gap = mp.mpf(x) / m - theta * y / n
        return gap / mp.sqrt(variance) if variance > 0 else mp.sign(gap) * mp.inf

    return log_scale_limits(score, x, y, level)


def odds_ratio_score(x, m, y, n, level):
    """Score limits of the odds ratio: expected counts with the margins seen and this ratio."""
    right = x + y
    wide = max(0, right - n)

    def score(psi):
        low, high = mp.mpf(wide), mp.mpf(min(m, right))
        for _ in range(240):
            a = (low + high) / 2
            below = a * (n - right + a) < psi * (m - a) * (right - a)
            low, high = (a, high) if below else (low, a)
        a = (low + high) / 2
        cells = (a, m - a, right - a, n - right + a)
        if min(cells) < mp.mpf(10) ** -60:
            return mp.sign(x - a) * mp.inf
        return (x - a) * mp.sqrt(sum(1 / cell for cell in cells))

    return log_scale_limits(score, x * (n - y), y * (m - x), level)


def paired_ratio(both, b, c, neither, level):
    """Score limits of the ratio of two paired rates; the neither-right items do not enter."""
    n = both + b + c

    def score(theta):
        # Shares p12 = b, p21 = c, p11: p11 + p12 = theta (p11 + p21), all three adding up to 1.
        def rates(q):
            p12 = (q + theta - 1) / theta
            p11 = 1 - q - p12
            return (p11, -1 - 1 / theta), (p12, 1 / theta), (q, 1)

        low, high = max(mp.mpf(0), 1 - theta), 1 / (1 + theta)
        q = most_likely((both, b, c), rates, low, high)
        p12 = max(mp.mpf(0), (q + theta - 1) / theta)
        variance = theta * (p12 + q) * n
        gap = both + b - theta * (both + c)
        if gap == 0:
            return mp.mpf(0)
        return gap / mp.sqrt(variance) if variance > mp.mpf(10) ** -60 else mp.sign(gap) * mp.inf

    return log_scale_limits(score, both + b, both + c, level)


def katz(x, m, y, n, level):
    """Log limits of a ratio of shares; a half added where a count is at its end."""
    seen = (x, y)
    if x == 0 or y == 0 or (x == m and y == n):
        half = mp.mpf(1) / 2
        x, m, y, n = x + half, m + 1, y + half, n + 1
    spread = quantile(level) * mp.sqrt(
        1 / mp.mpf(x) - mp.mpf(1) / m + 1 / mp.mpf(y) - mp.mpf(1) / n
    )
    centre = mp.log(mp.mpf(x) * n / (mp.mpf(y) * m))
    return (
        mp.exp(centre - spread) if seen[0] else mp.mpf(0),
        mp.exp(centre + spread) if seen[1] else mp.inf,
    )


def woolf(a, b, c, d, level):
    """Log limits of an odds ratio."""
    seen = (a, b, c, d)
    a, b, c, d = (mp.mpf(one) + (mp.mpf(1) / 2 if 0 in seen else 0) for one in seen)
    spread = quantile(level) * mp.sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    centre = mp.log(a * d / (b * c))
    return (
        mp.mpf(0) if 0 in (seen[0], seen[3]) else mp.exp(centre - spread),
        mp.inf if 0 in (seen[1], seen[2]) else mp.exp(centre + spread),
    )


def discordant_odds(b, c, level):
    """Clopper and Pearson's limits of a share, as odds."""
    low, high = clopper_pearson(b, b + c, level)
    return low / (1 - low), (high / (1 - high) if high < 1 else mp.inf)


def finite_rate(x, n, population, level):
    """Quantiles of the right answers on a whole benchmark: beta-binomial sums by whole steps."""
    left, tail = population - n, (1 - mp.mpf(level)) / 2
    a, b = x + mp.mpf(1) / 2, n - x + mp.mpf(1) / 2
    mass = mp.exp(
        mp.loggamma(b + left) + mp.loggamma(a + b) - mp.loggamma(a + b + left) - mp.loggamma(b)
    )
    total, low = mass, None
    for right in range(left + 1):
        if low is None and total >= tail:
            low = right
        if total >= 1 - tail:
            break
        mass *= (left - right) * (a + right) / ((right + 1) * (b + left - right - 1))
        total += mass
    return mp.mpf(x + low) / population, mp.mpf(x + right) / population


def finite_correction(tested, population):
    """Factor of a standard error."""
    return mp.sqrt(mp.mpf(population - tested) / population)


def logit_limits(value, error, level):
    """Limits that are even on the scale of log-odds."""
    v = mp.mpf(value)
    centre, half = mp.log(v / (1 - v)), quantile(level) * mp.mpf(error) / (v * (1 - v))
    return tuple(1 / (1 + mp.exp(-(centre + side * half))) for side in (-1, 1))


def fisher_limits(value, error, level):
    """Limits that are even on Fisher's scale."""
    v = mp.mpf(value)
    half = quantile(level) * mp.mpf(error) / (1 - v * v)
    return tuple(mp.tanh(mp.atanh(v) + side * half) for side in (-1, 1))


def mover(parts, weights):
    """Limits of a weighted sum from the limits of each part."""
    centre = sum(mp.mpf(w) * v for w, (v, _, _) in zip(weights, parts, strict=True))
    below = above = mp.mpf(0)
    for w, (v, low, high) in zip(weights, parts, strict=True):
        v, low, high, w = mp.mpf(v), mp.mpf(low), mp.mpf(high), mp.mpf(w)
        down, up = (v - low, high - v) if w >= 0 else (high - v, v - low)
        below, above = below + (w * down) ** 2, above + (w * up) ** 2
    return centre - mp.sqrt(below), centre + mp.sqrt(above)


def delta(counts, gradient, effective):
    """Variance of a linear form of multinomial shares."""
    n = sum(mp.mpf(one) for one in counts)
    shares = [mp.mpf(one) / n for one in counts]
    mean = sum(p * mp.mpf(g) for p, g in zip(shares, gradient, strict=True))
    return sum(p * (mp.mpf(g) - mean) ** 2 for p, g in zip(shares, gradient, strict=True)) / mp.mpf(
        effective
    )


def cluster_variance(totals):
    """Sample variance of cluster totals times their number."""
    values = [mp.mpf(one) for one in totals]
    g = len(values)
    mean = sum(values) / g
    return mp.mpf(g) / (g - 1) * sum((one - mean) ** 2 for one in values)


def cluster_robust(successes, trials, level):
    """Limits of a ratio of cluster totals with Student's t."""
    g, size = len(successes), mp.mpf(sum(trials))
    p = sum(successes) / size
    variance = cluster_variance(
        [(y - p * m) / size for y, m in zip(successes, trials, strict=True)]
    )
    half = student_quantile((1 - mp.mpf(level)) / 2, g - 1) * mp.sqrt(variance)
    return max(mp.mpf(0), p - half), min(mp.mpf(1), p + half)


def left_out(added, sizes):
    """Jackknife variance of a sum over clusters, from what each adds and how large it is."""
    g, whole = len(added), mp.mpf(sum(sizes))
    moved = [a / (1 - n / whole) for a, n in zip(added, sizes, strict=True)]
    return mp.mpf(g - 1) / g * sum(one**2 for one in moved)


def left_out_freedom(sizes):
    """Satterthwaite's degrees of freedom of that variance, with whole matrices."""
    g, whole = len(sizes), mp.mpf(sum(sizes))
    h, found = [n / whole for n in sizes], []
    for spread in (h, [one**2 for one in h]):
        total = sum(spread)
        square = trace = mp.mpf(0)
        for i in range(g):
            for j in range(g):
                both = (spread[i] if i == j else 0) - h[i] * spread[j] - h[j] * spread[i]
                one = (both + h[i] * h[j] * total) / ((1 - h[i]) * (1 - h[j]))
                square += one**2
                trace += one if i == j else 0
        found.append(trace**2 / square)
    return min(max(min(found), mp.mpf(1)), mp.mpf(g - 1))


def _halved_beta(a, b, tail):
    """Lower quantile of a beta distribution by halving its logarithm, for any numbers a and b."""
    low, high = -mp.mpf(3000) / min(a, mp.mpf(1)), mp.mpf(0)
    for _ in range(170):
        middle = (low + high) / 2
        below = mp.betainc(a, b, 0, mp.exp(middle), regularized=True)
        low, high = (middle, high) if below < tail else (low, middle)
    return mp.exp(low)


def guarded_tail(b, c, rest, at):
    """P(p1 - p2 <= at) of a Dirichlet with (b, c + 1, rest), all whole, b and rest above 0."""
    t, told = mp.mpf(at), b + c
    # Taken out of the integral it would leave numbers so small that the rule stops too early.
    scale = mp.beta(told + 1, rest)

    def wins(s):
        """Give the density of the discordant share s times the chance of p1 - p2 <= at."""
        x, y = (s + t) / 2, (s - t) / 2
        above = sum(comb(told, k) * x**k * y ** (told - k) for k in range(b, told + 1))
        return above * (1 - s) ** (rest - 1) / scale

    # A polynomial in s, so Gauss's rule loses nothing; in pieces about as wide as the mass.
    mean = mp.mpf(told + 1) / (told + 1 + rest)
    wide = mp.sqrt(mean * (1 - mean) / (told + 2 + rest))
    places = [mean + k * wide for k in range(-40, 41, 4)]
    ends = [abs(t), *(s for s in places if abs(t) < s < 1), mp.mpf(1)]
    parts = mp.quad(wins, ends, method="gauss-legendre")
    return parts + (mp.betainc(told + 1, rest, 0, t, regularized=True) if t > 0 else 0)


def guarded_paired(both, b, c, neither, level):
    """Gaffke's limits of a paired difference, both kinds of discordant items seen."""
    tail, rest = (1 - mp.mpf(level)) / 2, both + neither

    def lowest(one, two):
        top = max(mp.mpf(one - two) / (one + two + rest), mp.mpf(0))
        return root(lambda t: guarded_tail(one, two, rest, t) - tail, -1, top)

    return lowest(b, c), -lowest(c, b)


def clustered_share(successes, trials, level, *, share=None, variance=None, freedom=None):
    """Limits of a share over clusters in the model of cluster means."""
    won, tried = [mp.mpf(x) for x in successes], [mp.mpf(n) for n in trials]
    n = sum(tried)
    p = sum(won) / n if share is None else share
    if variance is None:
        variance = left_out([(y - p * m) / n for y, m in zip(won, tried, strict=True)], tried)
    few = [m - y for y, m in zip(won, tried, strict=True)] if p > mp.mpf(1) / 2 else won
    telling, squares = max(1, sum(one > 0 for one in few)), sum(one**2 for one in few)
    g = n**2 / sum(m**2 for m in tried)
    each = p * (1 - p)
    effect = n / g
    if each > mp.mpf(10) ** -12:
        most = n / g * (1 + mp.mpf(5) / 4 / telling)
        more = squares / telling / n**2
        effect = max(variance * n / each, min((variance + more) * n / each, most))
    tail = (1 - mp.mpf(level)) / 2
    t = student_quantile(tail, left_out_freedom(tried) if freedom is None else freedom)
    number = n / max(mp.mpf(1), effect) * (quantile(level) / t) ** 2
    low, high = wilson_effective(p, number, level)
    if mp.mpf(1) / 2 < p < 1:
        high = max(high, 1 - _halved_beta((1 - p) * number, p * number + 1, tail))
    elif 0 < p <= mp.mpf(1) / 2:
        low = min(low, _halved_beta(p * number, (1 - p) * number + 1, tail))
    reach = min(p, 1 - p) * n
    rare = mp.mpf(1)
    if reach > 0 and squares > 0:
        rare = 1 - reach**2 / squares * (1 / reach + 1 / g) + 1 / reach
        rare = min(mp.mpf(1), max(mp.mpf(0), rare))
    more = rare * t**2
    return min(low, p * g / (g + more)), max(high, (p * g + more) / (g + more))


def clustered_contrast(wins, losses, sizes, value):
    """Difference over clusters, its p-value, and the one-sided tail at a difference."""
    b, c = ([mp.mpf(x) for x in side] for side in (wins, losses))
    held = [mp.mpf(n) for n in sizes]
    d = [x - y for x, y in zip(b, c, strict=True)]
    n, g = sum(held), sum(held) ** 2 / sum(m**2 for m in held)
    gap = sum(d) / n
    seen = left_out([(x - gap * m) / n for x, m in zip(d, held, strict=True)], held)
    told, squares, reach = sum(x != 0 for x in d), sum(x**2 for x in d), sum(abs(x) for x in d)
    apart = sum(b) + sum(c)
    each = apart / n - gap**2
    most = n / g * (1 + mp.mpf(5) / 4 / max(1, told))
    more = squares / max(1, told) / n**2
    effect = max(seen * n / each, min((seen + more) * n / each, most))
    effect = max(effect, 1 + mp.mpf(5) / 4 / apart)
    rare = 1 - reach**2 / squares * (1 / reach + 1 / g) + 1 / reach
    rare = min(mp.mpf(1), max(mp.mpf(0), rare))

    def tail(at):
        at = mp.mpf(at)
        linear = (2 * n - sum(b) + sum(c)) * at - apart
        q = (mp.sqrt(linear**2 + 8 * n * sum(c) * at * (1 - at)) - linear) / (4 * n)
        variance = 2 * max(q, mp.mpf(0), -at) + at * (1 - at)
        pivot = abs(gap - at) / mp.sqrt(effect * variance / n)
        room = 1 + at if at < gap else 1 - at
        if rare > 0:
            pivot = min(pivot, mp.sqrt(g * abs(gap - at) / (rare * room)))
        freedom = left_out_freedom(held)
        x = freedom / (freedom + pivot**2)
        return mp.betainc(freedom / 2, mp.mpf(1) / 2, 0, x, regularized=True) / 2

    return gap, min(mp.mpf(1), 2 * tail(0)), tail(value)


def percentile(values, level):
    """Order statistics with straight lines between them."""
    ordered, found = sorted(mp.mpf(one) for one in values), []
    for share in ((1 - mp.mpf(level)) / 2, (1 + mp.mpf(level)) / 2):
        place = share * (len(ordered) - 1)
        below = int(mp.floor(place))
        above = min(below + 1, len(ordered) - 1)
        found.append(ordered[below] + (place - below) * (ordered[above] - ordered[below]))
    return tuple(found)


def newcombe_area(area, m, n, level):
    """Areas whose distance from the one seen is z of their own standard errors."""
    z, seen = quantile(level), mp.mpf(area)
    extra = mp.mpf(m + n) / 2 - 1

    def excess(a):
        inner = 1 + extra * ((1 - a) / (2 - a) + a / (1 + a))
        return (seen - a) ** 2 - z**2 * a * (1 - a) * inner / (mp.mpf(m) * n)

    ends = []
    for end in (mp.mpf(0), mp.mpf(1)):
        if seen == end:
            ends.append(end)
            continue
        near, far = (seen, end) if 0 < seen < 1 else (1 - end, end)
        if seen in (0, 1):
            near = abs(seen - mp.mpf(10) ** -30)
        for _ in range(220):
            middle = (near + far) / 2
            near, far = (middle, far) if excess(middle) <= 0 else (near, middle)
        ends.append(near)
    return tuple(ends)


def ratio_score(counts, top, bottom, level):
    """Score limits of a ratio of multinomial sums; the multiplier of the constraint by halving."""
    n = sum(counts)

    def score(theta):
        slope = [u - theta * v for u, v in zip(top, bottom, strict=True)]
        gap = sum(a * k for a, k in zip(slope, counts, strict=True))
        if gap == 0 or min(slope) >= 0 or max(slope) <= 0:
            return mp.mpf(0) if gap == 0 else mp.inf
        side = slope if gap > 0 else [-a for a in slope]
        least = min(side)
        largest = -n / least

        def mean(m):
            return sum(a * k / (n + m * a) for a, k in zip(side, counts, strict=True) if k)

        low, high = mp.mpf(0), largest
        for _ in range(230):
            middle = (low + high) / 2
            low, high = (middle, high) if mean(middle) > 0 else (low, middle)
        shares = [k / (n + low * a) for a, k in zip(side, counts, strict=True)]
        rest = 1 - sum(shares)
        squares = sum(a * a * p for a, p in zip(side, shares, strict=True)) + least**2 * rest
        return gap / mp.sqrt(n * squares)

    found = sum(u * k for u, k in zip(top, counts, strict=True)) / mp.mpf(
        sum(v * k for v, k in zip(bottom, counts, strict=True))
    )
    ends = [mp.mpf(u) / v for u, v in zip(top, bottom, strict=True)]
    return score_limits(score, found, level, ends=(min(ends), max(ends)))


def step_down(p_values, factors):
    """Ascending p-values times falling factors, never below the one before, at most 1."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted, before = [None] * len(order), mp.mpf(0)
    for place, factor in zip(order, factors, strict=True):
        before = max(before, min(mp.mpf(1), factor * mp.mpf(p_values[place])))
        adjusted[place] = before
    return tuple(adjusted)


def benjamini_hochberg(p_values):
    """Least p_(j) m / j over all j from its own place on."""
    ordered = sorted(mp.mpf(p) for p in p_values)
    m = len(ordered)
    scaled = [min(p * m / (j + 1) for j, p in enumerate(ordered) if j >= i) for i in range(m)]
    return tuple(scaled[ordered.index(mp.mpf(p))] for p in p_values)


def delong_pair(positives, negatives):
    """Areas and covariance of two systems; each item is a pair of scores. As fractions."""
    m, n = len(positives), len(negatives)
    rows, columns, areas = [], [], []
    for system in (0, 1):
        kernel = [
            [Fraction(2 * (p[system] > q[system]) + (p[system] == q[system]), 2) for q in negatives]
            for p in positives
        ]
        areas.append(sum(map(sum, kernel)) / Fraction(m * n))
        rows.append([sum(row) / n for row in kernel])
        columns.append([sum(column) / m for column in zip(*kernel, strict=True)])

    def cross(one, two, i, j):
        return sum((a - areas[i]) * (b - areas[j]) for a, b in zip(one, two, strict=True))

    found = [
        cross(rows[i], rows[j], i, j) / (m * (m - 1))
        + cross(columns[i], columns[j], i, j) / (n * (n - 1))
        for i, j in ((0, 0), (0, 1), (1, 1))
    ]
    return tuple(exact(one) for one in (*areas, *found))


def kolmogorov_band(positives, negatives, level, at):
    """Band of a step curve at one false alarm rate, both distribution functions off by Massart."""
    alpha = 1 - mp.sqrt(mp.mpf(level))
    wide, tall = (mp.sqrt(mp.log(2 / alpha) / (2 * k)) for k in (len(negatives), len(positives)))
    cuts = sorted({*positives, *negatives}, reverse=True)
    points = [(mp.mpf(0), mp.mpf(0))] + [
        (
            mp.mpf(sum(q >= cut for q in negatives)) / len(negatives),
            mp.mpf(sum(p >= cut for p in positives)) / len(positives),
        )
        for cut in cuts
    ]

    def read(x):
        if x < 0 or x > 1:
            return mp.mpf(x > 1)
        left = max(k for k, (f, _) in enumerate(points) if f <= x)
        if left == len(points) - 1:
            return points[left][1]
        (x0, y0), (x1, y1) = points[left], points[left + 1]
        return y0 + (x - x0) / (x1 - x0) * (y1 - y0)

    at = mp.mpf(at)
    return max(mp.mpf(0), read(at - wide) - tall), min(mp.mpf(1), read(at + wide) + tall)


def clustered_delong(positives, negatives):
    """Obuchowski's variance where the first two items of each class are one cluster."""
    m, n = len(positives), len(negatives)
    kernel = [[Fraction(2 * (p > q) + (p == q), 2) for q in negatives] for p in positives]
    area = sum(map(sum, kernel)) / Fraction(m * n)
    rows = [sum(row) / n - area for row in kernel]
    columns = [sum(column) / m - area for column in zip(*kernel, strict=True)]
    x = [rows[0] + rows[1], *rows[2:]]
    y = [columns[0] + columns[1], *columns[2:]]
    every = len(x) + len(y) - 1
    found = (
        Fraction(len(x), len(x) - 1) * sum(one**2 for one in x) / m**2
        + Fraction(len(y), len(y) - 1) * sum(one**2 for one in y) / n**2
        + 2 * Fraction(every, every - 1) * x[0] * y[0] / (m * n)
    )
    return exact(found)


def shaffer_by_partitions(p_values):
    """Shaffer's second procedure for four systems, over all fifteen groupings of them."""
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    groupings = {
        tuple(labels.index(label) for label in labels)
        for labels in (
            [a, b, c, d] for a in range(4) for b in range(4) for c in range(4) for d in range(4)
        )
    }
    order = sorted(range(6), key=lambda place: p_values[place])
    factors = []
    for step in range(6):
        apart = [pairs[place] for place in order[:step]]
        factors.append(
            max(
                sum(g[i] == g[j] for i, j in pairs)
                for g in groupings
                if all(g[i] != g[j] for i, j in apart)
            )
        )
    return step_down(p_values, factors)


def equal_pairs(systems):
    """Most equal pairs that are possible with so many left, over all groupings."""
    possible = {0}
    for labels in product(range(systems), repeat=systems):
        possible.add(sum(comb(labels.count(one), 2) for one in set(labels)))
    pairs = comb(systems, 2)
    return tuple(max(n for n in possible if n <= left) for left in range(pairs, 0, -1))
