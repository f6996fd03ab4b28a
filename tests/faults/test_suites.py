"""The corpus on suites: one refusal in the words of all surfaces, and nothing is written or run."""

import shutil
import sys
from pathlib import Path

import pytest
from reached import ON_SUITES
from suite_corpus import BAD_SUITES, BAD_VECTORS, place_table
from surfaces import SuitePage, in_the_terminal

import steelyard
from steelyard.errors import SteelyardError
from steelyard.journey import leaderboard, run_suite
from steelyard.suites import Algorithm, Limits, Suite, check_suite, new_suite, seal_suite
from steelyard.suites.harness.cells import Assignment, run_cell
from steelyard.surfaces.cli.entry import main

FIRST = list({bad.code: bad for bad in reversed(ON_SUITES)}.values())
"""One input for each kind of fault; the others only in the long form."""
PLACED = [
    pytest.param(
        bad, "answers", id=f"{bad.name}, answers", marks=[] if bad in FIRST else [pytest.mark.long]
    )
    for bad in ON_SUITES
]
PLACED += [
    pytest.param(bad, table, id=f"{bad.name}, {table}")
    for n, bad in enumerate(FIRST)
    for table in [("train", "test")[n % 2]]
]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A sealed suite with a finished run."""
    suite = seal_suite(new_suite(tmp_path_factory.mktemp("sound") / "mine"))
    run_suite(suite, ["lda"])
    return suite.folder


@pytest.fixture
def folder(sound, tmp_path):
    return Path(shutil.copytree(sound, tmp_path / "mine"))


def refusal(call, *given):
    with pytest.raises(SteelyardError) as caught:
        call(*given)
    return caught.value


def typed(monkeypatch, capsys, *words):
    monkeypatch.setattr(sys, "argv", ["steelyard", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code, *capsys.readouterr()


def content(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def checked(folder):
    return check_suite(Suite.read(folder))


def everywhere(folder, said, monkeypatch, capsys):
    """Check that every command refuses in these words and leaves every file as it was."""
    before = content(folder)
    for words in (("check",), ("check", "--seal", "9"), ("run", "--algorithm", "lda")):
        if "content" in said and "--seal" in words:
            continue  # a new seal is what a changed suite needs
        code, out, err = typed(monkeypatch, capsys, "suite", words[0], folder, *words[1:])
        assert (code, out, err) == (code, "", in_the_terminal(said, err, [])), words
        assert code in {1, 2}
    assert content(folder) == before


@pytest.mark.parametrize(("bad", "table"), PLACED)
def test_a_file_is_refused_as_everywhere(bad, table, folder, tmp_path, monkeypatch, capsys):
    (tmp_path / "data").mkdir()
    placed = place_table(folder, table, Path(bad.write(tmp_path / "data")))
    plain = str(refusal(lambda: steelyard.evaluate(str(placed), **bad.roles)))
    found = refusal(checked, folder)
    assert found.code == refusal(lambda: steelyard.evaluate(str(placed), **bad.roles)).code
    hint = " In a suite it stands in problem.toml." if "(--" in plain else ""
    assert str(found) == f"example/{plain}{hint}"
    if table == "answers":
        everywhere(folder, str(found), monkeypatch, capsys)


@pytest.mark.parametrize("bad", BAD_SUITES, ids=[bad.name for bad in BAD_SUITES])
def test_rows_and_words_of_a_suite_are_refused_and_nothing_is_written(
    bad, folder, monkeypatch, capsys
):
    bad.change(folder)
    found = refusal(checked, folder)
    assert found.code == bad.code
    for word in bad.words:
        assert word in str(found)
    everywhere(folder, str(found), monkeypatch, capsys)


@pytest.mark.parametrize("name", BAD_VECTORS)
def test_ready_predictions_end_as_a_failed_cell_that_says_why(name, folder, tmp_path):
    text, said = BAD_VECTORS[name]
    ids = Suite.read(folder).problem("example").test().ids
    given = tmp_path / "given"
    given.mkdir()
    first, *lines = text.format(ids[0]).splitlines(keepends=True) or [""]
    whole = "lacking" not in name or "class" in name
    others = [f"{one},1\n" if "class" in name else f"{one},0.5,0.5\n" for one in ids[1:]]
    rows = [*lines, *others] if lines and whole and "no rows" not in name else lines
    (given / "example.csv").write_text("".join([first, *rows]), encoding="utf-8")
    cell = run_cell(
        Assignment(
            algorithm=Algorithm(name="ready", kind="file", what=str(given)),
            problem=Suite.read(folder).problem("example"),
            key="k",
            target=tmp_path / "cell",
            limits=Limits(),
            hide=(),
            alone=True,
            secret=b"",
        )
    )
    assert cell.state == "invalid"
    assert said in cell.reason
    assert not (tmp_path / "cell/out.parquet").exists()


@pytest.mark.parametrize("table", ["answers", "test"])
def test_a_finished_run_is_not_held_against_other_questions(table, folder, monkeypatch, capsys):
    path = folder / f"problems/example/{table}.csv"
    head, first, second, *rest = path.read_text().splitlines()
    path.write_text("\n".join([head, second, first, *rest]) + "\n")
    found = refusal(leaderboard, folder)
    assert found.code == "content-changed"
    for words in (("leaderboard",), ("score",), ("report", "-o", folder.parent / "r.html")):
        code, out, err = typed(monkeypatch, capsys, "suite", words[0], folder, *words[1:])
        assert (code, out, err) == (1, "", in_the_terminal(found, err, []))
    assert not (folder.parent / "r.html").exists()
    assert SuitePage(folder.parent / "state", folder).refusal() == str(found)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("delimiter", "id;class;group\n{rows}", {"delimiter": ";"}),
        ("encoding", "id,class,group\n{rows}", {"encoding": "utf-16-le"}),
    ],
)
def test_what_a_hint_names_may_stand_in_the_file_of_the_problem(name, text, said, folder):
    path = folder / "problems/example/answers.csv"
    rows = path.read_text().splitlines()[1:]
    mark = said.get("delimiter", ",")
    lines = "\n".join(row.replace(",", mark) for row in rows) + "\n"
    path.write_bytes(text.format(rows=lines).encode(said.get("encoding", "utf-8")))
    toml = folder / "problems/example/problem.toml"
    if name == "encoding":
        assert "encoding='utf-16-le'" in str(refusal(checked, folder))
        for table in ("train", "test"):
            other = folder / f"problems/example/{table}.csv"
            other.write_bytes(other.read_text().encode("utf-16-le"))
    else:
        for table in ("train", "test"):
            other = folder / f"problems/example/{table}.csv"
            other.write_text(other.read_text().replace(",", mark))
    toml.write_text(f"{name} = '{said[name]}'\n{toml.read_text()}")
    assert len(Suite.read(folder).problem("example").answers().ids) == 60


def test_unicode_forms_of_a_class_meet_and_lookalikes_are_a_doubt(folder):
    toml = folder / "problems/example/problem.toml"
    toml.write_text(toml.read_text().replace('"calm"', '"cafe\u0301"'), encoding="utf-8")
    for table in ("train", "answers"):
        path = folder / f"problems/example/{table}.csv"
        path.write_text(path.read_text().replace(",calm,", ",caf\u00e9,"), encoding="utf-8")
    suite = Suite.read(folder)
    doubts = check_suite(seal_suite(suite, version="2"))
    assert suite.problem("example").names == ("caf\u00e9", "rough")
    assert not any("differ only" in doubt for doubt in doubts)


def test_vectors_that_do_not_sum_to_one_are_scores_and_are_normalised(folder, tmp_path):
    ids = Suite.read(folder).problem("example").test().ids
    for name, number in (("one", 0.5), ("many", 17.0)):
        (tmp_path / name).mkdir()
        rows = "".join(f"{one},{number},{number}\n" for one in ids)
        (tmp_path / name / "example.csv").write_text(f"id,calm,rough\n{rows}")
    board = run_suite(folder, [f"{name}=file:{tmp_path / name}" for name in ("one", "many")])
    scores = {cell.algorithm: cell.score.value for cell in board.cells}
    assert scores["one"] == scores["many"] == scores["null"]


def test_columns_may_have_any_name_and_none_is_taken_for_sql(folder):
    for table in ("train", "test"):
        path = folder / f"problems/example/{table}.csv"
        head = '"""; DROP TABLE x; --"'
        path.write_text(path.read_text().replace("mean", head, 1), encoding="utf-8")
    assert Suite.read(folder).problem("example").train().columns[0] == '"; DROP TABLE x; --'


@pytest.mark.parametrize("name", ["../up", "a/b", "", "a b", "\x1b[2J"])
def test_a_run_has_a_name_that_stays_in_its_folder(name, folder):
    before = content(folder.parent)
    for call in (run_suite, leaderboard):
        with pytest.raises(SteelyardError, match="cannot be the name of a folder"):
            call(folder, name=name)
    assert content(folder.parent) == before
