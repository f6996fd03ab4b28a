"""Campaigns of a number for each item: bets, and a limit law."""

import numpy as np
import pytest
import scipy.stats

from steelyard.campaigns.looks import Progress
from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.rules.grammar import conditions_of
from steelyard.campaigns.simulation.numbers import number_verdicts
from steelyard.campaigns.simulation.simulation import rule_behaviour
from steelyard.comparison.sequential.evidence import closed_by_averaging
from steelyard.comparison.sequential.values import betting_evidence
from steelyard.errors import SteelyardError
from steelyard.journey import Campaign
from tests.golden.values_cases import CASES

BETS = "betting(0, 1) >= 20 or n >= 5000"


def started(tmp_path, rule, systems=("a", "b"), **given):
    return Campaign.create(tmp_path / "grades.db", systems=list(systems), stop=rule, **given)


def records(values, systems=("a", "b")):
    return [
        {"item": f"i{number}", "system": system, "value": value}
        for number, row in enumerate(values)
        for system, value in zip(systems, row, strict=True)
    ]


def gaps_of_golden():
    """Two systems in [0, 1] whose differences are those of the golden case."""
    gaps = CASES["betting-2"]["data"]["x"]
    return [((1 + gap) / 2, (1 - gap) / 2) for gap in gaps]


def test_a_pair_is_bet_on_as_confseq_does(tmp_path):
    golden = CASES["betting-2"]["expected"]["capital"]["0.0"]
    campaign = started(tmp_path, BETS, order="given")
    status = campaign.report(records(gaps_of_golden()))
    assert status.stop.items == golden["first_n_at_least_20"]
    assert status.stop.winner == "a"
    progress = Progress(campaign.protocol)
    for number, (a, b) in enumerate(gaps_of_golden()[:100], 1):
        progress.count_numbers({0: a, 1: b}, 1)
        if str(number) in golden:
            assert progress.judgements()[0][1].value == pytest.approx(golden[str(number)], rel=1e-8)


@pytest.mark.parametrize("name", ["betting-1", "betting-3"])
def test_a_mean_is_held_against_its_limit_as_confseq_does(name):
    data, expected = CASES[name]["data"], CASES[name]["expected"]["capital"]
    low, high = data["range"]
    for limit, golden in expected.items():
        rule = f"claim(new, 'mean at least {limit}', low={low}, high={high})"
        progress = Progress(Protocol(systems=("new",), rule=rule))
        for seen, value in enumerate(data["x"], 1):
            progress.count_numbers({0: float(value)}, 1)
            if str(seen) in golden and progress.stop is None:
                found = progress.judgements()[0][1].value
                assert found == pytest.approx(golden[str(seen)], rel=1e-8)
        first = golden["first_n_at_least_20"]
        assert (None if progress.stop is None else progress.stop.n) == first


def test_answers_that_come_one_by_one_count_as_those_that_come_together(tmp_path):
    rng = np.random.default_rng(1)
    values = rng.integers(1, 6, size=(40, 2)).astype(float)
    rows = records(values.tolist())
    rule = "betting(1, 5) >= 20 or n >= 500"
    one = started(tmp_path, rule, order="given")
    status = one.report(rows)
    two = Campaign.create(tmp_path / "two.db", systems=["a", "b"], stop=rule, order="given")
    two.report([row for row in rows if row["system"] == "a"])
    assert two.status().waiting == 40
    again = two.report([row for row in rows if row["system"] == "b"])
    assert again.conditions == status.conditions
    assert [one.mean for one in again.systems] == [one.mean for one in status.systems]
    gaps = values[:, 0] - values[:, 1]
    wanted = betting_evidence(gaps, bounds=(-4, 4)).evidence
    assert status.conditions[0].value == pytest.approx(wanted, rel=1e-12)
    assert status.systems[0].mean == pytest.approx(values[:, 0].mean())
    for campaign in (one, two):
        assert campaign.verify().bad is None
        assert campaign.as_of(1)[0].items in (0, 40)


def test_a_correction_lets_the_whole_campaign_happen_again(tmp_path):
    values = [[0.2 + 0.01 * k, 0.5] for k in range(30)]
    campaign = started(tmp_path, BETS, order="given")
    campaign.report(records(values))
    right = {"item": ["i3"], "a": [0.9], "b": [0.1]}
    status = campaign.correct(right, value=["a", "b"])
    values[3] = [0.9, 0.1]
    gaps = [a - b for a, b in values]
    wanted = betting_evidence(gaps, bounds=(-1, 1)).evidence
    assert status.conditions[0].value == pytest.approx(wanted, rel=1e-12)
    assert campaign.verify().bad is None
    assert campaign.status().items == 30


