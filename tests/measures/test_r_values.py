"""What R packages say of the same data; tests/golden/make_r_*.R made the values."""

import json
from fractions import Fraction
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from steelyard.comparison import compare_areas, fisher_exact, mcnemar
from steelyard.counts import Confusion, JointScores, PairTable, ScoreTable
from steelyard.measures import (
    Costs,
    Ratings,
    RocCurve,
    ThresholdQuestion,
    accuracy,
    auc,
    average,
    average_precision,
    balanced_accuracy,
    brier_decomposition,
    called_share,
    class_share,
    cohen_kappa,
    conger_kappa,
    diagnostic_odds_ratio,
    f_beta,
    find_threshold,
    fleiss_kappa,
    gini,
    gwet_ac,
    hand_till,
    informedness,
    kappa_test,
    krippendorff_alpha,
    likelihood_ratio_negative,
    likelihood_ratio_positive,
    mcc,
    no_information_test,
    npv_at,
    partial_auc,
    ppv_at,
    pr_area,
    vector_score,
    weighted_kappa,
)
from steelyard.tally import confusion_of, vector_scores_of
from steelyard.uncertainty import (
    auc_interval,
    delong_covariance,
    proportion_interval,
    ratio_interval,
    share_ratio_interval,
)

ROOT = Path(__file__).parents[2]
DATA = ROOT / "src/steelyard/data"


def golden(name):
    return json.loads((ROOT / f"tests/golden/r_{name}.json").read_text(encoding="utf-8"))


RANKING, AGREEMENT, DETECTION = (golden(n) for n in ("ranking", "agreement", "detection"))


def columns(name):
    lines = (DATA / name).read_text().splitlines()
    rows = [line.split(",") for line in lines[1:]]
    return {key: [row[at] for row in rows] for at, key in enumerate(lines[0].split(","))}


def scored(name, system):
    """Truth and scores of a system; aSAH stands in the golden file itself."""
    if name == "asah":
        data = RANKING["asah"]["data"]
        return np.array([r["poor"] for r in data]), np.array([float(r[system]) for r in data])
    table = columns({"credit": "german_credit_scores.csv", "wdbc": "wdbc_scores.csv"}[name])
    return np.array(table["truth"], dtype=int), np.array(table[system], dtype=float)


def table_of(name, system):
    truth, scores = scored(name, system)
    return ScoreTable.from_scores(scores[truth == 1], scores[truth == 0])


SYSTEMS = [("asah", "wfns"), ("asah", "s100b"), ("credit", "rf"), ("credit", "glm"),
           ("wdbc", "knn7"), ("wdbc", "rf")]  # fmt: skip


@pytest.mark.parametrize(("name", "system"), SYSTEMS)
def test_areas_are_those_of_proc(name, system):
    expected, table = RANKING[name][system], table_of(name, system)
    found = auc(table)
    assert found.value == pytest.approx(expected["auc"], abs=1e-13)
    assert found.standard_error**2 == pytest.approx(expected["variance"], rel=1e-11)
    sizes = {"positives": table.positive_total, "negatives": table.negative_total}
    for level, key in ((0.95, "wald"), (0.9, "wald_90")):
        ends = auc_interval(
            found.value, found.standard_error**2, level=level, method="wald", **sizes
        ).limits
        assert ends == pytest.approx(expected[key], abs=1e-12)


