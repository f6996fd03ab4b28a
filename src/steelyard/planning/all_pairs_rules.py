"""Sequential tests of every two of several systems, simulated side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.wald_msrb import AllPairsTest
from steelyard.errors import RequestError
from steelyard.planning.discordant_rules import TAILS
from steelyard.planning.rates import check_rates
from steelyard.uncertainty import shaffer_numbers, shaffer_static

__all__ = [
    "AllPairsProperties",
    "AllPairsRace",
    "all_pairs_properties",
    "fixed_all_pairs",
    "raced_all_pairs",
    "unrelated_patterns",
]

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

CAMPAIGNS = 1000
WORST = 0.95
OPEN, FIRST, SECOND, NONE, DROPPED = range(5)
BLOCK = 500


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
        :func:`steelyard.comparison.wald_msrb.all_pairs_test`.
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
) -> tuple[AllPairsProperties, ...]:
    """Simulate several Wald-MSRB tests step by step beside one another, so many campaigns of each.

    They are of the same systems, by the same rule for the same smallest ratio and error rates;
    schemes, sharings and the true rates may differ. See :func:`all_pairs_properties` for one.

    Examples
    --------
    >>> from steelyard.comparison import all_pairs_test
    >>> test = all_pairs_test(["A", "B", "C"], smallest=1.5)
    >>> races = [AllPairsRace(test=test, rates=rates) for rates in ([0.9, 0.8, 0.6], [0.8] * 3)]
    >>> one, none = raced_all_pairs(races, cap=800, rng=np.random.default_rng(0), campaigns=200)
    >>> one.best > 0.9, none.best < 0.1
    (True, True)
    """
    chances = [_checked(race) for race in races]
    if cap < 1 or campaigns < 1:
        message = f"cap={cap!r}, campaigns={campaigns!r}; both are at least 1."
        raise RequestError(message)
    state = _State([race.test for race in races], campaigns)
    for start in range(0, cap, BLOCK):
        shape = (min(BLOCK, cap - start), campaigns)
        drawn = [rng.choice(one.size, p=one, size=shape) for one in chances]
        for pattern in np.concatenate(drawn, axis=1):
            if not state.see(pattern):
                break
    return tuple(
        _summary(state.part(at), race.test, race.rates, cap) for at, race in enumerate(races)
    )


def _checked(race: AllPairsRace) -> Floats:
    """Give the chance of every outcome pattern of a race that can be run."""
    known, test = check_rates(race.rates), race.test
    if len(known) != len(test.systems) or test.items:
        message = (
            f"{len(known)} rates for {len(test.systems)} systems after {test.items} items; give a "
            "test that has seen no items yet, and a rate for each of its systems."
        )
        raise RequestError(message)
    return unrelated_patterns(known) if race.patterns is None else race.patterns


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
    chances = unrelated_patterns(known) if patterns is None else patterns
    drawn = rng.multinomial(samples, chances, size=draws)
    bits = (np.arange(chances.size)[:, None] >> np.arange(len(known))) & 1
    pairs = np.array(list(combinations(range(len(known)), 2)))
    first = drawn @ (bits[:, pairs[:, 0]] * (1 - bits[:, pairs[:, 1]]))
    second = drawn @ (bits[:, pairs[:, 1]] * (1 - bits[:, pairs[:, 0]]))
    total = np.maximum(first + second, 1).astype(np.float64)
    raw = np.minimum(TAILS["mid-p"](np.minimum(first, second).astype(np.float64), total), 1.0)
    found = np.array([shaffer_static(row, systems=len(known)) for row in raw.tolist()])
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


def _error(shares: Floats, draws: int) -> float:
    tempered = (shares * draws + 0.5) / (draws + 1)
    return float(np.sqrt(tempered * (1 - tempered) / draws).max())


def unrelated_patterns(rates: Sequence[float]) -> Floats:
    """Give the chance of every outcome pattern when systems err independently of one another.

    Examples
    --------
    >>> unrelated_patterns([0.9, 0.8]).round(4).tolist()
    [0.02, 0.18, 0.08, 0.72]
    """
    chances = np.ones(1)
    for rate in rates:
        chances = np.concatenate([chances * (1 - rate), chances * rate])
    return chances


class _State:
    """All campaigns of all tests at once: a row for each, a column for each pair."""

    def __init__(self, tests: Sequence[AllPairsTest], campaigns: int) -> None:
        self.test, self.campaigns = tests[0], campaigns
        size = len(self.test.systems)
        self.pairs = np.array(list(combinations(range(size), 2)))
        shape = (campaigns * len(tests), len(self.pairs))
        self.won, self.lost = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        self.verdict = np.zeros(shape, dtype=np.int64)
        self.refuted = np.zeros((2, *shape), dtype=bool)
        self.stage = np.zeros(shape[0], dtype=np.int64)
        self.items = np.zeros(shape[0], dtype=np.int64)
        self.drops = np.repeat([test.scheme == "B" for test in tests], campaigns)
        self.kind = np.repeat(np.arange(len(tests)), campaigns)
        self.alphas = np.array([_shares(test, len(self.pairs)) for test in tests])
        bits = (np.arange(1 << size)[:, None] >> np.arange(size)) & 1
        # 1 where only the first of a pair is right, -1 where only the second, for each pattern.
        self.moves = (bits[:, self.pairs[:, 0]] - bits[:, self.pairs[:, 1]]).astype(np.int8)

    def part(self, at: int) -> "_Ended":
        """Give what the campaigns of one test ended with."""
        rows = slice(at * self.campaigns, (at + 1) * self.campaigns)
        return _Ended(self.pairs, self.verdict[rows], self.items[rows])

    def see(self, pattern: NDArray[np.int64]) -> bool:
        """Count one more item in every campaign; False when none was running."""
        open_ones = self.verdict == OPEN
        running = open_ones.any(axis=1)
        if not running.any():
            return False
        self.items += running
        moved = self.moves[pattern] * open_ones
        self.won += moved > 0
        self.lost += moved < 0
        rows = np.flatnonzero(moved.any(axis=1))
        while rows.size:
            rows = self._settle(rows)
        return True

    def _settle(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Decide the clearest ripe pair of each row; give the rows that had one."""
        open_ones = self.verdict[rows] == OPEN
        for_first, for_second = self._judged(rows, open_ones)
        ripe = for_first | for_second
        some = ripe.any(axis=1)
        done = self._refuted_twice(rows[~some])
        self.verdict[rows[~some]] = done
        rows, ripe, for_first = rows[some], ripe[some], for_first[some]
        lead = np.where(ripe, np.abs(self.won[rows] - self.lost[rows]), -1)
        chosen = lead.argmax(axis=1)
        places = np.arange(rows.size)
        winner_first = for_first[places, chosen]
        self.verdict[rows, chosen] = np.where(winner_first, FIRST, SECOND)
        self.stage[rows] += 1
        self._drop(rows, np.where(winner_first, self.pairs[chosen, 1], self.pairs[chosen, 0]))
        return rows

    def _drop(self, rows: NDArray[np.int64], loser: NDArray[np.int64]) -> None:
        """Stop testing those that have lost, in the campaigns of scheme B."""
        dropping = self.drops[rows]
        if not dropping.any():
            return
        rows, loser = rows[dropping], loser[dropping]
        touched = (self.pairs[None, :, :] == loser[:, None, None]).any(axis=2)
        gone = touched & (self.verdict[rows] == OPEN)
        self.verdict[rows] = np.where(gone, DROPPED, self.verdict[rows])

    def _alpha(self, rows: NDArray[np.int64]) -> Floats:
        stage = np.minimum(self.stage[rows], self.alphas.shape[1] - 1)
        return np.asarray(self.alphas[self.kind[rows], stage])

    def _judged(self, rows: NDArray[np.int64], open_ones: Flags) -> tuple[Flags, Flags]:
        test, won, lost = self.test, self.won[rows], self.lost[rows]
        alpha = self._alpha(rows)
        if test.rule == "lead":
            bar = np.ceil(np.log((1 - alpha) / alpha) / log(test.smallest) - 1e-9)[:, None]
            return open_ones & (won - lost >= bar), open_ones & (lost - won >= bar)
        share = test.smallest / (1 + test.smallest)
        gain, loss = log(2 * share), log(2 * (1 - share))
        take = np.log((1 - test.beta) / (alpha / 2))[:, None]
        first = open_ones & ~self.refuted[0][rows] & (won * gain + lost * loss >= take)
        second = open_ones & ~self.refuted[1][rows] & (lost * gain + won * loss >= take) & ~first
        return first, second

    def _refuted_twice(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Refute what fell to the lower bound; give the verdicts of these rows."""
        test, verdict = self.test, self.verdict[rows]
        if test.rule == "lead" or not rows.size:
            return verdict
        share = test.smallest / (1 + test.smallest)
        gain, loss = log(2 * share), log(2 * (1 - share))
        keep = np.log(test.beta / (1 - self._alpha(rows) / 2))[:, None]
        won, lost = self.won[rows], self.lost[rows]
        still = verdict == OPEN
        self.refuted[0][rows] |= still & (won * gain + lost * loss <= keep)
        self.refuted[1][rows] |= still & (lost * gain + won * loss <= keep)
        both = self.refuted[0][rows] & self.refuted[1][rows] & still
        return np.where(both, NONE, verdict)


def _shares(test: AllPairsTest, pairs: int) -> Floats:
    """Error rate of a pair after so many decisions."""
    shaffer = shaffer_numbers(len(test.systems))
    numbers = list(shaffer) if test.sharing == "msrb" else [pairs] * len(shaffer)
    return test.alpha / np.array(numbers, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Ended:
    """Campaigns of one test after their last item."""

    pairs: NDArray[np.int64]
    verdict: NDArray[np.int64]
    items: NDArray[np.int64]

    @property
    def running(self) -> Flags:
        return np.asarray((self.verdict == OPEN).any(axis=1))


def _summary(
    state: _Ended, test: AllPairsTest, rates: Sequence[float], cap: int
) -> AllPairsProperties:
    first, second = (np.array(rates)[state.pairs[:, side]] for side in (0, 1))
    false = ((state.verdict == FIRST) & (first <= second)) | (
        (state.verdict == SECOND) & (second <= first)
    )
    wrong = float(false.any(axis=1).mean())
    best = float(_named(state, test, int(np.argmax(rates))).mean())
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


def _named(state: _Ended, test: AllPairsTest, best: int) -> Flags:
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
