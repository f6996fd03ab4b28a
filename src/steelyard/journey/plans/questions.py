"""A planner for each question."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from math import comb, floor, log10
from typing import Any, TypedDict

import numpy as np

from steelyard import comparison, planning, uncertainty
from steelyard.comparison.sequential.wald_msrb import Scheme, Sharing
from steelyard.errors import RequestError
from steelyard.journey.plans.assured import assure_samples
from steelyard.journey.plans.measures import akaike_answer, area_answer, kappa_answer
from steelyard.journey.plans.pairs import choose_pair, pair_answer, unknown_discordance
from steelyard.journey.plans.request import (
    AkaikeRequest,
    Answer,
    AreaRequest,
    KappaRequest,
    PairRequest,
    PlanRequest,
    PosteriorRequest,
    SelectRequest,
    StopRequest,
    WidthRequest,
    options_of,
)
from steelyard.planning import AllPairsProperties, PairedRates, StoppingProperties
from steelyard.planning.rates import PosteriorQuestion, check_rates, check_separable
from steelyard.planning.sizes import round_up
from steelyard.planning.stopping.rules import AnyRule
from steelyard.planning.tests.width import paired_width_assurance
from steelyard.results import PlannedRule, PlanQuestion
from steelyard.results.plan.words import ONE_SIDED, show_rate

__all__ = ["QUESTIONS", "stop_answer"]

# --- the planner of stopping rules, side by side with the test of fixed size ---------------------


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


# --- a planner for each question -----------------------------------------------------------------


MOST_PRODUCT = 6
"""The published product is shown beside the exact number for up to so many systems."""

MOST_RESOLVED = 10
"""What lead a number of items resolves is shown for up to so many systems."""

FARTHEST = 10**11
"""A selection has a formula, so its items are told however many they are."""

DRAWS = 400
"""Simulated tests behind an assurance of three systems or more."""


class _Given(TypedDict):
    question: PosteriorQuestion
    priors: Sequence[tuple[float, float]] | None
    shares: Sequence[float] | None


def posterior_answer(request: PosteriorRequest) -> Answer:
    """Samples until the posterior names the best, or the ranking, with the confidence."""
    question: PosteriorQuestion = "best" if request.question == "best" else "ranking"
    check_separable(check_rates(request.rates), question)
    if request.design == "paired":
        return _common(request, question)
    given: _Given = {"question": question, "priors": request.priors, "shares": request.shares}
    found = planning.posterior_samples(request.rates, request.confidence, **given)

    @cache
    def assure(samples: int) -> planning.Assurance:
        return planning.posterior_assurance(
            request.rates,
            samples,
            confidence=request.confidence,
            rng=request.rng(),
            draws=DRAWS,
            **given,
        )

    plain = request.confidence > 0.5
    simulated = len(request.rates) > 2 or request.priors is not None or request.shares is not None
    ways: list[tuple[str, int | None, str | None]] = [
        (
            "exactly these rates are seen",
            found.samples,
            "He & Fu; half of tests reach it",
        )
    ]
    if question == "ranking" and len(request.rates) <= MOST_PRODUCT:
        product = planning.posterior_samples(
            request.rates, request.confidence, question="ranking", method="product"
        )
        ways.append(
            ("product of the published tables", product.samples, "too few; an approximation")
        )
    pairs = planning.rival_pairs(request.rates, question=question)
    common = planning.paired_posterior_samples(pairs, request.confidence)
    ways.append(("common items, unrelated errors", common.samples, "in all, not each"))
    safe = None
    if plain:
        safe = assure_samples(
            found.samples, assure, power=request.power, aim=request.confidence, simulated=simulated
        )
    lead = safe if plain else found.samples
    if request.shares is not None and lead is not None:
        ways += [
            (f"items of {name}", round_up(lead * share), "its part of the plan")
            for name, share in zip(request.names, request.shares, strict=True)
        ]
    return Answer(
        goal="confidence",
        target=request.confidence,
        samples=found.samples,
        exact=found.exact,
        reached=lambda n: planning.posterior_confidence(request.rates, n, **given),
        size=lambda target: planning.posterior_samples(request.rates, target, **given).samples,
        assured=assure if plain else None,
        method="exact Beta posteriors at the assumed rates, independent test sets",
        options=options_of(ways),
        promised=request.power if plain else None,
        safe=safe,
    )


def _common(request: PosteriorRequest, question: PosteriorQuestion) -> Answer:
    if request.priors is not None or request.shares is not None:
        message = (
            "Priors and shares of single systems are for independent items; leave them out here."
        )
        raise RequestError(message)
    pilot = request.pilot
    if pilot is not None and request.discordance is None:
        pairs = planning.pilot_rivals(pilot, question=question)
    else:
        pairs = planning.rival_pairs(
            request.rates, question=question, discordance=request.discordance
        )
    found = planning.paired_posterior_samples(pairs, request.confidence)

    @cache
    def assure(samples: int) -> planning.Assurance:
        if pilot is not None and len(pairs) > 1 and question == "best":
            return planning.pilot_assurance(
                pilot, samples, confidence=request.confidence, rng=request.rng(), draws=DRAWS
            )
        return planning.paired_assurance(pairs, samples, confidence=request.confidence)

    plain = request.confidence > 0.5
    ways: list[tuple[str, int | None, str | None]] = [
        ("exactly these rates are seen", found.samples, "half of tests reach it")
    ]
    safe = None
    if plain:
        simulated = pilot is not None and len(pairs) > 1 and question == "best"
        safe = assure_samples(
            found.samples, assure, power=request.power, aim=request.confidence, simulated=simulated
        )
    apart = planning.posterior_samples(request.rates, request.confidence, question=question)
    ways.append(("independent items", apart.samples, "each system"))
    several = len(pairs) > 1
    bound = " (a lower bound, from the pairs)" if several else ""
    return Answer(
        goal="confidence",
        target=request.confidence,
        samples=found.samples,
        exact=found.exact,
        reached=lambda n: planning.paired_confidence(pairs, n),
        size=lambda target: planning.paired_posterior_samples(pairs, target).samples,
        assured=assure if plain else None,
        method=f"the joint posterior at the assumed chances, common items{bound}",
        options=options_of(ways),
        discordance=_show_discordance(pairs),
        bound=several,
        caveats=unknown_discordance(request),
        promised=request.power if plain else None,
        safe=safe,
    )


def _show_discordance(pairs: tuple[PairedRates, ...]) -> float | None:
    """Give the share of discordant items when all pairs have the same."""
    shares = {round(pair.discordance, 9) for pair in pairs}
    return shares.pop() if len(shares) == 1 else None


def width_answer(request: WidthRequest) -> Answer:
    """Samples for an interval that is narrow enough."""
    if request.width is None:
        message = "How narrow? Give a width such as width=0.04 (--width 0.04)."
        raise RequestError(message)
    if len(request.rates) == 1:
        return _one_width(request, request.width)
    if len(request.rates) > 2 or request.design != "paired":
        message = (
            "A width is planned for one rate, or for the difference of two on common items: give "
            "one rate, or two with design='paired' (--design paired)."
        )
        raise RequestError(message)
    (pair,) = planning.rival_pairs(request.rates, discordance=request.discordance)
    if request.pilot is not None and request.discordance is None:
        (pair,) = planning.pilot_rivals(request.pilot)
    found = planning.paired_width_samples(pair, width=request.width, level=request.confidence)

    def reach(samples: int) -> float:
        first, second = round(samples * pair.only_first), round(samples * pair.only_second)
        rest = samples - first - second
        low, high = uncertainty.tango_interval(rest, first, second, 0, level=request.confidence)
        return high - low

    width = request.width

    def assure(samples: int) -> float:
        return paired_width_assurance(pair, samples, width=width, level=request.confidence)

    safe = assure_samples(found.samples, assure, power=request.power, aim=0.95)
    return Answer(
        goal="width",
        target=request.width,
        samples=found.samples,
        exact=None,
        reached=reach,
        numbers=_around(safe),
        method="Tango's interval at the expected counts",
        discordance=pair.discordance,
        caveats=unknown_discordance(request),
        assured=assure,
        promised=request.power,
        safe=safe,
    )


def _one_width(request: WidthRequest, width: float) -> Answer:
    rate = request.rates[0]
    found = planning.width_samples(rate, width=width, level=request.confidence)
    worst = planning.width_samples(0.5, width=width, level=request.confidence)

    def assure(samples: int) -> float:
        return planning.width_assurance(rate, samples, width=width, level=request.confidence)

    safe = assure_samples(found.samples, assure, power=request.power, aim=0.95)
    return Answer(
        goal="width",
        target=width,
        samples=found.samples,
        exact=found.exact,
        reached=lambda n: planning.wilson_width(rate, n, level=request.confidence),
        assured=assure,
        promised=request.power,
        safe=safe,
        numbers=_around(safe),
        options=options_of([("whatever the rate is", worst.samples, "the rate 0.5 is the worst")]),
        method="Wilson's interval at the assumed rate",
    )


def _around(samples: int | None) -> tuple[int, ...]:
    if samples is None:
        return ()
    return tuple(sorted({max(1, round(samples * part)) for part in (0.25, 0.5, 1, 1.2, 2)}))


def selection_answer(request: SelectRequest) -> Answer:
    """Samples with which the system of most right answers is the best, whatever the rates."""
    systems = len(request.names)
    if request.design == "paired":
        message = (
            "A selection by most right answers is planned for independent items. For common ones "
            "ask question='best' (steelyard plan best)."
        )
        raise RequestError(message)
    delta = _lead(request)
    found = planning.selection_samples(
        systems, delta=delta, confidence=request.confidence, limit=FARTHEST
    )
    samples = found.samples
    if request.delta is None and not request.rates:
        samples = request.samples
    ways = []
    shown = request.samples or samples
    around = {shown // 2, shown, 2 * shown} if shown and systems <= MOST_RESOLVED else set()
    for number in sorted(around):
        if number >= 1:
            lead = planning.selection_resolution(number, systems, confidence=request.confidence)
            ways.append(
                (
                    f"{number:,d} items each",
                    number,
                    f"resolve a lead of {show_rate(_keep_three_digits(lead))}",
                )
            )
    how = "exact binomial sums" if found.exact else "the normal approximation (0 to 3 too few)"
    return Answer(
        goal="probability of correct selection",
        target=request.confidence,
        samples=samples,
        exact=None,
        reached=lambda n: planning.selection_probability(n, systems, delta=delta),
        numbers=tuple(n for n in _around(samples) if n <= 20_000),
        further=lambda target: (
            planning.selection_samples(
                systems, delta=delta, confidence=target, limit=FARTHEST
            ).samples
        ),
        options=options_of(ways),
        delta=delta,
        method=f"the least favourable rates, {how}",
    )


def _lead(request: SelectRequest) -> float:
    """Lead of the best to be found: as given, of the rates, or what the samples resolve."""
    if request.delta is not None:
        return request.delta
    if not request.rates:
        if request.samples is None:
            message = (
                "By how much does the best lead? Give delta=0.02 (--delta 0.02), or samples=500 "
                "(--samples 500) to be told what lead they resolve."
            )
            raise RequestError(message)
        lead = planning.selection_resolution(
            request.samples, len(request.names), confidence=request.confidence
        )
        return _keep_three_digits(lead)
    ranked = sorted(request.rates, reverse=True)
    if len(ranked) < 2 or ranked[0] == ranked[1]:
        message = (
            "By how much does the best lead? Give delta=0.02 (--delta 0.02), or rates whose "
            "best two differ."
        )
        raise RequestError(message)
    return round(ranked[0] - ranked[1], 12)


def _keep_three_digits(lead: float) -> float:
    """Keep three digits, however small the lead; upwards, so that it is resolved all the same."""
    unit = 10.0 ** (floor(log10(lead)) - 2)
    return round(round_up(lead / unit) * unit, 15)


QUESTIONS: Mapping[PlanQuestion, tuple[type[PlanRequest], Callable[[Any], Answer]]] = {
    "best": (PosteriorRequest, posterior_answer),
    "ranking": (PosteriorRequest, posterior_answer),
    "pair": (PairRequest, pair_answer),
    "width": (WidthRequest, width_answer),
    "select": (SelectRequest, selection_answer),
    "area": (AreaRequest, area_answer),
    "kappa": (KappaRequest, kappa_answer),
    "akaike": (AkaikeRequest, akaike_answer),
    "stop": (StopRequest, stop_answer),
}
"""What each question is asked with, and who answers it."""
