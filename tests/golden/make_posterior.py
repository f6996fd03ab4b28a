"""Write posterior.json: posterior probabilities in 25 to 50 digits, on the rate scale.

Run by hand: ``python tests/golden/make_posterior.py`` (mpmath 1.3 or later; a few minutes).
Nothing here is shared with the library, which works in doubles on the log-odds scale.
"""

import json
from itertools import pairwise
from pathlib import Path

import mpmath as mp

mp.mp.dps = 50

SMALL = {
    "uniform prior, none and all right": ([1, 11, 6], [11, 1, 6]),
    "Jeffreys prior, none and all right": ([0.5, 10.5, 3.5], [10.5, 0.5, 7.5]),
    "a prior weight of 1/100": ([0.01, 2.5], [3.25, 1.5]),
    "two of two against 79 of 100": ([3, 80], [1, 22]),
    "one item each": ([2, 1, 2, 1.5], [1, 2, 1.5, 1.5]),
}
TAILS = {
    "complement near 1e-33": ([91, 11], [11, 91]),
    "complement near 1e-60": ([3001, 2001], [7001, 8001]),
    "complement near 1e-179": ([801, 185, 171], [201, 817, 831]),
    "complement near 1e-299": ([905, 130], [97, 872]),
    "complement with a perfect leader": ([1001, 301], [1, 701]),
}
LARGE = {
    "near ties at 1e8": (
        [80_000_001, 80_003_001, 79_998_001],
        [20_000_001, 19_997_001, 20_002_001],
    ),
    "one apart at 1e8": ([80_000_001, 80_000_002], [20_000_001, 20_000_000]),
}


def density(x, a, b):
    return mp.exp((a - 1) * mp.log(x) + (b - 1) * mp.log(1 - x) - log_beta(a, b))


@mp.memoize
def log_beta(a, b):
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


def below(x, a, b):
    return mp.betainc(a, b, 0, x, regularized=True)


def best_by_quadrature(a, b):
    """Tanh-sinh quadrature, which does not mind infinite densities at the edges."""
    cuts = [0, 0.5, 1]
    return [
        mp.quad(
            lambda x, i=i: (
                density(x, a[i], b[i])
                * mp.fprod(below(x, a[j], b[j]) for j in range(len(a)) if j != i)
            ),
            cuts,
        )
        for i in range(len(a))
    ]


def not_best_of_first(a, b):
    """1 - P(first is best), integrated by itself; survival functions from the right."""
    edges = mp.linspace(1, 0, 101)
    rule = gauss(24)
    rivals = range(1, len(a))
    total = mp.mpf(0)
    passed = [mp.mpf(0)] * len(a)
    for right, left in pairwise(edges):
        for node, weight in on(rule, left, right):
            part = on(rule, node, right)
            some_better = mp.mpf(0)
            for j in rivals:
                over = passed[j] + mp.fsum(w * density(x, a[j], b[j]) for x, w in part)
                some_better += over - some_better * over
            total += weight * density(node, a[0], b[0]) * some_better
        whole = on(rule, left, right)
        for j in rivals:
            passed[j] += mp.fsum(w * density(x, a[j], b[j]) for x, w in whole)
    return total


def best_on_panels(a, b):
    """Gauss-Legendre panels around the posteriors; distribution functions by the same rule."""
    mean = [x / (x + y) for x, y in zip(a, b, strict=True)]
    spread = mp.sqrt(mean[0] * (1 - mean[0]) / (a[0] + b[0]))
    edges = mp.linspace(min(mean) - 12 * spread, max(mean) + 12 * spread, 31)
    rule = gauss(24)
    total = [mp.mpf(0)] * len(a)
    reached = [mp.mpf(0)] * len(a)
    for left, right in pairwise(edges):
        for node, weight in on(rule, left, right):
            part = on(rule, left, node)
            under = [
                reached[j] + mp.fsum(w * density(x, a[j], b[j]) for x, w in part)
                for j in range(len(a))
            ]
            for i in range(len(a)):
                others = mp.fprod(under[j] for j in range(len(a)) if j != i)
                total[i] += weight * density(node, a[i], b[i]) * others
        whole = on(rule, left, right)
        for j in range(len(a)):
            reached[j] += mp.fsum(w * density(x, a[j], b[j]) for x, w in whole)
    return total


def gauss(count):
    """Gauss-Legendre nodes and weights by Newton's method."""
    rule = []
    for k in range(1, count + 1):
        x = mp.cos(mp.pi * (k - mp.mpf(1) / 4) / (count + mp.mpf(1) / 2))
        for _ in range(8):
            slope = count * (x * mp.legendre(count, x) - mp.legendre(count - 1, x)) / (x * x - 1)
            x -= mp.legendre(count, x) / slope
        slope = count * (x * mp.legendre(count, x) - mp.legendre(count - 1, x)) / (x * x - 1)
        rule.append((x, 2 / ((1 - x * x) * slope**2)))
    return rule


def on(rule, left, right):
    half, middle = (right - left) / 2, (right + left) / 2
    return [(middle + half * x, half * w) for x, w in rule]


def exact(values):
    return [mp.mpf(value) for value in values]


def shown(values):
    return [mp.nstr(value, 20, min_fixed=0, max_fixed=0) for value in values]


def case(name, a, b, best, not_best):
    return {"name": name, "a": a, "b": b, "best": shown(best), "not_best_of_first": not_best}


def main():
    cases = []
    mp.mp.dps = 25
    for name, (a, b) in SMALL.items():
        cases.append(case(name, a, b, best_by_quadrature(exact(a), exact(b)), None))
    mp.mp.dps = 40
    for name, (a, b) in TAILS.items():
        tail = not_best_of_first(exact(a), exact(b))
        cases.append(case(name, a, b, [], shown([tail])[0]))
    mp.mp.dps = 50
    for name, (a, b) in LARGE.items():
        cases.append(case(name, a, b, best_on_panels(exact(a), exact(b)), None))
    kept = {
        "origin": f"mpmath {mp.__version__}, 25 to 50 digits, tests/golden/make_posterior.py",
        "tolerance": "1e-12 absolute for best, 1e-10 relative for not_best_of_first: the promise "
        "of probability_best; these numbers are good to 15 digits and more",
        "cases": cases,
    }
    target = Path(__file__).with_name("posterior.json")
    target.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
