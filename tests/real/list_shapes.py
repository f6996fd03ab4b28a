"""Lists without names, truths in files of their own, ratings in rows: shapes of public files.

Sources, whose shapes were rebuilt with numbers of our own: CrowdTruth (CrowdTruth-core, Apache 2.0)
and Amazon's batches of ratings; ASVspoof 2021's scores and key; DCASE's anomaly scores; PASCAL
VOC's lists; H2O's, SAS's, Azure's, KNIME's, JMP's and PyCaret's exports of predictions; fastText's
labels; lists of genuine and impostor scores as biometric toolkits write them.
"""

from pathlib import Path

from tests.real.more_shapes import CAT, FLAG, ONE, PLACES, TRUTH, TWO, dump
from tests.real.public_shapes import SCORES
from tests.real.shapes import write_rows

WORKERS = ("W0", "W1", "W2", "W3")
SAID = [
    (f"T{n}", WORKERS[(n + k) % 4], said)
    for n, (one, two, true) in enumerate(zip(ONE, TWO, TRUTH, strict=True))
    for k, said in enumerate((one, two, true))
]
"""A row for each rating: three of four workers said what each item is."""
KINDS = ["bonafide" if cat else "spoof" for cat in CAT]
IDS = [f"LA_E_{n:07d}" for n in PLACES]


def ratings(folder: Path) -> None:
    """Write a row for each rating, as crowds give them, with all that is written beside them."""
    rows = [[f"A{n}", item, who, "NA", said] for n, (item, who, said) in enumerate(SAID)]
    names = ["AssignmentId", "HITId", "WorkerId", "country", "Answer.category"]
    write_rows(folder / "batch.csv", names, rows)
    write_rows(folder / "crowd.csv", ["worker", "task", "label"], [[w, i, s] for i, w, s in SAID])
    write_rows(folder / "who.csv", ["who", "what", "said"], [[w, i, s] for i, w, s in SAID])


def scores_and_key(folder: Path) -> None:
    """Write lists of scores, and a key of more columns, both without a header."""
    (folder / "scores.txt").write_text(
        "".join(f"{i} {s}\n" for i, s in zip(IDS, SCORES, strict=True))
    )
    rows = [
        f"LA_0009 {i} alaw ita_tx {'bonafide' if k == 'bonafide' else 'A07'} {k} notrim eval\n"
        for i, k in zip(IDS, KINDS, strict=True)
    ]
    (folder / "key.txt").write_text("".join(reversed(rows)))
    (folder / "voc.txt").write_text(
        "".join(f"{i} {1 if cat else -1:2d}\n" for i, cat in zip(IDS, CAT, strict=True))
    )
    (folder / "scores.csv").write_text(
        "".join(f"{i}.wav,{s}\n" for i, s in zip(IDS, SCORES, strict=True))
    )
    (folder / "labels.csv").write_text(
        "".join(f"{i}.wav,{int(cat)}\n" for i, cat in zip(IDS, CAT, strict=True))
    )


def parted_scores(folder: Path) -> None:
    """Write the scores of each kind of trial into a file of its own."""
    for name, kind in (("genuine", True), ("impostor", False)):
        own = [s for s, cat in zip(SCORES, CAT, strict=True) if cat == kind]
        (folder / f"{name}.txt").write_text("".join(f"{s}\n" for s in own))


def lists(folder: Path) -> None:
    """Write labels alone, one a line, as text and as JSON."""
    for name, labels in (("a", ONE), ("b", TWO), ("gold", TRUTH)):
        (folder / f"{name}.txt").write_text("".join(f"{one}\n" for one in labels))
        dump(folder / f"{name}.json", labels)
    (folder / "pred.txt").write_text(
        "".join(f"__label__{one} 0.9{n % 10}\n" for n, one in enumerate(ONE))
    )
    (folder / "test.txt").write_text(
        "".join(f"__label__{one} words {n}\n" for n, one in enumerate(TRUTH))
    )


def without_ids(folder: Path) -> None:
    """Write H2O's predictions, whose truth stands in the file that was scored."""
    rows = [[int(f), round(1 - s, 6), s] for f, s in zip(FLAG, SCORES, strict=True)]
    write_rows(folder / "preds.csv", ["predict", "p0", "p1"], rows)
    write_rows(folder / "test.csv", ["x1", "response"], [[n, int(c)] for n, c in enumerate(CAT)])


def exports(folder: Path) -> None:
    """Write predictions as SAS, Azure and PyCaret call their columns."""
    binary = list(zip(map(int, CAT), map(int, FLAG), SCORES, strict=True))
    names = ["CUST_ID", "BAD", "P_BAD1", "P_BAD0", "F_BAD", "I_BAD"]
    rows = [[n, t, s, round(1 - s, 6), t, c] for n, (t, c, s) in enumerate(binary)]
    write_rows(folder / "sas.csv", names, rows)
    names = ["x", "income", "Scored Labels", "Scored Probabilities"]
    write_rows(folder / "azure.csv", names, [[n, t, c, s] for n, (t, c, s) in enumerate(binary)])
    names = ["age", "Purchase", "prediction_label", "prediction_score"]
    rows = [[20 + n % 9, t, c, max(s, round(1 - s, 6))] for n, (t, c, s) in enumerate(binary)]
    write_rows(folder / "pycaret.csv", names, rows)
    rows = [[n, 300 + n % 99, t, s] for n, (t, _, s) in enumerate(binary)]
    write_rows(folder / "credit.csv", ["customer", "credit_score", "default", "pd"], rows)
