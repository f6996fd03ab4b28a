"""A planner for each question."""

from collections.abc import Callable, Sequence
from functools import cache
from math import ceil, floor, log10
from typing import TypedDict

from steelyard.errors import RequestError
from steelyard.journey.plans.assured import assured_samples
from steelyard.journey.plans.measures import akaike_answer, area_answer, kappa_answer
from steelyard.journey.plans.pairs import pair_answer, unknown_discordance
from steelyard.journey.plans.request import Answer, Wish, options_of
from steelyard.journey.plans.stops import stop_answer
from steelyard.planning import (
    Assurance,
    PairedRates,
    paired_assurance,
    paired_confidence,
    paired_posterior_samples,
    paired_width_samples,
    pilot_assurance,
    pilot_rivals,
    posterior_assurance,
    posterior_confidence,
    posterior_samples,
    rival_pairs,
    selection_probability,
    selection_resolution,
    selection_samples,
    width_assurance,
    width_samples,
    wilson_width,
)
from steelyard.planning.rates import PosteriorQuestion, check_separable
from steelyard.planning.tests.width import paired_width_assurance
from steelyard.results import PlanQuestion
from steelyard.results.plan import show_rate
from steelyard.uncertainty import tango_interval

__all__ = ["PLANNERS"]

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


def posterior_answer(wish: Wish) -> Answer:
    """Samples until the posterior names the best, or the ranking, with the confidence."""
    question: PosteriorQuestion = "best" if wish.question == "best" else "ranking"
    check_separable(wish.rates, question)
    if wish.design == "paired":
        return _common(wish, question)
    given: _Given = {"question": question, "priors": wish.priors, "shares": wish.shares}
    found = posterior_samples(wish.rates, wish.confidence, **given)

    @cache
    def assured(samples: int) -> Assurance:
        return posterior_assurance(
            wish.rates,
            samples,
            confidence=wish.confidence,
            rng=wish.rng(),
            draws=DRAWS,
            **given,
        )

    plain = wish.confidence > 0.5
    simulated = len(wish.rates) > 2 or wish.priors is not None or wish.shares is not None
    ways: list[tuple[str, int | None, str | None]] = [
        ("the rates show themselves exactly", found.samples, "He and Fu's; half of tests do")
    ]
    if question == "ranking" and len(wish.rates) <= MOST_PRODUCT:
        product = posterior_samples(
            wish.rates, wish.confidence, question="ranking", method="product"
        )
        ways.append(
            ("product of the published tables", product.samples, "too few; an approximation")
        )
    pairs = rival_pairs(wish.rates, question=question)
    common = paired_posterior_samples(pairs, wish.confidence)
    ways.append(("common items, unrelated errors", common.samples, "in all, not each"))
    safe = None
    if plain:
        safe = assured_samples(
            found.samples, assured, power=wish.power, aim=wish.confidence, simulated=simulated
        )
    lead = safe if plain else found.samples
    if wish.shares is not None and lead is not None:
        ways += [
            (f"items of {name}", ceil(lead * share), "its part of the plan")
            for name, share in zip(wish.names, wish.shares, strict=True)
        ]
    return Answer(
        goal="confidence",
        target=wish.confidence,
        samples=found.samples,
        exact=found.exact,
        reached=lambda n: posterior_confidence(wish.rates, n, **given),
        size=lambda target: posterior_samples(wish.rates, target, **given).samples,
        assured=assured if plain else None,
        method="exact Beta posteriors at the rates supposed, independent test sets",
        options=options_of(ways),
        promised=wish.power if plain else None,
        safe=safe,
    )


