"""What may be asked: the checks and quantiles that every interval shares."""

from collections.abc import Callable, Mapping
from math import exp, expm1, inf, log, log1p, sqrt
from operator import index
from typing import SupportsIndex, TypeVar

from steelyard.errors import CountsError, RequestError, check_share
from steelyard.uncertainty.special import (
    betainc,
    betaincc,
    betainccinv,
    betaincinv,
    betaln,
    erfinv,
    ndtri,
)

__all__ = [
    "beta_quantile",
    "beta_upper_quantile",
    "choose_method",
    "normal_quantile",
    "successes_of_trials",
    "whole_count",
]

Method = TypeVar("Method", bound=Callable[..., object])


def normal_quantile(level: float) -> float:
    """Two-sided standard normal quantile of a coverage.

    Examples
    --------
    >>> round(normal_quantile(0.95), 6)
    1.959964
    """
    check_share("level", level)
    # Each side keeps its digits: close to 1 the lower tail, close to 0 the level itself.
    if level < 0.5:
        return sqrt(2) * float(erfinv(level))
    return -float(ndtri((1 - level) / 2))


def beta_quantile(a: float, b: float, below: float) -> float:
    """Quantile of a beta distribution: the share with ``below`` of the chance below it.

    General routines keep 6 to 9 digits when a + b is 1e8, so theirs is a start, and Newton's steps
    on the distribution itself bring the others. With a = 1 it is :math:`1-(1-q)^{1/b}`.

    Examples
    --------
    >>> round(beta_quantile(1, 10, 0.025), 6)
    0.002529
    """
    if a == 1:
        return -expm1(log1p(-below) / b)
    start = float(betaincinv(a, b, below))
    return _polish(a, b, start, tail=below, chance=betainc, sign=1)


def beta_upper_quantile(a: float, b: float, above: float) -> float:
    """Share with ``above`` of the chance of a beta distribution above it.

    Examples
    --------
    >>> round(beta_upper_quantile(1, 10, 0.025), 4)
    0.3085
    """
    start = float(betainccinv(a, b, above))
    return _polish(a, b, start, tail=above, chance=betaincc, sign=-1)


def _polish(
    a: float, b: float, share: float, *, tail: float, chance: Callable[..., float], sign: int
) -> float:
    """Bring a quantile closer by steps on the logarithm of its tail, while they shrink."""
    last = inf
    for _ in range(8):
        if not 0 < share < 1:
            break
        seen = float(chance(a, b, share))
        density = exp((a - 1) * log(share) + (b - 1) * log1p(-share) - float(betaln(a, b)))
        if not (seen > 0 and density > 0):
            break
        step = sign * seen * log(seen / tail) / density
        if not abs(step) < last or not 0 < share - step < 1:
            break
        share, last = share - step, abs(step) / 2
    return share


def whole_count(count: SupportsIndex, name: str) -> int:
    """Give a count as a plain integer, or refuse what is no count.

    Examples
    --------
    >>> whole_count(3, "successes")
    3
    """
    try:
        number = index(count)
    except TypeError:
        number = -1
    if number < 0:
        message = (
            f"{name}={count!r} is not a count; expected a whole number, 0 or more. "
            "For weighted rows use wilson_interval_effective(share, effective_trials)."
        )
        raise CountsError(message, code="count-not-whole")
    return number


def successes_of_trials(successes: SupportsIndex, trials: SupportsIndex) -> tuple[int, int]:
    """Check that so many successes can be among so many trials, of which there is at least one.

    Examples
    --------
    >>> successes_of_trials(8, 10)
    (8, 10)
    """
    won, tried = whole_count(successes, "successes"), whole_count(trials, "trials")
    if tried == 0:
        message = "0 trials hold no information on a share. Pass at least 1 trial."
        raise CountsError(message, code="no-trials")
    if won > tried:
        message = f"{won} successes among {tried} trials. Pass successes first, then trials."
        raise CountsError(message, code="successes-exceed-trials")
    return won, tried


def choose_method(methods: Mapping[str, Method], method: str) -> Method:
    """Look a method up by its name, or name those there are.

    Examples
    --------
    >>> choose_method({"largest": max}, "largest")([1, 3, 2])
    3
    """
    if method not in methods:
        raise RequestError.for_choice(name="method", given=method, choices=tuple(methods))
    return methods[method]
