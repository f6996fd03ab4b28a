"""ROC: the lecture's slide at every threshold, scikit-learn, and the edges."""

import csv
import json
from fractions import Fraction
from math import inf
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score, roc_curve

import steelyard.counts
from steelyard.counts import ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.measures import RocCurve, auc, auc_grade, exact_auc
from steelyard.uncertainty import area_spread, delong_variance, placement_interval
from tests.material import split

DATA = Path(steelyard.counts.__file__).parents[1] / "data"
FOLDER = Path(__file__).parents[1] / "golden"
SLIDE = json.loads((FOLDER / "roc.json").read_text())
GRADES = json.loads((FOLDER / "misir.json").read_text())["auc_grades"]
scores = st.lists(st.integers(0, 8), min_size=1, max_size=30)


SLIDE_TABLE = split(SLIDE["scores"], SLIDE["targets"])


@pytest.mark.parametrize("rows", ["original_thresholds", "adjusted_thresholds", "fixed_linear_11"])
def test_the_slide_has_its_rates_at_every_threshold(rows):
    points = RocCurve.of(SLIDE_TABLE)
    for row in SLIDE[rows]:
        threshold = float(row["threshold"])
        # The point of a threshold is that of the lowest score at or above it.
        place = np.count_nonzero(points.thresholds >= threshold) - 1
        assert points.false_alarm_rates[place] == row["PFA"]
        assert points.detection_rates[place] == row["PD"]


def test_the_slide_has_its_full_staircase():
    points = RocCurve.of(SLIDE_TABLE)
    golden = SLIDE["every_nth"]["1"]
    assert points.thresholds.tolist() == [float(t) for t in golden["thresholds"]][::-1]
    pairs = zip(points.false_alarm_rates, points.detection_rates, strict=True)
    assert [list(map(float, pair)) for pair in pairs] == golden["points"][::-1]


def test_the_slide_has_its_area_and_grade():
    area = exact_auc(SLIDE_TABLE)
    assert area == Fraction(SLIDE["auc"]["mann_whitney"]) == Fraction(21, 25)
    assert auc(SLIDE_TABLE).value == SLIDE["auc"]["value"]
    assert auc_grade(area) == SLIDE["letter_grade"] == "B"


def test_the_second_set_of_the_lecture_has_its_points_and_area():
    golden = SLIDE["averaging"]["setB"]
    table = split(golden["scores"], golden["targets"])
    points = RocCurve.of(table)
    pairs = zip(points.false_alarm_rates[:-1], points.detection_rates[:-1], strict=True)
    assert [list(map(float, pair)) for pair in pairs] == golden["points"]
    assert auc(table).value == golden["auc"]


@pytest.mark.parametrize(("area", "letter"), GRADES["probes"].items())
def test_letters_include_their_lower_bound_and_none_is_below_a_half(area, letter):
    assert auc_grade(Fraction(area)) == letter
    assert auc_grade(float(area)) == letter


