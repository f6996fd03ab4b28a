"""Clusters, weights and repeated tries, searched for the cell where a claim holds worst."""

from collections.abc import Callable

import numpy as np
from scipy.special import ndtri

from certificates.declaration import Certificate, Found
from certificates.search import Cell, Search, Space
from steelyard.comparison import contrast_clusters, contrast_weights
from steelyard.counts import SCALE, Confusion, Grouped, Outcomes, WeightSums
from steelyard.measures import clustered_kappa, clustered_measure, f1, tries_estimate
from steelyard.uncertainty import (
    cluster_contrast,
    cluster_share_interval,
    weighted_share_interval,
)

__all__ = ["SEARCHED"]

ROUNDING = 1e-9


def _sizes(cell: Cell) -> np.ndarray:
    """Sizes of clusters: all alike, or as unequal as a lognormal with this spread of logarithms."""
    number = int(cell["clusters"])
    part = np.exp(cell["unequal"] * ndtri((np.arange(number) + 0.5) / number))
    return np.maximum(1, np.round(part / part.mean() * cell["size"])).astype(np.int64)


def _shares(
    rng: np.random.Generator, chances: np.ndarray, alike: float, shape: tuple[int, ...]
) -> np.ndarray:
    """Draw the chances of each cluster, with this correlation of two items of one cluster."""
    if alike == 0:
        return np.broadcast_to(chances, (*shape, chances.size))
    drawn = rng.standard_gamma(np.maximum(chances * (1 - alike) / alike, 1e-9), (*shape, 3))
    total = drawn.sum(axis=-1, keepdims=True)
    # Where all three underflow, one of them is nearly certain: which one, by its chance.
    lost = rng.multinomial(1, chances, shape)
    return np.where(total > 0, drawn / np.where(total > 0, total, 1), lost)


