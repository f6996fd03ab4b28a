"""One measured number: a share of items, or any other estimate, with what is needed to doubt it."""

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

from steelyard.display.numbers import show_count, show_estimate, show_number
from steelyard.display.text import show_name
from steelyard.results.base import Cell, Result, tidy_row

__all__ = [
    "Caveat",
    "CaveatCode",
    "Estimate",
    "Interval",
    "Proportion",
    "ShortfallCode",
    "interval_cells",
    "tidy_row",
]

ShortfallCode = Literal[
    "wald-share",
    "wald-difference",
    "kappa-ase1",
    "auc-bootstrap",
    "rate-bootstrap",
    "precision-bootstrap",
    "cluster-bootstrap",
    "band-bootstrap",
    "rare-items",
    "threshold-interval",
    "threshold-unknown",
    "threshold-by-few",
    "clusters-ignored",
    "unlike-clusters",
    "unlike-weights",
    "few-scores",
    "few-readers",
    "large-sample-test",
    "mcnemar-midp",
    "mcnemar-asymptotic",
    "score-sparse",
    "gate-clusters",
    "chance-of-same",
    "best-uniform",
    "belief-rule",
    "wald-between",
]
"""What is known to keep less than it says; the words are in :mod:`steelyard.results.shortfalls`."""
CaveatCode = (
    Literal["scores-thinned", "about-limits", "effective-rows", "no-interval"] | ShortfallCode
)
"""What a caveat is about, where a program goes by it."""


class Caveat(str):
    """A doubt in words, with a code for programs; it is compared, shown and saved as its words.

    Examples
    --------
    >>> doubt = Caveat("infinite here; 95% lower limit 1.2", code="about-limits")
    >>> doubt.code, doubt == "infinite here; 95% lower limit 1.2"
    ('about-limits', True)
    """

    __slots__ = ("code",)
    code: CaveatCode

    def __new__(cls, words: str, *, code: CaveatCode) -> Self:
        """Put a code to the words."""
        made = super().__new__(cls, words)
        made.code = code
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, CaveatCode]]:
        return (str(self),), {"code": self.code}

    @staticmethod
    def code_of(words: str) -> CaveatCode | None:
        """Give the code of a caveat; None of one that no program goes by."""
        return words.code if isinstance(words, Caveat) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Both ends, the coverage promised, and the method that promised it."""

    low: float
    high: float
    level: float
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proportion(Result):
    """A share of items with the two whole numbers it came from; undefined when ``trials`` is 0."""

    kind: ClassVar[str] = "proportion"
    measure: str
    successes: int
    trials: int
    interval: Interval | None = None
    reason: str | None = None
    of: str | None = None

    @property
    def value(self) -> float | None:
        """The point estimate, or None when there was nothing to share out."""
        return self.successes / self.trials if self.trials else None

    def sentence(self) -> str:
        """Say the share, its interval and its two whole numbers."""
        said = _say(self)
        if self.value is None:
            return said
        return f"{said} ({show_count(self.successes)}/{show_count(self.trials)})"

    def rows(self) -> list[dict[str, Cell]]:
        """List one row."""
        return [_tidy(self, count=self.successes, total=self.trials)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate(Result):
    """A number that is not a plain share; ``value`` is None exactly when ``reason`` says why."""

    kind: ClassVar[str] = "estimate"
    measure: str
    value: float | None
    interval: Interval | None = None
    standard_error: float | None = None
    reason: str | None = None
    of: str | None = None
    items: int | None = None

    def sentence(self) -> str:
        """Say the number and its interval."""
        return _say(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List one row."""
        return [_tidy(self, total=self.items)]


def interval_cells(ends: Interval | None) -> dict[str, Cell]:
    """Give the cells of a tidy row that an interval fills; none when there is none."""
    if ends is None:
        return {}
    return {"low": ends.low, "high": ends.high, "level": ends.level, "method": ends.method}


def _tidy(measured: Proportion | Estimate, **counts: Cell) -> dict[str, Cell]:
    return tidy_row(
        measure=measured.measure,
        of=measured.of,
        value=measured.value,
        reason=measured.reason,
        **interval_cells(measured.interval),
        **counts,
    )


def _say(measured: Proportion | Estimate) -> str:
    what, value, ends = measured.measure, measured.value, measured.interval
    if measured.of is not None:
        what = f"{what} of {show_name(measured.of)}"
    if value is None:
        return f"{what} is undefined: {measured.reason or 'no items'}"
    return f"{what} {show_estimate(value, ends.low, ends.high) if ends else show_number(value)}"
