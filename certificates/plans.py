"""Sample sizes: tests of the planned size get there as often as the plan says.

Tests are drawn and judged by code of their own (scipy's distributions, plain formulas), not by
that of the plan. Formulas that are approximate state their own slack.
"""

from collections.abc import Callable
from functools import cache, partial
from math import sqrt
from typing import Literal

import numpy as np
from scipy import stats

from certificates.declaration import Certificate, Found
from certificates.search import Cell, Search, Space
from steelyard.journey import plan
from steelyard.planning import (
    PairedRates,
    PlannedLooks,
    StoppingRule,
    akaike_power,
    akaike_samples,
    area_power,
    area_samples,
    clustered_samples,
    equivalence_power,
    equivalence_samples,
    independent_power,
    independent_samples,
    kappa_power,
    kappa_samples,
    pair_alphas,
    paired_assurance,
    paired_rates,
    paired_samples,
    posterior_assurance,
    repeated_samples,
    scaled_area_power,
    scaled_area_samples,
    selection_probability,
    selection_samples,
    stopping_properties,
    width_assurance,
    width_samples,
)
from steelyard.uncertainty import cluster_contrast

__all__ = ["DECLARED", "PLANS"]

Claim = Literal["equivalent", "not inferior"]
Rng = np.random.Generator
Drawn = tuple[np.ndarray, float]
"""Whether each of the drawn tests got there, and the share that the plan promises."""
Plan = Callable[[Cell, Rng, int], Drawn]


def _pair(cell: Cell) -> PairedRates:
    """Two systems, the first ahead; the less they agree, the more items tell them apart."""
    lead, rate = cell["lead"], cell["rate"]
    most = 2 * rate + lead if rate + lead / 2 < 0.5 else 2 - 2 * rate - lead
    return paired_rates(rate + lead, rate, discordance=lead + cell["apart"] * (most - lead))


def _wins(rng: Rng, pair: PairedRates, items: int, draws: int) -> tuple[np.ndarray, np.ndarray]:
    drawn = rng.multinomial(
        items, [pair.only_first, pair.only_second, 1 - pair.discordance], size=draws
    )
    return drawn[:, 0], drawn[:, 1]


def _mid_p(won: np.ndarray, lost: np.ndarray) -> np.ndarray:
    total, small = won + lost, np.minimum(won, lost)
    both = stats.binom.cdf(small, total, 0.5) + stats.binom.cdf(small - 1, total, 0.5)
    return np.where(won == lost, 1.0, both)


def _score_p(x: np.ndarray, y: np.ndarray, n: int) -> np.ndarray:
    mean = (x + y) / (2 * n)
    variance = np.maximum(2 * mean * (1 - mean) / n * (2 * n / (2 * n - 1)), 1e-12)
    return 2 * stats.norm.sf(np.abs(x - y) / n / np.sqrt(variance))


@cache
def _paired_size(pair: PairedRates, method: str, power: float) -> tuple[int, float]:
    size = paired_samples(pair, method=method, power=power)  # type: ignore[arg-type]
    return size.samples, size.reached


def _mcnemar(method: str, cell: Cell, rng: Rng, draws: int) -> Drawn:
    pair = _pair(cell)
    items, reached = _paired_size(pair, method, cell["power"])
    won, lost = _wins(rng, pair, items, draws)
    p = (
        _mid_p(won, lost)
        if method == "mid-p"
        else 2 * stats.binom.cdf(np.minimum(won, lost), won + lost, 0.5)
    )
    return ((p <= 0.05) & (won > lost)), reached


@cache
def _apart_size(first: float, second: float, power: float) -> tuple[int, float]:
    size = independent_samples(first, second, power=power)
    return size.samples, size.reached


def _two_proportions(cell: Cell, rng: Rng, draws: int) -> Drawn:
    first, second = cell["rate"] + cell["lead"], cell["rate"]
    n, reached = _apart_size(first, second, cell["power"])
    x, y = (rng.binomial(n, p, draws) for p in (first, second))
    return ((_score_p(x, y, n) <= 0.05) & (x > y)), reached


def _hardest_of_all_pairs(cell: Cell, rng: Rng, draws: int) -> Drawn:
    rates = [cell["rate"] + cell["lead"], cell["rate"], cell["rate"] - 2 * cell["lead"]]
    alpha = float(pair_alphas(rates, multiplicity="bonferroni")[0, 1])
    n = independent_samples(rates[0], rates[1], alpha=alpha).samples
    x, y = (rng.binomial(n, p, draws) for p in rates[:2])
    promised = independent_power(rates[0], rates[1], n, alpha=alpha).power
    return ((_score_p(x, y, n) <= alpha) & (x > y)), promised


