"""Every format of evaluation logs that is known, and how a file is told to be one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from steelyard.errors import FileUnreadable, SteelyardError, listing, printable
from steelyard.plugins import PATIENCE, Plugin, load_all, try_call
from steelyard.sources.files.formats import read_head
from steelyard.sources.logs import (
    battles,
    deepeval,
    every_eval_ever,
    helm,
    inspect_logs,
    kaggle,
    lighteval,
    lm_eval,
    openai_evals,
    openml,
    promptfoo,
    sclite,
    split_tables,
    swe_bench,
)
from steelyard.sources.logs.log_format import Head, Log, LogFormat
from steelyard.sources.logs.plain import confusions, id_maps, totals, verdict_rows

__all__ = ["FORMATS", "LogFile", "detect_log", "detect_logs"]

FORMATS: tuple[LogFormat, ...] = (
    *inspect_logs.FORMATS,
    *lm_eval.FORMATS,
    *promptfoo.FORMATS,
    *swe_bench.FORMATS,
    *every_eval_ever.FORMATS,
    *helm.FORMATS,
    *deepeval.FORMATS,
    *split_tables.FORMATS,
    *openai_evals.FORMATS,
    *openml.FORMATS,
    *lighteval.FORMATS,
    *kaggle.FORMATS,
    *battles.FORMATS,
    *confusions.FORMATS,
    *totals.FORMATS,
    *id_maps.FORMATS,
    *sclite.FORMATS,
    *verdict_rows.FORMATS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFile:
    """A file that was told to be a log, and the system it was named for."""

    path: Path
    name: str
    format: LogFormat
    system: str | None = None


def detect_logs(
    paths: Sequence[tuple[str | None, Path]], *, plain: bool = True
) -> list[LogFile] | None:
    """Tell logs by their content; None when no file is one, a refusal when only some are.

    Formats of plain rows are asked only where ``plain``: nobody said what a column holds.
    """
    together: Sequence[LogFormat | None] | None = _tell_together([path for _, path in paths])
    formats = together or [detect_log(path, plain=plain) for _, path in paths]
    if not any(formats):
        return None
    found = [(s, p, format_) for (s, p), format_ in zip(paths, formats, strict=True)]
    others = [path.name for _, path, format_ in found if format_ is None]
    if others:
        known = next((path.name, f.name) for _, path, f in found if f is not None)
        reason = (
            f"{listing(others)} is not an evaluation log, and {printable(known[0])} is "
            f"({known[1]})."
        )
        fix = "Pass logs, or tables, not both at once."
        raise FileUnreadable.for_file(others[0], reason, fix=fix, code="mixed-logs")
    return [
        LogFile(path=path.resolve(), name=path.name, format=format_, system=system)
        for system, path, format_ in found
        if format_ is not None
    ]


def _tell_together(paths: Sequence[Path]) -> list[LogFormat] | None:
    if len(paths) < 2 or not all(path.suffix.lower() == ".csv" for path in paths):
        return None
    return kaggle.tell_together(paths) if all(path.is_file() for path in paths) else None


def detect_log(path: Path, *, plain: bool = True) -> LogFormat | None:
    """Tell the format of a log by its first bytes; None when it is none."""
    if not path.is_file():  # standard input and pipes can be read only once
        return None
    start, _, _ = read_head(path)
    head = Head(path=path, name=path.name, start=start)
    asked = (one for one in (*FORMATS, *_of_plugins()) if plain or not one.plain)
    return next((one for one in asked if one.tells(head)), None)


def _of_plugins() -> Iterator[LogFormat]:
    """Give the formats that other packages know, none of which can break the reading of a file."""
    for one, plugin in load_all("logs", LogFormat):
        yield replace(one, tells=_guard_head(one), read=_answer_for(one, plugin))


def _guard_head(format_: LogFormat) -> Callable[[Head], bool]:
    def tells(head: Head) -> bool:
        told, error = try_call(format_.tells, head, patience=PATIENCE)
        return error is None and bool(told)

    return tells


def _answer_for(format_: LogFormat, plugin: Plugin) -> Callable[[Path, str], Log]:
    def read(path: Path, name: str) -> Log:
        log, error = try_call(format_.read, path, name)
        if isinstance(error, SteelyardError):
            raise error
        if error is not None:
            raise plugin.say_failure_at(name, error) from error
        if isinstance(log, Log):
            return log
        raise plugin.say_failure_at(name, TypeError(f"it gave {type(log).__name__}, expected Log"))

    return read
