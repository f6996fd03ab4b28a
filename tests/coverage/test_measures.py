"""Short certificates: every interval of a measure covers about as often as it says."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

from steelyard.counts import Confusion, ScoreTable
from steelyard.measures import (
    Ratings,
    average,
    balanced_accuracy,
    cohen_kappa,
    conger_kappa,
    diagnostic_odds_ratio,
    expected_cost,
    f_beta,
    fleiss_kappa,
    gain_curve,
    gwet_ac,
    informedness,
    krippendorff_alpha,
    likelihood_ratio_negative,
    likelihood_ratio_positive,
    markedness,
    mcc,
    net_benefit,
    npv_at,
    ppv_at,
    recalibration,
    weighted_kappa,
)
from steelyard.uncertainty import coverage_of

TIMES = 400
RECALL, SPECIFICITY, SHARE, ITEMS = 0.8, 0.9, 0.3, 120
TP, FN = SHARE * RECALL, SHARE * (1 - RECALL)
FP, TN = (1 - SHARE) * (1 - SPECIFICITY), (1 - SHARE) * SPECIFICITY
POSITIVE = {"of": "positive"}
COSTS = {("positive", "negative"): 10.0, ("negative", "positive"): 1.0}


def f(beta):
    return (1 + beta**2) * TP / ((1 + beta**2) * TP + beta**2 * FN + FP)


def kappa():
    chance = (TP + FN) * (TP + FP) + (TN + FP) * (TN + FN)
    return (TP + TN - chance) / (1 - chance)


OTHER_F = 2 * TN / (2 * TN + FP + FN)
MEASURES = {
    "F1": (lambda t: f_beta(t, **POSITIVE), f(1)),
    "F2": (lambda t: f_beta(t, beta=2, **POSITIVE), f(2)),
    "MCC": (mcc, (TP * TN - FP * FN) / ((TP + FP) * (TP + FN) * (TN + FP) * (TN + FN)) ** 0.5),
    "balanced accuracy": (balanced_accuracy, (RECALL + SPECIFICITY) / 2),
    "informedness": (lambda t: informedness(t, **POSITIVE), RECALL + SPECIFICITY - 1),
    "markedness": (lambda t: markedness(t, **POSITIVE), TP / (TP + FP) - FN / (FN + TN)),
    "LR+": (lambda t: likelihood_ratio_positive(t, **POSITIVE), RECALL / (1 - SPECIFICITY)),
    "LR-": (lambda t: likelihood_ratio_negative(t, **POSITIVE), (1 - RECALL) / SPECIFICITY),
    "DOR": (lambda t: diagnostic_odds_ratio(t, **POSITIVE), TP * TN / FP / FN),
    "PPV at 5 %": (
        lambda t: ppv_at(t, prevalence=0.05, **POSITIVE),
        0.05 * RECALL / (0.05 * RECALL + 0.95 * (1 - SPECIFICITY)),
    ),
    "NPV at 5 %": (
        lambda t: npv_at(t, prevalence=0.05, **POSITIVE),
        0.95 * SPECIFICITY / (0.95 * SPECIFICITY + 0.05 * (1 - RECALL)),
    ),
    "cost": (lambda t: expected_cost(t, COSTS), 10 * FN + FP),
    "macro F1": (average, (f(1) + OTHER_F) / 2),
    "weighted F1": (
        lambda t: average(t, averaging="weighted"),
        SHARE * f(1) + (1 - SHARE) * OTHER_F,
    ),
    "macro precision": (
        lambda t: average(t, "precision"),
        (TP / (TP + FP) + TN / (TN + FN)) / 2,
    ),
    "macro recall": (lambda t: average(t, "recall"), (RECALL + SPECIFICITY) / 2),
    "weighted precision": (
        lambda t: average(t, "precision", averaging="weighted"),
        SHARE * TP / (TP + FP) + (1 - SHARE) * TN / (TN + FN),
    ),
    "kappa": (cohen_kappa, kappa()),
    "linear kappa": (
        lambda t: weighted_kappa(t, order=["positive", "negative"]),
        kappa(),
    ),
    "Conger": (conger_kappa, kappa()),
}


def drawn(rng):
    tp, fp, fn, tn = rng.multinomial(ITEMS, [TP, FP, FN, TN]).tolist()
    return Confusion.from_binary(tp=tp, fp=fp, fn=fn, tn=tn)


def ends(measure):
    def limits(counts):
        found = measure(counts).interval
        return None if found is None else (found.low, found.high)

    return limits


@pytest.mark.parametrize("name", MEASURES)
def test_measures_of_a_confusion_table_cover_what_they_say(name):
    measure, truth = MEASURES[name]
    found = coverage_of(ends(measure), drawn, truth, repetitions=TIMES, seed=21)
    assert found.undefined < TIMES / 100
    assert found.within(0.935, 0.97)


def raters(rng):
    """Three raters who know the answer with chance 0.7 and else guess among two categories."""
    truth = rng.integers(0, 2, 40)
    knows = rng.random((40, 3)) < 0.7
    guess = rng.integers(0, 2, (40, 3))
    return Ratings.from_items(np.where(knows, truth[:, None], guess).tolist())


@pytest.mark.parametrize("coefficient", [fleiss_kappa, gwet_ac, krippendorff_alpha, conger_kappa])
def test_coefficients_of_several_raters_cover_what_they_say(coefficient):
    # Two raters agree when both know (0.49), or else half of the time: kappa is 0.49 exactly.
    found = coverage_of(ends(coefficient), raters, 0.49, repetitions=TIMES, seed=22)
    assert found.within(0.93, 0.975)


POSITIVES, SHIFT = 0.2, 1.0


def scored(rng):
    positive = rng.random(200) < POSITIVES
    score = rng.normal(size=200) + SHIFT * positive
    return ScoreTable.from_scores(score[positive], score[~positive])


@pytest.mark.parametrize("depth", [0.1, 0.3])
def test_gain_and_precision_at_a_depth_cover_what_they_say(depth):
    cut = brentq(
        lambda s: POSITIVES * norm.sf(s - SHIFT) + (1 - POSITIVES) * norm.sf(s) - depth, -9, 9
    )
    gain = norm.sf(cut - SHIFT)
    for truth, part in ((gain, "captured"), (POSITIVES * gain / depth, "precision")):

        def measured(table, part=part):
            return getattr(gain_curve(table, depths=[depth]).points[0], part)

        found = coverage_of(ends(measured), scored, truth, repetitions=TIMES, seed=23)
        assert found.within(0.935, 0.985)


def forecast(rng):
    odds = rng.normal(size=200)
    share = 1 / (1 + np.exp(-odds))
    positive = rng.random(200) < share
    return ScoreTable.from_scores(share[positive], share[~positive])


@pytest.mark.parametrize(
    ("part", "truth"), [("slope", 1.0), ("intercept", 0.0), ("in_the_large", 0.0)]
)
def test_recalibration_covers_what_it_says(part, truth):
    found = coverage_of(
        ends(lambda table: getattr(recalibration(table), part)),
        forecast,
        truth,
        repetitions=TIMES,
        seed=24,
    )
    assert found.within(0.935, 0.97)


def test_net_benefit_covers_what_it_says():
    odds = np.random.default_rng(1).normal(size=400_000)
    share = 1 / (1 + np.exp(-odds))
    acted = share >= 0.4
    # With calibrated forecasts the truth is a mean over forecasts; 400,000 of them give 3 digits.
    truth = float((acted * (share - (1 - share) * 0.4 / 0.6)).mean())
    found = coverage_of(
        ends(lambda table: net_benefit(table, threshold=0.4)),
        forecast,
        truth,
        repetitions=TIMES,
        seed=25,
    )
    assert found.within(0.935, 0.97)
