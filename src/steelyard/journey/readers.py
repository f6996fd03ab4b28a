"""Reader studies: from readings to areas, to three answers, and to the size of the next study."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard import uncertainty
from steelyard._version import __version__
from steelyard.comparison.readers import (
    READER_COVARIANCES,
    Covariance,
    ReaderAnswer,
    ReaderStudy,
    guard_readers,
    reader_power,
    reader_study,
)
from steelyard.errors import NotComparable, RequestError, counted, listing, printable, switch
from steelyard.journey.arguments import refuse_beside
from steelyard.journey.comparison.question import MOST_COMPARED
from steelyard.journey.comparison.refusals import refuse_many
from steelyard.journey.opening import RoleArguments, input_record, open_readings, say_settings
from steelyard.results import Provenance
from steelyard.results.readers import (
    ReaderComparison,
    ReaderOutcome,
    ReaderPair,
    ReaderPlan,
    ReaderSize,
    ReaderSystem,
)
from steelyard.results.shortfalls import shortfall
from steelyard.sources import ReaderRows

__all__ = ["compare_readers", "plan_readers"]

UNUSED = ("measure", "using", "estimand", "prior", "margin", "items", "layout", "by_group")
UNUSED_ROLES = (
    "weight", "cluster", "group", "fold", "threshold", "vector", "called", "outcome", "value",
    "per", "pairing",
)  # fmt: skip
NO_STUDY = (
    "{option} says nothing of a reader study, which compares mean areas under ROC curves. Leave it "
    "out."
)
FEW_READERS, FEW_CASES = 5, 10
MOST_READERS = 20
MOST_CASES = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Study:
    """Every reader's score of every case with every system, laid out."""

    truth: NDArray[np.bool_]
    scores: NDArray[np.float64]
    systems: tuple[str, ...]
    readers: tuple[str, ...]
    positive: str
    rows: ReaderRows
    caveats: tuple[str, ...]

    @property
    def fewest(self) -> int:
        """Count the cases of the smaller class."""
        return min(int(self.truth.sum()), int((~self.truth).sum()))


def compare_readers(
    data: Any,  # noqa: ANN401
    own: Mapping[str, Any],
    roles: RoleArguments,
) -> ReaderComparison:
    """Compare systems by the areas of readers, for others than those of the study."""
    refuse_beside({**own, **roles}, (*UNUSED, *UNUSED_ROLES), NO_STUDY, code="readers")
    covariance: Any = own["method"] or "delong"
    if covariance not in READER_COVARIANCES:
        raise RequestError.for_choice("method", covariance, tuple(READER_COVARIANCES))  # noqa: EM101
    study = _lay_out(data, own["reader"], roles)
    level, alpha = own["level"], own["alpha"]
    # A covariance that was named is weighed as it was published.
    weigh = partial(
        _weigh, study, covariance=covariance, level=level, guarded=own["method"] is None
    )
    whole = weigh(range(len(study.systems)))
    # The larger mean stands first, so that differences are read as leads.
    order = sorted(range(len(study.systems)), key=lambda at: -whole.means[at])
    couples = list(combinations(order, 2))
    weighed = [weigh(pair) for pair in couples]
    tested = [one.answer("readers and cases").p for one in weighed]
    adjusted = uncertainty.shaffer_static(tested, systems=len(study.systems))
    settings = {"reader": own["reader"], "method": own["method"], "level": level, "alpha": alpha}
    doubts = study.caveats
    if own["method"] and (len(study.readers) < FEW_READERS or study.fewest < FEW_CASES):
        doubts += (shortfall("few-readers", readers=len(study.readers), cases=study.fewest),)
    if any(one.error is None for each in weighed for one in each.answers):
        doubts += (NO_SPREAD,)
    return ReaderComparison(
        readers=study.readers,
        cases=study.truth.size,
        positives=int(study.truth.sum()),
        positive=study.positive,
        covariance=covariance,
        guarded=own["method"] is None,
        systems=tuple(
            ReaderSystem(
                system=name,
                area=mean,
                by_reader=areas,
                low=None if single.low is None else max(0.0, single.low),
                high=None if single.high is None else min(1.0, single.high),
            )
            for name, mean, areas, (single, _) in zip(
                study.systems, whole.means, whole.areas, whole.singles, strict=True
            )
        ),
        pairs=tuple(
            ReaderPair(
                first=study.systems[i],
                second=study.systems[j],
                difference=one.means[0] - one.means[1],
                outcomes=tuple(map(_outcome, one.answers)),
                adjusted_p=q,
                verdict="different" if q <= alpha else "undecided",
            )
            for (i, j), one, q in zip(couples, weighed, adjusted, strict=True)
        ),
        overall=tuple(map(_outcome, whole.answers)) if len(study.systems) > 2 else (),
        parts=(
            ("mean square of systems", whole.mean_square_systems),
            ("mean square of readers", whole.mean_square_readers),
            ("mean square of readers and systems", whole.mean_square_both),
            ("variance", whole.variance),
            ("covariance, same reader", whole.cov1),
            ("covariance, same system", whole.cov2),
            ("covariance, neither", whole.cov3),
        ),
        level=level,
        alpha=alpha,
        provenance=_record(study, settings),
        caveats=doubts,
    )


