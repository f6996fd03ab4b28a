"""What a list of the highest scores holds, and what acting on it is worth."""

from functools import partial

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import norm

from certificates.calibration import forecasts
from certificates.declaration import Certificate
from certificates.experiments import covered, limits_of
from steelyard.counts import ScoreTable
from steelyard.measures import gain_curve, net_benefit

__all__ = ["DECLARED"]

SHARE, SHIFT = 0.2, 1.0


def _scored(rng: np.random.Generator) -> ScoreTable:
    positive = rng.random(200) < SHARE
    score = rng.normal(size=200) + SHIFT * positive
    return ScoreTable.from_scores(score[positive], score[~positive])


def _gain(depth: float) -> float:
    """Share of the positives above the score that the part ``depth`` of all items reaches."""

    def excess(cut: float) -> float:
        return float(SHARE * norm.sf(cut - SHIFT) + (1 - SHARE) * norm.sf(cut) - depth)

    return float(norm.sf(brentq(excess, -9, 9) - SHIFT))


def _part(name: str, depth: float, table: ScoreTable):
    return getattr(gain_curve(table, depths=[depth]).points[0], name)


def _benefit(cut: float) -> float:
    """Net benefit of calibrated forecasts with standard normal log odds."""
    start = float(np.log(cut / (1 - cut)))

    def worth(odds: float) -> float:
        share = expit(odds)
        return float(norm.pdf(odds) * (share - (1 - share) * cut / (1 - cut)))

    return float(quad(worth, start, 12)[0])


def _targeted(name: str, depth: float) -> Certificate:
    truth = {
        "captured": _gain(depth),
        "precision": SHARE * _gain(depth) / depth,
        "lift": _gain(depth) / depth,
    }[name]
    words = {"captured": "captured share", "precision": "precision", "lift": "lift"}[name]
    return Certificate(
        name=f"{words} at depth {depth:g}",
        family="targeting",
        claim="95 %, or a little more",
        setting="200 items, 20 % positive, normal scores one apart",
        page="targeting",
        experiment=covered(limits_of(partial(_part, name, depth)), _scored, truth),
        allowed=(0.94, 0.98),
        seed=1601,
        short=300,
        long=10_000,
    )


DECLARED = [
    *(_targeted(name, depth) for name in ("captured", "precision", "lift") for depth in (0.1, 0.3)),
    Certificate(
        name="net benefit at 0.4",
        family="targeting",
        claim="95 %",
        setting="200 calibrated forecasts with standard normal log odds",
        page="targeting",
        experiment=covered(
            limits_of(partial(net_benefit, threshold=0.4)), forecasts, _benefit(0.4)
        ),
        seed=1602,
        short=300,
        long=10_000,
    ),
]
