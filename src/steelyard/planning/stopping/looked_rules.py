"""Rules that are looked at every so many items: wins and losses carried item by item."""

from collections.abc import Callable
from dataclasses import replace
from math import log
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from steelyard.comparison.sequential.spending import exact_deviate, spending_bounds
from steelyard.comparison.sequential.wald import WaldTest
from steelyard.comparison.sequential.whole_powers import MET
from steelyard.errors import RequestError
from steelyard.planning.discordance import PairedRates
from steelyard.planning.stopping.discordant import binomial_window, largest_loss
from steelyard.planning.stopping.rules import (
    AnyRule,
    DoubleRule,
    LossRule,
    PlannedLooks,
    StoppingProperties,
    StoppingRule,
    rule_name,
)

__all__ = ["estimate_cost", "follow_looks", "sample_properties"]

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Whole: TypeAlias = NDArray[np.int64]

WORST = 0.95
STRIDE = 32
"""Items between two trims of the box."""

NOTHING = 1e-18
"""Rows and columns that weigh less are dropped; all of them together stay below 1e-13."""

MOST_KEPT = 200_000
"""Losses are found once for so many cells of wins and losses, and anew at each look beyond."""

STATES = 3
"""Nothing refuted yet; the better system refuted; the worse one (double tests only)."""

Judge: TypeAlias = Callable[[Whole, Whole, int], tuple[Flags, Flags, Flags, Flags]]
"""From wins, losses and items: right, wrong, refuted better, refuted worse."""


def follow_looks(
    rule: AnyRule, rates: PairedRates, *, cap: int, every: int | None = None
) -> StoppingProperties:
    r"""Exact properties of a rule that is looked at every so many items, up to ``cap`` items.

    The distribution of wins w and losses l of the better system is carried from item to item,

    .. math:: m_{t+1}(w, l) = (1-\psi)\,m_t(w, l) + p_{10}\,m_t(w-1, l) + p_{01}\,m_t(w, l-1),

    and at each look what is decided is taken out.

    Parameters
    ----------
    rule
        Any rule; looks that were planned have their own places.
    rates
        Chances of an item to be won by one system only; the better one is the one with more.
    cap
        Items of a campaign that is never decided.
    every
        Items between looks; that of the rule unless given.

    Notes
    -----
    Wins and losses that together weigh less than 1e-13 are left out. The work grows with the
    square of the cap: :func:`sample_properties` draws campaigns instead.

    References
    ----------
    .. [1] Armitage, McPherson & Rowe (1969), JRSS A 132, 235-244, doi:10.2307/2343787 (the
       recursion for repeated tests).

    Examples
    --------
    >>> even = PairedRates(only_first=0.1, only_second=0.1)
    >>> found = follow_looks(StoppingRule(rule="exact", every=10), even, cap=1000)
    >>> round(found.winner, 3), round(found.expected)
    (0.25, 825)
    """
    looks, step = _looks(rule, cap, every)
    high = max(rates.only_first, rates.only_second)
    low = rates.discordance - high
    judge = _judge(rule, looks, (_most(cap, high) + STRIDE, _most(cap, low) + STRIDE))
    box = _Box(states=STATES if isinstance(rule, DoubleRule) else 1)
    ends = np.zeros((3, len(looks)))
    for place, items in enumerate(looks):
        box.walk(items - (looks[place - 1] if place else 0), high, low)
        won, lost = box.counts()
        ends[:, place] = _settle(box.masses, judge(won, lost, items))
    return _sum(rule_name(rule, every=step), ends, looks, cap)


class _Box:
    """The wins and losses that still weigh anything, and what they weigh in each state."""

    def __init__(self, states: int) -> None:
        self.masses = np.zeros((states, 1, 1))
        self.masses[0, 0, 0] = 1.0
        self.start = [0, 0]

    def counts(self) -> tuple[Whole, Whole]:
        """Give the wins (down) and the losses (across) of the cells."""
        sizes = self.masses.shape[1:]
        won, lost = (np.arange(size) + at for size, at in zip(sizes, self.start, strict=True))
        return won[:, None], lost[None, :]

    def walk(self, items: int, high: float, low: float) -> None:
        """Carry the masses over so many items, growing and trimming the box on the way."""
        left = items
        while left:
            steps = min(left, STRIDE)
            self.masses = np.pad(self.masses, ((0, 0), (0, steps), (0, steps)))
            for _ in range(steps):
                moved = self.masses * (1 - high - low)
                moved[:, 1:, :] += high * self.masses[:, :-1, :]
                moved[:, :, 1:] += low * self.masses[:, :, :-1]
                self.masses = moved
            left -= steps
            self._trim()

    def _trim(self) -> None:
        heavy = self.masses.sum(axis=0)
        for axis in (0, 1):
            kept = np.flatnonzero(heavy.sum(axis=1 - axis) > NOTHING)
            first, last = (int(kept[0]), int(kept[-1]) + 1) if kept.size else (0, 1)
            self.start[axis] += first
            cut = [slice(None)] * 3
            cut[axis + 1] = slice(first, last)
            self.masses = self.masses[tuple(cut)]


