"""Reports and charts as users ask for them."""

import json
from importlib.resources import files
from pathlib import Path

import pytest

import steelyard as sy
from steelyard.surfaces.report import save_content
from tests.typed import type_words

DATA = Path(str(files("steelyard") / "data"))


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    words = ("--positive", "1", "--systems", "logreg,rf", "-o", "r.html")
    typed = type_words(["report", DATA / "wdbc_scores.csv", *words], folder=folder)
    assert typed.code == 0, typed.err
    assert typed.out == ""
    assert typed.err.startswith("wrote r.html (")
    return folder / "r.html"


def test_a_report_is_verified_by_its_data_to_the_last_byte(report, type_command, data):
    typed = type_command("verify", report, data / "wdbc_scores.csv")
    assert (typed.code, typed.out) == (0, "The report follows from the data, to the last byte.\n")


def test_a_margin_and_a_prior_are_kept_and_verified(type_command, tmp_path):
    rows = "\n".join(f"{n},{'ab'[n % 2]},{int(n % 7 > 0)}" for n in range(60))
    (tmp_path / "own.csv").write_text(f"item,system,outcome\n{rows}\n")
    words = ("--system", "system", "--outcome", "a,b", "--pairing", "independent")
    asked = ("--prior", "a=90:10", "--margin", "0.05", "--level", "0.9", "-o", "own.html")
    typed = type_command("report", "own.csv", *words, *asked)
    assert typed.code == 0, typed.err
    assert "--prior a=90:10" in (tmp_path / "own.html").read_text()
    typed = type_command("verify", "own.html", "own.csv")
    assert (typed.code, typed.out) == (0, "The report follows from the data, to the last byte.\n")


def test_one_changed_number_in_the_data_is_named(report, type_command, data, tmp_path):
    lines = (data / "wdbc_scores.csv").read_text().splitlines(keepends=True)
    cells = lines[5].split(",")
    cells[2] = "0.7654"
    (tmp_path / "changed.csv").write_text("".join([*lines[:5], ",".join(cells), *lines[6:]]))
    typed = type_command("verify", report, "changed.csv")
    assert typed.code == 1
    assert typed.out.startswith("The report does not follow from the data: evaluation.systems[0].")
    assert "the report says 0.98" in typed.out


def test_a_page_that_was_changed_by_hand_is_found(report, type_command, data, tmp_path):
    spoilt = report.read_text().replace("Highest AUC", "Highest BUC")
    (tmp_path / "spoilt.html").write_text(spoilt)
    typed = type_command("verify", "spoilt.html", data / "wdbc_scores.csv")
    assert typed.code == 1
    assert "of the page was changed" in typed.out


def test_the_same_numbers_under_another_name_are_accepted(report, type_command, data, tmp_path):
    (tmp_path / "other.csv").write_bytes((data / "wdbc_scores.csv").read_bytes())
    typed = type_command("verify", report, "other.csv")
    assert typed.code == 0
    assert "every number agrees" in typed.out


def test_what_is_no_report_is_refused_with_words(type_command, data):
    typed = type_command("verify", data / "wdbc_scores.csv", data / "wdbc_scores.csv")
    assert typed.code == 1
    assert "it is not a Steelyard report" in typed.words
    typed = type_command("verify", "none.html", data / "wdbc_scores.csv")
    assert typed.code == 1
    assert "none.html: No such file" in typed.words


def test_markdown_goes_to_standard_output(type_command, data):
    typed = type_command("report", data / "digits_labels.csv", "--format", "md", "-o", "-")
    assert typed.code == 0
    assert typed.out.startswith("# digits\\_labels.csv\n")
    assert "Command: steelyard report digits\\_labels.csv" in typed.out


def test_a_folder_that_is_not_there_is_wrong_usage(type_command, data):
    for words in (
        ("report", data / "digits_labels.csv", "-o", "none/r.html"),
        ("compare", data / "digits_labels.csv", "--chart", "none/c.svg"),
        ("compare", data / "digits_labels.csv", "--chart", "c.bmp"),
    ):
        assert type_command(*words).code == 2


