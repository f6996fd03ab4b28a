"""What the user allowed: every row is counted, or named with its number as left out."""

import pytest

from steelyard.counts import Exclusion
from steelyard.sources import NO_ANSWER, Roles, open_predictions
from steelyard.tally import (
    tally_confusion,
    tally_joint_calls,
    tally_joint_scores,
    tally_outcomes,
    tally_score_table,
    tally_trials,
)

CALLS = {
    "id": ["1", "2", "3", "4"],
    "truth": ["x", "y", "x", "y"],
    "a": ["x", None, "y", "y"],
    "b": ["x", "y", None, "y"],
}


def opened(data, **roles):
    return open_predictions(data, Roles.of(**roles))


def files(folder, **contents):
    for name, content in contents.items():
        (folder / f"{name}.csv").write_text(content)
    return {name: folder / f"{name}.csv" for name in contents}


def test_excluded_answers_leave_each_system_its_own_items_and_all_of_them_the_common_ones():
    predictions = opened(CALLS, missing="exclude")
    assert predictions.excluded == (
        Exclusion(reason="no answer", rows=1, system="a"),
        Exclusion(reason="no answer", rows=1, system="b"),
    )
    a, b = predictions.systems
    assert tally_confusion(predictions, a).total == tally_confusion(predictions, b).total == 3
    assert tally_trials(predictions).tested == (3, 3)
    assert tally_outcomes(predictions).total == 2
    assert tally_joint_calls(predictions).total == 2


def test_answers_that_are_missing_may_count_as_wrong():
    predictions = opened(CALLS, missing="worst")
    confusion = tally_confusion(predictions, predictions.system("a"))
    assert (confusion.right, confusion.total) == (2, 4)
    assert NO_ANSWER in confusion.classes
    assert tally_outcomes(predictions).correct() == (2, 3)
    assert predictions.excluded == ()
    assert "1 item without an answer of a counts as wrong (missing=worst)" in predictions.caveats


def test_the_worst_score_stands_at_the_wrong_end():
    data = {"truth": [1, 0, 1, 0], "s": [0.9, None, None, 0.1]}
    predictions = opened(data, positive=1, missing="worst")
    table = tally_score_table(predictions, predictions.systems[0])
    assert list(table.scores) == [float("-inf"), 0.1, 0.9, float("inf")]
    assert (table.total, predictions.excluded) == (4, ())


def test_excluded_scores_are_excluded_together_where_systems_are_compared():
    data = {"truth": [1, 0, 1, 0], "s": [0.9, None, 0.5, 0.1], "t": [0.8, 0.2, float("nan"), 0.3]}
    predictions = opened(data, positive=1, missing="exclude")
    assert [tally_score_table(predictions, s).total for s in predictions.systems] == [3, 3]
    assert tally_joint_scores(predictions).total == 2


def test_outcomes_that_are_missing_may_be_left_out_or_count_as_wrong():
    data = {"a": [1, None, 0], "b": [1, 1, 1]}
    left_out = opened(data, outcome=["a", "b"], missing="exclude")
    assert tally_trials(left_out).tested == (2, 3)
    worst = opened(data, outcome=["a", "b"], missing="worst")
    assert tally_trials(worst).correct == (1, 3)


def test_rows_without_truth_are_left_out_whatever_else_they_lack():
    data = {"truth": ["x", None, "y"], "a": ["x", None, "y"], "b": ["x", "only here", "x"]}
    predictions = opened(data, unlabelled="exclude")
    assert predictions.rows == 2
    assert predictions.excluded == (Exclusion(reason="no truth", rows=1),)
    assert tally_outcomes(predictions).total == 2


def test_repeated_rows_are_named_when_the_first_is_kept():
    data = {"id": ["1", "1", "2", "1"], "truth": ["x", "x", "y", "x"], "a": ["x", "y", "y", "y"]}
    predictions = opened(data, duplicates="first")
    assert predictions.rows == 2
    assert predictions.excluded == (Exclusion(reason="repeated id", rows=2),)
    assert tally_confusion(predictions, predictions.systems[0]).right == 2


def test_an_inner_join_names_what_it_loses_and_says_so(tmp_path):
    named = files(
        tmp_path,
        svm="id,truth,called\n1,x,x\n2,y,y\n3,x,y\n9,,x\n",
        rf="id,truth,called\n2,y,x\n3,x,x\n4,x,x\n",
    )
    predictions = opened(named, join="inner", unlabelled="exclude")
    assert predictions.rows == 2
    assert predictions.excluded == (Exclusion(reason="item not in every system", rows=3),)
    assert tally_outcomes(predictions).correct() == (1, 1)
    assert "compared on the 2 items that every system has" in predictions.caveats[0]


def test_independent_systems_keep_all_their_own_items(tmp_path):
    named = files(
        tmp_path,
        svm="id,truth,called\n1,x,x\n2,y,y\n3,x,y\n",
        rf="id,truth,called\n2,y,x\n4,x,x\n",
    )
    predictions = opened(named, pairing="independent")
    trials = tally_trials(predictions)
    assert (trials.correct, trials.tested, trials.pairing) == ((2, 1), (3, 2), "independent")


def test_empty_cells_of_a_wide_table_may_mean_not_tested():
    data = {"truth": ["x", "y", "x"], "a": ["x", "y", None], "b": [None, None, "x"]}
    predictions = opened(data, pairing="independent", missing="exclude")
    assert predictions.pairing == "independent"
    assert tally_trials(predictions).tested == (2, 1)


def test_systems_that_are_not_asked_for_take_no_part_in_the_pairing(tmp_path):
    named = files(
        tmp_path,
        svm="id,truth,called\n1,x,x\n2,y,y\n",
        rf="id,truth,called\n1,x,x\n2,y,y\n",
        cnn="id,truth,called\n1,x,x\n",
    )
    assert opened(named, systems=["svm", "rf"]).pairing == "common"


def test_calls_of_declared_classes_are_wrong_not_refused():
    data = {"truth": ["x", "y"], "a": ["z", "y"]}
    predictions = opened(data, classes=["x", "y", "z"])
    confusion = tally_confusion(predictions, predictions.systems[0])
    assert (confusion.right, confusion.total) == (1, 2)


def test_vectors_declared_as_scores_need_not_sum_to_1():
    data = {"truth": ["x", "y"], "m.x": [3.0, 0.5], "m.y": [1.0, 2.0]}
    (system,) = opened(data, score="m").systems
    assert (system.holds, system.probabilities) == ("vector", False)


@pytest.mark.parametrize("policy", ["missing", "unlabelled", "duplicates", "join", "pairing"])
def test_an_unknown_policy_is_refused(policy):
    with pytest.raises(ValueError, match="Choose one of"):
        opened(CALLS, **{policy: "perhaps"})
