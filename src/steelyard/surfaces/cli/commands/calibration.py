"""``steelyard calibration``."""

from typing import Any

import click

from steelyard.surfaces.cli.options import (
    cluster_options,
    data_options,
    named_shares,
    output_options,
    unweighted_option,
)
from steelyard.surfaces.cli.running import run_verb

__all__ = ["command"]


@click.command("calibration", short_help="Do probabilities mean what they say?")
@data_options
@click.option("--bins", type=int, help="Bins of the curve, at most. [default: 10]")
@click.option(
    "--binning",
    type=click.Choice(["quantile", "width"]),
    help="About as many items in each bin, or bins of equal width. [default: quantile]",
)
@click.option(
    "--class-weights",
    callback=named_shares,
    metavar="a=.5,b=.5",
    help="For vectors: a weight for each class, adding up to 1. [default: by items]",
)
@unweighted_option
@cluster_options
@output_options
def command(**given: Any) -> None:  # noqa: ANN401
    """Do probabilities mean what they say?

    Calibration curve with intervals, expected calibration error with its bias, intercept and
    slope, Brier score with its parts, log score, and the differences of every two systems. For a
    number per class, without --positive: spherical (MeasTex), winner, Brier and log scores.

    \b
    steelyard calibration scores.csv --truth label --positive ill --chart curve.svg
    steelyard calibration scores.csv --positive ill --bins 20 --binning width
    steelyard calibration vectors.csv --vector 'cnn=p{class}'
    """
    from steelyard.journey import calibration

    run_verb(calibration, "checking the probabilities", given)
