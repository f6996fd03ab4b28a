"""Areas of several systems, and errors over something, followed while a campaign runs."""

import numpy as np
import pytest

from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.simulation.simulation import rule_behaviour
from steelyard.comparison.sequential.values import asymptotic_sequence, betting_evidence
from steelyard.errors import SteelyardError
from steelyard.journey import Campaign
from steelyard.uncertainty import estimate_mean

AREAS = "betting('AUC of ship') >= 20 or n >= 5000"
WORDS = "betting(0, 60, lower, 'errors per words') >= 20 or n >= 5000"
CLAIM = "claim(new, 'errors per words at most 0.1', high=60) or n >= 5000"


def start(tmp_path, rule, systems=("new", "old"), **given):
    number = len(list(tmp_path.iterdir()))
    where = tmp_path / f"{number}.db"
    return Campaign.create(where, systems=list(systems), stop=rule, order="given", **given)


def scored(items=900, seed=3):
    rng = np.random.default_rng(seed)
    ship, alike = rng.random(items) < 0.3, rng.standard_normal(items)
    noise = rng.standard_normal((2, items))
    return {
        "item": [f"i{one}" for one in range(items)],
        "truth": ["ship" if one else "sea" for one in ship],
        "new": np.round(alike + noise[0] + 1.8 * ship, 1).tolist(),
        "old": np.round(alike + noise[1] + 1.1 * ship, 1).tolist(),
    }


def heard(items=900, seed=5):
    rng = np.random.default_rng(seed)
    words = rng.integers(3, 25, items)
    hard = words * rng.gamma(2, 0.5, items)
    counts = {"new": rng.poisson(0.06 * hard), "old": rng.poisson(0.14 * hard)}
    return {"item": list(range(items)), "words": words} | counts


def cut(data, size):
    for at in range(0, len(data["item"]), size):
        yield {name: list(column[at : at + size]) for name, column in data.items()}


def pairs_won(data):
    """Share of each next ship against the next other item, for each system, by hand."""
    truth = np.array(data["truth"])
    found = {}
    for system in ("new", "old"):
        scores = np.array(data[system])
        ship, other = scores[truth == "ship"], scores[truth != "ship"]
        size = min(len(ship), len(other))
        found[system] = np.heaviside(np.round(ship[:size] - other[:size], 6), 0.5)
    return found


@pytest.mark.parametrize("size", [900, 41])
def test_two_areas_are_bet_on_by_pairs_however_the_scores_were_cut(tmp_path, size):
    data = scored()
    campaign = start(tmp_path, AREAS)
    for batch in cut(data, size):
        status = campaign.add(batch, score=["new", "old"])
    won = pairs_won(data)
    gaps = won["new"] - won["old"]
    truth = np.array(data["truth"][: status.stop.items])
    pairs = min((truth == "ship").sum(), (truth != "ship").sum())
    assert betting_evidence(gaps[:pairs], bounds=(-1, 1)).decided
    assert not betting_evidence(gaps[: pairs - 1], bounds=(-1, 1)).decided
    assert (status.stop.winner, status.stop.verdict) == ("new", "betting")
    assert "new is better in AUC of ship" in status.sentence()
    for one in status.systems:
        assert one.mean == pytest.approx(won[one.system][:pairs].mean())
        assert one.measure == "AUC of ship"
    assert campaign.verify().bad is None


def test_the_class_of_an_item_is_no_system(tmp_path):
    campaign = start(tmp_path, AREAS, costs={"new": 3})
    assert campaign.protocol.systems == ("new", "old", "is ship")
    assert campaign.protocol.costs == (3.0, 1.0, 0.0)
    assert Protocol.from_text(campaign.protocol.text) == campaign.protocol
    found = campaign.next()
    assert [one.system for one in found.systems] == ["new", "old"]
    rows = [("new", 0.5), ("old", 0.25), ("is ship", 1)]
    for system, value in rows[:2]:
        status = campaign.report([{"item": "7", "system": system, "value": value}])
        assert (status.items, status.waiting) == (0, 1)
    assert "is ship" in str(campaign.next().waiting)
    status = campaign.report([{"item": "7", "system": "is ship", "value": 1}])
    assert (status.items, status.cost) == (1, 4.0)
    assert [one.system for one in status.systems] == ["new", "old"]
    with pytest.raises(SteelyardError, match="1 where the item is of class ship"):
        campaign.report([{"item": "8", "system": "is ship", "value": 0.5}])
    with pytest.raises(SteelyardError, match="not known"):
        campaign.drop("is ship")
    status = campaign.drop("old")
    assert status.stop.reason == "closed"
    assert campaign.verify().bad is None


