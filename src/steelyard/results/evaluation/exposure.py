"""Events over an exposure: the rate of each system, and how many times another's it is."""

from dataclasses import dataclass
from typing import ClassVar

from steelyard.display.numbers import show_count, show_interval, show_number, show_p_value
from steelyard.display.tables import Column, Table, number_columns
from steelyard.display.text import show_name
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.estimates import Estimate, interval_cells
from steelyard.results.measured import interval_name, say_estimate, show_ends, show_value

__all__ = ["EventRates", "RateRatio", "SystemEvents"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemEvents:
    """Events of one system over its exposure, and their rate with its interval."""

    system: str
    events: int
    exposure: float
    rate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class RateRatio:
    """The first rate over the second; ``high`` is None where no limit is known above.

    ``p`` is of equal rates, and below 1 - level exactly where the limits leave 1 out.
    """

    first: str
    second: str
    value: float | None
    low: float
    high: float | None
    p: float
    level: float
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRates(Result):
    """How often events come, by system, and the ratio of every two rates."""

    kind: ClassVar[str] = "event-rates"
    unit: str
    systems: tuple[SystemEvents, ...]
    ratios: tuple[RateRatio, ...]
    level: float
    provenance: Provenance

    def sentence(self) -> str:
        """Say the rates, then the ratio of the first two."""
        rates = "; ".join(
            f"{show_name(one.system)} has {say_estimate(one.rate)} events per {self.unit} "
            f"({show_count(one.events)} in {show_number(one.exposure)} {self.unit}s)"
            for one in self.systems
        )
        if not self.ratios:
            return f"{rates}."
        return f"{rates}. {' '.join(_say(one) for one in self.ratios)}"

    def tables(self) -> list[Table]:
        """Show the rates, then the ratios."""
        rows = [
            [
                one.system,
                show_count(one.events),
                show_number(one.exposure),
                show_value(one.rate),
                show_ends(one.rate),
            ]
            for one in self.systems
        ]
        interval = interval_name(self.level)
        heads = number_columns("events", f"{self.unit}s", f"per {self.unit}", interval)
        ratios = [
            [
                one.first,
                one.second,
                None if one.value is None else show_number(one.value),
                _ends(one),
                show_p_value(one.p),
            ]
            for one in self.ratios
        ]
        pair = [Column(name="system"), Column(name="against")]
        return [
            Table.without_empty("Rates", [Column(name="system"), *heads], rows),
            *(
                [
                    Table.without_empty(
                        "Ratios of rates", [*pair, *number_columns("ratio", interval, "p")], ratios
                    )
                ]
                if ratios
                else []
            ),
        ]

    def rows(self) -> list[dict[str, Cell]]:
        """List every rate and every ratio."""
        rows = [
            tidy_row(
                measure=one.rate.measure,
                system=one.system,
                value=one.rate.value,
                count=one.events,
                **interval_cells(one.rate.interval),
            )
            for one in self.systems
        ]
        for one in self.ratios:
            pair = {"system": one.first, "against": one.second}
            rows.append(
                tidy_row(
                    measure="ratio of rates",
                    value=one.value,
                    low=one.low,
                    high=one.high,
                    level=one.level,
                    method=one.method,
                    reason=None if one.value is not None else "no event to divide by",
                    **pair,
                )
            )
            rows.append(tidy_row(measure="p of equal rates", value=one.p, **pair))
        return rows


def _ends(ratio: RateRatio) -> str:
    if ratio.high is None:
        return f"[{show_number(ratio.low)}, inf]"
    return show_interval(ratio.low, ratio.high)


def _say(ratio: RateRatio) -> str:
    if ratio.p >= 1 - ratio.level:
        verdict = "cannot be told apart"
    else:
        more = ratio.low >= 1
        verdict = f"differ: {show_name(ratio.first if more else ratio.second)} has more"
    value = "" if ratio.value is None else f"ratio {show_number(ratio.value)} "
    return (
        f"{show_name(ratio.first)} and {show_name(ratio.second)} {verdict} ({value}{_ends(ratio)}, "
        f"p {show_p_value(ratio.p)})."
    )
