"""Practical equivalence: whether two rates differ by less than a stated margin."""

from dataclasses import dataclass

import numpy as np

from steelyard.comparison.posterior.beta_model import BetaPosteriors
from steelyard.comparison.posterior.log_odds import Floats, LogOddsBetas, log_odds_betas
from steelyard.comparison.posterior.quadrature import integrate_tail
from steelyard.counts import PairTable
from steelyard.errors import check_share

__all__ = ["Equivalence", "paired_equivalence", "probability_equivalent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence:
    """Two rates and a margin: the first is higher by more, they differ by less, the second is."""

    margin: float
    first_better: float
    equivalent: float
    second_better: float


def probability_equivalent(
    posteriors: BetaPosteriors, first: str, second: str, *, margin: float
) -> Equivalence:
    r"""Probability that two independent rates differ by less than ``margin``.

    .. math:: P(|p_1 - p_2| < \delta) = 1 - \int f_1(p) F_2(p - \delta) dp
              - \int f_2(p) F_1(p - \delta) dp

    to an absolute error below 1e-11.

    References
    ----------
    .. [1] Kruschke (2018), Advances in Methods and Practices in Psychological Science 1, 270-280,
       doi:10.1177/2515245918771304.

    Examples
    --------
    >>> two = BetaPosteriors(systems=("S", "T"), a=(191, 195), b=(11, 7))
    >>> round(probability_equivalent(two, "S", "T", margin=0.05).equivalent, 6)
    0.928691
    """
    check_margin(margin)
    pair = posteriors.only([first, second])
    one, two = (_alone(a, b) for a, b in zip(pair.a, pair.b, strict=True))
    return _equivalence(margin, _ahead(one, two, margin), _ahead(two, one, margin))


def paired_equivalence(pair: PairTable, *, margin: float) -> Equivalence:
    r"""Probability that two rates on common items differ by less than ``margin``.

    The difference is :math:`s (2q - 1)`, with the discordant share
    :math:`s \sim` Beta(:math:`n_1 + n_2 + 1, n_{both} + n_{neither} + 1`) independent of the first
    system's part of it, :math:`q \sim` Beta(:math:`n_1 + \frac12, n_2 + \frac12`); this is the
    Dirichlet posterior with prior weight ½ per cell. One integral over q remains.

    References
    ----------
    .. [1] Kruschke (2018), Advances in Methods and Practices in Psychological Science 1, 270-280,
       doi:10.1177/2515245918771304.

    Examples
    --------
    >>> pair = PairTable(both=60, first=18, second=10, neither=12)
    >>> round(paired_equivalence(pair, margin=0.05).equivalent, 6)
    0.284033
    """
    check_margin(margin)
    discordant = _alone(pair.discordant + 1.0, pair.both + pair.neither + 1.0)
    first, second = pair.first + 0.5, pair.second + 0.5
    return _equivalence(
        margin,
        _chance_ahead(_alone(first, second), discordant, margin),
        _chance_ahead(_alone(second, first), discordant, margin),
    )


def check_margin(margin: float) -> None:
    """Refuse a margin that no difference of two rates could have."""
    check_share("margin", margin)


def _equivalence(margin: float, first: float, second: float) -> Equivalence:
    equal = min(max(1 - first - second, 0.0), 1.0)
    return Equivalence(margin=margin, first_better=first, equivalent=equal, second_better=second)


def _alone(a: float, b: float) -> LogOddsBetas:
    return log_odds_betas(np.array([a]), np.array([b]), reference=(a, b))


def _ahead(one: LogOddsBetas, two: LogOddsBetas, margin: float) -> float:
    """Give P(x1 > x2 + margin), as the chance that 1 - x2 is above 1 - x1 + margin."""
    turned = _alone(float(two.b[0]), float(two.a[0]))
    start = float(np.log(margin / (1 - margin)))

    def forward(offsets: Floats) -> Floats:
        # x1 = x, and 1 - x2 must be above 1 - (x - margin).
        share, rest = _shares(offsets)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(rest + margin) - np.log(np.maximum(share - margin, 0.0)))

    def backward(offsets: Floats) -> Floats:
        share, rest = _shares(offsets)  # 1 - x2 and x2
        inside = rest + margin < 1
        top = np.where(inside, rest + margin, 0.5)
        return np.where(inside, np.log(top / np.where(inside, share - margin, 0.5)), np.nan)

    return integrate_tail(one, turned, forward=forward, backward=backward, start=start)


def _chance_ahead(part: LogOddsBetas, discordant: LogOddsBetas, margin: float) -> float:
    """Give P(s (2q - 1) > margin): s must be above margin / (2q - 1), which must be below 1."""

    def forward(offsets: Floats) -> Floats:
        lead = np.tanh(offsets / 2)
        # A lead within the margin needs a share above 1: log 0 makes its log-odds infinite.
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(margin) - np.log(np.maximum(lead - margin, 0.0)))

    def backward(offsets: Floats) -> Floats:
        lead = margin * (1 + np.exp(np.minimum(-offsets, 700.0)))
        return np.where(lead < 1, 2 * np.arctanh(np.where(lead < 1, lead, 0.0)), np.nan)

    start = float(2 * np.arctanh(margin))
    return integrate_tail(part, discordant, forward=forward, backward=backward, start=start)


def _shares(offsets: Floats) -> tuple[Floats, Floats]:
    return 1 / (1 + np.exp(np.minimum(-offsets, 700.0))), 1 / (
        1 + np.exp(np.minimum(offsets, 700.0))
    )
