"""The room of measures: from tables, scores, forecasts and ratings."""

from fractions import Fraction

import numpy as np

from accuracy import limits, scores
from accuracy.arithmetic import exact, mp
from accuracy.case import Judged
from accuracy.grids import MATRICES, SCORES
from steelyard import measures as ours
from steelyard.counts import Confusion, Grouped, JointScores, ScoreTable

__all__ = ["JUDGED"]

TWOS = [
    (((40, 10), (5, 45)),), (((99_999_990, 3), (4, 3)),), (((1, 10**8), (10**8, 2)),),
    (((10**8, 1), (1, 10**8)),), (((3, 1), (1, 1)),),
]  # fmt: skip
ORDERED = [
    MATRICES[1],
    (((10**8, 3, 1), (2, 50, 4), (0, 5, 7)),),
    (((5, 1, 0), (1, 0, 1), (0, 1, 5)),),
]
FORECASTS = [
    ((0.9, 0.8, 0.7, 0.7, 0.3), (0.6, 0.7, 0.2, 0.1, 0.05, 0.3)),
    (
        tuple((k + 1) / 101 for k in range(0, 100, 2)),
        tuple((k + 1) / 101 for k in range(0, 100, 3)),
    ),
    ((1 - 1e-16, 1 - 1e-9, 1e-300, 0.5), (1e-300, 1e-12, 1e-9, 1 - 1e-12, 0.5)),
]
CERTAIN = ((1.0, 1.0, 0.25), (0.0, 0.0, 0.5))
VECTORS = [
    (
        (0, 0, 1, 1, 2, 2, 0),
        (
            (0.7, 0.2, 0.1), (0.4, 0.5, 0.1), (0.2, 0.6, 0.2), (0.3, 0.3, 0.4),
            (0.1, 0.1, 0.8), (0.4, 0.3, 0.3), (0.5, 0.25, 0.25),
        ),
    ),
]  # fmt: skip
PLACED = [one for one in SCORES if len({*one[0], *one[1]}) > 1]


def _confusion(table):
    return Confusion.from_matrix([list(row) for row in table])


def _value(name, **given):
    return lambda table, *rest: getattr(ours, name)(_confusion(table), **given).value


def _both(name, **given):
    def found(table):
        estimate = getattr(ours, name)(_confusion(table), **given)
        return estimate.value, estimate.standard_error

    return found


def _scored(positives, negatives):
    return ScoreTable.from_scores(
        list(map(float, positives)), list(map(float, negatives)), positive="1"
    )


def _of_scores(name, **given):
    return lambda p, n: getattr(ours, name)(_scored(p, n), **given).value


def _share(name, **given):
    def ends(table):
        found = getattr(ours, name)(_confusion(table), **given)
        return found.value, found.interval.low, found.interval.high

    return ends


def _counted(pick):
    """A share of two counts with Wilson's limits."""

    def ends(table):
        x, n = pick(*scores.flat(table))
        return (mp.mpf(x) / n, *limits.wilson(x, n, 0.95))

    return ends


SHARES = {
    "recall": lambda tn, fp, fn, tp: (tp, tp + fn),
    "precision": lambda tn, fp, fn, tp: (tp, tp + fp),
    "specificity": lambda tn, fp, fn, tp: (tn, tn + fp),
    "npv": lambda tn, fp, fn, tp: (tn, tn + fn),
    "prevalence": lambda tn, fp, fn, tp: (tp + fn, tn + fp + fn + tp),
    "called_share": lambda tn, fp, fn, tp: (tp + fp, tn + fp + fn + tp),
    "false_positive_rate": lambda tn, fp, fn, tp: (fp, tn + fp),
    "false_negative_rate": lambda tn, fp, fn, tp: (fn, tp + fn),
    "false_discovery_rate": lambda tn, fp, fn, tp: (fp, tp + fp),
    "false_omission_rate": lambda tn, fp, fn, tp: (fn, tn + fn),
}


def _tested(test):
    return lambda *given: (lambda found: (found.standard_error, found.z, found.p_value))(
        test(*given)
    )


def _proper(rule):
    def found(positives, negatives):
        estimate = ours.proper_score(_scored(positives, negatives), rule)
        return estimate.value, estimate.standard_error

    return found


