"""How a measure of calls is compared unless a method is named: what a gate holds, with a test."""

from dataclasses import replace

import numpy as np

from steelyard.comparison.exact.paired import common_interval, common_test
from steelyard.comparison.methods.case import Case, Found, Method, Option, facts_sheet
from steelyard.comparison.methods.pair_tests import test_pairs
from steelyard.comparison.methods.quantities import Quantity
from steelyard.comparison.posterior.paired import pair_posterior
from steelyard.comparison.resampling.guarded import guarded_calls
from steelyard.comparison.resampling.paired import check_values
from steelyard.comparison.unlike_clusters import unlike_clusters
from steelyard.counts import Grouped, Outcomes
from steelyard.errors import NotComparable, RequestError
from steelyard.uncertainty import ClusterContrast, cluster_contrast

__all__ = ["MEASURE_METHODS"]

ADJUSTED = "different when the p-value, Shaffer-adjusted for all pairs, is at most alpha"
COLUMNS = ("value_first", "value_second", "difference", "low", "high", "p_better")
UNDECIDABLE = (
    "draws without a value, or too few clusters, leave no interval: nothing is told apart there"
)
UNLIKE_CLUSTERS = (
    "items come in {clusters:,d} clusters, which are the units here; the level of these limits is "
    "not certified over clusters: with unlike ones they may be short"
)
TANGO = "Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B"
Answer = tuple[list[object], float | None, float]


def _compare_shares(case: Case) -> Found:
    share = case.share
    if share is None:
        message = "This method needs a share of items that the truth selects, such as recall."
        raise RequestError(message)
    whole = share.merged() if isinstance(share, Grouped) else share
    if whole.total == 0:
        message = (
            f"No item says anything about {case.measure}. Name another class, or test such items."
        )
        raise NotComparable(message, code="no-items")
    rates = [right / whole.total for right in whole.correct()]
    test = _over_clusters if isinstance(share, Grouped) else _over_items

    def test_pair(i: int, j: int) -> Answer:
        ends, better, p_value = test(case, i, j)
        gap = rates[i] - rates[j]
        if case.higher_is_better:
            return [rates[i], rates[j], gap, *ends, better], p_value, gap
        # A share of wrong answers is the same claim: its values and limits change sides.
        values: list[object] = [
            1 - rates[i], 1 - rates[j], rates[j] - rates[i], -ends[1], -ends[0], better,
        ]  # fmt: skip
        return values, p_value, gap

    items: list[tuple[Quantity, float | None]] = [
        (("items_of_share", "items that the share is about"), whole.total)
    ]
    if isinstance(share, Grouped):
        holding = sum(part.total > 0 for _, part in share)
        items.append((("clusters_of_share", "clusters that hold them"), holding))
    counted = facts_sheet("Items", items)
    answer = test_pairs(
        case, COLUMNS, test_pair, title=f"{case.measure} of every pair", before=(counted,)
    )
    if not isinstance(share, Grouped):
        return answer
    ahead, behind = sorted(range(len(rates)), key=lambda place: -rates[place])[:2]
    names = case.systems[ahead], case.systems[behind]
    low, high, doubt = unlike_clusters(share, names, level=case.level)
    said = answer.answer
    if low <= 0 <= high and answer.decision != "undecided":
        said = f"{said.removesuffix('.')}, if clusters not seen are like these {holding:,d}."
    return replace(answer, answer=said, caveats=(doubt, *answer.caveats))


def _over_items(case: Case, i: int, j: int) -> tuple[tuple[float, float], float, float]:
    assert isinstance(case.share, Outcomes)
    pair = case.share.pair(case.systems[i], case.systems[j])
    ends = common_interval(pair, level=case.level)
    better = pair_posterior(pair).first_better
    return (ends.low, ends.high), better, common_test(pair).p_value


def _over_clusters(case: Case, i: int, j: int) -> tuple[tuple[float, float], float, float]:
    assert isinstance(case.share, Grouped)
    found = _contrast(case.share, case.systems[i], case.systems[j])
    return found.interval(case.level), found.better, found.p_value


def _contrast(share: Grouped[Outcomes], first: str, second: str) -> ClusterContrast:
    tables = [part.pair(first, second) for _, part in share]
    return cluster_contrast(
        [one.first for one in tables], [one.second for one in tables], [one.total for one in tables]
    )


def _compare_guarded(case: Case) -> Found:
    joint = case.cluster_calls or case.calls
    if case.table_measure is None or joint is None:
        message = "Limits that allow for one unseen item need a measure of calls."
        raise RequestError(message)
    measure, sign = case.table_measure, 1.0 if case.higher_is_better else -1.0
    found = {
        (i, j): guarded_calls(
            joint,
            lambda tables: sign * measure(tables),
            (case.systems[i], case.systems[j]),
            rng=case.rng(),
            draws=case.using["draws"],
            level=case.level,
        )
        for i, j in case.couples()
    }
    values = [found[0, 1].values[0], *(found[0, j].values[1] for j in range(1, len(case.systems)))]
    check_values(case.systems, np.array(values, dtype=np.float64))
    limits = []

    def test_pair(i: int, j: int) -> Answer:
        one, (first, second) = found[i, j], (values[i] or 0.0, values[j] or 0.0)
        ends = (one.low, one.high) if sign > 0 else (_minus(one.high), _minus(one.low))
        limits.append(None not in ends)
        one_way, other_way = sign * first, sign * second
        shown = [one_way, other_way, one_way - other_way]
        return [*shown, *ends, one.better], one.p_value, first - second

    answer = test_pairs(case, COLUMNS, test_pair, title=f"{case.measure} of every pair")
    drawn = facts_sheet("Draws", [("draws", case.using["draws"])])
    doubts = [] if all(limits) else [UNDECIDABLE]
    if isinstance(joint, Grouped):
        doubts.append(UNLIKE_CLUSTERS.format(clusters=len(joint)))
    return replace(answer, parts=(*answer.parts, drawn), caveats=(*answer.caveats, *doubts))


def _minus(value: float | None) -> float | None:
    return None if value is None else -value


MEASURE_METHODS = (
    Method(
        name="paired-shares",
        title="recall, specificity or their complements as right answers on the items they are of",
        needs=("share",),
        formula=(
            "McNemar's mid-p of the items only one has right (exact if over 4/5 are), Tango's "
            "limits; over clusters the t test of their differences"
        ),
        rule=ADJUSTED,
        assumption="items (or clusters, if named) are independent",
        reference=TANGO,
        page="paired-difference",
        run=_compare_shares,
    ),
    Method(
        name="guarded",
        title="any measure of calls, by limits that allow for one unseen item",
        needs=("calls", "measure"),
        formula=(
            "p = 2 min(#{low* <= 0} + 1, #{high* >= 0} + 1)/(B + 1), items weighed by Exp(1) "
            "with one item more that harms the claim; limits are quantiles of the same draws"
        ),
        rule=ADJUSTED,
        assumption="items (or clusters, if named) are independent",
        reference="Rubin (1981), doi:10.1214/aos/1176345338",
        page="resampling",
        run=_compare_guarded,
        options={"draws": Option(default=10_000, meaning="times the items are weighed again")},
    ),
)
