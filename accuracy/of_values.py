"""A number for each item: means, ratios of sums, quantiles, bets, tests and plans."""

from fractions import Fraction
from itertools import product

from accuracy.arithmetic import (
    binomial_mass,
    exact,
    mp,
    normal_tail,
    root,
    student_quantile,
    student_tail,
)
from accuracy.case import Judged
from steelyard import comparison, planning, uncertainty
from steelyard.uncertainty import StudentEstimate

__all__ = ["JUDGED"]

WHOLE = [
    ((1, 2, 3, 4),),
    (tuple(10**9 + k for k in (0, 1, 5, 2)),),
    ((0,) * 50 + (1,),),
    (tuple((37 * k) % 101 for k in range(60)),),
]
"""Values of items: few, far from 0, rare, many."""
ERRORS = [
    ((1, 0, 2, 1), (10, 8, 12, 10)),
    ((0,) * 30 + (1, 2), tuple(range(80, 112))),
    ((3, 10**8, 5), (7, 3 * 10**8, 11)),
]
BOUNDED = [
    (tuple(((7 * k) % 13) / 13 for k in range(1, 60)), 0.95),
    ((0.5,) * 30, 0.99),
    ((0.25, 0.75), 0.95),
]
TAIL = (1 - mp.mpf(0.95)) / 2
"""Of the double that users hand over."""
SIGNED = [((1, 1, 0, 2, 1, 0, 1, -1),), ((5, -3, 2, 8, -1, 4),), ((0, 0),), ((3, 3, 3, -3, 1),)]


def _squares(values):
    return len(values), sum(values), sum(one * one for one in values)


def _moments(values):
    n = len(values)
    mean = Fraction(sum(values), n)
    spread = sum((one - mean) ** 2 for one in values) / (n * (n - 1))
    return n, exact(mean), mp.sqrt(exact(spread))


def _right_mean(values):
    n, mean, error = _moments(values)
    reach = student_quantile(TAIL, n - 1) * error
    return mean - reach, mean + reach


def _right_pair(values):
    n, mean, error = _moments(values)
    t = mean / error
    return 2 * student_tail(abs(t), n - 1), (
        1 - student_tail(t, n - 1) if t > 0 else student_tail(-t, n - 1)
    )


def _pair(values):
    found = comparison.paired_mean_difference(*_squares(values))
    return found.p_value, found.better


def _ratio(totals, weights):
    units = len(totals)
    ratio = Fraction(sum(totals), sum(weights))
    apart = sum((x - ratio * w) ** 2 for x, w in zip(totals, weights, strict=True))
    variance = Fraction(units, units - 1) * apart / sum(weights) ** 2
    return exact(ratio), mp.sqrt(exact(variance))


def _right_ratio_limits(totals, weights):
    ratio, error = _ratio(totals, weights)
    factor = mp.exp(student_quantile(TAIL, len(totals) - 1) * error / ratio)
    return ratio / factor, ratio * factor


def _right_ratio_gap(totals, weights):
    """Against one error in every unit."""
    units, whole = len(totals), sum(weights)
    ratios = Fraction(sum(totals), whole), Fraction(units, whole)
    apart = [
        (x - ratios[0] * w) - (1 - ratios[1] * w) for x, w in zip(totals, weights, strict=True)
    ]
    variance = Fraction(units, units - 1) * sum(one * one for one in apart) / whole**2
    gap, error = exact(ratios[0] - ratios[1]), mp.sqrt(exact(variance))
    return gap, error, 2 * student_tail(abs(gap / error), units - 1)


def _ratio_gap(totals, weights):
    found = comparison.ratio_difference(totals, weights, (1,) * len(totals), weights)
    return found.difference, found.error, found.p_value


def _right_segments(first, second):
    n, mean, error = _moments([a - b for a, b in zip(first, second, strict=True)])
    z = mean / error
    return z, 2 * normal_tail(abs(z)), 2 * student_tail(abs(z), n - 1)


def _segments(first, second):
    found = comparison.mapsswe(first, second)
    return found.z, found.p_value, found.p_student


def _right_skewness(values):
    n = len(values)
    mean = Fraction(sum(values), n)
    second = sum((one - mean) ** 2 for one in values) / n
    third = sum((one - mean) ** 3 for one in values) / n
    return exact(third) / exact(second) ** (mp.mpf(3) / 2)


