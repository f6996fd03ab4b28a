"""What all methods share that test every pair: adjustment, verdicts and words."""

from collections.abc import Callable, Sequence
from typing import Any

from steelyard.comparison.methods.case import Case, Found, Part, pairs_sheet
from steelyard.comparison.methods.quantities import Quantity
from steelyard.display.text import show_name
from steelyard.uncertainty import shaffer_static

__all__ = ["decide", "name_pairs", "test_pairs"]

MOST_NAMED = 4


def test_pairs(
    case: Case,
    columns: Sequence[Quantity],
    test: Callable[[int, int], tuple[Sequence[Any], float | None, float]],
    *,
    title: str = "Pairs",
    before: tuple[Part, ...] = (),
    caveats: tuple[str, ...] = (),
) -> Found:
    """Test every pair; ``test`` gives the working, the p-value and the way the difference goes."""
    found = [test(i, j) for i, j in case.couples()]
    # A pair that allows no test is never called different: its p counts as 1 in the adjustment.
    raw = [1.0 if p is None else p for _, p, _ in found]
    adjusted = shaffer_static(raw, systems=len(case.systems))
    verdicts = [
        "different" if p is not None and q <= case.alpha else "undecided"
        for (_, p, _), q in zip(found, adjusted, strict=True)
    ]
    rows = [
        [*values, p, None if p is None else q, verdict]
        for (values, p, _), q, verdict in zip(found, adjusted, verdicts, strict=True)
    ]
    heads = [*columns, "p_value", "adjusted_p", "verdict"]
    if len(found) == 1:
        heads, rows = [*columns, "p_value", "verdict"], [[*rows[0][:-2], rows[0][-1]]]
    ways = [gap for _, _, gap in found]
    lead = {(0, 1): f"{adjusted[0]:.3g}"} if len(found) == 1 else {}
    return Found(
        answer=decide(case, verdicts, ways, p_values=lead),
        decision=verdicts[0] if len(found) == 1 else _count(verdicts),
        parts=(*before, pairs_sheet(case, title, heads, rows)),
        caveats=caveats,
    )


def decide(
    case: Case,
    verdicts: Sequence[str],
    ways: Sequence[float],
    *,
    p_values: dict[tuple[int, int], str] | None = None,
    by: str = "adjusted for all pairs by Shaffer's procedure",
) -> str:
    """Say who is better than whom, and who cannot be told apart."""
    if len(case.systems) == 2:
        first, second = (show_name(name) for name in case.systems)
        known = "" if not p_values else f" (p = {p_values[0, 1]})"
        if verdicts[0] == "same":
            return f"{first} and {second} count as the same{known}."
        if verdicts[0] != "different":
            return f"{first} and {second} cannot be told apart{known}."
        ahead, behind = (first, second) if ways[0] > 0 else (second, first)
        return f"{ahead} is better than {behind}{known}."
    different = sum(verdict == "different" for verdict in verdicts)
    left = ""
    for kind, words in (("same", "counted as the same"), ("undecided", "not told apart")):
        pairs = [
            pair for pair, verdict in zip(case.couples(), verdicts, strict=True) if verdict == kind
        ]
        left += f"; {words}: {name_pairs(case, pairs)}" if pairs else ""
    return f"{different} of {len(verdicts)} pairs are told apart, {by}{left}."


def name_pairs(case: Case, pairs: Sequence[tuple[int, int]]) -> str:
    """Name a few pairs and count the rest."""
    shown = [
        f"{show_name(case.systems[i])} and {show_name(case.systems[j])}"
        for i, j in pairs[:MOST_NAMED]
    ]
    more = len(pairs) - MOST_NAMED
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _count(verdicts: Sequence[str]) -> str:
    kinds = [kind for kind in ("different", "same", "undecided") if kind in verdicts]
    return ", ".join(f"{sum(v == kind for v in verdicts)} {kind}" for kind in kinds)
