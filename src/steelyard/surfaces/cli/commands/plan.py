"""``steelyard plan``: a command for each question, and the older spelling."""

import shlex
import sys
from collections.abc import Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import click

from steelyard.journey.options import PLAN_QUESTIONS, Option, options_of
from steelyard.surfaces.cli.contradictions import refuse_contradictions
from steelyard.surfaces.cli.options import (
    HERE,
    GroupedCommand,
    table_option,
    with_classes,
    write_groups,
)
from steelyard.surfaces.cli.running import gather_files, settle_arguments
from steelyard.surfaces.cli.showing import Observer, draw_result, print_result, working
from steelyard.surfaces.cli.terminal_output import say

__all__ = ["command", "spell_now"]

TABLES = ("1", "2", "3", "4")
SUMMARIES = {**PLAN_QUESTIONS, "table": "A published table recomputed, as CSV."}
"""The commands, each with what it answers."""

TELLS: Mapping[str, str] = {
    "best": """Items to test until the posterior names the best system with this confidence.

    \b
    steelyard plan best --rates 0.90,0.88,0.86 --confidence 0.95
    steelyard plan best --rates S=0.90,T=0.88 --prior S=190:10,T=1:1
    steelyard plan best --rates cnn=0.90,svm=0.88 --discordance 0.06
    steelyard plan best --pilot pilot.csv --truth label --cost-per-sample 0.02
    steelyard plan best --rates 0.90,0.88 --cluster-size 20 --icc 0.1""",
    "ranking": """Items to test until the posterior gives the whole order this confidence.

    \b
    steelyard plan ranking --rates 0.90,0.88,0.86
    steelyard plan ranking --pilot pilot.csv --truth label --confidence 0.9""",
    "pair": """Items with which a test tells two systems (or every two) apart; with --margin, with
    which it shows that two are equivalent, or that the first is not inferior.

    \b
    steelyard plan pair --rates S=0.90,T=0.88 --discordance 0.06
    steelyard plan pair --rates 0.90,0.90 --margin 0.02
    steelyard plan pair --rates new=0.90,old=0.90 --margin 0.02 --claim not-inferior
    steelyard plan pair --pilot pilot.csv --truth label --power 0.9""",
    "width": """Items for an interval that is no wider: of one rate, or of the difference of two on
    common items.

    \b
    steelyard plan width --rates 0.90 --width 0.04
    steelyard plan width --rates 0.90,0.88 --width 0.04 --design paired""",
    "select": """Items with which the system of most right answers is the best one, whatever the
    rates are, when it leads by --delta; with --samples, which lead they resolve.

    \b
    steelyard plan select --among 5 --delta 0.05
    steelyard plan select --among 5 --samples 500""",
    "area": """Items to measure an area under a ROC curve, to tell it from a value, or to tell two
    areas apart.

    \b
    steelyard plan area --rates 0.80 --null 0.70 --prevalence 0.3
    steelyard plan area --rates 0.85,0.80 --correlation 0.6
    steelyard plan area --rates 0.90 --width 0.1
    steelyard plan area --pilot scores.csv --truth label --positive yes""",
    "kappa": """Items to measure the agreement of two raters, or to tell it from a value.

    \b
    steelyard plan kappa --rates 0.6 --null 0.4 --prevalence 0.3
    steelyard plan kappa --rates 0.7 --width 0.2""",
    "akaike": """Items until Akaike's criterion calls two rates different, in three designs.

    \b
    steelyard plan akaike --rates 0.95,0.97 --both 0.945""",
    "stop": """Items that stopping rules take, and the errors they make, beside the test of fixed
    size.

    \b
    steelyard plan stop --rates 0.90,0.84 --discordance 0.12 --every 5
    steelyard plan stop --rates 0.90,0.80,0.60""",
    "value": """Items for a number of each item (grades, latency, errors per word): for the mean of
    one system, or the difference of two, from a pilot or from a stated spread.

    \b
    steelyard plan value --pilot grades.csv --value alpha,beta
    steelyard plan value --pilot asr.csv --errors a.errors,b.errors --per words
    steelyard plan value --difference 0.2 --spread 1.1,1.2 --correlation 0.6
    steelyard plan value --spread 0.9 --width 0.1
    steelyard plan value --spread 1.2 --samples 500""",
    "accept": """Accept or reject: how many trials, and how many failures may be accepted, to
    show that a measure meets a limit.

    \b
    steelyard plan accept --claim "P_D at least 0.9" --rates 0.95
    steelyard plan accept --claim "accuracy at least 0.99"
    steelyard plan accept --claim "false alarms at most 2 per hour" --rates 0.5 --power 0.9""",
    "readers": """Readers and cases with which a study shows a difference of mean areas, for other
    readers and other cases; the parts of the variance come from a pilot.

    \b
    steelyard plan readers --pilot study.csv --reader reader --positive 1 --difference 0.05
    steelyard plan readers --pilot study.imrmc --difference 0.05 --readers 8
    steelyard plan readers --pilot study.imrmc --difference 0.05 --readers 8 --cases 200""",
    "more": """From the results so far: how many more items until every open pair is settled,
    and until the best is known.

    \b
    steelyard plan more predictions.csv --truth label
    steelyard plan more scores.csv --truth label --positive yes""",
}
"""What each question settles, with examples."""

