"""What a wheel needs and holds, with the licences, from the metadata of what is installed."""

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

__all__ = ["data_licences", "needed_licences", "optional_licences"]

ROOT = Path(__file__).parents[1]
NAME = re.compile(r"[A-Za-z0-9._-]+")
EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")
TOOLS = {"all", "dev", "docs"}
"""Extras made of others, and for whoever works on Steelyard."""

ELSEWHERE = {"inspect-ai": "MIT"}
"""Licences of what is not installed beside the tests, read from its own metadata."""

SHORT = (
    ("BSD 3-Clause", "BSD-3-Clause"),
    ("MIT License", "MIT"),
    ("Apache Software License", "Apache-2.0"),
    ("Apache License, Version 2.0", "Apache-2.0"),
    ("BSD License", "BSD"),
    ("GNU Lesser General Public License v3", "LGPL-3.0"),
    ("Python Software Foundation", "PSF-2.0"),
    ("Mozilla Public License 2.0", "MPL-2.0"),
)


def needed_licences() -> str:
    """List what `pip install steelyard` brings, directly or not."""
    return _table(_closure(_direct(None)), first=set(_direct(None)))


def optional_licences() -> str:
    """List what each extra brings directly."""
    lines = ["| extra | package | licence |", "|---|---|---|"]
    ours = distribution("steelyard")
    extras = [one for one in ours.metadata.get_all("Provides-Extra") or [] if one not in TOOLS]
    for extra in sorted(extras):
        for name in _direct(extra):
            lines.append(f"| `{extra}` | {name} | {_licence_of(name)} |")
    return "\n".join(lines)


def data_licences() -> str:
    """Take the table of data sets from the page that stands beside them in the wheel."""
    text = (ROOT / "src/steelyard/data/README.md").read_text(encoding="utf-8")
    rows = [line.strip("|").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    lines = ["| file | source | licence note |", "|---|---|---|"]
    lines += [
        f"| {row[0].strip()} | {row[4].strip()} | {row[5].strip().strip('|').strip()} |"
        for row in rows[1:]
    ]
    return "\n".join(lines)


def _direct(extra: str | None) -> list[str]:
    found = []
    for line in distribution("steelyard").requires or []:
        asked = EXTRA.search(line)
        if (asked[1] if asked else None) == extra:
            found.append(_name(line))
    return sorted(set(found))


def _closure(names: list[str]) -> set[str]:
    known: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name in known:
            continue
        known.add(name)
        try:
            needs = distribution(name).requires or []
        except PackageNotFoundError:  # for another system or Python
            known.discard(name)
            continue
        todo += [_name(line) for line in needs if EXTRA.search(line) is None]
    return known


def _table(names: set[str], *, first: set[str]) -> str:
    lines = ["| package | licence | needed |", "|---|---|---|"]
    for name in sorted(names):
        why = "directly" if name in first else "by these"
        lines.append(f"| {name} | {_licence_of(name)} | {why} |")
    return "\n".join(lines)


def _licence_of(name: str) -> str:
    try:
        return _licence(distribution(name))
    except PackageNotFoundError:
        return ELSEWHERE.get(name, "see the package")


def _name(requirement: str) -> str:
    found = NAME.match(requirement)
    assert found is not None
    return found[0].lower().replace("_", "-")


def _licence(found: Distribution) -> str:
    data = found.metadata
    expression = data.get("License-Expression")
    if expression:
        return str(expression)
    named = [
        one.rpartition(" :: ")[2]
        for one in data.get_all("Classifier") or []
        if one.startswith("License :: ") and not one.endswith("OSI Approved")
    ]
    said = ", ".join(named) or str(data.get("License") or "see the package").splitlines()[0]
    return next((short for long, short in SHORT if long in said), said)
