"""Methods for a number of each item: Student's t, MAPSSWE, wins, ranks, signs, permutations."""

from collections.abc import Callable, Sequence

import numpy as np

from steelyard.comparison.methods.case import Case, Found, Method, Need, Option
from steelyard.comparison.methods.pair_tests import test_pairs
from steelyard.comparison.values.means import mapsswe, weigh_residuals
from steelyard.comparison.values.ranks import (
    permute_signs,
    sign_test,
    signed_differences,
    wilcoxon_test,
    win_rate,
)
from steelyard.counts import ValueTable
from steelyard.errors import CountsError, NotComparable

__all__ = ["VALUE_METHODS"]

ADJUSTED = "different when the p-value, Shaffer-adjusted for all pairs, is at most alpha"
Answer = tuple[Sequence[object], float | None, float]


def _way(case: Case, gap: float) -> float:
    """Turn a difference so that positive is better."""
    return gap if case.higher_is_better else -gap


def _table(case: Case, i: int, j: int) -> ValueTable:
    if case.differences is None:
        message = "This method needs the difference of every common item."
        raise CountsError(message)
    return case.differences[i, j]


def _compare_means(case: Case) -> Found:
    found = case.averages
    assert found is not None

    def test(i: int, j: int) -> Answer:
        names = case.systems[i], case.systems[j]
        one = weigh_residuals(
            found.difference(*names),
            found.variance_of_difference(*names),
            found.units,
            freedom=case.freedom,
            level=case.level,
            margin=case.margin,
        )
        values = [one.units, one.difference, one.error, one.low, one.high, one.statistic]
        return [*values, one.freedom], one.p_value, _way(case, one.difference)

    heads = ("units", "mean_difference", "standard_error", "low", "high", "t", "degrees_of_freedom")
    return test_pairs(case, heads, test)


def _count_signs(case: Case, i: int, j: int) -> tuple[int, int, int]:
    """Count the items on which the first is better, equal, worse."""
    table = _table(case, i, j)
    values, counts = signed_differences(table.values, table.counts)
    above, below = int(counts[values > 0].sum()), int(counts[values < 0].sum())
    ties = int(counts.sum()) - above - below
    return (above, ties, below) if case.higher_is_better else (below, ties, above)


def _win_rate(case: Case) -> Found:
    def test(i: int, j: int) -> Answer:
        one = win_rate(*_count_signs(case, i, j), level=case.level)
        values = [one.wins, one.ties, one.losses, one.rate, one.low, one.high]
        return values, one.p_value, one.rate - 0.5

    return test_pairs(case, ("wins", "ties", "losses", "win_rate", "low", "high"), test)


def _sign(case: Case) -> Found:
    def test(i: int, j: int) -> Answer:
        one = sign_test(*_count_signs(case, i, j))
        return [one.wins, one.ties, one.losses], one.p_value, float(one.wins - one.losses)

    return test_pairs(case, ("wins", "ties", "losses"), test)


def _wilcoxon(case: Case) -> Found:
    def test(i: int, j: int) -> Answer:
        table = _table(case, i, j)
        one = wilcoxon_test(table.values, table.counts, zeros=case.using["zeros"])
        values = [one.used, one.positive, one.negative, one.z, one.method]
        return values, one.p_value, _way(case, one.positive - one.negative)

    return test_pairs(case, ("used", "w_plus", "w_minus", "z", "distribution"), test)


def _permutation(case: Case) -> Found:
    def test(i: int, j: int) -> Answer:
        table = _table(case, i, j)
        one = permute_signs(table.values, table.counts, rng=case.rng(), draws=case.using["draws"])
        values = [one.items, one.difference, one.method, one.error]
        return values, one.p_value, _way(case, one.difference)

    heads = ("items", "mean_difference", "distribution", "simulation_error")
    return test_pairs(case, heads, test)


