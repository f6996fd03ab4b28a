"""Files that are there whole or not at all."""

import os
import tempfile
from pathlib import Path

__all__ = ["write_whole"]


def write_whole(target: Path, content: bytes, *, mode: int | None = None) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part of either.

    A device or a pipe, such as ``/dev/stdout``, is written to; nothing may take its place.
    ``mode`` is what the file may be used for by whom, from its first byte on; that of the umask
    unless given.
    """
    if target.exists() and not target.is_file() and not target.is_dir():
        target.write_bytes(content)
        return
    try:
        _write_aside(target, content, mode)
    except OSError as error:
        error.filename = str(target)
        raise


def _write_aside(target: Path, content: bytes, mode: int | None) -> None:
    start = f".{target.name[:40]}."
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=start, suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.chmod(0o666 & ~_umask() if mode is None else mode)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