def _common(wish: Wish, question: PosteriorQuestion) -> Answer:
    if wish.priors is not None or wish.shares is not None:
        message = (
            "Priors and shares of single systems are for independent items; leave them out here."
        )
        raise RequestError(message)
    pilot = wish.pilot
    if pilot is not None and wish.discordance is None:
        pairs = pilot_rivals(pilot, question=question)
    else:
        pairs = rival_pairs(wish.rates, question=question, discordance=wish.discordance)
    found = paired_posterior_samples(pairs, wish.confidence)

    @cache
    def assured(samples: int) -> Assurance:
        if pilot is not None and len(pairs) > 1 and question == "best":
            return pilot_assurance(
                pilot, samples, confidence=wish.confidence, rng=wish.rng(), draws=DRAWS
            )
        return paired_assurance(pairs, samples, confidence=wish.confidence)

    plain = wish.confidence > 0.5
    ways: list[tuple[str, int | None, str | None]] = [
        ("the counts show themselves exactly", found.samples, "half of tests do")
    ]
    safe = None
    if plain:
        simulated = pilot is not None and len(pairs) > 1 and question == "best"
        safe = assured_samples(
            found.samples, assured, power=wish.power, aim=wish.confidence, simulated=simulated
        )
    apart = posterior_samples(wish.rates, wish.confidence, question=question)
    ways.append(("independent items", apart.samples, "each system"))
    several = len(pairs) > 1
    bound = " (a lower bound, from the pairs)" if several else ""
    return Answer(
        goal="confidence",
        target=wish.confidence,
        samples=found.samples,
        exact=found.exact,
        reached=lambda n: paired_confidence(pairs, n),
        size=lambda target: paired_posterior_samples(pairs, target).samples,
        assured=assured if plain else None,
        method=f"the joint posterior at the chances supposed, common items{bound}",
        options=options_of(ways),
        discordance=_shown_discordance(pairs),
        bound=several,
        caveats=unknown_discordance(wish),
        promised=wish.power if plain else None,
        safe=safe,
    )


def _shown_discordance(pairs: tuple[PairedRates, ...]) -> float | None:
    """Give the share of discordant items when all pairs have the same."""
    shares = {round(pair.discordance, 9) for pair in pairs}
    return shares.pop() if len(shares) == 1 else None


def width_answer(wish: Wish) -> Answer:
    """Samples for an interval that is narrow enough."""
    if wish.width is None:
        message = "How narrow? Give a width such as width=0.04 (--width 0.04)."
        raise RequestError(message)
    if len(wish.rates) == 1:
        return _one_width(wish, wish.width)
    if len(wish.rates) > 2 or wish.design != "paired":
        message = (
            "A width is planned for one rate, or for the difference of two on common items: give "
            "one rate, or two with design='paired' (--design paired)."
        )
        raise RequestError(message)
    (pair,) = rival_pairs(wish.rates, discordance=wish.discordance)
    if wish.pilot is not None and wish.discordance is None:
        (pair,) = pilot_rivals(wish.pilot)
    found = paired_width_samples(pair, width=wish.width, level=wish.confidence)

    def reached(samples: int) -> float:
        first, second = round(samples * pair.only_first), round(samples * pair.only_second)
        rest = samples - first - second
        low, high = tango_interval(rest, first, second, 0, level=wish.confidence)
        return high - low

    width = wish.width

    def assured(samples: int) -> float:
        return paired_width_assurance(pair, samples, width=width, level=wish.confidence)

    safe = assured_samples(found.samples, assured, power=wish.power, aim=0.95)
    return Answer(
        goal="width",
        target=wish.width,
        samples=found.samples,
        exact=None,
        reached=reached,
        numbers=_around(safe),
        method="Tango's interval at the expected counts",
        discordance=pair.discordance,
        caveats=unknown_discordance(wish),
        assured=assured,
        promised=wish.power,
        safe=safe,
    )


