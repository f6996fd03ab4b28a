"""Commands that read a campaign: status, next, history, simulate, export and verify."""

import sys
from pathlib import Path
from typing import Any

import click

from steelyard.surfaces.cli.commands.campaign_options import (
    chart_option,
    ledger_options,
    opened_campaign,
)
from steelyard.surfaces.cli.options import GroupedCommand, result_options, several
from steelyard.surfaces.cli.showing import (
    Observer,
    announce_written,
    draw_result,
    print_result,
    unwritable,
    working,
)
from steelyard.surfaces.cli.terminal_output import hand_over

__all__ = ["export", "history", "next_test", "simulate", "status", "verify"]


@click.command("status", cls=GroupedCommand, short_help="Go on or stop, and why?")
@ledger_options
@chart_option
@result_options
def status(ledger: str, name: str | None, chart: Path | None, **shown: Any) -> None:  # noqa: ANN401
    """Go on or stop, and why?

    \b
    steelyard campaign status radar.db
    """
    found = opened_campaign(ledger, name).status()
    if chart is not None:
        draw_result(found, chart)
    print_result(found, **shown)


@click.command("next", cls=GroupedCommand, short_help="What to test next?")
@ledger_options
@result_options
def next_test(ledger: str, name: str | None, **shown: Any) -> None:  # noqa: ANN401
    """What to test next: which systems, and which items wait for whom?

    \b
    steelyard campaign next radar.db
    """
    print_result(opened_campaign(ledger, name).next(), **shown)


@click.command("history", cls=GroupedCommand, short_help="Every entry of the ledger.")
@ledger_options
@result_options
def history(ledger: str, name: str | None, **shown: Any) -> None:  # noqa: ANN401
    """List every entry of the ledger in its order.

    \b
    steelyard campaign history radar.db
    """
    print_result(opened_campaign(ledger, name).history(), **shown)


@click.command("simulate", cls=GroupedCommand, short_help="What does the rule really do?")
@ledger_options
@click.option(
    "--rates",
    multiple=True,
    callback=several,
    metavar="0.9,0.88",
    help="True rates, in the order of the systems. [default: three usual settings]",
)
@click.option("--discordance", type=float, help="Share of items that exactly one of two has right.")
@click.option(
    "--correlation",
    type=float,
    default=0.5,
    help="How alike items are hard, for 3 systems or more. [default: 0.5]",
)
@click.option(
    "--campaigns", type=int, help="Simulated campaigns. [default: as many as take a few seconds]"
)
@click.option("--seed", type=int, default=0, help="Seed of the simulation. [default: 0]")
@result_options
def simulate(
    ledger: str,
    name: str | None,
    *,
    rates: tuple[str, ...] | None,
    discordance: float | None,
    correlation: float,
    campaigns: int | None,
    seed: int,
    **shown: Any,  # noqa: ANN401
) -> None:
    """What does the rule really do at stated true rates?

    How often it names a wrong winner or none, how many items it takes and what they cost: exactly
    where the paths can be followed, else by simulation with its error.

    \b
    steelyard campaign simulate radar.db --rates 0.90,0.88 --discordance 0.1
    """
    campaign = opened_campaign(ledger, name)
    try:
        chosen = None if rates is None else [float(rate) for rate in rates]
    except ValueError:
        message = f"{','.join(rates or ())!r} is not a list of rates such as 0.9,0.88."
        raise click.BadParameter(message, param_hint="--rates") from None
    observer = Observer(verbose=False)
    with working("simulating", observer):
        result = campaign.simulate(
            chosen,
            discordance=discordance,
            correlation=correlation,
            campaigns=campaigns,
            rng=seed,
            tell=observer.tell,
        )
    print_result(result, **shown)


@click.command("export", cls=GroupedCommand, short_help="The whole campaign as JSON lines.")
@ledger_options
@click.option("-o", "--output", metavar="FILE", help="File to write. [default: standard output]")
def export(ledger: str, name: str | None, output: str | None) -> None:
    """Write the whole campaign as JSON lines: protocol, entries and results in their order.

    \b
    steelyard campaign export radar.db -o radar.jsonl
    """
    from steelyard.display.saving import write_whole

    text = opened_campaign(ledger, name).export()
    if output is None:
        hand_over(text)
        return
    path = Path(output)
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise unwritable(path, error) from None
    announce_written(path)


@click.command("verify", cls=GroupedCommand, short_help="Is the ledger what was written?")
@ledger_options
@click.option("--head", metavar="HASH", help="A hash noted down earlier, which must be found.")
@result_options
def verify(ledger: str, name: str | None, head: str | None, **shown: Any) -> None:  # noqa: ANN401
    """Is the ledger what was written, and does every decision follow from it?

    Names the first entry that was changed. Exit code 1 when there is one.

    \b
    steelyard campaign verify radar.db
    """
    check = opened_campaign(ledger, name).verify(head=head)
    print_result(check, **shown)
    if check.bad is not None:
        sys.exit(1)
