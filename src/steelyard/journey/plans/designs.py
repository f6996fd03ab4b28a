"""Items that belong together, or that are tried several times: the same plan in other numbers."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil

from steelyard import planning
from steelyard.errors import RequestError
from steelyard.journey.plans.request import Answer, PlanRequest
from steelyard.planning import Assurance
from steelyard.planning.sizes import round_down, round_up
from steelyard.results import PlanOption

__all__ = ["scale_answer", "scale_for_clusters"]

FEW_CLUSTERS = 8
"""Below this many clusters one of them weighs as much as a sample of its own."""

SINGLE = ("stop", "akaike")
"""Questions whose rules suppose items that have nothing to do with one another."""


def scale_for_clusters(request: PlanRequest, answer: Answer) -> Answer:
    """Rewrite an answer for clusters or for repeated trials, where the request has them."""
    if request.cluster_size is None and request.trials is None:
        if request.icc is not None:
            message = (
                "An icc is the correlation within clusters or within the trials of an item. Say "
                "which: cluster_size=20 (--cluster-size 20) or trials=5 (--trials 5)."
            )
            raise RequestError(message)
        return answer
    icc = _check(request)
    if request.cluster_size is not None:
        return _scale_to_clusters(request, answer, request.cluster_size, icc)
    assert request.trials is not None
    return _repeat(request, answer, request.trials, icc)


def _check(request: PlanRequest) -> float:
    if request.cluster_size is not None and request.trials is not None:
        message = "Give clusters or trials, not both: the trials of an item are a cluster."
        raise RequestError(message)
    if request.question in SINGLE:
        message = (
            f"question={request.question!r} assumes items that have nothing to do with one "
            "another. Ask for question='pair' (steelyard plan pair) with clusters or trials."
        )
        raise RequestError(message)
    if request.icc is None:
        message = (
            "How alike are the items of a cluster, or the trials of an item? Give their "
            "correlation, such as icc=0.1 (--icc 0.1)."
        )
        raise RequestError(message)
    return request.icc


def _scale_to_clusters(request: PlanRequest, answer: Answer, size: float, icc: float) -> Answer:
    effect, tails = planning.design_effect(size, correlation=icc), _tails(request, answer)
    found = answer.samples if answer.promised is None else answer.safe
    told: list[str] = [
        "judge the test by intervals that allow for the clusters, or the further items are wasted",
        "all clusters are assumed to be alike in how their items vary together: where a few of "
        "them carry the correlation, many more are needed",
    ]

    def grow(samples: int) -> planning.ClusteredSize:
        return planning.clustered_test_samples(
            samples, cluster_size=size, correlation=icc, tails=tails
        )

    drawn = None if found is None else _draw_tests(request, answer, size, icc, each=size)
    if drawn is not None:
        clusters: int | None = drawn.clusters
        scaled, times = drawn.answer, drawn.times
        told.append(drawn.words)
    else:
        clusters = None if found is None else grow(found).clusters
        times = effect if found is None else grow(found).items / found
        scaled = scale_answer(
            answer,
            lambda samples: grow(samples).items,
            lambda samples: effect * planning.few_cluster_factor(samples / size, *tails),
        )
    note = f"clusters of {size:g} take {times:.3g} times as many"
    if clusters is not None and clusters < FEW_CLUSTERS:
        told.append(
            f"only {clusters} clusters: Student's t is counted on, and one cluster unlike the "
            "others may still decide it; take more clusters of fewer items"
        )
    alone = PlanOption(name="items that are independent", samples=found, note=note)
    return replace(
        scaled,
        clusters=clusters,
        options=(*scaled.options, alone),
        caveats=(*answer.caveats, *told),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A plan whose tests were drawn: the answer, its clusters, and how many times as many items."""

    answer: Answer
    clusters: int
    times: float
    words: str


