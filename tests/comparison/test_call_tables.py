import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import SquareTable

from steelyard.comparison.exact.call_tables import bowker, call_table, stuart_maxwell
from steelyard.comparison.exact.paired import mcnemar
from steelyard.counts import JointCalls, PairTable
from steelyard.errors import CountsError

full = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(1, 30), min_size=k, max_size=k), min_size=k, max_size=k)
)

# Stuart (1955): unaided vision of 7,477 women, right and left eye; X2 of homogeneity 11.96.
EYES = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]


@given(full)
def test_both_tests_are_those_of_statsmodels(table):
    theirs = SquareTable(np.array(table), shift_zeros=False)
    symmetry, homogeneity = theirs.symmetry(), theirs.homogeneity(method="stuart_maxwell")
    assert bowker(table).statistic == pytest.approx(symmetry.statistic, abs=1e-9)
    assert bowker(table).p_value == pytest.approx(symmetry.pvalue, abs=1e-9)
    assert stuart_maxwell(table).statistic == pytest.approx(homogeneity.statistic, abs=1e-6)
    assert stuart_maxwell(table).degrees_of_freedom == len(table) - 1


def test_the_published_eyes_have_their_statistic():
    answer = stuart_maxwell(EYES)
    assert round(answer.statistic, 2) == 11.96
    assert answer.degrees_of_freedom == 3
    assert round(bowker(EYES).statistic, 2) == 19.11


@given(st.integers(0, 40), st.integers(0, 40))
def test_with_two_classes_both_are_mcnemar(b, c):
    plain = mcnemar(PairTable(both=9, first=b, second=c, neither=4), method="asymptotic")
    for test in (bowker, stuart_maxwell):
        answer = test([[9, b], [c, 4]])
        assert answer.p_value == pytest.approx(plain.p_value, abs=1e-12)


def test_empty_pairs_and_idle_classes_do_not_count():
    table = [[5, 3, 0], [1, 7, 0], [0, 0, 9]]
    assert bowker(table).degrees_of_freedom == stuart_maxwell(table).degrees_of_freedom == 1
    assert bowker(np.diag([3, 4])).p_value == stuart_maxwell(np.diag([3, 4])).p_value == 1.0


def test_the_table_of_calls_adds_up():
    cells = {("cat", ("cat", "dog", "cat")): 3, ("dog", ("dog", "cat", "dog")): 4}
    joint = JointCalls.from_cells(cells, systems=["A", "B", "C"])
    assert call_table(joint, "A", "B") == ((0, 3), (4, 0))
    assert call_table(joint, "A", "C") == ((3, 0), (0, 4))
    assert call_table(joint, "B", "A", truth="dog") == ((0, 4), (0, 0))


def test_strange_tables_are_refused():
    with pytest.raises(CountsError, match="square"):
        bowker([[1, 2, 3], [4, 5, 6]])
    with pytest.raises(CountsError, match="whole numbers"):
        stuart_maxwell([[1, -2], [3, 4]])
    joint = JointCalls.from_cells({("cat", ("cat", "dog")): 3}, systems=["A", "B"])
    with pytest.raises(CountsError, match="No system"):
        call_table(joint, "A", "X")
    with pytest.raises(CountsError, match="No class"):
        call_table(joint, "A", "B", truth="cow")
