"""May the candidate pass: against a baseline, or by what is claimed of it alone?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Any, Self, Unpack

import numpy as np

from steelyard import measures, tally, uncertainty
from steelyard.counts import Confusion, Exposure, JointCalls, Outcomes, ScoreTable, Trials
from steelyard.errors import MOST_LISTED, NotComparable, RequestError, listing, switch
from steelyard.journey.arguments import refuse_excess
from steelyard.journey.comparison.refusals import check_estimand
from steelyard.journey.comparison.repeats import METHOD, RepeatedPair
from steelyard.journey.declared_roles import Verb, refuse_asked_group, settle_roles
from steelyard.journey.evaluation.exposures import Watched, split_exposure
from steelyard.journey.gates.advantages import GUARDED, Advantage, advantage_of, is_usual
from steelyard.journey.gates.claims import Counted, check_claims
from steelyard.journey.gates.requirements import Requirement, read_requirement
from steelyard.journey.missing import say_missing, say_missing_pairs, say_resting
from steelyard.journey.opening import (
    RoleArguments,
    check_seed,
    has_values,
    open_data,
    provenance_of,
    record_of_counts,
)
from steelyard.journey.option_types import GateOptions, GateSettings
from steelyard.journey.options import settle, takes
from steelyard.measures import CATALOGUE, Estimand
from steelyard.measures.catalogue.asked import name_positive
from steelyard.planning.tests.more_samples import more_for_claim
from steelyard.results import Estimate, Interval, Provenance
from steelyard.results.claims import AbsoluteClaim, read_claim
from steelyard.results.gate import ClaimCheck, Gate, GateCheck, GateOutcome
from steelyard.sources import Predictions
from steelyard.sources.opening import is_one_system
from steelyard.sources.roles.declared import LEFT_ASIDE
from steelyard.uncertainty.special import ndtri

__all__ = ["Requirement", "Whom", "gate", "read_requirement"]

# --- what the advantage of a gate is about: items like these, exactly these, one benchmark -------


@dataclass(frozen=True, slots=True, kw_only=True)
class Whom:
    """What the items of a gate stand for."""

    estimand: Estimand = "population"
    benchmark: int | None = None
    said: bool = False

    @classmethod
    def of(cls, estimand: str | None, benchmark: int | None) -> Self:
        """Check what was asked."""
        checked = check_estimand(estimand)
        if benchmark is not None and checked == "items":
            message = (
                "estimand='items' is about exactly these items, and benchmark= about others too. "
                "Leave one of them out."
            )
            raise RequestError(message)
        return cls(estimand=checked, benchmark=benchmark, said=estimand is not None)

    @property
    def of_population(self) -> bool:
        """Further items have a meaning only where there are further items."""
        return self.estimand == "population" and self.benchmark is None

    @property
    def verb(self) -> Verb | None:
        """Name the question in the table of roles, where it is not the usual one."""
        if self.benchmark is not None:
            return "gate on a benchmark"
        return "gate on these items" if self.estimand == "items" else None

    @property
    def way_out(self) -> str | None:
        """Say what would decide an undecided gate."""
        if self.benchmark is not None:
            return "more of the benchmark would have to be tested"
        return "each item would have to be asked more often" if self.estimand == "items" else None

    @property
    def caveats(self) -> tuple[str, ...]:
        """Say what the numbers are about, where that was asked."""
        if self.benchmark is not None:
            return (
                f"numbers are about a benchmark of {self.benchmark:,} items, of which these are "
                f"taken as a random part (benchmark={self.benchmark})",
            )
        return (f"numbers are about {measures.ESTIMANDS[self.estimand]}",) if self.said else ()

    def advantage(
        self,
        required: Requirement,
        data: object,
        names: tuple[str, str],
        *,
        level: float,
        rng: int,
    ) -> Advantage:
        """Measure the advantage, with the interval that fits what the items stand for."""
        found = advantage_of(required, data, names, level=level, rng=rng)  # type: ignore[arg-type]
        if self.estimand == "items":
            return _again(found, data, names, level=level, rng=rng)
        if self.benchmark is None:
            return found
        return _of_benchmark(found, self.benchmark, level=level, rng=rng)


def _again(
    found: Advantage, data: object, names: tuple[str, str], *, level: float, rng: int
) -> Advantage:
    """Take the spread of the answers within items alone, as ``compare`` does."""
    if found.measure != "accuracy":
        message = f"estimand='items' is for accuracy; {found.measure} is about items like these."
        raise NotComparable(message, code="no-repeats")
    if not isinstance(data, Predictions) or "cluster" not in data.splits:
        message = (
            "estimand='items' needs items that were asked more than once: a log with epochs or "
            f"repeats, or a column that names the item of each try, {switch('cluster', 'COLUMN')}."
        )
        raise NotComparable(message, code="no-repeats")
    pair = RepeatedPair.of(tally.tally_outcomes_by(data, "cluster"), *names, seed=rng)
    plain = replace(found, estimate=replace(found.estimate, caveats=()))
    return _with_ends(plain, *pair.limits(level), level, METHOD)


def _of_benchmark(found: Advantage, benchmark: int, *, level: float, rng: int) -> Advantage:
    """Draw what the rest of the benchmark may hold, given the part that is known."""
    if found.measure != "accuracy":
        message = (
            f"benchmark= counts all items, and {found.measure} is about some of them. Require "
            "accuracy, or leave it out."
        )
        raise NotComparable(message, code="no-benchmark")
    pair = found.pair
    if pair is None:  # counts that carry weights; columns were settled before
        message = "benchmark= counts whole items, and these carry weights. Leave one of them out."
        raise NotComparable(message, code="weighted")
    cells = (pair.both, pair.first, pair.second, pair.neither)
    ends = uncertainty.guarded_finite_interval(
        cells, benchmark, level=level, rng=np.random.default_rng(rng)
    )
    return _with_ends(found, *ends, level, f"{GUARDED}, finite population")


def _with_ends(found: Advantage, low: float, high: float, level: float, method: str) -> Advantage:
    ends = Interval(low=low, high=high, level=level, method=method)
    return replace(found, reason=None, estimate=replace(found.estimate, interval=ends))


# --- may the candidate replace the baseline? -----------------------------------------------------


Data = Predictions | Outcomes | JointCalls
ALONE = (Confusion, ScoreTable, Trials, Exposure)
"""Counts of one system, which has claims of its own but no baseline."""


@refuse_excess
@takes("gate")
def gate(data: Any, **options: Unpack[GateOptions]) -> Gate:  # noqa: ANN401
    """Hold a candidate against a baseline on common items, or against claims of its own.

    Each requirement is held against the interval of the candidate's advantage at the level
    1 - 2 ``alpha``. Measures of calls have limits that allow for one unseen item
    (:func:`steelyard.uncertainty.guarded_paired_interval`,
    :func:`steelyard.comparison.guarded_calls`); accuracy of items that carry weights or come in
    clusters has the interval of :func:`compare`; AUC that of areas.

    Parameters
    ----------
    data
        The candidate's predictions, or a table that holds both systems, or counts of two systems
        (``Outcomes``, ``JointCalls``); for claims alone also counts of one (``Confusion``,
        ``ScoreTable``, ``Trials``, ``Exposure``).
    require
        One requirement or several, all of which must hold: ``"not worse by 0.01"``,
        ``"better"``, ``"better by 0.02"``, ``"same within 0.01"``, with a measure in front if it
        is not accuracy: ``"recall of ship not worse by 0.02"``.
    claim
        One absolute claim or several, all of which must hold too: ``"recall of ship at least
        0.95"``, ``"P_FA at most 0.0001 at P_D 0.9"``, ``"false alarms at most 2 per hour"``.
    exposure
        What false alarms are counted over: ``"12 h"``, ``"400 images"``, or the column that
        holds it for each row (``hours``, or ``duration:min``).
    baseline
        The baseline's predictions, or the name of its system in the table.
    candidate
        The name of the candidate's system, where a table holds several.
    alpha
        The largest probability with which a requirement passes that does not hold.
    estimand
        What the advantage is about: ``population``, items like these, or ``items``, exactly
        these items, each asked more than once (accuracy only).
    unknown
        The call that is no answer: claims are then about ``accuracy``, which counts it as wrong,
        ``coverage`` or ``selective accuracy``.
    benchmark
        Size of a fixed benchmark of which these items are a random part: the advantage then
        is about all of it, and half widths shrink by sqrt(1 - n/N).
    rng
        Seed of the bootstrap, recorded in the result.
    **roles
        What the columns mean; see :class:`steelyard.journey.opening.RoleArguments`.

    Returns
    -------
    Gate
        Passes, fails or undecided for each requirement and claim, and for all of them together.

    Raises
    ------
    RefusedData
        The data cannot answer the question; the message says what was found, what was expected and
        what to type next.
    RequestError
        An argument is unknown, lies outside its domain or does not fit the others.

    Examples
    --------
    >>> import steelyard as sy
    >>> outcomes = sy.Outcomes.from_pair(
    ...     both=860, first=30, second=22, neither=88, systems=("new", "main"))
    >>> sy.gate(outcomes, require="not worse by 0.01").outcome
    'passes'
    >>> sy.gate(outcomes, require="better").outcome
    'undecided'
    >>> sy.gate(outcomes, candidate="new", claim="accuracy at least 0.87").outcome
    'passes'
    """
    own: GateSettings
    own, roles = settle("gate", options)
    alpha = own["alpha"]
    estimand, benchmark = own["estimand"], own["benchmark"]
    if not 0 < alpha < 0.5:
        raise RequestError.for_level("alpha", alpha)  # noqa: EM101
    rng = check_seed(own["rng"])
    units = has_values(data, roles)
    asked = [read_requirement(one, units=units) for one in _several(own["require"])]
    claimed = [read_claim(one) for one in _several(own["claim"])]
    if not asked and not claimed:
        message = (
            "A gate needs a requirement against a baseline, require='not worse by 0.01' "
            "(--require ...), or a claim, claim='recall of ship at least 0.9' (--claim ...)."
        )
        raise RequestError(message)
    claimed, roles = _name_positive(claimed, roles)
    positive = roles.get("positive")
    exposure, roles = split_exposure(own["exposure"], roles)
    whom = Whom.of(estimand, benchmark)
    if units and not (whom.of_population and exposure is None):
        message = (
            "estimand=, benchmark= and exposure= are about right answers, and these systems hold a "
            "number for each item. Leave them out."
        )
        raise RequestError(message, code="values")
    if not asked:
        if whom.said or benchmark is not None:
            message = "estimand= and benchmark= are about requirements. Leave them out of claims."
            raise RequestError(message)
        alone, name = _open_alone(data, own, roles)
        return _claims_alone(alone, name, own, claims=claimed, exposure=exposure, positive=positive)
    if own["unknown"] is not None:
        message = "unknown= (--unknown) is about claims of one system. Leave require= out."
        raise RequestError(message, code="unknown")
    found, names = _open(data, own["baseline"], own["candidate"], roles)
    unused = _settle(found, asked, whom)
    claims: tuple[ClaimCheck, ...] = ()
    if claimed:
        claims = check_claims(
            found, names[0], claimed, alpha=alpha, exposure=exposure, positive=positive
        )
    settings = {
        "require": "; ".join(one.text for one in asked),
        "claim": "; ".join(one.text for one in claimed) or None,
        "exposure": own["exposure"],
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
        claims=claims,
        caveats=tuple(
            dict.fromkeys(
                [
                    *(found.caveats if isinstance(found, Predictions) else ()),
                    *unused,
                    *_say_missing(found, names, claims, checks),
                    *whom.caveats,
                    *(doubt for check in checks for doubt in check.advantage.caveats),
                    *(doubt for check in claims for doubt in check.caveats),
                ]
            )
        ),
    )


def _say_missing(
    found: Data | Counted,
    names: Sequence[str],
    claims: Sequence[ClaimCheck],
    checks: Sequence[GateCheck] = (),
) -> tuple[str, ...]:
    """Say what answers that were left out may do to what is required or claimed."""
    if not isinstance(found, Predictions):
        return ()
    known = {system.name for system in found.systems}
    systems = tuple(found.system(name) for name in names if name in known)
    asked, wanted = (
        [(CATALOGUE[one.measure], one.of) for one in some if one.measure in CATALOGUE]
        for some in (claims, checks)
    )
    alone = (
        (*say_resting(found, systems[0], claims), *say_missing(found, systems[0], asked))
        if systems
        else ()
    )
    if len(systems) == 1:
        return alone
    return tuple(
        dict.fromkeys((*say_missing_pairs(replace(found, systems=systems), wanted), *alone))
    )


def _several(given: str | Sequence[str] | None) -> Sequence[str]:
    return [given] if isinstance(given, str) else given or ()


def _name_positive(
    claims: Sequence[AbsoluteClaim], roles: RoleArguments
) -> tuple[list[AbsoluteClaim], RoleArguments]:
    """Read ``AUC of ship`` as an area, with ship as the positive class."""
    positive, made = roles.get("positive"), []
    for one in claims:
        name, of = name_positive(one.measure or "")
        if of is not None and positive not in (None, of):
            message = (
                f"{one.text!r} is about {of}, and positive={positive!r} names another class. Give "
                "one of them."
            )
            raise RequestError(message, code="claim")
        positive = of or positive
        made.append(one if of is None else replace(one, measure=name))
    if positive is None:
        return made, roles
    told: Any = {**roles, "positive": positive}
    return made, told


def _open_alone(
    data: Any,  # noqa: ANN401
    own: GateSettings,
    roles: RoleArguments,
) -> tuple[Predictions | Counted, str]:
    """Open the candidate alone, and settle which of several systems it is."""
    candidate = own["candidate"]
    if own["baseline"] is not None:
        message = (
            "baseline= is for requirements against it, and there is none: add require='not worse "
            "by 0.01' (--require ...), or leave the baseline out."
        )
        raise RequestError(message)
    if isinstance(data, Mapping) and data and all(isinstance(x, Exposure) for x in data.values()):
        chosen = _only([str(name) for name in data], candidate)
        return data[chosen], chosen
    if isinstance(data, ALONE) and not isinstance(data, Trials):
        return data, candidate or "candidate"
    if isinstance(data, Outcomes | JointCalls | Trials):
        return data, _only(data.systems, candidate)
    found = open_data(data, roles, crossed=own["unknown"] is None, no_answer=own["unknown"])
    refuse_asked_group("gate by measure", found.settings)
    candidate = _of_column(found, candidate)
    return _of_named(found, candidate), _only([one.name for one in found.systems], candidate)


def _only(systems: Sequence[str], candidate: str | None) -> str:
    if candidate is not None and candidate not in systems:
        raise RequestError.for_choice(name="candidate", given=candidate, choices=systems)
    if candidate is None and len(systems) > 1:
        message = (
            f"Which of {listing(systems, room=MOST_LISTED)} is the candidate? Name it: "
            f"{switch('candidate', systems[0])}."
        )
        raise RequestError(message, code="gate-systems")
    return candidate or systems[0]


def _claims_alone(
    found: Predictions | Counted,
    name: str,
    own: GateSettings,
    *,
    claims: Sequence[AbsoluteClaim],
    exposure: Watched | None,
    positive: Any,  # noqa: ANN401
) -> Gate:
    """Hold one system against what is claimed of it."""
    alpha = own["alpha"]
    checks = check_claims(
        found,
        name,
        claims,
        alpha=alpha,
        exposure=exposure,
        positive=None if positive is None else str(positive),
        unknown=own["unknown"],
    )
    settings = {
        "claim": "; ".join(one.text for one in claims),
        "exposure": own["exposure"],
        "alpha": alpha,
        "unknown": own["unknown"],
    }
    unused = settle_roles("evaluate", found) if isinstance(found, Predictions) else ()
    return Gate(
        candidate=name,
        baseline=None,
        checks=(),
        alpha=alpha,
        provenance=provenance_of(found, settings)
        if isinstance(found, Predictions)
        else record_of_counts(settings),
        claims=checks,
        caveats=tuple(
            dict.fromkeys(
                [
                    *(found.caveats if isinstance(found, Predictions) else ()),
                    *unused,
                    *_say_missing(found, (name,), checks),
                    *(doubt for check in checks for doubt in check.caveats),
                ]
            )
        ),
    )


def _settle(found: Data, asked: Sequence[Requirement], whom: Whom) -> tuple[str, ...]:
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


def _open(
    data: Any,  # noqa: ANN401
    baseline: Any,  # noqa: ANN401
    candidate: str | None,
    roles: RoleArguments,
) -> tuple[Data, tuple[str, str]]:
    """Open both sides and settle who is the candidate."""
    if isinstance(data, Outcomes | JointCalls):
        return data, _names(data.systems, baseline, candidate)
    if _is_data(baseline):
        if isinstance(data, Mapping) and data and all(map(is_one_system, data.values())):
            candidate = _only([str(name) for name in data], candidate)
            data = data[candidate]
        names = (candidate or "candidate", "baseline")
        parts = dict(zip(names, (data, baseline), strict=True))
        found = open_data(parts, roles, crossed=True)
    else:
        found = open_data(data, roles, crossed=True)
        baseline, candidate = (_of_column(found, one) for one in (baseline, candidate))
        names = _names([system.name for system in found.systems], baseline, candidate)
        found = _of_named(found, candidate, baseline)
    if found.pairing != "common":
        message = "A gate compares on common items. Leave pairing= (--pairing) out."
        raise NotComparable(message, code="gate-pairing")
    return found, names


def _of_named(found: Predictions, *names: str | None) -> Predictions:
    """Say nothing of columns that were left aside where the systems in question are named."""
    if None in names:
        return found
    said = tuple(one for one in found.understood if one[0] != LEFT_ASIDE)
    return replace(found, understood=said)


def _of_column(found: Predictions, name: str | None) -> str | None:
    """Give the system of a column of numbers that was named whole: ``a`` of ``a_latency``."""
    said = dict(found.settings)
    columns = (said.get("value") or said.get("errors") or "").split(", ")
    systems = [system.name for system in found.systems]
    known = dict(zip(columns, systems, strict=True)) if len(columns) == len(systems) else {}
    return name if name is None or name in systems else known.get(name, name)


def _is_data(baseline: object) -> bool:
    """Tell a file or a frame from the name of a system.

    A word alone is a name, even where a file is called so: who puts files into this folder does
    not decide what is compared.
    """
    if baseline is None:
        return False
    if isinstance(baseline, str):
        word = Path(baseline).name == baseline and not Path(baseline).suffix
        there = not word and Path(baseline).exists()
        return there or any(mark in baseline for mark in ("*", "?", "://"))
    return True


def _names(systems: Sequence[str], baseline: str | None, candidate: str | None) -> tuple[str, str]:
    """Find both by name; of two systems the other one is meant, the first if none is named."""
    for role, name in (("baseline", baseline), ("candidate", candidate)):
        if name is not None and name not in systems:
            message = (
                f"{role}={name!r} is neither a file nor one of the systems: {listing(systems)}."
            )
            if Path(name).exists():
                message += f" For the file of that name: {switch(role, f'./{name}')}."
            raise RequestError(message, code="gate-systems")
    if len(systems) == 2 and None in (baseline, candidate):
        first = candidate or next(name for name in systems if name != baseline)
        second = baseline or next(name for name in systems if name != first)
        return first, second
    if baseline is None or candidate is None or baseline == candidate:
        message = (
            f"Which of {listing(systems, room=MOST_LISTED)} is the candidate, and which the "
            "baseline? Name both: "
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
    outcome = _judge(required, found.estimate)
    more, among, reason = None, None, found.reason or found.estimate.reason
    if outcome == "undecided" and found.uncounted:
        reason = reason or whom.way_out or found.uncounted
    elif outcome == "undecided" and found.estimate.interval is not None and whom.of_population:
        needed = _more(required, found, alpha)
        more, reason = needed.more, needed.reason
        looked_at = found.estimate.items
        if more is not None and found.whole and looked_at and looked_at < found.whole:
            more, among = ceil(more * found.whole / looked_at), more
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
        more_of=among,
        reason=reason,
    )


def _judge(required: Requirement, advantage: Estimate) -> GateOutcome:
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
