"""Gabor filters: how much a texture waves at some lengths and directions."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from steelyard.suites.algorithms.discriminant import classify_images
from steelyard.suites.problems.item_files import Image
from steelyard.suites.tasks import Task

__all__ = ["classify", "features"]

LENGTHS = (2.0, 4.0, 8.0)
DIRECTIONS = 4


@cache
def filters(shape: tuple[int, int]) -> NDArray[np.float64]:
    r"""Give the filters in the frequency domain: Gaussians around one frequency each.

    A filter with standard deviation s in space has :math:`1/(2\pi s)` in frequency; here s is
    half the wave length.
    """
    down = np.fft.fftfreq(shape[0])[:, None]
    right = np.fft.fftfreq(shape[1])[None, :]
    made = []
    for length in LENGTHS:
        for turn in range(DIRECTIONS):
            angle = np.pi * turn / DIRECTIONS
            away = (right - np.cos(angle) / length) ** 2 + (down - np.sin(angle) / length) ** 2
            made.append(np.exp(-2 * (np.pi * length / 2) ** 2 * away))
    return np.array(made)


def features(image: Image) -> list[float]:
    """Give the logarithm of the mean energy behind each filter.

    References
    ----------
    .. [1] Jain & Farrokhnia (1991), Pattern Recognition 24, 1167-1186,
       doi:10.1016/0031-3203(91)90143-S.
    """
    shape = (int(image.shape[0]), int(image.shape[1]))
    spectrum = np.fft.fft2(image - image.mean())
    energy = (np.abs(filters(shape) * spectrum) ** 2).mean(axis=(1, 2)) / image.size
    return [float(value) for value in np.log(energy + 1e-9)]


def classify(task: Task) -> NDArray[np.float64]:
    """Discriminate by the energies behind Gabor filters."""
    return classify_images(task, features)
