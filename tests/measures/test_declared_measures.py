"""One declaration, and everything else follows: proved over the whole catalogue."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import steelyard as sy
from steelyard.counts import Confusion, Grouped
from steelyard.errors import NotComparable, RequestError, SteelyardError
from steelyard.measures import (
    CATALOGUE,
    Measure,
    RocCurve,
    catalogue_entry,
    clustered_measure,
    declared,
    informedness,
    measure_names,
)
from steelyard.measures.tables.at_thresholds import OF_THRESHOLDS, exact_value, values
from steelyard.measures.tables.estimates import estimate_calls, slopes_of
from steelyard.measures.tables.formulas import FISHER, LOGARITHM, LOGIT, PLAIN, Margins, share
from steelyard.measures.tables.in_batches import score_measure, table_measure
from steelyard.measures.tables.made_up_items import Square
from steelyard.surfaces.cli.commands.catalogue import command as catalogue_command
from steelyard.surfaces.cli.commands.evaluate import command as evaluate_command
from steelyard.tally import confusion_of
from tests.golden.make_measures import answers

GOLDEN = Path(__file__).parents[1] / "golden"
BEFORE = json.loads((GOLDEN / "measures.json").read_text(encoding="utf-8"))["cases"]
EXACT = json.loads((GOLDEN / "fowlkes_mallows.json").read_text(encoding="utf-8"))["tables"]
NUMBERS = {
    "actual DCF": "0.3",
    "minDCF": "0.3",
    "precision at prevalence": 0.1,
    "negative predictive value at prevalence": 0.1,
    "partial AUC": "0:0.5",
    "P_D at P_FA": 0.3,
    "miss rate at P_FA": 0.3,
    "P_FA at P_D": 0.6,
    "captured share": 30,
    "precision at depth": 30,
    "lift": 0.2,
    "net benefit": 0.3,
}


@pytest.mark.parametrize("case", BEFORE, ids=lambda case: next(iter(case)))
def test_declared_measures_give_what_the_functions_gave_before(case):
    """To the last digits: processors differ in the order in which they add, so in the very last."""
    found = json.loads(json.dumps(answers(case)))
    for name, before in case["answers"].items():
        assert_alike(found[name], before)


def assert_alike(found, before):
    """Same shape, same words, numbers equal to 13 digits."""
    if isinstance(before, list):
        assert len(found) == len(before)
        for one, other in zip(found, before, strict=True):
            assert_alike(one, other)
    elif isinstance(before, float):
        assert found == pytest.approx(before, rel=1e-13, abs=1e-14)
    else:
        assert found == before


def rows(seed=3, size=150):
    """A table with everything: calls, scores and vectors; weights, clusters and groups."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 4, size)
    vectors = np.exp(rng.normal(0, 1, (size, 3)) + 1.5 * np.eye(3)[truth - 1])
    vectors = (vectors / vectors.sum(axis=1, keepdims=True)).round(4)
    vectors[:, 2] = (1 - vectors[:, 0] - vectors[:, 1]).round(4)
    return {
        "truth": truth.tolist(),
        "called": np.where(rng.random(size) < 0.7, truth, rng.integers(1, 4, size)).tolist(),
        "yes": (truth == 1).astype(int).tolist(),
        "score": vectors[:, 0].tolist(),
        **{f"p{name}": vectors[:, name - 1].tolist() for name in (1, 2, 3)},
        "cluster": [f"c{place % 15}" for place in range(size)],
        "group": [("day", "night")[place % 2] for place in range(size)],
        "weight": rng.choice([0.5, 1.0, 2.0], size).tolist(),
    }


ROWS = rows()
ROLES = {
    "Confusion": {"systems": ["called"], "positive": 1},
    "ScoreTable": {"truth": "yes", "systems": ["score"], "positive": 1},
    "VectorScores": {"vector": "v=p{class}"},
}


KEPT = {
    "Confusion": ("truth", "called"),
    "ScoreTable": ("yes", "score"),
    "VectorScores": ("truth", "p1", "p2", "p3"),
}
SPLITS = {"plain": (), "clusters": ("cluster",), "weights": ("weight",), "slices": ("group",),
          "both": ("cluster", "group")}  # fmt: skip
COST = {(str(truth), str(called)): float(truth != called) for truth in (1, 2, 3)
        for called in (1, 2, 3)}  # fmt: skip


def kind_of(measure):
    alike = {"JointCalls": "Confusion", "vector of each item": "VectorScores"}
    return alike.get(measure.counts, measure.counts)


