"""Predictions of a number beside the true one: no classes, but their errors can be weighed."""

from collections.abc import Sequence
from shlex import quote

from steelyard.engines.dialect import quote_name
from steelyard.errors import RolesUnclear, listing, printable
from steelyard.sources.faults import RowFinder
from steelyard.sources.roles.columns import SAMPLE_ROWS, Column
from steelyard.sources.roles.name_words import says_call

__all__ = ["refuse_true_numbers"]

HALF = 0.5
FEW = 50
"""More different numbers than these, most of them once, are quantities and no classes."""


def refuse_true_numbers(finder: RowFinder, truth: Column) -> None:
    """Refuse a true quantity beside predictions of it, and say how errors are compared."""
    if truth.kind not in {"integer", "real"}:
        return
    called = [
        name for name in finder.origin.names if says_call(name) and name in finder.origin.columns
    ]
    numbers = [name for name in called if name != truth.name and _is_quantity(finder, name)]
    if not numbers or not _is_quantity(finder, truth.name):
        return
    files = finder.origin.files
    found = (
        f"{finder.where(truth)}: this is a true number of each item, and {listing(numbers)} "
        f"predict{'s' if len(numbers) == 1 else ''} it. Numbers are not right or wrong; how far "
        "off they are can be weighed."
    )
    if len(files) != 1 or not files[0].read_as.startswith(("CSV", "TSV")):
        message = f"{found} Pass the absolute error of each item as a column for each system."
        raise RolesUnclear(message, code="true-numbers")
    command = _errors_command(printable(files[0].name), truth.name, numbers)
    message = f"{found} Type: {command}"
    raise RolesUnclear(message, code="true-numbers")


def _is_quantity(finder: RowFinder, name: str) -> bool:
    """Tell numbers of which most are different."""
    number = f"TRY_CAST({quote_name(name)} AS DOUBLE)"
    ((rows, read, different),) = finder.origin.table.query(
        f"SELECT COUNT(*), COUNT(v), COUNT(DISTINCT v) FROM (SELECT {number} AS v FROM {{t}} "
        f"LIMIT {SAMPLE_ROWS}) AS sample"
    )
    return bool(
        read > HALF * rows and different > HALF * read and different > min(FEW, HALF * rows)
    )


def _errors_command(shown: str, truth: str, numbers: Sequence[str]) -> str:
    code = (
        f"import pandas as pd; d = pd.read_csv({shown!r}, sep=None, engine='python'); "
        f"d[{[*numbers]!r}].sub(d[{truth!r}], axis=0).abs()"
        ".to_csv('errors.csv', index_label='item')"
    )
    typed = quote(code) if {*code} & {*'"$`!\\'} else f'"{code}"'
    verb = "compare" if len(numbers) > 1 else "evaluate"
    return (
        f"python -c {typed} && steelyard {verb} errors.csv --value {quote(','.join(numbers))} "
        "--lower-is-better"
    )
