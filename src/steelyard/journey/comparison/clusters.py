"""Right and wrong answers weighed when items come in clusters: patients, pages, repeated trials."""

from steelyard import comparison, measures, uncertainty
from steelyard.comparison import ClusterStandings
from steelyard.comparison.unlike_clusters import unlike_clusters
from steelyard.counts import Grouped, Outcomes, PairTable, WeightSums
from steelyard.journey.comparison.question import Question, Weighed, assemble, couples
from steelyard.results import Caveat, ComparedPair, Comparison, Estimate, Interval
from steelyard.results.shortfalls import shortfall
from steelyard.uncertainty import ClusterContrast

__all__ = [
    "CLUSTERED",
    "METHOD",
    "cluster_doubts",
    "compare_weighted",
    "contrast_pairs",
    "doubt_unlike",
    "unlike_weights",
    "weigh_clusters",
]

# Right and wrong answers weighed when items come in clusters: patients, pages, repeated trials


CLUSTERED = (
    "t tests of the difference over clusters (jackknife variance), Shaffer-adjusted, and the "
    "posterior they imply"
)
MEASURE = "difference of accuracy"
METHOD = "cluster-robust"
LIKE_CLUSTERS = "clusters not seen are like these {clusters:,d}"
LIKE_WEIGHTS = "heavy items not seen are like the others"
FEW_HEAVY = 400
"""Items of equal weight that tell as much, below which heavy ones unlike the rest may be missed."""


def cluster_doubts(grouped: Grouped[Outcomes]) -> tuple[str, ...]:
    """Say that clusters were counted on, and what cannot be had with them."""
    held = sum(part.total > 0 for _, part in grouped)
    return (
        *measures.cluster_caveats(held, grouped.merged().total),
        "Akaike's criterion and further items are left out: both count independent items",
    )


def doubt_unlike(
    grouped: Grouped[Outcomes], found: Weighed, question: Question
) -> tuple[tuple[Caveat, ...], str | None]:
    """Say that one unseen cluster could undo the leader's closest lead, and what that supposes."""
    leader = found.leader
    beaten = [pair for pair in found.pairs if pair.winner == leader]
    if not beaten:
        return (), None
    pair = min(beaten, key=lambda one: abs(one.difference.value or 0.0))
    behind = pair.second if pair.first == leader else pair.first
    low, high, doubt = unlike_clusters(grouped, (leader, behind), level=question.level)
    if not low <= 0 <= high:
        return (), None
    number = sum(part.total > 0 for _, part in grouped)
    return (doubt,), LIKE_CLUSTERS.format(clusters=number)


def weigh_clusters(
    grouped: Grouped[Outcomes], question: Question, *, adjusted: tuple[float, ...] | None = None
) -> Weighed:
    """Weigh systems on common items with clusters, not items, as the units."""
    whole = grouped.merged()
    names = whole.systems
    found = comparison.contrast_clusters(grouped, rng=question.rng())
    tables = {(i, j): whole.pair(names[i], names[j]) for i, j in couples(len(names))}
    rates = [
        (
            name,
            measures.clustered_trials(
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
        pairs=contrast_pairs(found, question, whole.total, tables=tables, adjusted=adjusted),
        loss=found.loss,
        error=found.error,
    )


def contrast_pairs(
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
    fair = (
        uncertainty.shaffer_static(raw, systems=len(found.systems))
        if adjusted is None
        else adjusted
    )
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
    return min(near, comparison.paired_equivalence(table, margin=margin).equivalent)


# --- right and wrong answers weighed on common items that carry weights --------------------------


PRIMARY = (
    "t tests of the weighted difference with its linearised variance, Shaffer-adjusted, and the "
    "posterior they imply"
)


def compare_weighted(outcomes: Outcomes | Grouped[Outcomes], question: Question) -> Comparison:
    """Compare weighted shares of right answers on common items, or on clusters of them."""
    whole = outcomes.merged() if isinstance(outcomes, Grouped) else outcomes
    found = comparison.contrast_weights(outcomes, rng=question.rng())
    method = METHOD if isinstance(outcomes, Grouped) else "linearised"
    pairs = contrast_pairs(found, question, whole.total, method=method)
    unlike = unlike_weights(whole) if any(pair.winner for pair in pairs) else ()
    return assemble(
        question,
        Weighed(
            rates=[*_rates(outcomes, whole, question.level)],
            best=found.best,
            pairs=pairs,
            loss=found.loss,
            error=found.error,
        ),
        measure="accuracy",
        pairing="common",
        items=whole.total,
        primary=PRIMARY,
        caveats=(*_doubts(outcomes, whole), *unlike),
        provided=LIKE_WEIGHTS if unlike else None,
    )


def _rates(
    outcomes: Outcomes | Grouped[Outcomes], whole: Outcomes, level: float
) -> list[tuple[str, Estimate]]:
    parts = [part for _, part in outcomes if part.total] if isinstance(outcomes, Grouped) else []
    rates = []
    for place, name in enumerate(whole.systems):
        won, among = _weights(whole, place)
        if parts:
            each = [_weights(part, place) for part in parts]
            low, high = uncertainty.cluster_share_interval(
                [one.total for one, _ in each],
                [every.total for _, every in each],
                items=among.effective,
                level=level,
            )
        else:
            low, high = uncertainty.weighted_share_interval(won, among, whole.total, level=level)
        method = METHOD if parts else "wilson-effective"
        rates.append(
            (
                name,
                Estimate(
                    measure="accuracy",
                    value=won.scaled / among.scaled,
                    interval=Interval(low=low, high=high, level=level, method=method),
                    items=whole.total,
                ),
            )
        )
    return rates


def unlike_weights(outcomes: Outcomes) -> tuple[Caveat, ...]:
    """Doubt a verdict that rests on few heavy items."""
    few = _weights(outcomes, 0)[1].effective < FEW_HEAVY
    return (shortfall("unlike-weights"),) if few else ()


def _weights(outcomes: Outcomes, place: int) -> tuple[WeightSums, WeightSums]:
    """Add up the weights of the items that one system had right, and of all."""
    won, among = WeightSums(0, 0), WeightSums(0, 0)
    for pattern, one in outcomes.weights or ():
        among = among.merged(one)
        if pattern >> place & 1:
            won = won.merged(one)
    return won, among


def _doubts(outcomes: Outcomes | Grouped[Outcomes], whole: Outcomes) -> tuple[str, ...]:
    effective = _weights(whole, 0)[1].effective
    said = (
        f"items are weighted: {whole.total:,d} of them tell as much as {effective:,.1f} of equal "
        "weight; exact tests, Akaike's criterion and further items need counts and are left out"
    )
    if isinstance(outcomes, Grouped):
        held = sum(part.total > 0 for _, part in outcomes)
        return (said, *measures.cluster_caveats(held, whole.total))
    return (said,)
