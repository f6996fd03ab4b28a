"""A rule that decides on the way needs to know the way."""

import pytest

import steelyard as sy
from steelyard.comparison.methods import METHODS
from steelyard.comparison.methods.item_order import MOST
from steelyard.errors import NotComparable, RequestError

TURNED = sy.Outcomes.from_pair(both=0, first=6, second=12, neither=2, systems=("A", "B"))
ROWS = {"item": list(range(18)), "A": [1] * 6 + [0] * 12, "B": [0] * 6 + [1] * 12}
ROLES = {"item": "item", "outcome": ["A", "B"]}
ORDERED = ["wald", "wald-lead", "wald-msrb-a", "wald-msrb-b", "betting"]


def test_all_methods_that_look_at_the_order_take_one():
    assert [name for name, method in METHODS.items() if "order" in method.options] == ORDERED


@pytest.mark.parametrize("name", ORDERED)
def test_counts_whose_order_matters_are_refused_in_words(name):
    with pytest.raises(NotComparable, match="order of the items") as refusal:
        sy.compare(TURNED, method=name)
    assert "order=item" in str(refusal.value)
    assert "order=random" in str(refusal.value)


@pytest.mark.parametrize("name", ORDERED)
def test_counts_have_no_order_of_items(name):
    with pytest.raises(NotComparable, match="every item and its id"):
        sy.compare(TURNED, method=name, using={"order": "item"})


def test_the_first_to_lead_wins_though_the_other_leads_in_the_end():
    found = sy.compare(ROWS, method="wald-lead", using={"smallest": 2, "order": "item"}, **ROLES)
    assert found.answer == "A is better than B."
    sheet = found.sheets[0]
    assert sheet.rows[0].values[:3] == (5, 0, 5)


def test_the_order_of_the_rows_does_not_matter_that_of_the_ids_does():
    for places in (range(17, -1, -1), [*range(9, 18), *range(9)]):
        mixed = {name: [values[at] for at in places] for name, values in ROWS.items()}
        found = sy.compare(
            mixed, method="wald-lead", using={"smallest": 2, "order": "item"}, **ROLES
        )
        assert found.answer == "A is better than B."


def test_ids_that_are_no_numbers_sort_as_text():
    dated = {**ROWS, "item": [f"2026-01-{day:02}" for day in range(1, 19)]}
    found = sy.compare(dated, method="wald", using={"order": "item"}, **ROLES)
    assert found.decision == "keep first"


def test_walds_test_is_decided_where_it_crosses():
    found = sy.compare(ROWS, method="wald", using={"order": "item"}, **ROLES)
    assert found.decision == "keep first"
    assert found.sheets[0].rows[0].values[0] < 18


def test_a_random_order_is_drawn_with_the_seed_and_said():
    close = sy.Outcomes.from_pair(both=0, first=10, second=12, neither=2, systems=("A", "B"))
    using = {"smallest": 5, "order": "random"}
    answers = {
        sy.compare(close, method="wald-lead", using=using, rng=seed).answer for seed in range(12)
    }
    assert len(answers) > 1
    again = [sy.compare(close, method="wald-lead", using=using, rng=3) for _ in range(2)]
    assert again[0].sheets == again[1].sheets
    assert "random order" in " ".join(again[0].caveats)


def test_where_every_order_ends_alike_no_order_is_asked_for():
    clear = sy.Outcomes.from_pair(both=160, first=18, second=5, neither=17, systems=("S", "T"))
    assert sy.compare(clear, method="wald").decision == "keep first"
    lead = sy.compare(clear, method="wald-lead")
    assert lead.answer == "S is better than T."
    assert "whatever the order" in lead.caveats[0]
    few = sy.Outcomes.from_pair(both=160, first=3, second=2, neither=17, systems=("S", "T"))
    assert sy.compare(few, method="wald-lead").decision == "undecided"
    assert sy.compare(few, method="wald").decision == "continue"


def test_an_unknown_order_is_refused_with_the_choices():
    with pytest.raises(RequestError, match="item, random"):
        sy.compare(TURNED, method="wald", using={"order": "rows"})


def test_of_very_many_items_the_first_of_a_random_order_are_run_through():
    many = sy.Outcomes.from_pair(
        both=10**9, first=2 * 10**8, second=10**8, neither=0, systems=("A", "B")
    )
    found = sy.compare(many, method="betting", using={"order": "random"})
    assert found.sheets[0].rows[0].values[0] == MOST
    assert found.answer == "A is better than B."
    assert f"{MOST:,} of 1,300,000,000" in found.caveats[0]
