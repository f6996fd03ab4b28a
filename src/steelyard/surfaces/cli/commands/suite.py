"""``steelyard suite`` and the commands below it that make and check files."""

from pathlib import Path
from shlex import quote

import click

from steelyard.surfaces.cli.commands.suite_runs import RUN_COMMANDS
from steelyard.surfaces.cli.terminal_output import say

__all__ = ["command"]

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
        _wrapped(f"note: {doubt}", indent="  ")


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
    _wrapped(f"note: {VALID_NOTE}", indent="  ")


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
        _wrapped(f"note: {', '.join(left)} hold no images.", indent="  ")
    _wrapped(f"note: {VALID_NOTE}", indent="  ")


def _tell_suite(suite: object) -> None:
    from steelyard.display.text import clean_text
    from steelyard.suites import Suite

    if not isinstance(suite, Suite):
        raise TypeError(suite)
    say(f"{suite.id}@{suite.version}: {clean_text(suite.title) or 'no title'}.")
    for problem in suite.read_problems():
        sizes = f"{len(problem.train()):,} to learn from, {len(problem.test()):,} to classify"
        say(f"  {problem.id}: {len(problem.classes)} classes, {problem.unit}s, {sizes}")


def _wrapped(text: str, *, indent: str) -> None:
    from steelyard.display.text import clean_text, wrap_sentence

    say(wrap_sentence(clean_text(text), indent=indent))


for _name, _made in RUN_COMMANDS.items():
    command.add_command(_made, _name)
