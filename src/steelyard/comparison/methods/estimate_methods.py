"""Points, intervals, ratios and margins: what is estimated rather than tested."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from steelyard.comparison.methods.case import Case, Found, Method, Part, pairs_sheet, systems_sheet
from steelyard.comparison.methods.pair_tests import decide
from steelyard.display.text import show_name
from steelyard.results.shortfalls import shortfall
from steelyard.uncertainty import (
    DIFFERENCE_INTERVALS,
    PAIRED_DIFFERENCE_INTERVALS,
    difference_interval,
    discordant_odds_interval,
    odds_ratio_score_interval,
    paired_difference_interval,
    paired_ratio_interval,
    ratio_interval,
    wilson_interval,
)

__all__ = ["ESTIMATE_METHODS"]

Limits = tuple[float, float | None]
ALONE = "each pair taken alone"


def _rates(case: Case) -> list[tuple[int, int, float]]:
    right, tested = case.rates()
    return [(x, n, x / n) for x, n in zip(right, tested, strict=True)]


def _rates_sheet(case: Case) -> Part:
    return systems_sheet(case, "Rates", ("right", "tested", "rate"), _rates(case))


def _point(case: Case) -> Found:
    rates = [rate for _, _, rate in _rates(case)]
    best = max(rates)
    leaders = [show_name(n) for n, r in zip(case.systems, rates, strict=True) if r == best]
    verb = "has" if len(leaders) == 1 else "share"
    gaps = [(rates[i] - rates[j],) for i, j in case.couples()]
    return Found(
        answer=f"{' and '.join(leaders)} {verb} the highest rate, {best:.4g}; how sure that is, "
        "a point comparison does not say.",
        decision=leaders[0] if len(leaders) == 1 else "undecided",
        parts=(_rates_sheet(case), pairs_sheet(case, "Pairs", ("difference",), gaps)),
    )


def _non_overlap(case: Case) -> Found:
    ends = [wilson_interval(x, n, level=case.level) for x, n, _ in _rates(case)]
    rows = [(*one, *end) for one, end in zip(_rates(case), ends, strict=True)]
    verdicts, ways = [], []
    for i, j in case.couples():
        apart = ends[i][0] > ends[j][1] or ends[j][0] > ends[i][1]
        verdicts.append("different" if apart else "undecided")
        ways.append(ends[i][0] - ends[j][0])
    return Found(
        answer=decide(case, verdicts, ways, by=ALONE),
        decision=verdicts[0] if len(verdicts) == 1 else None,
        parts=(
            systems_sheet(case, "Intervals", ("right", "tested", "rate", "low", "high"), rows),
            pairs_sheet(case, "Pairs", ("verdict",), [(verdict,) for verdict in verdicts]),
        ),
        caveats=(
            "overlapping intervals do not show that systems are alike: the rule is conservative, "
            "and on common items it ignores the pairing",
        ),
    )


def _difference(case: Case, name: str) -> Found:
    level = case.level

    def limits(i: int, j: int) -> Limits:
        if case.outcomes is None:
            samples = case.samples()
            return difference_interval(samples[i], samples[j], level=level, method=name)
        table = case.paired().pair(case.systems[i], case.systems[j])
        cells = (table.both, table.first, table.second, table.neither)
        return paired_difference_interval(*cells, level=level, method=name)

    rates = [rate for _, _, rate in _rates(case)]
    values = [rates[i] - rates[j] for i, j in case.couples()]
    return _intervals(case, "difference", limits, values, null=0.0)


def _ratio(case: Case) -> Found:
    def limits(i: int, j: int) -> Limits:
        if case.outcomes is None:
            samples = case.samples()
            return ratio_interval(samples[i], samples[j], level=case.level)
        table = case.paired().pair(case.systems[i], case.systems[j])
        cells = (table.both, table.first, table.second, table.neither)
        return paired_ratio_interval(*cells, level=case.level)

    rates = [rate for _, _, rate in _rates(case)]
    values = [rates[i] / rates[j] if rates[j] else None for i, j in case.couples()]
    return _intervals(case, "ratio", limits, values, null=1.0)


def _odds_ratio(case: Case) -> Found:
    samples = case.samples()

    def odds(i: int, j: int) -> float | None:
        (x, m), (y, n) = samples[i], samples[j]
        return x * (n - y) / ((m - x) * y) if (m - x) * y else None

    def limits(i: int, j: int) -> Limits:
        return odds_ratio_score_interval(samples[i], samples[j], level=case.level)

    values = [odds(i, j) for i, j in case.couples()]
    return _intervals(case, "odds_ratio", limits, values, null=1.0)


def _discordant_odds(case: Case) -> Found:
    tables = dict(zip(case.couples(), case.paired().pairs().values(), strict=True))

    def limits(i: int, j: int) -> Limits:
        return discordant_odds_interval(tables[i, j].first, tables[i, j].second, level=case.level)

    values = [t.first / t.second if t.second else None for t in tables.values()]
    cells = [(t.first, t.second) for t in tables.values()]
    found = _intervals(case, "odds", limits, values, null=1.0)
    inputs = pairs_sheet(case, "Discordant items", ("only_first", "only_second"), cells)
    return replace(found, parts=(inputs, found.parts[1]))


def _intervals(
    case: Case,
    name: str,
    limits: Callable[[int, int], Limits],
    values: list[float | None] | list[float],
    *,
    null: float,
) -> Found:
    rows, verdicts, ways = [], [], []
    for (i, j), value in zip(case.couples(), values, strict=True):
        low, high = limits(i, j)
        apart = low > null or (high is not None and high < null)
        verdicts.append("different" if apart else "undecided")
        ways.append(low - null if apart else 0.0)
        rows.append((value, low, high, "" if high is not None else "no upper limit", verdicts[-1]))
    heads = (name, "low", "high", "remark", "verdict")
    return Found(
        answer=decide(case, verdicts, ways, by=ALONE),
        decision=verdicts[0] if len(verdicts) == 1 else None,
        parts=(_rates_sheet(case), pairs_sheet(case, "Pairs", heads, rows)),
    )


def _margin_limits(case: Case, i: int, j: int) -> tuple[float, float]:
    """Give the interval whose level leaves alpha on either side, which two one-sided tests use."""
    level = 1 - 2 * case.alpha
    if case.outcomes is None:
        samples = case.samples()
        return difference_interval(samples[i], samples[j], level=level)
    table = case.paired().pair(case.systems[i], case.systems[j])
    cells = (table.both, table.first, table.second, table.neither)
    return paired_difference_interval(*cells, level=level)


def _equivalence(case: Case) -> Found:
    margin = case.margin or 0.0
    rows, same = [], 0
    for i, j in case.couples():
        low, high = _margin_limits(case, i, j)
        near = -margin < low and high < margin
        same += near
        rows.append((low, high, -margin, margin, "same" if near else "undecided"))
    heads = ("low", "high", "margin_low", "margin_high", "verdict")
    return Found(
        answer=f"{same} of {len(rows)} pairs are equivalent within {margin:g}.",
        decision=str(rows[0][-1]) if len(rows) == 1 else None,
        parts=(_rates_sheet(case), pairs_sheet(case, "Two one-sided tests", heads, rows)),
    )


def _non_inferior(case: Case) -> Found:
    margin = case.margin or 0.0
    rows = []
    for i, j in case.couples():
        low, high = _margin_limits(case, i, j)
        said = (
            "not worse" if low > -margin else "undecided",
            "not worse" if high < margin else "undecided",
        )
        rows.append((low, high, *said))
    found = sum("not worse" in row for row in rows)
    heads = ("low", "high", "first_against_second", "second_against_first")
    return Found(
        answer=f"In {found} of {len(rows)} pairs one system is shown not to be worse than the "
        f"other by {margin:g} or more.",
        parts=(_rates_sheet(case), pairs_sheet(case, f"Margin {margin:g}", heads, rows)),
    )


SOURCES = {
    "miettinen-nurminen": "Miettinen & Nurminen (1985), doi:10.1002/sim.4780040211",
    "mee": "Mee (1984), Biometrics 40, 1175-1176",
    "newcombe": (
        "Newcombe (1998), method 10, "
        "doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I"
    ),
    "agresti-caffo": "Agresti & Caffo (2000), doi:10.1080/00031305.2000.10474560",
    "wald": "He & Fu, eq. (3); kept for older work, too short for few items",
    "tango": "Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B",
    "newcombe-paired": (
        "Newcombe (1998), method 10, "
        "doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C"
    ),
    "bonett-price": "Bonett & Price (2012), doi:10.3102/1076998611411915",
}
FORMULAS = {
    "miettinen-nurminen": (
        "|d̂ - d| <= z sqrt(N/(N-1) (p̃1 q̃1/n1 + p̃2 q̃2/n2)), p̃ of largest likelihood given d"
    ),
    "mee": "|d̂ - d| <= z sqrt(p̃1 q̃1/n1 + p̃2 q̃2/n2), p̃ of largest likelihood given d",
    "newcombe": "d̂ - sqrt((p̂1 - l1)² + (u2 - p̂2)²), and its mirror image, with Wilson's limits",
    "agresti-caffo": "d̃ ± z sqrt(p̃1 q̃1/(n1+2) + p̃2 q̃2/(n2+2)), p̃ = (x+1)/(n+2)",
    "wald": "d̂ ± z sqrt(p̂1 q̂1/n1 + p̂2 q̂2/n2)",
    "wald-paired": "d̂ ± z sqrt(((b+c)/n - d̂²)/n), d̂ = (b-c)/n",
    "tango": "|b - c - n d| <= z sqrt(n (2 q̃ + d (1 - d))), q̃ of largest likelihood given d",
    "newcombe-paired": (
        "d̂ - sqrt((p̂1-l1)² - 2φ(p̂1-l1)(u2-p̂2) + (u2-p̂2)²), and its mirror image, with Wilson's "
        "limits; φ = Q/sqrt of the product of the margins, Q = ad - bc less n/2, or 0, if positive"
    ),
    "bonett-price": ("d̃ ± z sqrt((p̃12 + p̃21 - d̃²)/(n+2)), p̃12 = (b+1)/(n+2), p̃21 = (c+1)/(n+2)"),
}
BETTER = {"": "miettinen-nurminen", "-paired": "tango"}
"""What to take instead of Wald's interval, on own items and on common ones."""
INTERVAL_RULE = "different when the interval leaves out {}; each pair taken alone"
FREE = "items are independent of one another"


