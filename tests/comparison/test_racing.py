from dataclasses import replace
from itertools import permutations
from math import log

import numpy as np
import pytest
from scipy.special import logsumexp, ndtri

from steelyard.comparison.sequential.evidence import discordant_evidence
from steelyard.comparison.sequential.racing import start_race
from steelyard.errors import RequestError


def stream(rng, rates, items, correlation=0.8):
    shared = rng.standard_normal((items, 1)) * correlation**0.5
    own = rng.standard_normal((items, len(rates))) * (1 - correlation) ** 0.5
    right = shared + own < ndtri(rates)
    return (right @ (1 << np.arange(len(rates)))).tolist()


def test_the_sum_is_that_of_the_pairwise_evidence():
    rng = np.random.default_rng(1)
    names = ["A", "B", "C"]
    patterns = stream(rng, [0.7, 0.6, 0.5], 30)
    race = start_race(names, alpha=1e-9).run(patterns)
    for b, against in zip(range(3), race.evidence_against(), strict=True):
        logs = []
        for a in set(range(3)) - {b}:
            won = sum(p >> a & 1 and not p >> b & 1 for p in patterns)
            lost = sum(p >> b & 1 and not p >> a & 1 for p in patterns)
            logs.append(discordant_evidence(won, lost).log_first)
        assert against == pytest.approx(logsumexp(logs), abs=1e-10)


@pytest.mark.long
def test_six_systems_certify_the_best_after_few_calls():
    # Six systems .72/.68/.66/.62/.58/.50, latent correlation .8: about 3,700 calls on average.
    rates = [0.72, 0.68, 0.66, 0.62, 0.58, 0.50]
    rng = np.random.default_rng(7)
    races = [start_race("ABCDEF").run(stream(rng, rates, 4000)) for _ in range(8)]
    assert all(race.best == "A" for race in races)
    assert 2600 < np.mean([race.calls for race in races]) < 4800


@pytest.mark.long
def test_the_best_is_dropped_rarely():
    rng = np.random.default_rng(19)
    lost = sum(
        "A" in start_race("ABC", alpha=0.2).run(stream(rng, [0.6, 0.6, 0.55], 100)).dropped
        for _ in range(80)
    )
    assert lost <= 0.2 * 80


def test_values_against_dropped_rivals_are_frozen():
    race = start_race("ABC").update(0b011, rows=20)
    assert race.dropped == ("C",)
    later = race.update(0b100, rows=5).update(0b101, rows=2)
    assert later.wins[2] == race.wins[2]
    assert later.wins[0][2] == race.wins[0][2]
    assert later.wins[0][1] == 2
    assert later.calls == race.calls + 14


def test_the_order_of_the_systems_does_not_matter():
    patterns = stream(np.random.default_rng(3), [0.8, 0.5, 0.3], 60)
    seen = set()
    for order in permutations(range(3)):
        mixed = [sum((p >> k & 1) << place for place, k in enumerate(order)) for p in patterns]
        race = start_race([f"s{k}" for k in order]).run(mixed)
        seen.add((race.best, tuple(sorted(race.dropped)), race.calls))
    assert len(seen) == 1


def test_the_bar_is_met_at_the_right_item():
    bar = log(1 / 0.05)
    needed = next(n for n in range(1, 50) if discordant_evidence(n, 0).log_first >= bar)
    assert start_race("AB").update(1, rows=needed - 1).best is None
    ended = start_race("AB").update(1, rows=needed)
    assert ended.best == "A"
    assert ended.update(2) is ended


def test_strange_requests_are_refused():
    for ask in (
        lambda: start_race(["A"]),
        lambda: start_race(["A", "A"]),
        lambda: start_race("AB", alpha=5),
        lambda: start_race("AB", prior=0),
        lambda: start_race("AB").update(4),
        lambda: start_race("AB").update(1, rows=-1),
    ):
        with pytest.raises(RequestError):
            ask()


def test_one_system_always_stays():
    # Frozen evidence of a dropped rival can speak against all that are left at the same time.
    wins = ((0, 0, 0), (0, 0, 0), (9, 8, 0))
    race = replace(start_race("ABC"), wins=wins, dropped=("C",))
    ended = race.update(0b011)
    assert ended.best == "B"
    assert ended.dropped == ("C", "A")
