"""Grey-level co-occurrence: how often two greys are neighbours."""

import numpy as np
from numpy.typing import NDArray

from steelyard.suites.algorithms.discriminant import classify_images
from steelyard.suites.problems.item_files import Image
from steelyard.suites.tasks import Task

__all__ = ["classify", "cooccurrence", "features"]

LEVELS = 32
STEPS = ((0, 1), (1, 1), (1, 0), (1, -1))
"""Neighbours in four directions, at distance 1."""


def cooccurrence(image: Image, step: tuple[int, int]) -> NDArray[np.float64]:
    """Share of each pair of greys among neighbours, both ways.

    Examples
    --------
    >>> table = cooccurrence(np.array([[0.0, 0.0, 255.0]]), (0, 1))
    >>> table[0, 0], table[0, 31], table[31, 0]
    (np.float64(0.5), np.float64(0.25), np.float64(0.25))
    """
    grey = np.minimum(image * LEVELS / 256, LEVELS - 1).astype(np.intp)
    down, right = step
    rows, columns = grey.shape
    left = max(0, -right)
    one = grey[: rows - down, left : columns - max(0, right)]
    two = grey[down:, left + right : columns - max(0, right) + right]
    counts = np.bincount((one * LEVELS + two).ravel(), minlength=LEVELS**2)
    table = counts.reshape(LEVELS, LEVELS).astype(np.float64)
    table += table.T
    return np.asarray(table / table.sum())


def features(image: Image) -> list[float]:
    """Give energy, entropy, contrast and correlation, each the mean over four directions.

    References
    ----------
    .. [1] Haralick, Shanmugam & Dinstein (1973), IEEE Transactions on Systems, Man, and
       Cybernetics 3, 610-621, doi:10.1109/TSMC.1973.4309314.
    """
    levels = np.arange(LEVELS)
    found = []
    for step in STEPS:
        table = cooccurrence(image, step)
        mean = float(table.sum(axis=1) @ levels)
        variance = float(table.sum(axis=1) @ (levels - mean) ** 2)
        joint = float((table * np.outer(levels - mean, levels - mean)).sum())
        held = table[table > 0]
        found.append(
            [
                float(np.sqrt((table**2).sum())),
                float(-(held * np.log(held)).sum()),
                float((table * (levels[:, None] - levels) ** 2).sum()),
                joint / variance if variance > 0 else 1.0,
            ]
        )
    return [float(mean) for mean in np.mean(found, axis=0)]


def classify(task: Task) -> NDArray[np.float64]:
    """Discriminate by co-occurrence."""
    return classify_images(task, features)
