"""Measures in 70 digits: as fractions from counts, standard errors by numerical slopes."""

from fractions import Fraction
from math import comb

import mpmath as mp

from accuracy import limits
from accuracy.arithmetic import exact, multinomial_error, quantile, slopes_at

__all__ = ["kappa", "mcc"]


def flat(table):
    """Cells of a matrix in reading order, rows the truth."""
    return [cell for row in table for cell in row]


def square(shares):
    """Cells in reading order as a matrix again."""
    size = round(len(shares) ** 0.5)
    return [shares[k * size : (k + 1) * size] for k in range(size)]


def margins(table):
    """Sums of rows and of columns."""
    return [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]


def with_error(measure):
    """Value of a function of shares at a table, and its standard error by numerical slopes."""

    def both(table):
        cells = flat(table)
        shares = [mp.mpf(cell) / sum(cells) for cell in cells]
        return measure(shares), multinomial_error(measure, cells)

    return both


def value_only(measure):
    """Value of a function of shares at a table."""

    def alone(table, *rest):
        cells = flat(table)
        return measure([mp.mpf(cell) / sum(cells) for cell in cells], *rest)

    return alone


def kappa(shares):
    """Cohen's kappa."""
    table = square(shares)
    rows, columns = margins(table)
    agreed = sum(table[k][k] for k in range(len(table)))
    chance = sum(r * c for r, c in zip(rows, columns, strict=True))
    return (agreed - chance) / (1 - chance)


def weighted_kappa(shares, power=1):
    """Kappa with disagreement that grows with the distance of the classes."""
    table = square(shares)
    rows, columns = margins(table)
    size = range(len(table))
    seen = sum(abs(i - j) ** power * table[i][j] for i in size for j in size)
    by_chance = sum(abs(i - j) ** power * rows[i] * columns[j] for i in size for j in size)
    return 1 - seen / by_chance


def kappa_test(table, power=None):
    """Kappa over its standard error at 0, and the two normal tails; all cells of chance summed."""
    n, size = sum(flat(table)), len(table)
    rows, columns = ([Fraction(one, n) for one in side] for side in margins(table))

    def weight(i, j):
        if power is None:
            return Fraction(int(i == j))
        return 1 - Fraction(abs(i - j) ** power, (size - 1) ** power)

    pairs = [(i, j) for i in range(size) for j in range(size)]
    chance = sum(weight(i, j) * rows[i] * columns[j] for i, j in pairs)
    agreed = sum(weight(i, j) * Fraction(table[i][j], n) for i, j in pairs)
    by_row = [sum(columns[j] * weight(i, j) for j in range(size)) for i in range(size)]
    by_column = [sum(rows[i] * weight(i, j) for i in range(size)) for j in range(size)]
    spread = sum(
        rows[i] * columns[j] * (weight(i, j) - by_row[i] - by_column[j]) ** 2 for i, j in pairs
    )
    error = mp.sqrt(exact((spread - chance**2) / (n * (1 - chance) ** 2)))
    z = exact((agreed - chance) / (1 - chance)) / error
    return error, z, mp.erfc(abs(z) / mp.sqrt(2))


def mcc(shares):
    """Correlation of called and true classes, any number of them."""
    table = square(shares)
    rows, columns = margins(table)
    top = sum(table[k][k] for k in range(len(table))) - sum(
        r * c for r, c in zip(rows, columns, strict=True)
    )
    return top / mp.sqrt((1 - sum(r * r for r in rows)) * (1 - sum(c * c for c in columns)))


def f_beta(shares, beta=1):
    """F of the second class."""
    _, fp, fn, tp = shares
    b = mp.mpf(beta) ** 2
    return (1 + b) * tp / ((1 + b) * tp + b * fn + fp)


def macro_f1(shares):
    """Mean F1 over the classes."""
    table = square(shares)
    rows, columns = margins(table)
    each = [2 * table[k][k] / (rows[k] + columns[k]) for k in range(len(table))]
    return sum(each) / len(each)