def test_the_running_counts_are_taken_up_where_they_stood(tmp_path):
    campaign = started(tmp_path, BETS)
    campaign.report(records([[0.5, 0.25], [1.0, 0.0]]))
    protocol = campaign.protocol
    progress = Progress(protocol)
    for values in ({0: 0.5, 1: 0.25}, {0: 1.0, 1: 0.0}):
        progress.count_numbers(values, 1)
    again = Progress.from_text(protocol, progress.text())
    for one in (progress, again):
        one.count_numbers({0: 0.75, 1: 0.5}, 2)
    assert again.plain() == progress.plain()


def test_a_value_that_was_changed_behind_its_back_is_found(tmp_path):
    import sqlite3

    campaign = started(tmp_path, BETS)
    campaign.report(records([[0.5, 0.25], [1.0, 0.0]]))
    with sqlite3.connect(tmp_path / "grades.db") as connection:
        connection.execute("UPDATE steelyard_result SET correct = 0.75 WHERE correct = 0.25")
    with pytest.raises(SteelyardError, match="changed"):
        campaign.status()
    assert campaign.verify().bad is not None


def test_lower_may_be_better_and_is_said_in_the_rule(tmp_path):
    rng = np.random.default_rng(2)
    fast, slow = rng.gamma(4, 20, 300), rng.gamma(4, 30, 300)
    rows = {"item": list(range(300)), "new.latency": fast, "old.latency": slow}
    campaign = started(tmp_path, "asymptotic(200, lower) or n >= 1000", ["new", "old"])
    status = campaign.add(rows, value=["new.latency", "old.latency"])
    assert status.stop.winner == "new"
    assert "asymptotic" in status.sentence()
    other = Campaign.create(
        tmp_path / "o.db", systems=["new", "old"], stop="asymptotic(200) or n >= 1000"
    )
    with pytest.raises(SteelyardError, match="takes a higher number for better"):
        other.add(rows, value=["new.latency", "old.latency"])


def test_the_limit_law_says_what_the_sequence_of_waudby_smith_says(tmp_path):
    # Theorem 2.2 written out: |mean| against s sqrt(...) at every look.
    gaps = np.random.default_rng(5).normal(0.3, 1, 400)
    progress = Progress(Protocol(systems=("a", "b"), rule="asymptotic(200) or n >= 1000"))
    alpha, first = 0.05, None
    rho2 = (-2 * np.log(alpha) + np.log(1 - 2 * np.log(alpha))) / 200
    for t, gap in enumerate(gaps, 1):
        progress.count_numbers({0: gap, 1: 0.0}, 1)
        seen = gaps[:t]
        if t >= 50 and first is None:
            inside = 2 * (t * rho2 + 1) / (t * t * rho2) * np.log(np.sqrt(t * rho2 + 1) / alpha)
            if abs(seen.mean()) > seen.std(ddof=1) * np.sqrt(inside):
                first = t
    assert progress.stop is not None
    assert progress.stop.n == first


def test_three_systems_are_closed_by_averaging_and_simulated_as_they_are_played():
    protocol = Protocol(systems=("a", "b", "c"), rule="betting(0, 1) >= 20 or n >= 120", step=10)
    looks = np.arange(10, 121, 10)
    means = [0.3, 0.3, 0.6]
    rng = np.random.default_rng(9)
    ((wanted, said),) = list(number_verdicts(protocol, means, looks, 6, rng))
    assert wanted == 3
    from steelyard.campaigns.simulation.numbers import _draw

    values = _draw(protocol, means, 120, 6, np.random.default_rng(9))
    assert abs(values.mean(axis=(1, 2)) - means).max() < 0.03
    for number in range(6):
        progress = Progress(protocol)
        for item in range(120):
            progress.count_numbers({p: values[p, number, item] for p in range(3)}, 1)
        there = np.flatnonzero(said[number])
        if progress.stop.reason == "rule":
            assert progress.stop.n == looks[there[0]]
            assert progress.stop.winner == "abc"[said[number][there[0]] - 1]
        else:
            assert there.size == 0
    (state,) = [one for one in progress.states if one.condition.name == "betting"]
    raw = [bet.evidence for bet in state.bets.values()]
    adjusted = closed_by_averaging(raw)
    assert np.exp(state._values(progress.snapshot())) == pytest.approx(adjusted, rel=1e-9)


def test_bets_name_a_winner_among_equals_rarely_and_claims_err_rarely_on_their_limit():
    for rule, means in (
        ("betting(1, 5) >= 20 or n >= 200", [3.0, 3.0]),
        ("betting(1, 5) >= 20 or n >= 200", [4.6, 4.6]),
        ("claim(a, 'mean at least 2', low=1, high=5) or n >= 200", [2.0, 3.0]),
        ("asymptotic(200) or n >= 400", [0.0, 0.0]),
    ):
        protocol = Protocol(systems=("a", "b"), rule=rule)
        found = rule_behaviour(protocol, means, seed=4, campaigns=200)
        assert found.wrong <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 200)
        assert list(conditions_of(protocol.parsed))


def test_a_lead_is_found():
    protocol = Protocol(systems=("a", "b"), rule="betting(1, 5, lower) >= 20 or n >= 1000")
    found = rule_behaviour(protocol, [3.4, 3.0], seed=4, campaigns=50)
    assert found.right > 0.9
    assert found.wrong <= 0.02


