"""``steelyard campaign``."""

from typing import Any

import click

from steelyard.surfaces.cli.commands.campaign_reading import (
    export,
    history,
    next_test,
    simulate,
    status,
    verify,
)
from steelyard.surfaces.cli.commands.campaign_recording import add, close, new
from steelyard.surfaces.cli.commands.campaign_report import report
from steelyard.surfaces.cli.commands.campaign_watching import watch

__all__ = ["command"]


class InOrder(click.Group):
    """A group whose commands are listed in the order of a campaign."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands as they were added."""
        del ctx
        return list(self.commands)


@click.group("campaign", cls=InOrder, short_help="May I stop testing now?")
def command(**nothing: Any) -> None:  # noqa: ANN401
    """May I stop testing now?

    A campaign keeps its results in a ledger, takes them batch by batch, and says go on or stop by
    a rule that was frozen before the first result.

    \b
    steelyard campaign new radar.db --systems cnn,svm --stop "evidence >= 20 or n >= 1000"
    steelyard campaign add radar.db batch.csv
    steelyard campaign status radar.db
    """
    del nothing


for one in (new, simulate, add, status, watch, next_test, history, report, close, export, verify):
    command.add_command(one)
