"""Every verb on a system that is not Linux: modules, calls, names, newlines and consoles."""

import errno
import json
import os
from importlib.resources import files
from pathlib import Path
from unittest import mock

import pytest

from steelyard.display.saving import names_device, write_whole
from steelyard.engines import memory
from steelyard.errors import RequestError
from steelyard.suites.problems.suite_files import check_name
from steelyard.surfaces.cli.entry import COMMANDS
from steelyard.surfaces.cli.refusals import show_refusal, wrap_refusal
from tests.masked import type_masked
from tests.surfaces.cli.test_light_core import ANSWERS
from tests.typed import type_words

DATA = Path(str(files("steelyard") / "data"))
LABELS = DATA / "digits_labels.csv"
VERBS = {
    "compare": [["compare", LABELS, "--chart", "c.svg", "--items", "i.csv"]],
    "gate": [["gate", LABELS, "--candidate", "svm", "--baseline", "rf", "--require", "better",
              "--junit", "g.xml"]],
    "campaign": [
        ["campaign", "new", "c.db", "--systems", "a,b", "--stop", "n >= 20"],
        ["campaign", "simulate", "c.db", "--campaigns", "20"],
        ["campaign", "add", "c.db", "a=a.csv", "b=b.csv"],
        *(["campaign", verb, "c.db"] for verb in ("status", "next", "history", "verify")),
        ["campaign", "export", "c.db"],
        ["campaign", "report", "c.db", "-o", "c.html"],
        ["campaign", "close", "c.db", "--reason", "enough"],
    ],
    "report": [["report", "t.csv", "-o", "r.html"]],
    "verify": [["verify", "r.html", "t.csv"]],
    "suite": [["suite", "new", "mine"], ["suite", "check", "mine"]],
    "serve": [["serve", "--list-tokens", "--state", "state"]],
    "mcp": [["mcp", "nowhere"]],
}  # fmt: skip
"""What needs optional parts; all other verbs are typed by the test of the light core."""
REFUSED = {("mcp", 0): "is not a folder"}
BEFORE = """
import asyncio, multiprocessing, shutil, subprocess, tempfile
import steelyard.surfaces.web.app, steelyard.surfaces.web.serving
import steelyard.surfaces.cli.tools
from pathlib import Path
from tests.surfaces.web.conftest import Here
with tempfile.TemporaryDirectory() as folder:
    client = Here(Path(folder) / "state").client()
    assert client.get("/plan").status_code == 200
    asked, told = {"state": [["rates", "0.9,0.8"]], "width": 560}, {"job": ""}
    while "job" in told:
        told = client.post("/answers/plan", json=asked).json()
    assert "items" in str(told)
"""


@pytest.fixture(scope="module")
def typed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("elsewhere")
    rows = [f"{n},{'xy'[n % 2]},{'xy'[n % 7 % 2]}" for n in range(40)]
    (folder / "t.csv").write_text("\n".join(["item,truth,a", *rows]), encoding="utf-8")
    for name in ("a", "b"):
        table = [f"{n},{'xy'[n % 2]},x" for n in range(30)]
        (folder / f"{name}.csv").write_text(
            "\n".join(["item,truth,called", *table]), encoding="utf-8"
        )
    words = [one for commands in VERBS.values() for one in commands]
    words.append(["suite", "run", "mine", "--algorithm", "lda"])
    told = type_masked(words, folder=folder, elsewhere=True, before=BEFORE)
    return list(zip(words, told, strict=True))


def test_every_verb_is_typed_here_or_by_the_test_of_the_light_core():
    assert {*VERBS, *(words[0] for words in ANSWERS)} == set(COMMANDS)


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_takes_nothing_that_only_linux_has(typed, verb):
    ours = [(words, told) for words, told in typed if words[0] == verb and words[1] != "run"]
    assert len(ours) == len(VERBS[verb])
    for place, (words, (code, _, err)) in enumerate(ours):
        if (verb, place) in REFUSED:
            assert REFUSED[verb, place] in " ".join(err.split())
        else:
            assert code == 0, (words, err)


def test_running_a_suite_is_refused_in_words(typed):
    words, (code, _, err) = typed[-1]
    assert words[1] == "run"
    assert code == 2
    assert "only Linux has" in " ".join(err.split())


