"""Where values vary: how much of the variance comes from items, runs and judges."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.counts.row_names import refuse_other_rows
from steelyard.errors import CountsError, RequestError
from steelyard.uncertainty.values.student import Floats, finite_column

__all__ = ["VarianceComponents", "variance_components"]

Whole = NDArray[np.int64]
REST = "rest"
"""What none of the named sources explains: their combinations, and noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceComponents:
    """Variance of a single value by source; ``rest`` is what no source explains.

    ``shares`` add up to 1. ``levels`` is how many items, runs, judges there were. ``of_mean`` is
    the variance of the grand mean that each source brings: more of what has the largest one makes
    the mean surer.
    """

    values: int
    variances: Mapping[str, float]
    shares: Mapping[str, float]
    levels: Mapping[str, int]
    of_mean: Mapping[str, float]


def variance_components(values: ArrayLike, sources: Mapping[str, ArrayLike]) -> VarianceComponents:
    r"""Split the variance of repeated values among items, runs, judges and the rest.

    Model: :math:`y=\mu+a_{item}+b_{run}+c_{judge}+e` with random, crossed effects. With
    :math:`T_f=\sum_{l}y_{l\cdot}^2/n_l` over the levels l of a source f,

    .. math:: E\,T_f=N\mu^2+\sum_g\sigma_g^2\sum_{l\in f}\sum_{k\in g}\frac{n_{lk}^2}{n_l}
              +L_f\,\sigma_e^2,

    and likewise for the whole and for single values; these equations are solved (Henderson's
    method 1 [1]_). What comes out below 0 is set to 0 and the others are solved again.

    Parameters
    ----------
    values : array_like
        One number for each row.
    sources : mapping of str to array_like
        For each source its level in each row, such as ``{"item": ids, "judge": names}``; a source
        needs two levels or more, and rows must repeat each of them.

    Notes
    -----
    Estimates of few levels are rough: two judges say little of judges. With one run a judge and
    item the rest holds the disagreement of judges over single items and the noise together.

    References
    ----------
    .. [1] Henderson (1953), Biometrics 9, 226-252, doi:10.2307/3001853.

    Examples
    --------
    >>> grades = [5, 4, 5, 4, 1, 1, 2, 1, 3, 3, 3, 2]
    >>> items = ["a"] * 4 + ["b"] * 4 + ["c"] * 4
    >>> judges = ["x", "y"] * 6
    >>> found = variance_components(grades, {"item": items, "judge": judges})
    >>> {name: round(share, 2) for name, share in found.shares.items()}
    {'item': 0.88, 'judge': 0.07, 'rest': 0.05}
    """
    refuse_other_rows({"values": values, **sources})
    column = finite_column(values, "values")
    codes = {name: _codes(name, levels, column.size) for name, levels in sources.items()}
    if not codes or REST in codes:
        message = f"sources={list(sources)!r}; name one or more, none of them {REST!r}."
        raise RequestError(message)
    # About the mean, so that large values with a small spread keep its digits.
    apart = column - column.mean()
    variances = _solve_variances(apart, codes)
    total = sum(variances.values())
    if total == 0:
        message = f"All {column.size} values are equal: there is no variance to be split."
        raise CountsError(message, code="no-spread")
    return VarianceComponents(
        values=column.size,
        variances=variances,
        shares={name: one / total for name, one in variances.items()},
        levels={name: int(levels.max()) + 1 for name, levels in codes.items()},
        of_mean={
            name: one * _concentration(codes.get(name), column.size)
            for name, one in variances.items()
        },
    )


def _codes(name: str, levels: ArrayLike, rows: int) -> Whole:
    named = np.asarray(levels)
    if named.shape != (rows,):
        message = f"{name}: {named.size} levels for {rows} values; give one for each value."
        raise CountsError(message, code="value-shape")
    found, codes = np.unique(named.astype(str), return_inverse=True)
    if found.size < 2 or found.size == rows:
        said = "only one level" if found.size < 2 else "no level that repeats"
        message = (
            f"{name} has {said} among {rows} values, which does not show what it adds. Leave it "
            "out, or give repeated values."
        )
        raise CountsError(message, code="nothing-repeats")
    return codes.astype(np.int64)


def _solve_variances(apart: Floats, codes: Mapping[str, Whole]) -> dict[str, float]:
    """Solve for the variances; sources whose solution is negative are taken out, worst first."""
    kept = list(codes)
    while True:
        found = _henderson(apart, {name: codes[name] for name in kept})
        worst = min(found, key=found.__getitem__)
        if found[worst] >= 0:
            break
        if worst == REST:
            # Named sources explain everything: the rest is nothing, they keep what they have.
            found[REST] = 0.0
            found = {name: max(0.0, one) for name, one in found.items()}
            break
        kept.remove(worst)
    return {name: found.get(name, 0.0) for name in [*codes, REST]}


def _henderson(apart: Floats, codes: Mapping[str, Whole]) -> dict[str, float]:
    """Equate the sums of squares of every source, the whole and single values to their means."""
    number = apart.size
    names = [*codes, REST]
    whole, single = np.zeros(number, dtype=np.int64), np.arange(number)
    groupings = [whole, *codes.values(), single]
    sums = [_sum_of_squares(apart, grouping) for grouping in groupings]
    effects = [*codes.values(), single]
    slopes = np.array([[_overlap(one, two) for two in effects] for one in groupings])
    # All of them hold N mu^2: the difference to the whole does not.
    solution = np.linalg.lstsq(slopes[1:] - slopes[0], np.array(sums[1:]) - sums[0], rcond=None)[0]
    scale = float(apart @ apart) / number
    # What rounding leaves of a source that adds nothing would count as one.
    solution[np.abs(solution) <= 1e-12 * scale] = 0.0
    return dict(zip(names, solution.tolist(), strict=True))


def _sum_of_squares(apart: Floats, levels: Whole) -> float:
    totals = np.bincount(levels, weights=apart)
    return float((totals * totals / np.bincount(levels)).sum())


def _overlap(one: Whole, two: Whole) -> float:
    """Sum over both sources' levels of the squared joint count over the count of the first."""
    pairs, counts = np.unique(one * (int(two.max()) + 1) + two, return_counts=True)
    held = np.bincount(one)[pairs // (int(two.max()) + 1)]
    return float((counts.astype(np.float64) ** 2 / held).sum())


def _concentration(levels: Whole | None, rows: int) -> float:
    """Sum of squared shares of the levels: what a source leaves of its variance in the mean."""
    return 1 / rows if levels is None else float(((np.bincount(levels) / rows) ** 2).sum())
