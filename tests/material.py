"""What several tests are made of: golden tables, and scores by truth."""

import csv
from pathlib import Path

import numpy as np

import steelyard
from steelyard.counts import ScoreTable

__all__ = ["read_golden", "read_scores", "split"]

GOLDEN = Path(__file__).parent / "golden"
DATA = Path(steelyard.__file__).parent / "data"


def read_golden(name):
    with (GOLDEN / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_scores(name, system):
    """Read which items of an example are positive, and what a system gave them."""
    with (DATA / name).open(newline="") as file:
        rows = list(csv.DictReader(file))
    truth = np.array([row["truth"] == "1" for row in rows])
    return truth, np.array([float(row[system]) for row in rows])


def split(values, targets):
    values, targets = np.array(values, dtype=float), np.array(targets, dtype=bool)
    return ScoreTable.from_scores(values[targets], values[~targets])
