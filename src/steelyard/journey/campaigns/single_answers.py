"""From whatever a user has in hand to single answers: item, system, right or wrong."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, SupportsIndex

from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.recording import Answer
from steelyard.campaigns.rules.claims import Stream, streams_of
from steelyard.campaigns.rules.companions import Companion
from steelyard.campaigns.rules.numbers import NumberScale
from steelyard.errors import LedgerError, NotComparable, RequestError, listing, printable, switch
from steelyard.journey.declared_roles import settle_roles
from steelyard.journey.opening import RoleArguments, open_data
from steelyard.measures.tables.shares import declare_share
from steelyard.sources import Predictions, System

__all__ = ["answers_of", "answers_of_records"]

HOLDINGS = {"called": "calls", "outcome": "right and wrong", "score": "scores", "value": "numbers",
            "vector": "a number for each class"}  # fmt: skip


def answers_of(
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    protocol: Protocol,
    *,
    most_rows: int | None = None,
) -> tuple[list[Answer], str, tuple[str, ...]]:
    """Read a batch; say what it was read from, and which columns are not looked at."""
    streams, beside = streams_of(protocol.parsed), protocol.companion
    known = tuple(dict.fromkeys(one.system for one in streams.values())) or protocol.competitors
    given = _roles_by_rule(data, roles, protocol, streams, known)
    predictions = open_data(data, given, open_classes=True, known_systems=known)
    if most_rows is not None and predictions.rows > most_rows:
        message = (
            f"{predictions.rows:,d} rows are more than the {most_rows:,d} that the page takes. "
            "Use steelyard campaign add, or start with --most-rows."
        )
        raise RequestError(message, code="too-many-rows")
    _check(predictions, protocol, streams)
    said = (*settle_roles("campaign", predictions), *_absent_classes(predictions, streams, beside))
    source = ", ".join(f"{file.name} ({file.sha256()[:8]})" for file in predictions.files)
    if streams:
        answers = _stream_answers(predictions, streams)
    elif protocol.numbers is None:
        answers = _answers(predictions)
    else:
        answers = _numbers(predictions, beside)
    return list(answers), source, said


def _roles_by_rule(
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    protocol: Protocol,
    streams: Mapping[str, Stream],
    known: Sequence[str],
) -> RoleArguments:
    """Take from the rule which columns are read, and as what, where that is not said."""
    given: RoleArguments = {**roles}
    if given.get("missing") is None:
        given["missing"] = "exclude"  # an empty cell: not answered yet, so the item waits
    if protocol.pairing == "independent" and given.get("pairing") is None and not streams:
        given["pairing"] = _own_items(data, given)
    beside = protocol.companion
    named = streams or (beside is not None and beside.kind == "class")
    if named and not any(map(given.get, ("systems", "system", "score"))):
        given["systems"] = list(known)
    # A small batch need not hold every class: what counts is right or wrong.
    held = ("value", "errors", "per", "outcome", "called", "score", "vector", "system")
    areas = {one.of for one in streams.values() if one.area}
    if beside is not None and beside.kind == "class":
        areas = {beside.of}
    elif protocol.numbers is not None and not streams and not any(map(given.get, held)):
        given["value" if beside is None else "errors"] = list(known)
    if beside is not None and beside.kind == "per" and given.get("per") is None:
        given["per"] = beside.of
    if len(areas) == 1 and given.get("positive") is None:
        given["positive"] = areas.pop()
    return given


def answers_of_records(
    records: Iterable[Mapping[str, Any]], *, numbers: bool = False
) -> list[Answer]:
    """Take results as a rig sends them: right or wrong, or ``numbers`` as ``value``.

    >>> answers_of_records([{"item": 7, "system": "cnn", "right": True}])
    [Answer(item='7', system='cnn', right=True)]
    """
    answers = []
    given: Iterable[Any] = records
    for number, record in enumerate(given, start=1):
        if numbers:
            answers.append(_number_record(number, record))
            continue
        _check_record(number, record, "right", "true")
        right = record["right"]
        if not isinstance(right, bool) and right not in (0, 1):
            message = f"Result {number} has right={right!r}; expected true or false."
            raise LedgerError(message, code="record")
        answers.append(Answer(str(record["item"]), str(record["system"]), bool(right)))
    return answers


def _check_record(number: int, record: Any, told: str, example: str) -> None:  # noqa: ANN401
    """Refuse a record that does not hold exactly an item, a system, and what is told of them."""
    if not isinstance(record, Mapping) or set(record) != {"item", "system", told}:
        message = (
            f"Result {number} is {record!r}; expected exactly item, system and {told}, such as "
            f'{{"item": "7", "system": "cnn", "{told}": {example}}}.'
        )
        raise LedgerError(message, code="record")
    for name in ("item", "system"):
        _check_text(number, name, record[name])


def _number_record(number: int, record: Any) -> Answer:  # noqa: ANN401
    _check_record(number, record, "value", "3.5")
    value = record["value"]
    if isinstance(value, bool) or not isinstance(value, int | float):
        message = f"Result {number} has value={value!r}; expected a number."
        raise LedgerError(message, code="record")
    return Answer(str(record["item"]), str(record["system"]), float(value))


def _check_text(number: int, name: str, given: Any) -> None:  # noqa: ANN401
    """Refuse what would only become a name by accident, such as null or a list."""
    whole = isinstance(given, SupportsIndex) and not isinstance(given, bool)
    if not (isinstance(given, str) or (whole and name == "item")):
        message = f"Result {number} has {name}={given!r}; expected a text."
        raise LedgerError(message, code="record")


def _own_items(data: Any, roles: RoleArguments) -> str | None:  # noqa: ANN401
    """Say that items are independent only where more than one system is read."""
    one_file = isinstance(data, Mapping) and len(data) == 1
    named = roles.get("systems")
    alone = named is not None and not isinstance(named, str) and len(named) == 1
    return None if one_file or alone or isinstance(named, str) else "independent"


def _check(predictions: Predictions, protocol: Protocol, streams: Mapping[str, Stream]) -> None:
    if "item" not in predictions.table.columns:
        message = (
            "A campaign knows items by their ids, and there is no column of them. Name it: "
            f"{switch('item', 'COLUMN')}."
        )
        raise RequestError(message, code="no-item")
    if any(one.area for one in streams.values()):
        return
    beside = protocol.companion
    if beside is not None and beside.kind == "class":
        for system in predictions.systems:
            _check_scores(predictions, system, f"The rule of this campaign ({beside.what})",
                          beside.of)  # fmt: skip
        return
    if protocol.numbers is not None:
        _check_numbers(predictions, protocol.numbers)
        return
    if predictions.values is not None:
        message = (
            "The rule of this campaign is about right and wrong answers, and these systems hold a "
            "number for each item. Start a campaign whose rule is about numbers, such as "
            "'betting(1, 5) >= 20 or n >= 1000' for grades from 1 to 5."
        )
        raise NotComparable(message, code="values")
    if len(predictions.with_answers()) < len(predictions.systems):
        message = (
            "A campaign counts right and wrong answers, and some systems give scores only. "
            f"{switch('threshold', '0.5')} turns scores into calls."
        )
        raise NotComparable(message, code="mixed-holdings")


def _check_numbers(predictions: Predictions, numbers: NumberScale) -> None:
    """Refuse what is no number for each item, or would be better the other way round."""
    scale, beside = predictions.values, numbers.companion
    if scale is None or any(one.judge for one in predictions.systems):
        message = (
            "The rule of this campaign is about a number for each item. Name the columns that hold "
            f"them: {switch('value', 'a,b')}; judges have no sequence here."
        )
        raise NotComparable(message, code="values")
    if beside is None and scale.per is not None:
        message = (
            f"The rule of this campaign is about a number for each item, and these are "
            f"{printable(scale.name)} per {printable(scale.per)}. Start a campaign whose rule says "
            f"so: asymptotic(400, lower, '{printable(scale.name)} per {printable(scale.per)}') or "
            "n >= 1000."
        )
        raise NotComparable(message, code="values")
    if beside is not None and scale.per is None:
        message = (
            f"The rule of this campaign is about {beside.what}. Name both: "
            f"{switch('errors', 'a.errors,b.errors')} {switch('per', beside.of)}."
        )
        raise NotComparable(message, code="values")
    wanted = None if numbers.lower is None else "lower" if numbers.lower else "higher"
    if wanted and scale.better is not None and scale.better != wanted:
        message = (
            f"The rule of this campaign takes a {wanted} number for better, and of "
            f"{printable(scale.name)} a {scale.better} one is ({scale.known_by}). Say it in the "
            "rule of a new campaign, such as 'betting(0, 60, lower) >= 20'."
        )
        raise NotComparable(message, code="better-unknown")


def _numbers(predictions: Predictions, beside: Companion | None) -> Iterator[Answer]:
    """Give every system its number on every item, and what comes with the item after them."""
    facts: list[str] = []
    if beside is not None:
        facts = ["positive"] if beside.kind == "class" else [one.per for one in predictions.systems]
    asked = ", ".join(["item", *(one.column for one in predictions.systems), *facts])
    for item, *found in predictions.table.query(f"SELECT {asked} FROM {{t}}"):
        for one, value in zip(predictions.systems, found, strict=False):
            if value is not None:
                yield Answer(str(item), one.name, float(value))
        known = {float(one) for one in found[len(predictions.systems) :] if one is not None}
        if beside is not None and len(known) > 1:
            several = listing([f"{one:g}" for one in sorted(known)])
            message = (
                f"Item {printable(str(item))!r} has {several} {beside.of}, each for another "
                f"system. A campaign about {beside.what} follows systems on the same ones."
            )
            raise NotComparable(message, code="values")
        if beside is not None:
            yield from (Answer(str(item), beside.name, one) for one in known)


def _answers(predictions: Predictions) -> Iterator[Answer]:
    systems = predictions.with_answers()
    asked = ", ".join(
        f"CASE WHEN {one.column} IS NULL THEN NULL ELSE {one.outcome_sql()} END" for one in systems
    )
    for item, *found in predictions.table.query(f"SELECT item, {asked} FROM {{t}}"):
        for one, right in zip(systems, found, strict=True):
            if right is not None:
                yield Answer(str(item), one.name, bool(right))


def _stream_answers(predictions: Predictions, streams: Mapping[str, Stream]) -> Iterator[Answer]:
    """Give every stream the items that it is about, each won or not."""
    for name, stream in streams.items():
        system = predictions.system(stream.system)
        if stream.area:
            yield from _score_answers(predictions, system, name, stream)
            continue
        if system.holds not in ("called", "vector") or "truth" not in predictions.table.columns:
            message = (
                f"{name} needs the true class and the called one of every item, and {system.name} "
                f"holds {HOLDINGS[system.holds]}. Give both, or report the items that it is about, "
                "right or wrong, under its name."
            )
            raise NotComparable(message, code="claim")
        wanted = predictions.positive if stream.events else stream.of
        if wanted is None:
            message = (
                f"{name}: false alarms of which class? Name it: {switch('positive', 'CLASS')}."
            )
            raise RequestError(message, code="no-positive")
        share = None if stream.events else declare_share(stream.measure, stream.of)
        rows = predictions.table.query(
            f"SELECT item, CAST(truth AS VARCHAR), CAST({system.column} AS VARCHAR) FROM {{t}} "
            f"WHERE {system.column} IS NOT NULL"
        )
        for item, truth, called in rows:
            if share is None:  # every item is watched; a false alarm is a call without its class
                yield Answer(str(item), name, called == wanted and truth != wanted)
            elif share.among(truth, called):
                yield Answer(str(item), name, share.won(truth, called))


def _absent_classes(
    predictions: Predictions, streams: Mapping[str, Stream], beside: Companion | None
) -> list[str]:
    """Say which claimed classes are true of no item: a batch without them, or a misspelling."""
    if "truth" not in predictions.table.columns:
        return []
    rows = predictions.table.query("SELECT DISTINCT CAST(truth AS VARCHAR) FROM {t}")
    true = sorted(str(one) for (one,) in rows if one is not None)
    wanted = dict.fromkeys(one.of for one in streams.values() if one.of is not None)
    if beside is not None and beside.kind == "class":
        wanted[beside.of] = None
    return [
        f"no item of this batch is of class {printable(of)}, which the rule is about; its classes: "
        f"{listing(true)}"
        for of in wanted
        if of not in true
    ]


def _score_answers(
    predictions: Predictions, system: System, name: str, stream: Stream
) -> Iterator[Answer]:
    """Give the scores of the class, or of the others, to the stream that is about them."""
    _check_scores(predictions, system, name, str(stream.of))
    rows = predictions.table.query(
        f"SELECT item, positive, {system.column} FROM {{t}} WHERE {system.column} IS NOT NULL"
    )
    for item, positive, score in rows:
        if bool(positive) is not stream.others:
            yield Answer(str(item), name, float(score))


def _check_scores(predictions: Predictions, system: System, who: str, of: str) -> None:
    if system.holds != "score":
        message = (
            f"{who} needs a score of every item, and {system.name} holds "
            f"{HOLDINGS[system.holds]}. Name the columns of scores: {switch('score', system.name)}."
        )
        raise NotComparable(message, code="claim")
    if predictions.positive != of:
        message = (
            f"{who} needs scores that are high for {of}, and these are read as those of "
            f"{predictions.positive}. Name the class: {switch('positive', of)}."
        )
        raise NotComparable(message, code="claim")
