"""The planner of tests: are two systems different, or the same within a margin?"""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations

from steelyard import planning
from steelyard.errors import RequestError, counted
from steelyard.journey.plans.request import Answer, PairRequest, RivalsRequest, options_of
from steelyard.planning import PairedRates
from steelyard.planning.sizes import round_up

__all__ = ["choose_pair", "pair_answer", "unknown_discordance"]

Ways = list[tuple[str, int | None, str | None]]

SHARES = {
    "shaffer": "Shaffer's shares of",
    "bonferroni": "Bonferroni's share of",
    "none": "the full, unadjusted",
}

NEARLY = 0.6
"""Pairs that need less than this share of what the hardest needs never have the least power."""

MOST_DISCORDANT = 4000
"""Stopping rules are carried along the walk up to so many discordant items."""


def pair_answer(request: PairRequest) -> Answer:
    """Samples with which the test has its power: for two systems, or for every two of several."""
    if len(request.rates) < 2:
        message = (
            f"{counted(len(request.rates), 'rate')} given; a test compares two systems or more: "
            "rates=[0.94, 0.90] (--rates 0.94,0.90). For one rate ask for the width of its "
            "interval: question='width', width=0.04 (steelyard plan width --width 0.04)."
        )
        raise RequestError(message)
    if request.margin is not None:
        return _equivalent(request)
    if len(request.rates) > 2:
        return _several(request)
    return _two_common(request) if request.design == "paired" else _two_apart(request)


def _two_common(request: PairRequest) -> Answer:
    rates = choose_pair(request)
    found = planning.paired_samples(rates, power=request.power, alpha=request.alpha)
    exact = planning.paired_samples(rates, power=request.power, alpha=request.alpha, method="exact")
    ways: Ways = [
        ("exact McNemar test", exact.samples, "never errs above alpha"),
        ("Connor's formula", found.connor, "too few for the exact test"),
    ]
    if request.discordance is None and request.pilot is None:
        ways += _range(request)
    apart = planning.independent_samples(*request.rates, power=request.power, alpha=request.alpha)
    ways.append(("independent items", apart.samples, "each system"))
    both = (sum(request.rates) - rates.discordance) / 2
    akaike = planning.akaike_samples(*request.rates, both=both)
    ways.append(("Akaike criterion says different", akaike.different, "in half of the tests"))
    if request.question != "stop":  # there these rules stand in a table of their own
        ways += _sequential(rates, found.samples, request.alpha)
    return Answer(
        goal="power",
        target=request.power,
        samples=found.samples,
        exact=None,
        reached=lambda n: planning.paired_power(rates, n, alpha=request.alpha).power,
        size=lambda power: planning.paired_samples(rates, power=power, alpha=request.alpha).samples,
        method=(
            "exact unconditional power of the two-sided mid-p McNemar test, "
            f"alpha {request.alpha:g}"
        ),
        options=options_of(ways),
        discordance=rates.discordance,
        caveats=unknown_discordance(request),
        pairs=((rates, request.alpha),),
    )


def _sequential(rates: PairedRates, samples: int | None, alpha: float) -> Ways:
    """Items that stopping rules use on average, where the walk is short enough to carry."""
    if samples is None or 4 * samples * rates.discordance > MOST_DISCORDANT or rates.win <= 0.5:
        return []
    cap = 4 * samples
    rules = (
        ("e-process, any look", planning.StoppingRule(rule="e-process", alpha=alpha)),
        ("double sequential test", planning.DoubleRule(win=min(rates.win, 0.99), alpha=alpha)),
    )
    ways: Ways = []
    for name, rule in rules:
        found = planning.stopping_properties(rule, rates, cap=cap)
        note = f"on average; 95th percentile {found.late:,d}; power {found.right:.2f}"
        ways.append((name, round(found.expected), note))
    return ways


def _range(request: PairRequest) -> Ways:
    allowed = planning.discordance_range(*request.rates)
    ways: Ways = []
    for name, share in (("lowest", allowed.low), ("highest", allowed.high)):
        pair = planning.paired_rates(*request.rates, discordance=share)
        size = planning.paired_samples(pair, power=request.power, alpha=request.alpha)
        ways.append((f"{name} discordance possible", size.samples, f"{share:.1%} discordant"))
    return ways


