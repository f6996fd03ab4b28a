"""Whether probabilities mean what they say, and what they cost, in the worst cell."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import expit

from certificates.declaration import Certificate, Found
from certificates.search import Cell, Search, Space, Trial
from steelyard.counts import ScoreTable
from steelyard.measures import (
    brier_score,
    calibration_curve,
    calibration_error,
    proper_score,
    recalibration,
)

__all__ = ["DECLARED"]

SPACE = Space(
    axes={
        "n": (20, 200),
        "centre": (-3.0, 0.0),
        "spread": (0.3, 1.5),
        "boldness": (0.5, 1.0, 2.0),
    },
    possible=lambda cell: cell["n"] * expit(cell["centre"]) >= 1,
)
"""True log odds are normal; those that are said are ``boldness`` times as large."""
CALIBRATED = replace(
    SPACE, axes={name: values for name, values in SPACE.axes.items() if name != "boldness"}
)
POINTS, WEIGHTS = np.polynomial.hermite_e.hermegauss(101)


def _drawn(cell: Cell, rng: np.random.Generator) -> ScoreTable:
    """Draw forecasts; with a boldness of 1 they mean what they say."""
    odds = cell["centre"] + cell["spread"] * rng.normal(size=int(cell["n"]))
    positive = rng.random(len(odds)) < expit(odds)
    said = expit(cell.get("boldness", 1.0) * odds)
    return ScoreTable.from_scores(said[positive], said[~positive])


def _mean_loss(loss: Callable[[Any], tuple[Any, Any]]) -> Callable[[Cell], float]:
    def truth(cell: Cell) -> float:
        odds = cell["centre"] + cell["spread"] * POINTS
        won, lost = loss(cell.get("boldness", 1.0) * odds)
        mean = WEIGHTS @ (expit(odds) * won + expit(-odds) * lost)
        return float(mean / WEIGHTS.sum())

    return truth


def _brier(odds: Any) -> tuple[Any, Any]:
    return expit(-odds) ** 2, expit(odds) ** 2


def _log(odds: Any) -> tuple[Any, Any]:
    return np.logaddexp(0, -odds), np.logaddexp(0, odds)


def _covering(measure: Callable[[ScoreTable], Any], truth: Callable[[Cell], float]) -> Trial:
    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        at = truth(cell)
        ends = [measure(_drawn(cell, rng)).interval for _ in range(draws)]
        known = [one for one in ends if one is not None]
        hits = sum(one.low <= at <= one.high for one in known)
        return Found(
            share=hits / len(known) if known else 0.0,
            draws=len(known),
            hits=hits,
            undefined=draws - len(known),
        )

    return trial


def _bins_hold(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Count the bins of the curve whose interval holds the forecast, which is the truth here."""
    held = [
        one.observed.interval.low <= one.forecast <= one.observed.interval.high
        for _ in range(draws)
        for one in calibration_curve(_drawn(cell, rng))
        if one.observed.interval is not None
    ]
    return Found(share=sum(held) / len(held), draws=len(held), hits=sum(held))


def _error_is_below(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    found = [calibration_error(_drawn(cell, rng)) for _ in range(draws)]
    hits = sum(one.error.value <= one.if_calibrated for one in found if one.error.value is not None)
    return Found(share=hits / draws, draws=draws, hits=hits)


def _error_is_held(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Count intervals of the calibration error that hold 0, the truth of calibrated forecasts."""
    ends = [calibration_error(_drawn(cell, rng)).error.interval for _ in range(draws)]
    hits = sum(one is not None and one.low == 0 for one in ends)
    return Found(share=hits / draws, draws=draws, hits=hits)


def _certificate(name: str, claim: str, trial: Trial, seed: int, **more: Any) -> Certificate:
    return Certificate(
        name=name,
        family="calibration",
        claim=claim,
        setting=more.pop("setting", "forecasts of normal log odds"),
        page="calibration",
        experiment=Search(
            space=more.pop("space", SPACE),
            trial=trial,
            seek=more.pop("seek", "lowest"),
            beam=2,
            rounds=1,
        ),
        allowed=more.pop("allowed", (0.9, 1.0)),
        seed=seed,
        short=100,
        long=1000,
        **more,
    )


def _part(name: str) -> Callable[[ScoreTable], object]:
    return lambda table: getattr(recalibration(table), name)


COVERS = "95 %, and never under 90 %"
MEANT: dict[str, Any] = {"space": CALIBRATED, "setting": "calibrated forecasts"}

DECLARED = [
    _certificate(
        "expected calibration error", "95 % or more", _error_is_held, 1711, allowed=(0.93, 1.0),
        **MEANT,
    ),
    _certificate(
        "Brier score of two classes", COVERS, _covering(brier_score, _mean_loss(_brier)), 1704
    ),
    _certificate(
        "log score of two classes",
        COVERS,
        _covering(lambda table: proper_score(table, "log"), _mean_loss(_log)),
        1705,
    ),
    _certificate(
        "calibration slope", COVERS, _covering(_part("slope"), lambda cell: 1 / cell["boldness"]),
        1701,
    ),
    _certificate(
        "calibration intercept", COVERS, _covering(_part("intercept"), lambda cell: 0.0), 1701
    ),
    _certificate(
        "calibration in the large", COVERS, _covering(_part("in_the_large"), lambda cell: 0.0),
        1701, **MEANT,
    ),
    _certificate(
        "calibration curve, single bins", "95 % of the bins, and never under 90 %", _bins_hold,
        1702, **MEANT,
    ),
    *(
        _certificate(
            f"expected calibration error by chance, {seek}",
            "a calibrated system is below the number said about half of the time",
            _error_is_below,
            1703,
            seek=seek,
            allowed=(0.4, 0.7),
            **MEANT,
        )
        for seek in ("lowest", "highest")
    ),
]  # fmt: skip