def balanced(shares):
    """Mean recall."""
    table = square(shares)
    return sum(table[k][k] / sum(table[k]) for k in range(len(table))) / len(table)


def informedness(shares):
    """Recall and specificity less 1."""
    tn, fp, fn, tp = shares
    return tp / (tp + fn) + tn / (tn + fp) - 1


def markedness(shares):
    """Precision and its like for the other class, less 1."""
    tn, fp, fn, tp = shares
    return tp / (tp + fp) + tn / (tn + fn) - 1


def ppv_at(shares, prevalence):
    """Precision at another prevalence."""
    tn, fp, fn, tp = shares
    pi = mp.mpf(prevalence)
    hit, alarm = tp / (tp + fn), fp / (tn + fp)
    return hit * pi / (hit * pi + alarm * (1 - pi))


def npv_at(shares, prevalence):
    """Its like for the other class."""
    tn, fp, fn, tp = shares
    pi = mp.mpf(prevalence)
    quiet, miss = tn / (tn + fp), fn / (tp + fn)
    return quiet * (1 - pi) / (quiet * (1 - pi) + miss * pi)


def likelihood_ratio(table, which):
    """Ratio of rates and its score limits at 95 percent; or the odds ratio and its log limits."""
    (tn, fp), (fn, tp) = table
    if which != "odds":
        one, two = ((tp, fn), (fp, tn)) if which == "positive" else ((fn, tp), (tn, fp))
        value = exact(Fraction(one[0] * sum(two), sum(one) * two[0]))
        return value, *limits.ratio(one[0], sum(one), two[0], sum(two), 0.95)
    value = Fraction(tp * tn, fp * fn)
    spread = sum(Fraction(1, cell) for cell in (tn, fp, fn, tp))
    half = quantile(0.95) * mp.sqrt(exact(spread))
    value = exact(value)
    return value, value * mp.exp(-half), value * mp.exp(half)


def pooled_kappa(shares, kind):
    """Agreement of two raters beyond chance: Fleiss, Gwet's AC1, PABAK; or of Krippendorff."""
    table = square(shares)
    rows, columns = margins(table)
    size = len(table)
    mean = [(r + c) / 2 for r, c in zip(rows, columns, strict=True)]
    agreed = sum(table[k][k] for k in range(size))
    chance = {
        "fleiss": sum(p * p for p in mean),
        "gwet": sum(p * (1 - p) for p in mean) / (size - 1),
        "pabak": mp.mpf(1) / size,
    }[kind]
    return (agreed - chance) / (1 - chance)


def jackknifed(measure):
    """Value, and standard error by leaving items out one by one: each kind of item once."""

    def both(table):
        cells = flat(table)
        n = sum(cells)

        def at(counts):
            return measure([mp.mpf(one) for one in counts])

        value, lefts = at(cells), []
        for k, cell in enumerate(cells):
            if cell:
                less = list(cells)
                less[k] -= 1
                lefts.append((cell, at(less)))
        mean = sum(cell * left for cell, left in lefts) / n
        squares = sum(cell * (left - mean) ** 2 for cell, left in lefts)
        return value, mp.sqrt(squares * (n - 1) / n)

    return both


def of_counts(measure, *rest):
    """Turn a function of shares into one of counts."""
    return lambda counts: measure([one / sum(counts) for one in counts], *rest)


def alpha_nominal(counts):
    """Krippendorff's alpha of two raters from coincidences."""
    table = square(counts)
    size = range(len(table))
    together = [[table[i][j] + table[j][i] for j in size] for i in size]
    sums = [sum(row) for row in together]
    total = sum(sums)
    seen = sum(together[i][j] for i in size for j in size if i != j)
    by_chance = sum(sums[i] * sums[j] for i in size for j in size if i != j)
    return 1 - (total - 1) * seen / by_chance