@pytest.mark.parametrize(("name", "system"), SYSTEMS)
def test_partial_areas_are_those_of_proc(name, system):
    expected, table = RANKING[name][system], table_of(name, system)
    part = partial_auc(table, false_alarm_rates=(0, Fraction(1, 5)), corrected=False)
    assert part.value == pytest.approx(expected["partial"], abs=1e-12)
    part = partial_auc(table, false_alarm_rates=(0, Fraction(1, 5)))
    assert part.value == pytest.approx(expected["partial_corrected"], abs=1e-12)
    part = partial_auc(table, detection_rates=(Fraction(9, 10), 1))
    assert part.value == pytest.approx(expected["partial_sensitivity_corrected"], abs=1e-12)


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [("asah", "wfns", "s100b"), ("credit", "rf", "glm"), ("wdbc", "knn7", "rf")],
)
def test_differences_of_areas_are_those_of_proc(name, first, second):
    truth, one = scored(name, first)
    joint = JointScores.from_arrays(truth == 1, {"A": one, "B": scored(name, second)[1]})
    areas, covariance = delong_covariance(joint)
    expected = RANKING[name]["paired"]
    assert covariance[0, 1] == pytest.approx(expected["covariance"], rel=1e-11)
    error = sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    assert (areas[0] - areas[1]) / error == pytest.approx(expected["z"], rel=1e-11)
    assert compare_areas(areas, covariance, 0, 1).p_value == pytest.approx(expected["p"], rel=1e-10)


def test_the_published_values_of_asah_are_found():
    assert RANKING["asah"]["paired"]["z"] == pytest.approx(2.20898359144091, abs=1e-13)
    assert RANKING["asah"]["paired"]["p"] == pytest.approx(0.0271757822291882, abs=1e-14)


@pytest.mark.parametrize(("name", "system"), [("credit", "rf"), ("wdbc", "knn7")])
def test_ranking_measures_are_those_of_yardstick(name, system):
    expected, table = RANKING[name]["yardstick"], table_of(name, system)
    assert auc(table).value == pytest.approx(expected["roc_auc"], abs=1e-12)
    assert average_precision(table).value == pytest.approx(expected["average_precision"], abs=1e-12)
    assert pr_area(table, kind="trapezoid").value == pytest.approx(expected["pr_auc"], abs=1e-12)
    assert gini(table).value == pytest.approx(expected["gain_capture"], abs=1e-12)


def test_the_points_of_the_curve_are_those_of_rocr():
    expected = RANKING["credit"]["rocr"]
    table = table_of("credit", "rf")
    truth, scores = scored("credit", "rf")
    assert auc(table).value == pytest.approx(expected["auc"], abs=1e-12)
    assert brier_decomposition(table).score == pytest.approx(expected["rmse"] ** 2, abs=1e-12)
    curve = RocCurve.of(table)
    for place, cut in enumerate(expected["cuts"]):
        confusion = confusion_of(truth, (scores >= cut).astype(int), labels=[0, 1])
        point = curve.at(threshold=cut, measures=())
        assert point.tp / 143 == pytest.approx(expected["tpr"][place], abs=1e-12)
        assert point.fp / 357 == pytest.approx(expected["fpr"][place], abs=1e-12)
        found = {
            "acc": accuracy(confusion),
            "prec": class_share(confusion, "precision", of="1"),
            "npv": class_share(confusion, "npv", of="1"),
            "pcfall": class_share(confusion, "false-discovery-rate", of="1"),
            "pcmiss": class_share(confusion, "false-omission-rate", of="1"),
            "fnr": class_share(confusion, "false-negative-rate", of="1"),
            "tnr": class_share(confusion, "specificity", of="1"),
            "rpp": called_share(confusion, of="1"),
            "phi": mcc(confusion),
            "f": f_beta(confusion, of="1"),
            "odds": diagnostic_odds_ratio(confusion, of="1"),
        }
        for key, one in found.items():
            assert one.value == pytest.approx(expected[key][place], abs=1e-11), (key, cut)


def test_the_log_loss_is_that_of_rocr_and_yardstick():
    truth, scores = scored("credit", "rf")
    vectors = vector_scores_of(truth, {"rf": np.column_stack([1 - scores, scores])}, labels=[0, 1])
    found = vector_score(vectors, "log", "rf").value
    assert found == pytest.approx(RANKING["credit"]["rocr"]["mxe"], abs=1e-8)  # sums of 2^-30
    assert found == pytest.approx(RANKING["credit"]["yardstick"]["mn_log_loss"], abs=1e-8)


