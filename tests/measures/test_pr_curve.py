"""Precision and recall: scikit-learn for the steps, fine numerical integrals for the curve."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, precision_recall_curve

from steelyard.counts import ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.measures import (
    PR_AREAS,
    average_precision,
    interpolated_precision,
    pr_area,
    precision_recall,
)
from tests.material import read_scores

scores = st.lists(st.integers(0, 8), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("name", "system"),
    [("german_credit_scores.csv", "rf"), ("german_credit_scores.csv", "rpart"),
     ("wdbc_scores.csv", "knn7"), ("cells_scores.csv", "rf")],
)  # fmt: skip
def test_average_precision_and_points_agree_with_scikit_learn(name, system):
    truth, score = read_scores(name, system)
    table = ScoreTable.from_scores(score[truth], score[~truth])
    expected = average_precision_score(truth, score)
    assert average_precision(table).value == pytest.approx(expected, abs=1e-12)
    precisions, recalls, thresholds = precision_recall_curve(truth, score)
    found = precision_recall(table)
    assert found.thresholds[::-1].tolist() == thresholds.tolist()
    assert found.recalls[::-1] == pytest.approx(recalls[:-1], abs=1e-15)
    assert found.precisions[::-1] == pytest.approx(precisions[:-1], abs=1e-15)
    assert found.prevalence == pytest.approx(truth.mean())


@given(scores, scores)
def test_the_interpolated_area_is_the_integral_of_the_interpolation(positives, negatives):
    table = ScoreTable.from_scores(positives, negatives)
    steps = 4000
    middles = (np.arange(steps) + 0.5) / steps
    integral = interpolated_precision(table, middles).mean()
    assert pr_area(table, kind="interpolated").value == pytest.approx(integral, abs=2e-3)


def test_interpolation_mixes_two_thresholds_as_davis_and_goadrich_do():
    # Davis & Goadrich (2006), figure 6: A has 5 true and 5 false positives, B 10 and 30, of 20.
    counts = ([10, 5, 5], [0, 25, 5])
    table = ScoreTable.from_counts([0, 1, 2], *counts, positive="x")
    found = interpolated_precision(table, np.array([0.25, 0.3, 0.35, 0.4, 0.45, 0.5]))
    expected = [0.5, 6 / 16, 7 / 22, 8 / 28, 9 / 34, 0.25]
    assert found == pytest.approx(expected, abs=1e-12)


@given(scores, scores)
def test_areas_lie_in_the_unit_interval_and_keep_their_order_of_transform(positives, negatives):
    table = ScoreTable.from_scores(positives, negatives)
    raised = ScoreTable.from_scores([p**3 for p in positives], [n**3 for n in negatives])
    for kind in PR_AREAS:
        value = pr_area(table, kind=kind).value
        assert 0 < value <= 1 + 1e-12
        assert pr_area(raised, kind=kind).value == value


def test_the_three_areas_are_three_numbers_and_one_for_a_perfect_ranking():
    table = ScoreTable.from_scores([9, 2, 2, 2], [2] * 6)
    values = [pr_area(table, kind=kind).value for kind in PR_AREAS]
    assert len({round(value, 6) for value in values}) == 3
    perfect = ScoreTable.from_scores([3, 4], [1, 2])
    assert [pr_area(perfect, kind=kind).value for kind in PR_AREAS] == [1, 1, 1]
    found = pr_area(perfect).interval
    assert (found.high, found.method) == (1.0, "wilson")
    assert 0 < found.low < 1


def test_constant_scores_have_the_prevalence():
    table = ScoreTable.from_scores([1, 1], [1, 1, 1])
    for kind in PR_AREAS:
        assert pr_area(table, kind=kind).value == pytest.approx(0.4, abs=1e-15)
    assert "calling at random would have about 0.4" in pr_area(table).caveats[0]


def test_intervals_are_logit_or_seeded_bootstrap():
    truth, score = read_scores("german_credit_scores.csv", "rf")
    table = ScoreTable.from_scores(score[truth], score[~truth])
    plain = pr_area(table)
    low, high, value = plain.interval.low, plain.interval.high, plain.value
    assert plain.interval.method == "boyd-logit"
    odds = [x / (1 - x) for x in (low, value, high)]
    assert odds[0] * odds[2] == pytest.approx(odds[1] ** 2, rel=1e-9)
    drawn = pr_area(table, rng=np.random.default_rng(1), resamples=300)
    assert drawn.interval.low < value < drawn.interval.high
    assert drawn.interval.method == "bootstrap-percentile"


def test_without_positives_there_is_no_recall():
    table = ScoreTable.from_scores([], [1.0])
    assert "no recall" in pr_area(table).reason
    for ask in (precision_recall, lambda one: interpolated_precision(one, np.array([0.5]))):
        with pytest.raises(NotComparable, match="there are none"):
            ask(table)
    with pytest.raises(RequestError, match="recalls must lie"):
        interpolated_precision(ScoreTable.from_scores([1], [0]), np.array([0.0]))
    with pytest.raises(RequestError, match="kind='roc'"):
        pr_area(table, kind="roc")
