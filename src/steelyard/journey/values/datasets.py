"""A table of results, a row for each data set: which algorithm ranks best over data sets?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from steelyard import comparison, tally
from steelyard.errors import NotComparable, listing
from steelyard.journey.arguments import refuse_beside
from steelyard.journey.comparison.refusals import refuse_many
from steelyard.journey.opening import (
    RoleArguments,
    open_data,
    plain_results,
    provenance_of,
    result_columns,
)
from steelyard.journey.values.sums import check_units, need_better
from steelyard.results import DatasetComparison, DatasetPair, RankedByDatasets
from steelyard.sources import Predictions

__all__ = ["compare_datasets"]

FEWEST = 3
FEW = 10
DRAWS = 20_000
MOST_ALGORITHMS = 100
"""Every pair is drawn so often: those of 100 take half a minute."""
UNUSED = ("method", "measure", "using", "estimand", "prior", "cost", "by_group")
OF_ITEMS = (
    "truth", "positive", "called", "score", "outcome", "vector", "classes", "threshold", "weight",
    "group", "fold", "pairing", "per", "judge", "errors", "unlabelled", "scorer", "metric",
    "filter", "unsubmitted",
)  # fmt: skip
"""Roles that say nothing of a row that is a whole data set."""
NO_ITEMS = (
    "{option} is about items, and layout='datasets' has a row for each data set. Leave one of them "
    "out."
)
DATA_SETS = (
    "the data sets are treated as a sample of data sets like them, and each counts once, however "
    "many items it has"
)
AVERAGED = "{rows:,} rows are runs of {sets:,} data sets, and those of one were averaged first"


def compare_datasets(
    data: Any,  # noqa: ANN401
    own: Mapping[str, Any],
    roles: RoleArguments,
    *,
    seed: int,
) -> DatasetComparison:
    """Rank algorithms over data sets, and tell apart those whose ranks lie far enough apart."""
    refuse_beside({**own, **roles}, (*UNUSED, *OF_ITEMS), NO_ITEMS, code="layout")
    predictions = _open_results(data, roles)
    need_better(predictions)
    lower = predictions.values is not None and predictions.values.better == "lower"
    names = [system.name for system in predictions.systems]
    refuse_many(names, MOST_ALGORITHMS)
    if len(names) < 2:
        message = f"Only one algorithm ({listing(names)}); a comparison needs two or more."
        raise NotComparable(message, code="one-system")
    check_units(predictions.values, tally.tally_moments(predictions))
    scores, averaged = _scores(predictions)
    count = len(scores[names[0]])
    if count < FEWEST:
        message = (
            f"{count} data sets; ranks need {FEWEST} or more to show how data sets vary. Each row "
            "is a data set, each column an algorithm."
        )
        raise NotComparable(message, code="few-data-sets")
    found = _answer(predictions, scores, own, lower=lower, seed=seed)
    return replace(found, caveats=(*found.caveats, *averaged))


def _scores(predictions: Predictions) -> tuple[dict[str, list[float]], list[str]]:
    """Read a result for each data set; runs or folds of one, named as its cluster, are averaged."""
    names = [system.name for system in predictions.systems]
    if "cluster" not in predictions.splits:
        columns = tally.read_item_values(predictions, predictions.systems)
        return {name: one.tolist() for name, one in zip(names, columns, strict=True)}, []
    parts = tally.tally_moments_by(predictions, "cluster").parts
    scores = {name: [part.mean(name) for part in parts] for name in names}
    rows = sum(part.items for part in parts)
    return scores, [] if rows == len(parts) else [AVERAGED.format(rows=rows, sets=len(parts))]


def _open_results(data: Any, roles: RoleArguments) -> Predictions:  # noqa: ANN401
    """Open a table of results, made plain first where it is written as papers print them."""
    if isinstance(data, Predictions):
        return data
    data, roles, printed = plain_results(data, roles)
    predictions = open_data(data, _with_columns(data, roles))
    if printed is None:
        return predictions
    return replace(
        predictions,
        files=printed.files,
        understood=(*printed.said, *predictions.understood),
        caveats=(*printed.caveats, *predictions.caveats),
    )


def _with_columns(data: Any, roles: RoleArguments) -> RoleArguments:  # noqa: ANN401
    """Name the data sets and the columns of results, where nobody did, and nothing else."""
    item, columns, other = result_columns(data, roles)
    found: dict[str, Any] = {**roles, "value": columns} | dict.fromkeys(other, "")
    found["item"] = None if item == roles.get("cluster") else item
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
        systems=tuple(_rank_one(name, scores, goods, ranks) for name in goods),
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
    for first, second in combinations(sorted(goods, key=lambda name: ranks[name]), 2):
        gaps = [a - b for a, b in zip(goods[first], goods[second], strict=True)]
        alone = comparison.signed_rank(gaps).p_value
        rng = np.random.default_rng(seed)
        belief = comparison.bayesian_signed_rank(gaps, rope=rope, rng=rng, draws=DRAWS)
        # All of so few data sets lean one way by chance: no belief is surer than that.
        least = 0.5 ** len(gaps)
        above, below = (min(max(one, least), 1 - least) for one in (belief.above, belief.below))
        p_value = known.get((first, second), known.get((second, first), alone))
        made.append(
            DatasetPair(
                first=first,
                second=second,
                rank_difference=ranks[first] - ranks[second],
                p_value=p_value,
                wilcoxon=alone,
                better=above,
                same=max(0.0, belief.inside + (belief.above - above) + (belief.below - below)),
                worse=below,
                different=p_value <= alpha,
            )
        )
    return tuple(made)


def _rank_one(
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