@cache
def _margin_size(rate: float, margin: float, claim: Claim) -> tuple[int, float]:
    n = equivalence_samples(rate, rate, margin=margin, claim=claim).samples
    return n, equivalence_power(rate, rate, n, margin=margin, claim=claim)


def _within_a_margin(claim: Claim, cell: Cell, rng: Rng, draws: int) -> Drawn:
    # Farrington and Manning's restricted rates, found here by a fine grid.
    margin, rate = cell["margin"], cell["rate"]
    n, promised = _margin_size(rate, margin, claim)
    x, y = (rng.binomial(n, rate, draws) for _ in range(2))
    pairs, back = np.unique(np.stack([x, y]), axis=1, return_inverse=True)
    x, y = pairs

    def statistic(null: float) -> np.ndarray:
        grid = np.linspace(max(0, -null) + 1e-6, min(1, 1 - null) - 1e-6, 801)[:, None]
        one = grid + null
        fit = x * np.log(one) + (n - x) * np.log1p(-one)
        fit = fit + y * np.log(grid) + (n - y) * np.log1p(-grid)
        best = grid[fit.argmax(axis=0), 0]
        one = best + null
        variance = (one * (1 - one) + best * (1 - best)) / n * 2 * n / (2 * n - 1)
        return (x - y - n * null) / n / np.sqrt(variance)

    bar = stats.norm.isf(0.05)
    shown = statistic(-margin) >= bar
    if claim == "equivalent":
        shown &= statistic(margin) <= -bar
    return shown[back.ravel()], promised


def _posterior_of_two(cell: Cell, rng: Rng, draws: int) -> Drawn:
    n, rates = int(cell["n"]), [cell["rate"] + cell["lead"], cell["rate"]]
    x, y = (rng.binomial(n, p, draws) + 1.0 for p in rates)
    best = normal_best(x, n + 2 - x, y, n + 2 - y)
    return (best >= 0.95), posterior_assurance(rates, n).right


def _posterior_of_a_pair(cell: Cell, rng: Rng, draws: int) -> Drawn:
    pair, n = _pair(cell), int(cell["n"])
    won, lost = _wins(rng, pair, n, draws)
    better = stats.beta.sf(0.5, won + 0.5, lost + 0.5)
    return (better >= 0.95), paired_assurance([pair], n).right


def _wilson_width_reached(cell: Cell, rng: Rng, draws: int) -> Drawn:
    n = round(width_samples(cell["rate"], width=cell["width"]).samples * cell["more"])
    share, z2 = rng.binomial(n, cell["rate"], draws) / n, stats.norm.isf(0.025) ** 2
    wide = 2 * np.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return (wide <= cell["width"]), width_assurance(cell["rate"], n, width=cell["width"])


def _selection(cell: Cell, rng: Rng, draws: int) -> Drawn:
    systems, delta = int(cell["systems"]), cell["delta"]
    size = selection_samples(systems, delta=delta, confidence=0.9)
    rates = np.full(systems, 0.5 - delta / 2)  # near the least favourable rates, (1 + delta) / 2
    rates[0] += delta
    right = rng.binomial(size.samples, rates, size=(draws, systems))
    best = (right + rng.random((draws, systems)) * 0.5).argmax(axis=1) == 0
    return best, selection_probability(size.samples, systems, delta=delta)


def _area_of_exponential_scores(cell: Cell, rng: Rng, draws: int) -> Drawn:
    area, null = cell["area"], cell["null"]
    size = area_samples(area, null=null)
    m, n, times = size.positives, size.negatives, area / (1 - area)
    high, low = rng.exponential(times, (draws, m)), rng.exponential(1, (draws, n))
    ranks = np.concatenate([high, low], axis=1).argsort(axis=1).argsort(axis=1)
    areas = (ranks[:, :m].sum(axis=1) - m * (m - 1) / 2) / (m * n)
    q1, q2, a = null / (2 - null), 2 * null**2 / (1 + null), null
    spread = (a * (1 - a) + (m - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)) / (m * n)
    found = (areas - a) / sqrt(spread) >= stats.norm.isf(0.025)
    return found, area_power(area, size.samples, null=null)


