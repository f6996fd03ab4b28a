"""One text for one class, whatever type the label came in."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from numbers import Rational, Real
from typing import Literal

from steelyard.errors import CountsError, listing

__all__ = ["canonical_label", "check_names", "lookalike_classes", "sort_classes", "visible_name"]

WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)")

LARGEST_EXACT_FLOAT = 2**53

LATIN_LOOKS = str.maketrans(
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405\u0406\u0408"
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u051d"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf",
    "ABEKMHOPCTYXSIJaeopcyxsijhdqwABEZHIKMNOPTYXo",
)
"""Letters of Cyrillic and Greek that look like those of Latin."""


def canonical_label(value: object) -> str:
    """Write a class as text: NFC for text, ``true``/``false``, integers without a fraction.

    Examples
    --------
    >>> [canonical_label(label) for label in ("ship", 7, 7.0, True)]
    ['ship', '7', '7', 'true']
    """
    if isinstance(value, bytes):
        return _clean_text(_decode(value))
    if isinstance(value, str):
        return _clean_text(value)
    if isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"}:
        return "true" if value else "false"
    if isinstance(value, Real | Decimal):
        return _whole_text(value)
    message = f"{value!r} cannot name a class. Use text, whole numbers or true/false."
    raise CountsError(message, code="label-type")


def check_names(
    names: Iterable[str], kind: Literal["class", "system", "group", "campaign"]
) -> tuple[str, ...]:
    """Take names of one kind: text, each once.

    Examples
    --------
    >>> check_names(["cnn", "svm"], "system")
    ('cnn', 'svm')
    """
    if isinstance(names, str):
        message = f"One text, {names!r}, where a list of {kind} names was expected: [{names!r}]."
        raise CountsError(message, code="name-type")
    listed = tuple(names)
    for name in listed:
        if not isinstance(name, str):
            message = f"A {kind} is named {name!r}; a name is text, so write {str(name)!r}."
            raise CountsError(message, code="name-type")
        _clean_text(name)
    if len(set(listed)) != len(listed):
        twice = sorted(name for name, times in Counter(listed).items() if times > 1)
        message = f"A {kind} is named twice: {listing(twice)}. Each {kind} needs a name of its own."
        raise CountsError(message, code=f"{kind}-twice")
    return tuple(str(name) for name in listed)


def sort_classes(classes: Iterable[str]) -> tuple[str, ...]:
    """Put classes in reading order: by value when all are whole numbers, else by text.

    Examples
    --------
    >>> sort_classes({"10", "9", "8"})
    ('8', '9', '10')
    """
    names = check_names(set(classes), "class")
    if all(WHOLE_NUMBER.fullmatch(name) for name in names):
        # The text breaks the tie of "0" and "-0", which are two names of one number.
        return tuple(sorted(names, key=lambda name: (Decimal(name), name)))
    return tuple(sorted(names))


def visible_name(name: str) -> str:
    """Give a name without what nobody sees in it: marks of direction and width, forms of accents.

    >>> visible_name("a\u200bb") == visible_name("ab"), visible_name("e\u0301") == "\u00e9"
    (True, True)
    """
    if name.isascii():
        return name
    kept = "".join(one for one in name if unicodedata.category(one) != "Cf")
    return unicodedata.normalize("NFC", kept)


def lookalike_classes(classes: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Find pairs of classes that differ only by case, spaces or compatibility forms.

    Examples
    --------
    >>> lookalike_classes(["ship", "Ship ", "car"])
    (('Ship ', 'ship'),)
    >>> lookalike_classes(["no", "n\u043e"])  # a Cyrillic o
    (('no', 'nо'),)
    """
    seen: dict[str, str] = {}
    pairs = []
    for name in sorted(set(classes)):
        shown = unicodedata.normalize("NFKC", visible_name(name)).translate(LATIN_LOOKS)
        folded = "".join(shown.casefold().split())
        if folded in seen:
            pairs.append((seen[folded], name))
        else:
            seen[folded] = name
    return tuple(pairs)


def _decode(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        message = (
            f"The label {value!r} is not UTF-8 text. Decode it first: label.decode('latin-1')."
        )
        raise CountsError(message, code="label-type") from None


def _clean_text(value: str) -> str:
    if any("\ud800" <= character <= "\udfff" for character in value):
        message = f"The name {value!r} holds half a character, which no file or page can show."
        raise CountsError(message, code="label-type")
    return str(unicodedata.normalize("NFC", value))


def _whole_text(value: Real | Decimal) -> str:
    try:
        number = int(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or number != value:
        message = f"{value!r} cannot name a class. Use text, whole numbers or true/false."
        raise CountsError(message, code="label-type")
    if not isinstance(value, Rational | Decimal) and abs(number) > LARGEST_EXACT_FLOAT:
        message = (
            f"The label {value!r} is a float beyond 2^53, where different whole numbers look the "
            "same. Pass integers or text."
        )
        raise CountsError(message, code="label-type")
    return str(number)
