"""Labels of people on some items, a judge's on all."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import steelyard as sy
from steelyard.errors import SteelyardError
from steelyard.results import read_result
from steelyard.uncertainty import ppi_mean
from tests.golden.values_cases import named

CASES = {name: (data, expected) for name, data, expected in named("ppi")}


def judged(data, *names):
    """Make columns of labels, with blanks, and of judgements."""
    made = {}
    for y, f, u, name in names:
        made[name] = [*data[y], *[None] * len(data[u])]
        made[f"{name} judge"] = [*data[f], *data[u]]
    return made


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_textbook_estimate_is_that_of_its_authors_program(name):
    data, expected = CASES[name]
    arrays = data["Y"], data["Yhat"], data["Yhat_unlabeled"]
    for weight, key in ((None, "tuned"), (1.0, "lambda_1"), (0.0, "classical_lambda_0")):
        found, wanted = ppi_mean(*arrays, weight=weight), expected[key]
        assert found.estimate == pytest.approx(wanted["estimate"], abs=1e-8)
        assert (found.low, found.high) == pytest.approx(tuple(wanted["ci95"]), abs=1e-8)
    assert ppi_mean(*arrays).weight == pytest.approx(expected["tuned"]["lambda"], abs=1e-8)


def test_evaluate_and_compare_give_the_estimates_of_that_program_with_wider_limits():
    data, expected = CASES["ppi-1"]
    rows = judged(data, ("Y", "Yhat", "Yhat_unlabeled", "a"))
    one = sy.evaluate(rows, value="a", judge="a judge").systems[0]
    assert one.centre.value == pytest.approx(expected["tuned"]["estimate"], abs=1e-8)
    low, high = expected["tuned"]["ci95"]
    assert one.centre.interval.low < low < high < one.centre.interval.high
    assert one.judge.bias.value == pytest.approx(np.mean(data["Yhat"]) - np.mean(data["Y"]))
    data, expected = CASES["ppi-2"]
    rows = judged(data, ("Y1", "f1", "f1_unlabeled", "a"), ("Y2", "f2", "f2_unlabeled", "b"))
    pair = sy.compare(rows, value=["a", "b"], judge=["a judge", "b judge"], higher_is_better=True)
    (gap,) = pair.pairs
    assert gap.difference.value == pytest.approx(expected["tuned"]["estimate"], abs=1e-8)
    assert gap.difference.interval.method == "ppi"
    assert gap.difference.value == pytest.approx(
        pair.systems[0].rate.value - pair.systems[1].rate.value
    )
    assert read_result(pair.to_json()) == pair


def test_a_judge_that_says_the_opposite_is_left_out_and_that_is_said():
    data, expected = CASES["ppi-3"]
    rows = judged(data, ("Y", "Yhat", "Yhat_unlabeled", "a"))
    found = sy.evaluate(rows, value="a", judge="a judge").systems[0]
    assert found.centre.value == pytest.approx(expected["classical_lambda_0"]["estimate"])
    assert any("the judge adds nothing" in one for one in found.caveats)


def favoured(seed=4, items=500, labels=90):
    """Two equal systems; the judge gives b half a grade too much."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(3, 1, items)
    rows = {"item": np.arange(items), "speaker": np.arange(items) % 50}
    for name, more in (("a", 0.0), ("b", 0.5)):
        label = np.round(quality + rng.normal(0, 0.4, items), 1)
        rows[f"{name}.judge"] = np.round(label + more + rng.normal(0, 0.3, items), 1)
        rows[f"{name}.grade"] = [*label[:labels], *[None] * (items - labels)]
    return {name: list(column) for name, column in rows.items()}


ROLES = {"value": ["a.grade", "b.grade"], "judge": ["a.judge", "b.judge"]}


@pytest.mark.parametrize("cluster", [None, "speaker"])
def test_whom_a_judge_favours_is_said_and_corrected_for(cluster):
    rows = favoured()
    if cluster is None:
        del rows["speaker"]
    found = sy.compare(rows, **ROLES, cluster=cluster)
    (gap,) = found.pairs
    assert gap.verdict == "undecided"
    assert abs(gap.difference.value) < 0.15
    assert any("the judge favours b over a" in one for one in found.caveats)
    alone = sy.compare(rows, value=ROLES["judge"], cluster=cluster or "", higher_is_better=True)
    assert alone.pairs[0].verdict == "different"  # what the judge alone would say


