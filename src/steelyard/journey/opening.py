"""From the arguments of a verb to predictions, and from predictions to the record of an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from numbers import Integral
from operator import index
from typing import TYPE_CHECKING, Any

from steelyard import sources
from steelyard._version import __version__
from steelyard.errors import RequestError, switch
from steelyard.journey.option_types import RoleArguments
from steelyard.results import InputRecord, Provenance
from steelyard.sources import (
    FileOptions,
    InputFile,
    Predictions,
    Roles,
    open_predictions,
)

if TYPE_CHECKING:
    from steelyard.sources import ReaderRows
    from steelyard.sources.shapes.result_tables import ResultTable

__all__ = [
    "RoleArguments",
    "asks_certainty",
    "check_seed",
    "has_values",
    "hint_at_systems",
    "input_record",
    "lives_on_device",
    "open_data",
    "open_rater_columns",
    "open_readings",
    "open_segments",
    "plain_results",
    "provenance_of",
    "record_of_counts",
    "result_columns",
    "say_settings",
    "split_columns",
]

OF_CERTAINTY = ("aurc", "e-aurc", "eaurc", "risk-coverage", "risk coverage")
"""Names of the area under risk and coverage."""
FILE_OPTIONS = tuple(field.name for field in fields(FileOptions))
OF_VALUES = ("value", "per", "judge", "lower_is_better", "higher_is_better", "range")


def lives_on_device(data: object) -> bool:
    """Tell columns some of which live on a GPU from whatever else predictions come in."""
    # A path or a frame, which most data are, has no column that could live there.
    if not isinstance(data, Mapping):
        return False
    from steelyard.tally.device.doors import any_on_device

    return any_on_device(data.values())


def open_data(
    data: Any,  # noqa: ANN401
    arguments: RoleArguments,
    *,
    open_classes: bool = False,
    no_answer: str | None = None,
    crossed: bool = False,
    known_systems: Sequence[str] = (),
) -> Predictions:
    """Open what a verb was given; predictions that are open already pass through.

    ``open_classes`` allows calls of classes that are never true in these data, ``no_answer`` names
    a call that is none (and opens the classes, too), ``crossed`` two columns of clusters; columns
    with the names of ``known_systems`` get no other role by their names.
    """
    if isinstance(data, Predictions):
        return data
    settled = _settle(arguments)
    if settled["roles"].crossed_first is not None and not crossed:
        message = (
            "Two columns of clusters, as in --cluster probe,gallery, are taken by evaluate, "
            "compare, gate and plan (pair, area, width, value). Name one column here: "
            "cluster='probe' (--cluster probe)."
        )
        raise RequestError(message, code="crossed")
    settled["roles"] = replace(
        settled["roles"],
        open_classes=open_classes or no_answer is not None,
        no_answer=no_answer,
        known_systems=tuple(known_systems),
    )
    return open_predictions(data, **settled)


def open_segments(data: Any, arguments: RoleArguments) -> Predictions:  # noqa: ANN401
    """Open two alignments of sclite as the segments of the matched-pair test."""
    aligned = sources.find_alignments(data)
    if aligned is None:
        message = (
            "layout='segments' (--layout segments) cuts alignments that sclite wrote (-o sgml). "
            "Name two such files: a.sgml b.sgml. A table of segments is compared as it is, with "
            "--errors and --per."
        )
        raise RequestError(message, code="segments")
    said = _settle(arguments)
    engine = {"observe": said["observe"], "memory": said["memory"]}
    return sources.open_alignments(aligned, said["roles"], segments=True, **engine)


def result_columns(
    data: Any,  # noqa: ANN401
    arguments: RoleArguments,
) -> tuple[str | None, Any, list[str]]:
    """Find the names and the numbers of a table of results, and roles that none of it has."""
    said: Any = {name: value for name, value in arguments.items() if name not in OF_VALUES}
    return sources.find_result_columns(data, named=arguments.get("value"), **_settle(said))


def plain_results(
    data: Any,  # noqa: ANN401
    arguments: RoleArguments,
) -> tuple[Any, RoleArguments, "ResultTable | None"]:
    """Take off a table of results what is printed beside the numbers, if anything is."""
    said: Any = {name: value for name, value in arguments.items() if name not in OF_VALUES}
    columns = arguments.get("value")
    named = columns.split(",") if isinstance(columns, str) else columns
    table = sources.find_printed_results(data, named=named, **_settle(said))
    if table is None:
        return data, arguments, None
    found: dict[str, Any] = dict(arguments) | dict.fromkeys(FILE_OPTIONS)
    if table.turned:
        found |= {"system": None, "value": None}
    return table.columns, found, table  # type: ignore[return-value]


def hint_at_systems(data: Any, arguments: RoleArguments) -> str:  # noqa: ANN401
    """Say which columns may tell the systems of a long table apart; nothing where none may."""
    if isinstance(data, Predictions) or arguments.get("system") is not None:
        return ""
    settled = _settle(arguments)
    roles = settled.pop("roles")
    used = {*roles.declared(), *roles.per, roles.weight, roles.cluster, roles.group, roles.fold}
    found = sources.find_system_column(data, used, **settled)
    if found is None:
        return ""
    system, item = found
    return (
        f" If {system!r} says whose a row is, and {item!r} which item: {switch('system', system)} "
        f"and {switch('item', item)}."
    )


def has_values(data: Any, arguments: RoleArguments) -> bool:  # noqa: ANN401
    """Tell whether a number for each item was declared."""
    if isinstance(data, Predictions):
        return data.values is not None
    said = arguments.get("value") or arguments.get("per") or arguments.get("judge")
    return bool(said) or sources.find_alignments(data) is not None


def asks_certainty(certainty: object, measure: str | Sequence[str] | None) -> bool:
    """Tell whether risk and coverage are asked for, by columns or by the name of the measure.

    >>> asks_certainty(None, "AURC"), asks_certainty(None, "F1"), asks_certainty(["a.conf"], None)
    (True, False, True)
    """
    named = [measure] if isinstance(measure, str) else list(measure or ())
    found = [name for name in named if name.strip().lower() in OF_CERTAINTY]
    if (found or certainty) and len(found) < len(named):
        other = next(name for name in named if name not in found)
        message = (
            f"Risk and coverage stand alone: {other} looks at answers, not at certainties. Ask for "
            "each by itself."
        )
        raise RequestError(message, code="certainty")
    return bool(found or certainty)


def open_rater_columns(data: Any, arguments: RoleArguments) -> Predictions:  # noqa: ANN401
    """Open columns of raters, among whom nobody needs to be right."""
    return sources.open_raters(data, **_settle(arguments))


def open_readings(data: Any, reader: str | None, arguments: RoleArguments) -> "ReaderRows":  # noqa: ANN401
    """Open a reader study; ``reader`` names the column of readers, or a pattern of columns."""
    return sources.open_reader_rows(data, reader=reader, **_settle(arguments))


def _settle(arguments: RoleArguments) -> dict[str, Any]:
    given: dict[str, Any] = dict(arguments)
    engine = {"observe": given.pop("observe", None), "memory": given.pop("memory", None)}
    named = {field.name: given.pop(field.name, None) for field in fields(FileOptions)}
    if named["columns"] is not None:
        names = named["columns"]
        names = names.split(",") if isinstance(names, str) else names
        named["columns"] = tuple(str(name).strip() for name in names)
    exposure = given.pop("exposure", None)
    crossed = split_columns(given.get("cluster"))
    if crossed is not None:
        given["cluster"] = ""
    first, second = crossed or (None, None)
    roles = replace(
        Roles.of(**given), exposure=exposure, crossed_first=first, crossed_second=second
    )
    return {"roles": roles, "options": FileOptions(**named), **engine}


def split_columns(cluster: Any) -> tuple[str, str] | None:  # noqa: ANN401
    """Read ``probe,gallery``: two columns of clusters; None of one."""
    if not isinstance(cluster, str) or "," not in cluster:
        return None
    names = [part.strip() for part in cluster.split(",")]
    if len(names) != 2 or "" in names or names[0] == names[1]:
        message = (
            f"cluster={cluster!r}; name one column of clusters, or two different ones of crossed "
            "items: cluster='probe,gallery' (--cluster probe,gallery)."
        )
        raise RequestError(message, code="crossed")
    return names[0], names[1]


def provenance_of(
    predictions: Predictions, settings: Mapping[str, object], *, seed: int | None = None
) -> Provenance:
    """Record what was read, how it was understood, and what was asked."""
    return Provenance(
        version=__version__,
        inputs=tuple(map(input_record, predictions.files)),
        understood=predictions.understood,
        settings=(*predictions.settings, *say_settings(settings)),
        rows=predictions.rows,
        excluded=predictions.excluded,
        seed=seed,
    )


def input_record(file: InputFile) -> InputRecord:
    """Record one file: its name, what it held, and how it was read."""
    return InputRecord(name=file.name, sha256=file.sha256(), bytes=file.bytes, read_as=file.read_as)


def record_of_counts(settings: Mapping[str, object], *, seed: int | None = None) -> Provenance:
    """Record an answer that was made from bare counts."""
    return Provenance(version=__version__, settings=say_settings(settings), seed=seed)


def check_seed(rng: object) -> int:
    """Take the seed of a simulation: a whole number, because it is recorded in the result.

    >>> check_seed(7)
    7
    """
    plain = isinstance(rng, Integral) and not isinstance(rng, bool)
    if not plain or index(rng) < 0:  # type: ignore[arg-type]
        message = (
            f"rng={rng!r} cannot be recorded in the result. Give a whole number, 0 or more, as "
            "the seed: rng=0 (--seed 0)."
        )
        raise RequestError(message)
    return index(rng)  # type: ignore[arg-type]


def say_settings(settings: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Write settings down for the record, those that were said."""
    return tuple((name, str(value)) for name, value in settings.items() if value is not None)
