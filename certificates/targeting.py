"""What a list of the highest scores holds, and what acting on it is worth, in the worst cell."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy.special import expit
from scipy.stats import norm

from certificates.declaration import Certificate, Found
from certificates.search import Cell, Search, Space
from steelyard.counts import Grouped, ScoreTable
from steelyard.measures import clustered_benefits, clustered_gains, gain_curve, net_benefit

__all__ = ["DECLARED"]

SINGLE = Space(
    axes={
        "n": (30, 200, 2000),
        "share": (0.005, 0.05, 0.4),
        "apart": (0.0, 1.0, 3.0),
        "depth": (0.02, 0.1, 0.5, 0.9),
        "levels": (0, 4),
    },
    fixed=frozenset({"levels"}),
    possible=lambda cell: cell["n"] * cell["share"] >= 2 and cell["n"] * cell["depth"] >= 3,
)
"""Normal scores, as they are or in four values; three contacts or more."""
GROUPED = Space(
    axes={
        "clusters": (8, 40),
        "size": (8,),
        "share": (0.1, 0.3),
        "alike": (0.0, 0.6),
        "mixed": (0.0, 0.4),
        "apart": (2.0,),
        "depth": (0.1, 0.4),
    },
    possible=lambda cell: cell["clusters"] * cell["size"] * cell["share"] >= 4,
)
"""Clusters share a part of their score, and their shares of positives differ or not."""
BENEFITS = Space(
    axes={
        "n": (20, 200),
        "centre": (-2.0, 0.0),
        "spread": (0.3, 1.5),
        "threshold": (0.1, 0.4),
    },
    possible=lambda cell: cell["n"] * expit(cell["centre"]) >= 2,
)
GROUPED_BENEFITS = Space(
    axes={
        "clusters": (3, 30),
        "size": (4, 15),
        "alike": (0.0, 0.7),
        "centre": (-2.5, 0.0),
        "spread": (0.3, 1.5),
        "threshold": (0.1, 0.4),
    },
    # One half of the grid, each value with every other one; the search goes on from there.
    possible=lambda cell: (
        cell["clusters"] * cell["size"] * expit(cell["centre"]) >= 2
        and ((cell["size"] > 9) + (cell["alike"] > 0.3) + (cell["spread"] > 1)) % 2
        == (cell["threshold"] > 0.2)
    ),
)
"""Of the log odds a part is shared by all items of a cluster."""
CUTS = np.linspace(30, -30, 60_001)
POINTS = np.linspace(-8, 8, 4001)
WEIGHTS = norm.pdf(POINTS)


@cache
def _curve(share: float, apart: float, levels: float) -> tuple[np.ndarray, np.ndarray]:
    """Part contacted and part of the positives reached, in the population."""
    cuts = CUTS
    if levels:
        cuts = np.array([np.inf, *np.linspace(-1, apart + 1, int(levels) - 1)[::-1], -np.inf])
    reached = norm.sf(cuts - apart)
    return share * reached + (1 - share) * norm.sf(cuts), reached


def _gain(share: float, cell: Cell) -> float:
    return float(np.interp(cell["depth"], *_curve(share, cell["apart"], cell.get("levels", 0))))


def _truths(cell: Cell, positives: int, items: int) -> dict[str, float]:
    """Give what is true; lift is that of data with the share of positives seen."""
    gain = _gain(cell["share"], cell)
    return {
        "captured": gain,
        "precision": cell["share"] * gain / cell["depth"],
        "lift": _gain(positives / items, cell) / cell["depth"],
    }


def _holds(ends: Any, truth: float) -> bool:
    return bool(ends.low - 1e-9 <= truth <= ends.high + 1e-9)


def _listed(name: str) -> Callable[..., Found]:
    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        n, hits, lost = int(cell["n"]), 0, 0
        edges = np.linspace(-1, cell["apart"] + 1, max(1, int(cell["levels"]) - 1))
        for _ in range(draws):
            positive = rng.random(n) < cell["share"]
            if not positive.any():
                lost += 1
                continue
            score = rng.normal(size=n) + cell["apart"] * positive
            if cell["levels"]:
                score = np.searchsorted(edges, score).astype(float)
            table = ScoreTable.from_scores(score[positive], score[~positive])
            point = gain_curve(table, depths=[cell["depth"]]).points[0]
            truth = _truths(cell, int(positive.sum()), n)[name]
            hits += _holds(getattr(point, name).interval, truth)
        return Found(share=hits / (draws - lost), draws=draws - lost, hits=hits, undefined=lost)

    return trial


def _grouped(cell: Cell, rng: np.random.Generator) -> tuple[Grouped[ScoreTable], int]:
    groups, size, share = int(cell["clusters"]), int(cell["size"]), cell["share"]
    each = np.full(groups, share)
    if cell["mixed"] > 0:
        spread = (1 - cell["mixed"]) / cell["mixed"]
        each = rng.beta(share * spread, (1 - share) * spread, groups)
    positive = rng.random((groups, size)) < each[:, None]
    shared = np.sqrt(cell["alike"]) * rng.normal(size=(groups, 1))
    score = shared + np.sqrt(1 - cell["alike"]) * rng.normal(size=(groups, size))
    score += cell["apart"] * positive
    parts = {
        str(g): ScoreTable.from_scores(score[g][positive[g]], score[g][~positive[g]])
        for g in range(groups)
    }
    return Grouped.from_parts("cluster", parts), int(positive.sum())


def _listed_in_clusters(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Judge all three by the draws in which each holds, and keep the one that holds least."""
    hits, lost = dict.fromkeys(("captured", "precision", "lift"), 0), 0
    items = int(cell["clusters"]) * int(cell["size"])
    for _ in range(draws):
        clusters, positives = _grouped(cell, rng)
        point = clustered_gains(clusters, [cell["depth"]])[0] if positives else None
        if point is None or point.captured.interval is None:
            lost += 1
            continue
        for name, truth in _truths(cell, positives, items).items():
            hits[name] += _holds(getattr(point, name).interval, truth)
    least, defined = min(hits.values()), draws - lost
    share = least / defined if defined else 0.0
    return Found(share=share, draws=defined, hits=least, undefined=lost)