def test_thresholds_are_those_of_cutpointr():
    expected, table = RANKING["credit"]["cutpointr"], table_of("credit", "rf")
    recipes = {"youden": "max-sum", "kappa": "max-kappa", "f1": "max-f", "corner": "closest-corner"}
    for key, method in recipes.items():
        found = find_threshold(table, method)
        assert expected[key] in {found.threshold, *found.tied}, key


def test_thresholds_lie_where_those_of_presence_absence_lie():
    """PresenceAbsence tries 1001 thresholds with > and averages ties: the calls must agree."""
    table = columns("species_presence_scores.csv")
    rows = [
        (int(seen), float(score))
        for name, seen, score in zip(table["SPECIES"], table["OBSERVED"], table["GAM"], strict=True)
        if name == RANKING["species"]["name"]
    ]
    truth, scores = (np.array(one) for one in zip(*rows, strict=True))
    counts = ScoreTable.from_scores(scores[truth == 1], scores[truth == 0])
    expected = {one["Method"]: one["GAM"] for one in RANKING["species"]["thresholds"]}
    question = ThresholdQuestion(sensitivity=Fraction(9, 10), costs=Costs())
    recipes = {
        "MaxKappa": "max-kappa",
        "MaxSens+Spec": "max-sum",
        "MinROCdist": "closest-corner",
        "ObsPrev": "prevalence",
        "MeanProb": "mean-score",
        "ReqSens": "sensitivity",
    }
    for name, method in recipes.items():
        ours = find_threshold(counts, method, question).threshold
        called = int((scores >= ours).sum())
        assert called == pytest.approx(int((scores > expected[name]).sum()), abs=1), name
    half = RANKING["species"]["at_half"][0]
    confusion = confusion_of(truth, (scores > 0.5).astype(int), labels=[0, 1])
    assert accuracy(confusion).value == pytest.approx(half["PCC"], abs=1e-12)
    assert cohen_kappa(confusion).value == pytest.approx(half["Kappa"], abs=1e-12)
    assert auc(counts).value == pytest.approx(half["AUC"], abs=1e-12)


def rated(key):
    return Ratings.from_items(AGREEMENT[key])


def test_coefficients_of_raters_are_those_of_irr():
    said = rated("said")
    assert fleiss_kappa(said).value == pytest.approx(AGREEMENT["fleiss"]["value"], abs=1e-12)
    assert conger_kappa(said).value == pytest.approx(AGREEMENT["fleiss"]["exact"], abs=1e-12)
    holes, order = rated("holes"), ["1", "2", "3", "4"]
    for metric, expected in AGREEMENT["kripp"].items():
        asked = {"order": order} if metric == "ordinal" else {}
        found = krippendorff_alpha(holes, metric=metric, **asked)
        assert found.value == pytest.approx(expected, abs=1e-12), metric


def test_kappa_of_two_raters_is_that_of_irr():
    pairs = [row[:2] for row in AGREEMENT["said"]]
    table = confusion_of([str(a) for a, _ in pairs], [str(b) for _, b in pairs])
    expected, order = AGREEMENT["kappa2"], ["1", "2", "3", "4"]
    assert cohen_kappa(table).value == pytest.approx(expected["unweighted"], abs=1e-12)
    assert kappa_test(table).z == pytest.approx(expected["z"], abs=1e-10)
    for ours, theirs in (("linear", "equal"), ("quadratic", "squared")):
        found = weighted_kappa(table, order=order, weights=ours)
        assert found.value == pytest.approx(expected[theirs], abs=1e-12)


@pytest.mark.parametrize("key", ["said", "holes"])
def test_coefficients_of_raters_are_those_of_irrcac(key):
    expected = AGREEMENT["full" if key == "said" else "missing"]
    found = {
        "fleiss": fleiss_kappa(rated(key)),
        "conger": conger_kappa(rated(key)),
        "alpha": krippendorff_alpha(rated(key)),
        "ac1": gwet_ac(rated(key)),
    }
    for name, one in found.items():
        assert one.value == pytest.approx(expected[name]["coeff"], abs=5.1e-6), name
        # irrCAC linearises, we leave items out in turn: alike to a few percent.
        assert one.standard_error == pytest.approx(expected[name]["se"], rel=0.05), name


