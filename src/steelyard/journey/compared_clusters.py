"""Right and wrong answers weighed when items come in clusters: patients, pages, repeated trials."""

from math import sqrt

import numpy as np
from scipy.special import stdtrit

from steelyard.comparison import cluster_posterior, clustered_mcnemar
from steelyard.counts import Grouped, Outcomes, PairTable
from steelyard.journey.comparison_question import Question, Weighed, couples
from steelyard.measures import cluster_caveats, clustered_trials
from steelyard.results import ComparedPair, Estimate, Interval
from steelyard.uncertainty import cluster_variance, shaffer_static, tango_interval

__all__ = ["CLUSTERED", "cluster_doubts", "weigh_clusters"]

CLUSTERED = "clustered McNemar tests, Shaffer-adjusted, and the Bayesian bootstrap over clusters"
MEASURE = "difference of accuracy"


def cluster_doubts(grouped: Grouped[Outcomes]) -> tuple[str, ...]:
    """Say that clusters were counted on, and what cannot be had with them."""
    return (
        *cluster_caveats(len(grouped), grouped.merged().total),
        "Akaike's criterion and further items are left out: both count independent items",
    )


def weigh_clusters(grouped: Grouped[Outcomes], question: Question) -> Weighed:
    """Weigh systems on common items with clusters, not items, as the units."""
    whole = grouped.merged()
    names = whole.systems
    posterior = cluster_posterior(grouped, rng=question.rng(), margin=question.margin or 0.0)
    tables = [
        [part.pair(names[i], names[j]) for _, part in grouped] for i, j in couples(len(names))
    ]
    raw = [clustered_mcnemar(parts).p_value for parts in tables]
    adjusted = shaffer_static(raw, systems=len(names))
    pairs = []
    for (i, j), parts, p, q in zip(couples(len(names)), tables, raw, adjusted, strict=True):
        near = None if question.margin is None else posterior.near[i][j]
        pairs.append(
            ComparedPair(
                first=names[i],
                second=names[j],
                difference=_difference(parts, question.level),
                p_value=p,
                adjusted_p=q,
                better=posterior.better[i][j],
                verdict=question.verdict(q, near),
                table=whole.pair(names[i], names[j]),
                equivalent=near,
            )
        )
    rates = [
        (
            name,
            clustered_trials(
                {part: one.correct()[place] for part, one in grouped},
                {part: one.total for part, one in grouped},
                level=question.level,
            ),
        )
        for place, name in enumerate(names)
    ]
    return Weighed(
        rates=[*rates], best=posterior.best, pairs=pairs, loss=posterior.loss, error=posterior.error
    )


def _difference(parts: list[PairTable], level: float) -> Estimate:
    """Give the difference over all items with the interval of its linearised cluster totals."""
    items = np.array([part.total for part in parts], dtype=np.float64)
    won = np.array([part.first - part.second for part in parts], dtype=np.float64)
    total = float(items.sum())
    gap = float(won.sum()) / total
    variance = cluster_variance((won - gap * items) / total)
    if variance > 1e-24:
        half = -float(stdtrit(len(parts) - 1, (1 - level) / 2)) * sqrt(variance)
        low, high = max(-1.0, gap - half), min(1.0, gap + half)
    else:  # Clusters that are all alike show no spread: each then counts as one item.
        wins = round(abs(gap) * len(parts))
        low, high = tango_interval(len(parts) - wins, wins, 0, 0, level=level)
        low, high = (low, high) if gap >= 0 else (-high, -low)
    ends = Interval(low=low, high=high, level=level, method="cluster-robust")
    return Estimate(measure=MEASURE, value=gap, interval=ends, items=int(total))