@pytest.mark.parametrize("system", ["logreg", "rf", "svm", "knn7", "nb", "tree"])
def test_areas_and_curves_agree_with_scikit_learn_on_real_predictions(system):
    with (DATA / "wdbc_scores.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    truth = np.array([int(r["truth"]) for r in rows])
    score = np.array([float(r[system]) for r in rows])
    table = split(score, truth)
    assert auc(table).value == pytest.approx(roc_auc_score(truth, score), abs=1e-14)
    false_alarms, detections, thresholds = roc_curve(truth, score, drop_intermediate=False)
    points = RocCurve.of(table)
    assert points.thresholds[:-1].tolist() == thresholds.tolist()
    assert points.false_alarm_rates[:-1] == pytest.approx(false_alarms, abs=1e-15)
    assert points.detection_rates[:-1] == pytest.approx(detections, abs=1e-15)


@given(scores, scores)
def test_the_trapezoid_area_is_the_share_of_pairs_won(positives, negatives):
    table = ScoreTable.from_scores(positives, negatives)
    points = RocCurve.of(table)
    area = np.trapezoid(points.detection_rates, points.false_alarm_rates)
    won = sum((p > n) + Fraction(p == n, 2) for p in positives for n in negatives)
    assert exact_auc(table) == won / (len(positives) * len(negatives))
    assert area == pytest.approx(float(exact_auc(table)), abs=1e-12)


@given(scores, scores)
def test_reversed_scores_give_the_complement_and_nothing_is_flipped(positives, negatives):
    table = ScoreTable.from_scores(positives, negatives)
    turned = ScoreTable.from_scores([-p for p in positives], [-n for n in negatives])
    assert exact_auc(table) + exact_auc(turned) == 1
    for one in (auc(table), auc(turned)):
        assert (one.value < 0.5) == any("is the direction right?" in c for c in one.caveats)
        sure = one.value < 0.5 and (one.interval is None or one.interval.high < 0.5)
        assert sure == any("worse than chance" in c for c in one.caveats)


@given(scores, scores)
def test_a_rising_transform_leaves_all_but_the_thresholds(positives, negatives):
    def saturated(values):
        return [10.0 ** (38 * v) for v in values]

    table = ScoreTable.from_scores(positives, negatives)
    other = ScoreTable.from_scores(saturated(positives), saturated(negatives))
    assert auc(table) == auc(other)
    assert RocCurve.of(table).detections.tolist() == RocCurve.of(other).detections.tolist()


def test_the_interval_is_the_one_of_placements_and_the_standard_error_delongs():
    result = auc(SLIDE_TABLE, level=0.9)
    expected = placement_interval(area_spread(SLIDE_TABLE), level=0.9)
    assert (result.interval.low, result.interval.high) == expected
    assert result.interval.method == "placement"
    assert result.standard_error == pytest.approx(delong_variance(SLIDE_TABLE) ** 0.5)


def test_a_perfect_ranking_keeps_a_lower_limit_below_one():
    result = auc(ScoreTable.from_scores([3, 4, 5], [0, 1, 2]))
    assert (result.value, result.interval.high, result.interval.method) == (1, 1, "placement")
    # Three of each are parted fully with probability 1/20 by scores that say nothing.
    assert 0 < result.interval.low < 0.5
    assert "3 positives carry this area" in result.caveats[0]


def test_one_item_of_a_class_has_an_interval_without_delong():
    result = auc(ScoreTable.from_scores([3], [1, 2, 4]))
    assert result.value == pytest.approx(2 / 3)
    assert result.interval.low < 0.1
    assert result.interval.high > 0.9
    assert "a class has one item" in result.caveats[0]


def test_constant_scores_have_the_area_a_half_and_an_interval_with_width():
    # Scores of few values may have been constant by chance: the next item may have another.
    result = auc(ScoreTable.from_scores([1] * 50, [1] * 50))
    assert (result.value, result.standard_error) == (0.5, None)
    assert result.interval.low < 0.48 < 0.52 < result.interval.high


@pytest.mark.parametrize(
    ("positives", "negatives", "reason"),
    [
        ([], [1.0], "no item is truly 'positive', so there was nothing to detect"),
        ([1.0], [], "every item is truly 'positive', so there was nothing to tell it from"),
        ([], [], "the table holds no items"),
    ],
)
def test_one_class_alone_has_no_area(positives, negatives, reason):
    table = ScoreTable.from_scores(positives, negatives)
    result = auc(table)
    assert (result.value, result.reason, exact_auc(table)) == (None, reason, None)
    with pytest.raises(NotComparable, match="needs both classes"):
        RocCurve.of(table)


def test_infinite_scores_rank_like_any_other():
    points = RocCurve.of(ScoreTable.from_scores([inf, 1], [-inf, 1]))
    assert points.detections.tolist() == [0, 1, 2, 2, 2]
    assert auc(ScoreTable.from_scores([inf, 1], [-inf, 1])).value == 7 / 8


@given(scores, scores, st.integers(1, 5))
def test_equal_weights_give_the_same_area_without_an_interval(positives, negatives, weight):
    plain = ScoreTable.from_scores(positives, negatives)
    table = ScoreTable.from_counts(
        plain.scores,
        plain.positives,
        plain.negatives,
        positive="positive",
        positive_weights=plain.positives * weight * steelyard.counts.SCALE,
        negative_weights=plain.negatives * weight * steelyard.counts.SCALE,
    )
    result = auc(table)
    assert result.value == pytest.approx(auc(plain).value, abs=1e-12)
    assert result.interval is None
    assert "give no interval" in result.caveats[0]


def test_weights_agree_with_scikit_learn_and_weightless_classes_have_no_area():
    unit = steelyard.counts.SCALE
    table = ScoreTable.from_counts(
        [1, 2, 3],
        [0, 1, 1],
        [1, 1, 0],
        positive="x",
        positive_weights=[0, 3 * unit, unit],
        negative_weights=[2 * unit, unit, 0],
    )
    expected = roc_auc_score([0, 0, 1, 1], [1, 2, 2, 3], sample_weight=[2, 1, 3, 1])
    assert auc(table).value == pytest.approx(expected, abs=1e-12)
    nothing = ScoreTable.from_counts(
        [1, 2], [0, 1], [1, 0], positive="x", positive_weights=[0, 0], negative_weights=[1, 0]
    )
    assert auc(nothing).reason == "every row of one class has weight 0"


def test_points_cannot_be_changed_and_bad_requests_are_refused():
    with pytest.raises(ValueError, match="read-only"):
        RocCurve.of(SLIDE_TABLE).thresholds[0] = 1
    with pytest.raises(RequestError):
        auc(SLIDE_TABLE, level=95)
    with pytest.raises(RequestError):
        auc_grade(1.2)


def test_with_random_numbers_the_interval_is_a_seeded_bootstrap():
    table = ScoreTable.from_scores(range(50, 150), range(100))
    one, two = (auc(table, rng=np.random.default_rng(4), resamples=500) for _ in range(2))
    assert one == two
    assert one.interval.method == "bootstrap-percentile"
    assert one.value == auc(table).value
    assert one.interval.low == pytest.approx(auc(table).interval.low, abs=0.02)
    assert one.interval.high == pytest.approx(auc(table).interval.high, abs=0.02)
    perfect = auc(ScoreTable.from_scores([3, 4, 5], [0, 1, 2]), rng=np.random.default_rng(4))
    assert perfect.interval.method == "placement"
