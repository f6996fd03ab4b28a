"""The formula printed with a method is the formula run: each is evaluated as it reads.

Every evaluator below is written from the printed text alone, with brute force where the text says
"largest" or "all": sums over every table, integrals by quadrature, likelihoods by minimisation.
"""

from itertools import combinations
from math import ceil, comb, log, sqrt

import numpy as np
import pytest
from scipy import integrate, optimize, special, stats

import steelyard as sy
from steelyard.comparison.methods import METHODS
from steelyard.counts import JointScores, Outcomes, Trials
from steelyard.uncertainty import (
    cluster_contrast,
    joint_area_spreads,
    placement_interval,
    tango_interval,
)

Z = stats.norm.ppf(0.975)
CELLS = (30, 9, 3, 8)
PAIR = Outcomes.from_pair(
    both=CELLS[0], first=CELLS[1], second=CELLS[2], neither=CELLS[3], systems=("S", "T")
)
EVEN = Outcomes.from_pair(both=20, first=4, second=4, neither=2, systems=("S", "T"))
THREE = Outcomes.from_patterns({0: 5, 1: 9, 2: 4, 3: 7, 4: 2, 6: 5, 7: 20}, systems=("A", "B", "C"))
ONE, TWO = (17, 20), (11, 24)
APART = Trials(correct={"S": 17, "T": 11}, tested={"S": 20, "T": 24}, pairing="independent")
SAMPLES = {"A": (17, 20), "B": (15, 20), "C": (9, 20)}
THREE_APART = Trials(
    correct={name: x for name, (x, _) in SAMPLES.items()}, tested=20, pairing="independent"
)

EVALUATORS = {}


def reads(name, formula):
    """Keep an evaluator with the text it was written from."""

    def kept(function):
        EVALUATORS[name] = (formula, function)
        return function

    return kept


def run(data, name, **more):
    return sy.compare(data, method=name, **more)


def column(found, name, title=None):
    for sheet in found.sheets:
        if name in sheet.columns and title in {None, sheet.title}:
            return [row.values[sheet.columns.index(name)] for row in sheet.rows]
    raise AssertionError(name)


def quantity(found, name):
    for sheet in found.sheets:
        for row in sheet.rows:
            if row.keys == (name,):
                return row.values[0]
    raise AssertionError(name)