def typed(measure):
    number = NUMBERS.get(measure.name)
    return measure.name if number is None else f"{measure.name} {number}"


def evaluated(kind, way, measures):
    columns = {name: ROWS[name] for name in (*KEPT[kind], *SPLITS[way])}
    more = {"cost": COST} if kind == "Confusion" else {}
    asked = [typed(one) for one in measures]
    return sy.evaluate(columns, measure=asked, **ROLES[kind], **more).systems[0]


@cache
def all_asked(kind, way):
    """Ask for every measure of a kind at once; those that say why not are left out."""
    measures = [
        one
        for one in CATALOGUE.values()
        if kind_of(one) == kind and not (way == "weights" and one.why_not("weights"))
    ]
    system = evaluated(kind, way, measures)
    found = dict(zip([one.name for one in measures], system.further, strict=True))
    return found, system


@pytest.mark.parametrize("way", SPLITS)
@pytest.mark.parametrize("name", [name for name, one in CATALOGUE.items() if kind_of(one) in KEPT])
def test_every_measure_can_be_asked_for_by_name_or_says_why_not(name, way):
    measure = CATALOGUE[name]
    if way == "weights" and measure.why_not("weights"):
        with pytest.raises(NotComparable, match=re.escape(measure.why_not("weights"))):
            evaluated(kind_of(measure), way, [measure])
        return
    everything, system = all_asked(kind_of(measure), way)
    found = everything[name]
    assert found.value is not None
    why = measure.why_not("clusters") if "cluster" in SPLITS[way] else None
    if why:
        assert found.interval is None
        assert any(f"{name} for items in clusters: {why}" in one for one in system.caveats)
    elif measure.interval == "none" and not measure.drawn:  # the least on exactly these items
        assert found.interval is None
        assert any("no interval of it is known to hold" in one for one in found.caveats)
    elif not (way == "weights" and name == "AUC"):  # sums of weights give an area no interval
        assert found.interval.low < found.interval.high
        assert found.interval.low - 1e-9 <= found.value <= found.interval.high + 1e-9
    if "group" in SPLITS[way]:
        said = f"{found.measure} of 1" if measure.of_class else found.measure
        slices = [one for one in system.slices if one.measure == said]
        assert [one.of for one in slices] == ["day", "night"]
        assert all(one.value is not None for one in slices)


def test_several_classes_and_synonyms_are_told_apart_and_survive_json():
    columns = {name: ROWS[name] for name in ("truth", "called", "group")}
    found = sy.evaluate(
        columns, measure=["recall of 1", "TPR of 2", "sensitivity of 1"], systems=["called"]
    )
    (system,) = found.systems
    assert [(one.measure, one.of) for one in system.further] == [("recall", "1"), ("recall", "2")]
    assert [(one.measure, one.of) for one in system.slices] == [
        (f"recall of {name}", part) for name in (1, 2) for part in ("day", "night")
    ]
    assert sy.read_result(found.to_json()) == found
    assert [table.title for table in found.tables()].count("Slices (called)") == 2


@pytest.mark.parametrize(
    ("measure", "roles", "words"),
    [
        ("AIC", {"systems": ["called"]}, "log-likelihood of fitted models, and these systems give"),
        ("AUC", {"systems": ["called"]}, "computed from scores of one class"),
        ("Hand-Till", {"systems": ["called"]}, "a number for every class"),
        ("F1", {"truth": "yes", "systems": ["score"], "positive": 1}, "--threshold 0.5"),
        ("F1", {"systems": ["called"]}, "--measure 'F1 of 1'"),
        ("lift", {"systems": ["called"]}, "--measure 'lift 0.1'"),
        ("expected cost", {"systems": ["called"]}, "--cost fn=5,fp=1"),
        ("kappa of 1", {"systems": ["called"]}, "is not about one class"),
        ("lift 0.1:0.2", {"systems": ["called"]}, "takes one number, and 'lift 0.1:0.2' has two"),
        ("F1 of ship", {"systems": ["called"]}, "No class 'ship' in this table. Classes: 1, 2, 3"),
        ("sensitivty", {"systems": ["called"]}, "Did you mean sensitivity"),
    ],
)
def test_a_refusal_names_what_the_measure_needs(measure, roles, words):
    columns = {name: ROWS[name] for name in ("truth", "called", "yes", "score")}
    with pytest.raises(SteelyardError, match=re.escape(words)):
        sy.evaluate(columns, measure=measure, **{"truth": "truth", **roles})


