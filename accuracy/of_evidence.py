"""Evidence, information and stopping: what a campaign looks at while results arrive."""

import json
from pathlib import Path

from accuracy import sequences
from accuracy.arithmetic import mp
from accuracy.case import Judged
from accuracy.grids import DISCORDANT
from steelyard import comparison as ours
from steelyard.counts import PairTable, Trials

__all__ = ["JUDGED"]

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"

VALUES = tuple(((7 * k) % 13) / 13 for k in range(1, 60))
INDEPENDENT = [
    (190, 200, 194, 200), (0, 10, 10, 10), (0, 10, 0, 10),
    (5 * 10**7, 10**8, 49_999_000, 10**8), (10**8 - 3, 10**8, 10**8 - 50, 10**8), (1, 1, 0, 10**8),
]  # fmt: skip
COMMON = [
    (190, 0, 4, 6), (1, 18, 5, 0), (0, 10**8, 10**8 - 10**4, 3), (10**8, 1, 0, 5), (0, 3, 3, 0),
]  # fmt: skip
TIERS = [
    (((190, 200), (194, 200), (150, 200)),), (((1, 1), (0, 1), (1, 2)),),
    (((5 * 10**7, 10**8), (49_999_000, 10**8), (50_001_000, 10**8)),),
]  # fmt: skip
WALD = [(1.0, 2.5), (1.0, 1.0001), (1e-6, 1e6)]
WINS = (0.5, 0.6, 5 / 7, 0.999, 1e-9)


def _evidence(b, c, prior):
    found = ours.discordant_evidence(b, c, prior=prior)
    return found.log_different, found.log_first, found.log_second


def _ends(found):
    return found.low, found.high


def _lines(null, alternative, alpha, beta):
    test = ours.wald_test(null, alternative, alpha=alpha, beta=beta, ratio="u")
    return test.keep_intercept, test.take_intercept, test.slope


def _wald(null, alternative, win):
    found = ours.wald_properties(ours.wald_test(null, alternative, ratio="u"), win=win)
    return found.keep, found.take, found.expected_pairs


def _exact(null, alternative, win, cap):
    test = ours.wald_test(null, alternative, ratio="u")
    found = ours.wald_exact_properties(test, win=win, cap=cap)
    return found.keep, found.take, found.expected_pairs


def _lead(lead, win):
    test = ours.LeadTest(ratio="omega", smallest=1.5, alpha=0.05, lead=lead, error=0.0)
    found = ours.lead_test_properties(test, win=win)
    return found.keep, found.take, found.expected_pairs


def _double(win, cap):
    found = ours.double_test_properties(ours.double_test(), win=win, cap=cap)
    return found.first_better, found.second_better, found.no_difference, found.expected_pairs


def _two_looks(kind, alpha, share):
    return ours.spending_bounds((share, 1.0), alpha=alpha, kind=kind, sides=1).bounds


def _weights(samples):
    trials = Trials(
        correct={f"s{k}": x for k, (x, _) in enumerate(samples)},
        tested={f"s{k}": n for k, (_, n) in enumerate(samples)},
        pairing="independent",
    )
    found = ours.akaike_tiers(trials)
    return tuple(sorted((one.weight for one in found.partitions), reverse=True))


def _from_r():
    """Group sequential boundaries as rpact has them, to the digits that it has."""
    saved = json.loads((GOLDEN / "spending.json").read_text(encoding="utf-8"))["cases"]
    return {
        "arguments": [
            (one["kind"], one["sides"], one["alpha"], tuple(one["fractions"])) for one in saved
        ],
        "known": [tuple(f"{bound:.9f}" for bound in one["bounds"]) for one in saved],
    }


