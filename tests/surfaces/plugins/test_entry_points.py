"""What other packages add by entry points is found, used, listed, and breaks nothing."""

import json
import shutil
import signal
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from unittest import mock

import pytest

import steelyard
from steelyard.errors import FileUnreadable, RefusedData, RequestError
from steelyard.measures import CATALOGUE, catalogue_entry
from steelyard.measures.catalogue import listing
from steelyard.plugins import Plugin, find_plugins, forget_plugins
from steelyard.suites import name_algorithm
from steelyard.surfaces.cli.commands.catalogue import _explain_loss
from tests.typed import type_words

TOY = Path(__file__).parent / "toy"


@pytest.fixture(scope="module")
def target(tmp_path_factory):
    """Lay the toy package out as pip does: its modules, and beside them what it declares."""
    folder = tmp_path_factory.mktemp("toy") / "site-packages"
    project = tomllib.loads((TOY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = project["name"], project["version"]
    shutil.copytree(TOY / "toy_scales", folder / "toy_scales")
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    lines = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{key} = {where}" for key, where in points.items()), ""]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    return folder


@pytest.fixture
def installed(target, monkeypatch):
    before, words = dict(CATALOGUE), dict(listing._by_word)
    monkeypatch.syspath_prepend(str(target))
    forget_plugins()
    yield target
    forget_plugins()
    for kept, now in ((before, CATALOGUE), (words, listing._by_word)):
        now.clear()
        now.update(kept)


def log(folder, name="toy.log"):
    rows = [f"{n} {who} {int(n % k > 0)}" for n in range(30) for who, k in (("a", 3), ("b", 5))]
    path = folder / name
    path.write_text("\n".join(["toy log", *rows]) + "\n", encoding="utf-8")
    return path


def test_a_log_that_only_a_plug_in_knows_is_read(installed, tmp_path):
    found = steelyard.compare(log(tmp_path))
    assert {one.system for one in found.systems} == {"a", "b"}


@pytest.mark.parametrize("name", ["answers.toy", "answers.npz"])
def test_a_table_that_only_a_plug_in_knows_is_read(installed, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"TOY 30")
    typed = type_words(["evaluate", path, "--json"])
    assert typed.code == 0, typed.err
    assert "toy table, by a plug-in" in typed.out
    assert steelyard.evaluate(path, systems=["svm"]).systems


def test_a_measure_of_a_plug_in_is_measured_compared_and_required(installed, tmp_path):
    table = tmp_path / "t.csv"
    rows = [f"{n},{'cat' if n % 2 else 'dog'},cat,{'cat' if n % 4 else 'dog'}" for n in range(40)]
    table.write_text("\n".join(["item,truth,a,b", *rows]), encoding="utf-8")
    asked = ["--positive", "cat", "--measure", "halved_sensitivity"]
    typed = type_words(["evaluate", table, *asked])
    assert typed.code == 0, typed.err
    assert "half recall" in typed.out
    typed = type_words(["compare", table, *asked])
    assert typed.code == 0, typed.err


def test_a_name_that_is_taken_keeps_its_meaning(installed):
    assert catalogue_entry("half recall").source == "a toy"
    assert catalogue_entry("recall").source != "a toy"


def test_an_algorithm_of_a_plug_in_is_called_by_its_name_and_not_imported(installed):
    for name in [name for name in sys.modules if name.startswith("toy_scales")]:
        del sys.modules[name]
    assert name_algorithm("toy-guess").what == "toy_scales:classify"
    assert not any(name.startswith("toy_scales") for name in sys.modules)
    with pytest.raises(RequestError, match="toy-guess"):
        name_algorithm("toy-gues")


def test_what_cannot_be_loaded_breaks_no_run_and_is_named_where_it_was_wanted(installed):
    with pytest.raises(RequestError, match=r"left out: broken, odd"):
        catalogue_entry("unheard of")
    assert catalogue_entry("half recall")


def test_every_plug_in_is_listed_with_its_package_and_what_is_wrong_with_it(installed):
    typed = type_words(["catalogue", "--plugins"])
    assert typed.code == 0, typed.err
    for word in ("toy-log", "toy-table", "half-recall", "toy-guess", "toy-scales 0.3"):
        assert word in typed.out
    plain = " ".join(typed.out.split())
    assert "broken is left out: SystemExit: no licence was found" in plain
    assert "half-recall is left out: only 'recall': the name 'recall' is taken" in plain
    assert "odd is left out: toy_scales:NOT_A_MEASURE gives int, expected Measure" in plain
    rows = json.loads(type_words(["catalogue", "--plugins", "--json"]).out)
    assert {row["kind"] for row in rows} == {"logs", "tables", "measures", "algorithms"}
    assert "half recall" in type_words(["catalogue"]).out


def test_a_reader_that_fails_is_named_and_one_that_stumbles_is_passed_over(
    installed, tmp_path, monkeypatch
):
    monkeypatch.syspath_prepend(str(installed))
    broken = tmp_path / "broken.log"
    broken.write_text("toy log\n1 a\n", encoding="utf-8")
    with pytest.raises(FileUnreadable, match=r"toy-scales 0\.3, which knows such files, failed"):
        steelyard.compare(broken)
    import toy_scales

    class Panic(BaseException):
        """As libraries in other languages raise it."""

    def stumble(*_):
        raise Panic

    monkeypatch.setattr(toy_scales, "LOG", 0)
    monkeypatch.setattr(toy_scales, "TABLE", replace(toy_scales.TABLE, tells=stumble))
    forget_plugins()
    plain = tmp_path / "plain.csv"
    plain.write_text("item,truth,a\n1,x,x\n2,y,x\n3,x,x\n", encoding="utf-8")
    assert steelyard.evaluate(plain).systems


def test_whatever_a_plug_in_raises_it_breaks_no_run_and_is_named(installed, tmp_path):
    for name, said in (("panic", "Panic: deep below"), ("name", "NameError")):
        base = "class Panic(BaseException): pass\nraise Panic('deep below')\n"
        text = base if name == "panic" else "LOG = undefined\n"
        (tmp_path / f"plugged_{name}.py").write_text(text, encoding="utf-8")
        plugin = Plugin(
            kind="logs", name=name, where=f"plugged_{name}:LOG", package="odd", version="1"
        )
        with mock.patch.object(sys, "path", [str(tmp_path), *sys.path]):
            assert said in plugin.load().reason


def test_a_plug_in_that_raises_an_interrupt_is_left_out_and_ctrl_c_still_stops(tmp_path):
    texts = {
        "own": "raise KeyboardInterrupt('no licence')",
        "exit": "import sys\nsys.exit(3)",
        "pressed": "import signal\nsignal.raise_signal(signal.SIGINT)",
    }
    stops = {}
    for name, text in texts.items():
        (tmp_path / f"plugged_{name}.py").write_text(text, encoding="utf-8")
        stops[name] = Plugin(
            kind="logs", name=name, where=f"plugged_{name}:LOG", package="odd", version="1"
        )
    before = signal.getsignal(signal.SIGINT)
    with mock.patch.object(sys, "path", [str(tmp_path)]):
        assert "KeyboardInterrupt: no licence" in stops["own"].load().reason
        assert "SystemExit: 3" in stops["exit"].load().reason
        with ThreadPoolExecutor(1) as apart:
            assert "KeyboardInterrupt" in apart.submit(stops["own"].load).result().reason
        with pytest.raises(KeyboardInterrupt):
            stops["pressed"].load()
    assert signal.getsignal(signal.SIGINT) is before


HANGING = {
    "asleep": "import time\ntime.sleep(1e5)",
    "stubborn": """
import time
held = 0
while True:
    try:
        time.sleep(1e5)
    except BaseException:
        held += 1
        if held > 1:
            raise
""",
    "busy": "while True: pass",
    "waiting": "import socket\na, b = socket.socketpair()\na.recv(1)",
}


@pytest.mark.parametrize("what", HANGING)
def test_a_plug_in_that_hangs_is_left_out(what, tmp_path, monkeypatch):
    (tmp_path / f"hanging_{what}.py").write_text(HANGING[what], encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("steelyard.plugins.PATIENCE", 0.1)
    plugin = Plugin(kind="logs", name="x", where=f"hanging_{what}:LOG", package="odd", version="1")
    before = signal.getsignal(signal.SIGINT)
    if what == "waiting":  # a page answers in threads, which nothing can stop
        with ThreadPoolExecutor(1) as apart:
            assert "did not end within" in apart.submit(plugin.load).result().reason
    assert "did not end within 0.1 seconds" in plugin.load().reason
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_file_that_a_plug_in_never_tells_is_read_without_it(installed, tmp_path, monkeypatch):
    import toy_scales

    monkeypatch.setattr("steelyard.sources.logs.registry.PATIENCE", 0.1)
    hang = replace(toy_scales.LOG, tells=lambda head: Event().wait())
    monkeypatch.setattr(toy_scales, "LOG", hang)
    forget_plugins()
    path = tmp_path / "answers.toy"
    path.write_bytes(b"TOY 30")
    typed = type_words(["evaluate", path, "--systems", "svm"])
    assert typed.code == 0, typed.err


def test_a_measure_that_fails_is_named_with_its_package(installed, monkeypatch):
    import toy_scales

    def fail(table):
        raise SystemExit(table.nothing)

    half = toy_scales.MEASURES[0]
    broken = [replace(half, formula=fail), replace(half, name="plain", formula="tp", synonyms=())]
    monkeypatch.setattr(toy_scales, "MEASURES", broken)
    forget_plugins()
    data = {"truth": ["a", "b"] * 9, "x": ["a", "b"] * 9}
    with pytest.raises(RefusedData, match=r"'half recall' of toy-scales 0\.3 failed"):
        steelyard.evaluate(data, positive="a", measure="half recall")
    wordy = replace(half, name="wordy", formula=str, synonyms=())
    monkeypatch.setattr(toy_scales, "MEASURES", [wordy])
    forget_plugins()
    with pytest.raises(RefusedData, match=r"'wordy' of .* it gave str, expected a number"):
        steelyard.evaluate(data, positive="a", measure="wordy")
    monkeypatch.setattr(toy_scales, "MEASURES", broken)
    forget_plugins()
    assert steelyard.evaluate(data, positive="a", measure="recall").systems
    assert "no formula that can be called" in " ".join(
        type_words(["catalogue", "--plugins"]).out.split()
    )


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", 5, "its name is not text"),
        ("name", " ", "its name is not text"),
        ("caution", None, "its caution is not text"),
        ("synonyms", (5,), "its synonym 1 is not text"),
        ("synonyms", None, "not a whole declaration"),
        ("bounds", 1, "not a whole declaration"),
        ("bounds", ("low", None), "its bounds are not numbers"),
        ("edges", {"no-true": 1}, "no formula that can be called"),
    ],
)
def test_a_measure_declared_badly_breaks_no_other(installed, monkeypatch, field, value, said):
    import toy_scales

    half = toy_scales.MEASURES[0]
    bad = replace(half, name="bad", synonyms=())
    object.__setattr__(bad, field, value)
    monkeypatch.setattr(toy_scales, "MEASURES", [bad, half])
    forget_plugins()
    data = {"truth": ["a", "b"] * 9, "x": ["a", "b"] * 9}
    for name in ("recall of a", "half recall"):
        assert steelyard.evaluate(data, positive="a", measure=name).systems
    assert said in " ".join(type_words(["catalogue", "--plugins"]).out.split())


def test_what_a_plug_in_prints_is_no_part_of_the_answer(installed, monkeypatch, tmp_path):
    import toy_scales

    half = toy_scales.MEASURES[0]

    def loud(table):
        print("loud")
        return half.formula(table)

    def rows(path):
        print("loud")
        yield from ({"item": n, "truth": "xy"[n % 2], "a": "x"} for n in range(20))

    monkeypatch.setattr(toy_scales, "MEASURES", [replace(half, formula=loud)])
    table = replace(toy_scales.TABLE, read=rows, tells=lambda path, start: start == b"TOY")
    monkeypatch.setattr(toy_scales, "TABLE", table)
    forget_plugins()
    (tmp_path / "t.toy").write_bytes(b"TOY")
    asked = ["evaluate", tmp_path / "t.toy", "--measure", "half recall of x", "--json"]
    typed = type_words(asked)
    assert typed.code == 0, typed.err
    assert json.loads(typed.out)["kind"] == "evaluation"
    assert "loud" in typed.words


def test_an_algorithm_takes_no_name_of_the_house_and_the_first_of_two_stays(installed, monkeypatch):
    listed = find_plugins("algorithms")
    again = [replace(listed[0], package="z"), replace(listed[0], name="lda", where="no:where")]
    kinds = "steelyard.suites.harness.algorithm_kinds.find_plugins"
    with monkeypatch.context() as patch:
        for name in ("steelyard.plugins.find_plugins", kinds):
            patch.setattr(name, lambda kind: (*listed, *again))
        assert name_algorithm("toy-guess").what == listed[0].where
        assert name_algorithm("lda").what.startswith("steelyard.")
        assert _explain_loss("algorithms", listed[0]) == ""
        assert all("is taken" in _explain_loss("algorithms", one) for one in again)


def test_without_a_plug_in_the_standard_library_is_not_even_asked(monkeypatch):
    forget_plugins()
    monkeypatch.setitem(sys.modules, "importlib.metadata", None)
    assert find_plugins("logs") == ()
    assert "No plug-in is installed" in type_words(["catalogue", "--plugins"]).out