def _right_coverage(n, share):
    """Add up what each end leaves out, by whole binomials."""
    found = uncertainty.quantile_interval(range(1, n + 1), share=share)
    chances = [binomial_mass(k, n, mp.mpf(share)) for k in range(n + 1)]
    return sum(chances[found.low_rank : found.high_rank])


def _bets(values, level, anytime):
    """Bets on values in [0, 1], each from those before it."""
    needed = mp.log(2 / (1 - mp.mpf(level)))
    total, spread, bets = mp.mpf(0), mp.mpf(0), []
    for place, value in enumerate(values, 1):
        variance = (mp.mpf(1) / 4 + spread) / place
        pace = place * mp.log(place + 1) if anytime else len(values)
        bets.append(mp.sqrt(2 * needed / (variance * pace)))
        total += mp.mpf(value)
        spread += (value - (mp.mpf(1) / 2 + total) / (place + 1)) ** 2
    return needed, bets


def _right_betting(values, level):
    needed, bets = _bets(values, level, anytime=False)
    ends = []
    for side in (1, -1):

        def excess(mean, side=side):
            room, log, best = mean if side == 1 else 1 - mean, mp.mpf(0), -mp.inf
            for bet, value in zip(bets, values, strict=True):
                log += mp.log1p(side * min(bet, 1 / (2 * room)) * (value - mean))
                best = max(best, log)
            return best - needed

        edge = mp.mpf(10) ** -30
        low, high = (edge, 1 - edge)
        if excess(low if side == 1 else high) < 0:
            ends.append(mp.mpf(side == -1))
        else:
            ends.append(root(excess, low, high))
    return tuple(ends)


def _right_bernstein(values, level):
    ends = []
    for side in (1, -1):
        mirrored = [mp.mpf(one) if side == 1 else 1 - mp.mpf(one) for one in values]
        needed, bets = _bets(mirrored, level, anytime=False)
        half, seen, cost, paid, weight = mp.mpf(1) / 2, mp.mpf(0), needed, mp.mpf(0), mp.mpf(0)
        for place, (bet, value) in enumerate(zip(bets, mirrored, strict=True)):
            cut = min(bet, half)
            before = seen / place if place else mp.mpf(0)
            cost += (value - before) ** 2 * (-mp.log(1 - cut) - cut)
            paid += cut * value
            weight += cut
            seen += value
        low = max(mp.mpf(0), (paid - cost) / weight)
        ends.append(low if side == 1 else 1 - low)
    return tuple(ends)


def _right_evidence(values, against):
    _, bets = _bets(values, 0.95, anytime=True)
    up = down = mp.mpf(0)
    mean = mp.mpf(against)
    for bet, value in zip(bets, values, strict=True):
        up += mp.log1p(min(bet, 1 / (2 * mean)) * (value - mean))
        down += mp.log1p(-min(bet, 1 / (2 * (1 - mean))) * (value - mean))
    return up, down


def _evidence(values, against):
    found = comparison.betting_evidence(values, bounds=(0.0, 1.0), against=against)
    return found.log_up, found.log_down


def _right_maurer(n, mean, variance, level):
    needed = mp.log(4 / (1 - mp.mpf(level)))
    reach = mp.sqrt(2 * mp.mpf(variance) * needed / n) + 7 * needed / (3 * (n - 1))
    return max(mp.mpf(0), mean - reach), min(mp.mpf(1), mean + reach)


def _right_sequence(value, error, units, planned):
    alpha = mp.mpf(0.05)
    known = units * (-2 * mp.log(alpha) + mp.log(1 - 2 * mp.log(alpha))) / planned
    reach = mp.sqrt(2 * (known + 1) / known * mp.log(mp.sqrt(known + 1) / alpha))
    pivot = mp.mpf(value) / mp.mpf(error)
    grown = mp.exp(pivot**2 * known / (2 * (known + 1))) / mp.sqrt(known + 1)
    return value - reach * error, value + reach * error, min(mp.mpf(1), 1 / grown)


def _sequence(value, error, units, planned):
    estimate = StudentEstimate(value=value, error=error, freedom=units - 1, units=units)
    found = comparison.asymptotic_sequence(estimate, planned=planned)
    return found.low, found.high, found.p_value


