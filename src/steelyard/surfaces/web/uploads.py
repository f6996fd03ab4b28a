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
        """Give what Python is handed: a path, or a mapping of systems to paths."""
        return dict(self.data) if isinstance(self.data, Mapping) else self.typed[0]

    def in_words(self, text: str) -> str:
        """Put the owner's name for an upload back into a message about its file."""
        if not self.uploaded:
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
        if not found.uploaded:
            message = f"{found.name} was named when the page was started, and is not deleted here."
            raise RequestError(message, code="not-uploaded")
        self._empty(key)

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
    """Give a result the name that its owner has for an upload."""
    if not offered.uploaded or not isinstance(result, Result):
        return result
    record: Provenance = result.provenance  # type: ignore[attr-defined]
    inputs = tuple(replace(one, name=offered.name) for one in record.inputs)
    return replace(result, provenance=replace(record, inputs=inputs))  # type: ignore[call-arg]
