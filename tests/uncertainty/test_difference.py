"""Independent differences: quoted tables, the score equation, and symmetry."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import xlog1py, xlogy
from statsmodels.stats.proportion import confint_proportions_2indep

from steelyard.errors import CountsError, RequestError
from steelyard.uncertainty import (
    DIFFERENCE_INTERVALS,
    difference_interval,
    mee_interval,
    miettinen_nurminen_interval,
    normal_quantile,
)

# 95 % limits to four decimals, attributed to table II of Newcombe (1998), Statistics in Medicine
# 17, 873-890, in the test suites of other packages, where they were looked up: the score and hybrid
# rows there, the Wald rows in one that quotes SAS. The paper itself was not at hand.
PUBLISHED = {
    "wald": {((56, 70), (48, 80)): (0.0575, 0.3425), ((9, 10), (3, 10)): (0.2605, 0.9395)},
    "mee": {
        ((56, 70), (48, 80)): (0.0533, 0.3377),
        ((9, 10), (3, 10)): (0.1821, 0.8370),
        ((6, 7), (2, 7)): (0.0544, 0.8478),
        ((5, 56), (0, 29)): (-0.0313, 0.1926),
        ((0, 10), (0, 10)): (-0.2775, 0.2775),
        ((10, 10), (0, 20)): (0.7225, 1.0),
        ((10, 10), (0, 10)): (0.6777, 1.0),
    },
    "miettinen-nurminen": {
        ((56, 70), (48, 80)): (0.0528, 0.3382),
        ((9, 10), (3, 10)): (0.1700, 0.8406),
        ((6, 7), (2, 7)): (0.0342, 0.8534),
        ((5, 56), (0, 29)): (-0.0326, 0.1933),
        ((0, 10), (0, 10)): (-0.2879, 0.2879),
        ((10, 10), (0, 20)): (0.7156, 1.0),
        ((10, 10), (0, 10)): (0.6636, 1.0),
    },
    "newcombe": {
        ((56, 70), (48, 80)): (0.0524, 0.3339),
        ((9, 10), (3, 10)): (0.1705, 0.8090),
        ((6, 7), (2, 7)): (0.0582, 0.8062),
        ((5, 56), (0, 29)): (-0.0381, 0.1926),
        ((10, 10), (0, 20)): (0.6791, 1.0),
        ((10, 10), (0, 10)): (0.6075, 1.0),
    },
}
ROWS = [(m, s, v) for m, table in PUBLISHED.items() for s, v in table.items()]


@st.composite
def samples(draw):
    n = draw(st.integers(1, 60))
    return draw(st.integers(0, n)), n


@pytest.mark.parametrize(("method", "counts", "limits"), ROWS)
def test_published_limits_are_reproduced(method, counts, limits):
    assert difference_interval(*counts, method=method) == pytest.approx(limits, abs=5.1e-5)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("newcombe", "newcomb"), ("agresti-caffo", "agresti-caffo"), ("wald", "wald")],
)
def test_limits_agree_with_statsmodels_where_it_is_right(ours, theirs):
    for first, second in [((56, 70), (48, 80)), ((9, 10), (3, 10)), ((5, 56), (1, 29))]:
        expected = confint_proportions_2indep(
            first[0], first[1], second[0], second[1], method=theirs, compare="diff"
        )
        assert difference_interval(first, second, method=ours) == pytest.approx(expected, abs=1e-9)


def likelihood_share(first, second, difference):
    """Second share of largest likelihood, by plain numerical search."""
    (x, n), (y, m) = first, second
    low, high = max(0.0, -difference), min(1.0, 1.0 - difference)

    def loss(p):
        q = min(max(p + difference, 0.0), 1.0)
        return -float(xlogy(x, q) + xlog1py(n - x, -q) + xlogy(y, p) + xlog1py(m - y, -p))

    with np.errstate(divide="ignore"):
        return minimize_scalar(
            loss, bounds=(low, high), method="bounded", options={"xatol": 1e-12}
        ).x


@pytest.mark.parametrize("interval", [mee_interval, miettinen_nurminen_interval])
@pytest.mark.parametrize("counts", [((56, 70), (48, 80)), ((9, 10), (3, 10)), ((5, 56), (0, 29))])
def test_limits_solve_the_score_equation_with_a_searched_likelihood(interval, counts):
    first, second = counts
    number = first[1] + second[1]
    factor = 1 if interval is mee_interval else number / (number - 1)
    for limit in interval(first, second, level=0.9):
        q = likelihood_share(first, second, limit)
        p = q + limit
        variance = factor * (p * (1 - p) / first[1] + q * (1 - q) / second[1])
        score = (first[0] / first[1] - second[0] / second[1] - limit) / variance**0.5
        assert abs(score) == pytest.approx(normal_quantile(0.9), abs=1e-5)


@pytest.mark.parametrize("method", sorted(DIFFERENCE_INTERVALS))
@given(first=samples(), second=samples())
def test_swapping_the_samples_flips_the_sign(method, first, second):
    low, high = difference_interval(first, second, method=method)
    swapped = difference_interval(second, first, method=method)
    assert (-high, -low) == pytest.approx(swapped, abs=1e-10)


@pytest.mark.parametrize("method", sorted(set(DIFFERENCE_INTERVALS) - {"wald", "agresti-caffo"}))
@given(first=samples(), second=samples())
def test_the_interval_has_width_and_holds_the_estimate(method, first, second):
    low, high = difference_interval(first, second, method=method)
    estimate = first[0] / first[1] - second[0] / second[1]
    assert -1 <= low < high <= 1
    assert low - 1e-12 <= estimate <= high + 1e-12


@pytest.mark.parametrize("method", ["miettinen-nurminen", "mee"])
@given(first=samples(), second=samples())
def test_mirroring_successes_and_failures_flips_the_sign(method, first, second):
    low, high = difference_interval(first, second, method=method)
    mirrored = [(n - x, n) for x, n in (first, second)]
    assert difference_interval(*mirrored, method=method) == pytest.approx((-high, -low), abs=1e-10)


@given(samples(), samples())
def test_mee_lies_within_miettinen_nurminen(first, second):
    outer = miettinen_nurminen_interval(first, second)
    inner = mee_interval(first, second)
    assert outer[0] <= inner[0] + 1e-12
    assert inner[1] <= outer[1] + 1e-12


def test_impossible_samples_and_methods_are_refused():
    for interval in DIFFERENCE_INTERVALS.values():
        with pytest.raises(CountsError):
            interval((3, 2), (1, 4))
        with pytest.raises(CountsError):
            interval((1, 4), (0, 0))
    with pytest.raises(RequestError, match="Choose one of"):
        difference_interval((1, 4), (1, 4), method="score")
