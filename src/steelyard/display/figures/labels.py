"""Names from data as the labels of charts: clean, not too long, and never two alike."""

from collections.abc import Iterable

from steelyard.display.text import clean_text, shorten, shorten_all, show_name

__all__ = ["drawable", "labels", "plain_line"]

LONGEST = 24
"""A chart has room for so many columns beside its rows; what is longer it would cut itself."""
LONGEST_EVER = 40
NOT_XML = str.maketrans({"\ufffe": "\ufffd", "\uffff": "\ufffd"})


def plain_line(text: str) -> str:
    """Take out of a title or summary what SVG cannot hold or a reader should not meet."""
    return clean_text(text).translate(NOT_XML)


def drawable(name: str) -> str:
    """Write one name so that SVG can hold it.

    Examples
    --------
    >>> drawable("svm"), drawable("")
    ('svm', '""')
    """
    return show_name(name).translate(NOT_XML)


def labels(names: Iterable[str], *, width: int = LONGEST) -> dict[str, str]:
    """Find a label for every name; what names share is cut, and equal labels are numbered.

    Examples
    --------
    >>> list(labels([f"resnet50-augmented-on-images-{seed}-of-ten" for seed in "12"]).values())
    ['resnet50-augmented-on…1…', 'resnet50-augmented-on…2…']
    >>> list(labels(["svm", "knn", "knn "]).values())
    ['svm', 'knn', 'knn (2)']
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    given = list(dict.fromkeys(names))
    clean = {name: plain_line(name).strip() for name in given}
    cut = _cut(clean.values(), width)
    for name in given:
        first = cut[clean[name]] or drawable(name)
        label, number = first, 1
        while label in taken:
            number += 1
            label = f"{first} ({number})"
        taken.add(label)
        found[name] = label
    return found


def _cut(names: Iterable[str], width: int) -> dict[str, str]:
    """Cut names to the width; where they would look alike, to the least width that helps."""
    texts = list(names)
    for most in range(width, max(width, LONGEST_EVER) + 1):
        cut = shorten_all(texts, most)
        if cut is not None:
            return cut
    return {text: shorten(text, LONGEST_EVER) for text in texts}
