"""Sequential tests of every two of several systems, simulated side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from steelyard.comparison.sequential.wald_msrb import AllPairsTest
from steelyard.errors import RequestError
from steelyard.planning.rates import check_rates
from steelyard.planning.stopping.all_pairs_walks import (
    FIRST,
    SECOND,
    AllPairsWalks,
    EndedWalks,
    Flags,
    Floats,
)
from steelyard.planning.stopping.discordant import TAILS
from steelyard.uncertainty import shaffer_numbers

__all__ = [
    "AllPairsProperties",
    "AllPairsRace",
    "all_pairs_properties",
    "chance_of_patterns",
    "fixed_all_pairs",
    "raced_all_pairs",
]


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
