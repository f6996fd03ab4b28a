"""How many items for a number each: a mean, a paired difference, a ratio of sums."""

from collections.abc import Callable
from dataclasses import dataclass
from math import fsum, isnan, sqrt
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, chdtri, nctdtr, ndtr, stdtrit

from steelyard.comparison.values.means import ratio_residuals
from steelyard.errors import CountsError, RequestError, check_share
from steelyard.planning.sizes import LIMIT, round_up
from steelyard.uncertainty import crossing
from steelyard.uncertainty.values.means import check_ratio

__all__ = [
    "MeanSize",
    "ValueClaim",
    "detectable_mean_difference",
    "difference_spread",
    "mean_assurance",
    "mean_assurance_samples",
    "mean_power",
    "mean_samples",
    "mean_width_samples",
    "ratio_difference_spread",
    "ratio_spread",
]

ValueClaim: TypeAlias = Literal["different", "better", "not worse", "equivalent"]
NODES, WEIGHTS = np.polynomial.legendre.leggauss(200)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanSize:
    """Items to order and what they reach; ``exact`` is the real number that the power crosses.

    ``items`` and ``exact`` are None where more than a million were needed.
    """

    items: int | None
    exact: float | None
    power: float | None
    difference: float
    spread: float
    alpha: float
    claim: ValueClaim = "different"
    margin: float = 0.0


def difference_spread(first: float, second: float, correlation: float) -> float:
    r"""Standard deviation of the differences of two systems on common items.

    :math:`\sqrt{s_1^2+s_2^2-2rs_1s_2}`: the closer the systems go together over items, the fewer
    items tell them apart.

    Examples
    --------
    >>> round(difference_spread(12, 12, 0.85), 4)
    6.5727
    """
    if not (first >= 0 and second >= 0 and -1 <= correlation <= 1 and first + second < np.inf):
        message = (
            f"first={first!r}, second={second!r}, correlation={correlation!r}; expected two "
            "standard deviations, 0 or more, and a correlation from -1 to 1."
        )
        raise RequestError(message)
    # As a sum of squares: nothing cancels when the systems are nearly alike.
    return sqrt((first - second) ** 2 + 2 * first * second * (1 - correlation))


def ratio_spread(totals: ArrayLike, weights: ArrayLike) -> float:
    r"""Standard deviation of a unit for planning a ratio of sums, from a pilot.

    That of :math:`(x_g-Rw_g)/\bar w` over G - 1: with it n units give the ratio the standard error
    :math:`s/\sqrt n`, as n items do for a mean.

    Examples
    --------
    >>> round(ratio_spread([1, 0, 2, 1], [10, 8, 12, 10]), 5)
    0.06532
    """
    added, held = check_ratio(totals, weights)
    apart = added - fsum(added) / fsum(held) * held
    return sqrt(fsum(apart * apart) / (added.size - 1)) / float(held.mean())


def ratio_difference_spread(
    first: ArrayLike, first_weights: ArrayLike, second: ArrayLike, second_weights: ArrayLike
) -> float:
    """Standard deviation of a unit for planning a difference of two ratios, from a pilot.

    Examples
    --------
    >>> words = [10, 8, 12, 10]
    >>> round(ratio_difference_spread([1, 0, 2, 1], words, [3, 1, 2, 1], words), 4)
    0.1016
    """
    residuals, _ = ratio_residuals(first, first_weights, second, second_weights)
    units = residuals.size
    return sqrt(fsum(residuals * residuals) / (units - 1)) * units


