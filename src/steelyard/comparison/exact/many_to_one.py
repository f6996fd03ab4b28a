"""Several systems against one: a control, or whichever is the best."""

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Literal, TypeAlias

from steelyard.comparison.exact.independent import (
    independent_interval,
    independent_test,
    score_test,
)
from steelyard.comparison.exact.paired import mcnemar
from steelyard.counts import Outcomes, Trials
from steelyard.errors import CountsError, NotComparable, check_share, listing
from steelyard.uncertainty.differences.independent import miettinen_nurminen_interval
from steelyard.uncertainty.differences.paired import tango_interval
from steelyard.uncertainty.multiplicity import holm

__all__ = ["AgainstBest", "AgainstControl", "compare_with_best", "compare_with_control"]

Sparse: TypeAlias = Literal["score", "exact"]
"""What is done about independent samples with small counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstControl:
    """One system against the control: difference of rates, p-value alone and adjusted."""

    system: str
    control: str
    difference: float
    p_value: float
    adjusted: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstBest:
    """Limits of the rate of a system minus the best rate of the others.

    ``low`` above 0: it is the best. ``high`` below 0: it is not. All limits hold together.
    """

    system: str
    low: float
    high: float
    level: float

    @property
    def may_be_best(self) -> bool:
        """Whether the limits leave room for this system being the best."""
        return self.high >= 0


def compare_with_control(
    counts: Trials | Outcomes, control: str, *, sparse: Sparse = "score"
) -> tuple[AgainstControl, ...]:
    """Compare every system with one control, two-sided, adjusted by Holm.

    Score tests for independent samples (``Trials``), mid-p McNemar tests for common items
    (``Outcomes``). With ``sparse="exact"`` independent samples are judged by
    :func:`~steelyard.comparison.independent_test`, which turns to an exact test
    where counts are small and the score test errs too often. Holm's adjustment holds the
    family-wise error under any dependence.

    Notes
    -----
    Dunnett's method would use the correlation that the shared control brings and reject slightly
    sooner; the gain is small, and Holm steps down. Trials of common items are refused: count who
    was right together.

    References
    ----------
    .. [1] Dunnett (1955), JASA 50, 1096-1121, doi:10.1080/01621459.1955.10501294.
    .. [2] Holm (1979), Scandinavian Journal of Statistics 6, 65-70, stable id jstor.org/4615733.

    Examples
    --------
    >>> trials = Trials(correct={"old": 70, "A": 85, "B": 74}, tested=100, pairing="independent")
    >>> for row in compare_with_control(trials, "old"):
    ...     print(row.system, round(row.difference, 2), round(row.adjusted, 4))
    A 0.15 0.0226
    B 0.04 0.5298
    """
    _check(counts, at_least=2)
    if control not in counts.systems:
        message = f"No system {control!r} here. Systems: {listing(counts.systems)}."
        raise CountsError(message, code="system-unknown")
    others = [system for system in counts.systems if system != control]
    tests = [_pair_test(counts, system, control, sparse) for system in others]
    adjusted = holm([p_value for _, p_value in tests])
    return tuple(
        AgainstControl(
            system=system, control=control, difference=gap, p_value=p_value, adjusted=now
        )
        for system, (gap, p_value), now in zip(others, tests, adjusted, strict=True)
    )


def compare_with_best(
    counts: Trials | Outcomes, *, level: float = 0.95, sparse: Sparse = "score"
) -> tuple[AgainstBest, ...]:
    r"""Multiple comparisons with the best: limits of :math:`p_i - \max_{j \ne i} p_j`.

    From intervals :math:`[L_{ij}, U_{ij}]` of all pairwise differences that hold together
    (Bonferroni): :math:`[\min_j L_{ij}, \min_j U_{ij}]`. Miettinen-Nurminen intervals for
    independent samples (with ``sparse="exact"`` those of
    :func:`~steelyard.comparison.independent_interval`), Tango's for common items.

    Notes
    -----
    Hsu's constrained intervals for normal means are narrower; these make no use of the joint
    distribution and are careful, the more so the more systems there are.

    References
    ----------
    .. [1] Hsu (1984), Annals of Statistics 12, 1136-1144, doi:10.1214/aos/1176346732.

    Examples
    --------
    >>> trials = Trials(correct={"A": 90, "B": 84, "C": 60}, tested=100, pairing="independent")
    >>> for row in compare_with_best(trials):
    ...     print(row.system, round(row.low, 3), round(row.high, 3), row.may_be_best)
    A -0.057 0.18 True
    B -0.18 0.057 True
    C -0.435 -0.159 False
    """
    _check(counts, at_least=2)
    check_share("level", level)
    each = 1 - (1 - level) / comb(len(counts.systems), 2)
    limits: dict[tuple[str, str], tuple[float, float]] = {}
    for one, two in combinations(counts.systems, 2):
        low, high = _pair_interval(counts, one, two, each, sparse)
        limits[one, two], limits[two, one] = (low, high), (-high, -low)
    return tuple(
        AgainstBest(
            system=system,
            low=min(limits[system, other][0] for other in counts.systems if other != system),
            high=min(limits[system, other][1] for other in counts.systems if other != system),
            level=level,
        )
        for system in counts.systems
    )


def _check(counts: Trials | Outcomes, *, at_least: int) -> None:
    if len(counts.systems) < at_least:
        message = f"Only {listing(counts.systems)} was given; name at least two systems."
        raise NotComparable(message)
    if isinstance(counts, Trials) and counts.pairing != "independent":
        message = (
            "These systems saw common items, but who was right together is not known. Pass their "
            "Outcomes, or Trials with pairing='independent'."
        )
        raise NotComparable(message)


def _sample(trials: Trials, system: str) -> tuple[int, int]:
    place = trials.systems.index(system)
    return trials.correct[place], trials.tested[place]


def _pair_test(
    counts: Trials | Outcomes, one: str, two: str, sparse: Sparse
) -> tuple[float, float]:
    """Difference of the rates and p-value of two systems."""
    if isinstance(counts, Outcomes):
        pair = counts.pair(one, two)
        return (pair.first - pair.second) / max(pair.total, 1), mcnemar(pair).p_value
    first, second = _sample(counts, one), _sample(counts, two)
    gap = (first[0] * second[1] - second[0] * first[1]) / (first[1] * second[1])
    test = score_test if sparse == "score" else independent_test
    return gap, test(first, second).p_value


def _pair_interval(
    counts: Trials | Outcomes, one: str, two: str, level: float, sparse: Sparse
) -> tuple[float, float]:
    if isinstance(counts, Outcomes):
        pair = counts.pair(one, two)
        return tango_interval(pair.both, pair.first, pair.second, pair.neither, level=level)
    if sparse == "score":
        return miettinen_nurminen_interval(_sample(counts, one), _sample(counts, two), level=level)
    found = independent_interval(_sample(counts, one), _sample(counts, two), level=level)
    return found.low, found.high