def ask(measure, kind="ScoreTable", way="plain", **more):
    columns = {name: ROWS[name] for name in (*KEPT[kind], *SPLITS[way])}
    return sy.evaluate(columns, measure=measure, **{**ROLES[kind], **more}).systems[0].further


def test_a_measure_at_two_numbers_is_two_measures_by_name():
    columns = {**{name: ROWS[name] for name in ("yes", "score", "group")}, "other": ROWS["p2"]}
    asked = ["lift 0.1", "lift 0.5", "precision at k 20", "net benefit 0.2", "net benefit 0.4"]
    found = sy.evaluate(columns, measure=asked, truth="yes", positive=1, systems=["score", "other"])
    (table,) = [one for one in found.tables() if one.title == "Measures asked for"]
    names = ["lift 0.1", "lift 0.5", "precision at depth 20", "net benefit 0.2", "net benefit 0.4"]
    assert [one.name for one in table.columns] == ["system", *names]
    assert {one.measure for one in found.systems[0].slices} == set(names)


@pytest.mark.parametrize("way", ["plain", "clusters"])
@pytest.mark.parametrize(("typed", "meant"), [
    ("sensitivity at a specificity 0.7", "P_D at P_FA 0.3"),
    ("precision at depth 0.2", "precision at k 30"),  # of 150 items; not of a fifth of an item
    ("captured share 0.2", "recall at k 30"),
])  # fmt: skip
def test_a_number_means_what_the_words_before_it_say(typed, meant, way):
    (one,), (other,) = ask(typed, way=way), ask(meant, way=way)
    assert (one.value, one.interval) == (other.value, other.interval)


def test_linear_and_quadratic_weights_of_near_misses_are_two_measures():
    linear, quadratic = ask(["weighted kappa", "quadratic kappa"], "Confusion")
    assert (linear.measure, quadratic.measure) == ("linear kappa", "quadratic kappa")
    assert linear.value != quadratic.value
    two = {"truth": list("abba"), "called": list("abbb")}
    plain, near = sy.evaluate(two, measure=["kappa", "QWK"]).systems[0].further
    assert near.value == pytest.approx(plain.value)  # of two classes any order is one


def test_a_class_and_a_number_may_stand_behind_one_name():
    (found,) = ask("precision at prevalence 0.01 of 2", "Confusion")
    assert (found.measure, found.of) == ("precision at prevalence 0.01", "2")


def test_clusters_of_weighted_rows_do_not_say_that_rows_are_counted():
    columns = {name: ROWS[name] for name in ("truth", "called", "cluster", "weight")}
    (system,) = sy.evaluate(columns, measure=["MCC", "QWK", "F1 of 1"]).systems
    assert not [one for one in system.caveats if "Kish" in one]
    assert [one for one in ask("MCC", "Confusion", "weights")[0].caveats if "Kish" in one]


@pytest.mark.parametrize("name", list(CATALOGUE))
def test_every_measure_is_drawn_again_and_swept_or_says_why_not(name):
    measure = CATALOGUE[name]
    rng = np.random.default_rng(5)
    if measure.why_not("batches") is None:
        if measure.counts == "ScoreTable":
            sides = rng.integers(1, 5, (2, 4, 6))
            found = score_measure(measure, "ship")(np.linspace(0.1, 0.9, 6), *sides)
        else:
            found = table_measure(measure, ["a", "b", "c"], of="a")(rng.integers(1, 9, (4, 3, 3)))
        assert np.isfinite(found).all()
    else:
        with pytest.raises(RequestError):
            batch = score_measure if measure.counts == "ScoreTable" else table_measure
            batch(measure, ["a", "b"], **({"of": "a"} if batch is table_measure else {}))
    counts = (12, 3, 4, 9)
    if measure.why_not("thresholds") is None or name in OF_THRESHOLDS:
        exact = exact_value(name, counts)
        assert values(name, *(np.array([n]) for n in counts))[0] == pytest.approx(float(exact))
    else:
        with pytest.raises(RequestError):
            exact_value(name, counts)


