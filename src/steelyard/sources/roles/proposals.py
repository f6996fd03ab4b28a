"""What the name of a column proposes, and columns that look like no system's answers.

One rule: a name proposes, the values must agree, the answer says what was taken, and one flag
changes it. Names are compared without case and punctuation: ``Y.True`` proposes what ``y_true``
does.
"""

import itertools
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from steelyard.engines.dialect import quote_name
from steelyard.errors import RolesUnclear, listing, printable, switch
from steelyard.sources.origins import Origin
from steelyard.sources.roles.columns import SAMPLE_ROWS, Column
from steelyard.sources.roles.declared import Holds, Roles
from steelyard.sources.roles.name_words import (
    find_paired_truth,
    is_coded,
    says_call,
    says_what_kind,
)

__all__ = [
    "ID_NAME",
    "PREDICTED",
    "ask_about_readers",
    "differs_in_every_row",
    "find_item_of",
    "find_whose_rows",
    "is_system_name",
    "is_thing",
    "may_be_answer",
    "propose_holding",
    "propose_item",
    "propose_long",
    "propose_single_role",
    "propose_truth",
    "say_repeated_ids",
    "say_whose_rows",
]

ID_NAME = re.compile(
    r"(?i:(?:^|[_ .-])"
    r"(?:id|ids|uid|uuid|guid|index|idx|row|file|filename|filepath|path|url|uri|hash|"
    r"(?:image|img|file|photo|scan|slide|video|audio|sample|doc|document)[_ .-]?name)$)"
    r"|[a-z](?:Id|ID|Index|Idx)$"
    r"|(?i:^(?:q|p|s|t|c|utt|doc|img|image|item|task|case|row|user|sample|record|question)id$)"
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
            " pgr1 guess scoredlabels scoredlabel"
        ).split(),
        "called",
    ),
    **dict.fromkeys(
        (
            "yscore score scores prob proba probs probability probabilities yprob yproba predproba"
            " predprob predscore confidence logit logits scoredprobabilities probpositive pre1"
        ).split(),
        "score",
    ),
    **dict.fromkeys(
        (
            "correct iscorrect right isright passed ispassed success resolved isresolved solved"
            " issolved"
        ).split(),
        "outcome",
    ),
}
"""What a column holds by its name alone."""

SYSTEMS = frozenset(
    "model modelname modelid systemname classifier algorithm learner learnerid wflowid config"
    " llm agent asr engine recogniser recognizer retriever vendor provider".split()
)
"""Names of the column that says whose answer a row of a long table is."""

THINGS = frozenset(
    "image img photo file question query prompt task item case patient subject speaker utterance"
    " utt recording clip sentence passage document doc video scene sample instance rowids".split()
)
"""Names of things that several rows may be about."""

FEWEST = 5
"""Fewer different values than this name groups, not items."""

FEW = 50
"""More different values than this are no classes that somebody forgot to declare."""

PREDICTED = re.compile(r"(?i)(?:^|[\W_])(?:pred|predict|predicted|prediction|called|guess)")
"""A word in the name of a column of calls."""

MOST_NAMING = 4
"""Columns of which two may name a system together."""

MOST_LOOKED_AT = 30
"""Columns that are looked at for the one that says whose a row is."""

HALF = 0.5
"""A column of calls names a true class in at least so many of its rows."""

Single = Literal["truth", "item", "system"]


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def propose_holding(name: str) -> Holds | None:
    """Tell what a column holds by its name alone.

    >>> propose_holding("Y_Pred"), propose_holding("y.score"), propose_holding("cnn")
    ('called', 'score', None)
    """
    return HOLDINGS.get(_plain(name))


