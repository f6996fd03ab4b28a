"""What a stopping rule really does: exactly where its paths can be followed, else simulated."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from steelyard.campaigns.looks import Progress
from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.rules.claims import campaign_claim
from steelyard.campaigns.rules.conditions import ALPHA, BETA
from steelyard.campaigns.rules.grammar import AnyOf, Condition, Rule, conditions_of
from steelyard.campaigns.rules.rule_state import plan_wald
from steelyard.campaigns.simulation.many_campaigns import (
    NO_DIFFERENCE,
    choose_looks,
    follow_campaigns,
)
from steelyard.campaigns.simulation.numbers import number_verdicts
from steelyard.comparison.sequential.wald import WaldTest
from steelyard.errors import RequestError
from steelyard.planning.discordance import PairedRates, discordance_range, paired_rates
from steelyard.planning.rates import check_rates
from steelyard.planning.stopping.costs import (
    DoubleRule,
    LossRule,
    PlannedLooks,
    StoppingProperties,
    StoppingRule,
    follow_exactly,
    stopping_properties,
)

__all__ = [
    "Behaviour",
    "exact_rule",
    "play_campaign",
    "rule_behaviour",
    "share_correlation",
    "simulate_rates_seen",
    "usual_campaigns",
]


WITHOUT_END = 2000
"""Items after which a rule that has no end of its own is stopped in a simulation."""

DRAWS = 2000
"""Draws of a posterior within a played campaign; a real one takes ten times as many."""

MANY, FEW = 1000, 50
MOST_ANSWERS, MOST_JUDGED = 4e7, 1e6
"""Answers that all campaigns of a simulation draw together, and pairs of systems that are judged
at all their looks: a second or two of work."""

MOST_NUMBERS = 1e6
"""Numbers that all campaigns of a simulation draw together: each takes a quantile."""

MOST_FOLLOWED = 20_000
"""Items up to which campaigns of claims are followed."""

LATE = 0.95
"""Nineteen of twenty campaigns have ended by then."""
DECIDED = ("claim", "betting", "asymptotic")
Outcomes = NDArray[np.bool_]
Floats = NDArray[np.float64]
AnyKnown = StoppingRule | DoubleRule | LossRule | PlannedLooks | WaldTest
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """Chances of the ways a campaign may end, and what it takes.

    ``error`` is the standard error of the largest uncertainty among the chances, 0 if exact.
    ``cap`` is how far campaigns were followed; ``looks`` the share of their looks that were.
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
    looks: float = 1.0


