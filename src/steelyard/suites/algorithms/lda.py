"""Linear discriminant on the numbers of a problem as they are; images pixel by pixel."""

import numpy as np
from numpy.typing import NDArray

from steelyard.suites.algorithms.discriminant import class_chances
from steelyard.suites.tasks import Task

__all__ = ["classify"]


def classify(task: Task) -> NDArray[np.float64]:
    """Discriminate by the raw numbers."""
    train, test = task.matrices()
    return class_chances(train, task.truth, test, priors=task.priors)