def _two_areas_from_a_pilot(cell: Cell, rng: Rng, draws: int) -> Drawn:
    gap, variance = cell["gap"], 0.0009
    n = scaled_area_samples(gap, variance, tested=150)
    seen = rng.normal(gap, sqrt(variance * 150 / n), draws)
    found = seen / sqrt(variance * 150 / n) >= stats.norm.isf(0.025)
    return found, scaled_area_power(gap, variance, n, tested=150)


def _kappa_of_two_raters(cell: Cell, rng: Rng, draws: int) -> Drawn:
    kappa, null, share = cell["null"] + cell["gain"], cell["null"], cell["share"]
    n = kappa_samples(kappa, null=null, prevalence=share)
    mixed = share * (1 - share)
    chances = [share**2 + mixed * kappa, 2 * mixed * (1 - kappa), (1 - share) ** 2 + mixed * kappa]
    yes, split, no = rng.multinomial(n, chances, size=draws).T
    p = np.clip((2 * yes + split) / (2 * n), 1e-9, 1 - 1e-9)
    pq = p * (1 - p)
    fitted = np.array([p**2 + pq * null, 2 * pq * (1 - null), (1 - p) ** 2 + pq * null]) * n
    fit = ((np.array([yes, split, no]) - fitted) ** 2 / fitted).sum(axis=0)
    return (fit >= stats.chi2.isf(0.05, 1)), kappa_power(kappa, n, null=null, prevalence=share)


def _akaike_on_common_items(cell: Cell, rng: Rng, draws: int) -> Drawn:
    pair = _pair(cell)
    first, second = cell["rate"] + cell["lead"], cell["rate"]
    both = first - pair.only_first
    n = akaike_samples(first, second, both=both).different
    won, lost = (part.astype(float) for part in _wins(rng, pair, n, draws))
    total = np.maximum(won + lost, 1)
    gain = stats.entropy([won / total, lost / total], [[0.5], [0.5]]) * total * 2
    return ((gain - 2 > 1) & (won > lost)), akaike_power(first, second, n, both=both)


def _clustered(size: int, cell: Cell, rng: Rng, draws: int) -> Drawn:
    """Clusters of items, or items asked again: one design effect for both."""
    rates = (cell["rate"] + cell["lead"], cell["rate"])
    items, promised = _apart_size(*rates, 0.8)
    alike = cell["alike"]
    units = (
        clustered_samples(items, cluster_size=size, correlation=alike).clusters
        if cell["clusters"]
        else repeated_samples(items, trials=size, correlation=alike).items
    )
    spread = (1 - alike) / alike
    one, two = (
        rng.binomial(size, rng.beta(p * spread, (1 - p) * spread, size=(draws, units))) / size
        for p in rates
    )
    gap = one.mean(axis=1) - two.mean(axis=1)
    error = np.sqrt((one.var(axis=1, ddof=1) + two.var(axis=1, ddof=1)) / units)
    return (gap / error >= stats.norm.isf(0.025)), promised


def _looks_of_a_posterior(cell: Cell, rng: Rng, draws: int) -> Drawn:
    pair = _pair(cell)
    found = stopping_properties(StoppingRule(rule="posterior", alpha=0.01, every=25), pair, cap=200)
    steps = rng.multinomial(
        25, [pair.only_first, pair.only_second, 1 - pair.discordance], size=(draws, 8)
    ).cumsum(axis=1)
    better = stats.beta.sf(0.5, steps[:, :, 0] + 0.5, steps[:, :, 1] + 0.5)
    ends = (better >= 0.99) | (better <= 0.01)
    first = np.where(ends.any(axis=1), ends.argmax(axis=1), 0)
    named = ends.any(axis=1) & (better[np.arange(draws), first] >= 0.99)
    return named, found.right


def _looks_that_were_planned(cell: Cell, rng: Rng, draws: int) -> Drawn:
    pair = _pair(cell)
    found = stopping_properties(PlannedLooks(looks=3), pair, cap=210)
    steps = rng.multinomial(
        70, [pair.only_first, pair.only_second, 1 - pair.discordance], size=(draws, 3)
    ).cumsum(axis=1)
    won, number = steps[:, :, 0], steps[:, :, 0] + steps[:, :, 1]
    z = stats.norm.isf(stats.binom.sf(won - 1, number, 0.5))  # McNemar's exact test
    bounds = np.array([3.7103, 2.5114, 1.9930])  # Lan and DeMets, thirds, two-sided 0.05
    return ((z >= bounds).any(axis=1)), found.right