def rows():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, 120)
    columns = {
        "truth": truth.tolist(),
        "site": (np.arange(120) % 6).tolist(),
        "lens": (np.arange(120) // 4).tolist(),
        "part": (np.arange(120) % 5).tolist(),
    }
    for name, rate in (("A", 0.85), ("B", 0.7), ("C", 0.6)):
        right = rng.random(120) < rate
        columns[name] = np.where(right, truth, (truth + 1) % 3).tolist()
    return columns


ROWS = rows()
ROLES = {"truth": "truth", "group": "site", "cluster": "lens", "fold": "part", "positive": 1,
         "systems": ["A", "B", "C"], "called": ["A", "B", "C"]}  # fmt: skip
RIGHT = {name: np.array(ROWS[name]) == np.array(ROWS["truth"]) for name in "ABC"}


def of_rows(name, without=(), **more):
    grouped = () if "data sets" in METHODS[name].needs else ("group",)
    asked = {k: v for k, v in ROLES.items() if k not in (*without, *grouped)}
    return run(ROWS, name, **asked, **more)


def binomial(k, n, p=0.5):
    return comb(n, k) * p**k * (1 - p) ** (n - k)


def mid_p(b, c):
    low, n = min(b, c), b + c
    if b == c:
        return 1 - binomial(b, n) / 2
    return 2 * sum(binomial(x, n) for x in range(low)) + binomial(low, n)


def given_difference(first, second, d):
    """Find p̃1, p̃2 of largest likelihood given p1 - p2 = d."""
    (x, m), (y, n) = first, second

    def loss(p):
        return -(
            special.xlogy(x, p + d) + special.xlogy(m - x, 1 - p - d)
            + special.xlogy(y, p) + special.xlogy(n - y, 1 - p)
        )  # fmt: skip

    p = optimize.minimize_scalar(
        loss, bounds=(max(0, -d), min(1, 1 - d)), method="bounded", options={"xatol": 1e-13}
    ).x
    return p + d, p


def wilson(x, n, level=0.95):
    z = stats.norm.ppf((1 + level) / 2)
    p = x / n
    spread = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    centre = p + z * z / (2 * n)
    return (centre - spread) / (1 + z * z / n), (centre + spread) / (1 + z * z / n)


def limits(found):
    return list(zip(column(found, "low"), column(found, "high"), strict=True))


# Points, intervals and margins.


@reads("point", "p̂ = right / tested")
def _():
    yield column(run(APART, "point"), "rate"), [17 / 20, 11 / 24]


@reads("non-overlap", "(p̂ + z²/2n ± z sqrt(p̂ q̂/n + z²/4n²))/(1 + z²/n) of each rate")
def _():
    yield np.ravel(limits(run(APART, "non-overlap"))), np.ravel([wilson(*ONE), wilson(*TWO)])


def _score_limits(name, factor):
    ((low, high),) = limits(run(APART, name))
    d_hat = 17 / 20 - 11 / 24
    for d in (low, high):
        p1, p2 = given_difference(ONE, TWO, d)
        yield abs(d_hat - d), Z * sqrt(factor * (p1 * (1 - p1) / 20 + p2 * (1 - p2) / 24))


@reads(
    "miettinen-nurminen",
    "|d̂ - d| <= z sqrt(N/(N-1) (p̃1 q̃1/n1 + p̃2 q̃2/n2)), p̃ of largest likelihood given d",
)
def _():
    return _score_limits("miettinen-nurminen", 44 / 43)


@reads("mee", "|d̂ - d| <= z sqrt(p̃1 q̃1/n1 + p̃2 q̃2/n2), p̃ of largest likelihood given d")
def _():
    return _score_limits("mee", 1)


@reads("newcombe", "d̂ - sqrt((p̂1 - l1)² + (u2 - p̂2)²), and its mirror image, with Wilson's limits")
def _():
    (l1, u1), (l2, u2) = wilson(*ONE), wilson(*TWO)
    p1, p2 = 17 / 20, 11 / 24
    low = p1 - p2 - sqrt((p1 - l1) ** 2 + (u2 - p2) ** 2)
    high = p1 - p2 + sqrt((u1 - p1) ** 2 + (p2 - l2) ** 2)
    yield limits(run(APART, "newcombe"))[0], (low, high)


@reads("agresti-caffo", "d̃ ± z sqrt(p̃1 q̃1/(n1+2) + p̃2 q̃2/(n2+2)), p̃ = (x+1)/(n+2)")
def _():
    p1, p2 = 18 / 22, 12 / 26
    spread = Z * sqrt(p1 * (1 - p1) / 22 + p2 * (1 - p2) / 26)
    yield limits(run(APART, "agresti-caffo"))[0], (p1 - p2 - spread, p1 - p2 + spread)


@reads("wald-difference", "d̂ ± z sqrt(p̂1 q̂1/n1 + p̂2 q̂2/n2)")
def _():
    p1, p2 = 17 / 20, 11 / 24
    spread = Z * sqrt(p1 * (1 - p1) / 20 + p2 * (1 - p2) / 24)
    yield limits(run(APART, "wald-difference"))[0], (p1 - p2 - spread, p1 - p2 + spread)


@reads("tango", "|b - c - n d| <= z sqrt(n (2 q̃ + d (1 - d))), q̃ of largest likelihood given d")
def _():
    a, b, c, e = CELLS
    n = sum(CELLS)
    ((low, high),) = limits(run(PAIR, "tango"))
    for d in (low, high):

        def loss(q, d=d):
            rest = 1 - 2 * q - d
            return -(b * log(q + d) + special.xlogy(c, q) + (a + e) * log(rest))

        q = optimize.minimize_scalar(
            loss, bounds=(max(1e-15, -d + 1e-15), (1 - d) / 2 - 1e-15), method="bounded",
            options={"xatol": 1e-13},
        ).x  # fmt: skip
        yield abs(b - c - n * d), Z * sqrt(n * (2 * q + d * (1 - d)))


@reads(
    "newcombe-paired",
    "d̂ - sqrt((p̂1-l1)² - 2φ(p̂1-l1)(u2-p̂2) + (u2-p̂2)²), and its mirror image, with Wilson's "
    "limits; φ = Q/sqrt of the product of the margins, Q = ad - bc less n/2, or 0, if positive",
)
def _():
    for cells in (CELLS, (5, 9, 8, 5)):
        a, b, c, e = cells
        n = sum(cells)
        pair = Outcomes.from_pair(both=a, first=b, second=c, neither=e, systems=("S", "T"))
        p1, p2 = (a + b) / n, (a + c) / n
        (l1, u1), (l2, u2) = wilson(a + b, n), wilson(a + c, n)
        q = a * e - b * c
        q = max(0, q - n / 2) if q > 0 else q
        phi = q / sqrt((a + b) * (c + e) * (a + c) * (b + e))

        def joined(one, two, phi=phi):
            return sqrt(one**2 - 2 * phi * one * two + two**2)

        d = (b - c) / n
        expected = d - joined(p1 - l1, u2 - p2), d + joined(u1 - p1, p2 - l2)
        yield limits(run(pair, "newcombe-paired"))[0], expected


def _paired_wald(b, c, n):
    d = (b - c) / n
    spread = Z * sqrt(((b + c) / n - d * d) / n)
    return d - spread, d + spread


@reads("bonett-price", "d̃ ± z sqrt((p̃12 + p̃21 - d̃²)/(n+2)), p̃12 = (b+1)/(n+2), p̃21 = (c+1)/(n+2)")
def _():
    yield limits(run(PAIR, "bonett-price"))[0], _paired_wald(10, 4, 52)


@reads("wald-difference-paired", "d̂ ± z sqrt(((b+c)/n - d̂²)/n), d̂ = (b-c)/n")
def _():
    yield limits(run(PAIR, "wald-difference-paired"))[0], _paired_wald(9, 3, 50)


@reads(
    "ratio",
    "|p̂1 - θ p̂2| <= z sqrt(p̃1 q̃1/n1 + θ² p̃2 q̃2/n2), p̃ of largest likelihood given θ; "
    "on common items z sqrt(θ (p̃12 + p̃21)/n)",
)
def _():
    (x, m), (y, n) = ONE, TWO
    for theta in limits(run(APART, "ratio"))[0]:

        def loss(p, theta=theta, x=x, m=m, y=y, n=n):
            return -(
                x * log(theta * p) + (m - x) * log(1 - theta * p)
                + y * log(p) + (n - y) * log(1 - p)
            )  # fmt: skip

        top = min(1, 1 / theta) - 1e-12
        p2 = optimize.minimize_scalar(
            loss, bounds=(1e-12, top), method="bounded", options={"xatol": 1e-13}
        ).x
        p1 = theta * p2
        spread = sqrt(p1 * (1 - p1) / m + theta**2 * p2 * (1 - p2) / n)
        yield abs(x / m - theta * y / n), Z * spread
    a, b, c, e = CELLS
    n = sum(CELLS)
    for theta in limits(run(PAIR, "ratio"))[0]:

        def loss(cells, theta=theta):
            p11, p21 = cells
            p12 = theta * (p11 + p21) - p11
            rest = 1 - p11 - p12 - p21
            if min(p11, p12, p21, rest) <= 0:
                return 1e9
            return -(a * log(p11) + b * log(p12) + c * log(p21) + e * log(rest))

        starts = [(u * a / n, v * c / n) for u in (0.7, 0.85, 1) for v in (0.3, 0.7, 1.2, 2)]
        found = optimize.minimize(
            loss, min(starts, key=loss), method="Nelder-Mead",
            options={"xatol": 1e-13, "fatol": 1e-15, "maxiter": 4000},
        )  # fmt: skip
        p11, p21 = found.x
        p12 = theta * (p11 + p21) - p11
        yield abs((a + b) / n - theta * (a + c) / n), Z * sqrt(theta * (p12 + p21) / n)


@reads("odds-ratio", "|x1 - n1 p̃1| sqrt(1/(n1 p̃1 q̃1) + 1/(n2 p̃2 q̃2)) <= z")
def _():
    (x, m), (y, n) = ONE, TWO
    for odds in limits(run(APART, "odds-ratio"))[0]:
        # The p̃ of largest likelihood given the odds ratio keep the number of right answers.
        def other(p, odds=odds):
            return p / (odds * (1 - p) + p)

        p1 = optimize.brentq(
            lambda p, other=other: m * p + n * other(p) - x - y, 1e-9, 1 - 1e-9, xtol=1e-14
        )
        p2 = other(p1)
        spread = sqrt(1 / (m * p1 * (1 - p1)) + 1 / (n * p2 * (1 - p2)))
        yield abs(x - m * p1) * spread, Z


@reads("odds-discordant", "q/(1 - q) of Clopper and Pearson's limits of q = b/(b + c)")
def _():
    q = stats.beta.ppf(0.025, 9, 4), stats.beta.ppf(0.975, 10, 3)
    yield limits(run(PAIR, "odds-discordant"))[0], [one / (1 - one) for one in q]


@reads("equivalence", "the 1 - 2 alpha interval of the difference")
def _():
    for data in (APART, PAIR):
        wide = limits(run(data, "difference", level=0.9))[0]
        yield limits(run(data, "equivalence", margin=0.1))[0], wide


@reads("non-inferiority", "the 1 - 2 alpha interval of the difference")
def _():
    for data in (APART, PAIR):
        wide = limits(run(data, "difference", level=0.9))[0]
        yield limits(run(data, "non-inferiority", margin=0.1))[0], wide


# Tests of right and wrong answers.


@reads(
    "mcnemar-midp",
    "p = 2 P(X < min(b, c)) + P(X = min(b, c)), X ~ Binomial(b + c, ½); "
    "p = 1 - P(X = b)/2 where b = c",
)
def _():
    for data, cells in ((PAIR, (9, 3)), (EVEN, (4, 4))):
        yield column(run(data, "mcnemar-midp"), "p-value")[0], mid_p(*cells)


@reads("mcnemar-exact", "p = 2 P(X <= min(b, c)), X ~ Binomial(b + c, ½), at most 1")
def _():
    expected = 2 * sum(binomial(x, 12) for x in range(4))
    yield column(run(PAIR, "mcnemar-exact"), "p-value")[0], expected
    yield column(run(EVEN, "mcnemar-exact"), "p-value")[0], 1


@reads("mcnemar-asymptotic", "χ² = (b - c)²/(b + c) with 1 degree of freedom")
def _():
    found = run(PAIR, "mcnemar-asymptotic")
    yield column(found, "χ²")[0], 36 / 12
    yield column(found, "p-value")[0], stats.chi2.sf(3, 1)


def _tables(column_name):
    """b and c of A against B within each value of a column."""
    parts = np.array(ROWS[column_name])
    a, b = RIGHT["A"], RIGHT["B"]
    return [
        (int((a & ~b)[parts == v].sum()), int((~a & b)[parts == v].sum()), int((parts == v).sum()))
        for v in np.unique(parts)
    ]


@reads(
    "mcnemar-stratified",
    "mid-p of b = Σ b_s and c = Σ c_s as for one table; beside it χ² of the shares b_s/(b_s + c_s)",
)
def _():
    found = of_rows("mcnemar-stratified", without=("cluster",))
    tables = _tables("site")
    b, c = sum(t[0] for t in tables), sum(t[1] for t in tables)
    yield column(found, "p-value")[0], mid_p(b, c)
    told = [(t[0], t[0] + t[1]) for t in tables if t[0] + t[1]]
    share = sum(x for x, _ in told) / sum(n for _, n in told)
    chi = sum((x - n * share) ** 2 / (n * share * (1 - share)) for x, n in told)
    yield column(found, "p of unlike strata")[0], stats.chi2.sf(chi, len(told) - 1)


@reads(
    "mcnemar-clustered",
    "t² = (Σ d_g)²/(G/(G-1) Σ d_g²), d_g the wins minus losses of cluster g; t with G - 1 "
    "degrees of freedom",
)
def _():
    found = of_rows("mcnemar-clustered")
    d = np.array([b - c for b, c, _ in _tables("lens")])
    g = d.size
    square = d.sum() ** 2 / (g / (g - 1) * (d**2).sum())
    yield column(found, "statistic")[0], square
    yield column(found, "p-value")[0], 2 * stats.t.sf(sqrt(square), g - 1)


@reads(
    "mcnemar-durkalski", "χ² = (Σ (b_g - c_g)/n_g)²/Σ ((b_g - c_g)/n_g)² with 1 degree of freedom"
)
def _():
    found = of_rows("mcnemar-durkalski")
    d = np.array([(b - c) / n for b, c, n in _tables("lens")])
    square = d.sum() ** 2 / (d**2).sum()
    yield column(found, "statistic")[0], square
    yield column(found, "p-value")[0], stats.chi2.sf(square, 1)


@reads("cochran-q", "Q = (k-1)(k Σ G_j² - N²)/(k N - Σ L_i²), χ² with k - 1 degrees of freedom")
def _():
    found = run(THREE, "cochran-q")
    g = [sum(n for p, n in THREE.patterns if p >> j & 1) for j in range(3)]
    total = sum(g)
    squares = sum(n * p.bit_count() ** 2 for p, n in THREE.patterns)
    q = 2 * (3 * sum(x * x for x in g) - total**2) / (3 * total - squares)
    yield quantity(found, "Q"), q
    yield quantity(found, "p-value"), stats.chi2.sf(q, 2)


def _fisher(x, y, m=20, n=24):
    s = x + y
    chances = {k: comb(m, k) * comb(n, s - k) for k in range(max(0, s - n), min(m, s) + 1)}
    return sum(c for c in chances.values() if c <= chances[x]) / comb(m + n, s)


@reads("fisher", "sum of hypergeometric probabilities not above that of the table seen")
def _():
    yield column(run(APART, "fisher"), "p-value")[0], _fisher(17, 11)


def _unconditional(extreme):
    """Find the largest chance over the common rate of the tables marked as extreme."""

    def chances(rates):
        one = stats.binom.pmf(np.arange(21), 20, rates[:, None])
        two = stats.binom.pmf(np.arange(25), 24, rates[:, None])
        return ((one @ extreme) * two).sum(axis=1)

    rates = np.linspace(0, 1, 1001)
    top = rates[chances(rates).argmax()]
    return chances(np.linspace(max(0, top - 0.001), min(1, top + 0.001), 1001)).max()


@reads("boschloo", "the largest chance, over the common rate, of a Fisher p as small as that seen")
def _():
    seen = _fisher(17, 11) * (1 + 1e-7)
    extreme = np.array([[_fisher(x, y) <= seen for y in range(25)] for x in range(21)])
    yield column(run(APART, "boschloo"), "p-value")[0], _unconditional(extreme)


@reads(
    "barnard",
    "the largest chance, over the common rate, of a score statistic as large as that seen",
)
def _():
    def square(x, y):
        p = (x + y) / 44
        spread = p * (1 - p) * (1 / 20 + 1 / 24)
        return (x / 20 - y / 24) ** 2 / spread if spread else 0.0

    seen = square(17, 11) * (1 - 1e-9)
    extreme = np.array([[square(x, y) >= seen for y in range(25)] for x in range(21)])
    yield column(run(APART, "barnard"), "p-value")[0], _unconditional(extreme)


@reads("score", "z = (p̂1 - p̂2)/sqrt(N/(N-1) p̄ (1 - p̄)(1/n1 + 1/n2)), N = n1 + n2")
def _():
    found = run(APART, "score")
    p = 28 / 44
    z = (17 / 20 - 11 / 24) / sqrt(44 / 43 * p * (1 - p) * (1 / 20 + 1 / 24))
    yield column(found, "z")[0], z
    yield column(found, "p-value")[0], 2 * stats.norm.sf(abs(z))


@reads("k-sample", "χ² = Σ (observed - expected)²/expected with k - 1 degrees of freedom")
def _():
    found = run(THREE_APART, "k-sample")
    p = 41 / 60
    chi = 0.0
    for x, n in SAMPLES.values():
        chi += (x - n * p) ** 2 / (n * p) + (n - x - n * (1 - p)) ** 2 / (n * (1 - p))
    yield quantity(found, "χ²"), chi
    yield quantity(found, "p-value"), stats.chi2.sf(chi, 2)


@reads(
    "control",
    "mid-p McNemar tests on common items; else score tests, where n1 n2 s (N-s)/(N² (N-1)) < 200 "
    "the larger of it and Boschloo's (Fisher's from 300,000 tables); Holm: the i-th smallest of k "
    "times k + 1 - i",
)
def _():
    found = run(THREE, "control")
    tables = [THREE.pair(name, "A") for name in "BC"]
    yield column(found, "p-value"), [mid_p(t.first, t.second) for t in tables]
    found = run(THREE_APART, "control")
    alone = [
        max(column(run(_two(name, "A"), test), "p-value")[0] for test in ("score", "boschloo"))
        for name in "BC"
    ]
    yield column(found, "p-value"), alone
    small, large = sorted(alone)
    holm = {small: min(1, 2 * small), large: min(1, max(2 * small, large))}
    yield column(found, "adjusted p"), [holm[p] for p in alone]


def _two(one, two):
    correct = {name: SAMPLES[name][0] for name in (one, two)}
    return Trials(correct=correct, tested=20, pairing="independent")


@reads(
    "with-best",
    "[min_j L_ij, min_j U_ij], limits of p_i - p_j at 1 - (1 - level)/(k(k-1)/2): Tango's on "
    "common items, else Miettinen and Nurminen's, to 0 where the exact test keeps it",
)
def _():
    found = limits(run(THREE, "with-best"))
    pairs = {}
    for i, j in combinations(range(3), 2):
        names = "ABC"[i], "ABC"[j]
        table = THREE.pair(*names)
        pair = Outcomes.from_pair(
            both=table.both, first=table.first, second=table.second, neither=table.neither,
            systems=names,
        )  # fmt: skip
        low, high = limits(run(pair, "tango", level=1 - 0.05 / 3))[0]
        pairs[i, j], pairs[j, i] = (low, high), (-high, -low)
    for i in range(3):
        others = [pairs[i, j] for j in range(3) if j != i]
        yield found[i], (min(x for x, _ in others), min(x for _, x in others))


# Calls and scores.


def _call_table():
    table = np.zeros((3, 3))
    for one, two in zip(ROWS["A"], ROWS["B"], strict=True):
        table[one, two] += 1
    return table


@reads("bowker", "χ² = Σ_{i<j} (n_ij - n_ji)²/(n_ij + n_ji)")
def _():
    n = _call_table()
    chi = sum(
        (n[i, j] - n[j, i]) ** 2 / (n[i, j] + n[j, i])
        for i, j in combinations(range(3), 2)
        if n[i, j] + n[j, i]
    )
    yield column(of_rows("bowker", without=("cluster",)), "χ²")[0], chi


@reads("stuart-maxwell", "χ² = d' S⁻¹ d of the differences d of the class totals")
def _():
    n = _call_table()
    d = (n.sum(1) - n.sum(0))[:2]
    s = np.diag(n.sum(1) + n.sum(0) - 2 * np.diag(n)) - (n + n.T)
    for k in range(3):
        s[k, k] = n[k].sum() + n[:, k].sum() - 2 * n[k, k]
    yield (
        column(of_rows("stuart-maxwell", without=("cluster",)), "χ²")[0],
        d @ np.linalg.solve(s[:2, :2], d),
    )


@reads("sensitivity-specificity", "mid-p McNemar tests among positives and negatives")
def _():
    found = of_rows("sensitivity-specificity", without=("cluster",))
    truth = np.array(ROWS["truth"]) == 1
    called = {name: np.array(ROWS[name]) == 1 for name in "AB"}
    for row, chosen in ((0, truth), (1, ~truth)):
        right = {name: (called[name] == truth)[chosen] for name in "AB"}
        b = int((right["A"] & ~right["B"]).sum())
        c = int((~right["A"] & right["B"]).sum())
        yield column(found, "p-value")[row], mid_p(b, c)


@reads(
    "predictive-values",
    "χ² = (p̂1 - p̂2)²/((p̄ q̄ - 2C/(n1+n2))(1/n1 + 1/n2)), C = Σ (y - p̄)² over items both call so",
)
def _():
    found = of_rows("predictive-values", without=("cluster",))
    truth = np.array(ROWS["truth"]) == 1
    one, two = (np.array(ROWS[name]) == 1 for name in "AB")
    n1, n2 = one.sum(), two.sum()
    p1, p2 = truth[one].mean(), truth[two].mean()
    pooled = (truth[one].sum() + truth[two].sum()) / (n1 + n2)
    c = ((truth[one & two] - pooled) ** 2).sum()
    below = (pooled * (1 - pooled) - 2 * c / (n1 + n2)) * (1 / n1 + 1 / n2)
    yield column(found, "χ²")[0], (p1 - p2) ** 2 / below


def _scores():
    rng = np.random.default_rng(2)
    truth = rng.random(40) < 0.5
    return truth, {"A": truth + rng.normal(0, 0.9, 40), "B": truth + rng.normal(0, 1.5, 40)}


@reads("delong", "z = (A1 - A2)/sqrt(v11 + v22 - 2 v12), covariance from placements")
def _():
    truth, given = _scores()
    found = run(JointScores.from_arrays(truth, given), "delong")
    placed = []
    for scores in given.values():
        wins = np.sign(scores[truth][:, None] - scores[~truth][None, :]) / 2 + 0.5
        placed.append((wins.mean(1), wins.mean(0)))
    areas = [one.mean() for one, _ in placed]
    v = sum(np.cov([one[side] for one in placed]) / placed[0][side].size for side in (0, 1))
    z = (areas[0] - areas[1]) / sqrt(v[0, 0] + v[1, 1] - 2 * v[0, 1])
    yield column(found, "AUC"), areas
    yield column(found, "p-value")[0], 2 * stats.norm.sf(abs(z))


@reads(
    "placement",
    "L = A1 - A2 - sqrt(a² + b² - 2 r a b), a = A1 - low1, b = high2 - A2, Beta limits of each "
    "area; p is the smallest α at which the interval leaves out 0",
)
def _():
    truth, given = _scores()
    joint = JointScores.from_arrays(truth, given)
    found = run(joint, "placement")
    areas = [
        (np.sign(x[truth][:, None] - x[~truth][None, :]) / 2 + 0.5).mean() for x in given.values()
    ]
    yield column(found, "AUC"), areas
    spreads = joint_area_spreads(joint)
    r = spreads.correlation(0, 1)
    (low1, high1), (low2, high2) = (placement_interval(one) for one in spreads.spreads)

    def joined(a, b):
        return sqrt(a * a + b * b - 2 * r * a * b)

    gap = areas[0] - areas[1]
    low = gap - joined(areas[0] - low1, high2 - areas[1])
    high = gap + joined(high1 - areas[0], areas[1] - low2)
    yield limits(found)[0], (low, high)
    p = column(found, "p-value")[0]
    yield limits(run(joint, "placement", level=1 - p))[0][0], 0, 1e-6


# Resampled numbers: a few common items, so that what is drawn at random is known exactly.
CALLS = {"truth": [0, 0, 0, 0], "A": [0, 0, 0, 0], "B": [1, 1, 1, 0]}
CALLED = {"classes": ["0", "1"], "truth": "truth", "systems": ["A", "B"], "called": ["A", "B"]}


@reads(
    "bootstrap",
    "p = 2 min(#{d* <= 0} + 1, #{d* >= 0} + 1)/(B + 1); interval of the middle quantiles; with G "
    "clusters a share q of draws is read as T_{G-1}(Φ⁻¹(q) sqrt((G - 1)/G))",
)
def _():
    draws = 20_000
    found = run(CALLS, "bootstrap", using={"draws": draws}, **CALLED)
    # d* is binomial: 3 of the 4 items have d = 1, one has 0. It is 0 with chance 1/256.
    yield column(found, "p-value")[0], 2 * (draws / 256 + 1) / (draws + 1), 0.3
    shares = stats.binom.ppf([0.025, 0.975], 4, 0.75) / 4
    yield limits(found)[0], shares, 0.01
    # Nine clusters of one item, of which two have d = 1: d* is binomial again.
    calls = {"truth": [0] * 9, "A": [0] * 9, "B": [1, 1] + [0] * 7, "c": list(range(9))}
    found = run(calls, "bootstrap", using={"draws": draws}, cluster="c", **CALLED)
    q = stats.norm.ppf((7 / 9) ** 9)
    yield column(found, "p-value")[0], 2 * stats.t.cdf(q * sqrt(8 / 9), 8), 0.06
    q = stats.norm.cdf(stats.t.ppf([0.025, 0.975], 8) * sqrt(9 / 8))
    yield limits(found)[0], stats.binom.ppf(q, 9, 2 / 9) / 9, 1e-6


@reads(
    "permutation", "p = (1 + #{|d*| >= |d|})/(B + 1), systems exchanged on each item with chance ½"
)
def _():
    draws = 20_000
    found = run(CALLS, "permutation", using={"draws": draws}, **CALLED)
    # Three items tell the systems apart; all signs agree with chance 2/8.
    yield column(found, "p-value")[0], (1 + draws / 4) / (draws + 1), 0.03


@reads(
    "paired-shares",
    "McNemar's mid-p of the items only one has right (exact if over 4/5 are), Tango's limits; over "
    "clusters the t test of their differences",
)
def _():
    positive = np.array(ROWS["truth"]) == 1
    pairs = [(RIGHT[i][positive], RIGHT[j][positive]) for i, j in combinations("ABC", 2)]
    found = of_rows("paired-shares", without=("cluster",), measure="recall")
    for (one, two), shown, ends in zip(pairs, column(found, "p-value"), limits(found), strict=True):
        b, c = int((one & ~two).sum()), int((two & ~one).sum())
        assert b + c <= 0.8 * one.size
        yield shown, mid_p(b, c)
        rest = one.size - b - c
        yield ends, tango_interval(rest, b, c, 0)
    clustered = of_rows("paired-shares", measure="recall")
    lens = np.array(ROWS["lens"])[positive]
    for (one, two), shown in zip(pairs, column(clustered, "p-value"), strict=True):
        won = [int((one & ~two)[lens == at].sum()) for at in np.unique(lens)]
        lost = [int((two & ~one)[lens == at].sum()) for at in np.unique(lens)]
        sizes = [int((lens == at).sum()) for at in np.unique(lens)]
        yield shown, cluster_contrast(won, lost, sizes).p_value


@reads(
    "guarded",
    "p = 2 min(#{low* <= 0} + 1, #{high* >= 0} + 1)/(B + 1), items weighed by Exp(1) with one item "
    "more that harms the claim; limits are quantiles of the same draws",
)
def _():
    draws = 20_000
    found = run(CALLS, "guarded", using={"draws": draws}, **CALLED)
    # Three items with d = 1, one with 0 and one unseen with -1: low* <= 0 when Gamma(3) <= Exp(1).
    yield column(found, "p-value")[0], 2 * 0.5**3, 0.05
    rng = np.random.default_rng(9)
    won, same, unseen = (
        rng.gamma(3, size=400_000),
        rng.gamma(1, size=400_000),
        rng.exponential(size=400_000),
    )
    low = (won - unseen) / (won + same + unseen)
    yield limits(found)[0][0], np.quantile(low, 0.025), 0.02


# Akaike's criterion.


def _log_binomial(x, n):
    return special.xlogy(x, x / n) + special.xlogy(n - x, 1 - x / n)


@reads("akaike-independent", "ΔAIC = AIC(one rate, 1 parameter) - AIC(two rates, 2)")
def _():
    same = -2 * _log_binomial(28, 44) + 2
    different = -2 * (_log_binomial(*ONE) + _log_binomial(*TWO)) + 4
    yield column(run(APART, "akaike-independent"), "ΔAIC")[0], same - different


@reads("akaike-common", "ΔAIC = AIC(equal discordant shares, 2 parameters) - AIC(free cells, 3)")
def _():
    a, b, c, e = CELLS
    n = sum(CELLS)
    free = sum(x * log(x / n) for x in CELLS)
    equal = a * log(a / n) + e * log(e / n) + (b + c) * log((b + c) / 2 / n)
    yield column(run(PAIR, "akaike-common"), "ΔAIC")[0], (-2 * equal + 4) - (-2 * free + 6)


def _overlap_likelihood(one, two, n, cells):
    """Sum over every overlap that fits the totals."""
    logs = []
    for both in range(max(0, one + two - n), min(one, two) + 1):
        counts = (both, one - both, two - both, n - one - two + both)
        ways = special.gammaln(n + 1) - sum(special.gammaln(k + 1) for k in counts)
        logs.append(ways + sum(special.xlogy(k, p) for k, p in zip(counts, cells, strict=True)))
    return special.logsumexp(logs)


@reads(
    "akaike-totals",
    "ΔAIC from the largest likelihood summed over every overlap n3 that fits the totals",
)
def _():
    one, two, n = 9, 6, 12
    totals = Trials(correct={"S": one, "T": two}, tested=n, pairing="common")

    def best(cells_of, size):
        starts = np.random.default_rng(1).normal(size=(6, size))
        found = [
            optimize.minimize(
                lambda at: -_overlap_likelihood(one, two, n, cells_of(special.expit(at))),
                start, method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-12},
            ).fun
            for start in starts
        ]  # fmt: skip
        return -min(found)

    # q is what is concordant, r of it both right; s of the rest falls to the first.
    different = best(
        lambda q: (q[0] * q[1], (1 - q[0]) * q[2], (1 - q[0]) * (1 - q[2]), q[0] * (1 - q[1])), 3
    )
    same = best(lambda q: (q[0] * q[1], (1 - q[0]) / 2, (1 - q[0]) / 2, q[0] * (1 - q[1])), 2)
    delta = (-2 * same + 4) - (-2 * different + 6)
    yield column(run(totals, "akaike-totals"), "ΔAIC")[0], delta, 1e-5


