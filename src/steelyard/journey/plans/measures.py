"""Planners for areas under ROC curves, for kappa, and for Akaike's criterion."""

from math import sqrt

from steelyard import planning
from steelyard.errors import RequestError
from steelyard.journey.plans.assured import (
    assure_samples,
    assure_width_samples,
    grow_by_power,
)
from steelyard.journey.plans.request import (
    AkaikeRequest,
    Answer,
    AreaRequest,
    KappaRequest,
    PilotAreas,
    PlanRequest,
    options_of,
)
from steelyard.planning import AkaikePlan
from steelyard.planning.sizes import round_up
from steelyard.results import PlanOption

__all__ = ["akaike_answer", "area_answer", "around", "kappa_answer"]

COMMON_CORRELATION = 0.5
EDGE = 0.9999
LIKE_A_TEST = 0.958
"""The normal quantile of this is the root of 3, at which Akaike's criterion says different."""


def area_answer(request: AreaRequest) -> Answer:
    """Items to measure an area, to tell it from a value, or to tell two areas apart."""
    if len(request.rates) > 2:
        message = (
            f"Areas are planned for one system or for two; {len(request.rates)} were given. Plan "
            "for the two that are hardest to tell apart, with alpha over the number of pairs."
        )
        raise RequestError(message)
    if request.width is not None:
        return _area_width(request, request.width)
    if request.areas is not None:
        return _pilot(request, request.areas)
    return _one_area(request) if len(request.rates) == 1 else _two_areas(request)


def _area_width(request: AreaRequest, width: float) -> Answer:
    area = _only(request, "The width of an area")
    found = planning.area_width_samples(
        area, width=width, prevalence=request.prevalence, level=request.confidence
    )
    samples = _within(found.samples)

    def width_at(value: float, items: int) -> float:
        return planning.area_width(
            value, max(items, 2), prevalence=request.prevalence, level=request.confidence
        )

    safe = assure_width_samples(
        samples,
        width_at,
        area,
        width=width,
        level=request.confidence,
        power=request.power,
        room=(0.5, EDGE),
    )
    return Answer(
        goal="width",
        target=width,
        samples=samples,
        exact=None,
        reached=lambda n: width_at(area, n),
        numbers=around(safe),
        method=f"Hanley and McNeil's variance, {request.prevalence:.0%} of the items positive",
        measure="area",
        positives=None if safe is None else round_up(safe * request.prevalence),
        promised=request.power,
        safe=safe,
    )


def _one_area(request: AreaRequest) -> Answer:
    area, null = request.rates[0], 0.5 if request.null is None else request.null

    def size(power: float, variance: planning.AreaVariance = "hanley-mcneil") -> planning.AreaSize:
        return planning.area_samples(
            area,
            null=null,
            prevalence=request.prevalence,
            alpha=request.alpha,
            power=power,
            variance=variance,
        )

    found, binormal = size(request.power), size(request.power, "binormal")
    return Answer(
        goal="power",
        target=request.power,
        samples=_within(found.samples),
        exact=None,
        reached=lambda n: planning.area_power(
            area, n, null=null, prevalence=request.prevalence, alpha=request.alpha
        ),
        size=lambda power: _within(size(power).samples),
        method=_area_method(request),
        options=options_of([("normal scores (binormal)", _within(binormal.samples), None)]),
        measure="area",
        positives=found.positives if _within(found.samples) is not None else None,
    )


NOT_THE_VERDICT = (
    "these are the items of DeLong's test; the verdict on areas allows for one item unseen too and "
    "takes more of them, many more where areas are near 1 and closely correlated: plan on with "
    "more= (--more) once there are scores"
)
UNKNOWN_CORRELATION = (
    "the correlation of the two areas was not given; 0.5 was assumed (give "
    "correlation=, --correlation, or a pilot with scores)"
)


