"""Areas under curves and rates read off them, each in the worst cell of a space."""

from collections.abc import Callable
from functools import cache, partial
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from certificates.declaration import AT_LEAST_95, Certificate, Found
from certificates.search import Cell, Search, Space
from certificates.searched_areas import score_classes, searched
from steelyard.counts import ScoreTable
from steelyard.measures import (
    average_precision,
    detection_rate_at,
    equal_error_rate,
    exact_auc,
    gini,
    hand_till,
    ks_distance,
    partial_auc,
    rest_areas,
)
from steelyard.measures.roc.det import _equal_errors
from steelyard.measures.roc.partial_area import area_within, standardize_area
from steelyard.uncertainty import (
    auc_interval,
    bootstrap_auc_interval,
    delong_variance,
    newcombe_area_interval,
    roc_band,
)

__all__ = ["DECLARED"]

RESAMPLES = 200
Floats = NDArray[np.float64]
Curve = tuple[Floats, Floats, float]
"""False alarm rates and detection rates of the population, and its share of positives."""
Limits = Callable[[ScoreTable, np.random.Generator], Any]
GRID = np.linspace(40, -40, 80_001)
NEVER = "95 % on average, and never under 83 %"

SCORES = Space(
    axes={
        "area": (0.5, 0.8, 0.97),
        "positives": (5, 20, 80),
        "negatives each": (1, 10, 200),
        "spread": (1.0, 3.0),
        "levels": (0, 4),
    },
    fixed=frozenset({"levels"}),
    possible=lambda cell: (
        cell["positives"] * cell["negatives each"] <= 1000
        and (cell["levels"] == 0 or cell["spread"] == 1)
    ),
)
"""Normal scores; those of positives spread as far or further, as they are or in four values."""
DRAWN = Space(
    axes={"area": (0.6, 0.95), "positives": (5, 60), "negatives each": (1, 20)},
    possible=lambda cell: cell["positives"] * cell["negatives each"] <= 300,
)
"""A smaller space for what draws resamples itself."""


@cache
def _curve(area: float, positives: float, each: float, spread: float, levels: float) -> Curve:
    """The curve of the population, of four values in straight pieces."""
    shift = float(norm.ppf(area)) * sqrt(1 + spread**2)
    cuts = GRID
    if levels:
        cuts = np.array([np.inf, *np.linspace(-1, shift + 1, int(levels) - 1)[::-1], -np.inf])
    share = int(positives) / (int(positives) + int(positives * each))
    return norm.sf(cuts), norm.sf((cuts - shift) / spread), share


def _population(cell: Cell) -> Curve:
    spread, levels = cell.get("spread", 1.0), cell.get("levels", 0)
    return _curve(cell["area"], cell["positives"], cell["negatives each"], spread, levels)


def _covers(limits: Limits, truth: Callable[[Curve], float]) -> Callable[..., Found]:
    """Count how often an interval of drawn scores holds the truth of the population."""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        true = truth(_population(cell))
        hits = lost = 0
        for _ in range(draws):
            scores, _ = score_classes(cell, cell["area"], rng)
            ends = limits(ScoreTable.from_scores(*scores), rng)
            if ends is None:
                lost += 1
            else:
                hits += ends[0] - 1e-9 <= true <= ends[1] + 1e-9
        defined = draws - lost
        share = hits / defined if defined else 0.0
        return Found(share=share, draws=defined, hits=hits, undefined=lost)

    return trial


def _ends(measure: Callable[..., Any], **asked: Any) -> Limits:
    """Ask a measure for its limits; with ``drawn`` it draws resamples of its own."""
    drawn = asked.pop("drawn", False)

    def limits(table: ScoreTable, rng: np.random.Generator) -> tuple[float, float] | None:
        own = {"rng": rng, "resamples": RESAMPLES} if drawn else {}
        found = measure(table, **asked, **own).interval
        return None if found is None else (found.low, found.high)

    return limits


def _area_limits(method: str, table: ScoreTable, rng: np.random.Generator) -> Any:
    del rng
    area = float(exact_auc(table) or 0)
    items = {"positives": table.positive_total, "negatives": table.negative_total}
    if method == "newcombe":
        return newcombe_area_interval(area, **items)
    return auc_interval(area, delong_variance(table), **items, method=method).limits  # type: ignore[arg-type]


def _bootstrapped(table: ScoreTable, rng: np.random.Generator) -> Any:
    return bootstrap_auc_interval(table, rng=rng, resamples=RESAMPLES)


def _area(curve: Curve) -> float:
    return float(area_within(curve[0][None], curve[1][None], 0.0, 1.0)[0])


def _part(curve: Curve) -> float:
    inside = float(area_within(curve[0][None], curve[1][None], 0.0, 0.2)[0])
    return standardize_area(max(inside, 0.02), 0.0, 0.2) or 0.5


def _equal(curve: Curve) -> float:
    return float(_equal_errors(curve[0][None], curve[1][None])[0])


def _precision(curve: Curve) -> float:
    alarms, found, share = curve
    called = share * found + (1 - share) * alarms
    precisions = np.divide(share * found, called, out=np.ones_like(called), where=called > 0)
    return float(np.diff(found, prepend=0.0) @ precisions)


def _found_at(curve: Curve) -> float:
    return float(np.interp(0.1, curve[0], curve[1]))