@reads("akaike-tiers", "AIC = -2 Σ log L(group) + 2 #groups, over all groupings")
def _():
    found = run(THREE_APART, "akaike-tiers")
    groupings = {
        1: [[("A", "B", "C")]],
        2: [[("A",), ("B", "C")], [("B",), ("A", "C")], [("C",), ("A", "B")]],
        3: [[("A",), ("B",), ("C",)]],
    }
    values = []
    for number, all_of in groupings.items():
        for grouping in all_of:
            fits = [
                _log_binomial(sum(SAMPLES[s][0] for s in group), 20 * len(group))
                for group in grouping
            ]
            values.append(-2 * sum(fits) + 2 * number)
    shown = column(found, "AIC", "Groupings, the best ten")
    yield min(shown), min(values)


# Posteriors.

BETAS = [(x + 1, n - x + 1) for x, n in SAMPLES.values()]


def _density(k, p):
    return stats.beta.pdf(p, *BETAS[k])


def _below(k, p):
    return stats.beta.cdf(p, *BETAS[k])


def _best_of(places):
    first, *rest = places
    return integrate.quad(
        lambda p: _density(first, p) * np.prod([_below(k, p) for k in rest]), 0, 1
    )[0]


@reads("posterior-best", "P(i best) = ∫ f_i(p) Π_{j≠i} F_j(p) dp")
def _():
    expected = [_best_of((i, *(j for j in range(3) if j != i))) for i in range(3)]
    yield column(run(THREE_APART, "posterior-best"), "P(best)"), expected


