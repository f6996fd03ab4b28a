"""The table of promises: what tests each of them, and the figures of its last run."""

import ast
import csv
import json
import re
import sys
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from certificates import CERTIFICATES, FAMILIES  # noqa: E402
from certificates.keeping import kept, kept_found  # noqa: E402

__all__ = [
    "certificate_figures",
    "honest_lines",
    "load_line",
    "load_table",
    "promise_figures",
    "tests_in",
]

TESTS = ROOT / "tests"


def tests_in(*paths: str) -> str:
    """Count the tests in test files or folders: functions whose name is the sentence they prove."""
    files = [one for path in paths for one in _files(TESTS / path)]
    trees = [ast.parse(one.read_text(encoding="utf-8")) for one in files]
    names = [
        node.name
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    return f"{len(names)} tests"


def _files(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(path.rglob("test_*.py"))


def certificate_figures() -> str:
    """Say how many certificates there are, and on how many draws they stand."""
    found = [kept_found(one) for family in FAMILIES for one in kept(family).values()]
    exact = sum(one.hits is None for one in found)
    draws = sum(one.draws for one in found)
    short = sum(one.falls_short is not None for one in CERTIFICATES.values())
    searched = sum(one.cell is not None for one in found)
    return (
        f"{len(found)} certificates, {searched} of them in the worst cell that a search of a "
        f"declared space found, {exact} summed exactly, the others from {draws / 1e6:.1f} "
        f"million seeded draws; {short} known to fall short, each told where it is chosen"
    )


def promise_figures() -> dict[str, str]:
    """Give the figures of every promise, read off the tests and what they keep."""
    corpus = (TESTS / "faults" / "corpus.py").read_text(encoding="utf-8")
    crashes = (TESTS / "campaigns" / "test_crashes.py").read_text(encoding="utf-8")
    long_kills, kills = re.findall(r"KILLS = (\d+) if .* else (\d+)", crashes)[0]
    return {
        "inputs": f"{len(re.findall(r'^    Bad', corpus, re.MULTILINE))} bad inputs",
        "golden": f"{_golden():,} numbers of others",
        "certificates": certificate_figures(),
        "kills": f"{kills} kills in each run and {long_kills} in the long one, on each database "
        "(last long run: 2026-11-15, nothing lost, nothing doubled; SQLite 44 s, PostgreSQL 54 s)",
    }


def _load() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        (ROOT / "benchmarks" / "load.json").read_text(encoding="utf-8")
    )
    return found


def load_line() -> str:
    """Say what many clients found."""
    found = _load()
    seen = found["memory_mib"]
    return (
        f"{found['clients']} clients for {found['seconds']:.0f} s and {found['requests']:,} more "
        f"requests: {found['failed']} failed, {found['kept']:,} of {found['sent']:,} results kept; "
        f"memory {median(seen[:3]):.0f} MiB in the first three tenths, "
        f"{median(seen[-3:]):.0f} in the last"
    )


def load_table() -> str:
    """Give the times of each kind of request in milliseconds."""
    found = _load()
    lines = ["| request | number | p50, ms | p95 | p99 | slowest |", "|---|---|---|---|---|---|"]
    for one in found["rows"]:
        times = " | ".join(f"{one[name]:,.0f}" for name in ("p50", "p95", "p99", "max"))
        lines.append(f"| {one['request']} | {one['count']} | {times} |")
    return "\n".join([*lines, "", f"Measured on: {found['machine']}."])


def _golden() -> int:
    count = 0
    for path in sorted((TESTS / "golden").iterdir()):
        if path.suffix == ".json":
            count += _numbers(json.loads(path.read_text(encoding="utf-8")))
        elif path.suffix == ".csv":
            with path.open(encoding="utf-8", newline="") as file:
                count += sum(_is_number(cell) for row in csv.reader(file) for cell in row)
    return count


def _numbers(value: object) -> int:
    if isinstance(value, dict):
        return sum(_numbers(one) for one in value.values())
    if isinstance(value, list):
        return sum(_numbers(one) for one in value)
    return int(isinstance(value, (int, float)) and not isinstance(value, bool))


def _is_number(cell: str) -> bool:
    return bool(re.fullmatch(r"-?\d+(\.\d+)?", cell.strip()))


def honest_lines() -> str:
    """List every claim that does not hold, with what was found and what to take instead."""
    lines = ["| what | claimed | found | instead |", "|---|---|---|---|"]
    for name, one in CERTIFICATES.items():
        if one.falls_short:
            share = kept_found(kept(one.family)[name]).share
            link = f"[{name}]({one.page}.md)"
            lines.append(f"| {link}: {one.setting} | {one.claim} | {share:.3f} | {one.note} |")
    return "\n".join(lines)
