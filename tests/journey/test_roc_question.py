"""ROC curves as a user asks for them."""

from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import steelyard as sy
from steelyard.counts import Grouped
from steelyard.errors import NotComparable, RequestError
from steelyard.measures import (
    RocCurve,
    auc,
    average_roc,
    cohen_kappa,
    detection_rate_at,
    hand_till,
    iso_performance,
    mcc,
    partial_auc,
    pooled_roc,
    rates_at_threshold,
    roc_hull,
)

DATA = Path(str(files("steelyard") / "data"))
TABLE = sy.ScoreTable.from_scores(
    [18, 42, 82, 88, 92, 56], [1, 11, 21, 35, 56, 90], positive="ship"
)
CURVE = RocCurve.of(TABLE)


def one(**options):
    (found,) = sy.roc(TABLE, **{"resamples": 0, **options}).systems
    return found


def test_the_curve_is_that_of_every_distinct_score():
    found = one()
    assert found.area == auc(TABLE)
    assert found.curve_area == float(CURVE.area())
    assert [p.detections for p in found.curve] == CURVE.detections.tolist()
    assert found.curve[0].threshold is None is found.curve[-1].threshold
    assert found.hull_area == float(roc_hull(CURVE).area())
    assert one(points=5).curve[-1].detections == 6
    assert len(one(points=5).curve) <= 5


@pytest.mark.parametrize(
    ("by", "number"),
    [
        ("threshold", 40), ("pfa", "0.2"), ("fpr", 0.34), ("pd", 0.5), ("recall", "5/6"),
        ("precision", 0.7), ("flagged", 4),
    ],
)  # fmt: skip
def test_any_number_finds_its_point(by, number):
    words = {"pfa": "false_alarm_rate", "fpr": "false_alarm_rate", "pd": "detection_rate",
             "recall": "detection_rate"}  # fmt: skip
    expected = CURVE.at(**{words.get(by, by): number}, measures=("mcc", "lift"))
    (place,) = one(at={by: number}, measures=["mcc", "lift"]).places
    assert (place.tp, place.fp, place.threshold) == (expected.tp, expected.fp, expected.threshold)
    assert [m.value for m in place.measures] == [expected.mcc, expected.lift]
    assert one(at=f"{by}={number}", measures=["mcc", "lift"]).places == (place,)


def test_a_threshold_fixed_before_has_wilson_intervals_and_one_read_off_has_not():
    fixed, read = one(at=["threshold=40", "pfa=0.2"]).places
    recall, alarms = fixed.measures[:2]
    expected = rates_at_threshold(TABLE, 40)
    assert recall.interval == expected[0].interval
    assert alarms.interval == expected[1].interval
    assert all(measure.interval is None for measure in read.measures)
    (again,) = one(at="pfa=0.2", resamples=200, rng=5).places
    rng = np.random.default_rng(5)
    bootstrap = detection_rate_at(TABLE, false_alarm_rate=Fraction(1, 5), rng=rng, resamples=200)
    assert again.measures[0].interval == bootstrap.interval


@pytest.mark.parametrize(
    ("thresholds", "rounding", "expected"),
    [
        ("linear:3", None, [92, 46.5, 1]),
        ("log:2", None, [92, 1]),
        ("every:5", None, [90, 42, 1]),
        ("20,60", None, [60, 20]),
        ([20, "60"], None, [60, 20]),
        ("pfa:1/3", None, [56]),
        ("pfa:0.2", "ceil", [56]),
        ("pfa:0.2", None, [90]),
        ("pd:0.5", None, [82]),
        ("pd:0.4", "floor", [88]),
    ],
)
def test_thresholds_are_made_as_written(thresholds, rounding, expected):
    found = one(thresholds=thresholds, rounding=rounding)
    assert [p.threshold for p in found.curve if p.threshold is not None] == expected
    assert found.area == auc(TABLE)