SPREADS = np.tan((np.arange(100) + 0.5) / 100 * np.pi / 2)
"""The half-Cauchy distribution in 100 equal parts."""


def _alike_apart(samples):
    """Sum over spread, level and rate, with the binomial likelihood of every system."""
    places = np.linspace(1, 3.6, 1301)
    variances = [1 / x + 1 / (n - x) for x, n in samples]
    likely = [stats.binom.pmf(x, n, special.expit(places)) for x, n in samples]
    total = np.zeros(len(samples))
    error = sqrt(np.median([(v + w) / 2 for v, w in combinations(variances, 2)]))
    for spread in SPREADS * error:
        # Levels as far as the field reaches; the rate at the level is uniform.
        levels = 2 + 10 * np.hypot(spread, error) * np.linspace(-1, 1, 61)
        field = stats.norm.pdf(places, levels[:, None], spread)
        prior = special.expit(levels) * special.expit(-levels) * (levels[1] - levels[0])
        density = [field * one for one in likely]
        below = [np.cumsum(one, axis=1) - one / 2 for one in density]
        for i, own in enumerate(density):
            others = np.prod([one for j, one in enumerate(below) if j != i], axis=0)
            total[i] += prior @ (own * others).sum(axis=1)
    return total / total.sum()


def _alike_together(outcomes):
    """Draw arcsines of roots, whose covariance is that of the answers, for every spread."""
    n = sum(count for _, count in outcomes.patterns)
    bits = np.array([[p >> j & 1 for j in range(3)] for p, _ in outcomes.patterns], dtype=float)
    counts = np.array([count for _, count in outcomes.patterns])
    rates = counts @ bits / n
    root = np.sqrt(rates * (1 - rates))
    sampled = (bits.T @ (counts[:, None] * bits) / n - np.outer(rates, rates)) / (4 * n)
    sampled /= np.outer(root, root)
    seen = np.arcsin(np.sqrt(rates))
    pairs = list(combinations(range(3), 2))
    halves = [(sampled[i, i] + sampled[j, j]) / 2 - sampled[i, j] for i, j in pairs]
    # The flat prior of the level: a normal one, wide beside arcsines, which lie between 0 and 1.6.
    wide = np.full((3, 3), 25.0)
    rng, total, weights = np.random.default_rng(3), np.zeros(3), 0.0
    for spread in SPREADS * sqrt(np.median(halves)):
        before = wide + spread**2 * np.eye(3)
        gain = before @ np.linalg.inv(before + sampled)
        after = before - gain @ before
        weight = stats.multivariate_normal.pdf(seen, np.zeros(3), before + sampled)
        drawn = rng.multivariate_normal(gain @ seen, (after + after.T) / 2, size=8000)
        total += weight * np.bincount(drawn.argmax(axis=1), minlength=3) / 8000
        weights += weight
    return total / weights


