"""Methods made for looking while testing, at any time."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf
from typing import Any, Literal, TypeAlias

from steelyard.comparison.methods.case import (
    Case,
    Found,
    Method,
    Option,
    facts_sheet,
    pairs_sheet,
    sheet,
)
from steelyard.comparison.methods.item_order import (
    ORDER,
    ask_order,
    check_order,
    draw_first,
    order_patterns,
    refuse,
)
from steelyard.comparison.methods.pair_tests import decide
from steelyard.comparison.methods.quantities import Quantity
from steelyard.comparison.sequential.betting import betting_sequence
from steelyard.comparison.sequential.evidence import (
    closed_by_averaging,
    discordant_evidence,
    win_sequence,
)
from steelyard.comparison.sequential.wald import wald_decision, wald_test
from steelyard.comparison.sequential.wald_lead import lead_test
from steelyard.comparison.sequential.wald_msrb import all_pairs_test
from steelyard.comparison.sequential.wald_properties import wald_exact_properties, wald_properties
from steelyard.display.text import show_name
from steelyard.results.shortfalls import shortfall

__all__ = ["SEQUENTIAL_METHODS"]


BETA = Option(default=0.1, meaning="error of missing the alternative")
SMALLEST = Option(default=1.5, meaning="smallest ratio of the discordant shares that matters")
FREE = "items come in random order and are independent"
WHATEVER = "whatever the order of the items: every order of these outcomes ends in the same way"
ON_THE_WAY = "counts are those at the item at which the test ended, not those of all items"
ALWAYS = (
    "the first to lead wins, between equal systems too: the error rate is promised only where "
    "one wins {smallest:g} or more discordant items for each that it loses"
)
End: TypeAlias = tuple[int, int, str]


def _discordant(case: Case) -> list[tuple[int, int]]:
    return [(table.first, table.second) for table in case.paired().pairs().values()]


def _wald(case: Case) -> Found:
    using = case.using
    test = wald_test(
        using["null"], using["alternative"], alpha=case.alpha, beta=using["beta"], ratio="omega"
    )

    def decides(first: int, second: int) -> str:
        return wald_decision(test, pairs=first + second, second_wins=second)

    rows, decisions = [], []
    for first, second, decision in _ends(case, "wald", decides, going_on="continue"):
        decisions.append(decision)
        pairs = first + second
        rows.append(
            (
                pairs,
                second,
                test.keep_intercept + test.slope * pairs,
                test.take_intercept + test.slope * pairs,
                decision,
            )
        )
    bounds: list[tuple[Quantity, float | None]] = [
        ("slope", test.slope),
        ("keep_intercept", test.keep_intercept),
        ("take_intercept", test.take_intercept),
    ]
    for side, omega in (("null", test.null), ("alternative", test.alternative)):
        win, at = omega / (1 + omega), f"at ω = {omega:g}"
        for kind, found in (
            ("Wald", wald_properties(test, win=win)),
            ("exact", wald_exact_properties(test, win=win)),
        ):
            name = f"{side}_{kind.lower()}"
            pairs_there = (f"expected_pairs_{name}", f"E(pairs) {at}, {kind}")
            take_there = (f"p_take_second_{name}", f"P(take second) {at}, {kind}")
            bounds += [(pairs_there, found.expected_pairs), (take_there, found.take)]
    heads = ("discordant", "won_by_second", "keep_at_or_below", "take_at_or_above", "decision")
    said = decisions[0] if len(decisions) == 1 else None
    return Found(
        answer=_sequential_words(case, decisions),
        decision=said,
        parts=(
            pairs_sheet(case, "Where the test stands", heads, rows),
            facts_sheet("The test", bounds),
        ),
        caveats=_order_caveats(case),
    )


Decides: TypeAlias = Callable[[int, int], str]
"""What a test says of items won by the first alone and by the second alone."""


def _ends(case: Case, name: str, decides: Decides, *, going_on: str) -> Iterator[End]:
    """For each pair the discordant items at which its test ended, or all of them, and what it said.

    Without an order the totals decide only where every order would end in the same way.
    """
    if ask_order(case):
        patterns, _ = order_patterns(case)
        for i, j in case.couples():
            yield _walk(patterns, (i, j), decides, going_on)
        return
    for first, second in _discordant(case):
        # The likelihood rises with wins and falls with losses: if one side cannot win with all of
        # its wins first, no order lets it; and where the totals have crossed, every order has.
        possible = {decides(first, 0), decides(0, second), decides(first, second)} - {going_on}
        last = decides(first, second)
        if len(possible) > 1 or (possible and last == going_on):
            raise refuse(name)
        yield first, second, last


def _walk(patterns: Sequence[int], pair: tuple[int, int], decides: Decides, going_on: str) -> End:
    wins = [0, 0]
    for pattern in patterns:
        one, two = pattern >> pair[0] & 1, pattern >> pair[1] & 1
        if one == two:
            continue
        wins[0 if one else 1] += 1
        said = decides(wins[0], wins[1])
        if said != going_on:
            return wins[0], wins[1], said
    return wins[0], wins[1], going_on


def _order_caveats(case: Case) -> tuple[str, ...]:
    if not ask_order(case):
        return (WHATEVER,)
    return (*order_patterns(case)[1], ON_THE_WAY)


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

    def decides(first: int, second: int) -> str:
        if abs(first - second) < test.lead:
            return "undecided"
        return "first" if first > second else "second"

    rows, verdicts, ways = [], [], []
    for first, second, winner in _ends(case, "wald-lead", decides, going_on="undecided"):
        verdict = "undecided" if winner == "undecided" else "different"
        verdicts.append(verdict)
        ways.append(float(first - second))
        rows.append((first, second, first - second, test.lead, verdict))
    heads = ("only_first", "only_second", "lead", "lead_needed", "verdict")
    bounds: list[tuple[Quantity, float | None]] = [
        ("smallest_ratio", test.smallest),
        ("lead_needed", test.lead),
        ("error_at_smallest_ratio", test.error),
    ]
    return Found(
        answer=decide(case, verdicts, ways, by="each pair taken alone"),
        decision=verdicts[0] if len(verdicts) == 1 else None,
        parts=(
            pairs_sheet(case, "Leads", heads, rows),
            facts_sheet("The test", bounds),
        ),
        caveats=(*_order_caveats(case), ALWAYS.format(smallest=test.smallest)),
    )


def _msrb(case: Case, scheme: Literal["A", "B"]) -> Found:
    check_order(case, f"wald-msrb-{scheme.lower()}")
    patterns, caveats = order_patterns(case)
    start = all_pairs_test(
        case.systems,
        smallest=case.using["smallest"],
        alpha=case.alpha,
        beta=case.using["beta"],
        scheme=scheme,
    )
    found = start.run(patterns)
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
        parts=(
            sheet(
                "Pairs",
                ["first", "second"],
                ("won_by_first", "won_by_second", "verdict"),
                rows,
                [case.pair_place(str(first), str(second)) for first, second, *_ in rows],
            ),
            facts_sheet(
                "The procedure",
                [
                    ("items_used", found.items),
                    ("pairs_with_winner", found.stage),
                    ("alpha_now", found.alpha_now),
                ],
            ),
        ),
        caveats=(*caveats, found.caveat),
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
        "only_first",
        "only_second",
        "ln_e",
        "e_different",
        "e_first_better",
        "e_second_better",
        "verdict",
    )
    return Found(
        answer=decide(case, verdicts, ways, by="each pair taken alone, at any time of looking"),
        decision=verdicts[0] if len(verdicts) == 1 else None,
        parts=(pairs_sheet(case, "Evidence", heads, rows),),
    )


def _close(case: Case) -> Found:
    values = [discordant_evidence(*pair).different for pair in _discordant(case)]
    # An E that overflowed to infinity would make every average that it enters infinite.
    adjusted = closed_by_averaging([min(value, 1e300) for value in values])
    ways = [float(first - second) for first, second in _discordant(case)]
    verdicts = ["different" if e >= 1 / case.alpha else "undecided" for e in adjusted]
    rows = list(zip(values, adjusted, verdicts, strict=True))
    return Found(
        answer=decide(case, verdicts, ways, by="closed by averaging e-values, at any time"),
        decision=verdicts[0] if len(verdicts) == 1 else None,
        parts=(pairs_sheet(case, "E-values", ("e", "adjusted_e", "verdict"), rows),),
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
    heads = ("only_first", "only_second", "share_first", "low", "high", "verdict")
    return Found(
        answer=decide(case, verdicts, ways, by="each pair taken alone, at any time of looking"),
        decision=verdicts[0] if len(verdicts) == 1 else None,
        parts=(pairs_sheet(case, "Share of discordant items won", heads, rows),),
    )


def _betting(case: Case) -> Found:
    check_order(case, "betting")
    rows, verdicts, ways = [], [], []
    caveats: tuple[str, ...] = ()
    for pair in case.couples():
        values, caveats = _steps(case, pair)
        look = betting_sequence(values, bounds=(-1.0, 1.0), alpha=case.alpha)[-1]
        verdict = "different" if look.low > 0 or look.high < 0 else "undecided"
        verdicts.append(verdict)
        ways.append(look.mean)
        rows.append((look.seen, look.mean, look.low, look.high, verdict))
    return Found(
        answer=decide(case, verdicts, ways, by="each pair taken alone, at any time of looking"),
        decision=verdicts[0] if len(verdicts) == 1 else None,
        parts=(
            pairs_sheet(
                case, "Difference of rates", ("items", "mean", "low", "high", "verdict"), rows
            ),
        ),
        caveats=caveats,
    )


def _steps(case: Case, pair: tuple[int, int]) -> tuple[list[int], tuple[str, ...]]:
    """Give 1, 0 or -1 for each item, as the first, neither alone or the second had it right."""
    i, j = pair
    if ask_order(case) == "item":
        patterns, caveats = order_patterns(case)
        return [(pattern >> i & 1) - (pattern >> j & 1) for pattern in patterns], caveats
    table = case.paired().pair(case.systems[i], case.systems[j])
    # The order is drawn for the better one, so that it does not matter who is named first.
    lead = 1 if table.first >= table.second else -1
    more, fewer = max(table.first, table.second), min(table.first, table.second)
    return draw_first([(lead, more), (-lead, fewer), (0, table.both + table.neither)], case.rng())


SCHEMES: tuple[Literal["A", "B"], ...] = ("A", "B")
RATIO_OPTIONS = {
    "null": Option(default=1.0, meaning="ω0, at or below which the first is kept"),
    "alternative": Option(default=2.0, meaning="ω1, at or above which the second is taken"),
    "beta": BETA,
    "order": ORDER,
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
            "ln(ω1/ω0), s = ln((1+ω1)/(1+ω0))/D"
        ),
        rule="where a line is reached first; between the lines the test goes on",
        assumption=FREE,
        reference=WALD,
        page="sequential",
        run=_wald,
        falls_short=shortfall("wald-between"),
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
        options={"smallest": SMALLEST, "order": ORDER},
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
            options={"smallest": SMALLEST, "beta": BETA, "order": ORDER},
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
        run=_close,
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
        options={"order": ORDER},
    ),
)
