"""The Brier score of two classes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri
from scipy.stats import t as student
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
    # Made-up items: every forecast once more for either outcome, z squared of them altogether.
    z = float(ndtri(0.975))
    rows = np.concatenate([np.ones(len(said)), np.full(2 * len(said), z * z / (2 * len(said)))])
    losses = np.concatenate([(said - np.array(truth)) ** 2, said**2, (1 - said) ** 2])
    mean = np.average(losses, weights=rows)
    spread = np.average((losses - mean) ** 2, weights=rows)
    if spread < 1e-15:
        assert found.interval is None
        assert "whatever comes true" in found.caveats[1]
    else:
        half = float(student.ppf(0.975, len(said) - 1)) * np.sqrt(spread / rows.sum())
        low, high = min(found.value, mean - half), max(found.value, mean + half)
        assert found.interval.low == pytest.approx(max(0, low), abs=1e-10)
        assert found.interval.high == pytest.approx(min(1, high), abs=1e-10)


def test_a_confident_system_without_a_mistake_is_not_thought_to_make_none():
    found = brier_score(ScoreTable.from_scores([0.99] * 20, [0.01] * 30))
    assert found.value == pytest.approx(0.0001)
    # Three mistakes among fifty would not be strange: 0.98 squared times 0.06.
    assert found.interval.high > 0.057


def test_the_bar_of_the_prevalence_is_said():
    table = ScoreTable.from_scores([0.9, 0.8], [0.1, 0.3])
    assert "always saying the prevalence scores 0.25" in brier_score(table).caveats[0]


def test_what_is_no_probability_is_refused():
    with pytest.raises(NotComparable):
        brier_score(ScoreTable.from_scores([1.5], [0.2]))