@reads(
    "posterior-alike",
    "g(p_i) ~ N(μ, τ²), τ ~ half-Cauchy(sampling error); g = logit, or arcsin √ on common items; "
    "P(p_i highest)",
)
def _():
    samples = {"A": (360, 400), "B": (349, 400), "C": (335, 400)}
    apart = Trials(
        correct={name: x for name, (x, _) in samples.items()}, tested=400, pairing="independent"
    )
    found = run(apart, "posterior-alike", using={"draws": 400_000})
    yield column(found, "P(best) if alike"), _alike_apart(list(samples.values())), 0.01
    large = Outcomes.from_patterns(
        {0: 200, 1: 90, 2: 75, 3: 140, 4: 80, 5: 90, 6: 90, 7: 1400}, systems=("A", "B", "C")
    )
    found = run(large, "posterior-alike", using={"draws": 400_000})
    yield column(found, "P(best) if alike"), _alike_together(large), 0.01


@reads("posterior-rank", "P(i has rank r) by the same integral over the number of better rivals")
def _():
    found = run(THREE_APART, "posterior-rank")
    i, j, k = 0, 1, 2

    def second(p):
        better = (1 - _below(j, p)) * _below(k, p) + _below(j, p) * (1 - _below(k, p))
        return _density(i, p) * better

    yield column(found, "P(rank 2)")[0], integrate.quad(second, 0, 1)[0]


