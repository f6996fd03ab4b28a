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


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        write_whole(tmp_path / "none" / "a.txt", b"x")