def _share_beyond(sizes, balance):
    """List all signs."""
    signs = list(product((-1, 1), repeat=len(sizes)))
    sums = (sum(s * x for s, x in zip(one, sizes, strict=True)) for one in signs)
    return exact(Fraction(sum(abs(total) >= abs(balance) for total in sums), len(signs)))


def _right_signs(values):
    return _share_beyond([abs(one) for one in values], sum(values))


def _right_ranks(values):
    """Doubled midranks of all sizes, zeros ranked and left out."""
    sizes = [abs(one) for one in values]
    ranks = [
        2 * sum(other < one for other in sizes) + sum(other == one for other in sizes) + 1
        for one in sizes
    ]
    kept = [(rank, one) for rank, one in zip(ranks, values, strict=True) if one]
    balance = sum(rank if one > 0 else -rank for rank, one in kept)
    return _share_beyond([rank for rank, _ in kept], balance)


def _right_sign_test(wins, ties, losses):
    n = wins + losses
    below = sum(mp.binomial(n, k) for k in range(min(wins, losses) + 1))
    return min(mp.mpf(1), 2 * below / mp.mpf(2) ** n)


def _right_win_p(wins, ties, losses):
    return 2 * normal_tail(mp.mpf(abs(wins - losses)) / mp.sqrt(wins + losses))


def _right_power(items, effect, alpha):
    """Integrate the normal chance beyond the limit over the spread of the sample."""
    freedom = items - 1
    shift = mp.sqrt(items) * mp.mpf(effect)
    edge = student_quantile(mp.mpf(alpha) / 2, freedom)
    constant = mp.log(2) - (freedom / mp.mpf(2)) * mp.log(2) - mp.loggamma(freedom / mp.mpf(2))

    def inside(chi):
        density = mp.exp(constant + (freedom - 1) * mp.log(chi) - chi * chi / 2)
        reach = edge * chi / mp.sqrt(freedom)
        return density * (normal_tail(reach - shift) + normal_tail(reach + shift))

    with mp.workdps(30):
        middle = mp.sqrt(freedom)
        ends = [max(mp.mpf(0), middle - 12), middle - 2, middle, middle + 2, middle + 12]
        ends = sorted({max(mp.mpf(10) ** -30, end) for end in ends})
        return mp.quad(inside, ends)


def _grade(item, judge):
    return 5 * item % 23 + 7 * judge + 3 * item * judge % 4


def _right_components(items, judges):
    """Expected mean squares of a balanced table."""
    table = [[_grade(i, j) for j in range(judges)] for i in range(items)]
    mean = Fraction(sum(map(sum, table)), items * judges)
    rows = [Fraction(sum(row), judges) for row in table]
    columns = [Fraction(sum(row[j] for row in table), items) for j in range(judges)]
    by_item = judges * sum((one - mean) ** 2 for one in rows) / (items - 1)
    by_judge = items * sum((one - mean) ** 2 for one in columns) / (judges - 1)
    left = sum(
        (table[i][j] - rows[i] - columns[j] + mean) ** 2
        for i in range(items)
        for j in range(judges)
    ) / ((items - 1) * (judges - 1))
    parts = [(by_item - left) / judges, (by_judge - left) / items, left]
    return tuple(exact(part) for part in parts)


def _components(items, judges):
    cells = [(i, j) for i in range(items) for j in range(judges)]
    found = comparison.variance_components(
        [_grade(i, j) for i, j in cells],
        {"item": [i for i, _ in cells], "judge": [j for _, j in cells]},
    )
    return tuple(found.variances[name] for name in ("item", "judge", "rest"))


