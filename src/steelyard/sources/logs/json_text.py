"""JSON as logs hold it: what the first object is about, the whole of a file, or line by line."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable
from steelyard.sources.files.formats import SAMPLE_BYTES, open_bytes

__all__ = ["first_keys", "parse", "read_json", "read_lines", "whole_object"]

BAD_JSON = (ValueError, RecursionError)
"""What the parser raises; damaged UTF-8 and numbers of a million digits are ValueErrors."""


def first_keys(head: bytes) -> list[str]:
    """List the keys of the first object (or the first object of an array), as far as they show.

    >>> first_keys(b'[{"id": {"a": 1}, "text": "{}", "list": [1], "cut": {"x')
    ['id', 'text', 'list', 'cut']
    """
    text = head.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    start = text[1:].lstrip() if text[:1] == "[" else text
    if start[:1] != "{":
        return []
    keys: list[str] = []
    depth, place, expected = 0, 0, False
    while place < len(start):
        mark = start[place]
        if mark == '"':
            word, place = _string(start, place)
            if word is None:
                break
            if depth == 1 and expected:
                keys.append(word)
                expected = False
            continue
        depth += (mark in "{[") - (mark in "}]")
        if depth == 0:
            break
        expected = expected or (depth == 1 and mark in "{,")
        place += 1
    return keys


def whole_object(head: bytes) -> Any:  # noqa: ANN401
    """Parse a file that is one small object; None where it is not.

    >>> whole_object(b'{"a": 1}'), whole_object(b'{"a": 1} {"a": 2}'), whole_object(b"[1]")
    ({'a': 1}, None, None)
    """
    if len(head) >= SAMPLE_BYTES or head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] != b"{":
        return None
    try:
        return json.loads(head.decode("utf-8-sig"))
    except BAD_JSON:  # lines of objects, or damaged: other readers will tell
        return None


def read_json(path: Path, name: str) -> Any:  # noqa: ANN401
    """Read a file that is one JSON value."""
    with open_bytes(path) as file:
        return parse(file.read(), name)


def parse(text: bytes, name: str) -> Any:  # noqa: ANN401
    """Parse one JSON value, or say where it breaks."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for n, key in enumerate(keys) if key in keys[:n])
            raise FileUnreadable.for_repeated_key(name, twice)
        return found

    try:
        return json.loads(text, object_pairs_hook=once)
    except FileUnreadable:
        raise
    except BAD_JSON as error:
        raise _explain_break(name, error) from error


def read_lines(path: Path, name: str) -> Iterator[Mapping[str, Any]]:
    """Read a file with a JSON object on each line, or an array of such objects."""
    with open_bytes(path) as file:
        if file.peek(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"[":  # type: ignore[attr-defined]
            yield from _read_array(path, name)
            return
        for number, line in enumerate(file, 1):
            if line.strip():
                row = parse(line, f"{name}, line {number}")
                if not isinstance(row, dict):
                    found = f"line {number} is not a JSON object."
                    fix = "Expected an object on every line."
                    raise FileUnreadable.for_file(name, found, fix=fix, code="not-json")
                yield row


def _read_array(path: Path, name: str) -> Iterator[Mapping[str, Any]]:
    for number, row in enumerate(read_json(path, name), 1):
        if not isinstance(row, dict):
            found = f"entry {number} is not a JSON object."
            fix = "Expected a list of objects."
            raise FileUnreadable.for_file(name, found, fix=fix, code="not-json")
        yield row


def _string(text: str, place: int) -> tuple[str | None, int]:
    """Read the string that starts here; None when it is cut."""
    end = place + 1
    while end < len(text) and text[end] != '"':
        end += 2 if text[end] == "\\" else 1
    return (text[place + 1 : end], end + 1) if end < len(text) else (None, end)


def _explain_break(name: str, error: Exception) -> FileUnreadable:
    reason = str(error) if isinstance(error, ValueError) else "it is nested too deeply"
    found = f"the log is not whole JSON ({reason[:120]})."
    fix = "Was the run cut off, or the file copied in part? Write or fetch it again."
    return FileUnreadable.for_file(name, found, fix=fix, code="damaged")
