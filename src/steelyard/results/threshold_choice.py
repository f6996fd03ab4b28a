"""Where to set the threshold, by every recipe side by side."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from steelyard.display.tables import Table
from steelyard.results.base import Result
from steelyard.results.estimates import Estimate, Interval, Proportion
from steelyard.results.measured import in_rows
from steelyard.results.provenance import Provenance
from steelyard.results.readable import Cell, tidy_row
from steelyard.results.threshold_tables import threshold_tables
from steelyard.results.threshold_words import threshold_details, threshold_sentence

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = ["FoldThreshold", "MethodThreshold", "SweptThreshold", "ThresholdChoice"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodThreshold:
    """What one recipe finds; ``threshold`` is None exactly when ``reason`` says why.

    ``tied`` are all equally good thresholds, ``below`` the next lower score, ``wanted`` the number
    the recipe was given, ``promise`` the number it promises of its threshold, named ``promises``.
    """

    method: str
    words: str
    needs_absences: bool
    threshold: float | None
    tied: tuple[float, ...] = ()
    below: float | None = None
    wanted: float | None = None
    promises: str | None = None
    promise: float | None = None
    recall: Proportion | None = None
    specificity: Proportion | None = None
    precision: Proportion | None = None
    kappa: float | None = None
    flagged: int | None = None
    cost: float | None = None
    reason: str | None = None

    def rows(self, system: str | None) -> list[dict[str, Cell]]:
        """List the threshold, its ties and what it measures."""
        name = f"by {self.method}"
        rows = [
            tidy_row(
                measure=f"threshold {name}",
                system=system,
                value=self.threshold,
                reason=self.reason,
            )
        ]
        if len(self.tied) > 1:
            rows += [
                tidy_row(measure=f"tied threshold {name}", system=system, value=one)
                for one in self.tied
            ]
        for share in (self.recall, self.specificity, self.precision):
            if share is not None:
                rows += [
                    row | {"measure": f"{row['measure']} {name}"}
                    for row in in_rows(share, system=system)
                ]
        for measure, value in (("kappa", self.kappa), ("cost", self.cost)):
            if value is not None:
                rows.append(tidy_row(measure=f"{measure} {name}", system=system, value=value))
        if self.flagged is not None:
            rows.append(tidy_row(measure=f"flagged {name}", system=system, count=self.flagged))
        return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class SweptThreshold:
    """What one of many thresholds gives; None where a measure is undefined."""

    threshold: float
    recall: float | None
    specificity: float | None
    kappa: float | None
    cost: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldThreshold:
    """One fold: the threshold it chooses itself, that of all others, and what that one gives here.

    The counts and ``promise`` are of the fold's own items at the threshold of the ``others``.
    """

    fold: str
    items: int
    own: float | None
    others: float | None
    tp: int
    fp: int
    fn: int
    tn: int
    promise: float | None

    def rows(self, system: str | None, promises: str | None) -> list[dict[str, Cell]]:
        """List both thresholds and what the others' gives."""
        names = {"system": system, "of": self.fold}
        none = "the recipe finds none"
        rows = [
            tidy_row(measure=name, value=value, reason=none if value is None else None, **names)
            for name, value in (
                ("threshold of the fold", self.own),
                ("threshold of the other folds", self.others),
            )
        ]
        if promises is not None:
            lost = "it is undefined on this fold" if self.promise is None else None
            rows.append(
                tidy_row(
                    measure=f"{promises}, out of fold", value=self.promise, reason=lost, **names
                )
            )
        return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdChoice(Result):
    """Where to set the threshold of one system, and what to expect of it on new data.

    ``methods`` holds every recipe; the one named ``by`` was asked for, and ``interval`` and
    ``expected`` are about it: where resamples put the threshold, and what they give on the items
    they left out. ``sweep`` is for pictures: thresholds over the whole range, ``swept_of`` of them
    in all. With folds, ``out_of_fold`` is the promise when each fold is called at the threshold
    that the others chose.
    """

    kind: ClassVar[str] = "threshold"
    system: str | None
    positive: str
    by: str
    items: int
    positives: int
    methods: tuple[MethodThreshold, ...]
    interval: Interval | None
    expected: Estimate | None
    level: float
    resamples: int
    provenance: Provenance
    sweep: tuple[SweptThreshold, ...] = ()
    swept_of: int = 0
    folds: tuple[FoldThreshold, ...] = ()
    out_of_fold: Estimate | None = None

    @property
    def chosen(self) -> MethodThreshold | None:
        """The recipe that was asked for."""
        return next((one for one in self.methods if one.method == self.by), None)

    @property
    def threshold(self) -> float | None:
        """The threshold that was asked for."""
        return None if self.chosen is None else self.chosen.threshold

    def sentence(self) -> str:
        """Say where to set the threshold, why, and what to expect."""
        return threshold_sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List the choice, what to expect of it, and every recipe."""
        chosen = self.chosen
        ends = self.interval
        rows = [
            tidy_row(
                measure="threshold",
                system=self.system,
                of=self.positive,
                value=self.threshold,
                low=ends.low if ends else None,
                high=ends.high if ends else None,
                level=ends.level if ends else None,
                method=ends.method if ends else None,
                total=self.items,
                reason=chosen.reason if chosen else None,
            )
        ]
        if chosen is not None and chosen.promises is not None:
            rows.append(
                tidy_row(
                    measure=f"{chosen.promises}, promised",
                    system=self.system,
                    of=self.positive,
                    value=chosen.promise,
                    reason=chosen.reason,
                )
            )
        if self.expected is not None:
            rows += in_rows(self.expected, system=self.system)
        if self.out_of_fold is not None:
            rows += in_rows(self.out_of_fold, system=self.system)
        promises = None if chosen is None else chosen.promises
        rows += [row for one in self.folds for row in one.rows(self.system, promises)]
        return rows + [row for one in self.methods for row in one.rows(self.system)]

    def tables(self) -> list[Table]:
        """Show what to expect, then all recipes side by side."""
        return threshold_tables(self)

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw the measures, or the cost, against the threshold."""
        from steelyard.results.threshold_charts import threshold_charts

        return threshold_charts(self)

    def notes(self) -> list[str]:
        """List the doubts, those about what was tried out of fold last."""
        return [*self.caveats, *(self.out_of_fold.caveats if self.out_of_fold else ())]

    def details(self) -> list[str]:
        """Say how the threshold was found and what was read."""
        return [*threshold_details(self), *self.provenance.lines()]
