"""Decisions are functions of the results in their order, and each rule does what its test does."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.campaigns.looks import Progress
from steelyard.campaigns.protocol import Protocol
from steelyard.comparison.posterior.best import probability_best
from steelyard.comparison.posterior.paired import paired_posterior
from steelyard.comparison.sequential.evidence import discordant_evidence
from steelyard.comparison.sequential.racing import start_race
from steelyard.comparison.sequential.spending import spending_bounds
from steelyard.comparison.sequential.wald_double import double_test, run_double_test
from steelyard.comparison.sequential.wald_msrb import all_pairs_test
from steelyard.counts import Outcomes

RULES = [
    "best >= 0.9",
    "ranking >= 0.9",
    "loss <= 0.01",
    "pair(a, b) >= 0.95",
    "same(a, b, 0.1) >= 0.9",
    "evidence >= 5",
    "spending(pocock, 4 looks) or n >= 40",
    "wald(1, 2)",
    "double-wald(0.7)",
    "wald-msrb(2, A)",
    "wald-msrb(2, B)",
    "racing",
    "best >= 0.8 and n >= 10 or cost >= 60",
]


def run(rule, patterns, systems=("a", "b"), **rest):
    progress = Progress(Protocol(systems=systems, rule=rule, **({"step": 1} | rest)))
    for pattern in patterns:
        for place in progress.running:
            progress.note(place, right=bool(pattern >> place & 1))
        progress.count_item(pattern, 1)
    return progress


def random_patterns(rates, number, seed):
    rng = np.random.default_rng(seed)
    right = rng.random((number, len(rates))) < np.array(rates)
    return (right @ (1 << np.arange(len(rates)))).tolist()


@pytest.mark.parametrize("rule", RULES)
@settings(max_examples=15)
@given(patterns=st.lists(st.integers(0, 3), max_size=50), cut=st.integers(0, 50))
def test_a_campaign_put_away_and_taken_up_again_decides_the_same(rule, patterns, cut):
    whole = run(rule, patterns)
    first = run(rule, patterns[:cut])
    taken_up = Progress.from_text(first.protocol, first.text())
    assert taken_up.text() == first.text()
    for pattern in patterns[cut:]:
        for place in taken_up.running:
            taken_up.note(place, right=bool(pattern >> place & 1))
        taken_up.count_item(pattern, 1)
    assert taken_up.text() == whole.text()


@pytest.mark.parametrize(("cost", "most"), [(0.1, 10), (0.7, 30), (0.3, 17), (0.01, 40)])
@pytest.mark.parametrize("said", ["budget", "rule"])
def test_no_result_is_paid_beyond_what_may_be_spent(cost, most, said):
    spent = round(cost * most, 2)
    rule = f"cost >= {spent} or n >= 1000" if said == "rule" else "n >= 1000"
    protocol = Protocol(
        systems=("a", "b"),
        rule=rule,
        pairing="independent",
        costs=(cost, 0.0),
        budget=spent if said == "budget" else None,
    )
    progress, results = Progress(protocol), 0
    while progress.stop is None:
        results += 1
        for place in (1, 0):
            progress.note(place, right=True)
            progress.count_result(place, right=True, seq=results)
            progress.check_budget(results)
    assert results == most


def test_a_state_of_another_version_is_not_taken_up():
    progress = run("n >= 3", [1])
    other = json.dumps(json.loads(progress.text()) | {"version": 99})
    assert Progress.from_text(progress.protocol, other) is None


def test_best_of_two_stops_at_the_first_crossing_of_the_closed_form():
    patterns = random_patterns([0.9, 0.75], 400, 1)
    stop = run("best >= 0.95", patterns).stop
    for n in range(1, stop.n + 1):
        counted = {p: patterns[:n].count(p) for p in range(4)}
        best = paired_posterior(
            Outcomes.from_patterns(counted, systems=("a", "b")), rng=np.random.default_rng(0)
        ).best
        assert (max(best) >= 0.95) == (n == stop.n)
    assert stop.winner == "a"
    assert stop.value == pytest.approx(max(best), abs=1e-12)


def test_best_of_three_is_screened_without_changing_the_decision():
    patterns = random_patterns([0.7, 0.8, 0.9], 300, 2)
    systems = ("a", "b", "c")
    stop = run("best >= 0.9", patterns, systems).stop
    crossed = None
    for n in range(1, 301):
        counted = {p: patterns[:n].count(p) for p in range(8)}
        outcomes = Outcomes.from_patterns(counted, systems=systems)
        found = paired_posterior(outcomes, rng=np.random.default_rng(n), draws=50_000)
        if max(found.best) >= 0.9 + 4 * max(found.best_error):
            crossed = n
            break
    assert stop.winner == "c"
    assert stop.n <= crossed
    assert stop.value >= 0.9


def test_independent_items_use_the_exact_posterior():
    protocol = Protocol(
        systems=("a", "b"), rule="best >= 0.95", pairing="independent", priors=((2, 1), (1, 1))
    )
    progress = Progress(protocol)
    for n in range(60):
        progress.count_result(0, right=n % 10 > 0, seq=1)
        progress.count_result(1, right=n % 3 > 0, seq=1)
        if progress.stop:
            break
    assert progress.stop.winner == "a"
    best = probability_best(progress.snapshot().posteriors()).best[0]
    assert progress.stop.value == pytest.approx(best, abs=1e-12)


def test_evidence_is_that_of_the_e_process_and_stays_decided():
    patterns = [1] * 9 + [2] * 9
    found = run("evidence >= 20 and n >= 18", patterns)
    assert discordant_evidence(9, 0).different >= 20
    assert (found.stop.n, found.stop.winner) == (18, "a")


def test_planned_looks_use_their_own_bounds():
    bounds = spending_bounds([0.25, 0.5, 0.75, 1], alpha=0.05, kind="pocock", sides=2).bounds
    found = run("spending(pocock, 4 looks) or n >= 40", [1] * 10)
    assert np.sqrt(10) > bounds[0]
    assert (found.stop.n, found.stop.winner, found.stop.verdict) == (10, "a", "spending")
    between = run("spending(pocock, 4 looks) or n >= 40", [1, 2] * 5 + [1] * 9)
    assert between.stop is None


def test_a_race_and_a_campaign_drop_the_same_systems():
    systems = ("a", "b", "c", "d")
    patterns = random_patterns([0.95, 0.5, 0.7, 0.4], 600, 3)
    race = start_race(systems, alpha=0.025).run(patterns)  # half, for two that are equally good
    found = run("racing", patterns, systems)
    assert found.stop.winner == race.best
    assert found.stop.n == race.items
    assert sum(found.all_tested[: len(systems)]) >= race.calls
    assert len(found.running) == 1


def test_all_pairs_with_scheme_b_test_losers_no_more():
    systems = ("a", "b", "c")
    patterns = random_patterns([0.95, 0.6, 0.5], 400, 4)
    test = all_pairs_test(systems, smallest=1.5, scheme="B").run(patterns)
    found = run("wald-msrb(1.5, B)", patterns, systems)
    assert (found.stop.winner, found.stop.n) == (test.best, test.items)
    assert min(found.all_tested) < max(found.all_tested)
    whole = run("wald-msrb(1.5, A)", patterns, systems)
    assert len(set(whole.tested)) == 1


def test_losers_are_tested_on_when_another_condition_needs_them():
    patterns = random_patterns([0.95, 0.3, 0.9], 40, 5)
    found = run("racing or ranking >= 0.9999999", patterns, ("a", "b", "c"))
    assert len(found.running) == 3


def test_the_double_test_may_end_without_a_difference():
    patterns = [1, 2] * 80
    found = run("double-wald(0.65)", patterns)
    expected = run_double_test(["first", "second"] * 80, test=double_test(0.65))
    assert expected.verdict == "no difference"
    assert (found.stop.winner, found.stop.verdict) == (None, "no difference")
    assert found.stop.n == expected.first_wins + expected.second_wins


def test_walds_test_keeps_the_first_or_takes_the_second():
    assert run("wald(1, 2.5)", [2] * 30).stop.verdict == "take"
    kept = run("wald(1, 2.5)", [1] * 30).stop
    assert (kept.verdict, kept.winner) == ("keep", "a")


def test_looks_are_taken_every_step_and_at_the_end():
    assert run("best >= 0.9", [1] * 30, step=7).stop.n == 7
    assert run("best >= 0.9999999 or n >= 10", [1, 2] * 10, step=7).stop.n == 10


def test_what_comes_after_the_stop_changes_nothing():
    found = run("n >= 5", [1] * 5 + [2] * 9)
    assert (found.n, found.after, found.patterns, found.late) == (5, 9, {1: 5}, {2: 9})


def test_a_condition_that_names_something_speaks_before_one_that_counts():
    stop = run("n >= 6 or best >= 0.95", [1] * 6).stop
    assert (stop.reason, stop.winner) == ("rule", "a")
    assert run("n >= 2 or best >= 0.999", [1] * 6).stop.reason == "used up"


def test_a_budget_ends_it_whatever_the_looks():
    progress = Progress(Protocol(systems=("a", "b"), rule="best >= 0.99", budget=3, step=100))
    for _ in range(2):
        progress.note(0, right=True)
        progress.note(1, right=True)
        progress.count_item(3, 1)
        progress.check_budget(1)
    assert (progress.stop.reason, progress.stop.n) == ("budget", 2)


def closed_after(progress, *places):
    for place in places:
        progress.drop(place, 2)
    return progress


def test_closing_systems_does_not_make_the_family_smaller():
    # a and b differ on 13 items, 12 to 1: enough for a pair alone, too little for the largest of
    # fifteen pairs, and so it stays when the other four are closed.
    systems = tuple("abcdef")
    patterns = [0b111101, 0b000001] * 6 + [0b000010]
    progress = run("evidence >= 20", patterns, systems, step=14)
    assert discordant_evidence(12, 1).different > 20
    closed_after(progress, 2, 3, 4, 5)
    progress.count_item(0b11, 2)
    assert progress.stop is None
    alone = run("evidence >= 20", [*(p & 3 for p in patterns), 0b11], ("a", "b"), step=14)
    assert alone.stop.winner == "a"


@settings(max_examples=40, deadline=None)
@given(
    patterns=st.lists(st.integers(0, 15), min_size=5, max_size=60),
    leaver=st.integers(0, 3),
    at=st.integers(1, 59),
)
def test_closing_never_makes_a_pair_easier_to_decide(patterns, leaver, at):
    rule, systems = "evidence >= 4", tuple("abcd")
    stays, leaves = (Progress(Protocol(systems=systems, rule=rule, step=1)) for _ in range(2))
    for place, pattern in enumerate(patterns):
        if place == at:
            before = leaves.states[0]._values(leaves.snapshot())
            leaves.drop(leaver, 1)
            # The moment of closing changes no value of the family.
            assert leaves.states[0]._values(leaves.snapshot()) == before
        for progress in (stays, leaves):
            progress.count_item(pattern & progress.required, 1)
    stop = leaves.stop
    if stop is not None and stop.winner is not None:
        rivals = [place for place in range(4) if place != leaver]
        raw = [
            discordant_evidence(leaves.wins[a][b], leaves.wins[b][a]).different
            for a in rivals
            for b in rivals
            if a < b
        ]
        assert max(raw) >= 4  # what a pair needs at least, whatever was closed


def test_a_race_that_somebody_leaves_unbeaten_has_no_winner():
    # c is ahead of a and b and drops nobody yet; once it is closed, a beats b, and says nothing
    # of c.
    systems = ("a", "b", "c")
    progress = run("racing", [0b101, 0b100] * 4, systems)
    assert progress.stop is None
    closed_after(progress, 2)
    for _ in range(40):
        progress.count_item(0b001, 3)
    assert progress.stop.verdict == "left unbeaten"
    assert progress.stop.winner is None


def test_who_lost_to_a_system_that_left_does_not_make_a_winner_of_the_others():
    systems = ("a", "b", "c", "d")
    progress = run("wald-msrb(2, B)", [0b1000] * 4 + [0b1011] * 40, systems)
    assert progress.stop is None
    closed_after(progress, 3)
    for _ in range(60):
        progress.count_item(0b001, 3)
    assert progress.stop.winner is None


def test_systems_that_are_dropped_while_they_run_are_beaten_all_the_same():
    systems = ("a", "b", "c")
    progress = run("racing", [0b001] * 12, systems)
    assert progress.stop.winner == "a"
