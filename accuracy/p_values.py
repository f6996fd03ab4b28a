"""Statistics and p-values of tests in 70 digits, as fractions up to the last step."""

from fractions import Fraction
from itertools import product
from math import comb

import mpmath as mp

from accuracy.arithmetic import (
    chi_square_tail,
    even_sum,
    exact,
    f_tail,
    normal_tail,
    quantile,
    student_quantile,
    student_tail,
)

__all__ = ["boschloo", "fisher"]


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


def fisher(x, m, y, n):
    """Sum the tables that are no more probable than the one seen, as whole numbers."""
    right, total = x + y, m + n
    weights = [comb(m, i) * comb(n, right - i) for i in range(max(0, right - n), min(m, right) + 1)]
    seen = comb(m, x) * comb(n, y)
    return exact(Fraction(sum(w for w in weights if w <= seen), comb(total, right)))


def chi_square(samples):
    """P-value of equal rates in k samples."""
    right, tested = sum(x for x, _ in samples), sum(n for _, n in samples)
    p = Fraction(right, tested)
    statistic = sum((x - n * p) ** 2 / (n * p * (1 - p)) for x, n in samples)
    return chi_square_tail(exact(statistic), len(samples) - 1)


def largest_chance(m, n, region):
    """Largest chance of a region of tables over the common rate."""
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


def boschloo(x, m, y, n):
    """Largest chance, over the common rate, of tables whose Fisher p-value is no larger."""
    ours = fisher(x, m, y, n) * (1 + mp.mpf(10) ** -30)
    region = [(i, j) for i in range(m + 1) for j in range(n + 1) if fisher(i, m, j, n) <= ours]
    return largest_chance(m, n, region)


def barnard(x, m, y, n):
    """Largest chance, over the common rate, of tables with a score no smaller."""

    def score(i, j):
        spread = (i + j) * (m + n - i - j)
        return Fraction((i * n - j * m) ** 2, spread) if spread else Fraction(0)

    ours = score(x, y)
    return largest_chance(
        m, n, [(i, j) for i in range(m + 1) for j in range(n + 1) if score(i, j) >= ours]
    )


def score_test(x, m, y, n):
    """Miettinen and Nurminen's score statistic and its two normal tails."""
    right, total = x + y, m + n
    square = Fraction((x * n - y * m) ** 2 * (total - 1), right * (total - right) * m * n)
    z = mp.sqrt(exact(square))
    return mp.sign(x * n - y * m) * z, 2 * normal_tail(z)


def mcnemar_asymptotic(b, c):
    """Chi-square tail of (b - c)^2 / (b + c)."""
    return chi_square_tail(exact(Fraction((b - c) ** 2, b + c)), 1)


def common(both, b, c, neither):
    """Mid-p, or the exact test where more than four of five items are discordant."""
    nearly_all = 5 * (b + c) > 4 * (both + b + c + neither)
    return mcnemar_exact(b, c) if nearly_all else mcnemar_midp(b, c)


def independent(x, m, y, n):
    """Score test where the count varies enough given the total, else the larger of two tests.

    From a variance of 200 to one of 400 the second fades.
    """
    right, total = x + y, m + n
    score = score_test(x, m, y, n)[1]
    spread = Fraction(m * n * right * (total - right), total**2 * (total - 1))
    if spread >= 400:
        return score
    if spread >= 200:
        fading = exact(2 - spread / 200)
        return score + fading * max(0, fisher(x, m, y, n) - score)
    few = (m + 1) * (n + 1) <= 300_000
    return max(score, boschloo(x, m, y, n) if few else fisher(x, m, y, n))


def alike_pair(better):
    """P(better) of two alike systems, by its integral over the half-Cauchy spread."""
    z = mp.sqrt(2) * mp.erfinv(2 * mp.mpf(better) - 1)

    def weight(angle):
        """Weigh a spread, which is the tangent of a uniform angle."""
        return mp.exp(-(z**2) * mp.cos(angle) ** 2 / 2) * mp.cos(angle)

    ends = [0, mp.pi / 2]
    above = mp.quad(lambda angle: mp.ncdf(z * mp.sin(angle)) * weight(angle), ends)
    return above / mp.quad(weight, ends)