def test_clusters_of_one_item_each_are_nearly_the_items_themselves():
    rows = favoured()
    plain = sy.compare(rows, **ROLES, cluster="").pairs[0].difference
    each = sy.compare({**rows, "speaker": rows["item"]}, **ROLES, cluster="speaker")
    found = each.pairs[0].difference
    # The weights differ a little: the judge's variance is taken over all items, or over parts.
    assert abs(found.value - plain.value) < plain.standard_error / 5
    assert found.standard_error == pytest.approx(plain.standard_error, rel=0.03)


def test_right_and_wrong_have_limits_that_reach_the_rule_of_three():
    right = [1] * 40 + [None] * 400
    rows = {"a": right, "a judge": [1] * 440}
    found = sy.evaluate(rows, outcome="a", judge="a judge").systems[0].centre
    assert found.value == 1
    assert found.interval.high == 1
    assert found.interval.low < 1 - 3 / 40


def test_gate_and_plan_take_a_judge_and_count_labels():
    rows = favoured()
    gate = sy.gate(rows, **ROLES, candidate="a", require="not worse by 0.3", cluster="")
    assert gate.outcome == "passes"
    claim = sy.gate(rows, **ROLES, candidate="a", claim="mean grade at least 2.5", cluster="")
    assert claim.claims[0].method == "ppi"
    plan = sy.plan(question="value", pilot=rows, **ROLES, difference=0.1, cluster="")
    plain = {name: column[:90] for name, column in rows.items()}
    without = sy.plan(
        question="value", pilot=plain, value=ROLES["value"], difference=0.1, cluster=""
    )
    assert plan.samples < without.samples
    assert any("items are those that people label" in one for one in plan.caveats)


def right_in_clusters():
    """Half of the clusters labelled as a whole; the judge says nearly what people do."""
    rng = np.random.default_rng(3)
    right = (rng.random((400, 2)) < 0.8) * 1.0
    labelled = np.arange(400) % 80 < 40
    rows = {"chat": [str(n % 80) for n in range(400)]}
    for at, name in enumerate("ab"):
        rows[name] = [x if there else None for x, there in zip(right[:, at], labelled, strict=True)]
        rows[f"{name}j"] = np.where(rng.random(400) < 0.9, right[:, at], 1.0).tolist()
    return rows


def test_clusters_of_unlike_items_are_hardly_less_sure_than_their_items():
    rows = right_in_clusters()
    asked = {"outcome": ["a", "b"], "judge": ["aj", "bj"]}
    wide, plain = (
        sy.compare(rows, **asked, cluster=cluster).pairs[0].difference.interval
        for cluster in ("chat", "")
    )
    assert wide.high - wide.low < 1.25 * (plain.high - plain.low)


def test_one_label_that_was_not_seen_moves_a_difference_as_far_as_a_mean():
    rows = {"a": [1] * 50 + [None] * 200, "aj": [1] * 250}
    found = sy.compare(
        {**rows, "b": rows["a"], "bj": rows["aj"]}, outcome=["a", "b"], judge=["aj", "bj"]
    )
    ends, single = found.pairs[0].difference.interval, found.systems[0].rate
    assert ends.high == pytest.approx(1 - single.interval.low, rel=1e-12)


def test_a_gate_on_grades_at_their_ceiling_allows_for_a_label_that_was_not_seen():
    rng = np.random.default_rng(5)
    grade = np.clip(np.rint(rng.normal(5.5, 1, 480)), 1, 5)
    rows = {"a": [*grade[:40], *[None] * 440], "aj": grade.tolist()}
    asked = {"value": "a", "judge": "aj", "cluster": ""}
    low = sy.evaluate(rows, **asked, level=0.9).systems[0].centre.interval.low
    gate = sy.gate(rows, **asked, candidate="a", claim="mean at least 4")
    assert gate.claims[0].low < low - 0.01
    assert any("values are skewed" in one for one in gate.claims[0].caveats)