def estimate_cost(rates: PairedRates, cap: int) -> float:
    """Estimate the cells that the recursion fills, to choose between it and a simulation."""
    high = max(rates.only_first, rates.only_second)
    widths = [
        min(_most(cap, share), 18 * (cap * share) ** 0.5) + 2 * STRIDE
        for share in (high, rates.discordance - high)
    ]
    return float(cap * widths[0] * widths[1])


def sample_properties(
    rule: AnyRule,
    rates: PairedRates,
    *,
    cap: int,
    rng: np.random.Generator,
    every: int | None = None,
    campaigns: int = 4000,
) -> StoppingProperties:
    """Properties of any rule from simulated campaigns, with their standard error.

    Examples
    --------
    >>> even = PairedRates(only_first=0.1, only_second=0.1)
    >>> rule = StoppingRule(rule="exact", alpha=0.05, every=10)
    >>> found = sample_properties(rule, even, cap=1000, rng=np.random.default_rng(0))
    >>> abs(found.winner - 0.25) < 4 * found.error
    True
    """
    looks, step = _looks(rule, cap, every)
    high = max(rates.only_first, rates.only_second)
    gaps = np.diff([0, *looks])[:, None]
    drawn = rng.binomial(gaps, rates.discordance, size=(len(looks), campaigns))
    ahead = rng.binomial(drawn, high / rates.discordance)
    won, lost = ahead.cumsum(axis=0), (drawn - ahead).cumsum(axis=0)
    judge = _judge(rule, looks, (int(won.max()), int(lost.max())))
    live = np.arange(campaigns)
    refuted = np.zeros((2, campaigns), dtype=bool)
    ends = np.zeros((3, len(looks)))
    for place, items in enumerate(looks):
        right, wrong, less, more = judge(won[place, live], lost[place, live], items)
        right = right & ~refuted[0, live]
        wrong = wrong & ~refuted[1, live] & ~right
        refuted[:, live] |= np.array([less, more])
        none = refuted[:, live].all(axis=0) & ~right & ~wrong
        ends[:, place] = [part.sum() / campaigns for part in (right, wrong, none)]
        live = live[~(right | wrong | none)]
        if not live.size:
            break
    found = _sum(rule_name(rule, every=step), ends, looks, cap)
    share = (found.winner * campaigns + 0.5) / (campaigns + 1)
    error = float(np.sqrt(share * (1 - share) / campaigns))
    return replace(found, method="simulated", error=error)


def _settle(masses: Floats, judged: tuple[Flags, Flags, Flags, Flags]) -> tuple[float, ...]:
    """Take out what is decided and move what is refuted; give right, wrong and no difference."""
    right, wrong, less, more = (np.broadcast_to(part, masses.shape[1:]) for part in judged)
    states = (0, 2) if len(masses) > 1 else (0,)
    won = float(sum(masses[state][right].sum() for state in states))
    for state in states:
        masses[state][right] = 0.0
    states = (0, 1) if len(masses) > 1 else (0,)
    lost = float(sum(masses[state][wrong].sum() for state in states))
    for state in states:
        masses[state][wrong] = 0.0
    none = float(masses[0][less & more].sum())
    if len(masses) == 1:
        masses[0][less & more] = 0.0
        return won, lost, none
    none += float(masses[1][more].sum() + masses[2][less].sum())
    masses[1] = np.where(more, 0.0, masses[1] + np.where(less, masses[0], 0.0))
    masses[2] = np.where(less, 0.0, masses[2] + np.where(more, masses[0], 0.0))
    masses[0] = np.where(less | more, 0.0, masses[0])
    return won, lost, none


def _sum(name: str, ends: Floats, looks: list[int], cap: int) -> StoppingProperties:
    right, wrong, none = (float(part.sum()) for part in ends)
    stops = ends.sum(axis=0)
    left = max(0.0, 1 - right - wrong - none)
    # A sum of chances that reaches the share but for rounding reaches it.
    by = np.flatnonzero(np.cumsum(stops) >= WORST - 1e-12)
    return StoppingProperties(
        name=name,
        right=right,
        wrong=wrong,
        no_difference=none,
        open=left,
        expected=float(stops @ np.array(looks, dtype=np.float64) + left * cap),
        late=looks[int(by[0])] if by.size else cap,
        cap=cap,
        method="exact",
    )


