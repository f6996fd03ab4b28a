"""What a campaign promised before its first result, frozen and hashed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from math import ceil, isfinite
from typing import Any, Literal, Self, get_args

from steelyard.campaigns.rules.companions import Companion, companion_of
from steelyard.campaigns.rules.conditions import Question, check_rule, question_of
from steelyard.campaigns.rules.grammar import Rule, conditions_of, most_items, parse_rule
from steelyard.campaigns.rules.numbers import NumberScale, number_scale
from steelyard.counts.labels import check_names
from steelyard.counts.trials import Pairing
from steelyard.errors import LedgerError, RequestError, listing

__all__ = ["Order", "Protocol", "canonical", "item_order", "least_spent"]

Order = Literal["random", "given"]

MOST_SYSTEMS = 60
"""Who had an item right is one bit of a 64-bit word for each system."""
FORMAT = 1


def canonical(value: Any) -> str:  # noqa: ANN401
    """Write plain data as JSON in one way only: sorted keys, no spaces.

    >>> canonical({"b": 1.0, "a": [True, None]})
    '{"a":[true,null],"b":1.0}'
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """Systems, pairing, rule, looks, prior, budget, costs and order of one campaign.

    ``step`` is the number of items between looks; ``budget`` the most that all results may cost;
    ``costs`` what one item costs for each system; ``priors`` the Beta prior (a, b) of each system
    (only on independent items may they differ from (1, 1)); ``order`` says whether the items of a
    batch are taken in a random order, which ``seed`` fixes, or as given. ``parsed`` is the rule.

    Examples
    --------
    >>> protocol = Protocol(systems=("cnn", "svm"), rule="evidence >= 20 or n >= 1000")
    >>> protocol.question, protocol.hash[:12]
    ('best', '3352ef094c8e')
    """

    systems: tuple[str, ...]
    rule: str
    pairing: Pairing = "common"
    step: int | None = None
    budget: float | None = None
    costs: tuple[float, ...] = ()
    priors: tuple[tuple[float, float], ...] = ()
    order: Order = "random"
    seed: int = 0
    parsed: Rule = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        systems = check_names(self.systems, "system")
        if not 1 <= len(systems) <= MOST_SYSTEMS:
            message = (
                f"{len(systems)} systems; a campaign has 2 to {MOST_SYSTEMS}, or 1 that is held "
                "against a limit. Name them: systems=['a', 'b'] (--systems a,b)."
            )
            raise RequestError(message)
        if self.pairing not in get_args(Pairing):
            raise RequestError.for_choice("pairing", self.pairing, get_args(Pairing))  # noqa: EM101
        if self.order not in get_args(Order):
            raise RequestError.for_choice("order", self.order, get_args(Order))  # noqa: EM101
        rule = parse_rule(self.rule)
        beside = next((one.name for one in map(companion_of, conditions_of(rule)) if one), None)
        costs, priors = self.costs, self.priors
        if beside is not None and systems[-1] == beside:
            systems, costs, priors = systems[:-1], costs[:-1], priors[:-1]
        check_rule(rule, systems=systems, pairing=self.pairing)
        costs, priors = _costs(costs, systems), _priors(priors, systems, self.pairing)
        if beside is not None:  # a fact of the item, which costs nothing and cannot win
            systems = check_names((*systems, beside), "system")
            costs, priors = (*costs, 0.0), (*priors, (1.0, 1.0))
        filled = (
            ("systems", systems),
            ("rule", str(rule)),
            ("parsed", rule),
            ("step", _step(self.step, len(costs) - (beside is not None))),
            ("budget", _budget(self.budget)),
            ("costs", costs),
            ("priors", priors),
        )
        for name, value in filled:
            object.__setattr__(self, name, value)
        if self.seed < 0:
            message = f"seed={self.seed!r}; a seed is a whole number, 0 or more."
            raise RequestError(message)

    @classmethod
    def of(
        cls,
        *,
        systems: tuple[str, ...],
        costs: Mapping[str, float] | float | None = None,
        priors: Mapping[str, tuple[float, float]] | None = None,
        **rest: Any,  # noqa: ANN401
    ) -> Self:
        """Build with costs and priors by the names of the systems."""
        known = tuple(systems)
        for what, given in (("cost", costs), ("prior", priors)):
            unknown = [s for s in given if s not in known] if isinstance(given, Mapping) else []
            if unknown:
                message = f"A {what} is given for {listing(unknown)}; systems: {listing(known)}."
                raise RequestError(message)
        if not isinstance(costs, Mapping):
            costs = dict.fromkeys(known, 1.0 if costs is None else costs)
        return cls(
            systems=known,
            costs=tuple(float(costs.get(system, 1.0)) for system in known),
            priors=tuple((priors or {}).get(system, (1.0, 1.0)) for system in known),
            **rest,
        )

    @property
    def question(self) -> Question:
        """What the rule answers."""
        return question_of(self.parsed)

    @property
    def numbers(self) -> NumberScale | None:
        """Which numbers the results are; None where they are right or wrong."""
        return number_scale(self.parsed)

    @property
    def companion(self) -> Companion | None:
        """What comes with every item beside the numbers of the systems, named last."""
        return None if self.numbers is None else self.numbers.companion

    @property
    def competitors(self) -> tuple[str, ...]:
        """The systems, without what only comes with their items."""
        return self.systems if self.companion is None else self.systems[:-1]

    @property
    def cap(self) -> int | None:
        """Items at which the campaign ends whatever they show; None without an end."""
        ends = [most_items(self.parsed)]
        whole = sum(self.costs)
        if self.budget is not None and whole > 0:
            ends.append(max(1, ceil(least_spent(self.budget) / whole)))
        return min((end for end in ends if end is not None), default=None)

    def plain(self) -> dict[str, Any]:
        """Give the protocol as plain data, the question included."""
        return {
            "format": FORMAT,
            "systems": list(self.systems),
            "pairing": self.pairing,
            "question": self.question,
            "rule": self.rule,
            "step": self.step,
            "budget": self.budget,
            "costs": list(self.costs),
            "priors": [list(prior) for prior in self.priors],
            "order": self.order,
            "seed": self.seed,
        }

    @property
    def text(self) -> str:
        """The canonical JSON that is hashed."""
        return canonical(self.plain())

    @property
    def hash(self) -> str:
        """SHA-256 of the canonical JSON."""
        return sha256(self.text.encode()).hexdigest()

    @classmethod
    def from_text(cls, text: str) -> "Protocol":
        """Rebuild a protocol from its canonical JSON.

        >>> protocol = Protocol(systems=("a", "b"), rule="evidence >= 20")
        >>> Protocol.from_text(protocol.text) == protocol
        True
        """
        return _read_protocol(text)