def test_a_chart_is_written_beside_the_answer(type_command, data, tmp_path):
    plain = type_command("compare", data / "digits_labels.csv", "--json")
    typed = type_command("compare", data / "digits_labels.csv", "--json", "--chart", "c.json")
    assert typed.out == plain.out
    assert typed.err.startswith("wrote c.json (")
    spec = json.loads((tmp_path / "c.json").read_text())
    assert spec["$schema"].endswith("v6.json")


def test_settings_beside_the_data_reach_the_report(type_command, data, tmp_path):
    (tmp_path / "d.csv").write_bytes((data / "wdbc_scores.csv").read_bytes())
    (tmp_path / "steelyard.toml").write_text('positive = "1"\n')
    assert type_command("report", "d.csv").code == 0
    (tmp_path / "steelyard.toml").unlink()
    assert type_command("verify", "report.html", "d.csv").code == 0
    assert "--positive 1" in (tmp_path / "report.html").read_text()


def test_a_seed_is_taken_from_the_command_line(type_command, data):
    typed = type_command("compare", data / "digits_labels.csv", "--seed", "7", "--json")
    assert typed.code == 0, typed.err
    assert json.loads(typed.out)["provenance"]["seed"] == 7


def test_a_report_is_printed_as_pdf_where_a_browser_is(data, type_command, tmp_path):
    import os
    import shutil

    import pytest

    if not any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
        reason = "no Chromium: apt-get install chromium"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    words = ("report", data / "wdbc_scores.csv", "--positive", "1", "--systems", "rf,svm")
    done = type_command(*words, "-o", "report.pdf")
    assert done.code == 0, done.err
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")


def test_without_a_browser_there_is_no_pdf_but_a_way_out(data, type_command, tmp_path):
    words = ("report", data / "wdbc_scores.csv", "--positive", "1", "--systems", "rf,svm")
    done = type_command(*words, "--format", "pdf", PATH=str(tmp_path))
    assert done.code == 2
    assert "apt-get install chromium" in done.words


RANKED = ("--layout", "datasets", "--lower-is-better")


def test_a_table_of_data_sets_has_a_report_with_all_that_compare_says(type_command, data, tmp_path):
    file = data / "dataset_results.csv"
    found = sy.compare(file, layout="datasets", lower_is_better=True)
    typed = type_command("report", file, *RANKED, "-o", "ranks.html")
    assert typed.code == 0, typed.err
    page = (tmp_path / "ranks.html").read_text()
    kept = save_content(page)
    assert kept["comparison"]["pairs"] == json.loads(found.to_json())["pairs"]
    assert found.headline() in page
    assert "Mean ranks over 24 data sets" in page
    assert "differ by 1.25 or more (Nemenyi, alpha 0.05)" in page
    assert page.count("doi:10.1080/01621459.1937.10503522") == 1
    assert f"steelyard report dataset_results.csv {' '.join(RANKED)}<" in page
    assert 'href="#systems"' not in page
    typed = type_command("verify", "ranks.html", file)
    assert (typed.code, typed.out) == (0, "The report follows from the data, to the last byte.\n")
    text = file.read_text().replace("0.086", "0.386", 1)
    (tmp_path / "other.csv").write_text(text)
    typed = type_command("verify", "ranks.html", "other.csv")
    assert typed.code == 1
    assert "comparison.systems[0]" in typed.out


def test_a_report_of_data_sets_is_markdown_too_and_asks_the_same_questions(type_command, data):
    file = data / "dataset_results.csv"
    typed = type_command("report", file, *RANKED, "--format", "md", "-o", "-")
    assert "| forest | 1.79 | 0.149 |" in typed.out
    assert "How good is each system?" not in typed.out
    typed = type_command("report", file, "--layout", "datasets")
    assert (typed.code, "--lower-is-better" in typed.words) == (1, True)
    typed = type_command("report", file, *RANKED, "--at", "0.3")
    assert "about thresholds" in typed.words


def test_no_command_is_offered_with_names_that_nobody_has(type_command, data):
    typed = type_command("compare", data / "digits_labels.csv", "--cost", "svm=1,nb=2")
    assert "--value COLUMNS" in typed.words
    assert "Type:" not in typed.words
