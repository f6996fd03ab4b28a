"""The planner of stopping rules, side by side with the test of fixed size."""

from dataclasses import replace
from functools import partial
from math import comb

import numpy as np

from steelyard import comparison, planning, uncertainty
from steelyard.comparison.sequential.wald_msrb import Scheme, Sharing
from steelyard.errors import RequestError
from steelyard.journey.plans.pairs import choose_pair, pair_answer, unknown_discordance
from steelyard.journey.plans.request import Answer, StopRequest
from steelyard.planning import AllPairsProperties, PairedRates, StoppingProperties
from steelyard.planning.stopping.rules import AnyRule
from steelyard.results import PlannedRule
from steelyard.results.plan.words import ONE_SIDED

__all__ = ["stop_answer"]

SLACK = 2
"""Rules may go on for so many times the fixed size, unless a cap is given."""

MOST_PAIRED = 20_000
"""A fixed size up to which the exact walks answer within a second or two."""

FIXED = "fixed size"
MOST_COMPARED = 200_000
"""A fixed size, times systems and tests, up to which a simulation takes about a second."""

CAMPAIGNS = 1000
MOST_STEPS, MOST_LOOKED = 6.0e7, 2.0e7
"""Items, or looks, times pairs of all simulated campaigns together: a second of work."""

FEWEST_ITEMS = 8
"""Items between looks, at least, where not every item can be looked at."""


SCHEMES: tuple[tuple[Scheme, Sharing], ...] = (("A", "msrb"), ("B", "msrb"), ("A", "bonferroni"))
MOST_SYSTEMS = 10
MOST_SHARED = 5
"""Bonferroni's shares stand beside Shaffer's for up to so many systems."""


def stop_answer(request: StopRequest) -> Answer:
    """Samples that stopping rules use and the errors they make, beside the test of fixed size."""
    if request.margin is not None:
        message = "Stopping rules are compared for a difference, not for a margin; leave it out."
        raise RequestError(message)
    if request.every < 1 or (request.cap is not None and request.cap < max(2, request.every)):
        message = (
            f"every={request.every!r}, cap={request.cap!r}; a look comes after 1 item or more, "
            "and the cap after the first look. The nearest request that can be met is every=1 "
            "without a cap."
        )
        raise RequestError(message)
    fixed = pair_answer(request)
    if fixed.samples is None:
        return fixed
    if len(request.rates) > 2:
        return _several(request, fixed, fixed.samples)
    return _two(request, fixed, fixed.samples)


def _two(request: StopRequest, fixed: Answer, samples: int) -> Answer:
    pair = choose_pair(request)
    if samples > MOST_PAIRED:
        message = (
            f"The test of fixed size takes {samples:,d} items, and stopping rules are carried for "
            f"up to {MOST_PAIRED:,d}. Give a larger difference, or ask question='pair' "
            "(steelyard plan pair)."
        )
        raise RequestError(message)
    cap = request.cap or SLACK * samples
    half = pair.discordance / 2
    equal = PairedRates(only_first=half, only_second=half)
    rng = request.rng()
    rules = [_plan_fixed(pair, equal, samples, request)]
    for name, rule, last in _rules(request, pair, samples, cap):
        found, none = (
            planning.found_properties(rule, one, cap=last, rng=rng, every=_every(rule, request))
            for one in (pair, equal)
        )
        rules.append(_rule(name, found, none))
    return _answer(request, fixed, tuple(rules), pair.discordance)


def _every(rule: AnyRule, request: StopRequest) -> int | None:
    return None if isinstance(rule, planning.PlannedLooks) else request.every


def _rules(
    request: StopRequest, pair: PairedRates, samples: int, cap: int
) -> list[tuple[str, AnyRule, int]]:
    """List the rules and their caps: looks that were planned end at the fixed size."""
    alpha, beta = request.alpha, 1 - request.power
    win = min(pair.win, 0.99)
    loss = abs(request.rates[0] - request.rates[1]) / 10
    return [
        ("5 looks, O'Brien-Fleming", planning.PlannedLooks(alpha=alpha), samples),
        ("5 looks, Pocock", planning.PlannedLooks(alpha=alpha, kind="pocock"), samples),
        (ONE_SIDED, comparison.paired_wald_test(0.5, win, alpha=alpha / 2, beta=beta), cap),
        ("double Wald", planning.DoubleRule(win=win, alpha=alpha, beta=beta), cap),
        ("e-process", planning.StoppingRule(rule="e-process", alpha=alpha), cap),
        (
            f"posterior {request.confidence:g}",
            planning.StoppingRule(rule="posterior", alpha=1 - request.confidence),
            cap,
        ),
        (f"expected loss {loss:.2g}", planning.LossRule(loss=loss), cap),
    ]


def _plan_fixed(
    pair: PairedRates, equal: PairedRates, samples: int, request: StopRequest
) -> PlannedRule:
    found, none = (
        planning.fixed_properties(one, samples=samples, alpha=request.alpha)
        for one in (pair, equal)
    )
    return _rule(FIXED, found, none)