@lru_cache(maxsize=64)
def _read_protocol(text: str) -> Protocol:
    """Read a protocol once, however often its ledger is opened: it is frozen."""
    try:
        saved = json.loads(text)
        if saved.pop("format") != FORMAT:
            raise ValueError(text)  # noqa: TRY301
        saved.pop("question")
        saved["systems"] = tuple(saved["systems"])
        saved["costs"] = tuple(saved["costs"])
        saved["priors"] = tuple((a, b) for a, b in saved["priors"])
        return Protocol(**saved)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        message = (
            "The protocol in the ledger cannot be read: it was changed, or written by a newer "
            "Steelyard. Type: steelyard campaign verify LEDGER"
        )
        raise LedgerError(message, code="protocol-unreadable") from error


def item_order(items: list[str], *, order: Order, seed: int) -> list[str]:
    """Put the items of a batch into the order in which they count.

    Random means by the hash of the seed and the item's name: the same items come in the same order
    on every machine, and no property of an item but its name has a say.

    Examples
    --------
    >>> item_order(["a", "b", "c", "d"], order="random", seed=0)
    ['d', 'c', 'a', 'b']
    """
    if order == "given":
        return list(items)
    return sorted(items, key=lambda item: sha256(f"{seed}\0{item}".encode()).digest())


def _step(step: int | None, systems: int) -> int:
    if step is None:
        return 1 if systems <= 2 else 10
    if step < 1 or step != int(step):
        message = f"step={step!r}; looks are at least 1 item apart: step=1 (--step 1)."
        raise RequestError(message)
    return step


def least_spent(bound: float) -> float:
    """Give the sum of costs from which on a bound is reached.

    Costs such as 0.1 add up inexactly: ten of them are a little less than 1, and a million may be
    off by 1e-10 of their sum.

    Examples
    --------
    >>> sum([0.1] * 10) >= 1, sum([0.1] * 10) >= least_spent(1)
    (False, True)
    """
    return bound * (1 - 1e-9)


def _budget(budget: float | None) -> float | None:
    if budget is None:
        return None
    if not (isfinite(budget) and budget > 0):
        message = f"budget={budget!r}; expected the most that may be spent, above 0."
        raise RequestError(message)
    return float(budget)


def _costs(costs: tuple[float, ...], systems: tuple[str, ...]) -> tuple[float, ...]:
    filled = tuple(float(cost) for cost in costs) or (1.0,) * len(systems)
    if len(filled) != len(systems) or not all(isfinite(c) and c >= 0 for c in filled):
        message = (
            f"costs={list(costs)!r}; give one cost, 0 or more, for each of {listing(systems)}."
        )
        raise RequestError(message)
    return filled


def _priors(
    priors: tuple[tuple[float, float], ...], systems: tuple[str, ...], pairing: Pairing
) -> tuple[tuple[float, float], ...]:
    filled = tuple((float(a), float(b)) for a, b in priors) or ((1.0, 1.0),) * len(systems)
    positive = all(isfinite(part) and part > 0 for prior in filled for part in prior)
    if len(filled) != len(systems) or not positive:
        message = f"priors={list(priors)!r}; give two numbers above 0 for each system."
        raise RequestError(message)
    if pairing == "common" and set(filled) != {(1.0, 1.0)}:
        message = (
            "On common items one prior covers all systems together, uniform for each. Leave "
            "priors= (--prior) out, or test each system on items of its own: pairing='independent' "
            "(--pairing independent)."
        )
        raise RequestError(message, code="prior-not-independent")
    return filled
