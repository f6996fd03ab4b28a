"""Items in clusters, vectors and averaged curves in 70 digits: plain sums over rows."""

from fractions import Fraction

import mpmath as mp

from accuracy import limits, scores
from accuracy.arithmetic import exact, student_quantile

__all__ = ["area", "measured"]

LEVEL = 0.95
SCALES = {
    "logit": (
        lambda p: mp.log(p / (1 - p)),
        lambda x: 1 / (1 + mp.exp(-x)),
        lambda p: 1 / (p * (1 - p)),
    ),
    "fisher": (mp.atanh, mp.tanh, lambda r: 1 / (1 - r * r)),
    "log": (mp.log, mp.exp, lambda r: 1 / r),
    "plain": (lambda x: x, lambda x: x, lambda _: mp.mpf(1)),
}


def student(freedom):
    """Student's quantile at 95 percent."""
    return student_quantile((1 - mp.mpf(LEVEL)) / 2, freedom)


def mean_with_error(totals, items):
    """Ratio of sums over clusters: value, and standard error with clusters left out in turn."""
    n = mp.mpf(sum(items))
    mean = mp.fsum(totals) / n
    apart = [(t - mean * k) / n for t, k in zip(totals, items, strict=True)]
    return mean, mp.sqrt(limits.left_out(apart, items))


# Tables of calls


def share(parts, pick):
    """Share of counts in clusters, and its limits."""
    counts = [pick(*scores.flat(part)) for part in parts]
    won, among = [x for x, _ in counts], [n for _, n in counts]
    return (mp.mpf(sum(won)) / sum(among), *limits.clustered_share(won, among, LEVEL))


def measured(measure, looks_at=lambda part: sum(scores.flat(part))):
    """Value and standard error of a function of shares, with clusters left out in turn."""

    def found(parts):
        size = range(len(parts[0]))
        whole = [[sum(part[i][j] for part in parts) for j in size] for i in size]
        slopes = scores.slopes_of(measure, whole)
        added = [sum(g * c for g, c in zip(slopes, scores.flat(p), strict=True)) for p in parts]
        held = [looks_at(p) for p in parts]
        cells = scores.flat(whole)
        value = measure([mp.mpf(cell) / sum(cells) for cell in cells])
        return value, mp.sqrt(limits.left_out(added, held))

    return found


def kappa_context(table):
    """Numbers beside kappa, as fractions from the counts."""
    size = range(len(table))
    n = sum(map(sum, table))
    rows = [Fraction(sum(row), n) for row in table]
    columns = [Fraction(sum(row[j] for row in table), n) for j in size]
    seen = Fraction(sum(table[k][k] for k in size), n)
    chance = sum(r * c for r, c in zip(rows, columns, strict=True))
    met = sum(min(r, c) for r, c in zip(rows, columns, strict=True))
    mean = [(r + c) / 2 for r, c in zip(rows, columns, strict=True)]
    by_labels = sum(p * (1 - p) for p in mean) / (len(table) - 1)
    found = [
        (seen - chance) / (1 - chance), seen, chance, (met - chance) / (1 - chance),
        (len(table) * seen - 1) / (len(table) - 1), (seen - by_labels) / (1 - by_labels),
    ]  # fmt: skip
    if len(table) == 2:
        found += [Fraction(table[0][0] - table[1][1], n), Fraction(table[0][1] - table[1][0], n)]
    return tuple(exact(one) for one in found)


# Scores: a cluster is a tuple of (score, positives, negatives)


def placements(parts):
    """Area, centred sums of the placements of each cluster, and all positives and negatives."""
    rows = [row for part in parts for row in part]
    m, n = sum(p for _, p, _ in rows), sum(q for _, _, q in rows)

    def below(s):
        return Fraction(sum(q * (2 * (s > t) + (s == t)) for t, _, q in rows), 2 * n)

    def above(s):
        return Fraction(sum(p * (2 * (t > s) + (s == t)) for t, p, _ in rows), 2 * m)

    value = sum(p * below(s) for s, p, _ in rows) / m
    x = [sum(p * (below(s) - value) for s, p, _ in part) / m for part in parts]
    y = [sum(q * (above(s) - value) for s, _, q in part) / n for part in parts]
    return value, x, y


