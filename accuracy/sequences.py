"""Evidence, Wald's tests and planned looks in 70 digits, from their definitions."""

from fractions import Fraction

import mpmath as mp

from accuracy.arithmetic import beta_cdf, beta_tail, normal_tail, quantile, root

__all__ = ["akaike", "log_evidence"]


def log_evidence(b, c, prior):
    """Logarithms of the e-values of the beta mixture against one half: both sides, either one."""
    a, half = mp.mpf(prior), mp.mpf(1) / 2
    both = mp.log(mp.beta(b + a, c + a) / mp.beta(a, a)) + (b + c) * mp.log(2)
    if b == c:
        return both, both, both
    return (
        both,
        both + mp.log(2 * beta_tail(b + a, c + a, half)),
        both + mp.log(2 * beta_cdf(b + a, c + a, half)),
    )


def win_sequence(w, lost, alpha):
    """Chances against which the uniform mixture has not gained 1/alpha."""
    top = mp.log(mp.beta(1 + w, 1 + lost)) + mp.log(mp.mpf(alpha))

    def excess(q):
        return top - (w * mp.log(q) if w else 0) - (lost * mp.log1p(-q) if lost else 0)

    peak = mp.mpf(w) / (w + lost)
    ends = []
    for end, there in ((mp.mpf(0), w), (mp.mpf(1), lost)):
        if not there:
            ends.append(end)
            continue
        near, far = peak, end
        for _ in range(230):
            middle = (near + far) / 2
            near, far = (middle, far) if excess(middle) < 0 else (near, middle)
        ends.append(near)
    return tuple(ends)


def closed_by_averaging(values):
    """Least mean over all subsets that hold the value."""
    exact = [mp.mpf(one) for one in values]
    found = []
    for place, one in enumerate(exact):
        others = exact[:place] + exact[place + 1 :]
        means = []
        for mask in range(2 ** len(others)):
            some = [one, *(v for k, v in enumerate(others) if mask >> k & 1)]
            means.append(sum(some) / len(some))
        found.append(min(means))
    return tuple(found)


def benchmark_sequence(right, tested, items, alpha):
    """Totals against which the uniform mixture has not gained 1/alpha, each as whole numbers."""

    def ways(k, n, a, b):
        return mp.binomial(n, k) * mp.beta(k + a, n - k + b) / mp.beta(a, b)

    kept = [
        total
        for total in range(right, items - tested + right + 1)
        if ways(total, items, 1, 1)
        < ways(total - right, items - tested, 1 + right, 1 + tested - right) / mp.mpf(alpha)
    ]
    return mp.mpf(min(kept)) / items, mp.mpf(max(kept)) / items


def betting_sequence(values, alpha):
    """Ends of the means that neither gambler has refuted, by halving."""
    x, alpha = [mp.mpf(v) for v in values], mp.mpf(alpha)
    bets, total, squares, before = [], mp.mpf(0), mp.mpf(0), mp.mpf(1) / 4
    for i, one in enumerate(x, start=1):
        bets.append(mp.sqrt(2 * mp.log(2 / alpha) / (before * i * mp.log(1 + i))))
        total += one
        mean = (mp.mpf(1) / 2 + total) / (i + 1)
        squares += (one - mean) ** 2
        before = (mp.mpf(1) / 4 + squares) / (i + 1)

    def excess(m, side):
        held = mp.mpf(0)
        for one, bet in zip(x, bets, strict=True):
            room = m if side > 0 else 1 - m
            held += mp.log1p(side * min(bet, 1 / (2 * room) if room else bet) * (one - m))
        return held - mp.log(2 / alpha)

    ends = []
    for side, (out, inside) in ((1, (mp.mpf(0), mp.mpf(1))), (-1, (mp.mpf(1), mp.mpf(0)))):
        if excess(out, side) < 0:
            ends.append(out)
            continue
        for _ in range(120):
            middle = (out + inside) / 2
            out, inside = (middle, inside) if excess(middle, side) >= 0 else (out, middle)
        ends.append(out)
    return tuple(ends)


def log_likelihood(x, n):
    """Of x right out of n at the most likely rate."""
    return sum(k * mp.log(mp.mpf(k) / n) for k in (x, n - x) if k)


def akaike(x, m, y, n):
    """AIC of one rate less AIC of two, independent test sets."""
    one = log_likelihood(x + y, m + n)
    return 2 * (log_likelihood(x, m) + log_likelihood(y, n) - one) - 2


