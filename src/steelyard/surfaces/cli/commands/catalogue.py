"""``steelyard catalogue``."""

import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from steelyard.plugins import Plugin

__all__ = ["command"]

SHOWN = (
    "formula",
    "range",
    "direction",
    "counts",
    "needs",
    "undefined",
    "interval",
    "misleads",
    "source",
)


@click.command("catalogue", short_help="Which measures are there, and what do they mean?")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--plugins", is_flag=True, help="List what other packages add, and from where.")
@click.option("--json", "as_json", is_flag=True, help="Print the entries as JSON.")
def command(names: tuple[str, ...], *, plugins: bool, as_json: bool) -> None:
    """Which measures are there, and what do they mean?

    Takes names and synonyms in any case; without a name it lists all measures.

    \b
    steelyard catalogue
    steelyard catalogue sensitivity MCC
    steelyard catalogue --plugins
    """
    if plugins:
        _show_plugins(names, as_json=as_json)
        return
    from steelyard.measures import CATALOGUE, catalogue_entry
    from steelyard.measures.catalogue.listing import add_plugins

    asked = [catalogue_entry(name) for name in names]
    if not names:
        add_plugins()
    if as_json:
        told = [entry.described() for entry in asked or CATALOGUE.values()]
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
    elif asked:
        click.echo("\n\n".join(_tell(entry.described()) for entry in asked))
    else:
        click.echo(_list())


def _show_plugins(names: tuple[str, ...], *, as_json: bool) -> None:
    from steelyard.display.tables import Column, Table
    from steelyard.display.text import wrap_sentence
    from steelyard.errors import RequestError
    from steelyard.plugins import GROUPS, find_plugins, refuse_plugin

    if names:
        message = f"--plugins lists all of them, and {names[0]!r} was named. Leave one of them out."
        raise RequestError(message)
    rows = [
        {
            "kind": kind,
            "name": one.name,
            "package": one.owner,
            "object": one.where,
            "left out": refuse_plugin(one, _kind_of(kind)) or _explain_loss(kind, one),
        }
        for kind in GROUPS
        for one in find_plugins(kind)
    ]
    if as_json:
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    elif not rows:
        kinds = ", ".join(f"steelyard.{kind}" for kind in GROUPS)
        click.echo(f"No plug-in is installed. Packages add them by entry points: {kinds}.")
    else:
        heads = tuple(Column(name=name) for name in ("kind", "name", "package", "object"))
        cells = tuple(tuple(row[head.name] for head in heads) for row in rows)
        click.echo(Table(title="plug-ins", columns=heads, rows=cells).text(80))
        for row in rows:
            if row["left out"]:
                click.echo(wrap_sentence(f"{row['name']} is left out: {row['left out']}", 80))


def _explain_loss(kind: str, plugin: "Plugin") -> str:
    """Say what of a plug-in that can be loaded is left out all the same."""
    from steelyard.measures import Measure
    from steelyard.measures.catalogue.listing import add_plugins, refuse_measure
    from steelyard.plugins import find_plugins, load_all
    from steelyard.suites.algorithms import BUILT_IN

    if kind == "algorithms":
        first = next(one for one in find_plugins("algorithms") if one.name == plugin.name)
        taken = plugin.name in BUILT_IN or first != plugin
        return f"the name {plugin.name!r} is taken" if taken else ""
    if kind != "measures":
        return ""
    add_plugins()
    own = [measure for measure, owner in load_all("measures", Measure) if owner == plugin]
    reasons = {one.name: why for one in own if (why := refuse_measure(one))}
    only = "only " if len(reasons) < len(own) else ""
    return only + "; ".join(f"{name!r}: {why}" for name, why in reasons.items()) if reasons else ""


def _kind_of(kind: str) -> type:
    from collections.abc import Callable

    from steelyard.measures import Measure
    from steelyard.sources.files.other_tables import TableFormat
    from steelyard.sources.logs import LogFormat

    wanted: dict[str, type] = {
        "logs": LogFormat,
        "tables": TableFormat,
        "measures": Measure,
        "algorithms": Callable,  # type: ignore[dict-item]
    }
    return wanted[kind]


def _tell(entry: dict[str, str]) -> str:
    from steelyard.display.text import wrap_sentence

    also = f" (also: {entry['synonyms']})" if entry["synonyms"] else ""
    lines = [f"{entry['name']}{also}"]
    lines += [f"{word}: {entry[word]}" for word in SHOWN if entry[word]]
    return "\n".join(wrap_sentence(line, 80, indent="  ") for line in lines)


def _list() -> str:
    from steelyard.display.tables import Column, Table
    from steelyard.measures import CATALOGUE

    tables = []
    for family in dict.fromkeys(entry.family for entry in CATALOGUE.values()):
        rows = [
            (
                entry.name,
                entry.described()["range"],
                entry.direction.partition(" ")[0],
                entry.synonyms[0] if entry.synonyms else None,
            )
            for entry in CATALOGUE.values()
            if entry.family == family
        ]
        columns = ("measure", "range", "better", "also called")
        heads = tuple(Column(name=name, whole=name == "measure") for name in columns)
        tables.append(Table(title=family, columns=heads, rows=tuple(rows)).text(80))
    return "\n\n".join([*tables, "One of them: steelyard catalogue MCC"])