def kernel(positives, negatives):
    """Share of pairs won, ties half."""
    won = sum(Fraction(2 * (p > q) + (p == q), 2) for p in positives for q in negatives)
    return won / (len(positives) * len(negatives))


def points(positives, negatives):
    """Points of the ROC curve from nothing called to everything called, as fractions."""
    cuts = sorted({*positives, *negatives}, reverse=True)
    found = [(Fraction(0), Fraction(0))]
    for cut in cuts:
        found.append(
            (
                Fraction(sum(q >= cut for q in negatives), len(negatives)),
                Fraction(sum(p >= cut for p in positives), len(positives)),
            )
        )
    return found


def partial_area(positives, negatives, low, high):
    """Corrected area between two false alarm rates."""
    a, b = Fraction(str(low)), Fraction(str(high))
    area, before = Fraction(0), None
    for x, y in points(positives, negatives):
        if before and x > before[0]:
            (x0, y0), left, right = before, max(before[0], a), min(x, b)
            if right > left:
                slope = (y - y0) / (x - x0)
                area += (right - left) * (y0 + slope * ((left + right) / 2 - x0))
        before = (x, y)
    least, most = (b * b - a * a) / 2, b - a
    return exact((1 + (area - least) / (most - least)) / 2)


def equal_errors(positives, negatives):
    """Rate at which misses and false alarms meet on the lines between the points."""
    before = None
    for x, y in points(positives, negatives):
        gap = x - (1 - y)
        if gap >= 0:
            if gap == 0 or before is None:
                return exact(x)
            (x0, _), gap0 = before
            part = -gap0 / (gap - gap0)
            return exact(x0 + part * (x - x0))
        before = ((x, y), gap)
    raise ArithmeticError


def ks(positives, negatives):
    """Largest vertical distance of the curve from the diagonal."""
    return exact(max(abs(y - x) for x, y in points(positives, negatives)))


def average_precision(positives, negatives):
    """Mean over positives of the precision at their own thresholds."""
    total = Fraction(0)
    for one in positives:
        found = sum(p >= one for p in positives)
        total += Fraction(found, found + sum(q >= one for q in negatives))
    return exact(total / len(positives))


def proper(positives, negatives, rule):
    """Mean Brier or log score of the doubles that were given, and its standard error."""
    if rule == "brier":
        values = [(1 - mp.mpf(p)) ** 2 for p in positives] + [mp.mpf(q) ** 2 for q in negatives]
    else:
        values = [-mp.log(mp.mpf(p)) for p in positives]
        values += [-mp.log(1 - mp.mpf(q)) for q in negatives]
    n = len(values)
    mean = mp.fsum(values) / n
    return mean, mp.sqrt(mp.fsum((one - mean) ** 2 for one in values) / (n - 1) / n)


def brier_parts(positives, negatives):
    """Score, reliability, resolution and uncertainty over the distinct forecasts."""
    n = len(positives) + len(negatives)
    base = mp.mpf(len(positives)) / n
    reliability = resolution = mp.mpf(0)
    for score in sorted({*positives, *negatives}):
        hits, misses = positives.count(score), negatives.count(score)
        share = mp.mpf(hits) / (hits + misses)
        reliability += (hits + misses) * (mp.mpf(score) - share) ** 2
        resolution += (hits + misses) * (share - base) ** 2
    return (
        proper(positives, negatives, "brier")[0],
        reliability / n,
        resolution / n,
        base * (1 - base),
    )


def width_ece(positives, negatives, bins):
    """Expected calibration error over bins of equal width, the upper edge of each outside."""
    gaps = {}
    for scores, truth in ((positives, 1), (negatives, 0)):
        for one in scores:
            place = min(int(mp.floor(mp.mpf(one) * bins)), bins - 1)
            gaps[place] = gaps.get(place, mp.mpf(0)) + truth - mp.mpf(one)
    return sum(abs(one) for one in gaps.values()) / (len(positives) + len(negatives))


