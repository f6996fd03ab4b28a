"""What a comparison is asked, and how what was found becomes the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import isfinite
from typing import Any

import numpy as np

from steelyard import comparison
from steelyard.errors import RequestError, counted, listing
from steelyard.results import (
    ComparedPair,
    ComparedSystem,
    Comparison,
    Estimate,
    Proportion,
    Provenance,
    Verdict,
)
from steelyard.results.comparison.words import rank_places
from steelyard.results.shortfalls import shortfall

__all__ = [
    "MOST_COMPARED",
    "Question",
    "Weighed",
    "assemble",
    "couples",
    "disagreements",
    "priors_for",
    "rank",
    "say_prior",
]

# --- where methods disagree about a pair: that they do, and why ----------------------------------


SURE = 0.99
"""A posterior probability from which a reader would take a pair for decided."""


def disagreements(
    pairs: Sequence[ComparedPair], *, alpha: float, margin: float | None
) -> tuple[str, ...]:
    """Say, once for each kind, how many pairs other methods see otherwise than the verdict."""
    tested = [pair for pair in pairs if pair.p_value is not None]
    notes = [
        _alone(tested, alpha),
        _softer(tested, alpha),
        _surer(tested, alpha),
        _harder(tested),
        _nearer(tested, alpha, margin),
    ]
    return tuple(note for note in notes if note)


def _open(pairs: Sequence[ComparedPair], alpha: float, *, alone: bool) -> list[ComparedPair]:
    """Pick the undecided pairs that a test of that pair alone would, or would not, decide."""
    return [
        pair
        for pair in pairs
        if pair.verdict == "undecided"
        and pair.p_value is not None
        and (pair.p_value <= alpha) == alone
    ]


def _sure(pair: ComparedPair) -> bool:
    return pair.better is not None and max(pair.better, 1 - pair.better) > SURE


def _alone(pairs: Sequence[ComparedPair], alpha: float) -> str:
    """Many pairs: each taken by itself would be decided, all together not."""
    found = _open(pairs, alpha, alone=True)
    if not found:
        return ""
    says = [f"p at most {alpha:g}"]
    if any(_sure(pair) for pair in found):
        says.append(f"P(better) above {SURE:g}")
    if any(pair.aic_verdict == "different" for pair in found):
        says.append("Akaike's criterion")
    return (
        f"{counted(len(found), 'undecided pair', 'look')} different taken alone "
        f"({', '.join(says)}); the verdicts guard all {len(pairs)} pairs at once"
    )


def _softer(pairs: Sequence[ComparedPair], alpha: float) -> str:
    """Akaike's criterion decides what no test does, since it asks for less."""
    found = [pair for pair in _open(pairs, alpha, alone=False) if pair.aic_verdict == "different"]
    if not found:
        return ""
    calls = f"Akaike's criterion calls {counted(len(found), 'undecided pair')} different: it"
    if any(pair.overlaps is not None for pair in found):
        return (
            f"{calls} takes the overlap that favours a difference most, and of totals alone calls "
            "equal systems different more often than not when items are many"
        )
    return f"{calls} decides like a test at about 0.08, not at {alpha:g}"


def _surer(pairs: Sequence[ComparedPair], alpha: float) -> str:
    """A posterior is sure of what no test decides."""
    found = [pair for pair in _open(pairs, alpha, alone=False) if _sure(pair)]
    if not found:
        return ""
    return (
        f"P(better) is above {SURE:g} for {counted(len(found), 'undecided pair')}: it asks in "
        "one direction and uses the prior, while the test is two-sided and uses the data alone"
    )


def _harder(pairs: Sequence[ComparedPair]) -> str:
    """Akaike's criterion does not follow a verdict of different."""
    found = [
        pair
        for pair in pairs
        if pair.verdict == "different" and pair.aic_verdict in {"same", "undecided"}
    ]
    if not found:
        return ""
    return (
        f"Akaike's criterion does not call {counted(len(found), 'pair')} different that the tests "
        "do: it asks whether two rates describe the data better than one, and few items may not "
        "show that"
    )


def _nearer(pairs: Sequence[ComparedPair], alpha: float, margin: float | None) -> str:
    """The margin makes the same what tests tell apart."""
    found = [
        pair
        for pair in pairs
        if pair.verdict == "same" and pair.adjusted_p is not None and pair.adjusted_p <= alpha
    ]
    if not found or margin is None:
        return ""
    return (
        f"{counted(len(found), 'pair', 'count')} as the same although the tests tell them apart: "
        f"the difference is real, but below the margin of {margin:g}"
    )


# --- what a comparison is asked, and how what was found becomes the answer -----------------------


MOST_LETTERED = 40
"""Letters of more systems take long to find, and nobody reads them."""
MOST_COMPARED = 300
"""Pairs grow with the square of the systems: those of 300 take most of a gibibyte."""