def mean_power(
    items: int,
    *,
    difference: float,
    spread: float,
    alpha: float = 0.05,
    claim: ValueClaim = "different",
    margin: float = 0.0,
) -> float:
    r"""Chance that Student's t test of n items (or clusters) makes the claim.

    ``different``: noncentral t with n - 1 degrees of freedom and noncentrality
    :math:`\sqrt n\,\delta/s`, two-sided [1]_. ``better`` and ``not worse``: one-sided, against
    ``margin`` and -``margin``. ``equivalent``: two one-sided tests against both ends [2]_.

    Parameters
    ----------
    items : int
        Items, at least 2; for a ratio or clusters their number.
    difference, spread : float
        True difference, and the standard deviation of one item's difference: from a pilot,
        :func:`difference_spread`, :func:`ratio_spread` or :func:`ratio_difference_spread`.
    alpha : float
        Error rate; of each one-sided test but for ``different``.
    margin : float
        For ``not worse`` and ``equivalent``, above 0.

    References
    ----------
    .. [1] Cohen (1988), Statistical Power Analysis, 2nd edition, Erlbaum, chapter 2,
       doi:10.4324/9780203771587.
    .. [2] Phillips (1990), Journal of Pharmacokinetics and Biopharmaceutics 18, 137-144,
       doi:10.1007/BF01063556.

    Examples
    --------
    >>> round(mean_power(199, difference=0.2, spread=1.0), 4)
    0.8017
    """
    test = _Test.of(alpha, claim, margin)
    _check(items, spread)
    return test.power(items, difference / spread, spread)


def mean_samples(
    difference: float,
    *,
    spread: float,
    power: float = 0.8,
    alpha: float = 0.05,
    claim: ValueClaim = "different",
    margin: float = 0.0,
) -> MeanSize:
    """Fewest items with which Student's t test makes its claim with a stated power.

    Parameters
    ----------
    difference, spread
        True difference, and the standard deviation of one item's difference.
    power
        Chance wanted that the claim is made.

    Examples
    --------
    >>> found = mean_samples(0.2, spread=1.0)
    >>> found.items, round(found.exact, 4), round(found.power, 4)
    (199, 198.1508, 0.8017)
    """
    test = _Test.of(alpha, claim, margin)
    _check(2, spread)
    test.check_true(difference)
    check_share("power", power)

    def reach(items: float) -> float:
        return test.power(items, difference / spread, spread)

    exact = _first(reach, power)
    items = None if exact is None else max(2, round_up(exact))
    return MeanSize(
        items=items,
        exact=exact,
        power=None if items is None else reach(items),
        difference=difference,
        spread=spread,
        alpha=alpha,
        claim=claim,
        margin=margin,
    )


def detectable_mean_difference(
    items: int,
    *,
    spread: float,
    power: float = 0.8,
    alpha: float = 0.05,
    claim: Literal["different", "better"] = "different",
) -> float:
    """Smallest true difference that n items call different, or better, with a stated power.

    Examples
    --------
    >>> round(detectable_mean_difference(100, spread=1.0), 6)
    0.282913
    """
    test = _Test.of(alpha, claim, 0.0)
    _check(items, spread)
    if not alpha < power < 1:
        message = f"power={power!r} with alpha={alpha!r}; expected more than alpha, below 1."
        raise RequestError(message)
    top = 1.0
    while test.power(items, top, 1.0) < power:
        top *= 2
    return spread * crossing(lambda effect: test.power(items, effect, 1.0) - power, 0.0, top)


def mean_width_samples(
    half_width: float, *, spread: float, level: float = 0.95, assurance: float | None = None
) -> int | None:
    r"""Fewest items with which Student's interval is no wider than wanted.

    :math:`t_{n-1}s/\sqrt n\le h` for the stated spread; with ``assurance`` :math:`\gamma` the
    spread of the sample may come out larger, and the width is kept with that chance [1]_.

    References
    ----------
    .. [1] Kupper & Hafner (1989), The American Statistician 43, 101-105,
       doi:10.1080/00031305.1989.10475628.

    Examples
    --------
    >>> mean_width_samples(0.1, spread=1.0), mean_width_samples(0.1, spread=1.0, assurance=0.9)
    (387, 421)
    """
    _check(2, spread)
    check_share("level", level)
    if not 0 < half_width < np.inf:
        message = f"half_width={half_width!r}; expected a number above 0, in units of the value."
        raise RequestError(message)
    if assurance is not None and not 0 < assurance < 1:
        raise RequestError.for_level(name="assurance", given=assurance)

    def short(items: float) -> bool:
        freedom = items - 1
        longest = 1.0 if assurance is None else float(chdtri(freedom, 1 - assurance)) / freedom
        reach = -float(stdtrit(freedom, (1 - level) / 2)) * spread * sqrt(longest / items)
        # A width that is met exactly is met, whatever its last digit.
        return reach <= half_width * (1 + 1e-12)

    return _first_whole(short)


