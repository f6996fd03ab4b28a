"""Rates of a confusion table: scikit-learn, the printed examples, weights, words."""

import csv
import json
from fractions import Fraction
from math import sqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

import steelyard.counts
from steelyard.counts import SCALE, Confusion, WeightSums
from steelyard.errors import CountsError, RequestError
from steelyard.measures import (
    accuracy,
    balanced_accuracy,
    called_share,
    error_rate,
    f1,
    false_discovery_rate,
    false_negative_rate,
    false_omission_rate,
    false_positive_rate,
    no_information_rate,
    npv,
    precision,
    prevalence,
    recall,
    recall_and_precision,
    specificity,
    warn_if_useless,
)
from steelyard.results import Estimate, Proportion
from steelyard.uncertainty import (
    proportion_interval,
    wilson_interval,
    wilson_interval_effective,
)

DATA = Path(steelyard.counts.__file__).parents[1] / "data"
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "misir.json").read_text())
NAMED = {
    "precision": lambda table: precision(table, of="positive"),
    "sensitivity": lambda table: recall(table, of="positive"),
    "specificity": lambda table: specificity(table, of="positive"),
    "accuracy": accuracy,
}

cell = st.integers(0, 30)
square = st.lists(st.lists(cell, min_size=3, max_size=3), min_size=3, max_size=3)


def rows_of(name):
    with (DATA / name).open(newline="") as file:
        return list(csv.DictReader(file))


def confusion_of(rows, system):
    cells = {}
    for row in rows:
        pair = row["truth"], row[system]
        cells[pair] = cells.get(pair, 0) + 1
    return Confusion.from_cells(cells)


@pytest.mark.parametrize(
    ("name", "system"),
    [("digits_labels.csv", "svm"), ("digits_labels.csv", "tree"), ("letter_labels.csv", "lda")],
)
def test_rates_agree_with_scikit_learn_on_real_predictions(name, system):
    rows = rows_of(name)
    truth, called = [r["truth"] for r in rows], [r[system] for r in rows]
    table = confusion_of(rows, system)
    assert accuracy(table).value == metrics.accuracy_score(truth, called)
    wrong, right = error_rate(table), accuracy(table)
    assert wrong.value == pytest.approx(metrics.zero_one_loss(truth, called), abs=1e-14)
    assert wrong.interval.low == pytest.approx(1 - right.interval.high, abs=1e-14)
    assert balanced_accuracy(table).value == pytest.approx(
        metrics.balanced_accuracy_score(truth, called), abs=1e-14
    )
    for measure, theirs in (
        (recall, metrics.recall_score),
        (precision, metrics.precision_score),
        (f1, metrics.f1_score),
    ):
        expected = theirs(truth, called, labels=list(table.classes), average=None)
        ours = [measure(table, of=of).value for of in table.classes]
        assert ours == pytest.approx(list(expected), abs=1e-14)


@pytest.mark.parametrize("example", GOLDEN["confusion_examples"], ids=lambda e: e["text"])
def test_the_four_useless_systems_have_their_printed_numbers_and_are_warned_of(example):
    cells = {name.lower(): example[name] for name in ("TP", "FP", "FN", "TN")}
    table = Confusion.from_binary(**cells)
    for name, measure in NAMED.items():
        expected = example["stats"][name]
        result = measure(table)
        if expected is None:
            assert result.value is None
            assert "no item was called 'positive'" in result.reason
        else:
            assert Fraction(result.successes, result.trials) == Fraction(expected["frac"])
    caveats = warn_if_useless(table)
    assert any("every item was called" in caveat for caveat in caveats)
    assert any("calling every item" in caveat for caveat in caveats)
    assert accuracy(table).caveats == caveats


def test_a_useful_system_is_not_warned_of():
    assert warn_if_useless(Confusion.from_binary(tp=40, fp=10, fn=10, tn=4940)) == ()
    assert warn_if_useless(Confusion.from_cells({}, classes=["a", "b"])) == ()


def test_accuracy_just_at_the_largest_class_is_warned_of_and_one_more_right_item_is_not():
    at = Confusion.from_matrix([[1, 9], [1, 89]])
    above = Confusion.from_matrix([[2, 8], [1, 89]])
    assert "no better than" in warn_if_useless(at)[0]
    assert warn_if_useless(above) == ()


def test_a_single_true_class_is_said_to_show_nothing_of_the_others():
    (caveat,) = warn_if_useless(Confusion.from_matrix([[5, 1], [0, 0]], classes=["cat", "dog"]))
    assert caveat == "every item is truly 'cat': nothing shows how other classes are called"


