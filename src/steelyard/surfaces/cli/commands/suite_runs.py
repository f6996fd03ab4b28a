"""The commands below ``steelyard suite`` that build, run and show."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from steelyard.surfaces.cli.interrupting import INTERRUPTED
from steelyard.surfaces.cli.options import GroupedCommand, grouped_option, result_options
from steelyard.surfaces.cli.showing import announce_written, draw_result, print_result, unwritable
from steelyard.surfaces.cli.terminal_output import say

if TYPE_CHECKING:
    from steelyard.results import Result
    from steelyard.suites.harness.cells import Cell

__all__ = ["RUN_COMMANDS"]

FOLDER = click.Path(path_type=Path, file_okay=False)
THERE = click.Path(path_type=Path, file_okay=False, exists=True)
BUILT = ("ground", "shift", "recognition", "demo")
MEGABYTE = 1 << 20

Wrapped = Callable[..., Any]


def _asked(function: Wrapped) -> Wrapped:
    """Add the options about which run, and how sure."""
    for option in (
        grouped_option(
            "--chart",
            group="Output",
            type=click.Path(path_type=Path),
            help="Save the usual picture.",
        ),
        grouped_option(
            "--seed", "rng", group="Numbers", type=int, default=0, help="Seed of simulations."
        ),
        grouped_option(
            "--alpha", group="Numbers", type=float, default=0.05, help="Error rate. [default: 0.05]"
        ),
        grouped_option(
            "--level", group="Numbers", type=float, default=0.95, help="Coverage. [default: 0.95]"
        ),
        grouped_option(
            "--runs",
            group="Run",
            type=FOLDER,
            help="Where runs are kept. [default: FOLDER/runs]",
        ),
    ):
        function = option(function)
    return result_options(function)


@click.command(
    "build", cls=GroupedCommand, short_help="Build a suite of real data from installed packages."
)
@click.argument("name", type=click.Choice(BUILT))
@click.argument("folder", type=FOLDER, required=False)
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
@click.argument("folder", type=THERE)
@grouped_option(
    "--algorithm",
    "algorithms",
    group="Run",
    multiple=True,
    metavar="NAME[=KIND:WHAT]",
    help="A built-in one, or meastex:, json:, sklearn:, python: or file: and what. "
    "[default: those of the suite]",
)
@grouped_option("--name", group="Run", default="latest", help="Name of this run. [default: latest]")
@grouped_option(
    "--workers", group="Run", type=int, default=1, help="Cells at the same time. [default: 1]"
)
@grouped_option(
    "--timeout", group="Run", type=float, default=120.0, help="Seconds for a cell. [default: 120]"
)
@grouped_option(
    "--memory", group="Run", type=int, default=2048, help="Megabytes for a cell. [default: 2048]"
)
@grouped_option(
    "--retry-failed", "again", group="Run", is_flag=True, help="Run cells that failed once more."
)
@_asked
def run(
    folder: Path,
    algorithms: tuple[str, ...],
    memory: int,
    chart: Path | None,
    *,
    as_json: bool,
    as_csv: bool,
    raw_csv: bool,
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
        _stopped()
    _print(board, chart, as_json=as_json, as_csv=as_csv, raw_csv=raw_csv)


@click.command(
    "leaderboard", cls=GroupedCommand, short_help="Who leads in a run that was finished before?"
)
@click.argument("folder", type=THERE)
@click.option("--name", default="latest", help="Name of the run. [default: latest]")
@_asked
def leaderboard(folder: Path, chart: Path | None, **given: Any) -> None:  # noqa: ANN401
    """Who leads in a run that was finished before?

    Nothing is run: the kept vectors are scored again.

    \b
    steelyard suite leaderboard ground
    steelyard suite leaderboard ground --chart ground.svg
    """
    from steelyard import journey

    shown = _taken(given)
    _print(journey.leaderboard(folder, **given), chart, **shown)


@click.command(
    "score", cls=GroupedCommand, short_help="What did each algorithm score on each problem?"
)
@click.argument("folder", type=THERE)
@click.option("--name", default="latest", help="Name of the run. [default: latest]")
@_asked
def score(folder: Path, chart: Path | None, **given: Any) -> None:  # noqa: ANN401
    """What did each algorithm score on each problem?

    The L2 score of MeasTex with its interval, winner-take-all, Brier and log score, time.

    \b
    steelyard suite score ground
    """
    from steelyard import journey

    shown = _taken(given)
    board = journey.leaderboard(folder, **given)
    if any(shown.values()):
        _print(board, chart, **shown)
        return
    click.echo(board.score_table().text(80))


@click.command(
    "report", cls=GroupedCommand, short_help="One HTML file with the leaderboard and its pictures."
)
@click.argument("folder", type=THERE)
@click.option("--runs", type=FOLDER, help="Where runs are kept. [default: FOLDER/runs]")
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
    announce_written(target)


@click.command(
    "show", cls=GroupedCommand, short_help="One algorithm on one problem, with its logs."
)
@click.argument("folder", type=THERE)
@click.argument("algorithm")
@click.argument("problem")
@click.option("--runs", type=FOLDER, help="Where runs are kept. [default: FOLDER/runs]")
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
@click.argument("folder", type=THERE)
@click.argument("old")
@click.argument("new")
@_asked
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

    shown = _taken(given)
    _print(compare_suite_runs(folder, old, new, **given), chart, **shown)


@click.command(
    "demo", cls=GroupedCommand, short_help="Build and run a small suite of real textures."
)
@click.option("--workers", type=int, default=2, help="Cells at the same time. [default: 2]")
@click.option("--keep", type=FOLDER, help="Keep the suite and its run in this folder.")
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
            _stopped()
    print_result(board, **shown)
    if not any(shown.values()):
        click.echo(
            "\nOn your own data: steelyard suite new mysuite.  All of it: steelyard suite build "
            "ground"
        )


def _taken(given: dict[str, Any]) -> dict[str, bool]:
    return {name: given.pop(name) for name in ("as_json", "as_csv", "raw_csv")}


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


def _stopped() -> None:
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