NO_SPREAD = (
    "readers do not differ from system to system, so that nothing shows how others would: where "
    "there is no interval, p is 1 and says nothing"
)


def _weigh(
    study: _Study,
    places: Sequence[int],
    *,
    covariance: Covariance,
    level: float,
    guarded: bool,
) -> ReaderStudy:
    found = reader_study(
        study.truth,
        study.scores[list(places)],
        systems=[study.systems[at] for at in places],
        readers=study.readers,
        covariance=covariance,
        level=level,
    )
    return guard_readers(found, study.fewest) if guarded else found


def _outcome(one: ReaderAnswer) -> ReaderOutcome:
    return ReaderOutcome(to=one.to, low=one.low, high=one.high, p_value=one.p, freedom=one.second)


def _record(study: _Study, settings: Mapping[str, object]) -> Provenance:
    return Provenance(
        version=__version__,
        inputs=tuple(map(input_record, study.rows.files)),
        understood=study.rows.understood,
        settings=say_settings(settings),
        rows=len(study.rows.cases),
    )


def _lay_out(data: Any, reader: str | None, roles: RoleArguments) -> _Study:  # noqa: ANN401
    rows = open_readings(data, reader, roles)
    truth, positive = _truths(rows)
    systems, readers = (tuple(dict.fromkeys(one)) for one in (rows.systems, rows.readers))
    _need_two(systems, readers)
    seen: dict[tuple[str, str, str], float] = {}
    again = 0
    for case, who, system, score in zip(
        rows.cases, rows.readers, rows.systems, rows.scores, strict=True
    ):
        if score is None:
            continue
        if (system, who, case) in seen:
            again += 1
        seen.setdefault((system, who, case), score)
    said: list[str] = []
    if again and roles.get("duplicates") != "first":
        message = (
            f"{counted(again, 'reading')} of a case by one reader with one system are repeated. A "
            "reader scores a case once with each system; only the first counts: "
            f"{switch('duplicates', 'first')}."
        )
        raise NotComparable(message, code="reader-duplicates")
    readers, kept = _same_readers(systems, readers, seen, roles)
    said += kept
    _need_two(systems, readers)
    for who in readers:
        _both_classes(who, systems, seen, truth, positive)
    cases, kept = _same_cases(systems, readers, tuple(truth), seen, roles)
    said += kept
    scores = np.array(
        [[[seen[system, who, case] for case in cases] for who in readers] for system in systems]
    )
    return _Study(
        truth=np.array([truth[case] for case in cases], dtype=bool),
        scores=scores,
        systems=systems,
        readers=readers,
        positive=positive,
        rows=rows,
        caveats=tuple(said),
    )


def _need_two(systems: Sequence[str], readers: Sequence[str]) -> None:
    refuse_many(systems, MOST_COMPARED)
    if len(systems) < 2:
        message = (
            f"Only one system ({listing(systems)}); a reader study compares two or more. In a "
            f"long table the column of systems is named: {switch('system', 'COLUMN')}."
        )
        raise NotComparable(message, code="one-system")
    if len(readers) < 2:
        message = (
            f"Only one reader ({listing(readers)}), who does not show how readers vary. Two "
            "systems of one reader are compared as scores of the same cases, without reader= "
            "(--reader); in a long table name system='COLUMN' (--system COLUMN) and score='COLUMN' "
            "(--score COLUMN)."
        )
        raise NotComparable(message, code="one-reader")


