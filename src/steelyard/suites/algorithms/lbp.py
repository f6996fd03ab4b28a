"""Local binary patterns: which of eight neighbours are as light as a pixel, turned to one start."""

import numpy as np
from numpy.typing import NDArray

from steelyard.suites.algorithms.discriminant import classify_images
from steelyard.suites.problems.item_files import Image
from steelyard.suites.tasks import Task

__all__ = ["classify", "features", "pattern_codes"]

AROUND = ((0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1))
CORNER = 1 / np.sqrt(2)


def pattern_codes(image: Image) -> NDArray[np.intp]:
    """Give each inner pixel its uniform pattern: light neighbours 0 to 8, or 9 for all others.

    Neighbours lie on a circle of radius 1, the diagonal ones between pixels.

    Examples
    --------
    >>> pattern_codes(np.array([[9.0, 9, 9], [0, 5, 0], [0, 0, 0]])).tolist()
    [[3]]
    """
    rows, columns = image.shape
    inner = image[1:-1, 1:-1]
    light = []
    for i, j in AROUND:
        straight = image[1 + i : rows - 1 + i, 1 + j : columns - 1 + j]
        if i and j:
            beside = image[1 + i : rows - 1 + i, 1:-1], image[1:-1, 1 + j : columns - 1 + j]
            near = (1 - CORNER) * inner + CORNER * beside[1]
            far = (1 - CORNER) * beside[0] + CORNER * straight
            straight = (1 - CORNER) * near + CORNER * far
        light.append(straight - inner >= -1e-9)
    ring = np.stack(light)
    changes = (ring != np.roll(ring, 1, axis=0)).sum(axis=0)
    return np.asarray(np.where(changes <= 2, ring.sum(axis=0), len(AROUND) + 1), dtype=np.intp)


def features(image: Image) -> NDArray[np.float64]:
    """Give the square roots of the shares of the ten patterns.

    References
    ----------
    .. [1] Ojala, Pietikäinen & Mäenpää (2002), IEEE Transactions on Pattern Analysis and Machine
       Intelligence 24, 971-987, doi:10.1109/TPAMI.2002.1017623.
    """
    codes = pattern_codes(image)
    shares = np.bincount(codes.ravel(), minlength=len(AROUND) + 2) / codes.size
    return np.asarray(np.sqrt(shares))


def classify(task: Task) -> NDArray[np.float64]:
    """Discriminate by local binary patterns."""
    return classify_images(task, features)
