"""Portable grey maps: every form is read, broken ones are refused."""

import numpy as np
import pytest

from steelyard.errors import FileUnreadable
from steelyard.suites import read_image, write_image


def test_an_image_is_read_as_it_was_written(tmp_path):
    image = np.random.default_rng(1).integers(0, 256, (5, 7)).astype(float)
    write_image(tmp_path / "a.pgm", image)
    assert (read_image(tmp_path / "a.pgm") == image).all()


@pytest.mark.parametrize(
    "content",
    [
        b"P2\n# a comment\n2 1\n255\n7 9\n",
        b"P5 2 1 255\n\x07\x09",
        b"P5\n2 1\n65535\n\x00\x07\x00\x09",
        b"P5\n#one\n2\n#two\n1 255\n\x07\x09",
    ],
)
def test_plain_raw_wide_and_commented_files_are_read(tmp_path, content):
    (tmp_path / "a.pgm").write_bytes(content)
    assert read_image(tmp_path / "a.pgm").tolist() == [[7, 9]]


@pytest.mark.parametrize(
    "content", [b"", b"P6\n1 1\n255\n\x00", b"P5\n2 2\n255\n\x00", b"P5\n0 2\n255\n"]
)
def test_anything_else_is_refused(tmp_path, content):
    (tmp_path / "a.pgm").write_bytes(content)
    with pytest.raises(FileUnreadable, match=r"a\.pgm"):
        read_image(tmp_path / "a.pgm")
