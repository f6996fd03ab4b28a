"""Are rates different, when each system was tested on items of its own?"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import erfc, sqrt
from typing import Literal, TypeAlias

from steelyard.comparison.exact.unconditional import fisher_exact, unconditional_exact
from steelyard.counts.columns import check_sample
from steelyard.errors import NotComparable
from steelyard.uncertainty.differences.independent import miettinen_nurminen_interval
from steelyard.uncertainty.special import chdtrc

__all__ = [
    "IndependentInterval",
    "IndependentMethod",
    "IndependentTest",
    "KSampleTest",
    "ScoreTest",
    "independent_interval",
    "independent_test",
    "k_sample_chi_square",
    "score_test",
]

Sample = tuple[int, int]
IndependentMethod: TypeAlias = Literal["boschloo", "fisher", "fisher-score", "score"]

ENOUGH = 200
"""Variance of the first count, given the number right in all, from which the score test is used.

Its error rate given that number, which is the highest it can have, is at most 0.0542 from here on
(0.0590 from 50 on): what is left is the width of one step of a whole number."""

PLENTY = 2 * ENOUGH
"""From here on the score test alone; in between Fisher's fades, or one more right answer could
step over the edge to the milder test and lose the verdict."""

TABLES = 300_000
"""Tables up to which Boschloo's test is worked out; Fisher's, which is never below it, beyond."""


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
        check_sample(*sample)
    (x, m), (y, n) = first, second
    total, right = m + n, x + y
    # Whole numbers up to the root, so that rates close to 1 and to each other keep their digits.
    spread = right * (total - right) * m * n
    if spread == 0:
        return ScoreTest(statistic=None, p_value=1.0)
    statistic = (x * n - y * m) * sqrt((total - 1) / spread)
    return ScoreTest(statistic=statistic, p_value=erfc(abs(statistic) / sqrt(2)))


@dataclass(frozen=True, slots=True, kw_only=True)
class IndependentTest:
    """Two-sided test of equal rates, and which test these counts called for."""

    method: IndependentMethod
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class IndependentInterval:
    """Limits of a difference of rates; ``extended`` when they were drawn out to hold 0."""

    low: float
    high: float
    extended: bool


def independent_test(first: Sample, second: Sample) -> IndependentTest:
    r"""Test of equal rates from two independent samples that holds its level, also when sparse.

    Given the number s of right answers in all, the first count has the variance

    .. math:: V = \frac{n_1 n_2\, s (N - s)}{N^2 (N - 1)}, \qquad N = n_1 + n_2.

    With V of 400 or more the score test; below 200 Boschloo's exact test, or Fisher's where there
    are more than 300,000 tables; in between (``fisher-score``)
    :math:`p = p_S + (2 - V/200)\,(p_F - p_S)`, so that a larger lead never meets a stricter test
    at a stroke. The p-value is never below that of the score test.

    Notes
    -----
    The score test errs in up to 11 % where one sample is small and the other large: 9 of 10 against
    995 of 1,000 has p < .001 by it, .053 by Boschloo's and .058 by Fisher's test. The choice
    looks at s alone, given which neither exact test errs in more than 5 % and the score test in no
    more than 5.4 %. As the p-value is the larger of two, it and the Miettinen-Nurminen interval
    cannot disagree in one direction; :func:`independent_interval` sees to the other.

    References
    ----------
    .. [1] Boschloo (1970), Statistica Neerlandica 24, 1-9, doi:10.1111/j.1467-9574.1970.tb00104.x.
    .. [2] Lydersen, Fagerland & Laake (2009), Statistics in Medicine 28, 1159-1175,
       doi:10.1002/sim.3531 (which test for a 2 by 2 table).

    Examples
    --------
    >>> answer = independent_test((9, 10), (995, 1000))
    >>> answer.method, round(answer.p_value, 4)
    ('boschloo', 0.0525)
    >>> independent_test((9_000, 10_000), (9_100, 10_000)).method
    'score'
    """
    for sample in (first, second):
        check_sample(*sample)
    return _choose(*first, *second)


def independent_interval(
    first: Sample, second: Sample, *, level: float = 0.95
) -> IndependentInterval:
    r"""Miettinen-Nurminen interval of the difference, which holds 0 whenever the test does.

    Where :func:`independent_test` does not reject at 1 - ``level`` and the score interval leaves
    out 0 all the same, its nearer limit is moved to 0.

    Notes
    -----
    An exact test keeps 0 that the score interval drops only with few items; an interval drawn out
    covers at least as often as it did.

    References
    ----------
    .. [1] Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226,
       doi:10.1002/sim.4780040211.

    Examples
    --------
    >>> interval = independent_interval((9, 10), (995, 1000))
    >>> round(interval.low, 3), interval.high, interval.extended
    (-0.399, 0.0, True)
    """
    low, high = miettinen_nurminen_interval(first, second, level=level)
    extended = not low <= 0 <= high and independent_test(first, second).p_value > 1 - level
    if extended:
        low, high = min(low, 0.0), max(high, 0.0)
    return IndependentInterval(low=low, high=high, extended=extended)


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
        check_sample(*sample)
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


@lru_cache(maxsize=1024)
def _choose(x: int, m: int, y: int, n: int) -> IndependentTest:
    first, second = (x, m), (y, n)
    scored = score_test(first, second).p_value
    total, right = m + n, x + y
    spread = m * n * right * (total - right) / (total**2 * max(1, total - 1))
    if spread >= PLENTY:
        return IndependentTest(method="score", p_value=scored)
    if spread >= ENOUGH:
        above = max(0.0, fisher_exact(first, second).p_value - scored)
        fading = (PLENTY - spread) / (PLENTY - ENOUGH)
        return IndependentTest(method="fisher-score", p_value=scored + fading * above)
    if (m + 1) * (n + 1) <= TABLES:
        exact = unconditional_exact(first, second).p_value
        return IndependentTest(method="boschloo", p_value=max(scored, exact))
    exact = fisher_exact(first, second).p_value
    return IndependentTest(method="fisher", p_value=max(scored, exact))
