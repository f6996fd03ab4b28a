"""Plans for areas, kappa, Akaike's criterion, stopping rules, clusters, trials and selections."""

import numpy as np
import pytest

import steelyard as sy
from steelyard.counts import JointScores
from steelyard.errors import NotComparable, RequestError
from steelyard.planning import (
    akaike_plan,
    area_difference_samples,
    area_samples,
    area_width_samples,
    clustered_test_samples,
    equivalence_samples,
    kappa_samples,
    kappa_width_samples,
    posterior_confidence,
    posterior_samples,
    repeated_samples,
    selection_probability,
    selection_resolution,
)
from steelyard.results import read_result

RNG = np.random.default_rng(5)
TRUTH = RNG.random(400) < 0.4
GOOD, FAIR = (TRUTH * lift + RNG.normal(size=400) for lift in (1.6, 1.2))
SCORES = {"truth": TRUTH.astype(int), "good": GOOD, "fair": FAIR}
PILOT = sy.Outcomes.from_patterns({7: 140, 1: 20, 2: 8, 3: 8, 5: 8, 0: 16}, systems=("A", "B", "C"))


def test_one_area_is_told_from_a_value():
    found = sy.plan([0.8], question="area", null=0.7, prevalence=0.3)
    size = area_samples(0.8, null=0.7, prevalence=0.3)
    assert (found.samples, found.positives) == (size.samples, size.positives)
    assert "an area of 0.80 is not 0.70" in found.sentence()
    assert found.next_point > 0


def test_two_areas_take_fewer_common_items():
    apart = sy.plan([0.85, 0.8], question="area")
    common = sy.plan([0.85, 0.8], question="area", correlation=0.6)
    assert apart.samples == area_difference_samples(0.85, 0.8).samples
    assert common.samples == area_difference_samples(0.85, 0.8, correlation=0.6).samples
    assert (apart.design, common.design) == ("independent", "paired")
    (only,) = common.caveats
    assert "DeLong" in only  # the verdict takes more
    assert sy.plan([0.85, 0.8], question="area", design="paired").caveats


def test_an_area_gets_its_width():
    found = sy.plan([0.9], question="area", width=0.1)
    assert found.typical_samples == area_width_samples(0.9, width=0.1).samples
    assert found.samples > found.typical_samples
    assert found.chart() is not None


def test_scores_of_a_pilot_give_areas_and_their_covariance():
    found = sy.plan(pilot=SCORES, question="area", positive=1)
    assert found.measure == "area"
    assert found.systems[0].rate > found.systems[1].rate
    at = {step.samples: step.reached for step in found.steps}
    assert at[found.samples] == pytest.approx(0.8, abs=0.01)
    assert found.positives == pytest.approx(found.samples * TRUTH.mean(), abs=1)


def test_more_items_are_planned_from_scores():
    found = sy.plan(more=SCORES, positive=1)
    joint = JointScores.from_arrays(TRUTH, {"good": GOOD, "fair": FAIR})
    again = sy.plan(more=joint)
    assert found.more == again.more
    assert found.tested == 400
    assert found.measure == "area"
    assert not sy.plan([0.9, 0.899], question="stop").rules


def test_mixed_answers_and_scores_are_refused():
    mixed = {"truth": [0, 1, 0, 1], "x": [0.1, 0.9, 0.2, 0.7], "y": ["0", "1", "1", "1"]}
    with pytest.raises(NotComparable, match="scores only"):
        sy.plan(more=mixed, positive=1, called=["y"], score=["x"])
    with pytest.raises(NotComparable, match="need scores"):
        sy.plan(pilot=mixed, question="area", positive=1, called=["y"], score=["x"])
    with pytest.raises(RequestError, match="one of areas"):
        sy.plan(pilot=SCORES, positive=1)


def test_kappa_is_told_from_a_value_or_measured():
    told = sy.plan([0.6], question="kappa", null=0.4, prevalence=0.3)
    assert told.samples == kappa_samples(0.6, null=0.4, prevalence=0.3)
    wide = sy.plan([0.7], question="kappa", width=0.2)
    assert wide.typical_samples == kappa_width_samples(0.7, width=0.2)
    assert "a kappa of 0.70" in wide.sentence()


def test_akaike_has_three_designs_and_what_counting_saves():
    found = sy.plan([0.95, 0.97], question="akaike", both=0.945)
    plan = akaike_plan(0.95, 0.97, both=0.945)
    named = {one.name.split(":")[0]: one for one in found.options}
    assert found.typical_samples == plan.complete.different == 207
    # The verdict on totals is the test over every overlap; the criterion alone is said beside it.
    assert named["common, totals only"].samples == plan.bounded == 870
    assert named["common, totals only"].note == f"criterion alone {plan.incomplete.different}"
    assert "not of the criterion" in " ".join(found.caveats)
    assert named["independent items"].samples == 571
    assert named["independent items"].note == f"same up to {plan.independent.same_up_to}"
    assert named["saved by counting n3"].samples == plan.bounded - plan.complete.different
    by_discordance = sy.plan([0.95, 0.97], question="akaike", discordance=0.03)
    assert by_discordance.samples == found.samples
    alone = sy.plan([0.95, 0.97], question="akaike", design="independent")
    assert alone.typical_samples == 571
    assert sy.plan(pilot=PILOT.only(["A", "B"]), question="akaike").both == pytest.approx(0.74)


