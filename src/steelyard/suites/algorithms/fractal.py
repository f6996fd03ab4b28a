"""Fractal dimension: how fast greys part with distance."""

import numpy as np
from numpy.typing import NDArray

from steelyard.suites.algorithms.discriminant import classify_images
from steelyard.suites.problems.item_files import Image
from steelyard.suites.tasks import Task

__all__ = ["classify", "features"]

DISTANCES = (1, 2, 3, 4, 6)


def features(image: Image) -> list[float]:
    r"""Give the dimension :math:`3-H` and the intercept of the line of log difference.

    For fractional Brownian motion the mean difference of greys at distance d grows as
    :math:`d^H`.

    References
    ----------
    .. [1] Pentland (1984), IEEE Transactions on Pattern Analysis and Machine Intelligence 6,
       661-674, doi:10.1109/TPAMI.1984.4767591.
    """
    logs = []
    for apart in DISTANCES:
        down = np.abs(image[apart:] - image[:-apart])
        right = np.abs(image[:, apart:] - image[:, :-apart])
        mean = (down.sum() + right.sum()) / (down.size + right.size)
        logs.append(float(np.log(mean + 1e-9)))
    slope, start = np.polyfit(np.log(DISTANCES), logs, 1)
    return [3 - float(slope), float(start)]


def classify(task: Task) -> NDArray[np.float64]:
    """Discriminate by fractal dimension."""
    return classify_images(task, features)
