"""What comes with the numbers of an item: whether it is of a class, or how much of it there is.

``betting('AUC of ship') >= 20`` compares areas, and must know which items are ships;
``asymptotic(400, lower, 'errors per words')`` compares sums of errors over the same words. Both are
facts of an item and of no system: the ledger keeps them under a name of their own.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import Literal

from steelyard.campaigns.rules.grammar import Condition
from steelyard.errors import RequestError
from steelyard.measures.catalogue.listing import CATALOGUE, catalogue_entry
from steelyard.results.claims import AbsoluteClaim, read_claim

__all__ = ["LOWER", "Companion", "companion_of", "is_area_name", "quantity_of"]

LOWER = "lower"
KNOWN = {"wer": "errors per words", "cer": "errors per characters"}
"""Ratios that go by a name of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Companion:
    """A fact of every item that a rule needs beside the numbers of the systems.

    ``kind`` is ``class`` (1 where the item is of class ``of``, else 0) or ``per`` (how much of
    ``of`` there is, above 0 and at most ``most``, where that is stated).
    """

    kind: Literal["class", "per"]
    of: str
    what: str
    most: float | None = None

    @property
    def name(self) -> str:
        """How the ledger calls it."""
        return f"is {self.of}" if self.kind == "class" else self.of

    @property
    def expected(self) -> str:
        """What may be recorded of it, in words."""
        if self.kind == "class":
            return f"1 where the item is of class {self.of}, and else 0"
        room = "" if self.most is None else f" and at most {self.most:g}, as the rule says"
        return f"a number above 0{room}"

    def holds(self, value: float) -> bool:
        """Tell whether a value may occur."""
        if self.kind == "class":
            return value in (0, 1)
        return isfinite(value) and 0 < value and (self.most is None or value <= self.most)


def is_area_name(measure: str) -> bool:
    """Tell whether a measure, as it is typed, is an area under the ROC curve.

    >>> is_area_name("AUROC of ship"), is_area_name("errors per words")
    (True, False)
    """
    try:
        return catalogue_entry(measure.partition(" of ")[0]) is CATALOGUE["AUC"]
    except RequestError:
        return False


def quantity_of(condition: Condition) -> str | None:
    """Find what a condition on numbers names beside its range: its last text.

    >>> from steelyard.campaigns.rules.grammar import parse_rule
    >>> quantity_of(parse_rule("asymptotic(400, lower, 'errors per words')"))
    'errors per words'
    """
    last = condition.arguments[-1:]
    if condition.name == "claim" or not last or last == (LOWER,) or not isinstance(last[0], str):
        return None
    return last[0]


@lru_cache(maxsize=256)
def companion_of(condition: Condition) -> Companion | None:
    """Find what must come with every item; None where the numbers of the systems are enough.

    >>> from steelyard.campaigns.rules.grammar import parse_rule
    >>> companion_of(parse_rule("betting('AUC of ship') >= 20")).name
    'is ship'
    >>> companion_of(parse_rule("claim(new, 'errors per words at most 0.08', high=60)")).name
    'words'
    """
    if condition.name == "claim":
        return _of_claim(condition)
    if condition.name not in ("betting", "asymptotic"):
        return None
    what = quantity_of(condition)
    if what is None:
        return None
    what = KNOWN.get(what.lower(), what)
    _, _, below = what.partition(" per ")
    if below.strip():
        return Companion(kind="per", of=below.strip(), what=what)
    of = what.partition(" of ")[2].strip()
    if of and condition.name == "betting" and is_area_name(what):
        return Companion(kind="class", of=of, what=what)
    return None


def _of_claim(condition: Condition) -> Companion | None:
    if len(condition.arguments) != 2:
        return None
    claim, options = read_claim(str(condition.arguments[1])), dict(condition.options)
    above, below = _ratio(claim)
    if not below or "each" in options or (claim.per is not None and "high" not in options):
        return None  # events over an exposure, or no ratio
    return Companion(kind="per", of=below, what=f"{above} per {below}", most=options.get("high"))


def _ratio(claim: AbsoluteClaim) -> tuple[str, str]:
    """Take a claim of a ratio of sums apart; false alarms over an exposure are none."""
    measure = claim.measure or ""
    measure = KNOWN.get(measure.lower(), measure)
    if measure.lower().startswith("false "):
        return "", ""
    if claim.per is not None:
        return measure or "errors", claim.per
    above, _, below = measure.partition(" per ")
    return above.strip(), below.strip()
