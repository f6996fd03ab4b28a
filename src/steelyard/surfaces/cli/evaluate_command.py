"""``steelyard evaluate``."""

from typing import Any

import click

from steelyard.surfaces.cli.options import (
    cluster_options,
    data_options,
    output_options,
    several_numbers,
)
from steelyard.surfaces.cli.running import run_verb

__all__ = ["command"]


@click.command("evaluate", short_help="How good is each system?")
@data_options
@click.option(
    "--confusion",
    metavar="ROWS",
    help="A confusion table typed in, rows by truth: '8,2;1,9' (with --classes cat,dog).",
)
@click.option(
    "--pass-at",
    callback=several_numbers,
    metavar="1,4,8",
    help="pass@k and pass^k of items asked more than once; the cluster is the item.",
)
@click.option(
    "--estimand",
    type=click.Choice(["population", "items"]),
    help="Numbers speak of items like these, or of these very items. [default: population]",
)
@cluster_options
@output_options
def command(confusion: str | None, **given: Any) -> None:  # noqa: ANN401
    """How good is each system?

    Reads CSV, TSV, Parquet, JSON lines, Arrow; a glob or several files; - for standard input;
    NAME=FILE for one file per system. Every number comes with its interval.

    \b
    steelyard evaluate predictions.csv --truth label
    steelyard evaluate scores.parquet --truth label --positive ship
    steelyard evaluate svm=svm.csv rf=rf.csv --truth label --item id
    steelyard evaluate 'logs/*.eval' --scorer match --pass-at 1,4
    steelyard evaluate --confusion "8,2;1,9" --classes cat,dog
    """
    from steelyard.journey import evaluate

    counts = None if confusion is None else _typed(confusion, given["classes"])
    asks = ("level", "pass_at", "estimand")
    run_verb(evaluate, "evaluating", given, counts=counts, asks=asks)


def _typed(confusion: str, classes: tuple[str, ...] | None) -> object:
    from steelyard.counts import Confusion

    try:
        matrix = [[int(cell) for cell in row.split(",")] for row in confusion.split(";")]
    except ValueError:
        message = f"{confusion!r} is not a table such as '8,2;1,9' of whole numbers."
        raise click.BadParameter(message, param_hint="--confusion") from None
    return Confusion.from_matrix(matrix, classes=classes)
