"""Methods that look at what was called, and at scores."""

from collections.abc import Sequence
from dataclasses import replace

from steelyard.comparison.areas import areas_equal, compare_areas, weigh_areas
from steelyard.comparison.exact.call_tables import SymmetryTest, bowker, call_table, stuart_maxwell
from steelyard.comparison.exact.paired_rates import paired_detection, predictive_values
from steelyard.comparison.methods.case import (
    Case,
    Found,
    Method,
    Option,
    facts_sheet,
    sheet,
    systems_sheet,
)
from steelyard.comparison.methods.pair_tests import test_pairs
from steelyard.comparison.methods.quantities import Quantity
from steelyard.comparison.resampling.paired import (
    ResampledDifference,
    bootstrap_calls,
    permute_calls,
)
from steelyard.comparison.resampling.scores import bootstrap_areas, bootstrap_scores, permute_scores
from steelyard.counts import JointCalls
from steelyard.errors import RequestError
from steelyard.results.shortfalls import shortfall

__all__ = ["CLASS_METHODS"]

ADJUSTED = "different when the p-value, Shaffer-adjusted for all pairs, is at most alpha"
FREE = "items are independent of one another"
DRAWS = {"draws": Option(default=2000, meaning="times the items are drawn again or exchanged")}
Answer = tuple[list[object], float | None, float]


def _calls(case: Case) -> JointCalls:
    if case.calls is None:
        message = "This method needs the class that every system called."
        raise RequestError(message)
    return case.calls


def _symmetry(case: Case, found: SymmetryTest, first: str, second: str) -> Answer:
    table = call_table(_calls(case), first, second)
    apart = sum(n for i, row in enumerate(table) for j, n in enumerate(row) if i != j)
    return [apart, found.statistic, found.degrees_of_freedom], found.p_value, 0.0


def _bowker(case: Case) -> Found:
    return _of_tables(case, "bowker")


def _stuart_maxwell(case: Case) -> Found:
    return _of_tables(case, "stuart-maxwell")


def _of_tables(case: Case, name: str) -> Found:
    tests = {"bowker": bowker, "stuart-maxwell": stuart_maxwell}

    def test(i: int, j: int) -> Answer:
        first, second = case.systems[i], case.systems[j]
        return _symmetry(case, tests[name](call_table(_calls(case), first, second)), first, second)

    found = test_pairs(case, ("called_apart", "chi_square", "degrees_of_freedom"), test)
    said = found.answer
    if len(case.systems) == 2:
        first, second = case.systems
        p_value = found.working["p_value"]
        verb = "call classes differently" if found.decision == "different" else "may call alike"
        said = f"{first} and {second} {verb} (p = {p_value:.4g})."
    caveat = "it says that calls differ, not which system is better"
    return replace(found, answer=said, caveats=(caveat,))


def _detection(case: Case) -> Found:
    joint, positive = _calls(case), case.positive or ""
    rows: list[tuple[object, ...]] = []
    for i, j in case.couples():
        found = paired_detection(joint, case.systems[i], case.systems[j], positive=positive)
        for name, shares, test in (
            ("sensitivity", found.sensitivity, found.sensitivity_test),
            ("specificity", found.specificity, found.specificity_test),
        ):
            if shares is None or test is None:
                rows.append((found.first, found.second, name, None, None, None, None, None))
            else:
                rows.append(
                    (
                        found.first,
                        found.second,
                        name,
                        *shares,
                        test.first,
                        test.second,
                        test.p_value,
                    )
                )
    return _two_shares(
        case, rows, ("rate_first", "rate_second", "only_first", "only_second", "p_value")
    )


def _predictive(case: Case) -> Found:
    joint, positive = _calls(case), case.positive or ""
    rows = []
    for i, j in case.couples():
        names = case.systems[i], case.systems[j]
        for label, value in (("PPV", "positive"), ("NPV", "negative")):
            found = predictive_values(joint, *names, positive=positive, value=value)  # type: ignore[arg-type]
            rows.append((*names, label, found.first, found.second, found.statistic, found.p_value))
    return _two_shares(
        case,
        rows,
        (("value_first", "first value"), ("value_second", "second value"), "chi_square", "p_value"),
    )


