"""``roc``, ``calibration``, ``targeting`` and ``agreement`` as users type them."""

import pytest

import steelyard as sy

SCORES = "german_credit_scores.csv"


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (
            ["roc", SCORES, "--positive", "1", "--score", "rf", "--at", "pfa=0.1", "--at",
             "flagged=100", "--measures", "recall,mcc", "--partial", "pfa:0:0.2", "--thresholds",
             "every:50", "--cost", "fn=5", "--prevalence", "0.1", "--band", "none",
             "--resamples", "20", "--seed", "3", "--points", "50"],
            {"positive": "1", "score": "rf", "at": ["pfa=0.1", "flagged=100"],
             "measures": ["recall", "mcc"], "partial": "pfa:0:0.2", "thresholds": "every:50",
             "cost": {"fn": "5"}, "prevalence": "0.1", "band": "none", "resamples": 20, "rng": 3,
             "points": 50},
        ),
        (
            ["calibration", SCORES, "--positive", "1", "--systems", "rf,gbm", "--bins", "5",
             "--binning", "width", "--level", "0.9"],
            {"positive": "1", "systems": ["rf", "gbm"], "bins": 5, "binning": "width",
             "level": 0.9},
        ),
        (
            ["targeting", SCORES, "--positive", "1", "--score", "rf", "--budget", "50", "--by",
             "percentiles", "--net-benefit", "0.1,0.2"],
            {"positive": "1", "score": "rf", "budget": "50", "by": "percentiles",
             "net_benefit": ["0.1", "0.2"]},
        ),
        (
            ["agreement", "diamonds_ordinal_labels.csv", "--raters", "polr,rf", "--weights",
             "linear", "--order", "1,2,3,4,5"],
            {"raters": ["polr", "rf"], "weights": "linear", "order": list("12345")},
        ),
    ],
)  # fmt: skip
def test_json_is_exactly_the_result(type_command, data, words, options):
    verb, file, *rest = words
    typed = type_command(verb, data / file, *rest, "--json")
    assert typed.code == 0, typed.err
    assert typed.out == getattr(sy, verb)(data / file, **options).to_json() + "\n"


def test_the_curve_and_another_picture_are_written(type_command, data, tmp_path):
    typed = type_command(
        "roc", data / SCORES, "--positive", "1", "--score", "rf", "--resamples", "0",
        "--curve", "points.csv", "--chart", "det.svg", "--picture", "det",
    )  # fmt: skip
    assert typed.code == 0, typed.err
    lines = (tmp_path / "points.csv").read_text().splitlines()
    assert lines[1] == "rf,1,,0,0,0.0,0.0"
    assert "Detection error trade-off" in (tmp_path / "det.svg").read_text()
    typed = type_command("roc", data / SCORES, "--positive", "1", "--picture", "det")
    assert typed.code == 2
    assert "--chart" in typed.words


def test_weights_of_near_misses_come_from_a_file(type_command, tmp_path):
    rows = "ann,bob\nlow,mid\nmid,mid\ntop,low\ntop,top\n"
    (tmp_path / "g.csv").write_text(rows)
    table = ",low,mid,top\nlow,1,0.5,0\nmid,0.5,1,0.5\ntop,0,0.5,1\n"
    (tmp_path / "w.csv").write_text(table)
    given = type_command("agreement", "g.csv", "--weights", "w.csv", "--csv")
    assert given.code == 0, given.err
    linear = type_command(
        "agreement", "g.csv", "--weights", "linear", "--order", "low,mid,top", "--csv"
    )
    value = [line.split(",")[4] for line in given.out.splitlines() if "weighted kappa" in line][:1]
    assert value
    assert any(value[0] in line for line in linear.out.splitlines() if "linear kappa" in line)
    (tmp_path / "w.csv").write_text(",low\nlow\n")
    typed = type_command("agreement", "g.csv", "--weights", "w.csv")
    assert typed.code == 2
    assert "table of weights" in typed.words


def test_class_weights_are_read_by_name(type_command, data):
    words = ["calibration", data / "digits_scores_logreg.csv", "--vector", "m=p{class}"]
    weights = ",".join(f"{digit}=0.1" for digit in range(10))
    typed = type_command(*words, "--class-weights", weights, "--csv")
    assert typed.code == 0, typed.err
    typed = type_command(*words, "--class-weights", "a")
    assert typed.code == 2
    assert "cat=0.3,dog=0.7" in typed.words


def test_rows_with_weights_are_counted_once_when_asked(type_command, tmp_path):
    (tmp_path / "p.csv").write_text("truth,s,weight\n1,.9,1\n0,.2,2\n1,.4,3\n0,.6,1\n")
    for verb in ("roc", "targeting", "calibration"):
        typed = type_command(verb, "p.csv", "--positive", "1")
        assert typed.code == 1
        assert "--unweighted" in typed.words
        typed = type_command(verb, "p.csv", "--positive", "1", "--unweighted")
        assert typed.code == 0, typed.err
        assert "counts once" in " ".join(typed.out.split())


def test_evaluate_takes_costs_from_words_and_files(type_command, tmp_path):
    words = ["evaluate", "--confusion", "8,2;1,9", "--class", "ill, or so", "--class", "well"]
    typed = type_command(
        *words, "--positive", "ill, or so", "--cost", "fn=10,fp=1", "--prevalence", "0.1",
        "--average", "micro", "--method", "jeffreys", "--json",
    )  # fmt: skip
    assert typed.code == 0, typed.err
    table = sy.Confusion.from_matrix([[8, 2], [1, 9]], classes=["ill, or so", "well"])
    expected = sy.evaluate(
        table, positive="ill, or so", cost={"fn": "10", "fp": "1"}, prevalence="0.1",
        average="micro", method="jeffreys",
    )  # fmt: skip
    assert typed.out == expected.to_json() + "\n"
    (tmp_path / "costs.csv").write_text(',"ill, or so",well\n"ill, or so",0,10\nwell,1,0\n')
    typed = type_command(*words, "--cost", "costs.csv", "--csv")
    assert typed.code == 0, typed.err
    assert any(line.startswith("expected cost,system,,,1.05,") for line in typed.out.splitlines())
    (tmp_path / "costs.csv").write_text(",a\nb,x\n")
    typed = type_command(*words, "--cost", "costs.csv")
    assert typed.code == 2
    assert "table of costs" in typed.words
