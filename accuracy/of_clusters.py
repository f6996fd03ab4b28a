"""Items in clusters, per-class vectors and averaged curves."""

import numpy as np

from accuracy import clusters, limits, scores
from accuracy.arithmetic import mp
from accuracy.case import Judged
from accuracy.grids import SHARES
from steelyard import measures as ours
from steelyard.counts import (
    SCALE,
    Confusion,
    Grouped,
    ScoreTable,
    VectorScores,
    WeightedVectors,
)
from steelyard.results import Estimate
from steelyard.uncertainty import clustered_auc_covariance, clustered_auc_interval

__all__ = ["JUDGED"]

TABLES = [
    (tuple(((9 - g, 1 + g), (1, 9)) for g in range(5)),),
    ((((10**8, 3), (4, 50)), ((10**7, 1), (1, 9)), ((5, 1), (1, 2))),),
    ((((10**8, 3), (4, 10**8)), ((10**7, 1), (9, 10**8)), ((10**6, 1), (1, 10**5))),),
    (tuple(((40 + 7 * g % 11, 3 + g % 4), (2 + 5 * g % 7, 30 + g % 9)) for g in range(60)),),
]
THREE = [
    (tuple(((30 + g, 2, 1 + g % 2), (g % 3, 20, 3), (1, g % 4, 15)) for g in range(12)),),
    (
        (
            ((10**8, 3, 1), (4, 10**7, 2), (1, 2, 50)),
            ((10**7, 1, 5), (1, 10**8, 1), (3, 1, 10**6)),
            ((50, 0, 1), (1, 9, 0), (0, 1, 10**8)),
        ),
    ),
]
TRIALS = [
    ((9, 5, 10, 7), (10, 10, 10, 10)),
    ((99_999_990, 10**8 - 2, 9), (10**8, 10**8, 10)),
    ((3, 1, 2), (10**8, 10**7, 10**8)),
    (tuple(20 + 7 * g % 19 for g in range(300)), tuple(40 + g % 5 for g in range(300))),
]
SCORED = [
    tuple(((g + 1.5, 1, 0), (g + 2.0, 1, 1), (2.0 * g, 0, 2)) for g in range(4)),
    tuple(((7 * g % 41, 1 + g % 2, 1), (11 * g % 37 + 4, 2, g % 3)) for g in range(60)),
    (
        ((1, 0, 10**8), (2, 3, 1), (3, 10**7, 0)), ((1, 1, 10**7), (3, 10**8, 2)),
        ((1, 2, 10), (2, 0, 10**8), (3, 9, 1)),
    ),
    tuple(
        ((1 + g * 2**-52, 1 + g % 3, 1), (1 + (5 * g % 8) * 2**-52, 1, 2 + g % 2)) for g in range(8)
    ),
]  # fmt: skip
FORECASTS = [
    tuple(((0.9 - g / 20, 2, 1), (0.1 + g / 15, 1, 3), (0.5, g, 1)) for g in range(6)),
    tuple(((0.02 + 7 * g % 47 / 50, 1 + g % 4, 1 + g % 3), (0.5, 1, 2)) for g in range(60)),
    (
        ((1e-9, 3, 10**8), (0.5, 10**7, 10**7), (1 - 1e-9, 10**8, 5)),
        ((1e-6, 20, 10**7), (0.25, 10**6, 4 * 10**6), (1 - 1e-12, 10**8, 1)),
        ((1e-6, 1, 10**6), (0.3, 10**5, 2 * 10**5), (1 - 1e-6, 10**6, 2)),
    ),
]  # fmt: skip
OTHERS = [
    tuple(tuple((0.01 + 0.9 * s, m, n) for s, m, n in part) for part in parts)
    for parts in FORECASTS
]
ROWS = [
    tuple((("x", "y")[k % 2], 1.0, k / 16, (7 * k % 16) / 16, 1 + k % 3) for k in range(16)),
    (
        ("x", 1.0, 1.0, 0.875, 10**8), ("y", 1.0, 0.25, 0.125, 10**7),
        ("x", 1.0, 0.5, 1.0, 3), ("y", 1.0, 0.5, 0.25, 10), ("x", 1.0, 0.75, 0.0, 10**6),
    ),
]  # fmt: skip
WEIGHTED = [
    tuple((c, (1 + k % 5) / 4, a, b, n) for k, (c, _, a, b, n) in enumerate(rows)) for rows in ROWS
]
CLASSES = (None, (("x", 0.75), ("y", 0.25)))
FOLDS = [
    tuple(tuple((s, 2 + (s + g) % 3, 1 + (s * g) % 4) for s in range(6)) for g in range(5)),
    tuple(((3, 9 * 10**7 + g * 10**6, 5 + g), (2, 10**7, 10**6), (1, 3, 10**8)) for g in range(10)),
]
DROP = ((3, 55 * 10**6, 5), (2, 0, 10**8), (1, 45 * 10**6, 1))


