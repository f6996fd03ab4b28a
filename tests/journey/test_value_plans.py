"""Plans for a number of each item, from pilots whose items belong together."""

import numpy as np
import pytest
import scipy.stats

import steelyard as sy
from steelyard.errors import NotComparable, SteelyardError
from steelyard.uncertainty import crossed_error


def test_a_plan_from_a_pilot_in_clusters_says_items_and_clusters():
    rng = np.random.default_rng(8)
    speaker = np.repeat(np.arange(24), 10)
    gap = rng.normal(0, 0.4, 24)[speaker] + rng.normal(0.2, 0.8, 240)
    rows = {"a": gap.tolist(), "b": [0.0] * 240, "speaker": speaker.astype(str)}
    asked = {"value": ["a", "b"], "higher_is_better": True, "cluster": "speaker"}
    found = sy.plan(question="value", pilot=rows, difference=0.3, **asked)
    means = [gap[speaker == one].mean() for one in range(24)]
    assert found.spread == pytest.approx(np.std(means, ddof=1), rel=1e-9)
    power = 0.0
    clusters = 1
    while power < 0.8:
        clusters += 1
        shift, freedom = 0.3 / found.spread * np.sqrt(clusters), clusters - 1
        edge = scipy.stats.t.isf(0.025, freedom)
        found_with = scipy.stats.nct(freedom, shift)
        power = found_with.sf(edge) + found_with.cdf(-edge)
    assert (found.clusters, found.samples) == (clusters, 10 * clusters)
    assert f"{10 * clusters} common items in {clusters} clusters" in found.sentence()
    given = sy.plan(question="value", pilot=rows, difference=0.3, samples=240, **asked)
    assert given.asked.samples == 240
    with pytest.raises(SteelyardError, match="clusters of its own"):
        sy.plan(question="value", pilot=rows, difference=0.3, cluster_size=10, icc=0.1, **asked)


def crossed_rows(rng, probes, galleries, lead):
    """A number of two systems for every pair; the difference has effects of both sides."""
    probe, gallery = np.repeat(np.arange(probes), galleries), np.tile(np.arange(galleries), probes)
    gap = lead + rng.normal(0, 0.3, probes)[probe] + rng.normal(0, 0.4, galleries)[gallery]
    gap = gap + rng.normal(0, 1, probe.size)
    return {
        "a": gap.tolist(),
        "b": [0.0] * probe.size,
        "probe": probe.astype(str),
        "gallery": gallery.astype(str),
    }


CROSSED = {"value": ["a", "b"], "higher_is_better": True, "cluster": "probe,gallery"}


def test_a_plan_over_crossed_clusters_reaches_its_power_in_drawn_tests():
    rng = np.random.default_rng(12)
    pilot = crossed_rows(rng, 90, 60, 0.2)
    found = sy.plan(question="value", pilot=pilot, difference=0.25, **CROSSED)
    first, second = found.crossed
    assert found.samples == first * second
    assert first / second == pytest.approx(1.5, abs=0.06)
    assert f"{first} by {second} clusters" in found.sentence()
    told = 0
    for _ in range(150):
        rows = crossed_rows(rng, first, second, 0.25)
        gap = np.array(rows["a"])
        error = crossed_error((gap - gap.mean()) / gap.size, rows["probe"], rows["gallery"])
        below = error.below(0.0, gap.mean())
        told += 2 * min(below, 1 - below) <= 0.05
    assert 0.8 - 0.12 < told / 150 < 0.8 + 0.12


def test_a_crossed_plan_is_the_noncentral_t_of_the_smaller_side():
    rng = np.random.default_rng(3)
    pilot = crossed_rows(rng, 20, 30, 0.3)
    gap = np.array(pilot["a"])
    error = crossed_error((gap - gap.mean()) / gap.size, pilot["probe"], pilot["gallery"])
    found = sy.plan(question="value", pilot=pilot, difference=0.3, **CROSSED)
    assert found.spread == pytest.approx(np.sqrt(error.variance * 20), rel=1e-9)
    small, power = 1, 0.0
    while power < 0.8:
        small += 1
        edge = scipy.stats.t.isf(0.025, small - 1)
        law = scipy.stats.nct(small - 1, 0.3 / found.spread * np.sqrt(small))
        power = law.sf(edge) + law.cdf(-edge)
    assert found.crossed == (small, np.ceil(small * 1.5))
    given = sy.plan(question="value", pilot=pilot, difference=0.3, samples=600, **CROSSED)
    edge = scipy.stats.t.isf(0.025, 19)
    law = scipy.stats.nct(19, 0.3 / found.spread * np.sqrt(20))
    assert given.asked.reached == pytest.approx(law.sf(edge) + law.cdf(-edge), rel=1e-6)


