"""Leaderboards: who is named, which ranks remain possible, and what is said of all problems."""

import json
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.comparison import nemenyi
from steelyard.errors import NotComparable, RefusedData, RequestError
from steelyard.journey import compare_suite_runs, leaderboard, run_suite, show_cell
from steelyard.measures import vector_score
from steelyard.results import read_result
from steelyard.suites import (
    Answers,
    Items,
    Problem,
    ProblemClass,
    Suite,
    SuiteProblem,
    seal_suite,
    write_problem,
)
from steelyard.suites.problems.vectors import parse_lines
from steelyard.suites.standings.item_scores import (
    ProblemScores,
    score_difference,
    score_problem,
    suite_score,
)
from steelyard.suites.standings.leaderboards import mean_ranks, over_problems
from steelyard.tally import vector_scores_of

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "meastex.json").read_text())
EXAMPLE = next(one for one in GOLDEN["examples"] if one["name"].startswith("7"))
ROGUES = Path(__file__).with_name("rogues.py")
# A vector of zeros is refused here; the example scores it 0, as (0, 1) does for the class 0.
OUTPUTS = [[1.0, 0.0] if sum(one) == 0 else one for one in EXAMPLE["outputs"]]


def parts_of(outputs, truth, weights=None, groups=None, name="A"):
    size = len(outputs[0])
    codes = np.array(truth)
    from steelyard.tally.kernels.vectors import item_scores

    return ProblemScores(
        problem="p",
        weight=1.0,
        codes=codes,
        groups=tuple(groups or map(str, range(len(truth)))),
        weights=np.array(weights or [1 / size] * size),
        scores={name: item_scores(codes, np.array(outputs))},
    )


def value(part, rule="spherical"):
    return suite_score([part], "A", rule, level=0.95).value


def test_a_problem_has_the_score_of_the_worked_example():
    part = parts_of(OUTPUTS, EXAMPLE["true"], EXAMPLE["weights"])
    assert value(part) == pytest.approx(EXAMPLE["l2"], abs=1e-12)
    heavy = parts_of(OUTPUTS, EXAMPLE["true"], [0.25, 0.75])
    assert value(heavy) == pytest.approx(EXAMPLE["l2_weights_25_75"], abs=1e-12)


def test_winner_take_all_is_the_class_mean_of_the_worked_example():
    part = parts_of(OUTPUTS, EXAMPLE["true"], EXAMPLE["weights"])
    assert value(part, "winner") == pytest.approx(EXAMPLE["percent_correct_class_mean"], abs=1e-12)


def test_a_suite_scores_the_mean_of_its_problems():
    first = parts_of(OUTPUTS, EXAMPLE["true"], EXAMPLE["weights"])
    second = parts_of([[3.0, 4.0], [4.0, 3.0]], [1, 0])
    third = parts_of([[1.0, 0.0], [0.0, 1.0]], [0, 1])
    assert [value(second), value(third)] == EXAMPLE["suite_of"][1:]
    whole = suite_score([first, second, third], "A", "spherical", level=0.95)
    assert whole.value == pytest.approx(EXAMPLE["suite"], abs=1e-12)


def test_vectors_printed_by_a_program_are_scored_as_the_worked_example():
    printed = "\n".join(" ".join(map(str, one)) for one in OUTPUTS).encode()
    read = parse_lines(printed, items=5, classes=2)
    assert value(parts_of(read, EXAMPLE["true"])) == pytest.approx(EXAMPLE["l2"], abs=1e-12)


def test_what_only_python_takes_for_a_number_is_no_part_of_a_vector():
    with pytest.raises(RefusedData, match=r"not a number .*1_0"):
        parse_lines(b"0.5 1_0\n", items=1, classes=2)


def random_vectors(seed, items=40):
    rng = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(3), rng.integers(0, 3, items - 3)])
    return truth, rng.dirichlet([1, 1, 1], items)


