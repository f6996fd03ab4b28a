"""The walk is true: its row is in the file, and goes through every module that the page names."""

import re
import shlex
import sys
from pathlib import Path

from tests.typed import type_words

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src/steelyard"
PAGE = (ROOT / "docs/explanation/the-walk.md").read_text(encoding="utf-8")
WALKED = PAGE.partition("## One row, walked")[2].partition("## ")[0]


def test_the_walk_names_the_modules_that_its_row_goes_through():
    command, row, head = re.findall(r"`([^`]+)`", WALKED)[:3]
    lines = (SOURCE / "data/letter_labels.csv").read_text(encoding="utf-8").splitlines()
    assert (lines[7], lines[0]) == (row, head)
    entered = set()
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, arg: entered.add(frame.f_code.co_filename))
    try:
        told = type_words(shlex.split(command)[1:], folder=SOURCE / "data")
    finally:
        sys.setprofile(before)
    assert told.code == 0
    named = [SOURCE / name for name in re.findall(r"`([\w/]+\.py)`", WALKED)]
    assert len(named) > 12
    assert [path for path in named if str(path) not in entered and path.stem != "options"] == []


def test_every_room_and_chapter_of_the_walk_exists():
    listed = re.findall(r"`(\w+)/` has ([^;.]*)", PAGE)
    chapters = [(room, name) for room, words in listed for name in re.findall(r"`(\w+)`", words)]
    assert len(chapters) > 15
    for room, chapter in chapters:
        assert (SOURCE / room / chapter).is_dir(), f"{room}/{chapter}"
    rooms = re.search(r"```text\nsurfaces\n(.*?)```", PAGE, re.DOTALL)
    for room in re.findall(r"\w+", rooms[1]):
        assert (SOURCE / room).is_dir() or (SOURCE / f"{room}.py").is_file(), room