TABLE_HELP = """Reproduce a table of He and Fu's paper, as CSV.

    \b
    steelyard plan table 3 > table3.csv"""

HELP = """How many test items do I need?

    Says how many items to test so that the best system, a ranking, a difference or an interval is
    settled, and what fewer items would reach.

    \b
    steelyard plan best --rates 0.90,0.88,0.86 --confidence 0.95
    steelyard plan pair --rates S=0.90,T=0.88 --discordance 0.06
    steelyard plan best --pilot pilot.csv --truth label
    steelyard plan more predictions.csv --truth label
    steelyard plan width --rates 0.9 --width 0.04
    steelyard plan table 3 > table3.csv

    The columns of a pilot are named as for steelyard compare: --truth, --item, --systems,
    --score and the like. The older spelling, steelyard plan --question pair, still works."""


class Plans(click.Group):
    """The questions as commands; where none is named, what was typed means what it always did.

    A command is made when it is called: the help of one need not wait for the others.
    """

    @cached_property
    def before(self) -> click.Command:
        """The command of before, which takes everything."""
        return refuse_contradictions(_before())

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the questions in their order."""
        del ctx
        return list(SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Make the command of a question."""
        del ctx
        if cmd_name not in SUMMARIES:
            return None
        return refuse_contradictions(
            _table_command() if cmd_name == "table" else _question_command(cmd_name)
        )

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401
    ) -> click.Context:
        """Parse a command below, or else the older spelling, and say how it is spelled now."""
        # A shell that completes a line asks for the questions.
        if extra.get("resilient_parsing") or (args and args[0] in SUMMARIES):
            return super().make_context(info_name, args, parent, **extra)
        _refuse_misspelled(args)
        if {"-h", "--help"} & set(args):
            return super().make_context(info_name, ["--help"], parent, **extra)
        typed = list(args)
        made = self.before.make_context(info_name, args, parent, **extra)
        say(f"hint: this is now spelled: {spell_now(self.before, made, typed)}", err=True)
        return made

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the questions, and what all of them take."""
        rows = options_of("plan", "cli").values()
        with formatter.section("Questions"):
            formatter.write_dl(list(SUMMARIES.items()))
        formatter.write_paragraph()
        formatter.write_text("Every question also takes:")
        write_groups([table_option(row) for row in rows if _common(row)], ctx, formatter)


def _common(row: Option) -> bool:
    """Tell what every question takes; it is listed once, in the help of them all."""
    return not row.role and not row.questions


def _refuse_misspelled(args: list[str]) -> None:
    """Tell a question that was meant from a file, which is named last."""
    from difflib import get_close_matches

    word = args[0] if args else ""
    near = get_close_matches(word, SUMMARIES, n=1)
    if near and not word.startswith("-") and not Path(word).exists():
        message = f"No question {word!r}. Did you mean: steelyard plan {near[0]}?"
        raise click.UsageError(message)
    if word.isalpha() and not Path(word).exists():  # files have a dot, a slash or a star
        message = f"No question {word!r}, nor a file. Questions: {', '.join(SUMMARIES)}."
        raise click.UsageError(message)


def spell_now(before: click.Command, context: click.Context, args: list[str]) -> str:
    """Spell a plan of before as its question is spelled now, without what that does not look at."""
    typed, _, order = before.make_parser(context).parse_args(list(args))
    # What was not typed is absent, or stands for itself: click has a mark for it.
    files = list(typed["files"]) if isinstance(typed.get("files"), tuple | list) else []
    if typed.get("published"):
        return f"steelyard plan table {typed['published']}"
    question = str(typed.get("question") or "best")
    if "more" in typed:
        question = "more"
        files = [one for one in (typed["more"],) if isinstance(one, str)] + files
    known = options_of("plan", "cli", question=question)
    words = ["steelyard", "plan", question, *files]
    for parameter in dict.fromkeys(order):
        name = str(parameter.name)
        if isinstance(parameter, click.Option) and name in known:
            values = typed[name] if parameter.multiple else [typed[name]]
            for value in values:
                words += [parameter.opts[-1], *([value] if isinstance(value, str) else [])]
    return shlex.join(words)


def _answer(question: str | None, /, **given: Any) -> None:  # noqa: ANN401
    """Settle what was typed, call the journey, show what it says."""
    from steelyard.journey import plan

    shown = {name: given.pop(name) for name in ("as_json", "as_csv", "raw_csv", "details")}
    observer = Observer(verbose=given.pop("verbose"))
    chart, kind = given.pop("chart"), given.pop("picture")
    rates = given.pop("rates", None)
    files = given.pop("files", ())
    source = "more" if question == "more" else None
    for name in ("pilot", "more"):
        named = given.pop(name, None)
        if named is not None and source is not None:
            message = "Give --pilot or --more, not both."
            raise click.UsageError(message)
        if named is not None:
            source, files = name, (*((named,) if named != HERE else ()), *files)
    arguments = _settle(given, files)
    if question not in (None, "more"):
        arguments["question"] = question
    if files and source is None:
        message = (
            "What is the file for? Type --pilot (take rates from it) or --more (continue from it)."
        )
        raise click.UsageError(message)
    if source is not None:
        arguments |= {source: gather_files(files), "observe": observer}
    with working("planning", observer):
        result = plan(rates, **arguments)
    if chart is not None:
        draw_result(result, chart, kind)
    print_result(result, **shown)


def _settle(given: dict[str, Any], files: tuple[str, ...]) -> dict[str, Any]:
    """Settle what was typed with what the settings file says; a level means the confidence."""
    from steelyard.journey.options import role_names

    arguments = settle_arguments({"settings": None, **given}, files)
    level = arguments.pop("level", None)
    if level is not None:
        arguments.setdefault("confidence", level)
    if not files:  # rates have no columns, and what is said about them in passing says nothing
        arguments = {name: one for name, one in arguments.items() if name not in role_names()}
    return arguments


def _answer_before(published: str | None, **given: Any) -> None:  # noqa: ANN401
    if published is not None:
        _print_table(published)
    else:
        _answer(None, **given)


def _print_table(number: str) -> None:
    """Write one of the paper's tables, row by row as they are found."""
    from steelyard.display.interchange import csv_text
    from steelyard.planning.posterior.best import compute_published_table

    for place, row in enumerate(compute_published_table(int(number))):
        text = csv_text(list(row), [list(row.values())])
        lines = text.splitlines(keepends=True)
        sys.stdout.write(text if place == 0 else lines[1])


