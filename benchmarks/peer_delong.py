"""DeLong's covariance of two areas by a tool of others, in the environment that has it.

.peers/bin/python benchmarks/peer_delong.py MLstatkit|confidenceinterval FILE.npz

The file has the truth and the scores of two systems, negatives first; seconds are printed.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np


def with_mlstatkit(truth: Any, scores: Any) -> Callable[[], object]:  # noqa: ANN401
    """Test the difference of two areas."""
    from MLstatkit import Delong_test

    return lambda: Delong_test(truth, scores[0], scores[1], return_ci=False, return_auc=False)


def with_confidenceinterval(truth: Any, scores: Any) -> Callable[[], object]:  # noqa: ANN401
    """Compute areas and their covariance; it wants positives first."""
    from confidenceinterval.delong import fastDeLong

    order = np.argsort(-truth.astype(int), kind="stable")
    return lambda: fastDeLong(scores[:, order], int(truth.sum()), None)


def main(name: str, path: str) -> None:
    """Run twice and print the lesser time."""
    held = np.load(path)
    ways = {"MLstatkit": with_mlstatkit, "confidenceinterval": with_confidenceinterval}
    work = ways[name](held["truth"], held["scores"])
    best = float("inf")
    for _ in range(2):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    print(best)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
