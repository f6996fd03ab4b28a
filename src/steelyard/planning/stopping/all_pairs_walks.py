"""Many campaigns of sequential tests of every two systems, walked side by side."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from math import inf, log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.sequential.wald_msrb import AllPairsTest
from steelyard.uncertainty import shaffer_numbers

__all__ = ["FIRST", "OPEN", "SECOND", "AllPairsWalks", "EndedWalks", "Flags", "Floats"]

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Places: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]
Source: TypeAlias = Callable[[int, int, np.random.Generator], Words]

OPEN, FIRST, SECOND, NONE, DROPPED = range(5)

BLOCK = 32
"""Items after which the campaigns that have ended are put aside."""

WORD = 64
"""Items whose outcomes are kept in one whole number, a bit for each."""

URN = 1 << 20
"""Patterns are drawn from an urn with so many balls: chances are kept to one in a million."""

ALL = (1 << WORD) - 1

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

    @cached_property
    def apart(self) -> NDArray[np.int8]:
        """1 where only the first of a pair is right, -1 where only the second, for each pattern."""
        size = len(self.test.systems)
        bits = (np.arange(1 << size)[:, None] >> np.arange(size)) & 1
        return (bits[:, self.pairs[:, 0]] - bits[:, self.pairs[:, 1]]).astype(np.int8).ravel()

    def run(
        self, reached: Sequence[Floats], *, cap: int, rng: np.random.Generator, every: int = 1
    ) -> tuple[EndedWalks, ...]:
        """Walk to the cap; ``reached`` holds the cumulative chances of patterns for each test.

        Campaigns are looked at after ``every`` so many items, and at the cap.
        """
        if every > 1:
            return self._look_at_times(reached, cap=cap, rng=rng, every=every)
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
        return self.list_ended()

    def _look_at_times(
        self, reached: Sequence[Floats], *, cap: int, rng: np.random.Generator, every: int
    ) -> tuple[EndedWalks, ...]:
        few = every < WORD // 2
        urns = [_source(chances, len(self.test.systems), few=few) for chances in reached]
        right = np.zeros((self.kind.size, len(self.test.systems)), dtype=np.uint64)
        for start in range(0, cap, every):
            self._put_aside()
            if not self.row.size:
                break
            size = min(every, cap - start)
            ahead = np.zeros((2, self.row.size), dtype=np.int64)
            for first in range(0, size, WORD):
                self._draw(right, urns, min(WORD, size - first), rng)
                one, two = (right[self.row, self.pairs[self.pair, side]] for side in (0, 1))
                ahead += np.bitwise_count([one & ~two, two & ~one])
            self.items += np.where(self.open > 0, size, 0)
            self._move(np.flatnonzero(ahead.any(axis=0)), ahead)
        return self.list_ended()

    def _draw(
        self, right: Words, urns: Sequence[Source], items: int, rng: np.random.Generator
    ) -> None:
        """Draw so many items for each campaign that runs; a bit of ``right`` for each."""
        for at, urn in enumerate(urns):
            rows = np.flatnonzero((self.kind == at) & (self.open > 0))
            right[rows] = urn(rows.size, items, rng)

    def list_ended(self) -> tuple[EndedWalks, ...]:
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
        self._move(np.flatnonzero(apart), np.stack([apart > 0, apart < 0]))

    def see_many(self, ahead: Places) -> None:
        """Count several items at once: for each side, campaign and pair, those only it had right.

        A verdict that fell between two of them waits for the last: fewer looks err less.
        """
        self._put_aside()
        here = ahead[:, self.row, self.pair]
        self._move(np.flatnonzero(here.any(axis=0)), here)

    def _move(self, moved: Places, ahead: Places | Flags) -> None:
        """Move the evidence by the items that only one of two had right, and see what it decides.

        ``ahead`` has a line for the first of every pair and one for the second.
        """
        first, second = ahead[:, moved]
        one = self.one[moved] + first * self.gain + second * self.loss
        two = self.two[moved] + first * self.loss + second * self.gain
        self.one[moved], self.two[moved] = one, two
        take = self.take[self.row[moved]]
        ripe = ((one >= take) & self.may_first[moved]) | ((two >= take) & self.may_second[moved])
        if ripe.any():
            self._settle(self.row[moved[ripe]])
        if self.test.rule != "lead":
            self._refute(moved, one, two)

    def _settle(self, rows: Places) -> None:
        """Decide the ripe pairs of some campaigns, one of each at a time, the clearest first."""
        while rows.size:
            here = self._walks_of(rows)
            row, one, two = self.row[here], self.one[here], self.two[here]
            first = (one >= self.take[row]) & self.may_first[here]
            ripe = np.flatnonzero(first | ((two >= self.take[row]) & self.may_second[here]))
            lead = np.round(np.abs(one - two), 6)[ripe]
            order = ripe[np.lexsort((-lead, row[ripe]))]
            chosen = order[np.diff(row[order], prepend=-1) > 0]
            rows = row[chosen]
            self._close(here[chosen], np.where(first[chosen], FIRST, SECOND))
            self.stage[rows] += 1
            self.take[rows], self.keep[rows] = self._bounds(rows)
            self._drop(rows, self.pairs[self.pair[here[chosen]], np.where(first[chosen], 1, 0)])

    def _walks_of(self, rows: Places) -> Places:
        flagged = np.zeros(self.open.size, dtype=bool)
        flagged[rows] = True
        return np.flatnonzero(flagged[self.row])

    def _drop(self, rows: Places, losers: Places) -> None:
        """Under scheme B, test a system that lost against no one else."""
        dropping = self.drops[rows]
        if not dropping.any():
            return
        lost = np.full(self.open.size, -1)
        lost[rows[dropping]] = losers[dropping]
        here = self._walks_of(rows[dropping])
        touched = (self.pairs[self.pair[here]] == lost[self.row[here], None]).any(axis=1)
        still = self.may_first[here] | self.may_second[here]
        self._close(here[touched & still], DROPPED)

    def _close(self, walks: Places, verdict: int | Places) -> None:
        self.verdict[self.row[walks], self.pair[walks]] = verdict
        self.may_first[walks] = self.may_second[walks] = False
        self.open -= np.bincount(self.row[walks], minlength=self.open.size)

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


def _source(reached: Floats, systems: int, *, few: bool) -> Source:
    """Give what draws items: many are quicker where systems err independently of one another."""
    chances = np.diff(reached, prepend=0.0) / reached[-1]
    bits = (np.arange(chances.size)[:, None] >> np.arange(systems)) & 1
    rates = chances @ bits
    alone = np.where(bits, rates, 1 - rates).prod(axis=1)
    # Shares are products of rates but for rounding: systems err independently of one another.
    if not few and np.allclose(chances, alone, rtol=0, atol=1e-12):
        return partial(_draw_words, rates)
    balls = np.round(reached / reached[-1] * URN).astype(np.int64)
    urn = np.repeat(np.arange(reached.size), np.diff(balls, prepend=0)).astype(np.uint16)
    return partial(_together, urn, systems)


def _draw_words(rates: Floats, rows: int, items: int, rng: np.random.Generator) -> Words:
    """Words of items whose bits are set with each system's rate, by the binary digits of it."""
    digits = np.round(rates * URN).astype(np.int64)
    places = URN.bit_length() - 1
    coins = rng.integers(0, ALL, size=(places, rows, rates.size), dtype=np.uint64, endpoint=True)
    words = np.zeros((rows, rates.size), dtype=np.uint64)
    for place, coin in enumerate(coins):
        # A digit 1 takes either of the two, a digit 0 both: half of what was, and half more.
        either = np.where(digits >> place & 1, np.uint64(ALL), np.uint64(0))
        words = (words & coin) | ((words ^ coin) & either)
    words[:, digits == URN] = ALL
    return words & np.uint64((1 << items) - 1)


def _together(
    urn: NDArray[np.uint16], systems: int, rows: int, items: int, rng: np.random.Generator
) -> Words:
    """Words of items whose outcome patterns come from an urn."""
    drawn = urn[rng.integers(0, urn.size, size=(rows, items), dtype=np.uint32)]
    packed = np.zeros((rows, systems, WORD // 8), dtype=np.uint8)
    for system in range(systems):
        bits = np.packbits((drawn >> system) & 1, axis=1)
        packed[:, system, : bits.shape[1]] = bits
    return packed.view(np.uint64)[:, :, 0]


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