def _each_part(request: PairRequest, samples: int | None) -> Ways:
    """Items of each system where they are not to be as many."""
    if request.shares is None or samples is None:
        return []
    return [
        (f"items of {name}", round_up(samples * share), "its part of the plan")
        for name, share in zip(request.names, request.shares, strict=True)
    ]


def _two_apart(request: PairRequest) -> Answer:
    first, second = request.rates
    shares = (1.0, 1.0) if request.shares is None else (request.shares[0], request.shares[1])
    sized = partial(planning.independent_samples, first, second, alpha=request.alpha, shares=shares)
    powered = partial(planning.independent_power, first, second, alpha=request.alpha, shares=shares)
    found = sized(power=request.power)
    share = planning.discordance_range(first, second).unrelated
    pair = planning.paired_rates(first, second, discordance=share)
    common = planning.paired_samples(pair, power=request.power, alpha=request.alpha)
    akaike = planning.akaike_samples(first, second, design="independent")
    return Answer(
        goal="power",
        target=request.power,
        samples=found.samples,
        exact=None,
        reached=lambda n: powered(n).power,
        size=lambda power: sized(power=power).samples,
        method=f"exact power of the two-sided score test, alpha {request.alpha:g}",
        options=options_of(
            [
                *_each_part(request, found.samples),
                ("normal approximation", found.approximate, None),
                ("common items, unrelated errors", common.samples, "in all, not each"),
                ("Akaike criterion says different", akaike.different, "in half of the tests"),
            ]
        ),
    )


def _several(request: PairRequest) -> Answer:
    """Every two of several systems, each pair at its share of alpha."""
    if request.design == "paired":
        return _several_common(request)
    found = planning.all_pairs_samples(
        request.rates, power=request.power, alpha=request.alpha, multiplicity=request.multiplicity
    )
    needed = {(pair.first, pair.second): pair.samples for pair in found.pairs}
    shares = planning.pair_alphas(
        request.rates, alpha=request.alpha, multiplicity=request.multiplicity
    )
    hard = _hardest(needed)

    def reach(samples: int) -> float:
        return min(
            planning.independent_power(
                request.rates[i], request.rates[j], samples, alpha=shares[i, j]
            ).power
            for i, j in hard
        )

    def further(power: float) -> int | None:
        i, j = hard[0]
        first, second = request.rates[i], request.rates[j]
        return planning.independent_samples(first, second, power=power, alpha=shares[i, j]).samples

    return Answer(
        goal="power",
        target=request.power,
        samples=found.samples,
        exact=None,
        reached=reach,
        numbers=_parts(found.samples),
        further=further,
        method=(
            f"exact power of score tests at {SHARES[request.multiplicity]} alpha "
            f"{request.alpha:g}; the power is that of the hardest pair"
        ),
    )


def _several_common(request: PairRequest) -> Answer:
    shares = planning.pair_alphas(
        request.rates, alpha=request.alpha, multiplicity=request.multiplicity
    )
    pairs = {
        (i, j): choose_pair(request, i, j) for i, j in combinations(range(len(request.rates)), 2)
    }

    def size(one: tuple[int, int], power: float) -> int | None:
        return planning.paired_samples(pairs[one], power=power, alpha=shares[one]).samples

    likely = _likely(pairs, shares, request)
    hard = _hardest({one: size(one, request.power) for one in likely})

    def reach(samples: int) -> float:
        return min(
            planning.paired_power(pairs[one], samples, alpha=shares[one]).power for one in hard
        )

    samples = size(hard[0], request.power)
    return Answer(
        goal="power",
        target=request.power,
        samples=samples,
        exact=None,
        reached=reach,
        numbers=_parts(samples),
        further=lambda power: size(hard[0], power),
        method=(
            f"exact power of mid-p McNemar tests at {SHARES[request.multiplicity]} alpha "
            f"{request.alpha:g}; the power is that of the hardest pair"
        ),
        caveats=unknown_discordance(request),
        pairs=tuple((pairs[one], shares[one]) for one in hard),
    )