def _truths(rows: ReaderRows) -> tuple[dict[str, bool], str]:
    """Say of every case whether it is positive; a case has one truth, and there are two classes."""
    labels: dict[str, str] = {}
    wrong = []
    for case, label in zip(rows.cases, rows.truths, strict=True):
        if labels.setdefault(case, label) != label:
            wrong.append(case)
    if wrong:
        first = dict.fromkeys(wrong)
        message = (
            f"{counted(len(first), 'case', 'have')} more than one truth: "
            f"{listing(list(first), most=3)}. A case has one truth in all its rows: correct the "
            "file."
        )
        raise NotComparable(message, code="truth-disagrees")
    classes = sorted(set(labels.values()))
    if len(classes) != 2:
        message = (
            f"The truth holds {counted(len(classes), 'class')} ({listing(classes)}); an area under "
            "a ROC curve needs cases of two."
        )
        raise NotComparable(message, code="reader-classes")
    positive = rows.positive
    if positive is None:
        message = (
            "Scores are about one class, and none was named as the positive one. Classes: "
            f"{listing(classes)}. For example: {switch('positive', classes[-1])}. It is never "
            "chosen by the alphabet."
        )
        raise RequestError(message, code="no-positive")
    if positive not in classes:
        raise RequestError.for_choice(name="positive", given=positive, choices=classes)
    return {case: label == positive for case, label in labels.items()}, positive


Reach = Callable[[int, int], ReaderSize]
Seen = Mapping[tuple[str, str, str], float]


def _same_readers(
    systems: Sequence[str], readers: Sequence[str], seen: Seen, roles: RoleArguments
) -> tuple[tuple[str, ...], list[str]]:
    """Refuse readers who read with some of the systems alone, or leave them out."""
    read = {(system, who) for system, who, _ in seen}
    some = {who: [one for one in systems if (one, who) not in read] for who in readers}
    lacking = {who: missing for who, missing in some.items() if missing}
    if not lacking:
        return tuple(readers), []
    whole = tuple(who for who in readers if who not in lacking)
    if roles.get("join") == "inner" and whole:
        note = (
            f"{counted(len(lacking), 'reader')} left out who did not read with every system "
            "(join=inner)"
        )
        return whole, [note]
    first = next(iter(lacking))
    leave = (
        f"To compare by the {counted(len(whole), 'reader')} who read with all of them: "
        f"{switch('join', 'inner')}."
        if len(whole) > 1
        else "No two readers read with all of them: a study that splits readers among systems is "
        "another one, and is not compared here."
    )
    message = (
        f"Systems were read by different readers: {counted(len(lacking), 'reader')} of "
        f"{len(readers)} did not read with every system (reader {printable(first)} not with "
        f"{listing(lacking[first])}). {leave}"
    )
    raise NotComparable(message, code="reader-systems")


def _both_classes(
    who: str, systems: Sequence[str], seen: Seen, truth: Mapping[str, bool], positive: str
) -> None:
    for system in systems:
        cases = [truth[case] for case in truth if (system, who, case) in seen]
        if not any(cases) or all(cases):
            lack = "no case" if not any(cases) else "only cases"
            message = (
                f"Reader {printable(who)} saw {lack} of the class {printable(positive)} with "
                f"{printable(system)} ({counted(len(cases), 'case')} in all), so that there is no "
                "area under a ROC curve. Leave this reader out of the file, or add the readings."
            )
            raise NotComparable(message, code="reader-class")


