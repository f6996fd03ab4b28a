"""Published tables as people have them: sheets, boards of two names, very many models."""

import json

import pytest
from scipy.stats import binomtest

from tests.real import further_shapes as boards
from tests.real.shapes import draw
from tests.real.test_typed_next import counts, follow
from tests.typed import type_words


@pytest.fixture
def typed(tmp_path):
    """Write a board and type a line beside it."""

    def run(board, line):
        board(tmp_path, draw())
        return type_words(line.split(), folder=tmp_path)

    return run


def shares(answer):
    """Give the share of right answers of each system."""
    rates = {one["system"]: one["rate"] for one in answer["systems"]}
    return {name: one["successes"] / one["trials"] for name, one in rates.items()}


def test_a_sheet_of_a_leaderboard_is_weighed_as_its_text_would_be(typed, tmp_path):
    sheet = typed(boards.board_workbook, "compare board.xlsx --tested 1319 --json")
    (tmp_path / "board.csv").write_text("Model,Accuracy\nA,87.3\nB,85.1\nC,79.2\n")
    text = type_words("compare board.csv --tested 1319 --json".split(), folder=tmp_path)
    assert json.loads(sheet.out)["pairs"] == json.loads(text.out)["pairs"]


@pytest.mark.parametrize("verb", ["evaluate", "compare"])
def test_a_sheet_of_a_leaderboard_is_told_from_predictions(typed, verb):
    refused = typed(boards.board_workbook, f"{verb} board.xlsx")
    assert "a table of published results" in " ".join(refused.err.split())
    assert "steelyard compare board.xlsx --tested N" in " ".join(refused.err.split())


def test_an_agent_and_a_model_name_a_system_together(typed):
    answer = json.loads(typed(boards.board_of_agents, "compare agents.csv --tested 80 --json").out)
    assert shares(answer) == {
        "Goose / opus": 0.55, "Goose / gpt": 0.525, "Codex / opus": 0.4375, "Codex / gpt": 0.4,
    }  # fmt: skip


def test_of_a_long_board_the_refusal_names_the_rows_to_type(typed, tmp_path):
    typed(boards.long_board, "compare timm.csv")
    steps, answer = follow("compare timm.csv --tested 50000", tmp_path)
    assert steps == 1
    highest = {f"net{n}.in1k": (45025 - 13 * n) / 50000 for n in range(5)}
    assert shares(answer) == pytest.approx(highest, rel=1e-15)
    assert any("5 of 1,556 rows were named" in one for one in answer["caveats"])


def test_rows_of_a_board_are_named_and_keep_their_verdicts(typed):
    """The overlap that speaks least for a difference: nobody right alone but where they must be."""
    line = "compare timm.csv --tested 50000 --systems net0.in1k,net99.in1k --json"
    (pair,) = json.loads(typed(boards.long_board, line).out)["pairs"]
    apart = 13 * 99
    wrong = 50000 - 45025  # all that the first had wrong may be right alone for the second
    worst = binomtest(wrong + apart, 2 * wrong + apart).pvalue
    assert pair["verdict"] == "different"
    assert pair["p_value"] == pytest.approx(worst, rel=1e-9)


def test_a_row_that_is_not_there_is_refused_with_those_that_are(typed):
    refused = typed(boards.board_of_agents, "compare agents.csv --tested 80 --systems Goose")
    assert refused.code
    assert "Goose / opus" in refused.err


