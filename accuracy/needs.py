"""Powers and numbers of items in 70 digits, by summing over all outcomes of the test itself."""

from fractions import Fraction
from functools import cache
from math import comb

import mpmath as mp

from accuracy.arithmetic import (
    beta_cdf,
    exact,
    log_odds_integrals,
    normal_tail,
    quantile,
    root,
)
from accuracy.chances import density, reach
from accuracy.limits import difference_score, tango, tango_score, wilson_effective

__all__ = ["paired_power"]


def binomials(n, p):
    """All probabilities of n trials."""
    return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


@cache
def decided(discordant, method, alpha):
    """For each number of wins of the first: 1 or -1 where McNemar's test names one, else 0."""
    half = [Fraction(comb(discordant, k), 2**discordant) for k in range(discordant + 1)]
    found = []
    for b in range(discordant + 1):
        k = min(b, discordant - b)
        tail = sum(half[: k + 1])
        p = 2 * tail - half[k] if method == "mid-p" else 2 * tail
        if 2 * b == discordant:
            p = Fraction(1)
        found.append((b > discordant - b) - (b < discordant - b) if p <= Fraction(alpha) else 0)
    return found


def paired_power(only_first, only_second, n, method, alpha):
    """Chances that the better and that the worse system is named."""
    one, two = mp.mpf(only_first), mp.mpf(only_second)
    psi, q = one + two, one / (one + two)
    right = wrong = mp.mpf(0)
    for total, weight in enumerate(binomials(n, psi)):
        inner = binomials(total, q)
        named = decided(total, method, alpha)
        right += weight * sum(inner[k] for k in range(total + 1) if named[k] == 1)
        wrong += weight * sum(inner[k] for k in range(total + 1) if named[k] == -1)
    return right, wrong


def last_short(power, start, end, wanted):
    """Number behind the last one that falls short, up to an end."""
    last = max(n for n in range(start, end) if power(n) < mp.mpf(wanted))
    return last + 1, power(last + 1)


def paired_samples(only_first, only_second, wanted):
    """Items of the mid-p test, all numbers tried."""

    def power(n):
        return paired_power(only_first, only_second, n, "mid-p", 0.05)[0]

    return last_short(power, 1, 110, wanted)


def independent_power(first, second, n, alpha):
    """Chances that the better and the worse are named by the score test, all tables tried."""
    p, q, bar = mp.mpf(first), mp.mpf(second), quantile(1 - mp.mpf(alpha)) ** 2
    one, two = binomials(n, p), binomials(n, q)
    found = {1: mp.mpf(0), -1: mp.mpf(0)}
    for x in range(n + 1):
        for y in range(n + 1):
            right = x + y
            if x == y or right in (0, 2 * n):
                continue
            square = Fraction((x - y) ** 2 * (2 * n - 1), right * (2 * n - right))
            if exact(square) >= bar:
                found[1 if (x > y) == (p > q) else -1] += one[x] * two[y]
    return found[1], found[-1]


def independent_samples(first, second, wanted):
    """Samples of the score test, all numbers tried."""
    return last_short(lambda n: independent_power(first, second, n, 0.05)[0], 1, 45, wanted)


def equivalence_power(first, second, n, margin, alpha):
    """Farrington and Manning's two tests, all tables tried."""
    bar, m = quantile(1 - 2 * mp.mpf(alpha)), mp.mpf(margin)
    one, two = binomials(n, mp.mpf(first)), binomials(n, mp.mpf(second))
    factor, total = mp.mpf(2 * n) / (2 * n - 1), mp.mpf(0)
    for x in range(n + 1):
        for y in range(n + 1):
            above = difference_score(x, n, y, n, -m, factor)
            below = difference_score(x, n, y, n, m, factor)
            if above >= bar and below <= -bar:
                total += one[x] * two[y]
    return total


def paired_equivalence_power(only_first, only_second, n, margin, alpha):
    """Tango's two tests, all tables tried."""
    bar, m = quantile(1 - 2 * mp.mpf(alpha)), mp.mpf(margin)
    p, q = mp.mpf(only_first), mp.mpf(only_second)
    total = mp.mpf(0)
    for b in range(n + 1):
        for c in range(n - b + 1):
            above = tango_score(n - b - c, b, c, 0, -m)
            below = tango_score(n - b - c, b, c, 0, m)
            if above >= bar and below <= -bar:
                rest = n - b - c
                total += comb(n, b) * comb(n - b, c) * p**b * q**c * (1 - p - q) ** rest
    return total


