"""The cases of values.json, by their ids."""

import json
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
CASES = {
    case["id"]: case
    for case in json.loads((FOLDER / "values.json").read_text(encoding="utf-8"))["cases"]
}


def named(start):
    """List the cases of one kind: data, what is expected."""
    return [
        (case["id"], case["data"], case["expected"])
        for name, case in CASES.items()
        if name.startswith(start)
    ]


def cluster_sums(values, clusters):
    codes = np.unique(np.asarray(clusters), return_inverse=True)[1]
    return np.bincount(codes, weights=np.asarray(values, dtype=float))
