"""Which scorer, metric and filter count: one is taken, among several a choice is asked for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from steelyard.errors import ColumnMissing, RolesUnclear, listing, printable, switch
from steelyard.sources.logs.log_format import Asked, LogRow
from steelyard.sources.roles.declared import Roles

__all__ = ["Chosen", "choose_filter", "choose_judge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What was chosen for each task, and how to say it."""

    of: Mapping[str, str]
    said: str


def choose_filter(rows: Sequence[LogRow], roles: Roles) -> tuple[list[LogRow], str | None]:
    """Keep the rows of one filter for each task: a row per filter would double the items."""
    filters = _by_task((row.task, [row.filter]) for row in rows if row.filter is not None)
    if not filters:
        if roles.filter:
            message = (
                f"filter= names {listing(roles.filter)}, and these logs have no filters. Leave it "
                "out."
            )
            raise ColumnMissing(message, code="filter-unknown")
        return list(rows), None
    if not roles.filter and all(len(names) == 1 for names in filters.values()):
        return list(rows), f"filter {listing(sorted({names[0] for names in filters.values()}))}"
    chosen = _choose(filters, roles.filter, what="filter", why="Each scores the same items.")
    kept = [row for row in rows if row.filter is None or row.filter == chosen.of[row.task]]
    return kept, f"filter {chosen.said}"


def choose_judge(
    rows: Sequence[LogRow], roles: Roles, *, asked: Asked, default: str | None
) -> Chosen:
    """Choose what says right and wrong: as named, the format's own verdict, or the only one."""
    judges = _by_task((row.task, row.values) for row in rows if row.values)
    named = roles.scorer if asked == "scorer" else roles.metric
    other = roles.metric if asked == "scorer" else roles.scorer
    if other and not named:
        wrong = "metric" if asked == "scorer" else "scorer"
        message = f"These logs call it a {asked}: {switch(asked, other[0])}, not {wrong}=."
        raise RolesUnclear(message, code="scorer-or-metric")
    if not judges:
        message = "No sample in these logs was scored with a number or with right and wrong."
        reasons = [row.error for row in rows if row.error]
        if reasons:
            message += f" {len(reasons):,} errored, the first: {printable(reasons[0])[:200]}"
        raise RolesUnclear(message, code="nothing-scored")
    if not named and default is not None and all(default in some for some in judges.values()):
        return Chosen(of=dict.fromkeys(judges, default), said=f"{default}, the log's own verdict")
    likely, why = _ranges(rows)
    return _choose(judges, named, what=asked, why=why, likely=likely)


def _choose(
    found: Mapping[str, Sequence[str]],
    named: Sequence[str],
    *,
    what: str,
    why: str,
    likely: str | None = None,
) -> Chosen:
    every = list(dict.fromkeys(name for names in found.values() for name in names))
    if not named:
        if len(every) == 1:
            return Chosen(of=dict.fromkeys(found, every[0]), said=printable(every[0]))
        message = (
            f"These logs have {len(every)} {what}s: {listing(every, most=30)}. {why} Choose: "
            f"{switch(what, likely or every[0])}."
        )
        raise RolesUnclear(message, code=f"{what}-unclear")
    for name in named:
        if name not in every:
            raise ColumnMissing.for_role(what, name, every)
    chosen = {}
    for task, names in found.items():
        fitting = [name for name in names if name in named]
        if len(fitting) != 1:
            some = f"both {listing(fitting)}" if fitting else f"none of {listing(named)}"
            message = (
                f"Task {printable(task)!r} has {some}; its {what}s are {listing(names)}. Name one "
                f"{what} for every task, or leave the task's file out."
            )
            raise RolesUnclear(message, code=f"{what}-unclear")
        chosen[task] = fitting[0]
    return Chosen(of=chosen, said=listing(list(dict.fromkeys(chosen.values()))))


def _by_task(pairs: Iterable[tuple[str, Iterable[str]]]) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for task, names in pairs:
        found.setdefault(task, {}).update(dict.fromkeys(names))
    return {task: list(names) for task, names in found.items()}


def _ranges(rows: Sequence[LogRow]) -> tuple[str | None, str]:
    """Name a judge that called some right and some wrong, and list all that could."""
    numbers: dict[str, set[float]] = {}
    for row in rows:
        for judge, value in row.values.items():
            numbers.setdefault(judge, set()).add(value)
    right = [judge for judge, values in numbers.items() if values <= {0.0, 1.0}]
    if not right:
        return None, "None gives right and wrong; a number also needs a threshold."
    both = [judge for judge in right if len(numbers[judge]) == 2]
    return (both or right)[0], f"Right and wrong: {listing(right, most=30)}."