@reads("posterior-ranking", "P(p_1 > p_2 > … > p_m), the nested integral")
def _():
    nested = integrate.quad(lambda p: _density(1, p) * (1 - _below(0, p)) * _below(2, p), 0, 1)[0]
    yield quantity(run(THREE_APART, "posterior-ranking"), "P(ranking)"), nested


@reads(
    "posterior-product", "Π_i P(p_i > p_j for all j > i), unconditional probabilities multiplied"
)
def _():
    found = run(THREE_APART, "posterior-product")
    yield quantity(found, "product, eq. (15)"), _best_of((0, 1, 2)) * _best_of((1, 2))


@reads("posterior-better", "P(p_1 > p_2); on common items 1 - I_½(b + ½, c + ½)")
def _():
    yield column(run(THREE_APART, "posterior-better"), "P(1 better)")[0], _best_of((0, 1))
    expected = 1 - special.betainc(9.5, 3.5, 0.5)
    yield column(run(PAIR, "posterior-better"), "P(1 better)")[0], expected


@reads("posterior-equivalence", "P(|p_1 - p_2| < margin)")
def _():
    def near(p):
        return _density(0, p) * (_below(1, p + 0.1) - _below(1, p - 0.1))

    found = run(_two("A", "B"), "posterior-equivalence", margin=0.1)
    yield column(found, "P(same)")[0], integrate.quad(near, 0, 1, points=[0.1, 0.9])[0]


@reads("expected-loss", "E(max_j p_j - p_i)")
def _():
    largest = integrate.quad(lambda p: 1 - np.prod([_below(k, p) for k in range(3)]), 0, 1)[0]
    means = [a / (a + b) for a, b in BETAS]
    yield column(run(THREE_APART, "expected-loss"), "loss"), [largest - m for m in means]


@reads("credible-interval", "quantiles, and the shortest interval, of Beta(x + a, n - x + b)")
def _():
    found = run(THREE_APART, "credible-interval")
    a, b = BETAS[0]
    yield column(found, "equal-tailed low")[0], stats.beta.ppf(0.025, a, b)

    def width(tail):
        return stats.beta.ppf(tail + 0.95, a, b) - stats.beta.ppf(tail, a, b)

    tail = optimize.minimize_scalar(
        width, bounds=(1e-9, 0.05 - 1e-9), method="bounded", options={"xatol": 1e-12}
    ).x
    yield column(found, "highest-density low")[0], stats.beta.ppf(tail, a, b), 1e-5


# Sequential methods.


@reads(
    "wald",
    "keep 1 if t2 <= ln(β/(1-α))/D + s t, take 2 if t2 >= ln((1-β)/α)/D + s t, D = ln(ω1/ω0), "
    "s = ln((1+ω1)/(1+ω0))/D",
)
def _():
    found = run(PAIR, "wald", using={"alternative": 2.5})
    d = log(2.5)
    s = log(3.5 / 2) / d
    yield column(found, "keep at or below")[0], log(0.1 / 0.95) / d + s * 12
    yield column(found, "take at or above")[0], log(0.9 / 0.05) / d + s * 12


