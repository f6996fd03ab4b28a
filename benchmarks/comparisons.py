"""Numerical work of a comparison against the usual ways, inside one process.

python benchmarks/comparisons.py     print the table
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import integrate
from scipy.special import betainc, betaln, xlog1py, xlogy
from sklearn.metrics import f1_score

from steelyard.comparison import BetaPosteriors, beta_posteriors, bootstrap_calls, probability_best
from steelyard.counts import Trials
from steelyard.measures.catalogue import catalogue_entry
from steelyard.measures.in_batches import table_measure
from steelyard.tally import joint_calls_of

__all__ = ["lines"]

DRAWS = 1_000_000
RESAMPLES = 1_000
ITEMS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """What one way costs, and what it answers."""

    seconds: float
    answer: Any


def timed(
    work: Callable[[], Any], *, repeats: int, clock: Callable[[], float] = time.perf_counter
) -> Timed:
    """Run once to warm up, then several times, and keep the least."""
    answer = work()
    best = float("inf")
    for _ in range(repeats):
        start = clock()
        work()
        best = min(best, clock() - start)
    return Timed(seconds=best, answer=answer)


def lines() -> list[str]:
    """Measure everything and give the rows of a table."""
    found = [
        "| work | ours ms | peer | peer ms | peer/ours | error of the peer |",
        "|---|---|---|---|---|---|",
    ]
    for number in (2, 10, 50):
        found += _best(number)
    return [*found, _bootstrap(), "", *_fifty()]


def _fifty() -> list[str]:
    """P(best) of fifty systems at 1e8 items each: processor time, the least of 15 runs."""
    rng, many, number = np.random.default_rng(1), 10**8, 50
    step = np.arange(number)
    tested = np.full(number, many)
    unequal = 10 ** rng.integers(1, 9, number)
    cases = {
        "near ties": (rng.binomial(many, 0.9, number), tested),
        "rates from 0.5 to 0.99": (rng.binomial(many, np.linspace(0.5, 0.99, number)), tested),
        "0 to 49 wrong": (many - step, tested),
        "0 to 49 right": (step, tested),
        "up to 5,000 wrong": (many - rng.integers(0, 5000, number), tested),
        "chances down to 1e-254": (90_000_000 - np.round(2326.53 * step), tested),
        "chances down to 1e-299": (90_000_000 - np.round(3061.22 * step), tested),
        "10 to 1e8 items": (rng.binomial(unequal, 0.9), unequal),
    }
    found = ["| P(best) of 50 systems at 1e8 items | CPU ms | least chance |", "|---|---|---|"]
    for name, (right, items) in cases.items():
        posteriors = BetaPosteriors(
            systems=tuple(f"s{place}" for place in step.tolist()),
            a=tuple((right + 1.0).tolist()),
            b=tuple((items - right + 1.0).tolist()),
        )
        ours = timed(
            lambda given=posteriors: probability_best(given), repeats=15, clock=time.process_time
        )
        least = min(share for share in ours.answer.best if share > 0)
        found.append(f"| {name} | {ours.seconds * 1e3:.2f} | {least:.0e} |")
    return found


def _best(number: int) -> list[str]:
    rng = np.random.default_rng(number)
    right = rng.binomial(1000, 0.9, size=number)
    names = [f"s{place}" for place in range(number)]
    trials = Trials(correct=dict(zip(names, right.tolist(), strict=True)), tested=1000,
                    pairing="independent")  # fmt: skip
    posteriors = beta_posteriors(trials)
    a, b = right + 1.0, 1001.0 - right

    def quad() -> list[float]:
        def density(p: float, k: int) -> float:
            logs = xlogy(a[k] - 1, p) + xlog1py(b[k] - 1, -p) - betaln(a[k], b[k])
            return float(np.exp(logs))

        return [
            integrate.quad(
                lambda p, k=place: density(p, k) * np.prod(np.delete(betainc(a, b, p), k)),
                0.8,
                1.0,
                epsabs=1e-12,
            )[0]
            for place in range(number)
        ]  # fmt: skip

    def draw() -> list[float]:
        hits = np.zeros(number)
        for _ in range(10):
            rates = rng.beta(a, b, size=(DRAWS // 10, number))
            hits += np.bincount(rates.argmax(axis=1), minlength=number)
        return list(hits / DRAWS)

    ours = timed(lambda: probability_best(posteriors), repeats=20)
    rows = []
    for name, work in (("scipy.integrate.quad", quad), (f"{DRAWS:,} draws", draw)):
        peer = timed(work, repeats=1)
        error = max(abs(x - y) for x, y in zip(peer.answer, ours.answer.best, strict=True))
        rows.append(_row(f"P(best) of {number}", ours, name, peer, f"{error:.0e}"))
    return rows


def _bootstrap() -> str:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 10, ITEMS)
    calls = {
        name: np.where(rng.random(ITEMS) < rate, truth, rng.integers(0, 10, ITEMS))
        for name, rate in (("S", 0.9), ("T", 0.87))
    }
    joint = joint_calls_of(truth, calls)
    measure = table_measure(catalogue_entry("macro F1"), joint.classes)
    seed = np.random.default_rng

    def loop() -> list[float]:
        draw, gaps = seed(1), []
        for _ in range(RESAMPLES):
            chosen = draw.integers(0, ITEMS, ITEMS)
            values = [
                f1_score(truth[chosen], calls[name][chosen], average="macro") for name in "ST"
            ]
            gaps.append(values[0] - values[1])
        return [float(x) for x in np.quantile(gaps, [0.025, 0.975])]

    ours = timed(lambda: bootstrap_calls(joint, measure, rng=seed(1), draws=RESAMPLES), repeats=3)
    peer = timed(loop, repeats=1)
    pair = ours.answer[0]
    off = max(abs(x - y) for x, y in zip(peer.answer, (pair.low, pair.high), strict=True))
    name = f"paired bootstrap of macro F1, {ITEMS:,} items, {RESAMPLES:,} draws"
    return _row(name, ours, "scikit-learn in a loop", peer, f"limits differ by {off:.4f}")


def _row(name: str, ours: Timed, peer_name: str, peer: Timed, error: str) -> str:
    ratio = peer.seconds / ours.seconds
    return (
        f"| {name} | {ours.seconds * 1e3:.2f} | {peer_name} | {peer.seconds * 1e3:.1f} "
        f"| {ratio:.0f} | {error} |"
    )


if __name__ == "__main__":
    sys.stdout.write("\n".join(lines()) + "\n")