def _band_holds(method: str) -> Callable[..., Found]:
    """Count how often the whole true curve lies inside the band."""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        shift = float(norm.ppf(cell["area"])) * sqrt(2)
        hits = 0
        for _ in range(draws):
            scores, _ = score_classes(cell, cell["area"], rng)
            table = ScoreTable.from_scores(*scores)
            band = roc_band(table, method=method, rng=rng, resamples=RESAMPLES)  # type: ignore[arg-type]
            true = norm.sf(norm.isf(band.false_alarm_rates) - shift)
            hits += bool(((band.low <= true + 1e-12) & (true <= band.high + 1e-12)).all())
        return Found(share=hits / draws, draws=draws, hits=hits)

    return trial


def _classes_cover(area: Callable[..., Any]) -> Callable[..., Found]:
    """Three classes, the third of which is rare; the number of the true one is higher."""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        sizes = [int(cell["rarest"]), *([int(cell["rarest"] * cell["others"])] * 2)]
        truth = np.repeat([0, 1, 2], sizes)
        true = float(norm.cdf(cell["higher"] / sqrt(2)))
        hits = 0
        for _ in range(draws):
            scores = rng.normal(size=(truth.size, 3)) + cell["higher"] * np.eye(3)[truth]
            ends = area(truth, scores, classes=(0, 1, 2)).interval
            hits += ends is not None and ends.low <= true <= ends.high
        return Found(share=hits / draws, draws=draws, hits=hits)

    return trial


def _searched(
    name: str, page: str, space: Space, trial: Callable[..., Found], seed: int, **more: Any
):
    return Certificate(
        name=name,
        family="ranking",
        claim=more.pop("claim", NEVER),
        setting=more.pop("setting", "normal scores"),
        page=page,
        experiment=Search(
            space=space, trial=trial, seek="lowest", beam=more.pop("beam", 2), rounds=1,
            spots=more.pop("spots", ()),
        ),
        allowed=more.pop("allowed", (0.83, 1.0)),
        seed=seed,
        short=more.pop("short", 100),
        long=more.pop("long", 1500),
        **more,
    )  # fmt: skip


FEW = "with few items of a class; evaluate takes the placements unless told"
ORDER = "with few items of a class; take the order statistics, which are the default"
THREE = Space(
    axes={"rarest": (3, 10, 50), "others": (1, 10), "higher": (0.3, 1.0, 2.5)},
)

DECLARED = [
    *searched(),
    *(
        _searched(
            f"AUC, {words}",
            "auc-delong",
            SCORES,
            _covers(partial(_area_limits, method), _area),
            1501,
            **more,
        )
        for method, words, more in (
            ("logit", "DeLong, logit", {"falls_short": (0.3, 0.8), "note": FEW}),
            ("wald", "DeLong, Wald", {"falls_short": (0.0, 0.7), "note": FEW}),
            ("newcombe", "Newcombe", {"falls_short": (0.7, 0.85), "note": FEW}),
        )
    ),
    _searched(
        "AUC, bootstrap", "auc-delong", DRAWN, _covers(_bootstrapped, _area), 1502, long=800,
        short=40, falls_short=(0.3, 0.8), note=FEW,
    ),
    _searched(
        "Gini", "targeting", SCORES,
        _covers(_ends(gini), lambda curve: 2 * _area(curve) - 1), 1503,
        claim="95 % or more", allowed=AT_LEAST_95,
    ),
    _searched(
        "KS distance", "targeting", SCORES,
        _covers(_ends(ks_distance), lambda curve: float(np.abs(curve[1] - curve[0]).max())), 1504,
        claim="95 % or more", allowed=AT_LEAST_95,
    ),
    _searched(
        "partial AUC", "roc", SCORES,
        _covers(_ends(partial_auc, false_alarm_rates=(0, 0.2)), _part), 1505,
        setting="normal scores, false alarms up to 0.2",
    ),
    _searched(
        "P_D at P_FA 0.1, bootstrap", "roc", DRAWN,
        _covers(_ends(detection_rate_at, false_alarm_rate=0.1, method="bootstrap", drawn=True),
                _found_at),
        1506, falls_short=(0.5, 0.8), note=ORDER, long=400, short=40,
    ),
    _searched("equal error rate", "roc", SCORES, _covers(_ends(equal_error_rate), _equal), 1512),
    _searched(
        "Hand-Till", "roc", THREE, _classes_cover(hand_till), 1513,
        setting="three classes, one of them rarer; the number of the true one is higher",
    ),
    _searched(
        "average precision, logit", "precision-recall", SCORES,
        _covers(_ends(average_precision), _precision), 1508,
    ),
    _searched(
        "average precision, bootstrap", "precision-recall", DRAWN,
        _covers(_ends(average_precision, drawn=True), _precision), 1509, long=400, short=40,
        falls_short=(0.2, 0.93),
        note="resamples repeat items and so flatter the ranking; take the logit",
    ),
    _searched(
        "ROC band, Kolmogorov", "roc", DRAWN, _band_holds("kolmogorov"), 1510,
        claim="the whole curve, 95 % or more", allowed=AT_LEAST_95, long=400, short=40,
    ),
    _searched(
        "one-against-rest AUC", "roc", THREE, _classes_cover(rest_areas), 1514,
        setting="three classes, one of them rarer; the number of the true one is higher",
    ),
    _searched(
        "ROC band, bootstrap", "roc", DRAWN, _band_holds("bootstrap"), 1511,
        claim="the whole curve, 95 %, never under 83 %", long=400, short=40,
        falls_short=(0.1, 0.5), note="for large samples, as the answer says; take kolmogorov",
    ),
]  # fmt: skip
