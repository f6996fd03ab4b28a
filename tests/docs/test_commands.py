"""Commands that pages and README show must exist, and all that exist must be shown."""

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if path.name != "cli.md"),
]
TARGET = re.compile(r"^([a-z][a-z-]*(?: [a-z][a-z-]*)*):(?!=)", re.MULTILINE)


def shown(page: Path) -> list[str]:
    """The lines a reader may type: those after `$ ` in the page's console blocks."""
    blocks = re.findall(r"```console\n(.*?)```", page.read_text(), re.DOTALL)
    typed = [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    return [line.partition("   ")[0] for line in typed]


def entry() -> click.Group:
    from steelyard.surfaces.cli import entry as module

    group = next(
        found for found in (module.main, *vars(module).values()) if isinstance(found, click.Group)
    )
    return group


def paths(command: click.Command, context: click.Context, path: tuple[str, ...] = ()):
    yield path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            if not child.hidden:
                yield from paths(
                    child, click.Context(child, info_name=name, parent=context), (*path, name)
                )


def every_command():
    root = entry()
    return dict(paths(root, click.Context(root, info_name="steelyard")))


def test_every_command_has_its_help_on_the_reference_page():
    page = (ROOT / "docs/reference/cli.md").read_text()
    for path in every_command():
        assert f"## `{' '.join(('steelyard', *path))}`" in page


def test_every_command_tells_what_it_does():
    for path in every_command():
        told = CliRunner().invoke(entry(), [*path, "--help"])
        assert told.exit_code == 0
        assert len(told.output.split()) > 5


def test_every_command_shows_an_example_of_itself():
    for path, command in every_command().items():
        if path and not isinstance(command, click.Group):
            told = CliRunner().invoke(entry(), [*path, "--help"]).output
            assert f"\n  steelyard {' '.join(path)}" in told, path


def test_no_list_of_options_is_longer_than_a_glance():
    for path, command in every_command().items():
        context = click.Context(command, info_name=" ".join(path))
        shown = [one for one in command.get_params(context) if one.get_help_record(context)]
        options = [one for one in shown if isinstance(one, click.Option)]
        headings = [getattr(one, "group", "Options") for one in options]
        for heading in set(headings):
            assert headings.count(heading) <= 17, (path, heading)


def test_every_make_target_that_a_page_names_exists():
    makefile = (ROOT / "Makefile").read_text()
    targets = {word for found in TARGET.findall(makefile) for word in found.split()}
    text = "\n".join(page.read_text() for page in PAGES)
    named = set(re.findall(r"`make ([a-z-]+)`", text)) | {
        shlex.split(line)[1] for page in PAGES for line in shown(page) if line.startswith("make ")
    }
    assert {"demo", "test"} <= named
    assert named <= targets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_line_that_a_page_shows_has_known_words_and_switches(page):
    known = every_command()
    for line in shown(page):
        words = shlex.split(line, comments=True)
        if words[0] != "steelyard":
            continue
        path = () if words[1].startswith("-") else tuple(words[1:2])
        if path and (*path, *words[2:3]) in known:  # a command of a group, such as campaign new
            path = (*path, *words[2:3])
        if path and isinstance(known.get(path), click.Group) and not words[2].startswith("-"):
            path = tuple(words[1:3])
        assert path in known, line
        # a plan without a question is spelled as before there were commands for them
        options = getattr(known[path], "before", known[path]).params
        switches = {name for option in options for name in option.opts}
        used = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert used <= switches | {"--help"}, line


def test_every_make_target_for_people_has_a_help_text():
    makefile = (ROOT / "Makefile").read_text()
    helped = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    assert {"demo", "test", "check", "docs", "bench", "clean"} <= helped
