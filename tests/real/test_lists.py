"""Lists without names, truths elsewhere, ratings in rows: answered, or with the line to type.

Numbers are counted again from the rows that were written.
"""

from itertools import combinations

import pytest

from tests.real import list_shapes as shapes
from tests.real.list_shapes import SAID
from tests.real.more_shapes import CAT, FLAG, RIGHT_ONE, RIGHT_TWO
from tests.real.public_shapes import SCORES
from tests.real.test_public_files import area, areas
from tests.real.test_typed_next import counts, follow
from tests.typed import type_words

FIRST, SECOND = sum(RIGHT_ONE), sum(RIGHT_TWO)
FLAGS = sum(a == b for a, b in zip(CAT, FLAG, strict=True))


def observed_agreement():
    """Compare every two who rated an item, and average over items."""
    items = {}
    for item, _, said in SAID:
        items.setdefault(item, []).append(said)
    shares = [
        sum(a == b for a, b in combinations(said, 2)) / len([*combinations(said, 2)])
        for said in items.values()
    ]
    return sum(shares) / len(shares)


@pytest.mark.parametrize(
    ("line", "steps"),
    [
        ("agreement batch.csv", 0),
        ("agreement crowd.csv", 0),
        ("agreement who.csv", 1),
        ("agreement crowd.csv --system worker --item task", 0),
    ],
)
def test_a_row_for_each_rating_is_laid_out_by_who_rated(tmp_path, line, steps):
    """Ids of tasks and workers were raters, who agree nowhere: kappa -0.07 and no word of it."""
    shapes.ratings(tmp_path)
    taken, answer = follow(line, tmp_path)
    assert (taken, answer["raters"]) == (steps, ["W0", "W1", "W2", "W3"])
    value = answer["coefficients"][0]["value"]
    assert value == pytest.approx(observed_agreement(), abs=1e-12)


def test_what_was_taken_for_a_row_of_ratings_is_said_and_declined(tmp_path):
    shapes.ratings(tmp_path)
    _, answer = follow("agreement crowd.csv", tmp_path)
    assert any("worker says who rated, task what" in said for said in answer["caveats"])
    _, answer = follow("agreement crowd.csv --raters worker,task,label", tmp_path)
    assert answer["raters"] == ["worker", "task", "label"]


@pytest.mark.parametrize(
    ("line", "steps"),
    [
        ("evaluate scores.txt --truth key.txt --positive bonafide", 0),
        ("evaluate scores.txt --truth key.txt:6 --positive bonafide", 0),
        ("evaluate scores.txt --truth key.txt", 1),
        ("evaluate scores.txt --truth voc.txt --positive 1", 0),
        ("evaluate scores.csv --truth labels.csv --positive 1", 0),
    ],
)
def test_lists_without_a_header_are_joined_by_the_ids_in_both(tmp_path, line, steps):
    shapes.scores_and_key(tmp_path)
    taken, answer = follow(line, tmp_path)
    assert taken == steps
    assert areas(answer) == pytest.approx({"score": area(SCORES)}, abs=1e-12)
    assert any("no header" in said for _, said in answer["provenance"]["understood"])


def test_files_that_are_called_as_kinds_of_trials_say_what_is_true(tmp_path):
    shapes.parted_scores(tmp_path)
    steps, answer = follow("evaluate genuine.txt impostor.txt", tmp_path)
    assert steps == 1
    (curve,) = answer["systems"]
    assert curve["area"]["value"] == pytest.approx(area(SCORES), abs=1e-12)


@pytest.mark.parametrize(
    ("line", "steps", "right"),
    [
        ("evaluate a.txt --truth gold.txt", 1, [FIRST]),
        ("evaluate a.txt", 1, [FIRST]),
        ("compare a.txt b.txt --truth gold.txt", 1, [FIRST, SECOND]),
        ("compare a.txt b.txt gold.txt", 1, [FIRST, SECOND]),
        ("compare a.json b.json --truth gold.json", 1, [FIRST, SECOND]),
        ("evaluate a.json --truth gold.json", 1, [FIRST]),
        ("evaluate pred.txt --truth test.txt", 1, [FIRST]),
    ],
)
def test_lists_alone_are_paired_line_by_line_once_it_is_said(tmp_path, line, steps, right):
    shapes.lists(tmp_path)
    taken, answer = follow(line, tmp_path)
    assert (taken, [*counts(answer).values()]) == (steps, right)


def test_lists_of_other_lengths_are_not_paired_by_their_place(tmp_path):
    shapes.lists(tmp_path)
    (tmp_path / "gold.txt").write_text("cat\n" * 59)
    words = "evaluate a.txt --truth gold.txt --pairing rows".split()
    assert "there are not as many: 60 and 59" in type_words(words, folder=tmp_path).words


def test_a_truth_without_ids_is_paired_by_rows_once_it_is_said(tmp_path):
    shapes.without_ids(tmp_path)
    steps, answer = follow("evaluate preds.csv --truth test.csv:response", tmp_path)
    assert (steps, counts(answer)["predict"]) == (1, FLAGS)


@pytest.mark.parametrize(
    ("line", "steps", "calls", "scores"),
    [
        ("evaluate sas.csv", 0, {"I_BAD": FLAGS}, {}),
        ("evaluate azure.csv", 2, {"Scored Labels": FLAGS}, {"Scored Probabilities": SCORES}),
        ("evaluate pycaret.csv", 1, {"prediction_label": FLAGS}, {}),
        ("evaluate credit.csv", 1, {}, {"pd": SCORES}),
    ],
)
def test_what_is_true_is_told_from_what_was_predicted_of_it(tmp_path, line, steps, calls, scores):
    """The prediction was taken for the truth, and what it predicts for right and wrong."""
    shapes.exports(tmp_path)
    taken, answer = follow(line, tmp_path)
    found = {name: count for name, count in counts(answer).items() if name != "P_BAD"}
    assert (taken, found) == (steps, calls)
    assert areas(answer) == pytest.approx({n: area(s) for n, s in scores.items()}, abs=1e-12)
