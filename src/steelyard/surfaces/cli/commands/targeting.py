"""``steelyard targeting``."""

from typing import Any

import click

from steelyard.surfaces.cli.options import (
    cluster_options,
    data_options,
    output_options,
    several,
    unweighted_option,
)
from steelyard.surfaces.cli.running import run_verb

__all__ = ["command"]


@click.command("targeting", short_help="Whom do I contact first, and what does it bring?")
@data_options
@click.option("--budget", metavar="ITEMS", help="How many items can be contacted.")
@click.option("--share", metavar="SHARE", help="Or which share of all items. [default: 0.1]")
@click.option(
    "--by",
    type=click.Choice(["deciles", "percentiles", "curve"]),
    help="Where the curve is tabulated. [default: deciles]",
)
@click.option(
    "--net-benefit",
    multiple=True,
    callback=several,
    metavar="SHARES",
    help="Probabilities from which one would act: 0.1,0.2,0.3 gives the decision curve.",
)
@unweighted_option
@cluster_options
@output_options
def command(**given: Any) -> None:  # noqa: ANN401
    """Whom do I contact first, and what does it bring?

    Ranks the items by score and says which share of the positive class the best-scored ones hold,
    with precision, lift, KS distance and Gini; with --net-benefit whether acting pays.

    \b
    steelyard targeting scores.csv --truth label --positive buyer --budget 100
    steelyard targeting scores.csv --positive buyer --share 0.2 --by percentiles --csv
    steelyard targeting scores.csv --positive ill --net-benefit 0.1,0.2,0.3
    """
    from steelyard.journey import targeting

    run_verb(targeting, "ranking the items", given)