def _difference_methods() -> list[Method]:
    made = []
    for intervals, need, suffix in (
        (DIFFERENCE_INTERVALS, "own items", ""),
        (PAIRED_DIFFERENCE_INTERVALS, "common items", "-paired"),
    ):
        for name in intervals:
            shown = "wald-difference" + suffix if name == "wald" else name
            made.append(
                Method(
                    name=shown,
                    title=f"interval of the difference, {name}",
                    needs=("common items",) if need == "common items" else ("own items",),
                    formula=FORMULAS[
                        "wald-paired" if shown.endswith("-paired") and name == "wald" else name
                    ],
                    rule=INTERVAL_RULE.format("0"),
                    assumption=FREE,
                    reference=SOURCES[name],
                    page="paired-difference",
                    run=partial(_difference, name=name),
                    falls_short=shortfall("wald-difference", better=BETTER[suffix])
                    if name == "wald"
                    else None,
                )
            )
    return made


ESTIMATE_METHODS = (
    Method(
        name="point",
        title="point comparison",
        needs=("answers",),
        formula="p̂ = right / tested",
        rule="the highest rate leads",
        assumption="none; it says nothing of how sure that is",
        reference="He & Fu, section 1",
        page="paired-difference",
        run=_point,
    ),
    Method(
        name="non-overlap",
        title="intervals that do not overlap",
        needs=("answers",),
        formula="(p̂ + z²/2n ± z sqrt(p̂ q̂/n + z²/4n²))/(1 + z²/n) of each rate",
        rule="different when two intervals do not meet",
        assumption=FREE,
        reference="Schenker & Gentleman (2001), doi:10.1198/000313001317097960",
        page="paired-difference",
        run=_non_overlap,
    ),
    *_difference_methods(),
    Method(
        name="ratio",
        title="ratio of two rates, score interval",
        needs=("answers",),
        formula=(
            "|p̂1 - θ p̂2| <= z sqrt(p̃1 q̃1/n1 + θ² p̃2 q̃2/n2), p̃ of largest likelihood given θ; "
            "on common items z sqrt(θ (p̃12 + p̃21)/n)"
        ),
        rule=INTERVAL_RULE.format("1"),
        assumption=FREE,
        reference="Koopman (1984), doi:10.2307/2531405; on common items Nam & "
        "Blackwelder (2002), doi:10.1002/sim.1017",
        page="ratios",
        run=_ratio,
    ),
    Method(
        name="odds-ratio",
        title="odds ratio of two rates, score interval",
        needs=("own items",),
        formula="|x1 - n1 p̃1| sqrt(1/(n1 p̃1 q̃1) + 1/(n2 p̃2 q̃2)) <= z",
        rule=INTERVAL_RULE.format("1"),
        assumption=FREE,
        reference="Miettinen & Nurminen (1985), doi:10.1002/sim.4780040211",
        page="ratios",
        run=_odds_ratio,
    ),
    Method(
        name="odds-discordant",
        title="odds of the discordant items, exact",
        needs=("common items",),
        formula="q/(1 - q) of Clopper and Pearson's limits of q = b/(b + c)",
        rule=INTERVAL_RULE.format("1"),
        assumption=FREE,
        reference="Breslow & Day (1980), section 5.2",
        page="ratios",
        run=_discordant_odds,
    ),
    Method(
        name="equivalence",
        title="equivalence within a margin, two one-sided tests",
        needs=("answers", "margin"),
        formula="the 1 - 2 alpha interval of the difference",
        rule="same when the interval lies within the margin; each pair taken alone",
        assumption=FREE,
        reference="Schuirmann (1987), doi:10.1007/BF01068419",
        page="equivalence",
        run=_equivalence,
    ),
    Method(
        name="non-inferiority",
        title="not worse than by a margin",
        needs=("answers", "margin"),
        formula="the 1 - 2 alpha interval of the difference",
        rule="not worse when the limit on that side is within the margin; each pair taken alone",
        assumption=FREE,
        reference="Liu et al. (2002), doi:10.1002/sim.1012",
        page="equivalence",
        run=_non_inferior,
    ),
)