def _parts(positives, negatives):
    found = ours.brier_decomposition(_scored(positives, negatives))
    return found.score, found.reliability, found.resolution, found.uncertainty


def _line(positives, negatives):
    found = ours.recalibration(_scored(positives, negatives))
    return (
        found.intercept.value,
        found.slope.value,
        found.intercept.standard_error,
        found.slope.standard_error,
    )


def _gains(positives, negatives, depth):
    point = ours.gain_curve(_scored(positives, negatives), depths=[depth]).points[0]
    return point.captured.value, point.precision.value, point.lift.value


def _classes(name):
    return lambda truth, vectors: (
        getattr(ours, name)(np.array(truth), np.array(vectors), classes=sorted(set(truth))).value
    )


def _tries(right, tried, k):
    found = ours.tries_estimate(right, tried, k)
    return found.value, found.standard_error, found.interval.low, found.interval.high


def _model(fit, parameters, items, name="m"):
    return ours.FittedModel(name=name, log_likelihood=fit, parameters=parameters, items=items)


AGREED = {
    "fleiss_kappa": scores.of_counts(scores.pooled_kappa, "fleiss"),
    "conger_kappa": scores.of_counts(scores.kappa),
    "gwet_ac": scores.of_counts(scores.pooled_kappa, "gwet"),
    "pabak": scores.of_counts(scores.pooled_kappa, "pabak"),
    "krippendorff_alpha": scores.alpha_nominal,
}
CLUSTERS = [
    (tuple(((9 - g, 1 + g), (1, 9)) for g in range(5)),),
    ((((10**8, 3), (4, 50)), ((10**7, 1), (0, 9)), ((5, 0), (1, 2))),),
]


def _clustered(name, *, error=False):
    def found(parts):
        tables = {str(k): _confusion(part) for k, part in enumerate(parts)}
        estimate = getattr(ours, name)(Grouped.from_parts("c", tables))
        return (estimate.value, estimate.standard_error) if error else estimate.value

    return found


def _difference(truth, first, second):
    joint = JointScores.from_arrays(list(truth), {"A": list(first), "B": list(second)})
    estimate = ours.proper_difference(joint, "log", "A", "B")
    return estimate.value, estimate.standard_error


FITS = [(-120.5, 3, 100), (-1e8, 50, 10**8), (0.0, 0, 3)]