def test_calls_and_scores_of_crossed_pilots_are_planned_and_other_questions_refused():
    rng = np.random.default_rng(4)
    rows = crossed_rows(rng, 12, 10, 0.0)
    truth = rng.integers(0, 2, 120)
    rows |= {"truth": truth, "a": rng.normal(truth, 1), "b": rng.normal(truth * 0.8, 1)}
    scores = {"score": ["a", "b"], "positive": 1, "cluster": "probe,gallery"}
    area = sy.plan(question="area", pilot=rows, **scores)
    assert "two areas" in area.sentence()
    calls = {**rows, "a": (rows["a"] > 0.5).astype(int), "b": (rows["b"] > 0.5).astype(int)}
    asked = {"called": ["a", "b"], "cluster": "probe,gallery"}
    rate = sy.plan(question="pair", pilot=calls, margin=0.2, **asked)
    assert rate.crossed is not None
    assert "two rates" in sy.plan(question="pair", pilot=calls, difference=0.1, **asked).sentence()
    with pytest.raises(SteelyardError, match="pair, area, width, value"):
        sy.plan(question="best", pilot=calls, **asked)
    three = {**calls, "c": calls["a"]}
    with pytest.raises(SteelyardError, match="for one, or for two"):
        sy.plan(question="pair", pilot=three, called=["a", "b", "c"], cluster="probe,gallery")


@pytest.mark.parametrize("lower", [False, True])
def test_not_worse_is_planned_from_who_was_ahead_in_the_pilot(lower):
    rng = np.random.default_rng(6)
    behind = rng.normal(0, 1, 100)
    ahead = behind + rng.normal(0.15, 1, 100) * (-1 if lower else 1)
    rows = {"first": behind.tolist(), "second": ahead.tolist()}
    way = {"lower_is_better": True} if lower else {"higher_is_better": True}
    asked = {"question": "value", "pilot": rows, "claim": "not-inferior", "margin": 0.5, **way}
    hard = sy.plan(value=["first", "second"], **asked)
    easy = sy.plan(value=["second", "first"], **asked)
    # What is behind by d and may be behind by m has m - d to show, the other m + d.
    gap = abs(float((behind - ahead).mean()))
    spread = float((behind - ahead).std(ddof=1))
    for plan, lead in ((hard, -gap), (easy, gap)):
        effect, size, power = (0.5 + lead) / spread, 1, 0.0
        while power < 0.8:
            size += 1
            edge = scipy.stats.t.isf(0.05, size - 1)
            power = scipy.stats.nct.sf(edge, size - 1, effect * np.sqrt(size))
        assert plan.samples == size
    assert hard.samples > 1.5 * easy.samples


def test_a_fault_of_a_shared_denominator_is_said_once():
    rows = {"a": [1, 2, 3], "b": [2, 2, 1], "words": [4, 0, 9]}
    with pytest.raises(SteelyardError) as refused:
        sy.compare(rows, errors=["a", "b"], per="words")
    assert str(refused.value).count("a denominator that is 0") == 1


def test_a_column_of_values_that_is_not_there_is_named():
    with pytest.raises(SteelyardError, match="No column 'nosuch'"):
        sy.compare({"a": [1.5, 2], "b": [2, 3]}, value=["nosuch", "other"])


@pytest.mark.parametrize("question", ["best", "ranking", "pair", "width", "area"])
def test_a_pilot_of_numbers_is_sent_to_the_question_that_plans_them(question):
    pilot = {"a": [3.0, 4.0, 2.0, 5.0] * 5, "b": [3.0, 3.0, 1.0, 5.0] * 5}
    with pytest.raises(NotComparable, match="steelyard plan value --pilot"):
        sy.plan(pilot=pilot, value=["a", "b"], higher_is_better=True, question=question)
