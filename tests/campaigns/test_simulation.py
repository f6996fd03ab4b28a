"""What rules are said to do is what they do."""

import pytest

from steelyard.campaigns import simulation
from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.side_by_side import goes_together
from steelyard.campaigns.simulation import exact_rule, rule_behaviour, usual_campaigns
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


@pytest.mark.parametrize(
    "rule",
    [
        "best >= 0.9 or n >= 60",
        "ranking >= 0.8 or n >= 60",
        "pair(a, c) >= 0.9 or n >= 60",
        "evidence >= 3 or n >= 60",
        "racing(alpha=0.3) or n >= 60",
        "best >= 0.8 and n >= 30 or n >= 60",
    ],
)
def test_campaigns_side_by_side_end_as_one_by_one(rule, monkeypatch):
    protocol = Protocol(systems=("a", "b", "c"), rule=rule, costs=(1.0, 2.0, 3.0))
    assert goes_together(protocol)
    asked = {"campaigns": 250, "seed": 3, "correlation": 0.3}
    together = rule_behaviour(protocol, [0.5, 0.6, 0.85], **asked)
    monkeypatch.setattr(simulation, "goes_together", lambda protocol: False)
    alone = rule_behaviour(protocol, [0.5, 0.6, 0.85], **asked)
    for name in ("right", "wrong", "open"):
        # Two shares of 250 independent campaigns: four standard errors, and one campaign of each.
        assert abs(getattr(together, name) - getattr(alone, name)) < 4 * 2**0.5 * 0.0317 + 0.008
    assert together.items == pytest.approx(alone.items, abs=6)
    assert together.cost / together.items == pytest.approx(alone.cost / alone.items, rel=0.1)


def test_three_systems_or_more_are_simulated_a_thousand_times():
    protocol = Protocol(systems=("a", "b", "c"), rule="best >= 0.95 or n >= 50", budget=120)
    assert usual_campaigns(protocol) == 1000
    found = rule_behaviour(protocol, [0.8, 0.8, 0.8], seed=0, campaigns=1000)
    assert found.error < 0.017
    assert found.late == 40  # 120 for items that cost 3 each
    assert usual_campaigns(Protocol(systems=("a", "b", "c"), rule="wald-msrb(1.5, B)")) == 20
