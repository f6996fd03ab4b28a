"""A number for each item: how large it is on average, how it spreads, and how sure that is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from steelyard.display.numbers import show_count
from steelyard.display.tables import Table, number_cell, text_cell
from steelyard.display.text import natural_key, show_name
from steelyard.results.base import Cell, tidy_row
from steelyard.results.estimates import Estimate
from steelyard.results.evaluation.data import Evaluation, SystemEvaluation
from steelyard.results.measured import (
    Measured,
    chart_row,
    count_shared_digits,
    draw_slices,
    estimate_cells,
    in_rows,
    interval_name,
    items_of,
    say_count,
    show_ends,
    show_signed,
    show_value,
    sort_by_value,
)

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = [
    "Better",
    "EvaluatedValues",
    "JudgeRecord",
    "ValueEvaluation",
    "ValueName",
    "judge_table",
]

Better = Literal["lower", "higher"]
MOST_SAID = 3
MOST_GRADES = 40
"""Whole numbers of which each has a bar of its own."""
COMPARE = "`steelyard compare`"


FIGURES = "{:.4g}".format
"""Four figures of a single value; a grade needs no decimals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueName:
    """What the numbers are: their name, what they are per, which way is better, a stated range.

    ``better`` is None where nobody said it; ``known_by`` says how it is known.
    """

    name: str
    per: str | None = None
    better: Better | None = None
    known_by: str = ""
    low: float | None = None
    high: float | None = None

    @property
    def of_item(self) -> str:
        """What one item has.

        >>> ValueName(name="errors", per="words").of_item, ValueName(name="grade").of_item
        ('errors per word', 'grade')
        """
        return self.name if self.per is None else self.measure

    @property
    def measure(self) -> str:
        """The name of the number that stands for a system.

        >>> ValueName(name="errors", per="words").measure, ValueName(name="grade").measure
        ('errors per word', 'mean grade')
        """
        if self.per is None:
            return f"mean {self.name}"
        one = self.per.removesuffix("s") if not self.per.endswith("ss") else self.per
        return f"{self.name} per {one}"

    @property
    def best_word(self) -> str:
        """How the best number is called among several."""
        return {"lower": "lowest", "higher": "highest", None: "highest"}[self.better]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRecord:
    """What people gave a system on the labelled items, and a judge on all of them.

    ``weight`` says how much the judge counts, from 0 to 1; ``gain`` how many labels without a
    judge would be as sure, for each one there is; ``bias`` is the judge minus people where both
    looked.
    """

    system: str
    items: int
    labels: int
    weight: float
    gain: float
    people: float
    judge: float
    bias: Estimate

    def items_name(self, item: str) -> str:
        """Say how many items people labelled, and how many there are."""
        return f"{say_count(self.items, item)}, {self.labels:,d} with labels of people"

    def rows(self) -> list[dict[str, Cell]]:
        """List the means, the bias and the weight."""
        named = {"system": self.system}
        return [
            tidy_row(
                measure="mean of people's labels", value=self.people, total=self.labels, **named
            ),
            tidy_row(
                measure="mean of the judge's labels", value=self.judge, total=self.items, **named
            ),
            *in_rows(self.bias, system=self.system),
            tidy_row(measure="weight of the judge", value=self.weight, **named),
            tidy_row(measure="gain by the judge", value=self.gain, **named),
        ]


