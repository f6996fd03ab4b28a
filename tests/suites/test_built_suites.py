"""Suites of real data: built from installed packages, sound, the same every time."""

import sys

import numpy as np
import pytest

from steelyard.errors import ExtraMissing
from steelyard.suites import SUITES, check_suite, read_image
from steelyard.suites.problems.built_suites import GROUND, SHIFT


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    return SUITES["demo"](tmp_path_factory.mktemp("demo") / "demo")


def test_tiles_of_one_block_never_stand_on_both_sides(demo):
    assert check_suite(demo) == ()
    for problem in demo.read_problems():
        assert not set(problem.train().groups) & set(problem.answers().groups)


def test_a_suite_is_built_to_the_same_bytes_every_time(demo, tmp_path):
    again = SUITES["demo"](tmp_path / "again")
    assert [one.sha256 for one in again.problems] == [one.sha256 for one in demo.problems]


def test_normalised_tiles_have_one_mean_and_spread(demo):
    problem = demo.problem("three32n")
    for name in problem.train().files[:6]:
        tile = read_image(problem.folder / name)
        assert tile.mean() == pytest.approx(128, abs=1)
        assert tile.std() == pytest.approx(20, abs=1.5)


def test_tiles_are_cut_from_the_photographs(tmp_path):
    from skimage import data

    suite = SUITES["shift"](tmp_path / "shift")
    problem = suite.problem("weighted32")
    assert problem.weights == {"brick": 0.1, "grass": 0.1, "gravel": 0.8}
    train = problem.train()
    photograph = getattr(data, train.classes[0])().astype(float)
    row, column = (int(x) * 64 for x in train.groups[0].split("-r")[1].split("c"))
    tile = read_image(problem.folder / train.files[0])
    found = [
        (photograph[row + i : row + i + 32, column + j : column + j + 32] == tile).all()
        for i in (0, 32)
        for j in (0, 32)
    ]
    assert any(found)
    assert column < 256


def test_ground_and_shift_have_the_problems_they_announce():
    assert len({one.id for one in (*GROUND, *SHIFT)}) == 12
    assert {one.change for one in SHIFT} == {"turned", "noisy", "dark", "none"}


def test_recognition_halves_every_class(tmp_path):
    suite = SUITES["recognition"](tmp_path / "recognition")
    digits = suite.problem("digits")
    assert (len(digits.train()), len(digits.test())) == (896, 901)
    counts = np.unique(digits.answers().classes, return_counts=True)[1]
    assert counts.min() >= 87
    assert any("digits" in one for one in suite.caveats)


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [("ground", "skimage", "textures"), ("recognition", "sklearn", "sklearn")],
)
def test_a_missing_package_is_named_with_the_line_to_type(
    monkeypatch, tmp_path, name, package, extra
):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ExtraMissing, match=rf'pip install "steelyard\[{extra}\]"'):
        SUITES[name](tmp_path / name)
