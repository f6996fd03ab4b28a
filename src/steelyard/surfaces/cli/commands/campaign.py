"""``steelyard campaign``."""

import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from steelyard.surfaces.cli.commands.campaign_options import (
    chart_option,
    ledger_options,
    name_costs,
    open_campaign,
)
from steelyard.surfaces.cli.options import (
    GroupedCommand,
    group_option,
    name_priors,
    result_options,
    several,
    verb_options,
    with_classes,
)
from steelyard.surfaces.cli.running import gather_files, settle_arguments
from steelyard.surfaces.cli.showing import (
    Observer,
    announce_file,
    draw_result,
    print_result,
    unwritable,
    working,
)
from steelyard.surfaces.cli.terminal_output import hand_over, say

if TYPE_CHECKING:
    from steelyard.results.campaign.data import CampaignStatus

__all__ = [
    "add",
    "close",
    "command",
    "export",
    "frame",
    "history",
    "new",
    "next_test",
    "report",
    "simulate",
    "status",
    "verify",
    "watch",
]

# --- commands that read a campaign: status, next, history, simulate, export and verify -----------


@click.command("status", cls=GroupedCommand, short_help="Go on or stop, and why?")
@ledger_options
@chart_option
@result_options
def status(ledger: str, name: str | None, chart: Path | None, **shown: Any) -> None:  # noqa: ANN401
    """Go on or stop, and why?

    \b
    steelyard campaign status radar.db
    """
    found = open_campaign(ledger, name).status()
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
    print_result(open_campaign(ledger, name).next(), **shown)


@click.command("history", cls=GroupedCommand, short_help="Every entry of the ledger.")
@ledger_options
@result_options
def history(ledger: str, name: str | None, **shown: Any) -> None:  # noqa: ANN401
    """List every entry of the ledger in its order.

    \b
    steelyard campaign history radar.db
    """
    print_result(open_campaign(ledger, name).history(), **shown)


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
    campaign = open_campaign(ledger, name)
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

    text = open_campaign(ledger, name).export()
    if output is None:
        hand_over(text)
        return
    path = Path(output)
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise unwritable(path, error) from None
    announce_file(path)


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
    check = open_campaign(ledger, name).verify(head=head)
    print_result(check, **shown)
    if check.bad is not None:
        sys.exit(1)


# --- commands that write to a campaign: new, add and close ---------------------------------------


@click.command("new", cls=GroupedCommand, short_help="Freeze a protocol and start a campaign.")
@click.argument("ledger", metavar="LEDGER")
@group_option(
    "--name",
    group="Protocol",
    metavar="NAME",
    help="Name of the campaign. [default: that of the file]",
)
@group_option(
    "--systems",
    group="Protocol",
    multiple=True,
    required=True,
    callback=several,
    metavar="NAMES",
    help="Systems to compare.",
)
@group_option(
    "--stop",
    group="Protocol",
    required=True,
    metavar="RULE",
    help='Such as "evidence >= 20 or n >= 1000".',
)
@group_option(
    "--pairing",
    group="Protocol",
    type=click.Choice(["common", "independent"]),
    default="common",
    help="Do all systems see the same items? [default: common]",
)
@group_option(
    "--step",
    group="Protocol",
    type=int,
    help="Items between looks. [default: 1, or 10 for 3 or more]",
)
@group_option("--budget", group="Cost", type=float, help="The most that all results may cost.")
@group_option(
    "--cost",
    "costs",
    group="Cost",
    callback=name_costs,
    metavar="cnn=0.5,svm=2",
    help="Cost of one result, for each system or for all. [default: 1]",
)
@group_option(
    "--prior",
    group="Numbers",
    callback=name_priors,
    metavar="cnn=9:1",
    help="Right:wrong believed beforehand, for independent items. [default: 1:1]",
)
@group_option(
    "--order",
    group="Protocol",
    type=click.Choice(["random", "given"]),
    default="random",
    help="Order in which the items of a batch count. [default: random]",
)
@group_option(
    "--seed",
    group="Numbers",
    type=int,
    default=0,
    help="Seed of order and simulations. [default: 0]",
)
@group_option(
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
    and how many items it takes. Among equal systems "evidence >= 20" names a winner in at most
    5 % of campaigns, however often you look; "best >= 0.95" does in most of them.

    \b
    steelyard campaign new radar.db --systems cnn,svm --stop "evidence >= 20 or n >= 1000"
    steelyard campaign new radar.db --systems a,b,c,d --stop "racing or n >= 2000"
    """
    from steelyard.journey import Campaign

    shown = {key: given.pop(key) for key in ("as_json", "as_csv", "raw_csv", "details")}
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
@group_option(
    "--key", group="Batch", metavar="KEY", help="Key of this batch. [default: hash of its content]"
)
@group_option(
    "--repeated",
    group="Batch",
    type=click.Choice(["error", "skip"]),
    default="error",
    help="Results that are there already. [default: error]",
)
@group_option(
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
    steelyard campaign add radar.db corrected.csv --correct
    """
    shown = {one: given.pop(one) for one in ("as_json", "as_csv", "raw_csv", "details")}
    observer = Observer(verbose=given.pop("verbose"))
    files: tuple[str, ...] = given.pop("files")
    arguments = settle_arguments(given, files)
    arguments.pop("level", None)
    data = gather_files(files)
    campaign = open_campaign(ledger, name)
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
    campaign = open_campaign(ledger, name)
    if system is None:
        print_result(campaign.close(reason=reason), **shown)
    else:
        print_result(campaign.drop(system, reason=reason), **shown)


# --- ``steelyard campaign report``: a campaign as one file to mail -------------------------------


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

    campaign = open_campaign(ledger, name)
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
    announce_file(target)


# --- ``steelyard campaign watch``: a campaign that is followed on the terminal -------------------


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
        message = "watch draws on a terminal, and this is not one. Use: steelyard campaign status"
        raise click.UsageError(message)
    if not every > 0:
        message = f"{every!r} seconds; expected a time above 0."
        raise click.BadParameter(message, param_hint="--every")
    campaign = open_campaign(ledger, name)
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


# --- ``steelyard campaign`` ----------------------------------------------------------------------


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
