"""A column that is a weight, cluster, group or fold for its name: the answer says so."""

import pytest
from click.testing import CliRunner

import steelyard as sy
from steelyard.errors import SteelyardError
from steelyard.surfaces.cli.entry import steelyard
from steelyard.surfaces.cli.refusals import show_refusal

ROWS = {
    "id": [str(n) for n in range(8)],
    "truth": list("abababab"),
    "cnn": list("ababbaab"),
    "svm": list("abbbabab"),
}
EXTRA = {
    "weight": [1, 9, 1, 5, 1, 2, 30, 1],
    "cluster": list("ppppqqqq"),
    "group": list("xxxyyyzz"),
    "fold": [0, 0, 1, 1, 2, 2, 3, 3],
}


@pytest.mark.parametrize("name", list(EXTRA))
@pytest.mark.parametrize("verb", [sy.evaluate, sy.compare])
def test_a_role_that_was_given_for_a_name_alone_is_said_first(verb, name):
    found = verb({**ROWS, name: EXTRA[name]})
    said = f"the column {name} is taken as the {name} of each item, for its name alone"
    assert found.caveats[0].startswith(said)
    assert f"{name}='' (--{name} '')" in found.caveats[0]


@pytest.mark.parametrize("name", list(EXTRA))
@pytest.mark.parametrize("verb", [sy.evaluate, sy.compare])
def test_a_feature_that_is_called_like_a_role_can_be_declined(verb, name):
    plain, beside = verb(ROWS), verb({**ROWS, name: EXTRA[name]}, **{name: ""})
    assert beside.rows() == plain.rows()
    assert beside.caveats == plain.caveats


@pytest.mark.parametrize("name", list(EXTRA))
def test_the_command_line_says_it_in_its_first_line(tmp_path, name):
    columns = {**ROWS, name: EXTRA[name]}
    lines = [
        ",".join(columns),
        *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True)),
    ]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    said = CliRunner().invoke(steelyard, ["evaluate", str(tmp_path / "rows.csv")]).output
    assert said.startswith(f"The column {name} is taken as the {name} of each item, for its name")
    declined = ["evaluate", str(tmp_path / "rows.csv"), f"--{name}", ""]
    assert CliRunner().invoke(steelyard, declined).output.startswith("svm is right on")


@pytest.mark.parametrize("name", list(EXTRA))
def test_a_role_that_is_declared_is_used_without_a_word(name):
    found = sy.evaluate({**ROWS, name: EXTRA[name]}, **{name: name})
    assert not any("name alone" in one for one in found.caveats)
    assert (name, f"column '{name}'") in found.provenance.understood


def test_a_column_of_that_name_may_be_named_as_a_system():
    found = sy.evaluate({**ROWS, "group": ROWS["truth"]}, systems=["group"])
    assert [one.system for one in found.systems] == ["group"]


RATED = {"ann": list("aabbccaabb"), "bob": list("aabbcabbca"), "eve": list("aabbccbabb")}
IDS = {
    "image_id": [str(n) for n in range(10)],
    "filename": [f"{n}.png" for n in range(10)],
    "stem": [f"frame {n}" for n in range(10)],
    "sampleId": [n for n in range(10)],
    "uuid": [f"{n:032x}" for n in range(10)],
}


@pytest.mark.parametrize("name", list(IDS))
def test_a_column_of_ids_is_no_rater(name):
    plain, beside = sy.agreement(RATED), sy.agreement({name: IDS[name], **RATED})
    assert beside.raters == plain.raters == ("ann", "bob", "eve")
    assert beside.coefficients == plain.coefficients
    assert beside.caveats[0].startswith(f"left aside: {name} looks like ids of the items; if it")


def test_who_is_named_as_a_rater_is_one():
    found = sy.agreement({"stem": IDS["stem"], **RATED}, raters=["ann", "stem"])
    assert found.raters == ("ann", "stem")


def test_raters_who_never_repeat_themselves_stay_raters():
    assert sy.agreement({"ann": list("abc"), "bob": list("abc")}).raters == ("ann", "bob")


def test_ids_beside_one_rater_are_refused_in_words():
    with pytest.raises(SteelyardError, match="image_id looks like ids"):
        sy.agreement({"image_id": IDS["image_id"], "ann": RATED["ann"]})


