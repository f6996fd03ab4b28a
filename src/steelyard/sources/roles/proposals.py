"""What the name of a column proposes, and columns that look like no system's answers.

One rule: a name proposes, the values must agree, the answer says what was taken, and one flag
changes it. Names are compared without case and punctuation: ``Y.True`` proposes what ``y_true``
does.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, cast

from steelyard.engines.dialect import quote_literal, quote_name
from steelyard.errors import RolesUnclear, listing, printable, switch, switch_list
from steelyard.sources.faults import RowFinder
from steelyard.sources.origins import Origin
from steelyard.sources.roles.columns import SAMPLE_ROWS, Column
from steelyard.sources.roles.declared import Holds, Roles
from steelyard.sources.roles.name_words import find_paired_truth, says_call, says_probability

__all__ = [
    "ID_NAME",
    "PREDICTED",
    "ask_about_readers",
    "differs_in_every_row",
    "find_aside",
    "find_no_verdicts",
    "is_system_name",
    "may_be_answer",
    "propose_item",
    "propose_long",
    "propose_truth",
    "proposed_holding",
    "proposed_single_role",
    "say_certainties",
    "say_repeated_ids",
]

ID_NAME = re.compile(
    r"(?i:(?:^|[_ .-])"
    r"(?:id|ids|uid|uuid|guid|index|idx|row|file|filename|filepath|path|url|uri|hash)$)"
    r"|[a-z](?:Id|ID|Index|Idx)$"
)
"""How columns are called that name items; a system or rater may be called so, too, and is then
named."""

TRUE_WORDS = "true gold golden expected actual correct reference target groundtruth"
SURE_TRUTHS = frozenset(
    f"{first}{second}"
    for word in TRUE_WORDS.split()
    for thing in ("label", "labels", "class", "category", "answer")
    for first, second in ((word, thing), (thing, word))
) | frozenset("ytrue truth groundtruth gt gold golden".split())
"""Names that say by themselves that they hold what is true."""

LIKELY_TRUTHS = frozenset(
    "label labels target targets obs observed class classlabel actual expected reference references"
    " y ytest"
    " true real category annotation".split()
)
"""Names under which the truth usually stands, where nothing surer is there."""

HOLDINGS: Mapping[str, Holds] = {
    **dict.fromkeys(
        (
            "ypred pred preds predicted prediction predictions predlabel predclass predictedlabel"
            " predictedclass predictedlabels output yhat response labelpred predlabels modeloutput"
            " guess"
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

SYSTEMS = frozenset(
    "model modelname modelid systemname classifier algorithm learner learnerid wflowid"
    " config".split()
)
"""Names of the column that says whose answer a row of a long table is."""

THINGS = frozenset(
    "image img photo file question prompt task item case patient subject speaker utterance document"
    " doc video scene sample rowids".split()
)
"""Names of things that several rows may be about."""

QUANTITIES = frozenset(
    "hours hour minutes seconds sec ms duration time timestamp latency weight weights age price"
    " cost distance length width height size area volume depth temperature lat lon latitude"
    " longitude speed exposure amount income".split()
)
"""Words for what is measured of an item; beside answers, numbers called so are no scores."""

FEWEST = 5
"""Fewer different values than this name groups, not items."""

FEW = 50
"""More different values than this are no classes that somebody forgot to declare."""

PREDICTED = re.compile(r"(?i)(?:^|[\W_])(?:pred|predict|predicted|prediction|called|guess)")
"""A word in the name of a column of calls."""

CERTAINTY = "certainty"
"""What numbers look like that say how sure a call is."""

CLOSE = 1e-3
"""Probabilities were rounded."""

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
    return "item" if ID_NAME.search(name) or plain in THINGS else None


def may_be_answer(name: str) -> bool:
    """Tell a name under which the true answer stands beside a prediction, or else a system's.

    >>> may_be_answer("Answer"), may_be_answer("response")
    (True, False)
    """
    return _plain(name) in {"answer", "answers", "solution"}


def is_system_name(name: str) -> bool:
    """Tell whether a column says by its name whose answer a row is.

    >>> is_system_name("Model"), is_system_name("cnn")
    (True, False)
    """
    return _plain(name) in SYSTEMS | {"system"}


def propose_truth(origin: Origin, taken: Collection[str]) -> str | None:
    """Give the column whose name proposes the truth; between two that may be it, ask."""
    free = [name for name in origin.columns if name not in taken]
    paired = find_paired_truth(free)
    for names in (SURE_TRUTHS, LIKELY_TRUTHS):
        likely = [name for name in free if _plain(name) in names]
        if names is LIKELY_TRUTHS and paired is not None:
            return paired
        if len(likely) > 1:
            likely = [name for name in likely if not is_free_text(origin, name)] or likely
        if len(likely) == 1:
            return likely[0]
        if likely:
            message = (
                f"{printable(origin.name)}: which column says what is true? "
                f"{listing(likely)} may. Say it: {switch('truth', likely[0])}."
            )
            raise RolesUnclear(message, code="truth-unclear")
    held = {proposed_holding(name) for name in free}
    if "called" in held and "outcome" not in held:  # beside a prediction without a verdict
        answers = [name for name in free if may_be_answer(name)]
        return answers[0] if len(answers) == 1 else None
    return None


def is_free_text(origin: Origin, name: str) -> bool:
    """Tell text that hardly ever comes twice from names of classes."""
    if origin.table.columns[name] != "text":
        return False
    text = f"NULLIF(TRIM({quote_name(name)}), '')"
    ((named, different),) = origin.table.query(
        f"SELECT COUNT(v), COUNT(DISTINCT v) FROM (SELECT {text} AS v FROM {{t}} LIMIT "
        f"{SAMPLE_ROWS}) AS sample"
    )
    return bool(different > FEW and different > HALF * named)


def propose_item(origin: Origin, taken: Collection[str]) -> str | None:
    """Give the first column with the name of an id whose values are all there and all different."""
    likely = [
        name
        for name in origin.columns
        if name not in taken
        and (ID_NAME.search(name) or _plain(name) in THINGS)
        and origin.table.columns[name] in {"text", "integer"}
    ]
    return next((name for name in likely if differs_in_every_row(origin, name)), None)


def differs_in_every_row(origin: Origin, name: str) -> bool:
    """Tell whether a column has a value in every row, and never one twice."""
    text = f"NULLIF(CAST({quote_name(name)} AS VARCHAR), '')"
    ((rows, named, different),) = origin.table.query(
        f"SELECT COUNT(*), COUNT({text}), COUNT(DISTINCT {text}) FROM {{t}}"
    )
    return bool(rows == named == different)


def propose_long(origin: Origin, found: Mapping[str, str], roles: Roles) -> dict[str, str]:
    """Give the columns of system and item of a long table: by their names, where items come again.

    A column called ``model`` may be a mere feature. It is taken where there is a column of
    answers, and no item comes twice for one value of it.
    """
    taken = {*found.values(), *roles.named()}
    free = [name for name in origin.columns if name not in taken]
    likely = [name for name in free if _plain(name) in SYSTEMS]
    items = [n for n in free if ID_NAME.search(n) or _plain(n) in THINGS]
    if "item" in found:  # tidymodels' id names folds, and .row the item
        items = [found["item"], *(items if roles.item is None else ())]
    answers = {*roles.declared()} or {n for n in origin.columns if proposed_holding(n)}
    others = {*free} - {*likely, *items}  # the only column left says what was answered
    if len(likely) != 1 or not (answers or len(others) == 1):
        return {}
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
    *,
    positive: str | None,
    needs_positive: bool,
) -> dict[str, str]:
    """Find the columns that look like neither calls nor scores, each with what it looks like.

    A column of calls names a true class in at least half of the first rows. Where some columns
    are called as answers usually are, other columns of numbers are features, not scores. Beside
    calls so are numbers beyond 0 and 1 or called as what is measured of items; where no positive
    class was named (``needs_positive``), also scores of one among many classes.
    """
    single = {name: columns[named[""]] for name, named in systems.items() if "" in named}
    scores = {name for name, column in single.items() if _is_named_score(name, column)}
    named = {name for name in single if proposed_holding(name)}
    aside = {}
    calls = []
    for name, column in single.items():
        if column.kind in {"text", "integer", "boolean"} and name not in scores:
            calls.append(name)
        elif _is_number_beside(named, name, column) and not _is_whole_call(
            finder, name, column, classes
        ):
            aside[name] = "numbers"
        elif odd := _no_vector(finder, column):
            aside[name] = odd
    among = len(systems) - len(aside)
    aside |= _no_calls(finder, {name: single[name] for name in calls}, classes, among)
    answers = [name for name in systems if name not in aside and name not in single]
    answers += [name for name in calls if name not in aside]
    if not answers:
        return aside
    numbers = [name for name, column in single.items() if column.kind == "real"]
    numbers = [name for name in dict.fromkeys([*numbers, *scores]) if name not in aside]
    calls = [name for name in calls if name not in aside]
    sure = _certainties(
        finder, [single[name] for name in numbers], [single[n] for n in calls], classes, positive
    )
    aside |= sure
    numbers = [name for name in numbers if name not in sure]
    if (
        needs_positive and len(classes) > 2
    ):  # a score speaks for one class, and which of them nobody said
        return aside | dict.fromkeys(numbers, "numbers")
    free = {name: single[name] for name in numbers if name not in scores}
    features, likely = _no_scores(finder, free)
    if likely and needs_positive:
        raise _ask_about_scores(finder.origin, answers, likely, classes)
    # Of margins alone nobody can say that they are none, where a positive class was named.
    return aside | (dict.fromkeys(features, "numbers") if likely or needs_positive else {})


def _is_number_beside(named: Collection[str], name: str, column: Column) -> bool:
    return (
        column.kind == "real"
        and bool(named)
        and name not in named
        and not says_probability(name)
    )


def _is_whole_call(finder: RowFinder, name: str, column: Column, classes: Sequence[str]) -> bool:
    """Tell calls written as 1.0 and 0.0, by their values and a word of their name."""
    if not PREDICTED.search(name) or not 0 < len(classes) <= FEW:
        return False
    known = ", ".join(quote_literal(one) for one in classes)
    (odd,) = finder.count(f"({column.no_class_sql()} OR {column.label_sql()} NOT IN ({known}))")
    return not odd


def _no_vector(finder: RowFinder, column: Column) -> str:
    """Tell lists and objects that hold no numbers, one for each class."""
    if column.kind not in {"list", "struct"}:
        return "values" if column.kind == "other" else ""
    rows = finder.origin.table.query(
        f"SELECT {column.sql} FROM {{t}} WHERE {column.sql} IS NOT NULL LIMIT 1"
    )
    held = rows[0][0] if rows else []
    if all(_may_be_number(one) for one in (held.values() if isinstance(held, dict) else held)):
        return ""
    return "lists" if column.kind == "list" else "objects"


def _may_be_number(value: object) -> bool:
    """Tell a number, also one that is kept as text for the sake of its digits."""
    try:
        float(str(value)) if isinstance(value, str) else None
    except ValueError:
        return False
    return not isinstance(value, bytes | dict | list)


def _no_scores(
    finder: RowFinder, numbers: Mapping[str, Column]
) -> tuple[Sequence[str], Sequence[str]]:
    """Tell numbers that are no probabilities from those that may be."""
    tested = [column.number_sql() for column in numbers.values()]
    counts = finder.count(*(f"({number} < 0 OR {number} > 1)" for number in tested))
    likely = [
        name
        for name, beyond in zip(numbers, counts, strict=True)
        if not beyond and not {*re.split(r"[\W_]+", name.casefold())} & QUANTITIES
    ]
    return [name for name in numbers if name not in likely], likely


def _ask_about_scores(
    origin: Origin, answers: Sequence[str], likely: Sequence[str], classes: Sequence[str]
) -> RolesUnclear:
    message = (
        f"{printable(origin.name)}: {listing(answers)} give answers; does {listing(likely)} give "
        f"scores, or something else? Name the systems: {switch_list('systems', answers)}. With "
        "scores, name the class they speak for, too: "
        f"{switch_list('systems', [*answers, *likely])} and {switch('positive', classes[-1])}."
    )
    return RolesUnclear(message, code="score-unclear")


def say_repeated_ids(origin: Origin, aside: Collection[str], rows: int) -> tuple[str, ...]:
    """Say that a column which was left aside names things that come again and again.

    Rows of one image, question or patient may belong together, and count as independent here.
    """
    named = [name for name in aside if ID_NAME.search(name) or _plain(name) in THINGS]
    said = []
    for name in named:
        ((different,),) = origin.table.query(
            f"SELECT COUNT(DISTINCT {quote_name(name)}) FROM {{t}}"
        )
        if FEWEST <= different <= HALF * rows:
            said.append(
                f"{rows:,} rows hold {different:,} values of {name!r}, and each row counted as an "
                f"item of its own; if those of one belong together (tries, folds, epochs): "
                f"{switch('cluster', name)}"
            )
    return tuple(said)


READERS = re.compile(r"(?i)(?:reader|rater|radiologist|annotator)s?(?:[_ .-]?(?:id|no|name))?")


def ask_about_readers(origin: Origin, systems: Mapping[str, Mapping[str, str]]) -> None:
    """Ask for a reader study where a column names readers, and cases come again."""
    readers = [name for name in systems if READERS.fullmatch(name)]
    cases = [name for name in origin.columns if ID_NAME.search(name) or _plain(name) in THINGS]
    if len(readers) != 1 or len(systems) < 3 or not cases:
        return
    names = [quote_name(name) for name in (readers[0], cases[0])]
    ((rows, people, items),) = origin.table.query(
        f"SELECT COUNT(*), COUNT(DISTINCT {names[0]}), COUNT(DISTINCT {names[1]}) FROM {{t}}"
    )
    if 1 < people < rows and people * items <= rows:
        message = (
            f"{printable(origin.name)}: {readers[0]!r} names {people:,} readers of {items:,} cases "
            "each. Two systems, or ways to read, are compared over readers and cases: "
            f"{switch('reader', readers[0])}."
        )
        raise RolesUnclear(message, code="reader-rows")


def find_no_verdicts(
    origin: Origin, systems: Mapping[str, Mapping[str, str]], columns: Mapping[str, Column]
) -> dict[str, str]:
    """Find, where nothing says what is true, the columns that are no verdicts beside some that are.

    Verdicts are true and false, or are called so. A column of ids among the others whose values
    come again is asked about: answers to one item are no independent ones.
    """
    single = {name: columns[named[""]] for name, named in systems.items() if "" in named}
    told = {name for name in single if proposed_holding(name) == "outcome"}
    if not told and any(map(says_call, single)):
        return {}  # calls without a truth; what is true and false beside them is a feature
    verdicts = told | {name for name, column in single.items() if column.kind == "boolean"}
    if not verdicts:
        return {}
    aside = {name: "no verdict" for name in systems if name not in verdicts}
    whose = next((name for name in aside if is_system_name(name)), None)
    if whose is not None and not differs_in_every_row(origin, whose):
        items = [n for n in origin.columns if ID_NAME.search(n) or _plain(n) in THINGS]
        named = f" and {switch('item', items[0])}" if items else ""
        message = (
            f"{printable(origin.name)}: {whose!r} may say whose verdict a row is: "
            f"{switch('system', whose)}{named}. If it is something else, name the systems: "
            f"{switch_list('systems', sorted(verdicts))}."
        )
        raise RolesUnclear(message, code="whose-verdicts")
    again = next((name for name in aside if ID_NAME.search(name)), None)
    if again is not None:
        message = (
            f"{printable(origin.name)}: the values of {again!r} come more than once. What repeats? "
            f"Several tries of an item: {switch('cluster', again)}, which counts them all and "
            f"knows that they belong together. If it names no items, name the systems: "
            f"{switch_list('systems', sorted(verdicts))}."
        )
        raise RolesUnclear(message, code="duplicate-id")
    return aside


def _is_named_score(name: str, column: Column) -> bool:
    if says_probability(name) and column.kind == "real":
        return True
    return proposed_holding(name) == "score" and column.kind in {"integer", "real"}


def _certainties(
    finder: RowFinder,
    numbers: Sequence[Column],
    calls: Sequence[Column],
    classes: Sequence[str],
    positive: str | None,
) -> dict[str, str]:
    """Find numbers that say how sure a call is, whatever was called: no scores of one class.

    The probability of one class of two is below 1/2 where the other is called. Of k classes, the
    most likely one has 1/k at least, and no other class than it has more than 1/2.
    """
    if not classes or not calls or not numbers or (len(classes) > 2 and positive is None):
        return {}
    found = {}
    for column in numbers:
        number, floor = column.number_sql(), 1 / len(classes) - CLOSE
        (beyond,) = finder.count(f"({number} < {floor} OR {number} > 1)")
        for call in calls if not beyond else ():
            label = call.label_sql()
            if len(classes) == 2:
                ((kinds,),) = finder.origin.table.query(
                    f"SELECT COUNT(DISTINCT {label}) FROM {{t}} WHERE {number} IS NOT NULL"
                )
                sure = kinds > 1
            else:
                other = f"{label} <> {quote_literal(str(positive))}"
                rows, high = finder.count(f"({other})", f"({other} AND {number} > {HALF})")
                sure = high > HALF * rows
            if sure:
                found[column.name] = CERTAINTY
    return found


def say_certainties(aside: Mapping[str, str]) -> tuple[str, ...]:
    """Say of numbers that say how sure a call is what they can be asked."""
    return tuple(
        f"{name} says how sure the calls are, whatever was called, and is no score of one class; "
        f"for risk and coverage: {switch('certainty', name)}"
        for name, what in aside.items()
        if what == CERTAINTY
    )


def _no_calls(
    finder: RowFinder, calls: Mapping[str, Column], classes: Sequence[str], among: int
) -> dict[str, str]:
    if not calls or not classes:
        return {}
    from steelyard.sources.roles.spellings import alike_words

    known = ", ".join(quote_literal(name) for name in sorted(alike_words(classes)))
    names = ", ".join(dict.fromkeys(column.sql for column in calls.values()))
    sample = f"FROM (SELECT {names} FROM {{t}} LIMIT {SAMPLE_ROWS}) AS sample"
    counts = ", ".join(
        f"COUNT(CASE WHEN LOWER(TRIM({column.label_sql()})) IN ({known}) THEN 1 END), "
        f"COUNT({column.label_sql()})"
        for column in calls.values()
    )
    (row,) = finder.origin.table.query(f"SELECT {counts} {sample}")
    numbers = cast("Sequence[int]", row)
    aside = {
        name: ("hardly ever" if right else "never") + " a true class" if filled else "empty"
        for name, right, filled in zip(calls, numbers[::2], numbers[1::2], strict=True)
        if right < HALF * filled or (not filled and proposed_holding(name) != "called")
    }
    if len(aside) < among:
        return aside
    # Nothing else is there: a column of few values is a system that calls other classes.
    # One column at a time: counting what is different takes a hash table for each, and hundreds
    # of them in one statement take gigabytes.
    different = {
        name: finder.origin.table.query(
            f"SELECT COUNT(DISTINCT {calls[name].label_sql()}) {sample}"
        )[0][0]
        for name in aside
    }
    if len(classes) > FEW:  # answers in words of their own
        return aside
    few = [name for name, values in different.items() if values <= FEW]
    likely = [name for name in few if different[name] > 1 or proposed_holding(name) == "called"]
    return {name: what for name, what in aside.items() if name not in (likely or few)}
