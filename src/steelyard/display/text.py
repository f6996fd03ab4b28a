"""Names that come from data, made safe to print and measured in columns of a terminal."""

import re
from collections.abc import Sequence

from steelyard.display.cutting import Keep, display_width, head_of, shorten, shorten_all

__all__ = [
    "Keep",
    "clean_text",
    "display_width",
    "join_names",
    "natural_key",
    "shorten",
    "shorten_all",
    "show_name",
    "wrap_sentence",
]

LONGEST_NAME = 60
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
NUMBERS = re.compile(r"(^[-\u2212]?\d+(?:\.\d+)?|\d+(?:\.\d+)?)")
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


def natural_key(name: str) -> list[tuple[int, float, str]]:
    """Give a key that sorts names by the numbers in them; one at the start may be negative.

    Examples
    --------
    >>> sorted(["10 dB", "3 dB", "-3 dB", "all"], key=natural_key)
    ['-3 dB', '3 dB', '10 dB', 'all']
    """
    parts = NUMBERS.split(name.strip())
    return [
        (0, float(part.replace("\u2212", "-")), "") if k % 2 else (1, 0.0, part)
        for k, part in enumerate(parts)
        if part
    ]


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
            piece = head_of(rest, max(2, width - display_width(lines[-1])))
            lines[-1] += piece
            rest = rest[len(piece) :]
            lines.append(indent)
        lines[-1] += rest
    return lines