def propose_single_role(name: str) -> Single | None:
    """Tell which role of the whole table a name may propose, so that its column is read.

    >>> [propose_single_role(name) for name in ("y_true", "image_id", "model", "cnn")]
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


def is_thing(name: str) -> bool:
    """Tell the name of a thing that several rows may be about.

    >>> is_thing("Patient"), is_thing("cnn")
    (True, False)
    """
    return _plain(name) in THINGS


def propose_truth(origin: Origin, taken: Collection[str]) -> str | None:
    """Give the column whose name proposes the truth; between two that may be it, ask."""
    free = [name for name in origin.columns if name not in taken]
    paired = find_paired_truth(list(origin.columns), taken)
    for names in (SURE_TRUTHS, LIKELY_TRUTHS):
        likely = [name for name in free if _plain(name) in names]
        if names is LIKELY_TRUTHS and paired is not None:
            return paired
        likely = [n for n in likely if not says_what_kind(n) or _is_called(origin, n, free)]
        if len(likely) > 1:
            likely = [name for name in likely if not is_free_text(origin, name)] or likely
        if len(likely) == 1:
            return _find_codes_of_calls(origin, likely[0], free) or likely[0]
        if likely:
            message = (
                f"{printable(origin.name)}: which column says what is true? "
                f"{listing(likely)} may. Say it: {switch('truth', likely[0])}."
            )
            raise RolesUnclear(message, code="truth-unclear")
    held = {propose_holding(name) for name in free}
    if "called" in held and "outcome" not in held:  # beside a prediction without a verdict
        answers = [name for name in free if may_be_answer(name)]
        return answers[0] if len(answers) == 1 else None
    return None


def _find_codes_of_calls(origin: Origin, truth: str, names: Sequence[str]) -> str | None:
    """Give the truth in the writing of the calls: ``label_num`` of 1 and 0 beside ``label``."""
    coded = [name for name in names if is_coded(name, truth)]
    calls = [n for n in origin.columns if says_call(n) or propose_holding(n) == "called"]
    if len(coded) != 1 or not calls:
        return None
    true, other, *called = (_few_values(origin, name) for name in (truth, *coded, *calls))
    if all(one and one <= other and not one & true for one in called):
        return coded[0]
    return None


def _is_called(origin: Origin, truth: str, names: Sequence[str]) -> bool:
    """Tell whether other columns call its classes: a ``category`` may only describe an item."""
    true = {value.casefold() for value in _few_values(origin, truth)}
    others = [name for name in names if name != truth][:MOST_LOOKED_AT]
    if any(name.casefold().endswith(value) for name in others for value in true):
        return True  # a column of each class
    texts = (name for name in others if origin.table.columns[name] in {"text", "integer"})
    return any(true & {one.casefold() for one in _few_values(origin, name)} for name in texts)


def _few_values(origin: Origin, name: str) -> set[str]:
    rows = origin.table.query(
        f"SELECT DISTINCT CAST({quote_name(name)} AS VARCHAR) FROM (SELECT {quote_name(name)} "
        f"FROM {{t}} LIMIT {SAMPLE_ROWS}) AS sample LIMIT {FEW}"
    )
    return {str(value) for (value,) in rows if value not in {None, ""}}


def is_free_text(origin: Origin, name: str) -> bool:
    """Tell text that is rarely repeated from names of classes."""
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
    answers, and no item appears twice for one value of it.
    """
    taken = {*found.values(), *roles.list_systems()}
    free = [name for name in origin.columns if name not in taken]
    likely = [name for name in free if _plain(name) in SYSTEMS]
    items = [n for n in free if ID_NAME.search(n) or _plain(n) in THINGS]
    if "item" in found:  # tidymodels' id names folds, and .row the item
        items = [found["item"], *(items if roles.item is None else ())]
    answers = {*roles.declared()} or {n for n in origin.columns if propose_holding(n)}
    others = {*free} - {*likely, *items}  # the only column left says what was answered
    if len(likely) != 1 or not (answers or len(others) == 1):
        return {}
    item = find_item_of(origin, likely[0], items)
    return {} if item is None else {"system": likely[0], "item": item}


def find_item_of(origin: Origin, system: str | tuple[str, ...], names: Sequence[str]) -> str | None:
    """Give the first column whose values come again, but never twice for one system."""
    by = ", ".join(map(quote_name, [system] if isinstance(system, str) else system))
    for name in names:
        of = quote_name(name)
        ((rows, different, pairs),) = origin.table.query(
            f"SELECT COUNT(*), COUNT(DISTINCT {of}), COUNT(DISTINCT ({of}, {by})) FROM {{t}}"
        )
        if different < rows == pairs:
            return name
    return None