def _two_shares(
    case: Case, rows: Sequence[tuple[object, ...]], heads: tuple[Quantity, ...]
) -> Found:
    limit = case.alpha / max(1, len(rows))
    verdicts = [
        "different" if isinstance(row[-1], float) and row[-1] <= limit else "undecided"
        for row in rows
    ]
    shown = [(*row, verdict) for row, verdict in zip(rows, verdicts, strict=True)]
    places = [
        f"_{str(rate).lower()}{case.pair_place(str(first), str(second))}"
        for first, second, rate, *_ in rows
    ]
    apart = sum(verdict == "different" for verdict in verdicts)
    return Found(
        answer=f"{apart} of {len(rows)} differences about class {case.positive} are told apart, "
        "adjusted by Bonferroni.",
        parts=(sheet("Pairs", ["first", "second", "rate"], (*heads, "verdict"), shown, places),),
    )


def _delong(case: Case) -> Found:
    if case.areas is None:
        message = "DeLong's test needs scores."
        raise RequestError(message)
    areas, covariance = case.areas

    def test(i: int, j: int) -> Answer:
        found = compare_areas(areas, covariance, i, j, level=case.level)
        values: list[object] = [found.difference, found.low, found.high]
        return values, found.p_value, found.difference

    rows = [(float(a), float(covariance[k, k]) ** 0.5) for k, a in enumerate(areas)]
    before = [systems_sheet(case, "Areas", ("auc", "standard_error"), rows)]
    if len(case.systems) > 2:
        equal = areas_equal(areas, covariance)
        before.append(
            facts_sheet(
                "All areas equal?",
                [
                    ("chi_square", equal.statistic),
                    ("degrees_of_freedom", equal.degrees_of_freedom),
                    ("p_value", equal.p_value),
                ],
            )
        )
    return test_pairs(case, ("difference", "low", "high"), test, before=tuple(before))


def _placement(case: Case) -> Found:
    if case.spreads is None:
        message = "Placements need scores."
        raise RequestError(message)
    spreads, start = case.spreads, 1 - case.scale

    def test(i: int, j: int) -> Answer:
        found = weigh_areas(spreads, i, j, level=case.level)
        ends = (found.difference, found.low or 0.0, found.high or 0.0)
        # Gini is twice the area less 1: its differences are twice as large, its test the same.
        values: list[object] = [*(case.scale * end for end in ends), found.better]
        return values, found.p_value, found.difference

    rows = [(case.scale * one.area + start, case.scale * one.seen**0.5) for one in spreads.spreads]
    before = systems_sheet(case, case.measure, (("value", case.measure), "standard_error"), rows)
    return test_pairs(case, ("difference", "low", "high", "p_better"), test, before=(before,))


def _resample(case: Case, found: tuple[ResampledDifference, ...]) -> Found:
    by_pair = dict(zip(case.couples(), found, strict=True))
    sign = 1 if case.higher_is_better else -1

    def test(i: int, j: int) -> Answer:
        one = by_pair[i, j]
        values: list[object] = [*one.values, one.difference, one.low, one.high]
        return values, one.p_value, sign * one.difference

    drawn: list[tuple[Quantity, float | None]] = [
        ("draws", found[0].draws),
        ("smallest_p_value", 1 / (found[0].draws + 1)),
        ("draws_without_value", max(one.undefined for one in found)),
    ]
    answer = test_pairs(
        case,
        ("value_first", "value_second", "difference", "low", "high"),
        test,
        title=f"{case.measure} of every pair",
    )
    clusters = case.cluster_calls or case.cluster_scores
    if clusters is not None:
        drawn.append(("clusters_drawn", len(clusters)))
    return replace(answer, parts=(*answer.parts, facts_sheet("Draws", drawn)))


def _bootstrap(case: Case) -> Found:
    draws = case.using["draws"]
    if case.score_measure is not None and case.scores is not None:
        if case.measure == "AUC" and case.cluster_scores is None:
            areas = bootstrap_areas(case.scores, rng=case.rng(), draws=draws, level=case.level)
            return _resample(case, areas)
        return _resample(
            case,
            bootstrap_scores(
                case.cluster_scores or case.scores,
                case.score_measure,
                rng=case.rng(),
                draws=draws,
                level=case.level,
            ),
        )
    if case.table_measure is None:
        message = "The bootstrap needs a measure of calls or of scores."
        raise RequestError(message)
    return _resample(
        case,
        bootstrap_calls(
            case.cluster_calls or _calls(case),
            case.table_measure,
            rng=case.rng(),
            draws=draws,
            level=case.level,
        ),
    )


