"""Areas under curves and rates read off them, for two normal score distributions one apart."""

from collections.abc import Callable
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.stats import norm

from certificates.declaration import AT_LEAST_95, Certificate, Experiment, Found
from certificates.experiments import covered, limits_of
from certificates.searched_areas import searched
from steelyard.counts import ScoreTable
from steelyard.measures import (
    average_precision,
    detection_rate_at,
    equal_error_rate,
    exact_auc,
    false_alarm_rate_at,
    gini,
    hand_till,
    ks_distance,
    partial_auc,
    pr_area,
    rest_areas,
)
from steelyard.results import Estimate
from steelyard.uncertainty import (
    auc_interval,
    bootstrap_auc_interval,
    delong_variance,
    newcombe_area_interval,
    roc_band,
)

__all__ = ["DECLARED", "scores_apart"]

RESAMPLES = 200


def scores_apart(
    shift: float, positives: int, negatives: int, rng: np.random.Generator
) -> ScoreTable:
    """Positives score ``shift`` higher than negatives, both with variance 1."""
    return ScoreTable.from_scores(rng.normal(shift, 1, positives), rng.normal(0, 1, negatives))


def _shift(area: float) -> float:
    return float(sqrt(2) * norm.ppf(area))


def _detections(alarms: float, shift: float) -> float:
    return float(norm.sf(norm.isf(alarms) - shift))


def _area_limits(method: str, table: ScoreTable) -> tuple[float, float] | None:
    return auc_interval(
        float(exact_auc(table) or 0),
        delong_variance(table),
        positives=table.positive_total,
        negatives=table.negative_total,
        method=method,  # type: ignore[arg-type]
    ).limits


def _newcombe(table: ScoreTable) -> tuple[float, float]:
    return newcombe_area_interval(
        float(exact_auc(table) or 0),
        positives=table.positive_total,
        negatives=table.negative_total,
    )


def _seeded(
    function: Callable[..., Any], draw: Callable[[np.random.Generator], ScoreTable], truth: float
) -> Experiment:
    """Cover with an interval that draws random numbers of its own."""

    def paired(rng: np.random.Generator) -> tuple[ScoreTable, np.random.Generator]:
        return draw(rng), rng

    return covered(lambda drawn: function(drawn[0], drawn[1]), paired, truth)


def _limits(measure: Callable[..., Any], **asked: Any) -> Callable[..., Any]:
    def limits(table: ScoreTable, rng: np.random.Generator) -> tuple[float, float] | None:
        found = measure(table, rng=rng, resamples=RESAMPLES, **asked).interval
        return None if found is None else (found.low, found.high)

    return limits


def _average_precision(shift: float, share: float) -> float:
    def precision(cut: float) -> float:
        true, false = share * norm.sf(cut - shift), (1 - share) * norm.sf(cut)
        return float(norm.pdf(cut - shift) * true / (true + false))

    return float(quad(precision, -9, 9 + shift, limit=200)[0])


def _partial(shift: float, low: float, high: float) -> float:
    inside = quad(lambda x: _detections(x, shift), low, high)[0]
    least, most = (high**2 - low**2) / 2, high - low
    return float((1 + (inside - least) / (most - least)) / 2)


def _band_holds(method: str, shift: float, items: int) -> Experiment:
    """Count how often the whole true curve lies inside the band."""

    def experiment(draws: int, seed: int) -> Found:
        rng = np.random.default_rng(seed)
        hits = 0
        for _ in range(draws):
            table = scores_apart(shift, items, items, rng)
            band = roc_band(table, method=method, rng=rng, resamples=RESAMPLES)  # type: ignore[arg-type]
            true = norm.sf(norm.isf(band.false_alarm_rates) - shift)
            hits += bool(((band.low <= true + 1e-12) & (true <= band.high + 1e-12)).all())
        return Found(share=hits / draws, draws=draws, hits=hits)

    return experiment


def _areas() -> list[Certificate]:
    found = []
    settings = [(0.5, 25, 25), (0.75, 30, 60), (0.9, 50, 50), (0.95, 15, 15)]
    methods = {"logit": "DeLong, logit", "wald": "DeLong, Wald", "newcombe": "Newcombe"}
    short = {
        ("wald", 0.95): ((0.80, 0.90), "too short for large areas and few items; take the logit"),
        ("wald", 0.9): ((0.915, 0.94), "too short for large areas and few items; take the logit"),
    }
    allowed = {
        ("logit", 0.95): (0.935, 0.985),
        ("newcombe", 0.9): (0.935, 0.975),
        ("newcombe", 0.95): (0.935, 0.985),
    }
    for method, words in methods.items():
        interval = _newcombe if method == "newcombe" else partial(_area_limits, method)
        for area, positives, negatives in settings:
            known, note = short.get((method, area), (None, ""))
            found.append(
                Certificate(
                    name=f"AUC, {words}, {area:g}",
                    family="ranking",
                    claim="95 %",
                    setting=f"area {area:g}, {positives} positives, {negatives} negatives, normal",
                    page="auc-delong",
                    experiment=covered(
                        interval, partial(scores_apart, _shift(area), positives, negatives), area
                    ),
                    allowed=allowed.get((method, area), (0.935, 0.97)),
                    seed=1501,
                    short=300,
                    long=20_000,
                    falls_short=known,
                    note=note,
                )
            )
    return found


