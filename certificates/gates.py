"""How often a gate opens for what lies exactly on its limit: every gated quantity, searched.

A requirement "better", "better by N" or "not worse by N" passes when the lower limit of the
advantage lies above the limit it names; "same within N" needs both limits and passes less often. A
false pass is therefore a lower limit above the true advantage, whatever that is.
"""

import numpy as np
from scipy.special import ndtri

from certificates.declaration import AT_MOST_5, Certificate, Found
from certificates.search import Cell, Search, Space
from steelyard.comparison import guarded_calls
from steelyard.counts import Grouped, JointCalls
from steelyard.measures import catalogue_entry
from steelyard.measures.tables.in_batches import table_measure
from steelyard.uncertainty import (
    StudentEstimate,
    draw_strata,
    guarded_finite_interval,
    guarded_tail,
    skewness,
    unseen_limits,
    value_caveats,
)
from steelyard.uncertainty.clusters.unseen import unseen_cluster_interval

__all__ = ["DECLARED"]

FAMILY = "gates"
ALPHA = 0.05
MEASURES = (
    "balanced accuracy", "F1", "F2", "precision", "negative predictive value", "MCC", "kappa",
    "markedness", "macro F1", "macro precision", "weighted F1", "diagnostic odds ratio",
)  # fmt: skip
FURTHER = ("positive likelihood ratio", "negative likelihood ratio", "Fowlkes-Mallows")
CALLS = [(truth, one, two) for truth in (1, 0) for one in (1, 0) for two in (1, 0)]
NAMES = ("no", "yes")
WEIGHTINGS = 499
CLUSTERED = ("F1", "balanced accuracy", "precision", "MCC", "kappa")


def _counted(passed: float, draws: int) -> Found:
    return Found(share=passed / draws, draws=draws, hits=round(passed))


