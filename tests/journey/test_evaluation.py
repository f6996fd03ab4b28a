"""The whole walk to an evaluation, against other implementations."""

import csv
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    brier_score_loss,
    cohen_kappa_score,
    log_loss,
    precision_score,
    recall_score,
    roc_auc_score,
)
from statsmodels.stats.proportion import proportion_confint

import steelyard as sy
from steelyard.errors import RequestError
from steelyard.measures import cohen_kappa, no_information_test
from steelyard.uncertainty import cluster_share_interval

DATA = Path(str(files("steelyard") / "data"))


def read(name):
    with (DATA / name).open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {key: [row[key] for row in rows] for key in rows[0]}


@pytest.mark.parametrize("name", ["digits_labels.csv", "letter_labels.csv"])
def test_labels_agree_with_scikit_learn_and_statsmodels(name):
    table = read(name)
    result = sy.evaluate(DATA / name)
    for one in result.systems:
        truth, calls = table["truth"], table[one.system]
        assert one.accuracy.value == pytest.approx(accuracy_score(truth, calls), abs=1e-15)
        low, high = proportion_confint(one.accuracy.successes, one.accuracy.trials, method="wilson")
        assert one.accuracy.interval.low == pytest.approx(low, abs=1e-12)
        assert one.accuracy.interval.high == pytest.approx(high, abs=1e-12)
        assert one.kappa.value == pytest.approx(cohen_kappa_score(truth, calls), abs=1e-12)
        names = [c.name for c in one.per_class]
        recalls = recall_score(truth, calls, labels=names, average=None)
        precisions = precision_score(truth, calls, labels=names, average=None)
        assert [c.recall.value for c in one.per_class] == pytest.approx(recalls.tolist())
        assert [c.precision.value for c in one.per_class] == pytest.approx(precisions.tolist())


@pytest.mark.parametrize(
    "name", ["wdbc_scores.csv", "german_credit_scores.csv", "cells_scores.csv", "cells_cv10.csv"]
)
def test_areas_agree_with_scikit_learn(name):
    table = read(name)
    truth = np.array(table["truth"]) == "1"
    for one in sy.evaluate(DATA / name, positive=1).systems:
        area = roc_auc_score(truth, np.array(table[one.system], dtype=float))
        assert one.area.value == pytest.approx(area, abs=1e-14)
        assert one.area.interval.low < one.area.value < one.area.interval.high


def test_vectors_agree_with_scikit_learn():
    name = "digits_scores_logreg.csv"
    table = read(name)
    result = sy.evaluate(DATA / name, vector="logreg=p{class}").systems[0]
    vectors = np.array([[float(x) for x in table[f"p{k}"]] for k in range(10)]).T
    vectors /= vectors.sum(axis=1, keepdims=True)
    truth = np.array(table["truth"], dtype=int)
    by_rule = {one.measure.split()[0]: one.value for one in result.vector}
    assert by_rule["log"] == pytest.approx(log_loss(truth, vectors), abs=1e-8)
    assert by_rule["winner"] == pytest.approx(accuracy_score(truth, vectors.argmax(axis=1)))
    brier = brier_score_loss(truth, vectors, scale_by_half=False)
    assert by_rule["brier"] == pytest.approx(brier, abs=1e-8)


def test_groups_are_shown_apart():
    result = sy.evaluate(
        DATA / "species_presence_scores.csv", truth="OBSERVED", positive=1, group="SPECIES"
    )
    table = read("species_presence_scores.csv")
    species = np.array(table["SPECIES"])
    gam = next(one for one in result.systems if one.system == "GAM")
    for part in gam.slices:
        here = species == part.of
        truth = np.array(table["OBSERVED"])[here] == "1"
        area = roc_auc_score(truth, np.array(table["GAM"], dtype=float)[here])
        assert part.value == pytest.approx(area, abs=1e-14)
    assert len(gam.slices) == 6


