"""The entry: parses first, imports a command only when it is called."""

import gc
import io
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import click

from steelyard._version import __version__
from steelyard.surfaces.cli.contradictions import refuse_contradictions
from steelyard.surfaces.cli.interrupting import (
    INTERRUPTED,
    STOPPED,
    ends_promptly,
    leaves_at_once,
)
from steelyard.surfaces.cli.terminal_output import settle_streams

if TYPE_CHECKING:
    from steelyard.errors import SteelyardError

__all__ = ["COMMANDS", "main", "run", "steelyard"]

COMMANDS = {
    "evaluate": "How good is each system?",
    "compare": "Which system is better, and how sure is that?",
    "gate": "May the candidate pass?",
    "threshold": "Where do I set the threshold of a system?",
    "roc": "How does a system trade detections against false alarms?",
    "calibration": "Do probabilities mean what they say?",
    "targeting": "Whom do I contact first, and what does it bring?",
    "agreement": "How far do raters or systems agree?",
    "plan": "How many test items do I need?",
    "campaign": "May I stop testing now?",
    "report": "One file with the answer, its pictures and its sources.",
    "verify": "Does a report follow from its data?",
    "suite": "Many problems, many algorithms: run, score and rank them.",
    "serve": "The same answers on a page in your browser, on this machine only.",
    "mcp": "Offer these commands as tools to agents, over standard input.",
    "models": "Which fitted model describes the data best?",
    "catalogue": "Which measures are there, and what do they mean?",
    "demo": "Run the main job on real data that ships inside.",
}
"""Every command with its summary, so that ``--help`` needs no command's code."""

GROUPS = {
    "Ask about files of predictions": (
        "evaluate", "compare", "gate", "threshold", "roc", "calibration", "targeting", "agreement",
    ),
    "Plan and follow a test": ("plan", "campaign", "suite"),
    "Share, check, look": ("report", "verify", "serve", "mcp"),
    "More": ("models", "catalogue", "demo"),
}  # fmt: skip
"""The headings under which ``--help`` lists the commands."""
COMPLETES = "_STEELYARD_COMPLETE"
"""Where a shell says that it completes a line."""
RARELY = (200_000, 20, 100)
"""A command makes many objects once and drops few: looking for lost ones is put off."""


class LazyCommands(click.Group):
    """A group that knows its commands by name and loads one when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order of a first visit."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"steelyard.surfaces.cli.commands.{cmd_name}")
        command = module.command
        if not isinstance(command, click.Command):
            raise TypeError(cmd_name)
        return refuse_contradictions(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        widest = max(map(len, COMMANDS))
        for heading, names in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(widest), COMMANDS[name]) for name in names])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest the nearest command when there is none of that name."""
        name = args[0] if args else ""
        if name and name not in COMMANDS and not name.startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(name, COMMANDS, n=1)
            hint = f" Did you mean {near[0]}?" if near else f" Commands: {', '.join(COMMANDS)}."
            ctx.fail(f"No command {name!r}.{hint}")
        return super().resolve_command(ctx, args)


def _show_manual(context: click.Context, parameter: click.Parameter, asked: object) -> None:
    del parameter
    if asked:
        from steelyard.surfaces.cli.manual import write_manual

        click.echo(write_manual(steelyard), nl=False)
        context.exit()


@click.group(
    cls=LazyCommands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=(
        "Exit codes: 0 an answer, 1 the data were refused, 2 wrong usage; of gate also 3 it fails, "
        "4 it is undecided. "
        "Start with: steelyard demo"
    ),
)
@click.option(
    "--man",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_manual,
    help="Print the manual page: steelyard --man | man -l -",
)
@click.version_option(__version__, "-V", "--version", prog_name="steelyard")
def steelyard() -> None:
    """Steelyard weighs recognition systems against each other.

    From files of predictions, or from bare counts: how good is each system, which one is better,
    and how sure that is. Every command has its examples: steelyard compare --help.

    \b
    steelyard demo --copy .
    steelyard compare digits_labels.csv
    steelyard compare --correct S=190,T=194 --tested 200
    steelyard plan best --rates 0.90,0.88,0.86
    """  # noqa: D301 - the sign keeps lines apart


def main() -> None:
    """Run the command line and turn every refusal into words and an exit code."""
    from steelyard.errors import RequestError, SteelyardError, strip_control_characters

    settle_streams()
    try:
        with ends_promptly():
            gc.set_threshold(*RARELY)
            ended = steelyard.main(standalone_mode=False)
        sys.exit(ended)
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(file=shown)
        click.echo(_wrap(strip_control_characters(shown.getvalue())), nl=False, err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo(STOPPED, err=True)
        sys.exit(INTERRUPTED)
    except (SteelyardError, ImportError) as caught:
        from steelyard.surfaces.cli.next_command import keep_typed_names, next_command
        from steelyard.surfaces.cli.refusals import show_refusal

        refusal = _as_refusal(caught)
        message = f"steelyard: {keep_typed_names(str(refusal), sys.argv[1:])}"
        typed = next_command(str(refusal), refusal.code, sys.argv[1:])
        whole = bool({"-v", "--verbose"} & set(sys.argv))
        click.echo(show_refusal(message, typed, whole=whole), err=True)
        sys.exit(2 if isinstance(refusal, RequestError) else 1)
    except MemoryError as error:
        reason = str(error).partition(" for an array")[0] or "no more can be had"
        said = (
            f"steelyard: This takes more memory than there is ({reason}). Ask for less: fewer "
            "samples, rows or classes at once."
        )
        click.echo(_wrap(said), err=True)
        sys.exit(1)
    except BrokenPipeError:
        # The reader of our output has left; there is nobody to tell.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        # A folder that is not there or may not be written to, a full disk: not a fault of ours.
        said = strip_control_characters(f"steelyard: {_unreachable(error)}")
        click.echo(_wrap(said), err=True)
        sys.exit(1)


def run() -> None:
    """Run the command line as a process of its own."""
    if COMPLETES in os.environ:
        from steelyard.surfaces.cli.completing import complete_files

        complete_files()
    with leaves_at_once():
        main()


def _wrap(text: str) -> str:
    from steelyard.surfaces.cli.refusals import wrap_refusal

    return wrap_refusal(text)


def _as_refusal(error: Exception) -> "SteelyardError":
    """Name the extra that would bring a module that is not there; others are faults of ours."""
    from steelyard.errors import PARTS, ExtraMissing, SteelyardError

    if isinstance(error, SteelyardError):
        return error
    module = str(getattr(error, "name", None)).partition(".")[0]
    if module not in PARTS:
        raise error
    return ExtraMissing.for_module(" ".join(["steelyard", *sys.argv[1:2]]), module)


def _unreachable(error: OSError) -> str:
    place = "A file" if error.filename is None else str(error.filename)
    return (
        f"{place} cannot be read or written ({error.strerror or error}). Check that its folder is "
        "there, that you may write to it, and that the disk has room."
    )
