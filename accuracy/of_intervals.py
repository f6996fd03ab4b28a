"""The room of uncertainty: every interval, variance and adjustment for many questions."""

from math import inf

from accuracy import limits
from accuracy.arithmetic import mp, quantile
from accuracy.case import Judged
from accuracy.grids import DISCORDANT, LEVELS, PAIRS, SAMPLES, SCORES, SHARES
from steelyard import uncertainty as ours
from steelyard.counts import Grouped, JointScores, ScoreTable
from steelyard.uncertainty.domain import normal_quantile
from steelyard.uncertainty.folded import fold_sum_bound

__all__ = ["JUDGED"]

P_VALUES = (
    ((0.01, 0.04, 0.03, 0.5, 0.2, 1.0),),
    ((1e-300, 1e-12, 0.3, 1e-200, 0.049, 0.051),),
)
PLACED = [
    (((3, 1), (5, 6), (7, 2), (9, 9)), ((1, 2), (2, 0), (4, 5), (8, 3))),
    (
        tuple(((7 * i) % 101, (5 * i) % 97) for i in range(40)),
        tuple(((11 * i) % 83, (3 * i) % 89) for i in range(50)),
    ),
]
CLUSTERED = [
    ((9, 5, 10, 7), (10, 10, 10, 10), 0.95),
    ((1, 0), (1, 10**8), 0.95),
    (tuple(range(40, 90)), tuple(range(100, 150)), 0.999999),
    ((10**8 - 3, 10**8 - 50, 10**8 - 9), (10**8,) * 3, 0.95),
]
RATIOS = [
    ((8, 3, 2, 7), (1, 0, 1, 2), (1, 1, 2, 3), 0.95),
    ((80, 0, 2, 10**6), (1, 0, 1, 2), (1, 1, 2, 3), 0.999999),
    ((1, 0, 0), (0, 1, 2), (1, 1, 1), 0.95),
]


def _share(name):
    interval = getattr(ours, name)
    return lambda x, n, level: interval(x, n, level=level)


def _two(name):
    interval = getattr(ours, name)
    return lambda x, m, y, n, level: _open(interval((x, m), (y, n), level=level))


def _paired(name):
    interval = getattr(ours, name)
    return lambda a, b, c, d, level: _open(interval(a, b, c, d, level=level))


def _open(ends):
    """Say infinity where there is no upper limit."""
    return tuple(inf if end is None else end for end in ends)


def _table(positives, negatives):
    return ScoreTable.from_scores(
        list(map(float, positives)), list(map(float, negatives)), positive="1"
    )


def _joint(positives, negatives):
    every = [*positives, *negatives]
    truth = [1] * len(positives) + [0] * len(negatives)
    scores = {name: [float(one[k]) for one in every] for k, name in enumerate("AB")}
    areas, covariance = ours.delong_covariance(JointScores.from_arrays(truth, scores))
    return (*areas.tolist(), *(float(covariance[i, j]) for i, j in ((0, 0), (0, 1), (1, 1))))


def _band(positives, negatives, level, at):
    band = ours.roc_band(_table(positives, negatives), level=level)
    place = round(at * (band.low.size - 1))
    return float(band.low[place]), float(band.high[place])


def _clustered_area(positives, negatives):
    """Every item a cluster of its own but for the first two of each class, which share one."""
    parts = {"0": ScoreTable.from_scores(positives[:2], negatives[:2], positive="1")}
    for k, one in enumerate(positives[2:]):
        parts[f"p{k}"] = ScoreTable.from_scores([one], [], positive="1")
    for k, one in enumerate(negatives[2:]):
        parts[f"n{k}"] = ScoreTable.from_scores([], [one], positive="1")
    return ours.clustered_auc_variance(Grouped.from_parts("c", parts))


def _contrast(wins, losses, sizes, value):
    found = ours.cluster_contrast(wins, losses, sizes)
    return found.difference, found.p_value, found.tail(value)


