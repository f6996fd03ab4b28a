import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats import contingency_tables

from steelyard.comparison import cochran_q, mcnemar
from steelyard.counts import Outcomes, PairTable
from steelyard.errors import NotComparable, RequestError

METHODS = ("mid-p", "exact", "asymptotic")
counts = st.integers(0, 400)


def pair(first, second, both=7, neither=3):
    return PairTable(both=both, first=first, second=second, neither=neither)


@given(counts, counts)
def test_the_exact_test_agrees_with_statsmodels_and_scipy(first, second):
    assume(first + second)
    got = mcnemar(pair(first, second), method="exact").p_value
    theirs = contingency_tables.mcnemar([[7, first], [second, 3]], exact=True).pvalue
    assert got == pytest.approx(theirs, rel=1e-10, abs=0)
    assert got == pytest.approx(stats.binomtest(first, first + second).pvalue, rel=1e-10, abs=0)


@given(counts, counts)
def test_the_asymptotic_test_agrees_with_statsmodels(first, second):
    assume(first + second)
    got = mcnemar(pair(first, second), method="asymptotic")
    theirs = contingency_tables.mcnemar([[7, first], [second, 3]], exact=False, correction=False)
    assert got.statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert got.p_value == pytest.approx(theirs.pvalue, rel=1e-10, abs=0)


@given(counts, counts)
def test_mid_p_takes_half_of_the_observed_table_from_each_side(first, second):
    assume(first != second)
    point = stats.binom.pmf(min(first, second), first + second, 0.5)
    exact = 2 * stats.binom.cdf(min(first, second), first + second, 0.5)
    got = mcnemar(pair(first, second)).p_value
    assert got == pytest.approx(exact - point, rel=1e-9, abs=0)
    assert got < mcnemar(pair(first, second), method="exact").p_value


@pytest.mark.parametrize("count", [1, 2, 17, 500])
def test_mid_p_of_an_even_split_is_below_one_by_half_its_probability(count):
    point = stats.binom.pmf(count, 2 * count, 0.5)
    assert mcnemar(pair(count, count)).p_value == pytest.approx(1 - point / 2, rel=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_without_discordant_items_there_is_no_evidence(method):
    assert mcnemar(pair(0, 0), method=method).p_value == 1.0


@given(counts, counts, st.sampled_from(METHODS))
def test_swapping_systems_and_adding_concordant_items_change_no_p_value(first, second, method):
    one = mcnemar(pair(first, second), method=method).p_value
    two = mcnemar(pair(second, first, both=0, neither=99), method=method).p_value
    assert one == two
    assert 0 <= one <= 1


def test_tails_keep_their_digits():
    # 2 / 2^1000 exactly: one side of a thousand to none.
    assert mcnemar(pair(1000, 0), method="exact").p_value == pytest.approx(2.0**-999, rel=1e-12)
    assert mcnemar(pair(1000, 0)).p_value == pytest.approx(2.0**-1000, rel=1e-10)


def test_a_hundred_million_discordant_items_agree_with_the_chi_square():
    big = pair(50_010_000, 49_990_000)
    mid = mcnemar(big).p_value
    rough = mcnemar(big, method="asymptotic").p_value
    assert mid == pytest.approx(rough, rel=1e-4)


def test_an_unknown_method_is_refused_with_the_nearest_one():
    with pytest.raises(RequestError, match="mid-p"):
        mcnemar(pair(1, 2), method="midp")


patterns = st.dictionaries(st.integers(0, 15), st.integers(1, 60), min_size=1)


@given(patterns)
def test_cochran_agrees_with_statsmodels(rows):
    assume(any(pattern not in (0, 15) for pattern in rows))
    outcomes = Outcomes.from_patterns(rows, systems=("A", "B", "C", "D"))
    table = np.repeat(outcomes.bits(), [n for _, n in outcomes.patterns], axis=0).astype(int)
    theirs = contingency_tables.cochrans_q(table)
    got = cochran_q(outcomes)
    assert got.statistic == pytest.approx(theirs.statistic, rel=1e-10, abs=1e-10)
    assert got.p_value == pytest.approx(theirs.pvalue, rel=1e-8)


def test_identical_systems_give_no_evidence():
    same = Outcomes.from_patterns({0: 20, 7: 80}, systems=("A", "B", "C"))
    answer = cochran_q(same)
    assert (answer.statistic, answer.p_value) == (None, 1.0)


@given(counts, counts)
def test_for_two_systems_cochran_is_the_asymptotic_mcnemar(first, second):
    outcomes = Outcomes.from_pair(both=4, first=first, second=second, neither=2, systems=("A", "B"))
    one, two = cochran_q(outcomes), mcnemar(outcomes.pair("A", "B"), method="asymptotic")
    assert one.p_value == pytest.approx(two.p_value, rel=1e-12, abs=0)


def test_cochran_needs_two_systems():
    with pytest.raises(NotComparable, match="at least two"):
        cochran_q(Outcomes.from_patterns({0: 3, 1: 4}, systems=("A",)))
