"""``steelyard campaign report``: a campaign as one file to mail."""

from pathlib import Path

import click

from steelyard.surfaces.cli.commands.campaign_options import ledger_options, opened_campaign
from steelyard.surfaces.cli.showing import Observer, announce_written, unwritable, working

__all__ = ["report"]


@click.command("report", short_help="One HTML file with the verdict, its path and every entry.")
@ledger_options
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write.")
@click.option(
    "--campaigns",
    type=click.IntRange(0),
    help="Simulated campaigns for the rule, 0 for none. [default: as many as take a few seconds]",
)
def report(ledger: str, name: str | None, output: Path | None, campaigns: int | None) -> None:
    """One HTML file with the verdict, its path and every entry.

    It opens in any browser without a network, and holds the JSON of the status.

    \b
    steelyard campaign report radar.db -o campaign.html
    """
    from steelyard.display.saving import write_whole
    from steelyard.surfaces.report import campaign_html

    campaign = opened_campaign(ledger, name)
    rule = None
    if campaigns != 0:
        with working("simulating", Observer(verbose=False)):
            rule = campaign.simulate(campaigns=campaigns)
    target = output or Path("campaign.html")
    text = campaign_html(campaign.status(), campaign.history(), rule)
    try:
        write_whole(target, text.encode())
    except OSError as error:
        raise unwritable(target, error) from None
    announce_written(target)
