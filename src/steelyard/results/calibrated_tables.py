"""The tables of calibration."""

from typing import TYPE_CHECKING

from steelyard.display.numbers import show_count, show_level, show_number
from steelyard.display.tables import Column, Table, number_columns
from steelyard.errors import listing
from steelyard.results.measured import (
    interval_name,
    shown_difference,
    shown_interval,
    shown_value,
)

if TYPE_CHECKING:
    from steelyard.results.calibrated import Calibration, ClassCalibration
    from steelyard.results.estimates import Estimate

__all__ = ["calibrated_tables"]

MOST_CURVES = 4
TINY = 0.001
"""Below this, the ends of a bin are written by their power of ten."""


def calibrated_tables(calibration: "Calibration") -> list[Table]:
    """Show the systems, their parts, their curves, and the differences between them."""
    many = calibration.positive is None and bool(calibration.vectors)
    tables = [_vectors(calibration), _systems(calibration, many=many), _parts(calibration)]
    if not many:
        tables += [_curve(calibration, one) for one in calibration.classes[:MOST_CURVES]]
    tables.append(_pairs(calibration))
    return [table for table in tables if table.rows]


def _names(one: "ClassCalibration", *, many: bool) -> list[str | None]:
    return [one.system, one.of] if many else [one.system]


def _systems(calibration: "Calibration", *, many: bool) -> Table:
    heads = number_columns("Brier", "log", "slope", "intercept", "ECE", "ECE by chance")
    rows = [
        [
            *_names(one, many=many),
            _with_ends(one.brier),
            _with_ends(one.log),
            _with_ends(one.slope),
            _with_ends(one.in_the_large),
            _with_ends(one.error),
            show_number(one.error_by_chance),
        ]
        for one in calibration.classes
    ]
    lead = [Column(name="system"), *([Column(name="class")] if many else [])]
    return Table.without_empty(
        "Each class against the rest" if many else "Systems",
        [*lead, *heads],
        rows,
        note=_undefined(calibration),
        lead=len(lead),
    )


def _undefined(calibration: "Calibration") -> str:
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


def _parts(calibration: "Calibration") -> Table:
    if calibration.positive is None:
        return Table(title="", columns=(), rows=())
    heads = number_columns(
        "Brier", "reliability", "resolution", "uncertainty", "within bins", "ECE debiased",
    )  # fmt: skip
    rows = [
        [
            one.system,
            shown_value(one.brier),
            *(
                show_number(part)
                for part in (one.reliability, one.resolution, one.uncertainty, one.within)
            ),
            show_number(one.error_debiased),
        ]
        for one in calibration.classes
    ]
    return Table.without_empty(
        f"Brier score = reliability - resolution + uncertainty + within, over {calibration.bins} "
        f"bins by {calibration.binning}",
        [Column(name="system"), *heads],
        rows,
    )


def _curve(calibration: "Calibration", one: "ClassCalibration") -> Table:
    heads = number_columns("items", "said", "came true", interval_name(calibration.level))
    rows = [
        [
            f"{_end(group.low)} to {_end(group.high)}",
            show_count(group.observed.trials),
            show_number(group.forecast),
            shown_value(group.observed),
            shown_interval(group.observed),
        ]
        for group in one.groups
    ]
    return Table.without_empty(
        f"Calibration curve ({one.system})", [Column(name="probabilities"), *heads], rows
    )


def _vectors(calibration: "Calibration") -> Table:
    known = calibration.vectors
    if not known:
        return Table(title="", columns=(), rows=())
    heads = [score.measure for score in known[0].scores]
    rows = [[one.system, *(_with_ends(score) for score in one.scores)] for one in known]
    return Table.without_empty(
        "Scores of the vectors", [Column(name="system"), *number_columns(*heads)], rows
    )


def _with_ends(score: "Estimate") -> str | None:
    value, ends = shown_value(score), shown_interval(score)
    return value if ends is None else f"{value} {ends}"


def _pairs(calibration: "Calibration") -> Table:
    limits = interval_name(calibration.level)
    rows = []
    for pair in calibration.pairs:
        for score in pair.scores:
            value, ends = shown_difference(score)
            rows.append(
                [
                    pair.first,
                    pair.second,
                    score.measure.removesuffix(" difference"),
                    value,
                    ends,
                ]
            )
    heads = [Column(name="first"), Column(name="second"), Column(name="score", whole=True)]
    return Table.without_empty(
        "Pairs on common items: the first minus the second",
        [*heads, *number_columns("difference", limits)],
        rows,
        note="Lower Brier and log scores are better, higher spherical and winner scores.",
        lead=3,
    )


def _end(probability: float) -> str:
    """Write the end of a bin, so that bins of tiny probabilities can be told apart."""
    tiny = 0 < probability < TINY
    return f"{probability:.0e}" if tiny else show_number(probability)
