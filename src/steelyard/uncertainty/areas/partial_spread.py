"""How the mean height of a ROC curve in a band of false alarm rates varies."""

from math import inf

import numpy as np
from numpy.typing import NDArray

from steelyard.uncertainty.areas.placement_limits import AreaSpread

__all__ = ["vary_in_band"]

Floats = NDArray[np.float64]


def vary_in_band(
    alarms: Floats,
    detections: Floats,
    band: tuple[float, float],
    *,
    positives: int,
    negatives: int,
) -> AreaSpread:
    r"""Spread of the mean detection rate over false alarm rates in [a, b].

    Positives :math:`i` have the height :math:`1-(c(U_i)-a)/(b-a)` with :math:`U_i` the share of
    negatives above them and :math:`c` a cut to [a, b]; their mean is the partial area over
    :math:`b-a`. Negatives :math:`j` move it by :math:`T_j/(b-a)`, with :math:`T_j` the share of
    positives above them, cut to the detection rates at a and b: beyond the ends of the band a
    negative only moves the end [1]_. About :math:`n(b-a)` negatives lie in the band, and as many
    carry the answer. Over [0, 1] these are DeLong's placements.

    Parameters
    ----------
    alarms, detections : ndarray
        The curve from (0, 0) to (1, 1); items of one score are a straight piece.
    band : (a, b)
        False alarm rates, ``0 <= a < b <= 1``.
    positives, negatives : int
        Items of either class.

    References
    ----------
    .. [1] Dodd & Pepe (2003), Biometrics 59, 614-623, doi:10.1111/1541-0420.00071.

    Examples
    --------
    >>> x, y = np.array([0.0, 0.0, 0.5, 0.5, 1.0]), np.array([0.0, 0.5, 0.5, 1.0, 1.0])
    >>> spread = vary_in_band(x, y, (0.0, 0.5), positives=2, negatives=2)
    >>> spread.area, spread.positive_variance, spread.negatives
    (0.5, 0.5, 1.0)
    """
    low, high = band
    width = high - low
    heights = 1 - (_mean_cut(alarms, low, high) - low) / width
    least, most = (_highest(alarms, detections, at) for at in band)
    reached = _mean_cut(detections, least, most)
    in_positives, in_negatives = np.diff(detections), np.diff(alarms)
    area = float(in_positives @ heights)
    units = max(1.0, negatives * width)
    of_positives = _variance(heights, in_positives, positives)
    of_negatives = _variance(reached, in_negatives, negatives) / width**2 * units / negatives
    parts = of_positives / positives, of_negatives / units
    doubt = parts[0] ** 2 / max(positives - 1, 1) + parts[1] ** 2 / max(units - 1, 1)
    return AreaSpread(
        area=min(1.0, max(0.0, area)),
        positives=positives,
        negatives=units,
        positive_variance=of_positives,
        negative_variance=of_negatives,
        freedom=sum(parts) ** 2 / doubt if doubt > 0 else inf,
    )


def _variance(values: Floats, shares: Floats, items: int) -> float:
    middle = float(shares @ values)
    return float(shares @ (values - middle) ** 2) * items / (items - 1) if items > 1 else 0.0


def _mean_cut(points: Floats, low: float, high: float) -> Floats:
    """Mean of what is cut to [low, high], over each piece between two ascending points."""
    left, right = points[:-1], points[1:]
    width = right - left
    # The integral of the cut is a parabola inside and straight outside.
    inside = np.clip(points, low, high)
    total = inside**2 / 2 + low * np.minimum(points, low) + high * np.maximum(points, high)
    pieces = np.divide(np.diff(total), width, out=np.zeros_like(width), where=width > 0)
    found: Floats = np.where(width > 0, pieces, inside[1:])
    return found


def _highest(alarms: Floats, detections: Floats, at: float) -> float:
    """Detection rate at a false alarm rate, at the top of a step."""
    right = int(np.searchsorted(alarms, at, side="right"))
    if right == alarms.size:
        return float(detections[-1])
    width = alarms[right] - alarms[right - 1]
    share = (at - alarms[right - 1]) / width
    return float(detections[right - 1] + share * (detections[right] - detections[right - 1]))
