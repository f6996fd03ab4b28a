"""From here: what the data leave open, and how many more items would settle it."""

from itertools import combinations
from typing import Any

from steelyard import comparison, planning, uncertainty
from steelyard.counts import Outcomes, PairTable, Trials
from steelyard.errors import NotComparable
from steelyard.journey.comparison.open_pairs import (
    more_of_areas,
    more_of_common,
    more_of_independent,
    say_more,
)
from steelyard.journey.plans.data import Areas
from steelyard.planning import MoreNeeded
from steelyard.results import (
    ComparedPair,
    Estimate,
    MoreSamples,
    Plan,
    PlannedSystem,
    Provenance,
)

__all__ = ["remaining", "remaining_areas"]


def remaining(
    counts: Outcomes | Trials,
    record: Provenance,
    *,
    confidence: float,
    alpha: float,
    power: float,
) -> Plan:
    """Plan on from what was tested: more items for every open pair, and until the best is known."""
    if len(counts.systems) < 2:
        message = f"Only one system ({counts.systems[0]}); a plan to compare needs two or more."
        raise NotComparable(message, code="one-system")
    facts: dict[str, Any]
    if isinstance(counts, Outcomes):
        facts = _common(counts, confidence, alpha, power)
    else:
        facts = _apart(counts, confidence, alpha, power)
    return _plan(facts, record, confidence=confidence, alpha=alpha)


def remaining_areas(
    seen: Areas, record: Provenance, *, confidence: float, alpha: float, power: float
) -> Plan:
    """Plan on from scores: more items until the areas of every open pair are told apart."""
    if len(seen.systems) < 2:
        message = f"Only one system ({seen.systems[0]}); a plan to compare needs two or more."
        raise NotComparable(message, code="one-system")
    places = list(combinations(range(len(seen.systems)), 2))
    raw = [comparison.weigh_areas(seen.spreads, i, j).p_value for i, j in places]
    couples = [(seen.systems[i], seen.systems[j]) for i, j in places]
    known = [1.0 if p is None else p for p in raw]
    pairs = _judge(couples, known, len(seen.systems), alpha, [None] * len(couples))
    leader = int(seen.areas.argmax())
    best = planning.more_placed_until_best(
        seen.spreads, leader, tested=seen.tested, confidence=confidence
    )
    more = more_of_areas(pairs, seen, alpha=alpha, power=power)
    facts: dict[str, Any] = {
        "design": "paired" if seen.common else "independent",
        "systems": tuple(
            PlannedSystem(system=name, rate=float(area))
            for name, area in zip(seen.systems, seen.areas, strict=True)
        ),
        "tested": seen.tested,
        "more": (*more, say_more(seen.systems[leader], None, best)),
        "method": (
            f"the areas seen: {power:.0%} power of the limits that give the verdict, "
            f"Shaffer-adjusted, for each open pair, and their confidence at {confidence:g} for the "
            "best"
        ),
        "measure": "area",
    }
    return _plan(facts, record, confidence=confidence, alpha=alpha)


def _plan(facts: dict[str, Any], record: Provenance, *, confidence: float, alpha: float) -> Plan:
    more: tuple[MoreSamples, ...] = facts["more"]
    pairs = [one for one in more if one.second is not None]
    known = [one.samples for one in pairs if one.samples is not None]
    return Plan(
        question="more",
        goal="power",
        target=confidence,
        samples=max(known) if pairs and len(known) == len(pairs) else None,
        exact_samples=None,
        limit=planning.LIMIT,
        asked=None,
        steps=(),
        assurance_bound=False,
        next_point=None,
        options=(),
        level=None,
        alpha=alpha,
        margin=None,
        delta=None,
        discordance=None,
        cost_per_sample=None,
        provenance=record,
        caveats=(
            f"the {_see(facts)} seen are taken as the true ones, which they are not: read these "
            "numbers as orders of magnitude",
        )
        if known
        else (),
        **facts,
    )


def _see(facts: dict[str, Any]) -> str:
    return "areas" if facts.get("measure") == "area" else "rates and discordances"


def _common(outcomes: Outcomes, confidence: float, alpha: float, power: float) -> dict[str, Any]:
    names = outcomes.systems
    tables = outcomes.pairs()
    raw = [comparison.common_test(table).p_value for table in tables.values()]
    pairs = _judge(list(tables), raw, len(names), alpha, list(tables.values()))
    right = dict(zip(names, outcomes.correct(), strict=True))
    leader = max(names, key=lambda name: right[name])
    rivals = [outcomes.pair(leader, name) for name in names if name != leader]
    best = planning.more_until_best(rivals, confidence=confidence)
    more = more_of_common(pairs, leader=None, alpha=alpha, power=power)
    return {
        "design": "paired",
        "systems": tuple(
            PlannedSystem(system=name, rate=right[name] / outcomes.total) for name in names
        ),
        "tested": outcomes.total,
        "more": (*more, say_more(leader, None, best)),
        "method": _method("mid-p McNemar", power, confidence),
    }


def _apart(trials: Trials, confidence: float, alpha: float, power: float) -> dict[str, Any]:
    names = trials.systems
    samples = dict(zip(names, zip(trials.correct, trials.tested, strict=True), strict=True))
    couples = list(combinations(names, 2))
    raw = [comparison.independent_test(samples[one], samples[two]).p_value for one, two in couples]
    pairs = _judge(couples, raw, len(names), alpha, [None] * len(couples))
    rates = {name: right / tested for name, (right, tested) in samples.items()}
    leader = max(names, key=lambda name: rates[name])
    more = more_of_independent(pairs, samples, leader=None, alpha=alpha, power=power)
    best = _best_apart(rates, confidence, min(trials.tested))
    return {
        "design": "independent",
        "systems": tuple(PlannedSystem(system=name, rate=rates[name]) for name in names),
        "tested": min(trials.tested),
        "more": (*more, say_more(leader, None, best)),
        "method": _method("score", power, confidence),
    }


def _best_apart(rates: dict[str, float], confidence: float, tested: int) -> MoreNeeded:
    ranked = sorted(rates.values(), reverse=True)
    if ranked[0] == ranked[1]:
        return MoreNeeded(total=None, more=None, reason="no difference was observed")
    if ranked[0] == 1 or ranked[-1] == 0:
        reason = "a system was always right or always wrong, so its rate is not known well enough"
        return MoreNeeded(total=None, more=None, reason=reason)
    size = planning.posterior_samples(ranked, confidence, limit=10 * planning.LIMIT)
    if size.samples is None or size.samples - tested > planning.LIMIT:
        return MoreNeeded(total=None, more=None, reason=f"over {planning.LIMIT:,d} more")
    return MoreNeeded(total=size.samples, more=max(0, size.samples - tested))


def _judge(
    couples: list[tuple[str, str]],
    raw: list[float],
    systems: int,
    alpha: float,
    tables: list[PairTable] | list[None],
) -> list[ComparedPair]:
    adjusted = uncertainty.shaffer_static(raw, systems=systems)
    return [
        ComparedPair(
            first=one,
            second=two,
            difference=Estimate(measure="difference of accuracy", value=None, reason="not needed"),
            p_value=p,
            adjusted_p=q,
            better=None,
            verdict="different" if q <= alpha else "undecided",
            table=table,
        )
        for (one, two), p, q, table in zip(couples, raw, adjusted, tables, strict=True)
    ]


def _method(test: str, power: float, confidence: float) -> str:
    return (
        f"the rates seen: {power:.0%} power of Shaffer-adjusted {test} tests for each open pair, "
        f"and the posterior at {confidence:g} for the best"
    )
