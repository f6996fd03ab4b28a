"""What rules are said to do is what they do."""

import numpy as np
import pytest

from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.simulation.many_campaigns import choose_looks
from steelyard.campaigns.simulation.simulation import (
    exact_rule,
    play_campaign,
    rule_behaviour,
    usual_campaigns,
)
from steelyard.errors import RequestError


def behaviour(rule, rates=(0.8, 0.8), *, systems=("a", "b"), campaigns=60, **rest):
    given = {name: rest.pop(name) for name in ("discordance", "correlation") if name in rest}
    protocol = Protocol(systems=systems, rule=rule, **rest)
    return rule_behaviour(protocol, rates, seed=1, campaigns=campaigns, **given)


@pytest.mark.parametrize(
    ("rule", "rates"),
    [
        ("best >= 0.95 or n >= 120", (0.8, 0.8)),
        ("best >= 0.95 or n >= 120", (0.9, 0.75)),
        ("evidence >= 10 or n >= 120", (0.75, 0.9)),
        ("double-wald(0.7) or n >= 120", (0.8, 0.8)),
        ("wald(1, 3) or n >= 120", (0.75, 0.9)),
    ],
)
def test_the_exact_way_and_the_simulation_agree(rule, rates):
    exact = behaviour(rule, rates, discordance=0.25)
    # A condition that never speaks first leaves the rule alone but hides it from the exact way.
    same = behaviour(f"{rule} or cost >= 1e9", rates, discordance=0.25, campaigns=300)
    assert (exact.method, same.method) == ("exact", "simulated")
    for name in ("right", "wrong", "same", "open"):
        assert getattr(same, name) == pytest.approx(getattr(exact, name), abs=4.5 * same.error)
    assert same.items == pytest.approx(exact.items, rel=0.2)
    assert same.late == pytest.approx(exact.late, rel=0.25)
    assert same.cost == pytest.approx(2 * same.items)


def test_looks_that_are_rarer_are_followed_exactly_too():
    exact = behaviour("best >= 0.95 or n >= 120", discordance=0.25, step=10)
    same = behaviour(
        "best >= 0.95 or n >= 120 or cost >= 1e9", discordance=0.25, step=10, campaigns=300
    )
    assert (exact.method, same.method) == ("exact", "simulated")
    assert same.wrong == pytest.approx(exact.wrong, abs=4 * same.error)
    assert same.items == pytest.approx(exact.items, rel=0.15)
    assert exact.wrong < behaviour("best >= 0.95 or n >= 120", discordance=0.25).wrong


def test_the_honest_line_about_looking_often():
    # Weight 1 for each discordant cell gives 0.38 in simulation and 0.371 exactly; our posterior
    # has weight one half, which gives 0.42 (both at 0.975, discordance 0.2, 1,000 items).
    found = behaviour("best >= 0.975 or n >= 1000", discordance=0.2)
    assert found.wrong == pytest.approx(0.423, abs=0.001)
    assert behaviour("evidence >= 20 or n >= 1000", discordance=0.2).wrong < 0.05


def test_more_systems_are_simulated_with_their_error():
    found = behaviour("racing or n >= 150", (0.6, 0.7, 0.95), systems=("a", "b", "c"), campaigns=40)
    assert found.method == "simulated"
    assert found.right > 0.9
    assert 0 < found.error < 0.08
    assert found.cost < 3 * found.items  # losers cost nothing more


def test_independent_items_are_simulated():
    found = behaviour(
        "best >= 0.95 or n >= 60", (0.5, 0.9), pairing="independent", step=5, campaigns=30
    )
    assert found.right > 0.9
    assert found.late <= 60


def test_a_rule_without_an_end_is_followed_for_a_while():
    found = behaviour("evidence >= 20", (0.8, 0.8), discordance=0.2)
    assert found.cap == 2000
    assert found.open > 0.9


def test_the_same_seed_gives_the_same_numbers():
    arguments = ("best >= 0.9 or cost >= 99", (0.7, 0.8))
    assert behaviour(*arguments, step=5) == behaviour(*arguments, step=5)


def test_only_paths_that_can_be_followed_are_called_exact():
    def known(rule, **rest):
        return exact_rule(Protocol(**({"systems": ("a", "b"), "rule": rule} | rest))) is not None

    assert known("pair(a, b) >= 0.9 or n >= 9")
    assert known("best >= 0.9 or n >= 8", step=2)
    assert not known("best >= 0.9 or n >= 9", step=2)
    assert not known("wald(1, 2) or n >= 8", step=2)
    assert known("loss <= 0.01 or n >= 8", step=2)
    assert known("spending(pocock, 4 looks) or n >= 8")
    assert not known("spending(pocock, 4 looks) or n >= 8", budget=9)
    assert not known("best >= 0.9", systems=("a", "b", "c"))
    assert not known("best >= 0.9", pairing="independent")
    assert not known("best >= 0.9 and n >= 9")
    assert not known("best >= 0.9 or evidence >= 20")
    assert not known("n >= 9")


def test_settings_that_cannot_be_are_refused():
    with pytest.raises(RequestError, match="3 rates for 2 systems"):
        behaviour("n >= 5", (0.1, 0.2, 0.3))
    with pytest.raises(RequestError, match="two systems on common items"):
        behaviour("racing", (0.1, 0.2, 0.3), systems=("a", "b", "c"), discordance=0.1)
    with pytest.raises(RequestError, match="campaigns=0"):
        behaviour("n >= 5", campaigns=0)


