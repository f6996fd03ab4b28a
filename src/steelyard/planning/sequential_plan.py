"""What stopping rules cost and risk: samples to the end and errors, on common items."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from steelyard.comparison.wald import WaldTest
from steelyard.comparison.wald_exact import walk
from steelyard.errors import RequestError
from steelyard.planning.discordance import PairedRates
from steelyard.planning.discordant_rules import (
    Decisions,
    DiscordantRule,
    binomial_window,
    largest_loss,
)
from steelyard.planning.sizes import check_share

__all__ = [
    "DoubleRule",
    "StoppingProperties",
    "StoppingRule",
    "compare_stopping_rules",
    "fixed_properties",
    "simulated_properties",
    "stopping_properties",
]

Floats: TypeAlias = NDArray[np.float64]

WORST = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppingRule:
    """Stop and name a winner when the rule decides: ``alpha`` is its level at every look.

    For posteriors alpha is 1 - confidence; ``every`` is the number of items between looks.
    """

    rule: DiscordantRule
    alpha: float = 0.05
    every: int = 1

    @property
    def name(self) -> str:
        """Say which rule it is."""
        level = (
            f"P(better) >= {1 - self.alpha:g}" if "posterior" in self.rule else f"{self.alpha:g}"
        )
        looks = "every item" if self.every == 1 else f"every {self.every} items"
        return f"{self.rule}, {level}, {looks}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleRule:
    """Wald's two one-sided tests of ½ against ``win``; both may end in "no difference"."""

    win: float = 0.65
    alpha: float = 0.05
    beta: float = 0.1

    @property
    def name(self) -> str:
        """Say which rule it is."""
        return f"double sequential test of 0.5 against {self.win:g}"


Kind: TypeAlias = Literal["exact", "simulated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppingProperties:
    """Chances of the verdicts by the cap, and the items used.

    ``right`` and ``wrong`` are verdicts for the better and the worse system; at equal rates their
    sum is the error. ``late`` is the number of items that 95 % of campaigns do not exceed.
    ``error`` is the standard error of the chances of a simulation, 0 if exact.
    """

    name: str
    right: float
    wrong: float
    no_difference: float
    open: float
    expected: float
    late: int
    cap: int
    method: Kind
    error: float = 0.0

    @property
    def winner(self) -> float:
        """Chance that any winner is named: the error, when there is no difference."""
        return self.right + self.wrong


def stopping_properties(
    rule: StoppingRule | DoubleRule | WaldTest, rates: PairedRates, *, cap: int
) -> StoppingProperties:
    r"""Exact properties of a rule that looks after every item, up to ``cap`` items.

    Only discordant items move the rule: the undecided distribution of wins is carried from one
    discordant item to the next. With :math:`s_N` the chance to stop at the N-th,

    .. math:: P(\text{stopped by } t) = \sum_N s_N P(\mathrm{Bin}(t, \psi) \ge N), \qquad
              E\min(T_N, t) = \tfrac N\psi P(\mathrm{Bin}(t+1,\psi) \ge N+1)
              + t\,P(\mathrm{Bin}(t,\psi) < N).

    Notes
    -----
    Rules that look more rarely are simulated: :func:`simulated_properties`. Of a Wald test, whose
    second system is taken for the better one, ``right`` is "take second" and ``no_difference``
    "keep first".

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
    if isinstance(rule, StoppingRule) and rule.every != 1:
        message = f"every={rule.every!r}: exact properties are for looks at every item."
        raise RequestError(message)
    last = _most_discordant(cap, rates.discordance)
    if isinstance(rule, WaldTest):
        ends = _wald_walk(rule, rates.win, last)
    elif isinstance(rule, DoubleRule):
        ends = _double_walk(rule, rates.win, last)
    else:
        ends = _single_walk(rule, rates.win, last)
    return _arrived(_name(rule), ends, rates.discordance, cap)


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
    rule: StoppingRule,
    rates: PairedRates,
    *,
    cap: int,
    rng: np.random.Generator,
    campaigns: int = 4000,
) -> StoppingProperties:
    """Properties of a rule that looks every so many items, from simulated campaigns.

    Examples
    --------
    >>> even = PairedRates(only_first=0.1, only_second=0.1)
    >>> rule = StoppingRule(rule="exact", alpha=0.05, every=10)
    >>> found = simulated_properties(rule, even, cap=1000, rng=np.random.default_rng(0))
    >>> abs(found.winner - 0.26) < 4 * found.error
    True
    """
    _check(rates, cap)
    ahead = max(rates.only_first, rates.only_second)
    chances = [ahead, rates.discordance - ahead, 1 - rates.discordance]
    looks = cap // rule.every
    if looks < 1:
        message = f"cap={cap!r} ends before the first look, after {rule.every} items."
        raise RequestError(message)
    steps = rng.multinomial(rule.every, chances, size=(campaigns, looks))
    won, lost = (steps[:, :, side].cumsum(axis=1) for side in (0, 1))
    edge = largest_loss(np.arange(int((won + lost).max()) + 1), rule=rule.rule, alpha=rule.alpha)
    allowed = edge[won + lost]
    right, wrong = lost <= allowed, won <= allowed
    stopped = right | wrong
    ended = stopped.any(axis=1)
    first = np.where(ended, stopped.argmax(axis=1), looks - 1)
    places = np.arange(campaigns)
    items = np.where(ended, (first + 1) * rule.every, cap)
    named = (
        float(np.mean(ended & right[places, first])),
        float(np.mean(ended & wrong[places, first])),
    )
    share = float(np.mean(ended))
    return StoppingProperties(
        name=rule.name,
        right=named[0],
        wrong=named[1],
        no_difference=0.0,
        open=1 - share,
        expected=float(items.mean()),
        late=int(np.quantile(items, WORST, method="inverted_cdf")),
        cap=cap,
        method="simulated",
        error=float(np.sqrt((share * campaigns + 0.5) / (campaigns + 1) * (1 - share) / campaigns))
        if share < 1
        else 0.5 / campaigns,
    )


def compare_stopping_rules(
    rates: PairedRates,
    *,
    cap: int,
    rules: Sequence[StoppingRule | DoubleRule | WaldTest] | None = None,
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
        open_mass = _stepped(open_mass, win)
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
        masses = [_stepped(mass, win) for mass in masses]
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


def _name(rule: StoppingRule | DoubleRule | WaldTest) -> str:
    if isinstance(rule, WaldTest):
        return f"Wald's test of {rule.ratio} {rule.null:g} against {rule.alternative:g}"
    return rule.name


def _stepped(mass: Floats, win: float) -> Floats:
    moved = np.zeros(mass.size + 1)
    moved[:-1] += mass * (1 - win)
    moved[1:] += mass * win
    return moved


def _most_discordant(cap: int, discordance: float) -> int:
    low, weight = binomial_window(cap, discordance)
    return max(1, low + weight.size - 1)


def _arrived(name: str, ends: _Ends, discordance: float, cap: int) -> StoppingProperties:
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
