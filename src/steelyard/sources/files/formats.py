"""What a file is, told by its first bytes; the formats that are never opened."""

import codecs
import gzip
import io
import re
from pathlib import Path
from shlex import quote
from typing import Literal

from steelyard.errors import FileUnreadable

__all__ = [
    "SAMPLE_BYTES", "SAVE_AS", "Format", "is_arff", "is_file", "open_bytes", "read_head",
    "tell_format",
]  # fmt: skip

Format = Literal["parquet", "arrow", "json lines", "json array", "workbook", "arff", "delimited"]

SAMPLE_BYTES = 1 << 18
"""How much of a file is looked at to tell its format and dialect."""

RUNS_CODE = "can run code or holds no table of predictions, so it is never loaded."
PACKED = "is an archive, and archives are not opened."
WRITE_AGAIN = "Write the predictions to CSV, Parquet, JSON lines or Arrow and pass that."
UNPACK = "Unpack it and pass the file inside."
SAVE_AS = "Save the sheet as CSV (in Excel: File, Save As, CSV UTF-8) and pass that."
UNPACKERS = {
    ".tar.gz": "tar xf",
    ".tgz": "tar xf",
    ".tar.bz2": "tar xf",
    ".tar.xz": "tar xf",
    ".tar": "tar xf",
    ".zip": "unzip",
    ".zst": "zstd -d",
    ".bz2": "bunzip2 -k",
    ".xz": "unxz -k",
    ".7z": "7z x",
    ".rar": "unrar x",
}
ODS = b"mimetypeapplication/vnd.oasis"

MARKUP = re.compile(rb"\s*<(?:[!?]|[A-Za-z][\w:.-]*(?:\s[^<>]*)?>(?![,;\t|]))")
"""How a page of HTML or XML begins; a header of CSV does not."""

UNSAFE_NAMES = frozenset(
    ".pkl .pickle .joblib .npy .npz .pt .pth .onnx .h5 .hdf5 .rds .rda .rdata .sav .mat".split()
)
ARCHIVE_NAMES = frozenset(".zip .tar .tgz .7z .xz .bz2 .zst .rar".split())
SIGNATURES: tuple[tuple[bytes, str, str, str], ...] = (
    (b"\x93NUMPY", "unsafe-format", f"a numpy file {RUNS_CODE}", WRITE_AGAIN),
    *(
        (bytes((0x80, protocol)), "unsafe-format", f"a Python pickle {RUNS_CODE}", WRITE_AGAIN)
        for protocol in range(2, 6)
    ),
    (b"\x89HDF", "unsafe-format", f"an HDF5 file {RUNS_CODE}", WRITE_AGAIN),
    (b"PK\x03\x04", "archive", f"a zip file {PACKED}", UNPACK),
    (b"BZh", "archive", f"a bzip2 file {PACKED}", UNPACK),
    (b"\xfd7zXZ", "archive", f"an xz file {PACKED}", UNPACK),
    (b"\x28\xb5\x2f\xfd", "archive", f"a zstd file {PACKED}", UNPACK),
    (b"7z\xbc\xaf", "archive", f"a 7z file {PACKED}", UNPACK),
    (b"\xd0\xcf\x11\xe0", "no-table", "an old office document (.xls, .doc) is not read.", SAVE_AS),
    (b"SQLite format 3\x00", "no-table", "a database is not read as a file.", WRITE_AGAIN),
    (b"%PDF", "no-table", "a PDF is not a table.", WRITE_AGAIN),
    (b"\x89PNG", "no-table", "a picture is not a table.", WRITE_AGAIN),
    (b"PARE", "no-table", "an encrypted Parquet file cannot be read.", WRITE_AGAIN),
)


def open_bytes(path: Path) -> io.BufferedIOBase:
    """Open a file for reading, unpacking gzip."""
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return gzip.open(path, "rb") if packed else path.open("rb")


def is_file(path: str | Path) -> bool:
    """Tell whether there is such a file; a text that can name none names none."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def read_head(path: Path) -> tuple[bytes, bool, bool]:
    """Give the first bytes, whether they were packed, and whether they are the whole file."""
    try:
        with open_bytes(path) as file:
            head = file.read(SAMPLE_BYTES)
            return head, isinstance(file, gzip.GzipFile), not file.read(1)
    except (gzip.BadGzipFile, EOFError) as error:
        fix = "Pack it again, or unpack it first."
        found = f"damaged gzip ({error})."
        raise FileUnreadable.for_file(path.name, found, fix=fix, code="damaged") from error
    except OSError as error:
        raise FileUnreadable.for_access(path.name, error) from error


def tell_format(path: Path, head: bytes, *, workbook: bool = False) -> Format:
    """Tell the format by content first, by name where the content leaves it open."""
    if workbook:
        return "workbook"
    _refuse_unsafe(path, head)
    suffix = path.with_suffix("").suffix if path.suffix.lower() == ".gz" else path.suffix
    suffix = suffix.lower()
    if head.startswith(b"PAR1") or suffix in {".parquet", ".pq"}:
        return "parquet"
    if head.startswith((b"ARROW1", b"FEA1", b"\xff\xff\xff\xff")) or suffix in {
        ".arrow",
        ".feather",
    }:
        return "arrow"
    start = head.removeprefix(codecs.BOM_UTF8).lstrip()[:1]
    if start == b"[":
        return "json array"
    if start == b"{" or suffix in {".jsonl", ".ndjson", ".json"}:
        return "json lines"
    return "arff" if is_arff(head) else "delimited"


def is_arff(head: bytes) -> bool:
    r"""Tell ARFF by its first words.

    >>> is_arff(b"% runs\n@RELATION x\n@ATTRIBUTE y NUMERIC"), is_arff(b"id,truth")
    (True, False)
    """
    text = head[:4096].lower()
    return b"@relation" in text and b"@attribute" in text


def _unpack(path: Path) -> str:
    """Say how an archive is unpacked, by its name."""
    name = path.name.lower()
    command = next((how for end, how in UNPACKERS.items() if name.endswith(end)), None)
    if command is None:
        return UNPACK
    return f"{UNPACK} Type: {command} {quote(path.name)}"


def _refuse_unsafe(path: Path, head: bytes) -> None:
    suffix = path.suffix.lower()
    if suffix in UNSAFE_NAMES:
        found = f"a {suffix} file {RUNS_CODE}"
        raise FileUnreadable.for_file(path.name, found, fix=WRITE_AGAIN, code="unsafe-format")
    if suffix in ARCHIVE_NAMES:
        found = f"a {suffix} file {PACKED}"
        raise FileUnreadable.for_file(path.name, found, fix=_unpack(path), code="archive")
    if ODS in head[:100]:
        found = "a sheet of LibreOffice (.ods) is not read."
        raise FileUnreadable.for_file(path.name, found, fix=SAVE_AS, code="no-table")
    for mark, code, found, fix in SIGNATURES:
        if head.startswith(mark):
            how = _unpack(path) if code == "archive" else fix
            raise FileUnreadable.for_file(path.name, found, fix=how, code=code)
    if head[257:262] == b"ustar":
        found = f"a tar file {PACKED}"
        raise FileUnreadable.for_file(path.name, found, fix=_unpack(path), code="archive")
    if MARKUP.match(head.removeprefix(codecs.BOM_UTF8)):
        found = "a page of HTML or XML is not a table."
        raise FileUnreadable.for_file(path.name, found, fix=WRITE_AGAIN, code="no-table")
