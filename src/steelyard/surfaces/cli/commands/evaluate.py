"""``steelyard evaluate``."""

from pathlib import Path
from typing import Any

import click

from steelyard.surfaces.cli.options import (
    cluster_options,
    data_options,
    named_costs,
    output_options,
    read_class_table,
    several,
    several_numbers,
)
from steelyard.surfaces.cli.running import run_verb

__all__ = ["command"]

ASKS = (
    "level",
    "method",
    "kappa_method",
    "average",
    "prevalence",
    "cost",
    "measure",
    "positive",
    "pass_at",
    "estimand",
    "benchmark",
)


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
    "--benchmark", type=int, metavar="N", help="These items are a random part of N fixed ones."
)
@click.option(
    "--estimand",
    type=click.Choice(["population", "items"]),
    help="Numbers speak of items like these, or of these very items. [default: population]",
)
@click.option(
    "--method",
    type=click.Choice(["wilson", "clopper-pearson", "midp", "jeffreys", "agresti-coull", "wald"]),
    help="Interval of shares. [default: wilson]",
)
@click.option(
    "--kappa-method",
    type=click.Choice(["ase1", "adjusted"]),
    help="Interval of kappa: the textbook's, or one that stands few positives. [default: adjusted]",
)
@click.option(
    "--average",
    multiple=True,
    callback=several,
    metavar="NAMES",
    help="Means over classes: macro, micro, weighted. [default: macro]",
)
@click.option(
    "--measure",
    multiple=True,
    callback=several,
    metavar="NAMES",
    help="Measures of the catalogue, such as F1, 'log loss' or 'recall of ship'; repeatable.",
)
@click.option("--prevalence", metavar="SHARE", help="Share of positives where it will work.")
@click.option(
    "--cost",
    metavar="fn=5,fp=1|FILE",
    help="Costs of mistakes, or a CSV file with true classes in rows and called ones in columns.",
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
    steelyard evaluate predictions.csv --positive ill --cost fn=10,fp=1 --prevalence 0.01
    steelyard evaluate predictions.csv --measure MCC --measure "recall of ship" --group site
    steelyard evaluate predictions.csv --average macro,weighted --method clopper-pearson
    """
    from steelyard.journey import evaluate

    counts = None if confusion is None else _typed(confusion, given["classes"])
    if given["cost"] is not None:
        given["cost"] = _costs(given["cost"])
    run_verb(evaluate, "evaluating", given, counts=counts, asks=ASKS)


def _costs(given: str) -> object:
    """Read a table of costs from a file, or the costs of misses and false alarms as typed."""
    if Path(given).is_file():
        return read_class_table(given, what="costs", option="--cost")
    return named_costs(None, None, given)


def _typed(confusion: str, classes: tuple[str, ...] | None) -> object:
    from steelyard.counts import Confusion

    try:
        matrix = [[int(cell) for cell in row.split(",")] for row in confusion.split(";")]
    except ValueError:
        message = f"{confusion!r} is not a table such as '8,2;1,9' of whole numbers."
        raise click.BadParameter(message, param_hint="--confusion") from None
    return Confusion.from_matrix(matrix, classes=classes)
