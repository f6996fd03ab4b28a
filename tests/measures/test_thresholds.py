"""Every recipe against its definition, searched by brute force, and the worked examples."""

import json
from fractions import Fraction
from math import inf, nextafter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from steelyard.counts import ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.measures import (
    RULES,
    Costs,
    ThresholdQuestion,
    find_threshold,
    threshold_stability,
)
from tests.material import split

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "misir.json").read_text())
EXAMPLES = GOLDEN["threshold_methods"]
NAMES = {
    "fixed_value": "fixed",
    "lowest_predicted": "lowest-positive",
    "fixed_sensitivity": "sensitivity",
    "sens_spec_equality": "equal-rates",
    "sens_spec_sum": "max-sum",
    "max_kappa": "max-kappa",
    "average_probability": "mean-score",
    "equal_prevalence": "predicted-prevalence",
}
scores = st.lists(st.integers(0, 8), min_size=1, max_size=25)
QUESTION = ThresholdQuestion(
    value=3.5,
    sensitivity=Fraction(4, 5),
    specificity=Fraction(7, 10),
    false_alarm_rate=Fraction(3, 10),
    beta=Fraction(2),
    costs=Costs(fn=Fraction(5), fp=Fraction(1)),
)


@pytest.mark.parametrize("example", ["example_slide_data", "example_with_ties"])
@pytest.mark.parametrize("result", ["result_sens95", "result_sens80"])
@pytest.mark.parametrize("name", NAMES)
def test_the_eight_recipes_find_the_worked_examples(example, result, name):
    golden = EXAMPLES[example]
    if result in golden:
        share = Fraction(int(result[-2:]), 100)
        table = split(golden["scores"], golden["targets"])
        found = find_threshold(table, NAMES[name], ThresholdQuestion(sensitivity=share))
        assert list(found.tied) == golden[result][name]
        assert found.threshold == min(golden[result][name])


def counts_at(positives, negatives, threshold):
    tp = sum(p >= threshold for p in positives)
    fp = sum(n >= threshold for n in negatives)
    return tp, fp, len(positives) - tp, len(negatives) - fp


