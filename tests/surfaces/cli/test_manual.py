"""The manual page holds the help of every command, and nothing in it is read as a request."""

import re
import shutil
import subprocess

import pytest

from steelyard.surfaces.cli.entry import COMMANDS, GROUPS
from tests.typed import type_words


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return type_words(["--man"], folder=tmp_path_factory.mktemp("man")).out


def test_every_command_has_its_section_with_its_help(page, tmp_path):
    for name in COMMANDS:
        assert f".SH steelyard {name}\n" in page
    assert ".SS steelyard campaign new\n" in page
    helped = type_words(["compare", "--help"], folder=tmp_path).out
    said = page.replace("\\-", "-").replace("\\&", "").replace("\\e", "\\")
    for line in (
        "Which system is better, and how sure is that?",
        "--margin FLOAT",
        "Exit codes: 0",
    ):
        assert line in said
    examples = [line for line in helped.splitlines() if line.startswith("  steelyard compare")]
    assert examples
    assert all(line in said for line in examples)


def test_only_our_own_requests_begin_a_line(page):
    requests = {line.split()[0] for line in page.splitlines() if line.startswith((".", "'"))}
    assert requests == {".TH", ".SH", ".SS", ".nf", ".fi", ".B"}
    assert not re.search(r"\\[^-e&]", page)


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff: apt-get install groff")
def test_groff_finds_no_fault(page):
    drawn = subprocess.run(
        ["groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-z"],
        input=page, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert drawn.stderr == ""


def test_the_help_lists_every_command_under_one_heading():
    listed = [name for names in GROUPS.values() for name in names]
    assert sorted(listed) == sorted(COMMANDS)