def _likely(
    pairs: Mapping[tuple[int, int], PairedRates],
    shares: Mapping[tuple[int, int], float],
    request: PairRequest,
) -> list[tuple[int, int]]:
    """Keep the pairs that may be the hardest, by Connor's formula."""
    rough = {
        one: planning.connor_samples(pairs[one], power=request.power, alpha=shares[one])
        for one in pairs
    }
    return [one for one in pairs if rough[one] >= NEARLY * max(rough.values())]


def _hardest(needed: Mapping[tuple[int, int], int | None]) -> list[tuple[int, int]]:
    """List the pairs that need most, the hardest first; beyond the limit is hardest of all."""
    size = {
        one: planning.LIMIT + 1 if samples is None else samples for one, samples in needed.items()
    }
    most = max(size.values())
    near = [one for one in size if size[one] >= NEARLY * most]
    return sorted(near, key=lambda one: -size[one])


def _equivalent(request: PairRequest) -> Answer:
    if len(request.rates) != 2 or request.margin is None:
        message = f"A margin is for two systems; {len(request.rates)} rates were given."
        raise RequestError(message)
    paired = request.design == "paired"
    rates = choose_pair(request) if paired else None
    size, reached = _show_within(request, request.margin, rates)
    samples = size(request.power)
    test = "Tango's score tests" if paired else "Farrington and Manning's score tests"
    both = request.claim == "equivalent"
    sides = "two one-sided tests" if both else "a one-sided test"
    return Answer(
        goal="power",
        target=request.power,
        samples=samples,
        exact=None,
        reached=reached,
        numbers=_parts(samples),
        further=size,
        method=f"exact power of {sides}, {test}, alpha {request.alpha:g}{' each' if both else ''}",
        discordance=None if rates is None else rates.discordance,
        caveats=unknown_discordance(request) if paired else (),
        pairs=() if rates is None else ((rates, request.alpha),),
    )


def _show_within(
    request: PairRequest, margin: float, rates: PairedRates | None
) -> tuple[Callable[[float], int | None], Callable[[int], float]]:
    """Give the samples for a power, and the power of samples, to show the claim."""
    claim, alpha = request.claim, request.alpha
    if rates is not None:
        return (
            lambda power: (
                planning.paired_equivalence_samples(
                    rates, margin=margin, claim=claim, power=power, alpha=alpha
                ).samples
            ),
            lambda n: planning.paired_equivalence_power(
                rates, n, margin=margin, claim=claim, alpha=alpha
            ),
        )
    first, second = request.rates
    return (
        lambda power: (
            planning.equivalence_samples(
                first, second, margin=margin, claim=claim, power=power, alpha=alpha
            ).samples
        ),
        lambda n: planning.equivalence_power(
            first, second, n, margin=margin, claim=claim, alpha=alpha
        ),
    )


def choose_pair(request: PairRequest, i: int = 0, j: int = 1) -> PairedRates:
    """Give the chances of two systems on common items, from a pilot or from what was said."""
    if request.pilot is not None and request.discordance is None:
        return planning.pilot_rates(request.pilot.pair(request.names[i], request.names[j]))
    first, second = request.rates[i], request.rates[j]
    allowed = planning.discordance_range(first, second)
    share = allowed.unrelated if request.discordance is None else request.discordance
    if len(request.rates) > 2:
        share = max(share, allowed.low)
    return planning.paired_rates(first, second, discordance=share)


def unknown_discordance(request: RivalsRequest) -> tuple[str, ...]:
    """Say what was supposed when nobody said how often the systems disagree."""
    if request.discordance is not None or request.pilot is not None:
        return ()
    return (
        "how often exactly one of two is right was not given; the systems were assumed to err "
        "independently of one another, and systems that agree need fewer items (give a "
        "discordance, or a pilot)",
    )


def _parts(samples: int | None) -> tuple[int, ...]:
    if samples is None:
        return ()
    return tuple(sorted({max(1, round(samples * part)) for part in (0.25, 0.5, 1, 1.5)}))