def _draw_tests(
    request: PlanRequest, answer: Answer, size: float, icc: float, *, each: float
) -> Drawn | None:
    """Draw tests of the pairs that decide, where a test on common items is planned.

    A cluster of ``size`` counts as ``each`` samples: its items, or 1 if they are tries of one item.
    """
    found = answer.samples
    if not answer.pairs or found is None:
        return None
    margin = getattr(request, "margin", None)
    tests = [
        planning.ClusteredPair(
            rates if margin is not None or rates.difference > 0 else rates.swap(),
            cluster_size=size,
            correlation=icc,
            alpha=alpha,
            margin=margin,
            claim=getattr(request, "claim", "equivalent"),
        )
        for rates, alpha in answer.pairs[:HARDEST]
    ]

    def need(power: float) -> int | None:
        all_of_them = [test.clusters(power) for test in tests]
        return None if None in all_of_them else max(one for one in all_of_them if one)

    def reach(samples: int) -> float:
        return min(test.power(min(max(2, round_down(samples / each)), test.most)) for test in tests)

    def further(power: float) -> int | None:
        clusters = need(power)
        return None if clusters is None else round_up(clusters * each)

    clusters = need(answer.target)
    if clusters is None:
        return None
    times = clusters * each / found
    scaled = scale_answer(answer, lambda samples: round_up(round_up(samples * times / each) * each),
                    lambda _: times)  # fmt: skip
    draws = tests[0].draws(clusters)
    return Drawn(
        answer=replace(
            scaled,
            samples=round_up(clusters * each),
            reached=reach,
            size=None,
            further=further,
            numbers=tuple(round_up(max(2, round(clusters * part)) * each) for part in PARTS),
            method=f"{draws:,d} drawn tests, judged over clusters; alpha {tests[0].alpha:g}",
        ),
        clusters=clusters,
        times=times,
        words=f"of clusters no formula is exact: {draws:,d} tests of this size were drawn and "
        "judged as compare would, with the same correlation in every cluster",
    )


HARDEST = 3
"""Of several systems, the pairs that are drawn: those that take most items."""
PARTS = (0.5, 0.75, 1, 1.25, 1.5)
USUAL_RATES = (("alpha", 0.05), ("power", 0.8), ("confidence", 0.95))


def _tails(request: PlanRequest, answer: Answer) -> tuple[float, ...]:
    """List the one-sided error rates that the plan adds up."""
    # Questions that have no such number are planned with the usual one.
    alpha, power, confidence = (getattr(request, *usual) for usual in USUAL_RATES)
    if answer.goal == "power":
        return alpha / 2, 1 - power
    if answer.goal == "width":
        return ((1 - confidence) / 2,)
    # A posterior at a confidence, reached by a share of tests where one is promised.
    return (1 - confidence, *(() if answer.promised is None else (1 - power,)))


def _repeat(request: PlanRequest, answer: Answer, trials: int, icc: float) -> Answer:
    effect = planning.repeated_samples(1_000_000, trials=trials, correlation=icc).items / 1_000_000
    once = answer.samples if answer.promised is None else answer.safe
    # The tries of an item are a cluster, and are judged as one.
    drawn = _draw_tests(request, answer, trials, icc, each=1) if trials > 1 else None
    scaled = (
        scale_answer(
            answer,
            lambda samples: (
                planning.repeated_samples(samples, trials=trials, correlation=icc).items
            ),
            lambda _: effect,
        )
        if drawn is None
        else replace(drawn.answer, caveats=(*answer.caveats, drawn.words))
    )
    ways = [PlanOption(name="each tried once", samples=once, note=None)]
    if once is not None:
        fewest = planning.repeated_samples(once, trials=trials, correlation=icc).fewest
        ways.append(PlanOption(name="however often each is tried", samples=fewest, note="at least"))
    return replace(scaled, trials=trials, options=(*scaled.options, *ways))


def scale_answer(
    answer: Answer,
    items: Callable[[int], int],
    effect: Callable[[int], float],
) -> Answer:
    """Say everything in items of which so many, at each size, are worth a single one."""

    def grow(samples: int | None) -> int | None:
        if samples is None:
            return None
        found = items(samples)
        return found if found <= planning.LIMIT else None

    def worth(samples: int) -> int:
        return max(1, round_down(samples / effect(samples)))

    size, further, assured = answer.size, answer.further, answer.assured
    return replace(
        answer,
        samples=grow(answer.samples),
        safe=grow(answer.safe),
        exact=None if answer.exact is None else answer.exact * effect(items(ceil(answer.exact))),
        reached=lambda n: answer.reached(worth(n)),
        size=None if size is None else _size(size, grow),
        further=None if further is None else _size(further, grow),
        assured=None if assured is None else _assure(assured, worth),
        numbers=tuple(n for n in (grow(one) for one in answer.numbers) if n is not None),
        positives=None
        if answer.positives is None or answer.samples is None
        else round_up(answer.positives * items(answer.samples) / answer.samples),
        options=tuple(
            replace(one, samples=grow(one.samples)) if one.samples else one
            for one in answer.options
        ),
    )


def _size(
    size: Callable[[float], int | None], grown: Callable[[int | None], int | None]
) -> Callable[[float], int | None]:
    return lambda target: grown(size(target))


def _assure(
    assured: Callable[[int], Assurance | float], worth: Callable[[int], int]
) -> Callable[[int], Assurance | float]:
    return lambda samples: assured(worth(samples))
