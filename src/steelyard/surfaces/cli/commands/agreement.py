"""``steelyard agreement``."""

from pathlib import Path
from typing import Any

import click

from steelyard.surfaces.cli.options import (
    cluster_options,
    data_options,
    output_options,
    read_class_table,
    several,
)
from steelyard.surfaces.cli.running import run_verb

__all__ = ["command"]

NAMED = ("unweighted", "linear", "quadratic")


@click.command("agreement", short_help="How far do raters or systems agree?")
@data_options
@click.option(
    "--raters",
    multiple=True,
    callback=several,
    metavar="NAMES",
    help="Columns of the raters. [default: all without another role]",
)
@click.option(
    "--weights",
    metavar="NAME|FILE",
    help=(
        "How much near misses count: unweighted, linear, quadratic, or a CSV file with the "
        "categories in its first row and column. [default: unweighted]"
    ),
)
@click.option(
    "--order",
    multiple=True,
    callback=several,
    metavar="NAMES",
    help="Categories from lowest to highest. [default: that of numbers]",
)
@click.option(
    "--kappa-method",
    type=click.Choice(["ase1", "adjusted"]),
    help=(
        "Interval of Cohen's kappa: the textbook's, or one that stands few items of a category. "
        "[default: adjusted]"
    ),
)
@cluster_options
@output_options
def command(**given: Any) -> None:  # noqa: ANN401
    """How far do raters or systems agree?

    Cohen's, Fleiss' and Conger's kappa, Krippendorff's alpha, AC1 and PABAK, for all raters and
    every two of them. Nobody needs to be right; --truth COLUMN takes the truth as one more rater.
    Ratings may be missing.

    \b
    steelyard agreement labels.csv --raters ann,bob,eve
    steelyard agreement grades.csv --weights quadratic --order low,mid,high
    steelyard agreement predictions.csv --truth label --raters cnn
    """
    from steelyard.journey import agreement

    if given["weights"] is not None:
        given["weights"] = _weights(given["weights"])
    run_verb(agreement, "comparing raters", given)


def _weights(given: str) -> str | dict[tuple[str, str], float]:
    """Read a table of weights from a file, or take the name of one."""
    if given in NAMED or not Path(given).is_file():
        return given
    return read_class_table(given, what="weights", option="--weights")
