"""The table of roles and settings: what it says is what every surface offers."""

import importlib.util
import inspect
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import get_args

import click
import pytest
from click.testing import CliRunner

import steelyard as sy
from steelyard.journey import options
from steelyard.journey.options import GROUPS, OPTIONS, Control, Option, options_of, settle
from steelyard.journey.plans.questions import QUESTIONS
from steelyard.journey.reporting import report_content
from steelyard.journey.settings import read_settings
from steelyard.sources import FileOptions, Roles
from steelyard.sources.roles.declared import CHOICES, UNDECLARED

ROOT = Path(__file__).parents[2]
VERBS = {
    **{name: getattr(sy, name) for name in get_args(options.Verb) if hasattr(sy, name)},
    "report": report_content,
}
PAIR = sy.Outcomes.from_pair(both=160, first=18, second=5, neither=17, systems=("A", "B"))


@pytest.fixture(scope="module")
def pages():
    path = ROOT / "scripts" / "reference_pages.py"
    spec = importlib.util.spec_from_file_location("reference_pages", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_roles_are_what_rows_are_opened_with():
    taken = {field.name for kind in (Roles, FileOptions) for field in fields(kind)}
    found_out = {"one_column"}  # by where the truth stands
    expected = taken - UNDECLARED - found_out | {"memory", "observe"}
    assert options.role_names() == expected
    for verb in VERBS:
        assert expected <= set(options_of(verb, "python"))


def test_choices_are_what_rows_are_opened_with():
    for name, choices in CHOICES.items():
        if name == "errors":  # also names columns of errors, so that it is no closed list
            continue
        assert options_of("compare", "cli")[name].choices == choices


def test_every_option_is_looked_at_by_something_that_is_no_table():
    tables = {"options.py", "option_types.py", "arguments.py"}
    folder = Path(options.__file__).parents[1]
    modules = [path for path in folder.rglob("*.py") if path.name not in tables]
    words = {word for path in modules for word in re.findall(r"[a-z_]\w*", path.read_text())}
    assert [row.name for row in OPTIONS if row.name not in words] == []


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_shows_its_keywords_and_their_defaults(verb):
    shown = inspect.signature(VERBS[verb]).parameters
    for name, row in options_of(verb, "python").items():
        assert shown[name].default is row.default
        assert shown[name].kind is inspect.Parameter.KEYWORD_ONLY


def test_no_function_of_a_verb_has_more_than_eight_parameters_of_its_own():
    for verb in VERBS.values():
        assert len(verb.__code__.co_varnames[: verb.__code__.co_argcount]) <= 8
        assert verb.__code__.co_kwonlyargcount == 0


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_of_a_plan_is_asked_with_what_its_command_takes(question):
    request, _ = QUESTIONS[question]
    taken = {field.name for field in fields(request)} | {"among"}
    for name, row in options_of("plan", "python", question=question).items():
        if row.questions and not row.role:
            assert name in taken, (question, name)


def test_one_name_is_one_row_for_each_verb_and_surface():
    for row in OPTIONS:
        for verb in row.verbs:
            twins = [one for one in OPTIONS if one.name == row.name and verb in one.verbs]
            assert twins == [row]
        assert row.group in GROUPS
        assert row.words.endswith(".") or row.words.endswith("?") or row.name == "master"
        if row.usual:
            assert row.default is None


def test_a_default_of_zero_is_shown_and_false_is_not():
    rows = options_of("compare", "cli")
    assert rows["rng"].shown_default == "0"
    assert rows["by_group"].shown_default == ""


def test_the_types_of_keywords_are_those_of_the_table(pages):
    text = (ROOT / "src/steelyard/journey/option_types.py").read_text(encoding="utf-8")
    made = text.partition("# ]]]\n")[2].partition("# [[[end]]]")[0]
    assert made.strip() == pages.option_types().strip(), "Type: make reference"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"levle": 0.9}, "compare has no option 'levle'. Did you mean level=?"),
        ({"zzz": 1}, "compare has no option 'zzz'. It takes: accuracy, alpha, by_group,"),
        ({"layout": "dataset"}, "layout='dataset' is not known. Choose one of: items, datasets"),
        ({"level": "0.9"}, "level='0.9' is not strictly between 0 and 1."),
        ({"alpha": True}, "alpha=True is not strictly between 0 and 1."),
    ],
)
def test_a_keyword_that_is_not_one_is_refused_in_words(given, said):
    with pytest.raises(sy.RequestError, match=re.escape(said)):
        sy.compare(PAIR, **given)


def test_what_is_none_was_not_said():
    assert settle("compare", {"level": None, "truth": None}) == (
        settle("compare", {})[0],
        {"truth": None},
    )


