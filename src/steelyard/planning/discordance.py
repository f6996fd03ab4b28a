"""Two systems on common items: their rates, and how often exactly one of them is right."""

from dataclasses import dataclass

from steelyard.counts import PairTable
from steelyard.errors import NotComparable, RequestError
from steelyard.planning.rates import check_rates

__all__ = ["DiscordanceRange", "PairedRates", "discordance_range", "paired_rates", "pilot_rates"]

SLACK = 1e-12
"""Rates such as 0.9 and 0.8 miss the ends of what is possible by their last digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordanceRange:
    """Shares of discordant items that two rates allow.

    ``low`` when the better system is right wherever the other is, ``unrelated`` when they err
    independently of one another, ``high`` when they are right together as rarely as can be.
    """

    low: float
    unrelated: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedRates:
    """Chances of one item: only the first right, only the second right."""

    only_first: float
    only_second: float

    @property
    def discordance(self) -> float:
        """Share of items on which exactly one is right."""
        return self.only_first + self.only_second

    @property
    def difference(self) -> float:
        """Rate of the first minus rate of the second."""
        return self.only_first - self.only_second

    @property
    def win(self) -> float:
        """Chance that the system of the higher rate wins a discordant item."""
        return max(self.only_first, self.only_second) / self.discordance

    def swap(self) -> "PairedRates":
        """Exchange the two systems."""
        return PairedRates(only_first=self.only_second, only_second=self.only_first)


def discordance_range(first: float, second: float) -> DiscordanceRange:
    r"""Shares of discordant items that two rates allow.

    .. math:: |p_1 - p_2| \le \psi \le \min(p_1 + p_2,\ 2 - p_1 - p_2), \qquad
              \psi = p_1(1-p_2) + p_2(1-p_1) \text{ if unrelated.}

    Notes
    -----
    Systems that learnt from the same data mostly lie between ``low`` and ``unrelated``: the hard
    items are hard for both.

    References
    ----------
    .. [1] Connor (1987), Biometrics 43, 207-211, doi:10.2307/2531961.

    Examples
    --------
    >>> found = discordance_range(0.9, 0.88)
    >>> [round(share, 4) for share in (found.low, found.unrelated, found.high)]
    [0.02, 0.196, 0.22]
    """
    one, two = check_rates([first, second])
    return DiscordanceRange(
        low=abs(one - two),
        unrelated=one * (1 - two) + two * (1 - one),
        high=min(one + two, 2 - one - two),
    )


def paired_rates(first: float, second: float, *, discordance: float) -> PairedRates:
    r"""Chances of an item from two rates and the share of discordant items.

    .. math:: p_{10} = (\psi + p_1 - p_2)/2, \qquad p_{01} = (\psi - p_1 + p_2)/2.

    Examples
    --------
    >>> pair = paired_rates(0.9, 0.88, discordance=0.06)
    >>> round(pair.only_first, 3), round(pair.only_second, 3)
    (0.04, 0.02)
    """
    allowed = discordance_range(first, second)
    if not allowed.low - SLACK <= discordance <= allowed.high + SLACK or discordance <= 0:
        # Without discordant items no number of items tells: where 0 is nearest, a few are named.
        nearest = min(max(discordance, allowed.low, 1e-3), allowed.high)
        message = (
            f"discordance={discordance!r} cannot be with rates {first:g} and {second:g}: it lies "
            f"between {allowed.low:.4g} and {allowed.high:.4g}. The nearest possible is "
            f"discordance={nearest:.4g} (--discordance {nearest:.4g})."
        )
        raise RequestError(message, code="discordance")
    lead = first - second
    return PairedRates(
        only_first=max((discordance + lead) / 2, 0.0),
        only_second=max((discordance - lead) / 2, 0.0),
    )


def pilot_rates(pilot: PairTable) -> PairedRates:
    """Take the chances of an item from a pilot, as if it had shown the truth.

    Notes
    -----
    A small pilot says little of the difference that is being planned for; plans from it inherit
    its error. State the smallest difference that matters instead where you can.

    Examples
    --------
    >>> round(pilot_rates(PairTable(both=160, first=18, second=5, neither=17)).discordance, 3)
    0.115
    """
    if pilot.discordant == 0:
        message = (
            f"No item of the pilot ({pilot.total} in all) tells the two systems apart, so it says "
            "nothing of how many are needed. Give rates and a discordance instead."
        )
        raise NotComparable(message, code="no-discordance")
    return PairedRates(only_first=pilot.first / pilot.total, only_second=pilot.second / pilot.total)
