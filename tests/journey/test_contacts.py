"""Whom to contact first, from files to tables."""

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import steelyard as sy
from steelyard.errors import NotComparable, RequestError
from steelyard.measures import captured_at, decision_curve, gini, ks_distance, lift_at, precision_at
from steelyard.tally import score_table_of

DATA = Path(str(files("steelyard") / "data"))
TABLE = sy.ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1], positive="buyer")


def test_every_number_is_that_of_its_measure():
    (found,) = sy.targeting(TABLE, budget=2, net_benefit=[0.5, "0.25"]).systems
    assert found.asked.captured == captured_at(TABLE, budget=2)
    assert found.asked.precision == precision_at(TABLE, budget=2)
    assert found.asked.lift == lift_at(TABLE, depth=2 / 6)
    assert found.ks == ks_distance(TABLE)
    assert found.gini == gini(TABLE)
    for one, place in zip(found.benefits, decision_curve(TABLE, [0.25, 0.5]), strict=True):
        assert (one.benefit, one.everybody) == (place.benefit, place.all_treated)
    assert [round(place.depth, 12) for place in found.places] == [k / 10 for k in range(1, 11)]


def test_a_share_is_a_budget():
    by_share = sy.targeting(TABLE, share=0.5).systems[0].asked
    assert by_share == sy.targeting(TABLE, budget=3).systems[0].asked


def test_systems_of_a_file_stand_side_by_side():
    found = sy.targeting(DATA / "german_credit_scores.csv", positive=1, by="percentiles")
    assert [one.system for one in found.systems] == ["glm", "lasso", "rf", "gbm", "rpart"]
    assert all(len(one.places) == 100 for one in found.systems)
    best = max(found.systems, key=lambda one: one.asked.captured.value)
    assert f"that {best.system} scores highest" in found.sentence()


def test_a_long_curve_is_thinned_and_ends_with_everybody():
    rng = np.random.default_rng(4)
    table = score_table_of(rng.integers(0, 2, 5000), rng.random(5000), pos_label=1)
    (found,) = sy.targeting(table, by="curve").systems
    assert len(found.places) == 1000
    assert found.places[-1].captured.value == 1
    assert (found.depths[0], found.gains[0]) == (0, 0)
    assert (found.depths[-1], found.gains[-1]) == (1, 1)
    (short,) = sy.targeting(table, by="curve", points=50).systems
    assert (len(short.places), len(short.depths)) == (50, 50)
    assert (short.depths[-1], short.gains[-1]) == (1, 1)
    assert short.asked == found.asked
    (whole,) = sy.targeting(table, points=0).systems
    assert len(whole.depths) == 5001
    for odd in (1, -3):
        for verb in (sy.targeting, sy.roc):
            with pytest.raises(RequestError, match="2 points or more, or 0 for all"):
                verb(table, points=odd)


def test_a_vector_is_the_score_of_the_positive_class():
    file = DATA / "digits_scores_logreg.csv"
    found = sy.targeting(file, vector="logreg=p{class}", positive=3)
    scores = sy.targeting(file, score="p3", truth="truth", positive=3)
    assert found.systems[0].gini.value == pytest.approx(scores.systems[0].gini.value, abs=1e-3)


def test_weighted_rows_are_refused_and_may_be_counted_once():
    rows = {"truth": [1, 0, 1, 0], "s": [0.9, 0.2, 0.4, 0.6], "weight": [1, 2, 1, 5]}
    with pytest.raises(NotComparable, match="--unweighted"):
        sy.targeting(rows, positive=1)
    found = sy.targeting(rows, positive=1, unweighted=True)
    assert any("counts once" in note for note in found.notes())
    plain = sy.targeting({k: v for k, v in rows.items() if k != "weight"}, positive=1)
    assert found.systems == plain.systems


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"budget": 7}, "at most all 6"),
        ({"budget": 2, "share": 0.5}, "one of them"),
        ({"share": 1.5}, "above 0 and at most 1"),
        ({"by": "quartiles"}, "percentiles"),
        ({"net_benefit": [1.5]}, "threshold"),
        ({"positive": "x"}, "Counts have no columns"),
        ({"level": 0}, "level"),
    ],
)
def test_a_question_outside_its_domain_is_refused(options, said):
    with pytest.raises(RequestError, match=said):
        sy.targeting(TABLE, **options)


def test_pictures_are_those_of_what_was_asked():
    plain, acting = sy.targeting(TABLE), sy.targeting(TABLE, net_benefit=[0.2, 0.4])
    assert list(plain.charts()) == ["gain", "lift"]
    assert list(acting.charts()) == ["gain", "lift", "decision"]
    assert all(draw().svg() for draw in acting.charts().values())
