"""Methods made for looking while testing, at any time."""

from functools import partial
from math import inf
from typing import Any, Literal

import numpy as np

from steelyard.comparison.betting import betting_sequence
from steelyard.comparison.evidence import (
    closed_by_averaging,
    discordant_evidence,
    win_sequence,
)
from steelyard.comparison.methods.case import (
    Case,
    Found,
    Method,
    Option,
    pairs_sheet,
    sheet,
)
from steelyard.comparison.methods.pair_tests import decided
from steelyard.comparison.wald import wald_decision, wald_test
from steelyard.comparison.wald_characteristic import wald_properties
from steelyard.comparison.wald_exact import wald_exact_properties
from steelyard.comparison.wald_lead import lead_test
from steelyard.comparison.wald_msrb import all_pairs_test
from steelyard.counts import Outcomes
from steelyard.display.text import show_name

__all__ = ["SEQUENTIAL_METHODS"]

BETA = Option(default=0.1, meaning="error of missing the alternative")
SMALLEST = Option(default=1.5, meaning="smallest ratio of the discordant shares that matters")
FREE = "items come in random order and are independent"
FINISHED = "items have no order here; they are taken in a random one drawn with the seed"


def _discordant(case: Case) -> list[tuple[int, int]]:
    return [(table.first, table.second) for table in case.paired().pairs().values()]


def _wald(case: Case) -> Found:
    using = case.using
    test = wald_test(
        using["null"], using["alternative"], alpha=case.alpha, beta=using["beta"], ratio="omega"
    )
    rows, decisions = [], []
    for first, second in _discordant(case):
        pairs = first + second
        decision = wald_decision(test, pairs=pairs, second_wins=second)
        decisions.append(decision)
        rows.append(
            (
                pairs,
                second,
                test.keep_intercept + test.slope * pairs,
                test.take_intercept + test.slope * pairs,
                decision,
            )
        )
    bounds = [
        ("slope", test.slope),
        ("keep intercept", test.keep_intercept),
        ("take intercept", test.take_intercept),
    ]
    for omega in (test.null, test.alternative):
        win = omega / (1 + omega)
        for kind, found in (
            ("Wald", wald_properties(test, win=win)),
            ("exact", wald_exact_properties(test, win=win)),
        ):
            bounds.append((f"E(pairs) at ω = {omega:g}, {kind}", found.expected_pairs))
            bounds.append((f"P(take second) at ω = {omega:g}, {kind}", found.take))
    heads = ("discordant", "won by the second", "keep at or below", "take at or above", "decision")
    said = decisions[0] if len(decisions) == 1 else None
    return Found(
        answer=_sequential_words(case, decisions),
        decision=said,
        sheets=(
            pairs_sheet(case, "Where the test stands", heads, rows),
            sheet("The test", ["quantity"], ("value",), bounds),
        ),
        caveats=(
            "the decision is that of the last item; a path that crossed before was decided there",
        ),
    )


def _sequential_words(case: Case, decisions: list[Any]) -> str:
    if len(decisions) > 1:
        ended = sum(decision != "continue" for decision in decisions)
        rest = "" if ended == len(decisions) else "; the others would go on"
        return f"{ended} of {len(decisions)} pairs are decided{rest}."
    first, second = (show_name(name) for name in case.systems)
    return {
        "keep first": f"Keep {first}: {second} is not better by the stated ratio.",
        "take second": f"Take {second}: it is better than {first}.",
        "continue": f"Go on testing: nothing is decided between {first} and {second} yet.",
    }[decisions[0]]


def _lead(case: Case) -> Found:
    test = lead_test(case.using["smallest"], alpha=case.alpha)
    rows, verdicts, ways = [], [], []
    for first, second in _discordant(case):
        verdict = "different" if abs(first - second) >= test.lead else "undecided"
        verdicts.append(verdict)
        ways.append(float(first - second))
        rows.append((first, second, first - second, test.lead, verdict))
    heads = ("only 1 right", "only 2 right", "lead", "lead needed", "verdict")
    bounds = [
        ("smallest ratio", test.smallest),
        ("lead needed", test.lead),
        ("error at the smallest ratio", test.error),
    ]
    return Found(
        answer=decided(case, verdicts, ways, by="each pair taken alone"),
        decision=verdicts[0] if len(verdicts) == 1 else None,
        sheets=(
            pairs_sheet(case, "Leads", heads, rows),
            sheet("The test", ["quantity"], ("value",), bounds),
        ),
    )