def _resampled(name: str, setting: str, page: str, experiment: Experiment, seed: int, **more: Any):
    return Certificate(
        name=name,
        family="ranking",
        claim=more.pop("claim", "95 %"),
        setting=setting,
        page=page,
        experiment=experiment,
        seed=seed,
        short=40,
        long=more.pop("long", 4000),
        **more,
    )


def _three_classes(rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    truth = np.repeat([0, 1, 2], [40, 50, 60])
    return truth, rng.normal(size=(150, 3)) + np.eye(3)[truth]


def _class_limits(area: Callable[..., Estimate]) -> Callable[[Any], tuple[float, float] | None]:
    return limits_of(lambda drawn: area(*drawn, classes=(0, 1, 2)))


ONE_APART = partial(scores_apart, 1.0, 60, 90)
FAR = partial(scores_apart, 1.5, 50, 100)
SETTING = "60 positives, 90 negatives, normal scores one apart"
FAR_SETTING = "50 positives, 100 negatives, normal scores 1.5 apart"

DECLARED = [
    *_areas(),
    *searched(),
    _resampled(
        "AUC, bootstrap",
        SETTING,
        "auc-delong",
        _seeded(
            lambda table, rng: bootstrap_auc_interval(table, rng=rng, resamples=RESAMPLES),
            ONE_APART,
            float(norm.cdf(1 / sqrt(2))),
        ),
        1502,
    ),
    Certificate(
        name="Gini",
        family="ranking",
        claim="95 % or a little more",
        setting=SETTING,
        page="targeting",
        experiment=covered(limits_of(gini), ONE_APART, 2 * float(norm.cdf(1 / sqrt(2))) - 1),
        allowed=(0.94, 0.985),
        seed=1503,
        short=300,
        long=20_000,
    ),
    Certificate(
        name="KS distance",
        family="ranking",
        claim="95 % or more",
        setting=SETTING,
        page="targeting",
        experiment=covered(limits_of(ks_distance), ONE_APART, 2 * float(norm.cdf(0.5)) - 1),
        allowed=AT_LEAST_95,
        seed=1504,
        short=300,
        long=20_000,
    ),
    _resampled(
        "partial AUC",
        FAR_SETTING + ", false alarms up to 0.2",
        "roc",
        _seeded(_limits(partial_auc, false_alarm_rates=(0, 0.2)), FAR, _partial(1.5, 0.0, 0.2)),
        1505,
    ),
    _resampled(
        "P_D at P_FA 0.1",
        FAR_SETTING,
        "roc",
        _seeded(
            _limits(detection_rate_at, false_alarm_rate=0.1, method="bootstrap"),
            FAR,
            _detections(0.1, 1.5),
        ),
        1506,
        allowed=(0.93, 0.975),
    ),
    _resampled(
        "P_FA at P_D 0.8",
        "100 positives, 80 negatives, normal scores 1.5 apart",
        "roc",
        _seeded(
            _limits(false_alarm_rate_at, detection_rate=0.8, method="bootstrap"),
            partial(scores_apart, 1.5, 100, 80),
            float(norm.sf(norm.isf(0.8) + 1.5)),
        ),
        1507,
        allowed=(0.93, 0.975),
    ),
    _resampled(
        "equal error rate",
        SETTING,
        "roc",
        _seeded(_limits(equal_error_rate), ONE_APART, float(norm.cdf(-0.5))),
        1512,
        allowed=(0.93, 0.975),
    ),
    *(
        Certificate(
            name=name,
            family="ranking",
            claim="95 %",
            setting="40, 50 and 60 items of three classes, the number of the true one higher by 1",
            page="roc",
            experiment=covered(_class_limits(area), _three_classes, float(norm.cdf(1 / sqrt(2)))),
            allowed=(0.94, 0.995),
            seed=seed,
            short=200,
            long=10_000,
        )
        for name, area, seed in (
            ("Hand-Till", hand_till, 1513),
            ("one-against-rest AUC", rest_areas, 1514),
        )
    ),
    Certificate(
        name="average precision, logit",
        family="ranking",
        claim="95 %, or a little more",
        allowed=(0.945, 0.985),
        setting=SETTING,
        page="precision-recall",
        experiment=covered(limits_of(average_precision), ONE_APART, _average_precision(1.0, 0.4)),
        seed=1508,
        short=300,
        long=20_000,
    ),
    _resampled(
        "average precision, bootstrap",
        SETTING,
        "precision-recall",
        _seeded(_limits(pr_area), ONE_APART, _average_precision(1.0, 0.4)),
        1509,
        falls_short=(0.90, 0.93),
        note="resamples repeat items and so flatter the ranking; take the logit",
    ),
    _resampled(
        "ROC band, Kolmogorov",
        "60 of each class, normal scores one apart",
        "roc",
        _band_holds("kolmogorov", 1.0, 60),
        1510,
        claim="the whole curve, 95 % or more",
        allowed=AT_LEAST_95,
    ),
    _resampled(
        "ROC band, bootstrap",
        "60 of each class, normal scores one apart",
        "roc",
        _band_holds("bootstrap", 1.0, 60),
        1511,
        claim="the whole curve, 95 %",
        long=2000,
    ),
]
