"""What other packages add by entry points is found, used, listed, and breaks nothing."""

import json
import shutil
import sys
import tomllib
from pathlib import Path

import pytest

import steelyard
from steelyard.errors import FileUnreadable, RequestError
from steelyard.measures import CATALOGUE, catalogue_entry
from steelyard.measures.catalogue import listing
from steelyard.plugins import find_plugins, forget_plugins
from steelyard.suites import name_algorithm
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

    def stumble(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(toy_scales, "LOG", 0)
    object.__setattr__(toy_scales.TABLE, "tells", stumble)
    forget_plugins()
    plain = tmp_path / "plain.csv"
    plain.write_text("item,truth,a\n1,x,x\n2,y,x\n3,x,x\n", encoding="utf-8")
    assert steelyard.evaluate(plain).systems


def test_without_a_plug_in_the_standard_library_is_not_even_asked(monkeypatch):
    forget_plugins()
    monkeypatch.setitem(sys.modules, "importlib.metadata", None)
    assert find_plugins("logs") == ()
    assert "No plug-in is installed" in type_words(["catalogue", "--plugins"]).out
