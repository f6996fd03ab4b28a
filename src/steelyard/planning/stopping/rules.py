"""Stopping rules on common items, and what is asked of them."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from steelyard.comparison.sequential.spending import SpendingKind
from steelyard.comparison.sequential.wald import WaldTest
from steelyard.planning.stopping.discordant import DiscordantRule

__all__ = [
    "AnyRule",
    "DoubleRule",
    "LossRule",
    "PlannedLooks",
    "StoppingProperties",
    "StoppingRule",
    "rule_name",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppingRule:
    """Stop and name a winner when the rule decides: ``alpha`` is its level at every look.

    For posteriors alpha is 1 - confidence; ``every`` is the number of items between looks.
    """

    rule: DiscordantRule
    alpha: float = 0.05
    every: int = 1

    @property
    def name(self) -> str:
        """Say which rule it is."""
        level = (
            f"P(better) >= {1 - self.alpha:g}" if "posterior" in self.rule else f"{self.alpha:g}"
        )
        looks = "every item" if self.every == 1 else f"every {self.every} items"
        return f"{self.rule}, {level}, {looks}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleRule:
    """Wald's two one-sided tests of ½ against ``win``; both may end in "no difference"."""

    win: float = 0.65
    alpha: float = 0.05
    beta: float = 0.1
    every: int = 1

    @property
    def name(self) -> str:
        """Say which rule it is."""
        looks = "" if self.every == 1 else f", every {self.every} items"
        return f"double sequential test of 0.5 against {self.win:g}{looks}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LossRule:
    """Stop when the expected loss of naming the leader is at most ``loss`` (in points of rate).

    The loss is that of :func:`steelyard.comparison.pair_posterior`.
    """

    loss: float = 0.005
    every: int = 1

    @property
    def name(self) -> str:
        """Say which rule it is."""
        looks = "every item" if self.every == 1 else f"every {self.every} items"
        return f"expected loss <= {self.loss:g}, {looks}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedLooks:
    """Look so many times, evenly spaced up to the cap, and spend ``alpha`` over the looks.

    The statistic of a look is the normal deviate of McNemar's exact test.
    """

    looks: int = 5
    alpha: float = 0.05
    kind: SpendingKind = "obrien-fleming"

    @property
    def name(self) -> str:
        """Say which rule it is."""
        return f"{self.looks} planned looks, {self.kind}, {self.alpha:g}"


AnyRule: TypeAlias = StoppingRule | DoubleRule | LossRule | PlannedLooks | WaldTest
Kind: TypeAlias = Literal["exact", "simulated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppingProperties:
    """Chances of the verdicts by the cap, and the items used.

    ``right`` and ``wrong`` are verdicts for the better and the worse system; at equal rates their
    sum is the error. ``late`` is the number of items that 95 % of campaigns do not exceed.
    ``error`` is the standard error of the chances of a simulation, 0 if exact.
    """

    name: str
    right: float
    wrong: float
    no_difference: float
    open: float
    expected: float
    late: int
    cap: int
    method: Kind
    error: float = 0.0

    @property
    def winner(self) -> float:
        """Chance that any winner is named: the error, when there is no difference."""
        return self.right + self.wrong


def rule_name(rule: AnyRule, *, every: int = 1) -> str:
    """Say which rule it is.

    Examples
    --------
    >>> rule_name(PlannedLooks(looks=3))
    '3 planned looks, obrien-fleming, 0.05'
    """
    if not isinstance(rule, WaldTest):
        return rule.name
    looks = "" if every == 1 else f", every {every} items"
    return f"Wald's test of {rule.ratio} {rule.null:g} against {rule.alternative:g}{looks}"
