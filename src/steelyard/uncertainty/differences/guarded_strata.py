"""A mean over fixed items, each asked more than once, that allows for one unseen answer."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.errors import CountsError

__all__ = ["draw_strata"]

Floats = NDArray[np.float64]


def draw_strata(
    counts: ArrayLike, values: Sequence[float], *, rng: np.random.Generator, draws: int = 20_000
) -> Floats:
    r"""Draw the mean over fixed items from the distribution whose low quantiles are lower limits.

    Items are strata: only the answers to an item vary. Let :math:`b_i` be the commonest value
    among the :math:`n_i` answers to item i (the largest of several) and :math:`k_{iv}` the answers
    with another value v. Then, with N answers in all,

    .. math:: \theta = \frac1N\Big(\sum_i n_ib_i + \sum_{i,v}(v-b_i)\,\frac{G_{iv}}{a_i} - hE\Big),
              \qquad G_{iv} \sim \mathrm{Gamma}(k_{iv}a_i),\ E \sim \mathrm{Exp}(1).

    :math:`a_i\ge1` gives the sum of an item's answers its unbiased variance :math:`n_is_i^2`, and
    h is the harm of one unseen answer: from the largest value seen to the smallest there is.

    Parameters
    ----------
    counts : array_like
        Answers by item and value, two or more for each item.
    values : sequence of float
        The values, in descending order.

    Notes
    -----
    Answers that differ from the rest of their item are rare events; a gamma weight for each, and
    one event more, are the limits of a Poisson count, and there is always some width. Where no
    answer differs within its item, limits reach as far as one answer in :math:`N/3` would. With the
    values negated and in reverse the same draws give upper limits.

    References
    ----------
    .. [1] Fay & Feuer (1997), Statistics in Medicine 16, 791-801,
       doi:10.1002/(SICI)1097-0258(19970415)16:7<791::AID-SIM500>3.0.CO;2-#.
    .. [2] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, section 5A.

    Examples
    --------
    >>> drawn = draw_strata([[2, 0], [2, 0], [1, 1]], [1, 0], rng=np.random.default_rng(1))
    >>> low = np.quantile(drawn, 0.05)
    >>> bool(0 < low < 0.4)
    True
    """
    table = np.asarray(counts, dtype=np.float64)
    worth = np.asarray(values, dtype=np.float64)
    size = table.sum(axis=1)
    if table.ndim != 2 or (size < 2).any():
        message = "Each item needs two answers or more; one does not show how answers vary."
        raise CountsError(message, code="no-repeats")
    base = worth[np.argmax(table, axis=1)]
    away = worth[None, :] - base[:, None]
    raw = (table * away**2).sum(axis=1)
    # n s² from the deviations themselves: the shift by the base cancels exactly.
    unbiased = (raw - (table * away).sum(axis=1) ** 2 / size) * size / (size - 1)
    scale = np.where(raw > 0, np.maximum(1.0, raw / np.where(unbiased > 0, unbiased, 1.0)), 1.0)
    total = np.full(draws, float((size * base).sum()))
    # Gamma weights of one scale add up: as few draws as there are kinds of deviation.
    shapes: dict[tuple[float, float], float] = {}
    for item, place in np.argwhere((table > 0) & (away != 0)).tolist():
        kind = (round(float(scale[item]), 12), float(away[item, place]))
        shapes[kind] = shapes.get(kind, 0.0) + float(table[item, place]) * kind[0]
    for (one, step), shape in sorted(shapes.items(), key=lambda kind: (kind[0][0], kind[0][1])):
        total += step / one * rng.standard_gamma(shape, draws)
    harm = float(worth[(table > 0).any(axis=0)].max() - worth.min())
    total -= harm * rng.standard_exponential(draws)
    return np.asarray(np.maximum(total / size.sum(), worth.min()))