JUDGED = (
    Judged(
        "normal_quantile",
        normal_quantile,
        quantile,
        [(level,) for level in (1e-300, 1e-12, 0.5, 0.95, 0.999999, 1 - 1e-12, 1 - 2**-53)],
        15,
    ),
    Judged("wilson_interval", _share("wilson_interval"), limits.wilson, SHARES, 15),
    Judged(
        "wilson_interval_effective",
        lambda p, n, level: ours.wilson_interval_effective(p, n, level=level),
        limits.wilson_effective,
        [(p, n, v) for p in (0.0, 0.1, 0.75, 1.0) for n in (0.5, 7.3, 1e8) for v in LEVELS],
        14,
    ),
    Judged(
        "agresti_coull_interval", _share("agresti_coull_interval"), limits.agresti_coull, SHARES
    ),
    Judged(
        "clopper_pearson_interval",
        _share("clopper_pearson_interval"),
        limits.clopper_pearson,
        SHARES,
        12,
    ),
    Judged("jeffreys_interval", _share("jeffreys_interval"), limits.jeffreys, SHARES),
    Judged("midp_interval", _share("midp_interval"), limits.midp, SHARES, 12),
    Judged("wald_interval", _share("wald_interval"), limits.wald, SHARES, 12),
    Judged("newcombe_interval", _two("newcombe_interval"), limits.newcombe, SAMPLES, 12),
    Judged("mee_interval", _two("mee_interval"), limits.mee, SAMPLES, 13),
    Judged(
        "miettinen_nurminen_interval",
        _two("miettinen_nurminen_interval"),
        limits.miettinen_nurminen,
        SAMPLES,
        13,
    ),
    Judged("agresti_caffo_interval", _two("agresti_caffo_interval"), limits.agresti_caffo, SAMPLES),
    Judged(
        "wald_difference_interval",
        _two("wald_difference_interval"),
        limits.wald_difference,
        SAMPLES,
    ),
    Judged("tango_interval", _paired("tango_interval"), limits.tango, PAIRS),
    Judged(
        "guarded_paired_interval",
        _paired("guarded_paired_interval"),
        limits.guarded_paired,
        [(30, 9, 3, 8, 0.95), (860, 30, 22, 88, 0.9), (5, 2, 1, 0, 0.99)],
        14,
    ),
    Judged(
        "guarded_tail",
        lambda b, c, rest, at: ours.guarded_tail(b, c, rest, at=at),
        limits.guarded_tail,
        [(9, 3, 38, 0.0), (9, 3, 38, 0.125), (30, 22, 948, -0.03125), (1, 0, 20, 0.0625)],
        10,
    ),
    Judged(
        "newcombe_paired_interval",
        _paired("newcombe_paired_interval"),
        limits.newcombe_paired,
        PAIRS,
    ),
    Judged("bonett_price_interval", _paired("bonett_price_interval"), limits.bonett_price, PAIRS),
    Judged("paired_wald_interval", _paired("paired_wald_interval"), limits.paired_wald, PAIRS),
    Judged("ratio_interval", _two("ratio_interval"), limits.ratio, SAMPLES),
    Judged(
        "odds_ratio_score_interval",
        _two("odds_ratio_score_interval"),
        limits.odds_ratio_score,
        SAMPLES,
    ),
    Judged("share_ratio_interval", _two("share_ratio_interval"), limits.katz, SAMPLES),
    Judged(
        "odds_ratio_interval",
        lambda a, b, c, d, level: _open(ours.odds_ratio_interval((a, b, c, d), level=level)),
        limits.woolf,
        PAIRS,
    ),
    Judged("paired_ratio_interval", _paired("paired_ratio_interval"), limits.paired_ratio, PAIRS),
    Judged(
        "discordant_odds_interval",
        lambda b, c, level: _open(ours.discordant_odds_interval(b, c, level=level)),
        limits.discordant_odds,
        [(b, c, 0.95) for b, c in (*DISCORDANT[1:], (1, 10**8), (10**8, 1))],
        12,
    ),
    Judged(
        "ratio_score_interval",
        lambda n, u, v, level: ours.ratio_score_interval(n, u, v, level=level),
        limits.ratio_score,
        RATIOS,
    ),
    Judged(
        "finite_rate_interval",
        lambda x, n, size, level: ours.finite_rate_interval(x, n, size, level=level),
        limits.finite_rate,
        [
            (80, 100, 200, 0.95),
            (0, 10, 1000, 0.95),
            (10, 10, 11, 0.999999),
            (500, 1000, 20_000, 0.95),
        ],
        15,
    ),
    Judged(
        "finite_correction",
        ours.finite_correction,
        limits.finite_correction,
        [(75, 100), (1, 10**8), (10**8 - 1, 10**8), (5, 5)],
    ),
    Judged(
        "logit_interval",
        lambda v, e, level: ours.logit_interval(v, e, level=level),
        limits.logit_limits,
        [(0.8, 0.126, 0.95), (1e-12, 1e-13, 0.95), (0.999999, 1e-6, 0.999999), (0.5, 5.0, 0.95)],
        13,
    ),
    Judged(
        "fisher_interval",
        lambda v, e, level: ours.fisher_interval(v, e, level=level),
        limits.fisher_limits,
        [(0.7, 0.1, 0.95), (-0.999999, 1e-6, 0.999999), (0.0, 0.3, 0.95), (1e-9, 1e-5, 0.95)],
        13,
    ),
    Judged(
        "mover_interval",
        ours.mover_interval,
        limits.mover,
        [
            (((0.8, 0.49, 0.943), (0.6, 0.313, 0.832)), (1, -1)),
            (((0.5, 0.0, 1.0),) * 5, (0.2,) * 5),
        ],
    ),
    Judged(
        "delta_variance",
        lambda n, g, e: ours.delta_variance(n, g, effective=e),
        limits.delta,
        [((8, 2), (1, 0), 10), ((10**8 - 1, 1), (0.25, 0.75), 10**8), ((3, 4, 5), (7, 7, 7), 12)],
    ),
    Judged(
        "cluster_variance",
        lambda totals: ours.cluster_variance(totals),
        limits.cluster_variance,
        [((1.0, -1.0, 0.5, -0.5),), (tuple(1e8 + k for k in range(9)),), ((0.0, 1e-150),)],
    ),
    Judged(
        "cluster_robust_interval",
        lambda y, m, level: ours.cluster_robust_interval(y, m, level=level),
        limits.cluster_robust,
        CLUSTERED,
        11,
    ),
    Judged(
        "cluster_share_interval",
        lambda y, m, level: ours.cluster_share_interval(y, m, level=level),
        limits.clustered_share,
        [case for case in CLUSTERED if case[0] != (1, 0)],
        9,
    ),
    Judged(
        "jackknife_variance",
        lambda y, m, level: ours.jackknife_variance(y, m),
        lambda y, m, level: limits.left_out(
            [(a - mp.mpf(sum(y)) / sum(m) * n) / sum(m) for a, n in zip(y, m, strict=True)], m
        ),
        CLUSTERED,
        9,
    ),
    Judged(
        "cluster_freedom",
        lambda sizes: ours.cluster_freedom(sizes),
        limits.left_out_freedom,
        [((20,) * 6,), ((100, 5, 5, 5, 5, 5),), ((10**6, 1, 1, 1),), (tuple(range(1, 40)),)],
        9,
    ),
    Judged(
        "cluster_contrast",
        _contrast,
        limits.clustered_contrast,
        [
            ((6, 5, 7, 5, 6), (1, 0, 1, 0, 1), (20,) * 5, 0.0),
            ((6, 5, 7, 5, 6, 0), (1, 0, 1, 0, 1, 3), (20, 15, 30, 12, 20, 25), 0.3),
            ((1, 0, 0, 0, 0, 0, 0), (0,) * 7, (10,) * 7, -0.1),
        ],
        11,
    ),
    Judged(
        "percentile_interval",
        lambda values, level: ours.percentile_interval(values, level=level),
        limits.percentile,
        [(tuple(k / 7 for k in range(100)), 0.95), ((1.0, 1e8), 0.999999)],
    ),
    Judged(
        "newcombe_area_interval",
        lambda a, m, n, level: ours.newcombe_area_interval(
            a, positives=m, negatives=n, level=level
        ),
        limits.newcombe_area,
        [
            (a, m, n, level)
            for a in (0.0, 0.5, 0.84, 0.999999, 1.0)
            for m, n in ((1, 1), (5, 5), (30, 10**6), (10**8, 10**8))
            for level in LEVELS
        ],
        12,
    ),
    Judged(
        "auc_interval",
        lambda a, v, level: ours.auc_interval(a, v, positives=5, negatives=5, level=level).limits,
        lambda a, v, level: limits.logit_limits(a, mp.sqrt(mp.mpf(v)), level),
        [(0.84, 0.01925, 0.95), (0.999999, 1e-12, 0.95), (0.5, 1e-9, 0.999999)],
        13,
    ),
    Judged(
        "delong_variance", lambda p, n: ours.delong_variance(_table(p, n)), limits.delong, SCORES
    ),
    Judged("delong_covariance", _joint, limits.delong_pair, PLACED),
    Judged(
        "clustered_auc_variance",
        _clustered_area,
        limits.clustered_delong,
        [one for one in SCORES if len(set(one[0])) > 1],
    ),
    Judged(
        "roc_band",
        _band,
        limits.kolmogorov_band,
        [(tuple(range(50, 150)), tuple(range(100)), 0.95, at) for at in (0.0, 0.25, 0.5, 1.0)],
    ),
    Judged(
        "bonferroni",
        ours.bonferroni,
        lambda p: tuple(min(mp.mpf(1), len(p) * mp.mpf(one)) for one in p),
        P_VALUES,
        15,
    ),
    Judged("holm", ours.holm, lambda p: limits.step_down(p, range(len(p), 0, -1)), P_VALUES, 15),
    Judged("benjamini_hochberg", ours.benjamini_hochberg, limits.benjamini_hochberg, P_VALUES, 15),
    Judged(
        "shaffer_numbers",
        ours.shaffer_numbers,
        limits.equal_pairs,
        [(2,), (3,), (4,), (5,), (6,)],
        15,
    ),
    Judged(
        "shaffer_static",
        lambda p: ours.shaffer_static(p, systems=4),
        # With four systems 6, 3, 2, 1 or 0 pairs may be equal (Shaffer 1986, table 1).
        lambda p: limits.step_down(p, (6, 3, 3, 3, 2, 1)),
        P_VALUES,
        15,
    ),
    Judged(
        "shaffer_dynamic",
        lambda p: ours.shaffer_dynamic(p, systems=4),
        limits.shaffer_by_partitions,
        P_VALUES,
        15,
    ),
    Judged(
        "folded_sum_bound",
        lambda errors, deviation, level: fold_sum_bound(errors, deviation, level=level),
        lambda errors, deviation, level: (
            sum(map(mp.mpf, errors)) * mp.sqrt(2 / mp.pi)
            + mp.mpf(deviation) * mp.sqrt(-2 * mp.log(1 - mp.mpf(level)))
        ),
        [((1.0,), 1.0, 0.95), ((0.1, 0.2, 0.0), 0.3, 0.999999)],
    ),
)
