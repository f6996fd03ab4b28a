"""Right and wrong answers weighed when items come in clusters: patients, pages, repeated trials."""

from steelyard.comparison import (
    ClusterStandings,
    contrast_clusters,
    paired_equivalence,
)
from steelyard.counts import Grouped, Outcomes, PairTable
from steelyard.journey.comparison.question import Question, Weighed, couples
from steelyard.measures import cluster_caveats, clustered_trials
from steelyard.results import ComparedPair, Estimate, Interval
from steelyard.uncertainty import ClusterContrast, shaffer_static

__all__ = ["CLUSTERED", "METHOD", "cluster_doubts", "contrasted_pairs", "weigh_clusters"]

CLUSTERED = (
    "t tests of the difference over clusters (jackknife variance), Shaffer-adjusted, and the "
    "posterior they imply"
)
MEASURE = "difference of accuracy"
METHOD = "cluster-robust"


def cluster_doubts(grouped: Grouped[Outcomes]) -> tuple[str, ...]:
    """Say that clusters were counted on, and what cannot be had with them."""
    held = sum(part.total > 0 for _, part in grouped)
    return (
        *cluster_caveats(held, grouped.merged().total),
        "Akaike's criterion and further items are left out: both count independent items",
    )


def weigh_clusters(
    grouped: Grouped[Outcomes], question: Question, *, adjusted: tuple[float, ...] | None = None
) -> Weighed:
    """Weigh systems on common items with clusters, not items, as the units."""
    whole = grouped.merged()
    names = whole.systems
    found = contrast_clusters(grouped, rng=question.rng())
    tables = {(i, j): whole.pair(names[i], names[j]) for i, j in couples(len(names))}
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
        rates=[*rates],
        best=found.best,
        pairs=contrasted_pairs(found, question, whole.total, tables=tables, adjusted=adjusted),
        loss=found.loss,
        error=found.error,
    )


def contrasted_pairs(
    found: ClusterStandings,
    question: Question,
    items: int,
    *,
    tables: dict[tuple[int, int], PairTable] | None = None,
    adjusted: tuple[float, ...] | None = None,
    method: str = METHOD,
) -> list[ComparedPair]:
    """Read interval, p-value and probabilities of every pair from its one contrast."""
    raw = [one.p_value for one in found.contrasts.values()]
    fair = shaffer_static(raw, systems=len(found.systems)) if adjusted is None else adjusted
    pairs = []
    for ((i, j), one), q in zip(found.contrasts.items(), fair, strict=True):
        table = None if tables is None else tables[i, j]
        near = _near(one, table, question.margin)
        low, high = one.interval(question.level)
        ends = Interval(low=low, high=high, level=question.level, method=method)
        pairs.append(
            ComparedPair(
                first=found.systems[i],
                second=found.systems[j],
                difference=Estimate(
                    measure=MEASURE, value=one.difference, interval=ends, items=items
                ),
                p_value=one.p_value,
                adjusted_p=q,
                better=one.better,
                verdict=question.verdict(q, near),
                table=table,
                equivalent=near,
            )
        )
    return pairs


def _near(contrast: ClusterContrast, table: PairTable | None, margin: float | None) -> float | None:
    """Chance that the rates differ by less than the margin, never above that of single items."""
    if margin is None:
        return None
    near = contrast.chance_within(margin)
    if table is None:
        return near
    return min(near, paired_equivalence(table, margin=margin).equivalent)