def test_part_of_the_area_and_costs_are_those_of_their_measures():
    found = one(partial="pfa:0:0.5", cost={"fn": "5"}, prevalence="0.1")
    assert found.partial == partial_auc(TABLE, false_alarm_rates=(0, Fraction(1, 2)))
    best = iso_performance(CURVE, fn=5, prevalence="0.1")
    assert found.cost_line.slope == best.slope
    assert found.cost_line.cost == best.cost
    expected = [p.threshold if np.isfinite(p.threshold) else None for p in best.points]
    assert list(found.cost_line.thresholds) == expected
    assert one(partial="pd:0.5:1").partial.measure.endswith("P_D 0.5 to 1")


def test_folds_are_averaged_and_pooled():
    rng = np.random.default_rng(2)
    parts = {name: (rng.normal(1, 1, 20).round(2), rng.normal(0, 1, 30).round(2)) for name in "123"}
    columns = {"truth": [], "s": [], "fold": []}
    for name, (positives, negatives) in parts.items():
        columns["truth"] += ["y"] * 20 + ["n"] * 30
        columns["s"] += [*positives.tolist(), *negatives.tolist()]
        columns["fold"] += [name] * 50
    ways = ["false-alarm-rate", "detection-rate", "threshold", "pooled"]
    found = sy.roc(columns, positive="y", average=ways[:2], resamples=0).systems[0]
    folds = Grouped.from_parts(
        "fold", {n: sy.ScoreTable.from_scores(*p, positive="y") for n, p in parts.items()}
    )
    vertical = average_roc(folds, by="false-alarm-rate").detection_rates
    line = found.averages[0].detection_rates
    assert line.mean == pytest.approx(tuple(vertical.mean), abs=1e-12)
    assert line.low == pytest.approx(tuple(vertical.low), abs=1e-12)
    both = sy.roc(columns, positive="y", average=ways[2:], average_at=[0, 1], resamples=0).systems[
        0
    ]
    assert both.averages[0].places == (1.0, 0.0)
    assert both.averages[1].area.value == pytest.approx(float(pooled_roc(folds).area()), abs=1e-12)
    means = [average.meanings for average in (*found.averages, *both.averages)]
    assert all(means)
    result = sy.roc(columns, positive="y", average="false-alarm-rate", resamples=0)
    assert "mean-false-alarm-rate" in result.charts()
    assert all(draw().svg() for draw in result.charts().values())


def test_each_class_of_a_vector_stands_against_the_rest():
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 3, 80)
    vectors = rng.dirichlet([1, 1, 1], 80)
    columns = {"truth": truth.tolist()} | {f"p{k}": vectors[:, k].tolist() for k in range(3)}
    found = sy.roc(columns, vector="m=p{class}", resamples=0, band="none")
    assert [(s.system, s.of) for s in found.systems] == [("m", "0"), ("m", "1"), ("m", "2")]
    expected = hand_till(truth, vectors, classes=[0, 1, 2]).value
    assert found.classes[0].areas[0].value == pytest.approx(expected, abs=1e-9)
    (alone,) = sy.roc(columns, vector="m=p{class}", positive=1, resamples=0).systems
    assert alone.area.value == pytest.approx(found.systems[1].area.value, abs=1e-12)


def test_the_band_says_what_it_promises():
    found = sy.roc(TABLE, band="bootstrap", resamples=50)
    assert any(note.startswith("band (bootstrap)") for note in found.notes())
    assert sy.roc(TABLE, band="none").systems[0].band is None


def test_the_points_of_the_curve_are_written_as_csv():
    lines = sy.roc(TABLE, resamples=0).curve_csv().splitlines()
    assert lines[0].startswith("system,of,threshold,false_alarms,detections")
    assert lines[2] == "system,ship,92.0,0,1,0.0,0.16666666666666666"
    assert len(lines) == 1 + CURVE.thresholds.size


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"at": "pfa"}, "pfa=0.1"),
        ({"at": "fa=0.1"}, "pfa"),
        ({"at": "flagged=1.5"}, "whole number"),
        ({"at": "pfa=2"}, "false_alarm_rate"),
        ({"measures": ["g3"]}, "f1"),  # F of any weight is known, f3 too
        ({"thresholds": "linear"}, "linear:50"),
        ({"thresholds": "cubic:3"}, "linear:50"),
        ({"thresholds": "every:x"}, "every:10"),
        ({"rounding": "up"}, "ceil"),
        ({"partial": "pfa:0.1"}, "pfa:0:0.1"),
        ({"average": "median"}, "pooled"),
        ({"band": "wald"}, "kolmogorov"),
        ({"cost": {"tp": 1}}, "min-cost"),
        ({"level": 2}, "level"),
        ({"rng": -1}, "seed"),
    ],
)
def test_a_question_outside_its_domain_is_refused(options, said):
    with pytest.raises(RequestError, match=said):
        sy.roc(TABLE, **options)