def rule_behaviour(
    protocol: Protocol,
    rates: Sequence[float],
    *,
    seed: int,
    discordance: float | None = None,
    correlation: float = 0.5,
    campaigns: int = 400,
    tell: Tell | None = None,
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
    tell
        Hears now and then how far a simulation is.

    Notes
    -----
    Exact for two systems on common items with one of ``best``, ``pair``, ``ranking``, ``loss``,
    ``evidence``, ``spending``, ``wald`` and ``double-wald`` beside ``n``, looked at every item (the
    first five also every so many items), as long as that takes no more than a second. At equal
    rates every winner is wrong. Everything else is simulated side by side, within a few seconds:
    campaigns of very many items are followed at some of their looks only, and no further than some
    ten million answers go. Fewer looks can only miss winners: the true chances are then a little
    higher.

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
    cap = protocol.cap or WITHOUT_END
    if protocol.numbers is not None:
        return _follow_decided(protocol, list(rates), min(cap, MOST_FOLLOWED), campaigns, seed)
    claims = protocol.question == "claim"
    known = check_rates(rates, least=1) if claims else check_rates(rates)
    if len(known) != len(protocol.systems):
        message = (
            f"{len(known)} rates for {len(protocol.systems)} systems; give one for each of them: "
            f"rates={[0.9] * len(protocol.systems)} (--rates ...)."
        )
        raise RequestError(message)
    if campaigns < 1:
        message = f"campaigns={campaigns!r}; simulate at least 1: campaigns=400 (--campaigns 400)."
        raise RequestError(message)
    if protocol.question == "claim":
        return _follow_decided(protocol, known, min(cap, MOST_FOLLOWED), campaigns, seed)
    pair = _pair(protocol, known, discordance)
    rule = exact_rule(protocol)
    usable = not isinstance(rule, WaldTest) or known[1] >= known[0]
    rng = np.random.default_rng([seed, len(known)])
    if rule is not None and pair is not None and usable and pair.discordance > 0:
        every = None if isinstance(rule, PlannedLooks) else protocol.step
        if follow_exactly(rule, pair, cap=cap, every=every):
            return _describe_exact(
                protocol, stopping_properties(rule, pair, cap=cap, every=every), known
            )
    drawn = _Drawing(protocol, known, pair, correlation, rng)
    return _simulate(protocol, drawn, cap, campaigns, tell)


def _follow_decided(
    protocol: Protocol, rates: Sequence[float], cap: int, campaigns: int, seed: int
) -> Behaviour:
    """Draw results, and look as the protocol says; what was once decided stays decided.

    On the limit of a claim, and between equal systems, any decision counts as wrong.
    """
    if campaigns < 1:
        message = f"campaigns={campaigns!r}; simulate at least 1: campaigns=400 (--campaigns 400)."
        raise RequestError(message)
    rng = np.random.default_rng([seed, len(rates), cap])
    step = protocol.step or 1
    looks = np.unique([*range(step, cap + 1, step), cap])
    draw = _claim_verdicts if protocol.numbers is None else number_verdicts
    told = list(draw(protocol, rates, looks, campaigns, rng))
    verdicts = [said for _, said in told]
    holds = _hold_rule(protocol.parsed, iter(verdicts), looks, sum(protocol.costs))
    stop = np.where(holds.any(axis=1), np.argmax(holds, axis=1), looks.size - 1)
    at = [np.take_along_axis(one, stop[:, None], axis=1)[:, 0] for one in verdicts]
    wrong, decided_any = np.zeros(campaigns, dtype=bool), np.zeros(campaigns, dtype=bool)
    for (wanted, _), verdict in zip(told, at, strict=True):
        wrong |= (verdict != 0) & (verdict != wanted)
        decided_any |= verdict != 0
    items = looks[stop]
    shares = [float((decided_any & ~wrong).mean()), float(wrong.mean())]
    return Behaviour(
        right=shares[0],
        wrong=shares[1],
        same=0.0,
        open=float((~decided_any).mean()),
        items=float(items.mean()),
        late=int(np.quantile(items, LATE, method="higher")),
        cost=float(items.mean()) * sum(protocol.costs),
        cap=cap,
        method="simulated",
        campaigns=campaigns,
        error=sqrt(max(share * (1 - share) for share in [*shares, 1 / campaigns]) / campaigns),
    )


def _claim_verdicts(
    protocol: Protocol,
    rates: Sequence[float],
    looks: NDArray[np.int64],
    campaigns: int,
    rng: np.random.Generator,
) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Draw right answers of every system on its own: what is true of each claim, and what is said.

    1 stands for a claim that is kept, -1 for one that is broken, 0 for the limit itself.
    """
    cap = int(looks[-1])
    right = [np.cumsum(rng.random((campaigns, cap)) < rate, axis=1)[:, looks - 1] for rate in rates]
    for condition in conditions_of(protocol.parsed):
        if condition.name != "claim":
            continue
        claim = campaign_claim(condition)
        place = protocol.systems.index(claim.system)
        seen = claim.decide(right[place], looks[None, :])
        first = np.argmax(seen != 0, axis=1)
        kept = np.where((seen != 0).any(axis=1), first, looks.size)
        decided = np.where(np.arange(looks.size)[None, :] >= kept[:, None],
                           np.take_along_axis(seen, first[:, None], axis=1), 0)  # fmt: skip
        truth = claim.holds_at(rates[place])
        yield (0 if truth is None else 1 if truth else -1), decided


def _hold_rule(
    rule: Rule, verdicts: Iterator[NDArray[np.int64]], looks: NDArray[np.int64], cost: float
) -> Outcomes:
    """Tell at which looks of which campaigns a rule of claims holds."""
    if isinstance(rule, Condition):
        if rule.name in DECIDED:
            return np.asarray(next(verdicts) != 0)
        reached = looks * (cost if rule.name == "cost" else 1.0) >= (rule.bound or 0.0)
        return np.asarray(reached[None, :])
    parts = [_hold_rule(part, verdicts, looks, cost) for part in rule.parts]
    together = np.logical_or if isinstance(rule, AnyOf) else np.logical_and
    held = parts[0]
    for part in parts[1:]:
        held = together(held, part)
    return held


def usual_campaigns(protocol: Protocol) -> int:
    """Choose how many campaigns to simulate within a few seconds.

    >>> usual_campaigns(Protocol(systems=("a", "b", "c"), rule="best >= 0.95 or n >= 1000"))
    1000
    >>> usual_campaigns(Protocol(systems=("a", "b", "c"), rule="best >= 0.95 or n >= 100000"))
    133
    """
    cap, size = protocol.cap or WITHOUT_END, len(protocol.systems)
    if protocol.numbers is not None:
        return int(min(MANY, max(FEW, MOST_NUMBERS / (min(cap, MOST_FOLLOWED) * size))))
    if protocol.question == "claim":
        return int(min(MANY, max(FEW, MOST_ANSWERS / 4 / (min(cap, MOST_FOLLOWED) * size))))
    room = MOST_JUDGED / (len(choose_looks(protocol, cap)[0]) * (size - 1) ** 1.5)
    if not (protocol.pairing == "independent" or size == 2):
        room = min(room, MOST_ANSWERS / (cap * size))
    return int(min(MANY, max(FEW, room)))


def exact_rule(protocol: Protocol) -> AnyKnown | None:
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
    found = _exact_form(telling[0]) if len(telling) == 1 else None
    # Tests follow every item whatever the looks; only rules that judge at looks alone have a step.
    even = (protocol.cap or WITHOUT_END) % (protocol.step or 1) == 0
    looked = isinstance(found, StoppingRule | LossRule) and even
    if isinstance(found, PlannedLooks):
        # A budget may end a campaign before its last look.
        usable = protocol.budget is None and found.looks <= (protocol.cap or 1)
        return found if usable and protocol.step == 1 else None
    return found if protocol.step == 1 or looked else None


def _exact_form(condition: Condition) -> AnyKnown | None:
    found = KNOWN.get(condition.name)
    return None if found is None else found(condition)


def _spending(condition: Condition) -> PlannedLooks:
    kind, looks = condition.arguments
    alpha = condition.option("alpha", ALPHA)
    return PlannedLooks(looks=int(float(looks)), alpha=alpha, kind=kind)  # type: ignore[arg-type]


def _double(condition: Condition) -> DoubleRule:
    alpha, beta = condition.option("alpha", ALPHA), condition.option("beta", BETA)
    return DoubleRule(win=float(condition.arguments[0]), alpha=alpha, beta=beta)


def _posterior(condition: Condition) -> StoppingRule:
    return StoppingRule(rule="posterior", alpha=1 - (condition.bound or 0.0))


KNOWN: dict[str, Callable[[Condition], AnyKnown]] = {
    "best": _posterior,
    "pair": _posterior,
    "ranking": _posterior,
    "evidence": lambda one: StoppingRule(rule="e-process", alpha=1 / (one.bound or 1.0)),
    "loss": lambda one: LossRule(loss=one.bound or 0.0),
    "spending": _spending,
    "double-wald": _double,
    "wald": plan_wald,
}
"""Conditions whose paths planning can follow, for two systems."""


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
        # Systems that never differ would never end a campaign.
        discordance = max((room.low + room.unrelated) / 2, 1e-3)
    return paired_rates(*rates, discordance=discordance)


def _describe_exact(
    protocol: Protocol, found: StoppingProperties, rates: tuple[float, ...]
) -> Behaviour:
    even = rates[0] == rates[1]
    return Behaviour(
        right=0.0 if even else found.right,
        wrong=found.winner if even else found.wrong,
        same=found.no_difference,
        open=found.open,
        items=found.expected,
        late=found.late,
        cost=found.expected * sum(protocol.costs),
        cap=found.cap,
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
    rng: np.random.Generator

    def leaders(self) -> list[int]:
        """Places of the systems with the highest rate."""
        best = max(self.rates)
        return [place for place, rate in enumerate(self.rates) if rate == best]

    def tally(self, campaigns: int, items: int) -> Floats:
        """Draw items for each campaign: how many every two systems had right together."""
        size = len(self.rates)
        if self.pair is not None:
            return self._draw_pairs(campaigns, items, self.pair)
        both = np.zeros((campaigns, size, size))
        if self.protocol.pairing == "independent":
            places = np.arange(size)
            both[:, places, places] = self.rng.binomial(items, self.rates, size=(campaigns, size))
            return both
        room = max(1, int(4e6 / (campaigns * size)))
        for start in range(0, items, room):
            block = min(room, items - start)
            drawn = self.items(campaigns * block).reshape(campaigns, block, size)
            right = drawn.astype(np.float64)
            both += np.swapaxes(right, 1, 2) @ right
        return both

    def _draw_pairs(self, campaigns: int, items: int, pair: PairedRates) -> Floats:
        together = max(self.rates[0] - pair.only_first, 0.0)
        chances = np.array([together, pair.only_first, pair.only_second])
        chances = np.append(chances, max(1 - chances.sum(), 0.0))
        drawn = self.rng.multinomial(items, chances / chances.sum(), size=campaigns)
        both = np.empty((campaigns, 2, 2))
        both[:, 0, 1] = both[:, 1, 0] = drawn[:, 0]
        both[:, 0, 0] = drawn[:, 0] + drawn[:, 1]
        both[:, 1, 1] = drawn[:, 0] + drawn[:, 2]
        return both

    def items(self, number: int) -> Outcomes:
        """Draw so many items: a row for each, a column for every system."""
        rates, rng = np.array(self.rates), self.rng
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


def _simulate(
    protocol: Protocol, drawing: _Drawing, cap: int, campaigns: int, tell: Tell | None
) -> Behaviour:
    cap = _items_to_follow(protocol, cap, campaigns)
    found = follow_campaigns(
        protocol, drawing, cap=cap, campaigns=campaigns, rng=drawing.rng, tell=tell
    )
    named, leaders = found.winners >= 0, drawing.leaders()
    right = int((named & (found.winners == leaders[0])).sum()) if len(leaders) == 1 else 0
    ends = {
        "right": right,
        "wrong": int(named.sum()) - right,
        "same": int((found.winners == NO_DIFFERENCE).sum()),
    }
    ends["open"] = campaigns - sum(ends.values())
    shares = {name: number / campaigns for name, number in ends.items()}
    spread = max((s * campaigns + 0.5) / (campaigns + 1) for s in shares.values())
    return Behaviour(
        **shares,
        items=float(found.items.mean()),
        late=int(np.quantile(found.items, LATE, method="inverted_cdf")),
        cost=float(found.costs.mean()),
        cap=cap,
        method="simulated",
        campaigns=campaigns,
        error=max(sqrt(s * (1 - s) / campaigns) for s in (spread, *shares.values())),
        looks=found.looks,
    )


def _items_to_follow(protocol: Protocol, cap: int, campaigns: int) -> int:
    """Items that can be drawn for so many campaigns; blocks of counts cost nothing."""
    if protocol.pairing == "independent" or len(protocol.systems) == 2:
        return cap
    step = protocol.step or 1
    room = int(2 * MOST_ANSWERS / (campaigns * len(protocol.systems)))
    return min(cap, max(step, room // step * step))


def play_campaign(
    protocol: Protocol, rates: Sequence[float], *, rng: np.random.Generator, **given: float | None
) -> Progress:
    """Let the campaign's own code meet drawn items, one after the other.

    What :func:`rule_behaviour` says of many campaigns at once is tried against this.
    """
    known = check_rates(rates)
    pair = _pair(protocol, known, given.get("discordance"))
    drawing = _Drawing(protocol, known, pair, given.get("correlation") or 0.0, rng)
    return _play(protocol, drawing.items(protocol.cap or WITHOUT_END))


def _play(protocol: Protocol, outcomes: Outcomes) -> Progress:
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


ENOUGH = 300
"""Simulated campaigns behind a verdict: a standard error of 0.013 at 5 %, in about a second."""
STEPS = 100
"""Rates and shares are rounded to so many steps, so that one verdict is worked out once."""
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(41)


def simulate_rates_seen(progress: Progress) -> Behaviour | None:
    """Say what the rule does to equal systems that are right, and alike, as often as these were.

    None before the first item. Systems that differ are named wrongly less often than equal ones.
    """
    places = range(len(progress.protocol.systems))
    tested = [(progress.correct[p], progress.tested[p]) for p in places if progress.tested[p]]
    if not tested or not progress.n:
        return None
    # One right and one wrong answer more keep rates away from 0 and 1, where no rule ever ends.
    rate = (sum(right for right, _ in tested) + 1) / (sum(number for _, number in tested) + 2)
    rate = _round_share(rate)
    if progress.protocol.pairing != "common":
        return _behaviour_of_equals(progress.protocol, rate, None)
    apart = _discordance(progress)
    most = 2 * min(rate, 1 - rate)
    return _behaviour_of_equals(progress.protocol, rate, min(_round_share(apart), most))


def _round_share(share: float) -> float:
    return min(max(round(share * STEPS), 1), STEPS - 1) / STEPS


def _discordance(progress: Progress) -> float:
    """Mean share of the items that exactly one of two had right."""
    size = len(progress.protocol.systems)
    shares = [
        (progress.wins[a][b] + progress.wins[b][a] + 1)
        / (min(progress.tested[a], progress.tested[b]) + 2)
        for a in range(size)
        for b in range(a)
        if min(progress.tested[a], progress.tested[b])
    ]
    return sum(shares) / len(shares) if shares else 0.5


@lru_cache(maxsize=64)
def _behaviour_of_equals(protocol: Protocol, rate: float, discordance: float | None) -> Behaviour:
    size = len(protocol.systems)
    campaigns = min(ENOUGH, usual_campaigns(protocol))
    rates = [rate] * size
    if discordance is None:
        return rule_behaviour(protocol, rates, seed=protocol.seed, campaigns=campaigns)
    if size == 2:
        return rule_behaviour(
            protocol, rates, seed=protocol.seed, campaigns=campaigns, discordance=discordance
        )
    alike = share_correlation(rate, discordance)
    return rule_behaviour(
        protocol, rates, seed=protocol.seed, campaigns=campaigns, correlation=alike
    )


def share_correlation(rate: float, discordance: float) -> float:
    r"""Find how alike items are hard for systems of one rate that differ on so many items.

    The correlation :math:`\rho` of normal variables behind the outcomes for which

    .. math:: \psi = 2\left(p - E\,\Phi\left(\frac{\Phi^{-1}(p) - \sqrt\rho Z}
              {\sqrt{1 - \rho}}\right)^2\right).

    Examples
    --------
    >>> round(share_correlation(0.8, 0.32), 2), round(share_correlation(0.5, 1 / 3), 2)
    (0.0, 0.5)
    """

    def apart(correlation: float) -> float:
        inside = ndtr((ndtri(rate) - sqrt(correlation) * NODES) / sqrt(1 - correlation))
        return 2 * (rate - float((inside**2 * WEIGHTS).sum() / WEIGHTS.sum()))

    # Above 0.95 the integrand is a step that 41 nodes miss; 30 halvings are below 1e-9.
    low, high = 0.0, 0.95
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if apart(middle) > discordance else (low, middle)
    return low
