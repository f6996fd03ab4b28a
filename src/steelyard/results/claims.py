"""Absolute claims as a specification says them: the one grammar of gate, plan and campaign."""

import re
from dataclasses import dataclass
from math import isfinite
from typing import Literal

from steelyard.counts.exposure import read_unit
from steelyard.errors import RequestError

__all__ = ["AbsoluteClaim", "Side", "check_limit", "counts_false_alarms", "read_claim"]

Side = Literal["at least", "at most"]

MORE = ("greater than or equal to", "greater than", "more than", "higher than", "above", "over",
        "exceeding")  # fmt: skip
LESS = ("less than or equal to", "less than", "fewer than", "lower than", "below", "under")
NOT = ("no", "not", "never")
AT_LEAST = (
    "at least", ">=", "=>", "≥", "⩾", ">", *MORE, "exceeds", "a minimum of", "minimum", "min",
    *(f"{no} {less}" for no in NOT for less in LESS),
)  # fmt: skip
AT_MOST = (
    "at most", "<=", "=<", "≤", "⩽", "<", *LESS, "up to", "a maximum of", "maximum", "max",
    *(f"{no} {more}" for no in NOT for more in MORE),
)  # fmt: skip
SIDES: dict[str, Side] = {
    **dict.fromkeys(AT_LEAST, "at least"),
    **dict.fromkeys(AT_MOST, "at most"),
}
"""How people say on which side of a number something lies. A number that is reached exactly decides
nothing that is measured, so that > is read as >=."""

WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
PLAIN = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
WHOLE = r"\d{1,3}(?:,\d{3})+|\d+"
NUMBER = (
    rf"(?:10\s*(?:\^|\*\*)\s*-?\d+|\d+\s*(?:in|out of)\s+(?:{WHOLE})|{PLAIN}"
    rf"|\b(?:{'|'.join(WORDS)})\b)"
)
"""A number as people write it: 0.9, 1e-4, 10^-4, 1 in 10,000, two."""
SIDE = "|".join(
    rf"\b{word}\b" if word[0].isalpha() else re.escape(word)
    for word in sorted(SIDES, key=len, reverse=True)
)
LIMIT = rf"(?P<side>{SIDE})\s*(?P<limit>{NUMBER})\s*(?P<percent>%|percent\b|per\s?cent\b|pct\b)?"
PER = (
    r"(?:\b(?:per|an?|each|every)\b|/)\s*"
    r"(?:(?P<many>\d+(?:,\d{3})*(?:\.\d+)?)\s*)?(?P<per>[^\W\d].*?)"
)
IS = r"(?:\s+(?:of|is|are|(?:must|shall|should|has to|have to)(?:\s+be)?))?"
GRAMMARS = tuple(
    re.compile(one, re.IGNORECASE)
    for one in (
        rf"(?:(?P<measure>[^\s<>=≥⩾≤⩽].*?){IS}\s*)??{LIMIT}(?:\s*{PER})?"
        r"(?:(?:\s+at\s+|\s*@\s*)"
        rf"(?P<where>(?!(?:least|most)\b)(?!.*(?:{SIDE}))(?=.*\d)(?=.*[^\W\d]).+))?",
        # "at most 2 false alarms an hour", "at least 90% recall"
        rf"{LIMIT}\s*(?P<measure>(?!(?:of|per|an?|at|with|or)\b)[^\W\d].*?)(?:\s*{PER})?",
    )
)
FALSE_ALARM = re.compile(
    r"(?:(?:false|nuisance|spurious)[- ]?(?:alarms?|positives?|detections?|calls?)(?:\s+rate)?"
    r"|alarms?|events?|fas?|fps?|far|fppi)(?:\s+of\s+.+)?",
    re.IGNORECASE,
)
"""What is counted over an exposure in a file of calls."""
RATE = re.compile(rf"(?P<measure>{FALSE_ALARM.pattern})\s*(?!\ban?\b){PER}", re.IGNORECASE)
BRACKETED = re.compile(r"(?P<name>.+?)\s*[(\[](?P<of>[^()\[\]]+)[)\]]")
GOES_ON = re.compile(rf"(?:{SIDE})\s*{NUMBER}.*(?:\band\b|[,;])", re.IGNORECASE)
"""A claim that goes on with another one."""
EXAMPLES = (
    '"recall of ship at least 0.95", "accuracy >= 0.4", "P_FA at most 0.0001 at P_D 0.9", '
    '"false alarms at most 2 per hour", "p95 latency at most 200"'
)
TROUBLES: tuple[tuple[str, str], ...] = (
    (r"\d,\d", "Write the number with a point, and without commas: 0.9, 1000."),
    (r"confiden", "How sure it must be is said apart: alpha=0.05 (--alpha 0.05) for 95%."),
    (rf"(?:{SIDE}).*(?:\band\b|;|,).*(?:{SIDE})|\bbetween\b|\bfrom\b.*\bto\b",
     "It says more than one thing: write one claim for each limit."),
    (r"\b(?:better|worse)\b",
     "What is better or worse than another system is a requirement: require='better' "
     "(--require better)."),
    (rf"(?:{SIDE})\s*{NUMBER}\s*\S+$", "The number stands without a unit, in that of the data."),
)  # fmt: skip
"""What people also write into a claim, with where it belongs."""


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
    percent: bool = False

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
    >>> read_claim("fewer than 2 false alarms an hour").per
    'hour'
    >>> read_claim("false alarms at most 1 per 100 km").limit
    0.01
    >>> read_claim("P_FA at most 1 in 10,000").limit, read_claim("at most two misses").limit
    (0.0001, 2.0)
    """
    plain = " ".join(str(text).split())
    said = re.sub(r"^(?:an?|the)\s+", "", plain, flags=re.IGNORECASE)
    found = next(filter(None, (one.fullmatch(said) for one in GRAMMARS)), None)
    if found is None or GOES_ON.search(found["measure"] or ""):
        trouble = next((words for one, words in TROUBLES if re.search(one, said, re.I)), None)
        trouble = f" {trouble}" if trouble else ""
        message = f"{text!r} is not a claim.{trouble} Write one such as {EXAMPLES}."
        raise RequestError(message, code="claim")
    parts = found.groupdict()
    measure, per, many = parts["measure"], parts["per"], parts["many"]
    # "false alarms per hour at most 2" is "false alarms at most 2 per hour".
    if per is None and measure and (ahead := RATE.fullmatch(measure)):
        measure, per, many = ahead["measure"].strip(), ahead["per"], ahead["many"]
    if measure and (called := BRACKETED.fullmatch(measure)):  # recall(ship)
        measure = f"{called['name']} of {called['of']}"
    if per is None and measure and measure.casefold() == "fppi":
        per = "image"
    shared = float(many.replace(",", "")) if many else 1.0
    limit = _read_number(parts["limit"]) / (100 if parts["percent"] else 1)
    if not isfinite(limit) or shared == 0:
        message = f"{text!r}: every number meets a limit of {limit:g}. Write the one that matters."
        raise RequestError(message, code="claim")
    if parts.get("where") is not None:
        measure = f"{measure or 'P_D'} at {parts['where']}"
    return AbsoluteClaim(
        text=plain,
        side=SIDES[parts["side"].lower()],
        limit=limit / shared,
        measure=measure,
        per=None if per is None else read_unit(per),
        percent=parts["percent"] is not None,
    )


def _read_number(text: str) -> float:
    text = text.casefold()
    if text in WORDS:
        return float(WORDS.index(text))
    if power := re.fullmatch(r"10\s*(?:\^|\*\*)\s*(-?\d+)", text):
        return float(f"1e{power[1]}")
    part, _, whole = re.sub(r"\s*(?:in|out of)\s+", "/", text).partition("/")
    return float(part) / float(whole.replace(",", "") or 1) if whole else float(part)


def counts_false_alarms(claim: AbsoluteClaim) -> bool:
    """Tell whether the events of a claim are those that a file of calls has.

    Examples
    --------
    >>> counts_false_alarms(read_claim("at most 2 false alarms an hour"))
    True
    >>> counts_false_alarms(read_claim("crashes at most 1 per 1,000 km"))
    False
    """
    return FALSE_ALARM.fullmatch(claim.measure or "events") is not None


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
