"""Files that strangers would try first: answered, or with the line to type.

Numbers are counted again from the rows that were written.
"""

import pytest

from tests.real import stranger_shapes as shapes
from tests.real.more_shapes import CAT, FLAG, OTHERS, RIGHT_ONE, RIGHT_TWO, VECTORS, top
from tests.real.public_shapes import SCORES
from tests.real.stranger_shapes import RATES
from tests.real.test_public_files import area, areas
from tests.real.test_typed_next import counts, follow
from tests.typed import type_words

FIRST, SECOND = sum(RIGHT_ONE), sum(RIGHT_TWO)
FLAGS = sum(a == b for a, b in zip(CAT, FLAG, strict=True))


@pytest.mark.parametrize(
    ("shape", "line", "steps", "right"),
    [
        (shapes.multiple_choice, "evaluate choice.csv", 0, {"prediction": FIRST}),
        (shapes.top_of_lists, "evaluate dishes.csv", 0, {"pred_label": FIRST}),
        (shapes.agents, "compare tb_one.json tb_two.json", 0, {"tb_one": FIRST, "tb_two": SECOND}),
        (shapes.agents, "compare tau_one.json tau_two.json", 0,
         {"tau_one": FIRST, "tau_two": SECOND}),
        (shapes.desks, "evaluate jmp.csv", 1,
         {"Most Likely species": FIRST, "Prob": top(VECTORS)}),
        (shapes.desks, "compare orange.csv", 1,
         {"Random Forest": FIRST, "Tree": SECOND,
          "Random Forest (vector)": top(VECTORS), "Tree (vector)": top(OTHERS)}),
        (shapes.other_names, "evaluate stages.csv", 1, {"p": top(VECTORS)}),
        (shapes.other_names, "evaluate flags.csv", 0, {"predicted_decision": FLAGS}),
        (shapes.suggestions, "evaluate hints.csv", 1, {"Predicted Answer": FIRST}),
    ],
)  # fmt: skip
def test_right_answers_are_those_that_were_written(tmp_path, shape, line, steps, right):
    shape(tmp_path)
    taken, answer = follow(line, tmp_path)
    assert (taken, counts(answer)) == (steps, right)


@pytest.mark.parametrize(
    ("shape", "line", "steps", "means"),
    [
        (shapes.retrieval, "compare a.eval b.eval", 1,
         {"a": [r[0] for r in RATES], "b": [r[1] for r in RATES]}),
        (shapes.retrieval, "compare a.eval b.eval --value map", 0,
         {"a": [r[0] for r in RATES], "b": [r[1] for r in RATES]}),
        (shapes.rates_by_talk, "compare wer.csv", 1,
         {"YT": [r[0] for r in RATES], "FB": [r[1] for r in RATES]}),
        (shapes.judged_tasks, "compare live.jsonl", 1, {"llama": RIGHT_ONE, "qwen": RIGHT_TWO}),
    ],
)  # fmt: skip
def test_means_are_those_of_the_numbers_that_were_written(tmp_path, shape, line, steps, means):
    shape(tmp_path)
    taken, answer = follow(line, tmp_path)
    assert taken == steps
    found = {one["system"]: one["rate"]["value"] for one in answer["systems"]}
    assert found == {name: pytest.approx(sum(n) / len(n), abs=6e-5) for name, n in means.items()}


def test_the_probability_that_spss_saves_is_one_of_the_diagnosis(tmp_path):
    """Truth and predicted group were offered as two columns of right and wrong."""
    shapes.desks(tmp_path)
    steps, answer = follow("evaluate spss.csv", tmp_path)
    assert (steps, counts(answer)) == (1, {"PGR_1": FLAGS})
    assert areas(answer) == {"PRE_1": pytest.approx(area(SCORES), abs=1e-12)}


def test_a_system_may_be_named_by_two_columns_beside_its_folds(tmp_path):
    shapes.areas_by_fold(tmp_path)
    steps, answer = follow("compare folds.csv", tmp_path)
    assert (steps, len(answer["systems"])) == (2, 4)


@pytest.mark.parametrize(
    ("shape", "line", "said"),
    [
        (shapes.failures_alone, "evaluate BFCL_v3_simple_score.json",
         f"compare --correct BFCL_v3_simple_score={FIRST},OTHER=N --tested 60"),
        (shapes.retrieval, "compare run.txt", "trec_eval -q qrels.txt run.txt > a.eval"),
        (shapes.retrieval, "evaluate qrels.txt", "which documents are relevant"),
        (shapes.areas_by_fold, "compare summary.csv", "std_auc and their means sum up numbers"),
        (shapes.ranked_teams, "compare teams.csv", "compare teams.csv --tested N"),
    ],
)  # fmt: skip
def test_what_has_no_row_for_each_item_is_told_so(tmp_path, shape, line, said):
    shape(tmp_path)
    refused = type_words(line.split(), folder=tmp_path)
    assert refused.code
    assert said in " ".join(refused.err.split())
