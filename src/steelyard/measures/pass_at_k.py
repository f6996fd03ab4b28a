"""Items that were asked several times: right at least once in k tries, or right in all k."""

from collections.abc import Callable, Mapping, Sequence
from math import comb, sqrt
from typing import Literal

from steelyard.errors import CountsError, RequestError, counted
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import cluster_share_interval, wilson_interval_effective

__all__ = [
    "ESTIMANDS",
    "Estimand",
    "all_of_k",
    "any_of_k",
    "asked_again_interval",
    "tries_estimate",
]

Estimand = Literal["population", "items"]
"""What a number is about: items like these, or exactly these items, asked again."""

ESTIMANDS: Mapping[Estimand, str] = {
    "population": "items like these, of which these are a sample",
    "items": "exactly these items, each asked again",
}
Rule = Literal["any", "all"]

NO_VARIANCE = (
    "no interval: on exactly these items only the answers vary, and fewer than {} each, or answers "
    "that never differ, do not show how"
)


def any_of_k(right: int, tried: int, k: int) -> float:
    r"""Share of the sets of k tries that hold a right one: pass@k.

    :math:`1-\binom{n-c}{k}/\binom{n}{k}` for c right of n tries; unbiased for the chance that k
    new tries hold a right one, which :math:`1-(1-c/n)^k` is not [1]_.

    Parameters
    ----------
    right, tried : int
        How many tries were right, of how many; ``tried`` is ``k`` or more.
    k : int
        How many tries are taken together.

    References
    ----------
    .. [1] Chen et al. (2021), Evaluating Large Language Models Trained on Code, arXiv:2107.03374,
       section 2.1.

    Examples
    --------
    >>> any_of_k(1, 2, 1), any_of_k(1, 2, 2), round(any_of_k(3, 10, 4), 6)
    (0.5, 1.0, 0.833333)
    """
    _check(right, tried, k)
    every = comb(tried, k)
    return (every - comb(tried - right, k)) / every


def all_of_k(right: int, tried: int, k: int) -> float:
    r"""Share of the sets of k tries that are all right: pass^k.

    :math:`\binom{c}{k}/\binom{n}{k}` for c right of n tries, unbiased for the chance that k new
    tries are all right [1]_.

    References
    ----------
    .. [1] Yao, Shinn, Razavi & Narasimhan (2024), tau-bench, arXiv:2406.12045, section 2.

    Examples
    --------
    >>> all_of_k(1, 2, 1), all_of_k(1, 2, 2), round(all_of_k(8, 10, 4), 6)
    (0.5, 0.0, 0.333333)
    """
    _check(right, tried, k)
    return comb(right, k) / comb(tried, k)


RULES: Mapping[Rule, tuple[str, Callable[[int, int, int], float]]] = {
    "any": ("pass@{}", any_of_k),
    "all": ("pass^{}", all_of_k),
}


def tries_estimate(
    right: Sequence[int],
    tried: Sequence[int],
    k: int,
    *,
    rule: Rule = "any",
    estimand: Estimand = "population",
    level: float = 0.95,
) -> Estimate:
    r"""Mean of pass@k or pass^k over items, with an interval that counts items, not tries.

    For items like these the values of the items are a sample, each worth at most as many shares of
    k tries as it was tried, and the interval is that of a share over clusters, which an item is
    (:func:`~steelyard.uncertainty.cluster_share_interval`). For
    exactly these items only the tries are random: the variance is :math:`\sum_i v_i/N^2`, with
    :math:`v_i` the jackknife variance of item i over its tries, which is
    :math:`\hat p(1-\hat p)/(n-1)` at k = 1; the limits are Wilson's with as many tries as would
    vary as much, one more item counted like those whose tries differ.

    Parameters
    ----------
    right, tried : sequence of int
        How many tries of each item were right, of how many.
    k : int
        How many tries are taken together; every item needs that many.
    rule : {"any", "all"}
        At least one right (pass@k), or all right (pass^k).
    estimand : {"population", "items"}
        What the number is about.
    level : float
        Coverage of the interval.

    Notes
    -----
    Tries of one item are taken to be independent given the item. For exactly these items the
    interval needs more than ``k`` tries of each (two or more at k = 1), and is too short where most
    items are all right or all wrong.

    References
    ----------
    .. [1] Chen et al. (2021), Evaluating Large Language Models Trained on Code, arXiv:2107.03374.
    .. [2] Miller (2024), Adding Error Bars to Evals, arXiv:2411.00640.
    .. [3] Efron & Stein (1981), The jackknife estimate of variance, Annals of Statistics 9,
       586-596, doi:10.1214/aos/1176345462.

    Examples
    --------
    >>> found = tries_estimate([0, 2, 4, 3, 1], [4, 4, 4, 4, 4], 2)
    >>> round(found.value, 3), found.measure, found.interval.method
    (0.667, 'pass@2', 'items-as-clusters')
    >>> round(tries_estimate([0, 2, 4], [4, 4, 4], 1, estimand="items").standard_error, 4)
    0.0962
    """
    if estimand not in ESTIMANDS:
        raise RequestError.for_choice("estimand", estimand, tuple(ESTIMANDS))  # noqa: EM101
    if len(right) != len(tried) or not right:
        message = "Each item needs its right tries and all its tries, for one item or more."
        raise CountsError(message, code="no-items")
    short = [n for n in tried if n < k]
    name, value = RULES[rule]
    if short:
        message = (
            f"{name.format(k)} needs {k} tries of every item, and {counted(len(short), 'item')} "
            f"has fewer (the least {min(short)}). Choose k up to {min(tried)}."
        )
        raise CountsError(message, code="too-few-tries")
    values = [value(c, n, k) for c, n in zip(right, tried, strict=True)]
    mean = sum(values) / len(values)
    if estimand == "items":
        terms = _terms_on_items(right, tried, k, value)
        error = None if terms is None else sqrt(sum(terms))
        interval = None if terms is None else _wilson(mean, terms, level)
    else:
        error, interval = _over_items(values, sum(tried) / len(tried) / k, level)
    return Estimate(
        measure=name.format(k),
        value=mean,
        interval=interval,
        standard_error=error,
        items=len(values),
        caveats=_doubts(interval, estimand, k),
    )


