"""Whether probabilities mean what they say, and what they are worth."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from steelyard.display.numbers import show_count, show_level, show_number
from steelyard.display.tables import Table, number_cell, text_cell
from steelyard.display.text import join_names, show_name
from steelyard.errors import listing
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.estimates import Estimate, Proportion
from steelyard.results.measured import (
    chart_row,
    estimate_cells,
    head_of_score,
    in_rows,
    interval_name,
    name_class,
    say_count,
    say_estimate,
    show_signed,
    show_value,
    show_with_ends,
    sort_by_value,
)

if TYPE_CHECKING:
    from steelyard.display.figures import Bin, Chart

__all__ = [
    "Calibration",
    "CalibrationGroup",
    "ClassCalibration",
    "ScoreDifference",
    "SystemScores",
    "calibration_faults",
]

BIASED = (
    "the expected calibration error (ECE) is above 0 even for a calibrated system: chance alone "
    "moves the share of each bin. Read it beside what chance alone would show"
)
Fault = Literal["overconfident", "underconfident", "too high on average", "too low on average"]
BRIER, SPHERICAL = "brier score", "spherical score"
NAMES = {BRIER: "Brier score"}
"""How a measure is written in a sentence, where that is not its name."""
MOST_CURVES = 4
TINY = 0.001
"""Below this, the ends of a bin are written by their power of ten."""
MOST_DRAWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationGroup:
    """Items with like probabilities: what was said on average, and what came true."""

    low: float
    high: float
    forecast: float
    observed: Proportion


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassCalibration:
    """How far the probabilities that one system gives one class can be believed.

    ``error`` is the expected calibration error, ``error_by_chance`` what a calibrated system would
    show, ``error_debiased`` what is left without the part of chance. The Brier score is
    ``reliability - resolution + uncertainty + within``.
    """

    system: str
    of: str
    items: int
    positives: int
    groups: tuple[CalibrationGroup, ...]
    error: Estimate
    error_by_chance: float
    error_debiased: float
    intercept: Estimate
    slope: Estimate
    in_the_large: Estimate
    brier: Estimate
    log: Estimate
    reliability: float
    resolution: float
    uncertainty: float
    within: float

    def rows(self) -> list[dict[str, Cell]]:
        """List everything that was measured."""
        names = {"system": self.system, "of": self.of}
        known = (self.error, self.intercept, self.slope, self.in_the_large, self.brier, self.log)
        rows = [row for one in known for row in in_rows(one, **names)]
        numbers = {
            "expected calibration error by chance": self.error_by_chance,
            "expected calibration error, debiased": self.error_debiased,
            "reliability": self.reliability,
            "resolution": self.resolution,
            "uncertainty": self.uncertainty,
            "variation within bins": self.within,
        }
        rows += [tidy_row(measure=name, value=value, **names) for name, value in numbers.items()]
        for group in self.groups:
            place = f"said {group.low:.6g} to {group.high:.6g}"
            rows.append(tidy_row(measure=f"mean forecast, {place}", value=group.forecast, **names))
            rows += [
                row | {"measure": f"observed share, {place}"}
                for row in in_rows(group.observed, **names)
            ]
        return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScores:
    """Proper scores of one system's vectors, over all classes."""

    system: str
    scores: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreDifference:
    """Scores of the first system minus those of the second on common items."""

    first: str
    second: str
    scores: tuple[Estimate, ...]

    def rows(self) -> list[dict[str, Cell]]:
        """List the differences."""
        return [
            row
            for one in self.scores
            for row in in_rows(one, system=self.first, against=self.second)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration(Result):
    """Whether probabilities mean what they say, for each system.

    ``classes`` holds one entry for each system and class that was looked at, ``vectors`` the
    scores of whole vectors, ``pairs`` the differences of every two systems.
    """

    kind: ClassVar[str] = "calibration"
    positive: str | None
    bins: int
    binning: str
    classes: tuple[ClassCalibration, ...]
    vectors: tuple[SystemScores, ...]
    pairs: tuple[ScoreDifference, ...]
    level: float
    provenance: Provenance

    def headline(self) -> str:
        """Say whose probabilities can be used as they are."""
        return _headline(self)

    def sentence(self) -> str:
        """Say which probabilities can be believed, and in which way they err."""
        return _sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List every number."""
        rows = [row for one in self.classes for row in one.rows()]
        for system in self.vectors:
            for score in system.scores:
                rows += in_rows(score, system=system.system)
        return rows + [row for pair in self.pairs for row in pair.rows()]

    def tables(self) -> list[Table]:
        """Show the systems, their curves, and the differences between them."""
        return _tables(self)

    def notes(self) -> list[str]:
        """Say the bias of every calibration error, and list the doubts."""
        said = [BIASED] if self.classes else []
        return [*said, *self.caveats]

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw the observed share against the forecast probability."""
        return _charts(self)


def _headline(calibration: Calibration) -> str:
    known = [] if calibration.positive is None else calibration.classes
    faults = {one.system: calibration_faults(one) for one in known}
    judged = {system: found for system, found in faults.items() if found is not None}
    if not judged:
        return ""
    believed = [system for system, found in judged.items() if not found]
    if not believed:
        any_of = "any of " if len(known) > 1 else ""
        return f"Do not trust {any_of}these probabilities as they are."
    if len(believed) == len(known):
        return "These probabilities can be trusted, as far as these items tell."
    return f"Trust only the probabilities of {join_names(believed)} as they are."


def _sentence(calibration: Calibration) -> str:
    known = calibration.classes
    if calibration.positive is None and calibration.vectors:
        return _say_vectors(calibration)
    if not known:
        return "No system gives probabilities."
    if len(known) == 1:
        return _say_one(known[0])
    ranked = sorted(known, key=lambda one: (one.brier.value is None, one.brier.value or 0.0))
    best, worst = ranked[0], ranked[-1]
    said = (
        f"Of {len(known)} systems {show_name(best.system)} has the lowest Brier score, "
        f"{say_estimate(best.brier)}, {show_name(worst.system)} the highest, "
        f"{say_estimate(worst.brier)}."
    )
    faults = [(one.system, calibration_faults(one)) for one in known]
    believed = [system for system, found in faults if found == ()]
    alike: dict[tuple[Fault, ...] | None, list[str]] = {}
    for system, found in faults:
        alike.setdefault(found, []).append(system)
    odd = [
        f"{join_names(systems)} {_say_faults(found, many=len(systems) > 1)}"
        for found, systems in alike.items()
        if found != ()
    ]
    parts = [f"as far as these items tell, {join_names(believed)} can be believed"]
    told = "; ".join([*(parts if believed else []), *odd[:4]])
    return f"{said} By slope and intercept, {told}."


def _say_one(one: ClassCalibration) -> str:
    named = name_class(one.of)
    if one.slope.value is None:
        return (
            f"The probabilities of {named} that {show_name(one.system)} gives to "
            f"{say_count(one.items, 'item')} have Brier score {say_estimate(one.brier)}; slope "
            f"and intercept are undefined: {one.slope.reason or 'no items'}."
        )
    faults = _say_faults(calibration_faults(one), many=True)
    return (
        f"The probabilities of {named} that {show_name(one.system)} gives to "
        f"{say_count(one.items, 'item')} {faults}: calibration slope "
        f"{say_estimate(one.slope)} (1 is right), intercept {say_estimate(one.in_the_large)} at "
        f"slope 1 (0 is right), Brier score {say_estimate(one.brier)}."
    )


def calibration_faults(one: ClassCalibration) -> tuple[Fault, ...] | None:
    """Find in which way the probabilities err, by the intervals of slope and intercept.

    None when that cannot be judged, nothing when they can be believed as far as the items tell.
    """
    slope, level = one.slope, one.in_the_large
    if slope.value is None or level.value is None:
        return None
    faults: list[Fault] = []
    if _beside(slope, 1.0):
        faults.append("overconfident" if slope.value < 1 else "underconfident")
    if _beside(level, 0.0):
        faults.append("too high on average" if level.value < 0 else "too low on average")
    return tuple(faults)


def _say_faults(faults: tuple[Fault, ...] | None, *, many: bool = False) -> str:
    """Say what is wrong with a system, or with its many probabilities."""
    if faults is None:
        return "cannot be judged"
    verb = "are" if many else "is"
    said = " and ".join(faults)
    return f"{verb} {said}" if said else "can be believed as far as these items tell"


def _beside(estimate: Estimate, right: float) -> bool:
    ends = estimate.interval
    return ends is not None and not ends.low <= right <= ends.high


def _say_vectors(calibration: Calibration) -> str:
    named = []
    for one in calibration.vectors:
        scores = {score.measure: score for score in one.scores}
        brier, spherical = scores.get(BRIER), scores.get(SPHERICAL)
        shown = brier if brier is not None and brier.value is not None else spherical
        if shown is not None:
            named.append((one.system, shown))
    if not named:
        return "No system gives vectors."
    first = named[0][1].measure
    lower, measure = first == BRIER, NAMES.get(first, first)
    named.sort(key=lambda one: (one[1].value or 0.0) * (1 if lower else -1))
    name, score = show_name(named[0][0]), named[0][1]
    said = f"{name} has {measure} {say_estimate(score)} over all classes"
    if len(named) > 1:
        extreme = "lowest" if lower else "highest"
        said = f"{name} has the {extreme} {measure} over all classes, {say_estimate(score)}"
    rest = ", ".join(f"{show_name(n)} {show_number(s.value or 0.0)}" for n, s in named[1:5])
    return f"{said}; then {rest}." if rest else f"{said}."


def _tables(calibration: Calibration) -> list[Table]:
    many = calibration.positive is None and bool(calibration.vectors)
    tables = [_vectors(calibration), _systems(calibration, many=many), _parts(calibration)]
    if not many:
        tables += [_curve(calibration, one) for one in _rank(calibration)[:MOST_CURVES]]
    tables.append(_pairs(calibration))
    return [table for table in tables if table.rows]


def _rank(calibration: Calibration) -> list[ClassCalibration]:
    """Give the systems, the lowest Brier score first; classes stay in their own order."""
    known = calibration.classes
    if calibration.positive is None:
        return list(known)
    return [known[at] for at in sort_by_value([one.brier for one in known], lower=True)]


def _systems(calibration: Calibration, *, many: bool) -> Table:
    rows = [
        [
            text_cell("system", one.system),
            *([text_cell("class", one.of)] if many else []),
            number_cell("Brier", show_with_ends(one.brier)),
            number_cell("log", show_with_ends(one.log)),
            number_cell("slope", show_with_ends(one.slope)),
            number_cell("intercept", show_with_ends(one.in_the_large)),
            number_cell("ECE", show_with_ends(one.error)),
            number_cell("ECE by chance", one.error_by_chance),
        ]
        for one in _rank(calibration)
    ]
    title = "Each class against the rest" if many else "Systems"
    return Table.of(title, rows, note=_explain_undefined(calibration), lead=2 if many else 1)


def _explain_undefined(calibration: Calibration) -> str:
    """Explain the intercept, and say of which systems a number is not there, and why."""
    missing: dict[str, list[str]] = {}
    for one in calibration.classes:
        for what, part in (("slope", one.slope), ("log score", one.log)):
            if part.reason is not None:
                named = missing.setdefault(f"{what}: {part.reason}", [])
                named.append(one.system if calibration.positive else f"{one.system} on {one.of}")
    reasons = [f"{listing(names)} without {reason}." for reason, names in missing.items()]
    first = f"With {show_level(calibration.level)} intervals; the intercept is that at slope 1."
    return " ".join([first, *reasons[:6]])


def _parts(calibration: Calibration) -> Table:
    rows = [
        [
            text_cell("system", one.system),
            number_cell("Brier", show_value(one.brier)),
            number_cell("reliability", one.reliability),
            number_cell("resolution", one.resolution),
            number_cell("uncertainty", one.uncertainty),
            number_cell("within bins", one.within),
            number_cell("ECE debiased", one.error_debiased),
        ]
        for one in (() if calibration.positive is None else _rank(calibration))
    ]
    return Table.of(
        f"Brier score = reliability - resolution + uncertainty + within, over {calibration.bins} "
        f"bins by {calibration.binning}",
        rows,
    )


def _curve(calibration: Calibration, one: ClassCalibration) -> Table:
    rows = [
        [
            text_cell("probabilities", f"{_end(group.low)} to {_end(group.high)}"),
            number_cell("items", group.observed.trials, show_count),
            number_cell("forecast", group.forecast),
            *estimate_cells("observed", group.observed, calibration.level),
        ]
        for group in one.groups
    ]
    return Table.of(f"Calibration curve ({one.system})", rows)


def _vectors(calibration: Calibration) -> Table:
    rows = [
        [
            text_cell("system", one.system),
            *(
                number_cell(head_of_score(score.measure), show_with_ends(score))
                for score in one.scores
            ),
        ]
        for one in calibration.vectors
    ]
    return Table.of("Scores of the vectors", rows)


def _pairs(calibration: Calibration) -> Table:
    rows = []
    for pair in calibration.pairs:
        for score in pair.scores:
            value, ends = show_signed(score)
            if value is None:  # the table of systems says who has no log score, and why
                continue
            rows.append(
                [
                    text_cell("first", pair.first),
                    text_cell("second", pair.second),
                    text_cell("score", score.measure.removesuffix(" difference"), whole=True),
                    number_cell("difference", value),
                    number_cell(interval_name(calibration.level), ends),
                ]
            )
    return Table.of(
        "Pairs on common items: the first minus the second",
        rows,
        note="Lower Brier and log scores are better, higher spherical and winner scores.",
        lead=3,
    )


def _end(probability: float) -> str:
    """Write the end of a bin, so that bins of tiny probabilities can be told apart."""
    tiny = 0 < probability < TINY
    return f"{probability:.0e}" if tiny else show_number(probability)


def _charts(calibration: Calibration) -> "dict[str, Callable[[], Chart]]":
    known: dict[str, Callable[[], Chart]] = {}
    if any(one.groups for one in calibration.classes):
        known["calibration"] = lambda: _curves(calibration)
    if any(one.brier.value is not None for one in calibration.classes):
        known["brier"] = lambda: _brier(calibration)
    return known


def _name(calibration: Calibration, one: ClassCalibration) -> str:
    if calibration.positive is not None:
        return one.system
    alone = len({other.system for other in calibration.classes}) == 1
    return one.of if alone else f"{one.system}, {one.of}"


def _curves(calibration: Calibration) -> "Chart":
    from steelyard.display.figures import calibration_chart

    known = _rank(calibration)
    best = sort_by_value([one.brier for one in known], lower=True)[:MOST_DRAWN]
    drawn = [known[place] for place in sorted(best)]
    chart = calibration_chart(
        {_name(calibration, one): _bins(one) for one in drawn},
        ends={
            _name(calibration, one): [(group.low, group.high) for group in _keep_observed(one)]
            for one in drawn
        },
    )
    return chart.showing(len(drawn), len(known), "curves", "those with the lowest Brier score")


def _keep_observed(one: ClassCalibration) -> list[CalibrationGroup]:
    return [group for group in one.groups if group.observed.value is not None]


def _bins(one: ClassCalibration) -> "list[Bin]":
    bins = []
    for group in _keep_observed(one):
        ends, share = group.observed.interval, group.observed.value or 0.0
        low, high = (ends.low, ends.high) if ends is not None else (share, share)
        bins.append((group.forecast, share, low, high, group.observed.trials))
    return bins


def _brier(calibration: Calibration) -> "Chart":
    from steelyard.display.figures import interval_chart

    rows = [chart_row(_name(calibration, one), one.brier) for one in _rank(calibration)]
    return interval_chart(rows, measure="Brier score", title="Brier scores, smaller is better")
