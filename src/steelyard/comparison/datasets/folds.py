"""Two systems over the folds of one data set: t-tests that know the folds overlap."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from scipy.special import stdtr

from steelyard.errors import NotComparable, RequestError

__all__ = ["CorrelatedTest", "ResampledTest", "bayesian_correlated_test", "resampled_t_test"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResampledTest:
    """Corrected resampled t-test.

    The statistic is None when all differences are equal, and then the p-value is 1 if they are 0
    and None, undefined, if they are not.
    """

    mean: float
    statistic: float | None
    degrees_of_freedom: int
    p_value: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelatedTest:
    """Posterior of the mean difference: Student's t, and its mass around the rope."""

    rope: float
    mean: float
    scale: float
    degrees_of_freedom: int
    below: float
    inside: float
    above: float


def resampled_t_test(differences: Sequence[float], *, test_to_train: float) -> ResampledTest:
    r"""Nadeau and Bengio's corrected resampled t-test.

    For J differences from repeated splits or cross-validation,

    .. math:: t = \frac{\bar d}{\sqrt{\left(\frac1J + \frac{n_2}{n_1}\right) s^2}},

    with J - 1 degrees of freedom; the plain test has no :math:`n_2/n_1` and rejects far too often.

    Parameters
    ----------
    differences
        One for each fold and repeat (first system minus second).
    test_to_train
        :math:`n_2/n_1`, size of a test part over that of its training part; 1/9 for ten folds.

    Notes
    -----
    The correlation of folds is guessed from their sizes, not estimated (it cannot be): the test is
    approximate. It is about training on sets like this one. With equal differences in all folds
    nothing varies, and there is no test.

    References
    ----------
    .. [1] Nadeau & Bengio (2003), Machine Learning 52, 239-281, doi:10.1023/A:1024068626366.

    Examples
    --------
    >>> answer = resampled_t_test([0.02, 0.01, 0.03, 0.00, 0.02], test_to_train=0.25)
    >>> round(answer.statistic, 4), round(answer.p_value, 4)
    (2.0919, 0.1046)
    """
    mean, scale, freedom = _fit(differences, test_to_train)
    if scale == 0:
        p_value = 1.0 if mean == 0 else None
        return ResampledTest(mean=mean, statistic=None, degrees_of_freedom=freedom, p_value=p_value)
    statistic = mean / scale
    return ResampledTest(
        mean=mean,
        statistic=statistic,
        degrees_of_freedom=freedom,
        p_value=2 * float(stdtr(freedom, -abs(statistic))),
    )


def bayesian_correlated_test(
    differences: Sequence[float], *, test_to_train: float, rope: float
) -> CorrelatedTest:
    r"""Bayesian correlated t-test with a region of practical equivalence.

    The mean difference has a Student posterior with J - 1 degrees of freedom, location
    :math:`\bar d` and scale :math:`\sqrt{(1/J + \rho/(1-\rho))\,s^2}`, where
    :math:`\rho = n_2/(n_1+n_2)` is the correlation of the folds, so that
    :math:`\rho/(1-\rho) = n_2/n_1`. ``below``, ``inside`` and ``above`` are its mass left of
    -``rope``, within, and right of ``rope``.

    Notes
    -----
    Under the matching prior the numbers of :func:`resampled_t_test` are read as posterior
    probabilities: same caution about the guessed correlation. The rope decides much: state it.

    References
    ----------
    .. [1] Corani & Benavoli (2015), Machine Learning 100, 285-304,
       doi:10.1007/s10994-015-5486-z.

    Examples
    --------
    >>> differences = [0.02, 0.01, 0.03, 0.00, 0.02]
    >>> answer = bayesian_correlated_test(differences, test_to_train=0.25, rope=0.01)
    >>> round(answer.below, 4), round(answer.inside, 4), round(answer.above, 4)
    (0.0136, 0.2247, 0.7617)
    """
    if not 0 <= rope < inf:
        message = f"rope={rope!r}; the half width of the region is 0 or more."
        raise RequestError(message)
    mean, scale, freedom = _fit(differences, test_to_train)
    below, above = (_tail(-rope - mean, scale, freedom), _tail(mean - rope, scale, freedom))
    return CorrelatedTest(
        rope=rope,
        mean=mean,
        scale=scale,
        degrees_of_freedom=freedom,
        below=below,
        inside=_inside(rope, abs(mean), scale, freedom) if scale else 1 - below - above,
        above=above,
    )


def _fit(differences: Sequence[float], test_to_train: float) -> tuple[float, float, int]:
    values = np.array([float(value) for value in differences])
    if values.size < 2 or not np.isfinite(values).all():
        message = f"{values.size} differences, not all finite; pass at least two, one a fold."
        raise NotComparable(message)
    if not 0 <= test_to_train < inf:
        message = (
            f"test_to_train={test_to_train!r}; expected the size of a test part over that of its "
            "training part, such as 1/9 for ten folds."
        )
        raise RequestError(message)
    spread = 0.0 if np.ptp(values) == 0 else float(values.var(ddof=1))
    return float(values.mean()), sqrt((1 / values.size + test_to_train) * spread), values.size - 1


def _inside(rope: float, distance: float, scale: float, freedom: int) -> float:
    """Mass between both edges, seen from below, where tails are no differences from 1."""
    return _tail(rope - distance, scale, freedom) - _tail(-rope - distance, scale, freedom)


def _tail(distance: float, scale: float, freedom: int) -> float:
    if scale == 0:
        return 1.0 if distance > 0 else 0.0
    return float(stdtr(freedom, distance / scale))
