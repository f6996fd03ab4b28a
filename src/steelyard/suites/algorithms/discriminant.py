"""Linear discriminant with a shrunken covariance: chances of classes from a few features."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import RefusedData
from steelyard.suites.problems.item_files import Image
from steelyard.suites.tasks import Task

__all__ = ["class_chances", "classify_images", "shrunken_covariance"]

Floats = NDArray[np.float64]
Features = Callable[[Image], Sequence[float] | Floats]


def classify_images(task: Task, features: Features) -> Floats:
    """Describe every image by its features, and discriminate."""
    if isinstance(task.train, np.ndarray) or isinstance(task.test, np.ndarray):
        message = "This algorithm describes images; the problem holds rows of numbers. Use lda."
        raise RefusedData(message, code="images-needed")
    train, test = (
        np.array([features(image) for image in images]) for images in (task.train, task.test)
    )
    return class_chances(train, task.truth, test, priors=task.priors)


def class_chances(
    train: Floats, truth: NDArray[np.intp], test: Floats, *, priors: Floats
) -> Floats:
    r"""Chances of the classes under normal distributions with one covariance.

    :math:`\log p(c|x) = \log\pi_c - \tfrac12 (x-\mu_c)^T\Sigma^{-1}(x-\mu_c) + const`, with
    :math:`\Sigma` shrunk (see :func:`shrunken_covariance`) on features of spread 1.

    Examples
    --------
    >>> train, test = np.array([[0.0], [1.0], [9.0], [10.0]]), np.array([[0.4]])
    >>> class_chances(train, np.array([0, 0, 1, 1]), test, priors=np.array([0.5, 0.5])).round(3)
    array([[1., 0.]])
    """
    spread = train.std(axis=0)
    spread[spread == 0] = 1.0
    train, test = train / spread, test / spread
    means = np.stack([train[truth == c].mean(axis=0) for c in range(priors.size)])
    precision = np.linalg.pinv(shrunken_covariance(train - means[truth]))
    with np.errstate(divide="ignore"):
        logs = np.log(priors)[None, :] + np.zeros((len(test), 1))
    for c, mean in enumerate(means):
        apart = test - mean
        logs[:, c] -= ((apart @ precision) * apart).sum(axis=1) / 2
    chances = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(chances / chances.sum(axis=1, keepdims=True), dtype=np.float64)


def shrunken_covariance(centred: Floats) -> Floats:
    r"""Covariance of centred rows, shrunk towards a multiple of the unit matrix.

    :math:`(1-\rho)S + \rho\,\bar\lambda I` with :math:`\bar\lambda` the mean of the diagonal of S
    and :math:`\rho = \min(1, b^2/d^2)`, :math:`d^2=\|S-\bar\lambda I\|^2`,
    :math:`b^2=n^{-2}\sum_i\|x_ix_i^T-S\|^2`.

    References
    ----------
    .. [1] Ledoit & Wolf (2004), Journal of Multivariate Analysis 88, 365-411,
       doi:10.1016/S0047-259X(03)00096-4.

    Examples
    --------
    >>> shrunken_covariance(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]))
    array([[0.5, 0. ],
           [0. , 0.5]])
    """
    number, size = centred.shape
    sample = centred.T @ centred / number
    level = float(np.trace(sample)) / size
    target = level * np.eye(size)
    apart = float(((sample - target) ** 2).sum())
    noise = float(((centred**2).sum(axis=1) ** 2).sum() - number * (sample**2).sum()) / number**2
    share = 1.0 if apart <= 0 else min(1.0, max(0.0, noise / apart))
    return np.asarray((1 - share) * sample + share * target)