def _by_merit(outcomes: Outcomes) -> list[int]:
    """List the pattern of every item, sorted so that it does not matter who is named first."""
    right = outcomes.correct()
    places = sorted(range(len(right)), key=lambda place: -right[place])

    def rank(pattern: int) -> int:
        return sum(1 << at for at, place in enumerate(places) if pattern >> place & 1)

    ordered = sorted(outcomes.patterns, key=lambda held: rank(held[0]))
    return [pattern for pattern, rows in ordered for _ in range(rows)]


def _msrb(case: Case, scheme: Literal["A", "B"]) -> Found:
    patterns = _by_merit(case.paired())
    order = case.rng().permutation(len(patterns))
    start = all_pairs_test(
        case.systems,
        smallest=case.using["smallest"],
        alpha=case.alpha,
        beta=case.using["beta"],
        scheme=scheme,
    )
    found = start.run(patterns[at] for at in order)
    rows = [
        (
            case.systems[race.first],
            case.systems[race.second],
            race.first_wins,
            race.second_wins,
            {"first": case.systems[race.first], "second": case.systems[race.second]}.get(
                race.verdict, race.verdict
            ),
        )
        for race in found.races
    ]
    ended = sum(race.verdict != "open" for race in found.races)
    best = "no system is named best" if found.best is None else f"{show_name(found.best)} is best"
    return Found(
        answer=f"After {found.items:,} items {ended} of {len(rows)} pairs are closed; {best}.",
        decision=found.best,
        sheets=(
            sheet(
                "Pairs",
                ["first", "second"],
                ("won by the first", "won by the second", "verdict"),
                rows,
            ),
            sheet(
                "The procedure",
                ["quantity"],
                ("value",),
                [
                    ("items used", found.items),
                    ("pairs with a winner", found.stage),
                    ("alpha of each open pair now", found.alpha_now),
                ],
            ),
        ),
        caveats=(FINISHED, found.caveat),
    )


def _e_process(case: Case) -> Found:
    rows, verdicts, ways = [], [], []
    for first, second in _discordant(case):
        found = discordant_evidence(first, second, prior=case.using["prior"])
        verdict = "different" if found.different >= 1 / case.alpha else "undecided"
        verdicts.append(verdict)
        ways.append(float(first - second))
        values = [found.different, found.first_better, found.second_better]
        rows.append(
            (
                first,
                second,
                found.log_different,
                *(None if value == inf else value for value in values),
                verdict,
            )
        )
    heads = (
        "only 1 right",
        "only 2 right",
        "ln E",
        "E different",
        "E 1 better",
        "E 2 better",
        "verdict",
    )
    return Found(
        answer=decided(case, verdicts, ways, by="each pair taken alone, at any time of looking"),
        decision=verdicts[0] if len(verdicts) == 1 else None,
        sheets=(pairs_sheet(case, "Evidence", heads, rows),),
    )


def _closed(case: Case) -> Found:
    values = [discordant_evidence(*pair).different for pair in _discordant(case)]
    adjusted = closed_by_averaging([min(value, 1e300) for value in values])
    ways = [float(first - second) for first, second in _discordant(case)]
    verdicts = ["different" if e >= 1 / case.alpha else "undecided" for e in adjusted]
    rows = list(zip(values, adjusted, verdicts, strict=True))
    return Found(
        answer=decided(case, verdicts, ways, by="closed by averaging e-values, at any time"),
        decision=verdicts[0] if len(verdicts) == 1 else None,
        sheets=(pairs_sheet(case, "E-values", ("E", "adjusted E", "verdict"), rows),),
    )


def _sequence(case: Case) -> Found:
    rows, verdicts, ways = [], [], []
    for first, second in _discordant(case):
        found = win_sequence(first, second, alpha=case.alpha)
        verdict = "different" if found.low > 0.5 or found.high < 0.5 else "undecided"
        verdicts.append(verdict)
        ways.append(float(first - second))
        share = first / (first + second) if first + second else None
        rows.append((first, second, share, found.low, found.high, verdict))
    heads = ("only 1 right", "only 2 right", "share of the first", "low", "high", "verdict")
    return Found(
        answer=decided(case, verdicts, ways, by="each pair taken alone, at any time of looking"),
        decision=verdicts[0] if len(verdicts) == 1 else None,
        sheets=(pairs_sheet(case, "Share of discordant items won", heads, rows),),
    )


