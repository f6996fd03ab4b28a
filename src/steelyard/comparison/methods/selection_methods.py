"""Methods that select the best, or a subset that contains it."""

from steelyard.comparison.methods.case import (
    Case,
    Found,
    Method,
    Option,
    facts_sheet,
    systems_sheet,
)
from steelyard.comparison.selection import least_favourable, smallest_lead, subset_with_best
from steelyard.display.text import join_names, show_name
from steelyard.errors import NotComparable

__all__ = ["SELECTION_METHODS"]

SOBEL = "Sobel & Huyett (1957), doi:10.1002/j.1538-7305.1957.tb02411.x"


def _select(case: Case) -> Found:
    tested = case.apart().tested
    if len(set(tested)) > 1:
        message = (
            f"Selection by the most right answers needs equal test sets; these hold {tested} "
            "items. Use the method posterior-best, which weighs unequal ones."
        )
        raise NotComparable(message, code="unequal-tests")
    size, number = tested[0], len(case.systems)
    lead = smallest_lead(size, number, confidence=case.level)
    asked = case.using["lead"] or lead
    worst = least_favourable(size, number, lead=asked)
    right = case.apart().correct
    chosen = [name for name, x in zip(case.systems, right, strict=True) if x == max(right)]
    return Found(
        answer=(
            f"Select {join_names([show_name(name) for name in chosen])}: with {size:,} items each, "
            f"the best of {number} is selected with probability {case.level:g} whenever it leads "
            f"by {lead:.3g} or more."
        ),
        decision=chosen[0] if len(chosen) == 1 else "drawn by lot",
        parts=(
            systems_sheet(
                case, "Counts", ("right", "tested"), list(zip(right, tested, strict=True))
            ),
            facts_sheet(
                "Selection",
                [
                    ("smallest_lead", lead),
                    ("lead_asked", asked),
                    ("least_favourable_rate", worst.best_rate),
                    ("p_correct_selection", worst.probability),
                ],
            ),
        ),
    )


def _subset(case: Case) -> Found:
    found = subset_with_best(case.apart(), confidence=case.level)
    kept = [show_name(name) for name in found.systems]
    rows = [
        (x, n, "kept" if name in found.systems else "left out")
        for name, x, n in zip(case.systems, case.apart().correct, case.apart().tested, strict=True)
    ]
    return Found(
        answer=(
            f"The best is among {join_names(kept)} with confidence {case.level:g}, whatever "
            f"the rates."
        ),
        decision=", ".join(found.systems),
        parts=(
            systems_sheet(case, "Subset", ("right", "tested", "decision"), rows),
            facts_sheet(
                "The rule",
                [
                    ("allowance", found.allowance),
                    ("guarantee", found.guarantee),
                ],
            ),
        ),
    )


SELECTION_METHODS = (
    Method(
        name="selection",
        title="select the most right answers",
        needs=("own items",),
        formula="PCS(n, k, δ, p) = Σ_j b(j; n, p) Σ_i C(k-1, i) b^i B^(k-1-i)/(i+1)",
        rule="the system with most right answers, ties by lot",
        assumption="equal numbers of items",
        reference=SOBEL,
        page="selection",
        run=_select,
        options={
            "lead": Option(default=0.0, meaning="lead to ask about; what is resolved unless given")
        },
    ),
    Method(
        name="subset",
        title="subset that contains the best",
        needs=("own items",),
        formula="keep every system with x >= max x - d",
        rule="d is the smallest that guarantees the level",
        assumption="equal numbers of items",
        reference="Gupta & Sobel (1960); Gupta (1965), doi:10.1080/00401706.1965.10490251",
        page="selection",
        run=_subset,
    ),
)