def logistic_fit(positives, negatives):
    """Intercept, slope and their standard errors by Newton's steps in 70 digits."""
    data = [(mp.log(mp.mpf(p) / (1 - mp.mpf(p))), 1) for p in positives]
    data += [(mp.log(mp.mpf(q) / (1 - mp.mpf(q))), 0) for q in negatives]
    a = b = mp.mpf(0)
    for _ in range(60):
        g = [mp.mpf(0), mp.mpf(0)]
        h = [mp.mpf(0)] * 3
        for x, y in data:
            p = 1 / (1 + mp.exp(-a - b * x))
            w = p * (1 - p)
            g = [g[0] + y - p, g[1] + (y - p) * x]
            h = [h[0] + w, h[1] + w * x, h[2] + w * x * x]
        det = h[0] * h[2] - h[1] ** 2
        steps = (h[2] * g[0] - h[1] * g[1]) / det, (h[0] * g[1] - h[1] * g[0]) / det
        a, b = a + steps[0], b + steps[1]
        if max(map(abs, steps)) < mp.mpf(10) ** -40:
            break
    return a, b, mp.sqrt(h[2] / det), mp.sqrt(h[0] / det)


def gains(positives, negatives, depth):
    """Share of positives, precision and lift at a depth, ties taken in proportion."""
    n = len(positives) + len(negatives)
    left = wanted = Fraction(str(depth)) * n
    found = Fraction(0)
    for score in sorted({*positives, *negatives}, reverse=True):
        hits, items = positives.count(score), positives.count(score) + negatives.count(score)
        part = min(left, Fraction(items))
        found += Fraction(hits) * part / items
        left -= part
    share = found / len(positives)
    return exact(share), exact(found / wanted), exact(share / Fraction(str(depth)))


def net_benefit(positives, negatives, threshold):
    """True positives per item less false ones at the odds of the threshold."""
    n, t = len(positives) + len(negatives), mp.mpf(threshold)
    hits, alarms = sum(p >= threshold for p in positives), sum(q >= threshold for q in negatives)
    return mp.mpf(hits) / n - mp.mpf(alarms) / n * t / (1 - t)


def hand_till(truth, vectors):
    """Mean area over pairs of classes, as fractions."""
    kinds = sorted(set(truth))
    total, pairs = Fraction(0), 0
    for i in kinds:
        for j in kinds:
            if i != j:
                total += kernel(
                    [v[i] for t, v in zip(truth, vectors, strict=True) if t == i],
                    [v[i] for t, v in zip(truth, vectors, strict=True) if t == j],
                )
                pairs += 1
    return exact(total / pairs)


def rest_area(truth, vectors):
    """Mean area of each class against all others."""
    kinds = sorted(set(truth))
    areas = [
        kernel(
            [v[i] for t, v in zip(truth, vectors, strict=True) if t == i],
            [v[i] for t, v in zip(truth, vectors, strict=True) if t != i],
        )
        for i in kinds
    ]
    return exact(sum(areas) / len(areas))


def any_of_k(right, tried, k):
    """Share of sets of k tries that hold a right one."""
    return exact(1 - Fraction(comb(tried - right, k), comb(tried, k)))


def all_of_k(right, tried, k):
    """Share of sets of k tries that are all right."""
    return exact(Fraction(comb(right, k), comb(tried, k)))


def tries(right, tried, k):
    """Mean of the first over items, its standard error, and limits over items as clusters."""
    values = [any_of_k(c, n, k) for c, n in zip(right, tried, strict=True)]
    count = len(values)
    mean = sum(values) / count
    error = mp.sqrt(sum((v - mean) ** 2 for v in values) / (count - 1) / count)
    worth = mp.mpf(sum(tried)) / count / k
    low, high = limits.clustered_share([v * worth for v in values], [worth] * count, 0.95)
    return mean, error, low, high


def sign_tail(b, c):
    """P(X >= b) of b + c fair coins."""
    n = b + c
    return exact(Fraction(sum(comb(n, k) for k in range(b, n + 1)), 2**n))


