"""Markdown about the measures, made from their catalogue and the list of their tests."""

import builtins
import json
import re
from collections import Counter
from inspect import getdoc, getmodule
from pathlib import Path

import steelyard as sy
from steelyard import measures
from steelyard.measures import CATALOGUE, Measure
from steelyard.measures.catalogue.asked import NUMBERS

__all__ = ["coverage_table", "measure_tables"]

ROOT = Path(__file__).parents[1]
EVIDENCE = ROOT / "tests" / "measures" / "evidence.json"
"""For each measure the tests that show its value, its refusals and its coverage."""
NOT_YET = "tests/measures/evidence.json does not say yet"
ROWS = {
    "Confusion": '{"truth": list("aaaabbbbbccc"), "A": list("aaabbbbbaccb")}',
    "order": '{"truth": [1, 2, 3, 3, 2, 1, 1, 2], "A": [1, 2, 3, 2, 2, 1, 2, 2]}',
    "ScoreTable": (
        '{"truth": [1, 1, 1, 1, 0, 0, 0, 0], "A": [0.9, 0.8, 0.3, 0.6, 0.7, 0.2, 0.1, 0.05]}'
    ),
    "VectorScores": (
        '{"truth": list("abca"), "A.a": [0.8, 0.1, 0.2, 0.5], "A.b": [0.1, 0.7, 0.2, 0.3],\n'
        '...         "A.c": [0.1, 0.2, 0.6, 0.2]}'
    ),
}
"""Rows to ask for a measure, by the counts that it is computed from."""
SHARED = Counter(entry.public for entry in CATALOGUE.values())
"""How many measures one function gives: its own example is about one of them only."""


def measure_tables() -> str:
    """Give a table for each family of measures."""
    parts = []
    for family in dict.fromkeys(entry.family for entry in CATALOGUE.values()):
        entries = [entry for entry in CATALOGUE.values() if entry.family == family]
        page = f"../explanation/{entries[0].page}.md"
        lines = [
            f"## {family[0].upper()}{family[1:]}\n\nExplained in [{entries[0].page}]({page}).\n",
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
    needs = f" It also needs {named}." if named else ""
    source = f"a {entry.counts}" if " " in entry.counts else f"a `{entry.counts}`"
    warned = f"**When it misleads.** {entry.misleads or 'See its page.'}"
    return (
        f"### {entry.name}\n\n$$\n{entry.latex}\n$$\n\n"
        f"Computed from {source}.{needs} {warned}\n"
        f"{_example(entry)}"
    )


def _example(entry: Measure) -> str:
    """Take the example out of the docstring, with the imports it needs."""
    function = getattr(measures, entry.public or "-", None)
    doc = getdoc(function) or ""
    if entry.part or SHARED[entry.public] > 1 or ">>>" not in doc:
        return _asked_by_name(entry)
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


def _asked_by_name(entry: Measure) -> str:
    """Show a measure that has no function of its own as everybody asks for it: by its name."""
    typed = ROWS["order" if "order" in entry.needs else entry.counts]
    positive = {"Confusion": "'a'", "ScoreTable": "1"}.get(entry.counts, "")
    named = f", positive={positive}" if positive and "order" not in entry.needs else ""
    if entry.counts == "Confusion" and "of" not in entry.needs:
        named = ""
    numbers = "".join(f" {NUMBERS[need]}" for need in entry.needs if need in NUMBERS)
    call = f'sy.evaluate(rows, measure="{entry.name}{numbers}"{named})'
    known: dict[str, object] = {"sy": sy}
    exec(f"rows = {typed.replace('...', '')}\nfound = {call}", known)
    found = known["found"].systems[0].further[0]  # type: ignore[attr-defined]
    shown = f"round(found.systems[0].further[0].value, 4)\n{round(found.value, 4)}"
    return (
        f"\n```python\n>>> import steelyard as sy\n>>> rows = {typed}\n>>> found = {call}\n"
        f">>> {shown}\n```\n"
    )


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
    interval = "`roc`" if entry.drawn and told["interval"] == "none" else told["interval"]
    return (
        f"| **{entry.name}**{also} | ${formula}$ | {told['range']} | {better} "
        f"| {told['undefined']} | {interval} | {source} |"
    )
