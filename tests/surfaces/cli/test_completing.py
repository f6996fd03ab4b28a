"""What the Tab key finds, asked as a shell asks it."""

import pytest
from click.shell_completion import get_completion_class

from steelyard.surfaces.cli.completing import complete_files
from steelyard.surfaces.cli.entry import steelyard


@pytest.fixture
def complete():
    complete_files()

    def ask(shell, args, incomplete):
        asked = get_completion_class(shell)(steelyard, {}, "steelyard", "_STEELYARD_COMPLETE")
        return [(one.value, one.type) for one in asked.get_completions(args, incomplete)]

    return ask


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_commands_options_and_files_are_completed(complete, shell, capsys):
    assert complete(shell, [], "cali") == [("calibration", "plain")]
    assert ("--measure", "plain") in complete(shell, ["compare"], "--me")
    assert complete(shell, ["compare"], "dig") == [("dig", "file")]
    assert complete(shell, ["compare", "--chart"], "a.s") == [("a.s", "file")]
    assert complete(shell, ["compare"], "--nothing") == []
    assert capsys.readouterr().err == ""


def test_the_questions_of_a_plan_are_completed_without_a_hint(complete, capsys):
    assert complete("bash", ["plan"], "pa") == [("pair", "plain")]
    assert len(complete("bash", ["plan"], "")) > 5
    assert complete("bash", ["plan", "pair"], "--des") == [("--design", "plain")]
    assert capsys.readouterr().err == ""