def _mapsswe(case: Case) -> Found:
    def test(i: int, j: int) -> Answer:
        table = _table(case, i, j)
        gaps = table.spread_out()
        if case.using["segments"] == "errors":
            # Segments in which neither has an error are no part of the test; they are among the 0s.
            start = int(gaps.searchsorted(0.0))
            gaps = np.delete(gaps, slice(start, start + case.without_error.get((i, j), 0)))
        if gaps.size < 2:
            message = (
                "The matched-pair test needs two segments or more that have an error. Give more "
                "segments."
            )
            raise NotComparable(message, code="one-item")
        one = mapsswe(gaps.clip(min=0), (-gaps).clip(min=0))
        values = [one.segments, one.mean, one.deviation, one.z, one.p_student, one.nist_z]
        return [*values, one.nist_p_value], one.p_value, _way(case, one.mean)

    heads = ("segments", "mean_difference", "deviation", "z", "p_student", "nist_z", "nist_p")
    return test_pairs(case, heads, test, caveats=() if case.segments else (SEGMENTS,))


SEGMENTS = (
    "rows are taken as the segments of the test; NIST's sc_stats cuts utterances into segments "
    "that end at two words both have right: count errors in those for its numbers"
)
ITEMS = "items are independent of one another"


def _method(
    name: str,
    title: str,
    run: Callable[[Case], Found],
    *,
    formula: str,
    reference: str,
    assumption: str = ITEMS,
    needs: tuple[Need, ...] = ("values", "differences"),
    options: dict[str, Option] | None = None,
) -> Method:
    return Method(
        name=name,
        title=title,
        needs=needs,
        formula=formula,
        rule=ADJUSTED,
        assumption=assumption,
        reference=reference,
        page="values",
        run=run,
        options=options or {},
    )


VALUE_METHODS = (
    _method(
        "paired-t",
        "Student's t on the differences of common items",
        _compare_means,
        formula="t = d̄/(s/√n), n - 1 degrees of freedom; of ratios d is the linearised residual",
        reference="Student (1908), doi:10.1093/biomet/6.1.1; Cochran (1977), section 6.3",
        needs=("values",),
    ),
    _method(
        "mapsswe",
        "matched-pair test of errors in segments of speech",
        _mapsswe,
        formula="z = d̄√n/s, normal; nist_z is |z| cut to two decimals, 0 without spread",
        reference="Gillick & Cox (1989), doi:10.1109/ICASSP.1989.266481",
        assumption="errors of one segment do not reach into the next",
        needs=("values", "differences", "errors"),
        options={
            "segments": Option(
                default="errors", meaning="errors: those in which somebody has one; or all"
            )
        },
    ),
    _method(
        "win-rate",
        "share of items on which the first is better, ties half",
        _win_rate,
        formula="½ + (w - l)/(2n), limits by Tango's score method, p of (w - l)²/(w + l)",
        reference="Tango (1998), "
        "doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B",
    ),
    _method(
        "sign",
        "exact sign test, ties left out",
        _sign,
        formula="min(1, 2 P(B ≤ min(w, l))), B binomial(w + l, ½)",
        reference="Dixon & Mood (1946), doi:10.1080/01621459.1946.10501898",
    ),
    _method(
        "wilcoxon-items",
        "Wilcoxon's signed ranks of the differences",
        _wilcoxon,
        formula="W+ and W-, ranks of the differences by sign; zeros by Pratt unless said",
        reference="Wilcoxon (1945), doi:10.2307/3001968; Pratt (1959), "
        "doi:10.1080/01621459.1959.10501526",
        assumption=f"{ITEMS}; differences are symmetric",
        options={"zeros": Option(default="pratt", meaning="pratt, drop or split")},
    ),
    _method(
        "permutation-items",
        "permutation test of the mean difference, signs exchanged",
        _permutation,
        formula="share of signs that give a mean as far from 0; (h + 1)/(B + 1) if drawn",
        reference="Phipson & Smyth (2010), doi:10.2202/1544-6115.1585",
        assumption="both systems are exchangeable on every item",
        options={"draws": Option(default=100_000, meaning="signs drawn where not all are counted")},
    ),
)
