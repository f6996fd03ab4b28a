"""What a plan is asked for, and how the answer is put together."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from steelyard.counts import Outcomes
from steelyard.planning import LIMIT, Assurance, MarginClaim, Multiplicity
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

__all__ = ["Answer", "PilotAreas", "Wish", "options_of", "planned"]

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
class Wish:
    """Every number a plan may need; the door has checked them."""

    question: PlanQuestion
    design: PlanDesign
    names: tuple[str, ...]
    rates: tuple[float, ...]
    provenance: Provenance
    pilot: Outcomes | None = None
    discordance: float | None = None
    confidence: float = 0.95
    samples: int | None = None
    alpha: float = 0.05
    power: float = 0.8
    margin: float | None = None
    delta: float | None = None
    width: float | None = None
    priors: tuple[tuple[float, float], ...] | None = None
    cost_per_sample: float | None = None
    null: float | None = None
    prevalence: float = 0.5
    correlation: float | None = None
    both: float | None = None
    claim: MarginClaim = "equivalent"
    multiplicity: Multiplicity = "shaffer"
    cluster_size: float | None = None
    trials: int | None = None
    icc: float | None = None
    every: int = 1
    cap: int | None = None
    shares: tuple[float, ...] | None = None
    areas: PilotAreas | None = None
    seed: int = 0
    caveats: tuple[str, ...] = ()

    def rng(self) -> np.random.Generator:
        """Start the recorded sequence of random numbers."""
        return np.random.default_rng(self.seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a planner found: the samples, the curve, and other ways.

    ``size`` finds the samples for another target (``further`` too, where it takes too long to ask
    more than once), ``reached`` what a number of samples reaches,
    ``assured`` how often a real test gets there, or at least does if ``bound``. Where ``samples``
    get there only when the test shows exactly what was supposed, as about half of real ones do,
    ``safe`` are those with which a share ``promised`` of them gets there.
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


def planned(wish: Wish, answer: Answer) -> Plan:
    """Put the answer together: the steps about it, the price of one more point, the costs."""
    numbers = _numbers(answer)
    return Plan(
        question=wish.question,
        goal=answer.goal,
        design=wish.design,
        systems=tuple(
            PlannedSystem(system=name, rate=rate)
            for name, rate in zip(wish.names, wish.rates or (None,) * len(wish.names), strict=True)
        ),
        target=answer.target,
        samples=answer.samples if answer.promised is None else answer.safe,
        exact_samples=answer.exact,
        limit=LIMIT,
        asked=None if wish.samples is None else _step(wish, answer, wish.samples),
        steps=tuple(_step(wish, answer, samples) for samples in numbers),
        assurance_bound=answer.bound,
        next_point=_next_point(answer),
        options=answer.options,
        more=(),
        tested=None,
        method=answer.method,
        level=wish.confidence if answer.goal == "width" else None,
        alpha=wish.alpha if answer.goal == "power" else None,
        margin=wish.margin,
        delta=answer.delta,
        discordance=answer.discordance,
        cost_per_sample=wish.cost_per_sample,
        provenance=wish.provenance,
        caveats=(*wish.caveats, *answer.caveats),
        measure=answer.measure,
        null=wish.null,
        both=answer.both,
        positives=answer.positives,
        clusters=answer.clusters,
        trials=answer.trials,
        claim=None if wish.margin is None else wish.claim,
        shares=wish.shares or (),
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


def _step(wish: Wish, answer: Answer, samples: int) -> PlanStep:
    assured = None if answer.assured is None else answer.assured(samples)
    share, error = assured, None
    if isinstance(assured, Assurance):
        share, error = assured.right, assured.error if assured.draws else None
    assert not isinstance(share, Assurance)
    systems = len(wish.names) if wish.design == "independent" else 1
    cost = wish.cost_per_sample
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
            note=note if samples is not None else f"over {LIMIT:,d}",
        )
        for name, samples, note in named
    )
