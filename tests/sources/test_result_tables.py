"""Tables of results as people have them: whatever is printed beside the numbers changes nothing."""

import pytest

import steelyard as sy
from steelyard.errors import SteelyardError

NAMES = ("forest", "svm", "bayes")
ROWS = [
    ("adult", 0.862, 0.851, 0.834), ("bank", 0.905, 0.911, 0.882), ("car", 0.961, 0.930, 0.855),
    ("diabetes", 0.764, 0.771, 0.752), ("ecoli", 0.875, 0.868, 0.851), ("flag", 0.651, 0.612, 0.6),
    ("glass", 0.79, 0.705, 0.495), ("heart", 0.818, 0.84, 0.836),
]  # fmt: skip
MEANS = [round(sum(row[n] for row in ROWS) / len(ROWS), 4) for n in (1, 2, 3)]
ASKED = {"layout": "datasets", "higher_is_better": True}


def lines(rows, names=("dataset", *NAMES), mark=",", start="", end=""):
    return "\n".join(start + mark.join(map(str, row)) + end for row in (names, *rows)) + "\n"


def cells(write, rows=ROWS):
    return [(row[0], *(write(cell, cell == max(row[1:])) for cell in row[1:])) for row in rows]


def turned(rows=ROWS):
    return [(name, *(row[n] for row in rows)) for n, name in enumerate(NAMES, 1)]


def markdown(rows):
    header, *body = lines(rows, mark=" | ", start="| ", end=" |").splitlines()
    return "\n".join([header, "|---|---:|---:|---:|", *body])


def latex(rows):
    header, *body = lines(rows, mark=" & ", end=r" \\").splitlines()
    start, end = r"\begin{tabular}{lrrr} \toprule", r"\bottomrule \end{tabular}"
    return "\n".join([start, header + r" \midrule", *body, end])


PRINTED = {
    "bold": lines(cells(lambda x, best: f"**{x}**" if best else x)),
    "error bars": lines(cells(lambda x, _: f"{x} ± 0.02")),
    "error bars, typed": lines(cells(lambda x, _: f"{x}+-0.02")),
    "deviations": lines(cells(lambda x, _: f"{x} (0.021)")),
    "ranks beside some": lines(cells(lambda x, best: f"{x} (1)" if best else x)),
    "a row of means": lines([*ROWS, ("Mean", *MEANS)]),
    "rows below": lines([*ROWS, ("Average", *MEANS), ("Avg. rank", 1.3, 1.8, 2.9)]),
    "wins below": lines([*ROWS, ("W/T/L", "5/0/3", "3/0/5", "0/0/8")]),
    "a column of means": lines(
        [(*row, round(sum(row[1:]) / 3, 3)) for row in ROWS], ("dataset", *NAMES, "Average")
    ),
    "turned round": lines(turned(), ("Algorithm", *(row[0] for row in ROWS))),
    "turned, with means": lines(
        [(*row, mean) for row, mean in zip(turned(), MEANS, strict=True)],
        ("Model", *(row[0] for row in ROWS), "Avg"),
    ),
    "turned, with sizes": lines(
        [(row[0], "12.5", *row[1:]) for row in turned()],
        ("Model", "Params (M)", *(row[0] for row in ROWS)),
    ),
    "long": lines(
        [(row[0], name, row[n]) for row in ROWS for n, name in enumerate(NAMES, 1)],
        ("dataset", "algorithm", "accuracy"),
    ),
    "decimal commas": lines(cells(lambda x, _: str(x).replace(".", ",") + " (0,02)"), mark=";"),
    "Markdown": markdown(cells(lambda x, best: f"**{x}**" if best else x)),
    "LaTeX": latex(cells(lambda x, best: rf"\textbf{{{x}}}" if best else f"${x} \\pm 0.1$")),
}


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    path = tmp_path_factory.mktemp("plain") / "plain.csv"
    path.write_text(lines(ROWS))
    return numbers(sy.compare(path, **ASKED))


def numbers(found):
    """Take what the answer says of algorithms and pairs, whatever their order."""
    systems = {
        one.system: (one.mean_rank, one.mean, one.median, one.best_on) for one in found.systems
    }
    pairs = {frozenset((one.first, one.second)): (one.p_value, one.wilcoxon) for one in found.pairs}
    return found.datasets, found.p_value, systems, pairs


@pytest.mark.parametrize("shape", PRINTED)
def test_what_is_printed_beside_results_changes_no_number(shape, plain, tmp_path):
    path = tmp_path / "results.txt"
    path.write_text(PRINTED[shape])
    found = sy.compare(path, **ASKED)
    assert numbers(found) == plain
    (record,) = found.provenance.inputs
    assert record.name == "results.txt" and len(record.sha256) == 64


def test_percentages_are_results_in_percent(plain, tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(lines(cells(lambda x, _: f"{100 * x:.1f}%")))
    found = sy.compare(path, **ASKED)
    assert [one.mean_rank for one in found.systems] == [rank for rank, *_ in plain[2].values()]
    assert found.systems[0].mean == pytest.approx(100 * plain[2]["forest"][1])
    path.write_text(lines([*cells(lambda x, _: f"{100 * x:.1f}%"), ("wine", 0.9, 0.8, 0.7)]))
    with pytest.raises(SteelyardError, match="with a percent sign and numbers without"):
        sy.compare(path, **ASKED)


def test_what_was_left_aside_or_turned_is_said(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(PRINTED["rows below"])
    found = sy.compare(path, **ASKED)
    said = ("left aside", "rows 'Average', 'Avg. rank', which sum up the others")
    assert said in found.provenance.understood
    path.write_text(PRINTED["turned round"])
    found = sy.compare(path, **ASKED)
    assert any("taken as an algorithm" in one for one in found.caveats)
    declined = sy.compare(path, **ASKED, item="Algorithm")
    assert declined.datasets == 3 and len(declined.systems) == len(ROWS)


def test_an_algorithm_may_be_called_mean_and_is_asked_about(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(lines([(*row, 0.9) for row in ROWS], ("dataset", *NAMES, "Mean")))
    with pytest.raises(SteelyardError, match="Mean may sum up the other columns"):
        sy.compare(path, **ASKED)
    found = sy.compare(path, **ASKED, value=[*NAMES, "Mean"])
    assert len(found.systems) == 4


def test_a_cell_that_cannot_be_read_is_named_and_no_hint_leaves_its_column_out(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(PRINTED["bold"].replace("0.771", "about 0.771"))
    with pytest.raises(SteelyardError, match=r"'svm' holds 'about 0.771' among") as refused:
        sy.compare(path, **ASKED)
    assert {"forest", "svm", "bayes"} <= set(str(refused.value).replace("'", ",").split(","))
    with pytest.raises(SteelyardError, match=r"row 4 \(item 'diabetes'\): 'about 0.771'"):
        sy.compare(path, **ASKED, value=NAMES, item="dataset")


def test_a_thousand_with_a_comma_is_not_read_as_one(tmp_path):
    path = tmp_path / "results.csv"
    rows = [("x", "1,234", 2, 3), ("y", "2,345", 2, 3), ("z", "1,000", 4, 5)]
    path.write_text(lines(rows, mark=";"))
    with pytest.raises(SteelyardError, match="forest something else"):
        sy.compare(path, **ASKED)
