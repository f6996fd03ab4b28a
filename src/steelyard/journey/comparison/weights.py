"""Right and wrong answers weighed on common items that carry weights."""

from steelyard.comparison import contrast_weights
from steelyard.counts import Grouped, Outcomes, WeightSums
from steelyard.journey.comparison.clusters import METHOD, contrasted_pairs
from steelyard.journey.comparison.question import Question, Weighed, assembled
from steelyard.measures import cluster_caveats
from steelyard.results import Comparison, Estimate, Interval
from steelyard.uncertainty import cluster_share_interval, weighted_share_interval

__all__ = ["compare_weighted"]

PRIMARY = (
    "t tests of the weighted difference with its linearised variance, Shaffer-adjusted, and the "
    "posterior they imply"
)


def compare_weighted(outcomes: Outcomes | Grouped[Outcomes], question: Question) -> Comparison:
    """Compare weighted shares of right answers on common items, or on clusters of them."""
    whole = outcomes.merged() if isinstance(outcomes, Grouped) else outcomes
    found = contrast_weights(outcomes, rng=question.rng())
    method = METHOD if isinstance(outcomes, Grouped) else "linearised"
    return assembled(
        question,
        Weighed(
            rates=[*_rates(outcomes, whole, question.level)],
            best=found.best,
            pairs=contrasted_pairs(found, question, whole.total, method=method),
            loss=found.loss,
            error=found.error,
        ),
        measure="accuracy",
        pairing="common",
        items=whole.total,
        primary=PRIMARY,
        caveats=_doubts(outcomes, whole),
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
            low, high = cluster_share_interval(
                [one.total for one, _ in each],
                [every.total for _, every in each],
                items=among.effective,
                level=level,
            )
        else:
            low, high = weighted_share_interval(won, among, whole.total, level=level)
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
        return (said, *cluster_caveats(held, whole.total))
    return (said,)
