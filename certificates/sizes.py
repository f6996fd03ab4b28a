"""Tests at 5 %: how often they reject when nothing differs."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
from scipy.stats import binom

from certificates.apart import SCORE, VERDICT
from certificates.declaration import AT_MOST_5, Certificate, Experiment, Found
from certificates.experiments import exactly, rejected
from certificates.search import Cell, Search, Space
from steelyard.comparison import (
    bowker,
    cochran_q,
    common_test,
    compare_areas,
    fisher_exact,
    mcnemar,
    stuart_maxwell,
    unconditional_exact,
)
from steelyard.counts import Confusion, JointScores, Outcomes, PairTable
from steelyard.measures import kappa_test, no_information_test
from steelyard.uncertainty import delong_covariance

__all__ = ["DECLARED", "SAMPLES", "two_sample_sizes"]

ALPHA = 0.05
RATES = np.linspace(0.02, 0.98, 97)
SIDE = 15


@cache
def _rejected_of(method: str, discordant: int) -> float:
    """Chance that McNemar's test rejects, given the number of discordant items."""
    kept = 0
    while 2 * kept < discordant:
        pair = PairTable(both=0, first=kept, second=discordant - kept, neither=0)
        if mcnemar(pair, method=method).p_value > ALPHA:  # type: ignore[arg-type]
            break
        kept += 1
    return 2 * float(binom.cdf(kept - 1, discordant, 0.5))


