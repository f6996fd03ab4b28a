"""Markdown about the methods of comparison, made from their registry and their tests."""

import json
from pathlib import Path

from steelyard.comparison.methods import METHODS, Method

__all__ = ["method_coverage_table", "method_tables"]

ROOT = Path(__file__).parents[1]
EVIDENCE = ROOT / "tests" / "comparison" / "evidence.json"
"""For each method the tests that show its numbers, its refusals and its error rate."""


def method_tables() -> str:
    """Give a row for each method: what it does, needs, assumes and cites."""
    lines = [
        "| method | what it does | needs | formula | decision | source |",
        "|---|---|---|---|---|---|",
    ]
    lines += [_row(method) for method in METHODS.values()]
    return "\n".join(lines) + "\n"


def method_coverage_table() -> str:
    """Give a row for each method, with a tick where a named test shows what the column says."""
    evidence = json.loads(EVIDENCE.read_text(encoding="utf-8"))
    lines = [
        "| method | exact | interval or decision | bad input | page | certificate |",
        "|---|---|---|---|---|---|",
    ]
    for name, method in METHODS.items():
        shown = evidence.get(name, {})
        page = (ROOT / "docs" / "explanation" / f"{method.page}.md").exists()
        cells = (
            _tick(shown.get("exact")),
            "✓" if method.rule else "describes, decides nothing",
            _tick(shown.get("bad input")),
            "✓" if page else "",
            _tick(shown.get("certificate")),
        )
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _tick(shown: str | None) -> str:
    if shown is None:
        return ""
    return shown.removeprefix("none: ") if shown.startswith("none: ") else "✓"


def _row(method: Method) -> str:
    cells = (method.formula, method.rule, method.reference)
    formula, rule, source = (_safe(text) for text in cells)
    link = f"[{method.name}](../explanation/{method.page}.md)"
    options = "".join(
        f"<br>`{name}`: {option.meaning} ({option.default})"
        for name, option in method.options.items()
    )
    needs = ", ".join(method.needs)
    return f"| {link} | {_safe(method.title)}{options} | {needs} | {formula} | {rule} | {source} |"


def _safe(text: str) -> str:
    return "".join(f"&#{ord(one)};" if one in "&<>|*_" else one for one in text)
