"""``steelyard demo``."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from steelyard.results import Result

__all__ = ["DEMOS", "Demo", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """One story on one shipped file: what is asked, and the arguments that ask it."""

    file: str
    about: str
    verb: str
    arguments: dict[str, Any]

    def keywords(self) -> dict[str, Any]:
        """Give the arguments as Python takes them."""
        return {
            name.replace("-", "_"): value.split(",") if name in LISTED else value
            for name, value in self.arguments.items()
        }

    def write_command(self) -> str:
        """Write the command a user would type."""
        options = [
            f"--{name}" if value is True else f"--{name} {value}"
            for name, value in self.arguments.items()
        ]
        lines = [f"steelyard {self.verb} {self.file}"]
        for option in options:
            if len(lines[-1]) + len(option) > WIDEST:
                lines[-1] += " \\"
                lines.append("   ")
            lines[-1] += f" {option}"
        return "\n".join(lines)


DEMOS = {
    "digits": Demo(
        file="digits_labels.csv",
        about="899 handwritten digits, called by 6 systems",
        verb="compare",
        arguments={"truth": "truth"},
    ),
    "cancer": Demo(
        file="wdbc_scores.csv",
        about="285 breast tumours, scored by 6 systems (1 = malignant)",
        verb="compare",
        arguments={"truth": "truth", "positive": "1"},
    ),
    "letters": Demo(
        file="letter_labels.csv",
        about="2,000 letters A to Z, called by 6 systems",
        verb="compare",
        arguments={"truth": "truth"},
    ),
    "credit": Demo(
        file="german_credit_scores.csv",
        about="500 credit applicants, scored by 5 systems (1 = bad risk)",
        verb="evaluate",
        arguments={"truth": "truth", "positive": "1"},
    ),
    "cells": Demo(
        file="cells_scores.csv",
        about="1,010 cell images, scored by 5 systems (1 = badly segmented)",
        verb="evaluate",
        arguments={"truth": "truth", "positive": "1"},
    ),
    "folds": Demo(
        file="cells_cv10.csv",
        about="2,019 cell images, scored by 2 systems in 10 folds",
        verb="evaluate",
        arguments={"truth": "truth", "positive": "1"},
    ),
    "diamonds": Demo(
        file="diamonds_ordinal_labels.csv",
        about="2,000 diamonds in 5 ordered grades, called by 4 systems",
        verb="evaluate",
        arguments={"truth": "truth"},
    ),
    "species": Demo(
        file="species_presence_scores.csv",
        about="6 tree species on 386 plots, scored by 3 systems",
        verb="evaluate",
        arguments={"truth": "OBSERVED", "positive": "1", "group": "SPECIES"},
    ),
    "speech": Demo(
        file="speech_errors.csv",
        about="240 utterances, word errors of 2 recognisers",
        verb="compare",
        arguments={
            "errors": "conformer.errors,hybrid.errors",
            "per": "words",
            "cluster": "speaker",
        },
    ),
    "grades": Demo(
        file="judge_grades.csv",
        about="200 answers of 2 language models, graded 1 to 5 by a judge",
        verb="compare",
        arguments={"value": "alpha,beta", "range": "1,5"},
    ),
    "datasets": Demo(
        file="dataset_results.csv",
        about="error rates of 5 algorithms on 24 data sets",
        verb="compare",
        arguments={"layout": "datasets", "lower-is-better": True},
    ),
    "radar": Demo(
        file="radar_scans.csv",
        about="1,200 made-up scans of 40 watches, called by 2 detectors",
        verb="evaluate",
        arguments={"truth": "truth", "positive": "ship", "exposure": "hours", "cluster": "watch"},
    ),
    "vectors": Demo(
        file="digits_scores_logreg.csv",
        about="899 digits with a probability for each class",
        verb="evaluate",
        arguments={"truth": "truth", "vector": "logreg=p{class}"},
    ),
}
WIDEST = 66
LISTED = ("errors", "value")
"""Arguments that name several columns."""
TOUR = ("digits", "cancer", "letters")
REPORTED = "cancer"
"""Scores have the most to show: curves, thresholds and a slider."""


@click.command("demo", short_help="Run the main job on real data that ships inside.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--list", "listed", is_flag=True, help="List the data that ship inside.")
@click.option(
    "--copy",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Copy the data files into a folder, to try commands on.",
)
@click.option(
    "--report",
    "report",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write a report of the tour's scores, or of NAME, as HTML.",
)
def command(
    names: tuple[str, ...], folder: Path | None, report: Path | None, *, listed: bool
) -> None:
    """Run the main job on real data that ships inside.

    \b
    steelyard demo                   the tour: digits, cancer, letters
    steelyard demo --list            what else is there
    steelyard demo species           one of them
    steelyard demo --copy data/      the files, to try commands on
    steelyard demo --report demo.html     the tour, and a report worth mailing
    """
    unknown = [name for name in names if name not in DEMOS]
    if unknown:
        message = f"No demo {unknown[0]!r}. There are: {', '.join(DEMOS)}."
        raise click.UsageError(message)
    if listed:
        _list()
    elif folder is not None:
        _copy(folder)
    else:
        _tour(names or TOUR, whole=bool(names))
        if report is not None:
            _write_report(DEMOS[names[0] if names else REPORTED], report)


def _data(name: str) -> Path:
    return Path(str(files("steelyard") / "data" / name))


def _list() -> None:
    for name, demo in DEMOS.items():
        click.echo(f"{name:9} {demo.about}")
        click.echo(f"{'':9} $ " + demo.write_command().replace("\n", f"\n{'':12}"))
    click.echo("\nRun one: steelyard demo species.  Copy the files: steelyard demo --copy data/")


def _copy(folder: Path) -> None:
    import shutil

    source = _data("")
    copied = [path.relative_to(source) for path in sorted(source.rglob("*")) if path.is_file()]
    folder.mkdir(parents=True, exist_ok=True)
    for name in copied:
        target = folder / name
        if target.exists():
            message = f"{target} is there already; nothing was overwritten."
            raise click.UsageError(message)
    for name in copied:
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        shutil.copyfile(source / name, folder / name)
    here = folder == Path()
    click.echo(f"{len(copied)} files copied {'here' if here else f'to {folder}'}. Try:")
    if not here:
        click.echo(f"  cd {folder}")
    click.echo(f"  {DEMOS['digits'].write_command()}")


def _tour(names: tuple[str, ...], *, whole: bool) -> None:
    for step, name in enumerate(names, 1):
        demo = DEMOS[name]
        result = _answer(demo)
        heading = f"Step {step} of {len(names)}: {demo.about}."
        click.echo(click.style(heading, bold=True))
        click.echo(f"$ {demo.write_command()}\n")
        click.echo(result.text(width=80) if whole else _short(result))
        click.echo("")
    click.echo(
        "Each answer starts with the sentence; below it stand the systems, their chance\n"
        "of being the best, and the ranks that the test leaves open. The commands above\n"
        "show every pair, interval and test as well."
    )
    click.echo(
        "\nOn your own file: a row per item, a column with the truth, a column per system.\n"
        "  steelyard compare predictions.csv --truth label\n"
        "  steelyard evaluate scores.csv --truth label --positive ship\n"
        "More data: steelyard demo --list.  All options: steelyard compare --help"
    )


def _answer(demo: Demo) -> "Result":
    from steelyard import journey

    verbs: dict[str, Callable[..., Result]] = {
        "compare": journey.compare,
        "evaluate": journey.evaluate,
    }
    if sys.stderr.isatty():
        click.echo(f"reading {demo.file} ...", err=True, nl=False)
    result = verbs[demo.verb](_data(demo.file), **demo.keywords())
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", err=True, nl=False)
    return result


def _write_report(demo: Demo, target: Path) -> None:
    from steelyard.display.saving import write_whole
    from steelyard.journey.reporting import report_content
    from steelyard.surfaces.cli.commands.report import write_command
    from steelyard.surfaces.cli.showing import Observer, unwritable, working
    from steelyard.surfaces.report import report_html

    with working("writing the report", Observer(verbose=False)):
        content = report_content(_data(demo.file), **demo.keywords())
        page = report_html(content, command=write_command([demo.file], demo.arguments))
    try:
        write_whole(target, page.encode())
    except OSError as error:
        raise unwritable(target, error) from None
    click.echo(
        f"\nA report to mail: {target} ({target.stat().st_size / 1000:,.0f} kB, one file, no "
        f"network).\nOpen it in a browser. For your file: "
        "steelyard report scores.csv -o report.html"
    )


def _short(result: "Result") -> str:
    """Show headline, sentence and the first table, enough to see what the answer looks like."""
    from steelyard.display.tables import wrap_sentence

    said = [wrap_sentence(one, 80) for one in (result.headline(), result.sentence()) if one]
    return "\n\n".join([*said, result.tables()[0].text(80)])