def find_whose_rows(origin: Origin, used: Collection[str]) -> tuple[str, str] | None:
    """Give the columns of system and item of a long table by their values, whatever their names.

    A system is one of a few, and no item appears twice for it.
    """
    free = [name for name in origin.columns if name not in used][:MOST_LOOKED_AT]
    if len(free) < 2:
        return None
    asked = ", ".join(f"COUNT(DISTINCT {quote_name(name)})" for name in free)
    ((*counts,),) = origin.table.query(f"SELECT {asked} FROM {{t}}")
    different = dict(zip(free, counts, strict=True))
    few = [name for name in free if 2 <= different[name] <= FEW]
    for system in sorted(few, key=lambda name: (not is_system_name(name), different[name])):
        more = [name for name in free if different[name] > different[system]]
        item = find_item_of(origin, system, more)
        if item is not None:
            return system, item
    texts = [name for name in few if origin.table.columns[name] == "text"]
    for one, two in itertools.combinations(texts[:MOST_NAMING], 2):
        item = find_item_of(origin, (one, two), [n for n in free if n not in {one, two}])
        if item is not None and different[item] <= FEW:
            return f"{one},{two}", item
    return None


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
                f"item of its own; if those of one belong together (tries, folds, judges): "
                f"{switch('cluster', name)}"
            )
    return tuple(said)


def say_whose_rows(origin: Origin, aside: Collection[str]) -> tuple[str, ...]:
    """Say that a column which was left aside may name several systems, taken for one here."""
    said = []
    for name in filter(is_system_name, aside):
        ((different,),) = origin.table.query(
            f"SELECT COUNT(DISTINCT {quote_name(name)}) FROM {{t}}"
        )
        if different > 1:
            said.append(
                f"rows of {different:,} values of {name!r} were taken for one system; if it says "
                f"whose they are: {switch('system', name)}"
            )
    return tuple(said)


READERS = re.compile(r"(?i)(?:reader|rater|radiologist|annotator)s?(?:[_ .-]?(?:id|no|name))?")


ONE_READER = re.compile(r"(?i)(?:r|rad|reader|rater|radiologist|observer|obs|doctor|dr)[ _-]?\d+")
BETWEEN = "_.-: "
"""What stands between the system and the reader in the name of a column."""


def _grid_of_readers(names: Collection[str]) -> str | None:
    """Give the pattern of columns that name each system with each reader.

    >>> _grid_of_readers(["film_R1", "film_R2", "screen_R1", "screen_R2"])
    '{system}_{reader}'
    >>> _grid_of_readers(["film_R1", "film_R2", "screen_R1"]) is None
    True
    """
    for mark in BETWEEN:
        parts = [name.partition(mark)[::2] for name in names]
        sides = [{part[side] for part in parts} for side in (0, 1)]
        if min(map(len, sides)) < 2 or len(sides[0]) * len(sides[1]) != len({*parts}):
            continue
        for side, pattern in ((1, "{system}%s{reader}"), (0, "{reader}%s{system}")):
            if all(map(ONE_READER.fullmatch, sides[side])):
                return pattern % mark
    return None


def ask_about_readers(
    origin: Origin, systems: Mapping[str, Mapping[str, str]], columns: Mapping[str, Column]
) -> None:
    """Ask for a reader study where columns name readers, and cases come again."""
    pattern = _grid_of_readers([*systems])
    held = [columns.get(own.get("", "")) for own in systems.values()]
    if pattern and all(one is not None and one.kind in {"integer", "real"} for one in held):
        # Runs r1, r2 of an algorithm that calls classes look alike, and call few of them.
        first = quote_name(next(iter(systems)))
        ((levels,),) = origin.table.query(f"SELECT COUNT(DISTINCT {first}) FROM {{t}}")
        if levels > 2:
            message = (
                f"{printable(origin.name)}: columns name {len(systems)} pairs of a way to read and "
                "a reader. Ways to read are compared over readers and cases: "
                f"{switch('reader', pattern)}."
            )
            raise RolesUnclear(message, code="reader-rows")
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
