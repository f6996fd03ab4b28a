"""What may be asked: the checks and quantiles that every interval shares."""

from collections.abc import Callable, Mapping
from operator import index
from typing import SupportsIndex, TypeVar

from scipy.special import ndtri

from steelyard.errors import CountsError, RequestError

__all__ = ["chosen_method", "normal_quantile", "successes_of_trials", "whole_count"]

Method = TypeVar("Method", bound=Callable[..., object])


def normal_quantile(level: float) -> float:
    """Two-sided standard normal quantile of a coverage.

    Examples
    --------
    >>> round(normal_quantile(0.95), 6)
    1.959964
    """
    if not 0 < level < 1:
        raise RequestError.for_level(name="level", given=level)
    # The lower tail keeps its digits for levels close to 1, where (1 + level) / 2 would lose them.
    return -float(ndtri((1 - level) / 2))


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
            f"{name}={count!r} is no count; expected a whole number, 0 or more. "
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


def chosen_method(methods: Mapping[str, Method], method: str) -> Method:
    """Look a method up by its name, or name those there are.

    Examples
    --------
    >>> chosen_method({"largest": max}, "largest")([1, 3, 2])
    3
    """
    if method not in methods:
        raise RequestError.for_choice(name="method", given=method, choices=tuple(methods))
    return methods[method]
