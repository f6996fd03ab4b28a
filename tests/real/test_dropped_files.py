"""Every shape is dropped into the page: answered as typed, or refused with what a page has.

What the command line answers and refuses with the same file is the measure.
"""

import json
import re
import shlex
from html import unescape
from inspect import getmembers, isfunction, signature
from urllib.parse import quote

import pytest

from tests.real import (
    further_shapes,
    list_shapes,
    more_shapes,
    public_shapes,
    shapes,
    stranger_shapes,
)
from tests.surfaces.web.conftest import Here
from tests.typed import type_words

MODULES = (shapes, more_shapes, further_shapes, public_shapes, list_shapes, stranger_shapes)
SHAPES = [
    one
    for module in MODULES
    for _, one in getmembers(module, isfunction)
    if one.__module__ == module.__name__ and "folder" in signature(one).parameters
]
TYPED = re.compile(r"\bsteelyard [a-z]|\bType: |(?<!\w)--[a-z]|\bsed |\bpaste -|&&|[0-9a-f]{40}")
"""What nobody can do on a page: a command, an option, a shell; or the digest of an upload."""
IN_FILE = re.compile(
    r"Drop the changed file here|[Aa]dd |Drop it here|Pass |Expected |on (Compare|Evaluate)"
)
"""What is mended in the file, or on another page."""


@pytest.fixture
def dropped(tmp_path):
    """Drop a file into a page and wait for its first answer."""
    client = Here(tmp_path / "state").client()
    frames = {page: client.get(f"/{page}").text for page in ("evaluate", "compare")}

    def drop(path, page, **state):
        headers = {"X-File-Name": quote(path.name)}
        kept = client.post("/files", content=path.read_bytes(), headers=headers).json()
        asked = {"data": kept["data"], **state}
        while True:
            body = {"state": list(asked.items()), "width": 560}
            found = client.post(f"/answers/{page}", json=body).json()
            if "job" not in found:
                return found, frames[page] + found["understood"]

    return drop


def make(shape, folder):
    """Write the files of a shape."""
    folder.mkdir()
    drawn = (shapes.draw(),) if "drawn" in signature(shape).parameters else ()
    shape(folder, *drawn)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def in_words(html):
    """Take the tags away."""
    return " ".join(unescape(re.sub("<[^>]+>", "", html)).split())


@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: f"{one.__module__[11:]}-{one.__name__}")
def test_a_dropped_file_is_answered_as_a_typed_one_or_says_which_control_answers(
    tmp_path, dropped, shape
):
    for place, path in enumerate(make(shape, tmp_path / "files")):
        answered = check(dropped, path, "evaluate")
        if place == 0 or not answered:
            check(dropped, path, "compare")


def check(dropped, path, page):
    """Hold the page against the command line; tell whether there is an answer."""
    found, controls = dropped(path, page)
    typed = type_words([page, path.name, "--json"], folder=path.parent)
    if typed.code == 0:
        assert not found.get("refused"), (path.name, page, found["refused"])
        systems = json.loads(typed.out)["systems"]
        assert all(one["system"] in in_words(found["html"]) for one in systems)
        return True
    said = found.get("refused")
    if "published results" in typed.err and not said:
        return True  # the page of comparisons weighs what has its numbers of items
    assert said, (path.name, page, typed.err)
    assert not TYPED.search(said), said
    if "Only one system" in said:
        return False
    assert found["field"] or IN_FILE.search(said), said
    if found["field"] and not re.search(r" on (Compare|Evaluate)", said):
        assert f'name="{found["field"]}"' in controls, (said, found["field"])
    return False


def test_a_system_is_called_as_the_file_that_was_dropped(tmp_path, dropped):
    (one, _) = make(more_shapes.big_code_bench, tmp_path / "files")
    found, _ = dropped(one, "evaluate")
    assert "one is right on" in in_words(found["html"])


def test_a_leaderboard_is_weighed_on_the_page(tmp_path, dropped):
    (board,) = make(further_shapes.board_markdown, tmp_path / "files")
    found, _ = dropped(board, "compare")
    assert found["field"] == "tested"
    found, _ = dropped(board, "compare", tested="1319")
    out = type_words(["compare", "board.md", "--tested", "1319"], folder=board.parent).out
    headline = next(line for line in out.splitlines() if line.strip())
    assert headline in in_words(found["html"])
    assert "--tested 1319" in found["command"]


@pytest.mark.parametrize(
    ("page", "state", "line"),
    [
        ("compare", {"correct": "S=87.3%,T=85.1%", "tested": "1319"},
         "compare --accuracy S=87.3%,T=85.1% --tested 1319"),
        ("compare", {"paired": "x=47,y=10,both=3,neither=0"},
         "compare --paired x=47,y=10,both=3,neither=0"),
        ("evaluate", {"confusion": "45,36;63,18", "classes": "no,yes", "positive": "yes"},
         "evaluate --confusion 45,36;63,18 --classes no,yes --positive yes"),
    ],
)  # fmt: skip
def test_what_a_paper_says_can_be_typed_on_the_page(tmp_path, page, state, line):
    client = Here(tmp_path).client()
    while True:
        body = {"state": list(state.items()), "width": 560}
        found = client.post(f"/answers/{page}", json=body).json()
        if "job" not in found:
            break
    out = type_words(line.split()).out
    sentence = " ".join(out.split("\n\n")[1 if page == "compare" else 0].split())
    assert sentence in in_words(found["html"])
    again = type_words(shlex.split(found["command"])[1:])
    assert again.out.split("\n\n")[:2] == out.split("\n\n")[:2]
    names: dict[str, object] = {"print": str}
    exec(found["python"], names)
    assert names["result"].sentence() in " ".join(out.split())