@given(st.integers(0, 50))
@settings(max_examples=15)
def test_scores_agree_with_the_sums_that_evaluate_uses(seed):
    truth, vectors = random_vectors(seed)
    part = parts_of(vectors, truth, [0.2, 0.3, 0.5])
    sums = vector_scores_of(truth.astype(str), {"A": vectors}, labels=["0", "1", "2"])
    weights = {"0": 0.2, "1": 0.3, "2": 0.5}
    for rule in ("spherical", "winner", "brier", "log"):
        known = vector_score(sums, rule, "A", class_weights=weights)
        assert value(part, rule) == pytest.approx(known.value, abs=2e-9)


@given(st.integers(0, 50))
@settings(max_examples=10)
def test_copies_of_items_in_their_groups_make_no_interval_shorter(seed):
    truth, vectors = random_vectors(seed)
    groups = [str(k) for k in range(len(truth))]
    once = suite_score([parts_of(vectors, truth, groups=groups)], "A", "spherical", level=0.9)
    twice = parts_of(
        np.repeat(vectors, 3, axis=0), np.repeat(truth, 3), groups=np.repeat(groups, 3).tolist()
    )
    again = suite_score([twice], "A", "spherical", level=0.9)
    assert again.standard_error == pytest.approx(once.standard_error, rel=1e-9)


def test_a_group_in_two_problems_is_one_group():
    truth, vectors = random_vectors(3)
    part = parts_of(vectors, truth)
    alone = suite_score([part], "A", "spherical", level=0.9)
    both = suite_score([part, part], "A", "spherical", level=0.9)
    assert both.interval == alone.interval
    apart = replace(part, groups=tuple(f"other-{name}" for name in part.groups))
    fresh = suite_score([part, apart], "A", "spherical", level=0.9)
    assert fresh.standard_error < alone.standard_error


def test_the_difference_of_two_algorithms_turns_its_sign_with_their_order():
    truth, vectors = random_vectors(5)
    part = parts_of(vectors, truth)
    more = parts_of(random_vectors(6)[1], truth, name="B")
    both = replace(part, scores={**part.scores, **more.scores})
    one, two = score_difference([both], "A", "B"), score_difference([both], "B", "A")
    assert one.estimate.value == -two.estimate.value
    assert one.p_value == two.p_value
    assert score_difference([both], "A", "A").p_value == 1.0


def test_a_chance_of_zero_for_the_truth_leaves_the_log_score_undefined_with_a_reason():
    part = parts_of([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]], [0, 1, 1])
    found = suite_score([part], "A", "log", level=0.95)
    assert found.value is None
    assert "no chance on 1 item" in found.reason


def ready_suite(folder, *, groups=30, problems=("one", "two"), failures="null"):
    """A suite of rows whose answers follow from a random number, and folders of ready vectors."""
    rng = np.random.default_rng(7)
    for name in problems:
        truth = np.arange(groups * 2) % 2
        ids = tuple(f"{name}{k}" for k in range(truth.size))
        problem = Problem(
            id=name,
            folder=folder / "suite/problems" / name,
            classes=tuple(ProblemClass(name=of, prior=0.5, weight=0.5) for of in "ab"),
            unit="row",
        )
        items = {"numbers": rng.normal(size=(truth.size, 1)), "columns": ("x",)}
        classes = tuple("ab"[k] for k in truth)
        write_problem(
            problem,
            train=Items(ids=ids, classes=classes, groups=ids, **items),
            test=Items(ids=ids, **items),
            answers=Answers(
                ids=ids, classes=classes, groups=tuple(f"g{k // 2}" for k in range(truth.size))
            ),
        )
        for algorithm, right in {"good": 0.9, "same": 0.9, "poor": 0.55}.items():
            sure = np.where(rng.random(truth.size) < right, 0.8, 0.2)
            lines = [
                f"{one},{s if t == 0 else 1 - s},{1 - s if t == 0 else s}"
                for one, t, s in zip(ids, truth, sure, strict=True)
            ]
            (folder / algorithm).mkdir(exist_ok=True)
            text = "\n".join(["id,a,b", *lines]) + "\n"
            (folder / algorithm / f"{name}.csv").write_text(text)
    suite = Suite(
        id="ready",
        folder=folder / "suite",
        version="1",
        licence="CC0",
        failures=failures,
        problems=tuple(SuiteProblem(id=name) for name in problems),
    )
    return seal_suite(suite)