def _betting(case: Case) -> Found:
    rows, verdicts, ways = [], [], []
    for table in case.paired().pairs().values():
        # The order is drawn for the better one, so that it does not matter who is named first.
        lead = 1.0 if table.first >= table.second else -1.0
        more, fewer = max(table.first, table.second), min(table.first, table.second)
        steps = np.repeat([lead, -lead, 0.0], [more, fewer, table.both + table.neither])
        values = case.rng().permutation(steps)
        look = betting_sequence(values, bounds=(-1.0, 1.0), alpha=case.alpha, looks=[values.size])[
            -1
        ]
        verdict = "different" if look.low > 0 or look.high < 0 else "undecided"
        verdicts.append(verdict)
        ways.append(look.mean)
        rows.append((look.seen, look.mean, look.low, look.high, verdict))
    return Found(
        answer=decided(case, verdicts, ways, by="each pair taken alone, at any time of looking"),
        decision=verdicts[0] if len(verdicts) == 1 else None,
        sheets=(
            pairs_sheet(
                case, "Difference of rates", ("items", "mean", "low", "high", "verdict"), rows
            ),
        ),
        caveats=(FINISHED,),
    )


SCHEMES: tuple[Literal["A", "B"], ...] = ("A", "B")
RATIO_OPTIONS = {
    "null": Option(default=1.0, meaning="ω0, at or below which the first is kept"),
    "alternative": Option(default=2.0, meaning="ω1, at or above which the second is taken"),
    "beta": BETA,
}
CATLIN = (
    "Catlin et al. (1999), Naval Research Logistics 46, 357-371; Shaffer (1986), "
    "doi:10.1080/01621459.1986.10478341"
)
WALD = "Wald (1945), doi:10.1214/aoms/1177731118"
ANYTIME = "valid at any time of looking; items are independent"

SEQUENTIAL_METHODS = (
    Method(
        name="wald",
        title="Wald's sequential test on discordant items",
        needs=("common items",),
        formula=(
            "keep 1 if t2 <= ln(β/(1-α))/D + s t, take 2 if t2 >= ln((1-β)/α)/D + s t, D = "
            "ln(ω1/ω0)"
        ),
        rule="where the line is crossed; between the lines the test goes on",
        assumption=FREE,
        reference=WALD,
        page="sequential",
        run=_wald,
        options=RATIO_OPTIONS,
    ),
    Method(
        name="wald-lead",
        title="the symmetric sequential test",
        needs=("common items",),
        formula="M = ceil(ln((1-α)/α)/ln ω*)",
        rule="the first to lead by M discordant items wins",
        assumption=f"{FREE}; the ratio is ω* or more",
        reference=WALD,
        page="sequential",
        run=_lead,
        options={"smallest": SMALLEST},
    ),
    *(
        Method(
            name=f"wald-msrb-{scheme.lower()}",
            title=f"Wald's tests of all pairs, shared error, scheme {scheme}",
            needs=("common items",),
            formula="every open pair at α/t_r after r - 1 winners, t_r of Shaffer",
            rule="a pair is closed when its test ends; "
            + ("all pairs go on" if scheme == "A" else "losers are tested no more"),
            assumption=FREE,
            reference=CATLIN,
            page="sequential",
            run=partial(_msrb, scheme=scheme),
            options={"smallest": SMALLEST, "beta": BETA},
        )
        for scheme in SCHEMES
    ),
    Method(
        name="e-process",
        title="e-process on discordant items",
        needs=("common items",),
        formula="E = 2^(w+l) B(a+w, a+l)/B(a, a)",
        rule="different when E reaches 1/alpha",
        assumption=ANYTIME,
        reference="Ramdas et al. (2023), doi:10.1214/23-STS894",
        page="evidence",
        run=_e_process,
        options={"prior": Option(default=1.0, meaning="a of the Beta(a, a) mixture")},
    ),
    Method(
        name="closed-testing",
        title="e-values of all pairs, closed by averaging",
        needs=("common items",),
        formula="adjusted E_i = min over r of the mean of E_i and the r smallest others",
        rule="different when the adjusted E reaches 1/alpha",
        assumption=ANYTIME,
        reference="Vovk & Wang (2021), doi:10.1214/20-AOS2020",
        page="evidence",
        run=_closed,
    ),
    Method(
        name="confidence-sequence",
        title="confidence sequence of discordant wins",
        needs=("common items",),
        formula="all q with B(a+w, b+l)/(B(a, b) q^w (1-q)^l) < 1/alpha",
        rule="different when ½ is left out",
        assumption=ANYTIME,
        reference="Robbins (1970), doi:10.1214/aoms/1177696786",
        page="evidence",
        run=_sequence,
    ),
    Method(
        name="betting",
        title="betting confidence sequence of the difference",
        needs=("common items",),
        formula="all m against which no bet on d in {-1, 0, 1} has won 1/alpha",
        rule="different when 0 is left out",
        assumption=ANYTIME,
        reference="Waudby-Smith & Ramdas (2024), doi:10.1093/jrsssb/qkad009",
        page="evidence",
        run=_betting,
    ),
)
