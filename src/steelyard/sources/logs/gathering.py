"""Rows of several logs as one table with a row per item and system, errors and repeats settled."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from steelyard.counts.exclusions import Exclusion
from steelyard.engines.local import LocalEngine
from steelyard.errors import (
    ColumnMissing,
    Fault,
    RolesUnclear,
    UnusableRows,
    counted,
    listing,
    printable,
    switch,
)
from steelyard.sources.logs.choosing import Chosen, choose_filter, choose_judge
from steelyard.sources.logs.log_format import Log, LogRow
from steelyard.sources.logs.registry import LogFile
from steelyard.sources.origins import InputFile, Origin
from steelyard.sources.predictions import NO_ANSWER
from steelyard.sources.roles.declared import ASIDE, Roles

__all__ = ["gather_logs"]


Key = tuple[str, str, str]
"""Task, item and repeat: what systems are paired by."""

FACT_ROLES = ("cluster", "group", "fold")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gathered:
    """Rows on their way, with what is said about them."""

    rows: list[LogRow]
    outcomes: Mapping[int, bool | None]
    notes: tuple[str, ...]
    caveats: tuple[str, ...] = ()
    excluded: tuple[Exclusion, ...] = ()


def gather_logs(engine: LocalEngine, files: Sequence[LogFile], roles: Roles) -> Origin:
    """Read every file, choose what counts, settle errors, and lay the rows out."""
    logs = [(file, _name(file, file.format.read(file.path, file.name))) for file in files]
    rows = [row for _, log in logs for row in log.rows]
    if not rows:
        known = [f"{note}." for _, log in logs for note in log.notes]
        fault = Fault(
            code="no-items",
            where=listing([file.name for file, _ in logs]),
            found="there is not one sample in the log.",
            fix=" ".join(["Expected at least one sample that was run.", *dict.fromkeys(known)]),
        )
        raise UnusableRows.of([fault])
    rows = _merge_shards(rows, [file for file, _ in logs])
    rows, said, left = _settle_unsubmitted(rows, roles)
    gathered = _settle(_judge(rows, [log for _, log in logs], roles), roles)
    gathered = replace(
        gathered, caveats=(*said, *gathered.caveats), excluded=(*left, *gathered.excluded)
    )
    _refuse_doubles(gathered.rows, [file for file, _ in logs])
    table, notes = _lay_out(gathered, roles)
    return Origin(
        name=_title(files),
        table=engine.register_columns(table),
        files=tuple(
            InputFile(name=file.name, path=file.path, read_as=_read_as(file, log))
            for file, log in logs
        ),
        numbered=False,
        carries=ASIDE,
        excluded=gathered.excluded,
        notes=("; ".join([*notes, *gathered.notes]),),
        caveats=(*(one for _, log in logs for one in log.caveats), *gathered.caveats),
    )


def _merge_shards(rows: Sequence[LogRow], files: Sequence[LogFile]) -> list[LogRow]:
    """Let files that were named alike be shards of one system.

    What one of them names as never submitted may have been submitted in another. An item that
    several of them answered is refused: which answer would count?
    """
    named = Counter(file.system for file in files if file.system is not None)
    shards = {name for name, times in named.items() if times > 1}
    answered = Counter((row.system, *_key(row)) for row in rows if row.submitted)
    twice = [key for key, times in answered.items() if times > 1 and key[0] in shards]
    if twice:
        fault = Fault(
            code="duplicate-id",
            where=listing([file.name for file in files if file.system == twice[0][0]]),
            found=f"{counted(len(twice), 'item', 'stand')} in more than one shard of "
            f"{printable(twice[0][0])}.",
            fix=(
                "Shards of one system have no item in common. Give each item once, or name the "
                "files apart if they are different runs: run1=FILE run2=FILE."
            ),
            count=len(twice),
            examples=tuple(f"item {printable(key[2])!r}" for key in twice[:3]),
        )
        raise UnusableRows.of([fault])
    kept: dict[tuple[str, ...], LogRow] = {}
    merged = []
    for row in rows:
        key = (row.system, *_key(row))
        if row.submitted or row.system not in shards:
            merged.append(row)
        elif key not in answered and key not in kept:
            kept[key] = row
            merged.append(row)
    return merged


def _settle_unsubmitted(
    rows: Sequence[LogRow], roles: Roles
) -> tuple[list[LogRow], tuple[str, ...], tuple[Exclusion, ...]]:
    """Ask what items that a system never submitted count for, or do what the user said."""
    left = [row for row in rows if not row.submitted]
    if not left:
        if roles.unsubmitted is not None:
            idle = "every item was submitted, so that unsubmitted= made no difference"
            return list(rows), (idle,), ()
        return list(rows), (), ()
    tried = Counter(row.system for row in rows if row.submitted)
    all_of = Counter(row.system for row in rows)
    shown = listing(
        [
            f"{printable(name)} submitted {tried[name]:,} of {total:,}"
            for name, total in all_of.items()
            if tried[name] < total
        ]
    )
    if roles.unsubmitted is None:
        fault = Fault(
            code="unsubmitted",
            where=shown,
            found="an item that was never submitted is not a failure unless you say so.",
            fix=(
                f"Leave such items out for every system: {switch('unsubmitted', 'drop')}; or count "
                f"them as not resolved, as the official rate does: "
                f"{switch('unsubmitted', 'wrong')}. If a run is in several shards, name them "
                "alike: NAME=a.json NAME=b.json."
            ),
        )
        raise UnusableRows.of([fault])
    if roles.unsubmitted == "wrong":
        said = f"items never submitted counted as wrong ({shown}; unsubmitted=wrong)"
        return list(rows), (said,), ()
    keys = {_key(row) for row in left}
    kept = [row for row in rows if _key(row) not in keys]
    said = f"{counted(len(keys), 'item')} left out for every system ({shown}; unsubmitted=drop)"
    if not kept:
        fault = Fault(
            code="no-items",
            where=shown,
            found="no item was submitted by every system.",
            fix=f"Count those never submitted as wrong: {switch('unsubmitted', 'wrong')}.",
        )
        raise UnusableRows.of([fault])
    return kept, (said,), (Exclusion(reason="never submitted by some system", rows=len(keys)),)


def _title(files: Sequence[LogFile]) -> str:
    first, *others = files
    return f"{first.name} and {counted(len(others), 'more file')}" if others else first.name


def _read_as(file: LogFile, log: Log) -> str:
    return f"{file.format.name} log: {counted(len(log.rows), 'sample')}"


def _name(file: LogFile, log: Log) -> Log:
    """Give the systems of a log the name the user gave the file."""
    if file.system is None:
        return log
    several = len({row.system for row in log.rows}) > 1
    rows = [
        replace(row, system=f"{file.system} {row.system}" if several else file.system)
        for row in log.rows
    ]
    return replace(log, rows=rows)


def _judge(rows: Sequence[LogRow], logs: Sequence[Log], roles: Roles) -> _Gathered:
    """Turn what the judges gave into right and wrong."""
    notes = tuple(dict.fromkeys(note for log in logs for note in log.notes))
    kept, filtered = choose_filter(rows, roles)
    notes = (*notes, filtered) if filtered else notes
    if any(row.called for row in kept) and all(row.called or row.error for row in kept):
        return _Gathered(rows=kept, outcomes={}, notes=notes)
    held = [log for log in logs if log.rows]
    judge = choose_judge(kept, roles, asked=held[0].asked, default=held[0].default)
    outcomes = _outcomes(kept, judge, roles)
    said = f"right by {held[0].asked} {judge.said}"
    if roles.threshold is not None:
        said += f", from {roles.threshold:g} up"
    return _Gathered(rows=kept, outcomes=outcomes, notes=(*notes, said))


def _outcomes(rows: Sequence[LogRow], judge: Chosen, roles: Roles) -> dict[int, bool | None]:
    values = {
        place: None if row.error else row.values.get(judge.of.get(row.task, ""))
        for place, row in enumerate(rows)
    }
    if roles.threshold is not None:
        limit = roles.threshold
        return {place: None if x is None else x >= limit for place, x in values.items()}
    graded = sorted({x for x in values.values() if x is not None} - {0.0, 1.0})
    if graded:
        shown = listing([f"{x:g}" for x in graded], most=5)
        message = (
            f"{judge.said} gives more than right and wrong: {shown}. Say from which score up an "
            f"answer is right: {switch('threshold', '0.5')}."
        )
        raise RolesUnclear(message, code="graded-scores")
    return {place: None if x is None else x == 1.0 for place, x in values.items()}


def _key(row: LogRow) -> Key:
    return row.task, row.item, row.repeat or ""


def _settle(gathered: _Gathered, roles: Roles) -> _Gathered:
    """Refuse samples that were not scored, or do with them what the user said."""
    lost = [place for place, row in enumerate(gathered.rows) if _lacks_score(gathered, place, row)]
    by_system = Counter(gathered.rows[place].system for place in lost)
    shown = listing([f"{printable(name)} {count:,}" for name, count in sorted(by_system.items())])
    counts = _counts(gathered.rows, len(lost), shown)
    if not lost:
        return replace(gathered, notes=(*gathered.notes, counts))
    if roles.errors == "refuse":
        raise UnusableRows.of([_describe_errors(gathered, lost, shown)])
    if roles.errors == "wrong":
        said = (
            f"{counted(len(lost), 'sample')} that errored or {'was' if len(lost) == 1 else 'were'} "
            f"not scored ({shown}) counted as wrong (errors=wrong)"
        )
        return replace(
            _as_wrong(gathered, lost),
            notes=(*gathered.notes, counts),
            caveats=(*gathered.caveats, said),
        )
    return _without_pairs(gathered, lost, shown, counts)


def _as_wrong(gathered: _Gathered, lost: Sequence[int]) -> _Gathered:
    if gathered.outcomes:
        return replace(gathered, outcomes={**gathered.outcomes, **dict.fromkeys(lost, False)})
    rows = list(gathered.rows)
    for place in lost:
        rows[place] = replace(rows[place], called=NO_ANSWER)
    return replace(gathered, rows=rows)


def _lacks_score(gathered: _Gathered, place: int, row: LogRow) -> bool:
    if row.error is not None:
        return True
    return row.called is None and gathered.outcomes.get(place) is None


def _without_pairs(gathered: _Gathered, lost: Sequence[int], shown: str, counts: str) -> _Gathered:
    keys = {_key(gathered.rows[place]) for place in lost}
    kept = [place for place, row in enumerate(gathered.rows) if _key(row) not in keys]
    said = (
        f"{counted(len(keys), 'sample')} left out for every system, because in some the answer "
        f"errored or was not scored ({shown}; errors=drop-pair)"
    )
    return replace(
        gathered,
        rows=[gathered.rows[place] for place in kept],
        outcomes={new: gathered.outcomes[old] for new, old in enumerate(kept)}
        if gathered.outcomes
        else {},
        notes=(*gathered.notes, counts),
        caveats=(*gathered.caveats, said),
        excluded=(Exclusion(reason="errored in some system", rows=len(keys)),),
    )


def _counts(rows: Sequence[LogRow], lost: int, shown: str) -> str:
    """Say how many samples every system has, how many only some, and how many errored."""
    by_system: dict[str, set[Key]] = {}
    for row in rows:
        by_system.setdefault(row.system, set()).add(_key(row))
    every = set.intersection(*by_system.values()) if by_system else set()
    some = set.union(*by_system.values()) - every if by_system else set()
    errored = f"{lost:,} errored ({shown})" if lost else "0 errored"
    return f"{len(every):,} matched, {len(some):,} unmatched, {errored}"


def _describe_errors(gathered: _Gathered, lost: Sequence[int], shown: str) -> Fault:
    rows = [gathered.rows[place] for place in lost]
    return Fault(
        code="errored-samples",
        where=shown,
        found=f"{counted(len(lost), 'sample')} errored or {'was' if len(lost) == 1 else 'were'} "
        "not scored.",
        fix=(
            f"Count them as wrong: {switch('errors', 'wrong')}; or leave the item out for every "
            f"system: {switch('errors', 'drop-pair')}. Errors that depend on the item make the "
            "second too kind."
        ),
        count=len(lost),
        examples=tuple(
            f"item {printable(row.item)!r}: {printable(row.error or 'not scored')[:80]}"
            for row in rows[:3]
        ),
    )


def _refuse_doubles(rows: Sequence[LogRow], files: Sequence[LogFile]) -> None:
    times = Counter((row.system, *_key(row)) for row in rows)
    twice = [key for key, count in times.items() if count > 1]
    if not twice:
        return
    systems = sorted({key[0] for key in twice})
    names = " ".join(f"{name}={file.name}" for name, file in zip("ab", files, strict=False))
    fault = Fault(
        code="duplicate-id",
        where=listing(systems),
        found=f"{counted(len(twice), 'sample')} of one system appear more than once.",
        fix=(
            "Runs of one model under other settings are other systems: name each file, such as "
            f"{names}. The same run must be given once."
        ),
        count=len(twice),
        examples=tuple(f"item {printable(key[2])!r} of {printable(key[0])}" for key in twice[:3]),
    )
    raise UnusableRows.of([fault])


def _lay_out(gathered: _Gathered, roles: Roles) -> tuple[dict[str, list[object]], tuple[str, ...]]:
    """Name the columns as the ordinary door expects them of a table with long rows."""
    rows = gathered.rows
    tasks = {row.task for row in rows}
    items = [f"{row.task}/{row.item}" if len(tasks) > 1 else row.item for row in rows]
    repeated = len({(row.system, row.task, row.item) for row in rows}) < len(rows)
    columns: dict[str, list[object]] = {
        "item": [
            f"{item} #{row.repeat}" if repeated and row.repeat else item
            for item, row in zip(items, rows, strict=True)
        ],
        "system": [row.system for row in rows],
    }
    notes = []
    if gathered.outcomes:
        columns["outcome"] = [gathered.outcomes[place] for place in range(len(rows))]
    else:
        columns["truth"] = [row.truth for row in rows]
        columns["called"] = [row.called for row in rows]
    if len(tasks) > 1 and roles.group is None:
        columns["group"] = [row.task for row in rows]
        notes.append(f"{len(tasks)} tasks, each a group")
    if repeated and roles.cluster is None:
        columns["cluster"] = list(items)
        notes.append(_say_of_repeats(items, rows))
    columns |= _facts(rows, roles)
    known = sorted({name for row in rows for name in row.facts})
    if known:
        notes.append(f"fields for --group and --cluster: {listing(known, most=8)}")
    return columns, tuple(notes)


def _say_of_repeats(items: Sequence[str], rows: Sequence[LogRow]) -> str:
    pairs = Counter(zip(items, [row.system for row in rows], strict=True))
    low, high = min(pairs.values()), max(pairs.values())
    times = f"{high}" if low == high else f"{low} to {high}"
    # One unit in one answer: an item is an answer here, so that what was asked is a task.
    return f"{counted(len(set(items)), 'task')}, each answered {times} times: a task is a cluster"


def _facts(rows: Sequence[LogRow], roles: Roles) -> dict[str, list[object]]:
    """Add the fields that the user named as cluster, group or fold."""
    known = sorted({name for row in rows for name in row.facts} | {"task"})
    found: dict[str, list[object]] = {}
    for role in FACT_ROLES:
        name = getattr(roles, role)
        if name is None:
            continue
        if name not in known:
            raise ColumnMissing.for_role(role, name, known)
        found[name] = [row.task if name == "task" else row.facts.get(name) for row in rows]
    return found