def mean_assurance(
    items: int,
    *,
    difference: float,
    spread: float,
    pilot: int,
    alpha: float = 0.05,
    claim: ValueClaim = "different",
    margin: float = 0.0,
    known_difference: bool = True,
) -> float:
    r"""Chance of the claim when the spread was only estimated, from a pilot of few items.

    The power is averaged over :math:`\sigma^2=(m-1)s^2/\chi^2_{m-1}`, and unless the difference is
    stated, over :math:`\delta\sim N(\hat\delta,\sigma^2/m)` as well [1]_: what a plan really
    promises, below the power at the estimates.

    Parameters
    ----------
    items : int
        Items of the test to come.
    difference, spread : float
        Of the pilot, or a difference worth finding.
    pilot : int
        Items of the pilot, at least 2.
    known_difference : bool
        The difference is stated, not estimated by the pilot.

    References
    ----------
    .. [1] O'Hagan, Stevens & Campbell (2005), Pharmaceutical Statistics 4, 187-201,
       doi:10.1002/pst.175.

    Examples
    --------
    >>> round(mean_assurance(199, difference=0.2, spread=1.0, pilot=20), 3)
    0.77
    """
    test = _Test.of(alpha, claim, margin)
    _check(items, spread)
    if pilot < 2:
        message = f"pilot={pilot!r}: one item does not show how items vary. Give 2 or more."
        raise CountsError(message, code="one-item")
    # Quantiles of chi-square at even chances; the mean over them is the mean over the posterior.
    chances = (NODES + 1) / 2
    spreads = spread * np.sqrt((pilot - 1) / chdtri(pilot - 1, chances))
    total = 0.0
    for weight, sigma in zip(WEIGHTS / 2, spreads, strict=True):
        shifts = [0.0] if known_difference else (SHIFTS * sigma / sqrt(pilot)).tolist()
        shares = [1.0] if known_difference else SHIFT_WEIGHTS.tolist()
        total += float(weight) * sum(
            share * test.power(items, (difference + by) / float(sigma), float(sigma))
            for by, share in zip(shifts, shares, strict=True)
        )
    return min(1.0, total)


def mean_assurance_samples(
    difference: float,
    *,
    spread: float,
    pilot: int,
    assurance: float = 0.8,
    alpha: float = 0.05,
    claim: ValueClaim = "different",
    margin: float = 0.0,
) -> int | None:
    """Fewest items with which the claim is made with a stated chance, though the spread is a guess.

    Examples
    --------
    >>> mean_assurance_samples(0.2, spread=1.0, pilot=20)
    217
    """
    check_share("assurance", assurance)
    _Test.of(alpha, claim, margin).check_true(difference)

    def reach(items: float) -> bool:
        chance = mean_assurance(
            int(items),
            difference=difference,
            spread=spread,
            pilot=pilot,
            alpha=alpha,
            claim=claim,
            margin=margin,
        )
        return chance >= assurance

    return _first_whole(reach)


_POINTS, _SHARES = np.polynomial.hermite_e.hermegauss(21)
SHIFTS, SHIFT_WEIGHTS = _POINTS, _SHARES / _SHARES.sum()


