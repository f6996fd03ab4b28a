"""The part that pages about files share: which file, what was understood, how to correct it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from steelyard.display.numbers import show_count
from steelyard.display.text import clean_text
from steelyard.errors import SteelyardError
from steelyard.journey.exploring import SeenFile, look
from steelyard.journey.options import Kind, Option
from steelyard.results import Provenance
from steelyard.surfaces.web.app_state import AppState
from steelyard.surfaces.web.asking import FILE_OF_TRUTH, State, page_options
from steelyard.surfaces.web.examples import EXAMPLES, Example
from steelyard.surfaces.web.pages.page_words import find_field, find_offers, name_controls
from steelyard.surfaces.web.pages.templating import render
from steelyard.surfaces.web.reproduce import write_value
from steelyard.surfaces.web.uploads import BESIDE, OfferedFile

__all__ = ["file_controls", "refuse_file", "understand_html"]

FILE_FIELDS = ("truth", "delimiter", "decimal", "encoding", "columns", "table")
MOST_SEEN = 64
"""Looks at files that are remembered."""
SUMMED = ("truth", "positive", "pairing")
"""Roles that the one line names."""
ANSWERS = ("outcome", "score", "called")
"""What columns may be said to hold."""
ODD_ROWS = "Rows that cannot be counted"
LOGS = "Evaluation logs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One thing that can be corrected: its name, its label, what it may be and what it is."""

    name: str
    label: str
    options: tuple[str, ...]
    chosen: str
    empty: str


def file_controls(app_state: AppState, query: QueryParams, page: str) -> dict[str, Any]:
    """List the files for the chooser at the top of a page, and examples for who has none."""
    listed = app_state.uploads.list_files()
    together = _find_together(app_state, query.get("data", ""))
    keys = {one.name: one.key for one in listed if one.example}
    return {
        "files": [
            (one.key, clean_text(one.name)) for one in [*together, *listed] if not one.example
        ],
        "chosen": query.get("data", ""),
        "singles": [(one.key, clean_text(one.name)) for one in listed if not one.example],
        "truth_label": FILE_OF_TRUTH,
        "true_file": query.get("truth_file", ""),
        "examples": [
            {
                "key": keys[one.file],
                "about": one.about,
                "path": f"/{page}?{urlencode(_say_example(one, keys, page), doseq=True)}",
                "offered": page in one.pages,
            }
            for one in EXAMPLES
        ],
    }


def _find_together(app_state: AppState, key: str) -> list[OfferedFile]:
    """List the files of a link that are read together, for as long as all are here."""
    if BESIDE not in key:
        return []
    try:
        return [app_state.uploads.find(key)]
    except SteelyardError:
        return []


def _say_example(one: Example, keys: dict[str, str], page: str) -> dict[str, Any]:
    return {"data": keys[one.file], **one.state, **one.more.get(page, {})}


def understand_html(app_state: AppState, state: State, record: Provenance | None) -> str:
    """Show what was understood of the file, with a control for everything that may be wrong."""
    offered = app_state.uploads.find(state.data)
    said = state.arguments
    written = {name: said[name] for name in FILE_FIELDS if name in said}
    seen = truths = _see(app_state, offered.paths[0], offered, written)
    if offered.truth is not None:
        own = {**written, "truth": state.viewed.get("true_column", "")}
        truths = _see(app_state, offered.truth, offered, own)
    return render(
        "understood.html",
        file=offered,
        seen=seen,
        record=record,
        summary=_summary(seen, record),
        truth=_truth(truths, state),
        positive=_positive(truths, state),
        columns=[
            _column(row.name, label, seen, state, "not used") for row, label in _show("column")
        ],
        choices=[
            Choice(
                name=row.name,
                label=label,
                options=row.choices,
                chosen=str(said.get(row.name, "")),
                empty="usual",
            )
            for row, label in sorted(_show("choice"), key=lambda one: one[0].group != ODD_ROWS)
        ],
        systems=_systems(seen, state),
        chosen_systems=list(said.get("systems", ())),
        values=_values(seen, state),
        judges=_judges(seen, state),
        judge=page_options("compare")["judge"].page,
        logs=_logs(state) if seen.log else [],
        answers=[
            (row.name, row.page.label, list(said.get(row.name, ())))
            for row in (page_options("compare")[name] for name in ANSWERS)
            if row.page
        ],
        vector=_first(said.get("vector", ())),
        texts=[
            (row.name, label, write_value(row.name, said.get(row.name, "")))
            for row, label in _show("text")
        ],
        classes=",".join(map(str, said.get("classes", ()))),
        threshold=str(said.get("threshold", "")),
        exposure=page_options("evaluate")["exposure"].page if state.page == "evaluate" else None,
        exposed=str(said.get("exposure", "")),
    )


def _show(kind: Kind) -> list[tuple[Option, str]]:
    """List the roles of a kind that have a control of their own, with its label."""
    rows = page_options("compare").values()
    return [
        (row, row.page.label)
        for row in rows
        if row.role and row.page and row.page.label
        if row.kind == kind or (kind == "text" and row.name == "columns")
        if row.name != "truth" and row.group != LOGS
    ]


