"""Gaussian Markov random field: how well neighbours foretell a pixel, and with which weights."""

import numpy as np
from numpy.typing import NDArray

from steelyard.suites.algorithms.discriminant import classify_images
from steelyard.suites.problems.item_files import Image
from steelyard.suites.tasks import Task

__all__ = ["classify", "features"]

NEIGHBOURS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Pairs of opposite neighbours share a weight: a field of second order."""


def features(image: Image) -> list[float]:
    """Give the least-squares weights of four pairs of neighbours and the log error variance.

    References
    ----------
    .. [1] Chellappa & Chatterjee (1985), IEEE Transactions on Acoustics, Speech, and Signal
       Processing 33, 959-963, doi:10.1109/TASSP.1985.1164641.
    """
    centred = image - image.mean()
    rows, columns = centred.shape
    inner = centred[1:-1, 1:-1].ravel()
    pairs = np.stack(
        [
            (
                centred[1 + i : rows - 1 + i, 1 + j : columns - 1 + j]
                + centred[1 - i : rows - 1 - i, 1 - j : columns - 1 - j]
            ).ravel()
            for i, j in NEIGHBOURS
        ],
        axis=1,
    )
    weights = np.linalg.lstsq(pairs, inner, rcond=None)[0]
    error = float(np.mean((inner - pairs @ weights) ** 2))
    return [*(float(weight) for weight in weights), float(np.log(error + 1e-9))]


def classify(task: Task) -> NDArray[np.float64]:
    """Discriminate by the weights of a Markov random field."""
    return classify_images(task, features)