PAIRED: dict[str, tuple[float, ...]] = {
    "rate": (0.5, 0.78, 0.93),
    "lead": (0.04, 0.06),
    "apart": (0.1, 0.6),
}
POWERS = {"power": (0.8, 0.9)}
RATES: dict[str, tuple[float, ...]] = {"rate": (0.5, 0.7, 0.85), "lead": (0.06, 0.12)}
CLUSTERED = {**RATES, "alike": (0.05, 0.4), "clusters": (0, 1)}

PLANS: dict[str, tuple[Plan, dict[str, tuple[float, ...]], float, int]] = {
    "mid-p McNemar": (partial(_mcnemar, "mid-p"), {**PAIRED, **POWERS}, 0.0, 4000),
    "exact McNemar": (partial(_mcnemar, "exact"), {**PAIRED, **POWERS}, 0.0, 4000),
    "two independent rates": (_two_proportions, {**RATES, **POWERS}, 0.0, 4000),
    "hardest of all pairs": (_hardest_of_all_pairs, RATES, 0.0, 4000),
    "equivalent within a margin": (
        partial(_within_a_margin, "equivalent"),
        {"rate": (0.6, 0.8, 0.9), "margin": (0.1, 0.15)},
        0.0,
        2000,
    ),
    "not inferior": (
        partial(_within_a_margin, "not inferior"),
        {"rate": (0.6, 0.8, 0.9), "margin": (0.1, 0.15)},
        0.0,
        2000,
    ),
    "posterior of two independent systems": (
        _posterior_of_two,
        {"rate": (0.5, 0.85), "lead": (0.02, 0.1), "n": (50, 300)},
        0.0,
        4000,
    ),
    "posterior of a pair": (_posterior_of_a_pair, {**PAIRED, "n": (50, 300)}, 0.0, 4000),
    "width of Wilson's interval": (
        _wilson_width_reached,
        {"rate": (0.5, 0.8, 0.97), "width": (0.04, 0.15), "more": (1.0, 1.1)},
        0.0,
        4000,
    ),
    "selection of the best": (
        _selection,
        {"systems": (2, 3, 8), "delta": (0.06, 0.15, 0.3)},
        0.01,
        4000,
    ),
    "one area": (
        _area_of_exponential_scores,
        {"area": (0.8, 0.9), "null": (0.5, 0.7)},
        0.09,
        2000,
    ),
    "two areas from a pilot": (_two_areas_from_a_pilot, {"gap": (0.03, 0.06, 0.1)}, 0.0, 4000),
    "kappa of two raters": (
        _kappa_of_two_raters,
        {"null": (0.2, 0.5), "gain": (0.2, 0.35), "share": (0.1, 0.4)},
        0.06,
        4000,
    ),
    "Akaike on common items": (_akaike_on_common_items, PAIRED, 0.0, 4000),
    "clusters of ten, or ten tries": (partial(_clustered, 10), CLUSTERED, 0.03, 2000),
    "posterior looked at every 25 items": (_looks_of_a_posterior, PAIRED, 0.0, 3000),
    "three planned looks": (_looks_that_were_planned, PAIRED, 0.004, 3000),
}
"""How it is drawn, where it is searched, the slack of an approximate formula, long draws.

Slack: normal approximation of one area, chi-squared of kappa, robust z instead of the score test
for clusters, bounds of four decimals for planned looks, rates near the least favourable ones.
"""
JUST = 0.5
"""What stands for just as many as the plan says; the promise differs from cell to cell."""


def _kept(function: Plan) -> Callable[..., Found]:
    """Compare the tests that get there with the promise: half, more or less what is missing."""

    def trial(cell: Cell, draws: int, rng: Rng) -> Found:
        there, promised = function(cell, rng, draws)
        # Half has the largest variance, so that luck is never taken for a broken promise.
        hits = round(float(np.sum(there)) + draws * (JUST - promised))
        return Found(share=hits / draws, draws=draws, hits=hits, more={"promised": promised})

    return trial


ASSURED = Space(
    axes={"rate": (0.55, 0.8, 0.95, 0.99), "lead": (0.008, 0.05), "confidence": (0.8, 0.95)},
    possible=lambda cell: cell["rate"] + cell["lead"] < 1,
)
"""Two systems, near and far apart, up to rates near 1."""


