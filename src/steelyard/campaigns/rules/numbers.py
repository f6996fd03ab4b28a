"""Conditions on a number for each item: what they name, and which numbers they allow."""

from dataclasses import dataclass, replace
from functools import lru_cache
from math import isfinite

from steelyard.campaigns.rules.companions import LOWER, Companion, companion_of, is_area_name
from steelyard.campaigns.rules.grammar import Condition, Rule, conditions_of
from steelyard.errors import RequestError
from steelyard.results.claims import AbsoluteClaim, check_limit, read_claim

__all__ = [
    "NumberScale",
    "NumericClaim",
    "is_area",
    "is_numeric",
    "number_scale",
    "numeric_claim",
    "others_than",
]

NUMERIC = ("betting", "asymptotic")
ALPHA = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberScale:
    """The numbers of a campaign: what they cannot leave, and whether a lower one is better.

    ``lower`` is None where no condition says so: claims have their own side. ``companion`` is what
    must be known of every item beside them.
    """

    low: float | None = None
    high: float | None = None
    lower: bool | None = None
    companion: Companion | None = None

    def holds(self, value: float) -> bool:
        """Tell whether a value may occur."""
        above = self.low is None or self.low <= value
        return isfinite(value) and above and (self.high is None or value <= self.high)

    @property
    def room(self) -> str:
        """The range in words; nothing where there is none."""
        if self.low is None:
            return ""
        return (
            f", {self.low:g} or more"
            if self.high is None
            else (f", within {self.low:g} to {self.high:g}")
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericClaim:
    """A system, what is claimed of its mean, the range of its values, and the error rate.

    Of an area the values are pairs of a positive and a negative: 1 where the positive scores
    higher, one half where both score the same. Of a ratio of sums with the limit r they are
    what an item has more of than it may, e - r w, and their mean is held ``against`` 0.
    """

    system: str
    claim: AbsoluteClaim
    low: float
    high: float
    alpha: float
    against: float


def is_numeric(condition: Condition) -> bool:
    """Tell whether a condition is about numbers, not of right and wrong."""
    ranged = {name for name, _ in condition.options} & {"low", "high"}
    if condition.name == "claim":
        return bool(ranged) or is_area(condition) or companion_of(condition) is not None
    return condition.name in NUMERIC


@lru_cache(maxsize=256)
def is_area(condition: Condition) -> bool:
    """Tell whether a condition claims an area under the ROC curve.

    >>> from steelyard.campaigns.rules.grammar import parse_rule
    >>> is_area(parse_rule("claim(new, 'AUROC of ship at least 0.9')"))
    True
    """
    if condition.name != "claim" or len(condition.arguments) != 2:
        return False
    try:
        return is_area_name(read_claim(str(condition.arguments[1])).measure or "")
    except RequestError:
        return False


def others_than(stream: str) -> str:
    """Name the stream of the items that are not of the class, beside that of the class.

    >>> others_than("new: AUC of ship")
    'new: AUC of ship, others'
    """
    return f"{stream}, others"


def number_scale(rule: Rule) -> NumberScale | None:
    """Find which numbers a rule is about; None where it is about right and wrong.

    >>> from steelyard.campaigns.rules.grammar import parse_rule
    >>> number_scale(parse_rule("betting(1, 5) >= 20 or n >= 500"))
    NumberScale(low=1.0, high=5.0, lower=False, companion=None)
    >>> number_scale(parse_rule("evidence >= 20")) is None
    True
    """
    found: NumberScale | None = None
    for condition in conditions_of(rule):
        if not is_numeric(condition):
            continue
        one = _scale(condition)
        found = one if found is None else _join(found, one, rule)
    asked = {
        (is_area(one), None if (beside := companion_of(one)) is None else beside.name)
        for one in conditions_of(rule)
        if is_numeric(one)
    }
    if len(asked) > 1:
        message = (
            f"The rule '{rule}' asks for numbers of more than one kind (scores, errors over "
            "something, plain ones). Run a campaign for each."
        )
        raise RequestError(message, code="rule")
    return found


def _scale(condition: Condition) -> NumberScale:
    beside, given = companion_of(condition), condition.arguments
    counted = beside is not None and beside.kind == "per"  # errors are 0 or more
    if condition.name == "claim":
        options = dict(condition.options)
        low = 0.0 if counted else options.get("low")
        return NumberScale(low=low, high=options.get("high"), companion=beside)
    lower = LOWER in given
    if beside is not None and beside.kind == "class":
        return NumberScale(companion=beside)
    if condition.name == "asymptotic":
        return NumberScale(low=0.0 if counted else None, lower=lower, companion=beside)
    low, high = (float(one) for one in given[:2])
    return NumberScale(low=low, high=high, lower=lower, companion=beside)


def _join(one: NumberScale, other: NumberScale, rule: Rule) -> NumberScale:
    """Join what two conditions say; the same range, and the same better way."""
    made = one
    for name in ("low", "high", "lower", "companion"):
        first, second = getattr(one, name), getattr(other, name)
        if first is not None and second is not None and first != second:
            said = {"lower": "which way is better", "companion": "what errors are counted over"}
            what = said.get(name, "the range of the values")
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
    alpha = condition.option("alpha", ALPHA)
    if is_area(condition):
        return _area_claim(str(system), claim, options, alpha)
    if companion_of(condition) is not None:
        return _ratio_claim(str(system), claim, options, alpha)
    name = (claim.measure or "mean").lower().split(" ")[0]
    if name not in ("mean", "average") or claim.per is not None:
        message = (
            f"{claim.text!r}: of numbers in a stated range a campaign follows the mean, or a ratio "
            f"of sums. Write 'mean {claim.side} {claim.limit:g}' or 'errors per words {claim.side} "
            f"{claim.limit:g}', or leave low= and high= out."
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
    return NumericClaim(
        system=str(system), claim=claim, low=low, high=high, alpha=alpha, against=claim.limit
    )


def _area_claim(
    system: str, claim: AbsoluteClaim, options: dict[str, float], alpha: float
) -> NumericClaim:
    if "low" in options or "high" in options:
        message = (
            f"{claim.text!r} is about scores, whose range does not matter: leave low=, high= out."
        )
        raise RequestError(message, code="claim")
    if not (claim.measure or "").partition(" of ")[2] or claim.per is not None:
        message = (
            f"{claim.text!r}: the area of which class against the others? Write "
            f"'AUC of CLASS {claim.side} {claim.limit:g}'."
        )
        raise RequestError(message, code="claim")
    check_limit(claim, "AUC", (0.0, 1.0))
    return NumericClaim(
        system=system, claim=claim, low=0.0, high=1.0, alpha=alpha, against=claim.limit
    )


def _ratio_claim(
    system: str, claim: AbsoluteClaim, options: dict[str, float], alpha: float
) -> NumericClaim:
    most = options.get("high")
    if most is None or not most > 0 or "low" in options:
        message = (
            f"{claim.text!r} needs the most that one item can hold, of errors and of what they are "
            f"counted over: claim({system}, '{claim.text}', high=60). It has no low=."
        )
        raise RequestError(message, code="claim")
    check_limit(claim, claim.measure or "errors", (0.0, None))
    return NumericClaim(
        system=system, claim=claim, low=-claim.limit * most, high=most, alpha=alpha, against=0.0
    )