def connor(only_first, only_second, power, alpha):
    """Connor's formula, rounded up."""
    p, q = mp.mpf(only_first), mp.mpf(only_second)
    psi, gap = p + q, abs(p - q)
    for_alpha = quantile(1 - mp.mpf(alpha))
    for_power = quantile(2 * mp.mpf(power) - 1)
    return mp.ceil(((for_alpha * mp.sqrt(psi) + for_power * mp.sqrt(psi - gap**2)) / gap) ** 2)


def hanley_mcneil(area, positives, negatives):
    """Variance of an area for exponential scores."""
    a, m, n = mp.mpf(area), mp.mpf(positives), mp.mpf(negatives)
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    return (a * (1 - a) + (m - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)) / (m * n)


def won(gap, null, true, alpha):
    """Normal power."""
    return normal_tail((quantile(1 - mp.mpf(alpha)) * null - gap) / true)


def area_power(area, samples, null, alpha):
    """Power of one area against a value, half of the items positive."""
    half = mp.mpf(samples) / 2
    spread = [mp.sqrt(hanley_mcneil(one, half, half)) for one in (null, area)]
    return won(abs(mp.mpf(area) - mp.mpf(null)), *spread, alpha)


def area_difference_power(first, second, samples, correlation, alpha):
    """Power of two areas."""
    half, r = mp.mpf(samples) / 2, mp.mpf(correlation)
    one, two = (hanley_mcneil(a, half, half) for a in (first, second))
    null = 2 * hanley_mcneil((mp.mpf(first) + mp.mpf(second)) / 2, half, half) * (1 - r)
    true = one + two - 2 * r * mp.sqrt(one * two)
    return won(abs(mp.mpf(first) - mp.mpf(second)), mp.sqrt(null), mp.sqrt(true), alpha)


def smallest(enough):
    """Smallest total of 2 or more that is enough, by halving what doubling found."""
    low, high = 1, 2
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def kappa_variance(kappa, prevalence):
    """Variance of kappa of two raters and two classes, times the items."""
    k, p = mp.mpf(kappa), mp.mpf(prevalence)
    return (1 - k) * ((1 - k) * (1 - 2 * k) + k * (2 - k) / (2 * p * (1 - p)))


def kappa_noncentrality(kappa, null, prevalence):
    """Sum over the three counts of (expected difference) squared over expected."""
    k, k0, p = mp.mpf(kappa), mp.mpf(null), mp.mpf(prevalence)

    def cells(value):
        mixed = p * (1 - p)
        return p * p + mixed * value, 2 * mixed * (1 - value), (1 - p) ** 2 + mixed * value

    return sum((a - b) ** 2 / b for a, b in zip(cells(k), cells(k0), strict=True))


def kappa_power(kappa, samples, null, prevalence):
    """Normal power of the goodness-of-fit test."""
    return normal_tail(
        quantile(0.95) - mp.sqrt(samples * kappa_noncentrality(kappa, null, prevalence))
    )


def wilson_width(rate, n, level):
    """Width of the score interval at a rate, n need not be whole times it."""
    low, high = wilson_effective(rate, n, level)
    z2 = quantile(level) ** 2
    if rate in (0.0, 1.0):
        return z2 / (n + z2)
    return high - low


def width_samples(rate, width, level):
    """Number at which the width is reached, not rounded."""
    z2, p, w = quantile(level) ** 2, mp.mpf(rate), mp.mpf(width)

    def off(n):
        return 2 * mp.sqrt(z2 * (p * (1 - p) + z2 / (4 * n)) / n) / (1 + z2 / n) - w

    low, high = mp.mpf(1) / 10**6, mp.mpf(10) ** 10
    for _ in range(260):
        middle = mp.sqrt(low * high)
        low, high = (middle, high) if off(middle) > 0 else (low, middle)
    return low


def width_assurance(rate, n, width, level):
    """Chance of counts whose interval is narrow enough."""
    mass = binomials(n, mp.mpf(rate))
    total = mp.mpf(0)
    for x in range(n + 1):
        z2, p = quantile(level) ** 2, mp.mpf(x) / n
        wide = 2 * mp.sqrt(z2 * (p * (1 - p) + z2 / (4 * mp.mpf(n))) / n) / (1 + z2 / n)
        total += mass[x] if wide <= mp.mpf(width) else 0
    return total


