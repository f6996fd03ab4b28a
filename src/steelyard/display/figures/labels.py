"""Names from data as the labels of charts: clean, not too long, and never two alike."""

from collections.abc import Iterable

from steelyard.display.text import clean_text, show_name

__all__ = ["drawable", "labels", "plain_line"]

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


def labels(names: Iterable[str]) -> dict[str, str]:
    """Find a label for every name; names that would look the same are numbered.

    Examples
    --------
    >>> list(labels(["svm", "knn", "knn "]).values())
    ['svm', 'knn', 'knn (2)']
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        first = drawable(name)
        label, number = first, 1
        while label in taken:
            number += 1
            label = f"{first} ({number})"
        taken.add(label)
        found[name] = label
    return found
