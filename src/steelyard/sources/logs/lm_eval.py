"""lm-evaluation-harness: ``samples_*.jsonl``, with the ``results_*.json`` beside them."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable, printable
from steelyard.sources.logs.json_text import read_json, read_lines
from steelyard.sources.logs.log_format import (
    Head,
    Log,
    LogFormat,
    LogRow,
    as_number,
    as_text,
    plain_facts,
)

__all__ = ["FORMATS"]

SAMPLES = re.compile(r"^samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl(\.gz)?$")


def _tells_samples(head: Head) -> bool:
    return {"doc_id", "doc"} <= head.keys and bool(
        head.keys & {"resps", "filtered_resps", "arguments", "target"}
    )


def _tells_results(head: Head) -> bool:
    return {"results", "configs"} <= head.keys and bool(head.keys & {"versions", "n-shot"})


def _read_samples(path: Path, name: str) -> Log:
    match = SAMPLES.match(name)
    task = match["task"] if match else name.partition(".")[0].removeprefix("samples_")
    system, said = _system(path, match["date"] if match else None)
    try:
        rows = [_row(sample, system, task) for sample in read_lines(path, name)]
    except (KeyError, TypeError, AttributeError) as error:
        found = f"a sample has no field {printable(error)}, or one of another kind."
        fix = "Expected samples of lm-evaluation-harness (written with --log_samples)."
        raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log") from error
    return Log(rows=rows, notes=(said,))


def _system(path: Path, date: str | None) -> tuple[str, str]:
    """Take the model's name from the results of the same run, else from the folder."""
    beside = path.with_name(f"results_{date}.json")
    if date is not None and beside.is_file():
        results = read_json(beside, beside.name)
        named = results.get("model_name") if isinstance(results, dict) else None
        if named:
            return str(named), f"system {printable(named)}, named in {beside.name}"
    folder = path.resolve().parent.name
    return folder, f"system {printable(folder)}, after the folder"


def _row(sample: Mapping[str, Any], system: str, task: str) -> LogRow:
    doc = sample["doc"]
    judges = sample.get("metrics") or _judges(sample)
    values = {
        judge: number for judge in judges if (number := as_number(sample.get(judge))) is not None
    }
    return LogRow(
        item=str(sample.get("doc_hash") or f"doc {as_text(sample['doc_id'])}"),
        system=system,
        task=task,
        filter=str(sample.get("filter", "none")),
        values=values,
        error=None if values else "no metric of this sample is a number",
        facts=plain_facts(doc),
    )


KNOWN = frozenset(
    "doc_id doc target arguments resps filtered_resps filter "
    "doc_hash prompt_hash target_hash".split()
)


def _judges(sample: Mapping[str, Any]) -> list[str]:
    """Find the metrics of older files, which do not list them."""
    return [name for name in sample if name not in KNOWN]


def _read_results(path: Path, name: str) -> Log:
    results = read_json(path, name)
    beside = sorted(path.parent.glob("samples_*.jsonl*"))
    notes = (f"{printable(name)} holds totals only; the rows are in samples_*.jsonl beside it",)
    if not beside:
        found = "these are the totals of lm-evaluation-harness, with no row per item."
        fix = "Run it with --log_samples and name the samples_*.jsonl files too."
        raise FileUnreadable.for_file(name, found, fix=fix, code="totals-only")
    return Log(rows=(), notes=notes, caveats=tuple(_limits(results)))


def _limits(results: Mapping[str, Any]) -> Iterator[str]:
    for task, sizes in (results.get("n-samples") or {}).items():
        if sizes.get("effective") != sizes.get("original"):
            yield (
                f"{printable(task)}: {sizes.get('effective')} of {sizes.get('original')} items "
                "were run; --limit takes the first, not a random sample"
            )


FORMATS = (
    LogFormat(
        name="lm-evaluation-harness",
        tells=_tells_samples,
        read=_read_samples,
        item="doc_hash",
        repeats="none: a row per filter, of which one is chosen",
        traps="doubled filters, mislabelled doc_id, several metrics, --limit",
    ),
    LogFormat(
        name="lm-evaluation-harness totals",
        tells=_tells_results,
        read=_read_results,
        item="none, totals only",
        repeats="none",
        traps="totals without samples, --limit",
    ),
)
