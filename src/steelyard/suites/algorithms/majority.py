"""The algorithm that has seen which class is frequent, and nothing more."""

import numpy as np
from numpy.typing import NDArray

from steelyard.suites.tasks import Task

__all__ = ["classify"]


def classify(task: Task) -> NDArray[np.float64]:
    """Name the class with most training items, the first of several, for every item."""
    vectors = np.zeros((len(task.test), len(task.classes)))
    vectors[:, np.bincount(task.truth, minlength=len(task.classes)).argmax()] = 1.0
    return vectors
