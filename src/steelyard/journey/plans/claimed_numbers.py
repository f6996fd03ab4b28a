"""How to test a claim about a number for each item: a mean, a ratio of sums, or a quantile."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from steelyard import planning
from steelyard.errors import RequestError
from steelyard.journey.opening import record_of_counts
from steelyard.journey.plans.request import Answer, planned
from steelyard.journey.values.plan import ValueRequest
from steelyard.planning.values import MeanSize
from steelyard.results import Plan, ValuePlan
from steelyard.results.claims import AbsoluteClaim

__all__ = ["claimed_share", "is_mean_claim", "plan_mean_claim"]

QUANTILE = re.compile(
    r"(?:p(?P<p>\d+(?:\.\d+)?)|(?P<percentile>\d+(?:\.\d+)?)(?:st|nd|rd|th)? percentile|"
    r"(?P<median>median))(?: (?:of )?(?:the )?)?(?P<of>.*)"
)
RATIOS = "ratio|error rate|errors|wer|cer|ter|mer"
MEANS = re.compile(rf"(?:mean|average(?! precision)|{RATIOS})\b.*")
OF_RATIO = (
    "of a ratio of sums an item's standard deviation is that of (errors - rate x words) / mean "
    "words; steelyard plan value --pilot finds it"
)


def claimed_share(claim: AbsoluteClaim) -> AbsoluteClaim | None:
    """Read a claim about a quantile as one about the share of items on its good side.

    >>> from steelyard.results.claims import read_claim
    >>> found = claimed_share(read_claim("p95 latency at most 200"))
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
            f"{claim.text!r} does not hold with what is supposed, {supposed:g}: no test of it can "
            "be planned to pass. Suppose a value on the good side of the limit."
        )
        raise RequestError(message, code="claim-rate")
    deviation, alpha = float(numbers[0]), own["alpha"] / 2

    def sized(power: float) -> MeanSize:
        return planning.mean_samples(
            gap, spread=deviation, power=power, alpha=alpha, claim="better"
        )

    found = sized(own["power"])
    answer = Answer(
        goal="power",
        target=own["power"],
        samples=found.items,
        exact=found.exact,
        reached=lambda samples: planning.mean_power(
            max(2, samples), difference=gap, spread=deviation, alpha=alpha, claim="better"
        ),
        size=lambda power: sized(power).items,
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
    made = planned(request, answer, (OF_RATIO,) if ratio else ())
    held = {one.name: getattr(made, one.name) for one in fields(made)}
    return ValuePlan(**held, spread=deviation, claimed=claim.text, supposed=supposed)