def akaike_common(both, b, c, neither):
    """The same on common items, from all four cells."""
    n = both + b + c + neither
    shared = sum(k * mp.log(mp.mpf(k) / n) for k in (both, neither) if k)
    one = shared + ((b + c) * mp.log(mp.mpf(b + c) / (2 * n)) if b + c else 0)
    two = shared + sum(k * mp.log(mp.mpf(k) / n) for k in (b, c) if k)
    return 2 * (two - one) - 2


def akaike_incomplete(m, t, n):
    """Overlap unknown: both likelihoods are sums over it, maximised by a scan and by thirds."""
    low, high = max(0, m + t - n), min(m, t)
    ways = {
        k: mp.factorial(n)
        / (
            mp.factorial(m - k)
            * mp.factorial(t - k)
            * mp.factorial(k)
            * mp.factorial(n - m - t + k)
        )
        for k in range(low, high + 1)
    }

    def likelihood(p1, p2, p3, p4):
        return sum(
            w * p1 ** (m - k) * p2 ** (t - k) * p3**k * p4 ** (n - m - t + k)
            for k, w in ways.items()
        )

    half = mp.mpf(m + t) / 2

    def equal(c):
        return likelihood(c / n, c / n, (half - c) / n, (n - half - c) / n)

    def free(c):
        return likelihood((m - c) / n, (t - c) / n, c / n, (n - m - t + c) / n)

    same = highest(equal, mp.mpf(0), min(half, n - half))
    different = highest(free, mp.mpf(low), mp.mpf(high))
    return 2 * mp.log(different / same) - 2


def highest(function, low, high, points=400):
    """Largest value: every top of a scan, narrowed by thirds."""
    grid = [low + (high - low) * (1 - mp.cos(mp.pi * k / points)) / 2 for k in range(points + 1)]
    values = [function(one) for one in grid]
    best = max(values)
    for k, value in enumerate(values):
        if value < max(values[max(k - 1, 0)], values[min(k + 1, points)]):
            continue
        left, right = grid[max(k - 1, 0)], grid[min(k + 1, points)]
        for _ in range(90):
            one, two = left + (right - left) / 3, right - (right - left) / 3
            left, right = (one, right) if function(one) < function(two) else (left, two)
        best = max(best, function((left + right) / 2))
    return best


def tier_weights(samples):
    """Akaike weights of all groupings of three samples, from all of them together to all apart."""
    groupings = [((0, 1, 2),), ((0, 1), (2,)), ((0, 2), (1,)), ((1, 2), (0,)), ((0,), (1,), (2,))]
    costs = []
    for grouping in groupings:
        logs = sum(
            log_likelihood(sum(samples[k][0] for k in g), sum(samples[k][1] for k in g))
            for g in grouping
        )
        costs.append(-2 * logs + 2 * len(grouping))
    least = min(costs)
    parts = [mp.exp((least - cost) / 2) for cost in costs]
    return tuple(sorted((one / sum(parts) for one in parts), reverse=True))


def wald_lines(null, alternative, alpha, beta):
    """Intercepts and slope of Wald's lines."""
    u0, u1, alpha, beta = (mp.mpf(one) for one in (null, alternative, alpha, beta))
    step = mp.log(u1 / u0)
    return (
        mp.log(beta / (1 - alpha)) / step,
        mp.log((1 - beta) / alpha) / step,
        mp.log((1 + u1) / (1 + u0)) / step,
    )


def wald_approximate(null, alternative, win, alpha=0.05, beta=0.1):
    """Wald's chances and expected length, the exponent solved for."""
    low, high, slope = wald_lines(null, alternative, alpha, beta)
    step, q = mp.log(mp.mpf(alternative) / mp.mpf(null)), mp.mpf(win)
    gain, loss, low, high = (1 - slope) * step, -slope * step, low * step, high * step
    drift = q * gain + (1 - q) * loss
    peak = mp.log((1 - q) * -loss / (q * gain)) / (gain - loss)
    far = 2 * peak

    def excess(h):
        return q * mp.expm1(h * gain) + (1 - q) * mp.expm1(h * loss)

    while excess(far) < 0:
        far *= 2
    for _ in range(300):
        middle = (peak + far) / 2
        peak, far = (middle, far) if excess(middle) < 0 else (peak, middle)
    h = peak
    keep = (mp.exp(h * high) - 1) / (mp.exp(h * high) - mp.exp(h * low))
    return keep, 1 - keep, (keep * low + (1 - keep) * high) / drift


