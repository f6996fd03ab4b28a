"""What a command line cannot mean is refused before anything is read, and nothing is lost by it."""

import json

import pytest

import steelyard as sy
from steelyard.errors import RequestError
from steelyard.surfaces.cli.entry import main

ROWS = [
    {"item": n, "truth": "xy"[n % 2], "a": "xy"[n % 2], "b": "xy"[n * n % 3 % 2]} for n in range(30)
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = ["item,truth,a,b", *(",".join(map(str, row.values())) for row in ROWS)]
    for name in ("p.csv", "q.csv", "logs/p.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    (tmp_path / "p.json").write_text(json.dumps(ROWS))
    (tmp_path / "link.csv").symlink_to("p.csv")
    return tmp_path


@pytest.fixture
def typed(monkeypatch, capsys):
    def run(*words):
        monkeypatch.setattr("sys.argv", ["steelyard", *words])
        with pytest.raises(SystemExit) as ended:
            main()
            raise SystemExit(0)
        return ended.value.code, " ".join(capsys.readouterr().err.split())

    return run


GATE = ("gate", "p.csv", "--candidate", "a", "--baseline", "b", "--require", "better")
OVER = {
    "its items": ("compare", "p.csv", "--items", "p.csv"),
    "a link's items": ("compare", "link.csv", "--items", "p.csv"),
    "a link to it": ("compare", "p.csv", "--items", "link.csv"),
    "what a pattern means": ("compare", "[p].csv", "--items", "p.csv"),
    "one of two systems": ("compare", "x=p.csv", "y=q.csv", "--systems", "a", "--items", "q.csv"),
    "a picture in JSON": ("evaluate", "p.json", "--chart", "p.json"),
    "a report": ("report", "p.csv", "-o", "p.csv"),
    "a file of a folder": ("report", "logs", "-o", "logs/p.csv"),
    "a baseline": ("gate", "p.csv", "--baseline", "q.csv", "--require", "better", "--junit",
                   "q.csv"),
    "a summary": (*GATE, "--summary", "logs/../p.csv"),
    "points": ("roc", "p.csv", "--curve", "p.csv"),
    "a truth": ("evaluate", "p.csv", "--truth", "p.json:truth", "--chart", "p.json"),
    "a ledger": ("campaign", "export", "p.json", "-o", "p.json"),
}  # fmt: skip


@pytest.mark.parametrize("name", list(OVER))
def test_what_is_read_is_never_written_over(name, folder, typed):
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    code, said = typed(*OVER[name])
    assert code == 2
    assert "is read here, and would be overwritten" in said
    assert {path: path.read_bytes() for path in before} == before


def test_python_does_not_write_over_what_it_reads_either(folder):
    before = (folder / "p.csv").read_bytes()
    with pytest.raises(RequestError, match="is read here, and would be overwritten"):
        sy.compare(str(folder / "p.csv"), items=str(folder / "link.csv"))
    assert (folder / "p.csv").read_bytes() == before


def test_what_was_written_before_is_written_again(folder, typed):
    for _ in range(2):
        assert typed("report", "logs/*.csv", "-o", "logs/r.html")[0] in {0, None}
        assert typed("compare", "p.csv", "--items", "new.csv")[0] in {0, None}


BOTH = {
    "two forms": (("evaluate", "p.csv", "--json", "--csv"), "two forms of one answer"),
    "of a gate": ((*GATE, "--json", "--csv"), "two forms of one answer"),
    "a table and rows": (("evaluate", "p.csv", "--confusion", "8,2;1,9"), "not both"),
    "events and rows": (("evaluate", "p.csv", "--false-alarms", "3", "--exposure", "2h"),
                        "not both"),
    "a claim and rows": (("gate", "p.csv", "--false-alarms", "3", "--exposure", "2h", "--claim",
                          "false alarms at most 2 per hour"), "not both"),
    "a table and events": (("evaluate", "--confusion", "8,2;1,9", "--false-alarms", "3",
                            "--exposure", "2h"), "one of --confusion and --false-alarms"),
    "counts and rows": (("compare", "p.csv", "--correct", "a=3,b=4", "--tested", "9"), "not both"),
}  # fmt: skip


@pytest.mark.parametrize("name", list(BOTH))
def test_of_two_things_that_exclude_each_other_none_is_passed_over(name, folder, typed):
    words, expected = BOTH[name]
    code, said = typed(*words)
    assert code == 2
    assert expected in " ".join(said.split())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("compare a.csv --items", "--items takes a value: --items FILE. Also write every item"),
        ("plan best --rates", "--rates takes a value: --rates 0.90,0.88."),
        (
            "campaign new a.db --systems a,b --stop x --value a,b",
            "'--value' here; it belongs to campaign add.",
        ),
        ("compare a.csv --exposure hours", "'--exposure' here; it belongs to evaluate and gate."),
        ("evaluate a.csv --seed 4", "'--seed' here; it belongs to compare, gate,"),
        ("evaluate a.csv --mesure f1", "No such option '--mesure'. (Did you mean"),
    ],
)
def test_an_option_without_its_value_or_of_another_command_says_what_is_right(typed, line, said):
    code, words = typed(*line.split())
    assert code == 2
    assert said in words