def _question_command(question: str) -> GroupedCommand:
    """Make the command of a question; what all of them take is not listed again."""
    rows = options_of("plan", "cli", question=question).values()
    reads = question == "more" or any(row.kind == "rows" for row in rows)
    params: list[click.Parameter] = []
    if reads:
        params.append(click.Argument(["files"], nargs=-1, metavar="[FILE]..."))
    params += [
        table_option(row, hidden=row.role or _common(row)) for row in rows if reads or not row.role
    ]
    also = "Also takes what steelyard plan --help lists for every question"
    read = ", and what steelyard compare --help lists under Data and Roles." if reads else "."
    return GroupedCommand(
        question,
        callback=with_classes(partial(_answer, question)) if reads else partial(_answer, question),
        params=params,
        help="\n".join(line.strip() for line in TELLS[question].splitlines()),
        short_help=PLAN_QUESTIONS[question],
        epilog=also + read,
    )


def _before() -> GroupedCommand:
    """Make the command of before, which takes everything."""
    table = click.Option(["--table", "published"], type=click.Choice(TABLES))
    rows = options_of("plan", "cli").values()
    files = click.Argument(["files"], nargs=-1, metavar="FILE...")
    params: list[click.Parameter] = [files, *map(table_option, rows), table]
    return GroupedCommand("plan", callback=with_classes(_answer_before), params=params)


def _table_command() -> GroupedCommand:
    return GroupedCommand(
        "table",
        callback=_print_table,
        params=[click.Argument(["number"], type=click.Choice(TABLES))],
        help="\n".join(line.strip() for line in TABLE_HELP.splitlines()),
        short_help=SUMMARIES["table"],
    )


command = Plans(
    "plan",
    help="\n".join(line.strip() for line in HELP.splitlines()),
    short_help="How many test items do I need?",
)
