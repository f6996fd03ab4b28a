import numpy as np
import pytest
from scipy.stats import studentized_range

from steelyard.comparison.datasets.ranks import (
    range_probability,
    range_quantile,
    range_tail,
    range_upper_quantile,
)
from steelyard.errors import RequestError


@pytest.mark.parametrize("size", [2, 3, 5, 10, 50])
@pytest.mark.parametrize("level", [0.01, 0.5, 0.9, 0.95, 0.999])
def test_the_range_distribution_is_that_of_scipy(size, level):
    width = range_quantile(level, size)
    assert range_probability(width, size) == pytest.approx(level, abs=1e-12)
    # scipy takes a very large number of degrees of freedom for infinity.
    assert studentized_range.cdf(width, size, np.inf) == pytest.approx(level, abs=1e-9)


@pytest.mark.parametrize("size", [2, 3, 10, 50])
@pytest.mark.parametrize("width", [0.0, 0.01, 1.0, 1.999, 2.001, 4.0, 8.0])
def test_both_tails_make_one(size, width):
    below, above = range_probability(width, size), range_tail(width, size)
    assert below + above == pytest.approx(1, abs=1e-14)


def test_two_numbers_have_the_range_of_one_difference():
    # |X - Y| of two is sqrt(2)|Z|: P(range > w) = erfc(w/2), here from 40 digits of mpmath.
    assert range_tail(20.0, 2) == pytest.approx(2.088487583762544757e-45, rel=1e-13, abs=0)
    assert range_tail(50.0, 2) == pytest.approx(8.3001725711965228e-274, rel=1e-12, abs=0)
    assert range_tail(60.0, 2) == 0.0


@pytest.mark.parametrize("alpha", [1e-300, 1e-100, 1e-12, 0.05, 0.5, 0.999])
def test_an_upper_quantile_is_exceeded_as_often_as_asked(alpha):
    assert range_tail(range_upper_quantile(alpha, 7), 7) == pytest.approx(alpha, rel=1e-11, abs=0)


def test_what_cannot_be_is_refused():
    with pytest.raises(RequestError, match="width"):
        range_probability(-1, 3)
    with pytest.raises(RequestError, match="width"):
        range_tail(1, 1)
    with pytest.raises(RequestError, match="level"):
        range_quantile(1, 3)
    with pytest.raises(RequestError, match="alpha"):
        range_upper_quantile(0, 3)
