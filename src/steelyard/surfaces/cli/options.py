"""Options that several commands share: what the data are, and how to show the answer."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

__all__ = [
    "DRAWN",
    "chart_file",
    "cluster_options",
    "data_options",
    "file_options",
    "named_costs",
    "named_numbers",
    "named_parts",
    "named_priors",
    "named_settings",
    "named_shares",
    "output_options",
    "read_class_table",
    "several",
    "several_numbers",
    "unweighted_option",
]

DRAWN = (".svg", ".png", ".pdf", ".html", ".json")
"""What charts can be saved as; spelled out, so that --help need not load the charts."""

Function = TypeVar("Function", bound=Callable[..., Any])


def several(
    context: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...] | None:
    """Split comma lists; an option may also be given more than once."""
    del context, parameter
    names = tuple(name.strip() for text in given for name in text.split(",") if name.strip())
    return names or None


def several_numbers(
    context: click.Context, parameter: click.Parameter, given: str | None
) -> tuple[int, ...] | None:
    """Read ``1,4,8``."""
    del context
    if given is None:
        return None
    try:
        return tuple(int(part) for part in given.split(","))
    except ValueError:
        message = f"{given!r} is not a list of whole numbers such as 1,4,8."
        raise click.BadParameter(message, param=parameter) from None


def named_parts(
    given: str, parameter: click.Parameter | None, *, mark: str = "=", at_last: bool = True
) -> dict[str, str]:
    """Split ``S=190,T=194`` into names and values; a name that comes twice is refused.

    A name may hold the mark, which is why each part is split at its last one; where values may,
    it is split at the first.

    >>> named_parts("S=190, T=194", None)
    {'S': '190', 'T': '194'}
    """
    split = str.rpartition if at_last else str.partition
    parts = [split(part, mark) for part in given.split(",")]
    names = [name.strip() for name, _, _ in parts]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice:
        values = [value.strip() for name, _, value in parts if name.strip() == twice]
        message = (
            f"{given!r} names {twice!r} {len(values)} times ({', '.join(values)}). Which is meant? "
            "Name each once."
        )
        raise click.BadParameter(message, param=parameter)
    return {name: value.strip() for name, (_, _, value) in zip(names, parts, strict=True)}


def named_numbers(
    context: click.Context, parameter: click.Parameter, given: str | None
) -> dict[str, int] | int | None:
    """Read ``S=190,T=194`` or a single number."""
    del context
    if given is None:
        return None
    try:
        if "=" not in given:
            return int(given.replace("_", ""))
        return {name: int(number) for name, number in named_parts(given, parameter).items()}
    except ValueError:
        message = f"{given!r} is not a list such as S=190,T=194 of whole numbers."
        raise click.BadParameter(message, param=parameter) from None


def read_class_table(path: str, *, what: str, option: str) -> dict[tuple[str, str], float]:
    """Read a square table of numbers with classes in its first row and column."""
    import csv

    rows = list(csv.reader(Path(path).read_text(encoding="utf-8").splitlines()))
    try:
        _, *names = rows[0]
        return {
            (row[0], name): float(cell)
            for row in rows[1:]
            for name, cell in zip(names, row[1:], strict=True)
        }
    except (IndexError, ValueError):
        message = (
            f"{path!r} is not a table of {what}: the first row is ',low,mid,high', every other "
            "one a class and a number for each."
        )
        raise click.BadParameter(message, param_hint=option) from None


def named_costs(
    context: click.Context | None, parameter: click.Parameter | None, given: str | None
) -> dict[str, str] | None:
    """Read ``fn=5,fp=1``; the numbers stay text, so that they are taken as typed."""
    del context
    if given is None:
        return None
    parts = named_parts(given, parameter, at_last=False)
    if not all(name and value for name, value in parts.items()):
        message = f"{given!r} is not a list such as fn=5,fp=1."
        raise click.BadParameter(message, param=parameter)
    return parts


def named_shares(
    context: click.Context, parameter: click.Parameter, given: str | None
) -> dict[str, float] | None:
    """Read ``cat=0.3,dog=0.7``."""
    del context
    if given is None:
        return None
    try:
        parts = named_parts(given, parameter)
        if not all(parts):
            raise ValueError  # noqa: TRY301 - one message for all that can be wrong
        return {name: float(number) for name, number in parts.items()}
    except ValueError:
        message = f"{given!r} is not a list such as cat=0.3,dog=0.7."
        raise click.BadParameter(message, param=parameter) from None


def named_priors(
    context: click.Context, parameter: click.Parameter, given: str | None
) -> dict[str, tuple[float, float]] | tuple[float, float] | None:
    """Read ``S=190:10,T=1:1``, or one ``1:1`` for all systems."""
    del context
    if given is None:
        return None
    try:
        if "=" not in given:
            return _two_numbers(given)
        parts = named_parts(given, parameter)
        return {name: _two_numbers(numbers) for name, numbers in parts.items()}
    except ValueError:
        message = f"{given!r} is not a list such as S=190:10,T=1:1, nor 1:1 for all."
        raise click.BadParameter(message, param=parameter) from None


def named_settings(
    context: click.Context, parameter: click.Parameter, given: str | None
) -> dict[str, str] | None:
    """Read ``control=svm,draws=9999``."""
    del context
    if given is None:
        return None
    parts = named_parts(given, parameter, at_last=False)
    if not all(name and value for name, value in parts.items()):
        message = f"{given!r} is not a list such as control=svm,draws=9999."
        raise click.BadParameter(message, param=parameter)
    return parts


def _two_numbers(text: str) -> tuple[float, float]:
    first, second = text.split(":")
    return float(first), float(second)


def chart_file(
    context: click.Context, parameter: click.Parameter, given: str | None
) -> Path | None:
    """Refuse, before any work is done, a name that a chart cannot be saved under."""
    del context
    if given is None:
        return None
    path = Path(given)
    if path.suffix.lower() not in DRAWN:
        message = f"{given!r} ends in none of {', '.join(DRAWN)}."
        raise click.BadParameter(message, param=parameter)
    if not path.parent.is_dir():
        message = f"There is no folder {str(path.parent)!r}."
        raise click.BadParameter(message, param=parameter)
    return path


def _group(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def _names(flag: str, text: str) -> Callable[[Function], Function]:
    return click.option(flag, multiple=True, callback=several, metavar="NAMES", help=text)


def _column(flag: str, text: str) -> Callable[[Function], Function]:
    return click.option(flag, metavar="COLUMN", help=text)


def _with_classes(function: Function) -> Function:
    """Join classes that were listed and those that were named one by one."""

    @wraps(function)
    def run(*args: Any, class_names: tuple[str, ...] = (), **given: Any) -> Any:  # noqa: ANN401
        given["classes"] = (*(given.get("classes") or ()), *class_names) or None
        return function(*args, **given)

    return cast(Function, run)


file_options = _group(
    click.argument("files", nargs=-1, metavar="FILE..."),
    _column("--truth", "Column of the true class. [default: truth]"),
    _names("--systems", "Systems to use. [default: all other columns]"),
    click.option("--positive", metavar="CLASS", help="The positive class, for scores."),
    _column("--item", "Column of item ids. [default: item or id]"),
    _column("--system", "Column of system names, in a file with a row per item and system."),
    _names("--called", "Systems (or the column) that hold called classes."),
    _names("--score", "Systems (or the column) that hold scores."),
    _names("--outcome", "Systems (or the column) that hold right/wrong."),
    click.option(
        "--vector",
        multiple=True,
        metavar="NAME",
        help="Systems that hold a number per class: NAME, or NAME=p{class} for columns p0, p1, ...",
    ),
    _names("--classes", "All classes, in the order of vectors."),
    click.option(
        "--class",
        "class_names",
        multiple=True,
        metavar="NAME",
        help="One class, as it is written, commas too; give the option again for each.",
    ),
    click.option("--threshold", type=float, help="Call positive from this score up."),
    _column("--weight", "Column of weights; '' for none. [default: weight]"),
    _column("--cluster", "Column of clusters; '' for none. [default: cluster]"),
    _column("--group", "Column of slices to report apart; '' for none. [default: group]"),
    _column("--fold", "Column of folds or problems; '' for none. [default: fold]"),
    click.option(
        "--pairing",
        type=click.Choice(["common", "independent"]),
        help="Did all systems see the same items?",
    ),
    click.option(
        "--missing",
        type=click.Choice(["error", "exclude", "worst"]),
        help="Items without an answer. [default: error]",
    ),
    click.option(
        "--unlabelled",
        type=click.Choice(["error", "exclude"]),
        help="Items without a truth. [default: error]",
    ),
    click.option(
        "--duplicates",
        type=click.Choice(["error", "first"]),
        help="Ids that come twice. [default: error]",
    ),
    click.option(
        "--join",
        type=click.Choice(["error", "inner"]),
        help="Items that not every system has. [default: error]",
    ),
    _names("--scorer", "Evaluation logs: the scorer that says right or wrong."),
    _names("--metric", "Evaluation logs: the metric that says right or wrong."),
    _names("--filter", "Evaluation logs: the filter of answers to count."),
    click.option(
        "--errors",
        type=click.Choice(["refuse", "wrong", "drop-pair"]),
        help="Evaluation logs: samples that were not scored. [default: refuse]",
    ),
    click.option(
        "--delimiter", metavar="CHAR", help="Column separator of CSV. [default: detected]"
    ),
    click.option("--decimal", type=click.Choice([".", ","]), help="Decimal mark of CSV."),
    click.option("--encoding", metavar="NAME", help="Encoding of CSV. [default: UTF-8 or by mark]"),
    click.option(
        "--memory", metavar="SIZE", help="Memory to use, as in 1.5GiB. [default: half of it all]"
    ),
    click.option(
        "--settings",
        metavar="FILE",
        help="Defaults to read. [default: steelyard.toml beside the data]",
    ),
    _with_classes,
)

data_options = _group(
    file_options,
    click.option("--table", metavar="NAME", help="PostgreSQL: the table to read."),
    click.option("--query", metavar="SQL", help="PostgreSQL: the query whose rows to read."),
)

unweighted_option = click.option(
    "--unweighted",
    is_flag=True,
    default=None,
    help="Count every row once, although there is a column of weights.",
)

cluster_options = _group(
    click.option(
        "--engine",
        type=click.Choice(["local", "spark"]),
        help="Where the rows are counted. [default: local]",
    ),
    click.option(
        "--master",
        metavar="URL",
        help="The cluster: spark://HOST:7077, sc://HOST:15002, local[*].",
    ),
)

output_options = _group(
    click.option("--level", type=float, help="Coverage of intervals. [default: 0.95]"),
    click.option("--json", "as_json", is_flag=True, help="Print the result as JSON."),
    click.option("--csv", "as_csv", is_flag=True, help="Print tidy rows as CSV."),
    click.option("--raw-csv", is_flag=True, help="CSV without guarding cells like =cmd."),
    click.option(
        "--chart",
        callback=chart_file,
        metavar="FILE",
        help="Also draw it: FILE.svg, .png, .pdf, .html or .json.",
    ),
    click.option(
        "--picture",
        metavar="KIND",
        help="Which picture to draw. [default: the usual one]",
    ),
    click.option("-v", "--verbose", is_flag=True, help="Show plan, SQL and timings on stderr."),
)