@reads("wald-lead", "M = ceil(ln((1-α)/α)/ln ω*)")
def _():
    found = run(PAIR, "wald-lead", using={"order": "random"})
    yield column(found, "lead needed")[0], ceil(log(0.95 / 0.05) / log(1.5))


def _msrb(name):
    found = run(THREE, name, using={"order": "random", "smallest": 2.0})
    winners = quantity(found, "pairs with a winner")
    # Of three equal-or-not pairs at most 3, then 1, then 1 can still be equal (Shaffer).
    yield quantity(found, "alpha of each open pair now"), 0.05 / (3, 1, 1, 1)[winners]


@reads("wald-msrb-a", "every open pair at α/t_r after r - 1 winners, t_r of Shaffer")
def _():
    return _msrb("wald-msrb-a")


@reads("wald-msrb-b", "every open pair at α/t_r after r - 1 winners, t_r of Shaffer")
def _():
    return _msrb("wald-msrb-b")


def _evidence(w, n, a=1.0):
    return 2 ** (w + n) * special.beta(a + w, a + n) / special.beta(a, a)


@reads("e-process", "E = 2^(w+l) B(a+w, a+l)/B(a, a)")
def _():
    yield column(run(PAIR, "e-process"), "E different")[0], _evidence(9, 3)
    found = run(PAIR, "e-process", using={"prior": 0.5})
    yield column(found, "E different")[0], _evidence(9, 3, 0.5)


@reads("closed-testing", "adjusted E_i = min over r of the mean of E_i and the r smallest others")
def _():
    values = [_evidence(t.first, t.second) for t in THREE.pairs().values()]
    expected = []
    for i, own in enumerate(values):
        others = sorted(v for j, v in enumerate(values) if j != i)
        expected.append(min(np.mean([own, *others[:r]]) for r in range(3)))
    yield column(run(THREE, "closed-testing"), "adjusted E"), expected


@reads("confidence-sequence", "all q with B(a+w, b+l)/(B(a, b) q^w (1-q)^l) < 1/alpha")
def _():
    found = run(PAIR, "confidence-sequence")
    for q in limits(found)[0]:
        yield special.beta(10, 4) / (q**9 * (1 - q) ** 3), 20.0


@reads("betting", "all m against which no bet on d in {-1, 0, 1} has won 1/alpha")
def _():
    data = {"item": list(range(30)), "A": [1] * 24 + [0] * 6, "B": [0, 0, 1] * 10}
    found = run(data, "betting", using={"order": "item"}, item="item", outcome=["A", "B"])
    x = (np.array(data["A"]) - np.array(data["B"]) + 1) / 2
    # Waudby-Smith and Ramdas: bets from what was seen before, on both sides, half the capital each.
    i = np.arange(1, 31)
    means = (0.5 + np.cumsum(x)) / (i + 1)
    spreads = (0.25 + np.cumsum((x - means) ** 2)) / (i + 1)
    before = np.concatenate([[0.25], spreads[:-1]])
    bets = np.sqrt(2 * log(2 / 0.05) / (before * i * np.log1p(i)))
    for limit, sign in zip(limits(found)[0], (1, -1), strict=True):
        if abs(limit) < 1:
            m = (limit + 1) / 2
            cut = 0.5 / m if sign > 0 else 0.5 / (1 - m)
            capital = np.prod(1 + sign * np.minimum(bets, cut) * (x - m))
            yield capital / 2, 1 / 0.05, 1e-6


# Selection.


@reads("selection", "PCS(n, k, δ, p) = Σ_j b(j; n, p) Σ_i C(k-1, i) b^i B^(k-1-i)/(i+1)")
def _():
    found = run(THREE_APART, "selection", using={"lead": 0.2})
    p = quantity(found, "least favourable best rate")
    total = 0.0
    for j in range(21):
        point = binomial(j, 20, p - 0.2)
        below = sum(binomial(i, 20, p - 0.2) for i in range(j))
        inner = sum(comb(2, i) * point**i * below ** (2 - i) / (i + 1) for i in range(3))
        total += binomial(j, 20, p) * inner
    yield quantity(found, "P(correct selection) there"), total


@reads("subset", "keep every system with x >= max x - d")
def _():
    found = run(THREE_APART, "subset")
    d = quantity(found, "allowance d")
    kept = [name for name, (x, _) in SAMPLES.items() if x >= 17 - d]
    yield [name == "kept" for name in column(found, "decision")], [s in kept for s in SAMPLES]


# Data sets and folds.


def _by(column_name):
    parts = np.array(ROWS[column_name])
    return {s: np.array([RIGHT[s][parts == v].mean() for v in np.unique(parts)]) for s in "ABC"}


@reads(
    "friedman",
    "χ² = 12N/(k(k+1)) (Σ R_j² - k(k+1)²/4), divided by 1 - Σ(t³-t)/(N k (k²-1)) for ties; "
    "F = (N-1) χ²/(N(k-1) - χ²)",
)
def _():
    found = of_rows("friedman", without=("cluster",))
    values = np.array(list(_by("site").values()))
    ranks = np.array([stats.rankdata(-one) for one in values.T])
    n, k = ranks.shape
    mean = ranks.mean(0)
    chi = 12 * n / (k * (k + 1)) * ((mean**2).sum() - k * (k + 1) ** 2 / 4)
    ties = sum((t**3 - t) for one in values.T for t in np.unique(one, return_counts=True)[1])
    chi /= 1 - ties / (n * k * (k * k - 1))
    yield quantity(found, "χ²"), chi
    yield quantity(found, "F of Iman and Davenport"), (n - 1) * chi / (n * (k - 1) - chi)


@reads("nemenyi", "CD = q/√2 sqrt(k(k+1)/(6N)), q the studentised range's quantile at 1 - alpha")
def _():
    q = stats.studentized_range.ppf(0.95, 3, 1e7)
    cd = q / sqrt(2) * sqrt(12 / 36)
    yield quantity(of_rows("nemenyi", without=("cluster",)), "critical difference"), cd, 1e-5


@reads("wilcoxon", "W+ and W-, ranks of the differences by sign; zeros by Pratt")
def _():
    values = _by("site")
    gaps = np.round(values["A"] - values["B"], 12)
    ranks = stats.rankdata(np.abs(gaps))
    found = of_rows("wilcoxon", without=("cluster",))
    yield column(found, "W+")[0], ranks[gaps > 0].sum()
    yield column(found, "W-")[0], ranks[gaps < 0].sum()


@reads("bayesian-signed-rank", "Dirichlet weights on the differences and a pseudo-observation at 0")
def _():
    values = _by("site")
    z = np.concatenate([[0.0], np.round(values["A"] - values["B"], 12)])
    weights = np.random.default_rng(8).dirichlet(np.ones(z.size), size=40_000)
    sums = z[:, None] + z[None, :]
    above = ((sums > 0.02) + (np.abs(sums - 0.02) < 1e-9) / 2).astype(float)
    below = ((sums < -0.02) + (np.abs(sums + 0.02) < 1e-9) / 2).astype(float)
    up, down = (np.einsum("di,ij,dj->d", weights, one, weights) for one in (above, below))
    share = np.mean((up > 1 - up - down) & (up > down))
    found = of_rows("bayesian-signed-rank", without=("cluster",))
    yield column(found, "P(1 better)")[0], share, 0.02


