"""Methods over several data sets or folds."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from steelyard.comparison.datasets.folds import bayesian_correlated_test, resampled_t_test
from steelyard.comparison.datasets.hierarchy import pool_differences
from steelyard.comparison.datasets.ranks import friedman, nemenyi
from steelyard.comparison.datasets.signed_ranks import bayesian_signed_rank, signed_rank
from steelyard.comparison.methods.case import (
    Case,
    Found,
    Method,
    Option,
    Part,
    facts_sheet,
    pairs_sheet,
    sheet,
    systems_sheet,
)
from steelyard.comparison.methods.pair_tests import test_pairs
from steelyard.comparison.methods.quantities import Quantity
from steelyard.display.text import show_name
from steelyard.errors import NotComparable, RequestError

__all__ = ["DATASET_METHODS"]

ADJUSTED = "different when the p-value, Shaffer-adjusted for all pairs, is at most alpha"
SETS = "data sets are independent of one another"
ROPE = Option(default=0.01, meaning="differences smaller than this count as none")
RATIO = Option(default=0.0, meaning="test items per training item; 1/(folds - 1) unless given")
Answer = tuple[list[object], float | None, float]


def _scores(case: Case, given: Mapping[str, tuple[float, ...]] | None) -> dict[str, list[float]]:
    if given is None:
        message = "This method needs a value of every system on several data sets or folds."
        raise RequestError(message)
    sign = 1.0 if case.higher_is_better else -1.0
    return {name: [sign * value for value in values] for name, values in given.items()}


def _differences(
    case: Case, given: Mapping[str, tuple[float, ...]] | None, i: int, j: int
) -> list[float]:
    scores = _scores(case, given)
    return [a - b for a, b in zip(scores[case.systems[i]], scores[case.systems[j]], strict=True)]


def _friedman(case: Case) -> Found:
    found = friedman(_scores(case, case.by_group))
    p_value = found.f_p_value
    shown = f"(p = {p_value:.3g})"
    verdict = "different" if p_value <= case.alpha else "undecided"
    said = "do not all rank alike" if verdict == "different" else "may all rank alike"
    rows: list[tuple[Quantity, float | None]] = [
        ("data_sets", found.ranks.datasets),
        ("chi_square", found.statistic),
        ("p_chi_square", found.p_value),
        ("f_statistic", found.f_statistic),
        ("p_f", found.f_p_value),
    ]
    return Found(
        answer=f"Over {found.ranks.datasets} data sets the systems {said} {shown}.",
        decision=verdict,
        parts=(_ranks(case, found.ranks.ranks), facts_sheet("Test", rows)),
    )


def _ranks(case: Case, ranks: tuple[float, ...]) -> Part:
    return systems_sheet(
        case, "Mean ranks, 1 the best", ("mean_rank",), [(rank,) for rank in ranks]
    )


def _nemenyi(case: Case) -> Found:
    found = nemenyi(_scores(case, case.by_group), alpha=case.alpha)
    rows = [
        (
            one.first,
            one.second,
            one.difference,
            one.p_value,
            "different" if one.p_value <= case.alpha else "undecided",
        )
        for one in found.pairs
    ]
    apart = sum(row[-1] == "different" for row in rows)
    heads = ("rank_difference", "p_value", "verdict")
    places = [case.pair_place(one.first, one.second) for one in found.pairs]
    return Found(
        answer=f"{apart} of {len(rows)} pairs differ by more than the critical difference of "
        f"{found.critical_difference:.4g} ranks.",
        parts=(
            _ranks(case, found.ranks.ranks),
            sheet("Pairs", ["first", "second"], heads, rows, places),
            facts_sheet(
                "Critical difference", [("critical_difference", found.critical_difference)]
            ),
        ),
    )


def _wilcoxon(case: Case) -> Found:
    def test(i: int, j: int) -> Answer:
        gaps = _differences(case, case.by_group, i, j)
        found = signed_rank(gaps)
        values: list[object] = [found.used, found.positive, found.negative, found.method]
        return values, found.p_value, found.positive - found.negative

    return test_pairs(case, ("used", "w_plus", "w_minus", "distribution"), test)


def _bayesian_ranks(case: Case) -> Found:
    rope = case.using["rope"]
    rows = []
    for i, j in case.couples():
        found = bayesian_signed_rank(
            _differences(case, case.by_group, i, j), rope=rope, rng=case.rng()
        )
        rows.append((found.above, found.inside, found.below, found.error))
    return _answer_with_rope(
        case, rows, rope, ("p_first_better", "p_same", "p_second_better", "simulation_error")
    )


def _answer_with_rope(
    case: Case, rows: Sequence[tuple[float, ...]], rope: float, heads: tuple[str, ...]
) -> Found:
    names = ("1 better", "same", "2 better")
    shown, decisions = [], []
    for row in rows:
        sure = [name for name, share in zip(names, row[:3], strict=True) if share >= case.level]
        decisions.append(sure[0] if sure else "undecided")
        shown.append((*row, decisions[-1]))
    made = sum(decision != "undecided" for decision in decisions)
    first, second = show_name(case.systems[0]), show_name(case.systems[1])
    said = {
        "1 better": f"{first} is better than {second}",
        "2 better": f"{second} is better than {first}",
        "same": f"{first} and {second} count as the same",
        "undecided": f"{first} and {second} cannot be told apart",
    }
    answer = f"{said[decisions[0]]} by more than {rope:g}."
    if decisions[0] in {"same", "undecided"}:
        answer = f"{said[decisions[0]]} (region of practical equivalence {rope:g})."
    if len(rows) > 1:
        answer = f"{made} of {len(rows)} pairs are decided with probability {case.level:g} or more."
    return Found(
        answer=answer,
        decision=decisions[0] if len(decisions) == 1 else None,
        parts=(pairs_sheet(case, "Pairs", (*heads, "decision"), shown),),
    )


def _ratio(case: Case) -> float:
    folds = len(next(iter((case.by_fold or {"": (0.0,)}).values())))
    given = float(case.using["test_to_train"])
    if given <= 0 and folds < 2:
        message = "One fold shows no variation; cross-validation needs two or more."
        raise NotComparable(message, code="one-fold")
    return given if given > 0 else 1 / (folds - 1)


def _correct(case: Case) -> Found:
    ratio = _ratio(case)

    def test(i: int, j: int) -> Answer:
        gaps = _differences(case, case.by_fold, i, j)
        found = resampled_t_test(gaps, test_to_train=ratio)
        values: list[object] = [
            len(gaps),
            found.mean,
            found.statistic,
            found.degrees_of_freedom,
            ratio,
        ]
        return values, found.p_value, found.mean

    heads = ("folds", "mean_difference", "t", "degrees_of_freedom", "test_to_train")
    return test_pairs(case, heads, test)


def _correlate(case: Case) -> Found:
    rope, ratio = case.using["rope"], _ratio(case)
    rows = []
    for i, j in case.couples():
        gaps = _differences(case, case.by_fold, i, j)
        found = bayesian_correlated_test(gaps, test_to_train=ratio, rope=rope)
        rows.append((found.above, found.inside, found.below, found.mean))
    return _answer_with_rope(
        case, rows, rope, ("p_first_better", "p_same", "p_second_better", "mean_difference")
    )


def _hierarchical(case: Case) -> Found:
    groups = case.groups
    if groups is None:
        message = "The hierarchical view needs outcomes within each group of items."
        raise RequestError(message)
    shrunk = []

    def test(i: int, j: int) -> Answer:
        names = case.systems[i], case.systems[j]
        found = pool_differences([part.pair(*names) for _, part in groups], level=case.level)
        for (group, _), seen, pulled in zip(groups, found.seen, found.shrunken, strict=True):
            shrunk.append((*names, group, seen, pulled))
        values: list[object] = [
            found.groups,
            found.mean,
            found.low,
            found.high,
            found.between,
            found.new_low,
            found.new_high,
        ]
        return values, found.p_value, found.mean

    heads = (
        "groups",
        "mean_difference",
        "low",
        "high",
        "tau",
        "new_group_low",
        "new_group_high",
    )
    found = test_pairs(case, heads, test)
    several = [group for group, _ in groups]
    pulled = sheet(
        "Each group, pulled to the mean",
        ["first", "second", "group"],
        ("seen", "shrunken"),
        shrunk,
        [f"_group_{several.index(g) + 1}{case.pair_place(a, b)}" for a, b, g, *_ in shrunk],
    )
    return replace(found, parts=(*found.parts, pulled))


DATASET_METHODS = (
    Method(
        name="friedman",
        title="Friedman's test over data sets",
        needs=("data sets",),
        formula=(
            "χ² = 12N/(k(k+1)) (Σ R_j² - k(k+1)²/4), divided by 1 - Σ(t³-t)/(N k (k²-1)) for ties; "
            "F = (N-1) χ²/(N(k-1) - χ²)"
        ),
        rule="different when p of F is at most alpha",
        assumption=SETS,
        reference=(
            "Friedman (1937), doi:10.1080/01621459.1937.10503522; Iman & Davenport (1980), "
            "doi:10.1080/03610928008827904"
        ),
        page="many-data-sets",
        run=_friedman,
    ),
    Method(
        name="nemenyi",
        title="Nemenyi's critical difference of mean ranks",
        needs=("data sets",),
        formula="CD = q/√2 sqrt(k(k+1)/(6N)), q the studentised range's quantile at 1 - alpha",
        rule="different when mean ranks differ by CD or more",
        assumption=SETS,
        reference="Demšar (2006), JMLR 7, 1-30",
        page="many-data-sets",
        run=_nemenyi,
    ),
    Method(
        name="wilcoxon",
        title="Wilcoxon's signed ranks over data sets",
        needs=("data sets",),
        formula="W+ and W-, ranks of the differences by sign; zeros by Pratt",
        rule=ADJUSTED,
        assumption=f"{SETS}; differences are symmetric",
        reference="Wilcoxon (1945), doi:10.2307/3001968",
        page="many-data-sets",
        run=_wilcoxon,
    ),
    Method(
        name="bayesian-signed-rank",
        title="Bayesian signed ranks with a region of equivalence",
        needs=("data sets",),
        formula="Dirichlet weights on the differences and a pseudo-observation at 0",
        rule="decided when a probability reaches the level",
        assumption=SETS,
        reference="Benavoli et al. (2014), ICML, 1026-1034",
        page="many-data-sets",
        run=_bayesian_ranks,
        options={"rope": ROPE},
    ),
    Method(
        name="nadeau-bengio",
        title="corrected resampled t-test over folds",
        needs=("fold scores",),
        formula="t = d̄/sqrt((1/J + n_test/n_train) s²)",
        rule=ADJUSTED,
        assumption="the correlation of folds is that of their sizes",
        reference="Nadeau & Bengio (2003), doi:10.1023/A:1024068626366",
        page="many-data-sets",
        run=_correct,
        options={"test_to_train": RATIO},
    ),
    Method(
        name="correlated-t",
        title="Bayesian correlated t-test over folds",
        needs=("fold scores",),
        formula="Student's t around d̄ with scale sqrt((1/J + n_test/n_train) s²)",
        rule="decided when a probability reaches the level",
        assumption="the correlation of folds is that of their sizes",
        reference="Corani & Benavoli (2015), doi:10.1007/s10994-015-5486-z",
        page="many-data-sets",
        run=_correlate,
        options={"rope": ROPE, "test_to_train": RATIO},
    ),
    Method(
        name="hierarchical",
        title="groups within the whole, partly pooled",
        needs=("common items", "data sets"),
        formula=(
            "μ = Σ w d_g/Σ w ± t sqrt(max(1, Σ w (d_g - μ)²/(G-1))/Σ w), w = 1/(s_g² + τ²), s_g² = "
            "((b+c)/n - ((b-c)/n)²)/n of b + ½, c + ½ and n + 1; with v = 1/s_g² and Q = Σ v "
            "(d_g - Σ v d_g/Σ v)², τ² = (Q - (G-1))/(Σ v - Σ v²/Σ v), at least 0"
        ),
        rule=ADJUSTED,
        assumption="groups are a sample of groups like them",
        reference=(
            "DerSimonian & Laird (1986), doi:10.1016/0197-2456(86)90046-2; Hartung & Knapp "
            "(2001), doi:10.1002/sim.1009"
        ),
        page="many-data-sets",
        run=_hierarchical,
    ),
)
