"""Posterior chances in 70 digits: even grids of log-odds, tails by continued fractions."""

from math import comb

import mpmath as mp

from accuracy.arithmetic import beta_cdf, beta_root, beta_tail, even_sum, log_odds_integrals, root

__all__ = ["better", "ranks"]


def density(a, b, x, rest):
    """Beta density at x, with 1 - x handed over."""
    return mp.exp(
        mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b)
        + (a - 1) * mp.log(x) + (b - 1) * mp.log(rest)
    )  # fmt: skip


def reach(pairs):
    """Range of log-odds and a step that serve several posteriors."""
    ends, steps = [], []
    for a, b in pairs:
        centre, spread = mp.log(mp.mpf(a) / b), mp.sqrt(mp.mpf(1) / a + mp.mpf(1) / b)
        ends += [centre - 14 * spread - 75 / mp.mpf(a), centre + 14 * spread + 75 / mp.mpf(b)]
        steps.append(min(mp.mpf(1) / 4, spread / 3))
    return min(ends), max(ends), min(steps)


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


def ranks(pairs):
    """Chances of rank 1, 2 and 3 of the first of three posteriors."""
    (a, b), *others = pairs

    def inside(x, rest):
        f = density(a, b, x, rest)
        below = [beta_cdf(c, d, x) for c, d in others]
        above = [beta_cdf(d, c, rest) for c, d in others]
        middle = below[0] * above[1] + above[0] * below[1]
        return f * below[0] * below[1], f * middle, f * above[0] * above[1]

    return log_odds_integrals(inside, *reach(pairs))


def best_of_fifty(a, b, c, d):
    """P(one is above 49 others that are alike), P(it is not), and P(one of the others is best)."""

    def inside(x, rest):
        below = beta_cdf(c, d, x)
        f = density(a, b, x, rest)
        others = density(c, d, x, rest) * below**48 * beta_cdf(a, b, x)
        return f * below**49, f * (1 - below**49), others

    low, high, step = reach([(a, b), (c, d)])
    return log_odds_integrals(inside, low, high, step / 4)


def ranking(pairs):
    """P(first > second > third)."""
    (a, b), (c, d), (e, f) = pairs

    def inside(x, rest):
        return (density(c, d, x, rest) * beta_cdf(b, a, rest) * beta_cdf(e, f, x),)

    return log_odds_integrals(inside, *reach(pairs))


def ranking_by_product(pairs):
    """P(first is best of three) times P(second better than third)."""
    _, (c, d), (e, f) = pairs

    def inside(x, rest):
        return (density(c, d, x, rest) * beta_cdf(e, f, x),)

    return ranks(pairs)[0] * log_odds_integrals(inside, *reach(pairs[1:]))[0]


def losses(pairs):
    """E(largest rate) less the mean of each."""

    def inside(x, _):
        every = mp.mpf(1)
        for a, b in pairs:
            every *= beta_cdf(a, b, x)
        return (1 - every,)

    low, _, step = reach(pairs)
    largest = log_odds_integrals(inside, min(low, mp.mpf(-90)), mp.mpf(90), step)[0]
    return tuple(largest - mp.mpf(a) / (a + b) for a, b in pairs)


def ahead(a, b, c, d, margin):
    """P(X > Y + margin): what is left above the margin, stretched over the log-odds."""
    m = mp.mpf(margin)

    def inside(y):
        share, rest = 1 / (1 + mp.exp(-y)), 1 / (1 + mp.exp(y))
        x, left = m + (1 - m) * share, (1 - m) * rest
        slope = (1 - m) * share * rest
        return density(a, b, x, left) * beta_cdf(c, d, x - m) * slope

    spread = mp.sqrt(mp.mpf(1) / (a + b) + mp.mpf(1) / (c + d))
    with mp.workdps(55):
        return even_sum(inside, -70, 70, min(mp.mpf(1) / 5, spread / 2))


def equivalent(a, b, c, d, margin):
    """Chances that the first is ahead by the margin, that neither is, that the second is."""
    first, second = ahead(a, b, c, d, margin), ahead(c, d, a, b, margin)
    return first, 1 - first - second, second


