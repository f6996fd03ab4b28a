"""How to test an absolute claim: of a share of items, or of events over an exposure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from math import ceil, floor, log10
from typing import Any

import numpy as np
from scipy.special import gammaincc

from steelyard import planning
from steelyard.errors import RequestError
from steelyard.journey.evaluation.unknown import OF_ANSWERS
from steelyard.journey.opening import record_of_counts
from steelyard.journey.plans.request import Answer, assemble_plan
from steelyard.journey.values.plan import ValueRequest
from steelyard.measures.catalogue.asked import AskedMeasure, name_positive, read_measures
from steelyard.planning.values import MeanSize
from steelyard.results import Plan, Provenance, ValuePlan
from steelyard.results.claims import AbsoluteClaim, check_limit, read_claim
from steelyard.results.plan.acceptance import Acceptance, AcceptancePoint, AcceptanceWay

__all__ = ["list_rates", "plan_acceptance"]

QUANTILE = re.compile(
    r"(?:p(?P<p>\d+(?:\.\d+)?)|(?P<percentile>\d+(?:\.\d+)?)(?:st|nd|rd|th)? percentile|"
    r"(?P<median>median))(?: (?:of )?(?:the )?)?(?P<of>.*)"
)
RATIOS = "ratio|error rate|errors|wer|cer|ter|mer"
MEANS = re.compile(r"(?:mean|average(?! precision)|ratio|wer|cer|ter|mer)\b.*")
"""Claims of means without a spread; errors that nobody gives a spread of are items gone wrong."""
OF_RATIO = (
    "of a ratio of sums an item's standard deviation is that of (errors - rate x words) / mean "
    "words; steelyard plan value --pilot finds it"
)

POINTS = 11
"""Points of the operating characteristic."""


def plan_acceptance(
    claim: str | None, rates: Sequence[float], own: Mapping[str, Any]
) -> Acceptance | Plan:
    """Plan the tests of a claim; of ``rates`` at most one, what is supposed."""
    if claim is None:
        message = (
            "plan accept needs the claim: claim='P_D at least 0.9' (--claim \"P_D at least 0.9\"), "
            "or 'false alarms at most 2 per hour'."
        )
        raise RequestError(message, code="claim")
    if len(rates) > 1:
        message = f"{len(rates)} rates; a claim is about one system: rates=[0.95] (--rates 0.95)."
        raise RequestError(message)
    alpha, power, spread = own["alpha"], own["power"], own["spread"]
    read = read_claim(claim)
    if read.measure is not None:  # which class is positive matters to no plan
        read = replace(read, measure=name_positive(read.measure)[0])
    supposed = rates[0] if rates else None
    record = record_of_counts(
        {"question": "accept", "claim": read.text, "rates": supposed, "alpha": alpha,
         "power": power}
    )  # fmt: skip
    if read.per is not None:
        return _events(read, supposed, alpha, power, record)
    share = read if (read.measure or "").casefold() in OF_ANSWERS else read_share_claim(read)
    if share is not None and spread is None:
        check_limit(share, share.measure or "", (0.0, 1.0))
        return _plain_share(share, share.measure or "", supposed, alpha, power, record)
    if is_mean_claim(read, spread):
        return plan_mean_claim(read, supposed, own, spread)
    return _shares(read, supposed, own, record)


def _shares(
    claim: AbsoluteClaim, supposed: float | None, own: Mapping[str, Any], record: Provenance
) -> Acceptance | Plan:
    (asked,) = read_measures(claim.measure or "accuracy")
    measure = asked.measure
    check_limit(claim, measure.name, measure.bounds)
    if measure.name == "AUC" and supposed is not None:
        from steelyard.journey.plans.plan import plan

        # A gate takes the end of the interval of level 1 - alpha: the test against a value.
        _check_side(claim, supposed)
        return plan([supposed], question="area", null=claim.limit, alpha=own["alpha"],
                    power=own["power"])  # fmt: skip
    if measure.parts is None:
        message = (
            f"{measure.name} is not a plain share of items, so that no number of failures decides "
            "it. Plan its interval: steelyard plan width (rates), area (AUC) or kappa; or test "
            "some, and let steelyard gate say how many more it takes."
        )
        raise RequestError(message, code="claim")
    return _plain_share(claim, _name(claim, asked), supposed, own["alpha"], own["power"], record)


def _plain_share(  # noqa: PLR0917 - a claim, what is supposed, and two risks
    claim: AbsoluteClaim,
    named: str,
    supposed: float | None,
    alpha: float,
    power: float,
    record: Provenance,
) -> Acceptance:
    if supposed is not None and not 0 <= supposed <= 1:
        message = (
            f"{claim.text!r}: rates=[{supposed:g}] (--rates {supposed:g}); suppose {named}, "
            "between 0 and 1, such as 0.98."
        )
        raise RequestError(message, code="claim-rate")
    least = claim.side == "at least"
    bad = 1 - claim.limit if least else claim.limit
    good = None if supposed is None else (1 - supposed if least else supposed)
    _check_side(claim, supposed)
    trials = planning.zero_failure_trials(bad, alpha)
    ways: list[AcceptanceWay] = []
    lasting: int | None = None
    if good is not None:
        ways, lasting = _ways(bad, good, alpha, 1 - power)
    ways.append(_way("nothing may fail", trials, 0, "when nothing fails", bad=bad, good=good))
    order = {"fixed size": 0, "nothing may fail": 1, "two stages": 2, "sequential": 3}
    ways.sort(key=lambda one: order[one.name])
    values = _values(bad, good, top=1.0)
    curve = _curve(ways, values, bad, good, alpha, 1 - power)
    return Acceptance(
        claim=claim.text,
        measure=named,
        side=claim.side,
        limit=claim.limit,
        supposed=supposed,
        alpha=alpha,
        power=power,
        unit=None,
        ways=tuple(ways),
        curve=tuple(
            AcceptancePoint(value=1 - rate if least else rate, accept=accept)
            for rate, accept in zip(values, curve, strict=True)
        ),
        lasting=lasting,
        provenance=record,
    )


def _name(claim: AbsoluteClaim, asked: AskedMeasure) -> str:
    return claim.measure or asked.measure.name


def _check_side(claim: AbsoluteClaim, supposed: float | None) -> None:
    if supposed is None:
        return
    good = supposed > claim.limit if claim.side == "at least" else supposed < claim.limit
    if not good:
        message = (
            f"{claim.text!r} does not hold at the assumed value, {supposed:g}: no test of it can "
            "be planned to pass. Assume a value on the good side of the limit."
        )
        raise RequestError(message, code="claim-rate")


def _way(
    name: str, trials: int, failures: int, rule: str, *, bad: float, good: float | None
) -> AcceptanceWay:
    accept = planning.acceptance_chance(trials, failures, [bad, bad if good is None else good])
    return AcceptanceWay(
        name=name,  # type: ignore[arg-type]
        most=trials,
        failures=failures,
        rule=rule,
        accept_limit=float(accept[0]),
        accept_supposed=None if good is None else float(accept[1]),
        expected_limit=float(trials),
        expected_supposed=None if good is None else float(trials),
    )


def _ways(
    bad: float, good: float, alpha: float, beta: float
) -> tuple[list[AcceptanceWay], int | None]:
    fixed = planning.acceptance_plan(bad, good, alpha=alpha, beta=beta)
    if fixed is None:
        return [], None
    ways = [
        _way("fixed size", fixed.trials, fixed.failures, f"when at most {fixed.failures} fail",
             bad=bad, good=good)
    ]  # fmt: skip
    staged = planning.two_stage_plan(bad, good, alpha=alpha, beta=beta)
    if staged is not None:
        at_bad, at_good = (planning.two_stage_point(staged, rate) for rate in (bad, good))
        ways.append(
            AcceptanceWay(
                name="two stages",
                most=staged.first + staged.second,
                failures=staged.accept_both,
                rule=(
                    f"when at most {staged.accept_first} of the first {staged.first} fail; reject "
                    f"when {staged.reject_first} or more do; else test {staged.second} more and "
                    f"accept when at most {staged.accept_both} of all fail"
                ),
                accept_limit=at_bad.accept,
                accept_supposed=at_good.accept,
                expected_limit=at_bad.expected_trials,
                expected_supposed=at_good.expected_trials,
            )
        )
    walked = planning.sequential_plan(bad, good, alpha=alpha, beta=beta)
    if walked is not None:
        low, high = planning.sequential_points(walked, [bad, good])
        step = walked.per_failure - walked.per_success
        slope = -walked.per_success / step
        ways.append(
            AcceptanceWay(
                name="sequential",
                most=walked.last,
                failures=walked.accept_last,
                rule=(
                    f"as soon as at most {slope:.4g} n - {-walked.low / step:.4g} of n fail; "
                    f"reject as soon as {slope:.4g} n + {walked.high / step:.4g} or more do; after "
                    f"{walked.last} accept when at most {walked.accept_last} failed"
                ),
                accept_limit=low.accept,
                accept_supposed=high.accept,
                expected_limit=low.expected_trials,
                expected_supposed=high.expected_trials,
            )
        )
    return ways, fixed.lasting


def _values(bad: float, good: float | None, *, top: float) -> list[float]:
    """Rates at which the characteristic is drawn: from nothing to well beyond the limit."""
    far = min(top, bad + (bad - (0.0 if good is None else good)))
    even = np.linspace(0.0, far, POINTS).tolist()
    named = [bad] if good is None else [bad, good]
    # A point of the grid that rounds onto a named one is that one.
    apart = [one for one in even if min(abs(one - mark) for mark in named) > 1e-9]
    return sorted([*apart, *named])


def _curve(  # noqa: PLR0917 - the two rates and the two risks
    ways: Sequence[AcceptanceWay],
    values: Sequence[float],
    bad: float,
    good: float | None,
    alpha: float,
    beta: float,
) -> list[tuple[float, ...]]:
    columns: list[Sequence[float]] = []
    for way in ways:
        if way.name == "two stages":
            staged = planning.two_stage_plan(bad, good or 0.0, alpha=alpha, beta=beta)
            assert staged is not None
            columns.append([planning.two_stage_point(staged, rate).accept for rate in values])
        elif way.name == "sequential":
            walked = planning.sequential_plan(bad, good or 0.0, alpha=alpha, beta=beta)
            assert walked is not None
            columns.append([one.accept for one in planning.sequential_points(walked, values)])
        else:
            columns.append(
                planning.acceptance_chance(round(way.most), way.failures, values).tolist()
            )
    return list(zip(*columns, strict=True))


def _events(
    claim: AbsoluteClaim, supposed: float | None, alpha: float, power: float, record: Provenance
) -> Acceptance:
    if claim.side == "at least":
        message = (
            f"{claim.text!r}: acceptance tests watch for too many events. Claim an upper limit: "
            f"'false alarms at most {claim.limit:g} per {claim.per}'."
        )
        raise RequestError(message, code="claim")
    check_limit(claim, claim.measure or "events", (0.0, None))
    _check_side(claim, supposed)
    ways: list[AcceptanceWay] = []
    if supposed is not None:
        fixed = planning.exposure_plan(claim.limit, supposed, alpha=alpha, beta=1 - power)
        if fixed is not None:
            rule = f"with at most {fixed.events} events"
            ways.append(
                _watch("fixed size", fixed.exposure, fixed.events, rule, (claim.limit, supposed))
            )
    empty = planning.zero_event_exposure(claim.limit, alpha)
    ways.append(
        _watch("nothing may fail", empty, 0, "when no event comes", (claim.limit, supposed))
    )
    values = _values(claim.limit, supposed, top=np.inf)
    return Acceptance(
        claim=claim.text,
        measure=claim.measure or "events",
        side=claim.side,
        limit=claim.limit,
        supposed=supposed,
        alpha=alpha,
        power=power,
        unit=claim.per,
        ways=tuple(ways),
        curve=tuple(
            AcceptancePoint(
                value=rate,
                accept=tuple(float(gammaincc(one.failures + 1.0, rate * one.most)) for one in ways),
            )
            for rate in values
        ),
        lasting=None,
        provenance=record,
    )


def _watch(
    name: str, exposure: float, events: int, rule: str, rates: tuple[float, float | None]
) -> AcceptanceWay:
    # Rounded up to six digits, which can be ordered: longer only makes accepting the bad rarer.
    limit, supposed = rates
    scale = 10.0 ** (5 - floor(log10(exposure)))
    long = ceil(exposure * scale) / scale
    return AcceptanceWay(
        name=name,  # type: ignore[arg-type]
        most=long,
        failures=events,
        rule=rule,
        accept_limit=float(gammaincc(events + 1.0, limit * long)),
        accept_supposed=None
        if supposed is None
        else float(gammaincc(events + 1.0, supposed * long)),
        expected_limit=long,
        expected_supposed=None if supposed is None else long,
    )


def list_rates(rates: object) -> tuple[float, ...]:
    """Give supposed rates as plain numbers, by name or as a list."""
    if rates is None:
        return ()
    values = rates.values() if isinstance(rates, Mapping) else rates
    return tuple(float(one) for one in values)  # type: ignore[attr-defined]


def read_share_claim(claim: AbsoluteClaim) -> AbsoluteClaim | None:
    """Read a claim about a quantile as one about the share of items on its good side.

    >>> from steelyard.results.claims import read_claim
    >>> found = read_share_claim(read_claim("p95 latency at most 200"))
    >>> found.measure, found.side, found.limit
    ('the share of items with latency at most 200', 'at least', 0.95)
    """
    found = QUANTILE.fullmatch((claim.measure or "").casefold())
    if found is None:
        return None
    share = 0.5 if found["median"] else float(found["p"] or found["percentile"]) / 100
    if not 0 < share < 1:
        return None
    within = share if claim.side == "at most" else 1 - share
    measure = f"the share of items with {found['of'] or 'a value'} {claim.side} {claim.limit:g}"
    return replace(claim, measure=measure, side="at least", limit=round(within, 12))


def is_mean_claim(claim: AbsoluteClaim, spread: object) -> bool:
    """Tell whether a claim is about a mean or a ratio; a spread says so, too."""
    return spread is not None or MEANS.fullmatch((claim.measure or "").casefold()) is not None


def plan_mean_claim(
    claim: AbsoluteClaim,
    supposed: float | None,
    own: Mapping[str, Any],
    spread: float | Sequence[float] | None,
) -> Plan:
    """Plan the items with which a gate passes a claim about a mean.

    A gate takes the end of the interval of level 1 - alpha, so that one side errs with half of it.
    """
    numbers = [spread] if isinstance(spread, int | float) else list(spread or ())
    if supposed is None or len(numbers) != 1 or not float(numbers[0]) > 0:
        message = (
            f"{claim.text!r} is about a number for each item: say what its mean is supposed to be "
            "and how much items spread, rates=[3.6], spread=1.1 (--rates 3.6 --spread 1.1)."
        )
        raise RequestError(message, code="no-spread")
    gap = supposed - claim.limit if claim.side == "at least" else claim.limit - supposed
    if not gap > 0:
        message = (
            f"{claim.text!r} does not hold at the assumed value, {supposed:g}: no test of it can "
            "be planned to pass. Assume a value on the good side of the limit."
        )
        raise RequestError(message, code="claim-rate")
    deviation, alpha = float(numbers[0]), own["alpha"] / 2

    def size(power: float) -> MeanSize:
        return planning.mean_samples(
            gap, spread=deviation, power=power, alpha=alpha, claim="better"
        )

    found = size(own["power"])
    answer = Answer(
        goal="power",
        target=own["power"],
        samples=found.items,
        exact=found.exact,
        reached=lambda samples: planning.mean_power(
            max(2, samples), difference=gap, spread=deviation, alpha=alpha, claim="better"
        ),
        size=lambda power: size(power).items,
        method="the end of Student's interval that a gate takes, noncentral t",
        delta=gap,
        measure="value",
    )
    record = record_of_counts(
        {"question": "accept", "claim": claim.text, "rates": supposed, "spread": deviation,
         "alpha": own["alpha"], "power": own["power"]}
    )  # fmt: skip
    given = {
        **own, "seed": 0, "design": "independent", "names": ("A",), "rates": (), "pilot": None,
        "provenance": record, "difference": gap, "spread": deviation, "question": "value",
        "each": 1.0, "sides": None, "margin": None, "width": None, "claim": "equivalent",
    }  # fmt: skip
    request = ValueRequest(**{one.name: given[one.name] for one in fields(ValueRequest)})
    ratio = re.match(rf"(?:{RATIOS})\b", (claim.measure or "").casefold())
    made = assemble_plan(request, answer, (OF_RATIO,) if ratio else ())
    held = {one.name: getattr(made, one.name) for one in fields(made)}
    return ValuePlan(**held, spread=deviation, claimed=claim.text, supposed=supposed)