def test_stopping_rules_stand_beside_the_fixed_size():
    found = sy.plan([0.9, 0.8], question="stop", discordance=0.2, cap=600)
    rules = {one.name: one for one in found.rules}
    assert rules["fixed size"].items == found.samples
    assert rules["double Wald"].items < found.samples
    assert rules["posterior 0.95"].false_alarm > 0.3
    assert rules["e-process"].false_alarm < 0.05
    assert all(one.error is None for one in found.rules)
    assert "double Wald ends first" in found.sentence()
    assert read_result(found.to_json()) == found
    rare = sy.plan([0.9, 0.8], question="stop", discordance=0.2, cap=600, every=40)
    assert rare.rules[5].false_alarm < found.rules[5].false_alarm


def test_several_systems_race_by_simulation():
    found = sy.plan([0.9, 0.75, 0.6], question="stop")
    names = [one.name for one in found.rules]
    assert names == ["fixed size", "Wald-MSRB A", "Wald-MSRB B", "Wald-MSRB A, Bonferroni"]
    assert all(one.error > 0 for one in found.rules)
    assert found.rules[2].items < found.rules[1].items
    assert sy.plan(pilot=PILOT, question="stop").rules[1].power > 0.5


def test_clusters_take_more_items_and_trials_fewer():
    single = sy.plan([0.9, 0.85], question="pair")
    clustered = sy.plan([0.9, 0.85], question="pair", cluster_size=20, icc=0.1, cost_per_sample=1)
    # Not clustered_samples: the verdict reads the spread of the clusters by Student's t.
    size = clustered_test_samples(
        single.samples, cluster_size=20, correlation=0.1, tails=(0.025, 0.2)
    )
    assert (clustered.samples, clustered.clusters) == (size.items, size.clusters)
    at = {step.samples: step.reached for step in clustered.steps}
    assert at[clustered.samples] >= 0.8
    repeated = sy.plan([0.9, 0.85], question="pair", trials=5, icc=0.5, cost_per_sample=1)
    assert repeated.samples == repeated_samples(single.samples, trials=5, correlation=0.5).items
    step = next(one for one in repeated.steps if one.samples == repeated.samples)
    assert step.cost == repeated.samples * 5 * 2
    area = sy.plan([0.8], question="area", null=0.7, cluster_size=10, icc=0.05)
    assert area.positives == pytest.approx(area.samples / 2, abs=1)
    assert any(
        "Student's t" in one for one in sy.plan([0.9, 0.6], cluster_size=60, icc=0.05).caveats
    )


def test_a_selection_is_turned_round():
    found = sy.plan(question="select", among=5, samples=500)
    assert found.delta == pytest.approx(selection_resolution(500, 5), abs=1e-4)
    assert selection_probability(500, 5, delta=found.delta) >= 0.95
    assert found.samples == 500
    guaranteed = sy.plan(question="select", among=5, samples=500, delta=0.05)
    assert guaranteed.asked.reached == selection_probability(500, 5, delta=0.05)
    tiny = sy.plan(question="select", among=3, samples=1_000_000_000)
    assert tiny.delta == pytest.approx(selection_resolution(1_000_000_000, 3), rel=0.01)
    assert "0.0000429" in tiny.sentence()
    wanted = sy.plan([0.8, 0.79], question="select", delta=0.00005)
    assert wanted.samples == 541_108_690  # the normal approximation, (1 - δ²)/2 (z/δ)²
    assert "0.00005 or" in wanted.sentence().replace("\n", " ")
    large = selection_resolution(20_000, 5)
    assert large == pytest.approx(selection_resolution(5000, 5) / 2, rel=0.01)


def test_unequal_shares_change_what_is_needed():
    equal, unequal = (
        sy.plan({"S": 0.9, "T": 0.85}, shares=shares) for shares in (None, {"S": 3, "T": 1})
    )
    assert unequal.samples > equal.samples
    assert unequal.shares == (1.5, 0.5)
    reached = posterior_confidence([0.9, 0.85], unequal.samples, shares=(1.5, 0.5))
    assert reached >= 0.95
    assert posterior_samples([0.9, 0.85], 0.95, shares=(1, 1)).samples == equal.typical_samples
    assert "each on average" in unequal.sentence()
    ranked = sy.plan([0.9, 0.8, 0.6], question="ranking", shares=[1, 2, 1], priors=(2, 1))
    assert all(0 <= step.assurance <= 1 for step in ranked.steps)


def test_not_inferior_takes_fewer_than_equivalent():
    claims = [
        sy.plan([0.9, 0.9], question="pair", margin=0.05, claim=claim)
        for claim in ("equivalent", "not inferior")
    ]
    assert (
        claims[1].samples
        == equivalence_samples(0.9, 0.9, margin=0.05, claim="not inferior").samples
    )
    assert claims[1].samples < claims[0].samples
    assert "A is not worse than B by 0.05" in claims[1].sentence()