def wald_walk(null, alternative, win, cap, alpha=0.05, beta=0.1):
    """Chances of both ends and the expected number of pairs, path by path, up to a cap."""
    low, high, slope = wald_lines(null, alternative, alpha, beta)
    q, paths = mp.mpf(win), {0: mp.mpf(1)}
    keep = take = expected = mp.mpf(0)
    for pairs in range(1, cap + 1):
        expected += sum(paths.values())
        moved = {}
        for wins, mass in paths.items():
            for now, chance in ((wins + 1, q), (wins, 1 - q)):
                if now <= low + slope * pairs:
                    keep += mass * chance
                elif now >= high + slope * pairs:
                    take += mass * chance
                else:
                    moved[now] = moved.get(now, 0) + mass * chance
        paths = moved
    return keep, take, expected


def lead_properties(lead, win):
    """Gambler's ruin between two ends ``lead`` away."""
    q = mp.mpf(win)
    if win == 0.5:
        return mp.mpf(1) / 2, mp.mpf(1) / 2, mp.mpf(lead) ** 2
    power = (q / (1 - q)) ** lead
    take = power / (1 + power)
    return 1 / (1 + power), take, lead * (power - 1) / (power + 1) / (2 * q - 1)


def double_walk(win, cap, stated=0.65, alpha=0.05, beta=0.1):
    """Three verdicts and the expected number of pairs of the double test, path by path."""
    p, alpha, beta = mp.mpf(stated), mp.mpf(alpha) / 2, mp.mpf(beta)
    gain, loss = mp.log(2 * p), mp.log(2 * (1 - p))
    take, keep = mp.log((1 - beta) / alpha), mp.log(beta / (1 - alpha))
    paths, ended, expected = {(0, False, False): mp.mpf(1)}, [mp.mpf(0)] * 3, mp.mpf(0)
    q = mp.mpf(win)
    for pairs in range(1, cap + 1):
        expected += sum(paths.values())
        moved = {}
        for (wins, no_first, no_second), mass in paths.items():
            for now, chance in ((wins + 1, q), (wins, 1 - q)):
                one = now * gain + (pairs - now) * loss
                two = (pairs - now) * gain + now * loss
                out = (no_first or one <= keep, no_second or two <= keep)
                if not no_first and one >= take:
                    ended[0] += mass * chance
                elif not no_second and two >= take:
                    ended[1] += mass * chance
                elif all(out):
                    ended[2] += mass * chance
                else:
                    moved[now, *out] = moved.get((now, *out), 0) + mass * chance
        paths = moved
    return (*ended, expected)


def spent(kind, share, alpha):
    """Error that may have been used at a share of the information, one side."""
    t, alpha = mp.mpf(share), mp.mpf(alpha)
    if kind == "pocock":
        return alpha * mp.log(1 + (mp.e - 1) * t)
    return 2 * normal_tail(quantile(1 - alpha) / mp.sqrt(t))


def two_looks(kind, alpha, share):
    """One-sided bounds of two looks, at a share and at the end: one integral over the first."""
    with mp.workdps(40):
        first = quantile(1 - 2 * spent(kind, share, alpha))
        left = spent(kind, 1, alpha) - spent(kind, share, alpha)
        t = mp.mpf(share)
        rho, rest = mp.sqrt(t), mp.sqrt(1 - t)
        # Over the first statistic z below its bound, by Gauss-Legendre in panels of one half.
        ends = [first - mp.mpf(k) / 2 for k in range(48, -1, -1)]

        def beyond(c):
            return mp.quad(
                lambda z: mp.npdf(z) * normal_tail((c - rho * z) / rest),
                ends,
                method="gauss-legendre",
            )

        second = root(lambda c: mp.log(beyond(c) / left), mp.mpf(1) / 2, mp.mpf(6))
    return first, second


def odds(first, second):
    """Odds ratio of two rates, the doubles that were given."""
    p, q = mp.mpf(first), mp.mpf(second)
    return q * (1 - p) / (p * (1 - q))


def discordance_ratio(first, second, discordance):
    """Ratio of the two kinds of discordance."""
    p, q, d = mp.mpf(first), mp.mpf(second), mp.mpf(discordance)
    return (d + q - p) / (d - q + p)


def lead_of(smallest, alpha):
    """Least lead whose chance of an error is at most alpha, and that chance."""
    u, lead = Fraction(smallest), 1
    while 1 / (1 + u**lead) > Fraction(alpha):
        lead += 1
    error = 1 / (1 + u**lead)
    return lead, mp.mpf(error.numerator) / error.denominator
