"""Files that are there whole or not at all."""

import errno
import os
import secrets
from pathlib import Path

__all__ = ["names_device", "write_whole"]

WINDOWS = os.name == "nt"
DEVICES = {"aux", "con", "conin$", "conout$", "nul", "prn"} | {
    f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³"
}


def names_device(name: str) -> bool:
    """Tell whether a name is that of a device on Windows, whatever its ending.

    >>> names_device("NUL.csv"), names_device("com1"), names_device("console.csv")
    (True, True, False)
    """
    return name.partition(".")[0].rstrip(" ").casefold() in DEVICES


def write_whole(target: Path, content: bytes, *, mode: int | None = None) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part of either.

    A device or a pipe, such as ``/dev/stdout``, is written to; nothing may take its place.
    ``mode`` is what the file may be used for by whom, from its first byte on; that of the umask
    unless given.
    """
    if WINDOWS and names_device(target.name):
        message = f"{target.name} is the name of a device. Name the file otherwise"
        raise OSError(errno.EINVAL, message, str(target))
    if target.exists() and not target.is_file() and not target.is_dir():
        target.write_bytes(content)
        return
    try:
        _write_aside(target, content, mode)
    except OSError as error:
        error.filename = str(target)
        if WINDOWS and isinstance(error, PermissionError) and target.is_file():
            error.strerror = f"{error.strerror}; it may be open in another program"
        raise


def _write_aside(target: Path, content: bytes, mode: int | None) -> None:
    part = target.parent / f".{target.name[:40]}.{secrets.token_hex(8)}.part"

    # The mask is the kernel's to apply: whoever asks for it changes it for all threads meanwhile.
    def create(path: str, flags: int) -> int:
        return os.open(path, flags, 0o666 if mode is None else mode)

    try:
        with open(part, "xb", opener=create) as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if mode is not None:
            part.chmod(mode)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
