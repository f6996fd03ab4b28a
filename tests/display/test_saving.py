"""Files whole or not at all."""

import os

import pytest

from steelyard.display.saving import write_whole


def test_a_file_is_replaced_and_has_the_usual_rights(tmp_path):
    target = tmp_path / "a.txt"
    write_whole(target, b"old")
    write_whole(target, b"new")
    assert target.read_bytes() == b"new"
    mask = os.umask(0o022)
    os.umask(mask)
    assert target.stat().st_mode & 0o777 == 0o666 & ~mask


def test_the_mask_of_the_process_is_never_touched(tmp_path, monkeypatch):
    def touched(mask):
        raise AssertionError("other threads would write with this mask meanwhile")

    before = os.umask(0o077)
    try:
        with monkeypatch.context() as patched:
            patched.setattr(os, "umask", touched)
            write_whole(tmp_path / "a.txt", b"x")
            write_whole(tmp_path / "b.txt", b"x", mode=0o644)
    finally:
        os.umask(before)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("a.txt", "b.txt")]
    assert modes == [0o600, 0o644]


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        write_whole(tmp_path / "none" / "a.txt", b"x")


def test_a_device_is_written_to_and_never_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, b"through")
    assert os.read(reader, 99) == b"through"
    os.close(reader)
    assert pipe.is_fifo()


def test_a_long_name_is_written_as_well_as_a_short_one(tmp_path):
    target = tmp_path / ("x" * 250 + ".html")
    write_whole(target, b"whole")
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_what_cannot_be_written_is_named_and_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as refused:
        write_whole(tmp_path / "a.txt", b"x")
    assert refused.value.filename == str(tmp_path / "a.txt")
    assert list(tmp_path.iterdir()) == []