def test_a_verb_that_needs_something_says_so():
    with pytest.raises(
        sy.RequestError, match=r"A gate needs a requirement .* \(--require \.\.\.\), or a claim"
    ):
        sy.gate(PAIR)


@pytest.mark.parametrize("line", ["threshold = true", "alpha = true", "level = 1"])
def test_settings_of_another_type_are_refused(tmp_path, line):
    (tmp_path / "steelyard.toml").write_text(line)
    with pytest.raises(sy.RequestError, match=r"expected (a whole number or )?a number with"):
        read_settings(None, [str(tmp_path / "rows.csv")])


ADDED = Option(
    "patience",
    "count",
    "How long to wait.",
    ("compare",),
    "Numbers",
    default=0,
    toml=True,
    page=Control("How long to wait", 0, 10, 1, 3),
)


@pytest.fixture
def added(monkeypatch):
    monkeypatch.setattr(options, "OPTIONS", [*OPTIONS, ADDED])


@pytest.mark.usefixtures("added")
def test_an_added_option_is_on_every_surface(tmp_path, pages):
    from starlette.datastructures import QueryParams

    from steelyard.surfaces.cli.options import verb_command
    from steelyard.surfaces.web.app_state import AppState
    from steelyard.surfaces.web.asking import read_state
    from steelyard.surfaces.web.pages.frame import page_html
    from steelyard.surfaces.web.uploads import Uploads

    typed = {}
    command = verb_command("compare", short_help="")(lambda **given: typed.update(given))
    told = CliRunner().invoke(command, ["--help"]).output
    assert re.search(
        r"Numbers:\n(  .*\n)*  --patience INTEGER +How long to wait. \[default: 0\]", told
    )
    assert CliRunner().invoke(command, ["rows.csv", "--patience", "4"]).exit_code == 0
    assert typed["patience"] == 4

    @options.takes("compare")
    def verb(data, **given):
        return settle("compare", given)[0]["patience"]

    assert inspect.signature(verb).parameters["patience"].default == 0
    assert (verb(None), verb(None, patience=4)) == (0, 4)
    assert sy.compare(PAIR, patience=4) == sy.compare(PAIR)
    with pytest.raises(sy.RequestError, match="patience='x'; expected a whole number"):
        sy.compare(PAIR, patience="x")
    assert "    patience: int\n" in pages.option_types()

    (tmp_path / "steelyard.toml").write_text("patience = 5")
    assert read_settings(None, [str(tmp_path / "rows.csv")]) == {"patience": 5}

    desk = AppState(folder=tmp_path, uploads=Uploads(tmp_path))
    page = page_html("compare", QueryParams("patience=7"), desk, token="t")
    assert re.search(r'How long to wait .*name="patience" .*max="10".* value="7"', page)
    assert read_state("compare", [("patience", "7")]).arguments == {"patience": 7}

    cells = ["`patience`", "`--patience`", "How long to wait", "`patience`", "compare"]
    assert f"| {' | '.join(cells)} | How long to wait. [default: 0] |" in pages.option_table()


def test_what_a_surface_does_not_offer_is_seen_in_the_table(monkeypatch):
    hidden = replace(ADDED, cli=None, toml=False, page=None)
    monkeypatch.setattr(options, "OPTIONS", [*OPTIONS, hidden])
    assert "patience" in options_of("compare", "python")
    for surface in ("cli", "toml", "page"):
        assert "patience" not in options_of("compare", surface)
    assert "patience" not in options.toml_types()


def test_every_option_of_a_verb_stands_under_a_heading():
    from steelyard.surfaces.cli.entry import steelyard

    for verb in VERBS:
        command = steelyard.get_command(click.Context(steelyard), verb)
        if verb != "plan":
            told = CliRunner().invoke(command, ["--help"]).output
            assert "\nOptions:" not in told
            assert "\nQuestion:" in told or verb == "report"
            assert "\nRoles:" in told


def test_two_files_of_settings_that_differ_are_refused_and_folders_may_hold_a_mark(tmp_path):
    files = []
    for name, level in (("a", 0.8), ("b", 0.5), ("split=test", 0.8)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rows.csv").write_text("truth,a\nx,x\n")
        (tmp_path / name / "steelyard.toml").write_text(f"level = {level}\n")
        files.append(str(tmp_path / name / "rows.csv"))
    first, second, third = files
    assert read_settings(None, [third]) == {"level": 0.8}
    assert read_settings(None, [f"svm={first}", f"rf={third}"]) == {"level": 0.8}
    for both in ([first, second], [f"svm={second}", f"rf={first}"]):
        with pytest.raises(sy.RequestError, match="say different things") as refused:
            read_settings(None, both)
        assert refused.value.code == "settings-differ"
    assert read_settings(str(tmp_path / "b/steelyard.toml"), [first, second]) == {"level": 0.5}
