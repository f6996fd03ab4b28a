"""How a measure of calls is compared unless a method is named."""

import numpy as np
import pytest

import steelyard as sy
from steelyard.comparison import common_interval, common_test
from steelyard.comparison.methods import METHODS
from steelyard.counts import PairTable
from steelyard.errors import NotComparable, RequestError
from steelyard.measures import CATALOGUE, catalogue_entry

TABLE_MEASURES = sorted(
    name for name, one in CATALOGUE.items() if one.counts == "Confusion" and one.formula
)
TRUTH = ["p"] * 12 + ["n"] * 18
NEW = ["p"] * 12 + ["n"] * 16 + ["p"] * 2
OLD = ["n"] * 6 + ["p"] * 6 + ["n"] * 17 + ["p"]
ROWS = {"truth": TRUTH, "new": NEW, "old": OLD}


def column(found, name):
    sheet = next(one for one in found.sheets if name in one.columns)
    return sheet.rows[0].values[sheet.columns.index(name)]


def test_accuracy_by_name_is_the_comparison_without_a_measure():
    plain = sy.compare(ROWS)
    for name in ("accuracy", "percent correct", "micro F1", "micro-f1"):
        named = sy.compare(ROWS, measure=name)
        assert named.pairs == plain.pairs
        assert named.systems == plain.systems
    assert "is accuracy" in " ".join(sy.compare(ROWS, measure="micro F1").caveats)


def test_accuracy_by_name_honours_weights_and_clusters_as_without_a_measure():
    rng = np.random.default_rng(1)
    weighted = {**ROWS, "weight": rng.integers(1, 4, 30).tolist()}
    clustered = {**ROWS, "cluster": [f"c{place % 6}" for place in range(30)]}
    for columns in (weighted, clustered):
        assert sy.compare(columns, measure="accuracy").pairs == sy.compare(columns).pairs


def test_accuracy_of_scores_is_refused_and_settings_need_a_method():
    scored = {"truth": TRUTH, "new": list(range(30)), "old": list(range(30))}
    with pytest.raises(RequestError, match="threshold"):
        sy.compare(scored, measure="accuracy", positive="p", score=["new", "old"])
    with pytest.raises(RequestError, match="method"):
        sy.compare(ROWS, measure="accuracy", using={"draws": 999})


def test_recall_is_tested_as_right_answers_on_the_items_of_its_class():
    pair = PairTable(both=6, first=6, second=0, neither=0)
    found = sy.compare(ROWS, measure="recall", positive="p")
    assert found.method == "paired-shares"
    assert column(found, "p-value") == common_test(pair).p_value
    ends = common_interval(pair)
    assert (column(found, "low"), column(found, "high")) == (ends.low, ends.high)


def test_a_share_and_its_complement_have_one_test_and_mirrored_limits():
    for share, complement in (
        ("recall", "false negative rate"),
        ("specificity", "false positive rate"),
    ):
        one = sy.compare(ROWS, measure=share, positive="p")
        other = sy.compare(ROWS, measure=complement, positive="p")
        assert column(one, "p-value") == column(other, "p-value")
        assert column(one, "P(better)") == column(other, "P(better)")
        assert column(one, "low") == -column(other, "high")
        assert one.sentence() == other.sentence()


def test_a_share_over_clusters_is_the_contrast_of_the_clusters_that_hold_its_items():
    clusters = [f"c{place % 6}" for place in range(30)]
    found = sy.compare({**ROWS, "cluster": clusters}, measure="recall", positive="p")
    alone = sy.compare(
        {"truth": TRUTH[:12], "new": NEW[:12], "old": OLD[:12], "cluster": clusters[:12]},
        classes=["n", "p"],
    ).pairs[0]  # fmt: skip
    assert column(found, "p-value") == pytest.approx(alone.p_value, rel=1e-12)
    assert column(found, "low") == pytest.approx(alone.difference.interval.low, abs=1e-12)


def test_a_share_of_no_items_is_refused_in_words():
    columns = {"truth": ["n"] * 9, "new": ["n"] * 9, "old": ["n"] * 8 + ["p"]}
    with pytest.raises(NotComparable, match="No item says anything about recall"):
        sy.compare(columns, measure="recall", positive="p", classes=["n", "p"])


@pytest.mark.parametrize("name", TABLE_MEASURES)
def test_interval_p_and_probability_agree_and_no_interval_is_without_width(name):
    if name in {"accuracy", "error rate", "micro F1"}:
        return
    for old in (OLD, NEW, ["p"] * 30):
        columns = {"truth": TRUTH, "new": NEW, "old": old}
        try:
            found = sy.compare(columns, measure=name, positive="p", classes=["n", "p"])
        except (NotComparable, RequestError):  # undefined for one of them, or without a direction
            continue
        low, high, p = (column(found, one) for one in ("low", "high", "p-value"))
        if low is None or high is None:
            continue
        assert low < high
        assert (low > 0 or high < 0) == (p < 0.05)
        better, gap = column(found, "P(better)"), column(found, "difference")
        lower = catalogue_entry(name).direction == "smaller is better"
        assert p >= 1 or (better > 0.5) == ((gap < 0) if lower else (gap > 0))


def test_a_gate_and_a_comparison_by_measure_answer_alike():
    for measure in ("F1 of p", "balanced accuracy", "MCC"):
        name = measure.removesuffix(" of p")
        found = sy.compare(ROWS, measure=name, positive="p", level=0.9)
        assert found.method in METHODS
        ends = sy.gate(ROWS, require=f"{measure} better", positive="p").checks[0].advantage
        assert column(found, "low") == pytest.approx(ends.interval.low, abs=1e-12)