def kappa(tp, fp, fn, tn):
    n = tp + fp + fn + tn
    expected = Fraction((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / (n * n)
    return (Fraction(tp + tn) / n - expected) / (1 - expected)


def rates(tp, fp, fn, tn):
    return Fraction(tp, tp + fn), Fraction(tn, fp + tn)


CRITERIA = {
    "equal-rates": lambda *c: (-abs(rates(*c)[0] - rates(*c)[1]), sum(rates(*c))),
    "max-sum": lambda *c: sum(rates(*c)),
    "max-kappa": kappa,
    "predicted-prevalence": lambda tp, fp, fn, tn: -abs((tp + fp) - (tp + fn)),
    "min-cost": lambda tp, fp, fn, tn: -(5 * fn + fp),
    "max-f": lambda tp, fp, fn, tn: Fraction(5 * tp, 5 * tp + 4 * fn + fp),
    "closest-corner": lambda *c: -((1 - rates(*c)[0]) ** 2) - (1 - rates(*c)[1]) ** 2,
}


@pytest.mark.parametrize("method", sorted(CRITERIA))
@given(positives=scores, negatives=scores)
def test_optimal_recipes_find_all_ties_of_a_plain_search(method, positives, negatives):
    candidates = sorted({*positives, *negatives})
    values = {t: CRITERIA[method](*counts_at(positives, negatives, t)) for t in candidates}
    best = max(values.values())
    found = find_threshold(ScoreTable.from_scores(positives, negatives), method, QUESTION)
    assert list(found.tied) == [t for t in candidates if values[t] == best]
    assert found.threshold == found.tied[0]


@given(scores, scores)
def test_recipes_for_wanted_rates_are_the_furthest_that_keep_their_word(positives, negatives):
    table = ScoreTable.from_scores(positives, negatives)
    candidates = sorted({*positives, *negatives})
    counts = {t: counts_at(positives, negatives, t) for t in candidates}
    found = find_threshold(table, "sensitivity", QUESTION).threshold
    assert found == max(t for t in candidates if rates(*counts[t])[0] >= Fraction(4, 5))
    for method in ("specificity", "false-alarm-budget"):
        fit = [t for t in candidates if rates(*counts[t])[1] >= Fraction(7, 10)]
        result = find_threshold(table, method, QUESTION)
        assert result.threshold == (min(fit) if fit else None)
        assert (result.reason is None) == bool(fit)
    assert find_threshold(table, "lowest-positive").threshold == min(positives)


@given(scores, scores)
def test_simple_recipes_are_what_they_say(positives, negatives):
    table = ScoreTable.from_scores(positives, negatives)
    mean = Fraction(sum(positives) + sum(negatives), len(positives) + len(negatives))
    assert find_threshold(table, "mean-score").threshold == float(mean)
    assert find_threshold(table, "fixed", QUESTION).threshold == 3.5
    small = ScoreTable.from_scores([p / 8 for p in positives], [n / 8 for n in negatives])
    share = len(positives) / (len(positives) + len(negatives))
    assert find_threshold(small, "prevalence").threshold == share
    if max(*positives, *negatives) > 1:
        assert "outside [0, 1]" in find_threshold(table, "prevalence").reason


@pytest.mark.parametrize("method", sorted(RULES))
@given(positives=scores, negatives=scores)
def test_a_rising_transform_moves_thresholds_and_nothing_else(method, positives, negatives):
    if method in {"fixed", "mean-score", "prevalence"}:
        return  # these read the scores themselves, not their order
    one = find_threshold(ScoreTable.from_scores(positives, negatives), method, QUESTION)
    other = find_threshold(
        ScoreTable.from_scores([p**3 - 7 for p in positives], [n**3 - 7 for n in negatives]),
        method,
        QUESTION,
    )
    assert [t**3 - 7 for t in one.tied] == list(other.tied)
    assert one.promise == other.promise
    assert (one.point and one.point.measures) == (other.point and other.point.measures)


@given(scores, scores)
def test_any_number_above_the_next_lower_score_makes_the_same_calls(positives, negatives):
    table = ScoreTable.from_scores(positives, negatives)
    found = find_threshold(table, "max-kappa")
    lowest = -1e9 if found.below is None else nextafter(found.below, inf)
    expected = counts_at(positives, negatives, lowest)
    assert (found.point.tp, found.point.fp, found.point.fn, found.point.tn) == expected


def test_near_ties_are_told_apart_exactly():
    # 1e8 items: balanced accuracy differs by 1e-16 between the two scores, less than floats show.
    many = 10**8
    table = ScoreTable.from_counts(
        [0, 1, 2], [1, many, many], [2 * many, many, many + 1], positive="x"
    )
    by_hand = {
        t: Fraction(tp, 2 * many + 1) + Fraction(tn, 4 * many + 1)
        for t, tp, tn in ((0, 2 * many + 1, 0), (1, 2 * many, 2 * many), (2, many, 3 * many))
    }
    best = max(by_hand.values())
    assert list(find_threshold(table, "max-sum").tied) == [t for t in by_hand if by_hand[t] == best]


@pytest.mark.parametrize("method", sorted(RULES))
def test_presences_alone_feed_only_the_recipes_that_say_so(method):
    found = find_threshold(ScoreTable.from_scores([0.2, 0.6], []), method)
    assert (found.threshold is not None) == (not RULES[method].needs_absences)
    if RULES[method].needs_absences:
        assert "other class" in found.reason
    # Table 6 of the source: which methods work on presence-only data.
    presence_only = {"fixed", "lowest-positive", "sensitivity", "mean-score"}
    assert RULES[method].needs_absences == (method not in presence_only)


def test_absent_positives_infinite_scores_and_unknown_recipes():
    assert "no item is truly" in find_threshold(ScoreTable.from_scores([], [1]), "fixed").reason
    assert "no items" in find_threshold(ScoreTable.from_scores([], []), "fixed").reason
    endless = ScoreTable.from_scores([inf], [0])
    assert "no mean" in find_threshold(endless, "mean-score").reason
    assert "infinite" in find_threshold(endless, "max-kappa").reason
    with pytest.raises(RequestError, match=r"by='max-kapa' is not known.*max-kappa"):
        find_threshold(endless, "max-kapa")


@pytest.mark.parametrize("method", sorted(RULES))
def test_resamples_are_seeded_and_expect_less_than_was_promised(method):
    rng = np.random.default_rng(8)
    score = 1 / (1 + np.exp(-rng.normal(size=120) - np.repeat([1.0, 0.0], 60)))
    table = ScoreTable.from_scores(score[:60], score[60:])
    one, two = (
        threshold_stability(table, method, rng=np.random.default_rng(3), resamples=400)
        for _ in range(2)
    )
    assert one == two
    assert one.resamples == 400
    found = find_threshold(table, method)
    assert one.low <= found.threshold <= one.high
    if RULES[method].promise is None:
        assert one.expected is None
    elif method in {"max-kappa", "max-sum", "max-f", "lowest-positive"}:
        assert one.expected < found.promise
        assert one.expected_low < one.expected < one.expected_high
    elif method in {"min-cost", "closest-corner"}:
        assert one.expected > found.promise


def test_expectations_are_close_to_what_new_items_give_and_promises_are_not():
    rng = np.random.default_rng(12)
    gaps, naive = [], []
    for _ in range(150):
        table = ScoreTable.from_scores(rng.normal(1, 1, 40), rng.normal(0, 1, 60))
        found = find_threshold(table, "max-kappa")
        # The calls of this threshold in 100 items of the same two normal distributions.
        tp, tn = 40 * stats.norm.sf(found.threshold - 1), 60 * stats.norm.cdf(found.threshold)
        after = kappa(*(Fraction(one) for one in (tp, 60 - tn, 40 - tp, tn)))
        expected = threshold_stability(table, "max-kappa", rng=rng, resamples=100).expected
        gaps.append(expected - float(after))
        naive.append(found.promise - float(after))
    # Standard error of both means: 0.008. The promise is too high by 0.09.
    assert np.mean(naive) > 0.06
    assert abs(np.mean(gaps)) < 0.03


def test_one_class_cannot_be_resampled():
    with pytest.raises(NotComparable, match="there are no negatives"):
        threshold_stability(
            ScoreTable.from_scores([1, 2], []), "sensitivity", rng=np.random.default_rng(0)
        )
