"""The algorithm that looks at nothing: its vector is the priors, whatever the item."""

import numpy as np
from numpy.typing import NDArray

from steelyard.suites.tasks import Task

__all__ = ["classify"]


def classify(task: Task) -> NDArray[np.float64]:
    """Answer every item with the announced priors."""
    return np.tile(task.priors, (len(task.test), 1))
