"""Grey level: mean and spread, which see light and contrast and no texture."""

import numpy as np
from numpy.typing import NDArray

from steelyard.suites.algorithms.discriminant import classify_images
from steelyard.suites.problems.item_files import Image
from steelyard.suites.tasks import Task

__all__ = ["classify", "features"]


def features(image: Image) -> list[float]:
    """Give the mean grey and the logarithm of its spread."""
    return [float(image.mean()), float(np.log(image.std() + 1e-9))]


def classify(task: Task) -> NDArray[np.float64]:
    """Discriminate by grey level."""
    return classify_images(task, features)
