"""Samples until the Akaike criterion decides, in three designs."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, floor

from scipy.special import chdtrc

from steelyard.comparison.akaike.criterion import AkaikeDesign, akaike_incomplete
from steelyard.comparison.akaike.divergence import divergence_from_half
from steelyard.comparison.exact.overlap_bounds import bound_overlaps
from steelyard.errors import RequestError
from steelyard.planning.discordance import paired_rates
from steelyard.planning.rates import check_rates
from steelyard.planning.sizes import LIMIT
from steelyard.planning.stopping.discordant import Decisions

__all__ = [
    "AkaikePlan",
    "AkaikeSize",
    "akaike_difference",
    "akaike_plan",
    "akaike_power",
    "akaike_samples",
    "overlap_samples",
]

DIFFERENT, SAME, PENALTY = 1.0, -1.0, 2.0
MOST_INCOMPLETE = 20_000
"""The sum over the unknown overlap is searched up to here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AkaikeSize:
    """Samples of each system at which the verdict comes, when each shows exactly its rate.

    ``different`` is the smallest number with a difference of the criteria above 1 (None when none
    was found, or for equal rates); ``same_up_to`` the largest number that still gives ``same``
    (None when every number does). In the incomplete design rounding to whole items makes both
    waver by a few samples; the numbers are where bisection found the change.
    """

    design: AkaikeDesign
    different: int | None
    same_up_to: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AkaikePlan:
    """The three designs side by side, and the samples saved by counting who was right together.

    ``bounded`` are the samples from which on totals alone are called different by the verdict on
    them (:func:`overlap_samples`), which the criterion for incomplete data does not give.
    """

    independent: AkaikeSize
    incomplete: AkaikeSize
    complete: AkaikeSize
    both: float
    bounded: int | None = None

    @property
    def saved(self) -> int | None:
        """Samples that measuring n3 saves, against the totals alone; None if one is unknown."""
        if self.incomplete.different is None or self.complete.different is None:
            return None
        return self.incomplete.different - self.complete.different

    @property
    def saved_to_independent(self) -> int | None:
        """Samples of each system that common items with n3 save, against independent ones."""
        if self.independent.different is None or self.complete.different is None:
            return None
        return self.independent.different - self.complete.different


def akaike_difference(
    first: float,
    second: float,
    samples: float,
    *,
    design: AkaikeDesign = "complete",
    both: float | None = None,
) -> float:
    r"""Difference of the criteria when n samples show exactly the rates.

    Independent and complete: :math:`\Delta = n D - 2`, with D twice the Kullback-Leibler distance
    of one sample from the model of equal rates. Incomplete: from the counts rounded to whole
    items.

    Parameters
    ----------
    first, second
        Rates of the two systems.
    samples
        Samples of each system, or common items.
    design
        Independent test sets, or a common one with or without the count of items both had right.
    both
        Share of items both have right, for the complete design; as if the systems were unrelated
        unless given.

    References
    ----------
    .. [1] Ozeki, Performance comparison of recognition systems based on the Akaike information
       criterion, sections 2.3, 2.4 and 3.

    Examples
    --------
    >>> round(akaike_difference(0.95, 0.97, 200, both=0.945), 3)
    0.911
    >>> round(akaike_difference(0.95, 0.985, 200, design="independent"), 3)
    2.103
    """
    if design == "incomplete":
        right = [round(rate * samples) for rate in check_rates([first, second])]
        return akaike_incomplete(right[0], right[1], tested=round(samples)).difference
    return samples * _information(first, second, design, both) - PENALTY


def akaike_samples(
    first: float,
    second: float,
    *,
    design: AkaikeDesign = "complete",
    both: float | None = None,
) -> AkaikeSize:
    """Samples from which on the criterion says ``different``, and up to which it says ``same``.

    Notes
    -----
    Different rates are called ``same`` by small tests: ``same_up_to`` says how small. Real tests
    scatter about their rates; :func:`akaike_power` says how often the verdict comes.

    References
    ----------
    .. [1] Ozeki, Performance comparison of recognition systems based on the Akaike information
       criterion, section 3.

    Examples
    --------
    >>> size = akaike_samples(0.95, 0.97, both=0.945)
    >>> size.different, size.same_up_to
    (207, 68)
    """
    if design == "incomplete":
        return _incomplete(first, second)
    rate = _information(first, second, design, both)
    # Equal rates: no number of items tells them apart by what rounding leaves.
    if rate <= 1e-15:
        return AkaikeSize(design=design, different=None, same_up_to=None)
    # Above 1 and below -1, strictly: a whole number that meets them exactly is undecided.
    return AkaikeSize(
        design=design,
        different=floor((PENALTY + DIFFERENT) / rate) + 1,
        same_up_to=ceil((PENALTY + SAME) / rate) - 1,
    )


