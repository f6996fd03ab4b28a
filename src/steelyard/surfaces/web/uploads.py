"""Files that the page may read: those named at the start, and those dropped into it."""

import hashlib
import json
import os
import re
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from steelyard.display.saving import write_whole
from steelyard.display.text import clean_text
from steelyard.engines.identity import FileIdentity
from steelyard.errors import RefusedData, RequestError, SteelyardError
from steelyard.results import Provenance, Result
from steelyard.sources.files.files import expand_paths
from steelyard.surfaces.web.door.tokens import private_folder
from steelyard.surfaces.web.examples import EXAMPLES, Example

__all__ = ["OfferedFile", "Uploads", "rename", "state_folder"]


ENDING = re.compile(r"\.[a-z0-9]{1,8}$")
"""The ending of an upload is kept where it is harmless, since formats are told by it too."""
NAME = re.compile(r"[0-9a-f]{64}")
HARMLESS = re.compile(r"[^\w .,@+()-]")
"""What no name of a file on this machine holds: marks of patterns, folders and shells."""
LONGEST = 200
LONGEST_KEPT = 60
BESIDE = "~"
"""Stands between the keys of several files of the same items."""
TRUTH = "!"
"""Stands before the key of the file that says what is true."""
MOST_TOGETHER = 100


def state_folder(given: str | None, environment: Mapping[str, str]) -> Path:
    """Find the folder that outlives a restart: the one named, or the one of the user."""
    if given:
        return Path(given).expanduser()
    base = environment.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(base).expanduser() / "steelyard"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedFile:
    """One thing to read; ``name`` is what its owner calls it, ``typed`` what to type for it."""

    key: str
    name: str
    data: Any
    paths: tuple[Path, ...]
    typed: tuple[str, ...]
    uploaded: bool = False
    example: bool = False
    parts: tuple["OfferedFile", ...] = ()
    """The files that are read together, the one of the truth last."""
    truth: Path | None = None

    def stamp(self) -> tuple[tuple[str, FileIdentity | None], ...]:
        """Tell one content from another without reading it."""
        return tuple((str(path), FileIdentity.of(path)) for path in self._files())

    def bytes(self) -> int:
        """Give the size of all files together."""
        return sum(path.stat().st_size for path in self._files() if path.exists())

    def _files(self) -> list[Path]:
        """List the files that patterns and folders mean by now."""
        found: list[Path] = []
        for path in self.paths:
            with suppress(SteelyardError):  # what is gone is refused when it is read
                found += expand_paths(path)
        return found

    def python(self) -> Any:  # noqa: ANN401
        """Give what Python is handed: a path, several, or a mapping of systems to paths."""
        if isinstance(self.data, Mapping):
            return dict(self.data)
        return self.typed[0] if len(self.typed) == 1 else list(self.typed)

    def say(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Give what was asked as its owner types it: a file of the truth by its name."""
        if self.truth is None:
            return dict(arguments)
        said = self.in_words(str(arguments["truth"]))
        return {**arguments, "truth": said.replace(str(self.truth), self.parts[-1].typed[0])}

    def in_words(self, text: str) -> str:
        """Put the owner's name for an upload back into a text about its file."""
        for part in self.parts:
            text = part.in_words(text)
        if not self.uploaded or self.parts:
            return text
        path = self.paths[0]
        for kept in (str(path), path.name):
            text = text.replace(kept, clean_text(self.name))
        return text


class Uploads:
    """What may be read: nothing that is not listed here, whatever a request asks for."""

    def __init__(self, folder: Path) -> None:
        self.folder = private_folder(folder / "uploads")
        self._named: dict[str, OfferedFile] = {}
        self._examples = {one.key: one for one in map(_offer, EXAMPLES)}

    def register(self, data: Any, typed: tuple[str, ...]) -> OfferedFile:  # noqa: ANN401
        """List what was named at the start; it is read where it lies."""
        parts = data.values() if isinstance(data, Mapping) else [data]
        paths = [Path(one) for part in parts for one in ([part] if isinstance(part, str) else part)]
        names = ", ".join(path.name for path in paths)
        resolved = [str(path.resolve()) for path in paths]
        key = hashlib.sha256("\0".join([*typed, *resolved]).encode()).hexdigest()
        there = tuple(path.absolute() for path in paths)  # a link may lead elsewhere later
        made = OfferedFile(key=key, name=names, data=data, paths=there, typed=typed)
        self._named[key] = made
        return made

    def list_files(self) -> list[OfferedFile]:
        """List what was named first, then uploads, the latest first, then the examples."""
        notes = sorted(
            self.folder.glob("*.note"), key=lambda path: path.stat().st_mtime_ns, reverse=True
        )
        uploads = [self._upload(note.stem) for note in notes if NAME.fullmatch(note.stem)]
        found = [one for one in uploads if one is not None]
        return [*self._named.values(), *found, *self._examples.values()]

    def find(self, key: str) -> OfferedFile:
        """Find what is read together: keys of files, and the key of the one with the truth."""
        rows, mark, truth = key.partition(TRUTH)
        keys = [*dict.fromkeys(rows.split(BESIDE))]
        if len(keys) > MOST_TOGETHER:
            message = f"At most {MOST_TOGETHER} files are read together; these are {len(keys)}."
            raise RequestError(message)
        found = [self._find(one) for one in keys]
        if len(found) == 1 and not mark:
            return found[0]
        return _read_together(key, found, self._find(truth) if mark else None)

    def _find(self, key: str) -> OfferedFile:
        """Find by key; a key is a digest, so that it can name no path."""
        if key in self._named or key in self._examples:
            return self._named.get(key) or self._examples[key]
        found = self._upload(key) if NAME.fullmatch(key) else None
        if found is None:
            message = (
                "The file of this link is not here. Drop it into the page again (its name does not "
                "matter, its content does), or start with: steelyard serve FILE"
            )
            raise RequestError(message, code="no-such-upload")
        return found

    async def keep(self, name: str, parts: AsyncIterator[bytes]) -> OfferedFile:
        """Keep an upload under the digest of its content, whole or not at all."""
        try:
            return await self._keep(name, parts)
        except OSError as error:
            message = (
                f"The page cannot keep this file ({error.strerror or error}). Nothing of it was "
                f"kept. Make room in {self.folder}, or start the page with: steelyard serve FILE"
            )
            raise RefusedData(message, code="no-room") from error

    async def _keep(self, name: str, parts: AsyncIterator[bytes]) -> OfferedFile:
        digest = hashlib.sha256()
        handle, made = tempfile.mkstemp(dir=self.folder, prefix=".", suffix=".part")
        part = Path(made)
        try:
            with os.fdopen(handle, "wb") as stream:
                async for piece in parts:
                    digest.update(piece)
                    stream.write(piece)
            key = digest.hexdigest()
            self._empty(key)
            (self.folder / key).mkdir(mode=0o700, exist_ok=True)
            file = f"{key}/{_safe_name(name)}"
            part.replace(self.folder / file)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        note = {"name": _show_name(name), "file": file}
        write_whole(self.folder / f"{key}.note", json.dumps(note).encode())
        return self.find(key)

    def forget(self, key: str) -> None:
        """Delete an upload; what was named at the start stays where it is."""
        found = self.find(key)
        parts = found.parts or (found,)
        kept = [one for one in parts if not one.uploaded]
        if kept:
            message = (
                f"{kept[0].name} was named when the page was started, and is not deleted here."
            )
            raise RequestError(message, code="not-uploaded")
        for one in parts:
            self._empty(one.key)

    def _empty(self, key: str) -> None:
        """Take away what is kept under a key, the folder and the note."""
        folder = self.folder / key
        for path in (*folder.glob("*"), *self.folder.glob(f"{key}.*")):
            path.unlink(missing_ok=True)
        if folder.is_dir():
            folder.rmdir()

    def _upload(self, key: str) -> OfferedFile | None:
        try:
            note = json.loads((self.folder / f"{key}.note").read_text(encoding="utf-8"))
            name, file = str(note["name"]), str(note["file"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError, SteelyardError):
            return None
        path = self.folder / file
        ours = path.parent == self.folder / key and not path.parent.is_symlink()
        if not ours or path.is_symlink() or not path.is_file():
            return None
        return OfferedFile(
            key=key, name=name, data=str(path), paths=(path,), typed=(name,), uploaded=True
        )


def _read_together(key: str, rows: list[OfferedFile], truth: OfferedFile | None) -> OfferedFile:
    """Offer several files as one thing to read: a system each, or shards, as their items say."""
    several = len(rows) > 1
    if several and any(not isinstance(one.data, str) for one in rows):
        message = "Files that were named together at the start are not joined with others here."
        raise RequestError(message)
    parts = (*rows, *([] if truth is None else [truth]))
    return OfferedFile(
        key=key,
        name=", ".join(one.name for one in rows),
        data=[one.data for one in rows] if several else rows[0].data,
        paths=tuple(path for one in parts for path in one.paths),
        typed=tuple(name for one in rows for name in one.typed),
        uploaded=any(one.uploaded for one in parts),
        parts=parts,
        truth=None if truth is None else truth.paths[0],
    )


def _offer(example: Example) -> OfferedFile:
    path = example.path
    return OfferedFile(
        key=hashlib.sha256(example.file.encode()).hexdigest(),
        name=example.file,
        data=str(path),
        paths=(path,),
        typed=(example.file,),
        example=True,
    )


def _safe_name(name: str) -> str:
    """Give the name to keep an upload under: systems go by it, as where it came from.

    >>> _safe_name("../run one*.table.json"), _safe_name(".."), _safe_name("a.reallylongending")
    ('run one_.table.json', 'unnamed.csv', 'a.reallylongending.csv')
    """
    shown = HARMLESS.sub("_", _show_name(name)).lstrip(". ") or "unnamed"
    ending = ENDING.search(shown.lower())
    stem = shown[: ending.start()] if ending else shown
    written = shown[ending.start() :] if ending else ".csv"
    return f"{stem[:LONGEST_KEPT] or 'unnamed'}{written}"


def _show_name(name: str) -> str:
    """Take the last part of a name, cut to a length that fits a page."""
    last = re.split(r"[/\\]", name)[-1]
    return clean_text(last).strip()[:LONGEST] or "unnamed"


def rename(result: Any, offered: OfferedFile) -> Any:  # noqa: ANN401
    """Give a result the names that their owner has for uploads."""
    if not offered.uploaded or not isinstance(result, Result):
        return result
    record: Provenance = result.provenance  # type: ignore[attr-defined]
    names = {one.key: one.name for one in offered.parts if one.uploaded}
    own = "" if offered.parts else offered.name
    inputs = tuple(
        replace(one, name=names.get(one.sha256, own or one.name)) for one in record.inputs
    )
    settings = tuple((name, offered.in_words(value)) for name, value in record.settings)
    said = replace(record, inputs=inputs, settings=settings)
    return replace(result, provenance=said)  # type: ignore[call-arg]
