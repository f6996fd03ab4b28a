"""``steelyard evaluate``."""

from pathlib import Path
from typing import Any

import click

from steelyard.surfaces.cli.options import name_costs, read_class_table, read_events, verb_command
from steelyard.surfaces.cli.running import run_verb

__all__ = ["command"]


@verb_command("evaluate", short_help="How good is each system?")
def command(
    confusion: str | None,
    false_alarms: dict[str, int] | int | None,
    **given: Any,  # noqa: ANN401
) -> None:
    """How good is each system?

    Reads CSV, TSV, Parquet, JSON lines, Arrow; a glob or several files; - for standard input;
    NAME=FILE for one file per system. Every number comes with its interval.

    \b
    steelyard evaluate predictions.csv --truth label
    steelyard evaluate scores.parquet --truth label --positive ship
    steelyard evaluate svm=svm.csv rf=rf.csv --truth label --item id
    steelyard evaluate 'logs/*.eval' --scorer match --pass-at 1,4
    steelyard evaluate --confusion "8,2;1,9" --classes cat,dog
    steelyard evaluate predictions.csv --positive ill --cost fn=10,fp=1 --prevalence 0.01
    steelyard evaluate predictions.csv --measure MCC --measure "recall of ship" --group site
    steelyard evaluate predictions.csv --positive ship --exposure hours --cluster watch
    steelyard evaluate --false-alarms new=3,old=9 --exposure 12h
    steelyard evaluate predictions.csv --average macro,weighted --method clopper-pearson
    """
    from steelyard.journey import evaluate

    counts = None if confusion is None else _read_typed(confusion, given["classes"])
    if false_alarms is not None:
        if counts is not None:
            message = "Give one of --confusion and --false-alarms."
            raise click.UsageError(message)
        counts = read_events(false_alarms, given.pop("exposure"))
    if given["cost"] is not None:
        given["cost"] = _costs(given["cost"])
    run_verb(evaluate, "evaluate", "evaluating", given, counts=counts)


def _costs(given: str) -> object:
    """Read a table of costs from a file, or the costs of misses and false alarms as typed."""
    if Path(given).is_file():
        return read_class_table(given, what="costs", option="--cost")
    return name_costs(None, None, given)


def _read_typed(confusion: str, classes: tuple[str, ...] | None) -> object:
    from steelyard.counts import Confusion
    from steelyard.errors import CountsError
    from steelyard.sources.logs.plain.confusions import read_count_table

    if Path(confusion).is_file():
        confusion, named = read_count_table(Path(confusion))
        classes = classes or named
    try:
        return Confusion.from_text(confusion, classes=classes)
    except CountsError as error:
        if error.code != "no-table":
            raise
        raise click.BadParameter(str(error), param_hint="--confusion") from None
