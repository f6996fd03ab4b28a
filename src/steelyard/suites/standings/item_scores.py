"""Scores item by item, and what follows for a problem or a suite when items come in groups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from steelyard.counts import VectorRule
from steelyard.results import Estimate, Interval
from steelyard.suites.problems.problem import Problem
from steelyard.suites.problems.vectors import Vectors
from steelyard.tally.kernels.vectors import item_scores
from steelyard.uncertainty import cluster_variance

__all__ = [
    "RULE_NAMES",
    "Difference",
    "ProblemScores",
    "score_difference",
    "score_problem",
    "suite_score",
]

Floats = NDArray[np.float64]

RULE_NAMES: dict[VectorRule, str] = {
    "spherical": "L2 score",
    "winner": "winner-take-all",
    "brier": "Brier score",
    "log": "log score",
}
BOUNDS: dict[VectorRule, tuple[float, float]] = {
    "spherical": (0.0, 1.0),
    "winner": (0.0, 1.0),
    "brier": (0.0, 2.0),
    "log": (0.0, np.inf),
}
METHOD = "cluster-robust"
NO_SPREAD = "no interval: all items of a class scored alike, so their spread cannot be judged"
ONE_GROUP = "no interval: all items come from one group"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProblemScores:
    """The item scores of every algorithm on one problem.

    ``codes`` and ``groups`` stand in the order of the items, ``weights`` in that of the classes.
    """

    problem: str
    weight: float
    codes: NDArray[np.intp]
    groups: tuple[str, ...]
    weights: Floats
    scores: Mapping[str, Mapping[VectorRule, Floats]]

    def means(self, scores: Floats) -> Floats:
        """Give the mean score of the items of each class; 0 for a class without items."""
        sizes = np.bincount(self.codes, minlength=self.weights.size)
        sums = [fsum(scores[self.codes == c].tolist()) for c in range(self.weights.size)]
        return np.array(sums) / np.maximum(sizes, 1)

    def score(self, scores: Floats) -> float:
        """Weigh the means of the classes."""
        return fsum((self.weights * self.means(scores)).tolist())

    def contributions(self, scores: Floats) -> Floats:
        """Give what every item adds to the score beyond the mean of its class, over its size."""
        sizes = np.bincount(self.codes, minlength=self.weights.size)
        share = self.weights / np.maximum(sizes, 1)
        return np.asarray(share[self.codes] * (scores - self.means(scores)[self.codes]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A difference of scores with the two-sided p-value that it is none."""

    estimate: Estimate
    p_value: float


def score_problem(
    problem: Problem, vectors: Mapping[str, Vectors], *, weight: float
) -> ProblemScores:
    """Score every vector of every algorithm under every rule."""
    answers, ids = problem.answers(), problem.test().ids
    known = {name: at for at, name in enumerate(answers.ids)}
    order = [known[name] for name in ids]
    place = {name: at for at, name in enumerate(problem.names)}
    codes = np.array([place[answers.classes[at]] for at in order], dtype=np.intp)
    return ProblemScores(
        problem=problem.id,
        weight=weight,
        codes=codes,
        groups=tuple(answers.groups[at] for at in order),
        weights=np.array([problem.weights[name] for name in problem.names]),
        scores={name: item_scores(codes, table) for name, table in vectors.items()},
    )


def suite_score(
    parts: Sequence[ProblemScores], algorithm: str, rule: VectorRule, *, level: float
) -> Estimate:
    r"""Score of one algorithm over problems, with an interval over groups of items.

    :math:`S=\sum_p v_p\sum_c \frac{w_{pc}}{n_{pc}}\sum_{i\in V_{pc}} s_i`, v the weights of the
    problems, w those of the classes. What the items of a group add, less the mean of their
    class, is one observation; a group of the same name in several problems is one group. Its
    variance has Student's interval with G - 1 degrees of freedom.

    References
    ----------
    .. [1] Smith & Burns (1997), Measuring texture classification algorithms, Pattern Recognition
       Letters 18, 1495-1501.
    .. [2] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, section 6.3.
    """
    name, items = RULE_NAMES[rule], sum(part.codes.size for part in parts)
    scores = [part.scores[algorithm][rule] for part in parts]
    lost = sum(int(np.isinf(one).sum()) for one in scores)
    if lost:
        what = "item" if lost == 1 else "items"
        reason = f"gave the true class no chance on {lost:,} {what}: infinite loss"
        return Estimate(measure=name, value=None, reason=reason, items=items)
    value, totals = _sum_problems(parts, scores)
    return _estimate(name, value, totals, level=level, bounds=BOUNDS[rule], items=items)


def score_difference(
    parts: Sequence[ProblemScores],
    first: str,
    second: str,
    *,
    rule: VectorRule = "spherical",
    level: float = 0.95,
) -> Difference:
    """Score of the first algorithm less that of the second on the same items.

    As :func:`suite_score`, of the differences item by item. Where these do not vary inside any
    class, the p-value is that of every group pointing the same way.
    """
    apart = [part.scores[first][rule] - part.scores[second][rule] for part in parts]
    value, totals = _sum_problems(parts, apart)
    largest = BOUNDS[rule][1]
    items = sum(part.codes.size for part in parts)
    name = f"{RULE_NAMES[rule]} difference"
    bounds = (-largest, largest)
    estimate = _estimate(name, value, totals, level=level, bounds=bounds, items=items)
    return Difference(estimate=estimate, p_value=_p_value(estimate, len(totals)))


def _sum_problems(parts: Sequence[ProblemScores], scores: Sequence[Floats]) -> tuple[float, Floats]:
    """Weigh the problems, and add up what each group adds over all problems it has items in."""
    whole = fsum(part.weight for part in parts)
    value, totals = 0.0, dict[str, float]()
    for part, one in zip(parts, scores, strict=True):
        weight = part.weight / whole
        value += weight * part.score(one)
        for group, added in zip(part.groups, part.contributions(one).tolist(), strict=True):
            totals[group] = totals.get(group, 0.0) + weight * added
    return value, np.array(list(totals.values()))


def _estimate(
    name: str,
    value: float,
    totals: Floats,
    *,
    level: float,
    bounds: tuple[float, float],
    items: int,
) -> Estimate:
    value = min(bounds[1], max(bounds[0], value))
    variance = cluster_variance(totals) if totals.size > 1 else None
    if variance is None or variance <= 1e-24:
        doubt = ONE_GROUP if variance is None else NO_SPREAD
        return Estimate(measure=name, value=value, items=items, caveats=(doubt,))
    half = -float(stdtrit(totals.size - 1, (1 - level) / 2)) * sqrt(variance)
    ends = Interval(
        low=max(bounds[0], value - half),
        high=min(bounds[1], value + half),
        level=level,
        method=METHOD,
    )
    return Estimate(
        measure=name, value=value, interval=ends, standard_error=sqrt(variance), items=items
    )


def _p_value(estimate: Estimate, groups: int) -> float:
    value, error = estimate.value or 0.0, estimate.standard_error
    if abs(value) < 1e-12:
        return 1.0
    if error is None:
        return 1.0 if groups < 2 else 0.5 ** (groups - 1)
    return min(1.0, 2 * float(stdtr(groups - 1, -abs(value) / error)))