@pytest.mark.parametrize("encoding", ["cp1252", "cp437"])
def test_a_console_of_few_characters_shows_every_answer(encoding, tmp_path):
    table = tmp_path / "t.csv"
    rows = [f"{n},{'жаба' if n % 2 else '犬'},{'犬' if n % 3 else 'жаба'}" for n in range(30)]
    table.write_text("\n".join(["item,truth,gebläse", *rows]), encoding="utf-8")
    for words in (["evaluate", table], ["catalogue"], ["--help"]):
        typed = type_words(words, encoding=encoding)
        assert typed.code == 0, typed.err
        assert typed.out
    shown = type_words(["compare", LABELS], encoding=encoding).out
    assert ("─" if encoding == "cp437" else "-") * 9 in shown and "\\u" not in shown
    plain = type_words(["evaluate", table, "--json"], encoding=encoding)
    assert json.loads(plain.out) == json.loads(type_words(["evaluate", table, "--json"]).out)
    refused = type_words(["evaluate", tmp_path / "жаба.csv"], encoding=encoding)
    assert refused.code == 1 and "no such file" in refused.words


@pytest.mark.parametrize(
    ("ending", "encoding"), [("\r\n", "utf-8"), ("\r", "utf-8-sig"), ("\r\n", "utf-16")]
)
def test_newlines_and_marks_of_other_systems_change_nothing(ending, encoding, tmp_path):
    rows = ["item,truth,a", *(f"{n},{'xy'[n % 2]},{'xy'[n % 3 % 2]}" for n in range(30))]
    path = tmp_path / "t.csv"
    path.write_bytes((ending.join(rows) + ending).encode(encoding))
    typed = type_words(["evaluate", path, "--csv"])
    assert typed.code == 0, typed.err
    path.write_bytes(("\n".join(rows) + "\n").encode())
    assert typed.out == type_words(["evaluate", path, "--csv"]).out


def test_names_of_devices_are_no_names_of_files(tmp_path, monkeypatch):
    for name in ("NUL", "con.csv", "Com1.txt", "aux .json", "lpt²"):
        assert names_device(name)
    assert not any(map(names_device, ("console", "nulls.csv", "com10", "auxiliary.md")))
    with pytest.raises(RequestError, match="cannot be the name of a folder"):
        check_name("nul")
    write_whole(tmp_path / "con.csv", b"fine here")
    monkeypatch.setattr("steelyard.display.saving.WINDOWS", True)
    with pytest.raises(OSError, match="device"):
        write_whole(tmp_path / "con.csv", b"")
    (tmp_path / "t.csv").touch()
    held = PermissionError(errno.EACCES, "Access denied")
    monkeypatch.setattr(Path, "replace", mock.Mock(side_effect=held))
    with pytest.raises(PermissionError, match="open in another program"):
        write_whole(tmp_path / "t.csv", b"")


def test_a_machine_that_does_not_tell_its_memory_is_given_some(monkeypatch):
    monkeypatch.delattr(os, "sysconf")
    assert memory.memory_budget() >= memory.LEAST


@pytest.mark.parametrize(
    ("posix", "windows"),
    [
        (
            "Type: steelyard roc 'my run.csv' --score p",
            'Type: steelyard roc "my run.csv" --score p',
        ),
        ("Type: steelyard roc 'it'\"'\"'s.csv'", 'Type: steelyard roc "it\'s.csv"'),
        (r"Type: steelyard roc 'C:\my runs\'", r'Type: steelyard roc "C:\my runs\\"'),
        ("Type: steelyard roc '$p.csv'", "Type: steelyard roc '$p.csv'"),
        ("Pass v='{class}' (--vector '{class}').", "Pass v='{class}' (--vector \"{class}\")."),
    ],
)
def test_what_to_type_is_quoted_as_its_shell_reads_it(posix, windows, monkeypatch):
    assert wrap_refusal(posix) == posix
    monkeypatch.setattr("steelyard.surfaces.cli.refusals.WINDOWS", True)
    assert wrap_refusal(posix) == windows
    if posix.startswith("Type: "):
        assert show_refusal("No.", posix.removeprefix("Type: ")) == f"No.\n{windows}"
