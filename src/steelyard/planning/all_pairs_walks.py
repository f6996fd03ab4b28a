"""Many campaigns of sequential tests of every two systems, walked side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.wald_msrb import AllPairsTest
from steelyard.uncertainty import shaffer_numbers

__all__ = ["FIRST", "SECOND", "AllPairsWalks", "EndedWalks"]

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Places: TypeAlias = NDArray[np.int64]

OPEN, FIRST, SECOND, NONE, DROPPED = range(5)

BLOCK = 32
"""Items after which the campaigns that have ended are put aside."""

CLOSE = 1e-9
"""A walk nearer to a bound than this has met it."""


@dataclass(frozen=True, slots=True, eq=False)
class EndedWalks:
    """Campaigns of one test after their last item: a verdict for each pair, and the items used."""

    pairs: Places
    verdict: Places
    items: Places

    @property
    def running(self) -> Flags:
        """Campaigns that the cap ended."""
        return np.asarray((self.verdict == OPEN).any(axis=1))


class AllPairsWalks:
    """All campaigns of all tests at once: a row for each, and one walk for each of its open pairs.

    ``one`` is the evidence that the first of a pair is the better, ``two`` that the second is; a
    pair is decided where either meets ``take``, and a side is refuted for good at ``keep``. Walks
    lie row by row; those that have ended are put aside, so that a late item costs little.
    """

    def __init__(self, tests: Sequence[AllPairsTest], campaigns: int) -> None:
        self.test, self.tests, self.campaigns = tests[0], tests, campaigns
        self.pairs = np.array(list(combinations(range(len(self.test.systems)), 2)))
        rows, width = campaigns * len(tests), len(self.pairs)
        self.verdict = np.zeros((rows, width), dtype=np.int64)
        self.items = np.zeros(rows, dtype=np.int64)
        self.kind = np.repeat(np.arange(len(tests)), campaigns)
        self.drops = np.repeat([test.scheme == "B" for test in tests], campaigns)
        self.alphas = np.array([_shares(test, width) for test in tests])
        self.gain, self.loss = _steps(self.test)
        self.stage = np.zeros(rows, dtype=np.int64)
        self.open = np.full(rows, width)
        self.take, self.keep = self._bounds(np.arange(rows))
        self.row, self.pair = np.repeat(np.arange(rows), width), np.tile(np.arange(width), rows)
        self.one, self.two = np.zeros(rows * width), np.zeros(rows * width)
        self.may_first, self.may_second = (np.ones(rows * width, dtype=bool) for _ in range(2))
        self.apart = self._apart()

    def _apart(self) -> NDArray[np.int8]:
        """1 where only the first of a pair is right, -1 where only the second, for each pattern."""
        size = len(self.test.systems)
        bits = (np.arange(1 << size)[:, None] >> np.arange(size)) & 1
        return (bits[:, self.pairs[:, 0]] - bits[:, self.pairs[:, 1]]).astype(np.int8).ravel()

    def run(
        self, reached: Sequence[Floats], *, cap: int, rng: np.random.Generator
    ) -> tuple[EndedWalks, ...]:
        """Walk to the cap; ``reached`` holds the cumulative chances of patterns for each test."""
        pattern = np.zeros((BLOCK, self.kind.size), dtype=np.int64)
        for start in range(0, cap, BLOCK):
            self._put_aside()
            if not self.row.size:
                break
            for at, chances in enumerate(reached):
                rows = np.flatnonzero((self.kind == at) & (self.open > 0))
                drawn = rng.random((BLOCK, rows.size)) * chances[-1]
                pattern[:, rows] = np.searchsorted(chances, drawn, side="right")
            for seen in np.minimum(pattern, reached[0].size - 1)[: cap - start]:
                self.see(seen)
        return self.ended()

    def ended(self) -> tuple[EndedWalks, ...]:
        """Give what the campaigns of each test have come to."""
        size = self.campaigns
        return tuple(
            EndedWalks(self.pairs, self.verdict[k * size :][:size], self.items[k * size :][:size])
            for k in range(len(self.tests))
        )

    def _put_aside(self) -> None:
        """Go on with the pairs that are open."""
        going = self.may_first | self.may_second
        self.row, self.pair = self.row[going], self.pair[going]
        self.one, self.two = self.one[going], self.two[going]
        self.may_first, self.may_second = self.may_first[going], self.may_second[going]

    def see(self, pattern: Places) -> None:
        """Count one more item in every campaign that runs, an outcome pattern for each row."""
        self.items += self.open > 0
        apart = self.apart[pattern[self.row] * len(self.pairs) + self.pair]
        moved = np.flatnonzero(apart)
        forth = apart[moved] > 0
        one = self.one[moved] + np.where(forth, self.gain, self.loss)
        two = self.two[moved] + np.where(forth, self.loss, self.gain)
        self.one[moved], self.two[moved] = one, two
        take = self.take[self.row[moved]]
        ripe = ((one >= take) & self.may_first[moved]) | ((two >= take) & self.may_second[moved])
        for row in sorted(set(self.row[moved[ripe]].tolist())):
            self._settle(row)
        if self.test.rule != "lead":
            self._refute(moved, one, two)

    def _settle(self, row: int) -> None:
        """Decide the ripe pairs of one campaign, the clearest first."""
        here = slice(*np.searchsorted(self.row, [row, row + 1]))
        one, two, pair = self.one[here], self.two[here], self.pair[here]
        lead = np.round(np.abs(one - two), 6)
        while True:
            first = (one >= self.take[row]) & self.may_first[here]
            ripe = first | ((two >= self.take[row]) & self.may_second[here])
            if not ripe.any():
                return
            chosen = int(np.where(ripe, lead, -1.0).argmax())
            loser = self.pairs[pair[chosen]][1 if first[chosen] else 0]
            self._close(here.start + np.array([chosen]), FIRST if first[chosen] else SECOND)
            self.stage[row] += 1
            self.take[[row]], self.keep[[row]] = self._bounds(np.array([row]))
            if self.drops[row]:
                touched = (self.pairs[pair] == loser).any(axis=1)
                still = self.may_first[here] | self.may_second[here]
                self._close(here.start + np.flatnonzero(touched & still), DROPPED)

    def _close(self, walks: Places, verdict: int) -> None:
        self.verdict[self.row[walks], self.pair[walks]] = verdict
        self.may_first[walks] = self.may_second[walks] = False
        np.subtract.at(self.open, self.row[walks], 1)

    def _refute(self, moved: Places, one: Floats, two: Floats) -> None:
        """Give up sides whose evidence fell to the lower bound, and pairs with no side left."""
        keep = self.keep[self.row[moved]]
        low, other = (one <= keep) & self.may_first[moved], (two <= keep) & self.may_second[moved]
        fallen = moved[low | other]
        if fallen.size:
            self.may_first[moved[low]] = self.may_second[moved[other]] = False
            self._close(fallen[~self.may_first[fallen] & ~self.may_second[fallen]], NONE)

    def _bounds(self, rows: Places) -> tuple[Floats, Floats]:
        """Where a pair is decided and a side refuted: decisions leave more of alpha to the rest."""
        stage = np.minimum(self.stage[rows], self.alphas.shape[1] - 1)
        alpha = self.alphas[self.kind[rows], stage]
        if self.test.rule == "lead":
            bar = np.ceil(np.log((1 - alpha) / alpha) / log(self.test.smallest) - CLOSE)
            return bar, np.full(rows.size, -inf)
        take = np.log((1 - self.test.beta) / (alpha / 2)) - CLOSE
        return take, np.log(self.test.beta / (1 - alpha / 2)) + CLOSE


def _steps(test: AllPairsTest) -> tuple[float, float]:
    """What a discordant item adds to the evidence for its winner and for its loser."""
    if test.rule == "lead":
        return 1.0, -1.0
    share = test.smallest / (1 + test.smallest)
    return log(2 * share), log(2 * (1 - share))


def _shares(test: AllPairsTest, pairs: int) -> Floats:
    """Error rate of a pair after so many decisions."""
    shaffer = shaffer_numbers(len(test.systems))
    numbers = list(shaffer) if test.sharing == "msrb" else [pairs] * len(shaffer)
    return test.alpha / np.array(numbers, dtype=np.float64)
