"""What every verb says on every example, as text, JSON and page, against files kept for reading.

``cases.py`` says what is typed. ``STEELYARD_FREEZE=write pytest tests/freeze`` writes the files
anew; read their diff. ``STEELYARD_FREEZE=exact`` lets not even last digits differ, which holds on
one machine only.
"""

import json
import os
import re
from itertools import count
from pathlib import Path

import click
import pytest

from steelyard.comparison.methods import METHODS
from steelyard.display.small_print import MOST_LINES
from steelyard.display.text import clean_text, display_width, wrap_sentence
from steelyard.results import read_result
from steelyard.surfaces.cli.entry import steelyard
from tests.freeze.cases import CASES
from tests.freeze.frozen import agrees, clock_stopped, command_of, difference, outputs
from tests.freeze.material import DATA, lay_out

KEPT = Path(__file__).parent / "kept"
HOW = os.environ.get("STEELYARD_FREEZE", "")
LIVE = {"mcp", "serve", "campaign watch"}
"""Commands that go on until they are stopped; their own tests hold them."""
WORK = {"suite build", "suite demo", "suite run", "suite import-meastex", "suite export-meastex"}
"""Commands whose answer holds seconds, memory and the rights of the user; ditto."""

OF_PAGES = {
    "answers_and_cost.csv",
    "candidate.csv",
    "diamonds_weights.csv",
    "digits_scores_rf.csv",
    "face_pairs.csv",
    "judged_answers.csv",
    "main.csv",
    "repeated_grades.csv",
    "solution.csv",
    "submission_a.csv",
    "submission_b.csv",
}
"""Files that the documentation types commands on; tests/docs/test_pages.py holds those."""


TYPED_AGAIN = set({command_of(CASES[case].split("\n")[-1])[0]: case for case in CASES}.values())
"""One case of each command, whose JSON is asked for by typing ``--json``."""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """Give a new folder with all files at each call, always of one name."""
    shelf = lay_out(tmp_path_factory.mktemp("shelf"))
    numbers = count()

    def folder() -> Path:
        made = tmp_path_factory.mktemp(f"typed{next(numbers)}") / "work"
        made.mkdir()
        for path in shelf.iterdir():
            (made / path.name).symlink_to(path)
        return made

    with clock_stopped():
        yield folder


@pytest.mark.parametrize("case", CASES)
def test_what_is_typed_says_what_was_kept(case, fresh):
    left = outputs(CASES[case].split("\n"), fresh, again=HOW != "" or case in TYPED_AGAIN)
    kept = {path.suffix[1:]: path for path in KEPT.glob(f"{case}.*")}
    changed = []
    for ending in sorted({*left, *kept}):
        path = KEPT / f"{case}.{ending}"
        now = left.get(ending, "")
        then = path.read_text(encoding="utf-8") if path.exists() else ""
        if not agrees(now, then, to_the_byte=HOW == "exact"):
            changed.append(difference(now, then, path.name))
            if HOW == "write":
                path.parent.mkdir(exist_ok=True)
                path.write_text(now, encoding="utf-8") if now else path.unlink()
    if changed and HOW != "write":
        pytest.fail("\n".join(changed), pytrace=False)


def test_nothing_is_kept_that_is_not_typed():
    assert {path.stem for path in KEPT.iterdir()} == set(CASES)


def results():
    """Every kept result."""
    for path in sorted(KEPT.glob("*.json")):
        text = path.read_text(encoding="utf-8")
        if isinstance(json.loads(text), dict) and "kind" in json.loads(text):
            yield path.stem, read_result(text)


def test_the_json_of_every_verb_holds_its_sentence():
    for path in sorted(KEPT.glob("*.json")):
        text = path.read_text(encoding="utf-8")
        saved = json.loads(text)
        if isinstance(saved, dict) and "kind" in saved:
            assert saved["sentence"] == read_result(text).sentence(), path.stem


def test_no_line_is_wider_than_the_terminal():
    for width in (80, 100):
        for case, result in results():
            lines = result.text(width).split("\n")
            assert all(display_width(line) <= width for line in lines), case


def test_the_sentence_is_short_enough_to_read():
    for case, result in results():
        assert len(result.sentence()) <= 320, case


def test_the_small_print_is_six_lines_and_names_every_doubt():
    for case, result in results():
        for width in (80, 100):
            above = "\n\n".join(
                [
                    *(
                        wrap_sentence(clean_text(one), width)
                        for one in (result.headline(), result.sentence())
                        if one
                    ),
                    *filter(None, [result.table(width=width)]),
                ]
            )
            below = result.text(width, details=False).removeprefix(above).strip("\n")
            lines = below.split("\n")
            assert len(lines) <= MOST_LINES, case
            shown = sum(line.startswith("note: ") for line in lines)
            counted = re.search(r"note: and (\d+) more", below)
            left = int(counted[1]) - 1 if counted else 0
            assert shown + left == len(result.notes()), case
            assert all(display_width(line) <= width for line in lines), case


def test_what_goes_to_standard_error_is_ten_lines():
    for path in KEPT.glob("*.txt"):
        for said in path.read_text(encoding="utf-8").split("--- on standard error\n")[1:]:
            lines = said.partition("--- ended with")[0].partition("$ steelyard")[0].splitlines()
            assert sum(max(1, -(-len(line) // 80)) for line in lines) <= 10, path.name


def test_no_name_from_the_data_reaches_the_terminal_raw():
    for path in KEPT.glob("*.txt"):
        assert "\x1b" not in path.read_text(encoding="utf-8"), path.name


def lines():
    return [line for typed in CASES.values() for line in typed.split("\n")]


def every_command(group=steelyard, path=()):
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from every_command(command, (*path, name))
        elif not command.hidden:
            yield " ".join((*path, name))


def test_every_command_is_typed():
    typed = {command_of(line)[0] for line in lines()}
    assert set(every_command()) - typed == LIVE | WORK


def test_every_method_of_compare_is_typed():
    for name in METHODS:
        assert any(f"--method {name}" in line for line in lines()), name


def test_every_file_that_ships_is_evaluated_and_compared():
    for path in DATA.glob("*.csv"):
        for verb in ("evaluate", "compare"):
            on_file = [line for line in lines() if line.startswith(verb) and path.name in line]
            assert on_file or path.name in OF_PAGES, (verb, path.name)
