"""Commands that write to a campaign: new, add and close."""

from pathlib import Path
from typing import Any

import click

from steelyard.surfaces.cli.commands.campaign_options import (
    chart_option,
    ledger_options,
    named_costs,
    opened_campaign,
)
from steelyard.surfaces.cli.options import (
    GroupedCommand,
    grouped_option,
    named_priors,
    result_options,
    several,
    verb_options,
    with_classes,
)
from steelyard.surfaces.cli.running import gather_files, settled_arguments
from steelyard.surfaces.cli.showing import Observer, draw_result, print_result, working
from steelyard.surfaces.cli.terminal_output import say

__all__ = ["add", "close", "new"]


@click.command("new", cls=GroupedCommand, short_help="Freeze a protocol and start a campaign.")
@click.argument("ledger", metavar="LEDGER")
@grouped_option(
    "--name",
    group="Protocol",
    metavar="NAME",
    help="Name of the campaign. [default: that of the file]",
)
@grouped_option(
    "--systems",
    group="Protocol",
    multiple=True,
    required=True,
    callback=several,
    metavar="NAMES",
    help="Systems to compare.",
)
@grouped_option(
    "--stop",
    group="Protocol",
    required=True,
    metavar="RULE",
    help='Such as "evidence >= 20 or n >= 1000".',
)
@grouped_option(
    "--pairing",
    group="Protocol",
    type=click.Choice(["common", "independent"]),
    default="common",
    help="Do all systems see the same items? [default: common]",
)
@grouped_option(
    "--step",
    group="Protocol",
    type=int,
    help="Items between looks. [default: 1, or 10 for 3 or more]",
)
@grouped_option("--budget", group="Cost", type=float, help="The most that all results may cost.")
@grouped_option(
    "--cost",
    "costs",
    group="Cost",
    callback=named_costs,
    metavar="cnn=0.5,svm=2",
    help="Cost of one result, for each system or for all. [default: 1]",
)
@grouped_option(
    "--prior",
    group="Numbers",
    callback=named_priors,
    metavar="cnn=9:1",
    help="Right:wrong believed beforehand, for independent items. [default: 1:1]",
)
@grouped_option(
    "--order",
    group="Protocol",
    type=click.Choice(["random", "given"]),
    default="random",
    help="Order in which the items of a batch count. [default: random]",
)
@grouped_option(
    "--seed",
    group="Numbers",
    type=int,
    default=0,
    help="Seed of order and simulations. [default: 0]",
)
@grouped_option(
    "--simulated/--not-simulated",
    group="Output",
    default=True,
    help="Show what the rule really does. [default: simulated]",
)
@result_options
def new(
    ledger: str,
    name: str | None,
    *,
    simulated: bool,
    prior: Any,  # noqa: ANN401
    stop: str,
    seed: int,
    **given: Any,  # noqa: ANN401
) -> None:
    """Freeze a protocol and start a campaign.

    Shows what the rule really does before anything is tested: how often it names a wrong winner,
    and how many items it takes. "evidence >= 20" names one among equal systems in 5 % of campaigns
    at most, however often it is looked at; "best >= 0.95" does in most of them.

    \b
    steelyard campaign new radar.db --systems cnn,svm --stop "evidence >= 20 or n >= 1000"
    steelyard campaign new radar.db --systems a,b,c,d --stop "racing or n >= 2000"
    """
    from steelyard.journey import Campaign

    shown = {key: given.pop(key) for key in ("as_json", "as_csv", "raw_csv")}
    priors = dict.fromkeys(given["systems"], prior) if isinstance(prior, tuple) else prior
    campaign = Campaign.create(ledger, name, stop=stop, priors=priors, rng=seed, **given)
    told = f"started {campaign.name} in {ledger}, protocol {campaign.protocol.hash[:16]}"
    say(told, err=True)
    if not simulated:
        print_result(campaign.status(), **shown)
        return
    observer = Observer(verbose=False)
    with working("simulating", observer):
        result = campaign.simulate(campaigns=None, rng=seed, tell=observer.tell)
    print_result(result, **shown)


@click.command("add", cls=GroupedCommand, short_help="Record a batch of results.")
@ledger_options
@grouped_option(
    "--key", group="Batch", metavar="KEY", help="Key of this batch. [default: hash of its content]"
)
@grouped_option(
    "--repeated",
    group="Batch",
    type=click.Choice(["error", "skip"]),
    default="error",
    help="Results that are there already. [default: error]",
)
@grouped_option(
    "--correct", group="Batch", is_flag=True, help="The batch corrects results recorded before."
)
@chart_option
@result_options
@with_classes
def add(
    ledger: str,
    name: str | None,
    *,
    key: str | None,
    repeated: str,
    correct: bool,
    chart: Path | None,
    **given: Any,  # noqa: ANN401
) -> None:
    """Record a batch of results, and say go on or stop.

    Reads whatever compare reads; items need ids. The same batch sent twice counts once.

    \b
    steelyard campaign add radar.db monday.csv --truth label --item id
    steelyard campaign add radar.db all-so-far.csv --repeated skip
    steelyard campaign add radar.db mended.csv --correct
    """
    shown = {one: given.pop(one) for one in ("as_json", "as_csv", "raw_csv")}
    observer = Observer(verbose=given.pop("verbose"))
    files: tuple[str, ...] = given.pop("files")
    arguments = settled_arguments(given, files)
    arguments.pop("level", None)
    data = gather_files(files)
    campaign = opened_campaign(ledger, name)
    with working("recording", observer):
        if correct:
            status = campaign.correct(data, key=key, observe=observer, **arguments)
        else:
            choice: Any = repeated
            status = campaign.add(data, key=key, repeated=choice, observe=observer, **arguments)
    if chart is not None:
        draw_result(status, chart)
    print_result(status, **shown)


# What a batch holds is said as it is to every verb that reads rows.
add.params[2:2] = verb_options("campaign")


@click.command("close", cls=GroupedCommand, short_help="End a campaign, or let a system leave it.")
@ledger_options
@click.option("--reason", default="", metavar="TEXT", help="Why, for the history.")
@click.option("--system", metavar="SYSTEM", help="Only this system leaves; the others go on.")
@result_options
def close(ledger: str, name: str | None, reason: str, system: str | None, **shown: Any) -> None:  # noqa: ANN401
    """End a campaign now, decided or not; or let one system leave it.

    Results that come later are kept and marked, and change no decision.

    \b
    steelyard campaign close radar.db --reason "the rig broke"
    steelyard campaign close radar.db --system svm --reason "withdrawn by its maker"
    """
    campaign = opened_campaign(ledger, name)
    if system is None:
        print_result(campaign.close(reason=reason), **shown)
    else:
        print_result(campaign.drop(system, reason=reason), **shown)
