"""The table of accuracy: for each function how many digits are right at the worst arguments."""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from accuracy import CASES  # noqa: E402
from accuracy.cases import LEAST, found_path  # noqa: E402

__all__ = ["accuracy_figures", "accuracy_table"]


def _found() -> dict[str, list[tuple[float, str, str, int]]]:
    """Right digits of every case, by function."""
    told = json.loads(found_path().read_text(encoding="utf-8"))
    found: dict[str, list[tuple[float, str, str, int]]] = {}
    for case in CASES:
        digits = told[case.name]
        shown = ", ".join(str(one) for one in case.arguments)
        found.setdefault(case.function, []).append((min(digits), shown, case.origin, len(digits)))
    return found


def accuracy_table() -> str:
    """Write a row for each function; digits are rounded down, so that a page keeps its bytes."""
    lines = [
        "| function | numbers | right digits: median | least | at | against | promised |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, cases in _found().items():
        ordered = sorted(one[0] for one in cases)
        worst = min(cases)
        place = worst[1] if len(worst[1]) < 60 else f"{worst[1][:57]}..."
        lines.append(
            f"| {name} | {sum(one[3] for one in cases)} | {int(ordered[len(ordered) // 2])} "
            f"| {int(worst[0])} | `{place}` | {worst[2]} | {LEAST[name]} |"
        )
    return "\n".join(lines)


def accuracy_figures() -> str:
    """Say how many numbers were judged, and the digits of the worst."""
    found = _found()
    numbers = sum(one[3] for cases in found.values() for one in cases)
    every = sorted(one[0] for cases in found.values() for one in cases)
    good = sum(one >= 12 for one in every) / len(every)
    return (
        f"{numbers:,} numbers of {len(found)} functions, {good:.0%} of the calls with 12 right "
        "digits or more, the others named"
    )