class _Test(NamedTuple):
    """A claim, its error rate and its margin."""

    alpha: float
    claim: ValueClaim
    margin: float

    @classmethod
    def of(cls, alpha: float, claim: ValueClaim, margin: float) -> "_Test":
        if claim not in get_args(ValueClaim):
            raise RequestError.for_choice(name="claim", given=claim, choices=get_args(ValueClaim))
        check_share("alpha", alpha)
        least = margin > 0 if claim in {"not worse", "equivalent"} else margin >= 0
        if not (least and margin < np.inf):
            message = f"margin={margin!r}; the claim {claim!r} needs a margin above 0."
            raise RequestError(message)
        return cls(alpha, claim, margin)

    def power(self, items: float, effect: float, spread: float) -> float:
        """Chance of the claim at a difference of ``effect`` standard deviations."""
        freedom, root = items - 1, sqrt(items)
        shift, edge_of_margin = effect * root, self.margin / spread * root
        if self.claim == "different":
            edge = -float(stdtrit(freedom, self.alpha / 2))
            return _above(freedom, shift, edge) + _above(freedom, -shift, edge)
        edge = -float(stdtrit(freedom, self.alpha))
        if self.claim == "equivalent":
            return _both_ends(freedom, shift, edge_of_margin, edge)
        sign = 1 if self.claim == "not worse" else -1
        return _above(freedom, shift + sign * edge_of_margin, edge)

    def check_true(self, difference: float) -> None:
        """Refuse a difference for which the claim is false: no number of items shows it."""
        holds = {
            "different": difference != 0,
            "better": difference > self.margin,
            "not worse": difference > -self.margin,
            "equivalent": abs(difference) < self.margin,
        }
        if not holds[self.claim]:
            message = (
                f"difference={difference:g} with margin={self.margin:g}: no number of items shows "
                f"the claim {self.claim!r}. State a difference for which the claim is true."
            )
            raise RequestError(message)


def _above(freedom: float, shift: float, edge: float) -> float:
    """Chance that a noncentral t exceeds the edge, which is above 0."""
    # Seen from below, where a small chance keeps its digits; scipy has no number for those below
    # some 1e-10.
    below = float(nctdtr(freedom, -shift, -edge))
    return 0.0 if isnan(below) else below


def _both_ends(freedom: float, shift: float, margin: float, edge: float) -> float:
    """Chance that both ends of the margin are excluded, over the spread of the sample."""
    # Beyond (margin / edge)^2 the interval is wider than the margin, and nothing is claimed.
    longest = (margin / edge) ** 2
    top = 1 - float(chdtrc(freedom, longest * freedom))
    if top <= 0:
        return 0.0
    chances = top * (NODES + 1) / 2
    lengths = edge * np.sqrt(chdtri(freedom, 1 - chances) / freedom)
    inside = ndtr(margin - lengths - shift) - ndtr(lengths - margin - shift)
    return max(0.0, float(top * (WEIGHTS / 2) @ np.maximum(inside, 0.0)))


def _first(reached: Callable[[float], float], power: float) -> float | None:
    """Real number of items at which a power that grows with items is reached."""
    high = 2.0
    if reached(high) >= power:
        return high
    while reached(high) < power:
        if high > LIMIT:
            return None
        high *= 2
    return crossing(lambda items: reached(items) - power, high / 2, high)


def _first_whole(reached: Callable[[int], bool]) -> int | None:
    """Fewest items from which on a test that stays passed is passed."""
    high = 2
    while not reached(high):
        if high > LIMIT:
            return None
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high if high > 2 or not reached(2) else 2


def _check(items: int, spread: float) -> None:
    if items < 2 or not 0 < spread < np.inf:
        message = (
            f"items={items!r}, spread={spread!r}; expected 2 items or more, and a standard "
            "deviation above 0 (a pilot without spread plans nothing)."
        )
        raise RequestError(message)
