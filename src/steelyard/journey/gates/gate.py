"""May the candidate replace the baseline?"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from scipy.special import ndtri

from steelyard.counts import JointCalls, Outcomes
from steelyard.errors import NotComparable, RequestError, listing, switch
from steelyard.journey.arguments import check_arguments
from steelyard.journey.declared_roles import Verb, settle_roles
from steelyard.journey.gates.advantages import Advantage, is_usual
from steelyard.journey.gates.estimands import Whom
from steelyard.journey.gates.requirements import Requirement, read_requirement
from steelyard.journey.opening import (
    RoleArguments,
    checked_seed,
    opened,
    provenance_of,
    record_of_counts,
)
from steelyard.journey.option_types import GateOptions, GateSettings
from steelyard.journey.options import settle, takes
from steelyard.planning.tests.claims import more_for_claim
from steelyard.results import Estimate, Provenance
from steelyard.results.gate import Gate, GateCheck, GateOutcome
from steelyard.sources import Predictions

__all__ = ["gate"]

Data = Predictions | Outcomes | JointCalls


@check_arguments
@takes("gate")
def gate(data: Any, **options: Unpack[GateOptions]) -> Gate:  # noqa: ANN401
    """Hold a candidate against a baseline on common items, and say whether it may pass.

    Each requirement is held against the interval of the candidate's advantage at the level
    1 - 2 ``alpha``. Measures of calls have limits that allow for one unseen item
    (:func:`steelyard.uncertainty.guarded_paired_interval`,
    :func:`steelyard.comparison.guarded_calls`); accuracy of items that carry weights or come in
    clusters has the interval of :func:`compare`; AUC that of areas.

    Parameters
    ----------
    data
        The candidate's predictions, or a table that holds both systems, or counts of two systems
        (``Outcomes``, ``JointCalls``).
    require
        One requirement or several, all of which must hold: ``"not worse by 0.01"``,
        ``"better"``, ``"better by 0.02"``, ``"same within 0.01"``, with a measure in front if it
        is not accuracy: ``"recall of ship not worse by 0.02"``.
    baseline
        The baseline's predictions, or the name of its system in the table.
    candidate
        The name of the candidate's system, where a table holds several.
    alpha
        The largest probability with which a requirement passes that does not hold.
    estimand
        Whom the advantage speaks of: ``population``, items like these, or ``items``, these very
        items, each asked more than once (accuracy only).
    benchmark
        Size of a fixed benchmark of which these items are a random part: the advantage then
        speaks of all of it, and half widths shrink by sqrt(1 - n/N).
    rng
        Seed of the bootstrap, recorded in the result.
    **roles
        What the columns mean; see :class:`steelyard.journey.opening.RoleArguments`.

    Examples
    --------
    >>> import steelyard as sy
    >>> outcomes = sy.Outcomes.from_pair(
    ...     both=860, first=30, second=22, neither=88, systems=("new", "main"))
    >>> sy.gate(outcomes, require="not worse by 0.01").outcome
    'passes'
    >>> sy.gate(outcomes, require="better").outcome
    'undecided'
    """
    own: GateSettings
    own, roles = settle("gate", options)
    alpha, require = own["alpha"], own["require"]
    estimand, benchmark = own["estimand"], own["benchmark"]
    if not 0 < alpha < 0.5:
        raise RequestError.for_level("alpha", alpha)  # noqa: EM101
    rng = checked_seed(own["rng"])
    asked = [read_requirement(one) for one in ([require] if isinstance(require, str) else require)]
    if not asked:
        message = "A gate needs a requirement: require='not worse by 0.01' (--require ...)."
        raise RequestError(message)
    found, names = _opened(data, own["baseline"], own["candidate"], roles)
    whom = Whom.of(estimand, benchmark)
    unused = _settled(found, asked, whom)
    settings = {
        "require": "; ".join(one.text for one in asked),
        "alpha": alpha,
        "estimand": estimand,
        "benchmark": benchmark,
    }
    checks = tuple(_check(one, found, names, alpha=alpha, rng=rng, whom=whom) for one in asked)
    return Gate(
        candidate=names[0],
        baseline=names[1],
        checks=checks,
        alpha=alpha,
        provenance=_record(found, settings, rng),
        caveats=tuple(
            dict.fromkeys(
                [
                    *(found.caveats if isinstance(found, Predictions) else ()),
                    *unused,
                    *whom.caveats,
                    *(doubt for check in checks for doubt in check.advantage.caveats),
                ]
            )
        ),
    )


def _settled(found: Data, asked: Sequence[Requirement], whom: Whom) -> tuple[str, ...]:
    """Refuse the declared columns that some requirement cannot use; name those not looked at."""
    if not isinstance(found, Predictions):
        return ()
    verbs: list[Verb] = ["gate" if is_usual(one, found) else "gate by measure" for one in asked]
    if whom.verb is not None:
        verbs.append(whom.verb)
    return tuple(dict.fromkeys(word for verb in verbs for word in settle_roles(verb, found)))


def _record(found: Data, settings: Mapping[str, object], seed: int) -> Provenance:
    if isinstance(found, Predictions):
        return provenance_of(found, settings, seed=seed)
    return record_of_counts(settings, seed=seed)


def _opened(
    data: Any,  # noqa: ANN401
    baseline: Any,  # noqa: ANN401
    candidate: str | None,
    roles: RoleArguments,
) -> tuple[Data, tuple[str, str]]:
    """Open both sides and settle who is the candidate."""
    if isinstance(data, Outcomes | JointCalls):
        return data, _names(data.systems, baseline, candidate)
    if _is_data(baseline):
        names = (candidate or "candidate", "baseline")
        parts = dict(zip(names, (data, baseline), strict=True))
        found = opened(parts, roles)
    else:
        found = opened(data, roles)
        names = _names([system.name for system in found.systems], baseline, candidate)
    if found.pairing != "common":
        message = "A gate compares on common items. Leave pairing= (--pairing) out."
        raise NotComparable(message, code="gate-pairing")
    return found, names


def _is_data(baseline: object) -> bool:
    """Tell a file or a frame from the name of a system."""
    if baseline is None:
        return False
    if isinstance(baseline, str):
        return Path(baseline).exists() or any(mark in baseline for mark in ("*", "?", "://"))
    return True


def _names(systems: Sequence[str], baseline: str | None, candidate: str | None) -> tuple[str, str]:
    """Find both by name; of two systems the other one is meant, the first if none is named."""
    for role, name in (("baseline", baseline), ("candidate", candidate)):
        if name is not None and name not in systems:
            message = (
                f"{role}={name!r} is neither a file nor one of the systems: {listing(systems)}."
            )
            raise RequestError(message, code="gate-systems")
    if len(systems) == 2 and None in (baseline, candidate):
        first = candidate or next(name for name in systems if name != baseline)
        second = baseline or next(name for name in systems if name != first)
        return first, second
    if baseline is None or candidate is None or baseline == candidate:
        message = (
            f"Which of {listing(systems)} is the candidate, and which the baseline? Name both: "
            f"{switch('candidate', systems[0])} and {switch('baseline', systems[-1])}."
        )
        raise RequestError(message, code="gate-systems")
    return candidate, baseline


def _check(
    required: Requirement,
    data: Data,
    names: tuple[str, str],
    *,
    alpha: float,
    rng: int,
    whom: Whom,
) -> GateCheck:
    found = whom.advantage(required, data, names, level=1 - 2 * alpha, rng=rng)
    outcome = _judged(required, found.estimate)
    more, reason = None, found.reason or found.estimate.reason
    if outcome == "undecided" and found.uncounted:
        reason = reason or whom.way_out or found.uncounted
    elif outcome == "undecided" and found.estimate.interval is not None and whom.of_population:
        needed = _more(required, found, alpha)
        more, reason = needed.more, needed.reason
    elif outcome == "undecided":
        reason = reason or whom.way_out
    return GateCheck(
        requirement=required.text,
        measure=found.measure,
        of=found.of,
        claim=required.claim,
        margin=required.margin,
        candidate=found.values[0],
        baseline=found.values[1],
        advantage=found.estimate,
        outcome=outcome,
        more=more,
        reason=reason,
    )


def _judged(required: Requirement, advantage: Estimate) -> GateOutcome:
    """Pass when the whole interval lies inside the claim, fail when it lies outside."""
    ends, margin = advantage.interval, required.margin
    if ends is None:
        return "undecided"
    if required.claim == "same":
        if -margin < ends.low and ends.high < margin:
            return "passes"
        return "fails" if ends.low > margin or ends.high < -margin else "undecided"
    limit = margin if required.claim == "better" else -margin
    if ends.low > limit:
        return "passes"
    return "fails" if ends.high < limit else "undecided"


def _more(required: Requirement, found: Advantage, alpha: float) -> Any:  # noqa: ANN401
    value, ends = found.estimate.value, found.estimate.interval
    assert value is not None
    assert ends is not None
    error = (ends.high - ends.low) / 2 / float(ndtri(1 - alpha))
    limit = required.margin if required.claim == "better" else -required.margin
    room = abs(value - limit)
    if required.claim == "same":
        room = abs(required.margin - abs(value))
    inside = required.claim == "same" and abs(value) < required.margin
    sides = 2 if inside else 1
    return more_for_claim(room, error, found.estimate.items or 0, alpha=alpha, sides=sides)
