"""What a ledger holds, as results that say themselves."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from scipy.special import bdtrc

from steelyard._version import __version__
from steelyard.campaigns.checking import Check
from steelyard.campaigns.ledger import Entry, Known, Stored
from steelyard.campaigns.looks import Progress
from steelyard.campaigns.next_test import NextTest
from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.rules.chances import best_chances
from steelyard.campaigns.rules.claims import campaign_claim, streams_of
from steelyard.campaigns.rules.companions import companion_of
from steelyard.campaigns.rules.conditions import CONDITIONS
from steelyard.campaigns.rules.grammar import Condition, conditions_of
from steelyard.campaigns.rules.number_states import area_so_far
from steelyard.campaigns.rules.numbers import NumberScale, is_area, is_numeric, numeric_claim
from steelyard.campaigns.rules.snapshot import Judgement
from steelyard.campaigns.simulation.simulation import rule_behaviour, simulate_rates_seen
from steelyard.errors import RequestError, listing
from steelyard.results.base import Provenance
from steelyard.results.campaign.data import (
    CampaignCondition,
    CampaignError,
    CampaignPoint,
    CampaignStatus,
    CampaignStop,
    CampaignSystem,
)
from steelyard.results.campaign.records import (
    CampaignCheck,
    CampaignEntry,
    CampaignHistory,
    CampaignNext,
    CampaignRule,
    NextSystem,
    RuleBehaviour,
)
from steelyard.results.shortfalls import shortfall

__all__ = ["check_result", "history_result", "next_result", "rule_result", "status_result"]

SMALL, LARGE = 0.02, 0.05
SMALL_SPREAD, LARGE_SPREAD = 0.1, 0.2
"""Leads of numbers without a range, in standard deviations of a value."""
ASYMPTOTIC = (
    "asymptotic: the chance to err tends to alpha for many items, and is larger for few or "
    "skewed ones; state the range of the values to bet instead"
)
SHARED = (
    "the shared error rate guards equal systems from being called different; a wrong "
    "winner among different ones may be more likely than alpha"
)
MEAN_CLAIM = "e-value against the limit, valid at any time"
PILED_UP = 0.01
"""Chance below which missing answers are no longer taken to be spread over the systems by luck."""
MISSING = 0.05
"""From this share of items without an answer on, the bias that they may bring is spoken of."""
USUAL = 0.8
USUAL_ERRORS = 0.1
"""Errors over what they are counted over, where a rule is tried without any."""


def status_result(stored: Stored, progress: Progress, entries: Sequence[Entry]) -> CampaignStatus:
    """Say how a campaign stands; ``entries`` are those whose looks are shown."""
    protocol = stored.protocol
    judged = progress.judgements() if progress.n else []
    return CampaignStatus(
        name=stored.name,
        question=protocol.question,
        pairing=protocol.pairing,
        rule=protocol.rule,
        step=protocol.step or 1,
        items=progress.n,
        waiting=_count_waiting(progress),
        after=progress.after,
        results=sum(progress.all_tested),
        cost=progress.cost,
        budget=protocol.budget,
        cap=protocol.cap,
        systems=_systems(progress),
        conditions=tuple(_condition(condition, said) for condition, said in judged),
        stop=_stop(progress),
        points=tuple(_points(entries)),
        entries=stored.head + 1,
        head_hash=stored.head_hash,
        protocol_hash=protocol.hash,
        provenance=_record(protocol),
        error=_error(progress),
        caveats=_caveats(progress, entries),
    )


def _error(progress: Progress) -> CampaignError | None:
    """Say of a verdict how often its rule gives one to equal systems."""
    stop = progress.stop
    if stop is None or stop.reason != "rule" or stop.winner is None:
        return None
    if progress.protocol.question in ("claim", "mean"):
        return None  # these are misjudged with their own alpha at most, whatever the rates
    found = simulate_rates_seen(progress)
    if found is None:
        return None
    tested = max(1, sum(progress.tested))
    return CampaignError(
        rate=sum(progress.correct) / tested,
        winner=found.wrong,
        method=found.method,
        campaigns=found.campaigns,
        error=found.error,
        items=found.cap,
    )


def _count_waiting(progress: Progress) -> int:
    counted = progress.n + progress.after
    return progress.seen - counted if progress.protocol.pairing == "common" else 0


def _systems(progress: Progress) -> tuple[CampaignSystem, ...]:
    chances: dict[int, float] = {}
    if progress.n and progress.running and progress.protocol.question not in ("claim", "mean"):
        chances = dict(zip(progress.running, best_chances(progress.snapshot()), strict=True))
    found = _areas(progress)
    if found:
        return tuple(found)
    rates = _event_rates(progress)
    beside = progress.protocol.companion
    for place, name in enumerate(progress.protocol.competitors):
        running = place in progress.running
        state: Literal["running", "lost", "left"] = "running" if running else "lost"
        low, high = _whatever_is_missing(progress, place)
        found.append(
            CampaignSystem(
                system=name,
                correct=progress.correct[place],
                tested=progress.tested[place],
                best=chances.get(place),
                state="left" if place in progress.gone else state,
                mean=_mean(progress, place),
                measure="mean" if beside is None else beside.what,
                low=low,
                high=high,
                rate=rates.get(name, (None, None))[0],
                unit=rates.get(name, (None, None))[1],
            )
        )
    return tuple(found)


def _event_rates(progress: Progress) -> dict[str, tuple[float, str]]:
    """Give the streams of events their rates, in the units that their claims are in."""
    claims = [
        campaign_claim(one)
        for one in conditions_of(progress.rule)
        if one.name == "claim" and not is_numeric(one)
    ]
    found = {}
    for one in claims:
        place = progress.protocol.systems.index(one.system)
        if one.claim.per is not None and progress.tested[place]:
            share = progress.correct[place] / progress.tested[place]
            found[one.system] = (share / one.each, one.claim.per)
    return found


def _areas(progress: Progress) -> list[CampaignSystem]:
    """Give every claim of an area, with the mean of its pairs; two streams are one answer."""
    found = []
    for state in progress.states:
        if is_area(state.condition):
            area, pairs = area_so_far(state)
            name = str(state.condition.arguments[0])
            found.append(
                CampaignSystem(
                    system=name, correct=0, tested=pairs, best=None, state="running", mean=area
                )
            )
    return found


def _mean(progress: Progress, place: int) -> float | None:
    if progress.numbers is None or not progress.tested[place]:
        return None
    beside = progress.protocol.companion
    if beside is not None and beside.kind == "class":
        areas = (area_so_far(one, place)[0] for one in progress.states)
        return next((one for one in areas if one is not None), None)
    if beside is not None:
        return progress.sums[place] / progress.sums[-1]
    return progress.sums[place] / progress.tested[place]


def _whatever_is_missing(progress: Progress, place: int) -> tuple[float, float] | tuple[None, None]:
    """Rate on all items that were sent, with every missing answer wrong and right."""
    if progress.numbers is not None:
        return None, None  # a number that is missing may be any
    if not _count_waiting(progress) or place not in progress.running:
        return None, None
    right, missing = progress.all_correct[place], progress.seen - progress.all_tested[place]
    return right / progress.seen, (right + missing) / progress.seen


def _condition(condition: Condition, said: Judgement) -> CampaignCondition:
    beside, means = companion_of(condition), CONDITIONS[condition.name].means
    if beside is not None:
        means = means.replace(" of the means", "")
    return CampaignCondition(
        condition=str(condition),
        means=MEAN_CLAIM if _claims_mean(condition) else means,
        value=said.value,
        bound=said.bound,
        holds=said.holds,
        verdict=said.verdict if said.holds else "",
    )


def _claims_mean(condition: Condition) -> bool:
    return condition.name == "claim" and is_numeric(condition)


def _stop(progress: Progress) -> CampaignStop | None:
    stop = progress.stop
    if stop is None:
        return None
    return CampaignStop(
        items=stop.n,
        entry=stop.seq,
        reason=stop.reason,
        verdict=stop.verdict,
        condition=stop.condition,
        winner=stop.winner,
        ranking=tuple(stop.ranking),
        value=stop.value,
    )


def _points(entries: Sequence[Entry]) -> list[CampaignPoint]:
    found: dict[int, CampaignPoint] = {}
    for entry in entries:
        if entry.kind == "correction":
            found.clear()  # what came before is not what is decided now
        for items, *values in json.loads(entry.reading)["points"]:
            found[int(items)] = CampaignPoint(items=int(items), values=tuple(values))
    return [found[items] for items in sorted(found)]


def _caveats(progress: Progress, entries: Sequence[Entry]) -> tuple[str, ...]:
    names = {one.name for one in conditions_of(progress.rule)}
    caveats: list[str] = []
    if names & {"best", "ranking", "pair", "same", "loss"}:
        caveats.append(shortfall("belief-rule"))
    told = {"asymptotic": ASYMPTOTIC, "wald": shortfall("wald-between"), "wald-msrb": SHARED}
    caveats += [said for name, said in told.items() if name in names]
    if progress.gone:
        caveats.append(_about_leavers(progress, names))
    waiting = _count_waiting(progress)
    if waiting and waiting >= MISSING * progress.seen:
        caveats.append(
            f"{waiting / progress.seen:.0%} of the items lack an answer and do not count: where "
            "answers are missing because items are hard, rates and verdict are biased"
        )
    caveats += _about_one_sided(progress)
    if any(entry.kind == "correction" for entry in entries):
        caveats.append(
            "results were corrected: a search for mistakes of one system alone biases the verdict"
        )
    if progress.protocol.order == "given":
        caveats.append(
            "items count in the order given: if that depends on the answers, no rule keeps its "
            "error rate"
        )
    return tuple(caveats)


def _about_one_sided(progress: Progress) -> list[str]:
    """Warn where missing answers pile up in one system: such answers are not missing by chance."""
    running = progress.running
    if progress.protocol.pairing != "common" or len(running) < 2:
        return []
    missing = {place: progress.seen - progress.all_tested[place] for place in running}
    total, place = sum(missing.values()), max(missing, key=lambda one: missing[one])
    if not total:
        return []
    chance = len(running) * float(bdtrc(missing[place] - 1.0, total, 1 / len(running)))
    if chance >= PILED_UP:
        return []
    name = progress.protocol.systems[place]
    return [
        f"{missing[place]:,} of {total:,} missing answers are those of {name}: answers that one "
        "system fails to give are not missing by chance, and the items that count are then easier "
        "for it than all are"
    ]


def _about_leavers(progress: Progress, names: set[str]) -> str:
    """Say what a verdict means when systems have left."""
    left = listing([progress.protocol.systems[place] for place in progress.gone])
    said = f"{left} left: a verdict is about those that stayed"
    if names & {"racing"}:
        return f"{said}, and a race that somebody leaves unbeaten has no winner"
    if names & {"best", "ranking", "loss"}:
        return f"{said}, and closing systems after looking makes a posterior bound easier to reach"
    return f"{said}; its pairs still count among those that share the error rate"


def _record(protocol: Protocol) -> Provenance:
    return Provenance(version=__version__, seed=protocol.seed)


def next_result(
    stored: Stored, progress: Progress, chosen: NextTest, waiting: Mapping[str, Known]
) -> CampaignNext:
    """Say what to test next, and who is waited for."""
    protocol = stored.protocol
    needed = [p for p in range(len(protocol.systems)) if progress.required >> p & 1]
    waits = [
        (
            item,
            listing([protocol.systems[p] for p in needed if not one.tested >> p & 1]),
        )
        for item, one in waiting.items()
    ]
    # An item tests a system, whichever of its claims it turns out to be about.
    streams = streams_of(protocol.parsed)
    shares: dict[str, float] = {}
    for name, share in chosen.shares:
        system = streams[name].system if name in streams else name
        shares[system] = shares.get(system, 0.0) + share
    return CampaignNext(
        name=stored.name,
        systems=tuple(NextSystem(system=name, share=share) for name, share in shares.items()),
        pick=streams[chosen.pick].system if chosen.pick in streams else chosen.pick,
        scheme=chosen.scheme,
        waiting=tuple(waits),
        waiting_items=_count_waiting(progress),
        items_left=None if protocol.cap is None else max(0, protocol.cap - progress.n),
        provenance=_record(protocol),
    )


def history_result(name: str, protocol: Protocol, entries: Sequence[Entry]) -> CampaignHistory:
    """List the entries."""
    return CampaignHistory(
        name=name,
        entries=tuple(_entry(entry) for entry in entries),
        provenance=_record(protocol),
    )


def _entry(entry: Entry) -> CampaignEntry:
    body, reading = json.loads(entry.body), json.loads(entry.reading)
    note = body.get("reason") or body.get("source") or ""
    if entry.kind == "protocol":
        note = body["rule"]
    elif entry.kind == "correction":
        note = f"replaces results of entry {listing(body['replaces'])}"
    elif entry.kind == "drop":
        note = f"{body['system']} dropped out{': ' if body['reason'] else ''}{body['reason']}"
    return CampaignEntry(
        entry=entry.seq,
        kind=entry.kind,
        recorded=entry.recorded,
        results=int(body.get("results", 0)),
        items=int(reading["n"]),
        note=note,
        stopped=reading["stop"] is not None,
        hash=entry.hash,
    )


def check_result(name: str, protocol: Protocol, check: Check) -> CampaignCheck:
    """Say whether a ledger is sound."""
    return CampaignCheck(
        name=name,
        entries=check.entries,
        results=check.results,
        bad=check.bad,
        reason=check.reason,
        head_hash=check.head_hash,
        provenance=_record(protocol),
    )


def rule_result(
    protocol: Protocol,
    rates: Sequence[float] | Mapping[str, float] | None,
    *,
    discordance: float | None,
    correlation: float,
    campaigns: int,
    seed: int,
    tell: Callable[[str], None] | None = None,
) -> CampaignRule:
    """Say what the rule of a protocol does at these rates, or at the usual settings."""
    if not 0 <= correlation < 1:
        message = f"correlation={correlation!r}; it lies from 0 to below 1."
        raise RequestError(message)
    settings = _usual_rates(protocol) if rates is None else {"": _order_rates(rates, protocol)}
    behaviours, cap, looks = [], 0, 1.0
    for said, chosen in settings.items():
        found = rule_behaviour(
            protocol,
            chosen,
            seed=seed,
            discordance=discordance,
            correlation=correlation,
            campaigns=campaigns,
            tell=tell,
        )
        cap, looks = found.cap, min(looks, found.looks)
        behaviours.append(
            RuleBehaviour(
                setting=said or "rates " + ", ".join(f"{rate:g}" for rate in chosen),
                rates=tuple(chosen),
                right=found.right,
                wrong=found.wrong,
                same=found.same,
                open=found.open,
                items=found.items,
                late=found.late,
                cost=found.cost,
                method=found.method,
                campaigns=found.campaigns,
                error=found.error,
            )
        )
    notes = {"discordance": discordance}
    if len(protocol.competitors) > 2 and protocol.pairing == "common":
        notes = {"correlation": correlation}
    said_settings = tuple((k, str(v)) for k, v in notes.items() if v is not None)
    return CampaignRule(
        rule=protocol.rule,
        systems=protocol.competitors,
        step=protocol.step or 1,
        cap=cap,
        behaviours=tuple(behaviours),
        provenance=Provenance(version=__version__, settings=said_settings, seed=seed),
        caveats=_about_following(protocol, cap, looks),
    )


def _about_following(protocol: Protocol, cap: int, looks: float) -> tuple[str, ...]:
    """Say how far the rule was followed, where that is not to its end and at every look."""
    caveats: list[str] = []
    if protocol.cap is None:
        caveats.append(f"the rule has no end of its own; it was followed for {cap:,} items")
    elif cap < protocol.cap:
        caveats.append(f"campaigns were followed for {cap:,} of their {protocol.cap:,} items")
    if looks < 1:
        caveats.append(
            f"campaigns were followed at {looks:.1%} of their looks: more looks name a winner a "
            "little more often"
        )
    return tuple(caveats)


def _usual_rates(protocol: Protocol) -> dict[str, list[float]]:
    """No difference, and the last system better by two and by five points."""
    size = len(protocol.systems)
    if protocol.numbers is not None:
        return _usual_means(protocol, protocol.numbers)
    if protocol.question == "claim":
        return _rates_of_claims(protocol)
    found = {"no difference, all 0.8": [USUAL] * size}
    for lead in (SMALL, LARGE):
        said = f"{protocol.systems[-1]} {USUAL + lead:g}, others {USUAL:g}"
        found[said] = [USUAL] * (size - 1) + [USUAL + lead]
    return found


def _usual_means(protocol: Protocol, numbers: NumberScale) -> dict[str, list[float]]:
    """No difference and two leads, in shares of the range or of a deviation; or around claims."""
    claims = [numeric_claim(one) for one in conditions_of(protocol.parsed) if _claims_mean(one)]
    areas = any(map(is_area, conditions_of(protocol.parsed)))
    beside, known = numbers.companion, protocol.competitors
    low, high = (0.0, 1.0) if areas else (numbers.low, numbers.high)
    if beside is not None:
        low, high = (0.0, 1.0) if beside.kind == "class" else (0.0, 2 * USUAL_ERRORS)
    if claims:
        limits = {one.system: one.claim for one in claims}
        found = {}
        for said, lead in (
            ("on the limit", 0.0),
            ("well within it", 0.5),
            ("well beyond it", -0.5),
        ):
            means = []
            for system in limits if areas else known:
                claim = limits.get(system)
                limit = ((low or 0) + (high or 0)) / 2 if claim is None else claim.limit
                room = limit - (low or 0)
                if beside is None:
                    room = min(room, (high or 0) - limit)
                way = 0 if claim is None else 1 if claim.side == "at least" else -1
                means.append(limit + way * lead * room)
            found[f"{said}, at {', '.join(f'{one:g}' for one in means)},"] = means
        return found
    way = -1 if numbers.lower else 1
    ranged = low is not None and high is not None
    middle, unit = ((low + high) / 2, high - low) if ranged else (0.0, 1.0)  # type: ignore[operator]
    of = "of the range" if ranged else "deviations"
    leads: tuple[float, ...] = (SMALL, LARGE) if ranged else (SMALL_SPREAD, LARGE_SPREAD)
    if beside is not None:
        middle, unit, of = (USUAL if beside.kind == "class" else USUAL_ERRORS), 1.0, beside.what
        leads = (LARGE, SMALL_SPREAD) if beside.kind == "class" else (SMALL / 2, SMALL)
    found = {f"no difference, all {middle:g}": [middle] * len(known)}
    for lead in leads:
        said = f"{known[-1]} better by {lead:g} {of}"
        found[said] = [middle] * (len(known) - 1) + [middle + way * lead * unit]
    return found


def _rates_of_claims(protocol: Protocol) -> dict[str, list[float]]:
    """Every system on its limit, well on the good side of it, and well on the bad side."""
    claims = [campaign_claim(one) for one in conditions_of(protocol.parsed) if one.name == "claim"]
    limits = {one.system: one.claim for one in claims}
    units = {one.system: (one.each, one.claim.per) for one in claims}
    found = {}
    for said, side in (("on the limit", 0.0), ("well within it", 0.5), ("well beyond it", -0.5)):
        rates = []
        for system in protocol.systems:
            claim = limits.get(system)
            if claim is None:
                rates.append(USUAL)
                continue
            good = 1 if claim.side == "at least" else -1
            room = min(claim.limit, 1 - claim.limit)
            rates.append(claim.limit + good * side * room)
        shown = ", ".join(
            f"{rate / each:g}{'' if unit is None else f' per {unit}'}"
            for rate, (each, unit) in (
                (rate, units.get(system, (1.0, None)))
                for system, rate in zip(protocol.systems, rates, strict=True)
            )
        )
        found[f"{said}, at {shown},"] = rates
    return found


def _order_rates(rates: Sequence[float] | Mapping[str, float], protocol: Protocol) -> list[float]:
    if not isinstance(rates, Mapping):
        return list(rates)
    known = protocol.competitors
    if set(rates) != set(known):
        message = f"Rates for {listing(list(rates))}; the systems are {listing(known)}."
        raise RequestError(message)
    return [rates[system] for system in known]
