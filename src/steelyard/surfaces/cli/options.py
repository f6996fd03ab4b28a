"""Options of the command line: made from the table, read from what was typed, shown in groups."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from functools import wraps
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from steelyard.errors import RequestError, need, once
from steelyard.journey.options import GROUPS, Kind, Option, Verb, options_of

__all__ = [
    "DRAWN",
    "HERE",
    "GroupedCommand",
    "GroupedOption",
    "chart_file",
    "group_option",
    "name_costs",
    "name_parts",
    "name_priors",
    "read_class_table",
    "read_events",
    "result_options",
    "several",
    "table_option",
    "verb_command",
    "verb_options",
    "with_classes",
    "write_groups",
]

DRAWN = (".svg", ".png", ".pdf", ".html", ".json")
"""What charts can be saved as; spelled out, so that --help need not load the charts."""

HERE = "-"
"""What an option of rows holds when the file is named elsewhere on the line."""

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


def name_parts(
    given: str, parameter: click.Parameter | None, *, mark: str = "=", at_last: bool = True
) -> dict[str, str]:
    """Split ``S=190,T=194`` into names and values; a name that appears twice is refused.

    A name may hold the mark, which is why each part is split at its last one; where values may,
    it is split at the first.

    >>> name_parts("S=190, T=194", None)
    {'S': '190', 'T': '194'}
    """
    split = str.rpartition if at_last else str.partition
    parts = [split(part, mark) for part in given.split(",")]
    if not all(found for _, found, _ in parts):
        return {name.strip(): value.strip() for name, _, value in parts}
    try:
        return once(given, ((name, value) for name, _, value in parts))
    except RequestError as twice:
        raise click.BadParameter(str(twice), param=parameter) from None


def name_numbers(
    context: click.Context, parameter: click.Parameter, given: str | None
) -> dict[str, int] | int | str | None:
    """Read ``S=190,T=194`` or a single number; shares in percent are left as they were typed."""
    if given is None:
        return None
    if "%" in given and (context.info_name, parameter.name) == ("compare", "correct"):
        return given
    try:
        if "=" not in given:
            return int(given.replace("_", ""))
        return {name: int(number) for name, number in name_parts(given, parameter).items()}
    except ValueError:
        message = f"{given!r} is not a list such as S=190,T=194 of whole numbers."
        if "." in given and (context.info_name, parameter.name) == ("compare", "correct"):
            message += " Shares are typed with their sign: --correct S=87.3%,T=85.1%."
        raise click.BadParameter(message, param=parameter) from None


def read_events(events: dict[str, int] | int, exposure: str | None) -> Any:  # noqa: ANN401
    """Put events that were typed over an exposure that was: one for all, or S=12h,T=10h."""
    from steelyard.counts import Exposure

    if exposure is None:
        message = "--false-alarms needs what they were counted over: --exposure 12h"
        raise click.UsageError(message)
    if not isinstance(events, dict):
        return Exposure.of(events, exposure)
    named = "=" in exposure
    amounts = name_parts(exposure, None) if named else dict.fromkeys(events, exposure)
    if set(amounts) != set(events):
        message = f"--exposure {exposure!r} names other systems than --false-alarms."
        raise click.UsageError(message)
    return {name: Exposure.of(number, amounts[name]) for name, number in events.items()}


def _plain_number(cell: str) -> float:
    if "_" in cell or not cell.isascii():  # which only Python takes for a number
        raise ValueError(cell)
    return float(cell)


def read_class_table(path: str, *, what: str, option: str) -> dict[tuple[str, str], float]:
    """Read a square table of numbers with classes in its first row and column."""
    import csv

    try:
        rows = list(csv.reader(Path(path).read_text(encoding="utf-8-sig").splitlines()))
        _, *names = rows[0]
        for given in (names, [row[0] for row in rows[1:]]):
            once(",".join(given), ((name, what) for name in given))
        return {
            (row[0], name): _plain_number(cell)
            for row in rows[1:]
            for name, cell in zip(names, row[1:], strict=True)
        }
    except RequestError as twice:
        raise click.BadParameter(str(twice), param_hint=option) from None
    except (OSError, csv.Error, IndexError, ValueError):
        message = (
            f"{path!r} is not a table of {what}: the first row is ',low,mid,high', every other "
            "one a class and a number for each."
        )
        raise click.BadParameter(message, param_hint=option) from None


def _texts_by_name(example: str) -> Callable[..., dict[str, str] | None]:
    def read(
        context: click.Context | None, parameter: click.Parameter | None, given: str | None
    ) -> dict[str, str] | None:
        del context
        if given is None:
            return None
        parts = name_parts(given, parameter, at_last=False)
        if not all(name and value for name, value in parts.items()):
            message = f"{given!r} is not a list such as {example}."
            raise click.BadParameter(message, param=parameter)
        return parts

    return read


name_costs = _texts_by_name("fn=5,fp=1")
"""Read ``fn=5,fp=1``; the numbers stay text, so that they are taken as typed."""
name_settings = _texts_by_name("control=svm,draws=9999")


def name_shares(
    context: click.Context, parameter: click.Parameter, given: str | None
) -> dict[str, float] | None:
    """Read ``cat=0.3,dog=0.7``."""
    del context
    if given is None:
        return None
    try:
        parts = name_parts(given, parameter)
        if not all(parts):
            raise ValueError  # noqa: TRY301 - one message for all that can be wrong
        return {name: float(number) for name, number in parts.items()}
    except ValueError:
        message = f"{given!r} is not a list such as cat=0.3,dog=0.7."
        raise click.BadParameter(message, param=parameter) from None


def name_priors(
    context: click.Context, parameter: click.Parameter, given: str | None
) -> dict[str, tuple[float, float]] | tuple[float, float] | None:
    """Read ``S=190:10,T=1:1``, or one ``1:1`` for all systems."""
    del context
    if given is None:
        return None
    try:
        if "=" not in given:
            return _two_numbers(given)
        parts = name_parts(given, parameter)
        return {name: _two_numbers(numbers) for name, numbers in parts.items()}
    except ValueError:
        message = f"{given!r} is not a list such as S=190:10,T=1:1, nor 1:1 for all."
        raise click.BadParameter(message, param=parameter) from None


def _two_numbers(text: str) -> tuple[float, float]:
    first, second = text.split(":")
    return float(first), float(second)


def _rate(text: str) -> float:
    share = text.removesuffix("%")
    return float(text) if share == text else float(Decimal(share.strip()) / 100)


def name_rates(
    context: click.Context, parameter: click.Parameter, given: str | None
) -> dict[str, float] | list[float] | None:
    """Read ``0.90,0.88``, ``90%,88%`` or ``S=0.90,T=0.88``."""
    del context
    if given is None:
        return None
    parts = [part.strip() for part in given.split(",") if part.strip()]
    try:
        if "=" not in given:
            return [_rate(part) for part in parts]
        named = name_parts(",".join(parts), parameter)
        return {name: _rate(number) for name, number in named.items()}
    except (ValueError, ArithmeticError):
        message = f"{given!r} is not a list of rates such as 0.90,0.88 or S=0.90,T=0.88."
        raise click.BadParameter(message, param=parameter) from None


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
    if path.suffix.lower() != ".json":
        need("vl_convert", f"A chart as {path.suffix.lower()}")
    return path


class GroupedOption(click.Option):
    """An option that knows under which heading ``--help`` lists it."""

    def __init__(self, *given: Any, group: str = "Options", **named: Any) -> None:  # noqa: ANN401
        super().__init__(*given, **named)
        self.group = group


def write_groups(
    parameters: Iterable[click.Parameter], ctx: click.Context, formatter: click.HelpFormatter
) -> None:
    """Write options under the headings of the table, others behind them, help last."""
    options = [one for one in parameters if isinstance(one, click.Option)]
    shown = [one for one in options if one.get_help_record(ctx) is not None]
    listed = list(dict.fromkeys([*GROUPS, *map(_heading, shown)]))
    shown.sort(key=lambda one: (_heading(one) == "Help", listed.index(_heading(one))))
    for heading, rows in groupby(shown, _heading):
        with formatter.section(heading):
            records = [one.get_help_record(ctx) for one in rows]
            formatter.write_dl([record for record in records if record is not None])


def _heading(parameter: click.Parameter) -> str:
    own = getattr(parameter, "group", "Options")
    return "Help" if "--help" in parameter.opts else str(own)


class GroupedCommand(click.Command):
    """A command whose help lists its options under headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one section for each heading."""
        write_groups(self.get_params(ctx), ctx, formatter)


def group_option(*flags: str, group: str, **named: Any) -> Callable[[Function], Function]:  # noqa: ANN401
    """Add an option that only one command has, under a heading."""
    return click.option(*flags, cls=GroupedOption, group=group, **named)


SPELLED: Mapping[Kind, Mapping[str, Any]] = {
    "column": {"metavar": "COLUMN"},
    "name": {"metavar": "NAME"},
    "names": {"metavar": "NAMES", "multiple": True, "callback": several},
    "labels": {"metavar": "NAMES", "multiple": True, "callback": several},
    "each": {"multiple": True},
    "share": {"type": float},
    "number": {"type": float},
    "count": {"type": int},
    "seed": {"type": int},
    "flag": {"is_flag": True},
    "rates": {"callback": name_rates},
    "priors": {"callback": name_priors},
    "costs": {"callback": name_costs},
    "shares": {"callback": name_shares},
    "settings": {"callback": name_settings},
    "counts": {"callback": name_numbers},
    "numbers": {"callback": several_numbers},
    "rows": {"is_flag": False, "flag_value": HERE, "metavar": "FILE"},
    "range": {"metavar": "LOW,HIGH"},
    "file": {"metavar": "FILE"},
    "chart": {"callback": chart_file, "metavar": "FILE"},
}
"""What click is told of a kind; all others are texts."""


def table_option(row: Option, *, hidden: bool = False) -> GroupedOption:
    """Make the option of a row.

    It has no default here: what was not typed may stand in the settings, or is left to Python.
    """
    told = dict(SPELLED.get(row.kind, {}))
    if row.choices:
        told["type"] = click.Choice(row.choices)
    if row.metavar:
        told["metavar"] = row.metavar
    if row.kind == "flag":
        told["default"] = False if row.python is None else None
    default = f" [default: {row.shown_default}]" if row.shown_default else ""
    return GroupedOption(
        [*row.flags, row.name],
        help=f"{row.words}{default}",
        group=row.group,
        hidden=hidden,
        **told,
    )


def verb_options(verb: Verb) -> list[click.Parameter]:
    """Make what a verb takes: its files, and every option of the table."""
    files = click.Argument(["files"], nargs=-1, metavar="FILE...")
    rows = options_of(verb, "cli").values()
    return [files, *map(table_option, rows)]


def verb_command(verb: Verb, *, short_help: str) -> Callable[[Function], GroupedCommand]:
    """Make the command of a verb; the function is called with what was typed, by Python's names."""

    def make(function: Function) -> GroupedCommand:
        return GroupedCommand(
            verb,
            callback=with_classes(function),
            params=verb_options(verb),
            help=inspect.cleandoc(function.__doc__ or ""),
            short_help=short_help,
        )

    return make


def with_classes(function: Function) -> Function:
    """Join classes that were listed and those that were named one by one."""

    @wraps(function)
    def run(*args: Any, class_names: tuple[str, ...] = (), **given: Any) -> Any:  # noqa: ANN401
        given["classes"] = (*(given.get("classes") or ()), *class_names) or None
        return function(*args, **given)

    return cast(Function, run)


def result_options(function: Function) -> Function:
    """Say how to print the answer of a command that is no verb."""
    rows = options_of("compare", "cli")
    for name in ("details", "raw_csv", "as_csv", "as_json"):
        made = table_option(rows[name])
        function = group_option(
            *made.opts, made.name or "", group=made.group, is_flag=True, help=made.help
        )(function)
    return function
