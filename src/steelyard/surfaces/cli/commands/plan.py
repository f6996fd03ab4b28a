"""``steelyard plan``."""

import sys
from typing import Any

import click

from steelyard.surfaces.cli.options import file_options, named_parts, named_priors, output_options
from steelyard.surfaces.cli.running import gather_files
from steelyard.surfaces.cli.showing import Observer, draw_result, print_result, working

__all__ = ["command"]

ASKED = (
    "question",
    "confidence",
    "samples",
    "design",
    "discordance",
    "alpha",
    "power",
    "margin",
    "delta",
    "width",
    "cost_per_sample",
    "among",
    "null",
    "prevalence",
    "correlation",
    "both",
    "claim",
    "multiplicity",
    "cluster_size",
    "trials",
    "icc",
    "shares",
    "priors",
    "every",
    "cap",
)

QUESTIONS = ("best", "ranking", "pair", "width", "select", "area", "kappa", "akaike", "stop")
HERE = "-"
"""What --pilot and --more hold when the file is named elsewhere on the line."""


def _rates(
    context: click.Context, parameter: click.Parameter, given: str | None
) -> dict[str, float] | list[float] | None:
    """Read ``0.90,0.88`` or ``S=0.90,T=0.88``."""
    del context
    if given is None:
        return None
    parts = [part.strip() for part in given.split(",") if part.strip()]
    try:
        if "=" not in given:
            return [float(part) for part in parts]
        named = named_parts(",".join(parts), parameter)
        return {name: float(number) for name, number in named.items()}
    except ValueError:
        message = f"{given!r} is not a list of rates such as 0.90,0.88 or S=0.90,T=0.88."
        raise click.BadParameter(message, param=parameter) from None


def _claim(context: click.Context, parameter: click.Parameter, given: str | None) -> str | None:
    del context, parameter
    return None if given is None else given.replace("-", " ")


