"""Tests of right and wrong answers, on common items and on items of their own."""

from dataclasses import replace
from functools import partial

from steelyard.comparison.exact.clustered import clustered_mcnemar, stratified_mcnemar
from steelyard.comparison.exact.independent import k_sample_chi_square, score_test
from steelyard.comparison.exact.many_to_one import compare_with_best, compare_with_control
from steelyard.comparison.exact.paired import cochran_q, mcnemar
from steelyard.comparison.exact.unconditional import (
    fisher_exact,
    too_many_tables,
    unconditional_exact,
)
from steelyard.comparison.methods.case import (
    Case,
    Found,
    Method,
    Option,
    facts_sheet,
    sheet,
    systems_sheet,
)
from steelyard.comparison.methods.pair_tests import name_pairs, test_pairs
from steelyard.comparison.methods.quantities import Quantity
from steelyard.display.text import join_names, show_name
from steelyard.errors import RequestError
from steelyard.results.shortfalls import shortfall

__all__ = ["ANSWER_TESTS"]

ADJUSTED = "different when the p-value, Shaffer-adjusted for all pairs, is at most alpha"
FREE = "items are independent of one another"
OWN = "items are independent, each system has items of its own"
CELLS = ("both", "only_first", "only_second", "neither")


def _mcnemar(case: Case, method: str) -> Found:
    def test(i: int, j: int) -> tuple[list[object], float, float]:
        table = case.paired().pair(case.systems[i], case.systems[j])
        found = mcnemar(table, method=method)  # type: ignore[arg-type]
        values: list[object] = [
            table.both,
            table.first,
            table.second,
            table.neither,
            found.statistic,
        ]
        return values, found.p_value, table.first - table.second

    return test_pairs(case, (*CELLS, "chi_square"), test)


def _test_strata(case: Case) -> Found:
    groups = case.groups
    if groups is None:
        message = "Stratified McNemar needs a column that names the stratum of each item."
        raise RequestError(message)

    def test(i: int, j: int) -> tuple[list[object], float, float]:
        names = case.systems[i], case.systems[j]
        tables = [part.pair(*names) for _, part in groups]
        found = stratified_mcnemar(tables)
        alike = None if found.agreement is None else found.agreement.p_value
        first, second = (sum(getattr(t, side) for t in tables) for side in ("first", "second"))
        return [found.strata, first, second, found.ratio, alike], found.test.p_value, first - second

    heads = ("strata", "only_first", "only_second", "common_odds", "p_unlike_strata")
    return test_pairs(case, heads, test)


def _test_clusters(case: Case, method: str) -> Found:
    clusters = case.clusters
    if clusters is None:
        message = "Clustered McNemar needs a column that names the cluster of each item."
        raise RequestError(message)

    def test(i: int, j: int) -> tuple[list[object], float, float]:
        names = case.systems[i], case.systems[j]
        found = clustered_mcnemar([part.pair(*names) for _, part in clusters], method=method)  # type: ignore[arg-type]
        values: list[object] = [
            found.clusters,
            found.informative,
            found.difference,
            found.statistic,
        ]
        return values, found.p_value, found.difference

    return test_pairs(case, ("clusters", "informative", "difference", "statistic"), test)


def _cochran(case: Case) -> Found:
    found = cochran_q(case.paired())
    right, tested = case.rates()
    return _omnibus(
        case,
        statistic=found.statistic,
        degrees=found.degrees_of_freedom,
        p_value=found.p_value,
        counts=list(zip(right, tested, strict=True)),
        name="q",
    )


def _k_sample(case: Case) -> Found:
    found = k_sample_chi_square(case.samples())
    caveats: tuple[str, ...] = ()
    if found.smallest_expected < 5:
        caveats = (
            f"an expected count is {found.smallest_expected:.2g}, below 5: χ² is rough here",
        )
    answer = _omnibus(
        case,
        statistic=found.statistic,
        degrees=found.degrees_of_freedom,
        p_value=found.p_value,
        counts=case.samples(),
        name="chi_square",
    )
    return replace(answer, caveats=caveats)


def _omnibus(
    case: Case,
    *,
    statistic: float | None,
    degrees: int,
    p_value: float,
    counts: list[tuple[int, int]],
    name: str,
) -> Found:
    shown = f"(p = {p_value:.3g})"
    different = p_value <= case.alpha
    answer = "do not all have the same rate" if different else "may all have the same rate"
    rows: list[tuple[Quantity, float | None]] = [
        (name, statistic),
        ("degrees_of_freedom", degrees),
        ("p_value", p_value),
    ]
    return Found(
        answer=f"The {len(case.systems)} systems {answer} {shown}.",
        decision="different" if different else "undecided",
        parts=(
            systems_sheet(case, "Counts", ("right", "tested"), counts),
            facts_sheet("Test", rows),
        ),
    )


