"""Conditions on a number for each item: what they name, and which numbers they allow."""

from dataclasses import dataclass, replace
from math import isfinite

from steelyard.campaigns.rules.grammar import Condition, Rule, conditions_of
from steelyard.errors import RequestError
from steelyard.results.claims import AbsoluteClaim, read_claim

__all__ = ["NumberScale", "NumericClaim", "is_numeric", "number_scale", "numeric_claim"]

NUMERIC = ("betting", "asymptotic")
LOWER = "lower"
ALPHA = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberScale:
    """The numbers of a campaign: what they cannot leave, and whether a lower one is better.

    ``lower`` is None where no condition says so: claims have their own side.
    """

    low: float | None = None
    high: float | None = None
    lower: bool | None = None

    def holds(self, value: float) -> bool:
        """Tell whether a value may occur."""
        inside = self.low is None or self.high is None or self.low <= value <= self.high
        return isfinite(value) and inside


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericClaim:
    """A system, what is claimed of its mean, the range of its values, and the error rate."""

    system: str
    claim: AbsoluteClaim
    low: float
    high: float
    alpha: float


def is_numeric(condition: Condition) -> bool:
    """Tell whether a condition is about numbers, not of right and wrong."""
    ranged = {name for name, _ in condition.options} & {"low", "high"}
    return condition.name in NUMERIC or (condition.name == "claim" and bool(ranged))


def number_scale(rule: Rule) -> NumberScale | None:
    """Find which numbers a rule is about; None where it is about right and wrong.

    >>> from steelyard.campaigns.rules.grammar import parse_rule
    >>> number_scale(parse_rule("betting(1, 5) >= 20 or n >= 500"))
    NumberScale(low=1.0, high=5.0, lower=False)
    >>> number_scale(parse_rule("evidence >= 20")) is None
    True
    """
    found: NumberScale | None = None
    for condition in conditions_of(rule):
        if not is_numeric(condition):
            continue
        one = _scale(condition)
        found = one if found is None else _join(found, one, rule)
    return found


def _scale(condition: Condition) -> NumberScale:
    if condition.name == "claim":
        options = dict(condition.options)
        return NumberScale(low=options.get("low"), high=options.get("high"))
    given = condition.arguments
    lower = given[-1:] == (LOWER,)
    if condition.name == "asymptotic":
        return NumberScale(lower=lower)
    low, high = (float(one) for one in given[:2])
    return NumberScale(low=low, high=high, lower=lower)


def _join(one: NumberScale, other: NumberScale, rule: Rule) -> NumberScale:
    """Join what two conditions say; the same range, and the same better way."""
    made = one
    for name in ("low", "high", "lower"):
        first, second = getattr(one, name), getattr(other, name)
        if first is not None and second is not None and first != second:
            what = "which way is better" if name == "lower" else "the range of the values"
            message = f"The conditions of the rule '{rule}' do not agree on {what}."
            raise RequestError(message, code="rule")
        made = replace(made, **{name: second if first is None else first})
    return made


def numeric_claim(condition: Condition) -> NumericClaim:
    """Read ``claim(new, 'mean at least 3.5', low=1, high=5)``.

    >>> from steelyard.campaigns.rules.grammar import parse_rule
    >>> rule = "claim(new, 'mean grade at least 3.5', low=1, high=5)"
    >>> numeric_claim(parse_rule(rule)).claim.limit
    3.5
    """
    system, text = condition.arguments
    claim, options = read_claim(str(text)), dict(condition.options)
    name = (claim.measure or "mean").lower().split(" ")[0]
    if name not in ("mean", "average") or claim.per is not None:
        message = (
            f"{claim.text!r}: of numbers in a stated range a campaign follows the mean. Write "
            f"'mean {claim.side} {claim.limit:g}', or leave low= and high= out."
        )
        raise RequestError(message, code="claim")
    low, high = options.get("low"), options.get("high")
    if low is None or high is None or not low < high:
        message = (
            f"{claim.text!r} needs the range that no value can leave: "
            f"claim(new, '{claim.text}', low=1, high=5)."
        )
        raise RequestError(message, code="claim")
    if not low < claim.limit < high:
        message = (
            f"{claim.text!r}: the mean of values from {low:g} to {high:g} is always inside them, "
            f"so that {claim.limit:g} says nothing. Claim a limit between them."
        )
        raise RequestError(message, code="claim")
    alpha = condition.option("alpha", ALPHA)
    return NumericClaim(system=str(system), claim=claim, low=low, high=high, alpha=alpha)
