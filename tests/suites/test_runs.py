"""Runs: every rogue ends as a named failure beside the others, and what is done stays done."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import numpy as np
import pytest

from steelyard.engines.identity import FileIdentity
from steelyard.errors import FileUnreadable, RequestError
from steelyard.suites import Suite, import_meastex, new_suite, seal_suite, write_image
from steelyard.suites.harness.algorithm_kinds import find_algorithms
from steelyard.suites.harness.cells import run_cell
from steelyard.suites.harness.processes import NOBODY, Limits, user_threads
from steelyard.suites.harness.runs import _plan, read_run, run_cells
from steelyard.suites.harness.workplaces import lay_out
from steelyard.suites.problems.item_files import read_table
from steelyard.suites.problems.problem import Answers, Items, write_problem
from steelyard.suites.standings.leaderboards import run_entries

# A copy of their own, so that these tests know their own rogues among all that run on the machine.
ROGUES = Path(mkdtemp(prefix="steelyard-rogues-")) / "rogues.py"
ROGUES.parent.chmod(0o755)
shutil.copy(Path(__file__).with_name("rogues.py"), ROGUES)
TIGHT = Limits(seconds=600, memory=200 << 20, processes=12, output=1 << 20, file=4 << 20)
HASTY = replace(TIGHT, seconds=2)
"""For what hangs on any machine; the others may take as long as a busy one makes them."""
ENDS = {
    "good": ("ok", None),
    "flood": ("flood", "more than 1,048,576 bytes"),
    "big_file": ("flood", "File too large"),
    "fork": ("forks", "more than 12 processes|Resource temporarily"),
    "eat": ("oom", "MemoryError|bytes of memory"),
    "short": ("invalid", "no column rough"),
    "fewer": ("invalid", "59 rows for 60 items"),
    "negative": ("invalid", "a number below 0. First: row 1: '[-1.0, 1.0]'"),
    "zeros": ("invalid", "only zeros, which favour no class"),
    "silent": ("invalid", "neither out.csv nor out.parquet"),
    "crash": ("failed", "signal 6"),
    "network": ("failed", "tried the network, which is closed"),
    "spy": ("failed", "No such file"),
}


def rogue(name, *more):
    return f"{name}=json:{sys.executable} {ROGUES} {' '.join([name, *map(str, more)])}"


@pytest.fixture(scope="module", autouse=True)
def tidy():
    yield
    shutil.rmtree(ROGUES.parent)


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    return seal_suite(new_suite(tmp_path_factory.mktemp("suite") / "mine"))


@pytest.fixture(scope="module")
def ran(suite, tmp_path_factory):
    answers = suite.folder.resolve() / "problems/example/answers.csv"
    given = [rogue(name, *([answers] if name == "spy" else [])) for name in ENDS]
    folder = tmp_path_factory.mktemp("runs")
    return run_cells(suite, find_algorithms(given, ()), folder=folder, workers=2, limits=TIGHT)


@pytest.fixture(scope="module")
def hung(suite, tmp_path_factory):
    given = find_algorithms([rogue("hang")], ())
    return run_cells(suite, given, folder=tmp_path_factory.mktemp("hung"), limits=HASTY)


def test_a_rogue_that_hangs_is_ended_when_its_time_is_over(hung):
    cell = next(cell for cell in hung.cells if cell.algorithm == "hang")
    assert (cell.state, "took longer than 2 s" in cell.reason) == ("timeout", True)


@pytest.mark.parametrize("name", ENDS)
def test_a_rogue_ends_as_a_named_failure_while_others_finish(ran, name):
    cell = next(cell for cell in ran.cells if cell.algorithm == name)
    if name in ("network", "spy") and not {"no network", "answers hidden"} <= set(cell.protections):
        if os.environ.get("CI"):
            pytest.fail(f"this system gave only {cell.protections}")
        pytest.skip("this system has no namespaces to close the network and hide answers with")
    state, because = ENDS[name]
    assert cell.state == state, cell.reason
    assert because is None or any(part in (cell.reason or "") for part in because.split("|"))


def test_algorithms_that_look_at_nothing_are_in_every_run(ran):
    states = {cell.algorithm: cell.state for cell in ran.cells}
    assert states["null"] == states["majority"] == "ok"
    assert len(ran.cells) == len(ENDS) + 2


def test_nothing_is_left_running_of_a_rogue_that_hid_in_a_session_of_its_own(ran, hung):
    assert ran.cells and hung.cells
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            assert str(ROGUES).encode() not in path.read_bytes()
        except OSError:
            continue


def test_logs_of_a_failure_are_kept(ran):
    assert b"Network is unreachable" in (ran.target("network", "example") / "stderr").read_bytes()
    assert (ran.target("flood", "example") / "stdout").stat().st_size <= 1 << 20


def test_a_second_run_does_nothing_again_and_a_retry_only_what_failed(suite, ran):
    given = [rogue("good"), rogue("crash")]
    folder = ran.folder.parent
    same = run_cells(suite, find_algorithms(given, ()), folder=folder, limits=TIGHT)
    assert same.ran == 0
    more = run_cells(suite, find_algorithms(given, ()), folder=folder, limits=TIGHT, again=True)
    assert more.ran == 1
    assert [cell.key for cell in more.cells] == [cell.key for cell in same.cells]
    assert read_run(suite, folder=folder).cells == more.cells


def planned(suite, folder):
    place = folder / f"{suite.id}@{suite.version}"
    content = {one.id: "0" * 64 for one in suite.problems}
    return _plan(suite, find_algorithms((), ()), place, content, Limits(), alone=True)


def test_a_run_that_comes_later_leaves_the_cells_that_another_reads(suite, tmp_path):
    (slow, *_), (quick, *_) = (planned(suite, tmp_path) for _ in range(2))
    quick.target.mkdir(parents=True)
    first = run_cell(quick)
    kept = [FileIdentity.of(path) for path in sorted(quick.target.iterdir())]
    assert run_cell(slow) == first
    assert all(
        one.still(path) for one, path in zip(kept, sorted(quick.target.iterdir()), strict=True)
    )


def test_vectors_of_other_questions_are_not_scored_as_if_they_belonged_to_these(suite, tmp_path):
    run = run_cells(suite, find_algorithms((), ()), folder=tmp_path)
    entry, problem = run_entries(run)[0], suite.read_problems()[0]
    assert len(entry.vectors(problem)) == len(problem.test())
    other = next(one for one in planned(suite, tmp_path) if one.algorithm.name == entry.algorithm)
    run_cell(other)
    with pytest.raises(FileUnreadable, match="changed while it was read") as refused:
        entry.vectors(problem)
    assert refused.value.code == "file-changed"


def test_a_changed_program_is_another_algorithm_and_its_old_cells_stay(suite, tmp_path):
    program = tmp_path / "program.py"
    keys = []
    for extra in ("", "# changed\n"):
        program.write_text(ROGUES.read_text() + extra)
        given = find_algorithms([f"good=json:{sys.executable} {program} good"], ())
        run = run_cells(suite, given, folder=tmp_path / "runs", name=f"v{len(keys)}")
        keys.append([cell.key for cell in run.cells if cell.algorithm == "good"])
        assert run.ran == (3 if not extra else 1)
    assert keys[0] != keys[1]
    assert read_run(suite, folder=tmp_path / "runs", name="v0").cells


SCRIPT = """
import sys
from dataclasses import replace
from pathlib import Path
from steelyard.suites import Suite
from steelyard.suites.harness.algorithm_kinds import find_algorithms
from steelyard.suites.harness.runs import run_cells
suite, folder, *given = sys.argv[1:]
run = run_cells(Suite.read(suite), find_algorithms(given, ()), folder=Path(folder))
print(run.ran)
"""


def test_a_run_that_was_killed_goes_on_and_gives_the_same_vectors(suite, tmp_path):
    slow = f"slow=json:{sys.executable} {tmp_path / 'slow.py'} good"
    waits = f"while not Path({str(tmp_path / 'go')!r}).exists():\n        time.sleep(0.02)"
    (tmp_path / "slow.py").write_text(
        ROGUES.read_text().replace("def good():", f"def good():\n    {waits}")
    )
    given = ["lda", slow, rogue("good")]
    command = [sys.executable, "-c", SCRIPT, str(suite.folder)]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    first = subprocess.Popen([*command, str(killed), *given], stdout=subprocess.PIPE)
    cells = killed / "mine@1" / "cells"
    while not list(cells.glob("lda@*/example/cell.json")):
        time.sleep(0.02)
    time.sleep(0.5)  # the slow one has begun, most often
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()
    (tmp_path / "go").touch()
    done = {path.parent: path.stat().st_mtime_ns for path in cells.glob("*/*/cell.json")}
    assert 3 <= len(done) < 5
    again = subprocess.run([*command, str(killed), *given], capture_output=True, check=True)
    assert int(again.stdout) == 5 - len(done)
    for folder, moment in done.items():
        assert (folder / "cell.json").stat().st_mtime_ns == moment
    subprocess.run([*command, str(whole), *given], capture_output=True, check=True)
    outs = sorted(path.relative_to(killed) for path in killed.rglob("out.parquet"))
    assert len(outs) == 5
    for path in outs:
        assert (killed / path).read_bytes() == (whole / path).read_bytes()


PRINTER = """\
import sys
lines = [line.split() for line in open(sys.argv[-1]).read().splitlines()]
for line in lines[int(lines[0][0]) + 2:]:
    if line[0] == "Z":
        pixels = open(line[1], "rb").read()[-48:]
        print(sum(pixels) / len(pixels), 255 - sum(pixels) / len(pixels))
