"""Krippendorff's alpha: agreement where ratings may be missing and categories may be ordered."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import RequestError
from steelyard.measures.agreement.class_weights import agreement_weights
from steelyard.measures.agreement.rater_features import Features, agreement_estimate
from steelyard.measures.agreement.ratings import Rated, Ratings, ratings_of
from steelyard.results.estimates import Estimate

__all__ = ["AlphaMetric", "krippendorff_alpha"]

AlphaMetric = Literal["nominal", "ordinal", "interval"]
Floats = NDArray[np.float64]


def krippendorff_alpha(
    ratings: Rated,
    *,
    metric: AlphaMetric = "nominal",
    order: Sequence[str] | None = None,
    values: Mapping[str, float] | None = None,
    level: float = 0.95,
) -> Estimate:
    r"""Krippendorff's alpha: observed over expected disagreement, with ratings missing at will.

    :math:`\alpha=1-(N-1)\frac{\sum_{ck}o_{ck}\delta^2_{ck}}{\sum_{ck}n_cn_k\delta^2_{ck}}` over
    coincidences :math:`o_{ck}` of ratings of the same item [1]_. In (-1, 1], larger is better, 0 is
    chance; undefined when only one category was used.

    Parameters
    ----------
    ratings : Ratings, JointCalls or Confusion
        What the raters said; items with fewer than two ratings do not count.
    metric : {"nominal", "ordinal", "interval"}
        How far categories are apart: different or not, by how many ratings lie between them, or
        by the square of the difference of their values.
    order : sequence of str, optional
        The categories from lowest to highest, for ``ordinal``.
    values : mapping, optional
        The value of each category, for ``interval``; by default the categories read as numbers.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    References
    ----------
    .. [1] Hayes & Krippendorff (2007), Communication Methods and Measures 1, 77-89,
       doi:10.1080/19312450709336664.

    Examples
    --------
    >>> ratings = Ratings.from_items([[1, 1, None], [2, 2, 2], [3, 3, 1], [None, 1, 1]])
    >>> round(krippendorff_alpha(ratings).value, 4)
    0.7097
    """
    rated = ratings_of(ratings)
    distances = _distances(rated, metric, order, values)

    def coefficient(total: Features) -> tuple[float, float]:
        margins = total.together.sum(axis=1)
        size = float(margins.sum())
        apart = distances(margins)
        expected = float(margins @ apart @ margins) / (size * (size - 1))
        observed = float((total.together * apart).sum()) / size
        return observed, expected

    table = np.eye(len(rated.categories))
    name = f"{metric} alpha"
    return agreement_estimate(rated, name, table, coefficient, level=level, together=True)


def _distances(
    rated: Ratings,
    metric: AlphaMetric,
    order: Sequence[str] | None,
    values: Mapping[str, float] | None,
) -> Callable[[Floats], Floats]:
    number = len(rated.categories)
    if metric == "nominal":
        return lambda margins: 1 - np.eye(number)
    if metric == "interval":
        at = _values(rated.categories, values)
        square: Floats = (at[:, None] - at[None, :]) ** 2
        return lambda margins: square
    if metric != "ordinal":
        raise RequestError.for_choice("metric", metric, ("nominal", "ordinal", "interval"))  # noqa: EM101
    agreement_weights(rated.categories, "linear", order=order)  # refuses a missing order
    place = np.array([list(order or ()).index(name) for name in rated.categories])
    return lambda margins: _ordinal(margins, place)


def _ordinal(margins: Floats, place: NDArray[np.int64]) -> Floats:
    """Square of how many ratings lie between two categories, half of both ends included."""
    sorted_margins = np.zeros(len(place))
    sorted_margins[place] = margins
    reached = (np.cumsum(sorted_margins) - sorted_margins / 2)[place]
    square: Floats = (reached[:, None] - reached[None, :]) ** 2
    return square


def _values(categories: Sequence[str], values: Mapping[str, float] | None) -> Floats:
    try:
        given = values if values is not None else {name: float(name) for name in categories}
        return np.array([given[name] for name in categories], dtype=np.float64)
    except (KeyError, ValueError) as error:
        message = (
            f"metric='interval' needs a number for every category ({error}). "
            "Pass values={'low': 1, 'high': 2, ...}."
        )
        raise RequestError(message) from None
