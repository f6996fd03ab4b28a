from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from steelyard.comparison.exact.independent import k_sample_chi_square, score_test
from steelyard.errors import CountsError, NotComparable

sample = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(st.lists(sample, min_size=2, max_size=6))
def test_several_rates_are_compared_as_by_scipy(samples):
    answer = k_sample_chi_square(samples)
    right = [x for x, _ in samples]
    wrong = [n - x for x, n in samples]
    if sum(right) == 0 or sum(wrong) == 0:
        assert (answer.statistic, answer.p_value) == (None, 1.0)
        return
    theirs = chi2_contingency([right, wrong], correction=False)
    assert answer.statistic == pytest.approx(theirs.statistic, rel=1e-9, abs=1e-9)
    assert answer.p_value == pytest.approx(theirs.pvalue, rel=1e-7, abs=1e-12)
    assert answer.smallest_expected == pytest.approx(theirs.expected_freq.min())


def test_smokers_of_fleiss_have_the_published_statistic():
    # R's prop.test help page (Fleiss 1981, p. 139): X-squared = 12.6, df = 3, p = 0.005585.
    answer = k_sample_chi_square([(83, 86), (90, 93), (129, 136), (70, 82)])
    assert round(answer.statistic, 1) == 12.6
    assert answer.degrees_of_freedom == 3
    assert round(answer.p_value, 6) == 0.005585


@given(sample, sample)
def test_two_samples_are_the_score_test_up_to_its_factor(first, second):
    several, two = k_sample_chi_square([first, second]), score_test(first, second)
    if two.statistic is None:
        assert several.statistic is None
    else:
        total = first[1] + second[1]
        root = sqrt(several.statistic * (total - 1) / total)
        assert abs(two.statistic) == pytest.approx(root, abs=1e-9)


def test_strange_samples_are_refused():
    with pytest.raises(NotComparable, match="at least two"):
        k_sample_chi_square([(1, 2)])
    with pytest.raises(CountsError, match="3 right of 2"):
        k_sample_chi_square([(1, 2), (3, 2)])
    with pytest.raises(CountsError, match="tested >= 1"):
        score_test((0, 0), (1, 2))