def _one_width(wish: Wish, width: float) -> Answer:
    rate = wish.rates[0]
    found = width_samples(rate, width=width, level=wish.confidence)
    worst = width_samples(0.5, width=width, level=wish.confidence)

    def assured(samples: int) -> float:
        return width_assurance(rate, samples, width=width, level=wish.confidence)

    safe = assured_samples(found.samples, assured, power=wish.power, aim=0.95)
    return Answer(
        goal="width",
        target=width,
        samples=found.samples,
        exact=found.exact,
        reached=lambda n: wilson_width(rate, n, level=wish.confidence),
        assured=assured,
        promised=wish.power,
        safe=safe,
        numbers=_around(safe),
        options=options_of([("whatever the rate is", worst.samples, "the rate 0.5 is the worst")]),
        method="Wilson's interval at the rate supposed",
    )


def _around(samples: int | None) -> tuple[int, ...]:
    if samples is None:
        return ()
    return tuple(sorted({max(1, round(samples * part)) for part in (0.25, 0.5, 1, 1.2, 2)}))


def selection_answer(wish: Wish) -> Answer:
    """Samples with which the system of most right answers is the best, whatever the rates."""
    systems = len(wish.names)
    if wish.design == "paired":
        message = (
            "A selection by most right answers is planned for independent items. For common ones "
            "ask question='best' (--question best)."
        )
        raise RequestError(message)
    delta = _lead(wish)
    found = selection_samples(systems, delta=delta, confidence=wish.confidence, limit=FARTHEST)
    samples = found.samples
    if wish.delta is None and not wish.rates:
        samples = wish.samples
    ways = []
    shown = wish.samples or samples
    around = {shown // 2, shown, 2 * shown} if shown and systems <= MOST_RESOLVED else set()
    for number in sorted(around):
        if number >= 1:
            lead = selection_resolution(number, systems, confidence=wish.confidence)
            ways.append(
                (
                    f"{number:,d} items each",
                    number,
                    f"resolve a lead of {show_rate(_rounded_up(lead))}",
                )
            )
    how = "exact binomial sums" if found.exact else "the normal approximation (0 to 3 too few)"
    return Answer(
        goal="probability of correct selection",
        target=wish.confidence,
        samples=samples,
        exact=None,
        reached=lambda n: selection_probability(n, systems, delta=delta),
        numbers=tuple(n for n in _around(samples) if n <= 20_000),
        further=lambda target: (
            selection_samples(systems, delta=delta, confidence=target, limit=FARTHEST).samples
        ),
        options=options_of(ways),
        delta=delta,
        method=f"the least favourable rates, {how}",
    )


def _lead(wish: Wish) -> float:
    """Lead of the best to be found: as given, of the rates, or what the samples resolve."""
    if wish.delta is not None:
        return wish.delta
    if not wish.rates:
        if wish.samples is None:
            message = (
                "By how much does the best lead? Give delta=0.02 (--delta 0.02), or samples=500 "
                "(--samples 500) to be told what lead they resolve."
            )
            raise RequestError(message)
        lead = selection_resolution(wish.samples, len(wish.names), confidence=wish.confidence)
        return _rounded_up(lead)
    ranked = sorted(wish.rates, reverse=True)
    if len(ranked) < 2 or ranked[0] == ranked[1]:
        message = (
            "By how much does the best lead? Give delta=0.02 (--delta 0.02), or rates whose "
            "best two differ."
        )
        raise RequestError(message)
    return round(ranked[0] - ranked[1], 12)


def _rounded_up(lead: float) -> float:
    """Keep three digits, however small the lead; upwards, so that it is resolved all the same."""
    unit = 10.0 ** (floor(log10(lead)) - 2)
    return round(ceil(lead / unit - 1e-9) * unit, 15)


PLANNERS: dict[PlanQuestion, Callable[[Wish], Answer]] = {
    "best": posterior_answer,
    "ranking": posterior_answer,
    "pair": pair_answer,
    "width": width_answer,
    "select": selection_answer,
    "area": area_answer,
    "kappa": kappa_answer,
    "akaike": akaike_answer,
    "stop": stop_answer,
}
