"""What the columns of numbers are called: the systems, the number, and which way is better."""

import re
from collections.abc import Sequence

from steelyard.errors import ColumnMissing, RolesUnclear, listing, switch
from steelyard.sources.predictions import Better, ValueScale
from steelyard.sources.roles.declared import Roles

__all__ = [
    "JUDGE",
    "PER",
    "SHARES_APART",
    "better_by_name",
    "check_value_columns",
    "is_rate_of_errors",
    "name_value_systems",
    "scale_of",
    "units_apart",
    "value_and_per",
]

PER = "per"
"""Under this name the columns of a system hold what its values are divided by."""

JUDGE = "judge"
"""Under this name they hold what a judge gave."""

LOWER = frozenset(
    "wer cer ter mer wip wil error err mistake edit latency ms millisecond second sec time duration"
    " runtime delay cost price usd eur dollar euro cent loss rmse mse mae mape smape perplexity ppl"
    " nll brier ece distance toxicity memory energy watt joule token insertion deletion"
    " substitution".split()
)
HIGHER = frozenset(
    "iou miou dice ndcg dcg mrr map reward return grade rating score bleu rouge meteor chrf"
    " bertscore comet f1 accuracy acc auc precision recall similarity quality psnr ssim mos star"
    " point utility helpfulness faithfulness relevance throughput fps reads".split()
)
"""Words in the name of a number that say which way is better."""


PRICES = frozenset(
    "cost price usd eur dollar euro cent memory energy watt joule token throughput fps".split()
)
TIMES = frozenset("latency ms millisecond second sec time duration runtime delay".split())
"""Amounts of which systems may need very different ones, and those that have several units."""

SHARES_APART = 20.0
TIMES_APART = 500.0


def units_apart(name: str) -> float | None:
    """Tell how many times apart two means of such a number have different units; None for never.

    >>> units_apart("accuracy"), units_apart("latency_ms"), units_apart("usd")
    (20.0, 500.0, None)
    """
    said = _words(name)
    if _find_known(said, PRICES):
        return None
    return TIMES_APART if _find_known(said, TIMES) else SHARES_APART


def is_rate_of_errors(name: str) -> bool:
    """Tell a rate of errors over words or letters, which papers take over all items together.

    >>> is_rate_of_errors("kaldi_WER"), is_rate_of_errors("errors")
    (True, False)
    """
    return _find_known(_words(name), frozenset({"wer", "cer", "ter", "mer"})) is not None


