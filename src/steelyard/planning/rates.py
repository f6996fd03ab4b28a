"""The rates a plan supposes, and the wishes that no number of samples can grant."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

from steelyard.errors import RequestError

__all__ = ["PosteriorQuestion", "check_rates", "check_separable", "nearest_pair"]

PosteriorQuestion: TypeAlias = Literal["best", "ranking"]

NEAREST = 1e-12
"""So close to 0 or 1 differences of rates have no digits left."""


def check_rates(rates: Sequence[float], *, least: int = 2) -> tuple[float, ...]:
    """Refuse rates that no system under test can have, or too few of them.

    Examples
    --------
    >>> check_rates([0.9, 0.88])
    (0.9, 0.88)
    """
    if len(rates) < least:
        message = (
            f"{len(rates)} rate was given; the question needs {least} or more, such as "
            "rates=[0.90, 0.88] (--rates 0.90,0.88)."
        )
        raise RequestError(message)
    for rate in rates:
        if not NEAREST <= rate <= 1 - NEAREST:
            where = "not strictly between 0 and 1" if not 0 < rate < 1 else "as good as 0 or 1"
            message = (
                f"A rate of {rate!r} is {where}. A system that is always "
                f"right or always wrong needs no plan; the nearest that can be planned for is "
                f"{0.999 if rate > 0.5 else 0.001:g}."
            )
            if 1 < rate <= 100:
                message = f"A rate of {rate!r} is above 1. For {rate:g} % write {rate / 100:g}."
            raise RequestError(message)
    return tuple(float(rate) for rate in rates)


def check_separable(rates: Sequence[float], question: PosteriorQuestion) -> None:
    """Refuse to look for samples that tell equal rates apart.

    Examples
    --------
    >>> check_separable([0.9, 0.88, 0.88], "best")
    """
    ranked = sorted(rates, reverse=True)
    equal = [one for one, two in pairwise(ranked) if one == two]
    if question == "best":
        equal = [rate for rate in equal if rate == ranked[0]]
    if not equal:
        return
    alike = ranked.count(equal[0])
    what = "which is best" if question == "best" else "their order"
    message = (
        f"{alike} systems have the same rate, {equal[0]:g}, so no number of samples tells {what}: "
        f"the confidence stays near 1/{alike}. Count systems that are alike as one, give them the "
        "smallest difference that matters (for example "
        f"{equal[0]:g} and {equal[0] - 0.01:.4g}), or ask for a selection that is right whenever "
        "the best leads by delta: question='select', delta=0.01 "
        "(steelyard plan select --delta 0.01)."
    )
    raise RequestError(message, code="equal-rates")


def nearest_pair(rates: Sequence[float], question: PosteriorQuestion) -> tuple[float, float]:
    """Find the two rates that decide: the best two, or for a ranking the closest two.

    Examples
    --------
    >>> nearest_pair([0.9, 0.85, 0.84], "best"), nearest_pair([0.9, 0.85, 0.84], "ranking")
    ((0.9, 0.85), (0.85, 0.84))
    """
    ranked = sorted(rates, reverse=True)
    if question == "best":
        return ranked[0], ranked[1]
    pairs = list(pairwise(ranked))
    return min(pairs, key=lambda pair: pair[0] - pair[1])