def _looks(rule: AnyRule, cap: int, every: int | None) -> tuple[list[int], int]:
    if isinstance(rule, PlannedLooks):
        if not 1 <= rule.looks <= cap:
            message = f"looks={rule.looks!r}; expected 1 to {cap:,d}, one for each item at most."
            raise RequestError(message)
        return [round(cap * place / rule.looks) for place in range(1, rule.looks + 1)], 1
    step = every if every is not None else getattr(rule, "every", 1)
    if step < 1:
        message = f"every={step!r}; expected a whole number of at least 1 item between looks."
        raise RequestError(message)
    looks = list(range(step, cap + 1, step))
    if not looks:
        message = f"cap={cap!r} ends before the first look, after {step} items."
        raise RequestError(message)
    return looks, step


def _most(cap: int, share: float) -> int:
    low, weight = binomial_window(cap, share)
    return low + weight.size - 1


def _judge(rule: AnyRule, looks: list[int], most: tuple[int, int]) -> Judge:
    return JUDGES[type(rule)](rule, looks, most)


def _edge_judge(rule: StoppingRule, looks: list[int], most: tuple[int, int]) -> Judge:
    del looks
    edge = largest_loss(np.arange(sum(most) + 1), rule=rule.rule, alpha=rule.alpha)

    def judge(won: Whole, lost: Whole, items: int) -> tuple[Flags, Flags, Flags, Flags]:
        del items
        allowed = edge[won + lost]
        never = np.zeros(won.shape, dtype=bool)
        return lost <= allowed, won <= allowed, never, never

    return judge


def _double_judge(rule: DoubleRule, looks: list[int], most: tuple[int, int]) -> Judge:
    del looks, most
    gain, loss = log(2 * rule.win), log(2 * (1 - rule.win))
    take, keep = log((1 - rule.beta) / (rule.alpha / 2)), log(rule.beta / (1 - rule.alpha / 2))

    def judge(won: Whole, lost: Whole, items: int) -> tuple[Flags, Flags, Flags, Flags]:
        del items
        better, worse = won * gain + lost * loss, lost * gain + won * loss
        sides = (better >= take - MET, worse >= take - MET)
        return *sides, better <= keep + MET, worse <= keep + MET

    return judge


def _wald_judge(test: WaldTest, looks: list[int], most: tuple[int, int]) -> Judge:
    del looks, most

    def judge(won: Whole, lost: Whole, items: int) -> tuple[Flags, Flags, Flags, Flags]:
        del items
        line = won - test.slope * (won + lost)
        keep = line <= test.keep_intercept + MET
        return line >= test.take_intercept - MET, np.zeros(won.shape, dtype=bool), keep, keep

    return judge


def _loss_judge(rule: LossRule, looks: list[int], most: tuple[int, int]) -> Judge:
    del looks
    if not 0 < rule.loss < 1:
        message = f"loss={rule.loss!r}; an expected loss lies above 0 and below 1, such as 0.005."
        raise RequestError(message)
    table = None
    if (most[0] + 1) * (most[1] + 1) <= MOST_KEPT:
        table = _mean_loss(np.arange(most[0] + 1)[:, None], np.arange(most[1] + 1)[None, :])

    def judge(won: Whole, lost: Whole, items: int) -> tuple[Flags, Flags, Flags, Flags]:
        share = (won + lost + 1) / (items + 2)
        loss = _mean_loss(won, lost) if table is None else table[won, lost]
        small = share * loss <= rule.loss
        never = np.zeros(small.shape, dtype=bool)
        return small & (won > lost), small & (lost > won), never, never

    return judge


def _mean_loss(won: Whole, lost: Whole) -> Floats:
    """Mean of (1 - 2q)+ for q of Beta(a, b), a the more and b the fewer wins, and ½ each."""
    a, b = np.maximum(won, lost) + 0.5, np.minimum(won, lost) + 0.5
    return np.asarray(betainc(a, b, 0.5) - 2 * a / (a + b) * betainc(a + 1, b, 0.5))


def _plan_judge(rule: PlannedLooks, looks: list[int], most: tuple[int, int]) -> Judge:
    del most
    shares = [items / looks[-1] for items in looks]
    plan = spending_bounds(shares, alpha=rule.alpha, kind=rule.kind, sides=2)
    bounds = dict(zip(looks, plan.bounds, strict=True))

    def judge(won: Whole, lost: Whole, items: int) -> tuple[Flags, Flags, Flags, Flags]:
        z = exact_deviate(won, lost)
        never = np.zeros(won.shape, dtype=bool)
        return z >= bounds[items], z <= -bounds[items], never, never

    return judge


JUDGES: dict[type, Callable[[Any, list[int], tuple[int, int]], Judge]] = {
    StoppingRule: _edge_judge,
    DoubleRule: _double_judge,
    LossRule: _loss_judge,
    PlannedLooks: _plan_judge,
    WaldTest: _wald_judge,
}
