"""Clusters, weights and repeated tries, searched for the cell where a claim holds worst."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from scipy.special import ndtr, ndtri

from certificates.declaration import Certificate, Found
from certificates.search import Cell, Search, Space
from certificates.vectors import SHARP, TRUE_CHANCES, VAGUE, WORLD, scored_items, true_score
from steelyard.comparison import contrast_clusters, contrast_weights
from steelyard.counts import SCALE, Confusion, Grouped, Outcomes, ScoreTable, WeightSums
from steelyard.measures import (
    balanced_accuracy,
    clustered_auc,
    clustered_kappa,
    clustered_measure,
    clustered_vector_difference,
    clustered_vector_score,
    cohen_kappa,
    f1,
    likelihood_ratio_positive,
    markedness,
    mcc,
    npv,
    precision,
    specificity,
    tries_estimate,
)
from steelyard.results import Estimate
from steelyard.results.measured import Measured
from steelyard.uncertainty import (
    cluster_contrast,
    cluster_share_interval,
    weighted_share_interval,
)
from steelyard.uncertainty.clusters.unseen import unseen_cluster_interval

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


def _two_kinds(cell: Cell, draws: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Wins and losses where a rare kind of cluster makes up for the small lead of all others."""
    number, size, rare = int(cell["clusters"]), int(cell["size"]), cell["rare"]
    ahead = min(cell["lead"], rare / (1 - rare))
    behind = ahead * (1 - rare) / rare
    kind = rng.random((draws, number)) < rare
    wins = rng.binomial(size, np.where(kind, 0.0, ahead))
    losses = rng.binomial(size, np.where(kind, behind, 0.0))
    return np.full(number, size), wins, losses


def _two_kinds_covered(*, unseen: bool) -> Callable[[Cell, int, np.random.Generator], Found]:
    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        sizes, wins, losses = _two_kinds(cell, draws, rng)
        hits = 0
        for won, lost in zip(wins, losses, strict=True):
            if unseen:
                low, high = unseen_cluster_interval(won - lost, sizes)
                hits += low <= 0 <= high
            else:
                hits += cluster_contrast(won, lost, sizes).p_value > 0.05
        return _counted(hits, draws)

    return trial


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


