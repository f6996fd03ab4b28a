"""Counts and settings that no comparison can answer, or that it must answer with care."""

import json
import math
import sys

import pytest
from surfaces import in_the_terminal

import steelyard as sy
from steelyard.errors import SteelyardError
from steelyard.surfaces.cli.entry import main

GOOD = {"correct": {"S": 5, "T": 7}, "tested": 10}
TYPED = ("--correct", "S=5,T=7", "--tested", "10")


def typed(monkeypatch, capsys, *words):
    """Type a comparison and give what it left behind."""
    monkeypatch.setattr(sys, "argv", ["steelyard", "compare", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code, *capsys.readouterr()


def refused(counts, **asked):
    with pytest.raises(SteelyardError) as caught:
        sy.compare(sy.Trials(pairing=counts.get("pairing", "independent"), **{
            name: value for name, value in counts.items() if name != "pairing"
        }), **asked)  # fmt: skip
    return str(caught.value)


REFUSED = {
    "more right than tested": (
        {"correct": {"S": 201, "T": 194}, "tested": 200}, {},
        ("--correct", "S=201,T=194", "--tested", "200"), "S: 201 right of 200 tested",
    ),
    "nothing tested": (
        {"correct": {"S": 0, "T": 0}, "tested": 0}, {},
        ("--correct", "S=0,T=0", "--tested", "0"), "a rate needs at least one",
    ),
    "one of them not tested": (
        {"correct": {"S": 5, "T": 0}, "tested": {"S": 10, "T": 0}}, {},
        ("--correct", "S=5,T=0", "--tested", "S=10,T=0"), "T: tested on 0 items",
    ),
    "fewer than none": (
        {"correct": {"S": -1, "T": 0}, "tested": 10}, {},
        ("--correct", "S=-1,T=0", "--tested", "10"), "a whole number, 0 or more",
    ),
    "one system": (
        {"correct": {"S": 5}, "tested": 10}, {},
        ("--correct", "S=5", "--tested", "10"), "needs two or more",
    ),
    "common items of which there are different numbers": (
        {"correct": {"S": 5, "T": 6}, "tested": {"S": 10, "T": 12}, "pairing": "common"}, {},
        ("--correct", "S=5,T=6", "--tested", "S=10,T=12", "--pairing", "common"),
        "cannot have different totals",
    ),
    "a prior of nothing": (
        GOOD, {"prior": {"S": (0.0, 1.0)}}, (*TYPED, "--prior", "S=0:1"), "two positive numbers",
    ),
    "a prior below nothing": (
        GOOD, {"prior": (-1.0, 1.0)}, (*TYPED, "--prior=-1:1"), "two positive numbers",
    ),
    "a prior that is no number": (
        GOOD, {"prior": (math.nan, 1.0)}, (*TYPED, "--prior", "nan:1"), "two positive numbers",
    ),
    "a prior without end": (
        GOOD, {"prior": (math.inf, 1.0)}, (*TYPED, "--prior", "inf:1"), "two positive numbers",
    ),
    "a prior for a stranger": (
        GOOD, {"prior": {"U": (2.0, 1.0)}}, (*TYPED, "--prior", "U=2:1"), "the systems are S, T",
    ),
    "a prior with common items": (
        GOOD | {"pairing": "common"}, {"prior": (2.0, 1.0)},
        (*TYPED, "--pairing", "common", "--prior", "2:1"), "not possible with common items",
    ),
    "a margin below nothing": (
        GOOD, {"margin": -0.1}, (*TYPED, "--margin", "-0.1"), "Type margin=0.02 (--margin 0.02)",
    ),
    "a margin in percent": (
        GOOD, {"margin": 2.0}, (*TYPED, "--margin", "2"), "For 2% type margin=0.02",
    ),
    "a level in percent": (
        GOOD, {"level": 95.0}, (*TYPED, "--level", "95"), "For 95% type level=0.95",
    ),
    "a level of nothing": (
        GOOD, {"level": 0.0}, (*TYPED, "--level", "0"), "Type level=0.95 (--level 0.95)",
    ),
    "a level that is no number": (
        GOOD, {"level": math.nan}, (*TYPED, "--level", "nan"), "level=nan is not strictly between",
    ),
    "an error rate of nothing": (
        GOOD, {"alpha": 0.0}, (*TYPED, "--alpha", "0"), "Type alpha=0.05 (--alpha 0.05)",
    ),
    "an error rate of everything": (
        GOOD, {"alpha": 1.0}, (*TYPED, "--alpha", "1"), "alpha=1.0 is not strictly between",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("method", [None, "difference", "posterior", "akaike"])
def test_what_cannot_be_compared_is_refused_in_the_same_words_everywhere(
    name, method, monkeypatch, capsys
):
    counts, asked, words, expected = REFUSED[name]
    message = refused(counts, method=method, **asked)
    assert expected in message
    with_method = () if method is None else ("--method", method)
    code, out, err = typed(monkeypatch, capsys, *words, *with_method)
    assert (out, err) == ("", in_the_terminal(message, err, []))
    assert code in {1, 2}


def test_systems_said_to_share_items_that_do_not_are_refused_alike(tmp_path, monkeypatch, capsys):
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text("id,truth,A\n1,a,a\n2,b,a\n", encoding="utf-8")
    second.write_text("id,truth,B\n3,a,a\n4,b,a\n", encoding="utf-8")
    with pytest.raises(SteelyardError) as caught:
        sy.compare({"A": str(first), "B": str(second)}, truth="truth", item="id", pairing="common")
    assert "They share no item at all" in str(caught.value)
    code, out, err = typed(
        monkeypatch, capsys, f"A={first}", f"B={second}",
        "--truth", "truth", "--item", "id", "--pairing", "common",
    )  # fmt: skip
    assert (code, out, err) == (1, "", in_the_terminal(caught.value, err, []))


def numbers_in(held, path=""):
    """Walk through all numbers of a result, with where they stand."""
    if isinstance(held, dict):
        for name, value in held.items():
            yield from numbers_in(value, f"{path}/{name}")
    elif isinstance(held, list):
        for place, value in enumerate(held):
            yield from numbers_in(value, f"{path}/{place}")
    elif isinstance(held, int | float) and not isinstance(held, bool):
        yield path, held


def pair(both, first, second, neither):
    return sy.Outcomes.from_pair(
        both=both, first=first, second=second, neither=neither, systems=("S", "T")
    )


def apart(first, second, tested):
    return sy.Trials(correct={"S": first, "T": second}, tested=tested, pairing="independent")


EVEN = {
    "the same items right": pair(7, 0, 0, 3),
    "all right": pair(10, 0, 0, 0),
    "all wrong": pair(0, 0, 0, 10),
    "one item, right": pair(1, 0, 0, 0),
    "one item, wrong": pair(0, 0, 0, 1),
    "apart, the same rate": apart(7, 7, 10),
    "apart, all right": apart(10, 10, 10),
    "apart, all wrong": apart(0, 0, 10),
    "apart, one item each": apart(1, 1, 1),
}


@pytest.mark.parametrize("name", EVEN)
@pytest.mark.parametrize("margin", [None, 0.05])
def test_systems_with_nothing_between_them_get_p_of_one_and_an_honest_interval(name, margin):
    found = sy.compare(EVEN[name], margin=margin)
    (only,) = found.pairs
    assert (only.p_value, only.adjusted_p, only.difference.value) == (1.0, 1.0, 0.0)
    assert only.difference.interval.low < 0 < only.difference.interval.high
    assert only.better == pytest.approx(0.5, abs=1e-12)
    assert only.verdict in ({"undecided"} if margin is None else {"undecided", "same"})
    assert all(math.isfinite(value) for _, value in numbers_in(json.loads(found.to_json())))
    for one in found.systems:
        ends = one.rate.interval
        assert 0 <= ends.low < ends.high <= 1
        assert ends.low <= one.rate.value <= ends.high


def methods_for(data):
    listed = sy.compare(data, method="list", margin=0.05)
    return [row.keys[0] for row in listed.sheets[0].rows]


@pytest.mark.parametrize("name", EVEN)
def test_every_method_answers_or_refuses_systems_with_nothing_between_them(name):
    answered = 0
    for method in methods_for(EVEN[name]):
        try:
            found = sy.compare(EVEN[name], method=method, margin=0.05)
        except SteelyardError as refusal:
            assert len(str(refusal)) > 20, method
            continue
        answered += 1
        held = json.loads(found.to_json())
        assert all(math.isfinite(value) for _, value in numbers_in(held)), method
        for table in found.sheets:
            for row in table.rows:
                for head, value in zip(table.columns, row.values, strict=True):
                    if "p-value" in head and value is not None:
                        assert value > 0.05, (method, head)
        assert found.decision != "different", method
    assert answered > 10
