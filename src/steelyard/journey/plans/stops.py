"""The planner of stopping rules, side by side with the test of fixed size."""

from dataclasses import replace
from functools import partial
from math import comb

import numpy as np

from steelyard.comparison import all_pairs_test, paired_wald_test
from steelyard.comparison.sequential.wald_msrb import Scheme, Sharing
from steelyard.errors import RequestError
from steelyard.journey.plans.pairs import chosen_pair, pair_answer, unknown_discordance
from steelyard.journey.plans.request import Answer, Wish
from steelyard.planning import (
    AllPairsProperties,
    AllPairsRace,
    DoubleRule,
    LossRule,
    PairedRates,
    PlannedLooks,
    StoppingProperties,
    StoppingRule,
    fixed_all_pairs,
    fixed_properties,
    found_properties,
    raced_all_pairs,
)
from steelyard.planning.stopping.rules import AnyRule
from steelyard.results import PlannedRule
from steelyard.results.plan import ONE_SIDED
from steelyard.uncertainty import clopper_pearson_interval

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


def stop_answer(wish: Wish) -> Answer:
    """Samples that stopping rules use and the errors they make, beside the test of fixed size."""
    if wish.margin is not None:
        message = "Stopping rules are compared for a difference, not for a margin; leave it out."
        raise RequestError(message)
    if wish.every < 1 or (wish.cap is not None and wish.cap < max(2, wish.every)):
        message = (
            f"every={wish.every!r}, cap={wish.cap!r}; a look comes after 1 item or more, and the "
            "cap behind the first look. The nearest wish is every=1 without a cap."
        )
        raise RequestError(message)
    fixed = pair_answer(wish)
    if fixed.samples is None:
        return fixed
    if len(wish.rates) > 2:
        return _several(wish, fixed, fixed.samples)
    return _two(wish, fixed, fixed.samples)


def _two(wish: Wish, fixed: Answer, samples: int) -> Answer:
    pair = chosen_pair(wish)
    if samples > MOST_PAIRED:
        message = (
            f"The test of fixed size takes {samples:,d} items, and stopping rules are carried for "
            f"up to {MOST_PAIRED:,d}. Give a larger difference, or ask question='pair' "
            "(--question pair)."
        )
        raise RequestError(message)
    cap = wish.cap or SLACK * samples
    half = pair.discordance / 2
    equal = PairedRates(only_first=half, only_second=half)
    rng = wish.rng()
    rules = [_fixed(pair, equal, samples, wish)]
    for name, rule, last in _rules(wish, pair, samples, cap):
        found, none = (
            found_properties(rule, one, cap=last, rng=rng, every=_every(rule, wish))
            for one in (pair, equal)
        )
        rules.append(_rule(name, found, none))
    return _answer(wish, fixed, tuple(rules), pair.discordance)


def _every(rule: AnyRule, wish: Wish) -> int | None:
    return None if isinstance(rule, PlannedLooks) else wish.every


def _rules(wish: Wish, pair: PairedRates, samples: int, cap: int) -> list[tuple[str, AnyRule, int]]:
    """List the rules and their caps: looks that were planned end at the fixed size."""
    alpha, beta = wish.alpha, 1 - wish.power
    win = min(pair.win, 0.99)
    loss = abs(wish.rates[0] - wish.rates[1]) / 10
    return [
        ("5 looks, O'Brien-Fleming", PlannedLooks(alpha=alpha), samples),
        ("5 looks, Pocock", PlannedLooks(alpha=alpha, kind="pocock"), samples),
        (ONE_SIDED, paired_wald_test(0.5, win, alpha=alpha / 2, beta=beta), cap),
        ("double Wald", DoubleRule(win=win, alpha=alpha, beta=beta), cap),
        ("e-process", StoppingRule(rule="e-process", alpha=alpha), cap),
        (
            f"posterior {wish.confidence:g}",
            StoppingRule(rule="posterior", alpha=1 - wish.confidence),
            cap,
        ),
        (f"expected loss {loss:.2g}", LossRule(loss=loss), cap),
    ]


