"""Tables with a row for each rating: who rated, what was rated, and what was said of it."""

import re
from dataclasses import dataclass
from itertools import permutations

from steelyard.engines.dialect import quote_name
from steelyard.sources.origins import Origin
from steelyard.sources.roles.proposals import ID_NAME, propose_single_role

__all__ = ["RatingRows", "find_rating_rows"]

WHO = re.compile(
    r"(?i:(?:^|[^a-z])(?:worker|annotator|rater|reader|judge|coder|radiologist|pathologist|observer|"
    r"assessor|reviewer|evaluator|grader|expert|labell?er|participant|performer|respondent|user)s?"
    r"(?:[_ .-]?(?:ids?|name))?$)|[a-z](?:Worker|Annotator|Rater|Reader|Judge)(?:Id|ID)?$"
    r"|^(?:Worker|Annotator|Rater|Reader|Judge)(?:Id|ID)$"
)
"""How the column is called that says who rated; ``Reader 1`` is one reader's own column."""
THING = re.compile(
    r"(?i:(?:^|[^a-z])(?:item|task|unit|hit|case|patient|image|question|document|sentence|sample|video|"
    r"query|instance|example|study|slide|lesion)s?(?:[_ .-]?ids?)?$)"
)
WHEN = re.compile(
    r"(?i:time|date|created|started|submitted|duration|seconds|(?:^|_)(?:ip|at|city)$)"
)
SAID = re.compile(
    r"(?i:answer|label|output|out_|response|rating|judg|categor|class|choice|score|finding|vote)"
)
"""How the column is called that holds what was said, where several may."""
MOST_COLUMNS = 60
MOST_ANSWERS = 100
ONCE = 0.98
"""Share of rows in which a rater met an item for the first time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRows:
    """The columns of such a table; ``answers`` are those that may hold what was said."""

    rater: str
    item: str
    answers: tuple[str, ...]
    named: bool


def find_rating_rows(origin: Origin) -> RatingRows | None:
    """Find who rated what, by names and by values: each rater meets an item once.

    Without a name that says who rated, all columns have to fit: two that come again, of which
    every pair is another, and one of few values.
    """
    kinds = origin.table.columns
    names = [
        name for name in origin.columns if kinds[name] in {"text", "integer", "boolean", "real"}
    ]
    if not 3 <= len(names) <= MOST_COLUMNS:
        return None
    rows, different = _count(origin, names)
    again = [name for name in names if 1 < different[name] < rows]
    keys = [name for name in names if kinds[name] in {"text", "integer"} and different[name]]
    who = [name for name in keys if WHO.search(name.lstrip("!_"))]
    if len(who) > 1:
        return None  # a column of each rater's own
    for rater, item in permutations(keys, 2):
        named = rater in who
        if not named and not {rater, item} <= {*again}:
            continue
        if (
            different[item] == rows
            or (who and not named)
            or not _may_be_item(item, different[item], different[rater], named)
        ):
            continue
        others = [name for name in again if name not in (rater, item)]
        answers = _find_answers(others, different)
        if named and not answers:  # all said the same
            others = [name for name in names if name not in (rater, item)]
            answers = _find_answers(others, different)
        fits = named or (len(names) == 3 and not _share(origin, [rater, item, *answers]))
        if answers and fits and _pairs(origin, rater, item) >= ONCE * rows:
            return RatingRows(rater=rater, item=item, answers=answers, named=named)
    return None


def _may_be_item(name: str, different: int, raters: int, named: bool) -> bool:  # noqa: FBT001
    called = THING.search(name.lstrip("!_")) or ID_NAME.search(name.lstrip("!_"))
    return called is not None if named else different > raters


def _find_answers(names: list[str], different: dict[str, int]) -> tuple[str, ...]:
    """Leave out ids, times, and a truth beside what was said."""
    found = tuple(
        name
        for name in names
        if different[name] <= MOST_ANSWERS
        and not ID_NAME.search(name.lstrip("!_"))
        and not THING.search(name.lstrip("!_"))
        and not WHEN.search(name)
    )
    found = tuple(name for name in found if propose_single_role(name) != "truth") or found
    return tuple(sorted(found, key=lambda name: SAID.search(name) is None))


def _count(origin: Origin, names: list[str]) -> tuple[int, dict[str, int]]:
    counted = ", ".join(f"COUNT(DISTINCT {quote_name(name)})" for name in names)
    ((rows, *different),) = origin.table.query(f"SELECT COUNT(*), {counted} FROM {{t}}")
    return int(rows), dict(zip(names, map(int, different), strict=True))


def _share(origin: Origin, names: list[str]) -> bool:
    """Tell whether two columns have a value in common, as those of raters have."""
    texts = [
        f"SELECT DISTINCT CAST({quote_name(name)} AS VARCHAR) AS v FROM {{t}}" for name in names
    ]
    ((rows, different),) = origin.table.query(
        f"SELECT COUNT(*), COUNT(DISTINCT v) FROM ({' UNION ALL '.join(texts)}) WHERE v <> ''"
    )
    return bool(rows > different)


def _pairs(origin: Origin, first: str, second: str) -> int:
    both = f"({quote_name(first)}, {quote_name(second)})"
    ((pairs,),) = origin.table.query(f"SELECT COUNT(DISTINCT {both}) FROM {{t}}")
    return int(pairs)