def test_a_batch_without_the_class_says_so(tmp_path):
    campaign = start(tmp_path, AREAS)
    batch = {"item": [1, 2], "truth": ["sea", "land"], "new": [0.5, 0.1], "old": [0.2, 0.3]}
    assert "no item of this batch is of class ship" in " ".join(campaign.add(batch).caveats)


@pytest.mark.parametrize("size", [900, 41])
def test_errors_over_words_are_followed_to_the_decision_of_the_sums(tmp_path, size):
    data = heard()
    campaign = start(tmp_path, WORDS)
    for batch in cut(data, size):
        status = campaign.add(batch, errors=["new", "old"], per="words")
    gaps = data["old"] - data["new"]  # fewer is better
    stop = status.stop.items
    assert betting_evidence(gaps[:stop], bounds=(-60, 60)).decided
    assert not betting_evidence(gaps[: stop - 1], bounds=(-60, 60)).decided
    for one in status.systems:
        rate = data[one.system][:stop].sum() / data["words"][:stop].sum()
        assert one.mean == pytest.approx(rate)
    assert "new is better in errors per words" in status.sentence()
    assert campaign.verify().bad is None


def test_errors_without_a_range_take_the_limit_law(tmp_path):
    data = heard()
    campaign = start(tmp_path, "asymptotic(400, lower, WER) or n >= 5000")
    status = campaign.add(data)  # the columns are those of the rule
    stop = status.stop.items
    gaps = (data["old"] - data["new"])[:stop].astype(float)
    for seen, decided in ((stop, True), (stop - 1, stop - 1 >= 50 and None)):
        if decided is not None and seen >= 50:
            found = estimate_mean(seen, gaps[:seen].sum(), (gaps[:seen] ** 2).sum())
            assert (asymptotic_sequence(found, planned=400).p_value <= 0.05) is decided
    assert status.stop.winner == "new"


def test_a_claim_of_errors_over_words_bets_on_what_is_above_it(tmp_path):
    data = heard()
    campaign = start(tmp_path, CLAIM, ["new"])
    status = campaign.add(
        {name: data[name] for name in ("item", "new", "words")}, errors=["new"], per="words"
    )
    above = data["new"] - 0.1 * data["words"]
    stop = status.stop.items
    assert betting_evidence(above[:stop], bounds=(-6, 60)).decided
    assert not betting_evidence(above[: stop - 1], bounds=(-6, 60)).decided
    assert status.stop.verdict == "keeps"
    assert campaign.verify().bad is None


def test_systems_that_answer_apart_send_the_words_twice(tmp_path):
    campaign = start(tmp_path, WORDS)
    campaign.add({"item": [1, 2], "new": [0, 2], "words": [5, 6]}, errors=["new"], per="words")
    other = {"item": [1, 2], "old": [1, 2], "words": [5, 6]}
    status = campaign.add(other, errors=["old"], per="words")
    assert (status.items, status.waiting) == (2, 0)
    assert [one.mean for one in status.systems] == pytest.approx([2 / 11, 3 / 11])
    batch = {"item": [3], "new": [0], "words": [5]}
    campaign.add(batch, errors=["new"], per="words")
    with pytest.raises(SteelyardError, match="in the ledger already: 3"):
        campaign.add({"item": [3], "old": [0], "words": [6]}, errors=["old"], per="words")
    corrected = campaign.correct(
        {"item": [1], "old": [4], "words": [5]}, errors=["old"], per="words"
    )
    assert corrected.systems[1].mean == pytest.approx(6 / 11)
    assert campaign.verify().bad is None


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("betting('AUC') >= 20", "'AUC of CLASS'"),
        ("betting('F1 of ship') >= 20", "cannot follow 'F1 of ship'"),
        ("betting(0, 1, 'AUC of ship') >= 20", "nothing but 'AUC of CLASS'"),
        ("betting('AUC of ship') >= 20 or betting(0, 1) >= 20", "more than one kind"),
        ("betting('errors per words') >= 20", "smallest and the largest"),
        ("asymptotic(400, 'AUC of ship')", "cannot follow"),
        ("claim(new, 'WER at most 0.1')", "the most that one item can hold"),
        ("claim(new, 'errors per words at most 0', high=60)", "short of it"),
        (
            "claim(new, 'WER at most 0.1', high=60) and claim(old, 'CER at most 0.1', high=60)",
            "what errors are counted over",
        ),
        ("betting(0, 60, lower, 'errors per new') >= 20", "named twice: new"),
    ],
)
def test_rules_that_no_campaign_can_follow_are_refused(tmp_path, rule, words):
    with pytest.raises(SteelyardError, match=words):
        start(tmp_path, rule)