def asked_again_interval(
    right: Sequence[int], tried: Sequence[int], *, level: float = 0.95
) -> Interval | None:
    r"""Interval of the share of right tries on exactly these items, each asked again.

    Only the tries are random: the variance of :math:`\sum c_i/\sum n_i` is
    :math:`\sum n_i^2\,\hat p_i(1-\hat p_i)/(n_i-1)/(\sum n_i)^2`, that of a sample stratified by
    item [1]_, times :math:`1+1/k` for one more item like the k whose tries differ. The limits are
    Wilson's with as many tries as would vary as much. None when some item was tried once, or when
    no item's tries differ.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, section 5A.

    Examples
    --------
    >>> found = asked_again_interval([0, 2, 4], [4, 4, 4])
    >>> round(found.low, 3), round(found.high, 3)
    (0.265, 0.735)
    """
    if min(tried, default=0) < 2:
        return None
    size = sum(tried)
    shares = [c / n for c, n in zip(right, tried, strict=True)]
    terms = [(n / size) ** 2 * p * (1 - p) / (n - 1) for p, n in zip(shares, tried, strict=True)]
    return _wilson(sum(right) / size, terms, level)


def _doubts(interval: Interval | None, estimand: Estimand, k: int) -> tuple[str, ...]:
    if interval is not None:
        return ()
    if estimand == "items":
        return (NO_VARIANCE.format(counted(max(2, k + 1), "answer")),)
    return ("no interval: one item does not show how items vary",)


def _over_items(
    values: Sequence[float], worth: float, level: float
) -> tuple[float | None, Interval | None]:
    """Take items as clusters, each of at most as many shares of k tries as it was tried."""
    if len(values) < 2:
        return None, None
    mean = sum(values) / len(values)
    squares = sum((x - mean) ** 2 for x in values)
    error = sqrt(squares / (len(values) - 1) / len(values))
    low, high = cluster_share_interval(
        [value * worth for value in values], [worth] * len(values), level=level
    )
    return error, Interval(low=low, high=high, level=level, method="items-as-clusters")


def _terms_on_items(
    right: Sequence[int], tried: Sequence[int], k: int, value: Callable[[int, int, int], float]
) -> list[float] | None:
    if min(tried) <= k:
        return None
    return [_jackknife(c, n, k, value) / len(right) ** 2 for c, n in zip(right, tried, strict=True)]


def _jackknife(right: int, tried: int, k: int, value: Callable[[int, int, int], float]) -> float:
    """Variance of one item's value over its tries, each left out in turn."""
    wrong = tried - right
    without_right = value(right - 1, tried - 1, k) if right else 0.0
    without_wrong = value(right, tried - 1, k) if wrong else 0.0
    mean = (right * without_right + wrong * without_wrong) / tried
    spread = right * (without_right - mean) ** 2 + wrong * (without_wrong - mean) ** 2
    return (tried - 1) / tried * spread


def _wilson(mean: float, terms: Sequence[float], level: float) -> Interval | None:
    """Wilson's limits with as many tries as would vary as much as the items' tries do."""
    telling = sum(term > 0 for term in terms)
    if not telling or not 0 < mean < 1:
        return None
    variance = sum(terms) * (1 + 1 / telling)
    low, high = wilson_interval_effective(mean, mean * (1 - mean) / variance, level=level)
    return Interval(low=low, high=high, level=level, method="jackknife-over-tries")


def _check(right: int, tried: int, k: int) -> None:
    if k < 1:
        message = f"k={k}; take 1 try or more together."
        raise RequestError(message)
    if not 0 <= right <= tried:
        message = f"{right} right of {tried} tries; expected 0 <= right <= tried."
        raise CountsError(message, code="successes-exceed-trials")
    if tried < k:
        message = f"{tried} tries are fewer than k={k}. Choose a k up to the tries there are."
        raise CountsError(message, code="too-few-tries")