"""


def test_a_program_in_the_meastex_manner_prints_vectors_in_the_order_of_the_test_file(tmp_path):
    folder = tmp_path / "Light"
    folder.mkdir()
    lines, valid = ["2", "A 1 0.5 0.5", "B 1 0.5 0.5", "Z 6", "A a.pgm", "B b.pgm"], []
    for name, grey in {"a": 200, "b": 50}.items():
        write_image(folder / f"{name}.pgm", np.full((8, 6), grey))
    for place in range(6):
        write_image(folder / f"z{place}.pgm", np.full((8, 6), 40 * place))
        lines.append(f"Z z{place}.pgm")
        valid.append(f"z{place}.pgm {'BA'[place >= 3]}")
    (folder / "p.Test").write_text("\n".join(lines) + "\n")
    (folder / "p.Valid").write_text("\n".join(valid) + "\n")
    suite = import_meastex(folder, tmp_path / "suite")
    program = tmp_path / "printer.py"
    program.write_text(PRINTER)
    given = find_algorithms([f"light=meastex:{sys.executable} {program}"], ())
    run = run_cells(suite, given, folder=tmp_path / "runs")
    cell = next(cell for cell in run.cells if cell.algorithm == "light")
    assert cell.state == "ok", cell.reason
    table = read_table(run.target("light", "p") / "out.parquet", texts={"id": "item"})
    assert table["id"] == [f"z{place}.pgm" for place in range(6)]
    assert table["A"].tolist() == [40.0 * place for place in range(6)]


def test_ready_predictions_and_estimators_and_functions_end_as_the_same_table(suite, tmp_path):
    ready = tmp_path / "ready"
    ready.mkdir()
    problem = suite.problem("example")
    rows = [f"{name},1,3" for name in reversed(problem.test().ids)]
    (ready / "example.csv").write_text("\n".join(["id,calm,rough", *rows]) + "\n")
    (tmp_path / "mine.py").write_text(
        "import numpy as np\n"
        "def flat(task):\n    return np.ones((len(task.test), len(task.classes)))\n"
    )
    sys.path.insert(0, str(tmp_path))
    try:
        given = [
            f"ready=file:{ready}",
            "bayes=sklearn:sklearn.naive_bayes:GaussianNB",
            "flat=python:mine:flat",
        ]
        run = run_cells(suite, find_algorithms(given, ()), folder=tmp_path / "runs")
    finally:
        sys.path.remove(str(tmp_path))
    assert {cell.state for cell in run.cells} == {"ok"}, [cell.reason for cell in run.cells]
    for name in ("ready", "bayes", "flat"):
        table = read_table(run.target(name, "example") / "out.parquet", texts={"id": "item"})
        assert tuple(table["id"]) == problem.test().ids
        assert min(table["calm"]) >= 0


@contextmanager
def whoever(asked):
    """Write a program that anybody can reach, and that ends in a failure by its own choice."""
    with TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        program = Path(made) / "who.sh"
        program.write_text(f"#!/bin/sh\n{asked}\nexit 3\n")
        program.chmod(0o755)
        yield program


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_root_runs_a_program_that_nobody_can_reach_as_nobody(suite, tmp_path):
    with whoever("id -u >&2") as program:
        given = find_algorithms([f"who=json:{program}"], ())
        run = run_cells(suite, given, folder=tmp_path / "runs")
    cell = next(cell for cell in run.cells if cell.algorithm == "who")
    assert cell.reason == "exit code 3: 65534"
    assert {"own user", "no rights of root"} <= set(cell.protections)


@pytest.mark.skipif(os.getuid() != 0, reason="only root may start what belongs to nobody")
def test_what_else_its_user_runs_does_not_count_against_a_program(suite, tmp_path):
    # For the limit of the system a thread counts as much as a process.
    wait = "import threading, time; x = [threading.Thread(target=time.sleep, args=(600,))"
    wait += " for _ in range(30)]; [one.start() for one in x]; print(flush=True)"
    words = ["/usr/bin/env", "python3", "-c", wait]
    with (
        whoever("(id -u) >&2") as program,
        subprocess.Popen(words, user=NOBODY, group=NOBODY, stdout=subprocess.PIPE) as other,
    ):
        other.stdout.readline()
        found = user_threads(NOBODY)
        given = find_algorithms([f"who=json:{program}"], ())
        run = run_cells(suite, given, folder=tmp_path / "runs", limits=TIGHT)
        other.kill()
    assert found > 30
    assert next(c.reason for c in run.cells if c.algorithm == "who") == "exit code 3: 65534"


def test_a_working_folder_tells_neither_names_nor_order_nor_answers(suite, tmp_path):
    from steelyard.suites.harness.workplaces import lay_out

    place = lay_out(suite.problem("example"), tmp_path, secret=b"")
    assert not list(tmp_path.rglob("*answers*"))
    assert set(place.real) == set(suite.problem("example").test().ids)
    assert place.real != suite.problem("example").test().ids
    assert "class" not in read_table(tmp_path / "test.csv")
    assert "answers" not in json.loads(place.job.read_text())


@pytest.fixture(scope="module")
def noise(tmp_path_factory):
    """A suite of pure noise whose test items stand in the order of their classes."""
    made = new_suite(tmp_path_factory.mktemp("noise") / "noise")
    rng = np.random.default_rng(1)
    problem = made.problem("example")
    ids = tuple(f"{place:03d}" for place in range(60))
    halves = tuple(problem.names[place // 30] for place in range(60))
    train = Items(ids=ids, classes=halves, groups=ids, numbers=rng.random((60, 1)), columns=("x",))
    test = Items(ids=ids, numbers=rng.random((60, 1)), columns=("x",))
    answers = Answers(ids=ids, classes=halves, groups=ids)
    write_problem(problem, train=train, test=test, answers=answers)
    return seal_suite(made)


def test_nothing_that_an_algorithm_sees_tells_the_order_of_the_classes(noise, tmp_path):
    original = noise.folder.resolve() / "problems/example/test.csv"
    given = find_algorithms([rogue("by_seed"), rogue("by_original", original)], ())
    run = run_cells(noise, given, folder=tmp_path)
    cells = {cell.algorithm: cell for cell in run.cells}
    assert cells["by_original"].state == "failed"
    assert "No such file" in cells["by_original"].reason
    assert cells["by_seed"].state == "ok"
    found = read_table(run.target("by_seed", "example") / "out.parquet")
    first, second = noise.problem("example").names
    called = [first if one > 0.5 else second for one in found[first]]
    answers = noise.problem("example").answers()
    truth = dict(zip(answers.ids, answers.classes, strict=True))
    right = sum(truth[name] == call for name, call in zip(found["id"], called, strict=True))
    assert 18 <= right <= 42, "no better than a coin"


def test_answers_behind_a_link_in_the_history_or_in_other_runs_are_hidden_too(tmp_path):
    made = new_suite(tmp_path / "copy" / "mine")
    answers = made.folder / "problems/example/answers.csv"
    elsewhere, store = tmp_path / "store" / "real.csv", tmp_path / "main/.git"
    for place in (elsewhere, store / "objects/answers", store / "worktrees/copy/HEAD"):
        place.parent.mkdir(parents=True)
        place.write_bytes(answers.read_bytes())
    answers.unlink()
    answers.symlink_to(elsewhere)
    (tmp_path / "copy/.git").write_text(f"gitdir: {store / 'worktrees/copy'}\n")
    (tmp_path / ".hg").mkdir()
    history = tmp_path / ".hg/answers"
    earlier = tmp_path / "runs" / f"{made.id}@0" / "cells/out.parquet"
    earlier.parent.mkdir(parents=True)
    history.write_text("x")
    earlier.write_text("x")
    paths = (answers, elsewhere, store / "objects/answers", history, earlier)
    given = find_algorithms([rogue("look", *paths)], ())
    cell = run_cells(made, given, folder=tmp_path / "runs").cells[0]
    assert ("answers hidden" in cell.protections, cell.state) == (True, "ok"), cell.reason


def test_an_image_is_handed_over_as_its_pixels_and_nothing_else(tmp_path):
    made = new_suite(tmp_path / "mine")
    folder = made.folder / "problems/example"
    (folder / "files").mkdir()
    contents = {
        "files/a.pgm": b"P5\n# rough\n2 1\n255\n\x07\x09",
        "files/b.rough": b"P2\n2 1\n255\n8 9\n",
        "files/c.pgm": b"P5\n2 1\n255\n\x06\x09rough",
        "files/d.pgm": b"P5\n2 1\n300\n\x01\x2c\x00\x09",
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    ids, files = tuple("abcd"), tuple(contents)
    problem = replace(made.problem("example"), unit="image")
    halves = (problem.names * 2)[:4]
    items = Items(ids=ids, files=files)
    answers = Answers(ids=ids, classes=halves, groups=ids)
    train = replace(items, classes=halves, groups=ids)
    write_problem(problem, train=train, test=items, answers=answers)
    lay_out(problem, tmp_path, secret=b"x")
    shown = sorted(path.name for path in tmp_path.glob("t*.pgm"))
    assert shown == [f"t0000{place}.pgm" for place in range(4)]
    assert sorted((tmp_path / name).read_bytes() for name in shown) == [
        b"P5\n2 1\n255\n\x06\x09",
        b"P5\n2 1\n255\n\x07\x09",
        b"P5\n2 1\n255\n\x08\x09",
        b"P5\n2 1\n300\n\x01\x2c\x00\x09",
    ]


def test_equal_test_items_come_in_an_order_that_nobody_can_work_out(noise, tmp_path):
    from dataclasses import replace

    from steelyard.suites.harness.workplaces import _order_of_content

    problem = noise.problem("example")
    alike = replace(problem.test(), numbers=np.zeros((60, 1)))
    orders = [_order_of_content(problem, alike, secret).tolist() for secret in (b"a", b"a", b"b")]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == list(range(60)) != orders[0]


@pytest.mark.parametrize(
    "text",
    [
        "nobody",
        "a=film:x",
        "a=sklearn:nomodule:x",
        "a=meastex:/no/such",
        "a=file:/no/such",
        "a b=json:ls",
    ],
)
def test_an_algorithm_that_is_not_there_is_refused_before_anything_runs(text):
    with pytest.raises(RequestError):
        find_algorithms([text], ())


def test_a_function_without_a_module_is_refused_with_a_way_out():
    with pytest.raises(RequestError, match="Put it in a file"):
        find_algorithms({"mine": lambda task: task}, ())


def test_a_run_that_never_was_lists_the_known_ones(ran, suite):
    with pytest.raises(FileUnreadable, match="Known: latest"):
        read_run(Suite.read(suite.folder), folder=ran.folder.parent, name="older")
