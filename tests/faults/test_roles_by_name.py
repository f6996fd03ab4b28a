"""A column is no weight, cluster, group, fold or rater because of its name alone."""

import pytest

import steelyard as sy
from steelyard.errors import SteelyardError

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
def test_a_feature_that_is_called_like_a_role_changes_no_number(verb, name):
    plain, beside = verb(ROWS), verb({**ROWS, name: EXTRA[name]})
    said = f"a column is called {name} and was left aside; to use it: {name}='{name}' (--{name}"
    assert any(one.startswith(said) for one in beside.caveats)
    assert beside.rows() == plain.rows()


@pytest.mark.parametrize("name", list(EXTRA))
def test_a_role_that_is_declared_is_used(name):
    found = sy.evaluate({**ROWS, name: EXTRA[name]}, **{name: name})
    assert not any("left aside" in one for one in found.caveats)
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
    assert beside.caveats[0].startswith(f"{name} looks like ids of the items and was left aside")


def test_who_is_named_as_a_rater_is_one():
    found = sy.agreement({"stem": IDS["stem"], **RATED}, raters=["ann", "stem"])
    assert found.raters == ("ann", "stem")


def test_raters_who_never_repeat_themselves_stay_raters():
    assert sy.agreement({"ann": list("abc"), "bob": list("abc")}).raters == ("ann", "bob")


def test_ids_beside_one_rater_are_refused_in_words():
    with pytest.raises(SteelyardError, match="image_id looks like ids"):
        sy.agreement({"image_id": IDS["image_id"], "ann": RATED["ann"]})