def _pairs(cell: Cell, draws: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Wins and losses of each cluster in every draw."""
    sizes = _sizes(cell)
    ahead = cell["differ"] / (1 + cell["even"])
    chances = np.array([ahead, cell["differ"] - ahead, 1 - cell["differ"]])
    each = _shares(rng, chances, cell["alike"], (draws, sizes.size))
    wins = rng.binomial(sizes, np.clip(each[..., 0], 0, 1))
    rest = 1 - each[..., 0]
    part = np.where(rest > 1e-12, each[..., 1] / np.where(rest > 1e-12, rest, 1), 0)
    losses = rng.binomial(sizes - wins, np.clip(part, 0, 1))
    return sizes, wins, losses


def _counted(hits: int, draws: int) -> Found:
    return Found(share=hits / draws, draws=draws, hits=hits)


def _difference_covered(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    sizes, wins, losses = _pairs(cell, draws, rng)
    truth = cell["differ"] * (1 - cell["even"]) / (1 + cell["even"])
    hits = sum(
        cluster_contrast(won, lost, sizes).tail(truth) >= 0.025
        for won, lost in zip(wins, losses, strict=True)
    )
    return _counted(hits, draws)


def _surely_best(limit: float) -> Callable[[Cell, int, np.random.Generator], Found]:
    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        sizes, wins, losses = _pairs({**cell, "even": 1.0}, draws, rng)
        hits = 0
        for won, lost in zip(wins, losses, strict=True):
            better = cluster_contrast(won, lost, sizes).better
            hits += max(better, 1 - better) >= limit
        return _counted(hits, draws)

    return trial


def _best_of_three(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Three equal systems whose answers go together inside clusters, and with one another."""
    sizes, hits = _sizes(cell), 0
    for _ in range(draws):
        parts = {}
        for place, size in enumerate(sizes.tolist()):
            spread = (1 - cell["alike"]) / max(cell["alike"], 1e-3)
            rate = cell["rate"]
            own = rng.beta(rate * spread, (1 - rate) * spread, 3)
            bits = rng.random((size, 3)) < own
            bits = np.where(rng.random((size, 1)) < 0.5, bits[:, :1], bits)
            patterns, rows = np.unique(bits @ np.array([1, 2, 4]), return_counts=True)
            parts[str(place)] = Outcomes.from_patterns(
                dict(zip(patterns.tolist(), rows.tolist(), strict=True)), systems=("a", "b", "c")
            )
        found = contrast_clusters(Grouped.from_parts("cluster", parts), rng=rng, draws=4000)
        hits += max(found.best) >= 0.999
    return _counted(hits, draws)


def _share_covered(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    sizes, rate = _sizes(cell), cell["rate"]
    each = np.full((draws, sizes.size), rate)
    if cell["alike"] > 0:
        spread = (1 - cell["alike"]) / cell["alike"]
        each = rng.beta(rate * spread, (1 - rate) * spread, each.shape)
    hits = 0
    for won in rng.binomial(sizes, each):
        low, high = cluster_share_interval(won, sizes)
        hits += low - ROUNDING <= rate <= high + ROUNDING
    return _counted(hits, draws)


def _weighted_items(cell: Cell, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Weights, and whether each item weighs so much because of its outcome."""
    number = int(cell["items"])
    weights = np.exp(cell["spread"] * rng.standard_normal(number))
    return weights / weights.mean(), weights > np.median(weights)


def _sums(weights: np.ndarray) -> WeightSums:
    return WeightSums(round(float(weights.sum()) * SCALE), round(float((weights**2).sum()) * SCALE))


def _weighted_share_covered(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    rate, hits = cell["rate"], 0
    for _ in range(draws):
        weights, _ = _weighted_items(cell, rng)
        won = rng.random(weights.size) < rate
        low, high = weighted_share_interval(_sums(weights[won]), _sums(weights), weights.size)
        hits += low - ROUNDING <= rate <= high + ROUNDING
    return _counted(hits, draws)


def _weighted_difference_covered(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Equal rates: items only the first, or only the second, had right come equally often."""
    hits = 0
    for _ in range(draws):
        weights, _ = _weighted_items(cell, rng)
        place = rng.choice(4, weights.size, p=_cells_of(cell["differ"]))
        sums = {k: _sums(weights[place == k]) for k in range(4) if (place == k).any()}
        rows = {k: int((place == k).sum()) for k in sums}
        pair = Outcomes.from_patterns(rows, systems=("a", "b"), weights=sums)
        found = contrast_weights(pair, rng=rng).contrasts[0, 1]
        hits += found.p_value <= 0.05
    return _counted(hits, draws)


def _cells_of(differ: float) -> list[float]:
    return [(1 - differ) / 2, differ / 2, differ / 2, (1 - differ) / 2]


def _tries_covered(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Chances of items are Beta with this mean; ``alike`` is the correlation of two tries."""
    tries, k, number = int(cell["tries"]), int(cell["k"]), int(cell["items"])
    spread = (1 - cell["alike"]) / cell["alike"]
    a, b = cell["rate"] * spread, (1 - cell["rate"]) * spread
    missed = float(np.prod([(b + i) / (a + b + i) for i in range(k)]))
    hits = 0
    for right in rng.binomial(tries, rng.beta(a, b, (draws, number))):
        ends = tries_estimate(right.tolist(), [tries] * number, k).interval
        assert ends is not None
        hits += ends.low - ROUNDING <= 1 - missed <= ends.high + ROUNDING
    return _counted(hits, draws)


def _table_covered(name: str) -> Callable[[Cell, int, np.random.Generator], Found]:
    """Half of the items of each cluster are of either class; both are right equally often."""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        sizes, rate = 2 * ((_sizes(cell) + 1) // 2), cell["rate"]
        spread = (1 - cell["alike"]) / max(cell["alike"], 1e-3)
        hits = lost = 0
        truth = 2 * rate - 1 if name == "kappa" else rate
        for _ in range(draws):
            each = rng.beta(rate * spread, (1 - rate) * spread, (sizes.size, 2))
            won = rng.binomial(sizes[:, None] // 2, each).tolist()
            parts = {
                str(g): Confusion.from_matrix(
                    [[one, half - one], [half - two, two]], classes=["a", "b"]
                )
                for g, ((one, two), half) in enumerate(zip(won, (sizes // 2).tolist(), strict=True))
            }
            grouped = Grouped.from_parts("cluster", parts)
            found = (
                clustered_kappa(grouped)
                if name == "kappa"
                else clustered_measure(grouped, lambda table: f1(table, of="a"))
            ).interval
            if found is None:
                lost += 1
                continue
            hits += found.low - ROUNDING <= truth <= found.high + ROUNDING
        return Found(share=hits / (draws - lost), draws=draws - lost, hits=hits, undefined=lost)

    return trial


CLUSTERS = {
    "clusters": (2, 4, 10, 50),
    "size": (1, 10, 100),
    "unequal": (0.0, 1.5),
    "alike": (0.0, 0.2, 0.9),
}
PAIRS = Space(axes={**CLUSTERS, "differ": (0.02, 0.2, 0.8), "even": (0.0, 0.5, 1.0)})
SHARES = Space(axes={**CLUSTERS, "alike": (0.0, 0.1, 0.4, 0.9), "rate": (0.5, 0.8, 0.95, 0.995)})


def _searched(name: str, space: Space, trial: Callable[..., Found], **more: object) -> Certificate:
    seek = "lowest" if "allowed" not in more else more.pop("seek", "lowest")
    depth = {name: more.pop(name) for name in ("beam", "rounds") if name in more}
    return Certificate(
        name=name,
        family="clusters",
        claim=str(more.pop("claim", "95 % or more")),
        setting=f"searched: {space.words()}",
        page=str(more.pop("page", "repeated-tries")),
        experiment=Search(space=space, trial=trial, seek=seek, **depth),  # type: ignore[arg-type]
        allowed=more.pop("allowed", (0.93, 1.0)),  # type: ignore[arg-type]
        seed=int(more.pop("seed", 1950)),  # type: ignore[call-overload]
        short=int(more.pop("short", 200)),  # type: ignore[call-overload]
        long=int(more.pop("long", 4000)),  # type: ignore[call-overload]
        **more,  # type: ignore[arg-type]
    )


SEARCHED = [
    _searched("difference of two rates over clusters", PAIRS, _difference_covered, seed=1951),
    _searched(
        "equal systems over clusters, P(better) of 0.975",
        Space(axes={**CLUSTERS, "differ": (0.02, 0.2, 0.8)}),
        _surely_best(0.975),
        claim="in at most 5 %",
        allowed=(0.0, 0.06),
        seek="highest",
        seed=1952,
        long=3000,
        rounds=2,
    ),
    _searched(
        "equal systems over clusters, P(better) of 0.999",
        Space(axes={**CLUSTERS, "differ": (0.02, 0.2, 0.8)}),
        _surely_best(0.999),
        claim="in at most 0.2 %",
        allowed=(0.0, 0.004),
        seek="highest",
        seed=1953,
        long=3000,
        rounds=2,
    ),
    _searched(
        "three equal systems over clusters, P(best) of 0.999",
        Space(
            axes={
                "clusters": (2, 3, 5),
                "size": (20,),
                "unequal": (0.0,),
                "alike": (0.05, 0.5),
                "rate": (0.8,),
            }
        ),
        _best_of_three,
        claim="in at most 0.3 %",
        allowed=(0.0, 0.006),
        seek="highest",
        seed=1954,
        short=20,
        long=400,
        beam=2,
        rounds=1,
    ),
    _searched("share over clusters", SHARES, _share_covered, seed=1955),
    _searched(
        "share of weighted items",
        Space(
            axes={
                "items": (3, 10, 50, 300),
                "spread": (0.2, 1.0, 2.0),
                "rate": (0.5, 0.8, 0.95, 0.99),
            }
        ),
        _weighted_share_covered,
        seed=1956,
    ),
    _searched(
        "difference of weighted items, equal systems",
        Space(
            axes={"items": (3, 10, 50, 300), "spread": (0.2, 1.0, 2.0), "differ": (0.05, 0.3, 1.0)}
        ),
        _weighted_difference_covered,
        claim="rejects in at most 5 %",
        allowed=(0.0, 0.06),
        seek="highest",
        seed=1957,
        long=2000,
    ),
    _searched(
        "pass@k of items like these",
        Space(
            axes={
                "items": (5, 60),
                "tries": (1, 5, 10),
                "k": (1, 5),
                "rate": (0.5, 0.9, 0.99),
                "alike": (0.1, 0.9),
            },
            possible=lambda cell: cell["k"] <= cell["tries"],
        ),
        _tries_covered,
        seed=1958,
        long=2000,
        rounds=2,
    ),
    *(
        _searched(
            f"{name} over clusters",
            Space(
                axes={
                    "clusters": (6, 20, 50),
                    "size": (20,),
                    "unequal": (0.0, 1.0),
                    "alike": (0.05, 0.5),
                    "rate": (0.7, 0.95),
                }
            ),
            _table_covered(name),
            page="agreement" if name == "kappa" else "detection",
            seed=1959,
            short=30,
            long=500,
            beam=2,
            rounds=1,
        )
        for name in ("kappa", "F1")
    ),
]
