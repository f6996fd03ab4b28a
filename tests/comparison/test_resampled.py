import numpy as np
import pytest
from scipy.stats import t as student
from scipy.stats import ttest_1samp

from steelyard.comparison.datasets.folds import bayesian_correlated_test, resampled_t_test
from steelyard.errors import NotComparable, RequestError

FOLDS = np.random.default_rng(7).normal(0.012, 0.03, 100)


def test_without_a_test_part_it_is_the_plain_t_test():
    answer, plain = resampled_t_test(FOLDS, test_to_train=0), ttest_1samp(FOLDS, 0)
    assert answer.statistic == pytest.approx(plain.statistic, rel=1e-12)
    assert answer.p_value == pytest.approx(plain.pvalue, rel=1e-10)


def test_the_correction_is_that_of_nadeau_and_bengio():
    # Ten times ten folds: the variance is multiplied by 1/100 + 1/9 instead of 1/100.
    answer, plain = resampled_t_test(FOLDS, test_to_train=1 / 9), ttest_1samp(FOLDS, 0)
    factor = (1 / 100 / (1 / 100 + 1 / 9)) ** 0.5
    assert answer.statistic == pytest.approx(plain.statistic * factor, rel=1e-12)
    assert answer.degrees_of_freedom == 99


def test_the_posterior_is_the_students_t_of_corani_and_benavoli():
    # Formula of the reference implementation baycomp: rho = 1/folds, variance times
    # 1/n + rho/(1 - rho).
    rho = 0.1
    scale = (FOLDS.var(ddof=1) * (1 / 100 + rho / (1 - rho))) ** 0.5
    posterior = student(99, FOLDS.mean(), scale)
    answer = bayesian_correlated_test(FOLDS, test_to_train=1 / 9, rope=0.01)
    assert answer.below == pytest.approx(posterior.cdf(-0.01), abs=1e-12)
    assert answer.above == pytest.approx(posterior.sf(0.01), abs=1e-12)
    assert answer.below + answer.inside + answer.above == pytest.approx(1)


def test_without_a_rope_the_smaller_side_is_half_the_p_value():
    answer = bayesian_correlated_test(FOLDS, test_to_train=1 / 9, rope=0)
    p_value = resampled_t_test(FOLDS, test_to_train=1 / 9).p_value
    assert min(answer.below, answer.above) == pytest.approx(p_value / 2, rel=1e-10)
    assert answer.inside == pytest.approx(0, abs=1e-15)


def test_folds_without_variation_have_no_test():
    same = resampled_t_test([0.1, 0.1, 0.1], test_to_train=0.5)
    assert (same.statistic, same.p_value) == (None, None)
    assert resampled_t_test([0.0, 0.0], test_to_train=0.5).p_value == 1.0
    sure = bayesian_correlated_test([0.1, 0.1], test_to_train=0.5, rope=0.01)
    assert (sure.below, sure.inside, sure.above) == (0, 0, 1)
    inside = bayesian_correlated_test([0.001, 0.001], test_to_train=0.5, rope=0.01)
    assert inside.inside == 1


def test_strange_requests_are_refused():
    with pytest.raises(NotComparable, match="at least two"):
        resampled_t_test([0.1], test_to_train=0.1)
    with pytest.raises(RequestError, match="test_to_train"):
        resampled_t_test([0.1, 0.2], test_to_train=-1)
    with pytest.raises(RequestError, match="rope"):
        bayesian_correlated_test([0.1, 0.2], test_to_train=0.1, rope=-1)
