"""Every command of a page runs as written after ``steelyard demo --copy .``, and prints its output.

A page has one folder with the files of the demo, in which its blocks run from top to bottom: after
``$`` in a ``console`` block, and whole ``python`` blocks without a prompt (those with one are
those of ``test_examples``). ``...`` alone on a line stands for lines left out, at the end of a line
for its rest. A command that does not end with 0 says so, ``# ends with 4``. Two marks, each a
comment of Markdown above the block, are all that a page can say to this test::

    <!-- not run: why not -->
    <!-- long -->                for the long form of the tests

``STEELYARD_PAGES=write pytest tests/docs/test_pages.py`` puts what is printed now where a page
shows something else; read the difference before you keep it.
"""

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
from difflib import SequenceMatcher
from glob import glob
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.typed import type_words

ROOT = Path(__file__).parents[2]
DATA = Path(str(files("steelyard") / "data"))
SHELVES = ("tutorials", "how-to", "explanation")
PAGES = [
    ROOT / "README.md",
    ROOT / "docs/index.md",
    *(page for shelf in SHELVES for page in sorted((ROOT / "docs" / shelf).glob("*.md"))),
]
BLOCK = re.compile(
    r"^(?:<!-- (?P<mark>not run: [^\n]+|long) -->\n)?"
    r"(?P<indent> *)```(?P<kind>\w+)\n(?P<text>.*?)^ *```$",
    re.DOTALL | re.MULTILINE,
)
WRITE = os.environ.get("STEELYARD_PAGES") == "write"
ENDS = re.compile(r"# ends with (\d)")


class Block(NamedTuple):
    """What stands between two fences."""

    line: int
    kind: str
    mark: str
    text: str


class Command(NamedTuple):
    """A line that a reader types, and the lines shown below it."""

    typed: str
    shown: list[str]


def blocks(page):
    """Find what a page lets its reader run."""
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        lines = found["text"].splitlines()
        runs = found["kind"] == "console" or (
            found["kind"] == "python" and ">>>" not in found["text"]
        )
        if runs:
            inner = "\n".join(line.removeprefix(found["indent"]) for line in lines)
            line = text.count("\n", 0, found.start("kind")) + 1
            yield Block(line, found["kind"], found["mark"] or "", inner)


def commands(text):
    """Split a console block into what is typed and what is printed."""
    made = []
    for line in text.replace("\\\n", "").splitlines():
        if line.startswith("$ "):
            made.append(Command(line[2:], []))
        else:
            assert made, f"a console block starts with what is typed, not with {line!r}"
            made[-1].shown.append(line)
    return made


def agree(shown, printed):
    """Hold the lines shown against those printed; ``...`` stands for what is left out."""
    if shown == ["..."] or not shown:
        return shown == ["..."] or not printed
    first = shown[0]
    if first == "...":
        return any(agree(shown[1:], printed[place:]) for place in range(len(printed) + 1))
    if not printed:
        return False
    here = printed[0].rstrip()
    fits = here.startswith(first[:-3]) if first.endswith("...") else here == first.rstrip()
    return fits and agree(shown[1:], printed[1:])


def renew(shown, printed):
    """Show as much as before of what is printed now: as many first lines, then the nearest ones."""
    head = [*shown, "..."].index("...")
    # Lines that are new before the first one shown are shown, too.
    first = range(min(4, len(printed))) if head else ()
    new = max(first, default=0, key=lambda at: SequenceMatcher(None, shown[0], printed[at]).ratio())
    made = list(printed[: head + new])
    for line in shown[head:]:
        rest = printed[len(made) - made.count("...") :]
        if line == "..." or not rest:
            made += ["..."] if made[-1:] != ["..."] else []
        else:
            made.append(max(rest, key=lambda one: SequenceMatcher(None, line, one).ratio()))
    return made if len(made) >= len(printed) or made[-1:] == ["..."] else [*made, "..."]


