"""The room of planning: powers, and the numbers of items that reach them."""

from accuracy import chances, needs
from accuracy.arithmetic import mp, quantile
from accuracy.case import Judged
from steelyard import planning as ours
from steelyard.counts import PairTable
from steelyard.planning import PairedRates

__all__ = ["JUDGED"]


def _rates(only_first, only_second):
    return PairedRates(only_first=only_first, only_second=only_second)


def _paired_power(only_first, only_second, n, method, alpha):
    found = ours.paired_power(_rates(only_first, only_second), n, method=method, alpha=alpha)
    return found.power, found.wrong


def _independent_power(first, second, n, alpha):
    found = ours.independent_power(first, second, n, alpha=alpha)
    return found.power, found.wrong


def _sized(found):
    return found.samples, found.reached


def _total(found):
    return found.positives + found.negatives


def _even(found):
    """Both classes get half of the smallest total, rounded up."""
    return 2 * -(-found // 2)


PAIRED = [
    (0.3, 0.1, 40, "mid-p", 0.05), (0.3, 0.1, 40, "exact", 0.05),
    (0.001, 0.0005, 30, "mid-p", 0.05), (0.9, 0.05, 60, "mid-p", 1e-6),
    (0.5, 0.5, 1, "exact", 0.05),
]  # fmt: skip
TWO = [
    (0.9, 0.6, 20, 0.05),
    (0.5, 0.49, 15, 0.05),
    (0.999999, 0.2, 12, 1e-6),
    (0.999, 0.001, 5, 0.05),
]
AREAS = [(0.9, 100, 0.5, 0.05), (0.999999, 10**8, 0.99999, 0.05), (0.51, 50, 0.5, 1e-6)]
WIDTHS = [(0.0, 1, 0.95), (0.5, 10**8, 0.95), (0.9, 123, 0.999999), (1.0, 10**8, 0.95)]
SPLIT = ((0.2, 0.1), (0.3, 0.05))

JUDGED = (
    Judged("paired_power", _paired_power, needs.paired_power, PAIRED, 9),
    Judged(
        "paired_samples",
        lambda p, q, power: _sized(ours.paired_samples(_rates(p, q), power=power)),
        needs.paired_samples,
        [(0.4, 0.1, 0.8), (0.5, 0.05, 0.9)],
        12,
    ),
    Judged(
        "pilot_samples",
        lambda a, b, c, d: _sized(
            ours.pilot_samples(PairTable(both=a, first=b, second=c, neither=d))
        ),
        lambda a, b, c, d: needs.paired_samples(
            mp.mpf(b) / (a + b + c + d), mp.mpf(c) / (a + b + c + d), 0.8
        ),
        [(10, 8, 2, 0)],
        12,
    ),
    Judged(
        "connor_samples",
        lambda p, q, power: ours.connor_samples(_rates(p, q), power=power),
        lambda p, q, power: needs.connor(p, q, power, 0.05),
        [(0.04, 0.02, 0.8), (0.5, 0.01, 0.99), (1e-4, 2e-4, 0.8)],
        15,
    ),
    Judged("independent_power", _independent_power, needs.independent_power, TWO, 12),
    Judged(
        "independent_samples",
        lambda p, q, power: _sized(ours.independent_samples(p, q, power=power)),
        needs.independent_samples,
        [(0.9, 0.4, 0.8)],
        12,
    ),
    Judged(
        "equivalence_power",
        lambda p, q, n, m, a: ours.equivalence_power(p, q, n, margin=m, alpha=a),
        needs.equivalence_power,
        [(0.9, 0.9, 20, 0.3, 0.05)],
        12,
    ),
    Judged(
        "paired_equivalence_power",
        lambda p, q, n, m, a: ours.paired_equivalence_power(_rates(p, q), n, margin=m, alpha=a),
        needs.paired_equivalence_power,
        [(0.05, 0.05, 30, 0.2, 0.05), (0.1, 0.02, 25, 0.3, 0.1)],
        12,
    ),
    Judged(
        "area_variance",
        lambda a, m, n: ours.area_variance(a, positives=m, negatives=n),
        needs.hanley_mcneil,
        [(0.893, 51, 58), (0.999999, 10**8, 10), (0.5, 1, 1)],
        13,
    ),
    Judged(
        "area_power",
        lambda a, n, null, alpha: ours.area_power(a, n, null=null, alpha=alpha),
        needs.area_power,
        AREAS,
        11,
    ),
    Judged(
        "area_samples",
        lambda a, null, power: _total(ours.area_samples(a, null=null, power=power)),
        lambda a, null, power: _even(
            needs.smallest(lambda n: needs.area_power(a, n, null, 0.05) >= mp.mpf(power))
        ),
        [(0.8, 0.5, 0.8), (0.9, 0.89, 0.9)],
        15,
    ),
    Judged(
        "area_difference_power",
        lambda p, q, n, r: ours.area_difference_power(p, q, n, correlation=r),
        lambda p, q, n, r: needs.area_difference_power(p, q, n, r, 0.05),
        [(0.9, 0.8, 200, 0.0), (0.9, 0.89, 5000, 0.7)],
        12,
    ),
    Judged(
        "area_difference_samples",
        lambda p, q, power: _total(ours.area_difference_samples(p, q, power=power)),
        lambda p, q, power: _even(
            needs.smallest(lambda n: needs.area_difference_power(p, q, n, 0, 0.05) >= mp.mpf(power))
        ),
        [(0.9, 0.8, 0.8)],
        15,
    ),
    Judged(
        "area_width",
        lambda a, n, level: ours.area_width(a, n, level=level),
        lambda a, n, level: (
            2 * quantile(level) * mp.sqrt(needs.hanley_mcneil(a, mp.mpf(n) / 2, mp.mpf(n) / 2))
        ),
        [(0.9, 100, 0.95), (0.999, 10**8, 0.999999)],
        12,
    ),
    Judged(
        "area_width_samples",
        lambda a, w: _total(ours.area_width_samples(a, width=w)),
        lambda a, w: _even(
            needs.smallest(
                lambda n: (
                    2
                    * quantile(0.95)
                    * mp.sqrt(needs.hanley_mcneil(a, mp.mpf(n) / 2, mp.mpf(n) / 2))
                    <= mp.mpf(w)
                )
            )
        ),
        [(0.9, 0.1), (0.7, 0.01)],
        15,
    ),
    Judged(
        "scaled_area_power",
        lambda d, v, n, t: ours.scaled_area_power(d, v, n, tested=t),
        lambda d, v, n, t: needs.won(mp.mpf(d), *[mp.sqrt(mp.mpf(v) * t / n)] * 2, 0.05),
        [(0.05, 0.0009, 566, 200), (0.001, 1e-6, 10**8, 10)],
        12,
    ),
    Judged(
        "scaled_area_samples",
        lambda d, v, t: ours.scaled_area_samples(d, v, tested=t),
        lambda d, v, t: mp.ceil(
            t * mp.mpf(v) * ((quantile(0.95) + quantile(2 * mp.mpf(0.8) - 1)) / mp.mpf(d)) ** 2
        ),
        [(0.05, 0.0009, 200), (0.001, 1e-6, 10**8)],
        15,
    ),
    Judged(
        "kappa_variance",
        lambda k, p: ours.kappa_variance(k, prevalence=p),
        needs.kappa_variance,
        [(0.7, 0.5), (0.0, 1e-6), (0.999999, 0.3)],
        13,
    ),
    Judged(
        "kappa_power",
        lambda k, n, null, p: ours.kappa_power(k, n, null=null, prevalence=p),
        needs.kappa_power,
        [(0.7, 100, 0.5, 0.5), (0.6, 10**4, 0.59, 0.01), (0.8, 50, 0.2, 0.3)],
        12,
    ),
    Judged(
        "kappa_samples",
        lambda k, null, p: ours.kappa_samples(k, null=null, prevalence=p),
        lambda k, null, p: mp.ceil(
            (quantile(0.95) + quantile(2 * mp.mpf(0.8) - 1)) ** 2
            / needs.kappa_noncentrality(k, null, p)
        ),
        [(0.7, 0.5, 0.5), (0.6, 0.59, 0.01)],
        15,
    ),
    Judged(
        "kappa_width",
        lambda k, n, p: ours.kappa_width(k, n, prevalence=p),
        lambda k, n, p: 2 * quantile(0.95) * mp.sqrt(needs.kappa_variance(k, p) / n),
        [(0.7, 196, 0.5), (0.9, 10**8, 0.01)],
        13,
    ),
    Judged(
        "kappa_width_samples",
        lambda k, w: ours.kappa_width_samples(k, width=w),
        lambda k, w: mp.ceil(
            4 * quantile(0.95) ** 2 * needs.kappa_variance(k, 0.5) / mp.mpf(w) ** 2
        ),
        [(0.7, 0.2), (0.9, 0.001)],
        15,
    ),
    Judged(
        "wilson_width",
        lambda rate, n, level: ours.wilson_width(rate, n, level=level),
        needs.wilson_width,
        WIDTHS,
        15,
    ),
    Judged(
        "width_samples",
        lambda rate, width, level: ours.width_samples(rate, width=width, level=level).exact,
        needs.width_samples,
        [(0.9, 0.04, 0.95), (1e-6, 0.001, 0.999999), (0.5, 0.002, 0.95)],
        12,
    ),
    Judged(
        "width_assurance",
        lambda rate, n, width: ours.width_assurance(rate, n, width=width),
        lambda rate, n, width: needs.width_assurance(rate, n, width, 0.95),
        [(0.9, 200, 0.1), (0.5, 97, 0.2)],
        12,
    ),
    Judged(
        "paired_width_samples",
        lambda p, q, width: ours.paired_width_samples(_rates(p, q), width=width).samples,
        # The last number in a long stretch whose interval is too wide, and one more.
        lambda p, q, width: (
            1 + max(n for n in range(20, 150) if needs.tango_width(p, q, n, 0.95) > mp.mpf(width))
        ),
        [(0.2, 0.1, 0.25)],
        15,
    ),
    Judged(
        "design_effect",
        lambda m, r, v: ours.design_effect(m, correlation=r, variation=v),
        lambda m, r, v: 1 + ((1 + mp.mpf(v) ** 2) * mp.mpf(m) - 1) * mp.mpf(r),
        [(20, 0.25, 0.0), (1e8, 1e-9, 0.5), (1, 1.0, 0.0)],
    ),
    Judged(
        "clustered_samples",
        lambda n, m, r: ours.clustered_samples(n, cluster_size=m, correlation=r).clusters,
        lambda n, m, r: mp.ceil(n * (1 + (m - 1) * mp.mpf(r)) / m),
        [(1000, 20, 0.25), (7, 3, 0.1)],
        15,
    ),
    Judged(
        "repeated_samples",
        lambda n, k, r: ours.repeated_samples(n, trials=k, correlation=r).items,
        lambda n, k, r: mp.ceil(n * (mp.mpf(r) + (1 - mp.mpf(r)) / k)),
        [(1000, 5, 0.5), (7, 3, 0.125)],
        15,
    ),
    Judged(
        "discordance_range",
        lambda p, q: (lambda d: (d.low, d.unrelated, d.high))(ours.discordance_range(p, q)),
        lambda p, q: (
            abs(mp.mpf(p) - mp.mpf(q)),
            mp.mpf(p) * (1 - mp.mpf(q)) + mp.mpf(q) * (1 - mp.mpf(p)),
            min(mp.mpf(p) + mp.mpf(q), 2 - mp.mpf(p) - mp.mpf(q)),
        ),
        [(0.9, 0.88), (1e-6, 0.999999), (1e-9, 0.5)],
        13,
    ),
    Judged(
        "paired_rates",
        lambda p, q, d: (lambda r: (r.only_first, r.only_second))(
            ours.paired_rates(p, q, discordance=d)
        ),
        lambda p, q, d: (
            (mp.mpf(d) + mp.mpf(p) - mp.mpf(q)) / 2,
            (mp.mpf(d) - mp.mpf(p) + mp.mpf(q)) / 2,
        ),
        [(0.9, 0.88, 0.06), (0.5, 0.5, 1e-9)],
        13,
    ),
    Judged(
        "selection_probability",
        lambda n, k, delta: ours.selection_probability(n, k, delta=delta),
        chances.least_favourable,
        [(10, 2, 0.1), (20, 3, 0.2)],
        12,
    ),
    Judged(
        "selection_samples",
        lambda k, delta, c: _sized(ours.selection_samples(k, delta=delta, confidence=c)),
        lambda k, delta, c: (lambda n: (n, chances.least_favourable(n, k, delta)))(
            next(n for n in range(1, 99) if chances.least_favourable(n, k, delta) >= mp.mpf(c))
        ),
        [(2, 0.4, 0.9), (3, 0.5, 0.95)],
        12,
    ),
    Judged(
        "posterior_confidence",
        lambda p, q, n: ours.posterior_confidence([p, q], n),
        needs.best_of_two,
        [(0.9, 0.8, 50), (0.5, 0.49, 1000), (0.95, 0.9, 12.5)],
        12,
    ),
    Judged(
        "paired_confidence",
        lambda pairs, n: ours.paired_confidence([_rates(*one) for one in pairs], n),
        lambda pairs, n: 1 - needs.paired_miss(pairs, n),
        [(SPLIT[:1], 50), (SPLIT, 100.5)],
        12,
    ),
    Judged(
        "paired_posterior_samples",
        lambda pairs, c: ours.paired_posterior_samples([_rates(*one) for one in pairs], c).exact,
        needs.paired_posterior_samples,
        [(SPLIT[:1], 0.95), (SPLIT, 0.999)],
        11,
    ),
    Judged(
        "akaike_difference",
        lambda p, q, n, design: ours.akaike_difference(p, q, n, design=design),
        lambda p, q, n, design: n * needs.akaike_gain(p, q, design) - 2,
        [
            (0.95, 0.97, 200, "independent"),
            (0.95, 0.97, 200, "complete"),
            (0.5, 0.5003, 10**8, "independent"),
            (0.5, 0.5003, 10**8, "complete"),
        ],
        12,
    ),
    Judged(
        "akaike_samples",
        lambda p, q, design: (lambda a: (a.different, a.same_up_to))(
            ours.akaike_samples(p, q, design=design)
        ),
        lambda p, q, design: (
            mp.floor(3 / needs.akaike_gain(p, q, design)) + 1,
            mp.ceil(1 / needs.akaike_gain(p, q, design)) - 1,
        ),
        [(0.95, 0.97, "independent"), (0.95, 0.97, "complete"), (0.5, 0.501, "complete")],
        15,
    ),
    Judged(
        "pair_alphas",
        lambda rates, alpha: tuple(
            share for _, share in sorted(ours.pair_alphas(rates, alpha=alpha).items())
        ),
        # Of three systems with falling gaps: the outer pair first (3), then 1 and 1 may be equal.
        lambda rates, alpha: (mp.mpf(alpha), mp.mpf(alpha) / 3, mp.mpf(alpha)),
        [((0.9, 0.8, 0.6), 0.05)],
        15,
    ),
    Judged(
        "more_areas_until_best",
        lambda d, v, n: ours.more_areas_until_best([(d, v)], tested=n).total,
        lambda d, v, n: mp.ceil(mp.mpf(v) * n * (quantile(2 * mp.mpf(0.95) - 1) / mp.mpf(d)) ** 2),
        [(0.02, 0.0004, 300), (0.001, 1e-5, 1000)],
        15,
    ),
    Judged(
        "akaike_power",
        lambda p, q, n: ours.akaike_power(p, q, n, both=p * q),
        lambda p, q, n: needs.named_power(
            mp.mpf(p) - mp.mpf(p * q), mp.mpf(q) - mp.mpf(p * q), n, needs.akaike_names
        )[0],
        [(0.75, 0.5, 40), (0.875, 0.8125, 25)],
        12,
    ),
    Judged(
        "paired_assurance",
        lambda p, q, n, c: (lambda a: (a.right, a.wrong))(
            ours.paired_assurance([_rates(p, q)], n, confidence=c)
        ),
        lambda p, q, n, c: needs.named_power(p, q, n, needs.posterior_names(c)),
        [(0.3, 0.1, 30, 0.95), (0.2, 0.15, 25, 0.99)],
        11,
    ),
    Judged(
        "stopping_properties",
        lambda p, q, cap, alpha: (lambda s: (s.right, s.wrong, s.open, s.expected))(
            ours.stopping_properties(
                ours.StoppingRule(rule="e-process", alpha=alpha), _rates(p, q), cap=cap
            )
        ),
        needs.stopped,
        [(0.4, 0.1, 40, 0.05), (0.1, 0.1, 60, 0.2)],
        11,
    ),
    Judged(
        "posterior_samples",
        lambda p, q, c: ours.posterior_samples([p, q], c).exact,
        needs.posterior_samples,
        [(0.75, 0.5, 0.95)],
        11,
    ),
)
