"""Names cut to a width, so that no two of them look alike."""

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

__all__ = ["Keep", "display_width", "head_of", "shorten", "shorten_all"]

Keep = Literal["both", "start"]
"""Which ends of a name stay when it is cut."""

ELLIPSIS = "…"
WORDS = re.compile(r"[^\W_]+(?:\.\d+(?![^\W\d_]))*[\W_]*|[\W_]+")
"""A word of a name with what parts it from the next one; 3.1 is one word."""
BETWEEN = re.compile(r"[\W_]+$")
LONGEST_WORD, PIECE = 18, 6
"""A longer word is taken apart into pieces."""
MOST_BY_WORDS = 100
"""Of more names than these the words are not weighed, for the sake of time."""
LONGEST_BY_WORDS = 500
"""Nor where a name has more letters: it is a document."""
MOST_SPACES = 3
"""What has more of them is a phrase, whose middle is left out: its words make no sense apart."""
ROUNDS, WITH_FIRST = 6, 3
"""So often words are weighed anew where labels came out alike; at first each keeps its first."""


def display_width(text: str) -> int:
    """Count the columns a text fills in a terminal; wide characters fill two, combining ones none.

    Examples
    --------
    >>> display_width("ship"), display_width("船"), display_width("e\u0301")
    (4, 2, 1)
    """
    return len(text) if text.isascii() else _sum_widths(text)


@lru_cache(maxsize=1 << 10)
def _sum_widths(text: str) -> int:
    return sum(_character_width(character) for character in text)


