"""``steelyard plan`` as users type it."""

import csv
import json
from io import StringIO
from itertools import islice

import pytest
from click.testing import CliRunner

import steelyard as sy
from steelyard.planning.posterior import published_tables
from steelyard.surfaces.cli.entry import steelyard


def test_the_sentence_comes_first_and_fits(type_command):
    typed = type_command("plan", "--rates", "0.90,0.88,0.86", "--confidence", "0.95")
    assert typed.code == 0, typed.err
    assert typed.out.startswith("To be 95% sure which of 3 is best")
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


def test_a_published_table_is_csv(monkeypatch):
    whole = published_tables.published_table
    monkeypatch.setattr(published_tables, "published_table", lambda n: islice(whole(n), 10))
    typed = CliRunner().invoke(steelyard, ["plan", "--table", "1"])
    assert typed.exit_code == 0
    rows = list(csv.DictReader(StringIO(typed.output)))
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
    assert said in typed.err
    assert typed.out == ""


def test_a_level_means_the_confidence(type_command):
    typed = type_command("plan", "--rates", "0.9,0.8", "--level", "0.9", "--seed", "4", "--json")
    saved = json.loads(typed.out)
    assert saved["target"] == 0.9
    assert saved["provenance"]["seed"] == 4
