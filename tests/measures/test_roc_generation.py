"""The lecture's recipes for thresholds, to the last number."""

import json
from math import inf
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import ScoreTable
from steelyard.errors import CountsError, NotComparable, RequestError
from steelyard.measures import (
    RocCurve,
    every_nth_thresholds,
    linear_thresholds,
    log_thresholds,
    roc_at_thresholds,
    thresholds_at_detection_rates,
    thresholds_at_false_alarm_rates,
)
from tests.material import split

SLIDE = json.loads((Path(__file__).parents[1] / "golden" / "roc.json").read_text())
scores = st.lists(st.integers(0, 8), min_size=1, max_size=30)
rates = st.lists(st.fractions(0, 1), min_size=1, max_size=6)


TABLE = split(SLIDE["scores"], SLIDE["targets"])


def points(curve):
    pairs = zip(curve.false_alarm_rates, curve.detection_rates, strict=True)
    return [list(map(float, pair)) for pair in pairs]


@pytest.mark.parametrize("step", sorted(SLIDE["every_nth"], key=int))
def test_every_nth_score_is_the_slide(step):
    golden = SLIDE["every_nth"][step]
    thresholds = every_nth_thresholds(TABLE, int(step))
    assert thresholds.tolist() == [float(t) for t in golden["thresholds"]]
    curve = roc_at_thresholds(TABLE, thresholds)
    assert points(curve) == golden["points"][::-1]
    assert float(curve.area()) == golden["auc"]
    assert curve.complete == (step == "1")


@pytest.mark.parametrize("rounding", ["floor", "ceil", "round"])
def test_fixed_false_alarm_rates_are_the_slide(rounding):
    golden = SLIDE["fixed_pfa"][rounding]
    wanted = [row["PFA_wanted"] for row in golden]
    thresholds = thresholds_at_false_alarm_rates(TABLE, wanted, rounding=rounding)
    assert thresholds.tolist() == [float(row["threshold"]) for row in golden]
    kept = roc_at_thresholds(TABLE, thresholds, duplicates="keep")
    assert points(kept) == [[row["PFA"], row["PD"]] for row in golden]
    single = roc_at_thresholds(TABLE, thresholds)
    assert len(set(single.thresholds.tolist())) == single.thresholds.size < kept.thresholds.size + 2


def test_linear_thresholds_are_the_slide():
    thresholds = linear_thresholds(TABLE, 11)
    golden = SLIDE["fixed_linear_11"]
    # The golden file holds the same eleven numbers computed as i * 0.092.
    assert thresholds.tolist() == pytest.approx([row["threshold"] for row in golden], abs=1e-15)
    curve = roc_at_thresholds(TABLE, thresholds, duplicates="keep")
    assert points(curve)[::-1] == [[row["PFA"], row["PD"]] for row in golden]


def test_without_its_end_the_area_is_short():
    adjusted = [float(row["threshold"]) for row in SLIDE["adjusted_thresholds"]]
    full = roc_at_thresholds(TABLE, adjusted, duplicates="keep")
    assert float(full.area()) == SLIDE["auc"]["trapz_adjusted"]
    short = roc_at_thresholds(TABLE, [t for t in adjusted if t > -inf], duplicates="keep")
    assert float(short.area()) == SLIDE["auc"]["auc_if_minus_inf_dropped_from_adjusted"]
    assert float(roc_at_thresholds(TABLE, adjusted[1:]).area()) == SLIDE["auc"]["value"]


def test_equal_factors_between_the_ends():
    table = ScoreTable.from_scores([0.1, 10.0], [0.001])
    spaced = log_thresholds(table, 5)
    assert (spaced[0], spaced[-1]) == (0.001, 10.0)
    assert spaced[1:] / spaced[:-1] == pytest.approx([10, 10, 10, 10], rel=1e-12)
    with pytest.raises(NotComparable, match="lowest score is 0"):
        log_thresholds(TABLE, 5)


@given(scores, scores, rates)
def test_floor_exceeds_and_ceil_misses_no_rate_without_ties(positives, negatives, wanted):
    spread = [n + place / 100 for place, n in enumerate(negatives)]
    table = ScoreTable.from_scores(positives, spread)
    for rounding, keeps in (("floor", lambda got, w: got <= w), ("ceil", lambda got, w: got >= w)):
        found = thresholds_at_false_alarm_rates(table, wanted, rounding=rounding)
        for rate, threshold in zip(wanted, found.tolist(), strict=True):
            assert keeps(sum(n >= threshold for n in spread) / len(spread), float(rate) + 0.0)


@given(scores, scores, rates)
def test_the_default_misses_no_detection_rate(positives, negatives, wanted):
    table = ScoreTable.from_scores(positives, negatives)
    for rate, threshold in zip(wanted, thresholds_at_detection_rates(table, wanted), strict=True):
        assert sum(p >= threshold for p in positives) >= rate * len(positives)


@given(scores, scores, st.integers(1, 40))
def test_thinned_points_lie_on_the_full_curve(positives, negatives, step):
    table = ScoreTable.from_scores(positives, negatives)
    full = RocCurve.of(table)
    thinned = roc_at_thresholds(table, every_nth_thresholds(table, step))
    assert {tuple(p) for p in points(thinned)} <= {tuple(p) for p in points(full)}
    assert {(0.0, 0.0), (1.0, 1.0)} <= {tuple(p) for p in points(thinned)}


@given(scores, scores)
def test_all_scores_as_thresholds_give_the_full_curve(positives, negatives):
    table = ScoreTable.from_scores(positives, negatives)
    curve = roc_at_thresholds(table, table.scores[::-1])
    full = RocCurve.of(table)
    assert curve.complete
    assert curve.thresholds.tolist() == full.thresholds.tolist()
    assert curve.detections.tolist() == full.detections.tolist()


def test_bad_requests_are_refused():
    with pytest.raises(RequestError, match="step"):
        every_nth_thresholds(TABLE, 0)
    with pytest.raises(RequestError, match="number=1"):
        linear_thresholds(TABLE, 1)
    with pytest.raises(NotComparable, match="finite scores"):
        linear_thresholds(ScoreTable.from_scores([inf], [0]), 3)
    with pytest.raises(NotComparable, match="both classes"):
        thresholds_at_false_alarm_rates(ScoreTable.from_scores([1], []), [0.1])
    with pytest.raises(CountsError, match="NaN"):
        roc_at_thresholds(TABLE, [float("nan")])
    with pytest.raises(RequestError, match="duplicates='both'"):
        roc_at_thresholds(TABLE, [0.5], duplicates="both")
