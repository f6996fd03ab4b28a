"""Options that the commands of a campaign share."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from steelyard.surfaces.cli.options import chart_file, named_parts

if TYPE_CHECKING:
    from steelyard.journey.campaigns.campaign import Campaign

__all__ = ["ledger_options", "named_costs", "opened_campaign", "shown_options"]

Function = TypeVar("Function", bound=Callable[..., Any])


def ledger_options(function: Function) -> Function:
    """Take the ledger, and the name of the campaign where it holds several."""
    function = click.option("--name", metavar="NAME", help="Campaign, if there are several.")(
        function
    )
    return click.argument("ledger", metavar="LEDGER")(function)


def shown_options(function: Function) -> Function:
    """Say how to show the answer."""
    for option in (
        click.option("--raw-csv", is_flag=True, help="CSV without guarding cells like =cmd."),
        click.option("--csv", "as_csv", is_flag=True, help="Print tidy rows as CSV."),
        click.option("--json", "as_json", is_flag=True, help="Print the result as JSON."),
    ):
        function = option(function)
    return function


def chart_option(function: Function) -> Function:
    """Also draw the path."""
    return click.option(
        "--chart",
        callback=chart_file,
        metavar="FILE",
        help="Also draw the path: FILE.svg, .png, .pdf, .html or .json.",
    )(function)


def named_costs(
    context: click.Context, parameter: click.Parameter, given: str | None
) -> dict[str, float] | float | None:
    """Read ``cnn=0.5,svm=2`` or one number for all."""
    del context
    if given is None:
        return None
    try:
        if "=" not in given:
            return float(given)
        return {name: float(number) for name, number in named_parts(given, parameter).items()}
    except ValueError:
        message = f"{given!r} is not a list such as cnn=0.5,svm=2, nor one number."
        raise click.BadParameter(message, param=parameter) from None


def opened_campaign(ledger: str, name: str | None) -> "Campaign":
    """Open a campaign by the words of the command line."""
    from steelyard.journey import Campaign

    return Campaign.open(ledger, name)
