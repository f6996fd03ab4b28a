"""Files without ids: whether each is a system, and how lists of labels are laid side by side."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote

from steelyard.engines.dialect import quote_name
from steelyard.engines.local import LocalEngine
from steelyard.errors import FileUnreadable, RolesUnclear, printable, switch
from steelyard.sources.files.files import FileOptions, open_files
from steelyard.sources.files.headless import is_bare_list
from steelyard.sources.files.remote import RemoteParquet
from steelyard.sources.roles.declared import Roles
from steelyard.sources.roles.layout import find_roles

__all__ = ["ask_whose_rows", "find_true_classes", "refuse_bare_lists"]

MOST_TRUE = 1000
"""So many classes of a truth elsewhere are looked for among the names of columns."""

ALIKE, FEWEST_ALIKE = 1000, 10
"""So many rows are compared to tell files of the same items; fewer than the second tell nothing."""

MOST_LISTS = 10


def refuse_bare_lists(given: Sequence[Path], truth: Path | None) -> None:
    """Refuse lists of one label a line, with the command that lays them side by side."""
    paths = [*given] if truth is None else [truth, *given]
    if not 2 <= len(paths) <= MOST_LISTS:
        return
    if not all(path.is_file() and is_bare_list(path) for path in paths):
        return
    called = [re.sub(r"\W", "_", path.stem) for path in paths[1:]]
    verb = "compare" if len(called) > 1 else "evaluate"
    pasted = " ".join(quote(str(path)) for path in paths)
    message = (
        f"{printable(paths[0].name)}: one label a line and no ids, so that the files are paired "
        "line by line, the truth first. Type: "
        f"paste -d, {pasted} > side.csv && steelyard {verb} side.csv --columns "
        f"truth,{','.join(called)}"
    )
    raise FileUnreadable(message, code="bare-lists")


def ask_whose_rows(
    engine: LocalEngine, given: Sequence[Path | RemoteParquet], truth: str, files: FileOptions
) -> None:
    """Ask whether files without ids are a system each, where they have the same truth row by row.

    Shards of one table would agree so by chance alone.
    """
    if len(given) < 2:
        return
    looked = []
    for path in given[:2]:
        table = open_files(engine, [path], files).table
        if truth not in table.columns:
            return
        rows = table.query(f"SELECT CAST({quote_name(truth)} AS VARCHAR) FROM {{t}} LIMIT {ALIKE}")
        looked.append((table.query("SELECT COUNT(*) FROM {t}"), rows))
    one, two = looked
    if one != two or len({*one[1]}) < 2 or len(one[1]) < FEWEST_ALIKE:
        return
    names = [printable(Path(str(path)).name) for path in given[:2]]
    message = (
        f"{' and '.join(names)} have the same truth row by row. Is each a system, with the same "
        f"items in the same order? Name them (a={names[0]} b={names[1]}), with "
        f"{switch('pairing', 'rows')}. If they are shards of one table, write them into one file."
    )
    raise RolesUnclear(message, code="whose-rows")


def find_true_classes(
    engine: LocalEngine, path: Path | str, files: FileOptions, column: str | None
) -> tuple[str, ...]:
    """List the classes of a truth in a file of its own, as far as they are few."""
    truths = open_files(engine, [Path(path)], replace(files, columns=None))
    named = find_roles(truths, Roles(truth=column if column in truths.columns else None))
    if "truth" not in named:
        return ()
    label = f"CAST({quote_name(named['truth'])} AS VARCHAR)"
    rows = truths.table.query(f"SELECT DISTINCT {label} FROM {{t}} LIMIT {MOST_TRUE}")
    return tuple(sorted(str(one) for (one,) in rows if one is not None))
