"""Options that the commands of a campaign share."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from steelyard.surfaces.cli.options import chart_file, group_option, name_parts

if TYPE_CHECKING:
    from steelyard.journey.campaigns.campaign import Campaign

__all__ = ["chart_option", "ledger_options", "name_costs", "open_campaign"]

Function = TypeVar("Function", bound=Callable[..., Any])


def ledger_options(function: Function) -> Function:
    """Take the ledger, and the name of the campaign where it holds several."""
    function = click.option("--name", metavar="NAME", help="Campaign, if there are several.")(
        function
    )
    return click.argument("ledger", metavar="LEDGER")(function)


def chart_option(function: Function) -> Function:
    """Also draw the path."""
    return group_option(
        "--chart",
        group="Output",
        callback=chart_file,
        metavar="FILE",
        help="Also draw the path: FILE.svg, .png, .pdf, .html or .json.",
    )(function)


def name_costs(
    context: click.Context, parameter: click.Parameter, given: str | None
) -> dict[str, float] | float | None:
    """Read ``cnn=0.5,svm=2`` or one number for all."""
    del context
    if given is None:
        return None
    try:
        if "=" not in given:
            return float(given)
        return {name: float(number) for name, number in name_parts(given, parameter).items()}
    except ValueError:
        message = f"{given!r} is not a list such as cnn=0.5,svm=2, nor one number."
        raise click.BadParameter(message, param=parameter) from None


def open_campaign(ledger: str, name: str | None) -> "Campaign":
    """Open a campaign by the words of the command line."""
    from steelyard.journey import Campaign

    return Campaign.open(ledger, name)
