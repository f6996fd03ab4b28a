"""Calls that are written otherwise than the true classes, and words for no answer at all.

What is read as what is said in the answer. Classes that two calls might mean are never merged.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from steelyard.errors import listing, printable
from steelyard.sources.roles.columns import MISSING_LOOKING, Levels
from steelyard.sources.roles.declared import Roles

__all__ = ["alike_words", "name_places", "spell_as_true", "without_words_for_nothing"]

YES, NO = frozenset("yes y true t 1".split()), frozenset("no n false f 0".split())
"""Words that say the same of two classes, of which one is of each kind."""


def alike_words(classes: Sequence[str]) -> set[str]:
    """Give what calls of these classes may read, in small letters and without blanks around.

    >>> sorted(alike_words(["Cat", "dog "]))
    ['cat', 'dog']
    """
    plain = {name.strip().casefold() for name in classes}
    return plain | (YES | NO if plain <= YES | NO else set())


def spell_as_true(
    levels: Levels, classes: Sequence[str], roles: Roles
) -> tuple[Levels, tuple[str, ...]]:
    """Give calls the spelling of the classes they can only mean, and say which.

    Letters of another case and blanks around a name; yes and no for true and false or 1 and 0;
    places, from 0, in a list of classes that was declared where calls are whole numbers; several
    labels in another order.
    """
    strange = [name for name in levels.names if name not in classes]
    if not strange or (roles.open_classes and roles.classes is None):
        return levels, ()
    for meant in (
        _fold(strange, classes, levels.names),
        _flags(levels, classes),
        _match_numbers(strange, classes),
        _places(levels, strange, roles),
        _same_parts(strange, classes),
    ):
        if meant:
            return _respell(levels, meant)
    return levels, ()


def name_places(truth: Levels, classes: Sequence[str]) -> tuple[Levels, tuple[str, ...]]:
    """Read a truth of whole numbers as places, from 0, of classes that were declared in words."""
    places = {str(place): name for place, name in enumerate(classes)}
    words = not any(name.lstrip("-").isdigit() for name in classes)
    if not words or truth.column.kind != "integer" or not {*truth.names} <= {*places}:
        return truth, ()
    levels, _ = _respell(truth, {name: places[name] for name in truth.names})
    said = listing([f"{place} as {printable(name)}" for place, name in places.items()], most=6)
    return levels, (f"read {truth.column.title}: {said}, its places in the list of classes",)


def without_words_for_nothing(
    levels: Levels, known: Collection[str], roles: Roles
) -> tuple[Levels, tuple[str, ...]]:
    """Take NA, NaN, null and their like, where they are no class, for no answer."""
    if roles.open_classes:  # then a word such as ? may be a call of its own
        return levels, ()
    words = [
        name for name in levels.names if name not in known and name.casefold() in MISSING_LOOKING
    ]
    if not words or len(words) == len(levels.names):
        return levels, ()
    names = {name: rows for name, rows in levels.names.items() if name not in words}
    missing = levels.missing + sum(levels.names[name] for name in words)
    said = f"{listing(words)} in {levels.column.title} read as no answer"
    return replace(levels, names=names, missing=missing, nothing=_write_levels(levels, words)), (
        said,
    )


def _fold(
    strange: Sequence[str], classes: Sequence[str], called: Collection[str]
) -> dict[str, str]:
    """Match names but for their case and the blanks around them, where that leaves no doubt."""
    plain = {name.strip().casefold(): name for name in classes}
    if len(plain) < len(classes):
        return {}
    meant = {n: plain[n.strip().casefold()] for n in strange if n.strip().casefold() in plain}
    # A letter in both cases may be two classes, of which one is never true here.
    return {n: to for n, to in meant.items() if len(to) > 1 or to not in called}


def _flags(levels: Levels, classes: Sequence[str]) -> dict[str, str]:
    """Match two classes that say yes and no with calls that say so in other words."""
    sides = {}
    for name in classes:
        sides["yes" if name.casefold() in YES else "no" if name.casefold() in NO else name] = name
    if {*sides} != {"yes", "no"} or {*levels.names} & {*classes}:
        return {}
    calls = {n: "yes" if n.casefold() in YES else "no" if n.casefold() in NO else "" for n in
             levels.names}  # fmt: skip
    if len({n.casefold() for n in levels.names}) > 2 or "" in calls.values():
        return {}
    return {name: sides[side] for name, side in calls.items()}


def _match_numbers(strange: Sequence[str], classes: Sequence[str]) -> dict[str, str]:
    """Match LABEL_0, as transformers calls a class that nobody named, with 0, and back."""
    plain = {name.removeprefix("LABEL_"): name for name in classes}
    if len(plain) < len(classes) or not all(name.isdecimal() for name in plain):
        return {}
    meant = {name: plain.get(name.removeprefix("LABEL_"), "") for name in strange}
    return meant if all(meant.values()) else {}


def _same_parts(strange: Sequence[str], classes: Sequence[str]) -> dict[str, str]:
    """Match several labels of an item with the same ones in another order: ``b|a`` with ``a|b``."""
    for mark in "|;":
        parts: dict[tuple[str, ...], list[str]] = {}
        for name in classes:
            parts.setdefault(_parts(name, mark), []).append(name)
        meant = {n: parts.get(_parts(n, mark), []) for n in strange if mark in n}
        found = {name: same[0] for name, same in meant.items() if len(same) == 1}
        if found:
            return found
    return {}


def _parts(name: str, mark: str) -> tuple[str, ...]:
    return tuple(sorted(part.strip() for part in name.split(mark)))


def _places(levels: Levels, strange: Sequence[str], roles: Roles) -> dict[str, str]:
    """Match whole numbers with the classes that were declared, in their order."""
    declared = roles.classes or ()
    if levels.column.kind not in {"integer", "real"} or len(strange) < len(levels.names):
        return {}
    if any(name.lstrip("-").isdigit() for name in declared):
        return {}
    places = {str(place): name for place, name in enumerate(declared)}
    return {n: places[n] for n in strange} if {*strange} <= {*places} else {}


def _respell(levels: Levels, meant: dict[str, str]) -> tuple[Levels, tuple[str, ...]]:
    names: dict[str, int] = {}
    for name, rows in levels.names.items():
        to = meant.get(name, name)
        names[to] = names.get(to, 0) + rows
    written = {raw: meant[name] for raw, name in levels.rewritten.items() if name in meant}
    rewritten = {**levels.rewritten, **{n: to for n, to in meant.items()}, **written}
    shown = listing(
        [f"{printable(one)!r} as {printable(to)!r}" for one, to in meant.items()], most=6
    )
    said = f"{levels.column.title}: {shown}, the classes as the truth spells them"
    return replace(levels, names=names, rewritten=rewritten), (f"read {said}",)


def _write_levels(levels: Levels, words: Sequence[str]) -> tuple[str, ...]:
    return (*words, *(raw for raw, name in levels.rewritten.items() if name in words))