def test_undefined_shares_are_none_with_a_reason_in_words():
    table = Confusion.from_matrix([[0, 0], [0, 9]], classes=["cat", "dog"])
    reasons = {
        recall: "no item is truly 'cat', so there was nothing to find",
        precision: "no item was called 'cat', so there was no call to judge",
        f1: "no item is truly 'cat' or was called so",
    }
    for measure, reason in reasons.items():
        result = measure(table, of="cat")
        assert (result.value, result.interval, result.reason) == (None, None, reason)
    assert specificity(table, of="dog").reason.startswith("every item is truly 'dog'")
    assert npv(table, of="dog").reason.startswith("every item was called 'dog'")
    assert balanced_accuracy(table).value is None
    empty = Confusion.from_cells({}, classes=["cat"])
    for result in (accuracy(empty), no_information_rate(empty)):
        assert (result.value, result.reason) == (None, "the table holds no items")


@given(square)
def test_one_class_against_the_rest_gives_the_same_rates(matrix):
    table = Confusion.from_matrix(matrix)
    folded = table.against_rest("1")
    binary = Confusion.from_binary(tp=folded.tp, fp=folded.fp, fn=folded.fn, tn=folded.tn)
    for measure in (recall, precision, specificity, npv, f1):
        assert measure(table, of="1").value == measure(binary, of="positive").value


@given(square)
def test_shares_carry_wilsons_interval_and_their_whole_numbers(matrix):
    result = recall(Confusion.from_matrix(matrix), of="0", level=0.9)
    assert isinstance(result, Proportion)
    assert (result.successes, result.trials) == (matrix[0][0], sum(matrix[0]))
    if result.trials:
        ends = result.interval
        assert (ends.low, ends.high) == wilson_interval(result.successes, result.trials, level=0.9)
        assert (ends.level, ends.method) == (0.9, "wilson")


def test_a_perfect_system_keeps_a_lower_limit_below_one():
    table = Confusion.from_matrix([[10, 0], [0, 10]])
    for result in (accuracy(table), f1(table, of="0"), balanced_accuracy(table)):
        assert result.value == 1
        assert result.interval.high == 1
        assert 0.5 < result.interval.low < 1


def test_balanced_accuracy_joins_the_limits_of_its_recalls():
    table = Confusion.from_matrix([[8, 2], [3, 27]])
    shares = [(0.8, *wilson_interval(8, 10)), (0.9, *wilson_interval(27, 30))]
    result = balanced_accuracy(table)
    assert result.interval.low == pytest.approx(
        0.85 - sqrt(sum((p - low) ** 2 for p, low, _ in shares)) / 2, abs=1e-14
    )
    assert result.interval.high == pytest.approx(
        0.85 + sqrt(sum((high - p) ** 2 for p, _, high in shares)) / 2, abs=1e-14
    )


def weighted(cells, weights):
    """Give each cell's rows one weight."""
    sums = {
        pair: WeightSums(round(n * weights[pair] * SCALE), round(n * weights[pair] ** 2 * SCALE))
        for pair, n in cells.items()
    }
    return Confusion.from_cells(cells, weights=sums)


def test_weighted_rows_give_a_weighted_share_and_say_so():
    cells = {("a", "a"): 6, ("a", "b"): 2, ("b", "b"): 2}
    table = weighted(cells, {("a", "a"): 1.0, ("a", "b"): 2.0, ("b", "b"): 0.5})
    result = recall(table, of="a")
    assert isinstance(result, Estimate)
    assert result.value == pytest.approx(6 / 10, abs=1e-12)
    number = 10**2 / (6 + 2 * 4)
    # Six rows of weight 1 right, two of weight 2 wrong: rows are the units of cluster means.
    variance = (6 * 0.4**2 + 2 * 4 * 0.6**2) / 10**2 * number / (number - 1)
    one_more = 2 * 4 / 2 / 10**2
    seen, wider = ((v * number / 0.24) for v in (variance, variance + one_more))
    effect = max(1, seen, min(wider, 1 + 1.25 / 2))
    t = stats.t.ppf(0.975, number - 1)
    fewer = number / effect * (stats.norm.ppf(0.975) / t) ** 2
    low, high = wilson_interval_effective(0.6, fewer)
    high = max(high, stats.beta.ppf(0.975, 0.6 * fewer + 1, 0.4 * fewer))
    rare = 1 - 2 * (1 / (0.4 * number) + 1 / number) + 1 / (0.4 * number)
    reach = rare * t**2
    low = min(low, 0.6 * number / (number + reach))
    high = max(high, (0.6 * number + reach) / (number + reach))
    found = (result.interval.low, result.interval.high)
    assert found == pytest.approx((low, high), abs=1e-12)
    assert "Kish's effective number of rows, 7.1, instead of 8" in result.caveats[0]