@pytest.mark.parametrize(
    "name", [name for name, one in CATALOGUE.items() if one.formula and one.counts == "Confusion"]
)
def test_exact_slopes_are_those_of_small_differences(name):
    measure = CATALOGUE[name]
    more = {"prevalence": 0.1} if "prevalence" in measure.needs else {}
    cells = np.random.default_rng(8).integers(3, 30, (3, 3)).astype(float)

    def value(table):
        return float(measure.formula(Margins.of_tables(table), **more))

    square = Square(np.diag(cells), cells.sum(axis=1), cells.sum(axis=0))
    slopes = slopes_of(measure.formula, square, **more)
    for truth, called in ((0, 0), (0, 1), (2, 0), (1, 1)):
        step = np.zeros((3, 3))
        step[truth, called] = 1e-3
        rough = (value(cells + step) - value(cells - step)) / 2e-3 * cells.sum()
        exact = slopes.truth[truth] + slopes.call[called] + slopes.right[truth] * (truth == called)
        assert exact == pytest.approx(rough, rel=1e-5, abs=1e-5)


def test_every_measure_has_one_scale_that_fits_its_range():
    for measure in CATALOGUE.values():
        if measure.counts == "Confusion" and measure.formula:
            by_range = {(0.0, 1.0): LOGIT, (-1.0, 1.0): FISHER, (0.0, None): LOGARITHM}
            assert measure.scale is by_range.get(measure.bounds, PLAIN), measure.name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("brier", "brier score"), ("log loss", "log score"), ("LOG-LOSS", "log score"),
        ("kappa", "kappa"), ("Youden", "informedness"), ("youden's_j", "informedness"),
        ("Cohens kappa", "kappa"), ("macro_f1", "macro F1"), ("lr-", "negative likelihood ratio"),
        ("LR+", "positive likelihood ratio"), ("roc_auc", "AUC"), ("c-index", "AUC"),
        ("false-alarm-rate", "false positive rate"), ("fm", "Fowlkes-Mallows"), ("F0.5", "F0.5"),
        ("f_2", "F2"), ("tpr", "recall"), ("Balanced-Accuracy", "balanced accuracy"),
        ("f_beta 0.5", "F0.5"), ("QWK", "quadratic kappa"), ("linear kappa", "weighted kappa"),
    ],
)  # fmt: skip
def test_a_measure_is_found_in_any_case_and_with_any_separators(typed, name):
    assert catalogue_entry(typed).name == name


@pytest.mark.parametrize("row", EXACT, ids=lambda row: str(row["tp, fp, fn, tn"]))
def test_fowlkes_mallows_has_the_values_of_exact_arithmetic(row):
    tp, fp, fn, tn = row["tp, fp, fn, tn"]
    table = Confusion.from_binary(tp=tp, fp=fp, fn=fn, tn=tn)
    found = CATALOGUE["Fowlkes-Mallows"].function(table, of="positive")
    assert found.value == pytest.approx(float(row["value"]), rel=1e-15)
    assert (found.standard_error or 0) == pytest.approx(float(row["standard error"]), abs=1e-12)
    ends = [float(row["low"]), float(row["high"])]
    assert [found.interval.low, found.interval.high] == pytest.approx(ends, abs=1e-12)
    recall, precision = Fraction(tp, tp + fn), Fraction(tp, tp + fp)
    assert found.value == pytest.approx(sqrt(recall * precision), rel=1e-15)


def test_fowlkes_mallows_is_undefined_with_the_reason():
    measure = CATALOGUE["Fowlkes-Mallows"]
    never = measure.function(Confusion.from_matrix([[0, 0], [4, 9]], classes=["a", "b"]), of="a")
    assert (never.value, never.reason) == (
        None, "no item is truly 'a', so there was nothing to find"
    )  # fmt: skip
    silent = measure.function(Confusion.from_matrix([[0, 3], [0, 9]], classes=["a", "b"]), of="a")
    assert silent.reason == "no item was called 'a', so there was no call to judge"


THREAT = Measure(
    name="threat score",
    latex=r"tp/(tp+fp+fn)",
    undefined="the class is neither true nor called",
    source="Schaefer (1990), doi:10.1175/1520-0434(1990)005<0570:TCSIAA>2.0.CO;2",
    caution="Ignores true negatives.",
    synonyms=("CSI",),
    needs=("of",),
    formula=lambda t: share(t.tp, t.fp + t.fn),
    edges={"no-true-or-called": lambda t: t.tp + t.fp + t.fn},
)


@pytest.fixture
def threat():
    with declared(THREAT) as measure:
        yield measure
    assert "threat score" not in CATALOGUE


