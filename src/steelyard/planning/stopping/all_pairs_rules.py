"""Sequential tests of every two of several systems, simulated side by side."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from math import inf, log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.sequential.wald_msrb import AllPairsTest
from steelyard.errors import RequestError
from steelyard.planning.rates import check_rates
from steelyard.planning.stopping.discordant import TAILS
from steelyard.uncertainty import shaffer_numbers

__all__ = [
    "FIRST",
    "OPEN",
    "SECOND",
    "AllPairsProperties",
    "AllPairsRace",
    "AllPairsWalks",
    "EndedWalks",
    "all_pairs_properties",
    "chance_of_patterns",
    "fixed_all_pairs",
    "raced_all_pairs",
]

# --- many campaigns of sequential tests of every two systems, walked side by side ----------------


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


# --- sequential tests of every two of several systems, simulated side by side --------------------


CAMPAIGNS = 1000
WORST = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class AllPairsProperties:
    """What simulated campaigns of an all-pairs test ended with, and the items they used.

    ``best`` is the chance that the best system is named, ``wrong`` that any pair gets a wrong
    winner (any winner at all, between systems of equal rates). ``error`` is the largest standard
    error of the two.
    """

    name: str
    best: float
    wrong: float
    decided: float
    expected: float
    late: int
    cap: int
    campaigns: int
    error: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AllPairsRace:
    """A test of every two before its first item, and the rates it is to meet."""

    test: AllPairsTest
    rates: Sequence[float]
    patterns: Floats | None = None


def all_pairs_properties(
    test: AllPairsTest,
    rates: Sequence[float],
    *,
    cap: int,
    rng: np.random.Generator,
    campaigns: int = CAMPAIGNS,
    patterns: Floats | None = None,
) -> AllPairsProperties:
    r"""Simulate a Wald-MSRB test (either rule, scheme and sharing) on common items.

    Parameters
    ----------
    test
        The test before its first item, from
        :func:`steelyard.comparison.all_pairs_test`.
    rates
        True rates, in the order of its systems.
    cap
        Items at which a campaign ends, decided or not.
    rng
        Source of the simulated items.
    campaigns
        Number of simulated campaigns.
    patterns
        Chance of each outcome pattern (bit j: system j right); unrelated errors unless given.

    Notes
    -----
    Standard errors are those of a binomial share at (hits + ½)/(campaigns + 1).

    References
    ----------
    .. [1] Catlin, Bauer, Mykytko et al. (1999), Naval Research Logistics 46, 357-371.

    Examples
    --------
    >>> from steelyard.comparison import all_pairs_test
    >>> test = all_pairs_test(["A", "B", "C"], smallest=1.5)
    >>> found = all_pairs_properties(
    ...     test, [0.9, 0.8, 0.6], cap=800, rng=np.random.default_rng(0), campaigns=200)
    >>> found.best > 0.9, found.expected < 800
    (True, True)
    """
    race = AllPairsRace(test=test, rates=tuple(rates), patterns=patterns)
    return raced_all_pairs([race], cap=cap, rng=rng, campaigns=campaigns)[0]


def raced_all_pairs(
    races: Sequence[AllPairsRace],
    *,
    cap: int,
    rng: np.random.Generator,
    campaigns: int = CAMPAIGNS,
    every: int = 1,
) -> tuple[AllPairsProperties, ...]:
    """Simulate several Wald-MSRB tests step by step beside one another, so many campaigns of each.

    They are of the same systems, by the same rule for the same smallest ratio and error rates;
    schemes, sharings and the true rates may differ. See :func:`all_pairs_properties` for one.
    Campaigns are looked at after ``every`` so many items, and at the cap; fewer looks can only
    make fewer errors, and a verdict waits for the next of them.

    Examples
    --------
    >>> from steelyard.comparison import all_pairs_test
    >>> test = all_pairs_test(["A", "B", "C"], smallest=1.5)
    >>> races = [AllPairsRace(test=test, rates=rates) for rates in ([0.9, 0.8, 0.6], [0.8] * 3)]
    >>> one, none = raced_all_pairs(races, cap=800, rng=np.random.default_rng(0), campaigns=200)
    >>> one.best > 0.9, none.best < 0.1
    (True, True)
    """
    chances = [_check(race) for race in races]
    if min(cap, campaigns, every) < 1:
        message = f"cap={cap!r}, campaigns={campaigns!r}, every={every!r}; all are at least 1."
        raise RequestError(message)
    walks = AllPairsWalks([race.test for race in races], campaigns)
    ended = walks.run([np.cumsum(one) for one in chances], cap=cap, rng=rng, every=every)
    return tuple(
        _summary(one, race.test, race.rates, cap) for one, race in zip(ended, races, strict=True)
    )


def _check(race: AllPairsRace) -> Floats:
    """Give the chance of every outcome pattern of a race that can be run."""
    known, test = check_rates(race.rates), race.test
    if len(known) != len(test.systems) or test.items:
        message = (
            f"{len(known)} rates for {len(test.systems)} systems after {test.items} items; give a "
            "test that has seen no items yet, and a rate for each of its systems."
        )
        raise RequestError(message)
    return chance_of_patterns(known) if race.patterns is None else race.patterns


def fixed_all_pairs(
    rates: Sequence[float],
    samples: int,
    *,
    rng: np.random.Generator,
    alpha: float = 0.05,
    draws: int = CAMPAIGNS,
    patterns: Floats | None = None,
) -> AllPairsProperties:
    """Simulate Shaffer-adjusted mid-p McNemar tests of every two after a fixed number of items.

    The test of fixed size in the words of the sequential ones, to stand beside them.

    References
    ----------
    .. [1] Shaffer (1986), JASA 81, 826-831, doi:10.1080/01621459.1986.10478341.

    Examples
    --------
    >>> found = fixed_all_pairs([0.9, 0.8, 0.6], 400, rng=np.random.default_rng(0), draws=200)
    >>> found.best > 0.9, found.expected
    (True, 400.0)
    """
    known = check_rates(rates)
    chances = chance_of_patterns(known) if patterns is None else patterns
    drawn = rng.multinomial(samples, chances, size=draws)
    bits = (np.arange(chances.size)[:, None] >> np.arange(len(known))) & 1
    pairs = np.array(list(combinations(range(len(known)), 2)))
    first = drawn @ (bits[:, pairs[:, 0]] * (1 - bits[:, pairs[:, 1]]))
    second = drawn @ (bits[:, pairs[:, 1]] * (1 - bits[:, pairs[:, 0]]))
    total = np.maximum(first + second, 1).astype(np.float64)
    raw = np.minimum(TAILS["mid-p"](np.minimum(first, second).astype(np.float64), total), 1.0)
    found = _adjust(raw, len(known))
    found[first == second] = 1.0
    won, lost = (found <= alpha) & (first > second), (found <= alpha) & (second > first)
    truth = np.array(known)
    false = (won & (truth[pairs[:, 0]] <= truth[pairs[:, 1]])) | (
        lost & (truth[pairs[:, 1]] <= truth[pairs[:, 0]])
    )
    best = int(np.argmax(known))
    wins = (won & (pairs[:, 0] == best)).sum(axis=1) + (lost & (pairs[:, 1] == best)).sum(axis=1)
    shares = np.array([false.any(axis=1).mean(), (wins == len(known) - 1).mean()])
    return AllPairsProperties(
        name="fixed size",
        best=float(shares[1]),
        wrong=float(shares[0]),
        decided=1.0,
        expected=float(samples),
        late=samples,
        cap=samples,
        campaigns=draws,
        error=_error(shares, draws),
    )


def _adjust(raw: Floats, systems: int) -> Floats:
    """Shaffer's static adjustment of many families at once, a row for each."""
    order = np.argsort(raw, axis=1, kind="stable")
    stepped = np.take_along_axis(raw, order, axis=1) * np.array(shaffer_numbers(systems))
    stepped = np.minimum(np.maximum.accumulate(stepped, axis=1), 1.0)
    found = np.empty_like(raw)
    np.put_along_axis(found, order, stepped, axis=1)
    return found


