"""The tables and the pictures of an evaluation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from steelyard.counts import Confusion
from steelyard.display.numbers import show_count, show_p_value, show_percent
from steelyard.display.tables import Headed, Table, number_cell, text_cell
from steelyard.display.text import join_names, natural_key
from steelyard.results.estimates import Estimate
from steelyard.results.measured import (
    ELSEWHERE,
    Measured,
    chart_row,
    draw_slices,
    estimate_cells,
    head_of_score,
    interval_name,
    items_of,
    show_ends,
    show_value,
    show_with_ends,
    sort_by_value,
)

if TYPE_CHECKING:
    from steelyard.display.figures import Chart
    from steelyard.results.evaluation.data import Evaluation, SystemEvaluation

__all__ = ["ABOVE_CHANCE", "confusions_of", "evaluation_charts", "evaluation_tables", "events_of"]

ABOVE_CHANCE = "p-value, accuracy above no-information"
"""The one further measure that is written as a p-value."""
MOST_CLASSES = 12
MOST_SYSTEMS = 6
WORST_SHOWN = 10
TRIES = ("pass@", "pass^")
EVENTS = "false alarms per "
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
    called = any(one.accuracy is not None for one in systems)
    rows = [
        [
            text_cell("system", one.system),
            number_cell("items", one.items, show_count),
            *estimate_cells("accuracy", one.accuracy, level),
            *estimate_cells("kappa", one.kappa, level),
        ]
        for one in (systems if called else ())
    ]
    areas = [
        [
            text_cell("system", one.system),
            number_cell("items", one.items, show_count),
            *estimate_cells("AUC", one.area, level),
        ]
        for one in systems
        if one.area is not None
    ]
    numbers = [(one, number) for one in systems for number in (one.accuracy, one.kappa)]
    title = "Areas under the ROC curve" if called else "Systems"
    of_areas = _explain_undefined([(one, one.area) for one in systems])
    return [
        Table.of("Systems", rows, note=_explain_undefined(numbers)),
        Table.of(title, areas, note=of_areas),
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
    scores = [{score.measure: score for score in one.vector} for one in systems]
    note = _explain_undefined([(one, score) for one in systems for score in one.vector])
    return _side_by_side("Scores of the vectors", systems, scores, names, note=note)


def _side_by_side(
    title: str,
    systems: "Sequence[SystemEvaluation]",
    found: "Sequence[Mapping[str, Measured]]",
    names: Sequence[str],
    *,
    note: str = "",
) -> list[Table]:
    """Show numbers of several systems, a row for each system and a column for each name."""
    rows = [
        [
            text_cell("system", one.system),
            *(
                number_cell(head_of_score(name), show_with_ends(numbers.get(name)))
                for name in names
            ),
        ]
        for one, numbers in zip(systems, found, strict=True)
    ]
    return [Table.of(title, rows, note=note)] if names else []


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
    rows = [
        [
            text_cell("class", part.name),
            number_cell("items", items_of(part.recall), show_count),
            *estimate_cells("recall", part.recall, level),
            number_cell("calls", items_of(part.precision), show_count),
            *estimate_cells("precision", part.precision, level),
        ]
        for part in parts
    ]
    return Table.of(f"Classes ({system.system})", rows, note=note)


def _recalls(systems: "Sequence[SystemEvaluation]", names: Sequence[str]) -> Table:
    found = {one.system: {part.name: part.recall for part in one.per_class} for one in systems}
    totals = {part.name: items_of(part.recall) for part in systems[0].per_class}
    rows = [
        [
            text_cell("class", name),
            number_cell("items", totals.get(name), show_count),
            *(
                number_cell(system, show_value(recalls.get(name)))
                for system, recalls in found.items()
            ),
        ]
        for name in names
    ]
    return Table.of("Recall by class", rows)


def _worst_classes(systems: "Sequence[SystemEvaluation]", level: float) -> Table:
    rows = []
    for one in systems:
        defined = [part for part in one.per_class if part.recall.value is not None]
        if not defined:
            continue
        worst = defined[sort_by_value([part.recall for part in defined])[-1]]
        rows.append(
            [
                text_cell("system", one.system),
                text_cell("class", worst.name),
                number_cell("items", items_of(worst.recall), show_count),
                *estimate_cells("recall", worst.recall, level),
            ]
        )
    note = f"One class of each system is shown; {ELSEWHERE}."
    return Table.of("The class each system finds least often", rows, note=note)


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
        [
            text_cell("true", truth),
            *(
                number_cell(called, counts.get((truth, called), 0), show_count)
                for called in confusion.classes
            ),
        ]
        for truth in confusion.classes
    ]
    title = f"Confusions ({system}): a row for each true class, a column for each called one"
    return Table.of(title, rows)


def _errors(confusion: Confusion) -> list[tuple[str, str, int]]:
    wrong = [cell for cell in confusion.cells if cell[0] != cell[1]]
    return sorted(wrong, key=lambda cell: -cell[2])


def _confuse(cell: tuple[str, str, int], totals: dict[str, int]) -> list[Headed]:
    truth, called, rows = cell
    return [
        text_cell("true", truth),
        text_cell("called", called),
        number_cell("items", rows, show_count),
        number_cell("of true", rows / totals[truth], show_percent),
    ]


def _commonest(system: str, confusion: Confusion) -> Table:
    wrong, totals = _errors(confusion), confusion.true_totals()
    rows = [_confuse(cell, totals) for cell in wrong[:WORST_SHOWN]]
    note = _say_left_out(len(wrong) - len(rows), "rarer confusions")
    return Table.of(f"Most frequent confusions ({system})", rows, note=note)


def _commonest_of_each(known: Sequence[tuple[str, Confusion]]) -> Table:
    rows = [
        [text_cell("system", system), *_confuse(wrong[0], confusion.true_totals())]
        for system, confusion in known
        if (wrong := _errors(confusion))
    ]
    return Table.of("The most frequent confusion of each system", rows)


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
    parts = {one.system: {part.of or "": part for part in one.slices} for one in known}
    rows = [
        [
            text_cell("slice", name),
            number_cell("items", _slice_items([*parts.values()], name), show_count),
            *(number_cell(system, show_value(one.get(name))) for system, one in parts.items()),
        ]
        for name in names[:MOST_CLASSES]
    ]
    note = _say_left_out(len(names) - len(rows), "slices")
    return [Table.of(f"Slices ({measures[0]})", rows, note=note)]


def _only_slices(system: "SystemEvaluation", measure: str) -> "SystemEvaluation":
    return replace(system, slices=tuple(part for part in system.slices if part.measure == measure))


def _slice_items(parts: Sequence[dict[str, Measured]], name: str) -> int | None:
    totals = {items_of(one[name]) for one in parts if name in one}
    return totals.pop() if len(totals) == 1 else None


def _slices_of_one(system: "SystemEvaluation", level: float) -> Table:
    shown = tuple(sorted(system.slices, key=lambda part: natural_key(part.of or "")))
    if len(shown) > MOST_CLASSES:
        order = sort_by_value(shown)[::-1]
        shown = tuple(shown[place] for place in order if shown[place].value is not None)
        shown = shown[:WORST_SHOWN]
    rows = [
        [
            text_cell("slice", part.of or ""),
            number_cell("items", items_of(part), show_count),
            *estimate_cells(part.measure, part, level),
        ]
        for part in shown
    ]
    note = _say_left_out(len(system.slices) - len(rows), "slices with higher values")
    return Table.of(f"Slices ({system.system})", rows, note=note)


def _say_left_out(number: int, what: str) -> str:
    return f"{number:,d} {what} are not shown: {ELSEWHERE}." if number > 0 else ""


def _ask_tables(systems: "Sequence[SystemEvaluation]") -> list[Table]:
    """Show the measures that were asked for of several systems side by side."""
    found = [{_name(one): one for one in system.further} for system in systems]
    every = dict.fromkeys(name for one in found for name in one)
    names = [name for name in every if not name.startswith(TRIES)]
    note = _explain_undefined([(one, number) for one in systems for number in one.further])
    return _side_by_side("Measures asked for", systems, found, names, note=note)


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
            text_cell("measure", _name(one)),
            number_cell("value", _show_further(one)),
            number_cell(interval_name(level), show_ends(one)),
        ]
        for one in systems[0].further
    ]
    reasons: dict[str, list[str]] = {}
    for one in systems[0].further:
        if one.value is None and one.reason:
            reasons.setdefault(one.reason, []).append(one.measure)
    said = [f"Undefined: {join_names(names)}: {reason}." for reason, names in reasons.items()]
    title = f"{'Measures asked for' if asked else 'Further measures'} ({systems[0].system})"
    return [Table.of(title, rows, note=" ".join(said))]


def _show_further(one: Measured) -> str:
    if one.measure == ABOVE_CHANCE and one.value is not None:
        return show_p_value(one.value)
    return show_value(one) or "undefined"


def _event_tables(systems: "Sequence[SystemEvaluation]", level: float) -> list[Table]:
    """Show false alarms over an exposure side by side; of one they are among further measures."""
    rates = [(one.system, rate) for one in systems for rate in events_of(one)]
    if len(systems) < 2 or not rates:
        return []
    measure = rates[0][1].measure
    rows = [
        [text_cell("system", system), *estimate_cells(measure, rate, level)]
        for system, rate in rates
    ]
    return [Table.of("Over the exposure", rows)]


def _tries_tables(systems: "Sequence[SystemEvaluation]") -> list[Table]:
    """Show pass@k of several systems side by side; of one it stands among its further measures."""
    if len(systems) < 2:
        return []
    found = [{x.measure: x for x in one.further if x.measure.startswith(TRIES)} for one in systems]
    names = list(dict.fromkeys(name for one in found for name in one))
    return _side_by_side("Repeated tries", systems, found, names)


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
