"""Which conditions a stopping rule may hold, and what each needs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, TypeAlias

from steelyard.campaigns.rules.claims import campaign_claim, stream_name
from steelyard.campaigns.rules.companions import LOWER, companion_of, quantity_of
from steelyard.campaigns.rules.grammar import Condition, Rule, conditions_of, most_items
from steelyard.campaigns.rules.numbers import (
    is_area,
    is_numeric,
    number_scale,
    numeric_claim,
    others_than,
)
from steelyard.counts.trials import Pairing
from steelyard.errors import RequestError, listing

__all__ = [
    "ALPHA",
    "BETA",
    "CONDITIONS",
    "ConditionKind",
    "Question",
    "check_rule",
    "dropping_conditions",
    "question_of",
]

FIRST = 50
"""Items below which the limit law of means is not looked at."""
ALPHA, BETA = 0.05, 0.1
"""Error rates of a condition whose options name none."""

Question = Literal["best", "ranking", "pair", "margin", "claim", "mean", "none"]
Check: TypeAlias = Callable[[Condition, Sequence[str]], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionKind:
    """What one condition asks, how it is typed, and where it may be used.

    ``question`` is ``none`` where the condition ends a campaign without an answer; one that
    ``drops`` systems needs them no more once they have lost.
    """

    question: Question
    example: str
    means: str
    check: Check
    two_systems: bool = False
    common_only: bool = False
    options: tuple[str, ...] = ()
    drops: bool = False


def check_rule(rule: Rule, *, systems: Sequence[str], pairing: Pairing) -> None:
    """Refuse a rule that cannot be applied to these systems."""
    for condition in conditions_of(rule):
        kind = CONDITIONS.get(condition.name)
        if kind is None:
            near = get_close_matches(condition.name, CONDITIONS, n=1)
            hint = f" Did you mean {CONDITIONS[near[0]].example}?" if near else ""
            message = (
                f"The rule has no condition {condition.name!r}. Conditions: "
                f"{listing(list(CONDITIONS), most=20)}.{hint}"
            )
            raise RequestError(message, code="rule")
        fault = kind.check(condition, systems) or _find_misplaced(kind, systems, pairing)
        unknown = [name for name, _ in condition.options if name not in kind.options]
        if unknown:
            known = listing(kind.options) or "none"
            fault = f"has no option {unknown[0]!r} (options: {known})"
        if fault:
            message = f"The condition '{condition}' {fault}. Type it like: {kind.example}"
            raise RequestError(message, code="rule")
    _check_numbers(rule, pairing)
    asked = {CONDITIONS[one.name].question for one in conditions_of(rule)} - {"none"}
    if "claim" in asked and len(asked) > 1:
        message = (
            f"The rule '{rule}' asks for a limit and for a comparison. Run a campaign for each: "
            "claims are about single systems."
        )
        raise RequestError(message, code="rule")
    if len(systems) < 2 and asked != {"claim"}:
        message = (
            f"{len(systems)} system; a campaign compares 2 or more. A single one is held against a "
            f"limit: claim({listing(systems)}, 'accuracy at least 0.9') or n >= 1000"
        )
        raise RequestError(message, code="rule")
    if any(one.name == "spending" for one in conditions_of(rule)) and most_items(rule) is None:
        message = (
            f"The rule '{rule}' plans its looks but not the last of them. Add the most items to "
            f"test, such as: {rule} or n >= 1000"
        )
        raise RequestError(message, code="rule")


def _check_numbers(rule: Rule, pairing: Pairing) -> None:
    """Refuse a rule about numbers and about right and wrong at once."""
    telling = [one for one in conditions_of(rule) if CONDITIONS[one.name].question != "none"]
    if len({is_numeric(one) for one in telling}) > 1:
        message = (
            f"The rule '{rule}' asks for numbers and for right and wrong. A result is one or the "
            "other: run a campaign for each."
        )
        raise RequestError(message, code="rule")
    scale = number_scale(rule)
    if scale is not None and scale.companion is not None and pairing != "common":
        message = (
            f"The rule '{rule}' is about {scale.companion.what} on common items, and these are "
            "independent: leave pairing= (--pairing) out."
        )
        raise RequestError(message, code="rule")


def question_of(rule: Rule) -> Question:
    """Find what a rule answers: the first of its conditions that answers anything.

    >>> from steelyard.campaigns.rules.grammar import parse_rule
    >>> question_of(parse_rule("n >= 100 or ranking >= 0.9"))
    'ranking'
    """
    for condition in conditions_of(rule):
        question = CONDITIONS[condition.name].question
        if question != "none":
            return question
    return "none"


def dropping_conditions(rule: Rule) -> list[Condition]:
    """Give the conditions that answer, if each of them drops losers; else none: somebody looks on.

    >>> from steelyard.campaigns.rules.grammar import parse_rule
    >>> [str(one) for one in dropping_conditions(parse_rule("racing or n >= 9"))]
    ['racing']
    """
    kinds = {one: CONDITIONS[one.name] for one in conditions_of(rule)}
    answering = [one for one, kind in kinds.items() if kind.question != "none"]
    return answering if all(kinds[one].drops for one in answering) else []


def _find_misplaced(kind: ConditionKind, systems: Sequence[str], pairing: Pairing) -> str | None:
    if kind.two_systems and len(systems) != 2:
        return f"is for two systems, and there are {len(systems)}"
    if kind.common_only and pairing != "common":
        return "needs systems that are tested on common items (pairing='common')"
    return None


def _chance(condition: Condition) -> str | None:
    bound = condition.bound
    if condition.comparison != ">=" or bound is None or not 0.5 <= bound < 1:
        return "needs '>=' and a probability from 0.5 to below 1"
    return None


def _bare_chance(condition: Condition, systems: Sequence[str]) -> str | None:
    del systems
    return "takes no arguments" if condition.arguments else _chance(condition)


def _pair(condition: Condition, systems: Sequence[str]) -> str | None:
    names = condition.arguments
    if len(names) != 2 or names[0] == names[1] or not set(names) <= set(systems):
        return f"needs two of the systems {listing(systems)}"
    return _chance(condition)


def _same(condition: Condition, systems: Sequence[str]) -> str | None:
    margin = condition.arguments[-1] if condition.arguments else None
    names = condition.arguments[:-1]
    if len(names) != 2 or names[0] == names[1] or not set(names) <= set(systems):
        return f"needs two of the systems {listing(systems)} and a margin"
    if not isinstance(margin, float) or not 0 < margin < 1:
        return "needs a margin strictly between 0 and 1"
    return _chance(condition)


def _bound(comparison: str, fits: Callable[[float], bool], needs: str) -> Check:
    """Check a condition that is a name, a comparison and a bound."""

    def check(condition: Condition, systems: Sequence[str]) -> str | None:
        del systems
        bound = condition.bound
        compared = not condition.arguments and condition.comparison == comparison
        return None if compared and bound is not None and fits(bound) else needs

    return check


def _spending(condition: Condition, systems: Sequence[str]) -> str | None:
    del systems
    if condition.bound is not None or len(condition.arguments) != 2:
        return "needs the kind of spending and the number of looks"
    kind, looks = condition.arguments
    if kind not in ("obrien-fleming", "pocock"):
        return f"has no spending {kind!r} (obrien-fleming or pocock)"
    if not isinstance(looks, float) or looks != int(looks) or not 1 <= looks <= 50:
        return "needs a whole number of looks, 1 to 50"
    return _errors(condition)


def _wald(condition: Condition, systems: Sequence[str]) -> str | None:
    del systems
    given = condition.arguments
    if condition.bound is not None or len(given) != 2:
        return "needs two ratios"
    low, high = given
    if not (isinstance(low, float) and isinstance(high, float) and 0 < low < high):
        return "needs two ratios, 0 < first < second"
    return _errors(condition)


def _double_wald(condition: Condition, systems: Sequence[str]) -> str | None:
    del systems
    given = condition.arguments
    if condition.bound is not None or len(given) != 1:
        return "needs one chance"
    if not (isinstance(given[0], float) and 0.5 < given[0] < 1):
        return "needs the chance of winning a discordant item that matters, above 0.5"
    return _errors(condition)


def _msrb(condition: Condition, systems: Sequence[str]) -> str | None:
    del systems
    given = condition.arguments
    if condition.bound is not None or len(given) != 2 or given[1] not in ("A", "B"):
        return "needs the smallest ratio that matters and the scheme A or B"
    if not (isinstance(given[0], float) and given[0] > 1):
        return "needs a ratio above 1"
    return _errors(condition)


def _claim(condition: Condition, systems: Sequence[str]) -> str | None:
    given = condition.arguments
    if condition.bound is not None or len(given) != 2 or given[0] not in systems:
        return f"needs one of the systems {listing(systems)} and a claim in quotes"
    if is_numeric(condition):
        numeric_claim(condition)
    if is_area(condition):
        return _area_streams(condition, systems) or _errors(condition)
    if is_numeric(condition):
        return _errors(condition)
    campaign_claim(condition)
    name = stream_name(condition)
    if name != given[0]:
        return f"counts items of its own, under the name {name!r}"
    return _errors(condition)


def _area_streams(condition: Condition, systems: Sequence[str]) -> str | None:
    name = stream_name(condition)
    if name != condition.arguments[0] or others_than(name) not in systems:
        return f"takes scores of its own, under the names {name!r} and {others_than(name)!r}"
    return None


def _betting(condition: Condition, systems: Sequence[str]) -> str | None:
    del systems
    beside, given = companion_of(condition), _without_quantity(condition)
    areas = beside is not None and beside.kind == "class"
    fault = None if areas and not given else _range_fault(given, counted=beside is not None)
    if quantity_of(condition) is not None and beside is None:
        fault = (
            f"cannot follow {quantity_of(condition)!r}, but 'AUC of CLASS' and 'errors per words'; "
            "and takes 'lower' where a lower one is better"
        )
    elif areas and given:
        fault = "compares areas, and takes nothing but 'AUC of CLASS'"
    if fault:
        return fault
    if condition.comparison != ">=" or condition.bound is None or condition.bound <= 1:
        return "needs '>=' and a number above 1; 20 stands for an error rate of 0.05"
    return None


def _range_fault(given: tuple[float | str, ...], *, counted: bool) -> str | None:
    if len(given) not in (2, 3) or given[2:] not in ((), (LOWER,)):
        return "needs the smallest and the largest value, and 'lower' where a lower one is better"
    low, high = given[:2]
    if not (isinstance(low, float) and isinstance(high, float) and low < high):
        return "needs the smallest and the largest value that can occur"
    return "counts what is 0 or more" if counted and low < 0 else None


def _asymptotic(condition: Condition, systems: Sequence[str]) -> str | None:
    del systems
    given = _without_quantity(condition)
    if quantity_of(condition) is not None and companion_of(condition) is None:
        return f"cannot follow {quantity_of(condition)!r}; write 'errors per words'"
    if condition.bound is not None or not given or given[1:] not in ((), (LOWER,)):
        return "needs the planned number of items, and 'lower' where a lower number is better"
    if not isinstance(given[0], float) or given[0] < FIRST or given[0] != int(given[0]):
        return f"needs a whole number of planned items, {FIRST} or more"
    return _errors(condition)


def _without_quantity(condition: Condition) -> tuple[float | str, ...]:
    given = condition.arguments
    return given if quantity_of(condition) is None else given[:-1]


def _racing(condition: Condition, systems: Sequence[str]) -> str | None:
    del systems
    if condition.arguments or condition.bound is not None:
        return "takes no arguments"
    return _errors(condition)


def _whole(condition: Condition, systems: Sequence[str]) -> str | None:
    del systems
    bound = condition.bound
    if condition.arguments or condition.comparison != ">=" or bound is None or bound < 1:
        return "needs '>=' and a whole number"
    return None if bound == int(bound) else "needs a whole number"


def _errors(condition: Condition) -> str | None:
    for name, value in condition.options:
        if name in ("alpha", "beta") and not 0 < value < 0.5:
            return f"has {name}={value:g}; an error rate lies above 0 and below 0.5"
    return None


CONDITIONS: dict[str, ConditionKind] = {
    "evidence": ConditionKind(
        question="best",
        example="evidence >= 20",
        means="e-value, valid at any time",
        check=_bound(
            ">=",
            lambda bound: bound > 1,
            "needs '>=' and a number above 1; 20 stands for an error rate of 0.05",
        ),
        common_only=True,
    ),
    "best": ConditionKind(
        question="best",
        example="best >= 0.95",
        means="P(the leader is the best)",
        check=_bare_chance,
    ),
    "ranking": ConditionKind(
        question="ranking",
        example="ranking >= 0.9",
        means="P(the whole order)",
        check=_bare_chance,
    ),
    "pair": ConditionKind(
        question="pair",
        example="pair(a, b) >= 0.99",
        means="P(the leader of the two is better)",
        check=_pair,
    ),
    "same": ConditionKind(
        question="margin",
        example="same(a, b, 0.02) >= 0.95",
        means="P(the rates differ by less)",
        check=_same,
    ),
    "loss": ConditionKind(
        question="best",
        example="loss <= 0.005",
        means="expected loss of the leader",
        check=_bound(
            "<=", lambda bound: 0 < bound < 1, "needs '<=' and a rate strictly between 0 and 1"
        ),
    ),
    "spending": ConditionKind(
        question="best",
        example="spending(obrien-fleming, 5 looks) or n >= 1000",
        means="size of z (exact test) at the last planned look",
        check=_spending,
        two_systems=True,
        common_only=True,
        options=("alpha",),
    ),
    "wald": ConditionKind(
        question="best",
        example="wald(1.0, 2.5)",
        means="wins of the second above its line",
        check=_wald,
        two_systems=True,
        common_only=True,
        options=("alpha", "beta"),
    ),
    "double-wald": ConditionKind(
        question="best",
        example="double-wald(0.65)",
        means="log likelihood ratio of the leader",
        check=_double_wald,
        two_systems=True,
        common_only=True,
        options=("alpha", "beta"),
    ),
    "wald-msrb": ConditionKind(
        question="best",
        example="wald-msrb(1.5, B)",
        means="pairs still open",
        check=_msrb,
        common_only=True,
        options=("alpha", "beta"),
        drops=True,
    ),
    "racing": ConditionKind(
        question="best",
        example="racing",
        means="log10 evidence against the weakest",
        check=_racing,
        common_only=True,
        options=("alpha",),
        drops=True,
    ),
    "claim": ConditionKind(
        question="claim",
        example="claim(new, 'accuracy at least 0.9') or n >= 1000",
        means="limit of the rate, valid at any time",
        check=_claim,
        options=("alpha", "each", "low", "high"),
    ),
    "betting": ConditionKind(
        question="mean",
        example="betting(1, 5) >= 20 or n >= 1000",
        means="e-value of the means, valid at any time",
        check=_betting,
        common_only=True,
    ),
    "asymptotic": ConditionKind(
        question="mean",
        example="asymptotic(400) or n >= 1000",
        means="e-value of the means, asymptotic",
        check=_asymptotic,
        two_systems=True,
        common_only=True,
        options=("alpha",),
    ),
    "n": ConditionKind(
        question="none", example="n >= 1000", means="items that count", check=_whole
    ),
    "cost": ConditionKind(
        question="none",
        example="cost >= 500",
        means="cost so far",
        check=_bound(">=", lambda bound: bound > 0, "needs '>=' and a cost above 0"),
    ),
}
"""Every condition by the name it is typed with."""
