"""``steelyard evaluate``."""

from typing import Any

import click

from steelyard.surfaces.cli.options import data_options, output_options
from steelyard.surfaces.cli.running import run_verb

__all__ = ["command"]


@click.command("evaluate", short_help="How good is each system?")
@data_options
@click.option(
    "--confusion",
    metavar="ROWS",
    help="A confusion table typed in, rows by truth: '8,2;1,9' (with --classes cat,dog).",
)
@output_options
def command(confusion: str | None, **given: Any) -> None:  # noqa: ANN401
    """How good is each system?

    Reads CSV, TSV, Parquet, JSON lines, Arrow; a glob or several files; - for standard input;
    NAME=FILE for one file per system. Every number comes with its interval.

    \b
    steelyard evaluate predictions.csv --truth label
    steelyard evaluate scores.parquet --truth label --positive ship
    steelyard evaluate svm=svm.csv rf=rf.csv --truth label --item id
    steelyard evaluate --confusion "8,2;1,9" --classes cat,dog
    """
    from steelyard.journey import evaluate

    counts = None if confusion is None else _typed(confusion, given["classes"])
    run_verb(evaluate, "evaluating", given, counts=counts)


def _typed(confusion: str, classes: tuple[str, ...] | None) -> object:
    from steelyard.counts import Confusion

    try:
        matrix = [[int(cell) for cell in row.split(",")] for row in confusion.split(";")]
    except ValueError:
        message = f"{confusion!r} is not a table such as '8,2;1,9' of whole numbers."
        raise click.BadParameter(message, param_hint="--confusion") from None
    return Confusion.from_matrix(matrix, classes=classes)