def test_counts_typed_from_a_paper_are_evaluated():
    result = sy.evaluate(sy.Confusion.from_binary(tp=25, fp=10, fn=5, tn=60))
    # Kappa of the worked table with cells 25, 10, 5, 60 is 29/44.
    assert result.systems[0].kappa.value == pytest.approx(29 / 44, abs=1e-15)
    trials = sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="common")
    assert [one.accuracy.value for one in sy.evaluate(trials).systems] == [0.95, 0.97]


def test_outcomes_are_evaluated_without_a_truth():
    result = sy.evaluate({"a": [1, 1, 0, 1], "b": [True, False, False, False]}, outcome=["a", "b"])
    assert [one.accuracy.successes for one in result.systems] == [3, 1]


def test_one_class_leaves_the_area_undefined_with_a_reason():
    result = sy.evaluate({"truth": ["yes", "yes"], "s": [0.1, 0.7]}, positive="yes")
    assert result.systems[0].area.value is None
    assert "no" in result.systems[0].area.reason


def test_a_level_in_percent_is_refused_with_what_was_meant():
    with pytest.raises(RequestError, match=r"level=0\.95"):
        sy.evaluate(DATA / "digits_labels.csv", level=95)


def test_roles_say_nothing_about_counts():
    with pytest.raises(RequestError, match="truth="):
        sy.evaluate(sy.Confusion.from_binary(tp=1, fp=1, fn=1, tn=1), truth="label")


def test_the_record_names_file_hash_and_roles_but_no_folder():
    result = sy.evaluate(DATA / "digits_labels.csv")
    (record,) = result.provenance.inputs
    assert record.name == "digits_labels.csv"
    assert len(record.sha256) == 64
    assert str(DATA) not in result.to_json()
    assert dict(result.provenance.understood)["item"] == "column 'id'"


def test_an_evaluation_survives_its_json():
    result = sy.evaluate(DATA / "digits_labels.csv")
    assert sy.read_result(result.to_json()) == result
    assert sy.evaluate(DATA / "digits_labels.csv").to_json() == result.to_json()


def clustered_rows():
    rng = np.random.default_rng(8)
    rates = rng.beta(4, 1.5, 12)
    cluster = np.repeat(np.arange(12), 15)
    truth = rng.integers(0, 2, 180)
    right = rng.random(180) < rates[cluster]
    calls = np.where(right, truth, 1 - truth)
    return {
        "truth": truth.astype(str).tolist(),
        "svm": calls.astype(str).tolist(),
        "patient": [f"p{c}" for c in cluster],
    }, right.reshape(12, 15)


def test_a_declared_cluster_gives_cluster_share_intervals_and_says_so():
    columns, right = clustered_rows()
    one = sy.evaluate(columns, cluster="patient").systems[0]
    ends = cluster_share_interval(right.sum(axis=1).tolist(), [15] * 12)
    assert one.accuracy.interval.method == "cluster-robust"
    assert (one.accuracy.interval.low, one.accuracy.interval.high) == pytest.approx(ends)
    assert {c.recall.interval.method for c in one.per_class} == {"cluster-robust"}
    assert {c.precision.interval.method for c in one.per_class} == {"cluster-robust"}
    assert one.kappa.interval.method == "cluster-robust"
    assert any("180 items come in 12 clusters" in caveat for caveat in one.caveats)
    plain = sy.evaluate({k: v for k, v in columns.items() if k != "patient"}).systems[0]
    assert plain.accuracy.value == one.accuracy.value
    assert plain.accuracy.interval.low > one.accuracy.interval.low


def test_outcomes_in_few_clusters_are_warned_of():
    columns, right = clustered_rows()
    few = {"grade": right[:4].ravel().astype(int).tolist(), "patient": columns["patient"][:60]}
    one = sy.evaluate(few, outcome="grade", cluster="patient").systems[0]
    assert one.accuracy.interval.method == "cluster-robust"
    assert any("only 4 clusters" in caveat for caveat in one.caveats)


def test_areas_of_clusters_are_cluster_robust():
    columns, _ = clustered_rows()
    scores = np.random.default_rng(3).normal(size=180) + (np.array(columns["truth"]) == "1")
    scored = columns | {"svm": scores.tolist()}
    one = sy.evaluate(scored, cluster="patient", positive="1").systems[0]
    plain = {name: column for name, column in scored.items() if name != "patient"}
    alone = sy.evaluate(plain, positive="1").systems[0]
    assert one.area.interval.method == "cluster-placement"
    assert one.area.value == alone.area.value
    assert one.area.interval != alone.area.interval
    assert any("180 items come in 12 clusters" in caveat for caveat in one.caveats)


