"""``steelyard threshold``."""

from functools import partial
from typing import Any

import click

from steelyard.surfaces.cli.options import (
    cluster_options,
    data_options,
    named_costs,
    output_options,
    unweighted_option,
)
from steelyard.surfaces.cli.running import run_verb

__all__ = ["command"]


@click.command("threshold", short_help="Where do I set the threshold of a system?")
@data_options
@click.option(
    "--by",
    metavar="RECIPE",
    help=(
        "max-kappa, max-sum, equal-rates, sensitivity, specificity, false-alarm-budget, "
        "lowest-positive, mean-score, prevalence, predicted-prevalence, min-cost, max-f, "
        "closest-corner, or fixed with --threshold. [default: max-kappa]"
    ),
)
@click.option("--sensitivity", metavar="SHARE", help="Wanted recall. [default: 0.95]")
@click.option("--specificity", metavar="SHARE", help="Wanted specificity. [default: 0.95]")
@click.option("--false-alarm-rate", metavar="SHARE", help="Budget of false alarms. [default: 0.05]")
@click.option("--beta", metavar="NUMBER", help="Weight of recall in F. [default: 1]")
@click.option(
    "--cost",
    callback=named_costs,
    metavar="fn=5,fp=1",
    help="Cost of each kind of call. [default: 1]",
)
@click.option("--resamples", type=int, help="Bootstrap resamples, 0 for none. [default: 1000]")
@click.option("--seed", type=int, help="Seed of the bootstrap. [default: 0]")
@unweighted_option
@cluster_options
@output_options
def command(**given: Any) -> None:  # noqa: ANN401
    """Where do I set the threshold of a system?

    Works out every recipe on the scores of one system, says where to set the threshold, what the
    recipe promises there, and what to expect of it on new data.

    \b
    steelyard threshold scores.csv --truth label --score cnn --positive ship
    steelyard threshold scores.csv --positive ship --by sensitivity --sensitivity .9
    steelyard threshold scores.csv --positive ship --by min-cost --cost fn=5,fp=1
    """
    from steelyard.journey import threshold

    if given["threshold"] is None and given["by"] != "fixed":
        given.pop("threshold")  # what a settings file keeps for other commands
    seed = given.pop("seed")
    verb = threshold if seed is None else partial(threshold, rng=seed)
    run_verb(verb, "looking for a threshold", given)