def ready(folder, *names):
    return [f"{name}=file:{folder / name}" for name in names]


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """A suite that was run with three algorithms, and its leaderboard."""
    folder = tmp_path_factory.mktemp("three")
    suite = ready_suite(folder, groups=20, problems=tuple("pqrst"))
    return suite, run_suite(suite, ready(folder, "good", "same", "poor"))


def test_algorithms_of_equal_skill_lead_together_and_a_poor_one_does_not(three):
    _, board = three
    assert {one.algorithm for one in board.leaders} == {"good", "same"}
    assert "lead ready@1 and cannot be told apart" in board.sentence()
    assert {one.ranks for one in board.leaders} == {"1-2"}
    assert {"null", "majority"} <= {one.algorithm for one in board.algorithms}
    assert board == read_result(board.to_json())
    assert all(len(line) <= 80 for line in board.text().splitlines())


def test_one_leader_leads_alone(tmp_path):
    suite = ready_suite(tmp_path, problems=("one",))
    board = run_suite(suite, ready(tmp_path, "good", "poor"))
    assert board.sentence().startswith("good leads ready@1 alone: L2 score 0.8")


def test_a_suite_on_which_nothing_works_says_so(tmp_path):
    board = run_suite(ready_suite(tmp_path, groups=3, problems=("one",)), ready(tmp_path, "poor"))
    assert board.sentence().startswith("No algorithm can be told from null")
    assert any("groups of items" in note for note in board.notes())


def test_a_failed_cell_scores_as_null_and_is_shown_with_its_reason(tmp_path):
    suite = ready_suite(tmp_path)
    (tmp_path / "good/two.csv").write_text("id,a,b\n")
    board = run_suite(suite, ready(tmp_path, "good", "same"))
    cells = {(one.algorithm, one.problem): one for one in board.cells}
    failed, null = cells["good", "two"], cells["null", "two"]
    assert (failed.state, failed.counted) == ("invalid", "null")
    assert failed.score == null.score
    assert "1 of 8 cells failed and was scored as null" in board.sentence()
    assert "good on two: invalid, two.csv: there are columns, but not one row" in board.text()
    line = next(one for one in board.algorithms if one.algorithm == "good")
    assert (line.failed, line.cells) == (1, 2)


def test_an_excluded_failure_leaves_the_algorithm_in_the_table_without_a_rank(tmp_path):
    suite = ready_suite(tmp_path, failures="excluded")
    (tmp_path / "good/two.csv").write_text("id,a,b\n")
    board = run_suite(suite, ready(tmp_path, "good", "same"))
    last = board.algorithms[-1]
    assert (last.algorithm, last.ranks, last.failed) == ("good", None, 1)
    assert board.leaders[0].algorithm == "same"
    assert "not ranked" in board.sentence()
    (tmp_path / "same/one.csv").unlink()
    (tmp_path / "same/two.csv").unlink()
    nothing = run_suite(suite, ready(tmp_path, "same"), name="nothing")
    line = next(one for one in nothing.algorithms if one.algorithm == "same")
    assert line.score.value is None
    assert line.score.reason


