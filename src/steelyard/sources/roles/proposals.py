"""What the name of a column proposes, and columns that look like no system's answers.

One rule: a name proposes, the values must agree, the answer says what was taken, and one flag
changes it. Names are compared without case and punctuation: ``Y.True`` proposes what ``y_true``
does.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, cast

from steelyard.engines.dialect import quote_literal, quote_name
from steelyard.errors import RolesUnclear, listing, printable, switch
from steelyard.sources.faults import RowFinder
from steelyard.sources.origins import Origin
from steelyard.sources.roles.columns import SAMPLE_ROWS, Column
from steelyard.sources.roles.declared import Holds, Roles

__all__ = [
    "ID_NAME",
    "find_aside",
    "propose_item",
    "propose_long",
    "propose_truth",
    "proposed_holding",
    "proposed_single_role",
]

ID_NAME = re.compile(
    r"(?i:(?:^|[_ .-])(?:id|ids|uid|uuid|guid|index|idx|file|filename|filepath|path|url)$)"
    r"|[a-z](?:Id|ID)$"
)
"""How columns are called that name items; a system or rater may be called so, too, and is then
named."""

SURE_TRUTHS = frozenset(
    "ytrue truth groundtruth gt gold golden goldlabel truelabel trueclass truelabels actuallabel"
    " actualclass correctlabel goldanswer referencelabel labeltrue".split()
)
"""Names that say by themselves that they hold what is true."""

LIKELY_TRUTHS = frozenset(
    "label labels target targets obs observed class classlabel actual expected reference y ytest"
    " true real category annotation".split()
)
"""Names under which the truth usually stands, where nothing surer is there."""

HOLDINGS: Mapping[str, Holds] = {
    **dict.fromkeys(
        (
            "ypred pred preds predicted prediction predictions predlabel predclass predictedlabel"
            " predictedclass predictedlabels output yhat labelpred predlabels modeloutput"
        ).split(),
        "called",
    ),
    **dict.fromkeys(
        (
            "yscore score scores prob proba probs probability probabilities yprob yproba predproba"
            " predprob predscore confidence logit logits scoredprobabilities probpositive"
        ).split(),
        "score",
    ),
    **dict.fromkeys("correct iscorrect right isright passed ispassed success".split(), "outcome"),
}
"""What a column holds by its name alone."""

SYSTEMS = frozenset("model modelname modelid systemname classifier algorithm".split())
"""Names of the column that says whose answer a row of a long table is."""

FEW = 50
"""More different values than this are no classes that somebody forgot to declare."""

HALF = 0.5
"""A column of calls names a true class in at least so many of its rows."""

Single = Literal["truth", "item", "system"]


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def proposed_holding(name: str) -> Holds | None:
    """Tell what a column holds by its name alone.

    >>> proposed_holding("Y_Pred"), proposed_holding("y.score"), proposed_holding("cnn")
    ('called', 'score', None)
    """
    return HOLDINGS.get(_plain(name))


def proposed_single_role(name: str) -> Single | None:
    """Tell which role of the whole table a name may propose, so that its column is read.

    >>> [proposed_single_role(name) for name in ("y_true", "image_id", "model", "cnn")]
    ['truth', 'item', 'system', None]
    """
    plain = _plain(name)
    if plain in SURE_TRUTHS | LIKELY_TRUTHS:
        return "truth"
    if plain in SYSTEMS:
        return "system"
    return "item" if ID_NAME.search(name) else None


def propose_truth(origin: Origin, taken: Collection[str]) -> str | None:
    """Give the column whose name proposes the truth; between two that may be it, ask."""
    free = [name for name in origin.columns if name not in taken]
    for names in (SURE_TRUTHS, LIKELY_TRUTHS):
        likely = [name for name in free if _plain(name) in names]
        if len(likely) == 1:
            return likely[0]
        if likely:
            message = (
                f"{printable(origin.name)}: which column says what is true? "
                f"{listing(likely)} may. Say it: {switch('truth', likely[0])}."
            )
            raise RolesUnclear(message, code="truth-unclear")
    return None


def propose_item(origin: Origin, taken: Collection[str]) -> str | None:
    """Give the first column with the name of an id whose values are all there and all different."""
    likely = [
        name
        for name in origin.columns
        if name not in taken
        and ID_NAME.search(name)
        and origin.table.columns[name] in {"text", "integer"}
    ]
    for name in likely:
        text = f"NULLIF(CAST({quote_name(name)} AS VARCHAR), '')"
        ((rows, named, different),) = origin.table.query(
            f"SELECT COUNT(*), COUNT({text}), COUNT(DISTINCT {text}) FROM {{t}}"
        )
        if rows == named == different:
            return name
    return None


def propose_long(origin: Origin, found: Mapping[str, str], roles: Roles) -> dict[str, str]:
    """Give the columns of system and item of a long table: by their names, where items come again.

    A column called ``model`` may be a mere feature. It is taken where there is a column of
    answers, and no item comes twice for one value of it.
    """
    taken = {*found.values(), *roles.declared(), *(roles.systems or ())}
    free = [name for name in origin.columns if name not in taken]
    likely = [name for name in free if _plain(name) in SYSTEMS]
    answers = {*roles.declared()} or {n for n in origin.columns if proposed_holding(n)}
    if len(likely) != 1 or not answers:
        return {}
    items = [found["item"]] if "item" in found else [n for n in free if ID_NAME.search(n)]
    for item in items:
        of, by = quote_name(item), quote_name(likely[0])
        ((rows, different, pairs),) = origin.table.query(
            f"SELECT COUNT(*), COUNT(DISTINCT {of}), COUNT(DISTINCT ({of}, {by})) FROM {{t}}"
        )
        if different < rows == pairs:
            return {"system": likely[0], "item": item}
    return {}


def find_aside(
    finder: RowFinder,
    systems: Mapping[str, Mapping[str, str]],
    columns: Mapping[str, Column],
    classes: Sequence[str],
) -> dict[str, str]:
    """Find the columns that look like neither calls nor scores, each with what it looks like.

    A column of calls names a true class in at least half of the first rows. Where some columns
    are called as answers usually are, other columns of numbers are features, not scores.
    """
    single = {name: columns[named[""]] for name, named in systems.items() if "" in named}
    scores = {name for name, column in single.items() if _is_named_score(name, column)}
    named = {name for name in single if proposed_holding(name)}
    aside = {}
    calls = []
    for name, column in single.items():
        if column.kind in {"text", "integer", "boolean"} and name not in scores:
            calls.append(name)
        elif column.kind == "real" and named and name not in named:
            aside[name] = "numbers"
        elif column.kind == "other":
            aside[name] = "values"
    among = len(systems) - len(aside)
    return aside | _no_calls(finder, {name: single[name] for name in calls}, classes, among)


def _is_named_score(name: str, column: Column) -> bool:
    return proposed_holding(name) == "score" and column.kind in {"integer", "real"}


def _no_calls(
    finder: RowFinder, calls: Mapping[str, Column], classes: Sequence[str], among: int
) -> dict[str, str]:
    if not calls or not classes:
        return {}
    digits = {"1", "0"} if {"true", "false"} & {*classes} else set()
    flags = {"true", "false"} if {"1", "0"} >= {*classes} else set()
    known = ", ".join(quote_literal(name) for name in sorted({*classes, *digits, *flags}))
    counts = ", ".join(
        f"COUNT(CASE WHEN TRIM({column.label_sql()}) IN ({known}) THEN 1 END), "
        f"COUNT({column.label_sql()}), COUNT(DISTINCT {column.label_sql()})"
        for column in calls.values()
    )
    names = ", ".join(dict.fromkeys(column.sql for column in calls.values()))
    (row,) = finder.origin.table.query(
        f"SELECT {counts} FROM (SELECT {names} FROM {{t}} LIMIT {SAMPLE_ROWS}) AS sample"
    )
    numbers = cast("Sequence[int]", row)
    looks = list(zip(calls, numbers[::3], numbers[1::3], numbers[2::3], strict=True))
    aside = {
        name: ("hardly ever" if right else "never") + " a true class"
        for name, right, filled, _ in looks
        if right < HALF * filled
    }
    if len(aside) < among:
        return aside
    # Nothing else is there: a column of few values is a system that calls other classes.
    few = {name for name, *_, different in looks if different <= FEW}
    return {name: what for name, what in aside.items() if name not in few}
