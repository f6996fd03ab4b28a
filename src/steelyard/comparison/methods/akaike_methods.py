"""Akaike's criterion alone: three designs, and tiers."""

from collections.abc import Sequence
from dataclasses import replace

from steelyard.comparison.akaike.criterion import (
    AkaikeComparison,
    akaike_common,
    akaike_incomplete,
    akaike_independent,
)
from steelyard.comparison.akaike.tiers import akaike_tiers
from steelyard.comparison.methods.case import Case, Found, Method, pairs_sheet, sheet, systems_sheet
from steelyard.comparison.methods.pair_tests import decide
from steelyard.comparison.methods.quantities import Quantity
from steelyard.display.text import show_name

__all__ = ["AKAIKE_METHODS"]

OZEKI = (
    "Ozeki, Performance comparison of recognition systems based on the Akaike information criterion"
)
RULE = "different when ΔAIC > 1, same when ΔAIC < -1, else undecided; each pair taken alone"
TOTALS_ERR = (
    "of totals alone this criterion calls equal systems different in up to 36 % of tests with "
    "1,000 items and 92 % with 10,000, since it takes the overlap that most favours a difference; "
    "compare without method= (--method) bounds a test over every overlap and holds its error rate"
)
NO_TEST = (
    "a ΔAIC above 1 is not a test at 5 %: about 8 % of equal systems are called different; compare "
    "without method= (--method) holds 5 %"
)
HEADS = (
    "aic_same",
    "aic_different",
    "aic_difference",
    "bic_difference",
    "weight_same",
    "weight_different",
    "verdict",
)


def _independent(case: Case) -> Found:
    samples = case.samples()
    pairs = [akaike_independent(samples[i], samples[j]) for i, j in case.couples()]
    return _find(
        case,
        pairs,
        [(*samples[i], *samples[j]) for i, j in case.couples()],
        ("right_first", "tested_first", "right_second", "tested_second"),
    )


def _common(case: Case) -> Found:
    tables = list(case.paired().pairs().values())
    pairs = [akaike_common(table) for table in tables]
    cells = [(t.both, t.first, t.second, t.neither) for t in tables]
    return _find(
        case, pairs, cells, ("both", ("only_first", "only 1"), ("only_second", "only 2"), "neither")
    )


def _totals(case: Case) -> Found:
    right, tested = case.rates()
    pairs = [akaike_incomplete(right[i], right[j], tested=tested[0]) for i, j in case.couples()]
    inputs = [(right[i], right[j], tested[0]) for i, j in case.couples()]
    found = _find(case, pairs, inputs, ("right_first", "right_second", "tested"))
    return replace(found, caveats=(TOTALS_ERR,))


def _find(
    case: Case,
    pairs: list[AkaikeComparison],
    inputs: Sequence[tuple[int, ...]],
    heads: tuple[Quantity, ...],
) -> Found:
    right, tested = case.rates()
    rates = [x / n for x, n in zip(right, tested, strict=True)]
    ways = [rates[i] - rates[j] for i, j in case.couples()]
    rows = [
        (
            one.aic_same,
            one.aic_different,
            one.difference,
            one.bic_difference,
            one.weight_same,
            one.weight_different,
            one.verdict,
        )
        for one in pairs
    ]
    verdicts = [one.verdict for one in pairs]
    return Found(
        answer=f"By Akaike's criterion {decide(case, verdicts, ways, by='each pair taken alone')}",
        decision=verdicts[0] if len(verdicts) == 1 else None,
        parts=(
            pairs_sheet(case, "Counts", heads, inputs),
            pairs_sheet(case, "Akaike's criterion", HEADS, rows),
        ),
        caveats=(NO_TEST,),
    )


def _tiers(case: Case) -> Found:
    found = akaike_tiers(case.apart())
    tier = {name: place + 1 for place, names in enumerate(found.tiers) for name in names}
    said = "; ".join(", ".join(show_name(name) for name in names) for names in found.tiers)
    values = [
        (*sample, tier[name], found.rates[tier[name] - 1])
        for name, sample in zip(case.systems, case.samples(), strict=True)
    ]
    partitions = [
        (" | ".join(", ".join(names) for names in one.tiers), one.aic, one.weight)
        for one in found.partitions[:10]
    ]
    places = [f"_grouping_{at + 1}" for at in range(len(partitions))]
    plural = "" if len(found.tiers) == 1 else "s"
    return Found(
        answer=f"The smallest AIC has {len(found.tiers)} tier{plural}: {said}.",
        parts=(
            systems_sheet(case, "Tiers", ("right", "tested", "tier", "tier_rate"), values),
            sheet("Groupings, the best ten", ["grouping"], ("aic", "weight"), partitions, places),
        ),
    )


AKAIKE_METHODS = (
    Method(
        name="akaike-independent",
        title="Akaike's criterion, independent test sets",
        needs=("own items",),
        formula="ΔAIC = AIC(one rate, 1 parameter) - AIC(two rates, 2)",
        rule=RULE,
        assumption="items are independent, each system has items of its own",
        reference=f"{OZEKI}, section 2.3",
        page="akaike",
        run=_independent,
    ),
    Method(
        name="akaike-common",
        title="Akaike's criterion, common items, complete information",
        needs=("common items",),
        formula="ΔAIC = AIC(equal discordant shares, 2 parameters) - AIC(free cells, 3)",
        rule=RULE,
        assumption="items are independent of one another",
        reference=f"{OZEKI}, section 2.4.1",
        page="akaike",
        run=_common,
    ),
    Method(
        name="akaike-totals",
        title="Akaike's criterion, common items, totals alone",
        needs=("totals",),
        formula=(
            "ΔAIC from the largest likelihood summed over every overlap n3 that fits the totals"
        ),
        rule=RULE,
        assumption="items are independent; who was right together is not used",
        reference=f"{OZEKI}, section 2.4.2",
        page="akaike",
        run=_totals,
    ),
    Method(
        name="akaike-tiers",
        title="tiers of equal rate by the smallest AIC",
        needs=("own items",),
        formula="AIC = -2 Σ log L(group) + 2 #groups, over all groupings",
        rule="the grouping of smallest AIC",
        assumption="each system has items of its own",
        reference="Akaike (1974), doi:10.1109/TAC.1974.1100705",
        page="akaike",
        run=_tiers,
    ),
)
