"""Markdown about the measures, made from their catalogue and the list of their tests."""

import builtins
import json
import re
from inspect import getdoc, getmodule
from pathlib import Path

from steelyard import measures
from steelyard.measures import CATALOGUE, Measure

__all__ = ["coverage_table", "measure_tables"]

ROOT = Path(__file__).parents[1]
EVIDENCE = ROOT / "tests" / "measures" / "evidence.json"
"""For each measure the tests that show its value, its refusals and its coverage."""
NOT_YET = "tests/measures/evidence.json does not say yet"


def measure_tables() -> str:
    """Give a table for each family of measures."""
    parts = []
    for family in dict.fromkeys(entry.family for entry in CATALOGUE.values()):
        entries = [entry for entry in CATALOGUE.values() if entry.family == family]
        page = f"../explanation/{entries[0].page}.md"
        lines = [
            f"## {family}\n\nExplained in [{entries[0].page}]({page}).\n",
            "| measure | formula | range | better | undefined when | interval | source |",
            "|---|---|---|---|---|---|---|",
            *(_row(entry) for entry in entries),
        ]
        parts.append("\n".join(lines) + "\n")
        parts += [_single(entry) for entry in entries]
    return "\n".join(parts)


def _single(entry: Measure) -> str:
    """Give one measure its formula, an example that runs, and when it misleads."""
    named = ", ".join(f"`{name}`" for name in entry.needs)
    needs = f" Needs {named} beside the counts." if named else ""
    return (
        f"### {entry.name}\n\n$$\n{entry.latex}\n$$\n\n"
        f"From a `{entry.counts}`.{needs} When it misleads: {entry.misleads or 'see its page.'}\n"
        f"{_example(entry)}"
    )


def _example(entry: Measure) -> str:
    """Take the example out of the docstring, with the imports it needs."""
    function = getattr(measures, entry.public or "-", None)
    doc = getdoc(function) or ""
    if entry.part or ">>>" not in doc:
        return f"\nAn example is on [its page](../explanation/{entry.page}.md).\n"
    lines = doc[doc.index(">>>") :].splitlines()
    kept = [line for line in lines if line.strip()]
    known = "\n".join(kept)
    room = getmodule(function).__name__
    names = sorted(
        {word for word in re.findall(r"[A-Za-z_]\w*", known)}
        & {*dir(getmodule(function))} - {*dir(builtins)}
    )
    imports = f">>> from {room} import {', '.join(names)}\n" if names else ""
    return f"\n```python\n{imports}{known}\n```\n"


def coverage_table() -> str:
    """Give a row for each measure, with a tick where a named test shows what the column says."""
    evidence = json.loads(EVIDENCE.read_text(encoding="utf-8"))
    notes: dict[str, int] = {}
    lines = [
        "| measure | exact | interval | bad input | page | certificate |",
        "|---|---|---|---|---|---|",
    ]
    for name, entry in CATALOGUE.items():
        shown = evidence.get(name, {})
        ticks = {
            "exact": shown.get("exact"),
            "interval": entry.interval != "none",
            "bad input": shown.get("bad input"),
            "page": (ROOT / "docs" / "explanation" / f"{entry.page}.md").exists(),
            "certificate": shown.get("certificate"),
        }
        why = shown.get("why", {})
        cells = [
            "✓" if tick else f"none[^{notes.setdefault(why.get(key, NOT_YET), len(notes) + 1)}]"
            for key, tick in ticks.items()
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    footnotes = [f"[^{number}]: {said}." for said, number in notes.items()]
    return "\n".join([*lines, "", *footnotes]) + "\n"


def _row(entry: Measure) -> str:
    told = entry.described()
    also = f"<br>{told['synonyms']}" if told["synonyms"] else ""
    source = told["source"].replace("<", "&lt;").replace(">", "&gt;")
    formula = entry.latex.replace("|", r"\vert ").strip()
    better = entry.direction.partition(" ")[0]
    return (
        f"| **{entry.name}**{also} | ${formula}$ | {told['range']} | {better} "
        f"| {told['undefined']} | {told['interval']} | {source} |"
    )
