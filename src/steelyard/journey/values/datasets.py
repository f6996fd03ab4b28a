"""A table of results, a row for each data set: which algorithm ranks best over data sets?"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from steelyard import comparison, tally
from steelyard.errors import NotComparable, RequestError, listing
from steelyard.journey.comparison.question import refuse_many
from steelyard.journey.opening import RoleArguments, opened, provenance_of, result_columns
from steelyard.journey.values.sums import need_better
from steelyard.results import DatasetComparison, DatasetPair, RankedByDatasets
from steelyard.sources import Predictions

__all__ = ["compare_datasets"]

FEWEST = 3
FEW = 10
DRAWS = 20_000
MOST_ALGORITHMS = 100
"""Every pair is drawn so often: those of 100 take half a minute."""
UNUSED = ("method", "measure", "using", "estimand", "prior")
DATA_SETS = (
    "the data sets are treated as a sample of data sets like them, and each counts once, however "
    "many items it has"
)


def compare_datasets(
    data: Any,  # noqa: ANN401
    own: Mapping[str, Any],
    roles: RoleArguments,
    *,
    seed: int,
) -> DatasetComparison:
    """Rank algorithms over data sets, and tell apart those whose ranks lie far enough apart."""
    _refuse_others(own)
    predictions = opened(data, _with_columns(data, roles))
    need_better(predictions)
    lower = predictions.values is not None and predictions.values.better == "lower"
    names = [system.name for system in predictions.systems]
    refuse_many(names, MOST_ALGORITHMS)
    if len(names) < 2:
        message = f"Only one algorithm ({listing(names)}); a comparison needs two or more."
        raise NotComparable(message, code="one-system")
    columns = tally.read_item_values(predictions, predictions.systems)
    scores = {name: column.tolist() for name, column in zip(names, columns, strict=True)}
    count = len(columns[0])
    if count < FEWEST:
        message = (
            f"{count} data sets; ranks need {FEWEST} or more to show how data sets vary. Each row "
            "is a data set, each column an algorithm."
        )
        raise NotComparable(message, code="few-data-sets")
    return _answer(predictions, scores, own, lower=lower, seed=seed)


def _refuse_others(own: Mapping[str, Any]) -> None:
    asked = [name for name in UNUSED if own[name] is not None]
    if own["by_group"]:
        asked.append("by_group")
    if asked:
        option = asked[0].replace("_", "-")
        message = (
            f"{asked[0]}= (--{option}) is about items, and layout='datasets' has a row for each "
            "data set. Leave one of them out."
        )
        raise RequestError(message, code="layout")


def _with_columns(data: Any, roles: RoleArguments) -> RoleArguments:  # noqa: ANN401
    """Name the columns of results, where nobody did: all but the one that names data sets."""
    if roles.get("value"):
        return roles
    item, columns = result_columns(data, roles)
    found: dict[str, Any] = {**roles, "value": columns}
    if item is not None:
        found["item"] = item
    return found  # type: ignore[return-value]


def _answer(
    predictions: Predictions,
    scores: Mapping[str, Sequence[float]],
    own: Mapping[str, Any],
    *,
    lower: bool,
    seed: int,
) -> DatasetComparison:
    sign = -1.0 if lower else 1.0
    goods = {name: [sign * value for value in values] for name, values in scores.items()}
    tested = comparison.friedman(goods)
    ranks = dict(zip(tested.ranks.systems, tested.ranks.ranks, strict=True))
    alpha, rope = own["alpha"], own["margin"] or 0.0
    apart = comparison.nemenyi(goods, alpha=alpha) if len(goods) > 2 else None
    pairs = _pairs(goods, ranks, apart, alpha=alpha, rope=rope, seed=seed)
    p_value = tested.f_p_value if apart is not None else pairs[0].p_value
    difference = None if apart is None else apart.critical_difference
    tied = len(goods) == 2 and not pairs[0].different
    cliques = (tuple(goods),) if tied else ()
    settings = {"layout": "datasets", "alpha": alpha, "margin": own["margin"]}
    return DatasetComparison(
        datasets=tested.ranks.datasets,
        better="lower" if lower else "higher",
        test="wilcoxon" if apart is None else "friedman",
        p_value=p_value,
        chi_square=None if apart is None else tested.statistic,
        critical_difference=difference,
        systems=tuple(_ranked(name, scores, goods, ranks) for name in goods),
        pairs=pairs,
        cliques=cliques if difference is None else comparison.rank_cliques(ranks, difference),
        rope=rope,
        alpha=alpha,
        provenance=provenance_of(predictions, settings, seed=seed),
        caveats=(*predictions.caveats, DATA_SETS, *_few(tested.ranks.datasets)),
    )


def _few(datasets: int) -> tuple[str, ...]:
    if datasets >= FEW:
        return ()
    return (f"{datasets} data sets are few: ranks of so many tell only the plainest apart",)


def _pairs(
    goods: Mapping[str, Sequence[float]],
    ranks: Mapping[str, float],
    apart: Any,  # noqa: ANN401
    *,
    alpha: float,
    rope: float,
    seed: int,
) -> tuple[DatasetPair, ...]:
    known = {} if apart is None else {(one.first, one.second): one.p_value for one in apart.pairs}
    made = []
    for first, second in combinations(goods, 2):
        gaps = [a - b for a, b in zip(goods[first], goods[second], strict=True)]
        alone = comparison.signed_rank(gaps).p_value
        rng = np.random.default_rng(seed)
        belief = comparison.bayesian_signed_rank(gaps, rope=rope, rng=rng, draws=DRAWS)
        p_value = known.get((first, second), known.get((second, first), alone))
        made.append(
            DatasetPair(
                first=first,
                second=second,
                rank_difference=ranks[first] - ranks[second],
                p_value=p_value,
                wilcoxon=alone,
                better=belief.above,
                same=belief.inside,
                worse=belief.below,
                different=p_value <= alpha,
            )
        )
    return tuple(made)


def _ranked(
    name: str,
    scores: Mapping[str, Sequence[float]],
    goods: Mapping[str, Sequence[float]],
    ranks: Mapping[str, float],
) -> RankedByDatasets:
    table = np.array(list(goods.values()))
    best = table == table.max(axis=0)
    shares = best / best.sum(axis=0)
    return RankedByDatasets(
        system=name,
        mean_rank=ranks[name],
        mean=float(np.mean(scores[name])),
        median=float(np.median(scores[name])),
        best_on=float(shares[list(goods).index(name)].sum()),
    )
