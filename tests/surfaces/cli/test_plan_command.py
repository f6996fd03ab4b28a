"""``steelyard plan`` as users type it."""

import csv
import json
import re
from io import StringIO
from itertools import islice

import click
import pytest
from click.testing import CliRunner

import steelyard as sy
from steelyard.journey.options import PLAN_QUESTIONS
from steelyard.planning.posterior import best as published_tables
from steelyard.surfaces.cli.entry import steelyard


def test_the_sentence_comes_first_and_fits(type_command):
    typed = type_command("plan", "--rates", "0.90,0.88,0.86", "--confidence", "0.95")
    assert typed.code == 0, typed.err
    assert re.match(r"Test [\d,]+ items each\.\n\nTo be 95% sure which of 3 is best", typed.out)
    assert "1,333" in typed.out
    assert max(map(len, typed.out.splitlines())) <= 80


def test_json_is_exactly_the_result(type_command):
    typed = type_command(
        "plan", "--rates", "S=0.9,T=0.88", "--question", "pair", "--discordance", "0.06", "--json"
    )
    expected = sy.plan({"S": 0.9, "T": 0.88}, question="pair", discordance=0.06)
    assert typed.out == expected.to_json() + "\n"


def test_files_serve_as_pilot_or_to_go_on_from(type_command, data):
    pilot = type_command("plan", "--pilot", data / "letter_labels.csv", "--json")
    assert json.loads(pilot.out)["samples"] == sy.plan(pilot=data / "letter_labels.csv").samples
    more = type_command("plan", "--more", data / "digits_labels.csv", "--truth", "truth")
    assert "more items on top of the 899 items tested" in more.out


@pytest.mark.parametrize("spelling", ["apart", "joined", "behind"])
def test_the_file_may_stand_where_users_put_it(type_command, data, spelling):
    path = data / "letter_labels.csv"
    words = {
        "apart": ("plan", "--pilot", path),
        "joined": ("plan", f"--pilot={path}"),
        "behind": ("plan", path, "--pilot"),
    }[spelling]
    typed = type_command(*words, "--question", "pair", "--json")
    assert typed.code == 0, typed.err
    expected = sy.plan(pilot=path, question="pair").samples
    assert json.loads(typed.out)["samples"] == expected


def test_every_number_of_a_plan_has_its_option(type_command):
    typed = type_command(
        *("plan", "--rates", "S=0.9,T=0.85", "--shares", "S=3,T=1", "--prior", "2:1", "--json")
    )
    expected = sy.plan({"S": 0.9, "T": 0.85}, shares={"S": 3, "T": 1}, priors=(2, 1))
    assert json.loads(typed.out)["samples"] == expected.samples
    typed = type_command(
        *("plan", "--rates", "0.9,0.9", "--question", "pair", "--margin", "0.05"),
        *("--claim", "not-inferior", "--json"),
    )
    assert json.loads(typed.out)["claim"] == "not inferior"
    typed = type_command(
        *("plan", "--question", "select", "--among", "4", "--samples", "200", "--json")
    )
    assert json.loads(typed.out)["samples"] == 200


def test_settings_beside_the_data_are_used(type_command, tmp_path):
    rows = ["label,x,y", *["a,a,a"] * 60, *["a,a,b"] * 20, *["a,b,a"] * 5, *["b,b,b"] * 9]
    (tmp_path / "p.csv").write_text("\n".join(rows))
    (tmp_path / "steelyard.toml").write_text('truth = "label"\nalpha = 0.01\n')
    typed = type_command("plan", "--pilot", "p.csv", "--question", "pair", "--json")
    assert typed.code == 0, typed.err
    assert json.loads(typed.out)["alpha"] == 0.01


@pytest.mark.parametrize("words", [("table", "1"), ("--table", "1")])
def test_a_published_table_is_csv(monkeypatch, words):
    whole = published_tables.compute_published_table
    monkeypatch.setattr(published_tables, "compute_published_table", lambda n: islice(whole(n), 10))
    typed = CliRunner().invoke(steelyard, ["plan", *words])
    assert typed.exit_code == 0
    rows = list(csv.DictReader(StringIO(typed.stdout)))
    assert len(rows) == 10
    assert float(rows[0]["computed_eq12"]) == pytest.approx(0.518967815121172, abs=1e-9)
    assert rows[5]["kind"] == "rank"
    assert float(rows[5]["computed_eq15"]) > float(rows[5]["computed_eq14"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("plan",), "give one of them"),
        (("plan", "--rates", "0.9,x"), "not a list of rates"),
        (("plan", "--rates", "0.9,0.9"), "same rate"),
        (("plan", "file.csv"), "What is the file for?"),
        (("plan", "--pilot", "--more", "file.csv"), "not both"),
        (("plan", "--pilot"), "No data"),
    ],
)
def test_wrong_usage_is_told_with_code_2(type_command, words, said):
    typed = type_command(*words)
    assert typed.code == 2
    assert said in typed.words
    assert typed.out == ""


