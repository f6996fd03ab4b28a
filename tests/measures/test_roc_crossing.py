"""Curves that cross: the larger area may be the worse choice."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import ScoreTable
from steelyard.measures import RocCurve, partial_auc, roc_crossings, warn_if_crossing

scores = st.lists(st.integers(0, 8), min_size=1, max_size=30)
# Right at the top for half of the positives, then nothing; and good throughout but for one alarm.
STEEP = ScoreTable.from_scores([9, 8, 1, 1], [5, 4, 3, 2])
EVEN = ScoreTable.from_scores([7, 7, 7, 7], [9, 6, 6, 6])


def test_the_larger_area_is_named_where_it_is_the_worse_choice():
    said = warn_if_crossing(
        RocCurve.of(STEEP), RocCurve.of(EVEN), false_alarm_rates=(0, 0.2), names=("cnn", "svm")
    )
    assert said == (
        "the curves cross at P_FA 0.250: svm has the larger AUC (0.750 against 0.500), but between "
        "P_FA 0.000 and 0.200 cnn is better (mean P_D 0.500 against 0.000)"
    )
    assert warn_if_crossing(RocCurve.of(STEEP), RocCurve.of(EVEN)) is None
    region = (0.3, 1)
    assert warn_if_crossing(RocCurve.of(STEEP), RocCurve.of(EVEN), false_alarm_rates=region) is None


def test_crossings_of_two_normal_models_are_where_theory_puts_them():
    from scipy import stats

    quantiles = stats.norm.ppf((np.arange(4000) + 0.5) / 4000)
    wide = RocCurve.of(ScoreTable.from_scores(1 + 2 * quantiles, quantiles))
    narrow = RocCurve.of(ScoreTable.from_scores(1 + quantiles, quantiles))
    # P_D = Phi((1 - t) / 2) and Phi(1 - t): equal at t = 1, where P_FA = Phi(-1).
    (place,) = roc_crossings(wide, narrow)
    assert place == pytest.approx(stats.norm.sf(1), abs=2e-3)


@given(scores, scores, scores, scores)
def test_a_warning_turns_round_with_its_curves_and_never_lies(p1, n1, p2, n2):
    tables = ScoreTable.from_scores(p1, n1), ScoreTable.from_scores(p2, n2)
    one, two = map(RocCurve.of, tables)
    assert roc_crossings(one, two) == roc_crossings(two, one)
    assert roc_crossings(one, one) == ()
    ask = {"false_alarm_rates": (0, 0.25)}
    said = warn_if_crossing(one, two, **ask, names=("A", "B"))
    assert said == warn_if_crossing(two, one, **ask, names=("B", "A"))
    if said:
        parts = [partial_auc(t, **ask, corrected=False).value for t in tables]
        assert (parts[0] > parts[1]) == ("A is better" in said)
        assert (one.area() < two.area()) == ("B has the larger AUC" in said)
        assert roc_crossings(one, two)
