"""``steelyard gate``."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from steelyard.surfaces.cli.options import read_events, verb_command
from steelyard.surfaces.cli.running import gather_data, refuse_both, settle_arguments
from steelyard.surfaces.cli.showing import (
    Observer,
    announce_file,
    print_result,
    unwritable,
    working,
)
from steelyard.surfaces.cli.terminal_output import say

if TYPE_CHECKING:
    from steelyard.results.gate import Gate

__all__ = ["command"]


@verb_command("gate", short_help="May the candidate pass?")
@click.pass_context
def command(
    context: click.Context,
    /,
    baseline: str | None,
    junit: str | None,
    summary: str | None,
    *,
    as_json: bool,
    as_csv: bool,
    details: bool,
    verbose: bool,
    **given: Any,  # noqa: ANN401
) -> None:
    """May the candidate pass?

    Checks each requirement against the interval of the candidate's advantage over a baseline on
    common items, and each claim against the one-sided limit of its measure. Ends with 0 when all
    pass, 3 when one fails, 4 when more items are needed to know, 1 when the data were refused,
    2 when the request was wrong.

    \b
    steelyard gate candidate.csv --baseline main.csv --truth label --require "not worse by 0.01"
    steelyard gate scans.csv --claim "recall of ship at least 0.9" --positive ship
    steelyard gate scans.csv --claim "false alarms at most 2 per hour" --exposure hours
    steelyard gate --correct 355 --tested 376 --claim "accuracy at least 0.9"
    steelyard gate new.eval --baseline main.eval --scorer match --require better
    steelyard gate all.csv --candidate cnn --baseline svm --truth label --require "same within 1%"

    Settings come from the command line, from steelyard.toml beside the baseline, or from a file
    named with --settings; never from a folder that holds the candidate.
    """
    from steelyard.journey import gate
    from steelyard.surfaces.report.gate_files import gate_junit, gate_markdown

    for name, path in (("--junit", junit), ("--summary", summary)):
        if path is not None and not Path(path).parent.is_dir():
            message = f"There is no folder {str(Path(path).parent)!r}."
            raise click.BadParameter(message, param_hint=name)
    observer = Observer(verbose=verbose)
    counts = _take_typed(given)
    files: tuple[str, ...] = given.pop("files")
    engine, master = given.pop("engine"), given.pop("master")
    saved, beside, origins = _settings(given, files, baseline)
    arguments = settle_arguments(given, beside, saved)
    if counts is not None:
        from steelyard.journey.options import role_names

        refuse_both(files)
        data = counts
        arguments.pop("exposure", None)
        arguments = {name: one for name, one in arguments.items() if name not in role_names()}
    else:
        data = gather_data(files, engine=engine, master=master)
        arguments["observe"] = observer
    with working("checking the gate", observer):
        result = gate(data, baseline=baseline, **arguments)
    result = replace(result, origins=origins)
    for path, write in ((junit, gate_junit), (summary, gate_markdown)):
        if path is not None:
            _save(Path(path), write(result))
    print_result(result, as_json=as_json, as_csv=as_csv, details=details)
    _end(context, result)


def _take_typed(given: dict[str, Any]) -> object:
    """Take counts that were typed out of what was given: false alarms, or right answers."""
    from steelyard.counts import Trials

    false_alarms = given.pop("false_alarms")
    correct, tested = given.pop("correct"), given.pop("tested")
    if correct is None and tested is None:
        return None if false_alarms is None else read_events(false_alarms, given["exposure"])
    if None in (correct, tested) or false_alarms is not None or given["exposure"] is not None:
        message = "Give --correct 355 with --tested 376, or --false-alarms 3 with --exposure 12h."
        raise click.UsageError(message)
    right = correct if isinstance(correct, dict) else {"candidate": correct}
    return Trials(correct=right, tested=tested, pairing="independent")


def _baseline_files(baseline: str | None) -> list[str]:
    """List the file of the baseline; none where it is a system of the candidate's table."""
    return [baseline] if baseline is not None and Path(baseline).is_file() else []


def _settings(
    given: dict[str, Any], files: tuple[str, ...], baseline: str | None
) -> tuple[dict[str, Any], list[str], tuple[tuple[str, str], ...]]:
    """Read the settings, once, and say beside which file they lie, and of each where it is from.

    What is typed counts, or a file that the candidate cannot change: who hands in a candidate may
    put settings beside it, and those never decide how it is judged. A folder that holds both is
    the candidate's folder.
    """
    from steelyard.journey.options import spell
    from steelyard.journey.settings import FILE, read_settings, settings_beside

    named = given.get("settings")
    lies = _baseline_files(baseline)
    beside, passed_over = settings_beside(lies), settings_beside(files)
    if beside is None or (passed_over is not None and beside.samefile(passed_over)):
        lies = []
    saved = read_settings(named, lies)
    where = str(named) if named is not None else f"{FILE} beside the baseline"
    typed = {name for name, value in given.items() if value not in (None, (), False)}
    words = {spell("gate", name)[2:].replace("-", "_") for name in typed}
    told = [(name, "typed") for name in sorted(words - {"settings", "require", "claim"})]
    told += [(name, where) for name in sorted(saved) if name in given and name not in typed]
    if named is None and passed_over is not None:
        unused = f"not used; name it: --settings {passed_over}"
        told.append((f"{FILE} beside the candidate", unused))
        say(f"{FILE} beside the candidate: {unused}", err=True)
    return saved, lies, tuple(told)


def _end(context: click.Context, result: "Gate") -> None:
    context.exit(result.exit_code)


def _save(target: Path, text: str) -> None:
    from steelyard.display.saving import write_whole

    try:
        write_whole(target, text.encode())
    except OSError as error:
        raise unwritable(target, error) from None
    announce_file(target)
