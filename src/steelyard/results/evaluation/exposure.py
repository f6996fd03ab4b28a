"""Events over an exposure: the rate of each system, and how many times another's it is."""

from dataclasses import dataclass
from typing import ClassVar

from steelyard.display.numbers import show_count, show_interval, show_number, show_p_value
from steelyard.display.tables import Table, number_cell, text_cell
from steelyard.display.text import show_name
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.estimates import Estimate, interval_cells
from steelyard.results.measured import estimate_cells, interval_name, say_estimate

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
                text_cell("system", one.system),
                number_cell("events", one.events, show_count),
                number_cell(f"{self.unit}s", one.exposure),
                *estimate_cells(f"per {self.unit}", one.rate, self.level),
            ]
            for one in self.systems
        ]
        ratios = [
            [
                text_cell("system", one.first),
                text_cell("against", one.second),
                number_cell("ratio", one.value),
                number_cell(interval_name(self.level), _ends(one)),
                number_cell("p", one.p, show_p_value),
            ]
            for one in self.ratios
        ]
        tables = [Table.of("Rates", rows), Table.of("Ratios of rates", ratios)]
        return [table for table in tables if table.rows]

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
