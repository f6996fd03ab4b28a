"""MeasTex files: a suite written by hand in the original format comes back as it was."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import FileUnreadable, NotComparable, RequestError
from steelyard.suites import (
    MeasTexProblem,
    ProblemClass,
    Suite,
    export_meastex,
    import_meastex,
    new_suite,
    read_test_file,
    read_valid_file,
    write_image,
    write_test_file,
    write_valid_file,
)

# The example of the MeasTex documentation, letter by letter.
TEST = """\
2
A 2 0.4 0.5
B 2 0.6 0.5
Z 4
A rock1.pgm
A rock2.pgm
B hardPlace1.pgm
B hardPlace2.pgm
Z hardPlace3.pgm
Z rock3.pgm
Z rock4.pgm
Z hardPlace4.pgm
"""
VALID = "hardPlace3.pgm B\nrock3.pgm A\nrock4.pgm A\nhardPlace4.pgm B\n"


@pytest.fixture
def original(tmp_path):
    folder = tmp_path / "Rocks"
    folder.mkdir()
    (folder / "easy.Test").write_text(TEST)
    (folder / "easy.Valid").write_text(VALID)
    rng = np.random.default_rng(1)
    for line in TEST.splitlines()[4:]:
        write_image(folder / line.split()[1], rng.uniform(0, 255, (8, 6)))
    return folder


def test_a_suite_written_by_hand_comes_back_byte_by_byte(original, tmp_path):
    suite = import_meastex(original, tmp_path / "suite", licence="CC0")
    assert suite == Suite.read(tmp_path / "suite")
    assert export_meastex(suite, tmp_path / "again") == ()
    for path in original.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()
    assert "was not published" in (tmp_path / "again" / "README").read_text()


def test_an_import_keeps_priors_weights_and_answers(original, tmp_path):
    problem = import_meastex(original, tmp_path / "suite").problem("easy")
    assert problem.priors == {"A": 0.4, "B": 0.6}
    assert problem.weights == {"A": 0.5, "B": 0.5}
    assert problem.train().classes == ("A", "A", "B", "B")
    assert problem.answers().classes == ("B", "A", "A", "B")


@given(
    sizes=st.lists(st.integers(1, 3), min_size=2, max_size=25),
    unknown=st.integers(0, 4),
    seed=st.integers(0, 9),
)
def test_any_test_file_is_read_as_it_was_written(tmp_path_factory, sizes, unknown, seed):
    rng = np.random.default_rng(seed)
    labels = [chr(65 + k) for k in range(len(sizes))]
    priors = rng.dirichlet(np.ones(len(sizes))).tolist()
    problem = MeasTexProblem(
        classes=tuple(
            ProblemClass(name=a, prior=p, weight=w)
            for a, p, w in zip(labels, priors, reversed(priors), strict=True)
        ),
        samples=tuple(
            (a, f"{a}{k}.pgm") for a, n in zip(labels, sizes, strict=True) for k in range(n)
        ),
        unknown=tuple(f"z{k}.pgm" for k in range(unknown)),
    )
    path = tmp_path_factory.mktemp("made") / "p.Test"
    write_test_file(path, problem)
    assert read_test_file(path) == problem


@pytest.mark.parametrize(
    ("lines", "because"),
    [
        (TEST.replace("Z 4", "Z 5"), "announces"),
        (TEST.replace("B 2", "C 2"), "labels"),
        ("", "not a .Test"),
        ("two\n", "not a .Test"),
        (TEST.replace("A 2 0.4 0.5", "A 2 0.4"), "not a .Test"),
    ],
)
def test_a_broken_test_file_is_refused_with_the_expected_form(tmp_path, lines, because):
    path = tmp_path / "p.Test"
    path.write_text(lines)
    with pytest.raises(FileUnreadable, match=because) as refused:
        read_test_file(path)
    assert "A rock1.pgm" in str(refused.value)


@pytest.mark.parametrize("lines", ["a.pgm A\nb.pgm B\n", "B b.pgm\nA a.pgm\n", "A\nB\n"])
def test_valid_files_are_read_in_either_order_or_as_bare_labels(tmp_path, lines):
    path = tmp_path / "p.Valid"
    path.write_text(lines)
    assert read_valid_file(path, ["a.pgm", "b.pgm"]) == ("A", "B")


@pytest.mark.parametrize("lines", ["a.pgm A\n", "a.pgm A\na.pgm B\n", "a.pgm b.pgm\nA B\n"])
def test_a_valid_file_that_leaves_an_image_open_is_refused(tmp_path, lines):
    path = tmp_path / "p.Valid"
    path.write_text(lines)
    with pytest.raises(FileUnreadable, match="not published"):
        read_valid_file(path, ["a.pgm", "b.pgm"])


def test_valid_files_are_read_as_they_are_written(tmp_path):
    write_valid_file(tmp_path / "p.Valid", ["x", "y"], ["B", "A"])
    assert read_valid_file(tmp_path / "p.Valid", ["x", "y"]) == ("B", "A")


def test_a_lost_image_is_named(original, tmp_path):
    (original / "rock3.pgm").unlink()
    with pytest.raises(FileUnreadable, match=r"rock3\.pgm"):
        import_meastex(original, tmp_path / "suite")


def test_an_image_outside_the_folder_is_not_brought_in(original, tmp_path):
    (tmp_path / "secret").write_text("not an image")
    path = original / "easy.Test"
    path.write_text(path.read_text().replace("A rock1.pgm", "A ../secret"))
    with pytest.raises(FileUnreadable, match="outside its folder"):
        import_meastex(original, tmp_path / "suite")


def test_a_name_that_no_suite_can_have_is_refused_before_anything_is_written(original, tmp_path):
    (original / "easy.Test").rename(original / "so easy.Test")
    with pytest.raises(RequestError, match="cannot be the name of a folder"):
        import_meastex(original, tmp_path / "suite")
    assert not (tmp_path / "suite").exists()


def test_rows_of_numbers_cannot_become_meastex_files(tmp_path):
    with pytest.raises(NotComparable, match="no problem of images"):
        export_meastex(new_suite(tmp_path / "rows"), Path(tmp_path / "out"))