def holding(parts):
    """Clusters that hold positives, and that hold negatives."""
    return tuple(sum(any(row[side] for row in part) for part in parts) for side in (1, 2))


def covariance(first, second):
    """Obuchowski's covariance of two areas on the same items."""
    (_, x, y), (_, u, v) = placements(first), placements(second)
    (i, j), g = holding(first), len(first)

    def products(one, two):
        return sum(a * b for a, b in zip(one, two, strict=True))

    return (
        Fraction(i, i - 1) * products(x, u)
        + Fraction(j, j - 1) * products(y, v)
        + Fraction(g, g - 1) * (products(x, v) + products(u, y))
    )


def areas(first, second):
    """Two areas, their variances and covariance."""
    return tuple(
        exact(one)
        for one in (
            placements(first)[0], placements(second)[0], covariance(first, first),
            covariance(first, second), covariance(second, second),
        )
    )  # fmt: skip


def area(parts):
    """Area, its standard error, and limits on the scale of log odds."""
    value = exact(placements(parts)[0])
    error = mp.sqrt(exact(covariance(parts, parts)))
    there, back, steep = SCALES["logit"]
    half = student(min(holding(parts)) - 1) * error * steep(value)
    return value, error, back(there(value) - half), back(there(value) + half)


def gini(parts):
    """The same of twice the area less 1."""
    value, error, low, high = area(parts)
    return 2 * value - 1, 2 * error, 2 * low - 1, 2 * high - 1


def loss(rule, p, truth):
    """Brier or log score of one forecast."""
    p = mp.mpf(p)
    if rule == "brier":
        return (truth - p) ** 2
    return -mp.log(p if truth else 1 - p)


def losses(parts, rule):
    """Sums of the losses of each cluster."""
    return [mp.fsum(m * loss(rule, s, 1) + n * loss(rule, s, 0) for s, m, n in p) for p in parts]


def sizes(parts):
    """Items of each cluster."""
    return [sum(m + n for _, m, n in part) for part in parts]


def proper_score(parts, rule):
    """Mean loss over clusters."""
    return mean_with_error(losses(parts, rule), sizes(parts))


def proper_difference(first, second, rule):
    """Mean difference of losses over clusters."""
    apart = [a - b for a, b in zip(losses(first, rule), losses(second, rule), strict=True)]
    return mean_with_error(apart, sizes(first))


def benefit(parts, threshold):
    """Net benefit over clusters."""
    rate = mp.mpf(threshold) / (1 - mp.mpf(threshold))
    worth = [mp.fsum(m - rate * n for s, m, n in part if s >= threshold) for part in parts]
    return mean_with_error(worth, sizes(parts))


def recalibration(parts):
    """Line, and shift alone, on the scale of log odds, with sandwich errors; Newton's steps."""
    rows = [(g, mp.log(s) - mp.log(1 - s), m, n) for g, part in enumerate(parts)
            for s, m, n in ((mp.mpf(s), m, n) for s, m, n in part)]  # fmt: skip
    found = []
    for size in (2, 1):
        at = mp.matrix([0, 1])
        for _ in range(100):
            score, information, each = mp.matrix(size, 1), mp.matrix(size), {}
            for g, x, m, n in rows:
                p = 1 / (1 + mp.exp(-at[0] - at[1] * x))
                design = mp.matrix([1, x][:size])
                part = design * (m * (1 - p) - n * p)
                score += part
                each[g] = each.get(g, mp.matrix(size, 1)) + part
                information += design * design.T * ((m + n) * p * (1 - p))
            step = mp.lu_solve(information, score)
            if max(abs(one) for one in step) < mp.mpf(10) ** -50:
                break
            longest = max(1, *(abs(one) for one in step))
            for k in range(size):
                at[k] += step[k] / longest
        inverse, count = information**-1, mp.mpf(len(each))
        held = sizes(parts)
        meat = mp.matrix(size)
        for g, u in each.items():
            meat += u * u.T * ((count - 1) / count / (1 - mp.mpf(held[g]) / sum(held)) ** 2)
        spread = inverse * meat * inverse
        for k in range(size):
            found += [at[k], mp.sqrt(spread[k, k])]
    return tuple(found)