def test_a_declared_measure_needs_nothing_else(threat, tmp_path):
    table = Confusion.from_binary(tp=25, fp=10, fn=5, tn=60, positive="yes", negative="no")
    plain = threat.function(table, of="yes")
    assert plain.value == 25 / 40
    assert plain.interval.low < plain.value < plain.interval.high
    # Clusters of one item each are as good as independent items.
    single = {
        f"{truth}{called}{place}": Confusion.from_cells({(truth, called): 1}, classes=["no", "yes"])
        for truth, called, number in table.cells
        for place in range(number)
    }
    grouped = Grouped.from_parts("item", single)
    clustered = clustered_measure(grouped, lambda one: threat.function(one, of="yes"))
    seen = sum(one.cells[0][:2] != ("no", "no") for one in single.values())
    assert clustered.standard_error == pytest.approx(
        plain.standard_error * (seen / (seen - 1)) ** 0.5, rel=1e-9
    )
    truth, called = (
        ["yes"] * 30 + ["no"] * 70,
        ["yes"] * 25 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 60,
    )
    heavy = confusion_of(truth, called, labels=["no", "yes"], sample_weight=[2.0] * 100)
    assert threat.function(heavy, of="yes").interval == plain.interval
    assert exact_value("csi", (25, 10, 5, 60)) == Fraction(5, 8)
    assert "threat_score" in measure_names()
    curve = RocCurve.of(sy.ScoreTable.from_scores([0.9, 0.4], [0.4, 0.1]))
    assert curve.measure("threat score").tolist() == [0.0, 0.5, 2 / 3, 0.5, 0.5]


def test_a_declared_measure_is_offered_by_every_verb(threat, tmp_path):
    columns = {name: ROWS[name] for name in ("truth", "called", "cluster", "group")}
    columns["other"] = columns["truth"][::-1]
    roles = {"systems": ["called", "other"], "positive": 1}
    system = sy.evaluate(columns, measure=["CSI", "kappa"], **roles).systems[0]
    assert [one.measure for one in system.further] == ["threat score", "kappa"]
    assert system.further[0].interval.method == "cluster-robust"
    assert {one.of for one in system.slices} == {"day", "night"}
    compared = sy.compare(columns, measure="Threat_Score", cluster="", **roles)
    assert compared.sentence().startswith("called is better than other (p = ")
    check = sy.gate(
        {name: columns[name] for name in ("truth", "called", "other")},
        require="threat score of 1 better",
        candidate="called",
        baseline="other",
    ).checks[0]
    assert (check.measure, check.outcome) == ("threat score", "passes")
    listed = CliRunner().invoke(catalogue_command, ["csi"]).output
    assert listed.startswith("threat score (also: CSI)")
    file = tmp_path / "calls.csv"
    file.write_text("truth,called\n" + "\n".join(["a,a"] * 6 + ["a,b"] * 2 + ["b,b"] * 5))
    typed = CliRunner().invoke(evaluate_command, [str(file), "--measure", "CSI of a"]).output
    assert "threat score of a" in typed


def test_the_engine_gives_the_limits_that_slopes_by_hand_gave():
    for cells in ([[8, 2], [1, 9]], [[30, 1, 2], [3, 40, 5], [0, 2, 9]]):
        table = Confusion.from_matrix(cells)
        for name in ("MCC", "macro F1", "weighted F1", "weighted precision"):
            by_hand, found = CATALOGUE[name].function(table), estimate_calls(CATALOGUE[name], table)
            assert found.value == pytest.approx(by_hand.value, rel=1e-14)
            assert found.standard_error == pytest.approx(by_hand.standard_error, rel=1e-12)
            assert (found.interval.low, found.interval.high) == pytest.approx(
                (by_hand.interval.low, by_hand.interval.high), rel=1e-12
            )


def test_specificity_of_clusters_counts_the_clusters_that_hold_the_rest():
    # Two rules that agreed on the value disagreed on the interval: one looked at all clusters.
    parts = Grouped.from_parts(
        "cluster",
        {
            "a": Confusion.from_matrix([[9, 1], [3, 7]]),
            "b": Confusion.from_matrix([[0, 0], [2, 8]]),
            "c": Confusion.from_matrix([[0, 0], [3, 7]]),
        },
    )
    one = sy.measures.clustered_class_share(parts, "specificity", of="0")
    two = clustered_measure(parts, lambda table: sy.measures.specificity(table, of="0"))
    assert one.interval == two.interval
    assert clustered_measure(parts, lambda table: informedness(table, of="0")).interval is None


def test_a_measure_is_declared_once():
    with (
        pytest.raises(RequestError, match="is recall already"),
        declared(replace(THREAT, name="TPR")),
    ):
        pass
