"""Ranked lists: the first ten answers of a system, in a cell or in a column each."""

import re
from collections.abc import Collection, Mapping, Sequence
from shlex import quote

from steelyard.engines.dialect import quote_name
from steelyard.errors import RolesUnclear, listing, printable, switch
from steelyard.sources.faults import RowFinder
from steelyard.sources.roles.columns import Column
from steelyard.sources.roles.name_words import says_call
from steelyard.sources.roles.proposals import propose_holding

__all__ = ["ask_about_ranks"]

LIST = re.compile(
    r"(?i)(\w*[_ -])?(top[_ -]?(\d+|k)|ranked|ranking|retrieved|candidates|neighbou?rs|suggestions)"
    r"([_ -](\w+))?"
)
PLACE = re.compile(r"(?i)(.*?)(top|rank|place)[_ -]?(\d+)")
FEWEST = 3
"""So many places of a list, from the first, are told from systems with a number."""
SEVERAL = ("[%", "%, %", "% % %", "%|%|%", "%;%;%")


def ask_about_ranks(
    finder: RowFinder,
    systems: Mapping[str, Mapping[str, str]],
    columns: Mapping[str, Column],
    truth: str | None = None,
) -> None:
    """Refuse lists, which are neither right nor wrong, with what to make of them.

    ``truth`` is the column of the truth, where one is known.
    """
    _ask_about_places(systems)
    single = {name: columns[named[""]] for name, named in systems.items() if "" in named}
    likely = [
        name for name, column in single.items() if LIST.fullmatch(name) and column.kind == "text"
    ]
    if not likely or _are_answered_beside(single, likely, truth):
        return
    asked = [_holds_several(single[name]) for name in likely]
    rows, *several = finder.count("(TRUE)", *asked)
    lists = [name for name, count in zip(likely, several, strict=True) if 2 * count > rows]
    if not lists:
        return
    message = (
        f"{listing(lists)} {'holds' if len(lists) == 1 else 'hold'} a ranked list for each item, "
        "which is neither right nor wrong. Whether the truth stands in it, or first, is: write a "
        f"column of that for each system, and name it: {switch('outcome', 'COLUMN')}."
    )
    raise RolesUnclear(message + _command(finder, lists, truth), code="ranked-lists")


def _are_answered_beside(
    single: Mapping[str, Column], lists: Collection[str], truth: str | None
) -> bool:
    """Tell a prediction beside the lists, or, where nothing is true, numbers of each item."""
    others = {name: column for name, column in single.items() if name not in lists}
    if truth is None:
        return any(column.kind == "real" for column in others.values())
    called = (n for n in others if says_call(n) or propose_holding(n) == "called")
    return any(not PLACE.search(name) for name in called)


def _holds_several(column: Column) -> str:
    """Write the condition that a cell holds a list."""
    text = f"CAST({quote_name(column.name)} AS VARCHAR)"
    return f"({' OR '.join(f'{text} LIKE {one!r}' for one in SEVERAL)})"


def _ask_about_places(systems: Collection[str]) -> None:
    places: dict[str, dict[int, str]] = {}
    for name in systems:
        found = PLACE.fullmatch(name)
        if found is not None:
            places.setdefault(f"{found[1]}{found[2]}".casefold(), {})[int(found[3])] = name
    for named in places.values():
        first = min(named)
        row = [*range(first, first + len(named))]
        if len(named) >= FEWEST and first < 2 and sorted(named) == row:
            ranked = [named[place] for place in sorted(named)]
            message = (
                f"{listing(ranked)} look like the places of one ranked list, and not like "
                f"{len(ranked)} systems. How often the first of them is right: "
                f"{switch('systems', ranked[0])}. If they are systems, name all: "
                f"{switch('systems', ','.join(ranked))}."
            )
            raise RolesUnclear(message, code="ranked-lists")


def _command(finder: RowFinder, lists: Sequence[str], truth: str | None) -> str:
    """Write the line that makes hits of lists in JSON lines."""
    file = finder.origin.files[0] if len(finder.origin.files) == 1 else None
    if truth is None or file is None or not file.name.endswith((".jsonl", ".ndjson")):
        return ""
    code = (
        f"import pandas as pd; d = pd.read_json({file.name!r}, lines=True); "
        f"c = {[*lists]!r}; d[c] = pd.DataFrame({{n: [int(g in t) for g, t in "
        f"zip(d[{truth!r}], d[n])] for n in c}}); d[c].to_csv('hits.csv', index_label='item')"
    )
    verb = "evaluate" if len(lists) == 1 else "compare"
    typed = printable(code.replace('"', '\\"'))
    made = f"steelyard {verb} hits.csv --outcome {quote(','.join(lists))}"
    return f' Type: python -c "{typed}" && {made}'
