"""Risk against coverage through evaluate and compare, from columns, rows and probabilities."""

import json
from importlib.resources import files

import numpy as np
import pytest
from click.testing import CliRunner

import steelyard as sy
from steelyard.errors import SteelyardError
from steelyard.measures import aurc_difference, aurc_limits, risk_coverage
from steelyard.surfaces.cli.entry import steelyard as entry

DIGITS = files("steelyard") / "data"


def drawn(size=200):
    rng = np.random.default_rng(4)
    sure = rng.random((2, size)).round(3)
    right = rng.random((2, size)) < [[0.6], [0.7]] + 0.3 * sure
    truth = rng.integers(0, 3, size)
    called = np.where(right, truth, (truth + 1) % 3)
    return sure, right, {
        "item": list(range(size)),
        "truth": [f"c{one}" for one in truth],
        "a": [f"c{one}" for one in called[0]],
        "b": [f"c{one}" for one in called[1]],
        "a.sure": sure[0].tolist(),
        "b.sure": sure[1].tolist(),
    }  # fmt: skip


def number(system, name):
    return next(one for one in system.further if one.measure == name)


def test_columns_of_certainties_are_joined_to_calls():
    sure, right, rows = drawn()
    found = sy.evaluate(rows, called=["a", "b"], certainty=["a.sure", "b.sure"])
    for place, name in enumerate("ab"):
        (system,) = [one for one in found.systems if one.system == name]
        limits = aurc_limits(sure[place], right[place])
        area = number(system, "AURC")
        assert area.value == pytest.approx(limits.value)
        assert (area.interval.low, area.interval.high) == pytest.approx((limits.low, limits.high))
        curve = risk_coverage(sure[place], right[place])
        assert number(system, "e-AURC").value == pytest.approx(curve.excess)
        assert number(system, "coverage at risk 0.1").value == pytest.approx(curve.coverage_at(0.1))
        assert system.accuracy.successes == right[place].sum()
    working = sy.compare(rows, called=["a", "b"], certainty=["a.sure", "b.sure"])
    gap = aurc_difference((sure[0], right[0]), (sure[1], right[1]))
    assert working.working["p_value"] == pytest.approx(gap.p_value)
    assert working.working["difference"] == pytest.approx(gap.difference)
    assert "AURC" in json.dumps(working.to_dict())


def test_rows_for_each_system_and_outcomes_say_the_same():
    sure, right, rows = drawn()
    wide = sy.compare(rows, called=["a", "b"], certainty=["a.sure", "b.sure"]).working
    long = {
        "item": rows["item"] * 2,
        "system": ["b"] * 200 + ["a"] * 200,
        "right": [*right[1].astype(int).tolist(), *right[0].astype(int).tolist()],
        "conf": [*sure[1].tolist(), *sure[0].tolist()],
    }
    found = sy.compare(long, outcome="right", system="system", certainty="conf").working
    assert found["p_value"] == pytest.approx(wide["p_value"])
    assert abs(found["difference"]) == pytest.approx(abs(wide["difference"]))


def test_probabilities_say_how_sure_they_are():
    read = {"lr": DIGITS / "digits_scores_logreg.csv", "rf": DIGITS / "digits_scores_rf.csv"}
    vectors = {"vector": ["lr=p{class}", "rf=p{class}"]}
    found = sy.evaluate(read, measure="AURC", **vectors)
    area = number(found.systems[0], "AURC")
    assert 0 < area.interval.low < area.value < area.interval.high < 0.1
    assert sy.compare(read, measure="aurc", **vectors).decision == "undecided"
    scores = {"item": list(range(40)), "truth": [0, 1] * 20, "s": [k / 40 for k in range(40)]}
    found = sy.evaluate(scores, positive=1, score="s", threshold=0.5, measure="AURC")
    called = np.array(scores["s"]) >= 0.5
    wanted = risk_coverage(np.abs(np.array(scores["s"]) - 0.5), called == np.array(scores["truth"]))
    assert number(found.systems[0], "AURC").value == pytest.approx(wanted.aurc)


def test_items_without_an_answer_or_a_certainty_are_left_out_and_counted():
    sure, right, rows = drawn()
    rows["a"][3] = None
    rows["b.sure"][5] = None
    given = {"called": ["a", "b"], "certainty": ["a.sure", "b.sure"]}
    with pytest.raises(SteelyardError, match="has no called class"):
        sy.evaluate(rows, **given)
    found = sy.evaluate(rows, missing="exclude", **given)
    assert "2 items that lack an answer or a certainty" in " ".join(found.caveats)
    kept = np.delete(np.arange(200), [3, 5])
    area = number(next(one for one in found.systems if one.system == "a"), "AURC")
    assert area.value == pytest.approx(risk_coverage(sure[0][kept], right[0][kept]).aurc)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"certainty": ["a.sure"]}, "2 systems and 1 columns"),
        ({"certainty": ["a.sure", "nobody"]}, "nobody"),
        ({"measure": "AURC"}, "How sure was a"),
        ({"certainty": ["a.sure", "b.sure"], "measure": "F1"}, "stand alone"),
        ({"certainty": ["a.sure", "b.sure"], "cluster": "group"}, "independent items"),
        ({"certainty": ["a.sure", "b.sure"], "item": ""}, "item"),
    ],
)
def test_what_cannot_be_said_of_certainties_is_refused(given, words):
    rows = {**drawn()[2], "group": [k % 9 for k in range(200)]}
    for verb in (sy.evaluate, sy.compare):
        with pytest.raises(SteelyardError, match=words):
            verb(rows, called=["a", "b"], **given)


def test_what_stands_beside_certainties_is_refused():
    rows = drawn()[2]
    given = {"called": ["a", "b"], "certainty": ["a.sure", "b.sure"]}
    with pytest.raises(SteelyardError, match="without certainties"):
        sy.evaluate(rows, unknown="none", **given)
    with pytest.raises(SteelyardError, match="in one way"):
        sy.compare(rows, method="mcnemar", **given)
    with pytest.raises(SteelyardError, match="number for each item"):
        sy.evaluate({"item": [1], "g": [3]}, value="g", measure="AURC")


def test_the_command_line_takes_columns(tmp_path):
    rows = drawn()[2]
    lines = [",".join(rows), *(",".join(map(str, one)) for one in zip(*rows.values(), strict=True))]
    path = tmp_path / "calls.csv"
    path.write_text("\n".join(lines) + "\n")
    for verb in ("evaluate", "compare"):
        asked = [verb, str(path), "--called", "a,b", "--certainty", "a.sure,b.sure"]
        said = CliRunner().invoke(entry, asked)
        assert said.exit_code == 0, said.output
        assert "AURC" in said.output
