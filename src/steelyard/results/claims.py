"""Absolute claims as a specification says them: the one grammar of gate, plan and campaign."""

import re
from dataclasses import dataclass
from math import isfinite
from typing import Literal

from steelyard.counts.exposure import read_unit
from steelyard.errors import RequestError

__all__ = ["AbsoluteClaim", "Side", "check_limit", "read_claim"]

Side = Literal["at least", "at most"]

SIDES: dict[str, Side] = {
    "at least": "at least", ">=": "at least", "≥": "at least", "no less than": "at least",
    "not below": "at least", "at most": "at most", "<=": "at most", "≤": "at most",
    "no more than": "at most", "not above": "at most",
}  # fmt: skip
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
GRAMMAR = re.compile(
    rf"(?:(?P<measure>\S.*?)\s*)?(?P<side>{'|'.join(map(re.escape, SIDES))})\s*"
    rf"(?P<limit>{NUMBER})\s*(?P<percent>%?)"
    r"(?:\s*(?:\b(?:per|an?)\b|/)\s*(?P<per>[^\W\d].*?))?"
    rf"(?:\s+at\s+(?P<where>[^\W\d].*?)\s*[=\s]\s*(?P<at>{NUMBER}))?",
    re.IGNORECASE,
)
RATE = re.compile(r"(?P<measure>false (?:alarms|positives).*?)\s+per\s+(?P<per>\S+)", re.IGNORECASE)
EXAMPLES = (
    '"recall of ship at least 0.95", "accuracy >= 0.4", "P_FA at most 0.0001 at P_D 0.9", '
    '"false alarms at most 2 per hour", "p95 latency at most 200"'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsoluteClaim:
    """A measure that keeps a limit: ``[MEASURE [of CLASS]] at least|at most NUMBER``.

    ``measure`` is as typed, None for the usual one; a claim ``per`` a unit is about events over an
    exposure.
    """

    text: str
    side: Side
    limit: float
    measure: str | None = None
    per: str | None = None

    def keeps(self, low: float, high: float) -> bool:
        """Tell whether a whole interval lies on the claimed side."""
        return low >= self.limit if self.side == "at least" else high <= self.limit

    def breaks(self, low: float, high: float) -> bool:
        """Tell whether a whole interval lies beyond the limit."""
        return high < self.limit if self.side == "at least" else low > self.limit


def read_claim(text: str) -> AbsoluteClaim:
    """Read an absolute claim.

    Examples
    --------
    >>> claim = read_claim("recall of ship at least 95%")
    >>> claim.measure, claim.side, claim.limit
    ('recall of ship', 'at least', 0.95)
    >>> read_claim("P_FA at most 1e-4 at P_D 0.9").measure
    'P_FA at P_D 0.9'
    >>> read_claim("false alarms <= 2 an hour").per
    'hour'
    """
    plain = " ".join(str(text).split())
    found = GRAMMAR.fullmatch(plain)
    if found is None:
        message = f"{text!r} is not a claim. Write one such as {EXAMPLES}."
        raise RequestError(message, code="claim")
    limit = float(found["limit"]) / (100 if found["percent"] else 1)
    if not isfinite(limit):
        message = f"{text!r}: every number meets a limit of {limit:g}. Write the one that matters."
        raise RequestError(message, code="claim")
    # "false alarms per hour at most 2" is "false alarms at most 2 per hour".
    measure, per = found["measure"], found["per"]
    if per is None and measure and (ahead := RATE.fullmatch(measure)):
        measure, per = ahead["measure"], ahead["per"]
    if found["where"] is not None:
        measure = f"{measure or 'P_D'} at {found['where']} {found['at']}"
    return AbsoluteClaim(
        text=plain,
        side=SIDES[found["side"].lower()],
        limit=limit,
        measure=measure,
        per=None if per is None else read_unit(per),
    )


def check_limit(claim: AbsoluteClaim, name: str, bounds: tuple[float | None, float | None]) -> None:
    """Refuse a limit outside a measure's range, or one that nothing could show or break.

    Examples
    --------
    >>> check_limit(read_claim("accuracy at least 0.9"), "accuracy", (0.0, 1.0))
    """
    low, high = bounds
    span = f"{name} lies from {'-inf' if low is None else f'{low:g}'} to "
    span += "inf" if high is None else f"{high:g}"
    if (low is not None and claim.limit < low) or (high is not None and claim.limit > high):
        message = f"{claim.text!r}: {span}, and {claim.limit:g} does not lie there."
        hint = f" {claim.limit:g}% is written with its sign." if 1 < claim.limit <= 100 else ""
        raise RequestError(message + (hint if high == 1 else ""), code="claim")
    best = high if claim.side == "at least" else low
    if claim.limit == best:
        near = "0.99" if claim.side == "at least" else "0.01"
        message = (
            f"{claim.text!r}: {span}, and no number of items shows that it reaches the end. Claim "
            f"something short of it, such as {claim.side} {near}."
        )
        raise RequestError(message, code="claim")
    if claim.limit in (low, high):
        message = f"{claim.text!r}: {span}, so this always holds and nothing is claimed."
        raise RequestError(message, code="claim")
