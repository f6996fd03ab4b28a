"""Whether probabilities mean what they say."""

from collections.abc import Callable

import numpy as np
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import norm

from certificates.declaration import Certificate, Experiment, Found
from certificates.experiments import covered, limits_of
from steelyard.counts import ScoreTable
from steelyard.measures import brier_score, calibration_curve, calibration_error, recalibration

__all__ = ["DECLARED", "forecasts"]

SETTING = "200 calibrated forecasts with standard normal log odds"


def forecasts(rng: np.random.Generator) -> ScoreTable:
    """Draw 200 forecasts that mean what they say."""
    share = expit(rng.normal(size=200))
    positive = rng.random(200) < share
    return ScoreTable.from_scores(share[positive], share[~positive])


def _bins_hold(draws: int, seed: int) -> Found:
    """Count the bins of the curve whose interval holds the forecast, which is the truth here."""
    rng = np.random.default_rng(seed)
    held = [
        one.observed.interval.low <= one.forecast <= one.observed.interval.high
        for _ in range(draws)
        for one in calibration_curve(forecasts(rng))
        if one.observed.interval is not None
    ]
    return Found(share=sum(held) / len(held), draws=len(held), hits=sum(held))


def _error_is_below(draws: int, seed: int) -> Found:
    rng = np.random.default_rng(seed)
    found = [calibration_error(forecasts(rng)) for _ in range(draws)]
    hits = sum(one.error.value <= one.if_calibrated for one in found if one.error.value is not None)
    return Found(share=hits / draws, draws=draws, hits=hits)


def _certificate(
    name: str, claim: str, experiment: Experiment, allowed: tuple[float, float], seed: int
) -> Certificate:
    return Certificate(
        name=name,
        family="calibration",
        claim=claim,
        setting=SETTING,
        page="calibration",
        experiment=experiment,
        allowed=allowed,
        seed=seed,
        short=200,
        long=4000,
    )


def _recalibrated(part: str) -> Callable[[ScoreTable], object]:
    return lambda table: getattr(recalibration(table), part)


def _mean_brier() -> float:
    """Brier score of calibrated forecasts: the mean of p (1 - p)."""
    return float(quad(lambda x: norm.pdf(x) * expit(x) * expit(-x), -12, 12)[0])


def _error_is_held(draws: int, seed: int) -> Found:
    """Count intervals of the calibration error that hold 0, the truth of calibrated forecasts."""
    rng = np.random.default_rng(seed)
    ends = [calibration_error(forecasts(rng)).error.interval for _ in range(draws)]
    hits = sum(one is not None and one.low == 0 for one in ends)
    return Found(share=hits / draws, draws=draws, hits=hits)


DECLARED = [
    _certificate("expected calibration error", "95 % or more", _error_is_held, (0.955, 1.0), 1711),
    _certificate(
        "Brier score of two classes",
        "95 %",
        covered(limits_of(brier_score), forecasts, _mean_brier()),
        (0.935, 0.965),
        1704,
    ),
    *(
        _certificate(
            f"calibration {words}",
            "95 %",
            covered(limits_of(_recalibrated(part)), forecasts, truth),
            (0.935, 0.965),
            1701,
        )
        for part, words, truth in (
            ("slope", "slope", 1.0),
            ("intercept", "intercept", 0.0),
            ("in_the_large", "in the large", 0.0),
        )
    ),
    _certificate(
        "calibration curve, single bins", "95 % for each bin", _bins_hold, (0.935, 0.985), 1702
    ),
    _certificate(
        "expected calibration error by chance",
        "a calibrated system is below the number said half of the time",
        _error_is_below,
        (0.45, 0.58),
        1703,
    ),
]