def _rule(name: str, found: StoppingProperties, none: StoppingProperties) -> PlannedRule:
    error = max(found.error, none.error)
    return PlannedRule(
        name=name,
        power=found.right,
        wrong=found.wrong,
        false_alarm=none.winner,
        items=found.expected,
        late=found.late,
        items_equal=none.expected,
        late_equal=none.late,
        cap=found.cap,
        error=error if "simulated" in (found.method, none.method) else None,
    )


def _several(request: StopRequest, fixed: Answer, samples: int) -> Answer:
    kinds = SCHEMES if len(request.rates) <= MOST_SHARED else SCHEMES[:2]
    most = MOST_COMPARED // (2 * len(kinds) * len(request.rates))
    if len(request.rates) > MOST_SYSTEMS or samples > most:
        up_to = (
            f"{most:,d} items" if len(request.rates) <= MOST_SYSTEMS else f"{MOST_SYSTEMS} systems"
        )
        message = (
            f"{len(request.rates)} systems at a fixed size of {samples:,d} items; the tests of "
            f"every two are simulated for up to {up_to}. Leave out the systems that matter least, "
            "or give larger differences."
        )
        raise RequestError(message)
    cap = request.cap or SLACK * samples
    chances = None
    if request.pilot is not None and request.discordance is None:
        chances = np.zeros(1 << len(request.names))
        for pattern, rows in request.pilot.patterns:
            chances[pattern] += rows
        chances /= chances.sum()
    rng = request.rng()
    equal = (sum(request.rates) / len(request.rates),) * len(request.rates)
    once = partial(
        planning.fixed_all_pairs, samples=samples, alpha=request.alpha, rng=rng, draws=CAMPAIGNS
    )
    every = _looks(request, cap * comb(len(request.rates), 2) * 2 * len(kinds) * CAMPAIGNS)
    rules = [_race(once(request.rates, patterns=chances), once(equal))]
    share = partial(
        comparison.all_pairs_test,
        request.names,
        smallest=_smallest(request),
        alpha=request.alpha,
        beta=1 - request.power,
    )
    tests = [share(scheme=scheme, sharing=sharing) for scheme, sharing in kinds]
    races = [
        planning.AllPairsRace(test=test, rates=request.rates, patterns=chances) for test in tests
    ]
    races += [planning.AllPairsRace(test=test, rates=equal) for test in tests]
    found = planning.raced_all_pairs(races, cap=cap, rng=rng, campaigns=CAMPAIGNS, every=every)
    rules += [_race(one, none) for one, none in zip(found, found[len(tests) :], strict=False)]
    return _answer(replace(request, every=every), fixed, tuple(rules), None)


def _looks(request: StopRequest, steps: int) -> int:
    """Items between looks: as wished, but so many that the simulation takes about a second."""
    if steps / request.every <= MOST_STEPS:
        return request.every
    least = FEWEST_ITEMS
    while steps / least > MOST_LOOKED:
        least *= 2
    return max(request.every, least)


def _smallest(request: StopRequest) -> float:
    """Smallest ratio of discordant items that the rates suppose, kept off 1."""
    ratios = [
        choose_pair(request, i, j).win
        for i in range(len(request.rates))
        for j in range(i + 1, len(request.rates))
    ]
    win = min(max(min(ratios), 0.51), 0.95)
    return win / (1 - win)


def _race(found: AllPairsProperties, none: AllPairsProperties) -> PlannedRule:
    power, alarm = (
        uncertainty.clopper_pearson_interval(round(share * one.campaigns), one.campaigns)
        for share, one in ((found.best, found), (none.wrong, none))
    )
    return PlannedRule(
        name=found.name,
        power=found.best,
        wrong=found.wrong,
        false_alarm=none.wrong,
        items=found.expected,
        late=found.late,
        items_equal=none.expected,
        late_equal=none.late,
        cap=found.cap,
        error=max(found.error, none.error),
        draws=min(found.campaigns, none.campaigns),
        power_limits=(float(power[0]), float(power[1])),
        false_alarm_limits=(float(alarm[0]), float(alarm[1])),
    )


def _how(request: StopRequest, rules: tuple[PlannedRule, ...]) -> str:
    looks = "every item" if request.every == 1 else f"every {request.every} items"
    if len(request.rates) > 2:
        looks += ", and at the end" if request.every > 1 else ""
        return f"rules by {CAMPAIGNS:,d} simulated campaigns each, looked at {looks}"
    exact = sum(one.error is None for one in rules)
    how = "exact recursion" if exact == len(rules) else "exact recursion or simulation"
    return f"rules by {how}, looked at {looks}"


def _answer(
    request: StopRequest, fixed: Answer, rules: tuple[PlannedRule, ...], discordance: float | None
) -> Answer:
    return Answer(
        goal="power",
        target=request.power,
        samples=fixed.samples,
        exact=None,
        reached=fixed.reached,
        size=fixed.size,
        numbers=fixed.numbers,
        further=fixed.further,
        method=f"{fixed.method}; {_how(request, rules)}",
        discordance=discordance,
        caveats=unknown_discordance(request),
        rules=rules,
    )
