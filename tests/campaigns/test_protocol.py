"""A protocol is frozen: the same promise has the same hash, and another one has another."""

import json

import pytest

from steelyard.campaigns.protocol import Protocol, item_order
from steelyard.errors import LedgerError, RequestError

RULES = [
    "best >= 0.95 or n >= 1000",
    "ranking >= 0.9",
    "pair(a, b) >= 0.99",
    "same(a, b, 0.02) >= 0.95",
    "loss <= 0.005",
    "evidence >= 20",
    "spending(obrien-fleming, 5 looks) or n >= 1000",
    "wald(1.0, 2.5)",
    "double-wald(0.65, alpha=0.1)",
    "wald-msrb(1.5, B)",
    "racing",
    "cost >= 10.5 and n >= 2",
]


@pytest.mark.parametrize("rule", RULES)
def test_a_protocol_comes_back_from_its_text(rule):
    protocol = Protocol(systems=("a", "b"), rule=rule, budget=100, seed=3)
    again = Protocol.from_text(protocol.text)
    assert again == protocol
    assert again.hash == protocol.hash


def test_every_part_of_the_promise_changes_the_hash():
    plain = {"systems": ("a", "b"), "rule": "best >= 0.95"}
    others = [
        {"systems": ("a", "c")},
        {"systems": ("b", "a")},
        {"rule": "best >= 0.951"},
        {"pairing": "independent"},
        {"step": 2},
        {"budget": 10},
        {"costs": (1, 2)},
        {"order": "given"},
        {"seed": 1},
    ]
    hashes = {Protocol(**plain).hash, *(Protocol(**(plain | one)).hash for one in others)}
    assert len(hashes) == len(others) + 1


def test_spaces_in_a_rule_do_not_change_the_hash():
    one, two = (Protocol(systems=("a", "b"), rule=r) for r in ("best>=0.95", " best  >= .95 "))
    assert one.hash == two.hash


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"systems": ("a",)}, "a campaign compares 2 or more"),
        ({"rule": "bets >= 0.9"}, "Did you mean"),
        ({"rule": "best >= 95"}, "probability"),
        ({"rule": "best <= 0.9"}, "probability"),
        ({"rule": "pair(a, c) >= 0.9"}, "two of the systems a, b"),
        ({"rule": "loss >= 0.01"}, "'<='"),
        ({"rule": "evidence >= 0.5"}, "above 1"),
        ({"rule": "spending(pocock, 5 looks)"}, "or n >= 1000"),
        ({"rule": "spending(haybittle, 5 looks) or n >= 9"}, "haybittle"),
        ({"rule": "wald(2, 1)"}, "first < second"),
        ({"rule": "wald(1, 2, gamma=1)"}, "no option 'gamma'"),
        ({"rule": "wald-msrb(1.5, C)"}, "scheme A or B"),
        ({"rule": "wald(1, 2)", "systems": ("a", "b", "c")}, "two systems"),
        ({"rule": "racing", "pairing": "independent"}, "common items"),
        ({"rule": "n >= 1.5"}, "whole number"),
        ({"step": 0}, "step=0"),
        ({"budget": -1}, "budget"),
        ({"costs": (1,)}, "costs"),
        ({"priors": ((2, 1), (1, 1))}, "independent"),
        ({"seed": -1}, "seed"),
        ({"order": "sorted"}, "order"),
        ({"pairing": "some"}, "pairing"),
    ],
)
def test_a_promise_that_cannot_be_kept_is_refused(change, words):
    with pytest.raises(RequestError, match=words):
        Protocol(**({"systems": ("a", "b"), "rule": "best >= 0.95"} | change))


def test_a_protocol_of_another_format_is_refused():
    saved = json.loads(Protocol(systems=("a", "b"), rule="n >= 3").text)
    for change in ({"format": 2}, {"rule": "n >="}, {"extra": 1}):
        with pytest.raises(LedgerError, match="cannot be read"):
            Protocol.from_text(json.dumps(saved | change))


def test_the_order_depends_on_the_names_and_the_seed_only():
    items = [f"item{k}" for k in range(50)]
    order = item_order(items, order="random", seed=1)
    assert sorted(order) == sorted(items)
    assert order == item_order(items[::-1], order="random", seed=1)
    assert order != item_order(items, order="random", seed=2)
    assert item_order(items, order="given", seed=1) == items


def test_costs_and_priors_may_be_given_by_name():
    protocol = Protocol.of(
        systems=("a", "b"),
        rule="best >= 0.9",
        pairing="independent",
        costs={"b": 3},
        priors={"a": (2, 1)},
    )
    assert protocol.costs == (1, 3)
    assert protocol.priors == ((2, 1), (1, 1))
    with pytest.raises(RequestError, match="cost is given for c"):
        Protocol.of(systems=("a", "b"), rule="best >= 0.9", costs={"c": 1})


def test_a_budget_ends_a_campaign_after_so_many_items():
    protocol = Protocol.of(systems=("a", "b"), rule="best >= 0.9", costs={"b": 3}, budget=10)
    assert protocol.cap == 3