def _tables(parts):
    tables = {str(k): Confusion.from_matrix([list(row) for row in p]) for k, p in enumerate(parts)}
    return Grouped.from_parts("c", tables)


def _scored(parts):
    return Grouped.from_parts("c", {str(k): _table(part) for k, part in enumerate(parts)})


def _table(rows):
    score, positives, negatives = zip(*rows, strict=True)
    return ScoreTable.from_counts(score, positives, negatives, positive="1")


def _whole(one):
    return one.value, one.standard_error, one.interval.low, one.interval.high


def _error(one):
    return one.value, one.standard_error


def _ends(one):
    return one.value, one.interval.low, one.interval.high


def _line(parts):
    found = ours.clustered_recalibration(_scored(parts))
    three = (found.intercept, found.slope, found.in_the_large)
    return tuple(number for one in three for number in _error(one))


def _difference(first, second, rule):
    one, two = _scored(first), _scored(second)
    value = float(clusters.proper_difference(first, second, rule)[0])
    plain = Estimate(measure="difference", value=value)
    return _error(ours.clustered_proper_difference(plain, one, two, rule))


def _gains(parts, depth):
    (found,) = ours.clustered_gains(_scored(parts), [depth])
    return tuple(n for one in (found.captured, found.precision, found.lift) for n in _ends(one))


def _sums(rows):
    items, sums, products = {}, {}, {}
    for name, _, a, b, count in rows:
        items[name] = items.get(name, 0) + count
        for system, x in (("A", a), ("B", b)):
            key = ("spherical", system, name)
            sums[key] = sums.get(key, 0) + int(x * SCALE) * count
        for pair, xy in ((("A", "A"), a * a), (("A", "B"), a * b), (("B", "B"), b * b)):
            key = ("spherical", *pair, name)
            products[key] = products.get(key, 0) + int(xy * SCALE) * count
    return VectorScores.from_sums(systems=["A", "B"], items=items, sums=sums, products=products)


def _weighted(rows):
    sums = {}

    def add(number, *key):
        sums[key] = sums.get(key, 0) + int(number)

    for name, w, a, b, count in rows:
        add(count, "rows", name)
        add(count, "held", name)
        add(w * SCALE * count, "weight", name)
        add(w * w * SCALE * count, "square", name)
        for system, x in (("A", a), ("B", b)):
            add(int(w * x * SCALE) * count, "sum", "spherical", system, name)
            add(int(w * w * x * SCALE) * count, "first", "spherical", system, name)
        for pair, xy in ((("A", "A"), a * a), (("A", "B"), a * b), (("B", "B"), b * b)):
            add(int(w * w * xy * SCALE) * count, "product", "spherical", *pair, name)
    return WeightedVectors.from_sums(systems=["A", "B"], classes=["x", "y"], sums=sums)


def _split(rows):
    """Three clusters of some rows, each with both classes, and one that holds all of them."""
    some = [tuple(rows[k % len(rows)] for k in range(g, g + 4)) for g in range(3)]
    return (*some, rows)


def _vectors(name, read, *systems, split=False):
    def found(rows, classes):
        counts = (
            Grouped.from_parts("c", {str(k): read(part) for k, part in enumerate(_split(rows))})
            if split
            else read(rows)
        )
        weights = dict(classes) if classes else None
        told = getattr(ours, name)(counts, "spherical", *systems, class_weights=weights)
        return _error(told) if split else _whole(told)

    return found


def _vector_reference(*, pair, split=False):
    def right(rows, classes):
        weights = dict(classes) if classes else None
        if split:
            return clusters.clustered_vector(_split(rows), weights, pair=pair)
        return clusters.vector(rows, weights, pair=pair)

    return right


