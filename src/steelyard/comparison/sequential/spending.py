"""Planned looks: boundaries that spend an error rate over the information as it comes in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, e, log, sqrt
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, log_ndtr, ndtr, ndtri

from steelyard.errors import RequestError, check_share
from steelyard.uncertainty.roots import crossing

__all__ = [
    "CrossingProbabilities",
    "SpendingKind",
    "SpendingPlan",
    "crossing_probabilities",
    "exact_deviate",
    "spending_bounds",
]

SpendingKind: TypeAlias = Literal["obrien-fleming", "pocock"]
Sides: TypeAlias = Literal[1, 2]
Floats = NDArray[np.float64]

FAR = 9.0
"""Standard deviations beyond which nothing is integrated; the tail there is 1e-19."""

NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)


def exact_deviate(won: ArrayLike, lost: ArrayLike) -> Floats:
    r"""Normal deviate of McNemar's exact test: what a planned look holds against its bound.

    .. math:: z = \pm\,\Phi^{-1}\bigl(1 - P(X \ge \max(w, l))\bigr), \qquad
              X \sim \mathrm{Bin}(w + l, \tfrac12),

    positive where the first system won more; 0 where both won as many.

    Notes
    -----
    The plain :math:`(w - l)/\sqrt{w + l}` is compared with normal bounds as if wins came in
    fractions: two O'Brien-Fleming looks at 25 and 50 items that all differ then name a winner among
    equal systems in 6.6 % of tests instead of 5 %. The exact test never rejects more often than its
    level at a look.

    Examples
    --------
    >>> exact_deviate([9, 5, 0], [1, 5, 6]).round(3).tolist()
    [2.299, 0.0, -2.154]
    """
    first, second = np.asarray(won, dtype=np.float64), np.asarray(lost, dtype=np.float64)
    more, fewer = np.maximum(first, second), np.minimum(first, second)
    tail = betainc(np.maximum(more, 1.0), fewer + 1.0, 0.5)
    # Below the smallest normal number a deviate of 38 is beyond every bound anyway.
    deviate = -ndtri(np.clip(tail, 1e-300, 0.5))
    return np.asarray(np.sign(first - second) * deviate + 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingPlan:
    """Looks at shares of the planned information, and what each allows.

    ``bounds`` are for the standardised statistic (two-sided: for its size), ``nominal`` the
    one-look p-values they correspond to, ``spent`` the error used up to each look.
    """

    kind: SpendingKind
    sides: Sides
    alpha: float
    fractions: tuple[float, ...]
    spent: tuple[float, ...]
    bounds: tuple[float, ...]
    nominal: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossingProbabilities:
    """Chance to stop at each look when the statistic drifts to ``drift`` at full information."""

    drift: float
    at_look: tuple[float, ...]
    ever: float
    expected_fraction: float


def spending_bounds(
    fractions: Sequence[float],
    *,
    alpha: float = 0.025,
    kind: SpendingKind = "obrien-fleming",
    sides: Sides = 1,
    final: bool = False,
) -> SpendingPlan:
    r"""Group-sequential boundaries by the error-spending approach of Lan and DeMets.

    At the share t of the planned information so much error may have been used:

    ``obrien-fleming``: :math:`\alpha(t) = 2 - 2\Phi(z_{1-\alpha/2}/\sqrt t)`;
    ``pocock``: :math:`\alpha(t) = \alpha \ln(1 + (e-1)t)`.

    The bound of look k solves
    :math:`P(Z_1 < c_1, \dots, Z_{k-1} < c_{k-1}, Z_k \ge c_k) = \alpha(t_k) - \alpha(t_{k-1})` for
    statistics with correlation :math:`\sqrt{t_i/t_j}`, by recursive numerical integration.

    Parameters
    ----------
    fractions
        Shares of the planned information at the looks so far, rising, at most 1. On common items
        the information is the number of discordant items over the planned maximum.
    alpha
        Error to spend: one-sided with ``sides=1``, both sides together with ``sides=2``.
    sides
        2 spends alpha/2 on each side, symmetric; a crossing of either side stops.
    final
        Spend all that is left at the last look, though its share is below 1.

    Notes
    -----
    The number of looks need not be fixed beforehand, but their times may not depend on what
    the data showed. The statistics are taken as normal; with few discordant items (below some 20
    at the first look) an exact method is safer. Not for looking after every item.

    References
    ----------
    .. [1] Lan & DeMets (1983), Biometrika 70, 659-663, doi:10.1093/biomet/70.3.659.
    .. [2] Armitage, McPherson & Rowe (1969), JRSS A 132, 235-244, doi:10.2307/2343787.

    Examples
    --------
    >>> plan = spending_bounds([0.2, 0.4, 0.6, 0.8, 1.0])
    >>> [round(bound, 6) for bound in plan.bounds]
    [4.876885, 3.357012, 2.68028, 2.289817, 2.031032]
    """
    shares = _check_fractions(fractions)
    check_share("alpha", alpha)
    if kind not in SPENDING:
        raise RequestError.for_choice(name="kind", given=kind, choices=get_args(SpendingKind))
    if sides not in (1, 2):
        message = f"sides={sides!r}; a plan has 1 side or 2."
        raise RequestError(message)
    spent = [sides * SPENDING[kind](t, alpha / sides) for t in shares]
    if final:
        spent[-1] = alpha
    bounds = _bounds(shares, spent, sides)
    return SpendingPlan(
        kind=kind,
        sides=sides,
        alpha=alpha,
        fractions=shares,
        spent=tuple(spent),
        bounds=bounds,
        nominal=tuple(sides * float(ndtr(-bound)) for bound in bounds),
    )


def crossing_probabilities(plan: SpendingPlan, *, drift: float) -> CrossingProbabilities:
    r"""Chances to cross the bounds when :math:`E(Z_k) = \theta\sqrt{t_k}`.

    With ``drift`` :math:`\theta = 0` they are the errors spent; otherwise their sum is the power
    (for two sides: of crossing either).

    Notes
    -----
    ``expected_fraction`` is the expected share of the planned information, those which never
    cross counted with the last look.

    References
    ----------
    .. [1] Armitage, McPherson & Rowe (1969), JRSS A 132, 235-244, doi:10.2307/2343787.

    Examples
    --------
    >>> plan = spending_bounds([0.5, 1.0])
    >>> round(crossing_probabilities(plan, drift=0.0).ever, 9)
    0.025
    """
    at_look = []
    walk = _Walk(drift)
    for share, bound in zip(plan.fractions, plan.bounds, strict=True):
        walk.advance(share)
        at_look.append(walk.beyond(bound, plan.sides))
        walk.cut(bound, plan.sides)
    left = 1 - sum(at_look)
    stop = zip((*plan.fractions, plan.fractions[-1]), (*at_look, left), strict=True)
    return CrossingProbabilities(
        drift=drift,
        at_look=tuple(at_look),
        ever=sum(at_look),
        expected_fraction=sum(share * chance for share, chance in stop),
    )


def _obrien_fleming(share: float, alpha: float) -> float:
    return 2 * float(ndtr(float(ndtri(alpha / 2)) / sqrt(share)))


def _pocock(share: float, alpha: float) -> float:
    return alpha * log(1 + (e - 1) * share)


SPENDING: dict[str, Callable[[float, float], float]] = {
    "obrien-fleming": _obrien_fleming,
    "pocock": _pocock,
}


class _Walk:
    """Density of the undecided process s = z·sqrt(t) at nodes of a quadrature rule."""

    def __init__(self, drift: float) -> None:
        self.drift = drift
        self.share = 0.0
        self.step = 0.0
        self.nodes: Floats = np.zeros(1)
        self.mass: Floats = np.ones(1)

    def advance(self, share: float) -> None:
        self.step = share - self.share
        self.share = share

    def beyond(self, bound: float, sides: Sides) -> float:
        """Probability to be beyond the bound at this look."""
        scale, mean = sqrt(self.step), self.nodes + self.drift * self.step
        edge = bound * sqrt(self.share)
        upper = float(ndtr((mean - edge) / scale) @ self.mass)
        return upper if sides == 1 else upper + float(ndtr((-edge - mean) / scale) @ self.mass)

    def cut(self, bound: float, sides: Sides) -> None:
        """Go on with what is inside the bound, on new nodes."""
        root = sqrt(self.share)
        centre = self.drift * self.share
        high = min(bound * root, centre + FAR * root)
        low = centre - FAR * root if sides == 1 else max(-bound * root, centre - FAR * root)
        if high <= low:  # the drift has carried everything away
            self.nodes, self.mass = np.array([high]), np.zeros(1)
            return
        nodes, weights = _rule(low, high, sqrt(self.step))
        gap = (nodes[:, None] - self.nodes - self.drift * self.step) / sqrt(self.step)
        density = np.exp(-(gap**2) / 2) @ self.mass / sqrt(2 * np.pi * self.step)
        self.nodes, self.mass = nodes, weights * density


def _rule(low: float, high: float, width: float) -> tuple[Floats, Floats]:
    """Gauss-Legendre in panels about one and a half standard deviations of a step wide."""
    panels = max(1, ceil((high - low) / (1.5 * width)))
    edges = np.linspace(low, high, panels + 1)
    half = (edges[1:] - edges[:-1]) / 2
    nodes = (edges[:-1] + half)[:, None] + half[:, None] * NODES
    return nodes.ravel(), (half[:, None] * WEIGHTS).ravel()


def _bounds(shares: Sequence[float], spent: Sequence[float], sides: Sides) -> tuple[float, ...]:
    walk = _Walk(0.0)
    bounds: list[float] = []
    before = 0.0
    for share, now in zip(shares, spent, strict=True):
        walk.advance(share)
        wanted = now - before

        def excess(bound: float, target: float = wanted) -> float:
            # On a log scale, for the first looks spend next to nothing.
            found = walk.beyond(bound, sides)
            return log(max(found, 1e-300)) - log(max(target, 1e-300))

        least = 0.0 if sides == 2 else -FAR
        bounds.append(_tail_bound(wanted / sides) if not bounds else crossing(excess, least, 38.0))
        walk.cut(bounds[-1], sides)
        before = now
    return tuple(bounds)


def _tail_bound(tail: float) -> float:
    """Normal quantile of an upper tail, also where the tail underflows."""
    # ndtri of a tail that underflows is -inf; 37 standard errors are as good as any more.
    if tail > 1e-300:
        return -float(ndtri(tail))
    return crossing(lambda z: float(log_ndtr(-z)) - log(1e-300), 0.0, 60.0)


def _check_fractions(fractions: Sequence[float]) -> tuple[float, ...]:
    shares = tuple(float(share) for share in fractions)
    rising = all(one < two for one, two in zip((0.0, *shares), shares, strict=False))
    if not shares or not rising or shares[-1] > 1:
        message = (
            f"fractions={list(fractions)!r}; expected rising shares of the planned information, "
            "above 0 and at most 1, such as [0.25, 0.5, 1]."
        )
        raise RequestError(message)
    return shares
