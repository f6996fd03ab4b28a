"""Lists of trials as speakers and faces are verified: who against whom, the score, and the key."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from steelyard.engines.identity import FileIdentity
from steelyard.errors import FileUnreadable, counted, printable
from steelyard.sources.files.formats import is_file, open_bytes
from steelyard.sources.origins import InputFile
from steelyard.sources.roles.declared import RoledColumns, Roles
from steelyard.sources.shapes.truth_file import split_truth
from steelyard.sources.shapes.written_numbers import read_number, refuse_merged

__all__ = ["TrialLists", "find_trials"]

FIELDS = 3
KINDS = 2
LOOKED_AT = 200
"""Lines by which a list is told; a table with a header has words where a list has numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialLists:
    """A list of scores for each system, and the key that says which trials are of a target.

    What tells each file from one that takes its place is kept from before it is read.
    """

    scores: Mapping[str, Path]
    key: Path
    identities: Mapping[Path, FileIdentity | None] = field(default_factory=dict)

    def roles(self, given: Roles) -> Roles:
        """Give what the columns mean, beside what was said; both sides may be clusters."""
        return replace(given, truth="truth", item="trial", score=tuple(self.scores))

    def files(self) -> tuple[InputFile, ...]:
        """Record what was read."""
        told = {**self.scores, "": self.key}
        return tuple(
            InputFile(
                name=path.name,
                path=path,
                read_as="list of scores" if name else "key of trials",
                identity=self.identities.get(path),
            )
            for name, path in told.items()
        )

    def columns(self) -> RoledColumns:
        """Lay the trials of the key out as rows: the pair, its truth, the score of each system."""
        rows = [line.split() for line in _lines(self.key)]
        label = _label_place(rows)
        if label is None:
            found = "no column of it holds two kinds of trials alone, such as target and nontarget."
            fix = "Expected three fields in every line: enrolled, tested and the kind of trial."
            raise FileUnreadable.for_file(self.key.name, found, fix=fix, code="trial-key")
        truth: dict[tuple[str, str], str] = {}
        for row in rows:
            pair = _pair(row, label)
            if truth.setdefault(pair, row[label]) != row[label]:
                said = f"the trial {printable(' '.join(pair))!r} is said to be of both kinds."
                fix = "A trial has one truth: correct the key."
                raise FileUnreadable.for_file(self.key.name, said, fix=fix, code="trial-key")
        made: dict[str, list[Any]] = {
            "trial": [" ".join(pair) for pair in truth],
            "enrolled": [pair[0] for pair in truth],
            "tested": [pair[1] for pair in truth],
            "truth": list(truth.values()),
        }
        for name, path in self.scores.items():
            scored = self._read_scored(path, truth)
            made[name] = [scored.get(pair) for pair in truth]
        return RoledColumns(made)

    def _read_scored(
        self, path: Path, truth: Mapping[tuple[str, str], str]
    ) -> dict[tuple[str, str], float]:
        found: dict[tuple[str, str], float] = {}
        written: list[str] = []
        for number, line in enumerate(_lines(path), start=1):
            parts = line.split()
            pair = (parts[0], parts[1]) if len(parts) == FIELDS else ("", "")
            value = read_number(parts[-1]) if len(parts) == FIELDS else None
            if value is None or pair not in truth or pair in found:
                why = (
                    "is not a trial with a score" if value is None
                    else "appears twice" if pair in found
                    else f"is not a trial of {printable(self.key.name)}"
                )  # fmt: skip
                said = f"line {number}, {printable(line.strip()[:60])!r}, {why}."
                fix = "Expected enrolled, tested and a score in every line, for trials of the key."
                raise FileUnreadable.for_file(path.name, said, fix=fix, code="trial-scores")
            found[pair] = value
            written.append(parts[-1])
        refuse_merged(path.name, written)
        left = len(truth) - len(found)
        if left and not found:
            said = f"there is no score for any of {counted(len(truth), 'trial')}."
            raise FileUnreadable.for_file(path.name, said, fix="Is it the key of this list?")
        return found


def find_trials(data: object, roles: Roles) -> TrialLists | None:
    """Tell lists of scores and a key without headers: three fields, the last of a score a number.

    The key is the truth that was named, ``--truth key.txt``.
    """
    _, key, column = split_truth(roles)
    given = _score_paths(data)
    if key is None or column is not None or not given:
        return None
    # A link is followed once, and every file known before its first byte is looked at.
    given, key = {name: path.resolve() for name, path in given.items()}, key.resolve()
    known = {path: FileIdentity.of(path) for path in (*given.values(), key)}
    if not all(_is_list(path, scores=True) for path in given.values()):
        return None
    if not _is_list(key, scores=False):
        return None
    return TrialLists(scores=given, key=key, identities=known)


def _score_paths(data: object) -> dict[str, Path]:
    if isinstance(data, str | Path):
        data = [data]
    if isinstance(data, list | tuple):
        data = {Path(str(one)).stem: one for one in data if isinstance(one, str | Path)}
    if not isinstance(data, Mapping):
        return {}
    given = {str(k): Path(v) for k, v in data.items() if isinstance(v, str | Path)}
    there = len(given) == len(data) and all(is_file(path) for path in given.values())
    return given if there else {}


def _is_list(path: Path, *, scores: bool) -> bool:
    """Look at the first lines: three fields without commas, numbers where scores are."""
    with open_bytes(path) as file:
        head = file.read(1 << 14).decode("utf-8", "replace").splitlines()[:LOOKED_AT]
    rows = [line.split() for line in head[: -1 if len(head) == LOOKED_AT else None] if line.strip()]
    if not rows or any(len(row) != FIELDS or "," in "".join(row) for row in rows):
        return False
    last = [read_number(row[-1]) is not None for row in rows]
    return all(last) if scores else _label_place(rows) is not None


def _label_place(rows: list[list[str]]) -> int | None:
    """Find the field with two kinds of trials: last, as in Kaldi, or first, as in VoxCeleb."""
    if any(len(row) != FIELDS for row in rows):
        return None
    for place in (FIELDS - 1, 0):
        kinds = {row[place] for row in rows}
        if len(kinds) == KINDS:
            return place
    return None


def _pair(row: list[str], label: int) -> tuple[str, str]:
    rest = [part for place, part in enumerate(row) if place != label]
    return rest[0], rest[1]


def _lines(path: Path) -> list[str]:
    with open_bytes(path) as file:
        text = file.read().decode("utf-8-sig", "replace")
    return [line for line in text.splitlines() if line.strip()]