def cochran(patterns, systems):
    """Cochran's Q from its definition, item by item."""
    rows = [
        ([pattern >> k & 1 for k in range(systems)], items) for pattern, items in patterns.items()
    ]
    columns = [sum(row[k] * items for row, items in rows) for k in range(systems)]
    mean = Fraction(sum(columns), systems)
    top = systems * (systems - 1) * sum((one - mean) ** 2 for one in columns)
    bottom = sum(items * sum(row) * (systems - sum(row)) for row, items in rows)
    statistic = exact(Fraction(top, bottom))
    return statistic, chi_square_tail(statistic, systems - 1)


def clustered(pairs):
    """Obuchowski's and Durkalski's tests; each cluster is (both, first, second, neither)."""
    gaps = [b - c for _, b, c, _ in pairs]
    count = len(gaps)
    robust = exact(Fraction(sum(gaps) ** 2 * (count - 1), count * sum(g * g for g in gaps)))
    shares = [Fraction(b - c, a + b + c + d) for a, b, c, d in pairs]
    durkalski = exact(sum(shares) ** 2 / sum(s * s for s in shares))
    return (
        2 * student_tail(mp.sqrt(robust), count - 1),
        chi_square_tail(durkalski, 1),
    )


def bowker(table):
    """Statistic of symmetry and its tail; pairs of classes without an item do not count."""
    size = range(len(table))
    pairs = [(table[i][j], table[j][i]) for i in size for j in size if i < j]
    told = [(a, b) for a, b in pairs if a + b]
    statistic = exact(sum(Fraction((a - b) ** 2, a + b) for a, b in told))
    return statistic, chi_square_tail(statistic, len(told))


def stuart_maxwell(table):
    """Quadratic form of the marginal differences, one class left out."""
    size = len(table)
    gap = [sum(table[i]) - sum(row[i] for row in table) for i in range(size)]
    matrix = mp.matrix(size - 1)
    for i, j in product(range(size - 1), repeat=2):
        matrix[i, j] = (
            sum(table[i]) + sum(row[i] for row in table) - 2 * table[i][i]
            if i == j
            else -(table[i][j] + table[j][i])
        )  # fmt: skip
    some = mp.matrix(gap[:-1])
    statistic = (some.T * mp.lu_solve(matrix, some))[0]
    return statistic, chi_square_tail(statistic, size - 1)


def areas(one, two, v1, v2, cov, level):
    """Normal test, limits and P(better) of two areas, the doubles that were given."""
    gap = mp.mpf(one) - mp.mpf(two)
    error = mp.sqrt(mp.mpf(v1) + mp.mpf(v2) - 2 * mp.mpf(cov))
    reach = quantile(level) * error
    z = gap / error
    return (
        max(mp.mpf(-1), gap - reach),
        min(mp.mpf(1), gap + reach),
        2 * normal_tail(abs(z)),
        normal_tail(-z),
    )


def area_equivalence(one, two, v1, v2, margin):
    """Normal mass within a margin."""
    gap, error = mp.mpf(one) - mp.mpf(two), mp.sqrt(mp.mpf(v1) + mp.mpf(v2))
    d = mp.mpf(margin)
    return normal_tail((-d - gap) / error) - normal_tail((d - gap) / error)


def areas_equal(values, variances):
    """Chi-square of independent areas about their weighted mean."""
    weights = [1 / mp.mpf(v) for v in variances]
    mean = sum(w * mp.mpf(a) for w, a in zip(weights, values, strict=True)) / sum(weights)
    statistic = sum(w * (mp.mpf(a) - mean) ** 2 for w, a in zip(weights, values, strict=True))
    return statistic, chi_square_tail(statistic, len(values) - 1)


def t_fit(differences, ratio):
    """Mean, scale and degrees of freedom of Nadeau and Bengio."""
    values = [mp.mpf(one) for one in differences]
    j = len(values)
    mean = sum(values) / j
    spread = sum((one - mean) ** 2 for one in values) / (j - 1)
    return mean, mp.sqrt((mp.mpf(1) / j + mp.mpf(ratio)) * spread), j - 1