FEATURES = {
    "patient": [str(n // 3) for n in range(10)],
    "site": ["north", "south"] * 5,
    "Weight": [n % 4 + 1 for n in range(10)],
}


@pytest.mark.parametrize("name", list(FEATURES))
def test_a_column_that_says_what_nobody_else_says_is_no_rater(name):
    plain, beside = sy.agreement(RATED), sy.agreement({name: FEATURES[name], **RATED})
    assert beside.raters == plain.raters
    assert beside.coefficients == plain.coefficients
    assert beside.caveats[0].startswith(f"left aside: {name} says nothing that any other")
    named = sy.agreement({name: FEATURES[name], **RATED}, raters=["ann", "bob", name])
    assert named.raters == ("ann", "bob", name)


def test_two_raters_without_a_common_word_are_told_so():
    found = sy.agreement({"ann": list("yynn"), "bob": list("1100")})
    assert found.caveats[0].startswith("ann and bob have no category in common")


@pytest.mark.parametrize("name", list(EXTRA))
def test_a_report_says_it_before_the_answer(tmp_path, name):
    from steelyard.journey.reporting import report_content
    from steelyard.surfaces.report import report_html

    html = report_html(report_content({**ROWS, name: EXTRA[name]}))
    taken = html.index(f"The column {name} is taken as the {name} of each item, for its name")
    assert taken < html.index('class="answer"')


def test_a_column_that_a_campaign_names_as_a_system_is_no_truth_whatever_it_is_called(tmp_path):
    """Column y was taken for the truth, and x judged by how often it agrees with y."""
    from tests.typed import type_words

    rows = "".join(f"{n},{int(n % 10 < 9)},{int(n % 10 < 6)}\n" for n in range(40))
    (tmp_path / "r.csv").write_text("item,x,y\n" + rows)
    new = ["campaign", "new", "c.db", "--systems", "x,y", "--stop", "n >= 99"]
    assert type_words(new, folder=tmp_path).code == 0
    refused = type_words(["campaign", "add", "c.db", "r.csv"], folder=tmp_path)
    assert "No column says what is true" in refused.words
    added = type_words(["campaign", "add", "c.db", "r.csv", "--outcome", "x,y"], folder=tmp_path)
    assert "80 results" in added.out


def test_long_names_leave_room_for_what_to_type_next():
    columns = {f"meta-llama/Llama-3.1-8B-Instruct-AWQ-checkpoint-{n}": [1, 0] for n in range(40)}
    with pytest.raises(sy.SteelyardError) as refused:
        sy.compare({"item": ["a", "b"], **columns})
    said = " ".join(show_refusal(str(refused.value)).split())
    assert "--outcome meta-llama/Llama-3.1-8B-Instruct-AWQ-checkpoint-0," in said
    assert "more say right and wrong" in said
    assert said.endswith("(--truth answers.csv:COLUMN).")


@pytest.mark.parametrize("role", ["called", "systems"])
def test_a_column_may_have_the_mark_of_a_template_in_its_name(role):
    truth = ["a", "b"] * 4
    data = {"truth": truth, "lr=0.1": truth, "lr=0.2": truth[::-1]}
    found = sy.evaluate(data, **{role: ["lr=0.1", "lr=0.2"]}).systems
    assert [(one.system, one.accuracy.value) for one in found] == [("lr=0.1", 1), ("lr=0.2", 0)]


def test_what_is_measured_of_an_item_is_no_score_beside_systems():
    """A named positive class makes no system of hours and ages, beside calls or beside scores."""
    systems = {"truth": ["ship", "sea", "ship", "sea"] * 5, "item": list(range(20))}
    measured = {"hours": [0.02] * 20, "Age (years)": [31.5, 40.0, 62.0, 25.5] * 5}
    calls = {"new": ["ship", "sea"] * 10, "old": ["sea", "sea", "ship", "sea"] * 5}
    scores = {"svm": [0.9, 0.1, 0.8, 0.4] * 5, "rf": [0.7, 0.3, 0.6, 0.5] * 5}
    for answers in (calls, scores, calls | scores):
        found = sy.evaluate(systems | measured | answers, positive="ship")
        assert {one.system for one in found.systems} == set(answers)
        aside = dict(found.provenance.understood)["left aside"]
        assert all(name in aside for name in measured)
    alone = sy.evaluate(systems | {"hours": [0.9, 0.1, 0.8, 0.4] * 5}, positive="ship")
    assert [one.system for one in alone.systems] == ["hours"]