def test_a_new_version_is_compared_with_the_old_one(tmp_path):
    suite = ready_suite(tmp_path)
    mine = f"mine=file:{tmp_path / 'mine'}"
    (tmp_path / "poor").rename(tmp_path / "mine")
    run_suite(suite, [mine], name="before")
    for name in ("one", "two"):
        (tmp_path / "good" / f"{name}.csv").replace(tmp_path / "mine" / f"{name}.csv")
    run_suite(suite, [mine], name="after")
    board = compare_suite_runs(suite, "before", "after")
    assert board.sentence().startswith("mine@after leads ready@1 alone")
    assert {one.algorithm for one in board.algorithms} == {"null", "mine@before", "mine@after"}
    with pytest.raises(NotComparable, match="Change an algorithm"):
        compare_suite_runs(suite, "after", "after")


def test_a_leak_and_changed_content_are_not_passed_over(tmp_path):
    suite = ready_suite(tmp_path, problems=("one",))
    train = suite.folder / "problems/one/train.csv"
    train.write_text(train.read_text().replace("one0,a,one0", "one0,a,g0"))
    with pytest.raises(RefusedData, match="changed since version 1"):
        run_suite(suite, ready(tmp_path, "good"))
    board = run_suite(seal_suite(suite, version="2"), ready(tmp_path, "good"))
    assert any("1 group has training and test items" in note for note in board.notes())


def test_a_leaderboard_is_found_again_without_running(three):
    suite, board = three
    assert leaderboard(suite.folder) == board


def test_a_cell_is_shown_with_its_logs(tmp_path):
    suite = ready_suite(tmp_path, problems=("one",))
    crash = f"crash=json:{sys.executable} {ROGUES} network"
    run_suite(suite, [crash])
    detail = show_cell(suite, "crash", "one")
    assert detail.sentence().startswith("crash on one ended as failed: ")
    assert "Traceback" in detail.text()
    assert read_result(detail.to_json()) == detail
    with pytest.raises(RequestError, match="Did you mean"):
        show_cell(suite, "crush", "one")


def test_charts_of_a_leaderboard_tell_the_same(three):
    _, board = three
    assert list(board.charts()) == ["scores", "ranks", "critical-difference"]
    for kind in board.charts():
        assert "good" in board.chart(kind=kind).summary


def test_problem_scores_follow_the_ids_whatever_the_order_of_answers(tmp_path):
    suite = ready_suite(tmp_path, problems=("one",))
    problem = suite.problem("one")
    path = problem.folder / "answers.csv"
    head, *lines = path.read_text().splitlines()
    vectors = {"A": np.random.default_rng(1).random((60, 2))}
    before = score_problem(problem, vectors, weight=1.0)
    path.write_text("\n".join([head, *reversed(lines)]) + "\n")
    after = score_problem(problem, vectors, weight=1.0)
    assert (before.codes == after.codes).all()
    assert before.groups == after.groups


tables = st.integers(2, 5).flatmap(
    lambda size: st.lists(
        st.lists(st.sampled_from([k / 10 for k in range(11)]), min_size=6, max_size=6),
        min_size=size,
        max_size=size,
    ).map(lambda rows: {f"a{k}": row for k, row in enumerate(rows)})
)


@given(tables)
@settings(max_examples=15)
def test_algorithms_share_a_bar_exactly_when_nemenyi_does_not_tell_them_apart(table):
    found = over_problems(table, alpha=0.05, seed=1)
    ranks = mean_ranks(table)
    for pair in nemenyi(table).pairs:
        together = any({pair.first, pair.second} <= set(group) for group in found.cliques)
        apart = abs(ranks[pair.first] - ranks[pair.second]) >= found.critical_difference
        assert together != apart
    for one, two in combinations(found.cliques, 2):
        assert not set(one) <= set(two)
        assert not set(two) <= set(one)


@given(tables)
@settings(max_examples=8)
def test_chances_against_the_leader_add_up_to_one(table):
    found = over_problems(table, alpha=0.05, seed=1)
    assert {one.second for one in found.chances} == set(table) - {found.leader}
    for one in found.chances:
        assert one.worse + one.alike + one.better == pytest.approx(1)
