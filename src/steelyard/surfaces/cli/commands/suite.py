"""``steelyard suite`` and the commands below it that make and check files."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from steelyard.surfaces.cli.interrupting import INTERRUPTED
from steelyard.surfaces.cli.options import GroupedCommand, group_option, result_options
from steelyard.surfaces.cli.showing import announce_file, draw_result, print_result, unwritable
from steelyard.surfaces.cli.terminal_output import say

if TYPE_CHECKING:
    from steelyard.results import Result
    from steelyard.suites.harness.cells import Cell

__all__ = ["RUN_COMMANDS", "command"]

# --- the commands below ``steelyard suite`` that build, run and show -----------------------------


SUITE_RUNS_FOLDER = click.Path(path_type=Path, file_okay=False)
SUITE_RUNS_THERE = click.Path(path_type=Path, file_okay=False, exists=True)
BUILT = ("ground", "shift", "recognition", "demo")
MEGABYTE = 1 << 20

Wrapped = Callable[..., Any]


def _ask(function: Wrapped) -> Wrapped:
    """Add the options about which run, and how sure."""
    for option in (
        group_option(
            "--chart",
            group="Output",
            type=click.Path(path_type=Path),
            help="Save the usual picture.",
        ),
        group_option(
            "--seed", "rng", group="Numbers", type=int, default=0, help="Seed of simulations."
        ),
        group_option(
            "--alpha", group="Numbers", type=float, default=0.05, help="Error rate. [default: 0.05]"
        ),
        group_option(
            "--level", group="Numbers", type=float, default=0.95, help="Coverage. [default: 0.95]"
        ),
        group_option(
            "--runs",
            group="Run",
            type=SUITE_RUNS_FOLDER,
            help="Where runs are kept. [default: FOLDER/runs]",
        ),
    ):
        function = option(function)
    return result_options(function)


@click.command(
    "build", cls=GroupedCommand, short_help="Build a suite of real data from installed packages."
)
@click.argument("name", type=click.Choice(BUILT))
@click.argument("folder", type=SUITE_RUNS_FOLDER, required=False)
def build(name: str, folder: Path | None) -> None:
    """Build a suite of real data from installed packages.

    ground and shift: textures of scikit-image. recognition: tables of scikit-learn.

    \b
    steelyard suite build ground
    steelyard suite run ground --workers 2
    """
    from steelyard.suites import SUITES

    target = folder or Path(name)
    if (target / "suite.toml").exists():
        message = f"{target} holds a suite already; nothing was overwritten."
        raise click.UsageError(message)
    suite = SUITES[name](target)
    say(f"{suite.id}@{suite.version} was built in {target}: {suite.title}.")
    say(f"  steelyard suite run {quote(str(target))}")


@click.command(
    "run", cls=GroupedCommand, short_help="Run algorithms on every problem, and say who leads."
)
@click.argument("folder", type=SUITE_RUNS_THERE)
@group_option(
    "--algorithm",
    "algorithms",
    group="Run",
    multiple=True,
    metavar="NAME[=KIND:WHAT]",
    help="A built-in one, or meastex:, json:, sklearn:, python: or file: and what. "
    "[default: those of the suite]",
)
@group_option("--name", group="Run", default="latest", help="Name of this run. [default: latest]")
@group_option(
    "--workers", group="Run", type=int, default=1, help="Cells at the same time. [default: 1]"
)
@group_option(
    "--timeout", group="Run", type=float, default=120.0, help="Seconds for a cell. [default: 120]"
)
@group_option(
    "--memory", group="Run", type=int, default=2048, help="Megabytes for a cell. [default: 2048]"
)
@group_option(
    "--retry-failed", "again", group="Run", is_flag=True, help="Run cells that failed once more."
)
@_ask
def run(
    folder: Path,
    algorithms: tuple[str, ...],
    memory: int,
    chart: Path | None,
    *,
    as_json: bool,
    as_csv: bool,
    raw_csv: bool,
    details: bool,
    **asked: Any,  # noqa: ANN401
) -> None:
    """Run algorithms on every problem, and say who leads.

    What was done before is not done again: after an interruption, type the same command. A
    failure is a row with its reason. Programs are limited and watched, but this is no sandbox
    for hostile code.

    \b
    steelyard suite run ground --workers 2
    steelyard suite run ground --algorithm lbp --algorithm mine=meastex:./myprogram
    steelyard suite run digits --algorithm nb=sklearn:sklearn.naive_bayes:GaussianNB
    """
    from steelyard.journey import run_suite

    try:
        board = run_suite(
            folder, list(algorithms), memory=memory * MEGABYTE, progress=_progress(), **asked
        )
    except KeyboardInterrupt:
        _stop()
    shown = {"as_json": as_json, "as_csv": as_csv, "raw_csv": raw_csv, "details": details}
    _print(board, chart, **shown)


@click.command(
    "leaderboard", cls=GroupedCommand, short_help="Who leads in a run that was finished before?"
)
@click.argument("folder", type=SUITE_RUNS_THERE)
@click.option("--name", default="latest", help="Name of the run. [default: latest]")
@_ask
def leaderboard(folder: Path, chart: Path | None, **given: Any) -> None:  # noqa: ANN401
    """Who leads in a run that was finished before?

    Nothing is run: the kept vectors are scored again.

    \b
    steelyard suite leaderboard ground
    steelyard suite leaderboard ground --chart ground.svg
    """
    from steelyard import journey

    shown = _take(given)
    _print(journey.leaderboard(folder, **given), chart, **shown)


@click.command(
    "score", cls=GroupedCommand, short_help="What did each algorithm score on each problem?"
)
@click.argument("folder", type=SUITE_RUNS_THERE)
@click.option("--name", default="latest", help="Name of the run. [default: latest]")
@_ask
def score(folder: Path, chart: Path | None, **given: Any) -> None:  # noqa: ANN401
    """What did each algorithm score on each problem?

    The L2 score of MeasTex with its interval, winner-take-all, Brier and log score, time.

    \b
    steelyard suite score ground
    """
    from steelyard import journey

    shown = _take(given)
    board = journey.leaderboard(folder, **given)
    if any(shown.values()):
        _print(board, chart, **shown)
        return
    click.echo(board.score_table().text(80))


@click.command(
    "report", cls=GroupedCommand, short_help="One HTML file with the leaderboard and its pictures."
)
@click.argument("folder", type=SUITE_RUNS_THERE)
@click.option("--runs", type=SUITE_RUNS_FOLDER, help="Where runs are kept. [default: FOLDER/runs]")
@click.option("--name", default="latest", help="Name of the run. [default: latest]")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write.")
def report(folder: Path, runs: Path | None, name: str, output: Path | None) -> None:
    """One HTML file with the leaderboard and its pictures.

    It opens in any browser without a network, and holds the JSON of the leaderboard.

    \b
    steelyard suite report ground -o ground.html
    """
    from steelyard import journey
    from steelyard.display.saving import write_whole
    from steelyard.surfaces.report import leaderboard_html

    board = journey.leaderboard(folder, runs=runs, name=name)
    target = output or Path(f"{board.suite}.html")
    try:
        write_whole(target, leaderboard_html(board, run=name).encode())
    except OSError as error:
        raise unwritable(target, error) from None
    announce_file(target)


@click.command(
    "show", cls=GroupedCommand, short_help="One algorithm on one problem, with its logs."
)
@click.argument("folder", type=SUITE_RUNS_THERE)
@click.argument("algorithm")
@click.argument("problem")
@click.option("--runs", type=SUITE_RUNS_FOLDER, help="Where runs are kept. [default: FOLDER/runs]")
@click.option("--name", default="latest", help="Name of the run. [default: latest]")
@result_options
def show(
    folder: Path,
    algorithm: str,
    problem: str,
    runs: Path | None,
    name: str,
    **shown: bool,
) -> None:
    """One algorithm on one problem, with its logs.

    \b
    steelyard suite show ground lbp three32
    """
    from steelyard.journey import show_cell

    print_result(show_cell(folder, algorithm, problem, runs=runs, name=name), **shown)


@click.command(
    "compare-runs",
    cls=GroupedCommand,
    short_help="Is a new version of an algorithm better than the old?",
)
@click.argument("folder", type=SUITE_RUNS_THERE)
@click.argument("old")
@click.argument("new")
@_ask
def compare_runs(
    folder: Path,
    old: str,
    new: str,
    chart: Path | None,
    **given: Any,  # noqa: ANN401
) -> None:
    """Is a new version of an algorithm better than the old?

    Compares the algorithms that changed between two named runs on the same items.

    \b
    steelyard suite run ground --algorithm mine=python:mine:classify --name before
    steelyard suite run ground --algorithm mine=python:mine:classify --name after
    steelyard suite compare-runs ground before after
    """
    from steelyard.journey import compare_suite_runs

    shown = _take(given)
    _print(compare_suite_runs(folder, old, new, **given), chart, **shown)


@click.command(
    "demo", cls=GroupedCommand, short_help="Build and run a small suite of real textures."
)
@click.option("--workers", type=int, default=2, help="Cells at the same time. [default: 2]")
@click.option("--keep", type=SUITE_RUNS_FOLDER, help="Keep the suite and its run in this folder.")
@result_options
def demo(workers: int, keep: Path | None, **shown: bool) -> None:
    """Build and run a small suite of real textures.

    \b
    steelyard suite demo
    """
    import tempfile

    from steelyard.journey import run_suite
    from steelyard.suites import SUITES, Suite

    with tempfile.TemporaryDirectory(prefix="steelyard-demo-") as made:
        folder = keep or Path(made) / "demo"
        there = (folder / "suite.toml").exists()
        suite = Suite.read(folder) if there else SUITES["demo"](folder)
        try:
            board = run_suite(suite, workers=workers, progress=_progress())
        except KeyboardInterrupt:
            _stop()
    print_result(board, **shown)
    if not any(shown.values()):
        click.echo(
            "\nOn your own data: steelyard suite new mysuite.  All of it: steelyard suite build "
            "ground"
        )


def _take(given: dict[str, Any]) -> dict[str, bool]:
    return {name: given.pop(name) for name in ("as_json", "as_csv", "raw_csv", "details")}


def _print(result: "Result", chart: Path | None, **shown: bool) -> None:
    if chart is not None:
        draw_result(result, chart)
    print_result(result, **shown)


def _progress() -> "Callable[[int, int, Cell | None], None] | None":
    """Show on a terminal how far the run is."""
    if not sys.stderr.isatty():
        return None

    def tell(done: int, total: int, cell: "Cell | None") -> None:
        last = "" if cell is None else f", {cell.algorithm} on {cell.problem} {cell.state}"
        end = "" if done < total else "\r\x1b[K"
        print(f"\r\x1b[K{done} of {total} cells{last}", end=end, file=sys.stderr, flush=True)

    return tell


def _stop() -> None:
    """End at once; programs that run below die with this process."""
    click.echo("\nsteelyard: stopped; finished cells are kept, the same command goes on.", err=True)
    os._exit(INTERRUPTED)


RUN_COMMANDS = {
    "build": build,
    "demo": demo,
    "run": run,
    "leaderboard": leaderboard,
    "score": score,
    "show": show,
    "compare-runs": compare_runs,
    "report": report,
}
"""The commands by name."""


# --- ``steelyard suite`` and the commands below it that make and check files ---------------------


FOLDER = click.Path(path_type=Path, file_okay=False)
THERE = click.Path(path_type=Path, file_okay=False, exists=True)


@click.group("suite", short_help="Many problems, many algorithms: run, score and rank them.")
def command() -> None:
    """Many problems, many algorithms: run, score and rank them.

    A suite is a folder of problems; an algorithm is any program, Python function, scikit-learn
    estimator or file of predictions. Start with: steelyard suite demo
    """


@command.command("new", short_help="Start a suite of your own.")
@click.argument("folder", type=FOLDER)
def new(folder: Path) -> None:
    """Start a suite of your own.

    Writes suite.toml and one small problem that runs at once, to be replaced by your own.

    \b
    steelyard suite new mysuite
    """
    from steelyard.suites import new_suite

    suite = new_suite(folder)
    say(f"{suite.id} was written to {folder} with the problem example. Next:")
    say(f"  steelyard suite check {quote(str(folder))}")


@command.command("check", short_help="Is a suite complete, and unchanged since it was sealed?")
@click.argument("folder", type=THERE)
@click.option(
    "--seal", "version", metavar="VERSION", help="Write the hashes of the content as this version."
)
def check(folder: Path, version: str | None) -> None:
    """Is a suite complete, and unchanged since it was sealed?

    Every fault is listed at once. Groups that have items on both sides are named: they flatter
    every algorithm.

    \b
    steelyard suite check mysuite
    steelyard suite check mysuite --seal 2
    """
    from dataclasses import replace

    from steelyard.suites import Suite, check_suite, seal_suite

    suite = Suite.read(folder)
    if version is not None:
        bare = tuple(replace(one, sha256="") for one in suite.problems)
        check_suite(replace(suite, problems=bare))
        suite = seal_suite(suite, version=version)
    doubts = check_suite(suite)
    _tell_suite(suite)
    for doubt in doubts:
        _wrap(f"note: {doubt}", indent="  ")


@command.command("import-meastex", short_help="Turn a folder of MeasTex files into a suite.")
@click.argument("source", type=THERE)
@click.argument("folder", type=FOLDER)
@click.option("--licence", default="", metavar="TEXT", help="Licence of the images.")
def import_files(source: Path, folder: Path, licence: str) -> None:
    """Turn a folder of MeasTex files into a suite.

    Reads every .Test file of a folder with its .Valid file and images.

    \b
    steelyard suite import-meastex imgs/Grass grass --licence "CC0"
    """
    from steelyard.suites import VALID_NOTE, import_meastex

    _tell_suite(import_meastex(source, folder, licence=licence))
    _wrap(f"note: {VALID_NOTE}", indent="  ")


@command.command("export-meastex", short_help="Write a suite as MeasTex files.")
@click.argument("folder", type=THERE)
@click.argument("target", type=FOLDER)
def export_files(folder: Path, target: Path) -> None:
    """Write a suite as MeasTex files.

    \b
    steelyard suite export-meastex ground imgs/ground
    """
    from steelyard.suites import VALID_NOTE, Suite, export_meastex

    suite = Suite.read(folder)
    left = export_meastex(suite, target)
    written = len(suite.problems) - len(left)
    say(f"{written} of {len(suite.problems)} problems were written to {target}.")
    if left:
        _wrap(f"note: {', '.join(left)} hold no images.", indent="  ")
    _wrap(f"note: {VALID_NOTE}", indent="  ")


def _tell_suite(suite: object) -> None:
    from steelyard.display.text import clean_text
    from steelyard.suites import Suite

    if not isinstance(suite, Suite):
        raise TypeError(suite)
    say(f"{suite.id}@{suite.version}: {clean_text(suite.title) or 'no title'}.")
    for problem in suite.read_problems():
        sizes = f"{len(problem.train()):,} to learn from, {len(problem.test()):,} to classify"
        say(f"  {problem.id}: {len(problem.classes)} classes, {problem.unit}s, {sizes}")


def _wrap(text: str, *, indent: str) -> None:
    from steelyard.display.text import clean_text, wrap_sentence

    say(wrap_sentence(clean_text(text), indent=indent))


for _name, _made in RUN_COMMANDS.items():
    command.add_command(_made, _name)
