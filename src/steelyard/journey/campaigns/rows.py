"""From whatever a user has in hand to single answers: item, system, right or wrong."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, SupportsIndex

from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.recording import Answer
from steelyard.errors import LedgerError, NotComparable, RequestError, switch
from steelyard.journey.declared_roles import settle_roles
from steelyard.journey.opening import RoleArguments, opened
from steelyard.sources import Predictions

__all__ = ["answers_of", "answers_of_records"]

RECORD = ("item", "system", "right")


def answers_of(
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    protocol: Protocol,
    *,
    most_rows: int | None = None,
) -> tuple[list[Answer], str, tuple[str, ...]]:
    """Read a batch; say what it was read from, and which columns are not looked at."""
    given: RoleArguments = {**roles}
    if given.get("missing") is None:
        given["missing"] = "exclude"  # an empty cell: not answered yet, so the item waits
    if protocol.pairing == "independent" and given.get("pairing") is None:
        given["pairing"] = _own_items(data, given)
    # A small batch need not hold every class: what counts is right or wrong.
    predictions = opened(data, given, open_classes=True)
    if most_rows is not None and predictions.rows > most_rows:
        message = (
            f"{predictions.rows:,d} rows are more than the {most_rows:,d} that the page takes. "
            "Use steelyard campaign add, or start with --most-rows."
        )
        raise RequestError(message, code="too-many-rows")
    _check(predictions)
    said = settle_roles("campaign", predictions)
    source = ", ".join(f"{file.name} ({file.sha256()[:8]})" for file in predictions.files)
    return list(_answers(predictions)), source, said


def answers_of_records(records: Iterable[Mapping[str, Any]]) -> list[Answer]:
    """Take results as a rig sends them.

    >>> answers_of_records([{"item": 7, "system": "cnn", "right": True}])
    [Answer(item='7', system='cnn', right=True)]
    """
    answers = []
    given: Iterable[Any] = records
    for number, record in enumerate(given, start=1):
        if not isinstance(record, Mapping) or set(record) != set(RECORD):
            message = (
                f"Result {number} is {record!r}; expected exactly item, system and right, such as "
                '{"item": "7", "system": "cnn", "right": true}.'
            )
            raise LedgerError(message, code="record")
        for name in ("item", "system"):
            _check_text(number, name, record[name])
        right = record["right"]
        if not isinstance(right, bool) and right not in (0, 1):
            message = f"Result {number} has right={right!r}; expected true or false."
            raise LedgerError(message, code="record")
        answers.append(Answer(str(record["item"]), str(record["system"]), bool(right)))
    return answers


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


def _check(predictions: Predictions) -> None:
    if "item" not in predictions.table.columns:
        message = (
            "A campaign knows items by their ids, and there is no column of them. Name it: "
            f"{switch('item', 'COLUMN')}."
        )
        raise RequestError(message, code="no-item")
    if len(predictions.with_answers()) < len(predictions.systems):
        message = (
            "A campaign counts right and wrong answers, and some systems give scores only. "
            f"{switch('threshold', '0.5')} turns scores into calls."
        )
        raise NotComparable(message, code="mixed-holdings")


def _answers(predictions: Predictions) -> Iterator[Answer]:
    systems = predictions.with_answers()
    asked = ", ".join(
        f"CASE WHEN {one.column} IS NULL THEN NULL ELSE {one.outcome_sql()} END" for one in systems
    )
    for item, *found in predictions.table.query(f"SELECT item, {asked} FROM {{t}}"):
        for one, right in zip(systems, found, strict=True):
            if right is not None:
                yield Answer(str(item), one.name, bool(right))