def test_slices_of_clusters_are_cluster_robust():
    columns, right = clustered_rows()
    site = np.arange(180) % 15 < 6
    columns = columns | {"site": np.where(site, "north", "south").tolist()}
    one = sy.evaluate(columns, cluster="patient", group="site").systems[0]
    found = {part.of: part for part in one.slices}
    assert list(found) == ["north", "south"]
    north = right[:, :6].sum(axis=1).tolist()
    assert found["north"].successes == sum(north)
    ends = cluster_share_interval(north, [6] * 12)
    assert (found["north"].interval.low, found["north"].interval.high) == pytest.approx(ends)
    graded = {"grade": right.ravel().astype(int).tolist()} | {
        name: columns[name] for name in ("patient", "site")
    }
    again = sy.evaluate(graded, outcome="grade", cluster="patient", group="site").systems[0]
    assert {part.of: part.interval for part in again.slices} == {
        name: part.interval for name, part in found.items()
    }
    scored = columns | {"svm": np.random.default_rng(3).normal(size=180).tolist()}
    areas = sy.evaluate(scored, cluster="patient", group="site", positive="1").systems[0].slices
    assert [part.of for part in areas] == ["north", "south"]
    assert {part.interval.method for part in areas} == {"cluster-placement"}


def test_vectors_of_clusters_are_cluster_robust():
    columns, _ = clustered_rows()
    share = np.random.default_rng(4).beta(2, 2, 180)
    vectors = {name: columns[name] for name in ("truth", "patient")}
    vectors |= {"p0": share.tolist(), "p1": (1 - share).tolist()}
    one = sy.evaluate(vectors, truth="truth", cluster="patient", vector="svm=p{class}").systems[0]
    assert one.vector
    assert {score.interval.method for score in one.vector} == {"cluster-robust"}


def test_accuracy_is_tested_against_the_no_information_rate():
    table = sy.Confusion.from_matrix([[25, 10], [5, 60]])
    (system,) = sy.evaluate(table).systems
    names = [one.measure for one in system.further]
    place = names.index("no-information rate") + 1
    assert names[place].startswith("p-value")
    assert system.further[place].value == no_information_test(table).p_value
    alone = sy.evaluate(sy.Confusion.from_matrix([[3, 1], [0, 0]])).systems[0]
    assert not any(one.measure.startswith("p-value") for one in alone.further)


def test_what_is_undefined_says_why_below_its_table():
    found = sy.evaluate(sy.Confusion.from_matrix([[0, 5], [0, 9]], classes=["a", "b"]))
    (table,) = [one for one in found.tables() if one.title.startswith("Further")]
    assert "Undefined: MCC: every item was called 'b'" in table.note


def test_a_wald_interval_without_width_is_told():
    table = sy.Confusion.from_matrix([[10, 0], [0, 10]])
    assert any("no width" in note for note in sy.evaluate(table, method="wald").notes())
    assert not any("no width" in note for note in sy.evaluate(table).notes())


def test_the_interval_of_kappa_is_named_and_not_for_clusters():
    table = sy.Confusion.from_matrix([[4, 1], [3, 92]])
    usual, other = (sy.evaluate(table, kappa_method=one) for one in ("ase1", None))
    assert usual.systems[0].kappa == cohen_kappa(table)
    assert other.systems[0].kappa == cohen_kappa(table, method="adjusted")
    assert any("--kappa-method adjusted" in note for note in usual.notes())
    assert not any("--kappa-method" in note for note in other.notes())
    with pytest.raises(RequestError, match="kappa_method"):
        sy.evaluate(table, kappa_method="bayes")
    columns = {"truth": list("aabb"), "x": list("abbb"), "cluster": list("1122")}
    with pytest.raises(RequestError, match="clusters"):
        sy.evaluate(columns, kappa_method="adjusted")
