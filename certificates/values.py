"""A number for each item: intervals, tests, ranks, fronts and sequences in their worst cells."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import ndtri
from scipy.stats import binom

from certificates.declaration import Certificate, Found
from certificates.search import Cell, Search, Space
from steelyard.comparison import (
    asymptotic_sequence,
    betting_evidence,
    mapsswe,
    paired_mean_difference,
    permute_signs,
    quality_cost_front,
    quantile_difference,
    rank_means,
    rank_ratios,
    ratio_difference,
    wilcoxon_test,
)
from steelyard.errors import CountsError
from steelyard.planning import mean_samples
from steelyard.uncertainty import (
    bca_mean_interval,
    betting_interval,
    cluster_freedom,
    cluster_quantile_interval,
    empirical_bernstein_interval,
    estimate_mean,
    estimate_ratio,
    quantile_interval,
    skewness,
    value_caveats,
)
from steelyard.uncertainty.values.student import cluster_caveats

__all__ = ["DECLARED"]

Rng = np.random.Generator
Draw = Callable[[Cell, int, Rng], np.ndarray]

MARGIN = 0.5


def _sums(values: np.ndarray) -> tuple[int, float, float]:
    return values.size, float(values.sum()), float(values @ values)


def _counting(draw: Draw, happens: Callable[[Cell, np.ndarray, Rng], bool | None]):
    """Draw data sets of a cell and count; None is neither a hit nor a miss, and not counted."""

    def trial(cell: Cell, draws: int, rng: Rng) -> Found:
        found = [happens(cell, one, rng) for one in draw(cell, draws, rng)]
        known = [one for one in found if one is not None]
        share = sum(known) / len(known) if known else 0.0
        return Found(
            share=share, draws=len(known), hits=int(sum(known)), undefined=draws - len(known)
        )

    return trial


def _holds(ends: tuple[float, float], truth: float) -> bool:
    slack = 1e-12 * max(1.0, abs(truth))
    return ends[0] - slack <= truth <= ends[1] + slack


def _gammas(cell: Cell, draws: int, rng: Rng) -> np.ndarray:
    """Values with a long tail to the right; their mean is 1."""
    return rng.gamma(cell["shape"], 1 / cell["shape"], (draws, int(cell["n"])))


def _student_holds_or_warns(cell: Cell, values: np.ndarray, rng: Rng) -> bool:
    if value_caveats(values.size, skewness(values)):
        return True
    return _holds(estimate_mean(*_sums(values)).interval(), 1.0)


def _student_holds(cell: Cell, values: np.ndarray, rng: Rng) -> bool:
    return _holds(estimate_mean(*_sums(values)).interval(), 1.0)


def _bca_holds(cell: Cell, values: np.ndarray, rng: Rng) -> bool:
    return _holds(bca_mean_interval(values, rng=rng, repetitions=600), 1.0)


def _outliers(cell: Cell, draws: int, rng: Rng) -> np.ndarray:
    """Values near 1, and rarely one a hundred times as far away; their mean is 1."""
    size = (draws, int(cell["n"]))
    far = 100 * (rng.random(size) < cell["rare"])
    return 1 + rng.normal(0, 1, size) + far - 100 * cell["rare"]


LONG_TAILS = Space(axes={"n": (10, 28, 60, 150, 400), "shape": (0.2, 0.5, 1.0, 4.0, 50.0)})
FEW = Space(axes={"n": (5, 10, 27), "shape": (0.5, 1.0, 4.0, 50.0)})
RARE = Space(axes={"n": (30, 100, 300), "rare": (0.002, 0.01, 0.03)})


def _betas(cell: Cell, draws: int, rng: Rng) -> np.ndarray:
    total = cell["total"]
    a, b = cell["mean"] * total, (1 - cell["mean"]) * total
    return np.clip(rng.beta(a, b, (draws, int(cell["n"]))), 0.0, 1.0)


def _bounded(interval: Callable[..., tuple[float, float]]):
    def holds(cell: Cell, values: np.ndarray, rng: Rng) -> bool:
        return _holds(interval(values, bounds=(0.0, 1.0)), cell["mean"])

    return _counting(_betas, holds)


RANGE = Space(
    axes={"n": (2, 10, 40, 150), "mean": (0.01, 0.1, 0.5, 0.97), "total": (0.02, 1.0, 20.0)}
)


def _order_statistics(cell: Cell, draws: int, rng: Rng) -> Found:
    """Sum the coverage over how many of n values lie below the quantile."""
    n, share = int(cell["n"]), cell["share"]
    found = quantile_interval(np.arange(1.0, n + 1), share=share)
    below = np.arange(n + 1)
    low = -np.inf if found.low is None else found.low
    high = np.inf if found.high is None else found.high
    # With k values below it the quantile lies between the items of rank k and k + 1.
    held = (below + 0.5 >= low) & (below + 0.5 <= high)
    return Found(share=float(binom.pmf(below, n, share) @ held))


def _latencies(cell: Cell, draws: int, rng: Rng) -> np.ndarray:
    """Two systems on common items, the second slower by a factor."""
    n = int(cell["n"])
    common = rng.normal(0, np.sqrt(cell["alike"]), (draws, n, 1))
    own = rng.normal(0, np.sqrt(1 - cell["alike"]), (draws, n, 2))
    return np.exp(cell["spread"] * (common + own)) * np.array([1.0, cell["slower"]])


def _quantile_gap_beyond(cell: Cell, values: np.ndarray, rng: Rng) -> bool | None:
    """Tell whether a gate on the true difference would pass; None where items are too few."""
    share = cell["share"]
    truth = float(np.exp(cell["spread"] * ndtri(share))) * (1 - cell["slower"])
    try:
        found = quantile_difference(
            values[:, 0], values[:, 1], share=share, rng=rng, level=0.9, repetitions=400
        )
    except CountsError:
        return None
    return truth < found.low if cell["first"] else truth > found.high


def _word_errors(cell: Cell, draws: int, rng: Rng) -> np.ndarray:
    """Utterances of 5 to 20 words; how hard one is varies by a gamma distribution."""
    size = (draws, int(cell["n"]))
    words = rng.integers(5, 21, size)
    hard = rng.gamma(cell["even"], 1 / cell["even"], size)
    errors = np.stack([rng.poisson(cell["rate"] * words * hard) for _ in range(2)], axis=-1)
    return np.concatenate([errors, words[..., None]], axis=-1).astype(float)


def _rate_holds(cell: Cell, rows: np.ndarray, rng: Rng) -> bool:
    try:
        found = estimate_ratio(rows[:, 0], rows[:, 2])
    except CountsError:
        return True
    return _holds(found.interval(), cell["rate"])


def _rate_holds_or_warns(cell: Cell, rows: np.ndarray, rng: Rng) -> bool:
    residuals = rows[:, 0] - rows[:, 0].sum() / rows[:, 2].sum() * rows[:, 2]
    warned = bool(value_caveats(len(rows), skewness(residuals)))
    return warned or _rate_holds(cell, rows, rng)


def _rates_called_different(cell: Cell, rows: np.ndarray, rng: Rng) -> bool:
    words = rows[:, 2]
    return ratio_difference(rows[:, 0], words, rows[:, 1], words).p_value <= 0.05


ERRORS = Space(axes={"n": (10, 30, 100), "rate": (0.005, 0.03, 0.1, 0.3), "even": (0.5, 2.0, 20.0)})


def _clusters(cell: Cell, draws: int, rng: Rng) -> np.ndarray:
    """Totals of clusters whose sizes grow from the first to the last, and the sizes."""
    count = int(cell["clusters"])
    sizes = np.rint(np.geomspace(10, 10 * cell["uneven"], count))
    alike = rng.normal(0, np.sqrt(cell["alike"]), (draws, count))
    rest = rng.normal(0, 1, (draws, count)) * np.sqrt((1 - cell["alike"]) / sizes)
    totals = sizes * (3 + alike + rest)
    return np.stack([totals, np.broadcast_to(sizes, totals.shape)], axis=-1)


def _cluster_mean_holds(cell: Cell, rows: np.ndarray, rng: Rng) -> bool:
    return _holds(estimate_ratio(rows[:, 0], rows[:, 1], scale="plain").interval(), 3.0)


def _cluster_mean_holds_or_warns(cell: Cell, rows: np.ndarray, rng: Rng) -> bool:
    warned = "uneven-clusters" in cluster_caveats(rows[:, 1])
    return warned or _cluster_mean_holds(cell, rows, rng)


def _fewer_degrees_hold(cell: Cell, rows: np.ndarray, rng: Rng) -> bool:
    freedom = cluster_freedom(rows[:, 1])
    found = estimate_ratio(rows[:, 0], rows[:, 1], scale="plain", freedom=freedom)
    return _holds(found.interval(), 3.0)


CLUSTERS = Space(
    axes={"clusters": (5, 10, 20, 30), "uneven": (1.0, 3.0, 10.0), "alike": (0.0, 0.1, 0.5)}
)


def _alike_values(cell: Cell, draws: int, rng: Rng) -> np.ndarray:
    """Values of items in clusters whose sizes grow from the first to the last, and the cluster."""
    count = int(cell["clusters"])
    sizes = np.rint(np.geomspace(6, 6 * cell["uneven"], count)).astype(int)
    code = np.repeat(np.arange(count), sizes)
    own = rng.normal(0, np.sqrt(cell["alike"]), (draws, count))[:, code]
    values = own + rng.normal(0, np.sqrt(1 - cell["alike"]), (draws, code.size))
    return np.stack([values, np.broadcast_to(code, values.shape)], axis=-1)


def _cluster_quantile_holds(cell: Cell, rows: np.ndarray, rng: Rng) -> bool:
    found = cluster_quantile_interval(rows[:, 0], rows[:, 1], share=cell["share"])
    low = -np.inf if found.low is None else found.low
    high = np.inf if found.high is None else found.high
    return _holds((low, high), float(ndtri(cell["share"])))


ALIKE = Space(
    axes={
        "clusters": (8, 30, 80, 150),
        "uneven": (1.0, 5.0),
        "alike": (0.0, 0.3, 1.0),
        "share": (0.5, 0.9, 0.95),
    }
)


def _claim_passes(cell: Cell, values: np.ndarray, rng: Rng) -> bool:
    """Claim that the mean keeps a limit which it exceeds by nothing; a warned answer is no miss."""
    if value_caveats(values.size, skewness(values)):
        return False
    return estimate_mean(*_sums(values)).interval()[1] <= 1


def _symmetric(cell: Cell, draws: int, rng: Rng) -> np.ndarray:
    """Differences that are 0 on many items and long-tailed on both sides on others."""
    size = (draws, int(cell["n"]))
    values = rng.standard_t(cell["tails"], size) * (rng.random(size) < cell["differ"])
    return np.round(values, 1)


SYMMETRIC = Space(
    axes={"n": (5, 12, 40, 100), "differ": (0.05, 0.2, 1.0), "tails": (1.0, 2.5, 30.0)}
)


def _student_rejects(cell: Cell, gaps: np.ndarray, rng: Rng) -> bool:
    return paired_mean_difference(*_sums(gaps)).p_value <= 0.05


def _wilcoxon_rejects(cell: Cell, gaps: np.ndarray, rng: Rng) -> bool:
    return wilcoxon_test(gaps).p_value <= 0.05 * (1 + 1e-9)


def _permutation_rejects(cell: Cell, gaps: np.ndarray, rng: Rng) -> bool:
    return permute_signs(gaps, rng=rng, draws=999).p_value <= 0.05 * (1 + 1e-9)


def _at_margin(cell: Cell, draws: int, rng: Rng) -> np.ndarray:
    size = (draws, int(cell["n"]))
    return MARGIN + cell["spread"] * (rng.gamma(cell["shape"], 1, size) - cell["shape"]) / np.sqrt(
        cell["shape"]
    )


def _called_equivalent(cell: Cell, gaps: np.ndarray, rng: Rng) -> bool:
    found = paired_mean_difference(*_sums(gaps), margin=MARGIN)
    called = found.p_equivalent is not None and found.p_equivalent <= 0.05
    return called and not value_caveats(gaps.size, skewness(gaps))


def _segments(cell: Cell, draws: int, rng: Rng) -> np.ndarray:
    """Errors of two equal recognisers in segments that hold at least one."""
    size = (draws, int(cell["n"]), 2)
    errors = rng.poisson(cell["errors"], size)
    empty = errors.sum(axis=-1) == 0
    errors[empty, 0] = rng.random(int(empty.sum())) < 0.5
    errors[empty, 1] = 1 - errors[empty, 0]
    return errors.astype(float)


def _mapsswe_rejects(p_value: str):
    def rejects(cell: Cell, rows: np.ndarray, rng: Rng) -> bool:
        return getattr(mapsswe(rows[:, 0], rows[:, 1]), p_value) <= 0.05

    return _counting(_segments, rejects)


SEGMENTS = Space(axes={"n": (5, 10, 30, 120), "errors": (0.3, 1.0, 3.0)})


def _systems(cell: Cell, draws: int, rng: Rng) -> np.ndarray:
    """Four systems on common items: two lead by ``lead`` standard deviations, two are equal."""
    n = int(cell["n"])
    common = rng.normal(0, np.sqrt(cell["alike"]), (draws, n, 1))
    own = rng.normal(0, np.sqrt(1 - cell["alike"]), (draws, n, 4))
    return common + own + cell["lead"] * np.array([1.0, 1.0, 0.0, 0.0])


def _wrongly_called(cell: Cell, values: np.ndarray, rng: Rng) -> bool:
    """Tell whether any pair is called different wrongly, or any rank set leaves a true rank out."""
    found = rank_means(
        "ABCD", len(values), values.sum(axis=0).tolist(), (values.T @ values).tolist(), rng=rng
    )
    for (i, j), p_value in found.adjusted.items():
        truth = cell["lead"] * ((i < 2) - (j < 2))
        if p_value <= 0.05 and truth * found.pairs[i, j].difference <= 0:
            return True
    ranks = [(1, 2), (1, 2), (3, 4), (3, 4)] if cell["lead"] else [(1, 4)] * 4
    kept = zip(found.ranks, ranks, strict=True)
    return any(one.lowest > low or one.highest < high for one, (low, high) in kept)


def _says_better(cell: Cell, values: np.ndarray, rng: Rng) -> bool:
    """Two equal systems: is one of them called better with a probability of 0.975?"""
    found = rank_ratios("AB", values[:, :2], np.ones(len(values)), rng=rng)
    return max(found.best) >= 0.975


SYSTEMS = Space(axes={"n": (8, 40), "alike": (0.0, 0.9), "lead": (0.0, 0.6)})


def _costs(cell: Cell, draws: int, rng: Rng) -> np.ndarray:
    """Quality and cost of three systems, equal in quality; A and B cost the same, C more."""
    n = int(cell["n"])
    noise = rng.normal(0, 1, (draws, n, 6)) * np.sqrt(1 - cell["alike"])
    common = rng.normal(0, 1, (draws, n, 2)) * np.sqrt(cell["alike"])
    means = np.array([0, 0, 0, 0, 0, cell["lead"]])
    return noise + means + np.repeat(common, 3, axis=2)


def _false_front(cell: Cell, values: np.ndarray, rng: Rng) -> bool:
    """Any state at all: here on and off both take a claim between equals, which is false."""

    def pairs(columns: np.ndarray) -> dict[tuple[int, int], Any]:
        return {
            (i, j): paired_mean_difference(*_sums(columns[:, i] - columns[:, j]))
            for i, j in ((0, 1), (0, 2), (1, 2))
        }

    front = quality_cost_front("ABC", pairs(values[:, :3]), pairs(values[:, 3:]))
    return any(place.state != "undecided" for place in front)


FRONTS = Space(axes={"n": (10, 40), "alike": (0.0, 0.8), "lead": (0.0, 1.0, 3.0)})


def _differences(cell: Cell, draws: int, rng: Rng) -> np.ndarray:
    """Differences of grades in [0, 1] with mean 0, on one side rare and far."""
    size = (draws, int(cell["n"]))
    far = cell["far"]
    # Far values of one sign, near ones of the other, so that the mean is 0.
    chance = cell["near"] / (cell["near"] + far)
    return np.where(rng.random(size) < chance, far, -cell["near"])


def _bets_decide(cell: Cell, values: np.ndarray, rng: Rng) -> bool:
    return betting_evidence(values, bounds=(-1.0, 1.0)).decided


def _streams(cell: Cell, draws: int, rng: Rng) -> np.ndarray:
    n, shape = int(cell["n"]), cell["shape"]
    return rng.gamma(shape, 1 / shape, (draws, n)) - 1


def _asymptotic_misses(cell: Cell, draws: int, rng: Rng) -> Found:
    """Look after every item from the 50th on, with the limits of sums."""
    n = int(cell["n"])
    hits = 0
    for values in _streams(cell, draws, rng):
        seen = np.arange(1, n + 1)
        total, squares = values.cumsum(), (values**2).cumsum()
        error = np.sqrt((squares - total**2 / seen)[49:] / (seen * (seen - 1.0))[49:])
        # The function itself at the look that is nearest to a miss; its factor falls slowly.
        worst = 49 + int(np.argmax(np.abs(total / seen)[49:] / error / _reach(seen[49:])))
        found = asymptotic_sequence(estimate_mean(*_sums(values[: worst + 1])), planned=500)
        hits += found.p_value <= 0.05
    return Found(share=hits / draws, draws=draws, hits=hits)


def _reach(seen: np.ndarray) -> np.ndarray:
    known = seen * (-2 * np.log(0.05) + np.log(1 - 2 * np.log(0.05))) / 500
    return np.sqrt(2 * (known + 1) / known * (np.log(known + 1) / 2 - np.log(0.05)))


def _planned(cell: Cell, draws: int, rng: Rng) -> Found:
    """Order the items of the plan, test, and count."""
    items = mean_samples(cell["effect"], spread=1.0).items or 0
    tests = rng.normal(cell["effect"], 1.0, (draws, items))
    hits = sum(paired_mean_difference(*_sums(values)).p_value <= 0.05 for values in tests)
    return Found(share=hits / draws, draws=draws, hits=hits)


def _certificate(name: str, setting: str, search: Search, **more: Any) -> Certificate:
    number = more.pop("seed")
    return Certificate(
        name=name,
        family="values",
        setting=f"{setting}; {search.space.words()}",
        experiment=search,
        seed=3400 + number,
        short=more.pop("short", 200),
        long=more.pop("long", 4000),
        **more,
    )


COVERS: dict[str, Any] = {
    "claim": "covers in 95 % or more",
    "allowed": (0.945, 1.0),
    "page": "values",
}
NEARLY: dict[str, Any] = {
    "claim": "covers in about 95 %, at least 93 %",
    "allowed": (0.93, 1.0),
    "page": "values",
}
REJECTS: dict[str, Any] = {
    "claim": "rejects what is true in at most 5 %",
    "allowed": (0.0, 0.055),
    "page": "values",
}


def _lowest(space: Space, trial: Any, **more: Any) -> Search:
    return Search(space=space, trial=trial, seek="lowest", **more)


def _highest(space: Space, trial: Any, **more: Any) -> Search:
    return Search(space=space, trial=trial, seek="highest", **more)


DECLARED = [
    _certificate(
        "mean, Student's t, or a warning",
        "gamma values; an answer with a warning of few items or strong skew is not a miss",
        _lowest(LONG_TAILS, _counting(_gammas, _student_holds_or_warns)),
        seed=1,
        **NEARLY,
    ),
    _certificate(
        "mean, Student's t, few skewed values",
        "gamma values; the answer warns of few items",
        _lowest(FEW, _counting(_gammas, _student_holds), beam=2),
        seed=2,
        falls_short=(0.7, 0.93),
        note="few items say little of a long tail: state a range, or give more items",
        **NEARLY,
    ),
    _certificate(
        "mean, Student's t, rare far values",
        "values near 1 and rarely one near 100; none may have been seen",
        _lowest(RARE, _counting(_outliers, _student_holds), beam=2),
        seed=3,
        falls_short=(0.0, 0.5),
        note="no sample shows what it does not hold: state a range and take the betting interval",
        **NEARLY,
    ),
    _certificate(
        "mean, BCa bootstrap",
        "gamma values",
        _lowest(FEW, _counting(_gammas, _bca_holds), beam=2, rounds=1),
        seed=4,
        long=1000,
        short=50,
        falls_short=(0.6, 0.93),
        note="too short for few values, by name only",
        **NEARLY,
    ),
    _certificate(
        "bounded mean, betting interval",
        "scores of a Beta distribution",
        _lowest(RANGE, _bounded(betting_interval), beam=3, rounds=2),
        seed=5,
        long=2000,
        short=100,
        **{**COVERS, "page": "betting"},
    ),
    _certificate(
        "bounded mean, empirical Bernstein",
        "scores of a Beta distribution",
        _lowest(RANGE, _bounded(empirical_bernstein_interval), beam=3, rounds=2),
        seed=6,
        **{**COVERS, "page": "betting"},
    ),
    _certificate(
        "claim that a mean is at most a limit",
        "gamma values with their mean on the limit; a warned answer is no miss",
        _highest(LONG_TAILS, _counting(_gammas, _claim_passes)),
        seed=40,
        claim="passes what does not hold in at most 5 %, nearly",
        allowed=(0.0, 0.06),
        page="values",
    ),
    _certificate(
        "quantile of clusters",
        "normal values in clusters",
        _lowest(ALIKE, _counting(_alike_values, _cluster_quantile_holds), beam=3, rounds=1),
        seed=41,
        long=3000,
        short=100,
        **{**COVERS, "page": "quantiles"},
    ),
    _certificate(
        "quantile, order statistics",
        "values without ties, exact",
        _lowest(
            Space(axes={"n": (1, 5, 20, 59, 100, 400), "share": (0.05, 0.3, 0.5, 0.9, 0.95)}),
            _order_statistics,
            rounds=5,
        ),
        seed=7,
        long=0,
        claim="covers in 95 % or more always",
        allowed=(0.95, 1.0),
        page="quantiles",
    ),
    _certificate(
        "difference of quantiles",
        "lognormal latencies of two systems on common items; each limit of 90 % for itself",
        _highest(
            Space(
                axes={
                    "n": (10, 30, 70, 150, 400),
                    "share": (0.5, 0.9, 0.95),
                    "alike": (0.0, 0.5, 0.9),
                    "slower": (1.0, 1.1, 3.0),
                    "spread": (1.0, 2.0),
                    "first": (0, 1),
                },
            ),
            _counting(_latencies, _quantile_gap_beyond),
            beam=3,
            rounds=2,
        ),
        seed=8,
        long=2000,
        short=60,
        claim="lies beyond the truth in at most 5 %, nearly",
        allowed=(0.0, 0.055),
        page="quantiles",
    ),
    _certificate(
        "ratio of sums, or a warning",
        "word errors; a refusal without any error, or a warning of few items or skew, is no miss",
        _lowest(ERRORS, _counting(_word_errors, _rate_holds_or_warns)),
        seed=9,
        **NEARLY,
    ),
    _certificate(
        "ratio of sums, few or uneven items",
        "word errors; a refusal without any error is no miss",
        _lowest(ERRORS, _counting(_word_errors, _rate_holds)),
        seed=25,
        falls_short=(0.88, 0.93),
        note="few items say little of the hard ones; the answer warns",
        **NEARLY,
    ),
    _certificate(
        "difference of ratios",
        "word errors of two equal recognisers",
        _highest(ERRORS, _counting(_word_errors, _rates_called_different)),
        seed=10,
        **{**REJECTS, "claim": "rejects what is true in at most 6 %", "allowed": (0.0, 0.062)},
    ),
    _certificate(
        "mean over clusters, G - 1 degrees of freedom",
        "normal clusters of unequal size",
        _lowest(CLUSTERS, _counting(_clusters, _cluster_mean_holds)),
        seed=11,
        falls_short=(0.8, 0.93),
        note="clusters of unequal size have fewer degrees of freedom than G - 1; the answer warns",
        **NEARLY,
    ),
    _certificate(
        "mean over clusters, G - 1, or a warning",
        "normal clusters; an answer with a warning of uneven clusters is not a miss",
        _lowest(CLUSTERS, _counting(_clusters, _cluster_mean_holds_or_warns)),
        seed=12,
        **NEARLY,
    ),
    _certificate(
        "mean over clusters, degrees of freedom from their sizes",
        "normal clusters of unequal size",
        _lowest(CLUSTERS, _counting(_clusters, _fewer_degrees_hold)),
        seed=26,
        **{**COVERS, "allowed": (0.94, 1.0), "claim": "covers in 95 % or more, nearly"},
    ),
    _certificate(
        "paired t test",
        "differences symmetric about 0, many of them 0, in tenths",
        _highest(SYMMETRIC, _counting(_symmetric, _student_rejects)),
        seed=13,
        **{**REJECTS, "claim": "rejects what is true in at most 6 %", "allowed": (0.0, 0.06)},
    ),
    _certificate(
        "Wilcoxon, values",
        "differences symmetric about 0, many of them 0, in tenths",
        _highest(SYMMETRIC, _counting(_symmetric, _wilcoxon_rejects), beam=3, rounds=2),
        seed=14,
        long=2000,
        **REJECTS,
    ),
    _certificate(
        "random signs, values",
        "differences symmetric about 0, many of them 0, in tenths",
        _highest(SYMMETRIC, _counting(_symmetric, _permutation_rejects), beam=2, rounds=1),
        seed=15,
        long=2000,
        short=60,
        **REJECTS,
    ),
    _certificate(
        "means equivalent within a margin",
        "the difference is the margin; gamma differences; a claim with a warning does not count",
        _highest(
            Space(axes={"n": (8, 30, 100), "spread": (0.2, 1.0), "shape": (1.0, 4.0, 50.0)}),
            _counting(_at_margin, _called_equivalent),
        ),
        seed=16,
        claim="claimed at the margin without a warning in at most 7 %",
        allowed=(0.0, 0.07),
        page="values",
    ),
    _certificate(
        "MAPSSWE, Student's t",
        "segments of two equal recognisers",
        _highest(SEGMENTS, _mapsswe_rejects("p_student")),
        seed=17,
        **{**REJECTS, "claim": "rejects what is true in at most 7 %", "allowed": (0.0, 0.07)},
    ),
    _certificate(
        "MAPSSWE, normal",
        "segments of two equal recognisers",
        _highest(SEGMENTS, _mapsswe_rejects("p_value")),
        seed=18,
        falls_short=(0.055, 0.2),
        note="few segments want Student's t",
        **REJECTS,
    ),
    _certificate(
        "several means: pairs and rank sets",
        "four systems on common items, equal two by two",
        _highest(SYSTEMS, _counting(_systems, _wrongly_called), beam=1, rounds=1),
        seed=19,
        long=1000,
        short=20,
        claim="any false statement in at most 5 %",
        allowed=(0.0, 0.055),
        page="values",
    ),
    _certificate(
        "P(better mean) >= 0.975",
        "two equal systems on common items",
        _highest(
            Space(axes={"n": (3, 8, 30, 100), "alike": (0.0, 0.6, 0.95), "lead": (0.0,)}),
            _counting(_systems, _says_better),
        ),
        seed=20,
        claim="says so of equal systems in at most 5 %",
        allowed=(0.0, 0.055),
        page="values",
    ),
    _certificate(
        "quality against cost",
        "three systems equal in quality, two of them in cost: every state rests on a false claim",
        _highest(FRONTS, _counting(_costs, _false_front)),
        seed=21,
        claim="says on or off wrongly in at most 5 %",
        allowed=(0.0, 0.055),
        page="values",
    ),
    _certificate(
        "betting evidence",
        "differences in [-1, 1] with mean 0, looked at after every item",
        _highest(
            Space(axes={"n": (50, 300), "far": (0.1, 0.5, 1.0), "near": (0.02, 0.1, 1.0)}),
            _counting(_differences, _bets_decide),
        ),
        seed=22,
        long=2000,
        claim="ever decides that equal systems differ in at most 5 %",
        allowed=(0.0, 0.055),
        page="betting",
    ),
    _certificate(
        "asymptotic sequence",
        "gamma values with a skewness of 1.4 or less, looked at after every item from the 50th on",
        _highest(
            Space(axes={"n": (200, 1000), "shape": (2.0, 8.0, 50.0)}),
            _asymptotic_misses,
            beam=2,
            rounds=2,
        ),
        seed=23,
        long=2000,
        short=100,
        claim="ever misses the mean in at most 5 %",
        allowed=(0.0, 0.055),
        page="betting",
    ),
    _certificate(
        "asymptotic sequence, skewed values",
        "gamma values, looked at after every item from the 50th on",
        _highest(
            Space(axes={"n": (200, 1000), "shape": (0.2, 0.5, 2.0)}),
            _asymptotic_misses,
            beam=2,
            rounds=1,
        ),
        seed=27,
        long=2000,
        short=100,
        claim="ever misses the mean in at most 5 %",
        allowed=(0.0, 0.055),
        falls_short=(0.055, 0.2),
        note="a limit law is slow for skewed values: state a range and bet",
        page="betting",
    ),
    _certificate(
        "plan of a mean difference",
        "normal differences; the plan promises 80 %",
        _lowest(Space(axes={"effect": (0.2, 0.4, 0.8, 1.5)}), _planned, beam=2, rounds=1),
        seed=24,
        long=3000,
        short=100,
        claim="finds the difference in 80 % or a little more",
        allowed=(0.785, 1.0),
        page="planning",
    ),
]
