"""A column of groups that was asked for is used in every slice, or refused by name."""

import numpy as np
import pytest

import steelyard as sy
from steelyard.errors import NotComparable
from steelyard.journey.declared_roles import SLICES_ELSEWHERE

ITEMS = 120
RNG = np.random.default_rng(3)
TRUTH = np.where(RNG.random(ITEMS) < 0.4, "ship", "sea")
OTHER = np.where(TRUTH == "ship", "sea", "ship")
SITE = [f"g{place % 3}" for place in range(ITEMS)]


def called(share):
    return np.where(RNG.random(ITEMS) < share, TRUTH, OTHER).tolist()


def scored(steep):
    signs = np.where(TRUTH == "ship", 0.5, -0.5)
    return (1 / (1 + np.exp(-steep * signs - RNG.normal(size=ITEMS)))).round(4).tolist()


CALLS = {"truth": TRUTH.tolist(), "new": called(0.9), "old": called(0.75), "site": SITE}
SCORES = {"truth": TRUTH.tolist(), "new": scored(3), "old": scored(1.5), "site": SITE}
NUMBERS = {"x": RNG.normal(3, 1, ITEMS).round(3).tolist(), "site": SITE}
SHIP = {"positive": "ship", "group": "site"}


def within(columns, group):
    """Keep the rows of one group, without the column that names it."""
    rows = [place for place, one in enumerate(columns["site"]) if one == group]
    return {name: [values[at] for at in rows] for name, values in columns.items() if name != "site"}


def test_compare_uses_a_group_that_was_asked_for_and_no_other():
    found = sy.compare(CALLS, group="site")
    for one in found.slices:
        alone = sy.compare(within(CALLS, one.slice))
        assert [s.rate for s in one.systems] == [s.rate for s in alone.systems]
    named = {name if name != "site" else "group": values for name, values in CALLS.items()}
    assert sy.compare(named).slices == ()


def test_areas_are_compared_within_slices_and_adjusted_over_all():
    found = sy.compare(SCORES, **SHIP)
    assert [one.slice for one in found.slices] == ["g0", "g1", "g2"]
    for one in found.slices:
        alone = sy.compare(within(SCORES, one.slice), positive="ship")
        (pair,), (own,) = one.pairs, alone.pairs
        assert pair.difference == own.difference
        assert pair.p_value == own.p_value <= pair.adjusted_p


def test_a_slice_without_a_class_is_named():
    columns = {
        **SCORES,
        "site": ["all" if one == "ship" else s for one, s in zip(TRUTH, SITE, strict=True)],
    }
    found = sy.compare(columns, **SHIP)
    assert found.slices == ()
    assert any("no areas to compare in all, g0, g1 and g2" in one for one in found.caveats)


@pytest.mark.parametrize(
    ("verb", "ask"),
    [
        ("gate", lambda: sy.gate(CALLS, require="better", candidate="new", baseline="old", **SHIP)),
        (
            "gate by measure",
            lambda: sy.gate(SCORES, claim="AUC at least 0.7", candidate="new", **SHIP),
        ),
        (
            "gate by measure",
            lambda: sy.gate(NUMBERS, claim="mean at least 1", value="x", group="site"),
        ),
        ("roc", lambda: sy.roc(SCORES, **SHIP)),
        ("threshold", lambda: sy.threshold(SCORES, systems=["new"], **SHIP)),
        ("calibration", lambda: sy.calibration(SCORES, **SHIP)),
        ("targeting", lambda: sy.targeting(SCORES, **SHIP)),
        ("agreement", lambda: sy.agreement(CALLS, group="site")),
        ("plan", lambda: sy.plan(pilot=CALLS, group="site")),
    ],
)
def test_a_verb_that_takes_all_groups_together_refuses_one_by_name(verb, ask):
    with pytest.raises(NotComparable, match=rf"--group site.*{verb} takes all") as refused:
        ask()
    assert refused.value.code == "grouped"
    assert SLICES_ELSEWHERE[verb].format(group="site") in str(refused.value)


SURE = {"p": CALLS["new"], "sure": [0.5 + n / 300 for n in range(ITEMS)]}


@pytest.mark.parametrize(
    ("role", "ask"),
    [
        ("unknown", lambda data: sy.evaluate(data, systems=["p"], unknown="?", group="site")),
        (
            "certainty",
            lambda data: sy.evaluate(data, systems=["p"], certainty="sure", group="site"),
        ),
    ],
)
def test_a_role_that_takes_all_items_together_refuses_a_group(role, ask):
    data = {"truth": CALLS["truth"], **SURE, "site": SITE}
    with pytest.raises(NotComparable, match=f"--group site.*--{role}") as refused:
        ask(data)
    assert refused.value.code == "grouped"


def test_what_a_refusal_names_instead_works():
    for measure in ("AUC", "brier", "lift at 0.1"):
        (first, *_) = sy.evaluate(SCORES, measure=measure, **SHIP).systems
        assert {one.of for one in first.slices} == {"g0", "g1", "g2"}
    rates = sy.evaluate(SCORES, threshold=0.5, measure="false alarm rate", **SHIP).systems[0]
    for one in rates.slices:
        part = within(SCORES, one.of)
        seas = [
            score for score, true in zip(part["new"], part["truth"], strict=True) if true == "sea"
        ]
        assert (one.successes, one.trials) == (sum(score >= 0.5 for score in seas), len(seas))


def test_methods_over_data_sets_take_groups_as_these():
    found = sy.compare(CALLS, group="site", method="mcnemar-stratified")
    assert found.method == "mcnemar-stratified"