def gains(parts, depth):
    """Gain, precision and lift at a depth with their limits, from first-order terms of items."""
    rows = sorted(((s, g, m, n) for g, part in enumerate(parts) for s, m, n in part), reverse=True)
    n, m = sum(sizes(parts)), sum(row[2] for row in rows)
    q = Fraction(str(depth))
    taken, left = [], q * n
    for cut in sorted({row[0] for row in rows}, reverse=True):
        tied = [row for row in rows if row[0] == cut]
        items = sum(row[2] + row[3] for row in tied)
        part = min(left, Fraction(items)) / items
        taken += [(g, part * (a + b), part * a) for _, g, a, b in tied]
        left -= part * items
    reached = sum(one[2] for one in taken)
    gain, precision = reached / m, reached / (q * n)
    near = _near(rows, q * n, n)
    count = len(parts)
    contacted = [sum(one[1] for one in taken if one[0] == g) for g in range(count)]
    found = [sum(one[2] for one in taken if one[0] == g) for g in range(count)]
    hits = [sum(row[2] for row in rows if row[1] == g) for g in range(count)]
    of_gain = [
        (exact(found[g] - gain * hits[g]) - near * exact(contacted[g] - q * sizes(parts)[g])) / m
        for g in range(count)
    ]
    of_precision = [
        (exact(found[g]) - near * exact(contacted[g])
         - exact(q) * (exact(precision) - near) * sizes(parts)[g]) / (n * exact(q))
        for g in range(count)
    ]  # fmt: skip
    ends = _share(gain, of_gain, found, hits, sizes(parts))
    meant = _share(precision, of_precision, found, contacted, sizes(parts))
    most = mp.mpf(n) / m
    return (
        exact(gain), *ends, exact(precision), *meant,
        exact(gain / q), *(min(most, end / exact(q)) for end in ends),
    )  # fmt: skip


def _near(rows, contacts, n):
    reach = max(mp.mpf(1), mp.mpf(n) ** (mp.mpf(2) / 3) / 2)
    ends = max(mp.mpf(0), exact(contacts) - reach), min(mp.mpf(n), exact(contacts) + reach)

    def positives(place):
        found = done = mp.mpf(0)
        for cut in sorted({row[0] for row in rows}, reverse=True):
            tied = [row for row in rows if row[0] == cut]
            items = sum(row[2] + row[3] for row in tied)
            part = min(mp.mpf(1), max(mp.mpf(0), (place - done) / items))
            found += part * sum(row[2] for row in tied)
            done += items
        return found

    return (positives(ends[1]) - positives(ends[0])) / (ends[1] - ends[0])


def _share(value, added, won, among, held):
    there = [exact(Fraction(one)) for one in among if one > 0]
    freedom = limits.left_out_freedom(there) if len(there) > 1 else mp.mpf(1)
    return limits.clustered_share(
        [exact(Fraction(one)) for one in won], [exact(Fraction(one)) for one in among], LEVEL,
        share=exact(value), variance=limits.left_out(added, held), freedom=freedom,
    )  # fmt: skip


# Vectors: a row is (class, weight, score of A, score of B, how often)