def _logs(state: State) -> list[Choice]:
    """List what can be said of an evaluation log; what has no options is typed."""
    said = state.arguments
    rows = [row for row in page_options("compare").values() if row.group == LOGS]
    return [
        Choice(
            name=row.name,
            label=row.page.label if row.page else row.name,
            options=row.choices,
            chosen=_first(given) if isinstance(given := said.get(row.name, ""), list) else given,
            empty="usual",
        )
        for row in rows
        if row.name != "errors"
    ]


def _see(
    app_state: AppState, path: Path, offered: OfferedFile, options: dict[str, Any]
) -> SeenFile:
    """Look at a file once for as long as it stays as it is."""
    key = (
        str(path),
        offered.stamp(),
        tuple(sorted((name, str(one)) for name, one in options.items())),
    )
    seen = app_state.seen.get(key)
    if seen is None:
        try:
            seen = look(path, **options)
        except SteelyardError:
            seen = SeenFile(read_as="", columns=(), classes=(), all_classes=True)
        while len(app_state.seen) >= MOST_SEEN:
            app_state.seen.pop(next(iter(app_state.seen)), None)
        app_state.seen[key] = seen
    return seen


def _summary(seen: SeenFile, record: Provenance | None) -> str:
    """Say in a line what was understood; the rest is a click away."""
    if record is None:
        return seen.read_as
    parts = [f"{role}: {found}" for role, found in record.understood if role in SUMMED]
    rows = [] if record.rows is None else [f"{show_count(record.rows)} rows"]
    return " · ".join([seen.read_as, *rows, *parts])


def _column(name: str, label: str, seen: SeenFile, state: State, empty: str) -> Choice:
    chosen = str(state.arguments.get(name, ""))
    return Choice(name=name, label=label, options=seen.columns, chosen=chosen, empty=empty)


def _truth(seen: SeenFile, state: State) -> Choice:
    """Offer the columns of the file that holds the truth, which may be one of its own."""
    chosen = state.viewed.get("true_column", str(state.arguments.get("truth", "")))
    return Choice(
        name="truth",
        label="True class",
        options=seen.columns,
        chosen=chosen,
        empty="found by its name",
    )


def _positive(seen: SeenFile, state: State) -> Choice:
    chosen = str(state.arguments.get("positive", ""))
    listed = seen.classes if chosen in {"", *seen.classes} else (*seen.classes, chosen)
    return Choice(
        name="positive", label="Positive class", options=listed, chosen=chosen, empty="none named"
    )


def _systems(seen: SeenFile, state: State) -> tuple[str, ...]:
    """List the columns that could be systems: those that have no other role."""
    said = state.arguments
    roles = ["truth", *(row.name for row, _ in _show("column"))]
    taken = {said.get(name, name) for name in roles} | {"id"}
    return tuple(name for name in seen.columns if name not in taken)


def _first(given: Any) -> str:  # noqa: ANN401
    return str(given[0]) if given else ""


def _values(seen: SeenFile, state: State) -> dict[str, Any]:
    """Fill the controls of a number for each item."""
    said = state.arguments
    held = {name: list(said.get(name, ())) for name in ("value", "errors", "per")}
    per = held["per"][0] if held["per"] else ""
    return {
        **held,
        "open": bool(held["value"] or held["errors"] or said.get("layout")),
        "per": Choice(
            name="per",
            label="What errors are divided by",
            options=seen.columns,
            chosen=per,
            empty="nothing",
        ),
        "range": str(said.get("range", "")),
        "better": [
            (name, label, bool(said.get(name)))
            for name, label in (
                ("lower_is_better", "lower is better"),
                ("higher_is_better", "higher is better"),
            )
        ],
    }


def _judges(seen: SeenFile, state: State) -> list[Choice]:
    """Ask for a judge's column of every system that people labelled, in their order."""
    said, row = state.arguments, page_options("compare")["judge"]
    labelled = said.get("value") or said.get("outcome") or ()
    given = said.get("judge", ())
    return [
        Choice(
            name=row.name,
            label=system,
            options=seen.columns,
            chosen=given[place] if place < len(given) else "",
            empty=row.page.blank if row.page else "",
        )
        for place, system in enumerate(labelled)
    ]


def refuse_file(app_state: AppState, state: State, error: SteelyardError) -> dict[str, Any]:
    """Say what the command line would say, and leave the controls where the fix is made."""
    message, understood = str(error), ""
    if state.data:
        try:
            offered = app_state.uploads.find(state.data)
            message = offered.in_words(message)
            understood = understand_html(app_state, state, None)
        except SteelyardError:
            understood = ""
    return {
        "refused": name_controls(message, state.page),
        "field": find_field(message, state.page),
        "offers": find_offers(message, state.page),
        "code": error.code,
        "understood": understood,
    }