def _two_samples(case: Case, name: str) -> Found:
    samples = case.samples()

    def test(i: int, j: int) -> tuple[list[object], float, float]:
        first, second = samples[i], samples[j]
        gap = first[0] / first[1] - second[0] / second[1]
        values: list[object] = [*first, *second, gap]
        if name == "fisher":
            return [*values, None], fisher_exact(first, second).p_value, gap
        if name == "score":
            scored = score_test(first, second)
            return [*values, scored.statistic], scored.p_value, gap
        if too_many_tables(first, second):
            stood_in.append((i, j))
            return [*values, None], fisher_exact(first, second).p_value, gap
        found = unconditional_exact(first, second, order=name)  # type: ignore[arg-type]
        return [*values, found.rate], found.p_value, gap

    stood_in: list[tuple[int, int]] = []
    extra = {"score": "z", "fisher": "statistic"}.get(name, "rate_of_largest_p")
    heads = ("right_first", "tested_first", "right_second", "tested_second", "difference", extra)
    found = test_pairs(case, heads, test)
    if not stood_in:
        return found
    caveat = (
        f"{name_pairs(case, stood_in)} have too many tables to order one by one: Fisher's exact "
        "test, whose p-value is never below Boschloo's, is used instead"
    )
    return replace(found, caveats=(*found.caveats, caveat))


def _control(case: Case) -> Found:
    control = case.using["control"] or case.systems[0]
    if control not in case.systems:
        raise RequestError.for_choice(name="control", given=control, choices=list(case.systems))
    found = compare_with_control(case.answers(), control, sparse="exact")
    better = [
        show_name(one.system) for one in found if one.adjusted <= case.alpha and one.difference > 0
    ]
    worse = [
        show_name(one.system) for one in found if one.adjusted <= case.alpha and one.difference < 0
    ]
    rows = [
        (
            one.system,
            one.control,
            one.difference,
            one.p_value,
            one.adjusted,
            "different" if one.adjusted <= case.alpha else "undecided",
        )
        for one in found
    ]
    said = [
        f"{join_names(better)} better" if better else "",
        f"{join_names(worse)} worse" if worse else "",
    ]
    told = " and ".join(part for part in said if part) or "no system is told apart from it"
    heads = ("difference", "p_value", "adjusted_p", "verdict")
    places = [case.pair_place(one.system, one.control) for one in found]
    return Found(
        answer=f"Against the control {show_name(control)}: {told}.",
        parts=(sheet("Against the control", ["system", "second"], heads, rows, places),),
    )


def _with_best(case: Case) -> Found:
    found = compare_with_best(case.answers(), level=case.level, sparse="exact")
    may = [show_name(one.system) for one in found if one.may_be_best]
    rows = [
        (one.low, one.high, "may be best" if one.may_be_best else "not the best") for one in found
    ]
    only = "is the best" if len(may) == 1 else "may be the best"
    return Found(
        answer=f"{join_names(may)} {only}; all limits hold together at {case.level:g}.",
        decision=may[0] if len(may) == 1 else "undecided",
        parts=(
            systems_sheet(
                case, "Rate minus the best of the others", ("low", "high", "decision"), rows
            ),
        ),
    )