@given(square.filter(lambda m: any(map(any, m))), st.sampled_from([0.25, 1.0, 3.0]))
def test_equal_weights_change_no_number(matrix, weight):
    plain = Confusion.from_matrix(matrix)
    cells = {(t, c): n for t, c, n in plain.cells}
    table = weighted(cells, dict.fromkeys(cells, weight))
    ours = [accuracy(table), *(m(table, of=o) for m in (recall, f1) for o in table.classes)]
    theirs = [accuracy(plain), *(m(plain, of=o) for m in (recall, f1) for o in table.classes)]
    for one, other in zip(ours, theirs, strict=True):
        assert one.value == pytest.approx(other.value, abs=1e-12)
        if one.interval:
            assert one.interval.low == pytest.approx(other.interval.low, abs=1e-12)
    assert warn_if_useless(table) == warn_if_useless(plain)


def test_rows_without_weight_leave_the_share_undefined():
    table = weighted({("a", "a"): 3}, {("a", "a"): 0.0})
    assert accuracy(table).reason == "every row that counts here has weight 0"


def test_unknown_classes_and_levels_are_refused():
    table = Confusion.from_matrix([[1, 0], [0, 1]])
    for measure in (recall, precision, specificity, npv, f1):
        with pytest.raises(CountsError, match="No class 'ship'"):
            measure(table, of="ship")
    for measure in (accuracy, balanced_accuracy, no_information_rate):
        with pytest.raises(RequestError, match="level"):
            measure(table, level=95)


@given(square)
def test_error_rates_are_what_the_rates_leave_over(matrix):
    table = Confusion.from_matrix(matrix)
    cells = table.against_rest("1")
    pairs = (
        (false_positive_rate, specificity, (cells.fp, cells.negatives)),
        (false_negative_rate, recall, (cells.fn, cells.positives)),
        (false_discovery_rate, precision, (cells.fp, cells.called)),
        (false_omission_rate, npv, (cells.fn, cells.total - cells.called)),
    )
    for error, rate, whole in pairs:
        found, other = error(table, of="1"), rate(table, of="1")
        assert (found.successes, found.trials) == whole
        assert (found.value is None) == (other.value is None)
        if found.value is not None:
            assert found.value + other.value == pytest.approx(1, abs=1e-15)
            assert found.interval.low == pytest.approx(1 - other.interval.high, abs=1e-12)
        else:
            assert found.reason == other.reason


@given(square)
def test_prevalence_and_called_share_are_the_margins(matrix):
    table = Confusion.from_matrix(matrix)
    cells = table.against_rest("1")
    for found, whole in (
        (prevalence(table, of="1"), cells.positives),
        (called_share(table, of="1"), cells.called),
    ):
        assert (found.successes, found.trials) == (whole, cells.total)
        assert (found.value is None) == (cells.total == 0)
        assert found.reason == (None if cells.total else "the table holds no items")


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "midp", "jeffreys"])
def test_other_named_intervals_can_be_chosen(method):
    table = Confusion.from_matrix([[8, 2], [1, 9]])
    found = recall(table, of="0", method=method).interval
    assert (found.low, found.high) == proportion_interval(8, 10, method=method)
    assert found.method == method
    assert accuracy(table, method=method).interval.method == method


def test_unknown_methods_and_methods_for_whole_counts_on_weights_are_refused():
    with pytest.raises(RequestError, match="method='wilsn'"):
        accuracy(Confusion.from_matrix([[8, 2], [1, 9]]), method="wilsn")
    heavy = weighted({("a", "a"): 3}, {("a", "a"): 2.0})
    with pytest.raises(RequestError, match="needs whole counts"):
        accuracy(heavy, method="jeffreys")


@given(st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=3, max_size=3))
def test_all_classes_at_once_are_measured_as_one_by_one(matrix):
    table = Confusion.from_matrix(matrix)
    for of, both in recall_and_precision(table).items():
        assert both == (recall(table, of=of), precision(table, of=of))
