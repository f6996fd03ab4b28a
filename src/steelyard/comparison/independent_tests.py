"""Are two rates different, when each system was tested on items of its own?"""

from dataclasses import dataclass
from math import erfc, sqrt

from steelyard.errors import CountsError

__all__ = ["ScoreTest", "score_test"]

Sample = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTest:
    """Two-sided score test of equal rates; the statistic is None when there is no variation."""

    statistic: float | None
    p_value: float


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
    (2.6363, 0.00838)
    """
    for right, tested in (first, second):
        if not 0 <= right <= tested or tested < 1:
            message = f"{right} right of {tested} tested; need 0 <= right <= tested, tested >= 1."
            raise CountsError(message, code="more-right-than-tested")
    total = first[1] + second[1]
    pooled = (first[0] + second[0]) / total
    spread = pooled * (1 - pooled) * (1 / first[1] + 1 / second[1])
    if spread == 0:
        return ScoreTest(statistic=None, p_value=1.0)
    gap = first[0] / first[1] - second[0] / second[1]
    statistic = gap / sqrt(spread * total / (total - 1))
    return ScoreTest(statistic=statistic, p_value=erfc(abs(statistic) / sqrt(2)))
