"""The room of comparison, second half: posteriors, ranks and selection."""

import json
from pathlib import Path

from accuracy import chances
from accuracy.arithmetic import mp
from accuracy.case import Judged
from steelyard import comparison as ours
from steelyard.comparison import BetaPosteriors
from steelyard.counts import Outcomes, PairTable, Trials

__all__ = ["JUDGED"]

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"

BETAS = [
    (1, 1, 1, 1), (191, 11, 195, 7), (1, 2, 2, 1), (1, 1001, 1001, 1), (50, 951, 500, 501),
    (1, 10**8 + 1, 1, 1), (901, 101, 881, 121), (1, 501, 501, 1), (2, 1, 1, 10**8),
]  # fmt: skip
THREES = [
    (((91, 11), (89, 13), (80, 22)),), (((0.5, 10.5), (10.5, 0.5), (3.5, 7.5)),),
    (((1, 1), (2, 1), (1, 2)),), (((50_000_001, 50_000_001), (50_005_001, 49_995_001), (49_990_001, 50_010_001)),),  # noqa: E501
    (((30, 500), (400, 60), (250, 200)),),
]  # fmt: skip
COMMON = [
    (60, 18, 10, 12), (0, 0, 0, 1), (10, 0, 60, 0), (3, 1000, 2, 0), (10**8, 40, 2, 5),
    (0, 10**8, 10**8 - 3 * 10**4, 0),
]  # fmt: skip
WHOLE = [(10, 2), (1, 1000), (5, 5), (190.5, 10.5), (10**8, 3), (5 * 10**7, 5 * 10**7)]
SELECTIONS = [(1, 2, 0.5, 0.75), (10, 2, 0.1, 0.55), (50, 5, 0.05, 0.5), (100, 50, 0.1, 0.95)]


def _posteriors(pairs):
    names = tuple(f"s{n}" for n in range(len(pairs)))
    return BetaPosteriors(systems=names, a=tuple(a for a, _ in pairs), b=tuple(b for _, b in pairs))


def _golden(what):
    """P(best) of up to fifty systems and complements to 1e-300, kept since it was written."""
    saved = json.loads((GOLDEN / "posterior.json").read_text(encoding="utf-8"))["cases"]
    arguments, known = [], []
    for one in saved:
        if not one[what]:
            continue
        arguments.append((tuple(zip(one["a"], one["b"], strict=True)),))
        known.append(tuple(one[what]) if what == "best" else (str(one[what]),))
    return {"arguments": arguments, "known": known}


def _of_fifty(a, b, c, d):
    found = ours.probability_best(_posteriors(((a, b), *((c, d),) * 49)))
    return found.best[0], found.not_best[0], found.best[1]


def _pair(both, b, c, neither):
    found = ours.pair_posterior(PairTable(both=both, first=b, second=c, neither=neither))
    return found.first_better, found.second_better, found.loss_first, found.loss_second


def _paired_better(both, b, c, neither):
    outcomes = Outcomes.from_pair(both=both, first=b, second=c, neither=neither, systems=("A", "B"))
    found = ours.paired_better(outcomes)
    return found[0][1], found[1][0]


def _equivalence(found):
    return found.first_better, found.equivalent, found.second_better


def _credible(method):
    def ends(a, b, level):
        found = ours.credible_interval(_posteriors(((a, b),)), "s0", level=level, method=method)
        return found.low, found.high

    return ends


def _subset(n, k, confidence):
    allowance, guarantee = ours.subset_allowance(n, k, confidence=confidence)
    return allowance, guarantee


def _least_allowance(n, k, confidence):
    """Go up from no allowance until the least chance suffices."""
    allowance = 0
    while chances.least_kept(n, k, allowance) < mp.mpf(confidence):
        allowance += 1
    return allowance, chances.least_kept(n, k, allowance)


def _needed(k, lead, confidence):
    found = ours.items_needed(k, lead=lead, confidence=confidence)
    return found.tested, found.probability


def _least_items(k, lead, confidence):
    n = 1
    while chances.least_favourable(n, k, lead) < mp.mpf(confidence):
        n += 1
    return n, chances.least_favourable(n, k, lead)


def _resolved(n, k, confidence):
    """Halve towards the lead that is just resolved."""
    low, high = mp.mpf(0), mp.mpf(1)
    for _ in range(60):
        middle = (low + high) / 2
        enough = chances.least_favourable(n, k, middle) >= mp.mpf(confidence)
        low, high = (low, middle) if enough else (middle, high)
    return (low + high) / 2


