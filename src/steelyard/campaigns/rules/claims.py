"""Absolute claims inside a stopping rule: limits that hold however often you look.

A claim of accuracy counts all items of its system. Any other share (recall of a class, P_FA, false
alarms per hour) counts items of its own, so that it is a *stream* of its own in the ledger, named
``new: recall of ship``: an item that is about it is one trial, won or not. A claim of an area has
two: the scores of the class, and those of the others.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaln

from steelyard.campaigns.rules.grammar import AllOf, AnyOf, Condition, Rule, conditions_of
from steelyard.campaigns.rules.numbers import is_area, is_numeric, numeric_claim, others_than
from steelyard.comparison.sequential.evidence import win_sequence
from steelyard.errors import RequestError
from steelyard.measures.catalogue.asked import read_measures
from steelyard.measures.catalogue.listing import CATALOGUE
from steelyard.measures.catalogue.measure import Measure
from steelyard.results.claims import (
    AbsoluteClaim,
    Side,
    check_limit,
    counts_false_alarms,
    read_claim,
)

__all__ = [
    "CampaignClaim",
    "Stream",
    "campaign_claim",
    "give_streams_to_claims",
    "stream_name",
    "streams_of",
]

ALPHA = 0.05
QUANTILE = re.compile(r"(?i)(?:p\d+(?:\.\d+)?|.*\bpercentile|median)\b.*")
OTHER: dict[Side, Side] = {"at least": "at most", "at most": "at least"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignClaim:
    """A system, what is claimed of its share right, and the chance that it is ever misjudged.

    Events over an exposure are a share of items that are ``each`` so long: the claim then holds
    the limit of that share, and ``each`` brings it back to the unit of the specification. A limit
    of what is ``wrong`` is held as one of what is right.
    """

    system: str
    claim: AbsoluteClaim
    alpha: float
    each: float = 1.0
    wrong: bool = False

    def decide(self, right: ArrayLike, tested: ArrayLike) -> NDArray[np.int64]:
        r"""Give 1 where the claim is kept, -1 where it is broken, 0 where it is open still.

        The limit p is left out of the confidence sequence of a Beta(1, 1) mixture when
        :math:`B(1+x,1+n-x)/(p^x(1-p)^{n-x})\ge1/\alpha`; on which side says what was seen.
        """
        x, n = np.asarray(right, dtype=np.float64), np.asarray(tested, dtype=np.float64)
        p = self.claim.limit
        evidence = betaln(1 + x, 1 + n - x) - x * log(p) - (n - x) * np.log1p(-p)
        side = np.where(x > n * p, 1, -1) * (1 if self.claim.side == "at least" else -1)
        return np.where(evidence >= -log(self.alpha), side, 0).astype(np.int64)

    def limit(self, right: int, tested: int) -> float:
        """The limit that a pass is held against, as it stands."""
        found = win_sequence(right, tested - right, alpha=self.alpha)
        limit = (found.low if self.claim.side == "at least" else found.high) / self.each
        return 1 - limit if self.wrong else limit

    def holds_at(self, rate: float) -> bool | None:
        """Tell whether a true rate keeps the claim; None on the limit itself."""
        if rate == self.claim.limit:
            return None
        return (rate > self.claim.limit) == (self.claim.side == "at least")


def campaign_claim(condition: Condition) -> CampaignClaim:
    """Read ``claim(system, 'accuracy at least 0.9')``.

    >>> from steelyard.campaigns.rules.grammar import parse_rule
    >>> campaign_claim(parse_rule("claim(new, 'at least 0.9')")).claim.limit
    0.9
    >>> rule = "claim(new, 'false alarms at most 2 per hour', each=0.02)"
    >>> campaign_claim(parse_rule(rule)).claim.limit
    0.04
    """
    system, text = condition.arguments
    claim, each = read_claim(str(text)), condition.option("each", 0.0)
    alpha = condition.option("alpha", ALPHA)
    if claim.per is not None:
        claim = _share_of_events(claim, each)
        return CampaignClaim(system=str(system), claim=claim, alpha=alpha, each=each)
    if each:
        message = (
            f"{claim.text!r} is not a rate of events, so that each= means nothing. Leave it out."
        )
        raise RequestError(message, code="claim")
    measure, _ = _measure(claim)
    check_limit(claim, measure.name, measure.bounds)
    if measure.same_as and measure.counts_right:  # all items count, and what counts is being right
        turned = replace(claim, side=OTHER[claim.side], limit=1 - claim.limit)
        return CampaignClaim(system=str(system), claim=turned, alpha=alpha, wrong=True)
    return CampaignClaim(system=str(system), claim=claim, alpha=alpha)


def _share_of_events(claim: AbsoluteClaim, each: float) -> AbsoluteClaim:
    """Turn events per unit into a share of items that are each so long."""
    if not counts_false_alarms(claim):
        message = (
            f"{claim.text!r}: a campaign counts false alarms over an exposure. Claim 'false alarms "
            f"{claim.side} {claim.limit:g} per {claim.per}'."
        )
        raise RequestError(message, code="claim")
    if not each > 0:
        message = (
            f"{claim.text!r}: a campaign counts items, so say how much of one {claim.per} each of "
            f"them is: claim(new, '{claim.text}', each=0.02)."
        )
        raise RequestError(message, code="claim")
    share = claim.limit * each
    if not 0 < share < 1:
        message = (
            f"{claim.text!r} with {each:g} {claim.per} an item allows {share:g} events an item; a "
            "campaign counts items with an event, at most one each. Take shorter items."
        )
        raise RequestError(message, code="claim")
    return replace(claim, limit=share)


def _measure(claim: AbsoluteClaim) -> tuple[Measure, str | None]:
    """Find the share that is claimed, and its class; what is not a share of items is refused."""
    name = claim.measure or "accuracy"
    if QUANTILE.fullmatch(name):
        message = (
            f"{claim.text!r}: a campaign follows shares, and a quantile is one: give right and "
            f"wrong, 1 where an item keeps the limit of {claim.limit:g}, and claim 'accuracy at "
            "least 0.95' for the 95th percentile."
        )
        raise RequestError(message, code="claim")
    if name.lower().split(" ")[0] in ("mean", "average") and "precision" not in name:
        message = (
            f"{claim.text!r}: a campaign follows the mean of numbers that cannot leave a stated "
            f"range: claim(new, '{claim.text}', low=1, high=5)."
        )
        raise RequestError(message, code="claim")
    (asked,) = read_measures(name)
    measure, of = asked.measure, asked.of
    if measure.parts is None:
        message = (
            f"{claim.text!r}: {measure.name} is not a share of single items, and no limit of it is "
            "known that holds however often you look. Claim a share (accuracy, recall of a class, "
            "P_FA of a class) or false alarms per hour; hold a gate for the rest."
        )
        raise RequestError(message, code="claim")
    if measure.of_class and not of:
        message = (
            f"{claim.text!r}: {measure.name} of which class? Write '{measure.name} of CLASS "
            f"{claim.side} {claim.limit:g}'."
        )
        raise RequestError(message, code="claim")
    return measure, of


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """What a claim counts: a share of a system's items, or its false alarms among all of them.

    Of an area the scores of the class, and as ``others`` those of the rest.
    """

    system: str
    measure: Measure
    of: str | None
    events: bool = False
    area: bool = False
    others: bool = False

    @property
    def name(self) -> str:
        """How the ledger calls it; the system itself where all its items count."""
        if self.events:
            return f"{self.system}: false alarms"
        if not (self.measure.of_class or self.area):
            return self.system
        name = f"{self.system}: {self.measure.name} of {self.of}"
        return others_than(name) if self.others else name


def _stream(condition: Condition) -> Stream:
    """Read what a claim counts, whether it names the system or the stream already."""
    system, claim = str(condition.arguments[0]), read_claim(str(condition.arguments[1]))
    if claim.per is not None:
        made = Stream(system="", measure=CATALOGUE["accuracy"], of=None, events=True)
    elif is_area(condition):
        named = (claim.measure or "").partition(" of ")[2]
        made = Stream(system="", measure=CATALOGUE["AUC"], of=named, area=True)
    else:
        measure, of = _measure(claim)
        made = Stream(system="", measure=measure, of=of)
    return replace(made, system=system.removesuffix(made.name) if made.name else system)


def stream_name(condition: Condition) -> str:
    """Name the stream that a claim follows."""
    return _stream(condition).name


def give_streams_to_claims(rule: Rule, systems: Sequence[str]) -> tuple[Rule, tuple[str, ...]]:
    """Give every claim its stream: the rule that names them, and the systems that there then are.

    >>> from steelyard.campaigns.rules.grammar import parse_rule
    >>> rule = parse_rule("claim(new, 'recall of ship at least 0.9') or n >= 600")
    >>> spread, systems = give_streams_to_claims(rule, ["new"])
    >>> print(spread, systems)
    claim('new: recall of ship', 'recall of ship at least 0.9') or n >= 600 ('new: recall of ship',)
    """
    claims = [one for one in conditions_of(rule) if _is_claim(one, systems) and _has_stream(one)]
    for one in claims:
        if is_area(one):
            numeric_claim(one)  # refuses one without a class before it names a stream
    streams = {name: None for one in claims for name in _streams(one)}
    if set(streams) <= set(systems):
        return rule, tuple(systems)

    def give_streams(part: Rule) -> Rule:
        if isinstance(part, AllOf | AnyOf):
            return replace(part, parts=tuple(map(give_streams, part.parts)))
        if part not in claims:
            return part
        return replace(part, arguments=(_stream(part).name, part.arguments[1]))

    return give_streams(rule), tuple(streams)


def _has_stream(condition: Condition) -> bool:
    return is_area(condition) or not is_numeric(condition)


def _streams(condition: Condition) -> dict[str, Stream]:
    """Give the streams of a claim by their names, the one that names it first."""
    first = _stream(condition)
    if not first.area:
        return {first.name: first}
    return {one.name: one for one in (first, replace(first, others=True))}


def _is_claim(condition: Condition, systems: Sequence[str]) -> bool:
    given = condition.arguments
    return condition.name == "claim" and len(given) == 2 and given[0] in systems


def streams_of(rule: Rule) -> dict[str, Stream]:
    """Give the streams of a campaign by their names; none where all claims are of accuracy."""
    found = {
        name: stream
        for one in conditions_of(rule)
        if one.name == "claim" and _has_stream(one)
        for name, stream in _streams(one).items()
    }
    return found if any(name != one.system for name, one in found.items()) else {}
