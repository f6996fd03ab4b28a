"""Net benefit: by hand, and its laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.measures import decision_curve, net_benefit

share = st.floats(0, 1)
sides = st.tuples(
    st.lists(share, min_size=1, max_size=15), st.lists(share, min_size=1, max_size=15)
)


@given(sides, st.floats(0.05, 0.95))
def test_the_benefit_is_its_formula(both, threshold):
    table = ScoreTable.from_scores(*both)
    tp = sum(s >= threshold for s in both[0])
    fp = sum(s >= threshold for s in both[1])
    n = len(both[0]) + len(both[1])
    found = net_benefit(table, threshold=threshold)
    expected = tp / n - fp / n * threshold / (1 - threshold)
    assert found.value == pytest.approx(expected, abs=1e-12)
    assert found.interval.low - 1e-12 <= found.value <= found.interval.high + 1e-12
    assert found.interval.low < found.interval.high


@given(sides)
def test_no_benefit_exceeds_the_prevalence_and_a_low_threshold_treats_all(both):
    table = ScoreTable.from_scores(*both)
    for point in decision_curve(table, np.linspace(0.1, 0.9, 9).tolist()):
        assert point.benefit.value <= table.positive_total / table.total + 1e-12
        assert point.none_treated == 0
    everybody = ScoreTable.from_scores(*([max(s, 0.05) for s in side] for side in both))
    point = decision_curve(everybody, [0.05])[0]
    assert point.benefit.value == pytest.approx(point.all_treated, abs=1e-12)


def test_a_perfect_system_earns_the_prevalence():
    table = ScoreTable.from_scores([1.0] * 20, [0.0] * 80)
    found = net_benefit(table, threshold=0.3)
    assert found.value == pytest.approx(0.2)
    assert found.interval.low < 0.2 < found.interval.high


def test_scores_that_are_no_probabilities_are_refused():
    with pytest.raises(NotComparable, match="probabilities"):
        net_benefit(ScoreTable.from_scores([2.0], [0.1]), threshold=0.5)
    with pytest.raises(RequestError, match="threshold"):
        net_benefit(ScoreTable.from_scores([0.2], [0.1]), threshold=1)
    assert net_benefit(ScoreTable.from_scores([], []), threshold=0.5).value is None