def vector(rows, classes, *, pair):
    """Weighted mean over rows, standard error, limits: of A less B, or of A."""
    strata = [[row for row in rows if row[0] == name] for name in classes] if classes else [rows]
    shares = [mp.mpf(w) for w in classes.values()] if classes else [mp.mpf(1)]
    value, parts = mp.mpf(0), []
    for weight, some in zip(shares, strata, strict=True):
        n = sum(row[4] for row in some)
        w = sum(Fraction(row[1]) * row[4] for row in some)
        values = [(Fraction(r[2]) - (Fraction(r[3]) if pair else 0), r) for r in some]
        mean = sum(x * Fraction(r[1]) * r[4] for x, r in values) / w
        spread = sum(Fraction(r[1]) ** 2 * r[4] * (x - mean) ** 2 for x, r in values)
        value += weight * exact(mean)
        parts.append((weight**2 * exact(Fraction(n, n - 1) * spread / w**2), n - 1))
    variance = sum(one for one, _ in parts)
    freedom = variance**2 / sum(one**2 / left for one, left in parts)
    return _ends(value, mp.sqrt(variance), freedom, pair)


def _ends(value, error, freedom, pair):
    half = student(freedom) * error
    return value, error, max(mp.mpf(-1 if pair else 0), value - half), min(mp.mpf(1), value + half)


def clustered_vector(clusters, classes, *, pair):
    """The same over clusters: sums of each over its rows."""
    rows = [row for part in clusters for row in part]
    value, added = mp.mpf(0), [mp.mpf(0)] * len(clusters)
    part_sizes = [mp.mpf(0)] * len(clusters)
    for name, share in (classes or {None: 1}).items():

        def of(part, name=name):
            return [row for row in part if name is None or row[0] == name]

        def total(part):
            return sum(
                (Fraction(r[2]) - (Fraction(r[3]) if pair else 0)) * Fraction(r[1]) * r[4]
                for r in of(part)
            )

        w = sum(Fraction(r[1]) * r[4] for r in of(rows))
        mean = total(rows) / w
        value += mp.mpf(share) * exact(mean)
        for g, part in enumerate(clusters):
            held = sum(Fraction(r[1]) * r[4] for r in of(part))
            added[g] += mp.mpf(share) * exact((total(part) - mean * held) / w)
            part_sizes[g] += mp.mpf(share) * exact(held / w)
    return value, mp.sqrt(limits.left_out(added, part_sizes))


# Curves


def averaged(folds, rate):
    """Mean detection rate at a false alarm rate over curves, its spread, and Student's limits."""
    rates = []
    for rows in folds:
        m, n = sum(p for _, p, _ in rows), sum(q for _, _, q in rows)
        points = [(Fraction(0), Fraction(0))]
        for _, p, q in sorted(rows, reverse=True):
            points.append((points[-1][0] + Fraction(q, n), points[-1][1] + Fraction(p, m)))
        at = Fraction(str(rate))
        left = max(k for k, (x, _) in enumerate(points) if x <= at)
        (x, y), (u, v) = points[left], points[min(left + 1, len(points) - 1)]
        rates.append(y + (v - y) * (at - x) / (u - x) if u > x else y)
    count = len(rates)
    mean = sum(rates) / count
    sd = mp.sqrt(exact(sum((one - mean) ** 2 for one in rates) / (count - 1)))
    half = student(count - 1) * sd / mp.sqrt(count)
    mean = exact(mean)
    return mean, sd, max(mp.mpf(0), mean - half), min(mp.mpf(1), mean + half)


def precision_at_recall(rows, recall):
    """Precision at a recall, false positives in proportion to true ones between two points."""
    wanted = Fraction(str(recall)) * sum(p for _, p, _ in rows)
    found = alarms = Fraction(0)
    for _, p, q in sorted(rows, reverse=True):
        if found + p >= wanted:
            alarms += (wanted - found) / p * q
            return exact(wanted / (wanted + alarms))
        found, alarms = found + p, alarms + q
    raise ArithmeticError
