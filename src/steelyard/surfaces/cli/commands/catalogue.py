"""``steelyard catalogue``."""

import json

import click

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
@click.option("--json", "as_json", is_flag=True, help="Print the entries as JSON.")
def command(names: tuple[str, ...], *, as_json: bool) -> None:
    """Which measures are there, and what do they mean?

    Takes names and synonyms in any case; without a name it lists all measures.

    \b
    steelyard catalogue
    steelyard catalogue sensitivity MCC
    """
    from steelyard.measures import CATALOGUE, catalogue_entry

    asked = [catalogue_entry(name) for name in names]
    if as_json:
        told = [entry.described() for entry in asked or CATALOGUE.values()]
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
    elif asked:
        click.echo("\n\n".join(_told(entry.described()) for entry in asked))
    else:
        click.echo(_listed())


def _told(entry: dict[str, str]) -> str:
    from steelyard.display.text import wrap_sentence

    also = f" (also: {entry['synonyms']})" if entry["synonyms"] else ""
    lines = [f"{entry['name']}{also}"]
    lines += [f"{word}: {entry[word]}" for word in SHOWN if entry[word]]
    return "\n".join(wrap_sentence(line, 80, indent="  ") for line in lines)


def _listed() -> str:
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