def _character_width(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def shorten(name: str, width: int, *, keep: Keep = "both") -> str:
    """Cut a name to ``width`` columns, in its middle or at its end.

    Examples
    --------
    >>> shorten("resnet50-augmented-v2", 11), shorten("resnet50-augmented-v2", 11, keep="start")
    ('resne…ed-v2', 'resnet50-a…')
    """
    if display_width(name) <= width:
        return name
    if width <= 1:
        return ELLIPSIS[:width]
    tail = (width - 1) // 2 if keep == "both" else 0
    return head_of(name, width - 1 - tail) + ELLIPSIS + head_of(name[::-1], tail)[::-1]


def head_of(text: str, width: int) -> str:
    """Give as much of the start of a text as fits."""
    used = 0
    for place, character in enumerate(text):
        used += _character_width(character)
        if used > width:
            return text[:place]
    return text


def shorten_all(names: Iterable[str], width: int) -> dict[str, str] | None:
    """Cut names to ``width`` columns so that no two look alike; None where that is too narrow.

    What names share goes first: each keeps the words that tell it from the others. Where that is
    too narrow, all keep both ends, or the start, or what begins to differ from the name most like.

    Examples
    --------
    >>> names = ["timm/eva02_large.mim_in22k_ft_in1k", "timm/eva02_large.mim_m38m_ft_in1k"]
    >>> list(shorten_all(names, 16).values())
    ['timm…mim_in22k…', 'timm/eva02…m38m…']
    >>> shorten_all(names, 1) is None
    True
    """
    found = _shorten_all(tuple(sorted(set(names))), width)
    return None if found is None else dict(found)


@lru_cache(maxsize=256)
def _shorten_all(texts: tuple[str, ...], width: int) -> dict[str, str] | None:
    if all(display_width(text) <= width for text in texts):
        return {text: text for text in texts}
    for way in WAYS:
        cut = way(texts, width)
        if cut and len(set(cut.values())) == len(texts):
            return cut
    return None


# --- ways to cut names that stand under one another ---------------------------------------------


def _by_words(texts: Sequence[str], width: int) -> dict[str, str]:
    """Keep the words that few of the names have, and of the others as many as find room."""
    if not 1 < len(texts) <= MOST_BY_WORDS or max(map(len, texts)) > LONGEST_BY_WORDS:
        return {}
    words = {text: _split(text) for text in texts}
    numbered = {text: _number(parts) for text, parts in words.items()}
    having = Counter(one for parts in numbered.values() for one in parts)
    order = {text: _rank(parts, having, len(texts)) for text, parts in numbered.items()}
    firsts = {text: places[0] if places else None for text, places in order.items()}
    cut: dict[str, str] = {}
    for turn in range(ROUNDS):
        cut = {text: _keep_words(text, words[text], order[text], width) for text in texts}
        alike: dict[str, list[str]] = {}
        for text, label in cut.items():
            alike.setdefault(label, []).append(text)
        groups = [group for group in alike.values() if len(group) > 1]
        if not groups:
            return cut
        for group in groups:
            shared = set.intersection(*(set(numbered[text]) for text in group))
            for text in group:
                own, first = numbered[text], firsts[text] if turn < WITH_FIRST else None
                order[text] = sorted(
                    order[text], key=lambda place: place != first and own[place] in shared
                )
    return cut


def _split(text: str) -> list[str]:
    parts = []
    for word in WORDS.findall(text):
        rest = word
        while len(rest) > LONGEST_WORD:
            parts.append(rest[:PIECE])
            rest = rest[PIECE:]
        parts.append(rest)
    return parts


def _number(parts: Sequence[str]) -> list[tuple[str, int]]:
    """Tell the second of two equal words in a name from the first."""
    seen: Counter[str] = Counter()
    numbered = []
    for part in parts:
        word = BETWEEN.sub("", part) or part
        seen[word] += 1
        numbered.append((word, seen[word]))
    return numbered


def _rank(
    parts: Sequence[tuple[str, int]], having: Mapping[tuple[str, int], int], names: int
) -> list[int]:
    """Order the words of a name: first the first that not all share, then rare ones.

    Of equally rare words the last goes first: the end of a name often tells most.
    """
    many = [having[part] for part in parts]
    first = next((place for place, count in enumerate(many) if count < names), 0)
    last = len(parts) - 1

    def rank(place: int) -> tuple[bool, bool, int, bool, int]:
        shared = many[place] == names
        return place != first, shared, many[place], shared or place != last, place

    return sorted(range(len(parts)), key=rank)


def _keep_words(text: str, parts: Sequence[str], order: Iterable[int], width: int) -> str:
    if display_width(text) <= width or text.count(" ") > MOST_SPACES:
        return shorten(text, width)
    kept: set[int] = set()
    label = ELLIPSIS
    for place in order:
        longer = _join(parts, kept | {place})
        if display_width(longer) <= width:
            kept.add(place)
            label = longer
    # Where long words leave half of the room empty, both ends say more.
    return label if 2 * display_width(label) >= width else shorten(text, width)


def _join(parts: Sequence[str], kept: set[int]) -> str:
    """Write the kept words, and one mark for what is left out between them."""
    written = ""
    for place, part in enumerate(parts):
        if place in kept:
            written += part
        elif not written.endswith(ELLIPSIS):
            written = BETWEEN.sub("", written) + ELLIPSIS
    return written


def _by_ends(texts: Sequence[str], width: int) -> dict[str, str]:
    return {text: shorten(text, width) for text in texts}


def _by_start(texts: Sequence[str], width: int) -> dict[str, str]:
    return {text: shorten(text, width, keep="start") for text in texts}


def _by_difference(texts: Sequence[str], width: int) -> dict[str, str]:
    return {text: _around(text, place, width) for text, place in _differ(texts).items()}


def _differ(texts: Sequence[str]) -> dict[str, int]:
    """Find where each of the sorted texts begins to differ from the one most like it."""
    shared = [0, *(_count_shared(*pair) for pair in pairwise(texts)), 0]
    return {text: max(shared[place : place + 2]) for place, text in enumerate(texts)}


def _count_shared(first: str, second: str) -> int:
    """Count the characters with which both begin."""
    places = range(min(len(first), len(second)))  # from which on do they differ?
    return bisect_left(places, 1, key=lambda place: first[: place + 1] != second[: place + 1])


def _around(text: str, place: int, width: int) -> str:
    """Keep the start of a text and what stands around a place in it."""
    rest = width - width // 3 - 1
    if display_width(text) <= width or rest < 3 or place + 1 < width - 1:
        return shorten(text, width, keep="start")
    start = place - rest // 2
    if start + rest >= len(text):
        tail = head_of(text[::-1], rest)[::-1]
    else:
        tail = head_of(text[start:], rest - 1) + ELLIPSIS
    return head_of(text, width // 3) + ELLIPSIS + tail


WAYS: Sequence[Callable[[Sequence[str], int], dict[str, str]]] = (
    _by_words,
    _by_ends,
    _by_start,
    _by_difference,
)
"""How names that stand under one another are cut, in this order."""