def _two_areas(request: AreaRequest) -> Answer:
    first, second = request.rates
    paired = request.design == "paired"
    shared = COMMON_CORRELATION if request.correlation is None else request.correlation
    used = shared if paired else 0.0

    def size(power: float, correlation: float) -> int | None:
        found = planning.area_difference_samples(
            first,
            second,
            correlation=correlation,
            prevalence=request.prevalence,
            power=power,
            alpha=request.alpha,
        )
        return _within(found.samples)

    samples = size(request.power, used)
    other = size(request.power, 0.0 if paired else COMMON_CORRELATION)
    ways = ("independent items", other, "each system")
    if not paired:
        ways = ("common items, areas correlated by 0.5", other, "in all, not each")
    guessed = paired and request.correlation is None
    return Answer(
        goal="power",
        target=request.power,
        samples=samples,
        exact=None,
        reached=lambda n: planning.area_difference_power(
            first, second, n, correlation=used, prevalence=request.prevalence, alpha=request.alpha
        ),
        size=lambda power: size(power, used),
        method=f"{_area_method(request)}, areas correlated by {used:g}",
        options=options_of([ways]),
        measure="area",
        positives=None if samples is None else round(samples * request.prevalence),
        caveats=(NOT_THE_VERDICT, *([UNKNOWN_CORRELATION] if guessed else [])),
    )


def _pilot(request: AreaRequest, seen: PilotAreas) -> Answer:
    """Two areas whose difference and its variance a pilot showed."""

    def size(power: float) -> int | None:
        return _within(
            planning.scaled_area_samples(
                seen.difference, seen.variance, tested=seen.tested, power=power, alpha=request.alpha
            )
        )

    samples = size(request.power)
    return Answer(
        goal="power",
        target=request.power,
        samples=samples,
        exact=None,
        reached=lambda n: planning.scaled_area_power(
            seen.difference, seen.variance, n, tested=seen.tested, alpha=request.alpha
        ),
        size=size,
        method=f"DeLong's variance of the pilot's difference, alpha {request.alpha:g}",
        measure="area",
        caveats=(NOT_THE_VERDICT,),
        positives=None if samples is None else round(samples * request.prevalence),
    )


def _area_method(request: AreaRequest) -> str:
    share = f"{request.prevalence:.0%} of the items positive"
    return f"Hanley and McNeil's variance, two-sided alpha {request.alpha:g}, {share}"


def kappa_answer(request: KappaRequest) -> Answer:
    """Items to measure a kappa, or to tell it from a value."""
    kappa = _only(request, "Kappa")
    if request.width is not None:
        return _kappa_width(request, kappa, request.width)
    if request.null is None:
        message = (
            "Which kappa is it compared with? Give null=0.4 (--null 0.4), or a width of its "
            "interval such as width=0.2 (--width 0.2)."
        )
        raise RequestError(message)
    null = request.null

    def size(power: float) -> int | None:
        return _within(
            planning.kappa_samples(
                kappa, null=null, prevalence=request.prevalence, power=power, alpha=request.alpha
            )
        )

    return Answer(
        goal="power",
        target=request.power,
        samples=size(request.power),
        exact=None,
        reached=lambda n: planning.kappa_power(
            kappa, n, null=null, prevalence=request.prevalence, alpha=request.alpha
        ),
        size=size,
        method=(
            f"Donner and Eliasziw's test, two raters and two classes, {request.prevalence:.0%} of "
            f"the first, two-sided alpha {request.alpha:g}"
        ),
        measure="kappa",
    )


def _kappa_width(request: KappaRequest, kappa: float, width: float) -> Answer:
    known = {"prevalence": request.prevalence, "level": request.confidence}
    samples = _within(planning.kappa_width_samples(kappa, width=width, **known))
    safe = assure_width_samples(
        samples,
        lambda value, items: planning.kappa_width(value, items, **known),
        kappa,
        width=width,
        level=request.confidence,
        power=request.power,
        room=(-EDGE, EDGE),
    )
    return Answer(
        goal="width",
        target=width,
        samples=samples,
        exact=None,
        reached=lambda n: planning.kappa_width(kappa, n, **known),
        promised=request.power,
        safe=safe,
        numbers=around(safe),
        method=f"Bloch and Kraemer's variance, {request.prevalence:.0%} of the first class",
        measure="kappa",
    )