def akaike_plan(first: float, second: float, *, both: float | None = None) -> AkaikePlan:
    """Compare the designs: what common items save, and what counting n3 saves on top.

    Examples
    --------
    >>> plan = akaike_plan(0.95, 0.97, both=0.945)
    >>> plan.independent.different, plan.complete.different, plan.saved_to_independent
    (571, 207, 364)
    """
    shared = _both(first, second, both)
    sizes = {
        design: akaike_samples(first, second, design=design, both=shared) for design in DESIGNS
    }
    return AkaikePlan(
        independent=sizes["independent"],
        incomplete=sizes["incomplete"],
        complete=sizes["complete"],
        both=shared,
        bounded=overlap_samples(first, second),
    )


def overlap_samples(first: float, second: float, *, alpha: float = 0.05) -> int | None:
    r"""Common items from which on two totals are called different, whoever was right together.

    The verdict on totals is the exact McNemar test at the smallest overlap that they allow
    (:func:`~steelyard.comparison.bound_overlaps`); this is where totals that show exactly the rates
    reach ``alpha``. None for equal rates, and beyond a million items.

    Notes
    -----
    As with :func:`akaike_samples`, half of all tests of this size fall short of it.

    Examples
    --------
    >>> overlap_samples(0.95, 0.97), akaike_samples(0.95, 0.97, design="incomplete").different
    (870, 451)
    """
    one, two = check_rates([first, second])
    if one == two:
        return None

    def holds(samples: int) -> bool:
        right = (round(one * samples), round(two * samples))
        return bound_overlaps(*right, tested=samples).p_largest <= alpha

    return _first(holds, one, two, most=LIMIT)


def akaike_power(first: float, second: float, samples: int, *, both: float | None = None) -> float:
    r"""Chance that n common items bring the verdict ``different`` for the better system.

    In the complete design :math:`\Delta > 1` is a likelihood-ratio test of the discordant items
    at :math:`P(\chi^2_1 > 3) = 0.083`; the sum over their number is exact.

    Examples
    --------
    >>> round(akaike_power(0.95, 0.97, 207, both=0.945), 3)
    0.503
    """
    shared = _both(first, second, both)
    rates = paired_rates(first, second, discordance=first + second - 2 * shared)
    alpha = float(chdtrc(1, PENALTY + DIFFERENT))
    decisions = Decisions(rates.win, rule="likelihood ratio", alpha=alpha)
    return decisions.after(samples, discordance=rates.discordance)[0]


DESIGNS: tuple[AkaikeDesign, ...] = ("independent", "incomplete", "complete")


def _both(first: float, second: float, both: float | None) -> float:
    one, two = check_rates([first, second])
    low, high = max(0.0, one + two - 1), min(one, two)
    shared = one * two if both is None else both
    # A share that was worked out from decimals lies on an end but for its last digits.
    if not low - 1e-12 <= shared <= high + 1e-12:
        nearest = min(max(shared, low), high)
        message = (
            f"both={shared!r} cannot be with rates {one:g} and {two:g}: it lies between {low:.4g} "
            f"and {high:.4g}. The nearest possible is both={nearest:.4g} (--both {nearest:.4g})."
        )
        raise RequestError(message, code="both")
    return min(max(shared, low), high)


def _information(first: float, second: float, design: AkaikeDesign, both: float | None) -> float:
    """Twice the gain in log likelihood of one sample by letting the rates differ."""
    one, two = check_rates([first, second])
    if design == "independent":
        wrong = divergence_from_half(1 - one, 1 - two)
        return 2 * float(divergence_from_half(one, two) + wrong)
    if design != "complete":
        raise RequestError.for_choice(name="design", given=design, choices=DESIGNS)
    shared = _both(one, two, both)
    return 2 * float(divergence_from_half(max(one - shared, 0.0), max(two - shared, 0.0)))


def _incomplete(first: float, second: float) -> AkaikeSize:
    one, two = check_rates([first, second])
    if one == two:
        return AkaikeSize(design="incomplete", different=None, same_up_to=None)

    def at(samples: int) -> float:
        return akaike_difference(one, two, samples, design="incomplete")

    different = _first(lambda n: at(n) > DIFFERENT, one, two)
    return AkaikeSize(
        design="incomplete",
        different=different,
        same_up_to=_step(lambda n: at(n) >= SAME, different or MOST_INCOMPLETE) - 1,
    )


def _first(
    holds: Callable[[int], bool], first: float, second: float, *, most: int = MOST_INCOMPLETE
) -> int | None:
    """Double until the criterion holds, then bisect; None beyond the largest that is searched."""
    high = max(2, ceil(1 / abs(first - second)))
    while not holds(high):
        high *= 2
        if high > most:
            return None
    return _step(holds, high)


def _step(holds: Callable[[int], bool], high: int) -> int:
    """Bisect for a number that holds while the one before does not; rounding makes it waver."""
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