def test_bonferroni_takes_more_than_shaffer():
    sizes = [
        sy.plan([0.9, 0.8, 0.6], question="pair", multiplicity=word).samples
        for word in ("none", "shaffer", "bonferroni")
    ]
    assert sizes == sorted(sizes)
    assert sizes[2] > sizes[1]


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"rates": [0.8, 0.8], "question": "area"}, "such as 0.8 and 0.78"),
        ({"rates": [0.5], "question": "area"}, "Both areas are 0.5"),
        ({"rates": [0.9, 0.8, 0.7], "question": "area"}, "one system or for two"),
        ({"rates": [0.85, 0.8], "question": "area", "correlation": 1.0}, "correlation=0.99"),
        ({"rates": [0.8], "question": "area", "prevalence": 0.0}, "prevalence=0.0"),
        ({"rates": [0.8], "question": "area", "null": 1.0}, "null=1.0"),
        ({"rates": [0.8], "question": "area", "width": 1.5}, "width=1.5"),
        ({"rates": [0.8, 0.7], "question": "area", "width": 0.1}, "one system"),
        ({"rates": [0.6], "question": "kappa"}, "--null 0.4"),
        ({"rates": [0.6], "question": "kappa", "null": 0.6}, "--null 0.5"),
        ({"rates": [0.6], "question": "kappa", "null": -0.2}, "such as kappa=0.6"),
        ({"rates": [0.6], "question": "kappa", "width": 3}, "--width 0.2"),
        ({"rates": [0.6, 0.5], "question": "kappa", "null": 0.2}, "one system"),
        ({"rates": [0.9, 0.9], "question": "akaike"}, "such as 0.9 and 0.89"),
        ({"rates": [0.9, 0.8], "question": "akaike", "both": 0.95}, "both=0.8"),
        ({"rates": [0.9], "question": "akaike"}, "two systems"),
        ({"rates": [0.9, 0.9], "question": "stop"}, "0.90 and 0.89"),
        (
            {"rates": [0.9, 0.8], "question": "stop", "every": 0},
            "can be met is every=1",
        ),
        ({"rates": [0.9, 0.8], "question": "stop", "cap": 1}, "cap=1"),
        ({"rates": [0.9, 0.8], "question": "stop", "margin": 0.1}, "leave it out"),
        ({"rates": [0.9, 0.8], "question": "stop", "design": "independent"}, "common items"),
        ({"rates": [0.9, 0.893], "question": "stop"}, "larger difference"),
        ({"rates": [0.9, 0.89, 0.88], "question": "stop"}, "larger differences"),
        ({"rates": [0.9, 0.8], "icc": 0.1}, "--cluster-size 20"),
        ({"rates": [0.9, 0.8], "cluster_size": 5}, "--icc 0.1"),
        ({"rates": [0.9, 0.8], "cluster_size": 5, "icc": 1.5}, "--icc 1"),
        ({"rates": [0.9, 0.8], "cluster_size": 5, "icc": -0.5}, "--icc 0"),
        ({"rates": [0.9, 0.8], "cluster_size": 0.5, "icc": 0.5}, "--cluster-size 1"),
        ({"rates": [0.9, 0.8], "trials": 0, "icc": 0.5}, "--trials 1"),
        ({"rates": [0.9, 0.8], "trials": 3, "cluster_size": 3, "icc": 0.5}, "not both"),
        (
            {"rates": [0.9, 0.8], "question": "akaike", "trials": 3, "icc": 0.5},
            "nothing to do with one another",
        ),
        ({"question": "select", "among": 1, "samples": 50}, "--among 2"),
        ({"question": "select", "among": 4}, "--samples 500"),
        ({"question": "best", "among": 4}, "question='select'"),
        ({"question": "select", "among": 4, "delta": 0.1, "confidence": 0.2}, "confidence=0.26"),
        ({"rates": [0.9, 0.8], "shares": [1]}, "a number above 0 for each"),
        ({"rates": [0.9, 0.8], "shares": [1, -1]}, "a number above 0 for each"),
        (
            {"rates": [0.9, 0.8, 0.7], "shares": [1, 2, 3], "question": "pair"},
            "'best' and 'ranking'",
        ),
        ({"rates": [0.9, 0.8], "shares": [1, 2], "discordance": 0.2}, "independent items"),
        ({"rates": [0.9, 0.8], "question": "select", "discordance": 0.2}, "independent items"),
        ({"rates": [0.9, 0.9], "question": "pair", "margin": 0.05, "claim": "x"}, "claim='x'"),
        ({"rates": [0.9, 0.8, 0.7], "question": "pair", "multiplicity": "x"}, "multiplicity='x'"),
    ],
)
def test_impossible_wishes_are_refused_with_the_nearest_possible_one(wish, words):
    with pytest.raises(RequestError, match=words.replace("(", r"\(")):
        sy.plan(**wish)
