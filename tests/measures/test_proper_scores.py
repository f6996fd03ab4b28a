"""Brier and log score of one class."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import JointScores, ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.measures import brier_decomposition, proper_difference, proper_score

rows = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.1, 0.25, 0.5, 0.7, 0.9]),
              st.sampled_from([0.2, 0.4, 0.6, 0.8])), min_size=2, max_size=30
)  # fmt: skip


@given(rows)
def test_scores_are_means_over_items(drawn):
    truth = np.array([y for y, *_ in drawn])
    said = np.array([p for _, p, _ in drawn])
    table = ScoreTable.from_scores(said[truth], said[~truth])
    brier, log = proper_score(table, "brier"), proper_score(table, "log")
    losses = -np.log(np.where(truth, said, 1 - said))
    assert brier.value == pytest.approx(((said - truth) ** 2).mean(), abs=1e-12)
    assert log.value == pytest.approx(losses.mean(), abs=1e-12)
    assert brier.value == pytest.approx(brier_decomposition(table).score, abs=1e-12)
    if log.standard_error is not None:
        error = losses.std(ddof=1) / len(drawn) ** 0.5
        assert log.standard_error == pytest.approx(error, rel=1e-9)


@given(rows)
def test_a_difference_is_paired_and_turns_round(drawn):
    truth = [y for y, *_ in drawn]
    joint = JointScores.from_arrays(
        truth, {"A": [p for _, p, _ in drawn], "B": [q for *_, q in drawn]}
    )
    one, two = (proper_difference(joint, "log", *names) for names in (("A", "B"), ("B", "A")))
    assert one.value == pytest.approx(-two.value, abs=1e-12)
    single = [proper_score(joint.score_table(name), "log").value for name in "AB"]
    assert one.value == pytest.approx(single[0] - single[1], abs=1e-12)
    same = proper_difference(joint, "log", "A", "A")
    assert (same.value, same.interval) == (0, None)


def test_what_had_no_chance_and_happened_has_no_log_score():
    table = ScoreTable.from_scores([0.0, 0.5], [0.2])
    found = proper_score(table, "log")
    assert found.value is None
    assert "1 item turned out" in found.reason
    assert proper_score(table, "brier").value == pytest.approx((1 + 0.25 + 0.04) / 3)
    certain = proper_score(ScoreTable.from_scores([1.0], [0.0, 0.5]), "log")
    assert certain.value == pytest.approx(np.log(2) / 3)


@pytest.mark.parametrize("scores", [([2.0], [0.0]), ([0.5], [-0.1])])
def test_scores_outside_zero_and_one_are_refused(scores):
    with pytest.raises(NotComparable, match="probabilities"):
        proper_score(ScoreTable.from_scores(*scores), "brier")


def test_an_unknown_rule_is_refused():
    with pytest.raises(RequestError, match="brier"):
        proper_score(ScoreTable.from_scores([0.5], [0.1]), "quadratic")


def test_no_items_have_no_score():
    assert proper_score(ScoreTable.from_scores([], []), "brier").value is None