def binomial_upper(x, n, top, bottom):
    """P(X >= x) of n tries at a rate that is a fraction."""
    p = Fraction(top, bottom)
    return exact(sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(x, n + 1)))


def weights(values):
    """Akaike weights of criteria."""
    least = min(mp.mpf(v) for v in values)
    parts = [mp.exp((least - mp.mpf(v)) / 2) for v in values]
    return tuple(one / sum(parts) for one in parts)


def asked_again(right, tried):
    """Wilson's limits at 95 percent with the tries that would vary as much, one more item told."""
    size = sum(tried)
    terms = [
        Fraction(n * n, n - 1) * Fraction(c, n) * (1 - Fraction(c, n))
        for c, n in zip(right, tried, strict=True)
    ]
    variance = sum(terms) / size**2 * (1 + Fraction(1, sum(one > 0 for one in terms)))
    mean = Fraction(sum(right), size)
    return limits.wilson_effective(exact(mean), exact(mean * (1 - mean) / variance), 0.95)


def detection_at(positives, negatives, rate):
    """Most detections with at most this share of false alarms."""
    return exact(max(y for x, y in points(positives, negatives) if x <= Fraction(str(rate))))


def alarms_at(positives, negatives, rate):
    """Fewest false alarms with at least this share of detections."""
    return exact(min(x for x, y in points(positives, negatives) if y >= Fraction(str(rate))))


def deviates(positives, negatives):
    """Normal deviates of all false alarm rates that are neither 0 nor 1."""
    rates = [x for x, _ in points(positives, negatives) if 0 < x < 1]
    return tuple(mp.sqrt(2) * mp.erfinv(2 * exact(x) - 1) for x in rates)


def curved_area(positives, negatives):
    """Area under the interpolated precision-recall curve, in closed form between the points."""
    total, t0, f0 = mp.mpf(0), 0, 0
    for cut in sorted({*positives, *negatives}, reverse=True):
        t1, f1 = sum(p >= cut for p in positives), sum(q >= cut for q in negatives)
        if t1 > t0:
            slope = mp.mpf(f1 - f0) / (t1 - t0)
            c, a = f0 - slope * t0, 1 + slope

            def whole(t, a=a, c=c):
                return t / a - (c / a**2 * mp.log(a * t + c) if c else 0)

            total += whole(mp.mpf(t1)) - (whole(mp.mpf(t0)) if t0 or c else 0)
        t0, f0 = t1, f1
    return total / len(positives)


def slopes_of(measure, table):
    """What one item of each cell adds, to first order: numerical slopes less their mean, over n."""
    cells = flat(table)
    n = mp.mpf(sum(cells))
    return tuple(g / n for g in slopes_at(measure, [mp.mpf(one) / n for one in cells]))


def clustered(measure, parts):
    """Value and standard error with clusters left out: slopes times the cells of each cluster."""
    whole = [[sum(part[i][j] for part in parts) for j in range(2)] for i in range(2)]
    slopes = slopes_of(measure, whole)
    totals = [sum(g * cell for g, cell in zip(slopes, flat(part), strict=True)) for part in parts]
    cells, count = flat(whole), len(parts)
    left = [1 - mp.mpf(sum(flat(part))) / sum(cells) for part in parts]
    moved = [one / rest for one, rest in zip(totals, left, strict=True)]
    spread = mp.mpf(count - 1) / count * sum(one**2 for one in moved)
    return measure([mp.mpf(cell) / sum(cells) for cell in cells]), mp.sqrt(spread)


def proper_difference(truth, first, second):
    """Mean difference of log scores, and its standard error."""
    values = []
    for y, p, q in zip(truth, first, second, strict=True):
        p, q = mp.mpf(p), mp.mpf(q)
        values.append(-mp.log(p if y else 1 - p) + mp.log(q if y else 1 - q))
    n, mean = len(values), sum(values) / len(values)
    return mean, mp.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1) / n)
