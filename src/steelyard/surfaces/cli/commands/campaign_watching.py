"""``steelyard campaign watch``: a campaign that is followed on the terminal."""

import shutil
import sys
import time
from typing import TYPE_CHECKING

import click

from steelyard.surfaces.cli.commands.campaign_options import ledger_options, opened_campaign

if TYPE_CHECKING:
    from steelyard.results.campaign import CampaignStatus

__all__ = ["frame", "watch"]

HOME = "\x1b[H\x1b[J"
HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"
TALLEST = 16


@click.command("watch", short_help="Follow a campaign on the terminal.")
@ledger_options
@click.option("--every", type=float, default=2.0, help="Seconds between looks. [default: 2]")
def watch(ledger: str, name: str | None, every: float) -> None:
    """Follow a campaign on the terminal, until it stops or Ctrl-C is pressed.

    \b
    steelyard campaign watch radar.db
    """
    if not sys.stdout.isatty():
        message = "watch draws on a terminal, and this is none. Use: steelyard campaign status"
        raise click.UsageError(message)
    if not every > 0:
        message = f"{every!r} seconds; expected a time above 0."
        raise click.BadParameter(message, param_hint="--every")
    campaign = opened_campaign(ledger, name)
    click.echo(HIDE, nl=False)
    try:
        while True:
            status = campaign.status()
            size = shutil.get_terminal_size((80, 24))
            click.echo(f"{HOME}{frame(status, size.columns, size.lines)}")
            if status.stop is not None:
                break
            time.sleep(every)
    except KeyboardInterrupt:
        click.echo("stopped watching; the campaign goes on")
    finally:
        click.echo(SHOW, nl=False)


def frame(status: "CampaignStatus", width: int, height: int) -> str:
    """Lay the status out with its path, for a terminal of this size."""
    from steelyard.display.sketches import path_text
    from steelyard.display.text import clean_text, wrap_sentence

    wide = min(width, 100)
    parts = [wrap_sentence(clean_text(status.sentence()), wide)]
    for place, condition in enumerate(status.conditions):
        if condition.is_cap:
            continue
        known = [
            (float(point.items), value)
            for point in status.points
            if place < len(point.values) and (value := point.values[place]) is not None
        ]
        if known:
            bounds = [] if condition.bound is None else [condition.bound]
            stopped = None if status.stop is None else float(status.stop.items)
            rows = max(6, min(TALLEST, height - 12))
            drawn = path_text(known, bounds=bounds, stopped=stopped, width=wide, height=rows)
            head = wrap_sentence(f"{condition.condition}: {condition.means}", wide)
            parts.append(f"{head}\n{drawn}")
            break
    parts.append(status.tables()[0].text(wide))
    return "\n\n".join(parts)