JUDGED = (
    Judged(
        "mean_interval",
        lambda values: uncertainty.mean_interval(*_squares(values)),
        _right_mean,
        WHOLE,
        13,
    ),
    Judged("skewness", uncertainty.skewness, _right_skewness, WHOLE, 12),
    Judged(
        "estimate_ratio",
        lambda x, w: (lambda f: (f.value, f.error))(uncertainty.estimate_ratio(x, w)),
        _ratio,
        ERRORS,
        9,
    ),
    Judged(
        "ratio_of_sums_interval",
        uncertainty.ratio_of_sums_interval,
        _right_ratio_limits,
        ERRORS,
        13,
    ),
    Judged(
        "mean_of_ratios",
        uncertainty.mean_of_ratios,
        lambda x, w: exact(sum(Fraction(a, b) for a, b in zip(x, w, strict=True)) / len(x)),
        ERRORS,
    ),
    Judged(
        "quantile_interval",
        lambda n, share: uncertainty.quantile_interval(range(1, n + 1), share=share).coverage,
        _right_coverage,
        [(20, 0.5), (120, 0.95), (50, 0.95), (400, 0.25)],
        13,
    ),
    Judged(
        "items_for_quantile",
        uncertainty.items_for_quantile,
        lambda share: mp.ceil(mp.log(mp.mpf(1) / 40) / mp.log(max(mp.mpf(share), 1 - share))),
        [(0.5,), (0.95,), (0.99,), (0.05,)],
        15,
    ),
    Judged(
        "betting_interval",
        lambda values, level: uncertainty.betting_interval(values, bounds=(0, 1), level=level),
        _right_betting,
        BOUNDED,
        12,
    ),
    Judged(
        "empirical_bernstein_interval",
        lambda values, level: uncertainty.empirical_bernstein_interval(
            values, bounds=(0, 1), level=level
        ),
        _right_bernstein,
        BOUNDED,
        12,
    ),
    Judged(
        "maurer_pontil_interval",
        lambda n, mean, variance, level: uncertainty.maurer_pontil_interval(
            n, mean, variance, bounds=(0, 1), level=level
        ),
        _right_maurer,
        [(200, 0.25, 0.01, 0.95), (10**6, 0.5, 0.25, 0.99)],
    ),
    Judged("paired_mean_difference", _pair, _right_pair, WHOLE[:1] + WHOLE[2:], 12),
    Judged("ratio_difference", _ratio_gap, _right_ratio_gap, ERRORS[:2], 12),
    Judged(
        "mapsswe",
        _segments,
        _right_segments,
        [((2, 0, 1, 3, 1), (1, 1, 0, 1, 0)), ((5,) * 40 + (1,), (0,) * 41)],
        12,
    ),
    Judged(
        "win_rate",
        lambda w, t, n: comparison.win_rate(w, t, n).p_value,
        _right_win_p,
        [(18, 27, 15), (900, 5, 100), (3, 0, 3)],
        13,
    ),
    Judged(
        "sign_test",
        lambda w, t, n: comparison.sign_test(w, t, n).p_value,
        _right_sign_test,
        [(18, 27, 15), (900, 5, 100), (7, 5, 0), (3, 0, 3)],
        11,
    ),
    Judged(
        "wilcoxon_test",
        lambda values: comparison.wilcoxon_test(values).p_value,
        _right_ranks,
        SIGNED,
    ),
    Judged(
        "permute_signs",
        lambda values: comparison.permute_signs(values, rng=None).p_value,
        _right_signs,
        SIGNED,
    ),
    Judged("variance_components", _components, _right_components, [(7, 3), (40, 6)], 11),
    Judged(
        "betting_evidence",
        _evidence,
        _right_evidence,
        [(BOUNDED[0][0], 0.5), (BOUNDED[0][0], 0.01), ((1.0,) * 30, 0.75)],
        12,
    ),
    Judged(
        "asymptotic_sequence",
        _sequence,
        _right_sequence,
        [(0.25, 0.0625, 200, 500), (3.0, 0.125, 10**6, 1000), (0.0, 1.0, 50, 50)],
        12,
    ),
    Judged(
        "mean_power",
        lambda n, effect, alpha: planning.mean_power(n, difference=effect, spread=1.0, alpha=alpha),
        _right_power,
        [(10, 0.5, 0.05), (199, 0.2, 0.05), (60, 1.0, 0.01), (5, 0.0, 0.05)],
        9,
    ),
    Judged(
        "difference_spread",
        planning.difference_spread,
        lambda a, b, r: mp.sqrt(mp.mpf(a) ** 2 + mp.mpf(b) ** 2 - 2 * mp.mpf(r) * a * b),
        [(1.0, 1.25, 0.5), (12.0, 12.0, 0.999999), (0.25, 0.0, -1.0)],
    ),
    Judged(
        "ratio_spread",
        planning.ratio_spread,
        lambda x, w: _ratio(x, w)[1] * mp.sqrt(len(x)),
        ERRORS[:2],
        13,
    ),
)
