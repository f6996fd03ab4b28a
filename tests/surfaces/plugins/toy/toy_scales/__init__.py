"""A package of others: a log, a table, a measure and an algorithm; and a module that fails."""

import numpy as np

from steelyard.measures import Measure
from steelyard.sources.files.other_tables import TableFormat
from steelyard.sources.logs import Head, Log, LogFormat, LogRow


def tells_log(head: Head) -> bool:
    return head.start.startswith(b"toy log\n")


def read_log(path, name) -> Log:
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    parts = [line.split() for line in lines]
    rows = [LogRow(item=item, system=who, values={"right": float(v)}) for item, who, v in parts]
    return Log(rows=rows)


LOG = LogFormat(
    name="toy log",
    tells=tells_log,
    read=read_log,
    item="the first word",
    repeats="none",
    traps="none",
)

KINDS = ("cat", "dog")
TABLE = TableFormat(
    name="toy table",
    tells=lambda path, start: path.suffix == ".npz" or start.startswith(b"TOY"),
    read=lambda path: (
        {"item": n, "truth": KINDS[n % 2], "cnn": np.str_(KINDS[n % 3 % 2]), "svm": "cat"}
        for n in range(int(path.read_bytes().split()[1]))
    ),
)

MEASURES = [
    Measure(
        name="half recall",
        latex="tp/2(tp+fn)",
        bounds=(0.0, 0.5),
        undefined="no item is of the class",
        source="a toy",
        caution="It is half of what you think.",
        formula=lambda t: t.tp / (2 * (t.tp + t.fn)),
        needs=("of",),
        edges={"no-true": lambda t: t.tp + t.fn},
        synonyms=("halved sensitivity",),
    ),
    Measure(
        name="recall",
        latex="0",
        undefined="never",
        source="a toy",
        caution="It takes a name that is taken.",
        formula=lambda t: 0 * t.tp,
        needs=("of",),
    ),
]

NOT_A_MEASURE = 7


def classify(task):
    return np.tile(task.priors, (len(task.test), 1))
