import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.comparison.exact.independent import k_sample_chi_square
from steelyard.comparison.exact.paired import mcnemar
from steelyard.comparison.exact.paired_rates import paired_detection, predictive_values
from steelyard.counts import JointCalls
from steelyard.errors import CountsError, NotComparable


def joint(ill, ok):
    """Build from counts of (++, +-, -+, --) among the ill and among the healthy."""
    calls = (("ill", "ill"), ("ill", "ok"), ("ok", "ill"), ("ok", "ok"))
    cells = {("ill", c): n for c, n in zip(calls, ill, strict=True)}
    cells |= {("ok", c): n for c, n in zip(calls, ok, strict=True)}
    return JointCalls.from_cells(cells, systems=["A", "B"], classes=["ill", "ok"])


# Coronary artery disease (Weiner et al. 1979), used by Leisenring et al. and Kosinski.
HEART = joint((473, 29, 81, 25), (22, 46, 44, 151))

four = st.tuples(*[st.integers(1, 30)] * 4)


def test_the_heart_data_have_their_rates():
    answer = paired_detection(HEART, "A", "B", positive="ill")
    assert answer.sensitivity == (502 / 608, 554 / 608)
    assert answer.specificity == (195 / 263, 197 / 263)
    assert (answer.positives.first, answer.positives.second) == (29, 81)
    assert (answer.negatives.first, answer.negatives.second) == (44, 46)
    assert answer.sensitivity_test == mcnemar(answer.positives)
    assert answer.specificity_test == mcnemar(answer.negatives)


@pytest.mark.parametrize(("value", "statistic"), [("positive", 0.807), ("negative", 22.502)])
def test_the_heart_data_have_their_weighted_score_statistics(value, statistic):
    # The formula in the source of R's DTComPair (pv.wgs), evaluated apart from this library.
    answer = predictive_values(HEART, "A", "B", positive="ill", value=value)
    assert round(answer.statistic, 3) == statistic


@given(four, four, st.sampled_from(["positive", "negative"]))
def test_the_statistic_is_the_score_written_item_by_item(ill, ok, value):
    called = value == "positive"
    rows = [
        (truth, one, two)
        for truth, counts in ((True, ill), (False, ok))
        for (one, two), n in zip(
            ((True, True), (True, False), (False, True), (False, False)), counts, strict=True
        )
        for _ in range(n)
    ]
    truth, one, two = (np.array(column) == called for column in zip(*rows, strict=True))
    n1, n2 = one.sum(), two.sum()
    pooled = (truth[one].sum() + truth[two].sum()) / (n1 + n2)
    shared = 2 * ((truth - pooled) ** 2)[one & two].sum() / (n1 * n2)
    variance = pooled * (1 - pooled) * (1 / n1 + 1 / n2) - shared
    gap = truth[one].mean() - truth[two].mean()
    answer = predictive_values(joint(ill, ok), "A", "B", positive="ill", value=value)
    assert (answer.first, answer.second) == pytest.approx((truth[one].mean(), truth[two].mean()))
    assert answer.statistic == pytest.approx(gap**2 / variance, rel=1e-9, abs=1e-9)


def test_without_shared_calls_it_is_the_test_of_two_samples():
    apart = joint((0, 30, 20, 5), (0, 10, 15, 40))
    answer = predictive_values(apart, "A", "B", positive="ill", value="positive")
    plain = k_sample_chi_square([(30, 40), (20, 35)])
    assert answer.statistic == pytest.approx(plain.statistic, rel=1e-12)
    assert answer.p_value == pytest.approx(plain.p_value, rel=1e-9)


def test_equal_predictive_values_are_rejected_as_often_as_stated():
    # Equal PPV of .75 with unequal numbers of calls and much overlap.
    rng, campaigns, rejected = np.random.default_rng(6), 1500, 0
    chances = np.array([60, 30, 15, 25, 20, 10, 5, 85]) / 250
    for _ in range(campaigns):
        cells = rng.multinomial(250, chances).tolist()
        answer = predictive_values(
            joint(cells[:4], cells[4:]), "A", "B", positive="ill", value="positive"
        )
        rejected += answer.p_value < 0.05
    assert rejected / campaigns == pytest.approx(0.05, abs=4 * (0.05 * 0.95 / campaigns) ** 0.5)


def test_systems_with_the_same_calls_are_not_told_apart():
    same = joint((30, 0, 0, 5), (7, 0, 0, 40))
    answer = predictive_values(same, "A", "B", positive="ill", value="positive")
    assert (answer.statistic, answer.p_value) == (None, 1.0)


def test_a_kind_of_item_or_call_that_is_missing_is_said_so():
    only = joint((30, 2, 3, 5), (0, 0, 0, 0))
    answer = paired_detection(only, "A", "B", positive="ill")
    assert answer.specificity is None
    assert answer.specificity_test is None
    silent = joint((0, 3, 0, 5), (0, 2, 0, 9))
    with pytest.raises(NotComparable, match="without such a call"):
        predictive_values(silent, "A", "B", positive="ill", value="positive")
    with pytest.raises(CountsError, match="No system"):
        paired_detection(HEART, "A", "X", positive="ill")
    with pytest.raises(CountsError, match="No class"):
        paired_detection(HEART, "A", "B", positive="sick")