def resampled_t(differences, ratio):
    """Statistic and two-sided p-value."""
    mean, scale, freedom = t_fit(differences, ratio)
    return mean / scale, 2 * student_tail(abs(mean / scale), freedom)


def correlated(differences, ratio, rope):
    """Student's mass below, inside and above the rope."""
    mean, scale, freedom = t_fit(differences, ratio)

    def below(x):
        t = (x - mean) / scale
        return student_tail(-t, freedom) if t <= 0 else 1 - student_tail(t, freedom)

    r = mp.mpf(rope)
    above = student_tail((r - mean) / scale, freedom) if r > mean else 1 - student_tail(
        (mean - r) / scale, freedom
    )  # fmt: skip
    return below(-r), below(r) - below(-r), above


def pooled(tables, level):
    """DerSimonian and Laird's mean with Hartung and Knapp's limits, from fractions."""
    gaps = [Fraction(b - c, a + b + c + d) for a, b, c, d in tables]
    half = Fraction(1, 2)
    variances = []
    for a, b, c, d in tables:
        n, f, s = a + b + c + d + 1, b + half, c + half
        variances.append((f + s - (f - s) ** 2 / n) / n**2)
    weights = [1 / v for v in variances]
    mean = sum(w * g for w, g in zip(weights, gaps, strict=True)) / sum(weights)
    spread = sum(w * (g - mean) ** 2 for w, g in zip(weights, gaps, strict=True))
    scale = sum(weights) - sum(w * w for w in weights) / sum(weights)
    between = max(Fraction(0), (spread - (len(gaps) - 1)) / scale)
    weights = [1 / (v + between) for v in variances]
    mean = sum(w * g for w, g in zip(weights, gaps, strict=True)) / sum(weights)
    freedom = len(gaps) - 1
    factor = sum(w * (g - mean) ** 2 for w, g in zip(weights, gaps, strict=True)) / freedom
    error = mp.sqrt(exact(max(Fraction(1), factor) / sum(weights)))
    reach = student_quantile((1 - mp.mpf(level)) / 2, freedom) * error
    mean = exact(mean)
    return (
        mean,
        max(mp.mpf(-1), mean - reach),
        min(mp.mpf(1), mean + reach),
        2 * student_tail(abs(mean) / error, freedom),
        mp.sqrt(exact(between)),
    )


def signed_rank(differences):
    """Two-sided p-value over all signs of the midranks; zeros are ranked, then left out."""
    sizes = [abs(one) for one in differences]
    doubled = [
        sum(2 for s in sizes if s < one) + sum(1 for s in sizes if s == one) + 1 for one in sizes
    ]
    used = [(rank, one > 0) for rank, one in zip(doubled, differences, strict=True) if one]
    balance = abs(sum(rank if up else -rank for rank, up in used))
    ways = {0: 1}
    for rank, _ in used:
        more = {}
        for total, count in ways.items():
            for moved in (total + rank, total - rank):
                more[moved] = more.get(moved, 0) + count
        ways = more
    far = sum(count for total, count in ways.items() if abs(total) >= balance)
    return exact(Fraction(far, 2 ** len(used)))


def signed_rank_normal(differences):
    """Normal tail of the sum of signed ranks, without ties."""
    order = sorted(range(len(differences)), key=lambda k: abs(differences[k]))
    balance = sum((r + 1) * (1 if differences[k] > 0 else -1) for r, k in enumerate(order))
    squares = sum((r + 1) ** 2 for r in range(len(order)))
    return 2 * normal_tail(abs(balance) / mp.sqrt(squares))


def rank_means(scores):
    """Mean ranks as fractions, 1 the highest, and the sum of t^3 - t over all ties."""
    size, sets = len(scores), len(scores[0])
    totals, ties = [Fraction(0)] * size, 0
    for k in range(sets):
        row = [one[k] for one in scores]
        for i, one in enumerate(row):
            totals[i] += sum(v > one for v in row) + Fraction(sum(v == one for v in row) + 1, 2)
        ties += sum(row.count(v) ** 3 - row.count(v) for v in set(row))
    return [one / sets for one in totals], ties