def _folds():
    values = _by("part")
    gaps = values["A"] - values["B"]
    scale = sqrt((1 / 5 + 1 / 4) * gaps.var(ddof=1))
    return gaps.mean(), scale


@reads("nadeau-bengio", "t = d̄/sqrt((1/J + n_test/n_train) s²)")
def _():
    mean, scale = _folds()
    yield column(of_rows("nadeau-bengio", without=("cluster",)), "t")[0], mean / scale


@reads("correlated-t", "Student's t around d̄ with scale sqrt((1/J + n_test/n_train) s²)")
def _():
    mean, scale = _folds()
    found = of_rows("correlated-t", without=("cluster",))
    yield column(found, "P(1 better)")[0], stats.t.sf((0.01 - mean) / scale, 4)


@reads(
    "hierarchical",
    "μ = Σ w d_g/Σ w ± t sqrt(max(1, Σ w (d_g - μ)²/(G-1))/Σ w), w = 1/(s_g² + τ²), s_g² = "
    "((b+c)/n - ((b-c)/n)²)/n of b + ½, c + ½ and n + 1; with v = 1/s_g² and Q = Σ v "
    "(d_g - Σ v d_g/Σ v)², τ² = (Q - (G-1))/(Σ v - Σ v²/Σ v), at least 0",
)
def _():
    found = of_rows("hierarchical", without=("cluster",))
    tables = _tables("site")
    d = np.array([(b - c) / n for b, c, n in tables])
    b, c, n = (np.array(one) for one in zip(*tables, strict=True))
    b, c, n = b + 0.5, c + 0.5, n + 1
    v = n / ((b + c) / n - ((b - c) / n) ** 2)
    q = (v * (d - (v * d).sum() / v.sum()) ** 2).sum()
    between = max(0, (q - (d.size - 1)) / (v.sum() - (v**2).sum() / v.sum()))
    w = 1 / (1 / v + between)
    mean = (w * d).sum() / w.sum()
    spread = sqrt(max(1, (w * (d - mean) ** 2).sum() / (d.size - 1)) / w.sum())
    reach = stats.t.ppf(0.975, d.size - 1) * spread
    yield column(found, "τ between groups")[0], sqrt(between)
    yield column(found, "mean difference")[0], mean
    yield limits(found)[0], (mean - reach, mean + reach)


GRADES = {"S": [3, 4, 5, 2, 4, 4, 1, 5, 3, 4, 2, 5], "T": [2, 4, 3, 3, 1, 3, 1, 4, 1, 4, 1, 5]}


def _graded(name, **more):
    found = run(GRADES, name, value=["S", "T"], higher_is_better=True, **more)
    return found, np.subtract(GRADES["S"], GRADES["T"])


@reads("paired-t", "t = d̄/(s/√n), n - 1 degrees of freedom; of ratios d is the linearised residual")
def _():
    found, d = _graded("paired-t")
    t = d.mean() / (d.std(ddof=1) / sqrt(d.size))
    yield column(found, "t")[0], t
    yield column(found, "p-value")[0], 2 * stats.t.sf(t, d.size - 1)
    words = np.array([5, 9, 4, 12, 7, 6, 8, 10, 5, 6, 9, 11])
    rated = run({**GRADES, "words": words}, "paired-t", errors=["S", "T"], per="words")
    ratios = {name: np.sum(x) / words.sum() for name, x in GRADES.items()}
    residual = {name: (x - ratios[name] * words) / words.mean() for name, x in GRADES.items()}
    d = residual["S"] - residual["T"]
    yield column(rated, "mean difference")[0], ratios["S"] - ratios["T"]
    yield column(rated, "t")[0], (ratios["S"] - ratios["T"]) / (d.std(ddof=1) / sqrt(d.size))


@reads("mapsswe", "z = d̄√n/s, normal; nist_z is |z| cut to two decimals, 0 without spread")
def _():
    found = run(
        GRADES, "mapsswe", value=["S", "T"], lower_is_better=True, using={"segments": "all"}
    )
    d = np.subtract(GRADES["S"], GRADES["T"])
    z = d.mean() * sqrt(d.size) / d.std(ddof=1)
    yield column(found, "z")[0], z
    yield column(found, "p-value")[0], 2 * stats.norm.sf(z)
    yield column(found, "z of sc_stats")[0], int(100 * z) / 100
    flat = {"S": [2] * 9, "T": [1] * 9}
    same = run(flat, "mapsswe", value=["S", "T"], lower_is_better=True)
    yield column(same, "z of sc_stats")[0], 0.0


@reads("win-rate", "½ + (w - l)/(2n), limits by Tango's score method, p of (w - l)²/(w + l)")
def _():
    found, d = _graded("win-rate")
    w, lost, n = int((d > 0).sum()), int((d < 0).sum()), d.size
    yield column(found, "win rate")[0], 0.5 + (w - lost) / (2 * n)
    low, high = tango_interval(n - w - lost, w, lost, 0)
    yield [column(found, "low")[0], column(found, "high")[0]], [(1 + low) / 2, (1 + high) / 2]
    yield column(found, "p-value")[0], stats.chi2.sf((w - lost) ** 2 / (w + lost), 1)


@reads("sign", "min(1, 2 P(B ≤ min(w, l))), B binomial(w + l, ½)")
def _():
    found, d = _graded("sign")
    w, lost = int((d > 0).sum()), int((d < 0).sum())
    yield column(found, "p-value")[0], min(1, 2 * stats.binom.cdf(min(w, lost), w + lost, 0.5))


@reads("wilcoxon-items", "W+ and W-, ranks of the differences by sign; zeros by Pratt unless said")
def _():
    found, d = _graded("wilcoxon-items")
    ranks = stats.rankdata(abs(d))  # Pratt: zeros take ranks, and are then left out
    seen = ranks[d > 0].sum(), ranks[d < 0].sum()
    yield [column(found, "W+")[0], column(found, "W-")[0]], seen
    held = ranks[d != 0]
    signs = (np.arange(2**held.size)[:, None] >> np.arange(held.size)) & 1
    sums = signs @ held
    far = abs(sums - held.sum() / 2) >= abs(seen[0] - held.sum() / 2) - 1e-9
    yield column(found, "p-value")[0], far.mean()


@reads(
    "permutation-items",
    "share of signs that give a mean as far from 0; (h + 1)/(B + 1) if drawn",
)
def _():
    found, d = _graded("permutation-items")
    signs = 1 - 2 * ((np.arange(2**d.size)[:, None] >> np.arange(d.size)) & 1)
    far = abs(signs @ d) >= abs(d.sum()) - 1e-9
    yield column(found, "p-value")[0], far.mean()


@pytest.mark.parametrize("name", METHODS)
def test_the_formula_printed_with_a_method_is_the_formula_run(name):
    formula, evaluate = EVALUATORS[name]
    assert METHODS[name].formula == formula, "the evaluator was written from another text"
    compared = 0
    for shown, expected, *tolerance in evaluate():
        close = tolerance[0] if tolerance else 1e-6
        assert np.asarray(shown, dtype=float) == pytest.approx(
            np.asarray(expected, dtype=float), rel=close, abs=1e-9 if close < 1e-3 else close
        )
        compared += 1
    assert compared


def test_every_method_has_an_evaluator_of_its_formula():
    assert set(EVALUATORS) == set(METHODS)
