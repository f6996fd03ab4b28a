"""What is asked of per-class vectors: whose score under which rule, and how sure its mean is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log, sqrt
from typing import Self

from steelyard.counts import VECTOR_RULES, VectorRule
from steelyard.counts.columns import place_of
from steelyard.display.numbers import show_number
from steelyard.errors import RequestError, listing
from steelyard.results.estimates import Interval
from steelyard.results.shortfalls import shortfall
from steelyard.uncertainty import normal_quantile
from steelyard.uncertainty.special import stdtrit

__all__ = [
    "LARGEST_SCORES",
    "LOSSES",
    "UNIFORM_SCORES",
    "Contrast",
    "Mean",
    "Weights",
    "infinite_loss",
    "knows_nothing",
    "mean_of_classes",
    "no_items_of",
]

UNIFORM_SCORES: dict[VectorRule, Callable[[int], float]] = {
    "spherical": lambda classes: 1 / sqrt(classes),
    "winner": lambda classes: 1 / classes,
    "brier": lambda classes: 1 - 1 / classes,
    "log": lambda classes: log(classes),
}
"""What a vector of equal numbers scores under each rule, by the number of classes."""

Weights = Mapping[str, float]

LARGEST_SCORES: dict[VectorRule, float] = {
    "spherical": 1.0,
    "winner": 1.0,
    "brier": 2.0,
    "log": inf,
}
UNSEEN = 3
"""Of what is missing in 5 % of tests, that many are expected: the rule of three."""
LARGE = -log(0.001)
"""A log score has no largest value; that of a chance of one in a thousand stands for it."""
LOSSES: frozenset[VectorRule] = frozenset({"brier", "log"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """Whose score is asked for: a sum of systems, each with its sign, under one rule."""

    rule: VectorRule
    signs: tuple[tuple[str, int], ...]
    class_weights: Weights | None
    level: float

    @classmethod
    def of(
        cls, rule: VectorRule, *systems: str, class_weights: Weights | None, level: float
    ) -> Self:
        """Ask for one system, or for the first minus the second."""
        signs = tuple(zip(systems, (1, -1), strict=False))
        return cls(rule=rule, signs=signs, class_weights=class_weights, level=level)

    @property
    def bounds(self) -> tuple[float, float]:
        """Lowest and highest value that is possible."""
        largest = LARGEST_SCORES[self.rule]
        return (0.0 if len(self.signs) == 1 else -largest), largest

    @property
    def counts_right(self) -> bool:
        """Tell whether this may be a plain share of items that were right."""
        return self.rule == "winner" and len(self.signs) == 1 and self.class_weights is None

    @property
    def favours(self) -> tuple[str, ...]:
        """Say which way a difference of losses points; nothing of scores."""
        if len(self.signs) == 1 or self.rule not in LOSSES:
            return ()
        (first, _), _ = self.signs
        return (f"a lower {self.rule} score is better, so below 0 favours {first}",)

    def check(self, systems: Sequence[str], classes: Sequence[str]) -> None:
        """Refuse what makes no sense of these systems and classes."""
        normal_quantile(self.level)
        if self.rule not in VECTOR_RULES:
            raise RequestError.for_choice(name="rule", given=self.rule, choices=VECTOR_RULES)
        for system, _ in self.signs:
            place_of(systems, system)
        if self.class_weights is not None:
            _check_class_weights(classes, self.class_weights)

    def interval(self, value: float, variance: float, freedom: float, method: str) -> Interval:
        """Student's interval about a value, within what is possible."""
        half = -float(stdtrit(freedom, (1 - self.level) / 2)) * sqrt(variance)
        lowest, highest = self.bounds
        low, high = max(lowest, value - half), min(highest, value + half)
        return Interval(low=low, high=high, level=self.level, method=method)

    def rare_items(self, value: float, ends: Interval, items: int) -> tuple[str, ...]:
        """Say so where three items of the worst kind, were they there, would leave the interval.

        Student's interval knows the spread of what was seen. What comes to three of so many items
        in the long run is among them in 95 % of tests only; where that much can move the mean by
        more than the interval is wide, an interval without it is too short.
        """
        lowest, highest = (max(-LARGE, min(LARGE, bound)) for bound in self.bounds)
        part = UNSEEN / (items + UNSEEN)
        down, up = part * (value - lowest), part * (highest - value)
        if down <= value - ends.low and up <= ends.high - value:
            return ()
        return (shortfall("rare-items", items=items),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A weighted mean; ``variance`` is None when there are too few items to tell."""

    value: float
    variance: float | None = None
    freedom: float = 0.0


def mean_of_classes(parts: Sequence[tuple[float, Mean]]) -> Mean:
    """Weigh the means of classes, which are strata, with Satterthwaite's degrees of freedom."""
    value = sum(weight * mean.value for weight, mean in parts)
    shares = []
    for weight, mean in parts:
        if mean.variance is None:
            return Mean(value=value)
        shares.append((weight**2 * mean.variance, mean.freedom))
    variance = sum(share for share, _ in shares)
    if variance == 0:
        return Mean(value=value, variance=0.0)
    freedom = variance**2 / sum(share**2 / left for share, left in shares)
    return Mean(value=value, variance=variance, freedom=freedom)


def infinite_loss(system: str, name: str, number: int) -> str:
    """Say why there is no log score."""
    items = "item" if number == 1 else "items"
    return f"{system} gave the true class {name!r} no chance on {number} {items}: infinite loss"


def no_items_of(name: str, weight: float) -> str:
    """Say why there is no score: a class that counts has no items."""
    return f"no item is truly {name!r}, but the class has weight {weight:g}"


def knows_nothing(rule: VectorRule, classes: int) -> str:
    """Say what a vector of equal numbers scores under a rule."""
    uniform = show_number(UNIFORM_SCORES[rule](classes))
    lower = "; lower is better" if rule in LOSSES else ""
    return f"a vector of equal numbers, which knows nothing, scores {uniform} here{lower}"


def _check_class_weights(classes: Sequence[str], weights: Weights) -> None:
    """Refuse weights that do not name every class, or do not add up to 1."""
    if set(weights) != set(classes):
        message = (
            f"class_weights name {listing(sorted(weights))}; expected one weight for each of: "
            f"{listing(classes)}."
        )
        raise RequestError(message)
    total = sum(weights.values())
    # Decimals such as 0.1 ten times add up to 1 but for their last digits.
    if any(not weight >= 0 for weight in weights.values()) or abs(total - 1) > 1e-9:
        message = f"class_weights must be 0 or more and add up to 1; they add up to {total!r}."
        raise RequestError(message)