def friedman(scores):
    """Chi-square and F forms with their tails, corrected for ties."""
    (ranks, ties), size, sets = rank_means(scores), len(scores), len(scores[0])
    spread = sum((r - Fraction(size + 1, 2)) ** 2 for r in ranks)
    statistic = Fraction(12 * sets, size * (size + 1)) * spread
    statistic /= 1 - Fraction(ties, sets * size * (size**2 - 1))
    ratio = (sets - 1) * statistic / (sets * (size - 1) - statistic)
    freedom = (size - 1) * (sets - 1)
    return (
        exact(statistic),
        chi_square_tail(exact(statistic), size - 1),
        exact(ratio),
        f_tail(exact(ratio), size - 1, freedom),
    )


def range_probability(width, size):
    """P(range of k normal values <= w), by its integral over the smallest of them."""
    w = mp.mpf(width)

    def inside(z):
        between = normal_tail(z) - normal_tail(z + w)
        return size * mp.npdf(z) * between ** (size - 1)

    return even_sum(inside, -w - 16, mp.mpf(16), mp.mpf(1) / 24)


def range_tail(width, size):
    """P(range > w) in as many digits as the difference needs."""
    w = mp.mpf(width)
    with mp.workdps(80 + int(w * w / 3)):

        def inside(z):
            above = normal_tail(z)
            between = above - normal_tail(z + w)
            return size * mp.npdf(z) * (above ** (size - 1) - between ** (size - 1))

        return even_sum(inside, -w / 2 - 16, -w / 2 + 16, mp.mpf(1) / 12)


def range_quantile(alpha, size):
    """Find the range exceeded with probability alpha, by secants on the logarithm of its tail."""
    alpha = mp.mpf(alpha)

    def off(w):
        return mp.log(range_tail(w, size) / alpha)

    low, high = mp.mpf(1) / 100, mp.mpf(1)
    while off(high) > 0:
        low, high = high, high + 1
    for _ in range(40):
        at_low, at_high = off(low), off(high)
        low, high = high, high - at_high * (high - low) / (at_high - at_low)
        if abs(high - low) < mp.mpf(10) ** -32:
            break
    return high


def nemenyi(scores):
    """P-values of all pairs of mean ranks, and the critical difference at 5 percent."""
    (ranks, _), size, sets = rank_means(scores), len(scores), len(scores[0])
    unit = mp.sqrt(mp.mpf(size * (size + 1)) / (12 * sets))
    tails = [
        range_tail(abs(exact(ranks[i] - ranks[j])) / unit, size)
        for i in range(size)
        for j in range(i + 1, size)
    ]
    return (*tails, range_quantile(0.05, size) * unit)


def predictive(cells):
    """Kosinski's statistic for positive predictive values; cells by truth and both calls."""
    n1 = sum(v for (_, a, _), v in cells.items() if a)
    n2 = sum(v for (_, _, b), v in cells.items() if b)
    h1 = sum(v for (t, a, _), v in cells.items() if a and t)
    h2 = sum(v for (t, _, b), v in cells.items() if b and t)
    pooled_share = Fraction(h1 + h2, n1 + n2)
    both = cells[1, 1, 1] * (1 - pooled_share) ** 2 + cells[0, 1, 1] * pooled_share**2
    spread = (pooled_share * (1 - pooled_share) - 2 * both / (n1 + n2)) * (
        Fraction(1, n1) + Fraction(1, n2)
    )
    statistic = exact((Fraction(h1, n1) - Fraction(h2, n2)) ** 2 / spread)
    return statistic, chi_square_tail(statistic, 1)


def weighted_rates(patterns):
    """Weighted rates of two systems and their linearised covariance, item by item as fractions."""
    total = sum(items * weight for _, items, weight in patterns)
    count = sum(items for _, items, _ in patterns)
    rates = [
        Fraction(sum(n * w for pattern, n, w in patterns if pattern >> k & 1), total)
        for k in (0, 1)
    ]
    found = []
    for i, j in ((0, 0), (0, 1), (1, 1)):
        spread = sum(
            n * w * w * ((pattern >> i & 1) - rates[i]) * ((pattern >> j & 1) - rates[j])
            for pattern, n, w in patterns
        )
        found.append(Fraction(count, count - 1) * spread / total**2)
    return tuple(exact(one) for one in (*rates, *found))
