"""The room of comparison, first half: tests and their p-values."""

from fractions import Fraction

import numpy as np

from accuracy import limits, p_values
from accuracy.arithmetic import mp
from accuracy.case import Judged
from accuracy.grids import DISCORDANT, TABLES
from steelyard import comparison as ours
from steelyard.comparison.datasets.ranks import (
    range_probability,
    range_tail,
    range_upper_quantile,
)
from steelyard.counts import JointCalls, Outcomes, PairTable, Trials
from steelyard.counts.weights import SCALE, WeightSums

__all__ = ["JUDGED"]

NEAR = (10**8 - 3, 10**8, 10**8 - 50, 10**8)
MIDDLE = (5 * 10**7, 10**8, 49_999_000, 10**8)
SCORED = [
    (((0.9, 0.8, 0.7, 0.8), (0.8, 0.7, 0.6, 0.9), (0.5, 0.6, 0.5, 0.4)),),
    (((1, 2, 3, 4, 5, 6), (1, 1, 4, 3, 6, 5), (2, 1, 0, 0, 1, 2), (0, 0, 0, 9, 9, 1)),),
    (tuple(tuple((k * j) % 17 for j in range(1, 200)) for k in range(2, 12)),),
]
CALLS = [
    (((20, 10, 5), (3, 30, 15), (0, 5, 40)),), (((0, 1), (0, 0)),),
    (((5, 10**8, 3), (10**8 - 10**4, 0, 2), (4, 1, 9)),),
]  # fmt: skip
CLUSTERS = [
    (((3, 2, 0, 1),) * 6 + ((4, 0, 1, 0),) * 4,),
    (tuple((k % 7, k % 5, k % 3, k % 4 + 1) for k in range(200)),),
    (((0, 10**8, 10**8 - 1, 5), (1, 3, 0, 0), (0, 40, 9, 0)),),
]
FOLDS = (0.02, 0.01, 0.03, 0.00, 0.02)
STEPS = tuple(0.001 * k for k in range(30))
DIFFERENCES = [
    ((5, -8, 17, 33, 6, -5, 7, 0),), ((1, 1, 1, 1, 1),), (tuple(range(1, 61)),), ((0, 0, 3),),
    (tuple((-1) ** k * (k % 11 + 1) for k in range(55)),),
]  # fmt: skip
PREDICTED = [
    ((473, 29, 81, 25, 22, 46, 44, 151),),
    ((10**8, 7, 3, 5, 11, 2, 4, 10**8),),
    ((5, 1, 0, 1, 1, 0, 1, 5),),
]
KINDS = [(t, a, b) for t in (1, 0) for a in (1, 0) for b in (1, 0)]


def _pair(a, b, c, d):
    return PairTable(both=a, first=b, second=c, neither=d)


def _mcnemar(method):
    return lambda b, c: ours.mcnemar(_pair(1, b, c, 1), method=method).p_value


def _names(scores):
    return {f"s{k}": list(map(float, one)) for k, one in enumerate(scores)}


def _friedman(scores):
    found = ours.friedman(_names(scores))
    return found.statistic, found.p_value, found.f_statistic, found.f_p_value


def _nemenyi(scores):
    found = ours.nemenyi(_names(scores))
    return (*(pair.p_value for pair in found.pairs), found.critical_difference)


def _tested(test):
    def both(*arguments):
        found = test(*arguments)
        return found.statistic, found.p_value

    return both


def _areas(one, two, v1, v2, cov, level):
    found = ours.compare_areas(
        np.array([one, two]), np.array([[v1, cov], [cov, v2]]), 0, 1, level=level
    )
    return found.low, found.high, found.p_value, found.better


def _clustered(pairs):
    tables = [_pair(*one) for one in pairs]
    return tuple(
        ours.clustered_mcnemar(tables, method=method).p_value for method in ("robust", "durkalski")
    )


def _pooled(tables, level):
    found = ours.pool_differences([_pair(*one) for one in tables], level=level)
    return found.mean, found.low, found.high, found.p_value, found.between


