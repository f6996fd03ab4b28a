"""What a comparison is asked, and how what was found becomes the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import isfinite
from typing import Any

import numpy as np

from steelyard.comparison import compact_letters, rank_sets
from steelyard.errors import RequestError, listing
from steelyard.journey.comparison.disagreement import disagreements
from steelyard.results import (
    ComparedPair,
    ComparedSystem,
    Comparison,
    Estimate,
    Proportion,
    Provenance,
    Verdict,
)
from steelyard.results.comparison.words import ranked_places

__all__ = ["Question", "Weighed", "assembled", "couples", "priors_for", "ranked", "said_prior"]

MOST_LETTERED = 40
"""Letters of more systems take long to find, and nobody reads them."""

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

    def rng(self) -> np.random.Generator:
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
    priors: Mapping[str, Prior] = field(default_factory=dict)

    @property
    def leader(self) -> str:
        """The system that leads, which the sentence speaks of."""
        return self.rates[self.order()[0]][0]

    def order(self) -> list[int]:
        """Give the places of the systems as they are shown, the leader first."""
        names, rates = [name for name, _ in self.rates], [rate for _, rate in self.rates]
        return ranked_places(names, rates, self.best, self.pairs)


def couples(size: int) -> list[tuple[int, int]]:
    """List the pairs of places in the order in which a result holds them."""
    return list(combinations(range(size), 2))


def ranked(found: Weighed) -> tuple[ComparedSystem, ...]:
    """Add to each system the ranks and the letters that the verdicts leave it."""
    names = [name for name, _ in found.rates]
    values = [rate.value or 0.0 for _, rate in found.rates]
    decisions = {(pair.first, pair.second): pair.verdict == "different" for pair in found.pairs}
    sets = {one.system: one for one in rank_sets(names, values, decisions=decisions)}
    tiers: dict[str, str] = {}
    if len(names) <= MOST_LETTERED:
        tiers = compact_letters([names[place] for place in found.order()], decisions=decisions)
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


def assembled(question: Question, found: Weighed, **facts: Any) -> Comparison:  # noqa: ANN401
    """Make the answer out of what was found."""
    doubts = disagreements(found.pairs, alpha=question.alpha, margin=question.margin)
    return Comparison(
        systems=ranked(found),
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


def said_prior(prior: Any) -> str | None:  # noqa: ANN401
    """Write a prior down as the command line takes it; what cannot be one, as it is.

    Examples
    --------
    >>> said_prior({"S": (190, 10)}), said_prior((0.5, 0.5)), said_prior("none")
    ('S=190:10', '0.5:0.5', 'none')
    """
    if isinstance(prior, Mapping):
        return ",".join(f"{name}={said_prior(one)}" for name, one in prior.items())
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
