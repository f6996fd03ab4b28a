"""Made measures.json with the functions as they were before measures were declared.

``python tests/golden/make_measures.py`` wrote it once, from commit daa5868; run again it would
only repeat what is tested. Limits over clusters were taken anew when they came to allow for one
cluster unseen: wider, the rest as before.
"""

import json
from functools import partial
from pathlib import Path

import numpy as np

from steelyard import measures as m
from steelyard.counts import Confusion, Grouped
from steelyard.tally import confusion_of

CLASSES = ["a", "b", "c", "d"]
OF_CLASS = {
    "recall": m.recall,
    "precision": m.precision,
    "specificity": m.specificity,
    "negative predictive value": m.npv,
    "false positive rate": m.false_positive_rate,
    "false negative rate": m.false_negative_rate,
    "false discovery rate": m.false_discovery_rate,
    "false omission rate": m.false_omission_rate,
    "prevalence": m.prevalence,
    "called share": m.called_share,
    "F1": m.f1,
    "F2": partial(m.f_beta, beta=2.0),
    "informedness": m.informedness,
    "markedness": m.markedness,
    "positive likelihood ratio": m.likelihood_ratio_positive,
    "negative likelihood ratio": m.likelihood_ratio_negative,
    "diagnostic odds ratio": m.diagnostic_odds_ratio,
    "precision at prevalence": partial(m.ppv_at, prevalence=0.1),
    "negative predictive value at prevalence": partial(m.npv_at, prevalence=0.1),
}
FUNCTIONS = {
    "accuracy": m.accuracy,
    "no-information rate": m.no_information_rate,
    **{name: partial(function, of="a") for name, function in OF_CLASS.items()},
    "balanced accuracy": m.balanced_accuracy,
    "MCC": m.mcc,
    "kappa": m.cohen_kappa,
    **{
        f"{averaging} {'F1' if kind == 'f1' else kind}": partial(
            m.average, measure=kind, averaging=averaging
        )
        for averaging in ("macro", "weighted", "micro")
        for kind in ("recall", "precision", "f1")
    },
}


def shown(found):
    ends = found.interval
    limits = [ends.low, ends.high, ends.method] if ends else None
    error = getattr(found, "standard_error", None)
    return [found.value, error, limits, found.reason, list(found.caveats)]


def of_clusters(name, parts):
    if name == "accuracy":
        return m.clustered_accuracy(parts)
    if name == "kappa":
        return m.clustered_kappa(parts)
    short = {"negative predictive value": "npv"}.get(name, name.replace(" ", "-"))
    if short in m.CLASS_SHARES:
        return m.clustered_class_share(parts, short, of="a")
    return m.clustered_measure(parts, FUNCTIONS[name])


def table_of(cells):
    return Confusion.from_matrix(cells, classes=CLASSES[: len(cells)])


def answers(case):
    """Measure the table, the weighted rows or the clusters of a case by every function."""
    if "table" in case:
        counts = table_of(case["table"])
    elif "rows" in case:
        truth, called, weights = case["rows"]
        labels = CLASSES[: case["classes"]]
        counts = confusion_of(truth, called, labels=labels, sample_weight=weights)
    else:
        tables = {str(place): table_of(cells) for place, cells in enumerate(case["clusters"])}
        parts = Grouped.from_parts("cluster", tables)
        return {name: shown(of_clusters(name, parts)) for name in FUNCTIONS}
    return {name: shown(function(counts)) for name, function in FUNCTIONS.items()}


def tables(rng):
    for size in (2, 3, 4):
        for high in (3, 30, 10**6):
            for _ in range(2):
                yield rng.integers(0, high, (size, size)).tolist()
    yield from (
        [[5, 0], [0, 7]], [[0, 5], [7, 0]], [[4, 3], [0, 0]], [[4, 0], [3, 0]], [[0, 0], [0, 6]],
        [[9, 1, 0], [0, 0, 0], [2, 0, 5]],
    )  # fmt: skip


def cases():
    rng = np.random.default_rng(19)
    found = [{"table": cells} for cells in tables(rng)]
    for size in (2, 3):
        truth = rng.integers(0, size, 60)
        called = np.where(rng.random(60) < 0.7, truth, rng.integers(0, size, 60))
        weights = rng.choice([0.5, 1.0, 2.5], 60).tolist()
        names = [[CLASSES[place] for place in side] for side in (truth, called)]
        found.append({"rows": [*names, weights], "classes": size})
    for size, groups, high in ((2, 4, 6), (2, 12, 9), (3, 8, 6), (3, 25, 4)):
        found.append({"clusters": rng.integers(0, high, (groups, size, size)).tolist()})
    return found


if __name__ == "__main__":
    lines = ",\n".join(
        "  " + json.dumps({**case, "answers": answers(case)}, separators=(",", ":"))
        for case in cases()
    )
    about = {
        "origin": "the functions of steelyard.measures before measures were declared (0.1.0 at "
        "commit daa5868), each with formulas and slopes of its own; make_measures.py",
        "tolerance": "none: the same number to the last digit",
        "answers": "value, standard error, [low, high, method], reason, caveats",
    }
    head = json.dumps(about, indent=1)[:-2]
    path = Path(__file__).with_name("measures.json")
    path.write_text(f'{head},\n "cases": [\n{lines}\n ]\n}}\n', encoding="utf-8")
