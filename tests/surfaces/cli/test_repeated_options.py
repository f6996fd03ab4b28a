"""What is given twice and can be meant once is refused; the last one does not win."""

import click
import pytest
from click.testing import CliRunner

from steelyard.surfaces.cli.entry import COMMANDS, steelyard

TWICE = [
    "compare --correct S=190,T=194,S=10 --tested 200",
    "compare --correct S=190,T=194 --tested S=200,T=200,S=210",
    "compare --paired S=18,T=5,both=160,neither=17,S=3",
    "compare --correct S=190,T=194 --tested 200 --prior S=1:1,T=1:1,S=2:2",
    "plan --rates S=0.9,T=0.8,S=0.7",
    "models --model A=llf:-120.5,k:3,n:100,k:4 --model B=llf:-121.0,k:5,n:100",
    "threshold rows.csv --cost fn=5,fp=1,fn=2",
]
AGAIN = [
    "compare --correct S=190,T=194 --correct S=10,T=20 --tested 200",
    "compare --correct S=190,T=194 --tested 200 --level 0.9 --level=0.99",
    "evaluate rows.csv --truth a --truth b",
    "campaign new radar.db --systems a,b --stop n>=1 --stop n>=2",
    "gate rows.csv --baseline a --baseline b --require x",
]


def refused(line: str) -> str:
    ended = CliRunner().invoke(steelyard, line.split())
    assert ended.exit_code == 2, ended.output
    return ended.output


@pytest.mark.parametrize("line", TWICE)
def test_a_name_that_stands_twice_in_a_list_is_refused(line):
    said = refused(line)
    assert "Which is meant? Name each once." in said
    assert "2 times" in said


@pytest.mark.parametrize("line", AGAIN)
def test_an_option_of_one_value_that_is_given_twice_is_refused(line):
    assert "is given twice, and takes one value" in refused(line)


def test_options_that_gather_may_be_given_again():
    line = "compare --correct S=190,T=194 --tested 200 --json --json --pairing independent"
    assert CliRunner().invoke(steelyard, line.split()).exit_code == 0


def every_command(command: click.Command, path: str = ""):
    context = click.Context(command)
    yield path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            yield from every_command(command.get_command(context, name), f"{path} {name}".strip())


def test_every_command_refuses_every_option_of_one_value_given_twice():
    """One mechanism for all: no command, now or later, has to think of it."""
    assert len(COMMANDS) > 10
    for path, command in every_command(steelyard):
        for option in command.params:
            single = isinstance(option, click.Option) and not (
                option.is_flag or option.multiple or option.count
            )
            if path and single and option.nargs == 1:
                line = [*path.split(), option.opts[-1], "1", option.opts[-1], "1"]
                ended = CliRunner().invoke(steelyard, line)
                assert "is given twice" in ended.output, (line, ended.output)