def test_few_labels_are_not_called_unlike_the_others_by_chance():
    rng = np.random.default_rng(2)
    warned = 0
    for _ in range(40):
        judged = (rng.random(300) < 0.8) * 1.0
        rows = {"a": [*judged[:5], *[None] * 295], "aj": judged.tolist()}
        found = sy.evaluate(rows, outcome="a", judge="aj").systems[0]
        warned += any("hardly drawn at random" in one for one in found.caveats)
    assert warned == 0


def test_clusters_that_were_picked_by_the_judge_are_said_to_be_no_random_part():
    code = np.arange(600) // 10
    judged = np.random.default_rng(1).normal(code / 10, 0.5)
    rows = {"chat": code.astype(str).tolist(), "aj": judged.tolist()}
    rows["a"] = [*judged[:150], *[None] * 450]
    found = sy.evaluate(rows, value="a", judge="aj", cluster="chat").systems[0]
    assert "hardly drawn at random" in found.caveats[0]


def test_labels_for_one_system_only_are_said_not_to_count():
    rows = favoured()
    rows["b.grade"] = [*[None] * 60, *rows["b.grade"][60:]]
    found = sy.compare(rows, **ROLES, cluster="")
    assert any("60 further items with a label for some systems only" in x for x in found.caveats)
    assert "500 common items, 30 with labels of people" in found.sentence()


def test_limits_of_a_difference_stay_inside_the_range():
    rows = {"a": [1, 1, 0, *[None] * 97], "b": [0, 1, 1, *[None] * 97]}
    rows |= {"aj": [1, 0] * 50, "bj": [0, 1] * 50}
    ends = sy.compare(rows, outcome=["a", "b"], judge=["aj", "bj"]).pairs[0].difference.interval
    assert (ends.low, ends.high) == (-1, 1)


def test_slices_are_judged_each_by_labels_of_their_own():
    rows = {**favoured(), "site": ["x", "y"] * 250}
    found = sy.compare(rows, **ROLES, group="site", cluster="")
    own = {name: column[::2] for name, column in rows.items()}
    alone = sy.compare(own, **ROLES, cluster="", group="")
    assert found.slices[0].pairs[0].difference == alone.pairs[0].difference


def test_labels_that_are_no_random_part_are_said_to_be_none():
    rows = favoured()
    order = np.argsort(rows["a.judge"])  # people were given the worst items
    rows = {name: [column[at] for at in order] for name, column in rows.items()}
    grades = np.round(np.array(rows["a.judge"]), 1)
    rows["a.grade"] = [*grades[:90], *[None] * 410]
    found = sy.evaluate(rows, value="a.grade", judge="a.judge", cluster="")
    assert "hardly drawn at random" in found.systems[0].caveats[0]


PERCENT = {"a.grade": [0.1 + n % 9 / 10 for n in range(500)],
           "a.judge": [10.0 + n % 90 for n in range(500)]}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "given", "words"),
    [
        ({}, {"judge": "a.judge"}, "Name the judge's column of each system"),
        ({}, {"judge": ["a.judge", "no"]}, "No column 'no'"),
        ({}, {"method": "wilcoxon"}, "looks at single items"),
        ({}, {"weight": "item"}, "carry weights"),
        ({"a.grade": [1.0, 2.0, *[None] * 498]}, {}, "2 of 500 items have a label of people"),
        ({"a.judge": [None, *range(499)]}, {}, "A judge has a value for every item"),
        ({"a.judge": [float("inf"), *range(499)]}, {}, "infinite"),
        ({}, {"range": (1, 2)}, "outside the stated range"),
        (PERCENT, {}, "shares beside percent"),
    ],
)
def test_what_a_judge_cannot_be_used_for_is_refused_in_words(change, given, words):
    with pytest.raises(SteelyardError, match=words):
        sy.compare({**favoured(), **change}, **{**ROLES, "cluster": "", **given})


@pytest.mark.parametrize("cluster", ["", "speaker"])
def test_what_was_done_with_a_judge_is_said_and_cited(cluster):
    from steelyard.surfaces.report.methods import methods_of

    rows = favoured()
    found = sy.compare(rows, **ROLES, cluster=cluster)
    report = methods_of(sy.evaluate(rows, **ROLES, cluster=cluster), found)
    for said in (found.methods(), " ".join(f"{one.said} {one.sources}" for one in report)):
        assert "prediction-powered inference from labels of people and a judge" in said
        assert "arXiv:2311.01453" in said and "the method" not in said
    assert "on 500 common items, 90 with labels of people" in found.methods()


