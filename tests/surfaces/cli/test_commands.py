"""Commands as users type them: results on stdout, words on stderr, codes for machines."""

import json

import click
import pytest

import steelyard as sy
from steelyard.surfaces.cli.entry import COMMANDS, steelyard


def test_json_is_exactly_the_result(type_command, data):
    typed = type_command("evaluate", data / "digits_labels.csv", "--json")
    assert typed.code == 0
    assert typed.err == ""
    assert typed.out == sy.evaluate(data / "digits_labels.csv").to_json() + "\n"


def test_csv_is_exactly_the_rows(type_command, data):
    typed = type_command("compare", data / "digits_labels.csv", "--csv")
    assert typed.out == sy.compare(data / "digits_labels.csv").to_csv()


def test_text_fits_eighty_columns_and_starts_with_headline_and_sentence(type_command, data):
    for words in (
        ("compare", data / "letter_labels.csv"),
        ("evaluate", data / "letter_labels.csv"),
        ("compare", data / "wdbc_scores.csv", "--positive", "1"),
        ("evaluate", data / "digits_labels.csv", "--systems", "svm"),
        ("demo",),
        ("demo", "--list"),
        ("demo", "species"),
        ("--help",),
        ("compare", "--help"),
    ):
        typed = type_command(*words)
        assert typed.code == 0, typed.err
        assert max(len(line) for line in typed.out.splitlines()) <= 80
    typed = type_command("compare", data / "letter_labels.csv")
    assert typed.out.startswith(
        "Ship rf: it is better than the five others.\n\nrf is the best of 6 with probability"
    )


def test_standard_input_is_read(start_command, data):
    text = (data / "digits_labels.csv").read_bytes()
    typed = start_command("compare", "-", "--json", given=text)
    assert typed.code == 0
    systems = json.loads(typed.out)["systems"]
    expected = sy.compare(data / "digits_labels.csv")
    assert [one["best"] for one in systems] == [one.best for one in expected.systems]


def test_one_file_per_system_is_joined_by_id(type_command, data):
    typed = type_command(
        "evaluate",
        f"logreg={data / 'digits_scores_logreg.csv'}",
        f"rf={data / 'digits_scores_rf.csv'}",
        "--vector",
        "p{class}",
        "--json",
    )
    assert typed.code == 0, typed.err
    assert [one["system"] for one in json.loads(typed.out)["systems"]] == ["logreg", "rf"]


def test_counts_of_a_paper_need_no_file(type_command):
    typed = type_command("compare", "--correct", "S=190,T=194", "--tested", "200")
    assert typed.code == 0
    assert "T and S cannot be told apart yet" in typed.out
    assert "independent test sets were assumed" in " ".join(typed.out.split())
    typed = type_command("compare", "--paired", "S=18,T=5,both=160,neither=17")
    assert "0.997" in typed.out
    typed = type_command("evaluate", "--confusion", "25,5;10,60", "--classes", "yes,no", "--json")
    assert json.loads(typed.out)["systems"][0]["kappa"]["value"] == pytest.approx(29 / 44)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("compare", "--correct", "S=300,T=194", "--tested", "200"), 1, "300 right of 200"),
        (("compare", "--correct", "S=1,T=0", "--tested", "0"), 1, "at least one"),
        (("compare", "--correct", "S=x", "--tested", "200"), 2, "whole numbers"),
        (("compare", "--correct", "S=1,T=2"), 2, "--tested"),
        (("compare", "--correct", "S=1,T=2", "--tested", "9", "--prior", "x"), 2, "S=190:10"),
        (("compare", "--correct", "S=1,T=2", "--tested", "9", "--prior", "Q=1:1"), 2, "names Q"),
        (("compare", "--correct", "S=1,T=2", "--tested", "9", "--margin", "2"), 2, "margin"),
        (("compare", "--correct", "S=1,T=2", "--tested", "9", "--by-group"), 2, "by_group"),
        (("compare", "x.csv", "--methods-text", "--json"), 2, "goes with the text"),
        (("compare",), 2, "No data"),
        (("compare", "nowhere.csv"), 1, "no such file"),
        (("compare", "--paired", "S=18,T=5"), 2, "neither"),
        (("evaluate", "--confusion", "1,2;3"), 1, "square"),
        (("evaluate", "--confusion", "a"), 2, "whole numbers"),
        (("evalute", "x.csv"), 2, "Did you mean evaluate?"),
        (("demo", "nothing"), 2, "There are: digits"),
        (("compare", "--nonsense"), 2, "--nonsense"),
    ],
)
def test_refusals_have_their_code_and_leave_stdout_empty(type_command, words, code, said):
    typed = type_command(*words)
    assert typed.code == code
    assert typed.out == ""
    assert said in typed.words
    assert "Traceback" not in typed.words