def _benefit(cell: Cell) -> float:
    """Net benefit of calibrated forecasts with normal log odds."""
    share = expit(cell["centre"] + cell["spread"] * POINTS)
    worth = share - (1 - share) * cell["threshold"] / (1 - cell["threshold"])
    return float((WEIGHTS * worth * (share >= cell["threshold"])).sum() / WEIGHTS.sum())


def _benefits(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    truth, hits = _benefit(cell), 0
    odds = cell["centre"] + cell["spread"] * rng.normal(size=(draws, int(cell["n"])))
    said = expit(odds)
    positive = rng.random(odds.shape) < said
    for one, true in zip(said, positive, strict=True):
        table = ScoreTable.from_scores(one[true], one[~true])
        hits += _holds(net_benefit(table, threshold=cell["threshold"]).interval, truth)
    return Found(share=hits / draws, draws=draws, hits=hits)


def _benefits_in_clusters(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    truth, shape = _benefit(cell), (draws, int(cell["clusters"]), int(cell["size"]))
    normal = np.sqrt(cell["alike"]) * rng.normal(size=(*shape[:2], 1))
    normal = normal + np.sqrt(1 - cell["alike"]) * rng.normal(size=shape)
    said = expit(cell["centre"] + cell["spread"] * normal)
    positive = rng.random(shape) < said
    hits = lost = 0
    for scores, true in zip(said, positive, strict=True):
        parts = {
            str(g): ScoreTable.from_scores(scores[g][true[g]], scores[g][~true[g]])
            for g in range(shape[1])
        }
        (point,) = clustered_benefits(Grouped.from_parts("cluster", parts), [cell["threshold"]])
        if point.benefit.interval is None:
            lost += 1
        else:
            hits += _holds(point.benefit.interval, truth)
    defined = draws - lost
    return Found(share=hits / defined if defined else 0.0, draws=defined, hits=hits, undefined=lost)


def _searched(name: str, space: Space, trial: Callable[..., Found], said: str, **more: Any):
    return Certificate(
        name=name,
        family="targeting",
        claim=more.pop("claim", "95 % on average, and never under 83 %"),
        setting=f"{said}; {space.words()}",
        page="targeting",
        experiment=Search(
            space=space, trial=trial, seek="lowest", beam=2, rounds=1, spots=more.pop("spots", ())
        ),
        allowed=more.pop("allowed", (0.83, 1.0)),
        seed=1601,
        short=more.pop("short", 100),
        long=more.pop("long", 2000),
        **more,
    )


DECLARED = [
    *(
        _searched(words, SINGLE, _listed(name), f"normal scores{tail}")
        for name, words, tail in (
            ("captured", "captured share at a depth", ""),
            ("precision", "precision at a depth", ""),
            ("lift", "lift at a depth", ", data with the share of positives seen"),
        )
    ),
    _searched(
        "captured share, precision and lift over clusters",
        GROUPED,
        _listed_in_clusters,
        "the one of the three that covers least",
        claim="95 % or more",
        allowed=(0.93, 1.0),
        short=20,
        long=400,
    ),
    _searched(
        "net benefit", BENEFITS, _benefits, "calibrated forecasts with normal log odds", long=800
    ),
    _searched(
        "net benefit over clusters",
        GROUPED_BENEFITS,
        _benefits_in_clusters,
        "calibrated forecasts with normal log odds, a part of them shared by a cluster",
        claim="95 % or more",
        allowed=(0.93, 1.0),
        short=20,
        long=600,
    ),
]
