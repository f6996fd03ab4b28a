"""What a stopping rule really does: exactly where its paths can be followed, else simulated."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from steelyard.campaigns.grammar import AnyOf, Condition, Rule
from steelyard.campaigns.looks import Progress
from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.side_by_side import goes_together, run_together
from steelyard.comparison.wald import WaldTest, wald_test
from steelyard.errors import RequestError
from steelyard.planning.discordance import PairedRates, discordance_range, paired_rates
from steelyard.planning.rates import check_rates
from steelyard.planning.sequential_plan import (
    DoubleRule,
    StoppingRule,
    stopping_properties,
)

__all__ = ["Behaviour", "exact_rule", "rule_behaviour", "usual_campaigns"]

WITHOUT_END = 2000
"""Items after which a rule that has no end of its own is stopped in a simulation."""

DRAWS = 2000
"""Draws of a posterior within a simulated campaign; a real one takes ten times as many."""

MANY, FEW = 1000, 60
ALPHA, BETA = 0.05, 0.1
LATE = 0.95
Outcomes = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """Chances of the ways a campaign may end, and what it takes.

    ``error`` is the standard error of the largest uncertainty among the chances, 0 if exact.
    """

    right: float
    wrong: float
    same: float
    open: float
    items: float
    late: int
    cost: float
    cap: int
    method: Literal["exact", "simulated"]
    campaigns: int
    error: float


def rule_behaviour(
    protocol: Protocol,
    rates: Sequence[float],
    *,
    seed: int,
    discordance: float | None = None,
    correlation: float = 0.5,
    campaigns: int = 400,
) -> Behaviour:
    """Say what the rule of a protocol does when the systems have these true rates.

    Parameters
    ----------
    rates
        The true rate of every system, in the order of the protocol.
    discordance
        Of two systems on common items: the share of items that exactly one has right. Without it,
        half way between the least possible and that of unrelated systems.
    correlation
        Of more systems on common items: how alike the items are hard for them, as the correlation
        of normal variables behind the outcomes.
    campaigns
        Number of simulated campaigns, where no exact way is known.

    Notes
    -----
    Exact for two systems on common items with one of ``best``, ``pair``, ``ranking``, ``evidence``,
    ``wald`` and ``double-wald`` beside ``n``, looked at every item (the first four also every so
    many items). At equal rates every winner is wrong. Three systems or more on common items with
    ``best``, ``ranking``, ``pair``, ``evidence`` or ``racing`` are simulated side by side, a
    thousand campaigns in about a second.

    References
    ----------
    .. [1] Aroian (1968), Technometrics 10, 125-132, doi:10.1080/00401706.1968.10490540.

    Examples
    --------
    >>> protocol = Protocol(systems=("a", "b"), rule="best >= 0.975 or n >= 1000")
    >>> found = rule_behaviour(protocol, [0.8, 0.8], discordance=0.2, seed=0)
    >>> found.method, round(found.wrong, 3), round(found.items)
    ('exact', 0.423, 657)
    """
    known = check_rates(rates)
    if len(known) != len(protocol.systems):
        message = (
            f"{len(known)} rates for {len(protocol.systems)} systems; give one for each of them: "
            f"rates={[0.9] * len(protocol.systems)} (--rates ...)."
        )
        raise RequestError(message)
    cap = protocol.cap or WITHOUT_END
    pair = _pair(protocol, known, discordance)
    rule = exact_rule(protocol)
    usable = not isinstance(rule, WaldTest) or known[1] >= known[0]
    if rule is not None and pair is not None and usable:
        return _exact(protocol, rule, known, pair, cap)
    rng = np.random.default_rng([seed, len(known)])
    drawn = _Drawing(protocol, known, pair, correlation)
    return _simulated(protocol, drawn, cap, rng, campaigns)


def usual_campaigns(protocol: Protocol) -> int:
    """Choose how many campaigns to simulate within a few seconds.

    >>> usual_campaigns(Protocol(systems=("a", "b", "c"), rule="best >= 0.95 or n >= 1000"))
    1000
    """
    if goes_together(protocol):
        return MANY
    return FEW if len(protocol.systems) == 2 else FEW // 3


def exact_rule(protocol: Protocol) -> StoppingRule | DoubleRule | WaldTest | None:
    """Find the rule in the form that planning can follow exactly; None when there is none.

    >>> exact_rule(Protocol(systems=("a", "b"), rule="evidence >= 20")).rule
    'e-process'
    """
    if len(protocol.systems) != 2 or protocol.pairing != "common":
        return None
    rule: Rule = protocol.parsed
    parts = rule.parts if isinstance(rule, AnyOf) else (rule,)
    if not all(isinstance(part, Condition) for part in parts):
        return None
    telling = [p for p in parts if isinstance(p, Condition) and p.name != "n"]
    found = _known(telling[0]) if len(telling) == 1 else None
    # Tests follow every item whatever the looks; only rules that judge at looks alone have a step.
    even = (protocol.cap or WITHOUT_END) % (protocol.step or 1) == 0
    return found if protocol.step == 1 or (isinstance(found, StoppingRule) and even) else None


def _known(condition: Condition) -> StoppingRule | DoubleRule | WaldTest | None:
    bound = condition.bound or 1.0
    alpha, beta = condition.option("alpha", ALPHA), condition.option("beta", BETA)
    if condition.name in ("best", "pair", "ranking"):
        return StoppingRule(rule="posterior", alpha=1 - bound)
    if condition.name == "evidence":
        return StoppingRule(rule="e-process", alpha=1 / bound)
    if condition.name == "double-wald":
        return DoubleRule(win=float(condition.arguments[0]), alpha=alpha, beta=beta)
    if condition.name == "wald":
        low, high = (float(one) for one in condition.arguments)
        return wald_test(low, high, alpha=alpha, beta=beta, ratio="omega")
    return None


def _pair(
    protocol: Protocol, rates: tuple[float, ...], discordance: float | None
) -> PairedRates | None:
    if len(rates) != 2 or protocol.pairing != "common":
        if discordance is not None:
            message = (
                "A discordance is for two systems on common items. Leave discordance= "
                "(--discordance) out."
            )
            raise RequestError(message)
        return None
    if discordance is None:
        room = discordance_range(*rates)
        discordance = max((room.low + room.unrelated) / 2, 1e-3)
    return paired_rates(*rates, discordance=discordance)


def _exact(
    protocol: Protocol,
    rule: StoppingRule | DoubleRule | WaldTest,
    rates: tuple[float, ...],
    pair: PairedRates,
    cap: int,
) -> Behaviour:
    found = stopping_properties(rule, pair, cap=cap, every=protocol.step)
    even = rates[0] == rates[1]
    return Behaviour(
        right=0.0 if even else found.right,
        wrong=found.winner if even else found.wrong,
        same=found.no_difference,
        open=found.open,
        items=found.expected,
        late=found.late,
        cost=found.expected * sum(protocol.costs),
        cap=cap,
        method="exact",
        campaigns=0,
        error=0.0,
    )


@dataclass(frozen=True, slots=True)
class _Drawing:
    """How the outcomes of items are drawn."""

    protocol: Protocol
    rates: tuple[float, ...]
    pair: PairedRates | None
    correlation: float

    def leaders(self) -> list[int]:
        """Places of the systems with the highest rate."""
        best = max(self.rates)
        return [place for place, rate in enumerate(self.rates) if rate == best]

    def items(self, rng: np.random.Generator, number: int) -> Outcomes:
        """Draw so many items: a row for each, a column for every system."""
        rates = np.array(self.rates)
        if self.pair is not None:
            both = self.rates[0] - self.pair.only_first
            edges = np.cumsum([max(both, 0.0), self.pair.only_first, self.pair.only_second])
            place = np.searchsorted(edges, rng.random(number), side="right")
            return np.column_stack([place <= 1, (place == 0) | (place == 2)])
        if self.protocol.pairing == "independent":
            return np.asarray(rng.random((number, rates.size)) < rates)
        shared = rng.standard_normal((number, 1)) * sqrt(self.correlation)
        own = rng.standard_normal((number, rates.size)) * sqrt(1 - self.correlation)
        return np.asarray(shared + own < ndtri(rates))


def _simulated(
    protocol: Protocol, drawing: _Drawing, cap: int, rng: np.random.Generator, campaigns: int
) -> Behaviour:
    if campaigns < 1:
        message = f"campaigns={campaigns!r}; simulate at least 1: campaigns=400 (--campaigns 400)."
        raise RequestError(message)
    follow = _side_by_side if goes_together(protocol) else _one_by_one
    ends, items, costs = follow(protocol, drawing, cap, rng, campaigns)
    shares = {name: number / campaigns for name, number in ends.items()}
    spread = max((s * campaigns + 0.5) / (campaigns + 1) for s in shares.values())
    return Behaviour(
        **shares,
        items=float(items.mean()),
        late=int(np.quantile(items, LATE, method="inverted_cdf")),
        cost=float(costs.mean()),
        cap=cap,
        method="simulated",
        campaigns=campaigns,
        error=max(sqrt(s * (1 - s) / campaigns) for s in (spread, *shares.values())),
    )


Ends = dict[str, int]
Followed = tuple[Ends, NDArray[np.int64], NDArray[np.float64]]


def _one_by_one(
    protocol: Protocol, drawing: _Drawing, cap: int, rng: np.random.Generator, campaigns: int
) -> Followed:
    leaders = [protocol.systems[place] for place in drawing.leaders()]
    ends: Ends = {"right": 0, "wrong": 0, "same": 0, "open": 0}
    items, costs = np.zeros(campaigns, dtype=np.int64), np.zeros(campaigns)
    for place in range(campaigns):
        ended = _campaign(protocol, drawing.items(rng, cap))
        items[place], costs[place] = ended.n, ended.cost
        ends[_ending(ended, leaders)] += 1
    return ends, items, costs


def _side_by_side(
    protocol: Protocol, drawing: _Drawing, cap: int, rng: np.random.Generator, campaigns: int
) -> Followed:
    def draw(number: int) -> Outcomes:
        return drawing.items(rng, number)

    found = run_together(protocol, draw, cap=cap, campaigns=campaigns, rng=rng)
    named = found.winners >= 0
    leaders = drawing.leaders()
    right = int((named & (found.winners == leaders[0])).sum()) if len(leaders) == 1 else 0
    ends: Ends = {"right": right, "wrong": int(named.sum()) - right, "same": 0}
    return ends | {"open": int((~named).sum())}, found.items, found.costs


def _campaign(protocol: Protocol, outcomes: Outcomes) -> Progress:
    progress = Progress(protocol, draws=DRAWS)
    common = protocol.pairing == "common"
    weights = 1 << np.arange(outcomes.shape[1], dtype=np.int64)
    patterns = (outcomes @ weights).tolist()
    for pattern in patterns:
        for place in progress.running:
            right = bool(pattern >> place & 1)
            progress.note(place, right=right)
            if not common:
                progress.count_result(place, right=right, seq=1)
        if common:
            progress.count_item(pattern & progress.required, 1)
        progress.check_budget(1)
        if progress.stop is not None:
            break
    return progress


def _ending(ended: Progress, leaders: list[str]) -> Literal["right", "wrong", "same", "open"]:
    stop = ended.stop
    if stop is None or stop.reason != "rule":
        return "open"
    if stop.winner is None or stop.verdict == "keep":
        return "same"
    return "right" if leaders == [stop.winner] else "wrong"