def test_a_wrong_column_is_answered_with_the_right_one(type_command, data):
    typed = type_command("compare", data / "digits_labels.csv", "--truth", "thruth")
    assert typed.code == 1
    assert "--truth truth" in typed.words


def test_bad_levels_are_wrong_usage(type_command, data):
    typed = type_command("evaluate", data / "digits_labels.csv", "--level", "95")
    assert typed.code == 2
    assert "level=0.95" in typed.words


def test_verbose_shows_sql_and_timings_on_stderr_only(type_command, data):
    quiet = type_command("compare", data / "digits_labels.csv")
    typed = type_command("compare", data / "digits_labels.csv", "--verbose")
    assert typed.out == quiet.out
    assert quiet.err == ""
    assert "SELECT" in typed.words
    assert "statements in" in typed.words


def test_a_settings_file_beside_the_data_is_used_and_the_command_line_wins(type_command, tmp_path):
    (tmp_path / "p.csv").write_text("label,other,a,b\nx,y,x,y\ny,y,y,y\nx,x,y,x\n")
    (tmp_path / "steelyard.toml").write_text('truth = "label"\nsystems = ["a", "b"]\nlevel = 0.9\n')
    typed = type_command("evaluate", "p.csv", "--json")
    saved = json.loads(typed.out)
    assert saved["level"] == 0.9
    assert [one["accuracy"]["successes"] for one in saved["systems"]] == [2, 2]
    assert ["truth", "label"] in saved["provenance"]["settings"]
    typed = type_command("evaluate", "p.csv", "--json", "--truth", "other", "--level", "0.8")
    saved = json.loads(typed.out)
    assert saved["level"] == 0.8
    assert [one["accuracy"]["successes"] for one in saved["systems"]] == [1, 3]


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "p.csv"],
        ["compare", "p.csv", "--json"],
        ["report", "p.csv", "-o", "r.html"],
        ["plan", "more", "p.csv"],
        ["agreement", "p.csv", "--raters", "a,b"],
    ],
    ids=lambda words: words[0],
)
def test_what_a_file_of_settings_decides_is_said_and_what_is_typed_is_not(
    type_command, tmp_path, words
):
    rows = ["truth,a,b", *["x,x,y", "y,y,y", "x,x,x"] * 9, "y,,y"]
    (tmp_path / "p.csv").write_text("\n".join(rows))
    (tmp_path / "steelyard.toml").write_text('missing = "exclude"\n')
    said = type_command(*words)
    assert said.code == 0, said.err
    assert 'Settings of steelyard.toml: missing = "exclude".' in said.words
    assert "Settings of" not in type_command(*words, "--missing", "exclude").words


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('thruth = "label"\n', "no entry 'thruth'. Did you mean truth? Entries: alpha, "),
        ("[evaluate]\nlevel = 0.9\n", "[evaluate] begins a part, and entries have none"),
        ('method = "wald"\n', "method is given each time; type it with the command"),
        ("truth = 3\n", 'expected text in quotes, such as "label"'),
        ("truth = \n", "not TOML"),
    ],
)
def test_a_wrong_settings_file_is_refused(type_command, tmp_path, text, said):
    (tmp_path / "p.csv").write_text("truth,a\nx,x\ny,y\n")
    (tmp_path / "steelyard.toml").write_text(text)
    typed = type_command("evaluate", "p.csv")
    assert typed.code in {1, 2}
    assert said in typed.words
    assert "steelyard.toml" in typed.words


def test_the_demo_copies_its_files_and_overwrites_nothing(type_command, tmp_path):
    assert type_command("demo", "--copy", "data").code == 0
    assert (tmp_path / "data" / "digits_labels.csv").is_file()
    again = type_command("demo", "--copy", "data")
    assert again.code == 2
    assert "already" in again.words
    typed = type_command("compare", "digits_labels.csv", folder=tmp_path / "data")
    assert typed.code == 0


def test_the_demo_writes_a_report_that_can_be_verified(type_command, tmp_path):
    typed = type_command("demo", "species", "--report", "demo.html")
    assert typed.code == 0
    assert "A report to mail: demo.html" in typed.out
    assert type_command("demo", "--copy", "data").code == 0
    assert type_command("verify", "demo.html", "data/species_presence_scores.csv").code == 0


