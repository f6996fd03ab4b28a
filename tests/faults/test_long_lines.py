"""Lines, names and streams without end: every row counts, or the file is refused in our words."""

import gzip
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest

import steelyard as sy
from steelyard.display.tables import text_table
from steelyard.display.text import display_width
from steelyard.errors import FileUnreadable
from steelyard.sources.files import files
from steelyard.sources.files.delimited import LONGEST_LINE

HEAD = "item,truth,cnn\n1,a,a\n2,b,b\n"
LAST = {
    "id": "3{long},a,b",
    "call": "3,a,{long}",
    "one cell": "{long}",
}


@pytest.mark.parametrize(
    ("row", "packed", "size"),
    [
        ("id", False, LONGEST_LINE + 1),
        *((row, False, 33 << 20) for row in LAST),
        ("id", True, 33 << 20),
    ],
)
def test_no_row_is_dropped_for_its_length(tmp_path, row, packed, size):
    """The engine lost a last line that is longer than its buffer: all of 2 items were right."""
    text = (HEAD + LAST[row].format(long="z" * size) + "\n").encode()
    path = tmp_path / "rows.csv"
    path.write_bytes(gzip.compress(text, 1) if packed else text)
    with pytest.raises(FileUnreadable, match=r"rows\.csv: line 4 is too long to be read \([\d,]+"):
        sy.evaluate(path)


def test_a_long_line_of_json_is_called_one(tmp_path):
    """The engine's own words were that a line of two megabytes is not JSON."""
    path = tmp_path / "rows.jsonl"
    cells = [f'{{"truth": "{of}", "cnn": "{of}", "text": "{"z" * 4_000_000}"}}' for of in "abaab"]
    path.write_text("\n".join(cells))
    try:
        assert sy.evaluate(path, systems="cnn").systems[0].items == len(cells)
    except FileUnreadable as refused:
        assert refused.code == "long-line"


@pytest.mark.parametrize("letter", ["a", "船"])
def test_whole_documents_as_classes_fit_a_table(letter):
    """They differ in length alone; every width up to the longest was tried for each of them."""
    names = [letter * size for size in (3_000, 6_000, 9_000)]
    shown = text_table(["class", "n"], [[name, 1] for name in names])
    lines = shown.splitlines()[2:]
    assert len(set(lines)) == 3
    assert max(map(display_width, lines)) < 140
    called = sy.evaluate({"truth": names * 2, "cnn": [*names, names[0], *names[:2]]})
    assert len(called.text()) < 20_000


class Endless:
    """Gives the same piece for ever, as /dev/zero and a log that is followed do."""

    def __init__(self, piece: bytes) -> None:
        self.piece, self.given = piece, 0

    def read(self, size: int = -1) -> bytes:
        self.given += size
        assert self.given < 1 << 26, "it is read for ever"
        return (self.piece * (size // len(self.piece) + 1))[:size]


@pytest.mark.parametrize(
    ("piece", "said"), [(b"\0", "nothing but NUL"), (b"1,a,a\n", "which is nearly full")]
)
def test_a_stream_without_end_does_not_fill_the_disk(monkeypatch, piece, said):
    disk = shutil.disk_usage(".")
    room = iter([*[disk.total // 2] * 3, *[disk.total // 1_000] * 60])
    monkeypatch.setattr(files.shutil, "disk_usage", lambda _: disk._replace(free=next(room)))
    monkeypatch.setattr(files, "SPARED_BYTES", disk.total)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=Endless(piece)))
    with pytest.raises(FileUnreadable, match=said) as refused:
        sy.evaluate("-")
    assert refused.value.code == "stream"


def test_streams_that_are_closed_are_no_reason_to_fail(tmp_path):
    """``steelyard gate ... >&-``: a tool that started us may have closed them."""
    (tmp_path / "rows.csv").write_text(HEAD)
    words = "exec {} -m steelyard evaluate {} {}"
    ends = [("rows.csv", ">&- 2>&- <&-"), ("-", "<&- >&-")]
    started = [
        subprocess.Popen(
            ["sh", "-c", words.format(sys.executable, file, closed)],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            text=True,
        )
        for file, closed in ends
    ]
    said = [one.communicate()[1] for one in started]
    assert [one.returncode for one in started] == [0, 1]
    assert "standard input: the file is empty" in said[1]