def _averaged(folds, rate):
    found = ours.average_roc(_scored(folds), at=[rate]).detection_rates
    return tuple(float(one[0]) for one in (found.mean, found.sd, found.low, found.high))


def _covariance(first, second):
    values, spread = clustered_auc_covariance([_scored(first), _scored(second)])
    return (*values.tolist(), *(float(spread[i, j]) for i, j in ((0, 0), (0, 1), (1, 1))))


def _context(table):
    found = ours.kappa_context(Confusion.from_matrix([list(row) for row in table]))
    told = (
        found.kappa, found.agreement, found.chance, found.largest, found.pabak, found.ac1,
        found.prevalence_index, found.bias_index,
    )  # fmt: skip
    return tuple(one for one in told if one is not None)


def _mean_f1(shares):
    table = scores.square(shares)
    rows, columns = scores.margins(table)
    size = len(table)
    return sum(2 * table[k][k] / (rows[k] + columns[k]) for k in range(size)) / size


MEASURES = {
    "MCC": (ours.mcc, scores.mcc, [*TABLES, *THREE]),
    "macro F1": (lambda t: ours.average(t), _mean_f1, [*TABLES, *THREE]),
    "balanced accuracy": (ours.balanced_accuracy, scores.balanced, [*TABLES, *THREE]),
    "F1": (lambda t: ours.f1(t, of="1"), scores.f_beta, TABLES),
    "informedness": (
        lambda t: ours.informedness(t, of="1"), scores.informedness, TABLES,
    ),
    "positive likelihood ratio": (
        lambda t: ours.likelihood_ratio_positive(t, of="1"),
        lambda s: s[3] / (s[2] + s[3]) / (s[1] / (s[0] + s[1])), TABLES,
    ),
    "diagnostic odds ratio": (
        lambda t: ours.diagnostic_odds_ratio(t, of="1"),
        lambda s: s[0] * s[3] / (s[1] * s[2]), TABLES,
    ),
    "predictive value": (
        lambda t: ours.ppv_at(t, of="1", prevalence=0.3),
        lambda s: scores.ppv_at(s, 0.3), TABLES,
    ),
}  # fmt: skip
COSTS = {("0", "1"): 1.0, ("1", "0"): 5.0}
PAIRS = {"recall": (2, 3), "precision": (1, 3)}


def _measured(measure):
    def found(parts):
        one = ours.clustered_measure(_tables(parts), measure)
        return _error(one)

    return found


def _several(parts):
    found = ours.clustered_measures(
        _tables(parts),
        lambda table: (ours.f1(table, of="1"), ours.expected_cost(table, COSTS)),
        costs=COSTS,
    )
    return (*_error(found[0]), *_error(found[1]))


def _several_right(parts):
    cost = clusters.measured(lambda s: s[1] + 5 * s[2])(parts)
    return (*clusters.measured(scores.f_beta, _true_or_called)(parts), *cost)


def _true_or_called(part):
    (_, alarms), (missed, hits) = part
    return alarms + missed + 2 * hits


def _class_share(name):
    rest, won = PAIRS[name]
    return (
        lambda parts: _ends(ours.clustered_class_share(_tables(parts), name, of="1")),
        lambda parts: clusters.share(parts, lambda *c: (c[won], c[won] + c[rest])),
    )


