"""Battles of two models at a time (Chatbot Arena, MT-bench): refused, with the counts of a pair."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from shlex import quote
from typing import Any

from steelyard.errors import FileUnreadable, counted, printable
from steelyard.sources.files.formats import open_bytes
from steelyard.sources.logs.json_text import read_lines
from steelyard.sources.logs.log_format import Head, Log, LogFormat

__all__ = ["FORMATS"]

ARENA, JUDGED = ("model_a", "model_b", "winner"), ("model_1", "model_2", "g1_winner")
MARKS = set(",=' ")
"""Characters that a name cannot have where counts are typed."""


def _tells(head: Head) -> bool:
    keys = head.keys
    if not keys:
        first = head.start.partition(b"\n")[0].decode("utf-8-sig", "replace")
        keys = frozenset(cell.strip().strip('"') for cell in first.split(","))
    return {*ARENA} <= keys or {*JUDGED} <= keys


def _battles(path: Path, name: str) -> Iterator[Mapping[str, Any]]:
    with open_bytes(path) as file:
        first = file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if first in {b"[", b"{"}:
        yield from read_lines(path, name)
        return
    with open_bytes(path) as file:
        text = file.read().decode("utf-8-sig", "replace")
    yield from csv.DictReader(io.StringIO(text, newline=""))


def _outcome(one: Mapping[str, Any]) -> tuple[str, str, str]:
    """Give both models, in the order of their names, and who won: one, two, both or neither."""
    if "winner" in one:
        models = str(one.get("model_a")), str(one.get("model_b"))
        won = {"model_a": 0, "model_b": 1}.get(str(one.get("winner")))
        tie = "neither" if "bad" in str(one.get("winner")) else "both"
    else:  # MT-bench asks twice, with the answers changed round, and both times have to agree
        models = str(one.get("model_1")), str(one.get("model_2"))
        twice = {one.get("g1_winner"), one.get("g2_winner", one.get("g1_winner"))}
        won = {"model_1": 0, "model_2": 1}.get(str(*twice)) if len(twice) == 1 else None
        tie = "both"
    first, second = sorted(models)
    return first, second, tie if won is None else models[won]


def _refuse(path: Path, name: str) -> Log:
    """Refuse battles, whose models met on items of their own, and count the pair that met most."""
    found = Counter(_outcome(one) for one in _battles(path, name))
    pairs: Counter[tuple[str, str]] = Counter()
    for (first, second, _), times in found.items():
        pairs[first, second] += times
    ((one, two), met) = pairs.most_common(1)[0]
    wins = [found[one, two, who] for who in (one, two, "both", "neither")]
    names = ["".join("-" if mark in MARKS else mark for mark in model) for model in (one, two)]
    typed = f"{names[0]}={wins[0]},{names[1]}={wins[1]},both={wins[2]},neither={wins[3]}"
    said = (
        f"{counted(sum(found.values()), 'battle')} of {counted(len({*sum(pairs, ())}), 'model')}, "
        "each of which met others on prompts of its own, so that they have no items in common."
    )
    fix = (
        f"Two models are compared by the battles they fought with each other, a tie as both. "
        f"{printable(one)} and {printable(two)} met {met:,} times: "
        f"steelyard compare --paired {quote(printable(typed))}"
    )
    raise FileUnreadable.for_file(name, said, fix=fix, code="battles")


FORMATS = (
    LogFormat(
        name="battles of two models (Arena, MT-bench)",
        tells=_tells,
        read=_refuse,
        item="none: refused, with the counts of the pair that met most",
        repeats="none",
        traps="models that met on prompts of their own",
        provenance="unverified",
    ),
)
