"""Are rates different, when each system was tested on items of its own?"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, sqrt

from scipy.special import chdtrc

from steelyard.errors import CountsError, NotComparable

__all__ = ["KSampleTest", "ScoreTest", "k_sample_chi_square", "score_test"]

Sample = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTest:
    """Two-sided score test of equal rates; the statistic is None when there is no variation."""

    statistic: float | None
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KSampleTest:
    """Test that several rates are equal; the statistic is None when there is no variation.

    ``smallest_expected`` is the smallest expected count, below 5 or so the test is rough.
    """

    statistic: float | None
    degrees_of_freedom: int
    p_value: float
    smallest_expected: float


def score_test(first: Sample, second: Sample) -> ScoreTest:
    r"""Score test of equal rates from two independent samples (successes, trials).

    .. math:: z = \frac{\hat p_1 - \hat p_2}
        {\sqrt{\frac{N}{N-1}\,\bar p (1 - \bar p)\left(\frac1{n_1} + \frac1{n_2}\right)}},
        \qquad \bar p = \frac{x_1 + x_2}{n_1 + n_2},\ N = n_1 + n_2.

    It rejects exactly when the Miettinen-Nurminen interval of the difference leaves out 0.

    Notes
    -----
    With all items right or all wrong nothing varies and p is 1. For small samples it is
    approximate; with expected counts below about 5 an exact test is the safer choice.

    References
    ----------
    .. [1] Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226,
       doi:10.1002/sim.4780040211.

    Examples
    --------
    >>> answer = score_test((56, 70), (48, 80))
    >>> round(answer.statistic, 4), round(answer.p_value, 5)
    (2.6413, 0.00826)
    """
    for sample in (first, second):
        _check(sample)
    (x, m), (y, n) = first, second
    total, right = m + n, x + y
    # Whole numbers up to the root, so that rates close to 1 and to each other keep their digits.
    spread = right * (total - right) * m * n
    if spread == 0:
        return ScoreTest(statistic=None, p_value=1.0)
    statistic = (x * n - y * m) * sqrt((total - 1) / spread)
    return ScoreTest(statistic=statistic, p_value=erfc(abs(statistic) / sqrt(2)))


def k_sample_chi_square(samples: Sequence[Sample]) -> KSampleTest:
    r"""Pearson's chi-square test that k independent samples (successes, trials) have one rate.

    .. math:: X^2 = \sum_i \frac{(x_i - n_i \bar p)^2}{n_i \bar p (1 - \bar p)}, \qquad
              \bar p = \frac{\sum x_i}{\sum n_i},

    chi-square with k - 1 degrees of freedom.

    Notes
    -----
    It says that some rates differ, not which. Rough when an expected count is below about 5. On
    common items use Cochran's Q: this test would ignore the pairing.

    References
    ----------
    .. [1] Pearson (1900), Philosophical Magazine 50, 157-175, doi:10.1080/14786440009463897.

    Examples
    --------
    >>> answer = k_sample_chi_square([(83, 86), (90, 93), (129, 136), (70, 82)])
    >>> round(answer.statistic, 4), round(answer.p_value, 6)
    (12.6004, 0.005585)
    """
    if len(samples) < 2:
        message = f"{len(samples)} sample; a comparison needs at least two."
        raise NotComparable(message)
    for sample in samples:
        _check(sample)
    total = sum(tested for _, tested in samples)
    right = sum(right for right, _ in samples)
    rarer = min(right, total - right)
    statistic = None
    if rarer > 0:
        # The sums are whole numbers: nothing is rounded before the squares are taken.
        squares = sum((x * total - n * right) ** 2 / n for x, n in samples)
        statistic = squares / (right * (total - right))
    return KSampleTest(
        statistic=statistic,
        degrees_of_freedom=len(samples) - 1,
        p_value=1.0 if statistic is None else float(chdtrc(len(samples) - 1, statistic)),
        smallest_expected=min(n for _, n in samples) * rarer / total,
    )


def _check(sample: Sample) -> None:
    right, tested = sample
    if not 0 <= right <= tested or tested < 1:
        message = f"{right} right of {tested} tested; need 0 <= right <= tested, tested >= 1."
        raise CountsError(message, code="more-right-than-tested")
