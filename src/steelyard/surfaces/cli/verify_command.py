"""``steelyard verify``."""

from pathlib import Path
from typing import Any

import click

from steelyard.surfaces.cli.running import gather_files
from steelyard.surfaces.cli.showing import Observer, working

__all__ = ["command"]

MOST_SHOWN = 5


@click.command("verify", short_help="Does a report follow from its data?")
@click.argument("report", metavar="REPORT", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("-v", "--verbose", is_flag=True, help="Show plan, SQL and timings on stderr.")
def command(report: Path, files: tuple[str, ...], *, verbose: bool) -> None:
    """Does a report follow from its data?

    Finds every number of an HTML report again from the data, with the arguments that the report
    keeps, and compares: counts must be equal, other numbers agree to 1e-9. Ends with 0 when they
    do, and with 1, naming the first difference, when they do not.

    \b
    steelyard verify report.html predictions.csv
    """
    from steelyard.journey.reporting import differences, report_content
    from steelyard.surfaces.report import report_html, saved_content

    text = _read(report)
    saved = saved_content(text, name=report.name)
    observer = Observer(verbose=verbose)
    with working("finding the numbers again", observer):
        content = report_content(gather_files(files), **saved["arguments"], observe=observer)
        heading = {"title": saved.get("title"), "command": saved.get("command", "")}
        written = report_html(content, **heading)
    fresh = saved_content(written)
    parts = [name for name in fresh if name not in {"title", "command", "versions"}]
    found = [one for name in parts for one in differences(saved.get(name), fresh[name], name)]
    if not found:
        found = _page_differences(text, saved, written, fresh)
    if found:
        click.echo(f"The report does not follow from the data: {found[0]}.")
        if len(found) > 1:
            shown = "\n".join(f"  {one}" for one in found[1:MOST_SHOWN])
            click.echo(f"{len(found)} differences in all, among them:\n{shown}")
        raise SystemExit(1)
    click.echo(_agreed(text, written, saved, fresh))


def _read(report: Path) -> str:
    from steelyard.errors import FileUnreadable

    try:
        return report.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8"
        fix = "Name an HTML file that steelyard report has written."
        raise FileUnreadable.for_file(report.name, f"{why}.", fix=fix, code="no-file") from None


def _inputs(saved: dict[str, Any]) -> list[tuple[Any, Any]]:
    inputs = saved["evaluation"]["provenance"]["inputs"]
    return [(one["name"], one["sha256"]) for one in inputs]


def _page_differences(
    text: str, saved: dict[str, Any], written: str, fresh: dict[str, Any]
) -> list[str]:
    """Compare the words of the page too, where the same versions would write the same words."""
    from steelyard.surfaces.report import without_pictures

    if saved.get("versions") != fresh["versions"] or _inputs(saved) != _inputs(fresh):
        return []
    pairs = zip(
        without_pictures(text).splitlines(), without_pictures(written).splitlines(), strict=False
    )
    for number, (one, other) in enumerate(pairs, 1):
        if one != other:
            return [f"the data inside agree, but line {number} of the page was changed"]
    same = len(without_pictures(text)) == len(without_pictures(written))
    return [] if same else ["the data inside agree, but the end of the page was changed"]


def _agreed(text: str, written: str, saved: dict[str, Any], fresh: dict[str, Any]) -> str:
    said = "The report follows from the data"
    if text == written:
        return f"{said}, to the last byte."
    hashes = [[digest for _, digest in _inputs(one)] for one in (saved, fresh)]
    if hashes[0] != hashes[1]:
        return f"{said}: every number agrees, though the bytes of the data are not the same."
    if saved.get("versions") != fresh["versions"]:
        return f"{said}: every number agrees; it was written by other versions, so words may not."
    return f"{said}: every number agrees; names or pictures differ from those drawn here."
