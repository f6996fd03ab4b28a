"""What stopping rules cost and risk: samples to the end and errors, on common items."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from steelyard.comparison.sequential.wald import WaldTest
from steelyard.comparison.sequential.wald_properties import walk
from steelyard.errors import RequestError, check_share
from steelyard.planning.discordance import PairedRates
from steelyard.planning.stopping.discordant import (
    Decisions,
    DiscordantRule,
    binomial_window,
    largest_loss,
)
from steelyard.planning.stopping.looked_rules import estimate_cost, follow_looks, sample_properties
from steelyard.planning.stopping.rules import (
    AnyRule,
    DoubleRule,
    LossRule,
    PlannedLooks,
    StoppingProperties,
    StoppingRule,
    rule_name,
)

__all__ = [
    "DoubleRule",
    "LossRule",
    "PlannedLooks",
    "StoppingProperties",
    "StoppingRule",
    "compare_stopping_rules",
    "fixed_properties",
    "follow_exactly",
    "found_properties",
    "simulated_properties",
    "stopping_properties",
]

Floats: TypeAlias = NDArray[np.float64]

WORST = 0.95
MOST_LOOKS = 1.5e6
"""Simulated campaigns have so many looks together, but are never fewer than 300."""

MOST_CELLS = 1e8
"""Recursions over wins and losses are carried up to so many cells, a fraction of a second."""


def stopping_properties(
    rule: AnyRule, rates: PairedRates, *, cap: int, every: int | None = None
) -> StoppingProperties:
    r"""Exact properties of a rule up to ``cap`` items, looked at after every item or more rarely.

    When every item is looked at only discordant items move the rule: the undecided distribution of
    wins is carried from one discordant item to the next. With :math:`s_N` the chance to stop at the
    N-th,

    .. math:: P(\text{stopped by } t) = \sum_N s_N P(\mathrm{Bin}(t, \psi) \ge N), \qquad
              E\min(T_N, t) = \tfrac N\psi P(\mathrm{Bin}(t+1,\psi) \ge N+1)
              + t\,P(\mathrm{Bin}(t,\psi) < N).

    Notes
    -----
    Rules that look more rarely, planned looks and expected losses are carried over wins and losses:
    :func:`~steelyard.planning.stopping.looked_rules.follow_looks`. Of a Wald test, whose
    second system is taken as the better one, ``right`` is "take second" and ``no_difference``
    "keep first".

    The rule ``exact``, McNemar's test made for one look, names a winner among equals in up to 36 %
    of campaigns when it is looked at every ten items (docs/reference/certificates.md).

    References
    ----------
    .. [1] Aroian (1968), Technometrics 10, 125-132, doi:10.1080/00401706.1968.10490540.

    Examples
    --------
    >>> even = PairedRates(only_first=0.1, only_second=0.1)
    >>> rule = StoppingRule(rule="uniform posterior", alpha=0.025)
    >>> found = stopping_properties(rule, even, cap=1000)
    >>> round(found.winner, 3), round(found.expected)
    (0.371, 712)
    """
    _check(rates, cap)
    step = every if every is not None else getattr(rule, "every", 1)
    if step != 1 or isinstance(rule, PlannedLooks | LossRule):
        return follow_looks(rule, rates, cap=cap, every=every)
    last = _most_discordant(cap, rates.discordance)
    if isinstance(rule, WaldTest):
        ends = _wald_walk(rule, rates.win, last)
    elif isinstance(rule, DoubleRule):
        ends = _double_walk(rule, rates.win, last)
    else:
        ends = _single_walk(rule, rates.win, last)
    return _arrive(rule_name(rule), ends, rates.discordance, cap)


def fixed_properties(
    rates: PairedRates, *, samples: int, alpha: float = 0.05, rule: DiscordantRule = "mid-p"
) -> StoppingProperties:
    """Give the test of fixed size in the same words, to stand beside the stopping rules.

    Examples
    --------
    >>> found = fixed_properties(PairedRates(only_first=0.13, only_second=0.07), samples=500)
    >>> round(found.right, 3), found.expected
    (0.857, 500.0)
    """
    _check(rates, samples)
    decisions = Decisions(rates.win, rule=rule, alpha=check_share("alpha", alpha))
    right, wrong = decisions.after(samples, discordance=rates.discordance)
    return StoppingProperties(
        name=f"fixed size, {rule}, {alpha:g}",
        right=right,
        wrong=wrong,
        no_difference=0.0,
        open=1 - right - wrong,
        expected=float(samples),
        late=samples,
        cap=samples,
        method="exact",
    )


def simulated_properties(
    rule: AnyRule,
    rates: PairedRates,
    *,
    cap: int,
    rng: np.random.Generator,
    campaigns: int = 4000,
    every: int | None = None,
) -> StoppingProperties:
    """Properties of a rule from simulated campaigns, where the exact recursion takes too long.

    Examples
    --------
    >>> even = PairedRates(only_first=0.1, only_second=0.1)
    >>> rule = StoppingRule(rule="exact", alpha=0.05, every=10)
    >>> found = simulated_properties(rule, even, cap=1000, rng=np.random.default_rng(0))
    >>> abs(found.winner - 0.26) < 4 * found.error
    True
    """
    _check(rates, cap)
    return sample_properties(rule, rates, cap=cap, rng=rng, every=every, campaigns=campaigns)


def found_properties(
    rule: AnyRule,
    rates: PairedRates,
    *,
    cap: int,
    rng: np.random.Generator,
    every: int | None = None,
) -> StoppingProperties:
    """Properties by the exact recursion where it is short enough, else by simulation.

    Examples
    --------
    >>> rates, rng = PairedRates(only_first=0.13, only_second=0.07), np.random.default_rng(0)
    >>> found_properties(PlannedLooks(looks=3), rates, cap=500, rng=rng).method
    'exact'
    >>> found_properties(PlannedLooks(looks=3), rates, cap=50_000, rng=rng).method
    'simulated'
    """
    if follow_exactly(rule, rates, cap=cap, every=every):
        return stopping_properties(rule, rates, cap=cap, every=every)
    step = every if every is not None else getattr(rule, "every", 1)
    looks = rule.looks if isinstance(rule, PlannedLooks) else max(1, cap // step)
    campaigns = int(min(max(MOST_LOOKS / looks, 300), 4000))
    return simulated_properties(rule, rates, cap=cap, rng=rng, every=every, campaigns=campaigns)


def follow_exactly(
    rule: AnyRule, rates: PairedRates, *, cap: int, every: int | None = None
) -> bool:
    """Tell whether the exact recursion takes no more than about a second.

    >>> rates = PairedRates(only_first=0.13, only_second=0.07)
    >>> follow_exactly(PlannedLooks(looks=3), rates, cap=500)
    True
    """
    _check(rates, cap)
    step = every if every is not None else getattr(rule, "every", 1)
    if step == 1 and not isinstance(rule, PlannedLooks | LossRule):
        return float(_most_discordant(cap, rates.discordance)) ** 2 <= MOST_CELLS
    return estimate_cost(rates, cap) <= MOST_CELLS


def compare_stopping_rules(
    rates: PairedRates,
    *,
    cap: int,
    rules: Sequence[AnyRule] | None = None,
    alpha: float = 0.05,
) -> tuple[StoppingProperties, ...]:
    """Put the rules side by side, with the test of fixed size at the cap first.

    Examples
    --------
    >>> found = compare_stopping_rules(PairedRates(only_first=0.13, only_second=0.07), cap=1000)
    >>> [(one.name.split(",")[0], round(one.expected)) for one in found]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('fixed size', 1000), ('posterior', 170), ('e-process', 476),
     ('double sequential test of 0.5 against 0.65', 348)]
    """
    chosen = rules or (
        StoppingRule(rule="posterior", alpha=alpha / 2),
        StoppingRule(rule="e-process", alpha=alpha),
        DoubleRule(win=min(max(rates.win, 0.51), 0.99) if rates.win > 0.5 else 0.65, alpha=alpha),
    )
    found = [fixed_properties(rates, samples=cap, alpha=alpha)]
    found += [stopping_properties(rule, rates, cap=cap) for rule in chosen]
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Ends:
    """Chances to stop at the N-th discordant item (N = 1, 2, ...), by verdict."""

    right: Floats
    wrong: Floats
    none: Floats


def _single_walk(rule: StoppingRule, win: float, last: int) -> _Ends:
    edge = largest_loss(np.arange(last + 1), rule=rule.rule, alpha=rule.alpha)
    right, wrong = np.zeros(last), np.zeros(last)
    open_mass = np.ones(1)  # by wins of the better system, 0 to N
    for number in range(1, last + 1):
        open_mass = _step(open_mass, win)
        loss = int(edge[number])
        if loss >= 0:
            right[number - 1] = open_mass[number - loss :].sum()
            wrong[number - 1] = open_mass[: loss + 1].sum()
            open_mass[number - loss :] = 0.0
            open_mass[: loss + 1] = 0.0
    return _Ends(right, wrong, np.zeros(last))


def _double_walk(rule: DoubleRule, win: float, last: int) -> _Ends:
    gain, loss = log(2 * rule.win), log(2 * (1 - rule.win))
    take, keep = log((1 - rule.beta) / (rule.alpha / 2)), log(rule.beta / (1 - rule.alpha / 2))
    right, wrong, none = (np.zeros(last) for _ in range(3))
    # Nothing refuted yet; the better one refuted; the worse one refuted.
    masses = [np.ones(1), np.zeros(1), np.zeros(1)]
    for number in range(1, last + 1):
        wins = np.arange(number + 1)
        better = wins * gain + (number - wins) * loss
        worse = (number - wins) * gain + wins * loss
        masses = [_step(mass, win) for mass in masses]
        for place, ending, line in (
            (number - 1, right, better >= take),
            (number - 1, wrong, worse >= take),
        ):
            for state in (0, 2 if ending is right else 1):
                ending[place] += masses[state][line].sum()
                masses[state][line] = 0.0
        down, up = better <= keep, worse <= keep
        none[number - 1] = masses[1][up].sum() + masses[2][down].sum() + masses[0][down & up].sum()
        masses[1] = np.where(up, 0.0, masses[1] + np.where(down, masses[0], 0.0))
        masses[2] = np.where(down, 0.0, masses[2] + np.where(up, masses[0], 0.0))
        masses[0] = np.where(down | up, 0.0, masses[0])
    return _Ends(right, wrong, none)


def _wald_walk(test: WaldTest, win: float, last: int) -> _Ends:
    right, none = np.zeros(last), np.zeros(last)
    for step in walk(test, win=win):
        if step.pairs > last or step.open.size == 0:
            break
        right[step.pairs - 1], none[step.pairs - 1] = step.take, step.keep
    return _Ends(right, np.zeros(last), none)


def _step(mass: Floats, win: float) -> Floats:
    moved = np.zeros(mass.size + 1)
    moved[:-1] += mass * (1 - win)
    moved[1:] += mass * win
    return moved


def _most_discordant(cap: int, discordance: float) -> int:
    low, weight = binomial_window(cap, discordance)
    return max(1, low + weight.size - 1)


def _arrive(name: str, ends: _Ends, discordance: float, cap: int) -> StoppingProperties:
    number = np.arange(1.0, ends.right.size + 1)

    def by(items: int, wanted: Floats) -> Floats:
        """Chance that ``items`` items hold ``wanted`` discordant ones or more."""
        room = np.maximum(items - wanted + 1, 1.0)
        return np.where(wanted <= items, betainc(wanted, room, discordance), 0.0)

    stops = ends.right + ends.wrong + ends.none
    reached = by(cap, number)
    mean = number / discordance * by(cap + 1, number + 1) + cap * (1 - reached)
    right, wrong, none = (float(part @ reached) for part in (ends.right, ends.wrong, ends.none))
    return StoppingProperties(
        name=name,
        right=right,
        wrong=wrong,
        no_difference=none,
        open=max(0.0, 1 - right - wrong - none),
        expected=float(stops @ mean + (1 - stops.sum()) * cap),
        late=_quantile(lambda t: float(stops @ by(t, number)), cap),
        cap=cap,
        method="exact",
    )


def _quantile(stopped: Callable[[int], float], cap: int) -> int:
    low, high = 0, cap
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if stopped(middle) >= WORST else (middle, high)
    return high


def _check(rates: PairedRates, cap: int) -> None:
    if cap < 1:
        message = f"cap={cap!r}; a campaign has at least 1 item."
        raise RequestError(message)
    if rates.discordance <= 0:
        message = "No item is discordant, so no rule ever ends. Give a discordance above 0."
        raise RequestError(message)