def _error(shares: Floats, draws: int) -> float:
    tempered = (shares * draws + 0.5) / (draws + 1)
    return float(np.sqrt(tempered * (1 - tempered) / draws).max())


def chance_of_patterns(rates: Sequence[float]) -> Floats:
    """Give the chance of every outcome pattern when systems err independently of one another.

    Examples
    --------
    >>> chance_of_patterns([0.9, 0.8]).round(4).tolist()
    [0.02, 0.18, 0.08, 0.72]
    """
    chances = np.ones(1)
    for rate in rates:
        chances = np.concatenate([chances * (1 - rate), chances * rate])
    return chances


def _summary(
    state: EndedWalks, test: AllPairsTest, rates: Sequence[float], cap: int
) -> AllPairsProperties:
    first, second = (np.array(rates)[state.pairs[:, side]] for side in (0, 1))
    false = ((state.verdict == FIRST) & (first <= second)) | (
        (state.verdict == SECOND) & (second <= first)
    )
    wrong = float(false.any(axis=1).mean())
    best = float(_name(state, test, int(np.argmax(rates))).mean())
    campaigns = state.items.size
    return AllPairsProperties(
        name=f"Wald-MSRB {test.scheme}"
        + (", lead" if test.rule == "lead" else "")
        + (", Bonferroni" if test.sharing == "bonferroni" else ""),
        best=best,
        wrong=wrong,
        decided=float((~state.running).mean()),
        expected=float(state.items.mean()),
        late=int(np.quantile(state.items, WORST, method="inverted_cdf")),
        cap=cap,
        campaigns=campaigns,
        error=_error(np.array([wrong, best]), campaigns),
    )


def _name(state: EndedWalks, test: AllPairsTest, best: int) -> Flags:
    """Whether a campaign named this system the best, as the test's own ``best`` would."""
    firsts, seconds = state.pairs[:, 0], state.pairs[:, 1]
    won = ((state.verdict == FIRST) & (firsts == best)).sum(axis=1)
    won += ((state.verdict == SECOND) & (seconds == best)).sum(axis=1)
    if test.scheme == "A":
        return np.asarray(won == len(test.systems) - 1)
    lost = np.zeros((state.items.size, len(test.systems)), dtype=bool)
    for pair, (first, second) in enumerate(state.pairs):
        lost[:, second] |= state.verdict[:, pair] == FIRST
        lost[:, first] |= state.verdict[:, pair] == SECOND
    return np.asarray(~lost[:, best] & (lost.sum(axis=1) == len(test.systems) - 1))
