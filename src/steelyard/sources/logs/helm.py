"""HELM: ``per_instance_stats.json``, with the ``run_spec.json`` beside it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable, counted, printable
from steelyard.sources.logs.json_text import read_json
from steelyard.sources.logs.log_format import Head, Log, LogFormat, LogRow, as_number, as_text

__all__ = ["FORMATS"]

BESIDE = "run_spec.json"


def _tells_stats(head: Head) -> bool:
    return head.is_array and {"instance_id", "stats"} <= head.keys


def _tells_spec(head: Head) -> bool:
    return {"adapter_spec", "scenario_spec"} <= head.keys


def _read_stats(path: Path, name: str) -> Log:
    system, task, said = _about(path)
    try:
        found = read_json(path, name)
        plain = [one for one in found if not _perturb(one)]
        rows = [_row(one, system, task) for one in plain]
    except (KeyError, TypeError, AttributeError) as error:
        reason = f"an instance lacks a field or holds one of another kind ({printable(error)})."
        fix = "Expected per_instance_stats.json as HELM writes it."
        raise FileUnreadable.for_file(name, reason, fix=fix, code="not-a-log") from error
    notes = [said]
    if len(plain) < len(found):
        left = counted(len(found) - len(plain), "row")
        notes.append(f"{left} of perturbed inputs left out: they are the same items again")
    return Log(rows=rows, notes=tuple(notes))


def _about(path: Path) -> tuple[str, str, str]:
    """Take model and scenario from the specification of the run, else from the folder."""
    beside = path.with_name(BESIDE)
    folder = path.resolve().parent.name
    if not beside.is_file():
        return folder, "", f"system {printable(folder)}, after the folder"
    spec = read_json(beside, BESIDE)
    adapter = spec.get("adapter_spec") or {}
    model = str(adapter.get("model") or folder)
    return model, _scenario(spec), f"system {printable(model)}, named in {BESIDE}"


def _scenario(spec: Mapping[str, Any]) -> str:
    """Name the scenario without the model, so that runs of two models share their task."""
    scenario = spec.get("scenario_spec") or {}
    kind = str(scenario.get("class_name", "")).rpartition(".")[2]
    given = scenario.get("args") or {}
    args = ",".join(f"{key}={value}" for key, value in sorted(given.items()))
    return f"{kind}:{args}" if args else kind


def _perturb(one: Mapping[str, Any]) -> bool:
    if one.get("perturbation"):
        return True
    names = [stat["name"] for stat in one["stats"]]
    return bool(names) and all(name.get("perturbation") for name in names)


def _row(one: Mapping[str, Any], system: str, task: str) -> LogRow:
    stats = [stat for stat in one["stats"] if not stat["name"].get("perturbation")]
    values = {stat["name"]["name"]: number for stat in stats if (number := _mean(stat)) is not None}
    splits = sorted({str(stat["name"]["split"]) for stat in stats if stat["name"].get("split")})
    return LogRow(
        item=as_text(one["instance_id"]),
        system=system,
        task=task,
        repeat=as_text(one.get("train_trial_index", 0)),
        values=values,
        error=None if values else "no statistic of this instance is a number",
        facts={"split": splits[0]} if len(splits) == 1 else {},
    )


def _mean(stat: Mapping[str, Any]) -> float | None:
    if stat.get("mean") is not None:
        return as_number(stat["mean"])
    total, times = as_number(stat.get("sum")), as_number(stat.get("count"))
    return None if total is None or not times else total / times


def _tells_totals(head: Head) -> bool:
    return head.is_array and {"name", "count", "sum", "sum_squared"} <= head.keys


def _refuse_totals(path: Path, name: str) -> Log:
    del path
    found = "it holds the totals of a run of HELM only, with no row per instance."
    fix = "Name the per_instance_stats.json beside it."
    raise FileUnreadable.for_file(name, found, fix=fix, code="totals-only")


def _read_spec(path: Path, name: str) -> Log:
    if not path.with_name("per_instance_stats.json").is_file():
        found = "this is the specification of a run of HELM, with no row per instance."
        fix = "Name per_instance_stats.json."
        raise FileUnreadable.for_file(name, found, fix=fix, code="totals-only")
    return Log(rows=())


FORMATS = (
    LogFormat(
        name="HELM per-instance stats",
        tells=_tells_stats,
        read=_read_stats,
        item="instance_id",
        repeats="train_trial_index",
        traps="perturbed rows, trials, several metrics",
        provenance="written by the tool's own classes",
    ),
    LogFormat(
        name="HELM stats",
        tells=_tells_totals,
        read=_refuse_totals,
        item="none: refused, totals only",
        repeats="none",
        traps="totals only",
        provenance="written by the tool's own classes",
    ),
    LogFormat(
        name="HELM run spec",
        tells=_tells_spec,
        read=_read_spec,
        item="none",
        repeats="none",
        traps="a run without its instances",
        provenance="unverified",
    ),
)