def _assured(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Tests of the size that a plan leads with: how many end with the confidence wanted."""
    rates = [cell["rate"] + cell["lead"], cell["rate"]]
    size = plan(rates, confidence=cell["confidence"]).samples
    assert size is not None
    drawn = rng.binomial(size, rates, size=(draws, 2))
    won, lost = drawn[:, 0] + 1.0, drawn[:, 1] + 1.0
    best = normal_best(won, size + 2 - won, lost, size + 2 - lost)
    hits = int((best >= cell["confidence"]).sum())
    return Found(share=hits / draws, draws=draws, hits=hits, more={"items": float(size)})


def normal_best(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """P(Beta(a, b) > Beta(c, d)) by Gauss and Legendre's rule over the first."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    mean, spread = a / (a + b), np.sqrt(a * b / (a + b + 1)) / (a + b)
    low, high = np.maximum(mean - 9 * spread, 0), np.minimum(mean + 9 * spread, 1)
    points = low[:, None] + (high - low)[:, None] * (nodes + 1) / 2
    density = stats.beta.pdf(points, a[:, None], b[:, None]) * weights
    below = stats.beta.cdf(points, c[:, None], d[:, None])
    return np.asarray((density * below).sum(axis=1) / density.sum(axis=1))


CLUSTERED = Space(
    axes={"cluster size": (2, 20, 60), "correlation": (0.05, 0.7), "discordance": (0.05, 0.4),
          "lead": (0.3, 0.9), "same": (0, 1), "power": (0.8, 0.9)},
    fixed=frozenset({"same", "power"}),
    # Both powers, but one of them only with the usual question: to keep the search short.
    possible=lambda cell: not (cell["same"] and cell["power"] > 0.8),
)  # fmt: skip
"""Common items in clusters; the lead is a part of the discordance, or the margin of "same"."""


def _clustered(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Tests of as many clusters as are planned: how many are decided by the model of verdicts.

    Every cluster has shares of its own, of a Dirichlet distribution with this correlation.
    """
    size, discordance, power = round(cell["cluster size"]), cell["discordance"], cell["power"]
    lead = cell["lead"] * discordance
    ahead, margin = (0.0, lead) if cell["same"] else (lead, None)
    found = plan(
        [0.5 + ahead / 2, 0.5 - ahead / 2], question="pair", discordance=discordance, power=power,
        margin=margin, design="paired", cluster_size=size, icc=cell["correlation"],
    )  # fmt: skip
    assert found.clusters is not None
    chances = np.array([(discordance + ahead) / 2, (discordance - ahead) / 2, 1 - discordance])
    spread = (1 - cell["correlation"]) / cell["correlation"]
    sizes = np.full(found.clusters, size)
    hits = 0
    for _ in range(draws):
        each = rng.dirichlet(chances * spread, size=found.clusters)
        won, lost, _ = rng.multinomial(size, each).T
        judged = cluster_contrast(won, lost, sizes)
        if margin is None:
            hits += judged.p_value <= 0.05 and judged.difference > 0
        else:
            hits += judged.chance_above(-margin) >= 0.95 and judged.chance_above(margin) <= 0.05
    # The promise differs from cell to cell: 0.5 stands for just as many as it says.
    share = JUST + hits / draws - power
    more = {"clusters": float(found.clusters), "decided": hits / draws}
    return Found(share=share, draws=draws, hits=round(share * draws), more=more)


DECLARED = [
    Certificate(
        name="plan: pair in clusters, worst setting",
        family="plans",
        setting=f"common items; {CLUSTERED.words()}",
        page="planning",
        experiment=Search(space=CLUSTERED, trial=_clustered, seek="lowest", beam=2, rounds=1),
        claim="no fewer are decided than the plan says (0.5 stands for just as many)",
        allowed=(JUST, 1.0),
        seed=2711,
        short=60,
        long=1000,
    ),
    Certificate(
        name="plan: best of two, 80 % assured, worst setting",
        family="plans",
        setting=f"independent items; {ASSURED.words()}",
        page="planning",
        experiment=Search(space=ASSURED, trial=_assured, seek="lowest", beam=2, rounds=1),
        claim="80 % of tests get there",
        allowed=(0.8, 1.0),
        seed=2605,
        short=200,
        long=4000,
    ),
    *(
        Certificate(
            name=f"plan: {name}",
            family="plans",
            claim="no fewer get there than the plan says (0.5 stands for just as many)",
            setting="tests of the planned size"
            + (f", approximate formula, slack {slack:g}" if slack else "")
            + f"; {Space(axes=axes).words()}",
            page="planning",
            experiment=Search(
                space=Space(axes=axes, fixed=frozenset({"clusters"})), trial=_kept(function),
                seek="lowest", beam=2, rounds=1,
            ),
            allowed=(JUST - slack, 1.0),
            seed=20,
            short=draws // 25,
            long=draws,
        )
        for name, (function, axes, slack, draws) in PLANS.items()
    ),
]  # fmt: skip
