"""What a plan is asked for, and how the answer is put together."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from steelyard import planning
from steelyard.counts import Outcomes
from steelyard.planning import Assurance, MarginClaim, Multiplicity, PairedRates
from steelyard.results import (
    Plan,
    PlanDesign,
    PlanGoal,
    PlanMeasure,
    PlannedRule,
    PlannedSystem,
    PlanOption,
    PlanQuestion,
    PlanStep,
    Provenance,
)

__all__ = [
    "AkaikeRequest",
    "Answer",
    "AreaRequest",
    "KappaRequest",
    "PairRequest",
    "PilotAreas",
    "PlanRequest",
    "PosteriorRequest",
    "RivalsRequest",
    "SelectRequest",
    "StopRequest",
    "WidthRequest",
    "assemble_plan",
    "options_of",
]

MARKS = (0.5, 0.8, 0.9, 0.95, 0.99)
"""Confidences and powers that the table shows beside the one asked for."""

ROUND_NUMBERS = (1_000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotAreas:
    """The difference of two areas as a pilot showed it, and its variance after ``tested`` items."""

    difference: float
    variance: float
    tested: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """What every question of a plan has; the door has checked the numbers."""

    question: PlanQuestion
    design: PlanDesign
    names: tuple[str, ...]
    rates: tuple[float, ...]
    provenance: Provenance
    pilot: Outcomes | None
    samples: int | None
    cost_per_sample: float | None
    cluster_size: float | None
    trials: int | None
    icc: float | None
    seed: int

    def rng(self) -> np.random.Generator:
        """Start the recorded sequence of random numbers."""
        return np.random.default_rng(self.seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class RivalsRequest(PlanRequest):
    """Systems that may be right together: how often exactly one of two is."""

    discordance: float | None
    power: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PosteriorRequest(RivalsRequest):
    """``best`` and ``ranking``: until the posterior is so sure."""

    confidence: float
    priors: tuple[tuple[float, float], ...] | None
    shares: tuple[float, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRequest(RivalsRequest):
    """``pair``: a test of two systems, or of every two, or of a margin between two."""

    alpha: float
    margin: float | None
    claim: MarginClaim
    multiplicity: Multiplicity
    shares: tuple[float, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRequest(PairRequest):
    """``stop``: the same test, looked at while it runs."""

    confidence: float
    every: int
    cap: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WidthRequest(RivalsRequest):
    """``width``: an interval that is narrow enough."""

    confidence: float
    width: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AkaikeRequest(RivalsRequest):
    """``akaike``: until the criterion calls two rates different."""

    both: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectRequest(PlanRequest):
    """``select``: the best by most right answers, whatever the rates."""

    confidence: float
    delta: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KappaRequest(PlanRequest):
    """``kappa``: agreement of two raters, measured or told from a value."""

    confidence: float
    alpha: float
    power: float
    width: float | None
    null: float | None
    prevalence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaRequest(KappaRequest):
    """``area``: an area under a ROC curve, measured, told from a value or from another."""

    correlation: float | None
    areas: PilotAreas | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a planner found: the samples, the curve, and other ways.

    ``size`` finds the samples for another target (``further`` too, where it takes too long to ask
    more than once), ``reached`` what a number of samples reaches,
    ``assured`` how often a real test gets there, or at least does if ``bound``. Where ``samples``
    get there only when the test shows exactly what was supposed, as about half of real ones do,
    ``safe`` are those with which a share ``promised`` of them gets there. ``pairs`` on common items
    are those whose tests decide, the hardest first, each with its alpha.
    """

    goal: PlanGoal
    target: float
    samples: int | None
    exact: float | None
    reached: Callable[[int], float]
    method: str
    size: Callable[[float], int | None] | None = None
    further: Callable[[float], int | None] | None = None
    assured: Callable[[int], Assurance | float] | None = None
    numbers: tuple[int, ...] = ()
    options: tuple[PlanOption, ...] = ()
    discordance: float | None = None
    delta: float | None = None
    bound: bool = False
    caveats: tuple[str, ...] = ()
    measure: PlanMeasure = "rate"
    both: float | None = None
    positives: int | None = None
    clusters: int | None = None
    trials: int | None = None
    rules: tuple[PlannedRule, ...] = ()
    promised: float | None = None
    safe: int | None = None
    pairs: tuple[tuple[PairedRates, float], ...] = ()