JUDGED = (
    Judged(
        "discordant_evidence",
        _evidence,
        sequences.log_evidence,
        [(b, c, 1.0) for b, c in (*DISCORDANT, (10**8, 10**8), (10**8, 0), (10**8, 10**8 - 10**5))]
        + [(18, 5, 0.5), (0, 1020, 40.0)],
        12,
    ),
    Judged(
        "win_sequence",
        lambda w, lost, alpha: _ends(ours.win_sequence(w, lost, alpha=alpha)),
        sequences.win_sequence,
        [
            (w, lost, alpha)
            for w, lost in ((36, 27), (0, 5), (1, 1), (10**8, 10**8 - 10**5), (10**8, 3))
            for alpha in (0.05, 1e-6)
        ],
        12,
    ),
    Judged(
        "closed_by_averaging",
        ours.closed_by_averaging,
        sequences.closed_by_averaging,
        [((40.0, 2.0, 0.5),), ((1e300, 1e-300, 7.0, 1.0, 30.0),), ((0.0,),)],
    ),
    Judged(
        "benchmark_sequence",
        lambda s, t, n, alpha: _ends(ours.benchmark_sequence(s, t, items=n, alpha=alpha)),
        sequences.benchmark_sequence,
        [(281, 400, 500, 0.05), (0, 5, 50, 0.05), (7, 7, 7, 0.01), (3000, 4000, 5000, 1e-6)],
        15,
    ),
    Judged(
        "betting_sequence",
        lambda values, alpha: _ends(ours.betting_sequence(values, alpha=alpha)[-1]),
        sequences.betting_sequence,
        [(VALUES, 0.05), ((1.0,) * 30, 0.01), ((0.5,), 0.05)],
        12,
    ),
    Judged(
        "akaike_independent",
        lambda x, m, y, n: ours.akaike_independent((x, m), (y, n)).difference,
        sequences.akaike,
        INDEPENDENT,
        12,
    ),
    Judged(
        "akaike_common",
        lambda a, b, c, d: (
            ours.akaike_common(PairTable(both=a, first=b, second=c, neither=d)).difference
        ),
        sequences.akaike_common,
        COMMON,
        12,
    ),
    Judged(
        "akaike_incomplete",
        lambda m, t, n: ours.akaike_incomplete(m, t, tested=n).difference,
        sequences.akaike_incomplete,
        [(190, 191, 200), (3, 7, 10), (0, 4, 9), (30, 45, 60)],
        11,
    ),
    Judged("akaike_tiers", _weights, sequences.tier_weights, TIERS, 11),
    Judged(
        "wald_test",
        _lines,
        sequences.wald_lines,
        [(a, b, alpha, 0.1) for a, b in WALD for alpha in (0.05, 1e-12)],
        11,
    ),
    Judged(
        "paired_wald_test",
        lambda p, q: (lambda test: (test.keep_intercept, test.take_intercept, test.slope))(
            ours.paired_wald_test(p, q)
        ),
        lambda p, q: sequences.wald_lines(
            mp.mpf(p) / (1 - mp.mpf(p)), mp.mpf(q) / (1 - mp.mpf(q)), 0.05, 0.1
        ),
        [(0.5, 0.6), (0.01, 0.99), (0.5, 0.5001)],
        11,
    ),
    Judged(
        "wald_properties",
        _wald,
        sequences.wald_approximate,
        [(1.0, 2.5, win) for win in (*WINS, 0.61, 0.6107, 0.610739)],
        11,
    ),
    Judged(
        "wald_exact_properties",
        _exact,
        sequences.wald_walk,
        [(1.0, 2.5, win, 80) for win in (0.5, 0.6, 5 / 7, 0.999, 0.2)],
        12,
    ),
    Judged(
        "lead_test",
        lambda u, alpha: (lambda t: (t.lead, t.error))(ours.lead_test(u, alpha=alpha)),
        sequences.lead_of,
        [(1.5, 0.05), (1.0625, 1e-6), (1e6, 0.4)],
        13,
    ),
    Judged(
        "lead_test_properties",
        _lead,
        sequences.lead_properties,
        [(lead, win) for lead in (1, 8, 50) for win in (0.5, 0.5 + 2**-30, 0.6, 0.999, 1e-9)],
        12,
    ),
    Judged(
        "double_test_properties",
        _double,
        sequences.double_walk,
        [(win, 60) for win in (0.5, 0.65, 0.9)],
        13,
    ),
    Judged(
        "stage_leads",
        lambda k, u, alpha: ours.stage_leads(k, smallest=u, alpha=alpha),
        # At most 6, 3, 3, 3, 2, 1 pairs of four systems may be equal while pairs get their winner.
        lambda k, u, alpha: tuple(sequences.lead_of(u, alpha / n)[0] for n in (6, 3, 3, 3, 2, 1)),
        [(4, 1.5, 0.05), (4, 1.0625, 0.01)],
        15,
    ),
    Judged(
        "odds_ratio", ours.odds_ratio, sequences.odds, [(0.9, 0.92), (1e-9, 0.5), (0.999999, 1e-9)]
    ),
    Judged(
        "discordance_ratio",
        lambda p, q, d: ours.discordance_ratio(p, q, discordance=d),
        sequences.discordance_ratio,
        [(0.9, 0.92, 0.06), (0.5, 0.5, 1e-9), (0.1, 0.9, 0.95)],
        13,
    ),
    Judged(
        "spending_bounds, two looks",
        _two_looks,
        sequences.two_looks,
        [
            (kind, alpha, t)
            for kind in ("obrien-fleming", "pocock")
            for alpha, t in ((0.025, 0.5), (0.0005, 0.25))
        ],
        11,
    ),
    Judged(
        "spending_bounds, five looks",
        lambda kind, sides, alpha, fractions: tuple(
            ours.spending_bounds(fractions, alpha=alpha, kind=kind, sides=sides).bounds
        ),
        None,
        least=6,
        origin="R, rpact 3.3.4",
        **_from_r(),
    ),
    Judged(
        "crossing_probabilities",
        lambda alpha, looks: (
            ours.crossing_probabilities(ours.spending_bounds(looks, alpha=alpha), drift=0.0).ever
        ),
        lambda alpha, looks: mp.mpf(alpha),
        [
            (0.025, (0.2, 0.4, 0.6, 0.8, 1.0)),
            (0.0005, (0.5, 1.0)),
            (0.025, tuple(k / 50 for k in range(1, 51))),
        ],
        11,
    ),
)