def run(typed, here):
    """Run one line as a shell would; Steelyard itself runs in this process."""
    before, _, own = typed.rpartition(" | ") if " | steelyard " in typed else ("", "", typed)
    plain = own.partition(" #")[0].strip()
    if not plain.startswith("steelyard "):
        ended = subprocess.run(
            ["bash", "-c", typed], capture_output=True, text=True, check=False, cwd=here
        )
        return ended.returncode, ended.stdout + ended.stderr
    given = subprocess.run(["bash", "-c", before], capture_output=True, check=True, cwd=here).stdout
    plain, _, target = plain.partition(" > ")
    words = [
        found
        for word in shlex.split(plain, posix=False)[1:]
        for found in ([] if word[0] in "'\"" else sorted(glob(word))) or shlex.split(word)  # noqa: PTH207
    ]
    told = type_words(words, folder=here, given=given)
    if target:
        Path(here, target.strip()).write_text(told.out, encoding="utf-8")
        return told.code, told.err
    return told.code, told.out + told.err


def follow(page, folder, monkeypatch, *, long):
    """Do what a page says, from top to bottom; give what differs from what it shows."""
    if "$ steelyard demo --copy" not in page.read_text(encoding="utf-8"):
        shutil.copytree(DATA, folder, dirs_exist_ok=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / ".state"))
    names, wrong = {"__name__": "__main__"}, []
    for block in blocks(page):
        if block.mark.startswith("not run") or (block.mark == "long" and not long):
            continue
        if block.kind == "python":
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block.text, f"{page.name}:{block.line}", "exec"), names)
            continue
        for typed, shown in commands(block.text):
            if typed.startswith("cd "):
                monkeypatch.chdir(typed[3:])
            else:
                differs = hold(page, typed, shown)
                wrong += [f"{page.name}:{block.line}: $ {typed}\n{differs}"] if differs else []
    return wrong


def hold(page, typed, shown):
    """Run one command and say how it differs from what the page shows."""
    code, printed = run(typed, Path.cwd())
    ends = ENDS.search(typed)
    if code != int(ends[1] if ends else 0):
        return f"ended with {code}\n{printed}"
    if not shown or agree(shown, printed.splitlines()):
        return ""
    if WRITE:
        _rewrite(page, typed, shown, renew(shown, printed.splitlines()))
    return f"printed\n{printed}"


def _rewrite(page, typed, shown, made):
    text = page.read_text(encoding="utf-8")
    old, new = ("\n".join([f"$ {typed}", *lines, ""]) for lines in (shown, made))
    page.write_text(text.replace(old, new, 1), encoding="utf-8")


def pages_with(choose):
    return [page for page in PAGES if any(choose(block) for block in blocks(page))]


def is_long(block):
    return block.mark == "long"


@pytest.mark.parametrize(
    "page", pages_with(lambda block: not block.mark), ids=lambda page: page.stem
)
def test_every_command_of_a_page_runs_and_prints_what_is_shown(page, tmp_path, monkeypatch):
    wrong = follow(page, tmp_path, monkeypatch, long=False)
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.long
@pytest.mark.parametrize("page", pages_with(is_long), ids=lambda page: page.stem)
def test_commands_that_take_longer_run_too(page, tmp_path, monkeypatch):
    wrong = follow(page, tmp_path, monkeypatch, long=True)
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_first_command_of_a_page_shows_what_it_prints(page):
    """What cannot be run, or is long, shows what it printed on the day it was written."""
    typed = [
        (line, shown)
        for block in blocks(page)
        if block.kind == "console" and not block.mark.startswith("not run")
        for line, shown in commands(block.text)
        if line.startswith("steelyard ") and not line.startswith("steelyard demo --copy")
    ]
    assert not typed or typed[0][1], f"{page.name}: what does `{typed[0][0]}` print?"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_stand_after_a_prompt(page):
    """So that none escapes: neither in an indented block nor in a fence of another kind."""
    text = page.read_text(encoding="utf-8")
    loose = re.findall(r"^ *(?:python -m )?steelyard [a-z].*$", BLOCK.sub("", text), re.MULTILINE)
    indented = [line for line in loose if line.startswith("    ")]
    fenced = [
        line
        for found in BLOCK.finditer(text)
        if found["kind"] in {"console", "bash", "sh", "text"}
        for line in found["text"].splitlines()
        if line.startswith("steelyard ")
    ]
    assert [*indented, *fenced] == []