def test_long_files_and_columns_without_a_word_are_taken(tmp_path):
    campaign = started(tmp_path, "betting(1, 5) >= 20 or n >= 500")
    status = campaign.add({"item": [1, 2], "a": [4, 5], "b": [3, None]})
    assert (status.items, status.waiting) == (1, 1)
    long = {"item": [3, 3], "system": ["a", "b"], "grade": [4, 4]}
    campaign.add(long, value="grade", system="system")
    status = campaign.report([{"item": 2, "system": "b", "value": 2}])
    assert status.items == 3
    assert status.systems[1].mean == pytest.approx(3.0)
    assert campaign.export().count('"value"') == 6
    assert campaign.verify().bad is None


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("betting(5, 1) >= 20", "smallest and the largest value"),
        ("betting(1, 5)", "a number above 1"),
        ("betting(1, 5, upper) >= 20", "'lower' where"),
        ("betting(1, 5) >= 20 or evidence >= 20", "numbers and for right and wrong"),
        ("betting(1, 5) >= 20 or betting(0, 5) >= 20", "do not agree on the range"),
        ("betting(1, 5) >= 20 and asymptotic(100, lower)", "do not agree on which way"),
        ("asymptotic(10)", "50 or more"),
        ("claim(a, 'mean at least 3')", "low=1, high=5"),
        ("claim(a, 'mean at least 9', low=1, high=5)", "always inside"),
        ("claim(a, 'mean at least 3', low=1)", "needs the range"),
        ("claim(a, 'recall of x at least 3', low=1, high=5)", "follows the mean"),
    ],
)
def test_rules_about_numbers_that_cannot_be_kept_are_refused(rule, words):
    with pytest.raises(SteelyardError, match=words):
        Protocol(systems=("a", "b"), rule=rule)


def test_numbers_that_cannot_count_are_refused_and_nothing_is_written(tmp_path):
    campaign = started(tmp_path, "betting(1, 5) >= 20 or n >= 500")
    bad = [
        ({"item": 1, "system": "a", "value": 7}, "within 1 to 5"),
        ({"item": 1, "system": "a", "value": float("nan")}, "finite"),
        ({"item": 1, "system": "a", "value": float("inf")}, "finite"),
        ({"item": 1, "system": "a", "value": True}, "expected a number"),
        ({"item": 1, "system": "a", "value": "4"}, "expected a number"),
        ({"item": 1, "system": "a", "right": True}, "item, system and value"),
    ]
    for record, words in bad:
        with pytest.raises(SteelyardError, match=words):
            campaign.report([record])
    with pytest.raises(SteelyardError, match="number for each item"):
        campaign.add({"item": [1], "a": [1], "b": [0]}, outcome=["a", "b"])
    words = {"item": [1, 2], "a.errors": [1, 0], "b.errors": [0, 2], "words": [9, 8]}
    with pytest.raises(SteelyardError, match="these are errors per words"):
        campaign.add(words, errors=["a.errors", "b.errors"], per="words")
    assert campaign.status().entries == 1
    plain = Campaign.create(tmp_path / "plain.db", systems=["a", "b"], stop="evidence >= 20")
    with pytest.raises(SteelyardError, match="rule of this campaign is about right and wrong"):
        plain.add({"item": [1], "a": [4], "b": [4]}, value=["a", "b"], higher_is_better=True)


def test_a_system_that_leaves_ends_a_pair_and_items_that_wait_change_nothing(tmp_path):
    campaign = started(tmp_path, BETS)
    campaign.report(records([[0.5, 0.25], [1.0, 0.0]]))
    campaign.report([{"item": "later", "system": "a", "value": 0.5}])
    status = campaign.drop("b")
    assert status.stop.reason == "closed"
    assert campaign.verify().bad is None


def test_every_claim_of_a_rule_is_named_when_it_stops(tmp_path):
    rule = "claim(a, 'accuracy at least 0.5') and claim(b, 'accuracy at least 0.9')"
    campaign = Campaign.create(tmp_path / "c.db", systems=["a", "b"], stop=rule)
    items = list(range(200))
    rows = {"item": items, "a": [int(k % 10 > 0) for k in items], "b": [k % 2 for k in items]}
    status = campaign.add(rows, outcome=["a", "b"])
    assert status.headline() == "Stop testing: b does not meet its limit."
    assert "a meets its limit; b does not meet its limit" in status.sentence()


def test_drawn_values_have_the_spread_that_is_said():
    protocol = Protocol(systems=("a", "b"), rule="betting(0, 1) >= 20")
    from steelyard.campaigns.simulation.numbers import _draw

    values = _draw(protocol, [0.5, 0.5], 2000, 5, np.random.default_rng(0))
    assert values.std() == pytest.approx(0.25, abs=0.01)
    assert scipy.stats.pearsonr(values[0].ravel(), values[1].ravel()).statistic > 0.4
