"""Suites and problems as files: what is written is read, and faults are listed at once."""

import re

import pytest

from steelyard.errors import FileUnreadable, RefusedData, RequestError, UnusableRows
from steelyard.suites import Suite, check_suite, new_suite, seal_suite, write_suite


@pytest.fixture
def suite(tmp_path):
    return seal_suite(new_suite(tmp_path / "mine"))


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_a_new_suite_is_sound_and_its_groups_do_not_leak(suite):
    assert check_suite(suite) == ("no licence is stated; nobody else may be free to use the suite",)
    problem = suite.problem("example")
    assert not set(problem.train().groups) & set(problem.answers().groups)
    assert problem.weights == {"calm": 0.5, "rough": 0.5}


def test_a_new_suite_overwrites_nothing(suite):
    with pytest.raises(RequestError, match="nothing was overwritten"):
        new_suite(suite.folder)


def test_a_name_that_no_suite_can_have_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(RequestError, match="cannot be the name of a folder"):
        new_suite(tmp_path / "my suite")
    assert not (tmp_path / "my suite").exists()


def test_a_suite_is_read_as_it_was_written(suite):
    write_suite(suite)
    assert Suite.read(suite.folder) == suite


def test_changed_content_is_noticed_and_asks_for_a_new_version(suite):
    answers = suite.folder / "problems/example/answers.csv"
    edit(answers, ",calm,", ",rough,")
    with pytest.raises(RefusedData, match="changed since version 1"):
        check_suite(suite)
    with pytest.raises(RefusedData, match="seal a new version"):
        seal_suite(suite)
    assert check_suite(seal_suite(suite, version="2"))
    assert Suite.read(suite.folder).version == "2"


def test_all_faults_are_listed_in_one_error(suite):
    folder = suite.folder / "problems/example"
    edit(folder / "train.csv", ",calm,", ",storm,")
    lines = (folder / "answers.csv").read_text().splitlines()
    (folder / "answers.csv").write_text("\n".join([*lines[:-1], lines[1]]) + "\n")
    with pytest.raises(UnusableRows) as refused:
        check_suite(suite)
    codes = {fault.code for fault in refused.value.faults}
    assert codes == {"suite-train", "duplicate-id"}
    assert len(refused.value.faults) == 2


def test_a_group_on_both_sides_is_a_doubt_that_names_it(suite):
    folder = suite.folder / "problems/example"
    group = (folder / "train.csv").read_text().splitlines()[1].split(",")[2]
    lines = (folder / "answers.csv").read_text().splitlines()
    lines[1] = re.sub(r"[^,]*$", group, lines[1], count=1)
    (folder / "answers.csv").write_text("\n".join(lines) + "\n")
    doubts = check_suite(seal_suite(suite, version="2"))
    assert doubts[0].startswith("example: 1 group has training and test items (c0)")


def test_test_items_must_not_show_their_class(suite):
    path = suite.folder / "problems/example/test.csv"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([f"class,{lines[0]}", *(f"calm,{line}" for line in lines[1:])]))
    with pytest.raises(RefusedData, match="an algorithm sees"):
        suite.problem("example").test()


@pytest.mark.parametrize(
    ("old", "new", "because"),
    [
        ("prior = 0.5", "prior = 0.9", "add up to 1.4"),
        ("prior = 0.5", "prior = -0.5", "0 or more"),
        ('name = "calm"', 'name = "rough"', "a name of its own"),
        ('unit = "row"', 'unit = "film"', "is not known"),
        ("seed", "seed seed", "is not TOML"),
    ],
)
def test_a_broken_problem_file_is_refused_in_words(suite, old, new, because):
    edit(suite.folder / "problems/example/problem.toml", old, new)
    with pytest.raises(FileUnreadable, match=because):
        suite.problem("example")


@pytest.mark.parametrize("name", ["../escape", "a b", ".hidden", ""])
def test_a_name_that_could_leave_its_folder_is_refused(suite, name):
    edit(suite.folder / "suite.toml", 'id = "example"', f'id = "{name}"')
    with pytest.raises((RequestError, FileUnreadable)):
        Suite.read(suite.folder)


def test_a_folder_without_a_suite_says_how_to_make_one(tmp_path):
    with pytest.raises(FileUnreadable, match="steelyard suite new"):
        Suite.read(tmp_path)
