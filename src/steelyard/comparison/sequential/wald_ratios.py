"""The two ratios a sequential test of two systems can speak of."""

from typing import Literal, TypeAlias

from steelyard.errors import RequestError

__all__ = [
    "RatioName",
    "discordance_ratio",
    "odds_ratio",
]

RatioName: TypeAlias = Literal["u", "omega"]
"""``u`` is the odds ratio of the two rates (independent samples, paired at random); ``omega`` is
P(only the second right) / P(only the first right) on common items. They differ."""


def odds_ratio(first: float, second: float) -> float:
    r"""Wald's ratio of efficiencies, :math:`u = p_2(1-p_1)/(p_1(1-p_2))`.

    Notes
    -----
    The parameter of the test when independent samples are paired at random; on common items the
    test speaks of :func:`discordance_ratio` instead.

    References
    ----------
    .. [1] Wald (1947), Sequential Analysis, chapter 6; doi:10.1214/aoms/1177731118 has the test.

    Examples
    --------
    >>> round(odds_ratio(0.90, 0.92), 2)
    1.28
    """
    for rate in (first, second):
        if not 0 < rate < 1:
            raise RequestError.for_level(name="rate", given=rate)
    return second * (1 - first) / (first * (1 - second))


def discordance_ratio(first: float, second: float, *, discordance: float) -> float:
    r"""Ratio :math:`\omega = P(\text{only 2 right})/P(\text{only 1 right})` on common items.

    From the two rates and the share of discordant items :math:`\psi`:
    :math:`\omega = (\psi + p_2 - p_1)/(\psi - p_2 + p_1)`.

    Notes
    -----
    It depends on the discordance, so the same two rates may give any omega from the odds ratio
    (roughly, for unrelated systems) to infinity.

    References
    ----------
    .. [1] McNemar (1947), Psychometrika 12, 153-157, doi:10.1007/BF02295996.

    Examples
    --------
    >>> round(discordance_ratio(0.90, 0.92, discordance=0.06), 9)
    2.0
    """
    lead = second - first
    only_first, only_second = discordance - lead, discordance + lead
    # What is left of 0.1 - (0.6 - 0.5) is rounding, not a share of items.
    if not (min(only_first, only_second) > 1e-12 * discordance and discordance <= 1):
        message = (
            f"discordance={discordance!r} with rates {first!r} and {second!r}; it lies above the "
            "difference of the rates, and is at most 1."
        )
        raise RequestError(message)
    return only_second / only_first