def _same_cases(
    systems: Sequence[str],
    readers: Sequence[str],
    cases: tuple[str, ...],
    seen: Seen,
    roles: RoleArguments,
) -> tuple[tuple[str, ...], list[str]]:
    """Refuse cases that somebody did not read, or leave them out for everybody."""
    lacking = {
        case: [(s, who) for s in systems for who in readers if (s, who, case) not in seen]
        for case in cases
    }
    lacking = {case: missing for case, missing in lacking.items() if missing}
    if not lacking:
        return cases, []
    whole = tuple(case for case in cases if case not in lacking)
    if roles.get("missing") == "exclude" and whole:
        note = (
            f"{counted(len(lacking), 'case')} left out that not every reader scored with every "
            "system (missing=exclude)"
        )
        return whole, [note]
    leave = (
        f"; to use the {counted(len(whole), 'case')} that all did: {switch('missing', 'exclude')}"
        if whole
        else ", and there is no case that all did. Are the cases written alike? Where groups of "
        "readers have cases of their own (a split plot), compare each group in a file of its own"
    )
    (first, missing), total = next(iter(lacking.items())), sum(map(len, lacking.values()))
    message = (
        f"{counted(total, 'reading', 'are')} missing, of {counted(len(lacking), 'case')}: case "
        f"{printable(first)} was not scored by reader {printable(missing[0][1])} with "
        f"{printable(missing[0][0])}. Every reader scores every case with every system{leave}."
    )
    raise NotComparable(message, code="reader-missing")


def _sizes(
    reach: Reach, readers: Sequence[int], cases: int | None, power: float
) -> list[ReaderSize]:
    """Find for each number of readers the fewest cases; with so many cases, the fewest readers."""
    if cases is not None:
        enough = (one for many in readers if (one := reach(many, cases)).power >= power)
        return [one for one in (next(enough, None),) if one is not None]
    found = [_fewest(partial(reach, many), power) for many in readers]
    return [one for one in found if one is not None]


def _check_plan(own: Mapping[str, Any]) -> None:
    difference = own["difference"]
    if own["pilot"] is None:
        message = (
            "plan readers needs a pilot, whose readers and cases show how both vary: "
            "steelyard plan readers --pilot study.csv --reader reader --difference 0.05."
        )
        raise RequestError(message, code="no-pilot")
    if difference is None or not 0 < abs(difference) < 1:
        message = (
            f"difference={difference!r}; plan readers needs the difference of mean areas that is "
            "to be shown, between 0 and 1: difference=0.05 (--difference 0.05)."
        )
        raise RequestError(message, code="no-difference")


def plan_readers(own: Mapping[str, Any], roles: RoleArguments) -> ReaderPlan:
    """Size the next study from the parts of the variance of a pilot."""
    difference, alpha, power = own["difference"], own["alpha"], own["power"]
    _check_plan(own)
    study = _lay_out(own["pilot"], own["reader"], roles)
    if len(study.systems) > 2:
        message = (
            f"The pilot has {len(study.systems)} systems; a study is planned for two: "
            f"{switch('systems', ','.join(study.systems[:2]))}."
        )
        raise RequestError(message, code="readers")
    pilot = _weigh(study, range(2), covariance="delong", level=0.95, guarded=False)
    smaller = study.fewest / study.truth.size

    def reach(readers: int, cases: int) -> ReaderSize:
        chance = reader_power(
            pilot, difference=abs(difference), readers=readers, cases=cases,
            pilot_cases=study.truth.size, alpha=alpha, fewest=round(smaller * cases),
        )  # fmt: skip
        return ReaderSize(readers=readers, cases=cases, power=chance)

    readers, cases = own["readers"], own["cases"]
    asked = reach(readers, cases) if readers is not None and cases is not None else None
    wanted = [readers] if readers is not None else list(range(3, MOST_READERS + 1))
    sizes = [] if asked is not None else _sizes(reach, wanted, cases, power)
    beyond = [] if asked is not None else [r for r in wanted if r not in {s.readers for s in sizes}]
    settings = {name: own[name] for name in ("reader", "difference", "alpha", "power")}
    doubt = (
        f"{counted(len(study.readers), 'reader')} of a pilot show only roughly how readers vary: "
        "take the plan as a first guess"
    )
    return ReaderPlan(
        difference=abs(difference),
        alpha=alpha,
        power=power,
        sizes=tuple(sizes),
        out_of_reach=tuple(beyond),
        asked=asked,
        pilot_readers=len(study.readers),
        pilot_cases=study.truth.size,
        provenance=_record(study, {"question": "readers", **settings}),
        caveats=(*study.caveats, doubt),
    )


def _fewest(reach: Callable[[int], ReaderSize], power: float) -> ReaderSize | None:
    """Find the fewest cases by halving: the chance grows with them."""
    low, high = 3, MOST_CASES
    if reach(high).power < power:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reach(middle).power >= power else (middle, high)
    return reach(high)