def test_congers_kappa_of_the_handbooks_twelve_items_is_the_printed_one():
    """Table of Gwet (2014) with four raters and missing ratings: 0.76282."""
    ratings = Ratings.from_items(AGREEMENT["handbook"]["data"])
    assert conger_kappa(ratings).value == pytest.approx(0.76282, abs=5.1e-6)
    for name, coefficient in (("fleiss", fleiss_kappa), ("ac1", gwet_ac)):
        expected = AGREEMENT["handbook"][name]["coeff"]
        assert coefficient(ratings).value == pytest.approx(expected, abs=5.1e-6)


def test_weighted_coefficients_with_missing_ratings_are_those_of_irrcac():
    holes, order = rated("holes"), ["1", "2", "3", "4"]
    found = gwet_ac(holes, weights="quadratic", order=order)
    assert found.value == pytest.approx(AGREEMENT["missing"]["ac2"]["coeff"], abs=5.1e-6)
    found = conger_kappa(holes, weights="linear", order=order)
    assert found.value == pytest.approx(AGREEMENT["missing"]["conger_linear"]["coeff"], abs=5.1e-6)


def test_kappa_and_its_variance_are_those_of_psych():
    table = columns("diamonds_ordinal_labels.csv")
    confusion = confusion_of(table["truth"], table["rf"])
    expected = AGREEMENT["diamonds"]
    found = cohen_kappa(confusion)
    assert found.value == pytest.approx(expected["kappa"], abs=1e-12)
    assert found.standard_error**2 == pytest.approx(expected["variance"], rel=1e-9)
    order = sorted(set(table["truth"]))
    weighted = weighted_kappa(confusion, order=order, weights="quadratic")
    assert weighted.value == pytest.approx(expected["quadratic"], abs=1e-12)


def credit_calls():
    truth, scores = scored("credit", "rf")
    return confusion_of(truth, (scores >= 0.35).astype(int), labels=[0, 1])


def test_measures_of_two_classes_are_those_of_yardstick():
    confusion, expected = credit_calls(), DETECTION["binary"]
    found = {
        "precision": class_share(confusion, "precision", of="1"),
        "recall": class_share(confusion, "recall", of="1"),
        "spec": class_share(confusion, "specificity", of="1"),
        "npv": class_share(confusion, "npv", of="1"),
        "f_meas": f_beta(confusion, of="1"),
        "j_index": informedness(confusion, of="1"),
        "bal_accuracy": balanced_accuracy(confusion),
        "detection_prevalence": called_share(confusion, of="1"),
    }
    for name, one in found.items():
        assert one.value == pytest.approx(expected[name]["binary"], abs=1e-12), name
    single = {
        "accuracy": accuracy(confusion),
        "kap": cohen_kappa(confusion),
        "mcc": mcc(confusion),
        "f2": f_beta(confusion, beta=2, of="1"),
        "ppv_at": ppv_at(confusion, prevalence=0.05, of="1"),
        "npv_at": npv_at(confusion, prevalence=0.05, of="1"),
    }
    for name, one in single.items():
        assert one.value == pytest.approx(expected[name], abs=1e-12), name


def test_averages_over_letters_are_those_of_yardstick():
    table, expected = columns("letter_labels.csv"), DETECTION["letters"]
    confusion = confusion_of(table["truth"], table["lda"])
    for name, theirs in (("precision", "precision"), ("recall", "recall"), ("f1", "f_meas")):
        for ours, key in (("macro", "macro"), ("micro", "micro"), ("weighted", "macro_weighted")):
            found = average(confusion, name, averaging=ours)
            assert found.value == pytest.approx(expected[theirs][key], abs=1e-12), (name, ours)
    assert accuracy(confusion).value == pytest.approx(expected["accuracy"], abs=1e-12)
    assert cohen_kappa(confusion).value == pytest.approx(expected["kap"], abs=1e-12)
    assert mcc(confusion).value == pytest.approx(expected["mcc"], abs=1e-12)
    order = sorted(set(table["truth"]))
    for weights in ("linear", "quadratic"):
        found = weighted_kappa(confusion, order=order, weights=weights)
        assert found.value == pytest.approx(expected[f"kap_{weights}"], abs=1e-12)


