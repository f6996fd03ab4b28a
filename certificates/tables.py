"""Measures of one confusion table, of two classes and of three."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from certificates.declaration import Certificate
from certificates.experiments import covered, limits_of
from steelyard.counts import Confusion
from steelyard.measures import (
    average,
    balanced_accuracy,
    cohen_kappa,
    diagnostic_odds_ratio,
    expected_cost,
    f_beta,
    informedness,
    likelihood_ratio_negative,
    likelihood_ratio_positive,
    markedness,
    mcc,
    npv_at,
    ppv_at,
    weighted_kappa,
)

__all__ = ["DECLARED"]

Measure = Callable[..., Any]
YES = {"of": "positive"}
COSTS = {("positive", "negative"): 10.0, ("negative", "positive"): 1.0}
TWO = {"items": 120, "chances": (0.24, 0.07, 0.06, 0.63)}
"""tp, fp, fn, tn: 30 % positives, recall 0.8, specificity 0.9."""
SCARCE = {"items": 300, "chances": (0.035, 0.045, 0.015, 0.905)}
"""5 % positives, recall 0.7, specificity 0.953: about 15 positives."""
THREE = np.array([[40, 6, 4], [5, 20, 5], [2, 6, 12]])
"""Chances in hundredths, truth by called."""
ORDER = ["1", "2", "3"]

BINARY: dict[str, Measure] = {
    "F1": partial(f_beta, **YES),
    "F2": partial(f_beta, beta=2, **YES),
    "MCC": mcc,
    "balanced accuracy": balanced_accuracy,
    "informedness": partial(informedness, **YES),
    "markedness": partial(markedness, **YES),
    "positive likelihood ratio": partial(likelihood_ratio_positive, **YES),
    "negative likelihood ratio": partial(likelihood_ratio_negative, **YES),
    "diagnostic odds ratio": partial(diagnostic_odds_ratio, **YES),
    "precision at prevalence 0.05": partial(ppv_at, prevalence=0.05, **YES),
    "negative predictive value at prevalence 0.05": partial(npv_at, prevalence=0.05, **YES),
    "expected cost": lambda table: expected_cost(table, COSTS),
    "macro F1": average,
    "weighted F1": partial(average, averaging="weighted"),
    "macro precision": partial(average, measure="precision"),
    "macro recall": partial(average, measure="recall"),
    "weighted precision": partial(average, measure="precision", averaging="weighted"),
    "kappa": cohen_kappa,
    "adjusted kappa": partial(cohen_kappa, method="adjusted"),
    "linear kappa": partial(weighted_kappa, order=["positive", "negative"]),
}
OF_SCARCE = (
    "F1",
    "MCC",
    "balanced accuracy",
    "positive likelihood ratio",
    "kappa",
    "adjusted kappa",
    "macro F1",
)
OF_THREE: dict[str, Measure] = {
    "macro F1": average,
    "weighted F1": partial(average, averaging="weighted"),
    "micro F1": partial(average, averaging="micro"),
    "macro recall": partial(average, measure="recall"),
    "macro precision": partial(average, measure="precision"),
    "MCC": mcc,
    "kappa": cohen_kappa,
    "adjusted kappa": partial(cohen_kappa, method="adjusted"),
    "linear kappa": partial(weighted_kappa, order=ORDER),
    "adjusted linear kappa": partial(weighted_kappa, order=ORDER, method="adjusted"),
    "quadratic kappa": partial(weighted_kappa, order=ORDER, weights="quadratic"),
}
SHORT = {"kappa, few positives": (0.92, 0.935)}


def _binary(tp: int, fp: int, fn: int, tn: int) -> Confusion:
    return Confusion.from_binary(tp=tp, fp=fp, fn=fn, tn=tn)


def _two(of: dict[str, Any], rng: np.random.Generator) -> Confusion:
    return _binary(*rng.multinomial(of["items"], of["chances"]).tolist())


def _three(rng: np.random.Generator) -> Confusion:
    drawn = rng.multinomial(150, THREE.ravel() / 100).reshape(3, 3)
    return Confusion.from_matrix(drawn.tolist(), classes=ORDER)


def _certificate(name: str, setting: str, measure: Measure, draw: Measure, truth: float, seed: int):
    return Certificate(
        name=name,
        family="tables",
        claim="95 %",
        setting=setting,
        page="agreement" if "kappa" in name else "detection",
        experiment=covered(limits_of(measure), draw, truth),
        seed=seed,
        short=500,
        long=20_000,
        falls_short=SHORT.get(name),
        note="a note says so, and names the adjusted interval, which keeps its level"
        if name in SHORT
        else "",
    )


def _declared() -> list[Certificate]:
    found = []
    sizes = {
        "": (TWO, "120 items, 30 % positive, recall 0.8, specificity 0.9", tuple(BINARY), 1301),
        ", few positives": (
            SCARCE,
            "300 items, 5 % positive, recall 0.7, specificity 0.953",
            OF_SCARCE,
            1302,
        ),
    }
    for tail, (of, setting, names, seed) in sizes.items():
        whole = _binary(*(round(1000 * share) for share in of["chances"]))
        for name in names:
            truth = BINARY[name](whole).value
            draw = partial(_two, of)
            found.append(_certificate(name + tail, setting, BINARY[name], draw, truth, seed))
    whole = Confusion.from_matrix(THREE.tolist(), classes=ORDER)
    for name, measure in OF_THREE.items():
        setting = "150 items of three classes, accuracy 0.72"
        truth = measure(whole).value
        found.append(_certificate(f"{name}, three classes", setting, measure, _three, truth, 1303))
    return found


DECLARED = _declared()