JUDGED = (
    Judged(
        "accuracy",
        _share("accuracy"),
        _counted(lambda tn, fp, fn, tp: (tn + tp, tn + fp + fn + tp)),
        TWOS,
        14,
    ),
    Judged(
        "error_rate",
        _share("error_rate"),
        _counted(lambda tn, fp, fn, tp: (fp + fn, tn + fp + fn + tp)),
        TWOS,
        14,
    ),
    *(
        Judged(name, _share(name, of="1"), _counted(pick), TWOS, 14)
        for name, pick in SHARES.items()
    ),
    Judged("f1", _value("f1", of="1"), scores.value_only(scores.f_beta), TWOS),
    Judged(
        "f_beta",
        lambda table, beta: ours.f_beta(_confusion(table), of="1", beta=beta).value,
        scores.value_only(scores.f_beta),
        [(*one, beta) for one in TWOS for beta in (0.5, 2.0, 1e3)],
    ),
    Judged("average", _both("average"), scores.with_error(scores.macro_f1), TWOS, 12),
    Judged(
        "balanced_accuracy",
        _value("balanced_accuracy"),
        scores.value_only(scores.balanced),
        [*TWOS, *ORDERED[:2]],
    ),
    Judged(
        "informedness", _value("informedness", of="1"), scores.value_only(scores.informedness), TWOS
    ),
    Judged("markedness", _value("markedness", of="1"), scores.value_only(scores.markedness), TWOS),
    Judged("mcc", _both("mcc"), scores.with_error(scores.mcc), [*TWOS, *ORDERED], 12),
    *(
        Judged(
            name,
            _share(name, of="1"),
            lambda table, kind=kind: scores.likelihood_ratio(table, kind),
            TWOS,
            13,
        )
        for name, kind in (
            ("likelihood_ratio_positive", "positive"),
            ("likelihood_ratio_negative", "negative"),
            ("diagnostic_odds_ratio", "odds"),
        )
    ),
    *(
        Judged(
            name,
            lambda table, pi, name=name: (
                getattr(ours, name)(_confusion(table), of="1", prevalence=pi).value
            ),
            scores.value_only(reference),
            [(*one, pi) for one in TWOS for pi in (1e-9, 0.3, 0.999999)],
            13,
        )
        for name, reference in (("ppv_at", scores.ppv_at), ("npv_at", scores.npv_at))
    ),
    Judged(
        "expected_cost",
        lambda table, fp, fn: (
            ours.expected_cost(_confusion(table), {("0", "1"): fp, ("1", "0"): fn}).value
        ),
        scores.value_only(lambda s, fp, fn: s[1] * mp.mpf(fp) + s[2] * mp.mpf(fn)),
        [(*one, 1.0, 5.0) for one in TWOS],
    ),
    Judged(
        "no_information_rate",
        lambda table: ours.no_information_rate(_confusion(table)).value,
        lambda table: mp.mpf(max(map(sum, table))) / sum(map(sum, table)),
        TWOS,
    ),
    Judged(
        "no_information_test",
        lambda table: ours.no_information_test(_confusion(table)).p_value,
        # Only the system right: right, of the rarer class; only the constant call: missed.
        lambda table: scores.sign_tail(table[1][1], table[0][1]),
        [(((50, 10), (5, 45)),), (((900, 3), (4, 80)),), (((900, 300), (4, 2)),)],
        12,
    ),
    Judged(
        "no_information_test, binomial",
        lambda table: ours.no_information_test(_confusion(table), method="binomial").p_value,
        lambda table: scores.binomial_upper(
            table[0][0] + table[1][1],
            sum(map(sum, table)),
            max(map(sum, table)),
            sum(map(sum, table)),
        ),
        [(((50, 10), (5, 45)),), (((900, 3), (4, 80)),)],
        12,
    ),
    Judged(
        "cohen_kappa",
        _both("cohen_kappa"),
        scores.with_error(scores.kappa),
        [*MATRICES, TWOS[0], *TWOS[2:]],
        13,
    ),
    Judged(
        "exact_kappa",
        lambda table: float(ours.exact_kappa(_confusion(table))),
        scores.value_only(scores.kappa),
        MATRICES,
        15,
    ),
    Judged(
        "kappa_test",
        _tested(lambda t: ours.kappa_test(_confusion(t))),
        scores.kappa_test,
        [*MATRICES[:2], TWOS[1]],
        12,
    ),
    Judged(
        "weighted_kappa",
        _both("weighted_kappa", order=["0", "1", "2"]),
        scores.with_error(scores.weighted_kappa),
        ORDERED,
        12,
    ),
    Judged(
        "weighted_kappa_test",
        _tested(lambda t: ours.weighted_kappa_test(_confusion(t), order=["0", "1", "2"])),
        lambda table: scores.kappa_test(table, 1),
        ORDERED,
        12,
    ),
    *(
        Judged(
            name,
            _value(name),
            lambda table, measure=measure: scores.jackknifed(measure)(table)[0],
            [*TWOS[:2], *ORDERED[:2]],
        )
        for name, measure in AGREED.items()
    ),
    *(
        Judged(
            f"{name}, standard error",
            lambda table, name=name: _both(name)(table)[1],
            lambda table, measure=measure: scores.jackknifed(measure)(table)[1],
            [*TWOS[:2], *ORDERED[:2]],
            7,
        )
        for name, measure in AGREED.items()
    ),
    Judged(
        "observed_agreement",
        lambda table: ours.observed_agreement(_confusion(table)).value,
        lambda table: mp.mpf(sum(table[k][k] for k in range(len(table)))) / sum(map(sum, table)),
        [*TWOS, *ORDERED],
    ),
    Judged("auc", _of_scores("auc"), lambda p, n: exact(scores.kernel(p, n)), SCORES, 15),
    Judged(
        "exact_auc",
        lambda p, n: float(ours.exact_auc(_scored(p, n))),
        lambda p, n: exact(scores.kernel(p, n)),
        SCORES,
        15,
    ),
    Judged("gini", _of_scores("gini"), lambda p, n: exact(2 * scores.kernel(p, n) - 1), SCORES),
    Judged("ks_distance", _of_scores("ks_distance"), scores.ks, PLACED),
    Judged("equal_error_rate", _of_scores("equal_error_rate"), scores.equal_errors, PLACED),
    Judged(
        "partial_auc",
        lambda p, n, low, high: (
            ours.partial_auc(_scored(p, n), false_alarm_rates=(low, high)).value
        ),
        scores.partial_area,
        [
            (*one, low, high)
            for one in (SCORES[0], SCORES[2])
            for low, high in ((0, 0.1), (0.2, 0.9))
        ],
        13,
    ),
    Judged("average_precision", _of_scores("average_precision"), scores.average_precision, PLACED),
    Judged(
        "gain_curve",
        _gains,
        scores.gains,
        [(*one, d) for one in FORECASTS for d in (0.1, 0.5, 1.0)],
    ),
    Judged(
        "net_benefit",
        lambda p, n, t: ours.net_benefit(_scored(p, n), threshold=t).value,
        scores.net_benefit,
        [(*FORECASTS[1], t) for t in (0.01, 0.5, 0.999)],
        13,
    ),
    Judged(
        "proper_score, brier",
        _proper("brier"),
        lambda p, n: scores.proper(p, n, "brier"),
        [*FORECASTS, CERTAIN],
        13,
    ),
    Judged(
        "proper_score, log", _proper("log"), lambda p, n: scores.proper(p, n, "log"), FORECASTS, 13
    ),
    Judged(
        "brier_score",
        lambda p, n: ours.brier_score(_scored(p, n)).value,
        lambda p, n: scores.proper(p, n, "brier")[0],
        [*FORECASTS, CERTAIN],
    ),
    Judged("brier_decomposition", _parts, scores.brier_parts, [*FORECASTS, CERTAIN], 13),
    Judged(
        "calibration_error",
        lambda p, n: ours.calibration_error(_scored(p, n), bins=10, binning="width").error.value,
        lambda p, n: scores.width_ece(p, n, 10),
        [FORECASTS[1], CERTAIN, ((0.05, 0.95, 0.449), (0.33, 0.33, 0.0))],
        13,
    ),
    Judged("recalibration", _line, scores.logistic_fit, FORECASTS[:2], 11),
    Judged("hand_till", _classes("hand_till"), scores.hand_till, VECTORS, 15),
    Judged("rest_areas", _classes("rest_areas"), scores.rest_area, VECTORS, 15),
    Judged(
        "any_of_k",
        ours.any_of_k,
        scores.any_of_k,
        [(1, 10, 3), (1, 10**6, 2), (0, 5, 5), (999, 1000, 1), (3, 10**5, 10**4)],
        13,
    ),
    Judged(
        "all_of_k",
        ours.all_of_k,
        scores.all_of_k,
        [(9, 10, 3), (500, 1000, 400), (10**5 - 1, 10**5, 50)],
        15,
    ),
    Judged(
        "tries_estimate",
        _tries,
        scores.tries,
        [((1, 5, 10, 0), (10, 10, 10, 10), 3), ((3, 4), (5, 5), 1)],
        13,
    ),
    Judged(
        "aic", lambda *fit: ours.aic(_model(*fit)), lambda f, k, n: -2 * mp.mpf(f) + 2 * k, FITS, 15
    ),
    Judged(
        "aicc",
        lambda *fit: ours.aicc(_model(*fit)),
        lambda f, k, n: -2 * mp.mpf(f) + 2 * k + mp.mpf(2 * k * (k + 1)) / (n - k - 1),
        FITS,
        15,
    ),
    Judged(
        "bic",
        lambda *fit: ours.bic(_model(*fit)),
        lambda f, k, n: -2 * mp.mpf(f) + k * mp.log(n),
        FITS,
        15,
    ),
    Judged(
        "log_bayes_factor",
        lambda f, k, g, h, n: ours.log_bayes_factor(_model(f, k, n), _model(g, h, n, "o")),
        lambda f, k, g, h, n: mp.mpf(f) - mp.mpf(g) - mp.mpf(k - h) / 2 * mp.log(n),
        [(-120.5, 3, -121.0, 5, 100), (-1e8, 50, -1e8 - 1, 49, 10**8)],
        12,
    ),
    Judged(
        "ranked_models",
        lambda fits: tuple(
            one.weight
            for one in ours.ranked_models([_model(f, 3, 100, f"m{k}") for k, f in enumerate(fits)])
        ),
        lambda fits: scores.weights([-2 * mp.mpf(f) for f in fits]),
        [((-120.5, -121.0, -130.0),), ((-1e8, -1e8 - 0.25, -1e8 - 300),)],
        12,
    ),
    Judged(
        "asked_again_interval",
        lambda c, n: (lambda ends: (ends.low, ends.high))(ours.asked_again_interval(c, n)),
        scores.asked_again,
        [((3, 5, 1), (10, 10, 10)), ((1, 10**6), (2, 10**6 + 7))],
        13,
    ),
    Judged(
        "det_points",
        lambda p, n: tuple(
            one
            for one in ours.det_points(_scored(p, n)).false_alarm_deviates.tolist()
            if abs(one) < 99
        ),
        scores.deviates,
        PLACED[:3],
        13,
    ),
    Judged(
        "detection_rate_at",
        lambda p, n, rate: ours.detection_rate_at(_scored(p, n), false_alarm_rate=rate).value,
        scores.detection_at,
        [(*one, rate) for one in PLACED for rate in (0, 0.1, 0.5, 1)],
        15,
    ),
    Judged(
        "miss_rate_at",
        lambda p, n, rate: ours.miss_rate_at(_scored(p, n), false_alarm_rate=rate).value,
        lambda *case: 1 - scores.detection_at(*case),
        [(*one, rate) for one in PLACED for rate in (0, 0.1, 0.5, 1)],
        15,
    ),
    Judged(
        "false_alarm_rate_at",
        lambda p, n, rate: ours.false_alarm_rate_at(_scored(p, n), detection_rate=rate).value,
        scores.alarms_at,
        [(*one, rate) for one in PLACED for rate in (0.1, 0.5, 1)],
        15,
    ),
    Judged(
        "pr_area, interpolated",
        lambda p, n: ours.pr_area(_scored(p, n), kind="interpolated").value,
        scores.curved_area,
        PLACED,
        13,
    ),
    Judged(
        "lift_at",
        lambda p, n, d: ours.lift_at(_scored(p, n), depth=d).value,
        lambda p, n, d: scores.gains(p, n, d)[2],
        [(*one, 0.5) for one in FORECASTS],
    ),
    Judged(
        "captured_at",
        lambda p, n, k: ours.captured_at(_scored(p, n), budget=k).value,
        lambda p, n, k: scores.gains(p, n, Fraction(k, len(p) + len(n)))[0],
        [(*one, 4) for one in FORECASTS],
    ),
    Judged(
        "precision_at",
        lambda p, n, k: ours.precision_at(_scored(p, n), budget=k).value,
        lambda p, n, k: scores.gains(p, n, Fraction(k, len(p) + len(n)))[1],
        [(*one, 4) for one in FORECASTS],
    ),
    Judged(
        "kappa_slopes",
        lambda table: tuple(ours.kappa_slopes(_confusion(table)).values()),
        lambda table: scores.slopes_of(scores.kappa, table),
        [TWOS[0], TWOS[4]],
        13,
    ),
    Judged(
        "clustered_accuracy",
        _clustered("clustered_accuracy"),
        lambda parts: scores.clustered(lambda s: s[0] + s[3], parts)[0],
        CLUSTERS,
        13,
    ),
    Judged(
        "clustered_kappa",
        _clustered("clustered_kappa", error=True),
        lambda parts: scores.clustered(scores.kappa, parts),
        CLUSTERS,
        12,
    ),
    Judged(
        "proper_difference",
        _difference,
        scores.proper_difference,
        [
            ((1, 0, 1, 1, 0), (0.9, 0.2, 0.7, 0.6, 0.4), (0.8, 0.3, 0.75, 0.5, 0.1)),
            ((1, 0, 1), (1 - 1e-12, 1e-12, 0.5), (0.5, 0.5, 1e-9)),
        ],
        13,
    ),
)