JUDGED = (
    Judged(
        "probability_better",
        lambda a, b, c, d: ours.probability_better(_posteriors(((a, b), (c, d)))).better[0][1],
        chances.better,
        BETAS,
        12,
    ),
    Judged(
        "probability_best, all",
        lambda pairs: ours.probability_best(_posteriors(pairs)).best,
        None,
        least=13,
        **_golden("best"),
    ),
    Judged(
        "probability_best, not best",
        lambda pairs: ours.probability_best(_posteriors(pairs)).not_best[0],
        None,
        least=12,
        **_golden("not_best_of_first"),
    ),
    Judged(
        "probability_best, one of fifty",
        _of_fifty,
        chances.best_of_fifty,
        [(95, 7, 90, 12), (50_010_001, 49_990_001, 50_000_001, 50_000_001), (2, 40, 40, 2)],
        12,
    ),
    Judged(
        "probability_of_rank",
        lambda pairs: ours.probability_of_rank(_posteriors(pairs)).rank[0],
        chances.ranks,
        THREES,
        10,
    ),
    Judged(
        "probability_of_ranking",
        lambda pairs: (
            ours.probability_of_ranking(_posteriors(pairs), ranking=("s0", "s1", "s2")).probability
        ),
        chances.ranking,
        THREES,
        10,
    ),
    Judged(
        "ranking_probability_by_product",
        lambda pairs: (
            ours.ranking_probability_by_product(
                _posteriors(pairs), ranking=("s0", "s1", "s2")
            ).probability
        ),
        chances.ranking_by_product,
        [THREES[0], THREES[2]],
        12,
    ),
    Judged(
        "expected_loss",
        lambda pairs: ours.expected_loss(_posteriors(pairs)).loss,
        chances.losses,
        [THREES[0], THREES[1], THREES[2], THREES[4]],
        10,
    ),
    Judged(
        "probability_equivalent",
        lambda a, b, c, d, m: _equivalence(
            ours.probability_equivalent(_posteriors(((a, b), (c, d))), "s0", "s1", margin=m)
        ),
        chances.equivalent,
        [(191, 11, 195, 7, 0.05), (1, 1, 1, 1, 0.1), (3, 1, 1, 4, 0.5), (900, 100, 500, 500, 0.01)],
        12,
        absolute=True,
    ),
    Judged(
        "paired_equivalence",
        lambda a, b, c, d, m: _equivalence(
            ours.paired_equivalence(PairTable(both=a, first=b, second=c, neither=d), margin=m)
        ),
        chances.paired_equivalent,
        [(60, 18, 10, 12, 0.05), (0, 0, 0, 1, 0.1), (100, 30, 2, 9, 0.01)],
        12,
        absolute=True,
    ),
    Judged("pair_posterior", _pair, chances.pair, COMMON, 11),
    Judged("paired_better", _paired_better, lambda *cells: chances.pair(*cells)[:2], COMMON, 11),
    Judged(
        "credible_interval, equal-tailed",
        _credible("equal-tailed"),
        chances.equal_tailed,
        [(a, b, level) for a, b in WHOLE for level in (0.95, 0.999999)],
        12,
    ),
    Judged(
        "credible_interval, highest-density",
        _credible("highest-density"),
        chances.highest_density,
        [(a, b, 0.95) for a, b in WHOLE],
        10,
    ),
    Judged(
        "beta_posteriors",
        lambda x, n, a, b: ours.beta_posteriors(
            Trials(correct={"S": x, "T": 0}, tested=n, pairing="independent"),
            priors={"S": (a, b)},
        ).means()[0],
        lambda x, n, a, b: (x + mp.mpf(a)) / (n + mp.mpf(a) + mp.mpf(b)),
        [(190, 200, 0.5, 0.5), (0, 10**8, 1e-3, 1e-3), (10**8, 10**8, 1, 1)],
    ),
    Judged(
        "probability_correct_selection",
        lambda n, k, lead, rate: ours.probability_correct_selection(
            n, k, lead=lead, best_rate=rate
        ),
        chances.correct_selection,
        SELECTIONS,
        12,
    ),
    Judged(
        "least_favourable",
        lambda n, k, lead: ours.least_favourable(n, k, lead=lead).probability,
        chances.least_favourable,
        [(1, 2, 0.5), (10, 2, 0.1), (30, 4, 0.05)],
        13,
    ),
    Judged("items_needed", _needed, _least_items, [(2, 0.4, 0.9), (3, 0.5, 0.95)], 13),
    Judged(
        "smallest_lead",
        lambda n, k, confidence: ours.smallest_lead(n, k, confidence=confidence),
        _resolved,
        [(10, 2, 0.9), (5, 3, 0.8)],
        12,
    ),
    Judged("subset_allowance", _subset, _least_allowance, [(10, 3, 0.9), (20, 2, 0.99)], 13),
)
