"""Results on standard output, everything else on standard error."""

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from steelyard.surfaces.cli.terminal_output import hand_over, json_out, paint, say

if TYPE_CHECKING:
    from steelyard.engines import Statement
    from steelyard.results import Result

__all__ = [
    "Observer",
    "announce_file",
    "draw_result",
    "print_paragraphs",
    "print_result",
    "sketch_of",
    "unwritable",
    "working",
]

# --- a small picture under an answer, where a terminal is there to show it -----------------------


MOST_ROWS = 12
NARROWEST = 60


def sketch_of(result: "Result", *, width: int) -> str | None:
    """Draw what can be drawn with letters; None for a pipe, a dumb terminal or other results."""
    draw = SKETCHES.get(result.kind)
    if draw is None or width < NARROWEST or not _drawable():
        return None
    return draw(result, width)


def _drawable() -> bool:
    """Tell whether somebody looks, and whether blocks and dots reach them."""
    if not sys.stdout.isatty() or os.environ.get("TERM", "") in {"", "dumb"}:
        return False
    try:
        "▁⠉".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def _posteriors(result: Any, width: int) -> str | None:  # noqa: ANN401
    from steelyard.display.sketches import density_sketch
    from steelyard.journey.comparison.posterior_curves import posterior_densities
    from steelyard.results.comparison.words import rank_systems

    found = posterior_densities(result)
    if not found:
        return None
    order = [one.system for one in rank_systems(result) if one.system in found]
    shown = {name: found[name] for name in order[:MOST_ROWS]} if len(found) > MOST_ROWS else found
    cut = f", the first {len(shown)} of {len(found)} systems" if len(shown) < len(found) else ""
    return f"Where the rates lie (posterior{cut})\n{density_sketch(shown, width=width)}"


def _roc(result: Any, width: int) -> str | None:  # noqa: ANN401
    from steelyard.display.sketches import curve_sketch

    del width
    rates = [
        (1 - one.specificity, one.recall)
        for one in result.sweep
        if one.recall is not None and one.specificity is not None
    ]
    if len(rates) < 2:
        return None
    ends = sorted([(0.0, 0.0), *rates, (1.0, 1.0)])
    drawn = curve_sketch(([x for x, _ in ends], [y for _, y in ends]))
    return f"ROC curve: detection rate over false-alarm rate\n{drawn}"


SKETCHES: dict[str, Callable[["Result", int], str | None]] = {
    "comparison": _posteriors,
    "threshold": _roc,
}


# --- results on standard output, everything else on standard error -------------------------------


WIDEST = 100


def print_result(
    result: "Result",
    *,
    as_json: bool,
    as_csv: bool,
    raw_csv: bool = False,
    details: bool = False,
) -> None:
    """Print a result the way it was asked for; its small print is short unless all is wanted."""
    if as_json:
        click.echo(json_out(result.to_json()))
    elif as_csv or raw_csv:
        hand_over(result.to_csv(raw=raw_csv))
    else:
        from steelyard.display.text import wrap_sentence
        from steelyard.surfaces.report.first_lines import first_caveats, first_lines

        columns = shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80
        width = min(columns, WIDEST)
        for line in first_lines(result):
            click.echo(wrap_sentence(line, width=width, indent="  "))
        click.echo(paint(result.text(width=width, details=details, said=first_caveats(result))))
        sketch = sketch_of(result, width=width)
        if sketch is not None:
            click.echo(f"\n{sketch}")


def print_paragraphs(text: str) -> None:
    """Print a text under a result, its lines wrapped."""
    from steelyard.display.text import wrap_sentence

    lines = text.split("\n")
    wrapped = [wrap_sentence(one, indent="  " if one.startswith("* ") else "") for one in lines]
    click.echo("\n" + "\n".join(wrapped))


def draw_result(result: "Result", path: Path, kind: str | None = None) -> None:
    """Save the usual picture of a result, or the one that was named."""
    chart = result.chart(kind=kind)
    if chart is None:
        message = f"There is no picture of a {result.kind}. Leave --chart out."
        raise click.UsageError(message)
    try:
        announce_file(chart.save(path))
    except OSError as error:
        raise unwritable(path, error) from None


def unwritable(path: Path, error: OSError) -> click.ClickException:
    """Say why a file could not be written."""
    return click.ClickException(f"{path} could not be written ({error.strerror or error}).")


def announce_file(path: Path) -> None:
    """Say on standard error what was written."""
    say(f"wrote {path} ({path.stat().st_size:,d} bytes)", err=True)


class Observer:
    """Shows the plan, each SQL statement and its time on standard error, when asked to be verbose.

    ``reading`` says how far the rows have been read, and is empty when that is not known.
    """

    def __init__(self, *, verbose: bool) -> None:
        self.verbose = verbose
        self.reading = ""
        self._began: float | None = None
        self.seconds = 0.0
        self.statements = 0

    def __call__(self, statement: "Statement") -> None:
        """Note one statement."""
        self.seconds += statement.seconds
        self.statements += 1
        if self.verbose:
            say(f"sql {statement.seconds * 1e3:8.1f} ms  {statement.sql}", err=True)

    def plan(self, told: str) -> None:
        """Show how rows will be counted, before it is done."""
        self._began = time.perf_counter()
        if self.verbose:
            say(f"plan {told}", err=True)

    def tell(self, how_far: str) -> None:
        """Note how far other work is, in words."""
        self.reading = how_far

    def progress(self, done: int, rows: int) -> None:
        """Note how many rows have been read, how fast, and how long the rest will take."""
        spent = time.perf_counter() - (self._began or time.perf_counter())
        if done >= rows or spent <= 0:
            self.reading = ""
            return
        rate = done / spent
        self.reading = (
            f"{done / rows:.0%} of {rows:,d} rows, {rate / 1e6:.1f} million a second, "
            f"{(rows - done) / rate:.0f} s left"
        )

    def finish(self, started: float) -> None:
        """Show the totals."""
        if self.verbose:
            whole = time.perf_counter() - started
            click.echo(
                f"{self.statements} statements in {self.seconds:.2f} s, {whole:.2f} s in all",
                err=True,
            )


# A console of Windows takes no control sequences unless a program has asked it to.
ERASE = f"\r{' ' * 79}\r" if os.name == "nt" else "\r\x1b[K"


@contextmanager
def working(what: str, observer: Observer) -> Iterator[None]:
    """Show on a terminal that long work goes on; quick work shows nothing."""
    started = time.perf_counter()
    if not sys.stderr.isatty():
        yield
        observer.finish(started)
        return
    done = threading.Event()

    def tell() -> None:
        if done.wait(0.7):
            return
        while not done.wait(0.2):
            spent = time.perf_counter() - started
            told = f"; {observer.reading}" if observer.reading else ""
            line = f"{ERASE}{what} ... {spent:.1f} s{told}"
            print(line, end="", file=sys.stderr, flush=True)
        print(ERASE, end="", file=sys.stderr, flush=True)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
    observer.finish(started)