def judge_table(records: "Sequence[JudgeRecord]", level: float) -> Table:
    """Show what people and the judge gave, and how far the judge is off."""
    rows = []
    for one in records:
        apart, ends = show_signed(one.bias)
        # Numbers that one subtracts have as many decimals as what is left.
        show_mean = f"{{:,.{len((apart or '').partition('.')[2])}f}}".format
        rows.append(
            [
                text_cell("system", one.system),
                number_cell("items", one.items, show_count),
                number_cell("labels", one.labels, show_count),
                number_cell("people", one.people, show_mean),
                number_cell("judge", one.judge, show_mean),
                number_cell("judge minus people", apart),
                number_cell(interval_name(level), ends),
            ]
        )
    return Table.of("Judge", rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedValues(SystemEvaluation):
    """All that was found of one system's numbers.

    ``centre`` is the mean, or the ratio of sums; ``bounded`` the mean with limits that need nothing
    but the stated range; ``mean_of_ratios`` the other way to average ratios. ``quantiles`` have
    limits by order statistics. ``bins`` hold (from, to, items), for a picture.
    """

    centre: Estimate
    deviation: float | None
    least: float
    largest: float
    quantiles: tuple[Estimate, ...] = ()
    bounded: Estimate | None = None
    mean_of_ratios: Estimate | None = None
    bins: tuple[tuple[float, float, int], ...] = ()
    judge: JudgeRecord | None = None

    def rows(self) -> list[dict[str, Cell]]:
        """List every number as tidy rows."""
        further = [one for one in (self.bounded, self.mean_of_ratios) if one is not None]
        numbers: list[Measured] = [self.centre, *further, *self.quantiles, *self.slices]
        rows = [row for one in numbers for row in in_rows(one, system=self.system)]
        for measure, value in (
            ("standard deviation", self.deviation),
            ("least", self.least),
            ("largest", self.largest),
        ):
            rows.append(tidy_row(measure=measure, system=self.system, value=value))
        return rows if self.judge is None else [*rows, *self.judge.rows()]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueEvaluation(Evaluation):
    """How large the numbers of each system are; to choose between systems, compare them."""

    kind: ClassVar[str] = "value-evaluation"
    value: ValueName
    systems: tuple[EvaluatedValues, ...]

    def sentence(self) -> str:
        """Say the best mean (or ratio), and the middle and the far end of its values."""
        return _sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List every number of every system."""
        return [row for one in self.systems for row in one.rows()]

    def tables(self) -> list[Table]:
        """Show the systems, their spread, and their slices."""
        return _tables(self)

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw how the values fall, or the systems with their intervals."""
        known: dict[str, Callable[[], Chart]] = {}
        if any(one.bins for one in self.systems):
            known["distribution"] = lambda: _distribution(self)
        known["systems"] = lambda: _intervals(self)
        sliced = {one.system: one.slices for one in _rank(self) if one.slices}
        if sliced:
            known["slices"] = lambda: draw_slices(sliced, self.value.measure)
        return known


def _rank(evaluation: ValueEvaluation) -> list[EvaluatedValues]:
    lower = evaluation.value.better == "lower"
    order = sort_by_value([one.centre for one in evaluation.systems], lower=lower)
    return [evaluation.systems[place] for place in order]


def _sentence(evaluation: ValueEvaluation) -> str:
    ranked, value = _rank(evaluation), evaluation.value
    first = ranked[0]
    if first.centre.value is None:
        return (
            f"The {value.measure} of {show_name(first.system)} is undefined: {first.centre.reason}."
        )
    ends = first.centre.interval
    level = f" {interval_name(ends.level)}" if ends else ""
    digits = count_shared_digits([one.centre for one in ranked])
    number = show_value(first.centre, digits=digits)
    what = f"a {value.measure} of {number}" if value.per is None else f"{number} {value.measure}"
    judge = first.judge
    items = say_count(first.items, "item") if judge is None else judge.items_name("item")
    said = (
        f"{show_name(first.system)} has {what}{_bracket(first.centre, level, digits)} on "
        f"{items}{_among(evaluation, ranked, digits)}."
    )
    return f"{said}{_write_spread(first)}"


def _bracket(estimate: Estimate, level: str, digits: int | None) -> str:
    ends = show_ends(estimate, digits=digits)
    return "" if ends is None else f" ({level.strip()} {ends[1:-1].replace(', ', ' to ')})"


def _among(
    evaluation: ValueEvaluation, ranked: Sequence[EvaluatedValues], digits: int | None
) -> str:
    if len(ranked) == 1:
        return ""
    best = evaluation.value.best_word
    said = f", the {best} of {len(ranked)}" if evaluation.value.better else ""
    others = [
        f"{show_name(one.system)} {show_value(one.centre, digits=digits)}"
        for one in ranked[1:MOST_SAID]
    ]
    left = len(ranked) - MOST_SAID
    more = f" and {left} more" if left > 0 else ""
    return f"{said} ({', '.join(others)}{more}); before choosing, use {COMPARE}"


def _write_spread(system: EvaluatedValues) -> str:
    known = {one.measure: one for one in system.quantiles if one.value is not None}
    if "median" not in known or "95th percentile" not in known:
        return ""
    middle, far = (FIGURES(known[name].value) for name in ("median", "95th percentile"))
    return f" Half of its items have {middle} or less, 95% of them {far} or less."


def _tables(evaluation: ValueEvaluation) -> list[Table]:
    ranked, level = _rank(evaluation), evaluation.level
    digits = count_shared_digits([one.centre for one in ranked])
    rows = [
        [
            text_cell("system", one.system),
            number_cell("items", one.items, show_count),
            *estimate_cells(evaluation.value.measure, one.centre, level, digits=digits),
            number_cell("deviation", one.deviation, FIGURES),
            number_cell("least", one.least, FIGURES),
            number_cell("largest", one.largest, FIGURES),
        ]
        for one in ranked
    ]
    further = [
        [
            text_cell("system", one.system),
            text_cell("number", number.measure),
            number_cell("value", show_value(number) if number.interval else number.value, FIGURES),
            number_cell(interval_name(level), show_ends(number) or number.reason),
        ]
        for one in ranked
        for number in (one.bounded, one.mean_of_ratios, *one.quantiles)
        if number is not None
    ]
    parts = [(number, one.system) for one in ranked for number in one.slices]
    slices = [
        [
            text_cell("slice", number.of or ""),
            text_cell("system", system),
            number_cell("items", items_of(number) or 0, show_count),
            *estimate_cells(evaluation.value.measure, number, level),
        ]
        for number, system in sorted(parts, key=lambda part: natural_key(part[0].of or ""))
    ]
    judged = [one.judge for one in ranked if one.judge is not None]
    tables = [
        Table.of("Systems", rows),
        judge_table(judged, level),
        Table.of("Further numbers", further),
        Table.of("Slices", slices),
    ]
    return [table for table in tables if table.rows]


def _distribution(evaluation: ValueEvaluation) -> "Chart":
    from steelyard.display.figures import score_histogram

    drawn = [one for one in evaluation.systems if one.bins]
    places = sorted({(low + high) / 2 for one in drawn for low, high, _ in one.bins})
    counts = {
        one.system: [
            next((n for low, high, n in one.bins if (low + high) / 2 == place), 0)
            for place in places
        ]
        for one in drawn
    }
    # Results of older versions have bars of their own for each system.
    alike = len({tuple(bar[:2] for bar in one.bins) for one in drawn}) == 1
    return score_histogram(
        places,
        counts,
        bins=[bar[0] for bar in drawn[0].bins] + [drawn[0].bins[-1][1]] if alike else len(places),
        whole=places[-1] - places[0] < MOST_GRADES and all(place % 1 == 0 for place in places),
        title=f"Items by {evaluation.value.of_item}",
        score=evaluation.value.of_item,
        group="system",
    )


def _intervals(evaluation: ValueEvaluation) -> "Chart":
    from steelyard.display.figures import interval_chart

    rows = [chart_row(one.system, one.centre) for one in _rank(evaluation)]
    return interval_chart(rows, measure=evaluation.value.measure)