def test_a_level_means_the_confidence(type_command):
    typed = type_command("plan", "--rates", "0.9,0.8", "--level", "0.9", "--seed", "4", "--json")
    saved = json.loads(typed.out)
    assert saved["target"] == 0.9
    assert saved["provenance"]["seed"] == 4


SPELLINGS = [
    ("--rates 0.9,0.8", "best --rates 0.9,0.8"),
    ("--rates 0.9,0.8 --question pair --alpha 0.1", "pair --rates 0.9,0.8 --alpha 0.1"),
    ("--question=width --rates 0.9 --width 0.1", "width --rates 0.9 --width 0.1"),
    ("--question select --among 3 --samples 50", "select --among 3 --samples 50"),
    ("--question area --rates 0.9 --null 0.7", "area --rates 0.9 --null 0.7"),
    ("--question kappa --rates 0.6 --null 0.4", "kappa --rates 0.6 --null 0.4"),
    ("--question akaike --rates 0.95,0.97", "akaike --rates 0.95,0.97"),
    ("--pilot {file} --truth truth --question pair", "pair --pilot {file} --truth truth"),
    ("{file} --pilot --question pair", "pair {file} --pilot"),
    ("--more {file} --truth truth", "more {file} --truth truth"),
    ("{file} --more --json", "more {file} --json"),
    ("--table 9", None),
]


def invoke(words):
    return CliRunner().invoke(steelyard, ["plan", *words.split()])


@pytest.mark.parametrize(("before", "now"), SPELLINGS)
def test_the_spelling_of_before_says_how_it_is_spelled_now(data, before, now):
    file = data / "digits_labels.csv"
    told = invoke(before.format(file=file))
    if now is None:
        assert told.exit_code == 2
        return
    assert told.exit_code == 0, told.output
    words = now.format(file=file)
    assert told.stderr == f"hint: this is now spelled: steelyard plan {words}\n"
    again = invoke(words)
    assert again.stderr == ""
    assert again.stdout == told.stdout


def test_the_hint_leaves_out_what_the_question_does_not_look_at():
    told = invoke("--rates 0.9,0.8 --question pair --width 0.1 --seed 3")
    assert told.stderr.endswith("steelyard plan pair --rates 0.9,0.8 --seed 3\n")


def test_every_question_is_a_command_with_few_options_and_examples():
    plans = steelyard.get_command(click.Context(steelyard), "plan")
    listed = plans.list_commands(click.Context(plans))
    assert listed == [*PLAN_QUESTIONS, "table"]
    for name in listed:
        command = plans.get_command(click.Context(plans), name)
        told = CliRunner().invoke(plans, [name, "--help"])
        assert told.exit_code == 0
        assert f"\n  steelyard plan {name} " in told.output
        shown = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
        assert len(shown) <= 15


def test_a_question_refuses_what_it_does_not_look_at():
    told = invoke("best --rates 0.9,0.8 --width 0.1")
    assert told.exit_code == 2
    assert "--width" in told.stderr


def test_a_question_that_is_misspelled_is_answered_with_the_right_one():
    told = invoke("pear --rates 0.9,0.8")
    assert told.exit_code == 2
    assert "Did you mean: steelyard plan pair?" in told.stderr


def test_a_word_that_is_neither_a_question_nor_a_file_is_told_the_questions():
    told = invoke("foo --rates 0.9,0.8")
    assert told.exit_code == 2
    assert "No question 'foo', nor a file. Questions: best, ranking, pair" in told.stderr


def test_help_on_a_question_that_is_none_says_so(type_command):
    typed = type_command("plan", "pairs", "--help")
    assert (typed.code, typed.out) == (2, "")
    assert "Did you mean: steelyard plan pair?" in typed.err
