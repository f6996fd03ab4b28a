"""Reader studies: the areas of every reader with every system, and for whom a difference holds."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

from steelyard.display.numbers import (
    show_count,
    show_difference,
    show_interval,
    show_number,
    show_p_value,
    show_probability,
    show_share,
)
from steelyard.display.tables import Headed, Table, number_cell, text_cell
from steelyard.display.text import join_names, show_name
from steelyard.errors import counted
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.measured import interval_name, relate_p_value

__all__ = [
    "READER_SCOPES",
    "ReaderComparison",
    "ReaderOutcome",
    "ReaderPair",
    "ReaderPlan",
    "ReaderScope",
    "ReaderSize",
    "ReaderSystem",
]

ReaderScope = Literal["readers and cases", "cases", "readers"]
READER_SCOPES: dict[ReaderScope, tuple[str, str]] = {
    "readers and cases": (
        "other readers and other cases",
        "readers and cases are both a sample: what another hospital may expect",
    ),
    "cases": (
        "these readers and other cases",
        "the readers are the ones that matter: what these readers may expect of new cases",
    ),
    "readers": (
        "other readers and these cases",
        "the cases are the ones that matter: what other readers may expect of these cases",
    ),
}
"""What a study may be about: the short words, and what they mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderSystem:
    """A system: its area averaged over readers, and the area of each of them.

    ``low`` and ``high`` are limits of the mean for other readers and other cases, cut to 0 and 1.
    """

    system: str
    area: float
    by_reader: tuple[float, ...]
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderOutcome:
    """What a difference shows for others than those of the study.

    ``freedom`` is the second one of F, None where it is infinite; there is no interval where
    readers never differ, so that nothing tells how they vary.
    """

    to: ReaderScope
    low: float | None
    high: float | None
    p_value: float
    freedom: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderPair:
    """Two systems: the difference of their mean areas, three answers, and the verdict.

    The verdict is about other readers and other cases; ``adjusted_p`` allows for all pairs.
    """

    first: str
    second: str
    difference: float
    outcomes: tuple[ReaderOutcome, ...]
    adjusted_p: float
    verdict: Literal["different", "undecided"]

    def outcome(self, to: ReaderScope) -> ReaderOutcome:
        """Give the answer for one scope."""
        return next(one for one in self.outcomes if one.to == to)

    def rows(self, level: float) -> list[dict[str, Cell]]:
        """List the difference, then interval and p for each scope."""
        pair = {"system": self.first, "against": self.second}
        made = []
        for one in self.outcomes:
            made.append(
                tidy_row(
                    measure="difference of mean auc", of=READER_SCOPES[one.to][0],
                    value=self.difference, low=one.low, high=one.high, level=level,
                    method="obuchowski-rockette", **pair,
                )
            )  # fmt: skip
            made.append(
                tidy_row(
                    measure="p-value", of=READER_SCOPES[one.to][0], value=one.p_value,
                    method="obuchowski-rockette", **pair,
                )
            )  # fmt: skip
        made.append(tidy_row(measure="adjusted p-value", value=self.adjusted_p, **pair))
        return [*made, tidy_row(measure="verdict", reason=self.verdict, **pair)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderComparison(Result):
    """Readers who scored the same cases with two or more systems.

    ``overall`` are the tests of all systems at once, where there are more than two. ``parts`` are
    the mean squares and covariances that all answers are made of. ``guarded`` answers allow for few
    cases of a class and few readers; others are as published.
    """

    kind: ClassVar[str] = "readers"
    readers: tuple[str, ...]
    cases: int
    positives: int
    positive: str
    covariance: Literal["delong", "jackknife"]
    systems: tuple[ReaderSystem, ...]
    pairs: tuple[ReaderPair, ...]
    overall: tuple[ReaderOutcome, ...]
    parts: tuple[tuple[str, float], ...]
    level: float
    alpha: float
    provenance: Provenance
    guarded: bool = False

    def ranked(self) -> list[ReaderSystem]:
        """Put the systems in order, the largest mean area first."""
        return sorted(self.systems, key=lambda one: -one.area)

    def headline(self) -> str:
        """Say which system to use, by the verdicts for other readers and other cases."""
        leader, *others = [one.system for one in self.ranked()]
        told = {
            frozenset((pair.first, pair.second))
            for pair in self.pairs
            if pair.verdict == "different"
        }
        tied = [name for name in others if frozenset((leader, name)) not in told]
        if not tied:
            beaten = show_name(others[0]) if len(others) == 1 else "all others"
            return f"Use {show_name(leader)}: it is better than {beaten}."
        none = "Use neither yet" if len(others) == 1 else "Use none yet"
        return f"{none}: {show_name(leader)} and {join_names(tied)} are not told apart."

    def sentence(self) -> str:
        """Say the mean areas, and for whom the first two differ."""
        return _sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List the areas, the differences and the tests."""
        areas = [
            row
            for one in self.systems
            for row in (
                tidy_row(
                    measure="mean auc",
                    system=one.system,
                    value=one.area,
                    total=self.cases,
                    low=one.low,
                    high=one.high,
                    level=None if one.low is None else self.level,
                    method=None if one.low is None else "obuchowski-rockette",
                ),
                *(
                    tidy_row(measure="auc", of=f"reader {who}", system=one.system, value=area)
                    for who, area in zip(self.readers, one.by_reader, strict=True)
                ),
            )
        ]
        tests = [
            tidy_row(
                measure="p-value of all systems", of=READER_SCOPES[one.to][0], value=one.p_value,
                method="obuchowski-rockette",
            )
            for one in self.overall
        ]  # fmt: skip
        parts = [tidy_row(measure=name, value=value) for name, value in self.parts]
        return [
            *areas,
            *tests,
            *(row for pair in self.pairs for row in pair.rows(self.level)),
            *parts,
        ]

    def tables(self) -> list[Table]:
        """Show for whom a difference holds, then the area of every reader."""
        return _tables(self)

    def details(self) -> list[str]:
        """Say what the three lines are about, how they were found, and what was read."""
        scopes = [f"{short}: {long}." for short, long in READER_SCOPES.values()]
        how = (
            "Obuchowski and Rockette's mean squares with Hillis's degrees of freedom; covariances "
            "of areas "
            f"{'by the jackknife' if self.covariance == 'jackknife' else 'as DeLong has them'} "
            f"({'--method delong' if self.covariance == 'jackknife' else '--method jackknife'} "
            "gives the other)."
        )
        if self.guarded:
            how += (
                " Degrees of freedom allow for covariances of few cases, limits of a mean area for "
                "a case and a reader not seen; with --method all is as published."
            )
        return [*scopes, how, *self.provenance.lines()]


def _sentence(found: ReaderComparison) -> str:
    ranked = found.ranked()
    means = join_names([f"{show_number(one.area, digits=3)} with {one.system}" for one in ranked])
    study = (
        f"{counted(len(found.readers), 'reader')} scored {counted(found.cases, 'case')} "
        f"({show_count(found.positives)} of {show_name(found.positive)}) with each of "
        f"{counted(len(ranked), 'system')}; the mean area under the ROC curve is {means}"
    )
    if len(found.pairs) > 1:
        apart = [pair for pair in found.pairs if pair.verdict == "different"]
        said = (
            f"{len(apart)} of {len(found.pairs)} pairs are told apart for other readers and other "
            "cases"
        )
        return f"{study}; {said}."
    pair = found.pairs[0]
    best = pair.first if pair.difference > 0 else pair.second
    better = f"{show_name(best)} is better"
    verdicts = {one.p_value <= found.alpha for one in pair.outcomes}
    if len(verdicts) == 1:  # said once, for all three
        said = better if verdicts.pop() else "they cannot be told apart"
        kinds = [
            f"{READER_SCOPES[one.to][0]} (p {relate_p_value(one.p_value, found.alpha)})"
            for one in pair.outcomes
        ]
        return f"{study}. For {', '.join(kinds[:-1])}, and {kinds[-1]} {said}."
    parts = [
        f"for {READER_SCOPES[one.to][0]} "
        f"{better if one.p_value <= found.alpha else 'they cannot be told apart'} "
        f"(p {relate_p_value(one.p_value, found.alpha)})"
        for one in pair.outcomes
    ]
    return f"{study}. " + _capital(", ".join(parts[:-1]) + f", and {parts[-1]}.")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _tables(found: ReaderComparison) -> list[Table]:
    overall = [
        [
            text_cell("holds for", READER_SCOPES[one.to][0], whole=True),
            number_cell("p", show_p_value(one.p_value, alpha=found.alpha)),
        ]
        for one in found.overall
    ]
    tables = [Table.of("All systems alike?", overall), _differences(found), _areas(found)]
    return [table for table in tables if table.rows]


def _differences(found: ReaderComparison) -> Table:
    one_pair = len(found.pairs) == 1
    rows = []
    for pair in found.pairs:
        for place, one in enumerate(pair.outcomes):
            first = place == 0 and not one_pair
            named = f"{pair.first} - {pair.second}" if first else None
            row = [
                text_cell("holds for", READER_SCOPES[one.to][0], whole=True),
                number_cell("difference", show_difference(pair.difference, digits=4)),
                number_cell(interval_name(found.level), _show_limits(one, digits=4)),
                number_cell("p", show_p_value(one.p_value, alpha=found.alpha)),
                number_cell(
                    "adjusted p",
                    show_p_value(pair.adjusted_p, alpha=found.alpha) if first else None,
                ),
            ]
            rows.append(row if one_pair else [text_cell("pair", named, whole=True), *row])
    title = "Mean areas: the first minus the second"
    if one_pair:
        title = f"Mean area with {found.pairs[0].first} minus that with {found.pairs[0].second}"
    return Table.of(title, rows)


def _areas(found: ReaderComparison) -> Table:
    ranked = found.ranked()

    def line(name: str, cells: Iterable[str | None]) -> list[Headed]:
        numbers = zip(ranked, cells, strict=True)
        return [
            text_cell("reader", name),
            *(number_cell(one.system, cell) for one, cell in numbers),
        ]

    rows = [
        *(
            line(who, [show_share(one.by_reader[at]) for one in ranked])
            for at, who in enumerate(found.readers)
        ),
        line("mean", [show_share(one.area) for one in ranked]),
        line(interval_name(found.level), [_show_limits(one, digits=3) for one in ranked]),
    ]
    return Table.of("Areas under ROC curves", rows)


def _show_limits(one: ReaderSystem | ReaderOutcome, *, digits: int) -> str | None:
    if one.low is None or one.high is None:
        return None
    return show_interval(one.low, one.high, digits=digits)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderSize:
    """A study of so many readers and cases, and its chance to show the difference."""

    readers: int
    cases: int
    power: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderPlan(Result):
    """How many readers and cases show a difference, for other readers and other cases.

    For each number of ``readers`` the fewest ``cases`` that reach ``power``; None of those that no
    number of cases lets reach it.
    """

    kind: ClassVar[str] = "reader-plan"
    difference: float
    alpha: float
    power: float
    sizes: tuple[ReaderSize, ...]
    out_of_reach: tuple[int, ...]
    asked: ReaderSize | None
    pilot_readers: int
    pilot_cases: int
    provenance: Provenance

    def headline(self) -> str:
        """Say the study with the fewest readings; nothing where one was asked about."""
        if self.asked is not None:
            return ""
        if not self.sizes:
            return f"No study of up to {max(self.out_of_reach)} readers is large enough."
        least = min(self.sizes, key=lambda one: one.readers * one.cases)
        return f"Take {least.readers} readers with {show_count(least.cases)} cases."

    def sentence(self) -> str:
        """Say the sizes that are enough, or what the study that was asked about reaches."""
        wish = (
            f"to show a difference of {self.difference:g} between mean areas, for other readers "
            f"and other cases, with power {self.power:g}"
        )
        if self.asked is not None:
            chance = show_probability(self.asked.power)
            return (
                f"{counted(self.asked.readers, 'reader')} and {counted(self.asked.cases, 'case')} "
                f"show a difference of {self.difference:g} between mean areas, for other readers "
                f"and other cases, with probability {chance}."
            )
        if not self.sizes:
            return (
                f"No study of up to {max(self.out_of_reach)} readers is large enough {wish}: "
                "readers differ too much from system to system."
            )
        least = min(self.sizes, key=lambda one: one.readers * one.cases)
        others = [
            f"{one.readers} readers with {show_count(one.cases)} cases"
            for one in (self.sizes[0], self.sizes[-1])
            if one is not least
        ]
        also = f"; so are {' or '.join(others)}" if others else ""
        said = f"{least.readers} readers with {show_count(least.cases)} cases"
        return _capital(f"{wish}, {said} are enough, with the fewest readings{also}.")

    def rows(self) -> list[dict[str, Cell]]:
        """List the sizes with their power."""
        sizes = self.sizes if self.asked is None else (self.asked,)
        return [
            tidy_row(measure="power", of=f"{one.readers} readers", value=one.power, total=one.cases)
            for one in sizes
        ]

    def tables(self) -> list[Table]:
        """Show the cases that each number of readers needs."""
        sizes: list[tuple[int, str, str | None]] = [
            *((few, "not enough", None) for few in (() if self.asked else self.out_of_reach)),
            *(
                (one.readers, show_count(one.cases), show_probability(one.power))
                for one in (self.sizes if self.asked is None else (self.asked,))
            ),
        ]
        rows = [
            [
                number_cell("readers", readers, str),
                number_cell("cases", cases),
                number_cell("power", power),
            ]
            for readers, cases, power in sizes
        ]
        return [Table.of("Sizes", rows)] if rows else []

    def details(self) -> list[str]:
        """Say what the plan rests on."""
        said = (
            f"Parts of the variance from {counted(self.pilot_readers, 'reader')} and "
            f"{counted(self.pilot_cases, 'case')}; as many cases of each class in proportion; "
            f"error rate {self.alpha:g}, two-sided."
        )
        return [said, *self.provenance.lines()]
