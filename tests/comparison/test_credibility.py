import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from steelyard.comparison import BetaPosteriors, credible_interval
from steelyard.errors import RequestError

parameters = st.one_of(st.floats(1.01, 50), st.integers(2, 10**6).map(float))
levels = st.floats(0.5, 0.999)


def one(a, b):
    return BetaPosteriors(systems=("S",), a=(float(a),), b=(float(b),))


@given(parameters, parameters, levels)
def test_equal_tails_are_equal(a, b, level):
    ends = credible_interval(one(a, b), "S", level=level)
    tail = (1 - level) / 2
    assert stats.beta.cdf(ends.low, a, b) == pytest.approx(tail, rel=1e-8)
    assert stats.beta.sf(ends.high, a, b) == pytest.approx(tail, rel=1e-6)


@given(parameters, parameters, levels)
def test_the_densest_interval_holds_the_level_and_ends_at_equal_densities(a, b, level):
    ends = credible_interval(one(a, b), "S", level=level, method="highest-density")
    inside = stats.beta.cdf(ends.high, a, b) - stats.beta.cdf(ends.low, a, b)
    assert inside == pytest.approx(level, abs=1e-8)
    densities = stats.beta.logpdf([ends.low, ends.high], a, b)
    if 1e-9 < ends.low and ends.high < 1 - 1e-9:
        assert densities[0] == pytest.approx(densities[1], abs=1e-4)
    equal = credible_interval(one(a, b), "S", level=level)
    assert ends.high - ends.low <= (equal.high - equal.low) * (1 + 1e-9)


@pytest.mark.parametrize("edge", [1.0, 0.5])
def test_a_density_highest_at_an_edge_has_its_interval_there(edge):
    none = credible_interval(one(edge, 11), "S", method="highest-density")
    every = credible_interval(one(11, edge), "S", method="highest-density")
    assert none.low == 0.0
    assert every.high == 1.0
    assert stats.beta.cdf(none.high, edge, 11) == pytest.approx(0.95, abs=1e-12)
    assert every.low == pytest.approx(1 - none.high, rel=1e-12)


def test_mirrored_posteriors_have_mirrored_intervals():
    for method in ("equal-tailed", "highest-density"):
        here = credible_interval(one(10, 3), "S", method=method)
        there = credible_interval(one(3, 10), "S", method=method)
        assert np.allclose([here.low, here.high], [1 - there.high, 1 - there.low], atol=1e-12)


def test_two_peaks_have_no_shortest_interval():
    with pytest.raises(RequestError, match="equal-tailed"):
        credible_interval(one(0.5, 0.5), "S", method="highest-density")


def test_levels_and_methods_outside_their_domain_are_refused():
    with pytest.raises(RequestError, match=r"level=0\.95"):
        credible_interval(one(2, 2), "S", level=95)
    with pytest.raises(RequestError, match="highest-density"):
        credible_interval(one(2, 2), "S", method="highest")
    with pytest.raises(RequestError, match="No system 'T'"):
        credible_interval(one(2, 2), "T")
