"""The table of accuracy: for each function how many digits are right at the worst arguments."""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from accuracy import CHAPTERS, Judged  # noqa: E402
from accuracy.beside import BESIDE  # noqa: E402
from accuracy.cases import found_path  # noqa: E402

__all__ = ["accuracy_figures", "accuracy_table", "beside_list"]

Found = dict[str, list[float]]

HEAD = (
    "| function | numbers | right digits: median | least | at | against | promised |",
    "|---|---|---|---|---|---|---|",
)


def accuracy_table() -> str:
    """Write a table for each chapter; digits are rounded down, so that a page keeps its bytes."""
    found: Found = json.loads(found_path().read_text(encoding="utf-8"))
    parts = []
    for chapter, judged in CHAPTERS.items():
        rows = [_row(one, found) for one in sorted(judged, key=lambda one: one.name)]
        parts.append("\n".join([f"### {chapter}", "", *HEAD, *rows]))
    return "\n\n".join(parts)


def _row(judged: Judged, found: Found) -> str:
    cases = [(min(found[case.name]), case) for case in judged.cases()]
    ordered = sorted(digits for digits, _ in cases)
    least, worst = min(cases, key=lambda one: one[0])
    shown = ", ".join(str(one) for one in worst.arguments)
    place = shown if len(shown) < 60 else f"{shown[:57]}..."
    numbers = sum(len(found[case.name]) for _, case in cases)
    places = " places" if judged.absolute else ""
    return (
        f"| {judged.name} | {numbers} | {int(ordered[len(ordered) // 2])} "
        f"| {int(least)} | `{place}` | {judged.origin} | {judged.least}{places} |"
    )


def beside_list() -> str:
    """Name what is not judged, by the reason."""
    return "\n".join(
        f"* **{reason[0].upper()}{reason[1:]}**: {', '.join(f'`{name}`' for name in names)}."
        for reason, names in BESIDE.items()
    )


def accuracy_figures() -> str:
    """Say how many numbers were judged, and how many have 12 digits."""
    found: Found = json.loads(found_path().read_text(encoding="utf-8"))
    every = [min(digits) for digits in found.values()]
    numbers = sum(len(digits) for digits in found.values())
    functions = {one.name.split(",")[0] for judged in CHAPTERS.values() for one in judged}
    good = sum(one >= 12 for one in every) / len(every)
    return (
        f"{numbers:,} numbers of {len(functions)} functions, {good:.0%} of the calls with 12 right "
        "digits or more, the others named"
    )