ANSWER_TESTS = (
    Method(
        name="mcnemar-midp",
        title="McNemar's test, mid-p",
        needs=("common items",),
        formula=(
            "p = 2 P(X < min(b, c)) + P(X = min(b, c)), X ~ Binomial(b + c, ½); "
            "p = 1 - P(X = b)/2 where b = c"
        ),
        rule=ADJUSTED,
        assumption=FREE,
        reference="Fagerland, Lydersen & Laake (2013), doi:10.1186/1471-2288-13-91",
        page="paired-difference",
        run=partial(_mcnemar, method="mid-p"),
        falls_short=shortfall("mcnemar-midp"),
    ),
    Method(
        name="mcnemar-exact",
        title="McNemar's test, exact",
        needs=("common items",),
        formula="p = 2 P(X <= min(b, c)), X ~ Binomial(b + c, ½), at most 1",
        rule=ADJUSTED,
        assumption=FREE,
        reference="McNemar (1947), doi:10.1007/BF02295996",
        page="paired-difference",
        run=partial(_mcnemar, method="exact"),
    ),
    Method(
        name="mcnemar-asymptotic",
        title="McNemar's test, chi-square",
        needs=("common items",),
        formula="χ² = (b - c)²/(b + c) with 1 degree of freedom",
        rule=ADJUSTED,
        assumption=f"{FREE}; b + c is not small",
        reference="McNemar (1947), doi:10.1007/BF02295996",
        page="paired-difference",
        run=partial(_mcnemar, method="asymptotic"),
        falls_short=shortfall("mcnemar-asymptotic"),
    ),
    Method(
        name="mcnemar-stratified",
        title="McNemar's test over strata",
        needs=("common items", "data sets"),
        formula=(
            "mid-p of b = Σ b_s and c = Σ c_s as for one table; beside it χ² of the shares "
            "b_s/(b_s + c_s)"
        ),
        rule=ADJUSTED,
        assumption="within each stratum items are independent; the odds are common",
        reference="Mantel & Haenszel (1959), doi:10.1093/jnci/22.4.719",
        page="more-tests",
        run=_test_strata,
    ),
    Method(
        name="mcnemar-clustered",
        title="McNemar's test of clustered items",
        needs=("common items", "clusters"),
        formula=(
            "t² = (Σ d_g)²/(G/(G-1) Σ d_g²), d_g the wins minus losses of cluster g; t with G - 1 "
            "degrees of freedom"
        ),
        rule=ADJUSTED,
        assumption="clusters are independent of one another",
        reference=(
            "Obuchowski (1998), doi:10.1002/(SICI)1097-0258(19980715)17:13"
            "<1495::AID-SIM863>3.0.CO;2-I"
        ),
        page="more-tests",
        run=partial(_test_clusters, method="robust"),
    ),
    Method(
        name="mcnemar-durkalski",
        title="McNemar's test of clustered items, mean over clusters",
        needs=("common items", "clusters"),
        formula=("χ² = (Σ (b_g - c_g)/n_g)²/Σ ((b_g - c_g)/n_g)² with 1 degree of freedom"),
        rule=ADJUSTED,
        assumption="clusters are independent of one another; it is about the mean over clusters",
        reference="Durkalski et al. (2003), doi:10.1002/sim.1438",
        page="more-tests",
        run=partial(_test_clusters, method="durkalski"),
    ),
    Method(
        name="cochran-q",
        title="Cochran's Q: do all systems have one rate?",
        needs=("common items",),
        formula="Q = (k-1)(k Σ G_j² - N²)/(k N - Σ L_i²), χ² with k - 1 degrees of freedom",
        rule="different when p is at most alpha",
        assumption=FREE,
        reference="Cochran (1950), doi:10.1093/biomet/37.3-4.256",
        page="more-tests",
        run=_cochran,
    ),
    Method(
        name="fisher",
        title="Fisher's exact test",
        needs=("own items",),
        formula="sum of hypergeometric probabilities not above that of the table seen",
        rule=ADJUSTED,
        assumption=f"{OWN}; conservative",
        reference="Fisher (1935), doi:10.2307/2342435",
        page="more-tests",
        run=partial(_two_samples, name="fisher"),
    ),
    Method(
        name="boschloo",
        title="Boschloo's unconditional exact test",
        needs=("own items",),
        formula="the largest chance, over the common rate, of a Fisher p as small as that seen",
        rule=ADJUSTED,
        assumption=OWN,
        reference="Boschloo (1970), doi:10.1111/j.1467-9574.1970.tb00104.x",
        page="more-tests",
        run=partial(_two_samples, name="boschloo"),
    ),
    Method(
        name="barnard",
        title="Barnard's unconditional exact test",
        needs=("own items",),
        formula=(
            "the largest chance, over the common rate, of a score statistic as large as that seen"
        ),
        rule=ADJUSTED,
        assumption=OWN,
        reference="Barnard (1947), doi:10.1093/biomet/34.1-2.123",
        page="more-tests",
        run=partial(_two_samples, name="barnard"),
    ),
    Method(
        name="score",
        title="score test of two rates",
        needs=("own items",),
        formula="z = (p̂1 - p̂2)/sqrt(N/(N-1) p̄ (1 - p̄)(1/n1 + 1/n2)), N = n1 + n2",
        rule=ADJUSTED,
        assumption=OWN,
        reference="Miettinen & Nurminen (1985), doi:10.1002/sim.4780040211",
        page="more-tests",
        run=partial(_two_samples, name="score"),
        falls_short=shortfall("score-sparse"),
    ),
    Method(
        name="k-sample",
        title="chi-square test of k rates",
        needs=("own items",),
        formula="χ² = Σ (observed - expected)²/expected with k - 1 degrees of freedom",
        rule="different when p is at most alpha",
        assumption=f"{OWN}; expected counts of 5 or more",
        reference="Pearson (1900), doi:10.1080/14786440009463897",
        page="more-tests",
        run=_k_sample,
    ),
    Method(
        name="control",
        title="every system against one control",
        needs=("answers",),
        formula=(
            "mid-p McNemar tests on common items; else score tests, where n1 n2 s (N-s)/(N² (N-1)) "
            "< 200 the larger of it and Boschloo's (Fisher's from 300,000 tables); Holm: the i-th "
            "smallest of k times k + 1 - i"
        ),
        rule="different when the adjusted p is at most alpha",
        assumption=FREE,
        reference="Holm (1979), Scandinavian Journal of Statistics 6, 65-70",
        page="more-tests",
        run=_control,
        options={
            "control": Option(
                default="", meaning="system that is the control; the first unless given"
            )
        },
    ),
    Method(
        name="with-best",
        title="multiple comparisons with the best",
        needs=("answers",),
        formula=(
            "[min_j L_ij, min_j U_ij], limits of p_i - p_j at 1 - (1 - level)/(k(k-1)/2): Tango's "
            "on common items, else Miettinen and Nurminen's, to 0 where the exact test keeps it"
        ),
        rule="a system whose upper limit is below 0 is not the best",
        assumption=FREE,
        reference="Hsu (1984), doi:10.1214/aos/1176346732",
        page="more-tests",
        run=_with_best,
    ),
)