def _words(name: str) -> list[str]:
    """Take a name apart: p95LatencyMs and p95_latency_ms are the same words."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name)
    return [part.casefold() for part in parts]


def _find_known(words: Sequence[str], names: frozenset[str]) -> tuple[int, str] | None:
    """Find the last word that says it, in its plain form."""
    for place in range(len(words) - 1, -1, -1):
        word = words[place]
        for form in (word, word.removesuffix("s"), re.sub("ies$", "y", word)):
            if form in names:
                return place, form
    return None


def better_by_name(names: Sequence[str]) -> tuple[Better, str] | None:
    """Tell by names which way is better, and by which word; None where they do not agree.

    >>> better_by_name(["cnn.latency", "svm.latency"]), better_by_name(["cnn", "svm"])
    (('lower', 'latency'), None)
    """
    ways: dict[Better, str] = {}
    for name in names:
        words = _words(name)
        found: dict[Better, tuple[int, str]] = {}
        for way, known in (
            ("lower", _find_known(words, LOWER)),
            ("higher", _find_known(words, HIGHER)),
        ):
            if known is not None:
                found[way] = known  # type: ignore[index]
        if found:
            # "error score" says both; the last word is what the number is.
            last = max(found, key=lambda way: found[way][0])
            ways[last] = found[last][1]
    return next(iter(ways.items())) if len(ways) == 1 else None


def scale_of(roles: Roles, files: Sequence[str]) -> ValueScale:
    """Settle what the numbers are, by what was declared and what the columns are called."""
    columns = roles.value or roles.errors_of
    shares = bool(roles.judge) and roles.range == (0.0, 1.0)  # right and wrong, as 1 and 0
    alone = columns[0] if len(columns) == 1 and not shares else ""
    name = _split_names(columns)[1] or alone
    better, known_by, word = _better(roles, [*columns, name], files)
    low, high = roles.range or (None, None)
    per = None
    if roles.per:
        per = (
            roles.per[0] if len({*roles.per}) == 1 else (_split_names(roles.per)[1] or "their own")
        )
    usual = "errors" if roles.errors_of else word or ("accuracy" if shares else "value")
    return ValueScale(
        name=name or usual, better=better, known_by=known_by, per=per, low=low, high=high
    )


def _better(
    roles: Roles, names: Sequence[str], files: Sequence[str]
) -> tuple[Better | None, str, str]:
    """Tell which way is better, how that is known, and the word that says it."""
    ways = [(place, better_by_name([one for one in given if one]))
            for place, given in (("name", names), ("file name", files))]  # fmt: skip
    place, known = next((one for one in ways if one[1] is not None), ("", None))
    word = known[1] if known else ""
    if roles.lower_is_better or roles.higher_is_better:
        return ("lower" if roles.lower_is_better else "higher"), "declared", word
    if roles.errors_of:
        return "lower", "errors are counted", word
    if known is None:
        return None, _disagreement(names), ""
    return known[0], f"by the {place}: {word}", word


def _disagreement(names: Sequence[str]) -> str:
    """Say which names say that higher is better and which lower; nothing where they do not."""
    ways: dict[str, str] = {}
    for name in filter(None, names):
        known = better_by_name([name])
        if known is not None:
            ways.setdefault(known[0], name)
    return f"{ways['higher']} higher, {ways['lower']} lower" if len(ways) == 2 else ""


def name_value_systems(roles: Roles) -> dict[str, dict[str, str]]:
    """Name the systems of a wide table by their columns, without the word that all share.

    >>> name_value_systems(Roles.of(errors=["a.errors", "b.errors"], per="words"))
    {'a': {'': 'a.errors', 'per': 'words'}, 'b': {'': 'b.errors', 'per': 'words'}}
    """
    columns = roles.value or roles.errors_of
    names, _ = _split_names(columns)
    per = roles.per * len(columns) if len(roles.per) == 1 else roles.per
    blank = [""] * len(columns)
    return {
        names.get(column, column): {"": column}
        | ({PER: below} if below else {})
        | ({JUDGE: judge} if judge else {})
        for column, below, judge in zip(columns, per or blank, roles.judge or blank, strict=True)
    }


def _split_names(columns: Sequence[str]) -> tuple[dict[str, str], str]:
    """Part cnn.wer, svm.wer into the systems and what all of them end (or begin) with."""
    for mark in (".", "_", " ", "-"):
        for last in (True, False):
            cut = [c.rpartition(mark) if last else c.partition(mark) for c in columns]
            shared = {one[2 if last else 0] for one in cut}
            names = [one[0 if last else 2] for one in cut]
            if len(shared) != 1 or not all(names) or len({*names}) < len(names):
                continue
            word = shared.pop()
            # A dot parts systems from what is said of them; one system alone, and other marks, only
            # before known words.
            known = mark == "." and len(columns) > 1
            several = mark == "." or len(columns) > 1
            if word and several and (known or better_by_name([word])):
                return dict(zip(columns, names, strict=True)), word
    return {}, ""


def _check_value_roles(roles: Roles) -> None:
    """Refuse what cannot be said of numbers together."""
    columns = roles.value or roles.errors_of
    if roles.value and roles.errors_of:
        message = (
            "value= and errors= both name the numbers of systems. Name them once: value= "
            "(--value) for a number of each item, errors= and per= (--errors, --per) for a ratio."
        )
        raise RolesUnclear(message, code="values-twice")
    if roles.per and not columns:
        message = (
            "per= (--per) says what errors are divided by, and no errors are named: "
            f"{switch('errors', 'COLUMNS')}."
        )
        raise RolesUnclear(message, code="per-alone")
    if roles.errors_of and not roles.per:
        message = (
            f"errors= (--errors) names {listing(roles.errors_of)}: columns of errors are told out "
            f"of how many: {switch('per', 'words')}. Of evaluation logs it is refuse, wrong or "
            "drop-pair."
        )
        raise RolesUnclear(message, code="errors-alone")
    if len(roles.per) > 1 and len(roles.per) != len(columns):
        message = (
            f"{len(columns)} columns of values and {len(roles.per)} of denominators: "
            f"{listing(columns)} per {listing(roles.per)}. Name one for all, or one for each."
        )
        raise RolesUnclear(message, code="per-differs")
    if roles.judge:
        _check_judges(roles)


def _check_judges(roles: Roles) -> None:
    """Refuse judges that are not one for each system, or that judge a ratio."""
    if roles.errors_of or roles.per:
        message = (
            "judge= (--judge) is for a number of each item, and errors per something are a ratio. "
            "Leave it out, or name the ratio of each item as the value."
        )
        raise RolesUnclear(message, code="judge-of-ratio")
    if len(roles.judge) != len(roles.value):
        message = (
            f"{len(roles.value)} columns of labels that people gave and {len(roles.judge)} of a "
            f"judge: {listing(roles.value)}; {listing(roles.judge)}. Name the judge's column of "
            "each system, in the same order."
        )
        raise RolesUnclear(message, code="judge-differs")


def check_value_columns(present: Sequence[str], roles: Roles) -> None:
    """Refuse columns that are not there, and what cannot be said of numbers together."""
    _check_value_roles(roles)
    for role, names in (
        ("value", roles.value),
        ("errors", roles.errors_of),
        ("per", roles.per),
        ("judge", roles.judge),
    ):
        for name in names:
            if name not in present:
                raise ColumnMissing.for_role(role, name, present, among=names)


def value_and_per(present: Sequence[str], roles: Roles) -> dict[str, str]:
    """Give the column of values of a table that holds one system, or a row for each of several."""
    columns = roles.value or roles.errors_of
    check_value_columns(present, roles)
    if len(columns) > 1 or len(roles.per) > 1:
        message = (
            f"{listing([*columns, *roles.per])}: where a row (or a file) belongs to one system, "
            f"one column holds its values: {switch('value', columns[0])}."
        )
        raise RolesUnclear(message, code="value-unclear")
    return (
        {"": columns[0]}
        | ({PER: roles.per[0]} if roles.per else {})
        | ({JUDGE: roles.judge[0]} if roles.judge else {})
    )
