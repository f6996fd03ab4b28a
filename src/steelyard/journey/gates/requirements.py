"""What a gate requires, in words that a pull request can hold."""

import re
from dataclasses import dataclass

from steelyard.errors import RequestError
from steelyard.results.gate import Claim

__all__ = ["Requirement", "read_requirement"]

NUMBER = r"(?P<{}>\d*\.?\d+)\s*(?P<{}percent>%?)"
GRAMMAR = re.compile(
    r"^(?:(?P<measure>\S.*?)(?:\s+of\s+(?P<of>\S.*?))?\s+)?"
    rf"(?:better(?:\s+by\s+{NUMBER.format('lead', 'lead')})?"
    rf"|not?\s+worse\s+by\s+{NUMBER.format('loss', 'loss')}"
    rf"|same\s+within\s+{NUMBER.format('room', 'room')})$",
    re.IGNORECASE,
)
LIMIT = re.compile(r"\bat (?:least|most)\b|[<>]=?", re.IGNORECASE)
EXAMPLES = (
    '"better", "better by 0.02", "not worse by 0.01", "same within 0.01", '
    '"recall of ship not worse by 0.02"'
)
CLAIMS: dict[str, Claim] = {"loss": "not worse", "room": "same", "lead": "better"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A measure, what is claimed about it, and the margin; no measure means the usual one.

    A margin of numbers that is ``relative`` is a share of the baseline's.
    """

    text: str
    claim: Claim
    margin: float
    measure: str | None = None
    of: str | None = None
    relative: bool = False


def read_requirement(text: str, *, units: bool = False) -> Requirement:
    """Read a requirement: ``[MEASURE [of CLASS]] CLAIM``.

    A claim is ``better``, ``better by N``, ``not worse by N`` or ``same within N``; N is a number
    below 1, or a percentage. With ``units`` it is any number above 0, in the units of the values,
    or a percentage of the baseline.

    Examples
    --------
    >>> read_requirement("recall of ship not worse by 2%").margin
    0.02
    >>> read_requirement("better").measure is None
    True
    """
    found = GRAMMAR.match(" ".join(str(text).split()))
    if found is None:
        message = f"{text!r} is not a requirement. Write one of: {EXAMPLES}."
        if LIMIT.search(str(text)):
            message += " A limit that needs no baseline is a claim: claim= (--claim) takes it."
        raise RequestError(message, code="requirement")
    named = next((name for name in CLAIMS if found[name] is not None), None)
    margin = 0.0
    if named is not None:
        margin = float(found[named]) / (100 if found[f"{named}percent"] else 1)
    claim: Claim = CLAIMS[named] if named is not None else "better"
    relative = units and named is not None and bool(found[f"{named}percent"])
    if not (margin < 1 or (units and not relative)) or (margin == 0 and claim != "better"):
        message = (
            f"{text!r}: a margin lies above 0 and below 1, such as 0.01 or 1%. With no margin at "
            "all nothing can be shown to be the same."
        )
        raise RequestError(message, code="requirement")
    measure, of = found["measure"], found["of"]
    return Requirement(text=found[0], claim=claim, margin=margin, measure=measure, of=of,
                       relative=relative)  # fmt: skip
