"""Algorithms over problems that are taken for a sample of such problems."""

from collections.abc import Mapping, Sequence

import numpy as np

from steelyard.comparison import bayesian_signed_rank, friedman, nemenyi
from steelyard.results import OverProblems, SignedRankChance

__all__ = ["FEWEST", "ROPE", "mean_ranks", "over_problems"]

FEWEST = 5
"""Fewer problems are not taken for a sample of anything."""

ROPE = 0.01
"""Differences of the L2 score below this count as practically none."""


def mean_ranks(table: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Mean over problems of the rank of each algorithm; 1 is best.

    Examples
    --------
    >>> mean_ranks({"A": [0.9, 0.8], "B": [0.7, 0.9]})
    {'A': 1.5, 'B': 1.5}
    """
    found = friedman(table).ranks
    return dict(zip(found.systems, found.ranks, strict=True))


def over_problems(table: Mapping[str, Sequence[float]], *, alpha: float, seed: int) -> OverProblems:
    """Take the problems for a sample: Friedman, Nemenyi, and signed ranks against the leader."""
    tested, apart = friedman(table), nemenyi(table, alpha=alpha)
    leader = max(table, key=lambda name: sum(table[name]))
    chances = []
    for second in table:
        if second == leader:
            continue
        differences = [a - b for a, b in zip(table[leader], table[second], strict=True)]
        rng = np.random.default_rng(seed)
        found = bayesian_signed_rank(differences, rope=ROPE, rng=rng, draws=20_000)
        chances.append(
            SignedRankChance(
                second=second, worse=found.above, alike=found.inside, better=found.below
            )
        )
    return OverProblems(
        problems=len(next(iter(table.values()))),
        p_value=tested.f_p_value,
        critical_difference=apart.critical_difference,
        cliques=_cliques(mean_ranks(table), apart.critical_difference),
        leader=leader,
        rope=ROPE,
        chances=tuple(chances),
    )


def _cliques(ranks: Mapping[str, float], apart: float) -> tuple[tuple[str, ...], ...]:
    """Group neighbours in mean rank that lie within the critical difference, as large as may be."""
    order = sorted(ranks, key=lambda name: ranks[name])
    groups: list[tuple[str, ...]] = []
    for start, first in enumerate(order):
        group = tuple(name for name in order[start:] if ranks[name] - ranks[first] < apart)
        if len(group) > 1 and not (groups and set(group) <= set(groups[-1])):
            groups.append(group)
    return tuple(groups)
