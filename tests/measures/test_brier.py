"""The Brier score of two classes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp
from sklearn.metrics import brier_score_loss

from steelyard.counts import ScoreTable
from steelyard.errors import NotComparable
from steelyard.measures import brier_decomposition, brier_score

shares = st.lists(st.integers(0, 10), min_size=2, max_size=20)


@given(shares, shares)
def test_value_and_interval_are_those_of_the_item_scores(positives, negatives):
    table = ScoreTable.from_scores(np.array(positives) / 10, np.array(negatives) / 10)
    found = brier_score(table)
    truth = [1] * len(positives) + [0] * len(negatives)
    said = np.array(positives + negatives) / 10
    assert found.value == pytest.approx(brier_score_loss(truth, said), abs=1e-12)
    assert found.value == pytest.approx(brier_decomposition(table).score, abs=1e-12)
    losses = (said - np.array(truth)) ** 2
    if np.ptp(losses) < 1e-9:
        assert found.interval is None
        assert "scored alike" in found.caveats[1]
    else:
        ends = ttest_1samp(losses, 0).confidence_interval()
        assert found.interval.low == pytest.approx(max(0, ends.low), abs=1e-10)
        assert found.interval.high == pytest.approx(min(1, ends.high), abs=1e-10)


def test_the_bar_of_the_prevalence_is_said():
    table = ScoreTable.from_scores([0.9, 0.8], [0.1, 0.3])
    assert "always saying the prevalence scores 0.25" in brier_score(table).caveats[0]


def test_what_is_no_probability_is_refused():
    with pytest.raises(NotComparable):
        brier_score(ScoreTable.from_scores([1.5], [0.2]))