@pytest.mark.parametrize(
    ("content", "classes", "right"),
    [
        (",cat,dog\ncat,8,2\ndog,1,9\n", "", 17),
        ("8 2\n1 9\n", "--classes cat,dog", 17),
        ("8;2\n1;9\n", "", 17),
        ("cat\tdog\ncat\t8\t2\ndog\t1\t9\n", "", 17),
        ("TN,FP,FN,TP\n9,1,2,8\n", "--positive positive", 17),
        ('"","predicted.as.cat","predicted.as.dog"\n"cat",8,2\n"dog",1,9\n', "", 17),
        ("pred_cat,pred_dog\ntrue_cat,8,2\ntrue_dog,1,9\n", "", 17),
        ("actual,cat,dog,All\ncat,8,2,10\ndog,1,9,10\nAll,9,11,20\n", "", 17),
        (",cat,dog\ncat,8.0,2.0\ndog,1.0,9.0\n", "", 17),
        (",cat,dog\ncat,8,2\ndog,1,5\nowl,3,1\n", "", 13),
        (",cat,dog\ndog,2,9\ncat,8,1\n", "", 17),
        ("Prediction,Reference,Freq\ncat,cat,8\ndog,cat,2\ncat,dog,1\ndog,dog,9\n", "", 17),
        ("true_label\tpred_label\tcount\ncat\tcat\t8\ncat\tdog\t3\ndog\tdog\t9\n", "", 17),
    ],
)
def test_a_table_of_counts_is_read_from_its_file(tmp_path, content, classes, right):
    (tmp_path / "counts.csv").write_text(content)
    line = f"evaluate --confusion counts.csv {classes} --json"
    (system,) = json.loads(type_words(line.split(), folder=tmp_path).out)["systems"]
    assert (system["accuracy"]["successes"], system["items"]) == (right, 20)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("Predicted,cat,dog\ncat,8,2\ndog,1,9\n", "--confusion '8,1;2,9' --classes cat,dog"),
        ("id,label\n1,cat\n", "not a table of counts"),
        (",cat,dog\ncow,8,2\ncat,1,9\n", "not a table of counts"),
        ("Var1,Var2,Freq\na,a,8\nb,a,2\na,b,1\nb,b,9\n", "do not say which is the truth"),
        ("truth,called,n\na,b,8\nb,a,2\nb,c,3\n", "counts confusions alone"),
        (",actual a,actual b\na,8,2\nb,1,9\n", "--confusion '8,1;2,9' --classes a,b"),
        ("8,2.5\n1,9\n", "not a table of counts"),
        ("8,2\n1\n", "not a table of counts"),
        ("", "not a table of counts"),
    ],
)
def test_a_file_that_is_no_table_of_counts_is_refused(tmp_path, content, said):
    (tmp_path / "counts.csv").write_text(content)
    refused = type_words("evaluate --confusion counts.csv".split(), folder=tmp_path)
    assert refused.code == 1
    assert said in " ".join(refused.err.split())


@pytest.mark.parametrize(
    "content",
    [
        "Prediction,Reference,Freq\ncat,cat,8\ndog,cat,2\ncat,dog,1\ndog,dog,9\n",
        "true_label,pred_label,count\ncat,cat,8\ncat,dog,3\ndog,dog,9\n",
        '"","predicted.as.cat","predicted.as.dog"\n"cat",8,2\n"dog",1,9\n',
    ],
)
def test_counts_are_never_taken_for_items(tmp_path, content):
    """Each is refused with the command that reads it, which answers for all 20 items."""
    (tmp_path / "pairs.csv").write_text(content)
    refused = type_words("evaluate pairs.csv".split(), folder=tmp_path)
    assert refused.code == 1
    assert refused.err.splitlines()[-1] == "Type: steelyard evaluate --confusion pairs.csv"
    line = "evaluate --confusion pairs.csv --json"
    (system,) = json.loads(type_words(line.split(), folder=tmp_path).out)["systems"]
    assert (system["accuracy"]["successes"], system["items"]) == (17, 20)


def test_tables_of_r_say_which_of_both_is_true(tmp_path):
    (tmp_path / "counts.csv").write_text("Var1,Var2,Freq\na,a,8\nb,a,2\na,b,1\nb,b,9\n")
    steps, answer = follow("evaluate counts.csv", tmp_path)
    assert (steps, counts(answer), answer["systems"][0]["items"]) == (1, {"system": 17}, 20)


def test_rows_of_counts_are_a_table_of_two_classes_each(tmp_path):
    (tmp_path / "rows.csv").write_text("TP,FP,FN,TN,bug\n8.0,1.0,2.0,9.0,\n3,2,1,4,\n")
    err = type_words("evaluate rows.csv".split(), folder=tmp_path).err
    assert "--confusion '9,1;2,8' --classes negative,positive --positive positive" in err