def test_every_measure_of_a_table_is_known_at_a_point():
    found = sy.roc(TABLE, at="threshold=3", measures=["f3", "Fowlkes-Mallows", "Markedness"])
    assert "f3" in found.to_json()


def test_averaging_without_folds_and_precision_never_reached_say_so():
    with pytest.raises(NotComparable, match="--fold"):
        sy.roc(TABLE, average="pooled")
    low = sy.ScoreTable.from_scores([1], [2, 3])
    with pytest.raises(NotComparable, match="no threshold"):
        sy.roc(low, at="precision=0.9")
    with pytest.raises(RequestError, match="--average-at"):
        sy.roc(DATA / "cells_cv10.csv", positive=1, score="rf", average="threshold")


def test_a_threshold_given_beforehand_has_an_interval_for_every_measure():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 80)
    score = np.round(rng.normal(truth), 1)
    names = ["f1", "mcc", "kappa", "youden", "balanced_accuracy", "flagged_share"]
    columns = {"truth": truth.tolist(), "s": score.tolist()}
    clusters = [str(place // 4) for place in range(80)]
    for more in ({}, {"cluster": clusters}):
        found = sy.roc(
            {**columns, **more}, positive=1, at="threshold=0.5", measures=names, resamples=0
        )
        (place,) = found.systems[0].places
        called = score >= 0.5
        table = sy.Confusion.from_binary(
            tp=int((called & (truth == 1)).sum()),
            fp=int((called & (truth == 0)).sum()),
            fn=int((~called & (truth == 1)).sum()),
            tn=int((~called & (truth == 0)).sum()),
        )
        by_name = {one.measure: one for one in place.measures}
        assert by_name["kappa"].value == cohen_kappa(table).value
        assert by_name["mcc"].value == mcc(table).value
        assert all(one.interval is not None for one in place.measures)
        if not more:
            assert by_name["kappa"].interval == cohen_kappa(table).interval


def test_mean_rates_of_folds_are_in_the_rows_and_few_of_them_in_a_table():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 90)
    columns = {
        "truth": truth.tolist(),
        "s": rng.normal(truth).tolist(),
        "fold": [str(place % 3) for place in range(90)],
    }
    found = sy.roc(
        columns, positive=1, average="false-alarm-rate", average_at=[0.1, 0.5], resamples=0
    )
    (average,) = found.systems[0].averages
    rows = {row["measure"]: row for row in found.rows()}
    for place, mean in zip((0.1, 0.5), average.detection_rates.mean, strict=True):
        assert rows[f"mean detection rate at false alarm rate {place}"]["value"] == mean
    assert [one.title for one in found.tables()].count("Rates over folds") == 1


def test_weighted_vectors_have_curves_when_every_row_is_to_count_once():
    columns = {
        "truth": list("ababab"),
        "m": [[0.9, 0.1], [0.4, 0.6], [0.3, 0.7], [0.2, 0.8], [0.6, 0.4], [0.7, 0.3]],
    }
    options = {"vector": "m", "classes": ["a", "b"], "resamples": 0}
    weighed = {**columns, "weight": [1, 2, 1, 2, 1, 2]}
    with pytest.raises(NotComparable, match="--unweighted"):
        sy.roc(weighed, **options)
    found = sy.roc(weighed, unweighted=True, **options)
    assert found.classes == sy.roc(columns, **options).classes
    assert any("every row counts once" in note for note in found.notes())