@pytest.mark.parametrize("rule", [AREAS, WORDS, CLAIM])
def test_items_of_their_own_cannot_be_followed_so(tmp_path, rule):
    with pytest.raises(SteelyardError, match="common items"):
        start(tmp_path, rule, pairing="independent")


@pytest.mark.parametrize(
    ("rows", "roles", "words"),
    [
        ({"new": [1, 2], "old": [1, 2], "words": [5, 0]}, {}, "denominator"),
        ({"new": [1, -2], "old": [1, 2], "words": [5, 4]}, {}, "negative errors"),
        ({"new": [1, 61], "old": [1, 2], "words": [5, 4]}, {}, "within 0 to 60"),
        (
            {"new": [1, 2], "old": [1, 2], "w": [5, 4], "v": [5, 3]},
            {"errors": ["new", "old"], "per": ["w", "v"]},
            "has 3, 4 words",
        ),
    ],
)
def test_errors_and_words_that_cannot_count_are_refused(tmp_path, rows, roles, words):
    campaign = start(tmp_path, WORDS)
    with pytest.raises(SteelyardError, match=words):
        campaign.add({"item": [1, 2], **rows}, **roles)
    assert campaign.status().entries == 1


def test_plain_numbers_and_errors_are_not_taken_for_one_another(tmp_path):
    rows = {"item": [1, 2], "new": [1, 2], "old": [1, 2], "words": [5, 4]}
    plain = start(tmp_path, "asymptotic(400, lower) or n >= 1000")
    with pytest.raises(SteelyardError, match="asymptotic\\(400, lower, 'errors per words'\\)"):
        plain.add(rows, errors=["new", "old"], per="words")
    with pytest.raises(SteelyardError, match="needs a score of every item"):
        calls = {"item": [1], "truth": ["ship"], "new": ["ship"], "old": ["sea"]}
        start(tmp_path, AREAS).add(calls)


def test_equal_systems_are_told_apart_rarely_and_unequal_ones_often():
    for rule, equal, apart in (
        (AREAS, [0.8, 0.8], [0.8, 0.9]),
        ("asymptotic(400, lower, WER) or n >= 1000", [0.1, 0.1], [0.15, 0.1]),
        ("betting(0, 60, lower, WER) >= 20 or n >= 5000", [0.1, 0.1], [0.13, 0.1]),
        (CLAIM, [0.1], [0.08]),
    ):
        systems = ("new", "old")[: len(equal)]
        protocol = Protocol(systems=systems, rule=rule)
        even = rule_behaviour(protocol, equal, seed=4, campaigns=100)
        found = rule_behaviour(protocol, apart, seed=4, campaigns=20)
        assert even.wrong <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 100)
        assert found.right > 0.8


def test_simulated_pairs_and_errors_have_the_rates_that_were_asked_for():
    from steelyard.campaigns.simulation.numbers import _draw_values

    rng = np.random.default_rng(1)
    areas, none = _draw_values(Protocol(systems=("a", "b"), rule=AREAS), [0.7, 0.9], 2000, 20, rng)
    assert none is None
    assert areas.mean(axis=(1, 2)) == pytest.approx([0.7, 0.9], abs=0.01)
    errors, over = _draw_values(Protocol(systems=("a", "b"), rule=WORDS), [0.1, 0.2], 1000, 20, rng)
    assert errors.sum(axis=(1, 2)) / over.sum() == pytest.approx([0.1, 0.2], abs=0.005)
