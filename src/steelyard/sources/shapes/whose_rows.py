"""Files without ids: whether each is a system, and how lists of labels are laid side by side."""

import re
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from steelyard.engines.dialect import quote_name
from steelyard.engines.local import LocalEngine
from steelyard.errors import FileUnreadable, RolesUnclear, listing, printable, switch
from steelyard.sources.files.files import FileOptions, open_files
from steelyard.sources.files.formats import read_head
from steelyard.sources.files.headless import KINDS_OF_TRIAL, NUMBER, ask_for_truth, is_bare_list
from steelyard.sources.files.remote import RemoteParquet
from steelyard.sources.roles.declared import Roles
from steelyard.sources.roles.layout import find_roles
from steelyard.sources.roles.name_words import says_truth

__all__ = ["ask_whose_rows", "find_true_classes", "refuse_bare_lists"]

MOST_TRUE = 1000
"""So many classes of a truth elsewhere are looked for among the names of columns."""

ALIKE, FEWEST_ALIKE = 1000, 10
"""So many rows are compared to tell files of the same items; fewer than the second tell nothing."""

MOST_LISTS = 10

POSITIVES_OF_TRIAL = frozenset(
    "target tar tgt genuine gen bonafide bona-fide mated match client positive pos same".split()
)
CALLED_AS_KINDS = (
    *KINDS_OF_TRIAL,
    *({"gen", "imp"}, {"match", "nonmatch"}, {"client", "impostor"}, {"client", "imposter"}),
    *({"positive", "negative"}, {"pos", "neg"}, {"same", "different"}, {"same", "diff"}),
)
"""Words in the names of files that hold scores of one kind of trial each."""


def refuse_bare_lists(paths: Sequence[Path]) -> None:
    """Refuse lists of one label a line: which holds the truth, and are they in the same order?"""
    if len(paths) > MOST_LISTS or not all(path.is_file() and is_bare_list(path) for path in paths):
        _refuse_parted(paths)
        return
    true = [path for path in paths if says_truth(path.stem)]
    message = f"{listing([path.name for path in paths])}: one label a line and no ids."
    if len(true) != 1:
        message += f" {ask_for_truth(paths[0])}"
    else:
        name = quote(str(true[0]))
        message += f" {true[0].name} says what is true, it seems, line by line."
        others = [quote(str(path)) for path in paths if path not in true]
        verb = "compare" if len(others) > 1 else "evaluate"
        message += f" Type: steelyard {verb} {' '.join(others)} --truth {name} --pairing rows"
    raise FileUnreadable(message, code="bare-lists")


def _refuse_parted(paths: Sequence[Path]) -> None:
    """Refuse two lists of scores that are called as two kinds of trials, such as genuine."""
    said = [{path.stem.casefold(), *re.split(r"[\W_\d]+", path.stem.casefold())} for path in paths]
    kinds = [own for known in CALLED_AS_KINDS if all(own := [known & words for words in said])]
    parted = next((own for own in kinds if len(own) == 2 == len(own[0] | own[1])), None)
    if parted is None or not all(_is_list_of_numbers(path) for path in paths):
        return
    stems = {min(own): path for own, path in zip(parted, paths, strict=True)}
    positive = next((word for word in stems if word in POSITIVES_OF_TRIAL), min(stems))
    parts = "; ".join(f"sed 's/^/{word},/' {quote(str(path))}" for word, path in stems.items())
    message = (
        f"{listing([path.name for path in paths])}: a score a line; the names of the files say "
        f"what is true. Type: ({parts}) > both.csv && steelyard roc both.csv --columns truth,score "
        f"--positive {positive}"
    )
    raise FileUnreadable(message, code="bare-lists")


def _is_list_of_numbers(path: Path) -> bool:
    head, _, _ = read_head(path)
    lines = [line.strip() for line in head.decode("utf-8", "replace").splitlines()[:200]]
    return len(lines) > 1 and all(NUMBER.fullmatch(line) for line in lines if line)


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
    truths = open_files(engine, [Path(path)], files)
    named = find_roles(truths, Roles(truth=column if column in truths.columns else None))
    if "truth" not in named:
        return ()
    label = f"CAST({quote_name(named['truth'])} AS VARCHAR)"
    rows = truths.table.query(f"SELECT DISTINCT {label} FROM {{t}} LIMIT {MOST_TRUE}")
    return tuple(sorted(str(one) for (one,) in rows if one is not None))