JUDGED = (
    *(
        Judged(f"clustered_class_share, {name}", *_class_share(name), at, 12)
        for name, at in (("recall", TABLES[1:]), ("precision", TABLES))
    ),
    Judged(
        "clustered_trials",
        lambda won, tried: _ends(
            ours.clustered_trials(
                {str(k): x for k, x in enumerate(won)}, {str(k): x for k, x in enumerate(tried)}
            )
        ),
        lambda won, tried: (
            mp.mpf(sum(won)) / sum(tried), *limits.clustered_share(won, tried, 0.95),
        ),
        TRIALS,
        8,
    ),
    *(
        Judged(
            f"clustered_measure, {name}",
            _measured(measure),
            clusters.measured(right, *([_true_or_called] if name == "F1" else [])),
            at,
            8 if name == "predictive value" else 12,
        )
        for name, (measure, right, at) in MEASURES.items()
    ),
    Judged("clustered_measures", _several, _several_right, TABLES, 12),
    # The limits of these two are those of placements, which accuracy.beside names.
    Judged(
        "clustered_auc, value",
        lambda *parts: ours.clustered_auc(_scored(parts)).value,
        lambda *parts: clusters.area(parts)[0],
        SCORED,
        12,
    ),
    Judged(
        "clustered_auc_interval",
        lambda *parts: clustered_auc_interval(_scored(parts)).limits,
        lambda *parts: clusters.area(parts)[2:],
        SCORED,
        12,
    ),
    Judged(
        "clustered_gini, value",
        lambda *parts: ours.clustered_gini(_scored(parts)).value,
        lambda *parts: clusters.gini(parts)[0],
        SCORED,
        12,
    ),
    Judged(
        "clustered_auc_covariance",
        _covariance,
        clusters.areas,
        [
            (one, tuple(tuple((s * s % 17 if s < 999 else s, m, n) for s, m, n in p) for p in one))
            for one in SCORED[:3]
        ],
        12,
    ),
    *(
        Judged(
            f"clustered_proper_score, {rule}",
            lambda *parts, rule=rule: _error(ours.clustered_proper_score(_scored(parts), rule)),
            lambda *parts, rule=rule: clusters.proper_score(parts, rule),
            FORECASTS,
            12,
        )
        for rule in ("brier", "log")
    ),
    *(
        Judged(
            f"clustered_proper_difference, {rule}",
            lambda one, two, rule=rule: _difference(one, two, rule),
            lambda one, two, rule=rule: clusters.proper_difference(one, two, rule),
            list(zip(FORECASTS, OTHERS, strict=True)),
            12,
        )
        for rule in ("brier", "log")
    ),
    Judged("clustered_recalibration", _line, clusters.recalibration, [(f,) for f in FORECASTS], 9),
    Judged(
        "clustered_benefits",
        lambda parts, t: _error(ours.clustered_benefits(_scored(parts), [t])[0].benefit),
        clusters.benefit,
        [(parts, t) for parts in FORECASTS for t in (0.01, 0.5, 0.9)],
        11,
    ),
    Judged(
        "clustered_gains", _gains, clusters.gains,
        [(parts, d) for parts in FORECASTS for d in (0.1, 0.5)], 7,
    ),
    *(
        Judged(
            name,
            _vectors(name, read, *systems, split=split),
            _vector_reference(pair=len(systems) == 2, split=split),
            [(rows, classes) for rows in data for classes in CLASSES],
            12,
        )
        for name, read, systems, split, data in (
            ("vector_score", _sums, ("A",), False, ROWS),
            ("vector_difference", _sums, ("A", "B"), False, ROWS),
            ("clustered_vector_score", _sums, ("A",), True, ROWS),
            ("clustered_vector_difference", _sums, ("A", "B"), True, ROWS),
            ("weighted_vector_score", _weighted, ("A",), False, WEIGHTED),
            ("weighted_vector_difference", _weighted, ("A", "B"), False, WEIGHTED),
        )
    ),
    Judged(
        "weighted_vector_score, clusters",
        _vectors("weighted_vector_score", _weighted, "A", split=True),
        _vector_reference(pair=False, split=True),
        [(rows, classes) for rows in WEIGHTED for classes in CLASSES],
        12,
    ),
    Judged(
        "average_roc",
        _averaged,
        clusters.averaged,
        [(folds, rate) for folds in FOLDS for rate in (0.0, 0.07, 0.5)],
        12,
    ),
    Judged(
        "interpolated_precision",
        lambda rows, recall: float(
            ours.interpolated_precision(_table(rows), np.array([recall]))[0]
        ),
        clusters.precision_at_recall,
        [(FOLDS[0][1], r) for r in (0.01, 0.5, 1.0)]
        + [(DROP, r) for r in (1e-6, 0.55, 0.56)],
        12,
    ),
    Judged(
        "kappa_context",
        _context,
        clusters.kappa_context,
        [
            (((81, 9), (6, 4)),), (((99_999_990, 3), (4, 3)),), (((10**8, 1), (1, 10**8)),),
            (((20, 5, 1), (3, 30, 2), (0, 4, 35)),), (((10**8, 3, 1), (2, 50, 4), (0, 5, 7)),),
        ],
        14,
    ),
    Judged(
        "counted_accuracy",
        lambda x, n, level: _ends(ours.counted_accuracy(x, n, level=level)),
        lambda x, n, level: (mp.mpf(x) / n, *limits.wilson(x, n, level)),
        SHARES,
        15,
    ),
)  # fmt: skip
