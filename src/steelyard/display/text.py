"""Names that come from data, made safe to print and measured in columns of a terminal."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile
from typing import Literal

__all__ = [
    "Keep",
    "clean_text",
    "display_width",
    "join_names",
    "shorten",
    "shorten_all",
    "show_name",
    "wrap_sentence",
]

Keep = Literal["both", "start"]
"""Which ends of a name stay when it is cut."""
WAYS: tuple[Keep | Literal["difference"], ...] = ("both", "start", "difference")
"""How names that stand under one another are cut, in this order."""

ELLIPSIS = "…"
LONGEST_NAME = 40
"""In a sentence a name fills at most this many columns."""

ESCAPES = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # operating system commands, such as window titles
    r"|\x1b[PX^_][^\x1b]*(?:\x1b\\)?"  # device control strings
    r"|[\x1b\x9b]\[?[0-?]*[ -/]*[@-~]"  # colours and cursor moves
)
SPACES = re.compile(r"[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+")
INVISIBLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f"  # control characters
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction of writing
    r"\u00ad\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"  # fillers
    r"\U000e0000-\U000e007f]"  # tags
)
WORDS = re.compile(r"\[\S+, \S+\]\S*|\S+")
"""An interval stays in one line."""
SURROGATES = re.compile(r"[\ud800-\udfff]")


def clean_text(name: str) -> str:
    r"""Take out of a name whatever could move the cursor, colour, hide or reorder other text.

    Examples
    --------
    >>> clean_text("red \x1b[31malert\x1b[0m\nnext line")
    'red alert next line'
    """
    if name.isascii() and name.isprintable():
        return name
    without = ESCAPES.sub("", name)
    return SURROGATES.sub("\ufffd", INVISIBLE.sub("", SPACES.sub(" ", without)))


def display_width(text: str) -> int:
    """Count the columns a text fills in a terminal; wide characters fill two, combining ones none.

    Examples
    --------
    >>> display_width("ship"), display_width("船"), display_width("e\u0301")
    (4, 2, 1)
    """
    if text.isascii():
        return len(text)
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
    return _head(name, width - 1 - tail) + ELLIPSIS + _head(name[::-1], tail)[::-1]


def _head(text: str, width: int) -> str:
    used = 0
    for place, character in enumerate(text):
        used += _character_width(character)
        if used > width:
            return text[:place]
    return text


def shorten_all(names: Iterable[str], width: int) -> dict[str, str] | None:
    """Cut names to ``width`` columns so that no two look alike; None where that is too narrow.

    What names share goes first: where their ends do not tell them apart, each keeps its start and
    the place where it begins to differ from the name most like it.

    Examples
    --------
    >>> names = ["eva02_large.mim_in22k_ft_in22k_in1k", "eva02_large.mim_m38m_ft_in22k_in1k"]
    >>> list(shorten_all(names, 14).values())
    ['eva0…mim_in22…', 'eva0…mim_m38m…']
    >>> shorten_all(names, 1) is None
    True
    """
    texts = sorted(set(names))
    for way in WAYS:
        if way == "difference":
            cut = {text: _around(text, place, width) for text, place in _differ(texts).items()}
        else:
            cut = {text: shorten(text, width, keep=way) for text in texts}
        if len(set(cut.values())) == len(texts):
            return cut
    return None


def _differ(texts: Sequence[str]) -> dict[str, int]:
    """Find where each of the sorted texts begins to differ from the one most like it."""
    shared = [0, *(_count_shared(*pair) for pair in pairwise(texts)), 0]
    return {text: max(shared[place : place + 2]) for place, text in enumerate(texts)}


def _count_shared(first: str, second: str) -> int:
    """Count the characters with which both begin."""
    equal = (one == other for one, other in zip(first, second, strict=False))
    return sum(takewhile(bool, equal))


def _around(text: str, place: int, width: int) -> str:
    """Keep the start of a text and what stands around a place in it."""
    rest = width - width // 3 - 1
    if display_width(text) <= width or rest < 3 or place + 1 < width - 1:
        return shorten(text, width, keep="start")
    start = place - rest // 2
    if start + rest >= len(text):
        tail = _head(text[::-1], rest)[::-1]
    else:
        tail = _head(text[start:], rest - 1) + ELLIPSIS
    return _head(text, width // 3) + ELLIPSIS + tail


def show_name(name: str) -> str:
    """Write a name inside a sentence: clean, not too long, visible when empty.

    Examples
    --------
    >>> show_name("svm"), show_name("")
    ('svm', '""')
    """
    return shorten(clean_text(name).strip(), LONGEST_NAME) or '""'


def join_names(names: Sequence[str], *, most: int = 6, room: int = 80) -> str:
    """List names in a sentence, as many as find room, and say how many were left out.

    Examples
    --------
    >>> join_names(["rf", "nb", "tree"]), join_names(["a", "b", "c", "d"], most=2)
    ('rf, nb and tree', 'a, b and 2 more')
    """
    clean = [clean_text(name).strip() for name in names]
    # As show_name cuts them, unless two would then look alike.
    cut = shorten_all(clean, LONGEST_NAME) or {}
    shown = [cut.get(text) or show_name(text) for text in clean]
    if len(shown) <= 1:
        return "".join(shown)
    whole = f"{', '.join(shown[:-1])} and {shown[-1]}"
    if len(shown) <= most + 1 and display_width(whole) <= room:
        return whole
    for number in range(min(most, len(shown) - 2), 1, -1):
        some = f"{', '.join(shown[:number])} and {len(shown) - number} more"
        if display_width(some) <= room:
            return some
    return f"{shown[0]} and {len(shown) - 1} more" if len(shown) > 2 else whole


def wrap_sentence(text: str, width: int = 80, *, indent: str = "") -> str:
    """Break a text into lines of at most ``width`` columns; lines after the first are indented.

    Examples
    --------
    >>> print(wrap_sentence("one two three four", 9))
    one two
    three
    four
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        lines += _wrap(WORDS.findall(paragraph), width, indent)
    return "\n".join(lines)


def _wrap(words: list[str], width: int, indent: str) -> list[str]:
    lines = [""]
    for word in words:
        joined = f"{lines[-1]} {word}" if lines[-1].strip() else lines[-1] + word
        if display_width(joined) <= width:
            lines[-1] = joined
            continue
        if lines[-1].strip():
            lines.append(indent)
        rest = word
        while display_width(lines[-1] + rest) > width:
            piece = _head(rest, max(2, width - display_width(lines[-1])))
            lines[-1] += piece
            rest = rest[len(piece) :]
            lines.append(indent)
        lines[-1] += rest
    return lines
