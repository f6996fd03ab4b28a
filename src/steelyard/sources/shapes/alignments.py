"""Alignments that sclite wrote, one for each system, as errors and words of common utterances."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from steelyard.engines.identity import FileIdentity
from steelyard.errors import NotComparable, RequestError, listing
from steelyard.sources.files.files import expand_paths
from steelyard.sources.files.formats import open_bytes
from steelyard.sources.logs.sclite import (
    Alignment,
    check_common,
    read_alignment,
    segments_of,
    tells_alignment,
)
from steelyard.sources.origins import InputFile
from steelyard.sources.roles.declared import Roles

__all__ = ["Alignments", "find_alignments"]

START = 4096
READ_AS = "alignment of sclite"


class Alignments:
    """What several systems made of the same utterances, read once."""

    def __init__(self, systems: Mapping[str, Alignment], files: Sequence[InputFile]) -> None:
        self.systems = dict(systems)
        self.files = tuple(files)
        first, *others = self.systems.values()
        for other in others:
            check_common(first, other)

    def utterances(self) -> dict[str, list[Any]]:
        """Lay out a row for each utterance that has words or errors."""
        first = next(iter(self.systems.values()))
        kept = [
            one.id
            for one in first.utterances.values()
            if any(s.utterances[one.id].steps for s in self.systems.values())
        ]
        columns: dict[str, list[Any]] = {
            "utterance": kept,
            "speaker": [first.utterances[one].speaker for one in kept],
            "words": [first.utterances[one].words for one in kept],
        }
        for name, system in self.systems.items():
            columns[f"{name}.errors"] = [system.utterances[one].errors for one in kept]
        return columns

    def segments(self) -> dict[str, list[Any]]:
        """Lay out a row for each segment of the matched-pair test of two systems."""
        if len(self.systems) != 2:
            message = (
                f"Segments are those of two systems, and these are {listing(list(self.systems))}. "
                "Name two files."
            )
            raise NotComparable(message, code="segments")
        (first, one), (second, two) = self.systems.items()
        parts = segments_of(one, two)
        return {
            "speaker": [part.speaker for part in parts],
            "words": [max(1, part.words) for part in parts],
            f"{first}.errors": [part.first_errors for part in parts],
            f"{second}.errors": [part.second_errors for part in parts],
        }

    def roles(self, roles: Roles, *, segments: bool = False) -> Roles:
        """Say what the columns mean; clusters stay as they were declared."""
        if roles.value or roles.errors_of or roles.per:
            message = (
                "Alignments count their errors and words themselves. Leave value=, errors= and "
                "per= (--value, --errors, --per) out."
            )
            raise RequestError(message)
        names = tuple(f"{name}.errors" for name in self.systems)
        item = None if segments else "utterance"
        return replace(roles, errors_of=names, per=("words",), item=item)


def find_alignments(data: Any) -> Alignments | None:  # noqa: ANN401
    """Read alignments, where all that was given are such files; None of anything else."""
    named: list[tuple[str | None, Any]] = [(None, data)]
    if isinstance(data, Mapping):
        named = [(str(name), part) for name, part in data.items()]
    elif isinstance(data, Sequence) and not isinstance(data, str):
        named = [(None, part) for part in data]
    if not named or not all(_looks_so(part) for _, part in named):
        return None
    paths = [(name, Path(path)) for name, part in named for path in expand_paths(part)]
    if not paths or not all(_is_alignment(path) for _, path in paths):
        return None
    files = [
        InputFile(name=path.name, path=path, read_as=READ_AS, identity=FileIdentity.of(path))
        for _, path in paths
    ]
    read = [(name, path, read_alignment(path)) for name, path in paths]
    names = [name or one.system or path.stem for name, path, one in read]
    if len({*names}) < len(names):
        names = [name or path.stem for name, path, _ in read]
    return Alignments(dict(zip(names, (one for *_, one in read), strict=True)), files)


def _looks_so(part: object) -> bool:
    # A frame is never asked to show itself: a lazy one would start to work.
    if not isinstance(part, str | Path):
        return False
    return str(part).casefold().removesuffix(".gz").endswith((".sgml", ".sgm"))


def _is_alignment(path: Path) -> bool:
    try:
        with open_bytes(path) as file:
            return tells_alignment(file.read(START))
    except OSError:
        return False