def _heavy_covered(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Few items weigh much, and the first loses on them what it wins on the others."""
    number, part, heavy = int(cell["items"]), cell["rare"], cell["heavy"]
    behind = min(cell["behind"], (1 - part) / (part * heavy))
    ahead = behind * part * heavy / (1 - part)
    hits = 0
    for _ in range(draws):
        weighs = rng.random(number) < part
        weights = np.where(weighs, heavy, 1.0)
        apart = rng.random(number) < np.where(weighs, behind, ahead)
        place = np.where(apart, np.where(weighs, 2, 1), 3)
        sums = {k: _sums(weights[place == k]) for k in (1, 2, 3) if (place == k).any()}
        rows = {k: int((place == k).sum()) for k in sums}
        pair = Outcomes.from_patterns(rows, systems=("a", "b"), weights=sums)
        hits += contrast_weights(pair, rng=rng).contrasts[0, 1].p_value > 0.05
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


TABLES: dict[str, Callable[[Confusion], Measured]] = {
    "kappa": cohen_kappa,
    "F1": partial(f1, of="a"),
    "MCC": mcc,
    "positive likelihood ratio": partial(likelihood_ratio_positive, of="a"),
    "balanced accuracy": balanced_accuracy,
    "specificity": partial(specificity, of="a"),
    "negative predictive value": partial(npv, of="a"),
    "markedness": partial(markedness, of="a"),
    "precision": partial(precision, of="a"),
}
NAMES = tuple(TABLES)


def _table_covered(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Each cluster has its own chance of being right on each class, and weights, if it has any.

    Truths are drawn item by item, so that a cluster may hold one class alone.
    """
    measured = NAMES[int(cell["measure"])]
    sizes, measure = _sizes(cell), TABLES[measured]
    rates = np.array([cell["rate"], cell["other rate"]])
    part = np.array([cell["positive"], 1 - cell["positive"]])
    weighted = cell.get("spread", 0.0)
    tables = part[:, None] * np.array([[rates[0], 1 - rates[0]], [1 - rates[1], rates[1]]])
    whole = Confusion.from_matrix(np.round(tables * 10**9).astype(int).tolist(), classes=["a", "b"])
    truth = measure(whole).value
    assert truth is not None
    spread = (1 - cell["alike"]) / max(cell["alike"], 1e-3)
    hits = lost = 0
    place = np.repeat(np.arange(sizes.size), sizes)
    for _ in range(draws):
        each = rng.beta(rates * spread, (1 - rates) * spread, (sizes.size, 2))
        second = (rng.random(place.size) >= part[0]).astype(int)
        called = np.where(rng.random(place.size) < each[place, second], second, 1 - second)
        codes = place * 4 + second * 2 + called
        weights = np.exp(weighted * rng.standard_normal(place.size)) if weighted else None
        grouped = _grouped(codes, sizes.size, weights)
        found = (
            clustered_kappa(grouped) if measured == "kappa" else clustered_measure(grouped, measure)
        ).interval
        if found is None:
            lost += 1
            continue
        hits += found.low - ROUNDING <= truth <= found.high + ROUNDING
    defined = draws - lost
    return Found(share=hits / defined if defined else 0.0, draws=defined, hits=hits, undefined=lost)


def _grouped(codes: np.ndarray, clusters: int, weights: np.ndarray | None) -> Grouped[Confusion]:
    """Count items by cluster, truth and call."""
    rows = np.bincount(codes, minlength=4 * clusters).reshape(clusters, 2, 2)
    each = [] if weights is None else [weights, weights**2]
    sums = [np.bincount(codes, one, minlength=4 * clusters).reshape(rows.shape) for one in each]
    parts = {}
    for g in range(clusters):
        table = Confusion.from_matrix(rows[g].tolist(), classes=["a", "b"])
        if sums:
            one, two = sums[0][g], sums[1][g]
            table = replace(
                table,
                weights=tuple(
                    (
                        "ab"[i],
                        "ab"[j],
                        WeightSums(round(one[i, j] * SCALE), round(two[i, j] * SCALE)),
                    )
                    for i in (0, 1)
                    for j in (0, 1)
                    if rows[g, i, j]
                ),
            )
        parts[str(g)] = table
    return Grouped.from_parts("cluster", parts)


def _area_covered(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Normal scores; of their variance a share is common to all items of a cluster."""
    sizes, shared = _sizes(cell), cell["alike"]
    area = float(ndtr(cell["apart"] / np.sqrt(2)))
    place = np.repeat(np.arange(sizes.size), sizes)
    hits = lost = 0
    for _ in range(draws):
        truth = rng.random(place.size) < cell["positive"]
        if cell["pure"]:  # patients are ill or not, and all their items with them
            truth = (rng.random(sizes.size) < cell["positive"])[place]
        scores = (
            cell["apart"] * truth
            + np.sqrt(shared) * rng.standard_normal(sizes.size)[place]
            + np.sqrt(1 - shared) * rng.standard_normal(place.size)
        )
        parts = {
            str(g): ScoreTable.from_scores(
                scores[(place == g) & truth], scores[(place == g) & ~truth]
            )
            for g in range(sizes.size)
        }
        ends = clustered_auc(Grouped.from_parts("cluster", parts)).interval
        if ends is None:
            lost += 1
        else:
            hits += ends.low - ROUNDING <= area <= ends.high + ROUNDING
    defined = draws - lost
    return Found(share=hits / defined if defined else 0.0, draws=defined, hits=hits, undefined=lost)


def _vectors_covered(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Writers keep to one kind of item with a chance; a share of the kinds is hard to tell."""
    rule = ("spherical", "log")[int(cell["rule"])]
    measure: Callable[..., Estimate] = partial(clustered_vector_score, rule=rule, system="sharp")
    truth = true_score(rule, SHARP)
    if cell["both"]:
        measure = partial(clustered_vector_difference, rule=rule, first="sharp", second="vague")
        truth -= true_score(rule, VAGUE)
    number, size = int(cell["clusters"]), int(cell["size"])
    steps, hits, lost = np.cumsum(TRUE_CHANCES, axis=1), 0, 0
    for _ in range(draws):
        own = rng.choice(4, (number, 1), p=WORLD)
        free = rng.choice(4, (number, size), p=WORLD)
        kinds = np.where(rng.random((number, size)) < cell["alike"], own, free)
        classes = (rng.random((number, size, 1)) > steps[kinds][..., :2]).sum(axis=2)
        parts = {str(g): scored_items(kinds[g], classes[g]) for g in range(number)}
        ends = measure(Grouped.from_parts("cluster", parts)).interval
        if ends is None:
            lost += 1
        else:
            hits += ends.low - ROUNDING <= truth <= ends.high + ROUNDING
    defined = draws - lost
    return Found(share=hits / defined if defined else 0.0, draws=defined, hits=hits, undefined=lost)


def _one_in(number: int, axes: Mapping[str, Sequence[float]]) -> Callable[[Cell], bool]:
    """Walk one cell in so many of the grid, each value with all others; the search goes on."""

    def possible(cell: Cell) -> bool:
        if not all(cell[name] in values for name, values in axes.items()):
            return True
        turn = sum(
            (2 * k + 1) * list(values).index(cell[name])
            for k, (name, values) in enumerate(axes.items())
        )
        return turn % number == 0

    return possible


CLUSTERS = {
    "clusters": (2, 4, 10, 50),
    "size": (1, 10, 100),
    "unequal": (0.0, 1.5),
    "alike": (0.0, 0.2, 0.9),
}
TWO_CLASSES = {
    "clusters": (6, 20, 50),
    "size": (4, 20),
    "unequal": (0.0, 1.0),
    "alike": (0.05, 0.5),
    "positive": (0.15, 0.5),
    "rate": (0.7, 0.95),
    "other rate": (0.8, 0.97),
}
ANY_MEASURE = {**TWO_CLASSES, "spread": (0.0, 1.2), "measure": tuple(range(len(NAMES)))}
"""Weights are lognormal with this spread; 0 is no weights."""
RARE = {
    "clusters": 35, "size": 20, "unequal": 0.0, "alike": 0.5, "positive": 0.15, "rate": 0.95,
    "other rate": 0.97,
}  # fmt: skip
"""Most mistakes sit in a few clusters."""
RANKED = {
    "clusters": (6, 40),
    "size": (4, 15),
    "unequal": (0.0, 1.0),
    "alike": (0.1, 0.7),
    "positive": (0.2, 0.5),
    "apart": (1.0, 2.5),
    "pure": (0, 1),
}
"""Scores of two classes that are so far apart; clusters of one class, or of both."""
VECTORS = {
    "clusters": (5, 20), "size": (2, 6), "alike": (0.0, 0.8), "rule": (0, 1), "both": (0, 1)
}  # fmt: skip
KINDS = Space(
    axes={
        "clusters": (3, 6, 12, 50),
        "size": (1, 10, 100),
        "rare": (0.02, 0.05, 0.1, 0.3),
        "lead": (0.05, 0.2, 0.9),
    }
)
"""A small lead in most clusters, and a large loss in a rare kind of them."""
PAIRS = Space(axes={**CLUSTERS, "differ": (0.02, 0.2, 0.8), "even": (0.0, 0.5, 1.0)})
SHARES = Space(axes={**CLUSTERS, "alike": (0.0, 0.1, 0.4, 0.9), "rate": (0.5, 0.8, 0.95, 0.995)})


def _searched(name: str, space: Space, trial: Callable[..., Found], **more: object) -> Certificate:
    seek = "lowest" if "allowed" not in more else more.pop("seek", "lowest")
    depth = {name: more.pop(name) for name in ("beam", "rounds", "spots") if name in more}
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
        "difference over clusters, a rare kind unlike the rest",
        KINDS,
        _two_kinds_covered(unseen=False),
        claim="95 %",
        falls_short=(0.2, 0.8),
        note="clusters that were not seen cannot be known; the answer says what one could do",
        seed=1963,
        short=100,
        long=1000,
        rounds=2,
    ),
    _searched(
        "difference that allows for one cluster unseen",
        KINDS,
        _two_kinds_covered(unseen=True),
        allowed=(0.945, 1.0),
        seed=1964,
        short=50,
        long=1000,
        rounds=1,
    ),
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
        "difference of weighted items, heavy ones unlike the rest",
        Space(
            axes={
                "items": (10, 50, 300),
                "rare": (0.01, 0.05, 0.2),
                "heavy": (3.0, 50.0),
                "behind": (0.2, 1.0),
            }
        ),
        _heavy_covered,
        claim="95 %",
        falls_short=(0.1, 0.85),
        note="heavy items that were not seen cannot be known; the answer says so",
        seed=1965,
        short=50,
        long=1000,
        rounds=1,
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
    _searched(
        "measures of calls over clusters, weighted or not",
        Space(
            axes=ANY_MEASURE,
            fixed=frozenset({"measure"}),
            possible=_one_in(45, ANY_MEASURE),
        ),
        _table_covered,
        claim="95 %, and never under 90 %",
        allowed=(0.9, 1.0),
        page="detection",
        seed=1960,
        short=30,
        long=600,
        beam=3,
        rounds=1,
        spots=tuple({**RARE, "spread": 0.0, "measure": place} for place in range(len(NAMES))),
    ),
    _searched(
        "AUC over clusters",
        Space(axes=RANKED, fixed=frozenset({"pure"}), possible=_one_in(8, RANKED)),
        _area_covered,
        page="auc-delong",
        seed=1961,
        short=30,
        long=600,
        beam=2,
        rounds=1,
    ),
    _searched(
        "scores of vectors over clusters",
        Space(axes=VECTORS, fixed=frozenset({"rule", "both"}), possible=_one_in(2, VECTORS)),
        _vectors_covered,
        page="calibration",
        seed=1962,
        short=10,
        long=400,
        beam=2,
        rounds=1,
    ),
]