@click.command("plan", short_help="How many test samples do I need?")
@click.option(
    "--rates",
    callback=_rates,
    metavar="0.90,0.88",
    help="Supposed rates (areas, a kappa); or S=0.90,T=0.88.",
)
@click.option(
    "--question",
    type=click.Choice(QUESTIONS),
    help="What the test has to settle. [default: best]",
)
@click.option("--confidence", type=float, help="Confidence wanted. [default: 0.95]")
@click.option("--samples", type=int, help="What would this many reach?")
@click.option(
    "--design",
    type=click.Choice(["independent", "paired"]),
    help="Items of their own, or common ones. [default: independent]",
)
@click.option(
    "--discordance", type=float, help="Share of common items that exactly one of two has right."
)
@click.option(
    "--pilot",
    is_flag=False,
    flag_value=HERE,
    metavar="FILE",
    help="Take rates and discordances from FILE.",
)
@click.option(
    "--more",
    is_flag=False,
    flag_value=HERE,
    metavar="FILE",
    help="Go on from FILE: how many more until all is settled?",
)
@click.option("--alpha", type=float, help="Error rate of tests. [default: 0.05]")
@click.option("--power", type=float, help="Power of tests, and assurance. [default: 0.8]")
@click.option("--margin", type=float, help="With --question pair: show equivalence within it.")
@click.option("--delta", type=float, help="With --question select: lead of the best.")
@click.option("--width", type=float, help="With --question width: largest width.")
@click.option("--cost-per-sample", type=float, help="What one sample costs.")
@click.option("--among", type=int, help="With --question select: how many systems.")
@click.option("--null", type=float, help="The area or kappa to tell the supposed one from.")
@click.option("--prevalence", type=float, help="Share of positive items. [default: 0.5]")
@click.option("--correlation", type=float, help="Of two areas on common items. [default: 0.5]")
@click.option("--both", type=float, help="With --question akaike: share both have right.")
@click.option(
    "--claim",
    type=click.Choice(["equivalent", "not-inferior"]),
    callback=_claim,
    help="What --margin is to show. [default: equivalent]",
)
@click.option(
    "--multiplicity",
    type=click.Choice(["shaffer", "bonferroni", "none"]),
    help="How alpha is shared among pairs. [default: shaffer]",
)
@click.option("--cluster-size", type=float, help="Items come in clusters of this size.")
@click.option("--trials", type=int, help="Each item is tried so often.")
@click.option("--icc", type=float, help="Correlation within a cluster, or within an item.")
@click.option(
    "--shares", callback=_rates, metavar="2,1", help="Items of each system, relative; or S=2,T=1."
)
@click.option(
    "--prior",
    "priors",
    callback=named_priors,
    metavar="S=190:10",
    help="Beta priors of systems; or 1:1 for all.",
)
@click.option("--every", type=int, help="With --question stop: items between looks. [default: 1]")
@click.option("--cap", type=int, help="With --question stop: where every rule ends.")
@click.option(
    "--table", type=click.Choice(["1", "2", "3", "4"]), help="Print a published table as CSV."
)
@click.option("--seed", type=int, help="Seed of simulations. [default: 0]")
@file_options
@output_options
def command(
    rates: dict[str, float] | list[float] | None,
    table: str | None,
    seed: int | None,
    *,
    pilot: str | None,
    more: str | None,
    **given: Any,  # noqa: ANN401
) -> None:
    """How many test samples do I need?

    Says how many items to test so that the best system, a ranking, a difference or an interval is
    settled, and what fewer items would reach.

    \b
    steelyard plan --rates 0.90,0.88,0.86 --confidence 0.95
    steelyard plan --rates S=0.90,T=0.88 --question pair --discordance 0.06
    steelyard plan --pilot pilot.csv --truth label --cost-per-sample 0.02
    steelyard plan --more predictions.csv --truth label
    steelyard plan --rates 0.9 --question width --width 0.04
    steelyard plan --rates 0.85,0.80 --question area --correlation 0.6
    steelyard plan --rates 0.90,0.88 --question stop --discordance 0.06
    steelyard plan --rates 0.90,0.88 --cluster-size 20 --icc 0.1
    steelyard plan --question select --among 5 --samples 500
    steelyard plan --table 3 > table3.csv
    """
    if table is not None:
        _print_table(int(table))
        return
    from steelyard.journey import plan

    shown = {name: given.pop(name) for name in ("as_json", "as_csv", "raw_csv")}
    observer = Observer(verbose=given.pop("verbose"))
    named = tuple(name for name in (pilot, more) if name not in (None, HERE))
    given["files"] = files = (*named, *given["files"])
    chart, kind = given.pop("chart"), given.pop("picture")
    arguments = _arguments(given, seed)
    if files and not (pilot or more):
        message = "What is the file for? Say --pilot (rates from it) or --more (go on from it)."
        raise click.UsageError(message)
    if pilot and more:
        message = "Say --pilot or --more, not both."
        raise click.UsageError(message)
    if pilot or more:
        arguments["pilot" if pilot else "more"] = gather_files(files)
        arguments["observe"] = observer
    with working("planning", observer):
        result = plan(rates, **arguments)
    if chart is not None:
        draw_result(result, chart, kind)
    print_result(result, **shown)


def _arguments(given: dict[str, Any], seed: int | None) -> dict[str, Any]:
    """Settle what was typed with what the settings file says."""
    from steelyard.journey.settings import read_settings, settled

    saved = read_settings(given["settings"], given["files"])
    known = {name: value for name, value in saved.items() if name in given}
    typed = {name: value for name, value in given.items() if name not in ("files", "settings")}
    arguments = settled(typed, known)
    level = arguments.pop("level", None)
    if level is not None:
        arguments.setdefault("confidence", level)
    if not given["files"]:
        arguments = {name: value for name, value in arguments.items() if name in ASKED}
    if seed is not None:
        arguments["rng"] = seed
    return arguments


def _print_table(number: int) -> None:
    """Write one of the paper's tables, row by row as they are found."""
    from steelyard.display.csv_text import csv_text
    from steelyard.planning.posterior.published_tables import published_table

    for place, row in enumerate(published_table(number)):
        text = csv_text(list(row), [list(row.values())])
        lines = text.splitlines(keepends=True)
        sys.stdout.write(text if place == 0 else lines[1])
