"""A planner for each question."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import floor, log10
from typing import Any, TypedDict

from steelyard import planning, uncertainty
from steelyard.errors import RequestError
from steelyard.journey.plans.assured import assure_samples
from steelyard.journey.plans.measures import akaike_answer, area_answer, kappa_answer
from steelyard.journey.plans.pairs import pair_answer, unknown_discordance
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
from steelyard.journey.plans.stopping import stop_answer
from steelyard.planning import PairedRates
from steelyard.planning.rates import PosteriorQuestion, check_rates, check_separable
from steelyard.planning.sizes import round_up
from steelyard.planning.tests.width import paired_width_assurance
from steelyard.results import PlanQuestion
from steelyard.results.plan.words import show_rate

__all__ = ["QUESTIONS"]


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