def test_the_test_against_the_no_information_rate_is_that_of_caret():
    overall = DETECTION["caret"]["overall"]
    # caret takes the rate as known; its p-value for the calls of a table is the binomial form
    found = no_information_test(credit_calls(), method="binomial")
    assert found.rate == pytest.approx(overall["AccuracyNull"], abs=1e-12)
    assert found.p_value == pytest.approx(overall["AccuracyPValue"], abs=1e-10)
    ends = proportion_interval(368, 500, method="clopper-pearson")
    assert ends == pytest.approx((overall["AccuracyLower"], overall["AccuracyUpper"]), abs=1e-12)


def test_diagnostic_ratios_are_those_of_epir():
    expected = {one["statistic"]: one for one in DETECTION["epi"]["detail"]}
    confusion = Confusion.from_binary(**DETECTION["epi"]["cells"])
    found = {
        "se": class_share(confusion, "recall", of="positive"),
        "sp": class_share(confusion, "specificity", of="positive"),
        "pv.pos": class_share(confusion, "precision", of="positive"),
        "pv.neg": class_share(confusion, "npv", of="positive"),
        "diag.ac": accuracy(confusion),
        "lr.pos": likelihood_ratio_positive(confusion, of="positive"),
        "lr.neg": likelihood_ratio_negative(confusion, of="positive"),
        "diag.or": diagnostic_odds_ratio(confusion, of="positive"),
    }
    cells = confusion.against_rest("positive")
    ill, well = cells.tp + cells.fn, cells.fp + cells.tn
    shares = {
        "lr.pos": ((cells.tp, ill), (cells.fp, well)),
        "lr.neg": ((cells.fn, ill), (cells.tn, well)),
    }
    for name, one in found.items():
        assert one.value == pytest.approx(expected[name]["est"], rel=1e-12), name
        ends = (one.interval.low, one.interval.high)
        if name in shares:
            # epiR has Katz' log interval, which falls short with few items; ours is Koopman's.
            assert one.interval.method == "ratio-score"
            assert ends == ratio_interval(*shares[name])
            ends = share_ratio_interval(*shares[name])
        theirs = (expected[name]["lower"], expected[name]["upper"])
        assert ends == pytest.approx(theirs, rel=1e-9), name


@pytest.mark.parametrize("case", DETECTION["shares"], ids=lambda c: f"{c['x']}of{c['n']}")
def test_intervals_of_shares_are_those_of_r(case):
    wilson = proportion_interval(case["x"], case["n"])
    exact = proportion_interval(case["x"], case["n"], method="clopper-pearson")
    assert wilson == pytest.approx(case["wilson"], abs=1e-12)
    assert wilson == pytest.approx(case["prop_test"], abs=1e-12)
    assert exact == pytest.approx(case["binom_test"], abs=1e-10)
    assert exact == pytest.approx(case["exact"], abs=1e-10)


def test_tests_of_tables_are_those_of_r():
    assert fisher_exact((8, 10), (1, 6)).p_value == pytest.approx(DETECTION["fisher"], rel=1e-9)
    pair = PairTable(both=160, first=18, second=5, neither=17)
    found = mcnemar(pair, method="asymptotic").p_value
    assert found == pytest.approx(DETECTION["mcnemar"], rel=1e-9)


def test_the_area_of_ten_classes_is_that_of_proc():
    table = columns("digits_scores_logreg.csv")
    vectors = np.column_stack([np.array(table[f"p{k}"], dtype=float) for k in range(10)])
    found = hand_till(table["truth"], vectors, classes=[str(k) for k in range(10)])
    assert found.value == pytest.approx(RANKING["digits"]["hand_till"], abs=1e-12)