def test_a_judge_is_named_on_the_command_line(tmp_path):
    from steelyard.surfaces.cli.entry import steelyard

    rows = favoured()
    lines = [",".join(rows)] + [
        ",".join("" if one is None else str(one) for one in row)
        for row in zip(*rows.values(), strict=True)
    ]
    path = tmp_path / "judged.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    asked = ["compare", str(path), "--value", "a.grade,b.grade", "--judge", "a.judge,b.judge"]
    shown = CliRunner().invoke(steelyard, asked)
    assert "judge minus people" in shown.output
    answer = json.loads(CliRunner().invoke(steelyard, [*asked, "--json"]).output)
    assert answer["judged"][1]["labels"] == 90


def mirrored(rows):
    return {name: [None if x is None else -x for x in column] for name, column in rows.items()}


def lopsided(seed, items=300, labels=120):
    """Make two systems and a judge that gives more to the first than people do."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=items)
    people = {name: quality + rng.normal(0, 0.5, items) for name in "ab"}
    rows = {name: [*one[:labels], *[None] * (items - labels)] for name, one in people.items()}
    rows["a judge"] = people["a"] + 0.6 + rng.normal(0, 0.3, items)
    rows["b judge"] = people["b"] + rng.normal(0, 0.3, items)
    return {name: [None if x is None else float(x) for x in one] for name, one in rows.items()}


def test_whom_a_judge_favours_turns_with_the_better_way():
    """More is worse of errors: a judge that counts more of them favours the other system."""
    rows, names = lopsided(1), {"value": ["a", "b"], "judge": ["a judge", "b judge"]}
    for way in ("higher", "lower"):
        other = "lower" if way == "higher" else "higher"
        found = sy.compare(rows, **names, **{f"{way}_is_better": True})
        turned = sy.compare(mirrored(rows), **names, **{f"{other}_is_better": True})
        (said,) = [one for one in found.caveats if "favours" in one]
        assert said in turned.caveats
        assert ("favours a over b" in said) == (way == "higher")
    for way, word in (("higher", "lenient"), ("lower", "strict")):
        alone = {"value": "a", "judge": "a judge", f"{way}_is_better": True}
        assert any(
            f"alone is {word}" in one for one in sy.evaluate(rows, **alone).systems[0].caveats
        )
    plain = sy.evaluate(rows, value="a", judge="a judge").systems[0].caveats
    assert any("alone is off" in one for one in plain)


def test_a_judge_on_another_scale_is_told_so_and_not_called_strict():
    rows = lopsided(2)
    rows["a judge"] = [one / 20 for one in rows["a judge"]]
    caveats = sy.evaluate(rows, value="a", judge="a judge").systems[0].caveats
    assert any("bring both to one scale" in one for one in caveats)
    assert not any("alone is" in one for one in caveats)


def test_right_answers_that_a_judge_calls_are_an_accuracy_of_one_system_too():
    rng = np.random.default_rng(3)
    right = (rng.random(200) < 0.8).astype(int).tolist()
    rows = {"a": [*right[:80], *[None] * 120], "a judge": right}
    asked = {"outcome": "a", "judge": "a judge"}
    assert sy.evaluate(rows, **asked).systems[0].centre.measure == "mean accuracy"
    assert sy.gate(rows, claim=["accuracy at least 0.6"], **asked).outcome == "passes"


def test_a_plan_to_tell_two_means_apart_needs_no_better_way():
    rows, names = lopsided(4), {"value": ["a", "b"], "judge": ["a judge", "b judge"]}
    asked = {"question": "value", "pilot": rows, "difference": 0.5, **names}
    plain = sy.plan(**asked)
    assert plain.samples == sy.plan(**asked, lower_is_better=True).samples
    with pytest.raises(SteelyardError, match="Is a lower or a higher"):
        sy.plan(**asked, claim="not-inferior", margin=0.1)
