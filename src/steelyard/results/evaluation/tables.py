"""The tables and the pictures of an evaluation."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from steelyard.counts import Confusion
from steelyard.display.numbers import show_count, show_p_value, show_percent
from steelyard.display.tables import Column, Table, number_columns
from steelyard.display.text import join_names, natural_key
from steelyard.results.estimates import Estimate
from steelyard.results.measured import (
    ELSEWHERE,
    Measured,
    chart_row,
    draw_slices,
    interval_name,
    items_of,
    show_ends,
    show_value,
    sort_by_value,
)

if TYPE_CHECKING:
    from steelyard.display.figures import Chart
    from steelyard.results.evaluation.data import ClassMeasures, Evaluation, SystemEvaluation

__all__ = ["ABOVE_CHANCE", "confusions_of", "evaluation_charts", "evaluation_tables", "events_of"]

ABOVE_CHANCE = "p-value, accuracy above no-information"
"""The one further measure that is written as a p-value."""
MOST_CLASSES = 12
MOST_SYSTEMS = 6
WORST_SHOWN = 10
TRIES = ("pass@", "pass^")
EVENTS = "false alarms per "
CONFUSED = (Column(name="true"), Column(name="called"), *number_columns("items", "of true"))
MOST_DRAWN = 60


def events_of(system: "SystemEvaluation") -> list[Estimate]:
    """List the rates of false alarms over an exposure."""
    return [
        one
        for one in system.further
        if isinstance(one, Estimate) and one.measure.startswith(EVENTS)
    ]


def evaluation_tables(evaluation: "Evaluation") -> list[Table]:
    """Show the systems, their classes, their confusions and their slices."""
    systems = _rank(evaluation.systems)
    overview, vectors = _systems_tables(systems, evaluation.level), _vector_tables(systems)
    # Nothing but names and items: the table of the vectors says more.
    bare = len(overview) == 1 and len(overview[0].columns) == 2 and vectors
    asked = "measure" in dict(evaluation.provenance.settings)
    further = _further_tables(systems, evaluation.level, asked=asked)
    tables = [
        *([] if bare else overview),
        *vectors,
        *(further or _ask_tables(systems) if asked else _event_tables(systems, evaluation.level)),
        *_class_tables(systems, evaluation.level),
        *_confusion_tables(systems),
        *_slice_tables(systems, evaluation.level),
        *(() if asked else further),
        *_tries_tables(systems),
    ]
    return [table for table in tables if table.rows]


def _rank(systems: "Sequence[SystemEvaluation]") -> "list[SystemEvaluation]":
    by_area = all(one.accuracy is None for one in systems)
    numbers: list[Measured | None] = [one.area if by_area else one.accuracy for one in systems]
    return [systems[place] for place in sort_by_value(numbers)]


def _systems_tables(systems: "Sequence[SystemEvaluation]", level: float) -> list[Table]:
    interval = interval_name(level)
    rows = [
        [
            one.system,
            show_count(one.items),
            show_value(one.accuracy),
            show_ends(one.accuracy),
            show_value(one.kappa),
            show_ends(one.kappa),
        ]
        for one in systems
    ]
    heads = ["items", "accuracy", interval, "kappa", interval]
    columns = [Column(name="system"), *number_columns(*heads)]
    numbers = [(one, number) for one in systems for number in (one.accuracy, one.kappa)]
    areas = [
        [one.system, show_count(one.items), show_value(one.area), show_ends(one.area)]
        for one in systems
        if one.area is not None
    ]
    of_areas = _explain_undefined([(one, one.area) for one in systems])
    columns_of_areas = [Column(name="system"), *number_columns("items", "AUC", interval)]
    called = any(one.accuracy is not None for one in systems)
    title = "Areas under the ROC curve" if called else "Systems"
    return [
        Table.without_empty(
            "Systems", columns, rows if called else [], note=_explain_undefined(numbers)
        ),
        Table.without_empty(title, columns_of_areas, areas, note=of_areas),
    ]


def _explain_undefined(numbers: "Sequence[tuple[SystemEvaluation, Measured | None]]") -> str:
    """Say why some numbers are not there."""
    reasons = [
        f"{one.system}: {number.measure} is undefined: {number.reason or 'no items'}."
        for one, number in numbers
        if number is not None and number.value is None
    ]
    left = len(reasons) - MOST_SYSTEMS
    more = [f"{left} more are undefined: {ELSEWHERE}."] if left > 0 else []
    return " ".join([*reasons[:MOST_SYSTEMS], *more])


def _vector_tables(systems: "Sequence[SystemEvaluation]") -> list[Table]:
    names = list(dict.fromkeys(score.measure for one in systems for score in one.vector))
    if not names:
        return []
    rows = []
    for one in systems:
        scores = {score.measure: score for score in one.vector}
        rows.append([one.system, *(_value_and_interval(scores.get(name)) for name in names)])
    columns = [Column(name="system"), *number_columns(*names)]
    note = _explain_undefined([(one, score) for one in systems for score in one.vector])
    return [Table.without_empty("Scores of the vectors", columns, rows, note=note)]


def _value_and_interval(measured: Measured | None) -> str | None:
    value, ends = show_value(measured), show_ends(measured)
    return value if value is None or ends is None else f"{value} {ends}"


def _class_tables(systems: "Sequence[SystemEvaluation]", level: float) -> list[Table]:
    known = [one for one in systems if one.per_class]
    if not known:
        return []
    if len(known) == 1:
        return [_classes_of_one(known[0], level)]
    names = list(dict.fromkeys(part.name for one in known for part in one.per_class))
    if len(names) <= MOST_CLASSES and len(known) <= MOST_SYSTEMS:
        return [_recalls(known, names)]
    return [_worst_classes(known, level)]


def _classes_of_one(system: "SystemEvaluation", level: float) -> Table:
    parts, note = list(system.per_class), ""
    if len(parts) > MOST_CLASSES:
        order = sort_by_value([part.recall for part in parts])
        defined = [place for place in order if parts[place].recall.value is not None]
        shown = defined[::-1][:WORST_SHOWN]
        note = (
            f"The {len(shown)} classes found least often; {len(parts) - len(shown)} more are not "
            f"shown: {ELSEWHERE}."
        )
        parts = [parts[place] for place in shown]
    interval = interval_name(level)
    heads = ["items", "recall", interval, "calls", "precision", interval]
    columns = [Column(name="class"), *number_columns(*heads)]
    return Table.without_empty(
        f"Classes ({system.system})", columns, [_class_row(part) for part in parts], note=note
    )


def _class_row(part: "ClassMeasures") -> list[str | None]:
    cells: list[str | None] = [part.name]
    for share in (part.recall, part.precision):
        cells += [_show_items(items_of(share)), show_value(share), show_ends(share)]
    return cells


def _recalls(systems: "Sequence[SystemEvaluation]", names: Sequence[str]) -> Table:
    found = [{part.name: part.recall for part in one.per_class} for one in systems]
    totals = {part.name: items_of(part.recall) for part in systems[0].per_class}
    rows = [
        [
            name,
            _show_items(totals.get(name)),
            *(show_value(recalls.get(name)) for recalls in found),
        ]
        for name in names
    ]
    heads = ["items", *(one.system for one in systems)]
    return Table.without_empty(
        "Recall by class", [Column(name="class"), *number_columns(*heads)], rows
    )


def _worst_classes(systems: "Sequence[SystemEvaluation]", level: float) -> Table:
    rows = []
    for one in systems:
        defined = [part for part in one.per_class if part.recall.value is not None]
        if not defined:
            continue
        worst = defined[sort_by_value([part.recall for part in defined])[-1]]
        recall = worst.recall
        rows.append(
            [
                one.system,
                worst.name,
                _show_items(items_of(recall)),
                show_value(recall),
                show_ends(recall),
            ]
        )
    columns = [
        Column(name="system"),
        Column(name="class"),
        *number_columns("items", "recall", interval_name(level)),
    ]
    note = f"One class of each system is shown; {ELSEWHERE}."
    return Table.without_empty("The class each system finds least often", columns, rows, note=note)


def _confusion_tables(systems: "Sequence[SystemEvaluation]") -> list[Table]:
    known = [(one.system, one.confusion) for one in systems if one.confusion is not None]
    if not known:
        return []
    if len(known) > 1:
        return [_commonest_of_each(known)]
    system, confusion = known[0]
    if len(confusion.classes) <= MOST_CLASSES:
        return [_confusion_matrix(system, confusion)]
    return [_commonest(system, confusion)]


def _confusion_matrix(system: str, confusion: Confusion) -> Table:
    counts = {(truth, called): rows for truth, called, rows in confusion.cells}
    rows = [
        [truth, *(show_count(counts.get((truth, called), 0)) for called in confusion.classes)]
        for truth in confusion.classes
    ]
    return Table.without_empty(
        f"Confusions ({system}): a row for each true class, a column for each called one",
        [Column(name="true"), *number_columns(*confusion.classes)],
        rows,
    )


def _errors(confusion: Confusion) -> list[tuple[str, str, int]]:
    wrong = [cell for cell in confusion.cells if cell[0] != cell[1]]
    return sorted(wrong, key=lambda cell: -cell[2])


def _confuse(cell: tuple[str, str, int], totals: dict[str, int]) -> list[str | None]:
    truth, called, rows = cell
    return [truth, called, show_count(rows), show_percent(rows / totals[truth])]


def _commonest(system: str, confusion: Confusion) -> Table:
    wrong, totals = _errors(confusion), confusion.true_totals()
    rows = [_confuse(cell, totals) for cell in wrong[:WORST_SHOWN]]
    left = len(wrong) - len(rows)
    note = f"{left:,d} rarer confusions are not shown: {ELSEWHERE}." if left > 0 else ""
    return Table.without_empty(f"Most frequent confusions ({system})", CONFUSED, rows, note=note)


def _commonest_of_each(known: Sequence[tuple[str, Confusion]]) -> Table:
    rows: list[list[str | None]] = []
    for system, confusion in known:
        wrong = _errors(confusion)
        if wrong:
            rows.append([system, *_confuse(wrong[0], confusion.true_totals())])
    title = "The most frequent confusion of each system"
    return Table.without_empty(title, [Column(name="system"), *CONFUSED], rows)


def _slice_tables(systems: "Sequence[SystemEvaluation]", level: float) -> list[Table]:
    known = [one for one in systems if one.slices]
    measures = list(dict.fromkeys(part.measure for one in known for part in one.slices))
    if len(measures) > 1:
        return [
            table
            for name in measures
            for table in _slice_tables([_only_slices(one, name) for one in known], level)
        ]
    if not known:
        return []
    if len(known) == 1:
        return [_slices_of_one(known[0], level)]
    names = sorted({part.of or "" for one in known for part in one.slices}, key=natural_key)
    parts = [{part.of or "": part for part in one.slices} for one in known]
    rows = [
        [name, _slice_items(parts, name), *(show_value(one.get(name)) for one in parts)]
        for name in names[:MOST_CLASSES]
    ]
    heads = ["items", *(one.system for one in known)]
    return [
        Table.without_empty(
            f"Slices ({known[0].slices[0].measure})",
            [Column(name="slice"), *number_columns(*heads)],
            rows,
            note=_say_left_out(len(names) - len(rows), "slices"),
        )
    ]


def _only_slices(system: "SystemEvaluation", measure: str) -> "SystemEvaluation":
    return replace(system, slices=tuple(part for part in system.slices if part.measure == measure))


def _slice_items(parts: Sequence[dict[str, Measured]], name: str) -> str | None:
    totals = {items_of(one[name]) for one in parts if name in one}
    return _show_items(totals.pop()) if len(totals) == 1 else None


def _show_items(items: int | None) -> str | None:
    return None if items is None else show_count(items)


def _slices_of_one(system: "SystemEvaluation", level: float) -> Table:
    shown = tuple(sorted(system.slices, key=lambda part: natural_key(part.of or "")))
    if len(shown) > MOST_CLASSES:
        order = sort_by_value(shown)[::-1]
        shown = tuple(shown[place] for place in order if shown[place].value is not None)
        shown = shown[:WORST_SHOWN]
    rows = [
        [part.of or "", _show_items(items_of(part)), show_value(part), show_ends(part)]
        for part in shown
    ]
    measure = system.slices[0].measure
    columns = [Column(name="slice"), *number_columns("items", measure, interval_name(level))]
    note = _say_left_out(len(system.slices) - len(rows), "slices with higher values")
    return Table.without_empty(f"Slices ({system.system})", columns, rows, note=note)


def _say_left_out(number: int, what: str) -> str:
    return f"{number:,d} {what} are not shown: {ELSEWHERE}." if number > 0 else ""


def _ask_tables(systems: "Sequence[SystemEvaluation]") -> list[Table]:
    """Show the measures that were asked for of several systems side by side."""
    found = [{_name(one): one for one in system.further} for system in systems]
    every = dict.fromkeys(name for one in found for name in one)
    names = [name for name in every if not name.startswith(TRIES)]
    rows = [
        [system.system, *(_value_and_interval(one.get(name)) for name in names)]
        for system, one in zip(systems, found, strict=True)
    ]
    columns = [Column(name="system"), *number_columns(*names)]
    note = _explain_undefined([(one, number) for one in systems for number in one.further])
    return [Table.without_empty("Measures asked for", columns, rows, note=note)]


def _name(one: Measured) -> str:
    return one.measure if one.of is None else f"{one.measure} of {one.of}"


def _further_tables(
    systems: "Sequence[SystemEvaluation]", level: float, *, asked: bool
) -> list[Table]:
    """Show the further measures of a system that stands alone; of several they are in the rows."""
    if len(systems) != 1 or not systems[0].further:
        return []
    rows = [
        [
            _name(one),
            _show_further(one),
            show_ends(one),
        ]
        for one in systems[0].further
    ]
    reasons: dict[str, list[str]] = {}
    for one in systems[0].further:
        if one.value is None and one.reason:
            reasons.setdefault(one.reason, []).append(one.measure)
    said = [f"Undefined: {join_names(names)}: {reason}." for reason, names in reasons.items()]
    columns = [Column(name="measure"), *number_columns("value", interval_name(level))]
    title = f"{'Measures asked for' if asked else 'Further measures'} ({systems[0].system})"
    return [Table.without_empty(title, columns, rows, note=" ".join(said))]


def _show_further(one: Measured) -> str:
    if one.measure == ABOVE_CHANCE and one.value is not None:
        return show_p_value(one.value)
    return show_value(one) or "undefined"


def _event_tables(systems: "Sequence[SystemEvaluation]", level: float) -> list[Table]:
    """Show false alarms over an exposure side by side; of one they are among further measures."""
    rows = [
        [one.system, show_value(rate), show_ends(rate)]
        for one in systems
        for rate in events_of(one)
    ]
    if len(systems) < 2 or not rows:
        return []
    measure = next(rate.measure for one in systems for rate in events_of(one))
    columns = [Column(name="system"), *number_columns(measure, interval_name(level))]
    return [Table.without_empty("Over the exposure", columns, rows)]


def _tries_tables(systems: "Sequence[SystemEvaluation]") -> list[Table]:
    """Show pass@k of several systems side by side; of one it stands among its further measures."""
    if len(systems) < 2:
        return []
    found = [{x.measure: x for x in one.further if x.measure.startswith(TRIES)} for one in systems]
    names = list(dict.fromkeys(name for one in found for name in one))
    rows = [
        [one.system, *(_value_and_interval(tried.get(name)) for name in names)]
        for one, tried in zip(systems, found, strict=True)
    ]
    columns = [Column(name="system"), *number_columns(*names)]
    return [Table.without_empty("Repeated tries", columns, rows if names else [])]


def evaluation_charts(evaluation: "Evaluation") -> "dict[str, Callable[[], Chart]]":
    """Draw the systems with their intervals, a confusion and the slices."""
    known: dict[str, Callable[[], Chart]] = {}
    if evaluation.systems:
        known["systems"] = lambda: _systems(evaluation)
    confused = [one for one in _rank(evaluation.systems) if confusions_of(one) is not None]
    if confused:
        known["confusions"] = confusions_of(confused[0]) or known["systems"]
    sliced = [one for one in _rank(evaluation.systems) if one.slices]
    if sliced:
        measure = sliced[0].slices[0].measure
        known["slices"] = lambda: draw_slices(
            {one.system: _only_slices(one, measure).slices for one in sliced}, measure
        )
    return known


def confusions_of(system: "SystemEvaluation") -> "Callable[[], Chart] | None":
    """Give the way to draw a system's confusions; None when it has none, or too many classes."""
    from steelyard.display.figures import confusion_chart

    confusion = system.confusion
    if confusion is None or not 2 <= len(confusion.classes) <= MOST_DRAWN:
        return None
    counts = {(truth, called): rows for truth, called, rows in confusion.cells}
    matrix = [[counts.get((t, c), 0) for c in confusion.classes] for t in confusion.classes]
    return lambda: confusion_chart(
        confusion.classes, matrix, title=f"Confusions of {system.system}"
    )


def _systems(evaluation: "Evaluation") -> "Chart":
    from steelyard.display.figures import interval_chart

    systems = evaluation.systems
    named: list[tuple[str, list[Measured | None]]] = [
        ("accuracy", [one.accuracy for one in systems]),
        ("AUC", [one.area for one in systems]),
        ("score", [one.vector[0] if one.vector else None for one in systems]),
    ]
    known = [(name, numbers) for name, numbers in named if any(numbers)]
    measure, numbers = known[0] if known else named[0]
    first = next((one for one in numbers if one is not None), None)
    rows = [chart_row(systems[at].system, numbers[at]) for at in sort_by_value(numbers)]
    return interval_chart(rows, measure=measure if first is None else first.measure)