def _shares(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Two systems on common items: both kinds of discordant items, and the limit between them."""
    n, least, gap = int(cell["n"]), cell["rarer"], cell["advantage"]
    ahead, behind = (least + gap, least) if gap > 0 else (least, least - gap)
    drawn = rng.multinomial(n, [ahead, behind, 1 - ahead - behind], size=draws)
    tables, times = np.unique(drawn, axis=0, return_counts=True)
    passed = sum(
        number
        for (b, c, rest), number in zip(tables.tolist(), times.tolist(), strict=True)
        if guarded_tail(b, c, rest, at=gap) < ALPHA
    )
    return _counted(passed, draws)


def _joint_shares(cell: Cell) -> np.ndarray:
    """Probabilities of (truth, call, call): each system has its own rates; answers correlate."""
    shares = []
    for truth, one, two in CALLS:
        first = cell["rate"] if truth else cell["other rate"]
        second = min(0.999, max(0.001, first + (cell["step"] if truth else -cell["tilt"])))
        joint = first * second + cell["correlation"] * (min(first, second) - first * second)
        right = {(1, 1): joint, (1, 0): first - joint, (0, 1): second - joint}
        share = right.get((int(one == truth), int(two == truth)), 1 - first - second + joint)
        shares.append((cell["positive"] if truth else 1 - cell["positive"]) * max(0.0, share))
    return np.array(shares) / sum(shares)


def _calls(rows: np.ndarray) -> JointCalls:
    return JointCalls.from_cells(
        {
            (NAMES[truth], (NAMES[one], NAMES[two])): int(number)
            for (truth, one, two), number in zip(CALLS, rows.tolist(), strict=True)
            if number
        },
        systems=("new", "old"),
        classes=NAMES,
    )


def _measure(name: str):
    entry = catalogue_entry(name)
    return table_measure(entry, NAMES, of="yes" if "of" in entry.needs else None)


def _truth(measure, shares: np.ndarray) -> float:
    tables = np.zeros((2, 2, 2))
    for (truth, one, two), share in zip(CALLS, shares, strict=True):
        tables[0, truth, one] += share
        tables[1, truth, two] += share
    values = measure(tables)
    return float(values[0] - values[1])


def _lowest(joint, measure, rng: np.random.Generator) -> float:
    found = guarded_calls(
        joint, measure, ("new", "old"), rng=rng, draws=WEIGHTINGS, level=1 - 2 * ALPHA
    )
    return -np.inf if found.low is None else found.low


def _measures(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Any measure of calls on single items."""
    measure = _measure((*MEASURES, *FURTHER)[int(cell["measure"])])
    shares = _joint_shares(cell)
    truth = _truth(measure, shares)
    drawn = rng.multinomial(int(cell["n"]), shares, size=draws)
    tables, times = np.unique(drawn, axis=0, return_counts=True)
    passed = sum(
        number * (_lowest(_calls(rows), measure, rng) > truth)
        for rows, number in zip(tables, times, strict=True)
    )
    return _counted(float(passed), draws)


def _clustered(cell: Cell, rng: np.random.Generator) -> Grouped[JointCalls]:
    """Clusters of unlike sizes, each with a difficulty and a lean of its own.

    Answers are right where a sum of normal deviates is small: of the cluster, of the cluster and
    the system, of the item and of the answer. Rates over all clusters are those of the cell.
    """
    number = int(cell["clusters"])
    sizes = np.maximum(1, cell["size"] * np.linspace(1, cell["unequal"], number)).astype(int)
    place = np.repeat(np.arange(number), sizes)
    truth = rng.random(place.size) < cell["positive"]
    first = np.where(truth, cell["rate"], cell["other rate"])
    second = np.clip(first + np.where(truth, cell["step"], 0.0), 0.001, 0.999)
    shared, lean = cell["alike"] / 2, cell["alike"] / 2
    common = np.sqrt(shared) * rng.standard_normal(number)[place]
    item = np.sqrt((1 - cell["alike"]) / 2) * rng.standard_normal(place.size)
    calls = []
    for rate in (first, second):
        own = np.sqrt(lean) * rng.standard_normal(number)[place]
        rest = np.sqrt((1 - cell["alike"]) / 2) * rng.standard_normal(place.size)
        calls.append(np.where(common + item + own + rest < ndtri(rate), truth, ~truth))
    codes = truth * 4 + calls[0] * 2 + calls[1]
    counts = np.bincount(place * 8 + codes, minlength=8 * number).reshape(number, 8)
    parts = {
        str(g): JointCalls.from_cells(
            {
                (NAMES[code >> 2], (NAMES[code >> 1 & 1], NAMES[code & 1])): int(row[code])
                for code in np.flatnonzero(row).tolist()
            },
            systems=("new", "old"),
            classes=NAMES,
        )
        for g, row in enumerate(counts)
    }
    return Grouped.from_parts("cluster", parts)


def _clustered_measures(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Any measure of calls over clusters."""
    measure = _measure(CLUSTERED[int(cell["measure"])])
    rates = [cell["rate"], min(0.999, max(0.001, cell["rate"] + cell["step"]))]
    tables = np.array([
        [[(1 - cell["positive"]) * cell["other rate"],
          (1 - cell["positive"]) * (1 - cell["other rate"])],
         [cell["positive"] * (1 - rate), cell["positive"] * rate]]
        for rate in rates
    ])  # fmt: skip
    values = measure(tables)
    truth = float(values[0] - values[1])
    passed = sum(_lowest(_clustered(cell, rng), measure, rng) > truth for _ in range(draws))
    return _counted(float(passed), draws)


def _rare_kind(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Claim a share that lies on its limit, and is lost as a whole in a rare kind of cluster."""
    number, size, rate = int(cell["clusters"]), int(cell["size"]), cell["rate"]
    truth, passed = rate * (1 - cell["rare"]), 0
    for _ in range(draws):
        lost = rng.random(number) < cell["rare"]
        won = rng.binomial(size, np.where(lost, 0.0, rate))
        low, _ = unseen_cluster_interval(2 * won - size, [size] * number, level=1 - 2 * ALPHA)
        passed += (1 + low) / 2 >= truth
    return _counted(float(passed), draws)


def _repeats(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Exactly these items: some vary from answer to answer, the others are always the same."""
    items, tries = int(cell["items"]), int(cell["tries"])
    vary = max(1, round(cell["varying"] * items))
    new = np.full(items, 1.0)
    old = np.where(np.arange(items) < vary + (items - vary) * cell["apart"], 0.0, 1.0)
    new[:vary], old[:vary] = cell["new"], cell["old"]
    truth, passed = float((new - old).mean()), 0
    for _ in range(draws):
        right = rng.random((2, items, tries)) < np.stack([new, old])[:, :, None]
        gaps = right[0].astype(np.int64) - right[1]
        if gaps.mean() > truth:
            counts = np.stack([(gaps == value).sum(axis=1) for value in (1, 0, -1)], axis=1)
            low = draw_strata(counts, (1.0, 0.0, -1.0), rng=rng, draws=WEIGHTINGS)
            passed += np.sort(low)[int(ALPHA * WEIGHTINGS)] > truth
    return _counted(passed, draws)


def _benchmark(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """A random part of a benchmark whose items that tell the systems apart are fixed."""
    whole, tested = int(cell["benchmark"]), max(2, round(cell["benchmark"] * cell["tested"]))
    kinds = [round(cell[name] * whole) for name in ("ahead", "behind")]
    truth = (kinds[0] - kinds[1]) / whole
    drawn = rng.multivariate_hypergeometric([*kinds, whole - sum(kinds)], tested, size=draws)
    tables, times = np.unique(drawn, axis=0, return_counts=True)
    passed = 0
    for (b, c, rest), number in zip(tables.tolist(), times.tolist(), strict=True):
        cells = (rest, b, c, 0)
        low, _ = guarded_finite_interval(
            cells, whole, level=1 - 2 * ALPHA, rng=rng, draws=WEIGHTINGS
        )
        passed += number * (low > truth)
    return _counted(passed, draws)


def _values(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Gamma differences whose mean is the limit; losses have the long tail, or gains."""
    n, shape = int(cell["n"]), cell["shape"]
    drawn = cell["tail"] * (rng.gamma(shape, 1 / shape, (draws, n)) - 1)
    passed = 0
    for gaps in drawn:
        found = StudentEstimate(
            value=float(gaps.mean()), error=float(gaps.std(ddof=1)) / n**0.5, freedom=n - 1, units=n
        )
        seen = None if cell["sums"] else (float(gaps.min()), float(gaps.max()))
        doubtful = bool(value_caveats(n, skewness(gaps)))
        low, _ = unseen_limits(found, level=1 - 2 * ALPHA, seen=seen, doubtful=doubtful)
        passed += low > 0
    return _counted(passed, draws)


SINGLE = {
    "n": (8, 40, 300),
    "positive": (0.01, 0.1, 0.5),
    "rate": (0.5, 0.9, 0.99),
    "other rate": (0.6, 0.95),
    "step": (-0.1, 0.0, 0.09),
    "tilt": (0.0, 0.1),
    "correlation": (0.0, 0.8),
}


def _possible(cell: Cell) -> bool:
    return cell["n"] * cell["positive"] >= 2


def _worth_a_look(cell: Cell) -> bool:
    """Walk a part of the grid, each measure through all values; the search goes on from there."""
    places = [
        min(range(len(values)), key=lambda k: abs(values[k] - cell[name]))
        for name, values in SINGLE.items()
    ]
    on_grid = all(cell[name] in values for name, values in SINGLE.items())
    turn = sum(place * factor for place, factor in zip(places, (1, 2, 4, 7, 5, 3, 8), strict=True))
    return _possible(cell) and (not on_grid or (turn + int(cell["measure"])) % 45 == 0)


def _one_in_sixteen(cell: Cell) -> bool:
    """Walk a part of the grid, each measure through all values; the search goes on from there."""
    grid = {"clusters": (4, 12, 40), "size": (3, 12), "unequal": (1.0, 6.0), "positive": (0.1, 0.5),
            "rate": (0.6, 0.9), "step": (0.0, 0.05), "alike": (0.1, 0.6)}  # fmt: skip
    if not all(cell[name] in values for name, values in grid.items()):
        return True
    places = [values.index(cell[name]) for name, values in grid.items()]
    turn = sum(k * factor for k, factor in zip(places, (1, 2, 4, 8, 3, 6, 5), strict=True))
    return (turn + 3 * int(cell["measure"])) % 16 == 0


DECLARED = [
    Certificate(
        name="gate on a share",
        family=FAMILY,
        claim="passes what lies on its limit in 5 % at most",
        setting="accuracy, recall, specificity and their complements; better, better by N, not "
        "worse by N, same within N; n 5 to 2,000, searched",
        page="paired-difference",
        experiment=Search(
            space=Space(
                axes={
                    "n": (5, 12, 30, 100, 400, 2000),
                    "rarer": (0.0, 0.003, 0.02, 0.1, 0.3),
                    "advantage": (-0.3, -0.1, -0.02, 0.0, 0.02, 0.1, 0.3),
                },
                possible=lambda cell: 2 * cell["rarer"] + abs(cell["advantage"]) <= 1,
            ),
            trial=_shares,
            seek="highest",
            spots=({"n": 87, "rarer": 0.02, "advantage": 0.0},),
            rounds=2,
        ),
        allowed=AT_MOST_5,
        seed=171,
        short=400,
        long=8000,
    ),
    Certificate(
        name="gate on a measure of calls",
        family=FAMILY,
        claim="passes what lies on its limit in 5 % at most",
        setting=f"{', '.join(MEASURES)}; two classes to 1:100, rates 0.5 to 0.99, searched",
        page="paired-difference",
        experiment=Search(
            space=Space(
                axes={"measure": tuple(range(len(MEASURES))), **SINGLE},
                fixed=frozenset({"measure"}),
                possible=_worth_a_look,
            ),
            trial=_measures,
            seek="highest",
            spots=tuple(
                {
                    "measure": place, "n": 300, "positive": 0.05, "rate": 0.9, "other rate": 0.95,
                    "step": 0.0, "tilt": 0.0, "correlation": 0.5,
                }
                for place in range(len(MEASURES))
            ),
            beam=3,
            rounds=1,
        ),
        allowed=AT_MOST_5,
        seed=172,
        short=200,
        long=2000,
    ),
    Certificate(
        name="gate on further measures of calls",
        family=FAMILY,
        claim="passes what lies on its limit in 5 % at most",
        setting=f"{', '.join(FURTHER)}; two classes to 1:10, rates 0.6 to 0.95, searched",
        page="paired-difference",
        experiment=Search(
            space=Space(
                axes={
                    "measure": tuple(range(len(MEASURES), len(MEASURES) + len(FURTHER))),
                    "n": (30, 200), "positive": (0.1, 0.5), "rate": (0.6, 0.95),
                    "other rate": (0.9,), "step": (0.04,), "tilt": (0.0,), "correlation": (0.3,),
                },
                fixed=frozenset({"measure"}),
            ),
            trial=_measures,
            seek="highest",
            beam=2,
            rounds=1,
        ),
        allowed=AT_MOST_5,
        seed=178,
        short=100,
        long=1000,
    ),
    Certificate(
        name="gate on a measure of calls over clusters",
        family=FAMILY,
        claim="passes what lies on its limit in 5 % at most",
        setting=f"{', '.join(CLUSTERED)}; answers of a cluster go together",
        page="paired-difference",
        experiment=Search(
            space=Space(
                axes={
                    "measure": tuple(range(len(CLUSTERED))),
                    "clusters": (4, 12, 40),
                    "size": (3, 12),
                    "unequal": (1.0, 6.0),
                    "positive": (0.1, 0.5),
                    "rate": (0.6, 0.9),
                    "other rate": (0.9,),
                    "step": (0.0, 0.05),
                    "alike": (0.1, 0.6),
                },
                fixed=frozenset({"measure"}),
                possible=_one_in_sixteen,
            ),
            trial=_clustered_measures,
            seek="highest",
            beam=3,
            rounds=1,
        ),
        allowed=AT_MOST_5,
        falls_short=(0.05, 0.1),
        note="8 % for precision with two positives in eight small clusters; the answer says so",
        seed=176,
        short=30,
        long=500,
    ),
    Certificate(
        name="claim of a share over few clusters, a rare kind unlike the rest",
        family=FAMILY,
        claim="passes what lies on its limit in 5 % at most",
        setting="3 to 19 clusters of 1 to 60 items, 2 to 40 % of a kind that is lost as a whole",
        page="acceptance",
        experiment=Search(
            space=Space(
                axes={
                    "clusters": (3, 8, 19),
                    "size": (1, 10, 60),
                    "rare": (0.02, 0.1, 0.4),
                    "rate": (0.6, 0.9, 1.0),
                },
            ),
            trial=_rare_kind,
            seek="highest",
            beam=2,
            rounds=1,
        ),
        allowed=AT_MOST_5,
        seed=177,
        short=100,
        long=1500,
    ),
    Certificate(
        name="gate on a mean of values",
        family=FAMILY,
        claim="passes what lies on its limit in 5 % at most",
        setting="gamma differences, shape 0.3 to 50 (0.5 where only sums are known, as of clusters "
        "and ratios), a long tail of losses or of gains; 5 to 300 units, searched",
        page="values",
        experiment=Search(
            space=Space(
                axes={"n": (5, 12, 27, 60, 300), "shape": (0.3, 0.5, 1.0, 50.0), "tail": (-1, 1),
                      "sums": (0, 1)},
                fixed=frozenset({"tail", "sums"}),
                possible=lambda cell: cell["shape"] >= (0.5 if cell["sums"] else 0.3),
            ),
            trial=_values,
            seek="highest",
            beam=3,
            rounds=1,
        ),
        allowed=AT_MOST_5,
        seed=177,
        short=200,
        long=4000,
    ),
    Certificate(
        name="gate on exactly these items",
        family=FAMILY,
        claim="passes what lies on its limit in 5 % at most",
        setting="3 to 100 items asked 2 to 6 times, some or all of which vary, searched",
        page="repeated-tries",
        experiment=Search(
            space=Space(
                axes={
                    "items": (3, 12, 100),
                    "tries": (2, 3, 6),
                    "varying": (0.1, 1.0),
                    "apart": (0.0, 0.5),
                    "new": (0.05, 0.5, 0.9),
                    "old": (0.0, 0.5, 0.99),
                },
            ),
            trial=_repeats,
            seek="highest",
            spots=(
                {
                    "items": 100, "tries": 6, "varying": 0.5, "apart": 0.5, "new": 0.98, "old": 1.0,
                },
            ),
            beam=3,
            rounds=1,
        ),
        allowed=AT_MOST_5,
        seed=174,
        short=200,
        long=3000,
    ),
    Certificate(
        name="gate on a part of a benchmark",
        family=FAMILY,
        claim="passes what lies on its limit in 5 % at most",
        setting="benchmarks of 11 to 2,000 items, a tenth to nine tenths tested, searched",
        page="repeated-tries",
        experiment=Search(
            space=Space(
                axes={
                    "benchmark": (11, 60, 400, 2000),
                    "tested": (0.1, 0.5, 0.9),
                    "ahead": (0.0, 0.03, 0.2),
                    "behind": (0.0, 0.05, 0.2),
                },
            ),
            trial=_benchmark,
            seek="highest",
            beam=3,
            rounds=2,
        ),
        allowed=AT_MOST_5,
        seed=175,
        short=200,
        long=3000,
    ),
]  # fmt: skip
