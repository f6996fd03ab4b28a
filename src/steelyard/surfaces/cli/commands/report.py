"""``steelyard report``."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import click

from steelyard.journey.options import spell
from steelyard.surfaces.cli.options import verb_command
from steelyard.surfaces.cli.running import ADDRESS, gather_data, settle_arguments, split_name
from steelyard.surfaces.cli.showing import Observer, announce_file, unwritable, working
from steelyard.surfaces.cli.terminal_output import hand_over

__all__ = ["command", "write_command"]


@verb_command("report", short_help="One file with the answer, its pictures and its sources.")
def command(
    output: str | None,
    title: str | None,
    form: str | None,
    *,
    verbose: bool,
    **given: Any,  # noqa: ANN401
) -> None:
    """One file with the answer, its pictures and its sources.

    Evaluates and compares; the file opens in any browser without a network, holds counts and no
    rows, and can be checked against the data with steelyard verify.

    \b
    steelyard report predictions.csv --truth label -o report.html
    steelyard report scores.csv --truth label --positive ship -o report.html
    steelyard report predictions.csv --truth label --format md -o -
    steelyard report predictions.csv --truth label -o report.pdf
    steelyard report results.csv --layout datasets --lower-is-better
    """
    from steelyard.journey.reporting import report_content
    from steelyard.surfaces.report import report_html, report_markdown, report_pdf

    ending = Path(str(output)).suffix.lower().removeprefix(".")
    chosen = form or (ending if ending in {"md", "pdf"} else "html")
    target = Path(output or f"report.{chosen}")
    if output != "-" and not target.parent.is_dir():
        message = f"There is no folder {str(target.parent)!r}."
        raise click.BadParameter(message, param_hint="--output")
    observer = Observer(verbose=verbose)
    files: tuple[str, ...] = given.pop("files")
    where = {name: given.pop(name) for name in ("engine", "master")}
    arguments = settle_arguments(given, files)
    data = gather_data(files, **where)
    typed = arguments | {name: value for name, value in where.items() if value is not None}
    with working("writing the report", observer):
        content = report_content(data, **arguments, observe=observer)
        said: dict[str, Any] = {"title": title, "command": write_command(files, typed)}
        markdown = chosen == "md"
        text = report_markdown(content, **said) if markdown else report_html(content, **said)
        written = report_pdf(text) if chosen == "pdf" else text.encode()
    if output == "-":
        if sys.stdout.isatty() and chosen != "pdf":
            hand_over(text)
        else:
            click.echo(written, nl=False)
        return
    _save(target, written)


def write_command(files: Sequence[str], arguments: Mapping[str, Any]) -> str:
    """Write the command without folders, with all that was settled from files of settings.

    Examples
    --------
    >>> write_command(["data/a.csv"], {"truth": "label", "systems": ("x", "y"), "rng": 3})
    'steelyard report a.csv --truth label --systems x,y --seed 3'
    >>> write_command(["postgresql://me:secret@host/lab?table=runs"], {})
    "steelyard report 'postgresql://host/lab?table=runs'"
    """
    words = ["steelyard", "report", *map(_without_folder, files)]
    for name, value in arguments.items():
        flag = spell("report", name)
        if name == "vector" and not isinstance(value, str):
            words += [word for one in value for word in (flag, str(one))]
        elif name == "prior":
            words += [flag, _write_prior(value)]
        elif isinstance(value, bool):
            words += [flag] * value
        elif isinstance(value, list | tuple):
            words += [flag, ",".join(map(str, value))]
        else:
            words += [flag, str(value)]
    return shlex.join(words)


def _write_prior(value: Any) -> str:  # noqa: ANN401
    if isinstance(value, Mapping):
        return ",".join(f"{system}={_write_prior(one)}" for system, one in value.items())
    return ":".join(f"{part:g}" for part in value)


def _without_folder(file: str) -> str:
    name, mark, path = split_name(file)
    shown = _without_secrets(path) if ADDRESS.match(path) else Path(path).name or path
    return f"{name}{mark}{shown}"


def _without_secrets(address: str) -> str:
    """Keep of an address what says which rows are meant: no user, password, key or signature."""
    parts = urlsplit(address)
    rows = [one for one in parse_qsl(parts.query) if one[0] in {"table", "query"}]
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, urlencode(rows), ""))


def _save(target: Path, content: bytes) -> None:
    from steelyard.display.saving import write_whole

    try:
        write_whole(target, content)
    except OSError as error:
        raise unwritable(target, error) from None
    announce_file(target)