TWO = [
    "best >= 0.9 or n >= 60 or cost >= 1e9",
    "same(a, b, 0.15) >= 0.7 or n >= 60",
    "loss <= 0.02 and n >= 20 or n >= 60",
    "evidence >= 3 or same(a, b, 0.1) >= 0.5 or n >= 60",
    "spending(pocock, 4 looks) or n >= 60 or cost >= 1e9",
    "wald(1, 3) or n >= 60 or cost >= 1e9",
    "double-wald(0.75) or n >= 60 or cost >= 1e9",
    "wald-msrb(2, B) or n >= 60",
    "racing(alpha=0.3) or n >= 60",
]
THREE = [
    "best >= 0.9 or n >= 60",
    "ranking >= 0.8 or n >= 60",
    "pair(a, c) >= 0.9 or n >= 60",
    "same(a, b, 0.15) >= 0.7 or n >= 60",
    "loss <= 0.02 or n >= 60",
    "evidence >= 3 or n >= 60",
    "wald-msrb(2, A) or n >= 60",
    "wald-msrb(2, B) or n >= 60",
    "racing(alpha=0.3) or n >= 60",
    "best >= 0.8 and n >= 30 or n >= 60",
]
APART = [
    "best >= 0.9 or n >= 60",
    "ranking >= 0.8 or n >= 60",
    "pair(a, b) >= 0.9 or n >= 60",
    "same(a, b, 0.15) >= 0.7 or n >= 60",
    "loss <= 0.02 or n >= 60",
]
CASES = [("abc", "common", rule) for rule in THREE] + [("ab", "common", rule) for rule in TWO]
CASES += [(systems, "independent", rule) for systems in ("ab", "abc") for rule in APART]


@pytest.mark.parametrize(("systems", "pairing", "rule"), CASES)
def test_campaigns_side_by_side_end_as_those_that_are_played(systems, pairing, rule):
    size, played = len(systems), 40
    costs, rates = (1.0, 2.0, 3.0)[:size], [0.5, 0.6, 0.85][-size:]
    protocol = Protocol(systems=tuple(systems), rule=rule, costs=costs, pairing=pairing, step=6)
    together = rule_behaviour(protocol, rates, campaigns=1000, seed=3, correlation=0.3)
    assert together.method == "simulated"
    rng = np.random.default_rng(7)
    ends = [play_campaign(protocol, rates, rng=rng, correlation=0.3) for _ in range(played)]
    best = systems[-1]
    named = [end.stop.winner if end.stop.reason == "rule" else None for end in ends]
    keeps = [end.stop.verdict == "keep" for end in ends]
    right = sum(one == best and not keep for one, keep in zip(named, keeps, strict=True)) / played
    # Four standard errors of the larger of two shares, and one campaign.
    assert abs(together.right - right) < 4 * 0.5 / played**0.5 + 1 / played
    assert together.items == pytest.approx(np.mean([end.n for end in ends]), abs=8)
    paid = np.mean([end.cost for end in ends])
    assert together.cost / together.items == pytest.approx(
        paid / np.mean([end.n for end in ends]), rel=0.15
    )


def test_long_campaigns_are_followed_at_some_of_their_looks():
    protocol = Protocol(systems=("a", "b"), rule="evidence >= 20 or n >= 1000000")
    points, share = choose_looks(protocol, 1_000_000)
    assert len(points) <= 2000
    assert points[-1] == (1_000_000, True)
    assert share < 0.003
    assert points[:1000] == [(n, True) for n in range(1, 1001)]


@pytest.mark.parametrize("systems", ["ab", "abcd", "abcdefghijkl"])
def test_the_work_of_a_simulation_is_bounded_whatever_the_items(systems):
    for cap in (10**4, 10**6, 10**9):
        protocol = Protocol(systems=tuple(systems), rule=f"evidence >= 20 or n >= {cap}")
        campaigns = usual_campaigns(protocol)
        assert 50 <= campaigns <= 1000
        assert len(choose_looks(protocol, cap)[0]) * campaigns <= 1e6


def test_a_rule_of_equivalence_is_simulated_a_thousand_times():
    # It ran for minutes when every campaign was played item by item.
    protocol = Protocol(systems=("new", "old"), rule="same(new, old, 0.03) >= 0.95 or n >= 600")
    assert usual_campaigns(protocol) == 1000
    found = rule_behaviour(protocol, [0.8, 0.8], seed=0, campaigns=200)
    assert found.same + found.open == 1


def test_three_systems_or_more_are_simulated_a_thousand_times():
    protocol = Protocol(systems=("a", "b", "c"), rule="best >= 0.95 or n >= 50", budget=120)
    assert usual_campaigns(protocol) == 1000
    found = rule_behaviour(protocol, [0.8, 0.8, 0.8], seed=0, campaigns=1000)
    assert found.error < 0.017
    assert found.late == 40  # 120 for items that cost 3 each


def test_equal_systems_race_to_a_winner_in_no_more_than_alpha():
    # With alpha for every drop of two equal systems it was 0.092.
    protocol = Protocol(systems=("a", "b"), rule="racing or n >= 2000", step=5)
    found = rule_behaviour(protocol, [0.8, 0.8], discordance=0.3, seed=1, campaigns=2000)
    assert found.wrong < 0.05 + 2 * found.error