TOTALS = (
    "of totals alone the verdict is that of the test over every overlap, not of the criterion: the "
    "criterion would say different from fewer items on, and of equal systems more often than not "
    "when items are many"
)


def akaike_answer(request: AkaikeRequest) -> Answer:
    """Items until Akaike's criterion calls two rates different, in three designs."""
    if len(request.rates) != 2:
        message = f"Akaike's plan is for two systems; {len(request.rates)} rates were given."
        raise RequestError(message)
    first, second = request.rates
    plan = planning.akaike_plan(first, second, both=_share(request))
    paired = request.design == "paired"
    chosen = plan.complete if paired else plan.independent
    if chosen.different is None:
        message = (
            f"Both rates are {first:g}: the criterion calls them the same at every size. Give the "
            f"smallest difference that matters, such as {first:g} and {first - 0.01:.4g}."
        )
        raise RequestError(message, code="equal-rates")
    ways: list[tuple[str, int | None, str | None]] = [
        (f"{name}: different from", size.different, f"same up to {size.same_up_to:,d}")
        for name, size in (
            ("common items, n3 counted", plan.complete),
            ("independent items", plan.independent),
        )
    ]
    if plan.bounded is not None and plan.complete.different is not None:
        saved = max(plan.bounded - plan.complete.different, 0)
        ways.append(
            ("saved by counting n3", saved, f"{saved / plan.bounded:.0%} of the common items")
        )
    samples = _within(chosen.different)

    def assure(items: int) -> float:
        return planning.akaike_power(first, second, items, both=plan.both)

    if paired:
        safe = assure_samples(samples, assure, power=request.power, aim=LIKE_A_TEST)
    else:
        # The criterion is a likelihood-ratio test that rejects at a chi-square of 3.
        safe = (
            None
            if samples is None
            else grow_by_power(samples, threshold=sqrt(3), power=request.power)
        )
        safe = None if safe is None else _within(safe)
    return Answer(
        goal="Akaike difference",
        target=1.0,
        samples=samples,
        exact=None,
        reached=lambda n: planning.akaike_difference(
            first, second, n, design=chosen.design, both=plan.both if paired else None
        ),
        assured=assure if paired else None,
        promised=request.power,
        safe=safe,
        numbers=around(safe),
        method="the expected difference of the criteria at the assumed rates",
        options=(_by_totals(plan), *options_of(ways)),
        caveats=(TOTALS,),
        both=plan.both if paired else None,
    )


def _by_totals(plan: AkaikePlan) -> PlanOption:
    """Give the items of the verdict on totals, and what the criterion alone would take."""
    alone = plan.incomplete.different
    note = "" if alone is None else f"criterion alone {alone:,d}"
    if plan.bounded is None:
        note = f"over {planning.LIMIT:,d}; {note}" if note else f"over {planning.LIMIT:,d}"
    return PlanOption(
        name="common, totals only: verdict from", samples=plan.bounded, note=note or None
    )


def _share(request: AkaikeRequest) -> float | None:
    """Share of items both have right, however it was said."""
    if request.both is not None:
        return request.both
    if request.pilot is not None and request.discordance is None:
        table = request.pilot.pair(*request.names[:2])
        return table.both / table.total
    if request.discordance is not None:
        return (sum(request.rates) - request.discordance) / 2
    return None


def _only(request: PlanRequest, what: str) -> float:
    if len(request.rates) != 1:
        message = f"{what} is planned for one system; {len(request.rates)} numbers were given."
        raise RequestError(message)
    return request.rates[0]


def _within(samples: int) -> int | None:
    return samples if samples <= planning.LIMIT else None


def around(samples: int | None) -> tuple[int, ...]:
    """Choose numbers of samples about the answer, to be shown beside it."""
    if samples is None:
        return ()
    return tuple(sorted({max(2, round(samples * part)) for part in (0.25, 0.5, 1, 1.2, 2)}))
