"""``steelyard verify``."""

from pathlib import Path
from typing import Any

import click

from steelyard.surfaces.cli.running import gather_files
from steelyard.surfaces.cli.showing import Observer, working
from steelyard.surfaces.cli.terminal_output import say

__all__ = ["command"]

MOST_SHOWN = 5


@click.command("verify", short_help="Does a report follow from its data?")
@click.argument("report", metavar="REPORT", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("-v", "--verbose", is_flag=True, help="Show plan, SQL and timings on stderr.")
def command(report: Path, files: tuple[str, ...], *, verbose: bool) -> None:
    """Does a report follow from its data?

    Recomputes every number of an HTML report from the data, with the arguments that the report
    keeps, and compares: counts must be equal, other numbers agree to 1e-9. Ends with 0 when they
    do, and with 1, naming the first difference, when they do not. The report of a campaign is
    recomputed from its ledger as it was then; that of a suite from the stored answers of its run.

    \b
    steelyard verify report.html predictions.csv
    steelyard verify campaign.html radar.db
    steelyard verify ground.html ground
    """
    from steelyard.surfaces.report import save_content, write_again

    text = _read(report)
    saved = save_content(text, name=report.name)
    observer = Observer(verbose=verbose)
    with working("recomputing the numbers", observer):
        written, found = write_again(saved, files, gather_files, observe=observer)
    fresh = save_content(written)
    if not found:
        found = _page_differences(text, saved, written, fresh)
    if found:
        say(f"The report does not follow from the data: {found[0]}.")
        if len(found) > 1:
            shown = "\n".join(f"  {one}" for one in found[1:MOST_SHOWN])
            say(f"{len(found)} differences in all, among them:\n{shown}")
        raise SystemExit(1)
    say(_agree(text, written, saved, fresh))


def _read(report: Path) -> str:
    from steelyard.errors import FileUnreadable

    try:
        return report.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8"
        fix = "Name an HTML file that steelyard report has written."
        raise FileUnreadable.for_file(report.name, f"{why}.", fix=fix, code="no-file") from None


def _inputs(saved: dict[str, Any]) -> list[tuple[Any, Any]]:
    parts = ("evaluation", "comparison", "board", "status")
    kept = next(saved[name] for name in parts if saved.get(name))
    inputs = kept["provenance"]["inputs"]
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


def _agree(text: str, written: str, saved: dict[str, Any], fresh: dict[str, Any]) -> str:
    said = "The report follows from the data"
    if text == written:
        return f"{said}, to the last byte."
    hashes = [[digest for _, digest in _inputs(one)] for one in (saved, fresh)]
    if hashes[0] != hashes[1]:
        return f"{said}: every number agrees, though the bytes of the data are not the same."
    if saved.get("versions") != fresh["versions"]:
        return f"{said}: every number agrees; it was written by other versions, so words may not."
    return f"{said}: every number agrees; names or pictures differ from those drawn here."
