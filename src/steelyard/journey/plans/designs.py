"""Items that hang together, or that are tried several times: the same plan in other numbers."""

from collections.abc import Callable
from dataclasses import replace
from math import ceil

from steelyard.errors import RequestError
from steelyard.journey.plans.request import Answer, PlanRequest
from steelyard.planning import (
    LIMIT,
    Assurance,
    ClusteredSize,
    clustered_test_samples,
    design_effect,
    few_cluster_factor,
    repeated_samples,
)
from steelyard.results import PlanOption

__all__ = ["spread_out"]

FEW_CLUSTERS = 8
"""Below this many clusters one of them weighs as much as a sample of its own."""

SINGLE = ("stop", "akaike")
"""Questions whose rules suppose items that have nothing to do with one another."""


def spread_out(request: PlanRequest, answer: Answer) -> Answer:
    """Rewrite an answer for clusters or for repeated trials, where the request has them."""
    if request.cluster_size is None and request.trials is None:
        if request.icc is not None:
            message = (
                "An icc is the correlation within clusters or within the trials of an item. Say "
                "which: cluster_size=20 (--cluster-size 20) or trials=5 (--trials 5)."
            )
            raise RequestError(message)
        return answer
    icc = _checked(request)
    if request.cluster_size is not None:
        return _clustered(request, answer, request.cluster_size, icc)
    assert request.trials is not None
    return _repeated(answer, request.trials, icc)


def _checked(request: PlanRequest) -> float:
    if request.cluster_size is not None and request.trials is not None:
        message = "Give clusters or trials, not both: the trials of an item are a cluster."
        raise RequestError(message)
    if request.question in SINGLE:
        message = (
            f"question={request.question!r} supposes items that have nothing to do with one "
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


def _clustered(request: PlanRequest, answer: Answer, size: float, icc: float) -> Answer:
    effect, tails = design_effect(size, correlation=icc), _tails(request, answer)

    lead = abs(request.rates[0] - request.rates[1]) if len(request.rates) == 2 else None
    paired = answer.goal == "power" and answer.discordance is not None and lead
    known = {"lead": lead, "discordance": answer.discordance} if paired else {}

    def grown(samples: int) -> ClusteredSize:
        return clustered_test_samples(
            samples, cluster_size=size, correlation=icc, tails=tails, **known
        )

    found = answer.samples if answer.promised is None else answer.safe
    clusters = None if found is None else grown(found).clusters
    # Where the lead rests on few clusters, they are worth less than the design effect says.
    least = 0.0 if found is None else grown(found).items / found

    def worth(samples: int) -> float:
        plain = effect * few_cluster_factor(samples / size, *tails)
        return max(plain, least) if paired else plain

    times = effect if found is None else grown(found).items / found
    note = f"clusters of {size:g} take {times:.3g} times as many"
    scaled = _scaled(
        answer,
        lambda samples: grown(samples).items,
        worth,
        ("items that hang together in no way", found, note),
    )
    told = [
        "judge the test by intervals that know the clusters, or it is not worth its items",
        "all clusters are taken for alike in how their items hang together: where a few of them "
        "carry the correlation, many more are needed",
    ]
    if clusters is not None and clusters < FEW_CLUSTERS:
        told.append(
            f"only {clusters} clusters: Student's t is counted on, and one cluster unlike the "
            "others may still decide it; take more clusters of fewer items"
        )
    return replace(scaled, clusters=clusters, caveats=(*answer.caveats, *told))


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


def _repeated(answer: Answer, trials: int, icc: float) -> Answer:
    effect = repeated_samples(1_000_000, trials=trials, correlation=icc).items / 1_000_000

    def items(samples: int) -> int:
        return repeated_samples(samples, trials=trials, correlation=icc).items

    once = answer.samples if answer.promised is None else answer.safe
    scaled = _scaled(answer, items, lambda _: effect, ("each tried once", once, None))
    if once is not None:
        fewest = repeated_samples(once, trials=trials, correlation=icc).fewest
        last = PlanOption(name="however often each is tried", samples=fewest, note="at least")
        scaled = replace(scaled, options=(*scaled.options, last))
    return replace(scaled, trials=trials)


def _scaled(
    answer: Answer,
    items: Callable[[int], int],
    effect: Callable[[int], float],
    single: tuple[str, int | None, str | None],
) -> Answer:
    """Say everything in items of which so many, at each size, are worth a single one."""

    def grown(samples: int | None) -> int | None:
        if samples is None:
            return None
        found = items(samples)
        return found if found <= LIMIT else None

    def worth(samples: int) -> int:
        return max(1, int(samples / effect(samples) * (1 + 1e-12)))

    size, further, assured = answer.size, answer.further, answer.assured
    return replace(
        answer,
        samples=grown(answer.samples),
        safe=grown(answer.safe),
        exact=None if answer.exact is None else answer.exact * effect(items(ceil(answer.exact))),
        reached=lambda n: answer.reached(worth(n)),
        size=None if size is None else _sized(size, grown),
        further=None if further is None else _sized(further, grown),
        assured=None if assured is None else _assured(assured, worth),
        numbers=tuple(n for n in (grown(one) for one in answer.numbers) if n is not None),
        positives=None
        if answer.positives is None or answer.samples is None
        else ceil(answer.positives * items(answer.samples) / answer.samples),
        options=(
            *(
                replace(one, samples=grown(one.samples)) if one.samples else one
                for one in answer.options
            ),
            PlanOption(name=single[0], samples=single[1], note=single[2]),
        ),
    )


def _sized(
    size: Callable[[float], int | None], grown: Callable[[int | None], int | None]
) -> Callable[[float], int | None]:
    return lambda target: grown(size(target))


def _assured(
    assured: Callable[[int], Assurance | float], worth: Callable[[int], int]
) -> Callable[[int], Assurance | float]:
    return lambda samples: assured(worth(samples))
