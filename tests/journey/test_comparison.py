"""The whole walk to a comparison, against other implementations."""

from importlib.resources import files
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from statsmodels.stats.contingency_tables import mcnemar

import steelyard as sy
from steelyard.errors import NotComparable, RequestError

DATA = Path(str(files("steelyard") / "data"))


@pytest.mark.parametrize("name", ["digits_labels.csv", "letter_labels.csv"])
def test_mcnemar_agrees_with_statsmodels(name):
    table = pd.read_csv(DATA / name, dtype=str)
    result = sy.compare(DATA / name)
    names = [one.system for one in result.systems]
    assert [(p.first, p.second) for p in result.pairs] == list(combinations(names, 2))
    for pair in result.pairs:
        one = table[pair.first] == table["truth"]
        two = table[pair.second] == table["truth"]
        cells = [
            [int((one & two).sum()), int((one & ~two).sum())],
            [int((~one & two).sum()), int((~one & ~two).sum())],
        ]
        assert pair.table.first == cells[0][1]
        assert pair.table.second == cells[1][0]
        exact = mcnemar(np.array(cells), exact=True).pvalue
        few, many = sorted([cells[0][1], cells[1][0]])
        # Mid-p is the exact p less the point probability of what was seen (Fagerland 2013).
        mid = exact - binom.pmf(few, few + many, 0.5) if few != many else None
        if mid is not None:
            assert pair.p_value == pytest.approx(mid, rel=1e-9, abs=1e-300)
        assert pair.difference.value == pytest.approx(one.mean() - two.mean(), abs=1e-15)


def test_verdicts_follow_the_adjusted_p_values():
    result = sy.compare(DATA / "letter_labels.csv")
    for pair in result.pairs:
        assert (pair.verdict == "different") == (pair.adjusted_p <= result.alpha)
        assert pair.adjusted_p >= pair.p_value
    assert sum(one.best for one in result.systems) == pytest.approx(1, abs=1e-9)


def test_pairing_is_used():
    paired = sy.compare(
        sy.Outcomes.from_pair(both=160, first=18, second=5, neither=17, systems=("A", "B"))
    )
    unpaired = sy.compare(
        sy.Trials(correct={"A": 178, "B": 165}, tested=200, pairing="independent")
    )
    # 0.997 with pairing, 0.968 without: the example of the methods chapter.
    assert round(paired.systems[0].best, 3) == 0.997
    assert round(unpaired.systems[0].best, 3) == 0.968


def test_identical_systems_are_never_told_apart():
    calls = list("abcabcabca")
    result = sy.compare({"truth": list("abcabcabcb"), "one": calls, "two": calls, "three": calls})
    assert [one.best for one in result.systems] == pytest.approx([1 / 3] * 3, abs=1e-12)
    for pair in result.pairs:
        assert pair.p_value == 1
        assert pair.difference.value == 0
        assert pair.difference.interval.low < 0 < pair.difference.interval.high
        assert pair.verdict == "undecided"
    assert {(one.rank_low, one.rank_high) for one in result.systems} == {(1, 3)}


def test_identical_scores_are_never_told_apart():
    scores = [0.1, 0.4, 0.3, 0.8, 0.9, 0.2]
    result = sy.compare({"truth": list("nnpppn"), "one": scores, "two": scores}, positive="p")
    assert result.measure == "auc"
    assert result.pairs[0].p_value == 1
    assert [one.best for one in result.systems] == [0.5, 0.5]


def test_a_perfect_and_a_hopeless_system_have_honest_intervals():
    truth = list("ab") * 10
    result = sy.compare({"truth": truth, "right": truth, "wrong": list("ba") * 10})
    right, wrong = result.systems
    assert right.rate.interval.high == 1
    assert 0.8 < right.rate.interval.low < 1
    assert wrong.rate.interval.low == 0
    assert result.pairs[0].verdict == "different"
    assert 0 < result.pairs[0].p_value < 1e-4


def test_swapping_the_systems_flips_the_sign():
    columns = {"truth": list("abababab"), "x": list("abababba"), "y": list("abbbbbbb")}
    one = sy.compare(columns, systems=["x", "y"]).pairs[0]
    two = sy.compare(columns, systems=["y", "x"]).pairs[0]
    assert one.difference.value == -two.difference.value
    assert one.difference.interval.low == pytest.approx(-two.difference.interval.high, abs=1e-12)
    assert one.better == pytest.approx(1 - two.better, abs=1e-15)
    assert one.p_value == two.p_value


def test_row_order_changes_nothing():
    table = pd.read_csv(DATA / "letter_labels.csv", dtype=str)
    shuffled = table.sample(frac=1, random_state=1)
    one, two = sy.compare(table), sy.compare(shuffled)
    assert one.to_json() == two.to_json()


def test_areas_of_common_items_are_correlated():
    result = sy.compare(DATA / "wdbc_scores.csv", positive="1")
    assert result.pairing == "common"
    pair = next(p for p in result.pairs if (p.first, p.second) == ("logreg", "svm"))
    one, two = (s.rate for s in result.systems if s.system in {"logreg", "svm"})
    # The correlation makes the interval of the difference shorter than independence would.
    width = pair.difference.interval.high - pair.difference.interval.low
    alone = [r.interval.high - r.interval.low for r in (one, two)]
    assert width < min(alone)


def test_items_of_their_own_make_systems_independent():
    long = {
        "item": ["1", "2", "3", "4", "5", "6"],
        "system": ["A", "A", "A", "B", "B", "B"],
        "truth": list("xyxyxy"),
        "called": list("xyxyyx"),
    }
    result = sy.compare(long, pairing="independent")
    assert result.pairing == "independent"
    assert [one.rate.successes for one in result.systems] == [3, 1]


def test_one_system_is_sent_to_evaluate():
    with pytest.raises(NotComparable, match="evaluate"):
        sy.compare({"truth": list("ab"), "only": list("ab")})


def test_scores_and_answers_do_not_mix():
    columns = {"truth": list("abab"), "calls": list("abaa"), "scores": [0.1, 0.9, 0.2, 0.8]}
    with pytest.raises(NotComparable, match="like with like"):
        sy.compare(columns, positive="b")
    assert sy.compare(columns, positive="b", threshold=0.5).measure == "accuracy"


def test_totals_of_common_items_do_not_say_who_was_right_together():
    with pytest.raises(NotComparable, match="together"):
        sy.compare(sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="common"))


def test_a_weighted_comparison_is_refused():
    columns = {"truth": list("ab"), "x": list("ab"), "y": list("aa"), "weight": [1, 2]}
    with pytest.raises(NotComparable, match="weight"):
        sy.compare(columns)


def test_clusters_are_named_as_a_caveat():
    columns = {"truth": list("abab"), "x": list("abab"), "y": list("aaab"), "cluster": [1, 1, 2, 2]}
    assert any("cluster" in note for note in sy.compare(columns).caveats)


@pytest.mark.parametrize("name", ["level", "alpha"])
def test_rates_outside_their_domain_are_refused(name):
    with pytest.raises(RequestError, match=name):
        sy.compare(DATA / "digits_labels.csv", **{name: 0})


def test_a_comparison_survives_its_json_and_is_the_same_twice():
    result = sy.compare(DATA / "wdbc_scores.csv", positive="1")
    assert sy.read_result(result.to_json()) == result
    assert sy.compare(DATA / "wdbc_scores.csv", positive="1").to_json() == result.to_json()