def _permutation(case: Case) -> Found:
    draws = case.using["draws"]
    if case.score_measure is not None and case.scores is not None:
        return _resample(
            case,
            permute_scores(
                case.cluster_scores or case.scores,
                case.score_measure,
                rng=case.rng(),
                draws=draws,
                ranks=case.ranks,
            ),
        )
    if case.table_measure is None:
        message = "The permutation test needs a measure of calls or of scores."
        raise RequestError(message)
    calls = case.cluster_calls or _calls(case)
    return _resample(case, permute_calls(calls, case.table_measure, rng=case.rng(), draws=draws))


CLASS_METHODS = (
    Method(
        name="bowker",
        title="Bowker's test of symmetry of the calls",
        needs=("calls",),
        formula="χ² = Σ_{i<j} (n_ij - n_ji)²/(n_ij + n_ji)",
        rule=ADJUSTED,
        assumption=FREE,
        reference="Bowker (1948), doi:10.1080/01621459.1948.10483284",
        page="more-tests",
        run=_bowker,
    ),
    Method(
        name="stuart-maxwell",
        title="Stuart-Maxwell test of equal class totals",
        needs=("calls",),
        formula="χ² = d' S⁻¹ d of the differences d of the class totals",
        rule=ADJUSTED,
        assumption=FREE,
        reference="Stuart (1955), doi:10.1093/biomet/42.3-4.412",
        page="more-tests",
        run=_stuart_maxwell,
    ),
    Method(
        name="sensitivity-specificity",
        title="sensitivity and specificity on common items",
        needs=("calls", "positive"),
        formula="mid-p McNemar tests among positives and negatives",
        rule="different when p, Bonferroni-adjusted for all rows, is at most alpha",
        assumption=FREE,
        reference="McNemar (1947), doi:10.1007/BF02295996",
        page="more-tests",
        run=_detection,
    ),
    Method(
        name="predictive-values",
        title="PPV and NPV on common items",
        needs=("calls", "positive"),
        formula=(
            "χ² = (p̂1 - p̂2)²/((p̄ q̄ - 2C/(n1+n2))(1/n1 + 1/n2)), C = Σ (y - p̄)² over items both "
            "call so"
        ),
        rule="different when p, Bonferroni-adjusted for all rows, is at most alpha",
        assumption=FREE,
        reference="Kosinski (2013), doi:10.1002/sim.5587",
        page="more-tests",
        run=_predictive,
    ),
    Method(
        name="delong",
        title="DeLong's test of areas under ROC curves",
        needs=("areas",),
        formula="z = (A1 - A2)/sqrt(v11 + v22 - 2 v12), covariance from placements",
        rule=ADJUSTED,
        assumption="items are independent; both classes have many items",
        reference="DeLong, DeLong & Clarke-Pearson (1988), doi:10.2307/2531595",
        page="auc-delong",
        run=_delong,
        falls_short=shortfall("large-sample-test", most=10, better="placement"),
    ),
    Method(
        name="placement",
        title="areas under ROC curves by limits that allow for one item unseen",
        needs=("placements",),
        formula=(
            "L = A1 - A2 - sqrt(a² + b² - 2 r a b), a = A1 - low1, b = high2 - A2, Beta limits "
            "of each area; p is the smallest α at which the interval leaves out 0"
        ),
        rule=ADJUSTED,
        assumption="items (or clusters, if named) are independent",
        reference="Zou & Donner (2008), doi:10.1002/sim.3095",
        page="auc-delong",
        run=_placement,
    ),
    Method(
        name="bootstrap",
        title="paired bootstrap of any measure",
        needs=("measure",),
        formula=(
            "p = 2 min(#{d* <= 0} + 1, #{d* >= 0} + 1)/(B + 1); interval of the middle quantiles; "
            "with G clusters a share q of draws is read as T_{G-1}(Φ⁻¹(q) sqrt((G - 1)/G))"
        ),
        rule=ADJUSTED,
        assumption="items (or 8 clusters or more, if named) are independent and many enough",
        reference="Efron & Tibshirani (1993), doi:10.1007/978-1-4899-4541-9",
        page="resampling",
        run=_bootstrap,
        falls_short=shortfall("large-sample-test", most=9, better="permutation"),
        options=DRAWS,
    ),
    Method(
        name="permutation",
        title="paired permutation test of any measure",
        needs=("measure",),
        formula="p = (1 + #{|d*| >= |d|})/(B + 1), systems exchanged on each item with chance ½",
        rule=ADJUSTED,
        assumption="if alike, systems are exchangeable on every item (or cluster, if named)",
        reference="Phipson & Smyth (2010), doi:10.2202/1544-6115.1585",
        page="resampling",
        run=_permutation,
        options=DRAWS,
    ),
)
