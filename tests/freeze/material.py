"""The files that cases read: what ships inside, log samples, and small tables of every kind."""

import csv
import json
import shutil
from importlib.resources import files
from pathlib import Path

import numpy as np

__all__ = ["DATA", "lay_out"]

DATA = Path(str(files("steelyard") / "data"))
HERE = Path(__file__).parent
LOGS = HERE.parent / "sources" / "logs" / "data" / "inspect_ai"


def lay_out(folder: Path) -> Path:
    """Write all files into an empty folder."""
    for source in (*DATA.glob("*.csv"), LOGS / "alpha.eval", LOGS / "beta.eval"):
        shutil.copyfile(source, folder / source.name)
    for name, columns in TABLES.items():
        _write(folder / name, columns() if callable(columns) else columns)
    shutil.copytree(HERE / "run", folder / "mine")  # a suite, and a run that was finished once
    return folder


def _write(path: Path, columns: dict[str, list[object]]) -> None:
    rows = list(zip(*columns.values(), strict=True))
    if path.suffix == ".jsonl":
        lines = [json.dumps(dict(zip(columns, row, strict=True))) for row in rows]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return
    with path.open("w", newline="", encoding="utf-8") as target:
        csv.writer(target, lineterminator="\n").writerows([columns, *rows])


def _twelve():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 4, 300)
    columns = {"truth": truth.tolist()}
    for j in range(12):
        right = rng.random(300) < 0.6 + 0.02 * j
        calls = np.where(right, truth, (truth + 1) % 4)
        columns[f"model-{j:02d}-with-a-long-name"] = calls.tolist()
    return columns


def _slices():
    rng = np.random.default_rng(1)
    truth, group = rng.integers(0, 2, 900), np.array(["day", "dusk", "night"])[np.arange(900) % 3]
    columns = {"truth": truth.tolist(), "group": group.tolist()}
    for name, rates in {"cnn": (0.95, 0.9, 0.5), "svm": (0.8, 0.8, 0.85), "nb": (0.3,) * 3}.items():
        right = rng.random(900) < np.array(rates)[np.arange(900) % 3]
        columns[name] = np.where(right, truth, 1 - truth).tolist()
    return columns


def _pairs():
    """Twelve probes against ten galleries, both of which differ."""
    rng = np.random.default_rng(8)
    probe, gallery = np.repeat(np.arange(12), 10), np.tile(np.arange(10), 12)
    same = rng.random(120) < 0.3
    alike = rng.normal(size=12)[probe] + rng.normal(size=10)[gallery] + 4 * same
    said = rng.random(120) < 1 / (1 + np.exp(2 - alike))
    return {
        "truth": np.where(same, "same", "other").tolist(),
        "probe": [f"p{one}" for one in probe],
        "gallery": [f"g{one}" for one in gallery],
        "matcher": np.where(said, "same", "other").tolist(),
    }


def _readers():
    """Four readers grade 60 cases by two systems."""
    rng = np.random.default_rng(9)
    sick = rng.random(60) < 0.4
    hard = rng.normal(size=60)
    columns = {"case": np.tile(np.arange(60), 4).tolist(), "reader": np.repeat(list("KLMN"), 60)}
    columns["reader"] = columns["reader"].tolist()
    columns["truth"] = np.tile(sick.astype(int), 4).tolist()
    for name, gap in {"film": 1.1, "digital": 1.7}.items():
        seen = [gap * sick + 0.6 * hard + 0.8 * rng.normal(size=60) for _ in range(4)]
        columns[name] = np.clip(np.rint(np.concatenate(seen) + 3), 1, 5).astype(int).tolist()
    return columns


def _clusters():
    """Items of 30 patients, some harder than others, with weights."""
    rng = np.random.default_rng(7)
    patient = np.repeat(np.arange(30), rng.integers(2, 9, 30))
    hard = rng.normal(0, 0.8, 30)[patient]
    truth = rng.integers(0, 2, patient.size)
    columns = {"truth": truth.tolist(), "cluster": [f"p{number:02d}" for number in patient]}
    for name, ease in {"cnn": 1.8, "svm": 1.3, "nb": 0.6}.items():
        right = rng.random(patient.size) < 1 / (1 + np.exp(-ease - hard))
        columns[name] = np.where(right, truth, 1 - truth).tolist()
    return columns


def _weights():
    rng = np.random.default_rng(11)
    columns = _clusters()
    del columns["cluster"]
    size = len(columns["truth"])
    return {**columns, "weight": rng.choice([0.5, 1, 2, 3.5], size).tolist()}


def _weighted_scores():
    rng = np.random.default_rng(13)
    truth = rng.integers(0, 2, 120)
    score = {name: rng.normal(gap * truth, 1).round(2) for name, gap in (("cnn", 1.2), ("nb", 0.5))}
    return {
        "truth": truth.tolist(),
        **{name: values.tolist() for name, values in score.items()},
        "weight": rng.choice([1, 2, 5], 120).tolist(),
        "cluster": [f"c{place // 4}" for place in range(120)],
    }


