"""``steelyard roc``."""

from pathlib import Path
from typing import Any

import click

from steelyard.surfaces.cli.options import (
    cluster_options,
    data_options,
    named_costs,
    output_options,
    several,
    unweighted_option,
)
from steelyard.surfaces.cli.running import run_verb

__all__ = ["command"]


@click.command("roc", short_help="How does a system trade detections against false alarms?")
@data_options
@click.option(
    "--thresholds",
    metavar="HOW",
    help=(
        "Where the curve has points: linear:50, log:50, every:10, pfa:0.01,0.1, pd:0.5,0.9, or "
        "numbers. [default: every distinct score]"
    ),
)
@click.option(
    "--rounding",
    type=click.Choice(["floor", "ceil", "round"]),
    help="Whole items at given rates. [default: floor for pfa, ceil for pd]",
)
@click.option(
    "--at",
    multiple=True,
    metavar="pfa=0.1",
    help="Look a point up: threshold=, pfa=, pd=, precision= or flagged=. Give several.",
)
@click.option(
    "--measures",
    multiple=True,
    callback=several,
    metavar="NAMES",
    help="What to measure there. [default: recall, false_alarm_rate, precision, accuracy, kappa]",
)
@click.option("--partial", metavar="pfa:0:0.1", help="Part of the area, corrected (McClish).")
@click.option(
    "--average",
    multiple=True,
    callback=several,
    metavar="HOW",
    help="Over folds: false-alarm-rate (vertical), detection-rate, threshold, pooled.",
)
@click.option(
    "--average-at",
    multiple=True,
    callback=several,
    metavar="NUMBERS",
    help="Rates or thresholds at which folds are averaged. [default: 0, 0.01, ... 1]",
)
@click.option(
    "--band",
    type=click.Choice(["kolmogorov", "bootstrap", "none"]),
    help="Band that holds the whole curve. [default: kolmogorov]",
)
@click.option(
    "--cost", callback=named_costs, metavar="fn=5,fp=1", help="Costs, for the line of equal cost."
)
@click.option("--prevalence", metavar="SHARE", help="Share of positives where it will work.")
@click.option("--points", type=int, help="Points kept of a curve; 0 keeps all. [default: 2000]")
@click.option("--curve", metavar="FILE", help="Write all points of the curves as CSV.")
@click.option("--resamples", type=int, help="Bootstrap resamples, 0 for none. [default: 1000]")
@click.option("--seed", type=int, help="Seed of the bootstrap. [default: 0]")
@unweighted_option
@cluster_options
@output_options
def command(curve: str | None, **given: Any) -> None:  # noqa: ANN401
    """How does a system trade detections against false alarms?

    Draws the ROC curve of each system and reads anything off it. A number per class, without
    --positive, gives a curve for each class and Hand and Till's area.

    \b
    steelyard roc scores.csv --truth label --positive ship --at pfa=0.1 --at threshold=0.5
    steelyard roc scores.csv --positive ship --partial pfa:0:0.1 --curve points.csv
    steelyard roc scores.csv --positive ship --cost fn=5,fp=1 --prevalence 0.01
    steelyard roc folds.csv --positive ship --fold fold --average false-alarm-rate,pooled
    """
    from steelyard.journey import roc

    if curve is not None and given["points"] is None:
        given["points"] = 0
    result = run_verb(roc, "drawing the curves", given)
    if curve is not None:
        _write(result, Path(curve))


def _write(result: Any, path: Path) -> None:  # noqa: ANN401
    from steelyard.display.saving import write_whole
    from steelyard.surfaces.cli.showing import announce_written, unwritable

    try:
        write_whole(path, result.curve_csv().encode())
    except OSError as error:
        raise unwritable(path, error) from None
    announce_written(path)
