"""The whole walk to a threshold, against scikit-learn and the worked examples."""

import csv
import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, f1_score, recall_score

import steelyard as sy
from steelyard.errors import NotComparable, RequestError

DATA = Path(str(files("steelyard") / "data"))
CREDIT = DATA / "german_credit_scores.csv"
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "misir.json").read_text())


def credit(system):
    with CREDIT.open(newline="") as file:
        rows = list(csv.DictReader(file))
    truth = np.array([row["truth"] == "1" for row in rows])
    return truth, np.array([float(row[system]) for row in rows])


@pytest.mark.parametrize("system", ["rf", "glm", "rpart"])
def test_no_threshold_has_a_larger_kappa_or_f(system):
    truth, score = credit(system)
    for by, measure in (("max-kappa", cohen_kappa_score), ("max-f", f1_score)):
        result = sy.threshold(CREDIT, score=system, positive=1, by=by, resamples=0)
        every = {t: measure(truth, score >= t) for t in np.unique(score)}
        best = max(every.values())
        assert result.chosen.promise == pytest.approx(best, abs=1e-12)
        assert result.threshold == min(t for t, v in every.items() if v >= best - 1e-12)


def test_the_wanted_sensitivity_is_reached_and_no_higher_threshold_reaches_it():
    truth, score = credit("rf")
    result = sy.threshold(CREDIT, score="rf", positive=1, by="sensitivity", sensitivity="0.9")
    assert recall_score(truth, score >= result.threshold) >= 0.9
    higher = score[score > result.threshold].min()
    assert recall_score(truth, score >= higher) < 0.9
    assert result.chosen.recall.value == recall_score(truth, score >= result.threshold)
    assert result.chosen.wanted == 0.9


def test_the_worked_example_is_said_in_words():
    golden = GOLDEN["threshold_methods"]["example_slide_data"]
    columns = {
        "truth": ["ship" if t else "sea" for t in golden["targets"]],
        "cnn": [float(s) for s in golden["scores"]],
    }
    result = sy.threshold(columns, score="cnn", positive="ship", resamples=0)
    assert result.sentence() == (
        "Call ship from 0.42 up (cnn): kappa is largest there (0.600). 0.82 would be as good; the "
        "smallest was taken."
    )
    assert result.interval is None
    assert result.expected is None


def test_the_promise_is_more_than_what_to_expect():
    result = sy.threshold(CREDIT, score="rf", positive=1)
    assert result.expected.value < result.chosen.promise
    assert result.interval.low <= result.threshold <= result.interval.high
    assert f"expect about {result.expected.value:.3f}" in result.sentence()
    assert result == sy.threshold(CREDIT, score="rf", positive=1)
    other = sy.threshold(CREDIT, score="rf", positive=1, rng=1)
    assert other.expected != result.expected
    assert other.provenance.seed == 1


def test_costs_move_the_threshold_and_doing_nothing_may_be_cheaper():
    ask = {"score": "rf", "positive": 1, "by": "min-cost", "resamples": 0}
    equal = sy.threshold(CREDIT, **ask)
    dear = sy.threshold(CREDIT, **ask, cost={"fn": 5, "fp": 1})
    assert dear.threshold < equal.threshold
    truth, score = credit("rf")
    called = score >= dear.threshold
    spent = (5 * (truth & ~called).sum() + (~truth & called).sum()) / truth.size
    assert dear.chosen.cost == pytest.approx(spent, abs=1e-15)
    upside_down = sy.ScoreTable.from_scores([1, 1], [2, 1, 1, 1])
    cheap = sy.threshold(upside_down, by="min-cost", resamples=0)
    assert cheap.notes() == ["calling nothing at all would cost less, 0.3333 an item"]
    assert not any("calling nothing" in note for note in dear.notes())


def test_costs_are_weighed_for_the_share_of_positives_where_the_system_is_used():
    ask = {"score": "rf", "positive": 1, "by": "min-cost", "cost": {"fn": 5, "fp": 1}}
    here = sy.threshold(CREDIT, **ask)
    rare = sy.threshold(CREDIT, **ask, prevalence=0.05)
    assert rare.threshold > here.threshold
    truth, score = credit("rf")
    costs = {
        at: 5 * 0.05 * (score[truth] < at).mean() + 0.95 * (score[~truth] >= at).mean()
        for at in set(score)
    }
    assert rare.chosen.cost == pytest.approx(min(costs.values()), abs=1e-15)
    assert costs[rare.threshold] == pytest.approx(min(costs.values()), abs=1e-15)
    assert rare.expected.value > rare.chosen.promise
    assert "where 5.0% are positive" in rare.sentence()
    assert dict(rare.provenance.settings)["cost"] == "fn=5,fp=1"
    share = float(truth.mean())
    same = sy.threshold(CREDIT, **ask, prevalence=share)
    assert (same.threshold, same.expected) == (here.threshold, here.expected)
    with pytest.raises(sy.errors.NotComparable, match="need both"):
        table = sy.ScoreTable.from_scores([1, 2], [])
        sy.threshold(table, by="min-cost", prevalence=0.1)


