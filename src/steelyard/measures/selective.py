"""Saying "don't know": what is risked at each share of items that is answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtrc

from steelyard.counts.row_names import refuse_other_rows
from steelyard.errors import CountsError, RequestError, check_share
from steelyard.uncertainty import clopper_pearson_interval

__all__ = [
    "PromisedThreshold",
    "RiskCoverage",
    "RiskPoint",
    "ThresholdStep",
    "check_certainties",
    "promised_threshold",
    "risk_coverage",
]

Floats = NDArray[np.float64]
Ties = Literal["random", "block"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskPoint:
    """Answering what scores ``threshold`` or more: the share of items, and of errors among them."""

    threshold: float
    coverage: float
    risk: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskCoverage:
    """A risk-coverage curve and the area under it.

    ``aurc`` is the mean risk over all numbers of surest items; ``best`` that of an order that puts
    every error last. :func:`aurc_limits` has limits: the area depends on the few most certain
    items.
    """

    items: int
    errors: int
    aurc: float
    best: float
    points: tuple[RiskPoint, ...]

    @property
    def excess(self) -> float:
        """The area above the best possible (e-AURC)."""
        return self.aurc - self.best

    def coverage_at(self, risk: float) -> float:
        """Largest share of items answered with a risk, as seen, of at most ``risk``."""
        return max((one.coverage for one in self.points if one.risk <= risk), default=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdStep:
    """One threshold of the grid: what it answers, and whether the promise was shown there."""

    threshold: float
    answered: int
    right: int
    p: float
    low: float
    tested: bool
    kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PromisedThreshold:
    """A threshold with a promise; None when no threshold can keep it.

    ``naive`` is the lowest threshold whose share right, as seen, reaches the target: the ordinary
    recipe, which promises nothing.
    """

    target: float
    confidence: float
    threshold: float | None
    coverage: float
    naive: float | None
    steps: tuple[ThresholdStep, ...]


def risk_coverage(
    scores: ArrayLike,
    right: ArrayLike,
    *,
    ties: Ties = "random",
) -> RiskCoverage:
    r"""Risk-coverage curve of items with a certainty, and the area under it.

    .. math:: \mathrm{AURC}=\frac1n\sum_{i=1}^n\frac1i\sum_{j\le i}e_{(j)},

    errors :math:`e` in the order of falling certainty [1]_. Tied scores count as in a random order
    (the expectation over it), or as one ``block``. The best order's area is the exact sum, not its
    approximation :math:`r+(1-r)\ln(1-r)`.

    Parameters
    ----------
    scores : array_like
        Certainty of each answer; higher is surer.
    right : array_like
        1 where the answer was right, 0 where it was wrong.
    ties : {"random", "block"}
        How tied scores count.

    Notes
    -----
    The area hangs most on the surest items: a few sure errors move it a lot.

    References
    ----------
    .. [1] Geifman, Uziel & El-Yaniv (2019), Bias-Reduced Uncertainty Estimation for Deep Neural
       Classifiers, ICLR, arXiv:1805.08206.

    Examples
    --------
    >>> found = risk_coverage([0.9, 0.8, 0.7, 0.6], [1, 1, 0, 1])
    >>> round(found.aurc, 4), round(found.best, 4), found.coverage_at(0.0)
    (0.1458, 0.0625, 0.5)
    """
    refuse_other_rows({"scores": scores, "right": right})
    sure, wrong = check_certainties(scores, right)
    area, points = _area(sure, wrong, ties)
    number, errors = sure.size, int(wrong.sum())
    return RiskCoverage(
        items=number,
        errors=errors,
        aurc=area,
        best=float((np.arange(1, errors + 1) / np.arange(number - errors + 1, number + 1)).sum())
        / number,
        points=points,
    )


def promised_threshold(
    scores: ArrayLike,
    right: ArrayLike,
    *,
    target: float,
    grid: Sequence[float],
    confidence: float = 0.95,
) -> PromisedThreshold:
    r"""The lowest threshold above which answers are right often enough, with a promise.

    Thresholds of a grid that was fixed beforehand are tested from the strictest down, each by
    :math:`P(\mathrm{Bin}(\text{answered},\text{target})\ge\text{right})\le1-\text{confidence}`; the
    first that fails ends it, and the last that passed is chosen. The chance that the chosen one
    is right less often than ``target`` is at most :math:`1-` ``confidence``, although it was chosen
    on the data (fixed-sequence testing, [1]_).

    Parameters
    ----------
    scores, right : array_like
        Certainty of each answer, and whether it was right.
    target : float
        Share right that is promised.
    grid : sequence of float
        Thresholds, fixed before the data; an item is answered when it scores that or more.
    confidence : float
        Of the promise.

    Notes
    -----
    A strict first threshold with few answers promises nothing although later ones would pass one
    by one: let the grid begin where there are answers enough (``zero_failure_trials``).

    References
    ----------
    .. [1] Angelopoulos, Bates, Candès, Jordan & Lei (2021), Learn then Test, arXiv:2110.01052.

    Examples
    --------
    >>> scores = [0.9] * 80 + [0.5] * 40
    >>> right = [1] * 79 + [0] + [1] * 30 + [0] * 10
    >>> promised_threshold(scores, right, target=0.9, grid=[0.9, 0.5]).threshold
    0.9
    """
    refuse_other_rows({"scores": scores, "right": right})
    sure, wrong = check_certainties(scores, right)
    for name, given in (("target", target), ("confidence", confidence)):
        check_share(name, given)
    falling = sorted({float(one) for one in grid}, reverse=True)
    if not falling:
        message = "A promise needs thresholds to choose from: grid=[0.9, 0.8, 0.7]."
        raise RequestError(message)
    steps: list[ThresholdStep] = []
    open_still = True
    for threshold in falling:
        held = sure >= threshold
        answered, hits = int(held.sum()), int((held & (wrong == 0)).sum())
        p = float(bdtrc(hits - 1, answered, target)) if answered and hits else 1.0
        low = 0.0
        if answered:
            low = clopper_pearson_interval(hits, answered, level=2 * confidence - 1)[0]
        tested = open_still
        kept = tested and p <= 1 - confidence
        open_still = kept
        steps.append(
            ThresholdStep(
                threshold=threshold, answered=answered, right=hits, p=p, low=low, tested=tested,
                kept=kept,
            )
        )  # fmt: skip
    chosen = [one for one in steps if one.kept]
    seen = [one for one in steps if one.answered and one.right / one.answered >= target]
    return PromisedThreshold(
        target=target,
        confidence=confidence,
        threshold=chosen[-1].threshold if chosen else None,
        coverage=chosen[-1].answered / sure.size if chosen else 0.0,
        naive=seen[-1].threshold if seen else None,
        steps=tuple(steps),
    )


def check_certainties(scores: ArrayLike, right: ArrayLike) -> tuple[Floats, Floats]:
    """Give certainties and errors as columns of one length, or refuse them."""
    sure, hit = np.asarray(scores, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if sure.shape != hit.shape or sure.ndim != 1 or sure.size < 1:
        message = f"{sure.size} certainties and {hit.size} answers: one of each for every item."
        raise CountsError(message, code="aurc-items")
    if np.isnan(sure).any() or not np.isin(hit, (0.0, 1.0)).all():
        message = "A certainty is a number, and an answer right (1) or wrong (0)."
        raise CountsError(message, code="aurc-items")
    return sure, 1.0 - hit


def _area(sure: Floats, wrong: Floats, ties: Ties) -> tuple[float, tuple[RiskPoint, ...]]:
    """Area, and the curve at its attainable thresholds."""
    number = sure.size
    levels, place = np.unique(-sure, return_inverse=True)
    held = np.bincount(place)
    errors = np.bincount(place, wrong)
    answered, failed = np.cumsum(held), np.cumsum(errors)
    risks = failed / answered
    if ties == "block":
        area = float((risks * held).sum()) / number
    elif ties == "random":
        harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, number + 1))])
        before, failed_before = answered - held, failed - errors
        # Within a block the expected errors grow evenly: sum of (F + k e/h)/(before + k).
        steps = harmonic[answered] - harmonic[before]
        area = float(
            (failed_before * steps + errors / held * (held - before * steps)).sum() / number
        )
    else:
        raise RequestError.for_choice(name="ties", given=ties, choices=("random", "block"))
    share = answered / number
    points = tuple(
        RiskPoint(threshold=-float(one), coverage=float(part), risk=float(risk))
        for one, part, risk in zip(levels, share, risks, strict=True)
    )
    return area, points
