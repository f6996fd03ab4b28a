"""Grey images in portable grey maps (PGM), the format of MeasTex: read and written."""

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from steelyard.display.saving import write_whole
from steelyard.errors import FileUnreadable

__all__ = ["Image", "read_image", "write_image"]

Image = NDArray[np.float64]

HEADER = re.compile(rb"^(P[25])((?:\s+|#[^\n]*\n)+(\d+)){3}\s", re.DOTALL)
NUMBER = re.compile(rb"#[^\n]*\n|(\d+)")
LARGEST = 65535


def read_image(path: Path) -> Image:
    """Read a PGM file, plain (P2) or raw (P5), as numbers from 0 to its white.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as made:
    ...     write_image(Path(made) / "a.pgm", np.array([[0.0, 255.0]]))
    ...     read_image(Path(made) / "a.pgm").tolist()
    [[0.0, 255.0]]
    """
    content = path.read_bytes()
    header = HEADER.match(content)
    if header is None:
        raise _unreadable(path, "does not start as a PGM file (P2 or P5, width, height, white).")
    words = [int(found) for found in NUMBER.findall(content[2 : header.end()]) if found]
    width, height, white = words[:3]
    if not 0 < white <= LARGEST or width * height == 0:
        raise _unreadable(path, f"has the size {width} by {height} and the white {white}.")
    pixels = _pixels(content[header.end() :], plain=content[:2] == b"P2", wide=white > 255)
    if pixels.size < width * height or pixels[: width * height].max() > white:
        found = f"has {pixels.size:,} pixels of {width * height:,}, or some beyond white."
        raise _unreadable(path, found)
    return pixels[: width * height].reshape(height, width).astype(np.float64)


def _pixels(body: bytes, *, plain: bool, wide: bool) -> NDArray[np.integer]:
    if plain:
        return np.array(body.split(), dtype=np.int64)
    kind = np.dtype(">u2" if wide else "u1")
    return np.frombuffer(body[: len(body) // kind.itemsize * kind.itemsize], kind)


def write_image(path: Path, image: Image) -> None:
    """Write a raw PGM of 256 greys; numbers are rounded and cut to 0 to 255."""
    grey = np.clip(np.rint(image), 0, 255).astype(np.uint8)
    height, width = grey.shape
    write_whole(path, b"P5\n%d %d\n255\n" % (width, height) + grey.tobytes())


def _unreadable(path: Path, found: str) -> FileUnreadable:
    return FileUnreadable.for_file(path.name, found, fix="Save it as a grey PGM.")