def _repeats():
    """Forty questions, each asked five times of two systems."""
    rng = np.random.default_rng(17)
    ease = rng.normal(0.8, 1.2, 40).repeat(5)
    return {
        "question": np.arange(40).repeat(5).tolist(),
        **{
            name: (rng.random(200) < 1 / (1 + np.exp(-ease - lead))).astype(int).tolist()
            for name, lead in (("coached", 0.5), ("plain", 0))
        },
    }


def _long():
    """A row for each item and system."""
    rows = [
        (item, "ab"[item % 2], system, "ab"[(item + (item % every == 0)) % 2])
        for item in range(60)
        for system, every in (("cnn", 10), ("svm", 4))
    ]
    return dict(
        zip(("item", "truth", "system", "called"), map(list, zip(*rows, strict=True)), strict=True)
    )


def _apart():
    """Systems that had items of their own."""
    columns = _long()
    return {**columns, "item": list(range(len(columns["item"])))}


def _problems():
    """Five systems on twelve data sets with ten folds each."""
    rng = np.random.default_rng(19)
    size = 12 * 60
    group, fold = np.repeat(np.arange(12), 60), np.tile(np.repeat(np.arange(10), 6), 12)
    truth = rng.integers(0, 3, size)
    columns = {"truth": truth.tolist(), "group": [f"set{number}" for number in group]}
    columns["fold"] = fold.tolist()
    for j, name in enumerate(("cnn", "svm", "rf", "nb", "tree")):
        right = rng.random(size) < (0.9 - 0.05 * j) - 0.02 * group
        columns[name] = np.where(right, truth, (truth + 1) % 3).tolist()
    return columns


def _first(number, cnn, svm):
    return {"item": list(range(number)), "cnn": cnn * (number // 4), "svm": svm * (number // 4)}


def _three_classes():
    rng = np.random.default_rng(23)
    truth = rng.integers(0, 3, 90)
    columns = {"truth": [("cat", "dog", "cow")[value] for value in truth]}
    for letter, lead in (("p", 2.0), ("q", 1.0)):
        powers = np.exp(rng.normal(0, 1, (90, 3)) + lead * np.eye(3)[truth])
        shares = (powers / powers.sum(axis=1, keepdims=True)).round(4)
        for j, name in enumerate(("cat", "dog")):
            columns[f"{letter}{name}"] = shares[:, j].tolist()
        columns[f"{letter}cow"] = (1 - shares[:, 0] - shares[:, 1]).round(4).tolist()
    return columns


TABLES = {
    "readers.csv": _readers,
    "pairs.csv": _pairs,
    "twelve.csv": _twelve,
    "slices.csv": _slices,
    "clusters.csv": _clusters,
    "weights.csv": _weights,
    "weighted_scores.csv": _weighted_scores,
    "repeats.csv": _repeats,
    "long.csv": _long,
    "apart.csv": _apart,
    "problems.csv": _problems,
    "three_classes.csv": _three_classes,
    "cnn.csv": {"id": [1, 2, 3, 4], "truth": list("abab"), "called": list("abab")},
    "svm.csv": {"id": [4, 3, 2, 1], "truth": list("baba"), "called": list("bbba")},
    "level.csv": _first(20, [1, 0, 1, 0], [0, 1, 1, 0]),
    "level40.csv": _first(40, [1, 0, 1, 0], [0, 1, 1, 0]),
    "lead.csv": _first(20, [1, 1, 1, 0], [0, 1, 1, 0]),
    "mended.csv": {"item": [0, 3], "cnn": [0, 1], "svm": [1, 1]},
    "half.jsonl": {"item": [1, 2, 3], "cnn": [1, 0, 1], "svm": [0, None, None]},
    "odd.csv": {
        "truth": ["<b>", "=1+1", "日本語", "a\x1b[31m"] * 3,
        "svm\nbig": ["<b>", "=1+1", "日本語", "<b>"] * 3,
        "\x1b[2J=cmd": ["<b>", "<b>", "日本語", "a\x1b[31m"] * 3,
    },
    "one_class.csv": {"truth": ["yes"] * 4, "s": [0.1, 0.7, 0.3, 0.3]},
    "gaps.jsonl": {
        "truth": ["a", "b", "a", None],
        "x": ["a", "b", None, "a"],
        "y": list("abab"),
    },
    "raters.jsonl": {
        "ann": ["a", "b", None, "a", "c", "c", None],
        "bob": ["a", "b", "b", None, "c", "a", "b"],
        "eve": ["a", "c", "b", "a", None, "c", None],
    },
    "two_raters.csv": {
        "ann": ["yes"] * 90 + ["no"] * 10,
        "bob": ["yes"] * 81 + ["no"] * 9 + ["yes"] * 6 + ["no"] * 4,
    },
    "three_identical.csv": {name: [1] * 45 + [0] * 5 for name in "abc"},
    "ties.csv": {
        "truth": ["ship"] * 5 + ["sea"] * 5,
        "score": [18, 42, 82, 88, 92, 0, 11, 21, 35, 56],
    },
    "costs.csv": {"": list("ab"), "a": [0, 5], "b": [1, 0]},
}