def assemble_plan(request: PlanRequest, answer: Answer, caveats: tuple[str, ...] = ()) -> Plan:
    """Put the answer together: the steps about it, the price of one more point, the costs."""
    numbers = _numbers(answer)
    margin: float | None = getattr(request, "margin", None)
    return Plan(
        question=request.question,
        goal=answer.goal,
        design=request.design,
        systems=tuple(
            PlannedSystem(system=name, rate=rate)
            for name, rate in zip(
                request.names, request.rates or (None,) * len(request.names), strict=True
            )
        ),
        target=answer.target,
        samples=answer.samples if answer.promised is None else answer.safe,
        exact_samples=answer.exact,
        limit=planning.LIMIT,
        asked=None if request.samples is None else _step(request, answer, request.samples),
        steps=tuple(_step(request, answer, samples) for samples in numbers),
        assurance_bound=answer.bound,
        next_point=_next_point(answer),
        options=answer.options,
        more=(),
        tested=None,
        method=answer.method,
        level=getattr(request, "confidence", None) if answer.goal == "width" else None,
        alpha=getattr(request, "alpha", None) if answer.goal == "power" else None,
        margin=margin,
        delta=answer.delta,
        discordance=answer.discordance,
        cost_per_sample=request.cost_per_sample,
        provenance=request.provenance,
        caveats=(*answer.caveats, *caveats),
        measure=answer.measure,
        null=getattr(request, "null", None),
        both=answer.both,
        positives=answer.positives,
        clusters=answer.clusters,
        trials=answer.trials,
        claim=None if margin is None else getattr(request, "claim", None),
        shares=getattr(request, "shares", None) or (),
        rules=answer.rules,
        assurance=answer.promised,
        typical_samples=None if answer.promised is None else answer.samples,
    )


def _numbers(answer: Answer) -> list[int]:
    """Choose the numbers of samples to show."""
    found: set[int | None] = set(answer.numbers)
    if answer.size is not None:
        least = 0.5 if answer.goal == "power" else 0.8
        found |= {answer.size(mark) for mark in MARKS if mark >= least}
    found |= {answer.samples, answer.safe}
    known = sorted(number for number in found if number is not None and number >= 1)
    return known or list(ROUND_NUMBERS)


def _step(request: PlanRequest, answer: Answer, samples: int) -> PlanStep:
    assured = None if answer.assured is None else answer.assured(samples)
    share, error = assured, None
    if isinstance(assured, Assurance):
        share, error = assured.right, assured.error if assured.draws else None
    assert not isinstance(share, Assurance)
    systems = len(request.names) if request.design == "independent" else 1
    cost = request.cost_per_sample
    return PlanStep(
        samples=samples,
        reached=answer.reached(samples),
        assurance=share,
        assurance_error=error,
        cost=None if cost is None else cost * samples * systems * (answer.trials or 1),
    )


def _next_point(answer: Answer) -> int | None:
    size = answer.size or answer.further
    if size is None or answer.samples is None or answer.target + 0.01 >= 1:
        return None
    further = size(answer.target + 0.01)
    if further is None:
        return None
    if answer.promised is None or answer.safe is None:
        return further - answer.samples
    # What is added for the chance to get there shrinks as the aim grows.
    add = float(ndtri(answer.promised))
    here, there = (float(ndtri(aim)) for aim in (answer.target, answer.target + 0.01))
    grown = further * ((there + add) / there) ** 2 / ((here + add) / here) ** 2
    return max(0, round(answer.safe * grown / answer.samples) - answer.safe)


def options_of(named: Iterable[tuple[str, int | None, str | None]]) -> tuple[PlanOption, ...]:
    """List other ways; one that takes too many samples says so."""
    return tuple(
        PlanOption(
            name=name,
            samples=samples,
            note=note if samples is not None else f"over {planning.LIMIT:,d}",
        )
        for name, samples, note in named
    )