def test_every_demo_runs(type_command):
    typed = type_command("demo", "credit", "cells", "folds", "diamonds", "species", "vectors")
    assert typed.code == 0, typed.err
    assert "Step 6 of 6" in typed.out


def test_the_summary_of_every_command_is_its_own(type_command):
    with click.Context(steelyard) as context:
        for name, summary in COMMANDS.items():
            command = steelyard.get_command(context, name)
            assert command.short_help == summary
            assert command.help.splitlines()[0].strip() == summary


def test_same_input_same_bytes_in_another_process_folder_zone_and_hash_seed(
    type_command, start_command, data, tmp_path
):
    words = ("compare", data / "wdbc_scores.csv", "--positive", "1", "--json")
    one = type_command(*words)
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "wdbc_scores.csv").write_bytes((data / "wdbc_scores.csv").read_bytes())
    two = start_command(
        "compare",
        "wdbc_scores.csv",
        "--positive",
        "1",
        "--json",
        folder=other,
        TZ="Asia/Tokyo",
        PYTHONHASHSEED="7",
        LC_ALL="C",
    )
    assert one.out == two.out


def test_models_are_ranked_from_typed_numbers(type_command):
    words = ("models", "--model", "A=llf:-120.5,k:3,n:100", "--model", "B=llf:-121.0,k:5,n:100")
    typed = type_command(*words)
    assert typed.code == 0, typed.err
    assert typed.out.startswith("Take A.\n\nA has the lowest AIC of 2 models")
    saved = json.loads(type_command(*words, "--criterion", "bic", "--json").out)
    assert (saved["kind"], saved["criterion"]) == ("models", "bic")
    refused = type_command("models", "--model", "A=llf:-120.5,k:3")
    assert refused.code == 2
    assert "NAME=llf:-120.5,k:3,n:100" in refused.words
    refused = type_command(
        "models", "--model", "A=llf:-1,k:3,n:100", "--model", "B=llf:-2,k:3,n:90"
    )
    assert refused.code == 1
    assert "different observations" in refused.words


def test_the_catalogue_finds_measures_by_their_synonyms(type_command):
    typed = type_command("catalogue", "sensitivity", "mcc")
    assert typed.code == 0
    assert typed.out.startswith("recall (also: sensitivity")
    assert "doi:" in typed.out
    listed = type_command("catalogue")
    assert max(len(line) for line in listed.out.splitlines()) <= 80
    assert "Krippendorff's alpha" in listed.out
    saved = json.loads(type_command("catalogue", "--json").out)
    assert {"name", "formula", "range", "source"} <= set(saved[0])
    refused = type_command("catalogue", "sensitivty")
    assert refused.code == 2
    assert "Did you mean" in refused.words


def test_margin_prior_and_methods_are_typed_as_in_python(type_command):
    words = ("compare", "--correct", "S=190,T=194", "--tested", "200", "--pairing", "independent")
    asked = ("--margin", "0.05", "--prior", "S=190:10,T=2:1")
    typed = type_command(*words, *asked, "--json")
    trials = sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
    expected = sy.compare(trials, margin=0.05, prior={"S": (190.0, 10.0), "T": (2.0, 1.0)})
    assert typed.out == expected.to_json() + "\n"
    typed = type_command(*words, *asked, "--methods-text")
    assert expected.sentence().split()[0] in typed.out
    assert " ".join(expected.methods().split()) in " ".join(typed.out.split())
    assert all(len(line) <= 80 for line in typed.out.split("\n"))


def test_slices_are_compared_on_demand(type_command, tmp_path):
    rows = [
        f"{place},{'ab'[place % 2]},{'ab'[place % 3 // 2]},a,{'gh'[place > 20]}"
        for place in range(40)
    ]
    (tmp_path / "p.csv").write_text("\n".join(["id,truth,x,y,part", *rows]), encoding="utf-8")
    typed = type_command("compare", "p.csv", "--group", "part", "--by-group", "--json")
    assert [one["slice"] for one in json.loads(typed.out)["slices"]] == ["g", "h"]


def test_totals_of_common_items_are_answered(type_command):
    words = ("compare", "--correct", "S=190,T=194", "--tested", "200", "--pairing", "common")
    typed = type_command(*words)
    assert typed.code == 0, typed.err
    assert "who was right together" in " ".join(typed.out.split())