def _correlated(differences, ratio, rope):
    found = ours.bayesian_correlated_test(differences, test_to_train=ratio, rope=rope)
    return found.below, found.inside, found.above


def _joint(counts):
    word = {1: "ill", 0: "ok"}
    cells = {(word[t], (word[a], word[b])): n for (t, a, b), n in zip(KINDS, counts, strict=True)}
    return JointCalls.from_cells(cells, systems=["A", "B"])


def _predictive(counts):
    found = ours.predictive_values(_joint(counts), "A", "B", positive="ill", value="positive")
    return found.statistic, found.p_value


def _detected(counts):
    found = ours.paired_detection(_joint(counts), "A", "B", positive="ill")
    return found.sensitivity_test.p_value, found.specificity_test.p_value


def _against(kind):
    def adjusted(first, second, third):
        trials = Trials(
            correct={"A": first[0], "B": second[0], "C": third[0]},
            tested={"A": first[1], "B": second[1], "C": third[1]},
            pairing="independent",
        )
        if kind == "control":
            return tuple(one.adjusted for one in ours.compare_with_control(trials, "A"))
        return tuple(
            end for one in ours.compare_with_best(trials, level=0.95) for end in (one.low, one.high)
        )

    return adjusted


def _best_limits(first, second, third):
    """Least limits over the rivals of each, every pair at a third of what is left."""
    samples, level = (first, second, third), 1 - (1 - 0.95) / 3
    found = []
    for i, (x, m) in enumerate(samples):
        pairs = [
            limits.miettinen_nurminen(x, m, y, n, level)
            for j, (y, n) in enumerate(samples)
            if j != i
        ]
        found += [min(low for low, _ in pairs), min(high for _, high in pairs)]
    return tuple(found)


def _weighted(patterns):
    """Each pattern of two systems has so many items of one weight."""
    found = ours.weighted_rates(
        Outcomes.from_patterns(
            {pattern: items for pattern, items, _ in patterns},
            systems=("A", "B"),
            weights={
                pattern: WeightSums(items * weight * SCALE, items * weight**2 * SCALE)
                for pattern, items, weight in patterns
            },
        )
    )
    return (
        *found.rates.tolist(),
        *(float(found.covariance[i, j]) for i, j in ((0, 0), (0, 1), (1, 1))),
    )


def _kept_to_0(x, m, y, n):
    """Miettinen and Nurminen's limits, the nearer one at 0 where the test keeps 0."""
    low, high = limits.miettinen_nurminen(x, m, y, n, 0.95)
    if p_values.independent(x, m, y, n) > 1 - mp.mpf(0.95):
        return min(low, mp.mpf(0)), max(high, mp.mpf(0))
    return low, high


THREE = [((70, 100), (85, 100), (74, 100)), ((0, 10), (10, 10), (5, 10))]