def _fixed(pair: PairedRates, equal: PairedRates, samples: int, wish: Wish) -> PlannedRule:
    found, none = (
        fixed_properties(one, samples=samples, alpha=wish.alpha) for one in (pair, equal)
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


def _several(wish: Wish, fixed: Answer, samples: int) -> Answer:
    kinds = SCHEMES if len(wish.rates) <= MOST_SHARED else SCHEMES[:2]
    most = MOST_COMPARED // (2 * len(kinds) * len(wish.rates))
    if len(wish.rates) > MOST_SYSTEMS or samples > most:
        up_to = f"{most:,d} items" if len(wish.rates) <= MOST_SYSTEMS else f"{MOST_SYSTEMS} systems"
        message = (
            f"{len(wish.rates)} systems at a fixed size of {samples:,d} items; the tests of every "
            f"two are simulated for up to {up_to}. Leave out the systems that matter least, or "
            "give larger differences."
        )
        raise RequestError(message)
    cap = wish.cap or SLACK * samples
    chances = None
    if wish.pilot is not None and wish.discordance is None:
        chances = np.zeros(1 << len(wish.names))
        for pattern, rows in wish.pilot.patterns:
            chances[pattern] += rows
        chances /= chances.sum()
    rng = wish.rng()
    equal = (sum(wish.rates) / len(wish.rates),) * len(wish.rates)
    once = partial(fixed_all_pairs, samples=samples, alpha=wish.alpha, rng=rng, draws=CAMPAIGNS)
    every = _looks(wish, cap * comb(len(wish.rates), 2) * 2 * len(kinds) * CAMPAIGNS)
    rules = [_raced(once(wish.rates, patterns=chances), once(equal))]
    share = partial(
        all_pairs_test, wish.names, smallest=_smallest(wish), alpha=wish.alpha, beta=1 - wish.power
    )
    tests = [share(scheme=scheme, sharing=sharing) for scheme, sharing in kinds]
    races = [AllPairsRace(test=test, rates=wish.rates, patterns=chances) for test in tests]
    races += [AllPairsRace(test=test, rates=equal) for test in tests]
    found = raced_all_pairs(races, cap=cap, rng=rng, campaigns=CAMPAIGNS, every=every)
    rules += [_raced(one, none) for one, none in zip(found, found[len(tests) :], strict=False)]
    return _answer(replace(wish, every=every), fixed, tuple(rules), None)


def _looks(wish: Wish, steps: int) -> int:
    """Items between looks: as wished, but so many that the simulation takes about a second."""
    if steps / wish.every <= MOST_STEPS:
        return wish.every
    least = FEWEST_ITEMS
    while steps / least > MOST_LOOKED:
        least *= 2
    return max(wish.every, least)


def _smallest(wish: Wish) -> float:
    """Smallest ratio of discordant items that the rates suppose, kept off 1."""
    ratios = [
        chosen_pair(wish, i, j).win
        for i in range(len(wish.rates))
        for j in range(i + 1, len(wish.rates))
    ]
    win = min(max(min(ratios), 0.51), 0.95)
    return win / (1 - win)


def _raced(found: AllPairsProperties, none: AllPairsProperties) -> PlannedRule:
    power, alarm = (
        clopper_pearson_interval(round(share * one.campaigns), one.campaigns)
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


def _how(wish: Wish, rules: tuple[PlannedRule, ...]) -> str:
    looks = "every item" if wish.every == 1 else f"every {wish.every} items"
    if len(wish.rates) > 2:
        looks += ", and at the end" if wish.every > 1 else ""
        return f"rules by {CAMPAIGNS:,d} simulated campaigns each, looked at {looks}"
    exact = sum(one.error is None for one in rules)
    how = "exact recursion" if exact == len(rules) else "exact recursion or simulation"
    return f"rules by {how}, looked at {looks}"


def _answer(
    wish: Wish, fixed: Answer, rules: tuple[PlannedRule, ...], discordance: float | None
) -> Answer:
    return Answer(
        goal="power",
        target=wish.power,
        samples=fixed.samples,
        exact=None,
        reached=fixed.reached,
        size=fixed.size,
        numbers=fixed.numbers,
        further=fixed.further,
        method=f"{fixed.method}; {_how(wish, rules)}",
        discordance=discordance,
        caveats=unknown_discordance(wish),
        rules=rules,
    )
