"""Every bad input is refused with the same words in Python and on the command line."""

import subprocess
import sys

import pytest
from corpus import BAD, cli_arguments
from reached import FILES, KINDS
from surfaces import in_the_terminal

import steelyard
from steelyard.errors import SteelyardError, UnusableRows
from steelyard.surfaces.cli.entry import main

HELD = [bad for bad in BAD if KINDS[bad.name] == "python"]
"""Frames and arrays, which have no command line."""
SPAWNED = ("an id comes twice", "no positive class is named", "Parquet is truncated")


def refusal(bad, data):
    with pytest.raises(SteelyardError) as caught:
        getattr(steelyard, bad.verb)(data, **bad.roles)
    return caught.value


def check_words(bad, error):
    """Hold a refusal against what the corpus says of it."""
    assert error.code == bad.code
    for word in bad.words:
        assert word in str(error)
    if bad.faults is not None:
        assert isinstance(error, UnusableRows)
        assert len(error.faults) == bad.faults


@pytest.mark.parametrize("bad", HELD, ids=[bad.name for bad in HELD])
def test_python_says_what_where_and_what_to_type(bad, tmp_path):
    check_words(bad, refusal(bad, bad.write(tmp_path)))


@pytest.mark.parametrize("bad", FILES, ids=[bad.name for bad in FILES])
def test_python_and_the_command_line_say_what_where_and_what_to_type(
    bad, tmp_path, monkeypatch, capsys
):
    data = bad.write(tmp_path)
    arguments = cli_arguments(data, bad.roles)
    error = refusal(bad, data)
    check_words(bad, error)
    monkeypatch.setattr(sys, "argv", ["steelyard", bad.verb, *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert ended.value.code == bad.exit_code
    assert out == ""
    assert err == in_the_terminal(error, err, [bad.verb, *arguments])


@pytest.mark.parametrize("name", SPAWNED)
def test_a_process_ends_with_the_right_code_and_an_empty_output(name, tmp_path):
    (bad,) = [bad for bad in BAD if bad.name == name]
    data = bad.write(tmp_path)
    command = [sys.executable, "-m", "steelyard", bad.verb, *cli_arguments(data, bad.roles)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == bad.exit_code
    assert ended.stdout == ""
    assert ended.stderr == in_the_terminal(refusal(bad, data), ended.stderr, command[3:])


def test_no_entry_of_the_corpus_has_the_name_of_another():
    names = [bad.name for bad in BAD]
    assert len(names) == len(set(names))