def _mcnemar_size(method: str, cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Size of McNemar's test, summed over the number of discordant items."""
    items, share = int(cell["items"]), cell["discordant"]
    counts = np.arange(items + 1)
    chances = binom.pmf(counts, items, share)
    likely = counts[chances > 1e-12].tolist()
    return Found(share=sum(float(chances[m]) * _rejected_of(method, m) for m in likely))


def _verdict_size(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Size of the test that gives the verdict on common items."""
    items, share = int(cell["items"]), cell["discordant"]
    counts = np.arange(items + 1)
    chances = binom.pmf(counts, items, share)
    likely = counts[chances > 1e-12].tolist()

    def method(discordant: int) -> str:
        pair = PairTable(both=items - discordant, first=discordant, second=0, neither=0)
        return common_test(pair).method

    return Found(share=sum(float(chances[m]) * _rejected_of(method(m), m) for m in likely))


def _mcnemar(method: str, most: float) -> Search:
    shares = [share for share in (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0) if share <= most]
    return Search(
        space=Space(
            axes={"items": [5, 8, 12, 20, 35, 60, 100, 200, 500, 1000], "discordant": shares}
        ),
        trial=partial(_mcnemar_size, method),
        seek="highest",
        beam=3,
        rounds=3,
    )


def two_sample_sizes(p_value: Callable[..., float]) -> np.ndarray:
    """Size at each common rate, summed over all pairs of counts of 15 items each."""
    rejects = np.array(
        [[p_value((x, SIDE), (y, SIDE)) <= ALPHA for y in range(SIDE + 1)] for x in range(SIDE + 1)]
    )
    chances = binom.pmf(np.arange(SIDE + 1), SIDE, RATES[:, None])
    return np.einsum("ri,ij,rj->r", chances, rejects, chances)


def _joint(rng: np.random.Generator) -> JointScores:
    """Two systems of equal area on 40 positives and 60 negatives, scores correlated 0.5."""
    truth = np.arange(100) < 40
    shared = rng.normal(size=100)
    own = rng.normal(size=(2, 100))
    scores = (shared + own) / np.sqrt(2) + 1.0 * truth
    return JointScores.from_arrays(truth, {"A": scores[0], "B": scores[1]})


def _delong(joint: JointScores) -> float | None:
    return compare_areas(*delong_covariance(joint), 0, 1).p_value


def _outcomes(rng: np.random.Generator) -> Outcomes:
    """Three systems of equal rates on 60 items, right more often on easy items."""
    easy = rng.beta(3, 1, 60)
    right = rng.random((60, 3)) < easy[:, None]
    codes, times = np.unique(right @ np.array([1, 2, 4]), return_counts=True)
    patterns = dict(zip(codes.tolist(), times.tolist(), strict=True))
    return Outcomes.from_patterns(patterns, systems=["A", "B", "C"])


def _symmetric(rng: np.random.Generator) -> list[list[int]]:
    chances = np.array([[30, 5, 4], [5, 25, 4], [4, 4, 19]]) / 100
    return rng.multinomial(150, chances.ravel()).reshape(3, 3).tolist()


def _unrelated(rng: np.random.Generator) -> Confusion:
    chances = np.outer([0.6, 0.4], [0.7, 0.3])
    return Confusion.from_matrix(rng.multinomial(120, chances.ravel()).reshape(2, 2).tolist())


def _as_good_as_the_bar(rng: np.random.Generator) -> Confusion:
    """Accuracy 0.7, which is the share of the larger class."""
    tp, fn, fp, tn = rng.multinomial(120, [0.55, 0.15, 0.15, 0.15]).tolist()
    return Confusion.from_binary(tp=tp, fp=fp, fn=fn, tn=tn)


def _certificate(name: str, setting: str, page: str, experiment: Experiment, **more: Any):
    exact = more.pop("exact", False)
    return Certificate(
        name=name,
        family="sizes",
        claim=more.pop("claim", "at most 5 %"),
        setting=setting,
        page=page,
        experiment=experiment,
        allowed=more.pop("allowed", AT_MOST_5),
        short=300,
        long=0 if exact else more.pop("long", 20_000),
        **more,
    )


PAIRS = "searched: 5 to 1,000 common items, 1 to {} % discordant, exact"
SAMPLES = "15 items each, common rate 0.02 to 0.98, exact"
APART = "searched: 2 to 100,000 items, 1 to 1,000 times as many, common rate .001 to .999, exact"

DECLARED = [
    _certificate(
        "McNemar, exact",
        PAIRS.format(100),
        "more-tests",
        _mcnemar("exact", 1.0),
        exact=True,
        allowed=(0.0, 0.05),
        claim="at most 5 % always",
    ),
    _certificate(
        "McNemar, mid-p",
        PAIRS.format(90),
        "more-tests",
        _mcnemar("mid-p", 0.9),
        exact=True,
        allowed=(0.0, 0.055),
        claim="hardly above 5 % anywhere",
    ),
    _certificate(
        "McNemar, mid-p, every item discordant",
        PAIRS.format(100),
        "more-tests",
        _mcnemar("mid-p", 1.0),
        exact=True,
        allowed=(0.0, 0.055),
        claim="hardly above 5 % anywhere",
        falls_short=(0.06, 0.078),
        note="where nearly every item tells the two apart it errs in up to 7.7 %; take exact",
    ),
    _certificate(
        "verdict on common items",
        PAIRS.format(100),
        "more-tests",
        replace(_mcnemar("mid-p", 1.0), trial=_verdict_size),
        exact=True,
        claim="at most 5 %, but for discreteness",
    ),
    _certificate(
        "McNemar, asymptotic",
        PAIRS.format(100),
        "more-tests",
        _mcnemar("asymptotic", 1.0),
        exact=True,
        allowed=(0.0, 0.06),
        claim="not far above 5 % anywhere",
        falls_short=(0.06, 0.085),
        note="errs in up to 8 % with few items; take mid-p",
    ),
    _certificate(
        "verdict on two rates apart",
        APART,
        "more-tests",
        VERDICT,
        exact=True,
        claim="hardly above 5 % anywhere",
    ),
    _certificate(
        "Fisher, exact",
        SAMPLES,
        "more-tests",
        exactly(
            partial(two_sample_sizes, lambda one, two: fisher_exact(one, two).p_value), "highest"
        ),
        exact=True,
        allowed=(0.0, 0.05),
        claim="at most 5 % always",
    ),
    _certificate(
        "Boschloo, exact",
        SAMPLES,
        "more-tests",
        exactly(
            partial(two_sample_sizes, lambda one, two: unconditional_exact(one, two).p_value),
            "highest",
        ),
        exact=True,
        allowed=(0.0, 0.05),
        claim="at most 5 % always",
    ),
    _certificate(
        "score test of two samples",
        APART,
        "more-tests",
        SCORE,
        exact=True,
        allowed=(0.0, 0.06),
        claim="not far above 5 % anywhere",
        falls_short=(0.1, 0.12),
        note="errs in up to 11 % where one sample is small; the verdict turns to an exact test",
    ),
    _certificate(
        "DeLong, difference of two areas",
        "40 positives, 60 negatives, both areas 0.76, scores correlated 0.5",
        "auc-delong",
        rejected(_delong, _joint),
        seed=2101,
        allowed=(0.035, 0.06),
        claim="5 %",
    ),
    _certificate(
        "Cochran Q",
        "60 common items, three systems of equal rates",
        "more-tests",
        rejected(lambda outcomes: cochran_q(outcomes).p_value, _outcomes),
        seed=2102,
        allowed=(0.035, 0.06),
        claim="5 %",
    ),
    _certificate(
        "Bowker",
        "150 items, three classes, symmetric errors",
        "more-tests",
        rejected(lambda table: bowker(table).p_value, _symmetric),
        seed=2103,
        allowed=(0.03, 0.06),
        claim="5 %",
    ),
    _certificate(
        "Stuart-Maxwell",
        "150 items, three classes, symmetric errors",
        "more-tests",
        rejected(lambda table: stuart_maxwell(table).p_value, _symmetric),
        seed=2104,
        allowed=(0.035, 0.06),
        claim="5 %",
    ),
    _certificate(
        "kappa is 0",
        "120 items, calls unrelated to the truth",
        "agreement",
        rejected(lambda table: kappa_test(table).p_value, _unrelated),
        seed=2105,
        allowed=(0.035, 0.06),
        claim="5 %",
    ),
    _certificate(
        "accuracy above the no-information rate, paired",
        "120 items, accuracy and larger class both 0.7",
        "detection",
        rejected(lambda table: no_information_test(table).p_value, _as_good_as_the_bar),
        seed=2106,
    ),
    _certificate(
        "accuracy above the no-information rate, binomial",
        "120 items, accuracy and larger class both 0.7",
        "detection",
        rejected(
            lambda table: no_information_test(table, method="binomial").p_value,
            _as_good_as_the_bar,
        ),
        seed=2106,
        falls_short=(0.06, 0.08),
        note="takes the rate as known and errs too often; take paired",
    ),
]