def test_every_recipe_is_there_and_the_json_comes_back():
    result = sy.threshold(CREDIT, score="rf", positive=1, by="fixed", threshold=0.5)
    assert len(result.methods) == 14
    assert result.threshold == 0.5
    assert result.resamples == 0
    assert sy.read_result(result.to_json()) == result
    settings = dict(result.provenance.settings)
    assert (settings["by"], settings["threshold"], settings["cost"]) == (
        "fixed",
        "0.5",
        "fn=1,fp=1",
    )


def test_pictures_show_the_measures_and_the_cost_with_the_choice_marked():
    result = sy.threshold(CREDIT, score="glm", positive=1, resamples=0)
    assert len(result.sweep) in {201, 202}
    assert result.swept_of == 500
    assert result.threshold in {one.threshold for one in result.sweep}
    chart = result.chart()
    assert f"max-kappa chooses {result.threshold:.3f}" in chart.summary
    dear = sy.threshold(CREDIT, score="glm", positive=1, cost={"fn": 5, "fp": 1}, resamples=0)
    cheapest = next(one for one in dear.methods if one.method == "min-cost")
    cost = dear.chart(kind="cost")
    assert f"lowest cost chooses {cheapest.threshold:.3f}" in cost.summary
    assert "max-kappa chooses" in cost.summary
    assert cost.notes[0].startswith("Costs: a miss 5, a false alarm 1. An item costs least at ")
    assert cost.notes[0].endswith(f": {cheapest.cost:.3f}.")
    assert sy.threshold(sy.ScoreTable.from_scores([1], [1]), resamples=0).chart() is None
    infinite = sy.ScoreTable.from_scores([float("inf")], [float("-inf")])
    assert sy.threshold(infinite, resamples=0).sweep == ()


def test_a_score_table_needs_no_roles():
    table = sy.ScoreTable.from_scores([0.9, 0.8], [0.1], positive="ship")
    assert sy.threshold(table, by="closest-corner").threshold == 0.8
    with pytest.raises(RequestError, match="truth="):
        sy.threshold(table, truth="label")


def test_a_half_is_no_threshold_for_scores_that_are_no_probabilities_unless_given():
    table = sy.ScoreTable.from_scores([9.0, 8.0], [1.0], positive="ship")
    by_method = {one.method: one for one in sy.threshold(table, resamples=0).methods}
    assert "0.5 means nothing" in by_method["fixed"].reason
    assert sy.threshold(table, by="fixed", threshold=8.5).threshold == 8.5


def test_presences_alone_are_enough_for_some_recipes():
    table = sy.ScoreTable.from_scores([0.9, 0.8, 0.3], [], positive="here")
    result = sy.threshold(table, by="lowest-positive")
    assert result.threshold == 0.3
    assert result.expected is None
    missing = sy.threshold(table, by="max-kappa")
    assert missing.threshold is None
    assert missing.sentence().startswith("There is no threshold by max-kappa: this recipe needs")


def test_few_items_and_many_scores_are_doubts():
    rng = np.random.default_rng(0)
    small = sy.ScoreTable.from_scores(rng.normal(1, 1, 12), rng.normal(0, 1, 40))
    assert "smaller class has 12 items" in sy.threshold(small, resamples=50).notes()[0]
    large = sy.ScoreTable.from_scores(rng.normal(1, 1, 3000), rng.normal(0, 1, 3000))
    result = sy.threshold(large, resamples=50)
    assert "2,048 groups" in result.notes()[0]
    assert result.interval.low <= result.threshold <= result.interval.high


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"by": "max-kapa"}, "Did you mean by='max-kappa'"),
        ({"level": 95}, r"level=0\.95"),
        ({"by": "fixed"}, r"threshold='0\.5' \(--threshold 0\.5\)"),
        ({"threshold": 0.5}, r"by='fixed'"),
        ({"sensitivity": 95}, r"sensitivity=0\.95"),
        ({"beta": 0}, "beta=0"),
        ({"cost": {"miss": 1}}, "cost='miss'"),
        ({"cost": {"fn": "much"}}, "cost of fn='much'"),
        ({"resamples": 1}, "resamples=1"),
    ],
)
def test_questions_outside_their_domain_are_refused(asked, said):
    with pytest.raises(RequestError, match=said):
        sy.threshold(CREDIT, score="rf", positive=1, **asked)


def test_one_system_with_scores_and_without_weights_is_needed():
    with pytest.raises(NotComparable, match=r"5 systems give scores.*--score"):
        sy.threshold(CREDIT, positive=1)
    with pytest.raises(NotComparable, match="needs a system that gives scores"):
        sy.threshold(DATA / "digits_labels.csv", systems="svm")
    weighted = {"truth": ["y", "n"], "s": [0.7, 0.2], "weight": [1.5, 2]}
    with pytest.raises(NotComparable, match="carry weights"):
        sy.threshold(weighted, positive="y")


def test_out_of_fold_in_clusters_says_why_it_has_no_interval():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 60)
    columns = {
        "truth": truth.tolist(),
        "s": rng.normal(truth).tolist(),
        "fold": [str(place % 3) for place in range(60)],
        "cluster": [str(place // 5) for place in range(60)],
    }
    found = sy.threshold(columns, positive=1, resamples=20)
    assert found.out_of_fold.interval is None
    assert any(note.startswith("out of fold has no interval") for note in found.notes())