Prior = tuple[float, float]
Rate = tuple[str, Proportion | Estimate]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What every kind of comparison is asked, and where its answer is recorded."""

    level: float
    alpha: float
    seed: int
    provenance: Provenance
    margin: float | None = None
    prior: Any = None
    caveats: tuple[str, ...] = ()

    def rng(self) -> "np.random.Generator":
        """Start the recorded sequence of random numbers."""
        return np.random.default_rng(self.seed)

    def verdict(self, adjusted_p: float, equivalent: float | None = None) -> Verdict:
        """Judge a pair: nearness within the margin goes before a difference however sure."""
        if equivalent is not None and equivalent >= self.level:
            return "same"
        return "different" if adjusted_p <= self.alpha else "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """Rates by system, who is best, what choosing each would lose, and all pairs."""

    rates: list[Rate]
    best: Sequence[float | None]
    pairs: list[ComparedPair]
    loss: Sequence[float | None] = ()
    best_alike: Sequence[float] = ()
    best_range: Sequence[tuple[float, float]] = ()
    error: float | None = None
    lower: bool = False
    priors: Mapping[str, Prior] = field(default_factory=dict)

    @property
    def leader(self) -> str:
        """The system that leads, which the sentence is about."""
        return self.rates[self.order()[0]][0]

    def order(self) -> list[int]:
        """Give the places of the systems as they are shown, the leader first."""
        names, rates = [name for name, _ in self.rates], [rate for _, rate in self.rates]
        return rank_places(names, rates, self.best, self.pairs, lower=self.lower)


def couples(size: int) -> list[tuple[int, int]]:
    """List the pairs of places in the order in which a result holds them."""
    return list(combinations(range(size), 2))


def rank(found: Weighed) -> tuple[ComparedSystem, ...]:
    """Add to each system the ranks and the letters that the verdicts leave it."""
    names = [name for name, _ in found.rates]
    values = [(-1 if found.lower else 1) * (rate.value or 0.0) for _, rate in found.rates]
    decisions = {(pair.first, pair.second): pair.verdict == "different" for pair in found.pairs}
    sets = {one.system: one for one in comparison.rank_sets(names, values, decisions=decisions)}
    tiers: dict[str, str] = {}
    if len(names) <= MOST_LETTERED:
        tiers = comparison.compact_letters(
            [names[place] for place in found.order()], decisions=decisions
        )
    none = [None] * len(names)
    ranges: Sequence[tuple[float | None, float | None]] = found.best_range or [(None, None)] * len(
        names
    )
    columns = zip(
        found.rates,
        found.best,
        found.loss or none,
        found.best_alike or none,
        ranges,
        strict=True,
    )
    return tuple(
        ComparedSystem(
            system=name,
            rate=rate,
            best=share,
            rank_low=sets[name].lowest,
            rank_high=sets[name].highest,
            tier=tiers.get(name),
            loss=loss,
            best_alike=alike,
            best_low=low,
            best_high=high,
        )
        for (name, rate), share, loss, alike, (low, high) in columns
    )


def assemble(question: Question, found: Weighed, **facts: Any) -> Comparison:  # noqa: ANN401
    """Make the answer out of what was found."""
    doubts = disagreements(found.pairs, alpha=question.alpha, margin=question.margin)
    if _takes_rates_for_unlike(question, found, area=facts.get("measure") == "auc"):
        doubts = (*doubts, shortfall("best-uniform"))
    return Comparison(
        systems=rank(found),
        pairs=tuple(found.pairs),
        level=question.level,
        alpha=question.alpha,
        margin=question.margin,
        priors=tuple((name, a, b) for name, (a, b) in found.priors.items()),
        monte_carlo_error=found.error,
        provenance=question.provenance,
        caveats=(*question.caveats, *facts.pop("caveats", ()), *doubts),
        **facts,
    )


def _takes_rates_for_unlike(question: Question, found: Weighed, *, area: bool) -> bool:
    """Tell whether who is best is said with nothing known beforehand, and in no other way.

    Of two areas the probability is a one-sided confidence, which is on the safe side.
    """
    said = any(share is not None for share in found.best)
    known = bool(found.best_alike or found.best_range) or question.prior is not None
    return said and not known and not (area and len(found.rates) == 2)


def say_prior(prior: Any) -> str | None:  # noqa: ANN401
    """Write a prior down as the command line takes it; what cannot be one, as it is.

    Examples
    --------
    >>> say_prior({"S": (190, 10)}), say_prior((0.5, 0.5)), say_prior("none")
    ('S=190:10', '0.5:0.5', 'none')
    """
    if isinstance(prior, Mapping):
        return ",".join(f"{name}={say_prior(one)}" for name, one in prior.items())
    if isinstance(prior, Sequence) and not isinstance(prior, str):
        return ":".join(f"{one:g}" if isinstance(one, float) else str(one) for one in prior)
    return None if prior is None else str(prior)


def priors_for(prior: Any, systems: Sequence[str]) -> dict[str, Prior]:  # noqa: ANN401
    """Read the prior of each system: (a, b) for all, or a mapping that names some of them."""
    if prior is None:
        return {}
    given = dict(prior) if isinstance(prior, Mapping) else dict.fromkeys(systems, prior)
    unknown = [name for name in given if name not in systems]
    if unknown:
        message = (
            f"prior= names {listing(unknown)}; the systems are {listing(list(systems))}. Type "
            f"prior={{{systems[0]!r}: (1, 1)}} (--prior {systems[0]}=1:1)."
        )
        raise RequestError(message)
    return {name: _numbers(name, one) for name, one in given.items()}


def _numbers(name: str, given: Any) -> Prior:  # noqa: ANN401
    try:
        a, b = (float(number) for number in given)
    except (TypeError, ValueError):
        a = b = 0.0
    if not (isfinite(a) and isfinite(b) and a > 0 and b > 0):
        message = (
            f"The prior of {name} is {given!r}; expected two positive numbers, right and wrong "
            f"answers believed beforehand: (1, 1) (--prior {name}=1:1) for none."
        )
        raise RequestError(message)
    return a, b