JUDGED = (
    Judged("mcnemar, exact", _mcnemar("exact"), p_values.mcnemar_exact, DISCORDANT, 11),
    Judged("mcnemar, mid-p", _mcnemar("mid-p"), p_values.mcnemar_midp, DISCORDANT, 11),
    Judged(
        "mcnemar, asymptotic",
        _mcnemar("asymptotic"),
        p_values.mcnemar_asymptotic,
        [*DISCORDANT[1:], (10**8, 10**8 - 10**5)],
        12,
    ),
    Judged(
        "common_test",
        lambda *cells: ours.common_test(_pair(*cells)).p_value,
        p_values.common,
        [(30, 9, 3, 8), (2, 5, 3, 0), (0, 14, 3, 1), (0, 60, 40, 3), (10**6, 130, 90, 10**5)],
        13,
    ),
    Judged(
        "independent_test",
        lambda x, m, y, n: ours.independent_test((x, m), (y, n)).p_value,
        p_values.independent,
        [
            *TABLES[:2],
            (9, 10, 15, 30),
            (9_000, 10_000, 9_100, 10_000),
            (3, 600, 9, 700),
            (1764, 2069, 8987, 10345),
        ],
        14,
    ),
    Judged(
        "independent_interval",
        lambda x, m, y, n: (lambda ends: (ends.low, ends.high))(
            ours.independent_interval((x, m), (y, n))
        ),
        _kept_to_0,
        [(9, 10, 995, 1000), (17, 20, 11, 24), (9_000, 10_000, 9_100, 10_000)],
        12,
    ),
    Judged("alike_pair", ours.alike_pair, p_values.alike_pair, [(0.6,), (0.9,), (0.999,)], 5),
    Judged(
        "stratified_mcnemar",
        lambda strata: ours.stratified_mcnemar([_pair(*one) for one in strata]).agreement.p_value,
        lambda strata: p_values.chi_square([(b, b + c) for _, b, c, _ in strata if b + c]),
        [(((50, 9, 3, 5), (30, 8, 2, 9)),), (((0, 10**8, 10**8, 0), (0, 5, 9, 1)),)],
        12,
    ),
    Judged("clustered_mcnemar", _clustered, p_values.clustered, CLUSTERS, 12),
    Judged(
        "fisher_exact",
        lambda x, m, y, n: ours.fisher_exact((x, m), (y, n)).p_value,
        p_values.fisher,
        TABLES,
        11,
    ),
    Judged(
        "unconditional_exact, boschloo",
        lambda x, m, y, n: ours.unconditional_exact((x, m), (y, n)).p_value,
        p_values.boschloo,
        TABLES[:4],
    ),
    Judged(
        "unconditional_exact, barnard",
        lambda x, m, y, n: ours.unconditional_exact((x, m), (y, n), order="barnard").p_value,
        p_values.barnard,
        [*TABLES[:4], (30, 30, 0, 30)],
        13,
    ),
    Judged(
        "score_test",
        lambda x, m, y, n: _tested(ours.score_test)((x, m), (y, n)),
        p_values.score_test,
        [*TABLES[:2], *TABLES[3:], NEAR, MIDDLE],
        12,
    ),
    Judged(
        "k_sample_chi_square",
        lambda samples: ours.k_sample_chi_square(samples).p_value,
        p_values.chi_square,
        [
            (((190, 200), (194, 200)),),
            (((9, 10), (5, 10), (1, 10)),),
            (((0, 700), (700, 700)),),
            (((50_000_000, 10**8), (49_990_000, 10**8)),),
            ((NEAR[:2], NEAR[2:], (10**8, 10**8)),),
        ],
        12,
    ),
    Judged(
        "cochran_q",
        lambda patterns, k: _tested(ours.cochran_q)(
            Outcomes.from_patterns(patterns, systems=[f"s{n}" for n in range(k)])
        ),
        p_values.cochran,
        [
            ({1: 6, 3: 4, 7: 10, 4: 1}, 3),
            ({1: 10**8, 2: 10**8 - 10**4, 3: 5}, 2),
            ({0: 4, 1: 1, 2**49: 3, 5: 2}, 50),
        ],
        12,
    ),
    Judged("bowker", _tested(ours.bowker), p_values.bowker, CALLS, 12),
    Judged(
        "stuart_maxwell",
        _tested(ours.stuart_maxwell),
        p_values.stuart_maxwell,
        [CALLS[0], CALLS[2]],
        10,
    ),
    Judged(
        "predictive_values",
        _predictive,
        lambda c: p_values.predictive(dict(zip(KINDS, c, strict=True))),
        PREDICTED,
        12,
    ),
    Judged(
        "paired_detection",
        _detected,
        lambda c: (p_values.mcnemar_midp(c[1], c[2]), p_values.mcnemar_midp(c[6], c[5])),
        PREDICTED,
        12,
    ),
    Judged(
        "compare_with_control",
        _against("control"),
        lambda a, b, c: limits.step_down(
            [p_values.score_test(*b, *a)[1], p_values.score_test(*c, *a)[1]], (2, 1)
        ),
        THREE,
        12,
    ),
    Judged("compare_with_best", _against("best"), _best_limits, THREE, 13),
    Judged(
        "compare_areas",
        _areas,
        p_values.areas,
        [
            (0.9, 0.8, 0.001, 0.002, 0.0004, 0.95),
            (0.999999, 0.5, 1e-6, 1e-4, 0.0, 0.999999),
            (0.9, 0.5, 1e-4, 1e-4, 0.0, 0.95),
            (0.5, 0.9, 1e-4, 1e-4, 0.0, 0.95),
        ],
        12,
    ),
    Judged(
        "area_equivalence",
        lambda a, b, v, w, d: ours.area_equivalence(
            np.array([a, b]), np.diag([v, w]), 0, 1, margin=d
        ),
        p_values.area_equivalence,
        [
            (0.9, 0.89, 1e-4, 1e-4, 0.03),
            (0.95, 0.5, 1e-4, 1e-4, 0.01),
            (0.5, 0.95, 1e-4, 1e-4, 0.01),
        ],
        12,
    ),
    Judged(
        "areas_equal",
        lambda a, v: _tested(ours.areas_equal)(np.array(a), np.diag(v)),
        p_values.areas_equal,
        [
            ((0.9, 0.8, 0.7), (0.001, 0.001, 0.002)),
            (tuple(0.5 + k / 200 for k in range(50)), (1e-4,) * 50),
        ],
        12,
    ),
    Judged(
        "signed_rank", lambda d: ours.signed_rank(d).p_value, p_values.signed_rank, DIFFERENCES, 14
    ),
    Judged(
        "signed_rank, normal",
        lambda d: ours.signed_rank(d).p_value,
        p_values.signed_rank_normal,
        [(tuple((-1) ** (k % 3) * k for k in range(1, 100)),), (tuple(range(1, 1500)),)],
        12,
    ),
    Judged("friedman", _friedman, p_values.friedman, SCORED, 11),
    Judged("nemenyi", _nemenyi, p_values.nemenyi, SCORED[:2], 12),
    Judged(
        "average_ranks",
        lambda s: ours.average_ranks(_names(s)).ranks,
        lambda s: tuple(p_values.exact(Fraction(one)) for one in p_values.rank_means(s)[0]),
        SCORED,
        14,
    ),
    Judged(
        "range_probability",
        range_probability,
        p_values.range_probability,
        [(w, k) for w in (0.01, 1.0, 3.633, 6.0, 9.0) for k in (2, 3, 10, 50)],
        13,
    ),
    Judged(
        "range_tail",
        range_tail,
        p_values.range_tail,
        [(w, k) for w in (0.01, 1.0, 3.633, 9.0, 30.0) for k in (2, 10, 50)] + [(51.0, 3)],
        12,
    ),
    Judged(
        "range_upper_quantile",
        range_upper_quantile,
        p_values.range_quantile,
        [(0.05, 4), (0.05, 50), (1e-12, 10)],
        13,
    ),
    Judged(
        "resampled_t_test",
        lambda d, r: _tested(lambda d, r: ours.resampled_t_test(d, test_to_train=r))(d, r),
        p_values.resampled_t,
        [(FOLDS, 0.25), (STEPS, 1 / 9), ((1.0, 1.0 + 1e-6, 1.0 - 1e-6), 0.1)],
        9,
    ),
    Judged(
        "bayesian_correlated_test",
        _correlated,
        p_values.correlated,
        [(FOLDS, 0.25, 0.01), (STEPS, 1 / 9, 0.001), (STEPS, 0.0, 0.0005)],
        12,
    ),
    Judged(
        "pool_differences",
        _pooled,
        p_values.pooled,
        [
            (((60, 12, 6, 20), (60, 16, 6, 20), (60, 21, 6, 20)), 0.95),
            (((10, 40, 2, 3), (10**8, 5, 900, 0), (7, 0, 0, 1)), 0.999999),
            (((1, 30, 0, 0), (1, 0, 30, 0), (40, 3, 3, 3), (0, 9, 1, 0)), 0.95),
        ],
        12,
    ),
    Judged(
        "weighted_rates",
        _weighted,
        p_values.weighted_rates,
        [
            (((3, 50, 2), (1, 9, 1), (2, 3, 4), (0, 7, 1)),),
            (((3, 10**6, 1), (1, 2, 1000), (0, 5, 3)),),
        ],
        11,
    ),
)
