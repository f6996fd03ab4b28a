"""What is given twice and can be meant once is refused; the last one does not win."""

import click
import pytest
from click.testing import CliRunner

from steelyard.errors import RequestError
from steelyard.surfaces.cli.entry import COMMANDS, steelyard
from steelyard.surfaces.web.asking import READERS
from steelyard.surfaces.web.pages.compare import _typed_values
from tests.typed import type_words

TWICE = [
    "compare --correct S=190,T=194,S=10 --tested 200",
    "compare --correct S=190,T=194 --tested S=200,T=200,S=210",
    "compare --paired S=18,T=5,both=160,neither=17,S=3",
    "compare --correct S=190,T=194 --tested 200 --prior S=1:1,T=1:1,S=2:2",
    "plan --rates S=0.9,T=0.8,S=0.7",
    "models --model A=llf:-120.5,k:3,n:100,k:4 --model B=llf:-121.0,k:5,n:100",
    "threshold rows.csv --cost fn=5,fp=1,fn=2",
    "compare rows.csv --value v,w --higher-is-better --cost v=3,w=1,v=9",
]
AGAIN = [
    "compare --correct S=190,T=194 --correct S=10,T=20 --tested 200",
    "compare --correct S=190,T=194 --tested 200 --level 0.9 --level=0.99",
    "evaluate rows.csv --truth a --truth b",
    "campaign new radar.db --systems a,b --stop n>=1 --stop n>=2",
    "gate rows.csv --baseline a --baseline b --require x",
]


@pytest.fixture(autouse=True)
def rows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.csv").write_text("truth,v,w\na,1,2\nb,2,3\na,3,1\nb,5,4\n")


def refused(line: str) -> str:
    ended = type_words(line.split())
    assert ended.code == 2, ended
    return ended.out + ended.words


@pytest.mark.parametrize("line", TWICE)
def test_a_name_that_stands_twice_in_a_list_is_refused(line):
    said = refused(line)
    said = " ".join(said.split())
    assert "Which is meant? Name each once." in said
    assert "2 times" in said


@pytest.mark.parametrize("line", AGAIN)
def test_an_option_of_one_value_that_is_given_twice_is_refused(line):
    assert "is given twice, and takes one value" in " ".join(refused(line).split())


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


PAGES = {
    "rates": (READERS["rates"], "S=0.9,T=0.8,S=0.7"),
    "priors": (READERS["priors"], "S=1:1,T=2:2,S=3:3"),
    "costs": (READERS["costs"], "fn=1,fp=2,fn=3"),
    "right answers": (lambda name, given: _typed_values(name, given[0]), "S=1,T=2,S=3"),
}


@pytest.mark.parametrize("field", list(PAGES))
def test_a_field_of_the_page_refuses_a_name_that_comes_twice(field):
    read, text = PAGES[field]
    with pytest.raises(RequestError, match=r"2 times .* Which is meant"):
        read("field", [text])


@pytest.mark.parametrize("field", list(PAGES))
def test_a_value_without_a_name_is_refused(field):
    read, text = PAGES[field]
    with pytest.raises(RequestError, match="has an empty name"):
        read("field", [text.replace(text.partition("=")[0], "", 1)])


TABLES = {
    "a class without a name": (b",,b\na,0,5\nb,1,0\n", "has an empty name"),
    "a class comes twice": (b",a,b\na,0,5\nb,1,0\na,0,9\n", "names 'a' 2 times"),
    "a column comes twice": (b",a,a\na,0,5\nb,1,0\n", "names 'a' 2 times"),
    "another encoding": (b"\xff\xfe,\x00a\x00", "is not a table of costs"),
    "an underscore": (b",a,b\na,0,1_0\nb,1,0\n", "is not a table of costs"),
    "digits of another script": (",a,b\na,0,\uff11\nb,1,0\n".encode(), "is not a table of costs"),
    "a cell that is a book": (
        b",a,b\na,0," + b"9" * 200_000 + b"\nb,1,0\n",
        "not a table of costs",
    ),
}


@pytest.mark.parametrize("name", list(TABLES))
def test_a_table_of_costs_is_read_as_it_stands_or_refused(tmp_path, name):
    content, said = TABLES[name]
    (tmp_path / "costs.csv").write_bytes(content)
    assert said in " ".join(refused("evaluate rows.csv --systems v --cost costs.csv").split())
