"""One formula for arrays and for whole numbers, against scikit-learn."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    cohen_kappa_score,
    f1_score,
    matthews_corrcoef,
    precision_score,
    recall_score,
)

from steelyard.errors import RequestError
from steelyard.measures import Costs, measure_names
from steelyard.measures.tables.at_thresholds import exact_value, values

cells = st.tuples(*[st.integers(0, 60)] * 4)
SKLEARN = {
    "recall": recall_score,
    "precision": precision_score,
    "accuracy": accuracy_score,
    "balanced_accuracy": balanced_accuracy_score,
    "kappa": cohen_kappa_score,
    "f1": f1_score,
    "mcc": matthews_corrcoef,
}


@pytest.mark.parametrize("name", sorted(SKLEARN))
@pytest.mark.parametrize("counts", [(25, 10, 5, 60), (3, 1, 8, 90), (1, 1, 1, 1)])
def test_measures_agree_with_scikit_learn(name, counts):
    tp, fp, fn, tn = counts
    truth = [1] * (tp + fn) + [0] * (fp + tn)
    called = [1] * tp + [0] * fn + [1] * fp + [0] * tn
    expected = SKLEARN[name](truth, called)
    assert float(exact_value(name, counts)) == pytest.approx(expected, abs=1e-12)


@given(cells)
def test_arrays_and_whole_numbers_say_the_same(counts):
    arrays = [np.array([one]) for one in counts]
    for name in measure_names():
        exact, many = exact_value(name, counts), values(name, *arrays)
        assert (exact is None) == bool(np.ma.getmaskarray(many)[0])
        if exact is not None:
            assert float(many[0]) == pytest.approx(float(exact), abs=1e-12)


@given(cells)
def test_rates_and_their_complements_add_up_to_one(counts):
    # The lecture's densities: P_FA = 1 - P_CR and P_D = 1 - P_M.
    for one, other in (("tpr", "fnr"), ("fpr", "tnr")):
        parts = exact_value(one, counts), exact_value(other, counts)
        assert parts == (None, None) or sum(parts) == 1


def test_costs_are_taken_as_given():
    costs = Costs(fn=Fraction(5), fp=Fraction(1, 2))
    assert exact_value("cost", (8, 3, 2, 7), costs=costs) == Fraction(23, 40)
    assert values("cost", *(np.array([n]) for n in (8, 3, 2, 7)), costs=costs)[0] == 23 / 40


def test_an_unknown_measure_is_answered_with_the_near_one():
    with pytest.raises(RequestError, match="kappa"):
        exact_value("kapa", (1, 1, 1, 1))
