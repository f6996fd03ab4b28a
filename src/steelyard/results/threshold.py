"""Where to set the threshold, by every recipe side by side."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from steelyard.display.numbers import show_count, show_number, show_percent, show_threshold
from steelyard.display.tables import Column, Headed, Table, number_cell, number_columns, text_cell
from steelyard.display.text import show_name
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.estimates import Estimate, Interval, Proportion, interval_cells
from steelyard.results.measured import (
    in_rows,
    interval_name,
    name_class,
    say_count,
    show_ends,
    show_value,
)

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = ["FoldThreshold", "MethodThreshold", "SweptThreshold", "ThresholdChoice"]

MOST_TIES = 3
ONE_NUMBER = {
    "sensitivity",
    "max-sum",
    "max-kappa",
    "specificity",
    "false-alarm-budget",
    "min-cost",
    "max-f",
}
"""Recipes whose reason ends with the number that new data will lower."""
CHEAPEST = "min-cost"
PROMISED = "promised"
KINDS_OF_CALL = {"fn": "a miss", "fp": "a false alarm", "tp": "a hit", "tn": "a correct rejection"}


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
                measure=f"threshold {name}", system=system, value=self.threshold, reason=self.reason
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
    that the others chose. Where scores are ``certainties`` of its answers, the system answers from
    the threshold up and says "don't know" below.
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
    certainties: bool = False

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
        return _sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List the choice, what to expect of it, and every recipe."""
        chosen = self.chosen
        rows = [
            tidy_row(
                measure="threshold",
                system=self.system,
                of=self.positive,
                value=self.threshold,
                **interval_cells(self.interval),
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
        return _tables(self)

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw the measures, or the cost, against the threshold."""
        return _charts(self)

    def notes(self) -> list[str]:
        """List the doubts, those about what was tried out of fold last."""
        return [*self.caveats, *(self.out_of_fold.caveats if self.out_of_fold else ())]

    def details(self) -> list[str]:
        """Say how the threshold was found and what was read."""
        return [*_details(self), *self.provenance.lines()]


def _sentence(choice: ThresholdChoice) -> str:
    chosen = choice.chosen
    if chosen is None:
        return f"No threshold was looked for by {show_name(choice.by)}."
    of = f" of {show_name(choice.system)}" if choice.system is not None else ""
    if chosen.threshold is None:
        why = chosen.reason or "nothing was found"
        if choice.by == PROMISED:
            return f"No threshold{of} keeps the promise: {why}."
        return f"There is no threshold{of} by {show_name(choice.by)}: {why}."
    name = name_class(choice.positive)
    below = None if chosen.method == PROMISED else chosen.below
    where = show_threshold(chosen.threshold, below)
    why = WHY.get(chosen.method, _rates)(choice, chosen)
    if choice.certainties:
        return f'Answer from a certainty of {where} up{_by(choice)}, "don\'t know" below: {why}.'
    said = f"Call {name} from {where} up{_by(choice)}: {why}{_say_expected(choice, chosen)}."
    return said + _ties(chosen)


def _details(choice: ThresholdChoice) -> list[str]:
    chosen = choice.chosen
    if chosen is None:
        return []
    lines = [
        f"Recipe {show_name(chosen.method)}: {chosen.words}. Items are called from the threshold "
        "up; candidates are the distinct scores, compared in whole numbers."
    ]
    if choice.resamples:
        line = (
            f"{show_count(choice.resamples)} resamples of each class chose their own threshold; "
            "what to expect is the mean on the items each of them left out."
        )
        lines.append(line)
    return lines


def _by(choice: ThresholdChoice) -> str:
    return f" ({show_name(choice.system)})" if choice.system is not None else ""


def _say_expected(choice: ThresholdChoice, chosen: MethodThreshold) -> str:
    expected = choice.expected
    if expected is None or expected.value is None:
        return ""
    noun = "" if chosen.method in ONE_NUMBER else f"{chosen.promises} "
    return f"; on new data expect {noun}about {show_number(expected.value)}"


def _ties(chosen: MethodThreshold) -> str:
    others = [one for one in chosen.tied if one != chosen.threshold]
    if not others:
        return ""
    shown = ", ".join(show_threshold(one) for one in others[:MOST_TIES])
    left = len(others) - MOST_TIES
    more = f" and {left} more" if left > 0 else ""
    return f" {shown}{more} would be as good; the smallest was taken."


def _largest(noun: str) -> Callable[[ThresholdChoice, MethodThreshold], str]:
    def say(choice: ThresholdChoice, chosen: MethodThreshold) -> str:
        del choice
        return f"{noun} is largest there ({_number(chosen.promise)})"

    return say


def _number(value: float | None) -> str:
    return "undefined" if value is None else show_number(value)


def _percent(share: float | None) -> str:
    return "an undefined share" if share is None else show_percent(share)


def _rates(choice: ThresholdChoice, chosen: MethodThreshold) -> str:
    del choice
    shares = [
        f"{share.measure} is {show_value(share)}"
        for share in (chosen.recall, chosen.specificity)
        if share is not None and share.value is not None
    ]
    return f"{' and '.join(shares) or 'nothing can be measured'} there"


def _mean(choice: ThresholdChoice, chosen: MethodThreshold) -> str:
    return f"that is the mean score; {_rates(choice, chosen)}"


def _share_of_positives(choice: ThresholdChoice, chosen: MethodThreshold) -> str:
    return f"that is the share of {name_class(choice.positive)}; {_rates(choice, chosen)}"


def _say_all(choice: ThresholdChoice, chosen: MethodThreshold) -> str:
    del chosen
    items = say_count(choice.positives, "item")
    return f"the lowest score of the {items} of {name_class(choice.positive)}, so all are found"


def _sensitivity(choice: ThresholdChoice, chosen: MethodThreshold) -> str:
    name = name_class(choice.positive)
    return (
        f"the highest threshold that finds at least {_percent(chosen.wanted)} of {name} "
        f"(recall {_number(chosen.promise)})"
    )


def _specificity(choice: ThresholdChoice, chosen: MethodThreshold) -> str:
    del choice
    return (
        f"the lowest threshold that leaves at least {_percent(chosen.wanted)} of the others alone "
        f"(specificity {_number(chosen.promise)})"
    )


def _budget(choice: ThresholdChoice, chosen: MethodThreshold) -> str:
    del choice
    return (
        f"the lowest threshold that calls at most {_percent(chosen.wanted)} of the others "
        f"(false alarm rate {_number(chosen.promise)})"
    )


def _as_many(choice: ThresholdChoice, chosen: MethodThreshold) -> str:
    called = "some" if chosen.flagged is None else show_count(chosen.flagged)
    return (
        f"{called} of {say_count(choice.items, 'item')} are called so, and "
        f"{show_count(choice.positives)} are"
    )


def _cheapest(choice: ThresholdChoice, chosen: MethodThreshold) -> str:
    where = _where_used(choice)
    return f"the cost of an item is lowest there ({_number(chosen.promise)}{where})"


def _where_used(choice: ThresholdChoice) -> str:
    """Say for which share of positives costs were weighed, if for another than here."""
    share = dict(choice.provenance.settings).get("prevalence")
    return "" if share is None else f", where {show_percent(float(share))} are positive"


def _f(choice: ThresholdChoice, chosen: MethodThreshold) -> str:
    del choice
    beta = "" if chosen.wanted is None else f"{chosen.wanted:g}"
    return f"F{beta} is largest there ({_number(chosen.promise)})"


def _closest(choice: ThresholdChoice, chosen: MethodThreshold) -> str:
    return f"{_rates(choice, chosen)}, as close to perfect as can be"


def _equal(choice: ThresholdChoice, chosen: MethodThreshold) -> str:
    return f"{_rates(choice, chosen)}, as close to each other as can be"


def _say_promise(choice: ThresholdChoice, chosen: MethodThreshold) -> str:
    calls = chosen.precision
    assert calls is not None
    answers = "answers" if choice.certainties else "calls"
    said = (
        f"with {choice.level:.0%} confidence at least {_number(chosen.wanted)} of its {answers} "
        f"are right, although these items chose it; it {answers} {show_count(calls.trials)} of "
        f"{show_count(choice.items)} items, {show_count(calls.successes)} of them right"
    )
    if chosen.below is None:
        return said
    return (
        f"{said} (the ordinary recipe, the lowest with that share as seen, takes "
        f"{show_threshold(chosen.below)} and promises nothing)"
    )


WHY: dict[str, Callable[[ThresholdChoice, MethodThreshold], str]] = {
    "lowest-positive": _say_all,
    "sensitivity": _sensitivity,
    "equal-rates": _equal,
    "max-sum": _largest("balanced accuracy, the mean of recall and specificity,"),
    "max-kappa": _largest("kappa"),
    "mean-score": _mean,
    "prevalence": _share_of_positives,
    "predicted-prevalence": _as_many,
    "specificity": _specificity,
    "false-alarm-budget": _budget,
    "min-cost": _cheapest,
    "max-f": _f,
    "closest-corner": _closest,
    PROMISED: _say_promise,
}
"""Why this threshold, by recipe; any other says its rates."""


def _tables(choice: ThresholdChoice) -> list[Table]:
    recipes = [] if choice.certainties else [_recipes(choice)]
    tables = [_expectations(choice), _folds(choice), *recipes]
    return [table for table in tables if table.rows]


def _expectations(choice: ThresholdChoice) -> Table:
    chosen, ends, level = choice.chosen, choice.interval, choice.level
    rows: list[tuple[str, str | None, str | None]] = []
    if chosen is not None and chosen.threshold is not None:
        limits = None
        if ends is not None:
            low, high = show_threshold(ends.low), show_threshold(ends.high)
            limits = f"[{low}, {high}]"
        rows.append(("threshold", show_threshold(chosen.threshold, chosen.below), limits))
        if chosen.promise is not None:
            rows.append((f"{chosen.promises}, promised", show_number(chosen.promise), None))
        if choice.certainties and chosen.precision is not None:
            answered = chosen.precision.trials / choice.items
            rows.append(("coverage, as seen", show_number(answered), None))
            rows.append(("right among answers, as seen", show_value(chosen.precision), None))
    rows += [
        (one.measure, show_value(one), show_ends(one))
        for one in (choice.expected, choice.out_of_fold)
        if one is not None
    ]
    heads = [Column(name="what", whole=True), *number_columns("value", interval_name(level))]
    return Table.without_empty(f"Chosen by {choice.by}", heads, rows)


def _folds(choice: ThresholdChoice) -> Table:
    chosen = choice.chosen
    gives = "gives" if chosen is None or chosen.promises is None else chosen.promises
    rows = [
        [
            text_cell("fold", one.fold),
            number_cell("items", one.items, show_count),
            number_cell("own", one.own, show_threshold),
            number_cell("others", one.others, show_threshold),
            number_cell(gives, one.promise),
        ]
        for one in choice.folds
    ]
    title = "Folds: the threshold of each alone, that of all others, and what the latter gives"
    return Table.of(title, rows)


def _recipes(choice: ThresholdChoice) -> Table:
    chosen = choice.chosen
    others = [one for one in choice.methods if one is not chosen]
    ordered = [*([chosen] if chosen is not None else []), *others]
    return Table.of(
        "All recipes" if len(ordered) > 1 else "Recipe",
        [_row(one) for one in ordered if one.threshold is not None],
        note=_missing([one for one in ordered if one.threshold is None]),
    )


def _missing(methods: Sequence[MethodThreshold]) -> str:
    """Say which recipes found nothing, those with the same reason together."""
    reasons: dict[str, list[str]] = {}
    for one in methods:
        reasons.setdefault(one.reason or "nothing was found", []).append(one.method)
    said = [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]
    return f"Not found: {'; '.join(said)}." if said else ""


def _row(one: MethodThreshold) -> list[Headed]:
    threshold = None if one.threshold is None else show_threshold(one.threshold, one.below)
    more = len(one.tied) - 1
    return [
        text_cell("recipe", f"{one.method} (+{more} tied)" if more > 0 else one.method, whole=True),
        number_cell("threshold", threshold),
        number_cell("recall", show_value(one.recall)),
        number_cell("specificity", show_value(one.specificity)),
        number_cell("kappa", one.kappa),
        number_cell("flagged", one.flagged, show_count),
        number_cell("cost", one.cost),
    ]


def _charts(choice: ThresholdChoice) -> "dict[str, Callable[[], Chart]]":
    if len(choice.sweep) < 2:
        return {}
    return {"thresholds": lambda: _measures(choice), "cost": lambda: _costs(choice)}


def _measures(choice: ThresholdChoice) -> "Chart":
    from steelyard.display.figures import threshold_chart

    sweep = choice.sweep
    lines = {
        "recall": [one.recall for one in sweep],
        "specificity": [one.specificity for one in sweep],
        "kappa": [one.kappa for one in sweep],
    }
    return threshold_chart([one.threshold for one in sweep], lines, marks=_marks(choice))


def _costs(choice: ThresholdChoice) -> "Chart":
    """Draw the cost, with its own minimum beside the threshold that was asked for."""
    from steelyard.display.figures import cost_chart

    sweep = choice.sweep
    lines = {"cost": [one.cost for one in sweep]}
    least = next((one for one in choice.methods if one.method == CHEAPEST), None)
    lowest = {} if least is None or least.threshold is None else {"lowest cost": least.threshold}
    marks = lowest if lowest and choice.by == CHEAPEST else {**lowest, **_marks(choice)}
    chart = cost_chart([one.threshold for one in sweep], lines, marks=marks)
    return replace(chart, notes=(_say_costs(choice, least), *chart.notes))


def _say_costs(choice: ThresholdChoice, least: MethodThreshold | None) -> str:
    """State the costs, and where they are lowest."""
    typed = dict(choice.provenance.settings).get("cost", "")
    parts = [one.partition("=") for one in typed.split(",") if one]
    said = ", ".join(f"{KINDS_OF_CALL.get(name, name)} {value}" for name, _, value in parts)
    costs = f"Costs: {said or 'nothing costs anything'}"
    if least is None or least.threshold is None or least.cost is None:
        return f"{costs}."
    where = show_threshold(least.threshold, least.below)
    cost = f"{show_number(least.cost)}{_where_used(choice)}"
    return f"{costs}. An item costs least at {where}: {cost}."


def _marks(choice: ThresholdChoice) -> dict[str, float]:
    """Mark the threshold that was asked for; all of them would hide the lines."""
    return {} if choice.threshold is None else {choice.by: choice.threshold}