def paired_equivalent(both, b, c, neither, margin):
    """The same on common items: discordant share times twice the part less one."""
    m, half = mp.mpf(margin), mp.mpf(1) / 2
    start, e, f = (1 + m) / 2, b + c + 1, both + neither + 1

    def side(one, two):
        def inside(y):
            share, rest = 1 / (1 + mp.exp(-y)), 1 / (1 + mp.exp(y))
            q, left = start + (1 - start) * share, (1 - start) * rest
            needed = m / (2 * q - 1)
            tail = beta_tail(e, f, needed) if needed < 1 else mp.mpf(0)
            return density(one, two, q, left) * tail * (1 - start) * share * rest

        with mp.workdps(55):
            return even_sum(inside, -140, 140, mp.mpf(1) / 8)

    first, second = side(b + half, c + half), side(c + half, b + half)
    return first, 1 - first - second, second


def pair(both, b, c, neither):
    """P(first better), P(second better) and both expected losses on common items."""
    half = mp.mpf(1) / 2
    one, two, n = b + half, c + half, both + b + c + neither
    share = (one + two) / (n + 2)

    def loss(a, d):
        return share * (beta_cdf(a, d, half) - 2 * a / (a + d) * beta_cdf(a + 1, d, half))

    return beta_tail(one, two, half), beta_cdf(one, two, half), loss(one, two), loss(two, one)


def equal_tailed(a, b, level):
    """Quantiles of a beta posterior."""
    tail = (1 - mp.mpf(level)) / 2
    return beta_root(a, b, tail, upper=False), beta_root(a, b, tail, upper=True)


def highest_density(a, b, level):
    """Ends of equal density with the mass asked for between them."""
    a, b, left = mp.mpf(a), mp.mpf(b), 1 - mp.mpf(level)
    if a <= 1:
        return mp.mpf(0), beta_root(a, b, left, upper=True)
    if b <= 1:
        return beta_root(a, b, left, upper=False), mp.mpf(1)

    def ends(share):
        return (
            beta_root(a, b, left * share, upper=False),
            beta_root(a, b, left * (1 - share), upper=True),
        )

    def off(share):
        low, high = ends(share)
        return (a - 1) * mp.log(low / high) + (b - 1) * mp.log((1 - low) / (1 - high))

    return ends(root(off, mp.mpf(10) ** -9, 1 - mp.mpf(10) ** -9))


def binomials(n, p):
    """All probabilities of n trials."""
    return [comb(n, x) * p**x * (1 - p) ** (n - x) for x in range(n + 1)]


def correct_selection(n, k, lead, rate):
    """P(the best of k has most right answers), ties shared; the others are ``lead`` behind."""
    p, q = mp.mpf(rate), mp.mpf(rate) - mp.mpf(lead)
    top, low = binomials(n, p), binomials(n, q)
    total, below = mp.mpf(0), mp.mpf(0)
    for x in range(n + 1):
        for ties in range(k):
            share = mp.binomial(k - 1, ties) * low[x] ** ties * below ** (k - 1 - ties)
            total += top[x] * share / (ties + 1)
        below += low[x]
    return total


def least(function, low, high):
    """Smallest value between two rates: a scan, then thirds."""
    points = [low + (high - low) * k / 24 for k in range(25)]
    at = min(range(25), key=lambda k: function(points[k]))
    left, right = points[max(at - 1, 0)], points[min(at + 1, 24)]
    for _ in range(70):
        one, two = left + (right - left) / 3, right - (right - left) / 3
        left, right = (left, two) if function(one) < function(two) else (one, right)
    return function((left + right) / 2)


def least_favourable(n, k, lead):
    """Least chance of a correct selection over the rate of the best."""
    return least(lambda p: correct_selection(n, k, lead, p), mp.mpf(lead), mp.mpf(1))


def least_kept(n, k, allowance):
    """Least chance that the best of k equal systems is kept by the subset rule."""

    def kept(p):
        points = binomials(n, p)
        up_to = [mp.fsum(points[: x + 1]) for x in range(n + 1)]
        return mp.fsum(points[x] * up_to[min(n, x + allowance)] ** (k - 1) for x in range(n + 1))

    return least(kept, mp.mpf(0), mp.mpf(1))