def tango_width(only_first, only_second, n, level):
    """Width of Tango's interval at the expected counts."""
    b, c = round(n * only_first), round(n * only_second)
    low, high = tango(n - b - c, b, c, 0, level)
    return high - low


def best_of_two(first, second, n):
    """P(the better is best) after n samples that show exactly the rates, uniform priors."""
    pairs = []
    for rate in (first, second):
        x = mp.mpf(rate) * mp.mpf(n)
        pairs.append((x + 1, n - x + 1))
    (a, b), (c, d) = pairs

    def inside(x, rest):
        return (density(c, d, x, rest) * beta_cdf(b, a, rest),)

    return log_odds_integrals(inside, *reach(pairs))[0]


def paired_miss(pairs, n):
    """Sum of the chances to be beaten."""
    half = mp.mpf(1) / 2
    return sum(
        beta_cdf(n * mp.mpf(high) + half, n * mp.mpf(low) + half, half) for high, low in pairs
    )


def paired_posterior_samples(pairs, confidence):
    """Root in the items of the confidence."""
    miss = 1 - mp.mpf(confidence)
    return root(lambda n: mp.log(paired_miss(pairs, n) / miss), mp.mpf(1) / 10, mp.mpf(1000))


def akaike_gain(first, second, design):
    """Twice the gain in log likelihood of one sample; common items as if unrelated."""
    p, q = mp.mpf(first), mp.mpf(second)

    def entropy(*shares):
        return sum(s * mp.log(s) for s in shares if s)

    if design == "independent":
        m = (p + q) / 2
        return 2 * (entropy(p, 1 - p) + entropy(q, 1 - q) - 2 * entropy(m, 1 - m))
    b, c = p - p * q, q - p * q
    return 2 * (entropy(b, c) - 2 * entropy((b + c) / 2))


def named_power(only_first, only_second, n, names):
    """Chances that a rule on discordant items, looked at once, names the better and the worse."""
    one, two = mp.mpf(only_first), mp.mpf(only_second)
    right = wrong = mp.mpf(0)
    for total, weight in enumerate(binomials(n, one + two)):
        for b, chance in enumerate(binomials(total, one / (one + two))):
            if b * 2 != total and names(max(b, total - b), min(b, total - b)):
                if 2 * b > total:
                    right += weight * chance
                else:
                    wrong += weight * chance
    return right, wrong


def akaike_names(more, less):
    """Whether the criterion says different: twice the gain above 3."""
    n = more + less
    gain = sum(k * mp.log(mp.mpf(2 * k) / n) for k in (more, less) if k)
    return 2 * gain - 2 > 1


def posterior_names(confidence):
    """Whether the posterior of the better one reaches a confidence."""
    half = mp.mpf(1) / 2
    return lambda more, less: beta_cdf(more + half, less + half, half) <= 1 - mp.mpf(confidence)


def stopped(only_first, only_second, cap, alpha):
    """Evidence after every item up to a cap: both winners, none, and the expected items."""
    p, q = mp.mpf(only_first), mp.mpf(only_second)
    bar = 1 / mp.mpf(alpha)
    paths, right, wrong, expected = {(0, 0): mp.mpf(1)}, mp.mpf(0), mp.mpf(0), mp.mpf(0)
    for _ in range(cap):
        expected += sum(paths.values())
        moved = {}
        for (b, c), mass in paths.items():
            for now, chance in (((b + 1, c), p), ((b, c + 1), q), ((b, c), 1 - p - q)):
                moved[now] = moved.get(now, 0) + mass * chance
        paths = {}
        for (b, c), mass in moved.items():
            evidence = mp.mpf(2) ** (b + c) * mp.beta(b + 1, c + 1)
            if evidence >= bar:
                right, wrong = (right + mass, wrong) if b > c else (right, wrong + mass)
            else:
                paths[b, c] = mass
    return right, wrong, sum(paths.values()), expected


def posterior_samples(first, second, confidence):
    """Number of samples at which the better of two is best with a confidence, not rounded."""
    miss = 1 - mp.mpf(confidence)
    return root(lambda n: mp.log((1 - best_of_two(first, second, n)) / miss), mp.mpf(2), mp.mpf(40))
